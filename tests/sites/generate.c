
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "site.h"


/*
 * Prints the URLs of a site:
 *
 *     generate [--seed N] [--site N] [--scale N | --urls N] [--others]
 *              [--wrong SHARE | --shingles N] [--forms | --serve]
 *              [--knob NAME=VALUE...]
 *
 * one a line, with the name of its cluster, that of its page, and the
 * operations that made it.  Clusters are pages; or a share of them is wrong,
 * merged or split; or they are what N functions of shingles take for the same.
 * With --others, sites duplicate in ways that nothing was tuned with.  With
 * --forms, what is printed is each URL and what is left of it if all is undone.
 * With --serve nothing is printed of the site; for each URL on standard input,
 * also one that was never made, there is a line: what is left of it if the site
 * has such a page, or "-".
 */

typedef struct {
    uint64_t         seed;
    uint32_t         number;
    uint32_t         scale;
    uint32_t         urls;         /* 0: as many as the site has */
    unsigned         shingles;     /* 0: labels are not made of text */
    int              others;
    int              forms;
    int              serve;
    double           wrong;
    site_knobs_t     knobs;
} generate_options_t;


typedef struct {
    uint64_t        *table;
    size_t           mask;
    size_t           n;
} generate_seen_t;


/* variants of a page that others are made from */

#define GENERATE_VARIANTS  64


typedef struct {
    site_t           site;
    dice_t           dice;
    generate_seen_t  pages;
    generate_seen_t  urls;
    site_variant_t   variants[GENERATE_VARIANTS];
    site_page_t      items[SITE_ITEMS * SITE_MAX_KINDS];
    uint32_t         printed;
    uint32_t         npages;
    unsigned         shingles;
    int              forms;
    int              serve;
    double           wrong;
} generate_t;


/*
 * Found by trying, with the methods that were published and nothing else, until
 * they came out as published, with the seed 1 and all sites as large as they
 * are.  They are frozen: tests/cli/rules.sh knows the sites by their checksum.
 */

static const site_knobs_t  generate_knobs = {
    .complete = 0.021, .noise_low = 0.56, .noise_high = 0.736,
    .shape_low = 0.326, .shape_high = 0.478, .spread = 1, .traps = 0.3,
    .keys = 0.3, .directories = 0.037, .paged = 0.219, .in_path = 1,
    .html = 0.191, .trackers = 0.934, .each = 0.008, .items = 0.238,
    .local = 1
};


static int
generate_seen(generate_seen_t *seen, uint64_t hash)
{
    size_t     i, j;
    uint64_t  *table;

    if (seen->n >= seen->mask / 2) {
        table = calloc(4 * (seen->mask + 1), sizeof(uint64_t));

        if (table == NULL) {
            (void) fputs("generate: out of memory\n", stderr);
            exit(1);
        }

        for (i = 0; seen->table != NULL && i <= seen->mask; i++) {
            if (seen->table[i] != 0) {
                j = seen->table[i] & (4 * seen->mask + 3);

                while (table[j] != 0) {
                    j = (j + 1) & (4 * seen->mask + 3);
                }

                table[j] = seen->table[i];
            }
        }

        free(seen->table);

        seen->table = table;
        seen->mask = 4 * seen->mask + 3;
    }

    hash = (hash != 0) ? hash : 1;
    i = hash & seen->mask;

    while (seen->table[i] != 0) {
        if (seen->table[i] == hash) {
            return 1;
        }

        i = (i + 1) & seen->mask;
    }

    seen->table[i] = hash;
    seen->n++;

    return 0;
}


static uint64_t
generate_hash(const char *text, size_t len)
{
    size_t    i;
    uint64_t  hash;

    hash = UINT64_C(0xcbf29ce484222325);

    for (i = 0; i < len; i++) {
        hash = (hash ^ (uint8_t) text[i]) * UINT64_C(0x100000001b3);
    }

    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);

    return hash ^ hash >> 29;
}


static void
generate_print(const char *url, const site_variant_t *variant,
    uint64_t cluster, uint32_t part, uint32_t page)
{
    size_t       i;
    const char  *comma;

    (void) printf("%s\t%llu", url, (unsigned long long) cluster);

    if (part > 0) {
        (void) printf("-%u", part);
    }

    (void) printf("\t%u\t", page);

    comma = "";

    for (i = 0; i < SITE_OPERATIONS; i++) {
        if (variant->applied >> i & 1) {
            (void) printf("%s%s", comma, site_operation((site_operation_e) i));
            comma = ",";
        }
    }

    (void) putchar('\n');
}


static void
generate_form(const generate_t *g, const site_page_t *page,
    const site_variant_t *variant, const char *url)
{
    char            form[SITE_MAX_URL];
    site_variant_t  bare;

    bare = *variant;
    bare.applied = 0;

    (void) site_url(&g->site, page, &bare, form);
    (void) printf("%s\t%s\n", url, form);
}


static void
generate_line(generate_t *g, const site_page_t *page,
    const site_variant_t *variant, const char *url, uint64_t cluster,
    int split)
{
    uint32_t  part;

    part = split ? 1 + (uint32_t) dice_below(&g->dice, 2) : 0;

    if (g->serve) {
        return;
    }

    if (g->forms) {
        generate_form(g, page, variant, url);

    } else {
        generate_print(url, variant, cluster, part, g->npages);
    }
}


/*
 * A page that was not there.  What is left of its URLs if all is undone is not
 * another page's: nothing could tell the two.
 */

static void
generate_new(generate_t *g, site_page_t *page)
{
    char            url[SITE_MAX_URL];
    size_t          len;
    site_variant_t  bare;

    memset(&bare, 0, sizeof(site_variant_t));

    do {
        site_page(&g->site, &g->dice, page, g->items);
        len = site_url(&g->site, page, &bare, url);
    } while (generate_seen(&g->pages, generate_hash(url, len)));
}


/* all URLs of a page, or as many as can be made */

static void
generate_page(generate_t *g)
{
    int              split;
    char             url[SITE_MAX_URL], first[SITE_MAX_URL];
    size_t           len, n;
    uint32_t         k, made, tries, id;
    uint64_t         cluster;
    double           what;
    site_page_t      page;
    site_variant_t   variant;

    generate_new(g, &page);

    k = site_cluster(&g->site, &g->dice);
    id = g->npages;
    cluster = (g->shingles > 0) ? site_shingles(&g->site, &page, g->shingles)
                                : id;
    what = site_chance(&g->dice);
    split = (what < g->wrong / 2);

    if (!split && what < g->wrong && id > 0) {
        cluster = dice_below(&g->dice, id);
    }

    made = 0;
    tries = 0;

    while (made < k && tries < 20 + 4 * k) {
        tries++;

        if (made == 0
            || site_chance(&g->dice) >= g->site.knobs.complete)
        {
            site_first(&g->site, &g->dice, &page, &variant);

        } else {
            n = (made < GENERATE_VARIANTS) ? made : GENERATE_VARIANTS;
            variant = g->variants[dice_below(&g->dice, n)];
            site_vary(&g->site, &g->dice, &page, &variant);
        }

        len = site_url(&g->site, &page, &variant, url);

        if (generate_seen(&g->urls, generate_hash(url, len))) {
            site_more(&g->site, &g->dice, &page, &variant);
            len = site_url(&g->site, &page, &variant, url);

            if (generate_seen(&g->urls, generate_hash(url, len))) {
                continue;
            }
        }

        if (made < GENERATE_VARIANTS) {
            g->variants[made] = variant;
        }

        /* a page with one URL is no duplicate, and is not printed */

        if (made == 1) {
            generate_line(g, &page, &g->variants[0], first, cluster, split);
        }

        if (made > 0) {
            generate_line(g, &page, &variant, url, cluster, split);

        } else {
            memcpy(first, url, len + 1);
        }

        made++;
    }

    if (made > 1) {
        g->printed += made;
        g->npages++;
    }
}


static int
generate_known(const generate_t *g, uint64_t hash)
{
    size_t  i;

    hash = (hash != 0) ? hash : 1;

    for (i = hash & g->pages.mask; g->pages.table[i] != 0;
         i = (i + 1) & g->pages.mask)
    {
        if (g->pages.table[i] == hash) {
            return 1;
        }
    }

    return 0;
}


static void
generate_serve(const generate_t *g)
{
    int          moved;
    char         url[2 * SITE_MAX_URL], page[SITE_MAX_URL];
    size_t       kind;
    const char  *found;

    while (fgets(url, sizeof(url), stdin) != NULL) {
        url[strcspn(url, "\n")] = '\0';
        found = "-";

        for (kind = 0; kind < g->site.nkinds && *found == '-'; kind++) {
            for (moved = 0; moved < 2 && *found == '-'; moved++) {
                if (site_read(&g->site, url, kind, moved, page)
                    && generate_known(g, generate_hash(page, strlen(page))))
                {
                    found = page;
                }
            }
        }

        (void) puts(found);
        (void) fflush(stdout);
    }
}


static int
generate_options(int argc, char **argv, generate_options_t *options)
{
    int      c;
    char    *end;
    size_t   i;

    static const struct option  names[] = {
        { "seed",    required_argument, NULL, 's' },
        { "site",    required_argument, NULL, 'n' },
        { "scale",   required_argument, NULL, 'd' },
        { "wrong",   required_argument, NULL, 'w' },
        { "urls",    required_argument, NULL, 'u' },
        { "shingles", required_argument, NULL, 'h' },
        { "others",  no_argument,       NULL, 'o' },
        { "forms",   no_argument,       NULL, 'f' },
        { "serve",   no_argument,       NULL, 'S' },
        { "knob",    required_argument, NULL, 'k' },
        { NULL,      0,                 NULL, 0 }
    };

    static const char  *knobs[] = {
        "complete=", "noise-low=", "noise-high=", "shape-low=",
        "shape-high=", "spread=", "traps=", "keys=", "directories=", "paged=",
        "in-path=", "html=", "trackers=", "items=", "local=", "each="
    };

    double *const  knob[] = {
        &options->knobs.complete,
        &options->knobs.noise_low, &options->knobs.noise_high,
        &options->knobs.shape_low, &options->knobs.shape_high,
        &options->knobs.spread, &options->knobs.traps, &options->knobs.keys,
        &options->knobs.directories, &options->knobs.paged,
        &options->knobs.in_path, &options->knobs.html,
        &options->knobs.trackers, &options->knobs.items,
        &options->knobs.local, &options->knobs.each
    };

    while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (c) {

        case 's':
            options->seed = strtoull(optarg, &end, 10);
            break;

        case 'n':
            options->number = (uint32_t) strtoul(optarg, &end, 10);
            break;

        case 'd':
            options->scale = (uint32_t) strtoul(optarg, &end, 10);
            break;

        case 'w':
            options->wrong = strtod(optarg, &end);
            break;

        case 'u':
            options->urls = (uint32_t) strtoul(optarg, &end, 10);
            break;

        case 'h':
            options->shingles = (unsigned) strtoul(optarg, &end, 10);
            break;

        case 'o':
            options->others = 1;
            break;

        case 'f':
            options->forms = 1;
            break;

        case 'S':
            options->serve = 1;
            break;

        case 'k':
            for (i = 0; i < sizeof(knobs) / sizeof(knobs[0]); i++) {
                if (strncmp(optarg, knobs[i], strlen(knobs[i])) == 0) {
                    *knob[i] = strtod(optarg + strlen(knobs[i]), &end);
                    break;
                }
            }

            break;

        default:
            return 0;
        }
    }

    return optind == argc && options->scale > 0;
}


int
main(int argc, char **argv)
{
    static generate_t   g;
    generate_options_t  options = { 1, 0, 1, 0, 0, 0, 0, 0, 0, generate_knobs };

    if (!generate_options(argc, argv, &options)) {
        (void) fputs("usage: generate [--seed N] [--site N] [--scale N] "
                     "[--urls N] [--others] [--wrong SHARE] [--shingles N] "
                     "[--forms] [--serve] [--knob NAME=VALUE]\n",
                     stderr);
        return 2;
    }

    site_init(&g.site, options.seed, options.number, options.scale,
              options.others, &options.knobs);
    dice_init(&g.dice, options.seed + 1, options.number);

    g.wrong = options.wrong;
    g.shingles = options.shingles;
    g.forms = options.forms;
    g.serve = options.serve;

    if (options.urls > 0) {
        g.site.urls = options.urls;
    }

    while (g.printed < g.site.urls) {
        generate_page(&g);
    }

    if (g.serve) {
        generate_serve(&g);
    }

    free(g.pages.table);
    free(g.urls.table);

    return (fflush(stdout) == 0 && !ferror(stdout)) ? 0 : 1;
}
