
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "visual/base64.h"
#include "visual/tab.h"


/*
 * What a browser says, in which much is what a page says: messages, one after
 * the other, for tabs that wait for each kind of them; and pictures.
 */

#define MAX_LEN  (64 * 1024)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static learn_shot_t  shot;


static void
read_picture(const char *text)
{
    size_t    n;
    uint8_t  *data;

    data = malloc(strlen(text) + 1);
    require(data != NULL);

    if (learn_base64_read(text, strlen(text), data, &n)) {
        require(n <= strlen(text) / 4 * 3);
        (void) learn_shot_read(&shot, data, n);
        (void) learn_shot_unpack(&shot, data, n);
    }

    free(data);
}


static void
hear(learn_tab_t *tabs, learn_wire_t *wire, const char *text, size_t len)
{
    cJSON             *message;
    const char        *picture;
    learn_tab_t       *tab;
    learn_want_t      *want;
    learn_tab_news_e   news;

    message = cJSON_ParseWithLength(text, len);
    tab = learn_tab_of(tabs, message);

    if (tab == NULL) {
        cJSON_Delete(message);
        return;
    }

    want = NULL;
    picture = NULL;
    news = learn_tab_hear(tab, wire, message, &want, &picture);

    if (news == LEARN_TAB_ASKS && want != NULL) {
        require(want->url.data[want->url.len] == '\0');
        learn_tab_miss(tab, want->hash);
        learn_tab_fail(tab, wire, want->id);
        free(want);
    }

    if (news == LEARN_TAB_PICTURE) {
        require(picture != NULL);
        read_picture(picture);
    }

    cJSON_Delete(message);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char           *text, *p, *end;
    unsigned        i;
    learn_pipe_t    pipe;
    learn_tab_t     tabs[LEARN_TABS];
    learn_wire_t    wire;
    learn_paint_t   paint;

    if (size > MAX_LEN) {
        return 0;
    }

    text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';

    memset(&paint, 0, sizeof(learn_paint_t));
    paint.url = (miqps_str_t) miqps_string("https://a.example/p?x=1");
    paint.body = (const uint8_t *) "<p>";
    paint.len = 3;
    paint.type = "text/html";
    paint.language = "en";
    paint.agent = "miqps";

    memset(tabs, 0, sizeof(tabs));

    for (i = 0; i < LEARN_TABS; i++) {
        tabs[i].number = i;
        tabs[i].paint = &paint;
        tabs[i].state = LEARN_TAB_LOADING;
        (void) snprintf(tabs[i].session, sizeof(tabs[i].session), "s%u", i);
        (void) snprintf(tabs[i].target, sizeof(tabs[i].target), "f%u", i);
    }

    learn_pipe_init(&pipe, open("/dev/null", O_RDONLY|O_CLOEXEC),
                    open("/dev/null", O_WRONLY|O_CLOEXEC));
    wire.pipe = &pipe;
    wire.failed = 0;

    for (p = text; p < text + size; p = end + 1) {
        end = p + strlen(p);
        hear(tabs, &wire, p, (size_t) (end - p));
    }

    learn_pipe_release(&pipe);
    free(text);

    return 0;
}
