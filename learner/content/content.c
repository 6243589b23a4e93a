
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <xxhash.h>

#include "content.h"
#include "html.h"
#include "miqps_url.h"


/* bits in which texts that are nearly the same may differ */

#define LEARN_CONTENT_NEAR  3


static uint64_t  learn_content_hash(const void *data, size_t len);
static uint64_t  learn_content_headers(const learn_fetch_t *fetch);
static int  learn_content_declares(const learn_content_t *content,
    const miqps_str_t *url);
static int  learn_content_is_home(const miqps_str_t *url);
static int  learn_content_html(learn_content_t *content,
    learn_parser_t *parser, const learn_fetch_t *fetch,
    const miqps_str_t *url);
static int  learn_content_is_html(const char *type);


static const char *const  learn_id_names[] = {
    "headers", "body", "title", "dom", "text", "near", "canonical", "exec",
    "visual"
};


static const char *const  learn_page_texts[] = {
    [LEARN_PAGE_GOOD] = "a page",
    [LEARN_PAGE_OTHER] = "not HTML",
    [LEARN_PAGE_EMPTY] = "an empty page",
    [LEARN_PAGE_MISSING] = "a page that says it is not there",
    [LEARN_PAGE_LOGIN] = "a page to log in",
    [LEARN_PAGE_CAPTCHA] = "a page against robots",
    [LEARN_PAGE_BROKEN] = "a page about an error",
    [LEARN_PAGE_HEAVY] = "too much to read",
    [LEARN_PAGE_BLANK] = "a page that shows nothing",
    [LEARN_PAGE_UNDRAWN] = "a page that cannot be drawn"
};


learn_id_e
learn_id_find(const char *name)
{
    size_t  i;

    for (i = 0; i < LEARN_ID_MAX; i++) {
        if (strcmp(learn_id_names[i], name) == 0) {
            return (learn_id_e) i;
        }
    }

    return LEARN_ID_MAX;
}


const char *
learn_id_name(learn_id_e id)
{
    return learn_id_names[id];
}


const char *
learn_page_text(learn_page_e page)
{
    return learn_page_texts[page];
}


void
learn_parser_init(learn_parser_t *parser)
{
    learn_arena_init(&parser->arena);
    parser->command = NULL;
    parser->lines = NULL;
}


void
learn_parser_release(learn_parser_t *parser)
{
    learn_arena_release(&parser->arena);
}


int
learn_content_read(learn_content_t *content, learn_parser_t *parser,
    const learn_fetch_t *fetch, const miqps_str_t *url)
{
    memset(content, 0, sizeof(learn_content_t));

    content->id[LEARN_ID_HEADERS] = learn_content_headers(fetch);
    content->id[LEARN_ID_BODY] = learn_content_hash(fetch->body,
                                                    fetch->body_len);

    if (!learn_content_is_html(fetch->type)) {
        content->page = LEARN_PAGE_OTHER;

    } else if (!learn_content_html(content, parser, fetch, url)) {
        return 0;
    }

    if (parser->command != NULL) {
        content->id[LEARN_ID_EXEC] = learn_exec(parser->command, fetch, url);
    }

    return 1;
}


/* 0 is none, and a hash is never that */

static uint64_t
learn_content_hash(const void *data, size_t len)
{
    uint64_t  hash;

    hash = XXH3_64bits((len > 0) ? data : "", len);

    return hash + (hash == 0);
}


/* a weak ETag is as good as a strong one: pages are to be equal, not bytes */

static uint64_t
learn_content_headers(const learn_fetch_t *fetch)
{
    char         text[2 * LEARN_FETCH_TEXT];
    const char  *etag;

    etag = fetch->etag;

    if (strncmp(etag, "W/", 2) == 0) {
        etag += 2;
    }

    if (etag[0] != '\0') {
        return learn_content_hash(etag, strlen(etag));
    }

    if (fetch->modified[0] == '\0') {
        return 0;
    }

    (void) snprintf(text, sizeof(text), "%s %lld", fetch->modified,
                    (long long) fetch->length);

    return learn_content_hash(text, strlen(text));
}


static int
learn_content_is_html(const char *type)
{
    return strncasecmp(type, "text/html", 9) == 0
           || strncasecmp(type, "application/xhtml+xml", 21) == 0;
}


static int
learn_content_html(learn_content_t *content, learn_parser_t *parser,
    const learn_fetch_t *fetch, const miqps_str_t *url)
{
    char         *text;
    size_t        len;
    miqps_str_t   host = miqps_null_str;
    miqps_url_t   parts;
    GumboOutput  *output;

    learn_arena_clear(&parser->arena);

    output = learn_html_parse(&parser->arena, (const char *) fetch->body,
                              fetch->body_len);

    if (output == NULL) {
        content->page = LEARN_PAGE_HEAVY;
        return 1;
    }

    text = learn_html_text(output->document, &parser->arena, &len);

    if (text == NULL) {
        return 0;
    }

    learn_html_head(content, output->document, text, len, url);

    if (miqps_url_split(&parts, url) == MIQPS_OK) {
        host = parts.host;
    }

    if (parser->lines != NULL
        && !learn_lines_read(&content->lines, output->document,
                             content->title, &host, parser->lines))
    {
        return 0;
    }

    content->id[LEARN_ID_DOM] = learn_html_dom(output->document);
    content->id[LEARN_ID_TEXT] = learn_content_hash(text, len);
    content->id[LEARN_ID_NEAR] = learn_simhash(text, len);

    if (content->title[0] != '\0') {
        content->id[LEARN_ID_TITLE] = learn_content_hash(content->title,
                                          strlen(content->title));
    }

    if (learn_content_declares(content, url)) {
        content->id[LEARN_ID_CANONICAL]
            = learn_content_hash(content->canonical,
                                 strlen(content->canonical));
    }

    return 1;
}


/* pages that declare to be the home page mostly do so by mistake */

static int
learn_content_declares(const learn_content_t *content, const miqps_str_t *url)
{
    miqps_str_t  canonical;

    canonical.data = (const uint8_t *) content->canonical;
    canonical.len = strlen(content->canonical);

    return canonical.len > 0
           && (!learn_content_is_home(&canonical)
               || learn_content_is_home(url));
}


static int
learn_content_is_home(const miqps_str_t *url)
{
    miqps_url_t  parts;

    return miqps_url_split(&parts, url) == MIQPS_OK && parts.path.len <= 1
           && !parts.query;
}


int
learn_content_same(const learn_content_t *a, const learn_content_t *b,
    learn_id_e id)
{
    return (id == LEARN_ID_NEAR) ? learn_content_near(a->id[id], b->id[id])
                                 : a->id[id] == b->id[id];
}


int
learn_content_near(uint64_t a, uint64_t b)
{
    return __builtin_popcountll(a ^ b) <= LEARN_CONTENT_NEAR;
}
