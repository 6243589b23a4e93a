
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <xxhash.h>

#include "html.h"
#include "miqps_collect.h"
#include "reading.h"


/*
 * WHAT NOBODY SEES OF A PAGE
 *
 * Two pages may be read alike, and yet lead to other places, put other things
 * into a basket, or become other pages by what a script has been told:
 *
 *     <a href="/get/7/2">             href /get 7 2
 *     <input type=hidden name=sku     value_sku sku 7-red
 *            value="7-red">
 *     <link rel=canonical href="/7">  canonical /7
 *     <meta name=robots               meta_robots noindex
 *           content="noindex">
 *     <i style="background:url(/7)">  style /7
 *     <div data-tab="spec">           data-tab spec
 *     <esi:include src="/part/7">     src /part 7
 *     <script>                        tab spec
 *       show({"tab": "spec"})
 *
 * Links know where they stand by the elements next to them, a piece of a
 * script only which of them it is.
 */

#define LEARN_UNSEEN_LINES   3000
#define LEARN_UNSEEN_WORDS   20000
#define LEARN_UNSEEN_AROUND  4           /* elements that tell where it is */
#define LEARN_UNSEEN_SCRIPT  UINT32_C(0x9e3779b9)

#define LEARN_UNSEEN_LENGTH  2048        /* of a URL; longer ones are cut */

#define LEARN_UNSEEN_URL     LEARN_LINES_SPACE "?&=/;,"
#define LEARN_UNSEEN_CODE    " \t\f\"'`:=()[]<>?&/\\|!+"
#define LEARN_UNSEEN_PIECE   "\r\n;,{}"


static void  learn_unseen_element(learn_reading_t *reading,
    const GumboNode *node, uint32_t *scripts);
static void  learn_unseen_url(learn_reading_t *reading, const GumboNode *node,
    const char *what, const char *name);
static void  learn_unseen_text(learn_reading_t *reading,
    const GumboNode *node, const char *what, const char *text);
static void  learn_unseen_told(learn_reading_t *reading,
    const GumboNode *node);
static void  learn_unseen_style(learn_reading_t *reading,
    const GumboNode *node, const char *style);
static void  learn_unseen_meta(learn_reading_t *reading,
    const GumboNode *node);
static size_t  learn_unseen_decode(const char *url, size_t len, char *out);
static int  learn_unseen_hex(char c);
static int  learn_unseen_acts(const char *url);
static void  learn_unseen_field(learn_reading_t *reading,
    const GumboNode *node);
static int  learn_unseen_leads(const GumboNode *node);
static void  learn_unseen_link(learn_reading_t *reading,
    const GumboNode *node);
static void  learn_unseen_script(learn_reading_t *reading,
    const GumboNode *node, uint32_t number);
static uint32_t  learn_unseen_where(const GumboNode *node);
static int  learn_unseen_room(const learn_reading_t *reading);


void
learn_unseen_read(learn_reading_t *reading, const GumboNode *root)
{
    uint32_t      scripts, lines, words;
    learn_walk_t  walk;

    scripts = 0;
    lines = reading->to->nlines;
    words = reading->to->nwords;

    learn_walk_init(&walk, root);

    while (learn_walk_next(&walk) && !reading->failed
           && learn_unseen_room(reading)
           && reading->to->nlines - lines < LEARN_UNSEEN_LINES
           && reading->to->nwords - words < LEARN_UNSEEN_WORDS)
    {
        if (walk.node->type == GUMBO_NODE_ELEMENT && !walk.leave) {
            learn_unseen_element(reading, walk.node, &scripts);
        }
    }
}


/* one line, and a word that is too long and so many, always fit */

static int
learn_unseen_room(const learn_reading_t *reading)
{
    return reading->to->nlines < LEARN_LINES_MAX - 1
           && reading->to->nwords < LEARN_WORDS_MAX - 1;
}


static void
learn_unseen_element(learn_reading_t *reading, const GumboNode *node,
    uint32_t *scripts)
{
    switch (node->v.element.tag) {

    case GUMBO_TAG_A:
    case GUMBO_TAG_AREA:
        learn_unseen_url(reading, node, "href", "href");
        break;

    case GUMBO_TAG_FORM:
        learn_unseen_url(reading, node, "action", "action");
        break;

    case GUMBO_TAG_INPUT:
        learn_unseen_field(reading, node);
        break;

    case GUMBO_TAG_LINK:
        learn_unseen_link(reading, node);
        break;

    case GUMBO_TAG_META:
        learn_unseen_meta(reading, node);
        break;

    case GUMBO_TAG_SCRIPT:
        learn_unseen_script(reading, node, (*scripts)++);
        break;

    case GUMBO_TAG_UNKNOWN:
        learn_unseen_url(reading, node, "src", "src");
        learn_unseen_url(reading, node, "href", "href");
        break;

    default:
        break;
    }

    learn_unseen_told(reading, node);
}


static void
learn_unseen_url(learn_reading_t *reading, const GumboNode *node,
    const char *what, const char *name)
{
    const char  *value;

    value = learn_html_attr(node, name);

    if (value != NULL) {
        learn_unseen_text(reading, node, what, value);
    }
}


/* if it is one, it may carry on what the URL of the page has */

static void
learn_unseen_text(learn_reading_t *reading, const GumboNode *node,
    const char *what, const char *text)
{
    char      url[LEARN_UNSEEN_LENGTH + 1];
    uint32_t  where;

    (void) learn_unseen_decode(text, strlen(text), url);

    where = learn_unseen_where(node);
    where |= learn_unseen_acts(url) ? 0 : LEARN_WHERE_LINK;

    learn_lines_put(reading, what, strlen(what));
    learn_lines_split(reading, url, LEARN_UNSEEN_URL);
    learn_lines_flush(reading, where);
}


/* what an element tells scripts, and pictures behind it */

static void
learn_unseen_told(learn_reading_t *reading, const GumboNode *node)
{
    size_t                 i;
    char                   word[LEARN_LINES_WORD];
    const GumboVector     *attrs;
    const GumboAttribute  *attr;

    attrs = &node->v.element.attributes;

    for (i = 0; i < attrs->length && learn_unseen_room(reading); i++) {
        attr = attrs->data[i];

        if (strcasecmp(attr->name, "style") == 0) {
            learn_unseen_style(reading, node, attr->value);

        } else if (strncasecmp(attr->name, "data-", 5) == 0) {
            (void) snprintf(word, sizeof(word), "%s", attr->name);
            learn_unseen_text(reading, node, word, attr->value);
        }
    }
}


static void
learn_unseen_style(learn_reading_t *reading, const GumboNode *node,
    const char *style)
{
    char         url[LEARN_UNSEEN_LENGTH + 1];
    size_t       len;
    const char  *p;

    for (p = strstr(style, "url("); p != NULL && learn_unseen_room(reading);
         p = strstr(p + len, "url("))
    {
        p += sizeof("url(") - 1;
        len = strcspn(p, ")");

        (void) snprintf(url, sizeof(url), "%.*s",
                        (int) (len < LEARN_UNSEEN_LENGTH ? len
                                                : LEARN_UNSEEN_LENGTH), p);
        learn_unseen_text(reading, node, "style", url);
    }
}


/* what a page says of itself to others, each by its name */

static void
learn_unseen_meta(learn_reading_t *reading, const GumboNode *node)
{
    size_t       i;
    char         word[LEARN_LINES_WORD];
    const char  *name, *content;

    static const char *const  names[] = { "name", "property", "http-equiv" };

    content = learn_html_attr(node, "content");
    name = NULL;

    for (i = 0; name == NULL && i < sizeof(names) / sizeof(names[0]); i++) {
        name = learn_html_attr(node, names[i]);
    }

    if (name != NULL && content != NULL) {
        (void) snprintf(word, sizeof(word), "meta_%s", name);
        learn_unseen_text(reading, node, word, content);
    }
}


/* without escapes, since there are URLs in URLs; returns the length */

static size_t
learn_unseen_decode(const char *url, size_t len, char *out)
{
    int     high, low;
    size_t  i, n;

    n = 0;

    for (i = 0; i < len && n < LEARN_UNSEEN_LENGTH; i++) {

        if (url[i] == '%' && i + 2 < len) {
            high = learn_unseen_hex(url[i + 1]);
            low = learn_unseen_hex(url[i + 2]);

            if (high >= 0 && low >= 0 && 16 * high + low != 0) {
                out[n++] = (char) (16 * high + low);
                i += 2;
                continue;
            }
        }

        out[n++] = url[i];
    }

    out[n] = '\0';

    return n;
}


static int
learn_unseen_hex(char c)
{
    const char  *p;

    static const char  digits[] = "0123456789abcdef0123456789ABCDEF";

    p = (c != '\0') ? strchr(digits, c) : NULL;

    return (p != NULL) ? (int) ((p - digits) % 16) : -1;
}


/* what puts something into a basket is not only another page */

static int
learn_unseen_acts(const char *url)
{
    const char  *path;

    path = strstr(url, "://");
    path = (path != NULL) ? path + 3 : url;

    return miqps_collect_path_acts((const uint8_t *) path, strlen(path));
}


size_t
learn_unseen_words(const miqps_str_t *url, uint32_t *words, size_t max)
{
    char         text[LEARN_UNSEEN_LENGTH + 1];
    size_t       n, len;
    const char  *p;

    (void) learn_unseen_decode((const char *) url->data, url->len, text);

    for (n = 0, p = text; n < max; n++, p += len) {
        p += strspn(p, LEARN_UNSEEN_URL);
        len = strcspn(p, LEARN_UNSEEN_URL);

        if (len == 0) {
            break;
        }

        words[n] = learn_lines_word(p, len);
    }

    return n;
}


/*
 * The name is part of the first word: a token is no reason to mask others.  A
 * form that leads to another page carries on what it has, as a link does.
 */

static void
learn_unseen_field(learn_reading_t *reading, const GumboNode *node)
{
    char         word[LEARN_LINES_WORD];
    uint32_t     where;
    const char  *type, *name, *value;

    type = learn_html_attr(node, "type");

    if (type == NULL || strcasecmp(type, "hidden") != 0) {
        return;
    }

    where = learn_unseen_where(node);
    where |= learn_unseen_leads(node) ? LEARN_WHERE_LINK : 0;

    name = learn_html_attr(node, "name");
    value = learn_html_attr(node, "value");

    (void) snprintf(word, sizeof(word), "value_%s", name ? name : "");

    learn_lines_put(reading, word, strlen(word));
    learn_lines_split(reading, name ? name : "", LEARN_UNSEEN_URL);
    learn_lines_split(reading, value ? value : "", LEARN_UNSEEN_URL);
    learn_lines_flush(reading, where);
}


/* true if it is in a form that asks for a page, and does nothing */

static int
learn_unseen_leads(const GumboNode *node)
{
    const char  *method, *action;

    while (node != NULL && (node->type != GUMBO_NODE_ELEMENT
                            || node->v.element.tag != GUMBO_TAG_FORM))
    {
        node = node->parent;
    }

    if (node == NULL) {
        return 0;
    }

    method = learn_html_attr(node, "method");
    action = learn_html_attr(node, "action");

    return (method == NULL || strcasecmp(method, "get") == 0)
           && (action == NULL || !learn_unseen_acts(action));
}


/* what the page says of its own address */

static void
learn_unseen_link(learn_reading_t *reading, const GumboNode *node)
{
    size_t              i;
    const char         *rel;
    const miqps_str_t  *host;

    static const char *const  rels[] = {
        "canonical", "alternate", "next", "prev"
    };

    static const miqps_str_t  none = miqps_null_str;

    rel = learn_html_attr(node, "rel");
    host = reading->host;

    for (i = 0; rel != NULL && i < sizeof(rels) / sizeof(rels[0]); i++) {

        if (strcasecmp(rel, rels[i]) != 0) {
            continue;
        }

        /* what mirrors declare is the host of one of them, on both */

        reading->host = (i == 0) ? &none : host;
        learn_unseen_url(reading, node, rels[i], "href");
        reading->host = host;
    }
}


static void
learn_unseen_script(learn_reading_t *reading, const GumboNode *node,
    uint32_t number)
{
    char              piece[LEARN_LINES_WORD];
    size_t            len, part;
    uint32_t          where, lines, words;
    const char       *text;
    const GumboNode  *child;

    if (node->v.element.children.length == 0
        || learn_html_attr(node, "src") != NULL)
    {
        return;
    }

    child = node->v.element.children.data[0];

    if (child->type != GUMBO_NODE_TEXT && child->type != GUMBO_NODE_CDATA) {
        return;
    }

    where = XXH32(&number, sizeof(number), LEARN_UNSEEN_SCRIPT)
            | LEARN_WHERE_ATTR | LEARN_WHERE_UNSEEN;
    lines = reading->to->nlines;
    words = reading->to->nwords;

    for (text = child->v.text.text; *text != '\0'; /* void */ ) {
        text += strspn(text, LEARN_UNSEEN_PIECE);
        len = strcspn(text, LEARN_UNSEEN_PIECE);

        for (/* void */ ; len > 0; len -= part, text += part) {
            part = (len < sizeof(piece)) ? len : sizeof(piece) - 1;

            memcpy(piece, text, part);
            piece[part] = '\0';

            learn_lines_split(reading, piece, LEARN_UNSEEN_CODE);
        }

        learn_lines_flush(reading, where);

        if (!learn_unseen_room(reading)
            || reading->to->nlines - lines > LEARN_UNSEEN_LINES / 2
            || reading->to->nwords - words > LEARN_UNSEEN_WORDS / 2)
        {
            return;
        }
    }
}


static uint32_t
learn_unseen_where(const GumboNode *node)
{
    size_t            n;
    uint32_t          where;
    const GumboNode  *around;

    where = 0;
    n = 0;

    for (around = node->parent; around != NULL && n < LEARN_UNSEEN_AROUND;
         around = around->parent)
    {
        if (around->type != GUMBO_NODE_ELEMENT) {
            break;
        }

        where = learn_lines_where(where, around);
        n++;
    }

    return where | LEARN_WHERE_ATTR | LEARN_WHERE_UNSEEN;
}
