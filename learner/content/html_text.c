
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>
#include <strings.h>

#include "html.h"


typedef struct {
    learn_arena_t    *arena;
    char             *text;
    size_t            len;
    size_t            room;
    unsigned          failed:1;
} learn_text_t;


static void  learn_text_element(learn_text_t *to, const GumboNode *node);
static void  learn_text_attr(learn_text_t *to, const GumboNode *node,
    const char *name);
static void  learn_text_words(learn_text_t *to, const char *text);
static void  learn_text_put(learn_text_t *to, const char *data, size_t len);


char *
learn_html_text(const GumboNode *root, learn_arena_t *arena, size_t *len)
{
    learn_text_t  to;
    learn_walk_t  walk;

    memset(&to, 0, sizeof(learn_text_t));

    to.arena = arena;
    learn_text_put(&to, "", 0);

    learn_walk_init(&walk, root);

    while (learn_walk_next(&walk) && !to.failed) {

        if (walk.leave) {
            continue;
        }

        switch (walk.node->type) {

        case GUMBO_NODE_ELEMENT:
        case GUMBO_NODE_TEMPLATE:
            if (learn_html_hidden(walk.node)) {
                learn_walk_skip(&walk);

            } else {
                learn_text_element(&to, walk.node);
            }

            break;

        case GUMBO_NODE_TEXT:
        case GUMBO_NODE_CDATA:
            learn_text_words(&to, walk.node->v.text.text);
            break;

        default:
            break;
        }
    }

    *len = to.len;

    return to.failed ? NULL : to.text;
}


/* what is seen of an element beside the text in it */

static void
learn_text_element(learn_text_t *to, const GumboNode *node)
{
    switch (node->v.element.tag) {

    case GUMBO_TAG_IMG:
    case GUMBO_TAG_VIDEO:
    case GUMBO_TAG_SOURCE:
    case GUMBO_TAG_EMBED:
    case GUMBO_TAG_IFRAME:
        learn_text_attr(to, node, "src");
        learn_text_attr(to, node, "srcset");
        learn_text_attr(to, node, "poster");
        learn_text_attr(to, node, "alt");
        break;

    case GUMBO_TAG_INPUT:
        learn_text_attr(to, node, "value");
        learn_text_attr(to, node, "placeholder");
        learn_text_attr(to, node, "checked");
        break;

    case GUMBO_TAG_TEXTAREA:
        learn_text_attr(to, node, "placeholder");
        break;

    case GUMBO_TAG_OPTION:
        learn_text_attr(to, node, "selected");
        break;

    case GUMBO_TAG_HTML:
        learn_text_attr(to, node, "lang");
        learn_text_attr(to, node, "dir");
        break;

    default:
        break;
    }
}


static void
learn_text_attr(learn_text_t *to, const GumboNode *node, const char *name)
{
    const char  *value;

    value = learn_html_attr(node, name);

    if (value != NULL) {
        learn_text_put(to, name, strlen(name));
        learn_text_put(to, "=", 1);
        learn_text_words(to, value);
        learn_text_put(to, " ", 1);
    }
}


static void
learn_text_words(learn_text_t *to, const char *text)
{
    size_t  len;

    for ( ;; ) {
        text += strspn(text, " \t\r\n\f");
        len = strcspn(text, " \t\r\n\f");

        if (len == 0) {
            return;
        }

        learn_text_put(to, text, len);
        learn_text_put(to, " ", 1);
        text += len;
    }
}


static void
learn_text_put(learn_text_t *to, const char *data, size_t len)
{
    char    *text;
    size_t   room;

    if (to->text == NULL || to->room - to->len < len) {
        room = 2 * (to->len + len) + 4096;
        text = learn_arena_alloc(to->arena, room);

        if (text == NULL) {
            to->failed = 1;
            return;
        }

        if (to->len > 0) {
            memcpy(text, to->text, to->len);
        }

        to->text = text;
        to->room = room;
    }

    memcpy(to->text + to->len, data, len);
    to->len += len;
}
