
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "miqps_rules_position.h"


static size_t  miqps_position_ordinal(const cJSON *root, const cJSON *item);
static const char  *miqps_position_string(const char *p, const char *last);


size_t
miqps_position_of(const char *text, size_t len, const cJSON *root,
    const cJSON *item, int key)
{
    size_t       left;
    const char  *p, *last, *start, *name;

    left = miqps_position_ordinal(root, item);

    last = text + len;
    name = text;

    for (p = text; p < last; /* void */ ) {

        if (strchr(" \t\r\n,:]}", *p) != NULL) {
            p++;
            continue;
        }

        start = p;

        if (*p == '"') {
            p = miqps_position_string(p, last);

            while (p < last && strchr(" \t\r\n", *p) != NULL) {
                p++;
            }

            if (p < last && *p == ':') {
                name = start;
                continue;
            }

        } else if (*p == '{' || *p == '[') {
            p++;

        } else {
            while (p < last && strchr(" \t\r\n,]}", *p) == NULL) {
                p++;
            }
        }

        if (left-- == 0) {
            return (size_t) ((key ? name : start) - text);
        }
    }

    return 0;
}


void
miqps_position_line(const char *text, size_t len, size_t offset, size_t *line,
    size_t *column)
{
    size_t       i, start;

    *line = 1;
    start = 0;

    for (i = 0; i < offset && i < len; i++) {
        if (text[i] == '\n') {
            (*line)++;
            start = i + 1;
        }
    }

    *column = i - start + 1;
}


/* how many values of the tree come before "item" */

static size_t
miqps_position_ordinal(const cJSON *root, const cJSON *item)
{
    size_t        n, depth;
    const cJSON  *node, *stack[CJSON_NESTING_LIMIT + 1];

    n = 0;
    depth = 0;
    node = root;

    while (node != item) {
        n++;

        if (node->child != NULL && depth < CJSON_NESTING_LIMIT) {
            stack[depth++] = node;
            node = node->child;
            continue;
        }

        while (node->next == NULL && depth > 0) {
            node = stack[--depth];
        }

        if (depth == 0) {
            break;
        }

        node = node->next;
    }

    return n;
}


/* what follows the string that begins at "p" */

static const char *
miqps_position_string(const char *p, const char *last)
{
    for (p++; p < last && *p != '"'; p++) {
        if (*p == '\\') {
            p++;
        }
    }

    return (p < last) ? p + 1 : last;
}
