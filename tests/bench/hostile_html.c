
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/html.h"


/*
 * Hostile pages, each once and once of twice the size, as hostile.c has it for
 * queries.  They are made of a beginning, something again and again, and an
 * end; "changed" is how many links of it change, or EACH.
 */

#define EACH       ((size_t) -1)
#define MEGABYTE   (1024 * 1024)
#define CHUNK      4096
#define LINK       "<a href='/p?u=1'>"


typedef struct {
    const char  *name;
    size_t       size;
    const char  *begin;
    const char  *again;
    const char  *end;
    size_t       changed;
} hostile_page_t;


/* callgrind has to see the calls */

void hostile_run(html_t *h, const uint8_t *data, size_t len, size_t chunk)
    __attribute__ ((noinline));


static const hostile_page_t  hostile_pages[] = {
    { "links", 65536, "", LINK, "", EACH },
    { "links without an end", 65536, "", "<a href='/p?u=1", "", 0 },
    { "a link of a megabyte", MEGABYTE, "<a href='/p?u=1&a=", "x", "'>" LINK,
      1 },
    { "an attribute of a megabyte", MEGABYTE, "<p title=\"", "<a href='/p'>",
      "\">" LINK, 1 },
    { "an attribute without an end", MEGABYTE, "<p title=\"", LINK, "", 0 },
    { "a srcset of a megabyte", MEGABYTE, "<img srcset='", "/p?u=1 1x, ",
      "'>" LINK, 1 },
    { "sets of candidates", 65536, "",
      "<img srcset='/a?u=1 1x,/b?b=1 2x,,,,,,,,, ,,'>", "", EACH },
    { "commas in sets", 65536, "", "<img srcset=',,,,,,,,,,,,,,?'>", "", 0 },
    { "references", 65536, "", "<a href='/p?a&amp;&amp;&amp;&#38;&amp;b'>",
      "", 0 },
    { "ampersands", 65536, "", "<a href='/p?&&&&&&&&&&&&&&&&&&&&&&&&&&'>", "",
      0 },
    { "a tag without an end", 65536, "<a ", "href='/p?u=1' ", "", 1 },
    { "tags without an end", 65536, "", "<a ", "", 0 },
    { "quotes in quotes", 65536, "", "<a href='\"'\"'", "", 0 },
    { "quotes that are names", 65536, "<a ", "'\"", ">" LINK, 1 },
    { "angle brackets", 65536, "", "<", LINK, 1 },
    { "end tags without an end", 65536, "", "</", LINK, 0 },
    { "one name", 65536, "<", "a", ">" LINK, 1 },
    { "one name of an attribute", 65536, "<a ", "href", "='/p?u=1'>" LINK, 1 },
    { "equals signs", 65536, "<a ", "=", ">" LINK, 1 },
    { "dashes", 65536, "<!--", "-", "x-->" LINK, 1 },
    { "comments without an end", 65536, "", "<!--", LINK, 0 },
    { "bangs", 65536, "<!--", "--!", LINK, 0 },
    { "scripts in scripts", 65536, "<script><!--", "<script></script>",
      "--></script>" LINK, 1 },
    { "ends of no script", 65536, "<script>", "</scrip", "</script>" LINK, 1 },
    { "titles", 65536, "", "<title></title>", LINK, 1 },
    { "forms", 65536, "", "<form action='/p?u=1' method=get>", "", EACH },
    { "a form of a megabyte", MEGABYTE, "<form action='/p?u=1' ",
      "method=get ", ">" LINK, 1 },
    { "metas", 65536, "", "<meta content='0;url=/p?u=1' http-equiv=refresh>",
      "", EACH },
    { "templates", 65536, "", "<template>", LINK, 0 },
    { "SVG in SVG", 65536, "", "<svg>", LINK, 1 },
    { "SVG and its end", 65536, "", "<svg></svg>", LINK, 1 },
    { "end tags in SVG", 65536, "<svg>", "</g>", LINK, 1 },
    { "CDATA", 65536, "<svg>", "<![CDATA[]]>", LINK, 1 },
    { "brackets in CDATA", 65536, "<svg><![CDATA[", "]", LINK, 0 },
    { "bases", 65536, "", "<base href='/'>", LINK, 1 },
    { "bytes that are no UTF-8", 65536, "x", "\377\376\300\200", LINK, 1 },
    { "noscripts", 65536, "", "<noscript></noscript>", LINK, 1 }
};


void
hostile_run(html_t *h, const uint8_t *data, size_t len, size_t chunk)
{
    size_t  n;

    for ( /* void */ ; len > 0; data += n, len -= n) {
        n = (chunk < len) ? chunk : len;
        html_feed(h, data, n);
    }

    html_finish(h);
}


/* what comes of it: as many links as there have to be */

static int
hostile_page(const hostile_page_t *page, size_t size)
{
    size_t    n, len, begin, again, end, wanted;
    html_t    h;
    uint8_t  *text;

    begin = strlen(page->begin);
    again = strlen(page->again);
    end = strlen(page->end);

    text = malloc(begin + size + end);

    if (text == NULL) {
        return 0;
    }

    memcpy(text, page->begin, begin);
    len = begin;

    for (n = 0; (n + 1) * again <= size; n++) {
        memcpy(text + len, page->again, again);
        len += again;
    }

    memcpy(text + len, page->end, end);
    len += end;

    html_init(&h, len);
    hostile_run(&h, text, len, CHUNK);

    wanted = (page->changed == EACH) ? n : page->changed;

    if (h.changed != wanted) {
        (void) fprintf(stderr, "hostile: %s: %zu links change, not %zu\n",
                       page->name, h.changed, wanted);
    }

    html_release(&h);
    free(text);

    return h.changed == wanted;
}


int
main(void)
{
    size_t                 i;
    const hostile_page_t  *page;

    for (i = 0; i < sizeof(hostile_pages) / sizeof(hostile_pages[0]); i++) {
        page = &hostile_pages[i];

        if (!hostile_page(page, page->size)
            || !hostile_page(page, 2 * page->size))
        {
            return 1;
        }

        (void) printf("%s\n", page->name);
    }

    return 0;
}
