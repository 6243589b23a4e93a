
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <strings.h>

#include "html.h"


static const GumboVector  *learn_walk_children(const GumboNode *node);
static void  *learn_html_alloc(void *data, size_t size);
static void  learn_html_free(void *data, void *p);


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
 * not asked to.
 */

GumboOutput *
learn_html_parse(learn_arena_t *arena, const char *data, size_t len)
{
    GumboOptions  options;

    options = kGumboDefaultOptions;
    options.allocator = learn_html_alloc;
    options.deallocator = learn_html_free;
    options.userdata = arena;
    options.max_errors = 0;

    return gumbo_parse_with_options(&options, data, len);
}


static void *
learn_html_alloc(void *data, size_t size)
{
    return learn_arena_alloc(data, size);
}


static void
learn_html_free(void *data, void *p)
{
    (void) data;
    (void) p;
}
