
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gumbo.h>

#include "../support/dice.h"
#include "../support/html.h"


/*
 * Pages in chunks, which the first two bytes of the input are a seed of.  What
 * comes out is the same however they are cut; where no link changes it is what
 * went in; done once more it changes nothing.  Some pages, with what came of
 * them, are read by an HTML5 parser too, which must see two trees that differ
 * in links only.
 */

#define MAX_LEN  (64 * 1024)
#define TREE_LEN 1024


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static html_t  whole, parts, again;


static size_t
chunk(dice_t *dice, size_t left)
{
    size_t  n;

    switch (dice_below(dice, 4)) {
    case 0:
        n = 1;
        break;
    case 1:
        n = 1 + dice_below(dice, 8);
        break;
    default:
        n = 1 + dice_below(dice, 2 * MIQPS_HTML_HOLD);
        break;
    }

    return (n < left) ? n : left;
}


/* between chunks: one without bytes, or a call for what is left */

static void
read_nothing(dice_t *dice)
{
    static const uint8_t  none;

    switch (dice_below(dice, 4)) {
    case 0:
        html_feed(&parts, &none, 0);
        break;
    case 1:
        html_pieces(&parts);
        break;
    default:
        break;
    }
}


/* each chunk in memory of its own, so that what lies around it is not read */

static void
read_parts(const uint8_t *data, size_t size, uint64_t seed)
{
    size_t    n;
    dice_t    dice;
    uint8_t  *copy;

    dice_init(&dice, seed, 0);

    for ( /* void */ ; size > 0; data += n, size -= n) {
        n = chunk(&dice, size);

        copy = malloc(n);
        require(copy != NULL);

        memcpy(copy, data, n);
        html_feed(&parts, copy, n);
        free(copy);

        read_nothing(&dice);
    }

    html_finish(&parts);
}


static int
is_link(const char *name)
{
    return strcmp(name, "href") == 0 || strcmp(name, "src") == 0
           || strcmp(name, "srcset") == 0 || strcmp(name, "imagesrcset") == 0
           || strcmp(name, "action") == 0
           || strcmp(name, "content") == 0;
}


static void
same_attributes(const GumboVector *one, const GumboVector *two)
{
    unsigned               i;
    const GumboAttribute  *a, *b;

    require(one->length == two->length);

    for (i = 0; i < one->length; i++) {
        a = one->data[i];
        b = two->data[i];

        require(strcmp(a->name, b->name) == 0);
        require(is_link(a->name) || strcmp(a->value, b->value) == 0);
    }
}


/* as deep as a page of TREE_LEN bytes can be */

static void
same_tree(const GumboNode *one, const GumboNode *two)
{
    unsigned            i;
    const GumboVector  *a, *b;

    require(one->type == two->type);

    switch (one->type) {

    case GUMBO_NODE_DOCUMENT:
        a = &one->v.document.children;
        b = &two->v.document.children;
        break;

    case GUMBO_NODE_ELEMENT:
    case GUMBO_NODE_TEMPLATE:
        require(one->v.element.tag == two->v.element.tag);
        require(one->v.element.tag_namespace == two->v.element.tag_namespace);
        same_attributes(&one->v.element.attributes,
                        &two->v.element.attributes);
        a = &one->v.element.children;
        b = &two->v.element.children;
        break;

    default:
        require(strcmp(one->v.text.text, two->v.text.text) == 0);
        return;
    }

    require(a->length == b->length);

    for (i = 0; i < a->length; i++) {
        same_tree(a->data[i], b->data[i]);
    }
}


/*
 * That parser takes "<![CDATA[" for text where browsers have a comment, after
 * elements of unknown names; and in SVG it does not see the end of an element
 * where there is more than the name in the tag, or behind a tag that has none.
 * tests/e2e/html.sh has such pages read by a browser.
 */

static int
is_beyond(const uint8_t *data, size_t size)
{
    size_t  i, k;

    for (i = 0; i + 2 < size; i++) {

        if (size - i >= 7 && memcmp(data + i, "[CDATA[", 7) == 0) {
            return 1;
        }

        if (data[i] != '<' || data[i + 1] != '/') {
            continue;
        }

        for (k = i + 2; k < size && isalnum(data[k]); k++) { /* void */ }

        if (k == i + 2 || (k < size && data[k] != '>')) {
            return 1;
        }
    }

    return 0;
}


static void
read_trees(const uint8_t *data, size_t size)
{
    GumboOutput  *one, *two;

    one = gumbo_parse_with_options(&kGumboDefaultOptions, (const char *) data,
                                   size);
    two = gumbo_parse_with_options(&kGumboDefaultOptions,
                                   (const char *) whole.out, whole.len);

    same_tree(one->document, two->document);

    gumbo_destroy_output(&kGumboDefaultOptions, one);
    gumbo_destroy_output(&kGumboDefaultOptions, two);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t  seed;

    if (size < 2 || size > MAX_LEN) {
        return 0;
    }

    seed = data[0] | (uint64_t) data[1] << 8;
    data += 2;
    size -= 2;

    html_init(&whole, miqps_html_bound(size));
    html_init(&parts, miqps_html_bound(size));
    html_init(&again, miqps_html_bound(miqps_html_bound(size)));

    html_feed(&whole, data, size);
    html_finish(&whole);

    read_parts(data, size, seed);
    require(parts.len == whole.len);
    require(memcmp(parts.out, whole.out, parts.len) == 0);
    require(parts.links == whole.links && parts.bases == whole.bases);
    require(parts.canonical == whole.canonical);

    if (whole.changed == 0) {
        require(whole.len == size && memcmp(whole.out, data, size) == 0);

    } else {
        html_feed(&again, whole.out, whole.len);
        html_finish(&again);
        require(again.changed == 0 && again.links <= whole.links);
        require(again.len == whole.len);

        if (seed % 8 == 0 && size < TREE_LEN && !is_beyond(data, size)
            && memchr(data, '\0', size) == NULL)
        {
            read_trees(data, size);
        }
    }

    html_release(&whole);
    html_release(&parts);
    html_release(&again);

    return 0;
}
