
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "miqps_url.h"


#define BENCH_URLS      1000        /* of a generated set */
#define BENCH_HOSTS     20          /* with an allow-list */
#define BENCH_SITE      14          /* names that a site uses */
#define BENCH_LISTED    12          /* ... and has on its list */
#define BENCH_LINE      4096        /* longer lines of a file are left out */

/* shares in percent */

#define BENCH_TRACKERS  30          /* of parameters */
#define BENCH_ESCAPED   15          /* of values */
#define BENCH_SPECIAL   3           /* of names: a[], a.b */

#define bench_count(a)  (sizeof(a) / sizeof((a)[0]))


/* text that grows */

typedef struct {
    char         data[BENCH_LINE];
    size_t       len;
} bench_text_t;


/* a generator of its own, so that the URLs are the same everywhere */

typedef struct {
    uint64_t     state;
} bench_dice_t;


/* rules of one policy */

typedef struct {
    miqps_rule_t   *rules;
    size_t          nrules;
    miqps_scope_t  *scopes;
    size_t          nscopes;
} bench_rules_t;


static const char *const  bench_names[] = {
    "id", "q", "page", "color", "size", "variant", "category", "sort_by",
    "brand", "price_min", "price_max", "view", "lang", "currency", "product",
    "filter", "quantity", "order", "type", "section", "style", "material",
    "offset", "limit", "search", "country", "tab", "model", "item", "cat",
    "in_stock", "rating", "collection", "from", "width", "height"
};


static const char *const  bench_special[] = {
    "color[]", "size%5B%5D", "filter[brand]", "filter.v.price", "attr%5Bx%5D"
};


static const char *const  bench_trackers[] = {
    "utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term",
    "gclid", "fbclid", "msclkid", "mc_eid", "ref_src", "sessid", "campaignid"
};


static const char *const  bench_words[] = {
    "red", "shoes", "winter", "newsletter", "black", "running", "google",
    "summer-sale", "large", "price-ascending", "email", "all", "leather",
    "women", "best_selling", "en", "grid", "outlet", "trail", "waterproof"
};


static const char *const  bench_escaped[] = {
    "%20", "%2C", "%2F", "%C3%A9", "%c3%bc", "%3A", "%2B", "%7E", "%40", "%26"
};


/* two regular expressions, as a site's rules may have them */

static const char *const  bench_regexes[] = {
    "~^(dwvar|pref[nv])_?[0-9]+", "~*^attr(ibute)?_[a-z]+$"
};


static void  bench_set_make(bench_set_t *set, uint64_t seed, unsigned least,
    unsigned most);
static int  bench_set_read(bench_set_t *set, const char *path);
static void  bench_set_add(bench_set_t *set, const char *url, size_t len);
static void  bench_set_policies(bench_set_t *set, const char *rules);
static void  bench_rules_tracking(bench_rules_t *r, const char *path);
static miqps_plans_t  *bench_plans(void);
static void  bench_rules_sites(bench_rules_t *r, const bench_set_t *set);
static void  bench_rules_add(bench_rules_t *r, const char *text,
    miqps_action_e action, miqps_layer_e layer, size_t scope);
static miqps_policy_t  *bench_rules_compile(const bench_rules_t *r);


size_t
bench_sets_init(bench_set_t *sets, const char *rules, const char *path)
{
    size_t  i, n;

    memset(sets, 0, BENCH_MAX_SETS * sizeof(bench_set_t));

    sets[0].name = "synth";
    sets[0].text = "generated, 20 hosts with lists of their own, 6 parameters";
    bench_set_make(&sets[0], 1, 6, 6);

    sets[1].name = "synth-mixed";
    sets[1].text = "generated in the same way, 3 to 10 parameters";
    bench_set_make(&sets[1], 2, 3, 10);

    n = 2;

    sets[2].name = "real";
    sets[2].text = "URLs of the web that have a query";

    if (path != NULL && bench_set_read(&sets[2], path)) {
        n = 3;
    }

    for (i = 0; i < n; i++) {
        bench_set_policies(&sets[i], rules);

        sets[i].strict_plans = bench_plans();
        sets[i].tracking_plans = bench_plans();
        sets[i].regexes_plans = bench_plans();
    }

    return n;
}


/* as a server has them that has run for a while, for one configuration */

static miqps_plans_t *
bench_plans(void)
{
    miqps_plans_t  *plans;

    plans = bench_alloc(NULL, sizeof(miqps_plans_t));
    memset(plans, 0, sizeof(miqps_plans_t));

    return plans;
}


/* --- URLs */


/* a number below "sides" */

static size_t
bench_dice(bench_dice_t *dice, size_t sides)
{
    uint64_t  x;

    dice->state += UINT64_C(0x9e3779b97f4a7c15);

    x = dice->state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);

    return (size_t) ((x >> 32) * sides >> 32);
}


static void
bench_text_add(bench_text_t *text, const char *s)
{
    size_t  len;

    len = strlen(s);

    memcpy(text->data + text->len, s, len);
    text->len += len;
}


static void
bench_text_digits(bench_text_t *text, bench_dice_t *dice, size_t n,
    const char *digits, size_t ndigits)
{
    while (n-- > 0) {
        text->data[text->len++] = digits[bench_dice(dice, ndigits)];
    }
}


static const char *
bench_pick(bench_dice_t *dice, const char *const *words, size_t n)
{
    return words[bench_dice(dice, n)];
}


static void
bench_make_value(bench_text_t *text, bench_dice_t *dice, int tracker)
{
    size_t  kind;

    kind = bench_dice(dice, 100);

    if (tracker) {
        bench_text_digits(text, dice, 4 + bench_dice(dice, 18),
                          "0123456789abcdefghijklmnopqrstuvwxyz", 36);

    } else if (kind < 40) {
        bench_text_digits(text, dice, 1 + bench_dice(dice, 8), "0123456789",
                          10);

    } else {
        bench_text_add(text, bench_pick(dice, bench_words,
                                        bench_count(bench_words)));
    }

    if (bench_dice(dice, 100) < BENCH_ESCAPED) {
        bench_text_add(text, bench_pick(dice, bench_escaped,
                                        bench_count(bench_escaped)));
        bench_text_add(text, bench_pick(dice, bench_words,
                                        bench_count(bench_words)));
    }
}


/* the names that a site uses, some from everywhere in the list */

static const char *
bench_site_name(size_t host, size_t k)
{
    return bench_names[(host * 5 + k * 7) % bench_count(bench_names)];
}


/* the names of a URL differ: the step is coprime to the number of names */

static void
bench_make_url(bench_text_t *text, bench_dice_t *dice, size_t nparams)
{
    int                  tracker;
    size_t               i, at, step;
    unsigned             host, item;
    const char          *name;
    static const size_t  steps[] = { 1, 5, 11, 13 };

    host = (unsigned) bench_dice(dice, BENCH_HOSTS);
    item = (unsigned) bench_dice(dice, 10000);
    name = bench_pick(dice, bench_words, bench_count(bench_words));

    text->len = (size_t) snprintf(text->data, sizeof(text->data),
                                  "https://www.shop%u.example/store/%s/%s-%u",
                                  host, name,
                                  bench_pick(dice, bench_words,
                                             bench_count(bench_words)),
                                  item);

    at = bench_dice(dice, BENCH_SITE);
    step = steps[bench_dice(dice, bench_count(steps))];

    for (i = 0; i < nparams; i++, at += step) {
        text->data[text->len++] = (i == 0) ? '?' : '&';

        tracker = (bench_dice(dice, 100) < BENCH_TRACKERS);

        if (tracker) {
            name = bench_trackers[at % bench_count(bench_trackers)];

        } else if (bench_dice(dice, 100) < BENCH_SPECIAL) {
            name = bench_pick(dice, bench_special,
                              bench_count(bench_special));

        } else {
            name = bench_site_name(host, at % BENCH_SITE);
        }

        bench_text_add(text, name);
        text->data[text->len++] = '=';
        bench_make_value(text, dice, tracker);
    }
}


static void
bench_set_make(bench_set_t *set, uint64_t seed, unsigned least, unsigned most)
{
    size_t        i;
    bench_dice_t  dice;
    bench_text_t  text;

    dice.state = seed;

    set->urls = bench_alloc(NULL, BENCH_URLS * sizeof(bench_url_t));

    for (i = 0; i < BENCH_URLS; i++) {
        bench_make_url(&text, &dice, least + bench_dice(&dice,
                                                        most - least + 1));
        bench_set_add(set, text.data, text.len);
    }
}


/* false if there is no such file */

static int
bench_set_read(bench_set_t *set, const char *path)
{
    FILE    *file;
    char     line[BENCH_LINE];
    size_t   len, n;

    file = fopen(path, "r");

    if (file == NULL) {
        return 0;
    }

    for (n = 0; fgets(line, sizeof(line), file) != NULL; n++) { /* void */ }

    set->urls = bench_alloc(NULL, (n + 1) * sizeof(bench_url_t));

    rewind(file);

    while (fgets(line, sizeof(line), file) != NULL) {
        len = strcspn(line, "\r\n");

        if (line[len] != '\0' && memchr(line, '?', len) != NULL) {
            bench_set_add(set, line, len);
        }
    }

    (void) fclose(file);

    return set->n > 0;
}


/* appends a URL if it is one and has a query; there is room */

static void
bench_set_add(bench_set_t *set, const char *url, size_t len)
{
    uint8_t      *copy, host[MIQPS_MAX_HOST];
    miqps_str_t   canon;
    miqps_url_t   parts;
    bench_url_t  *u;

    u = &set->urls[set->n];
    u->url.data = (const uint8_t *) url;
    u->url.len = len;

    if (miqps_url_split(&parts, &u->url) != MIQPS_OK || parts.args.len == 0
        || miqps_url_host(&parts.host, host, &canon) != MIQPS_OK)
    {
        return;
    }

    /* the host beside the URL, as in the buffer of a request */

    copy = bench_alloc(NULL, canon.len + len + 1);

    memcpy(copy, host, canon.len);
    memcpy(copy + canon.len, url, len);
    copy[canon.len + len] = '\0';

    u->host.data = copy;
    u->host.len = canon.len;
    u->url.data = copy + canon.len;

    (void) miqps_url_split(&parts, &u->url);

    u->path = parts.path;
    u->args = parts.args;

    if (len > set->longest) {
        set->longest = len;
    }

    set->n++;
}


/* --- rules */


static void
bench_set_policies(bench_set_t *set, const char *rules)
{
    size_t         i;
    bench_rules_t  r;

    memset(&r, 0, sizeof(bench_rules_t));

    r.scopes = bench_alloc(NULL, (BENCH_HOSTS + 1) * sizeof(miqps_scope_t));
    r.nscopes = 1;

    bench_rules_tracking(&r, rules);
    set->tracking = bench_rules_compile(&r);

    bench_rules_sites(&r, set);
    set->strict = bench_rules_compile(&r);

    for (i = 0; i < bench_count(bench_regexes); i++) {
        bench_rules_add(&r, bench_regexes[i], MIQPS_KEEP, MIQPS_LAYER_RULES,
                        MIQPS_SCOPE_ANY);
    }

    set->regexes = bench_rules_compile(&r);
}


static void
bench_rules_tracking(bench_rules_t *r, const char *path)
{
    FILE   *file;
    char    line[BENCH_LINE];
    size_t  n;

    file = fopen(path, "r");

    if (file == NULL) {
        bench_fail("cannot open", path);
        return;
    }

    for (n = 0; fgets(line, sizeof(line), file) != NULL; n++) { /* void */ }

    n += BENCH_HOSTS * BENCH_LISTED + bench_count(bench_regexes);

    r->rules = bench_alloc(NULL, n * sizeof(miqps_rule_t));

    rewind(file);

    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        bench_rules_add(r, line, MIQPS_STRIP, MIQPS_LAYER_TRACKING,
                        MIQPS_SCOPE_ANY);
    }

    (void) fclose(file);
}


static int
bench_host_less(const void *a, const void *b)
{
    const miqps_str_t  *x, *y;

    x = a;
    y = b;

    if (x->len != y->len) {
        return (x->len < y->len) ? -1 : 1;
    }

    return memcmp(x->data, y->data, x->len);
}


/* the number in the name of a generated host; 0 for the others */

static size_t
bench_site(const miqps_str_t *host)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < host->len; i++) {
        if (host->data[i] >= '0' && host->data[i] <= '9') {
            n = 10 * n + (size_t) (host->data[i] - '0');
        }
    }

    return n % BENCH_HOSTS;
}


/*
 * Gives the hosts that occur most often an allow-list each, of some of the
 * common names.
 */

static void
bench_rules_sites(bench_rules_t *r, const bench_set_t *set)
{
    size_t          i, j, k, least, first;
    miqps_str_t    *hosts, *host;
    miqps_scope_t  *scope;

    hosts = bench_alloc(NULL, set->n * sizeof(miqps_str_t));

    for (i = 0; i < set->n; i++) {
        hosts[i] = set->urls[i].host;
    }

    qsort(hosts, set->n, sizeof(miqps_str_t), bench_host_less);

    /* all hosts that occur "least" times, then those that do half as often */

    for (least = set->n; least > 0; least /= 2) {

        for (i = 0; i < set->n && r->nscopes <= BENCH_HOSTS; i = j) {
            first = i;

            for (j = i; j < set->n && bench_host_less(&hosts[i], &hosts[j])
                                      == 0; j++)
            {
                /* void */
            }

            if (j - first < least || (least < set->n
                                      && j - first >= 2 * least))
            {
                continue;
            }

            host = bench_alloc(NULL, sizeof(miqps_str_t));
            *host = hosts[first];

            scope = &r->scopes[r->nscopes];
            scope->hosts = host;
            scope->nhosts = 1;
            scope->strict = 1;

            for (k = 0; k < BENCH_LISTED; k++) {
                bench_rules_add(r, bench_site_name(bench_site(host), k),
                                MIQPS_KEEP, MIQPS_LAYER_RULES, r->nscopes);
            }

            r->nscopes++;
        }
    }

    free(hosts);
}


static void
bench_rules_add(bench_rules_t *r, const char *text, miqps_action_e action,
    miqps_layer_e layer, size_t scope)
{
    char          *copy;
    size_t         len;
    miqps_rule_t  *rule;

    len = strlen(text);

    copy = bench_alloc(NULL, len + 1);
    memcpy(copy, text, len);

    rule = &r->rules[r->nrules++];

    rule->text.data = (const uint8_t *) copy;
    rule->text.len = len;
    rule->action = action;
    rule->layer = layer;
    rule->scope = (uint32_t) scope;
}


static miqps_policy_t *
bench_rules_compile(const bench_rules_t *r)
{
    miqps_mem_t      mem;
    miqps_fault_t    fault;
    miqps_policy_t  *policy;

    mem.alloc = bench_alloc;
    mem.data = NULL;

    fault.message[0] = '\0';
    policy = NULL;

    if (miqps_policy_init(&policy, r->rules, r->nrules, r->scopes, r->nscopes,
                          &mem, &fault)
        != MIQPS_OK)
    {
        bench_fail("cannot compile the rules", fault.message);
    }

    return policy;
}


/* --- for all */


/* zeroed memory, until the end of the program */

void *
bench_alloc(void *data, size_t size)
{
    void  *p;

    (void) data;

    p = calloc(1, size);

    if (p == NULL) {
        bench_fail("no memory", "");
    }

    return p;
}


void
bench_fail(const char *what, const char *which)
{
    (void) fprintf(stderr, "bench: %s %s\n", what, which);
    exit(1);
}


uint64_t
bench_passes(const bench_row_t *row, const bench_set_t *set, uint8_t *buf,
    size_t passes)
{
    uint64_t  sum;

    for (sum = 0; passes > 0; passes--) {
        sum += row->run(set, buf);
    }

    return sum;
}
