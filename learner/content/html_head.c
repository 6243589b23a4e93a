
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "corpus/absolute.h"
#include "html.h"
#include "miqps_url.h"


/* with more words, a page about errors is a page */

#define LEARN_HEAD_WORDS  150

/* bytes at the beginning of a text that are looked at for what failed */

#define LEARN_HEAD_TRACE  400


/* what tells a page from others, in small letters */

typedef struct {
    learn_page_e      page;
    const char       *words;
    unsigned          password:1;        /* if it asks for one */
} learn_head_sign_t;


typedef struct {
    const GumboNode  *title;
    const GumboNode  *canonical;
    const GumboNode  *base;
    const GumboNode  *h1;
    unsigned          password:1;
} learn_head_t;


static void  learn_head_find(learn_head_t *head, const GumboNode *root);
static void  learn_head_element(learn_head_t *head, const GumboNode *node);
static void  learn_head_text(const GumboNode *node, char *text, size_t room);
static void  learn_head_canonical(learn_content_t *content,
    const learn_head_t *head, const miqps_str_t *url);
static int  learn_head_resolve(const char *href, const miqps_str_t *url,
    char *out, size_t room);
static learn_page_e  learn_head_page(const learn_content_t *content,
    const learn_head_t *head);
static int  learn_head_failed(const char *text, size_t len);
static int  learn_head_has(const char *text, const char *words);


static const learn_head_sign_t  learn_head_signs[] = {
    { LEARN_PAGE_CAPTCHA, "captcha", 0 },
    { LEARN_PAGE_CAPTCHA, "just a moment", 0 },
    { LEARN_PAGE_CAPTCHA, "attention required", 0 },
    { LEARN_PAGE_CAPTCHA, "are you a robot", 0 },
    { LEARN_PAGE_CAPTCHA, "are you human", 0 },
    { LEARN_PAGE_CAPTCHA, "verify you are human", 0 },
    { LEARN_PAGE_CAPTCHA, "security check", 0 },
    { LEARN_PAGE_CAPTCHA, "access denied", 0 },
    { LEARN_PAGE_CAPTCHA, "too many requests", 0 },
    { LEARN_PAGE_CAPTCHA, "rate limit", 0 },
    { LEARN_PAGE_BROKEN, "internal server error", 0 },
    { LEARN_PAGE_BROKEN, "service unavailable", 0 },
    { LEARN_PAGE_BROKEN, "temporarily unavailable", 0 },
    { LEARN_PAGE_BROKEN, "bad gateway", 0 },
    { LEARN_PAGE_BROKEN, "gateway timeout", 0 },
    { LEARN_PAGE_BROKEN, "fatal error", 0 },
    { LEARN_PAGE_BROKEN, "database error", 0 },
    { LEARN_PAGE_BROKEN, "something went wrong", 0 },
    { LEARN_PAGE_BROKEN, "maintenance", 0 },
    { LEARN_PAGE_BROKEN, "error 500", 0 },
    { LEARN_PAGE_BROKEN, "error 503", 0 },
    { LEARN_PAGE_MISSING, "404", 0 },
    { LEARN_PAGE_MISSING, "not found", 0 },
    { LEARN_PAGE_MISSING, "does not exist", 0 },
    { LEARN_PAGE_MISSING, "doesn't exist", 0 },
    { LEARN_PAGE_MISSING, "no longer available", 0 },
    { LEARN_PAGE_MISSING, "nicht gefunden", 0 },
    { LEARN_PAGE_MISSING, "introuvable", 0 },
    { LEARN_PAGE_LOGIN, "log in", 1 },
    { LEARN_PAGE_LOGIN, "login", 1 },
    { LEARN_PAGE_LOGIN, "sign in", 1 },
    { LEARN_PAGE_LOGIN, "signin", 1 },
    { LEARN_PAGE_LOGIN, "anmelden", 1 },
    { LEARN_PAGE_LOGIN, "connexion", 1 }
};


void
learn_html_head(learn_content_t *content, const GumboNode *root,
    const char *text, size_t len, const miqps_str_t *url)
{
    size_t        i;
    learn_head_t  head;

    learn_head_find(&head, root);

    if (head.title != NULL) {
        learn_head_text(head.title, content->title, sizeof(content->title));
    }

    for (i = 0; i < len; i++) {
        content->words += (text[i] == ' ');
    }

    learn_head_canonical(content, &head, url);

    content->page = learn_head_failed(text, len)
                    ? LEARN_PAGE_BROKEN : learn_head_page(content, &head);
}


/* programs that end in the midst of a page tell so with 200 */

static int
learn_head_failed(const char *text, size_t len)
{
    char    start[LEARN_HEAD_TRACE + 1];
    size_t  i;

    static const char *const  traces[] = {
        "Fatal error:", "Parse error:", "Uncaught exception",
        "Uncaught Error", "Traceback (most recent call last)",
        "Stack trace:", "Exception in thread", "Server Error in",
        "Whoops, looks like something went wrong"
    };

    len = (len < LEARN_HEAD_TRACE) ? len : LEARN_HEAD_TRACE;

    memcpy(start, text, len);
    start[len] = '\0';

    for (i = 0; i < sizeof(traces) / sizeof(traces[0]); i++) {
        if (strstr(start, traces[i]) != NULL) {
            return 1;
        }
    }

    return 0;
}


static void
learn_head_find(learn_head_t *head, const GumboNode *root)
{
    learn_walk_t  walk;

    memset(head, 0, sizeof(learn_head_t));
    learn_walk_init(&walk, root);

    while (learn_walk_next(&walk)) {

        if (!walk.leave && walk.node->type == GUMBO_NODE_ELEMENT) {
            learn_head_element(head, walk.node);
        }
    }
}


/* the first of each counts */

static void
learn_head_element(learn_head_t *head, const GumboNode *node)
{
    const char  *value;

    switch (node->v.element.tag) {

    case GUMBO_TAG_TITLE:
        if (head->title == NULL
            && node->v.element.tag_namespace == GUMBO_NAMESPACE_HTML)
        {
            head->title = node;
        }

        break;

    case GUMBO_TAG_H1:
        head->h1 = (head->h1 != NULL) ? head->h1 : node;
        break;

    case GUMBO_TAG_BASE:
        head->base = (head->base != NULL) ? head->base : node;
        break;

    case GUMBO_TAG_LINK:
        value = learn_html_attr(node, "rel");

        if (value != NULL && strcasecmp(value, "canonical") == 0
            && head->canonical == NULL)
        {
            head->canonical = node;
        }

        break;

    case GUMBO_TAG_INPUT:
        value = learn_html_attr(node, "type");
        head->password |= (value != NULL
                           && strcasecmp(value, "password") == 0);
        break;

    default:
        break;
    }
}


/* words of an element, as many as there is room for */

static void
learn_head_text(const GumboNode *node, char *text, size_t room)
{
    size_t        n;
    const char   *p;
    learn_walk_t  walk;

    n = 0;
    learn_walk_init(&walk, node);

    while (learn_walk_next(&walk)) {

        if (walk.leave || walk.node->type != GUMBO_NODE_TEXT) {
            continue;
        }

        for (p = walk.node->v.text.text; *p != '\0' && n < room - 1; p++) {

            if ((unsigned char) *p > ' ') {
                text[n++] = *p;

            } else if (n > 0 && text[n - 1] != ' ') {
                text[n++] = ' ';
            }
        }
    }

    while (n > 0 && text[n - 1] == ' ') {
        n--;
    }

    text[n] = '\0';
}


static void
learn_head_canonical(learn_content_t *content, const learn_head_t *head,
    const miqps_str_t *url)
{
    char         base[LEARN_TARGET_MAX + 1];
    const char  *href;
    miqps_str_t  from;

    href = (head->canonical != NULL)
           ? learn_html_attr(head->canonical, "href") : NULL;

    if (href == NULL) {
        return;
    }

    from = *url;

    if (head->base != NULL
        && learn_html_attr(head->base, "href") != NULL
        && learn_head_resolve(learn_html_attr(head->base, "href"), url, base,
                              sizeof(base)))
    {
        from.data = (const uint8_t *) base;
        from.len = strlen(base);
    }

    (void) learn_head_resolve(href, &from, content->canonical,
                              sizeof(content->canonical));
}


/* 0 if it is no URL, or too long */

static int
learn_head_resolve(const char *href, const miqps_str_t *url, char *out,
    size_t room)
{
    uint8_t      buf[LEARN_ABSOLUTE_ROOM(LEARN_TARGET_MAX)];
    miqps_str_t  in, to;

    in.data = (const uint8_t *) href;
    in.len = strlen(href);

    while (in.len > 0 && in.data[0] <= ' ') {
        in.data++;
        in.len--;
    }

    while (in.len > 0 && in.data[in.len - 1] <= ' ') {
        in.len--;
    }

    if (in.len > LEARN_TARGET_MAX || url->len > LEARN_TARGET_MAX
        || learn_absolute_resolved(&in, url, buf, &to) != MIQPS_OK
        || to.len >= room)
    {
        out[0] = '\0';
        return 0;
    }

    memcpy(out, to.data, to.len);
    out[to.len] = '\0';

    return 1;
}


static learn_page_e
learn_head_page(const learn_content_t *content, const learn_head_t *head)
{
    char                      h1[LEARN_CONTENT_TITLE];
    size_t                    i, n;
    const learn_head_sign_t  *sign;

    h1[0] = '\0';

    if (head->h1 != NULL) {
        learn_head_text(head->h1, h1, sizeof(h1));
    }

    if (content->words == 0 && content->title[0] == '\0') {
        return LEARN_PAGE_EMPTY;
    }

    if (content->words > LEARN_HEAD_WORDS) {
        return LEARN_PAGE_GOOD;
    }

    n = sizeof(learn_head_signs) / sizeof(learn_head_signs[0]);

    for (i = 0; i < n; i++) {
        sign = &learn_head_signs[i];

        if ((!sign->password || head->password)
            && (learn_head_has(content->title, sign->words)
                || learn_head_has(h1, sign->words)))
        {
            return sign->page;
        }
    }

    return LEARN_PAGE_GOOD;
}


/* as words of their own, in any case */

static int
learn_head_has(const char *text, const char *words)
{
    size_t       len;
    const char  *p;

    len = strlen(words);

    for (p = text; strlen(p) >= len; p++) {
        if (strncasecmp(p, words, len) == 0
            && (p == text || !isalnum((unsigned char) p[-1]))
            && !isalnum((unsigned char) p[len]))
        {
            return 1;
        }
    }

    return 0;
}
