
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include <stdlib.h>

#include "site/deployed.h"
#include "site/site.h"


/*
 * Pages of a site, from patterns of URLs, those of a kind between spaces:
 *
 *     %p  the number of the page    %s  what looks like a session
 *     %w  a word for the page       %d  one of three words, of the page
 *     %n  a small number            %o  an id that the page had before
 *     %t  one of three numbers, for each of these words
 */

#define PAGES   40
#define VISITS  13


typedef struct {
    const char  *sentence;
    const char  *kinds[4];
    const char  *url;
    const char  *want;
} site_case_t;


typedef struct {
    learn_site_t      site;
    char             *text;
    size_t            len;
    uint32_t          nrules;
    learn_deployed_t  map;
} learned_t;


static const char *const  words[] = { "red", "green", "blue" };


static const site_case_t  learned_cases[] = {

    /* what goes */

    { "lets a session go",
      { "a.example/p/%p?sid=%s a.example/p/%p?sid=%s a.example/p/%p" },
      "a.example/p/7?sid=00000000deadbeef", "a.example/p/7" },

    { "lets two names go that are always there together",
      { "a.example/p/%p?sid=%s&from=%s a.example/p/%p?from=%s&sid=%s"
        " a.example/p/%p" },
      "a.example/p/7?from=00c0ffee&sid=0badcafe", "a.example/p/7" },

    { "lets a value go that goes without saying, and no other",
      { "a.example/l/%p a.example/l/%p?page=1",
        "a.example/l/%p?page=2&u=%s a.example/l/%p?page=2&u=%s"
        " a.example/l/%p?page=2",
        "a.example/l/%p?page=3&u=%s a.example/l/%p?page=3" },
      "a.example/l/7?page=1", "a.example/l/7" },

    { "and where pages say it in all of their URLs it stays",
      { "a.example/l/%p a.example/l/%p?v=a",
        "a.example/l/%p?v=b&u=%s a.example/l/%p?v=b",
        "a.example/k/%p?v=a&u=%s a.example/k/%p?v=a" },
      "a.example/k/7?v=a", "a.example/k/7?v=a" },

    { "takes a mirror for what it mirrors",
      { "www.a.example/p/%p www.a.example/p/%p?u=%s m1.a.example/p/%p" },
      "m1.a.example/p/7", "www.a.example/p/7" },

    { "takes a file for its folder",
      { "a.example/p/%p/index.html a.example/p/%p a.example/p/%p?u=%s" },
      "a.example/p/77/index.html", "a.example/p/77" },

    { "lets a slash at the end go",
      { "a.example/p/%p/ a.example/p/%p a.example/p/%p?u=%s" },
      "a.example/p/77/", "a.example/p/77" },

    { "lets a session in front go",
      { "a.example/s/%s/p/%p a.example/s/%s/p/%p a.example/p/%p" },
      "a.example/s/00000000deadbeef/p/7", "a.example/p/7" },

    { "lets numbered folders go",
      { "a.example/old1/p/%p a.example/old2/p/%p a.example/p/%p" },
      "a.example/old3/p/7", "a.example/p/7" },

    { "takes no id for words beside one where a folder in front goes",
      { "a.example/p/%p/%w-%n a.example/p/%p a.example/p/%p?u=%s",
        "a.example/r/%p/%w-%n a.example/r/%p a.example/r/%p?u=%s",
        "a.example/old1/q/%p a.example/old2/q/%p a.example/q/%p" },
      "a.example/old3/q/777", "a.example/q/777" },

    { "lets a folder for another view go",
      { "a.example/amp/p/%p a.example/p/%p?u=%s a.example/p/%p" },
      "a.example/amp/p/7", "a.example/p/7" },

    { "knows another name of a folder",
      { "a.example/katalog/%p a.example/catalog/%p a.example/catalog/%p?u=%s" },
      "a.example/katalog/777", "a.example/catalog/777" },

    { "knows another ending",
      { "a.example/p/%p.htm a.example/p/%p.html a.example/p/%p.html?u=%s" },
      "a.example/p/777.htm", "a.example/p/777.html" },

    { "knows an id in the query from the one in the path",
      { "a.example/show?id=%p a.example/show/%p a.example/show/%p?u=%s" },
      "a.example/show?id=777", "a.example/show/777" },

    { "knows a name in other letters",
      { "a.example/p?id=%p a.example/p?Id=%p a.example/p?id=%p&u=%s" },
      "a.example/p?Id=777", "a.example/p?id=777" },

    { "lets words beside an id go",
      { "a.example/p/%p/%w-%n%n a.example/p/%p/%w-%n a.example/p/%p" },
      "a.example/p/7/nice-words-9", "a.example/p/7" },

    { "translates values",
      { "a.example/p/%p?c=%d a.example/p/%p?c=%t a.example/p/%p?c=%d&u=%s" },
      "a.example/p/777?c=102", "a.example/p/777?c=green" },

    { "knows a tracker that it has not seen together with a session",
      { "a.example/p/%p?sid=%s a.example/p/%p a.example/p/%p?from=%s" },
      "a.example/p/7?sid=00000000deadbeef&from=00c0ffee", "a.example/p/7" },

    /* traps */

    { "keeps a language apart",
      { "www.a.example/p/%p?u=%s www.a.example/p/%p",
        "de.a.example/p/%p?u=%s de.a.example/p/%p" },
      "de.a.example/p/7", "de.a.example/p/7" },

    { "keeps owners below a common domain apart",
      { "ann.a.example/p/%p?u=%s ann.a.example/p/%p",
        "bob.a.example/p/%p?u=%s bob.a.example/p/%p",
        "eve.a.example/p/%p?u=%s eve.a.example/p/%p" },
      "bob.a.example/p/7", "bob.a.example/p/7" },

    { "keeps what looks like a session and tells the page",
      { "a.example/p?x=%oabcdef a.example/p?x=%oabcdef&u=%s" },
      "a.example/p?x=0000000123abcdef", "a.example/p?x=0000000123abcdef" },

    { "keeps a name in the one folder where it matters",
      { "a.example/p/%p?from=%s a.example/p/%p?from=%s a.example/p/%p",
        "a.example/ads/%p?from=%d a.example/ads/%p?from=%d&u=%s" },
      "a.example/ads/7?from=red", "a.example/ads/7?from=red" },

    { "and lets it go elsewhere",
      { "a.example/p/%p?from=%s a.example/p/%p?from=%s a.example/p/%p",
        "a.example/ads/%p?from=%d a.example/ads/%p?from=%d&u=%s" },
      "a.example/p/7?from=red", "a.example/p/7" },

    { "and also where it goes in a shape that covers the folder",
      { "a.example/%p/x?from=%s a.example/%p/x?from=%s a.example/%p/x",
        "a.example/pr/x?from=%o&u=%s a.example/pr/x?from=%o" },
      "a.example/pr/x?from=0000000123", "a.example/pr/x?from=0000000123" },

    { "keeps a small number that tells the page",
      { "a.example/p/%p?v=1 a.example/p/%p?v=1&u=%s",
        "a.example/p/%p?v=2 a.example/p/%p?v=2&u=%s" },
      "a.example/p/7?v=2", "a.example/p/7?v=2" },

    { "keeps two kinds apart that have the same ids",
      { "a.example/news/%p a.example/news/%p?u=%s",
        "a.example/shop/%p a.example/shop/%p?u=%s" },
      "a.example/news/7", "a.example/news/7" },

    { "keeps a view with a text of its own",
      { "a.example/p/%p a.example/p/%p?u=%s",
        "a.example/p/%p?print=1 a.example/p/%p?print=1&u=%s" },
      "a.example/p/7?print=1", "a.example/p/7?print=1" },

    { "keeps ids that have changed",
      { "a.example/p?id=%o&c=%d a.example/p?id=%o&c=%d&u=%s"
        " a.example/p?id=1%o&c=%d a.example/p?id=1%o&c=%d&u=%s" },
      "a.example/p?c=red&id=777", "a.example/p?c=red&id=777" },

    { "keeps a folder that tells the page where others do not",
      { "a.example/x/%p/%w-%n/read.html a.example/x/%p/%w-1/read.html"
        " a.example/x/%p/read.html",
        "a.example/y/%d/read.html?id=%p a.example/y/%d/read.html?id=%p&u=%s" },
      "a.example/y/blue/read.html?id=7", "a.example/y/blue/read.html?id=7" }
};


/* --- pages */


static size_t
expand(const char *pattern, size_t n, uint32_t page, uint32_t *visit,
    char *out, size_t room)
{
    char      part[32];
    size_t    i, k, len;

    len = (size_t) snprintf(out, room, "http://");

    for (i = 0; i < n; i++) {
        part[0] = pattern[i];
        part[1] = '\0';

        if (pattern[i] == '%' && i + 1 < n) {

            switch (pattern[++i]) {

            case 'p':
                (void) snprintf(part, sizeof(part), "%u", 100 + page);
                break;

            case 's':
                (void) snprintf(part, sizeof(part), "%08x%08x",
                                (unsigned) (*visit % VISITS * 2654435761u),
                                (unsigned) (*visit % VISITS * 40503u + 7));
                *visit += 5 + page % 3;
                break;

            case 'w':
                (void) snprintf(part, sizeof(part), "w%c-ord",
                                (int) ('a' + (*visit)++ % 23));
                break;

            case 'd':
                (void) snprintf(part, sizeof(part), "%s", words[page % 3]);
                break;

            case 't':
                (void) snprintf(part, sizeof(part), "%u", 101 + page % 3);
                break;

            case 'o':
                (void) snprintf(part, sizeof(part), "%010u",
                                (unsigned) (page * 7919u + 31));
                break;

            default: /* 'n' */
                (void) snprintf(part, sizeof(part), "%u",
                                (unsigned) ((*visit)++ % 89));
            }
        }

        for (k = 0; part[k] != '\0'; k++) {
            assert_true(len + 1 < room);
            out[len++] = part[k];
        }
    }

    return len;
}


/* every "wrong"-th page is taken for the one before it */

static void
fill(learn_site_t *site, const char *const *kinds, uint32_t wrong)
{
    char         url[512];
    size_t       len;
    uint32_t     i, page, visit, cluster;
    const char  *p, *end;
    miqps_str_t  str;

    cluster = 0;
    visit = 1;

    for (i = 0; i < 4 && kinds[i] != NULL; i++) {
        for (page = 0; page < PAGES; page++) {
            cluster += (wrong == 0 || page % wrong != wrong - 1);

            for (p = kinds[i]; p != NULL; p = end) {
                p += (*p == ' ');
                end = strchr(p, ' ');
                len = expand(p, (end != NULL) ? (size_t) (end - p) : strlen(p),
                             page, &visit, url, sizeof(url));

                str.data = (uint8_t *) url;
                str.len = len;
                assert_true(learn_site_add(site, &str, cluster));
            }
        }
    }
}


static void
learn(learned_t *learned)
{
    assert_true(learn_site_learn(&learned->site));

    learned->text = learn_site_map(&learned->site, &learned->len,
                                   &learned->nrules);

    assert_non_null(learned->text);
    assert_true(learn_deployed_init(&learned->map, learned->text,
                                    learned->len));
}


static void
forget(learned_t *learned)
{
    learn_deployed_release(&learned->map);
    free(learned->text);
    learn_site_release(&learned->site);
}


static size_t
apply(learned_t *learned, const char *url, size_t len, char *out, size_t room)
{
    int          moved;
    miqps_str_t  str, result;

    str.data = (const uint8_t *) url;
    str.len = len;

    assert_true(learn_deployed_url(&learned->map, &str, &result, &moved));
    assert_true(result.len < room);
    memcpy(out, result.data, result.len);
    out[result.len] = '\0';

    return result.len;
}


static void
becomes(learned_t *learned, const char *url, const char *want)
{
    char  from[256], out[512];

    (void) snprintf(from, sizeof(from), "http://%s", url);
    (void) apply(learned, from, strlen(from), out, sizeof(out));
    assert_string_equal(out + 7, want);
}


/* pages stay apart, and what has become of a URL stays what it is */

static void
sound(learned_t *learned, size_t most)
{
    char           url[512], again[512], (*all)[512];
    size_t         i, k, len, bad;
    learn_site_t  *site;

    site = &learned->site;
    all = malloc((site->nforms + 1) * sizeof(*all));
    assert_non_null(all);
    bad = 0;

    for (i = 0; i < site->nforms; i++) {
        len = learn_site_url(site, &site->given[i], "http", (uint8_t *) url,
                             sizeof(url));
        len = apply(learned, url, len, all[i], sizeof(all[i]));
        (void) apply(learned, all[i], len, again, sizeof(again));
        assert_string_equal(again, all[i]);

        for (k = 0; k < i; k++) {
            bad += (site->given[k].cluster != site->given[i].cluster
                    && strcmp(all[k], all[i]) == 0);
        }
    }

    assert_true(bad <= most);
    free(all);
}


static void
test_learned(void **state)
{
    char               *first;
    size_t              len;
    learned_t           learned;
    const site_case_t  *row;

    row = *state;

    learn_site_init(&learned.site);
    fill(&learned.site, row->kinds, 0);
    learn(&learned);

    becomes(&learned, row->url, row->want);
    sound(&learned, 0);

    first = learned.text;
    len = learned.len;
    learned.text = NULL;
    forget(&learned);

    /* the same again */

    learn_site_init(&learned.site);
    fill(&learned.site, row->kinds, 0);
    learn(&learned);
    assert_int_equal(len, learned.len);
    assert_memory_equal(first, learned.text, len);

    free(first);
    forget(&learned);
}


/* of twenty pages one has a wrong name; traps stay traps */

static void
test_wrong(void **state)
{
    learned_t           learned;
    const site_case_t  *row;

    row = *state;

    learn_site_init(&learned.site);
    fill(&learned.site, row->kinds, 20);
    learn(&learned);

    becomes(&learned, row->url, row->want);

    forget(&learned);
}


/*
 * Folders of few pages each, none of which tells much.  In some there is one
 * value only, which goes without saying; in others a second one shows that it
 * is not the name that does.
 */

static void
test_few(void **state)
{
    char         url[128];
    uint32_t     i, k, cluster;
    learned_t    learned;
    miqps_str_t  str;

    static const char *const  folders[] = {
        "amber", "basil", "cedar", "dune", "ember", "fern", "grove", "hazel",
        "iris", "jade", "kelp", "lilac"
    };

    static const char *const  pages[2][2] = {
        { "", "?page=1" },
        { "?page=2", "?page=2&u=00c0ffee" }
    };

    (void) state;

    learn_site_init(&learned.site);
    cluster = 0;

    for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        for (k = 0; k < 2 * (1 + (i % 3 == 0)); k++) {
            cluster += (k % 2 == 0);
            str.data = (uint8_t *) url;
            str.len = (size_t) snprintf(url, sizeof(url),
                                        "http://a.example/tag/%s%s",
                                        folders[i], pages[k / 2][k % 2]);
            assert_true(learn_site_add(&learned.site, &str, cluster));
        }
    }

    learn(&learned);
    becomes(&learned, "a.example/tag/dune?page=2", "a.example/tag/dune?page=2");
    becomes(&learned, "a.example/tag/new?page=3", "a.example/tag/new?page=3");
    sound(&learned, 0);
    forget(&learned);
}


/* folders with two names each, and what is beside ids in each of them */

static void
test_joined(void **state)
{
    learned_t  learned;

    static const char *const  kinds[4] = {
        "a.example/alt/%p a.example/old/%p a.example/old/%p?u=%s"
        " a.example/alt/%p/%w-%n a.example/old/%p/%w-%n",
        "a.example/neu/%p a.example/new/%p a.example/new/%p?u=%s"
        " a.example/neu/%p/%w-%n a.example/new/%p/%w-%n",
        "a.example/gut/%p a.example/good/%p a.example/good/%p?u=%s",
        "a.example/list/%p/%d a.example/list/%p/%d?u=%s"
    };

    (void) state;

    learn_site_init(&learned.site);
    fill(&learned.site, kinds, 0);
    learn(&learned);

    becomes(&learned, "a.example/alt/777", "a.example/old/777");
    becomes(&learned, "a.example/neu/777", "a.example/new/777");
    becomes(&learned, "a.example/gut/777", "a.example/good/777");
    becomes(&learned, "a.example/neu/777/some-9", "a.example/new/777");
    becomes(&learned, "a.example/list/7/red", "a.example/list/7/red");
    assert_int_equal(learned.nrules, 2);
    sound(&learned, 0);
    forget(&learned);
}


/* --- bad input */


static void
nothing(learned_t *learned)
{
    learn(learned);
    assert_int_equal(learned->nrules, 0);
    forget(learned);
}


static void
test_nothing(void **state)
{
    learned_t  learned;

    (void) state;

    learn_site_init(&learned.site);
    nothing(&learned);
}


static void
test_one_cluster(void **state)
{
    learned_t    learned;
    uint32_t     i, visit;
    char         url[256];
    miqps_str_t  str;

    (void) state;

    learn_site_init(&learned.site);
    visit = 1;

    for (i = 0; i < 100; i++) {
        str.data = (uint8_t *) url;
        str.len = expand("a.example/%p/%p?a=%s&b=%n", 25, i, &visit, url,
                         sizeof(url));
        assert_true(learn_site_add(&learned.site, &str, 5));
    }

    learn(&learned);
    sound(&learned, 0);
    forget(&learned);
}


static void
test_all_distinct(void **state)
{
    learned_t    learned;
    uint32_t     i, visit;
    char         url[256];
    miqps_str_t  str;

    (void) state;

    learn_site_init(&learned.site);
    visit = 1;

    for (i = 0; i < 200; i++) {
        str.data = (uint8_t *) url;
        str.len = expand("a.example/p/%p?a=%s&b=%n", 24, i, &visit, url,
                         sizeof(url));
        assert_true(learn_site_add(&learned.site, &str, i));
    }

    learn(&learned);
    assert_int_equal(learned.nrules, 0);
    sound(&learned, 0);
    forget(&learned);
}


static void
test_all_equal(void **state)
{
    learned_t    learned;
    uint32_t     i;
    miqps_str_t  str = miqps_string("http://a.example/p/1?a=2");

    (void) state;

    learn_site_init(&learned.site);

    for (i = 0; i < 200; i++) {
        assert_true(learn_site_add(&learned.site, &str, i / 2));
    }

    nothing(&learned);
}


/* URLs that are too long, and none at all, among others */

static void
test_rubbish(void **state)
{
    char         *large;
    size_t        i;
    uint32_t      k;
    learned_t     learned;
    miqps_str_t   str;

    static const char  binary[] = "http://a.example/\x01\xff\x80%zz/?\x02=\xfe";

    (void) state;

    large = malloc(1 << 20);
    assert_non_null(large);
    memset(large, 'x', 1 << 20);
    memcpy(large, "http://a.example/", 17);

    learn_site_init(&learned.site);
    fill(&learned.site, learned_cases[0].kinds, 0);

    for (k = 0; k < 2; k++) {
        str.data = (uint8_t *) large;
        str.len = 1 << 20;
        assert_true(learn_site_add(&learned.site, &str, 10000));

        for (i = 17; i < 1 << 20; i += 2) {
            large[i] = '/';
        }
    }

    for (k = 0; k < sizeof(binary); k++) {
        str.data = (const uint8_t *) binary;
        str.len = k;
        assert_true(learn_site_add(&learned.site, &str, 10001));
    }

    learn(&learned);
    becomes(&learned, learned_cases[0].url, learned_cases[0].want);

    free(large);
    forget(&learned);
}


int
main(void)
{
    size_t         i;
    static unit_t  unit;

    static const struct {
        const char          *sentence;
        CMUnitTestFunction   test;
    } inputs[] = {
        { "keeps what tells pages of folders with few of them", test_few },
        { "makes one rule of those that differ in one word", test_joined },
        { "learns nothing from nothing", test_nothing },
        { "learns from one cluster", test_one_cluster },
        { "learns no rule from pages with one URL", test_all_distinct },
        { "learns nothing from a URL that is all pages", test_all_equal },
        { "leaves out what is no URL, or too long", test_rubbish }
    };

    for (i = 0; i < sizeof(learned_cases) / sizeof(learned_cases[0]); i++) {
        unit_add(&unit, learned_cases[i].sentence, test_learned,
                 &learned_cases[i]);
        unit_add(&unit, learned_cases[i].sentence, test_wrong,
                 &learned_cases[i]);
    }

    for (i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
        unit_add(&unit, inputs[i].sentence, inputs[i].test, NULL);
    }

    return unit_run(&unit, "site");
}
