
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <setjmp.h>
#include <strings.h>
#include <time.h>

#include "html.h"


/* what one page may take: ten times what a large one does */

#define LEARN_HTML_BYTES    (512 * 1024 * 1024)
#define LEARN_HTML_SECONDS  2.0
#define LEARN_HTML_CALLS    256            /* that the clock is not asked */


typedef struct {
    learn_arena_t   *arena;
    jmp_buf          out;
    size_t           bytes;
    size_t           calls;
    double           end;
} learn_parse_t;


static const GumboVector  *learn_walk_children(const GumboNode *node);
static void  *learn_html_alloc(void *data, size_t size);
static void  learn_html_free(void *data, void *p);
static double  learn_html_clock(void);


void
learn_walk_init(learn_walk_t *walk, const GumboNode *root)
{
    walk->root = root;
    walk->node = NULL;
    walk->leave = 0;
}


int
learn_walk_next(learn_walk_t *walk)
{
    const GumboNode    *node;
    const GumboVector  *children;

    node = walk->node;

    if (node == NULL) {
        walk->node = walk->root;
        return 1;
    }

    children = learn_walk_children(node);

    if (!walk->leave && children != NULL) {

        if (children->length > 0) {
            walk->node = children->data[0];
            return 1;
        }

        walk->leave = 1;
        return 1;
    }

    if (node == walk->root) {
        return 0;
    }

    children = learn_walk_children(node->parent);

    if (node->index_within_parent + 1 < children->length) {
        walk->node = children->data[node->index_within_parent + 1];
        walk->leave = 0;
        return 1;
    }

    walk->node = node->parent;
    walk->leave = 1;

    return 1;
}


void
learn_walk_skip(learn_walk_t *walk)
{
    walk->leave = 1;
}


/* NULL for what has none, and so neither begins nor ends */

static const GumboVector *
learn_walk_children(const GumboNode *node)
{
    switch (node->type) {

    case GUMBO_NODE_DOCUMENT:
        return &node->v.document.children;

    case GUMBO_NODE_ELEMENT:
    case GUMBO_NODE_TEMPLATE:
        return &node->v.element.children;

    default:
        return NULL;
    }
}


const char *
learn_html_attr(const GumboNode *node, const char *name)
{
    const GumboAttribute  *attr;

    attr = gumbo_get_attribute(&node->v.element.attributes, name);

    return (attr != NULL) ? attr->value : NULL;
}


int
learn_html_hidden(const GumboNode *node)
{
    const char  *value;

    switch (node->v.element.tag) {

    case GUMBO_TAG_HEAD:
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_NOSCRIPT:
        return 1;

    case GUMBO_TAG_INPUT:
        value = learn_html_attr(node, "type");
        return value != NULL && strcasecmp(value, "hidden") == 0;

    default:
        break;
    }

    if (learn_html_attr(node, "hidden") != NULL) {
        return 1;
    }

    value = learn_html_attr(node, "style");

    return value != NULL && (strstr(value, "display:none") != NULL
                             || strstr(value, "display: none") != NULL);
}


/*
 * gumbo frees a tree by recursion, which a deep one would not survive; it is
 * not asked to.  Nor can it be told that there is no memory, and for each
 * element that begins it looks through those that it is in, so that a page
 * made for that would take hours.  All it has is in the arena, so it is left
 * in the middle, from where it asks for memory.
 */

GumboOutput *
learn_html_parse(learn_arena_t *arena, const char *data, size_t len)
{
    GumboOptions   options;
    learn_parse_t  parse;

    parse.arena = arena;
    parse.bytes = 0;
    parse.calls = 0;
    parse.end = learn_html_clock() + LEARN_HTML_SECONDS;

    options = kGumboDefaultOptions;
    options.allocator = learn_html_alloc;
    options.deallocator = learn_html_free;
    options.userdata = &parse;
    options.max_errors = 0;

    if (setjmp(parse.out) != 0) {
        return NULL;
    }

    return gumbo_parse_with_options(&options, data, len);
}


static void *
learn_html_alloc(void *data, size_t size)
{
    void           *p;
    learn_parse_t  *parse;

    parse = data;
    parse->bytes += size;
    parse->calls++;

    if (parse->bytes > LEARN_HTML_BYTES
        || (parse->calls % LEARN_HTML_CALLS == 0
            && learn_html_clock() > parse->end))
    {
        longjmp(parse->out, 1);
    }

    p = learn_arena_alloc(parse->arena, size);

    if (p == NULL) {
        longjmp(parse->out, 1);
    }

    return p;
}


static void
learn_html_free(void *data, void *p)
{
    (void) data;
    (void) p;
}


/* seconds of CPU time */

static double
learn_html_clock(void)
{
    struct timespec  now;

    (void) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);

    return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}
