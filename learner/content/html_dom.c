
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <string.h>
#include <strings.h>

#include <xxhash.h>

#include "html.h"


/* between the parts of what is hashed */

#define LEARN_DOM_BEGIN  "\001"
#define LEARN_DOM_END    "\002"
#define LEARN_DOM_ATTR   "\003"
#define LEARN_DOM_TEXT   "\004"


static void  learn_dom_element(XXH3_state_t *state, const GumboNode *node);
static void  learn_dom_attrs(XXH3_state_t *state, const GumboNode *node);
static int  learn_dom_differs(const GumboNode *node, const char *name);
static void  learn_dom_text(XXH3_state_t *state, const char *text);
static int  learn_dom_skip(const GumboNode *node);


#define learn_dom_add(state, text)                                            \
    XXH3_64bits_update(state, text, strlen(text))


uint64_t
learn_html_dom(const GumboNode *root)
{
    learn_walk_t  walk;
    XXH3_state_t  state;

    (void) XXH3_64bits_reset(&state);

    learn_walk_init(&walk, root);

    while (learn_walk_next(&walk)) {

        if (walk.leave) {
            (void) learn_dom_add(&state, LEARN_DOM_END);
            continue;
        }

        switch (walk.node->type) {

        case GUMBO_NODE_ELEMENT:
        case GUMBO_NODE_TEMPLATE:
            if (learn_dom_skip(walk.node)) {
                learn_walk_skip(&walk);

            } else {
                learn_dom_element(&state, walk.node);
            }

            break;

        case GUMBO_NODE_TEXT:
        case GUMBO_NODE_CDATA:
            learn_dom_text(&state, walk.node->v.text.text);
            break;

        default:
            break;
        }
    }

    return XXH3_64bits_digest(&state);
}


static int
learn_dom_skip(const GumboNode *node)
{
    const char  *name;

    switch (node->v.element.tag) {

    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_NOSCRIPT:
    case GUMBO_TAG_TEMPLATE:
        return 1;

    case GUMBO_TAG_META:
        name = learn_html_attr(node, "name");
        return name != NULL && strstr(name, "csrf") != NULL;

    default:
        return 0;
    }
}


static void
learn_dom_element(XXH3_state_t *state, const GumboNode *node)
{
    const char        *name;
    GumboStringPiece   piece;

    (void) learn_dom_add(state, LEARN_DOM_BEGIN);

    if (node->v.element.tag != GUMBO_TAG_UNKNOWN) {
        name = gumbo_normalized_tagname(node->v.element.tag);
        (void) learn_dom_add(state, name);

    } else {
        piece = node->v.element.original_tag;
        gumbo_tag_from_original_text(&piece);
        (void) XXH3_64bits_update(state, piece.data, piece.length);
    }

    learn_dom_attrs(state, node);
}


/* in any order: their hashes are added up */

static void
learn_dom_attrs(XXH3_state_t *state, const GumboNode *node)
{
    size_t                 i;
    uint64_t               sum, one;
    const GumboVector     *attrs;
    const GumboAttribute  *attr;

    sum = 0;
    attrs = &node->v.element.attributes;

    for (i = 0; i < attrs->length; i++) {
        attr = attrs->data[i];

        if (learn_dom_differs(node, attr->name)) {
            continue;
        }

        one = XXH3_64bits(attr->name, strlen(attr->name));
        sum += XXH3_64bits_withSeed(attr->value, strlen(attr->value), one);
    }

    if (sum != 0) {
        (void) learn_dom_add(state, LEARN_DOM_ATTR);
        (void) XXH3_64bits_update(state, &sum, sizeof(sum));
    }
}


/* attributes that are made anew for each page, or say nothing of it */

static int
learn_dom_differs(const GumboNode *node, const char *name)
{
    const char  *type;

    if (strcmp(name, "nonce") == 0 || strcmp(name, "integrity") == 0
        || strcmp(name, "style") == 0 || strncmp(name, "data-", 5) == 0
        || strncmp(name, "on", 2) == 0)
    {
        return 1;
    }

    if (strcmp(name, "value") == 0
        && node->v.element.tag == GUMBO_TAG_INPUT)
    {
        type = learn_html_attr(node, "type");
        return type != NULL && strcasecmp(type, "hidden") == 0;
    }

    return 0;
}


/* spaces between words are one */

static void
learn_dom_text(XXH3_state_t *state, const char *text)
{
    size_t  len;

    (void) learn_dom_add(state, LEARN_DOM_TEXT);

    for ( ;; ) {
        text += strspn(text, " \t\r\n\f");
        len = strcspn(text, " \t\r\n\f");

        if (len == 0) {
            return;
        }

        (void) XXH3_64bits_update(state, text, len);
        (void) XXH3_64bits_update(state, " ", 1);
        text += len;
    }
}
