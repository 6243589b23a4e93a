
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>

#include "content/content.h"
#include "fetch/robots.h"
#include "honor/honor.h"


/*
 * Pages, robots.txt and No-Vary-Search, which come from anybody.  The same page
 * has the same IDs, and a page that is read leaves nothing behind that another
 * would see.
 */

#define MAX_LEN  (64 * 1024)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static learn_parser_t  parser;
static learn_fetch_t   fetch;


static void
read_page(learn_content_t *content, const uint8_t *data, size_t size)
{
    miqps_str_t  url = miqps_string("https://a.example/dir/page?x=1");

    fetch.status = 200;
    fetch.length = -1;
    fetch.body = data;
    fetch.body_len = size;
    memcpy(fetch.type, "text/html", 10);

    require(learn_content_read(content, &parser, &fetch, &url));
    require(content->page < LEARN_PAGE_MAX);
    require(memchr(content->title, '\0', sizeof(content->title)) != NULL);
    require(memchr(content->canonical, '\0', sizeof(content->canonical))
            != NULL);
}


static void
read_robots(const uint8_t *data, size_t size)
{
    learn_arena_t   arena;
    learn_robots_t  robots;

    static const char *const  targets[] = {
        "/", "/a", "/a/b?c=d", "/*", "/$", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    };

    size_t       i;
    miqps_str_t  target;

    learn_arena_init(&arena);
    require(learn_robots_read(&robots, data, size, "miqps", &arena));

    for (i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        target.data = (const uint8_t *) targets[i];
        target.len = strlen(targets[i]);
        (void) learn_robots_allow(&robots, &target);
    }

    learn_arena_release(&arena);
}


static void
read_honor(const uint8_t *data, size_t size)
{
    char                        *text;
    miqps_str_t                  path = miqps_string("/a/b");
    learn_arena_t                arena;
    learn_honor_t                honor;
    const learn_declaration_t   *one;

    text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';

    memset(&honor, 0, sizeof(learn_honor_t));
    learn_arena_init(&arena);

    require(learn_honor_no_vary(&honor, text, &path, &arena));
    require(honor.n <= 1);
    require(learn_honor_robots(&honor, data, size, &arena));
    require(honor.n <= LEARN_HONOR_MAX);

    for (one = honor.list; one != NULL; one = one->next) {
        (void) learn_declaration_names(one, &path);
        (void) learn_declaration_holds(one, &path);
    }

    learn_arena_release(&arena);
    free(text);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t           i;
    learn_content_t  one, two, other;

    if (size > MAX_LEN) {
        return 0;
    }

    if (parser.arena.mem.alloc == NULL) {
        learn_parser_init(&parser);
    }

    read_page(&one, data, size);
    read_page(&other, (const uint8_t *) "<title>x</title><p>y", 20);
    read_page(&two, data, size);

    for (i = 0; i < LEARN_ID_MAX; i++) {
        require(one.id[i] == two.id[i]);
    }

    read_robots(data, size);
    read_honor(data, size);

    return 0;
}
