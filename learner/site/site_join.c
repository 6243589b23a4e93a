
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "site.h"


/*
 * RULES THAT DIFFER IN ONE WORD
 *
 *     /fune/{a}      ->  /bivo/{a}
 *     /fuputo/{a}    ->  /depo/{a}
 *
 * are one rule with a table, in which "fune" becomes "bivo" and so on:
 *
 *     /{t:values}/{a}  ->  /{t}/{a}
 *
 * It is about the same URLs, but less precise than they were, so that another
 * rule may come before it now.  So the map is deployed with it, and if it is
 * worse then, rules stay as they are.
 */

#define LEARN_JOIN_PLAIN  "abcdefghijklmnopqrstuvwxyz"                       \
                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~"


/* a word in both sides of a rule: where they begin, and how long they are */

typedef struct {
    uint64_t            key;             /* of all the rest */
    uint32_t            rule;
    uint16_t            from;
    uint16_t            nfrom;
    uint16_t            to;
    uint16_t            nto;
    uint16_t            apart;           /* segments between their places */
} learn_join_t;


typedef struct {
    learn_site_t       *site;
    learn_join_t       *list;            /* by key */
    size_t              n;
    size_t              max;
    uint64_t           *refused;         /* keys */
    size_t              nrefused;
} learn_joins_t;


static int  learn_join_all(learn_site_t *site, learn_site_rule_t *rules,
    uint32_t *n);
static int  learn_join_words(learn_joins_t *joins,
    const learn_site_rule_t *rules, uint32_t n);
static int  learn_join_rule(learn_joins_t *joins,
    const learn_site_rule_t *rules, uint32_t rule);
static int  learn_join_word(const char *path, size_t *at, size_t *len);
static uint16_t  learn_join_apart(const learn_site_rule_t *rule,
    const learn_join_t *join);
static uint64_t  learn_join_key(const learn_site_rule_t *rule,
    const learn_join_t *join);
static size_t  learn_join_most(const learn_joins_t *joins, size_t *n);
static int  learn_join_try(learn_joins_t *joins, const learn_join_t *join,
    size_t njoin, learn_site_rule_t *rules, uint32_t *n);
static uint32_t  learn_join_make(learn_joins_t *joins,
    const learn_join_t *join, size_t njoin, const learn_site_rule_t *rules,
    uint32_t n, learn_site_rule_t *fewer);
static int  learn_join_put(char *path, size_t at, size_t len,
    const char *text);
static int  learn_join_by_key(const void *one, const void *two);


/* tried with rules alone; the whole map is looked at once, at the end */

int
learn_site_join(learn_site_t *site, learn_site_rule_t *rules, uint32_t *n)
{
    int                 ok;
    uint32_t            nfewer;
    uint64_t            left, bad, left_now, bad_now;
    learn_site_rule_t  *fewer;

    if (*n < 2) {
        return 1;
    }

    nfewer = *n;
    fewer = malloc(*n * sizeof(learn_site_rule_t));

    if (fewer == NULL) {
        site->failed = 1;
        return 0;
    }

    memcpy(fewer, rules, *n * sizeof(learn_site_rule_t));

    ok = learn_join_all(site, fewer, &nfewer)
         && learn_site_weigh(site, rules, *n, 0, &left, &bad)
         && learn_site_weigh(site, fewer, nfewer, 0, &left_now, &bad_now);

    if (ok && left_now <= left && bad_now <= bad) {
        memcpy(rules, fewer, nfewer * sizeof(learn_site_rule_t));
        *n = nfewer;
    }

    free(fewer);

    return ok;
}


static int
learn_join_all(learn_site_t *site, learn_site_rule_t *rules, uint32_t *n)
{
    int            ok;
    size_t         first, njoin;
    learn_joins_t  joins;

    memset(&joins, 0, sizeof(learn_joins_t));
    joins.site = site;

    do {
        ok = learn_join_words(&joins, rules, *n);
        first = learn_join_most(&joins, &njoin);

    } while (ok && njoin > 1
             && learn_join_try(&joins, joins.list + first, njoin, rules, n));

    free(joins.list);
    free(joins.refused);

    return !site->failed;
}


/* --- words of rules */


static int
learn_join_words(learn_joins_t *joins, const learn_site_rule_t *rules,
    uint32_t n)
{
    uint32_t  i;

    joins->n = 0;

    for (i = 0; i < n; i++) {
        if (rules[i].table == NULL && !learn_join_rule(joins, rules, i)) {
            joins->site->failed = 1;
            return 0;
        }
    }

    if (joins->n > 0) {
        qsort(joins->list, joins->n, sizeof(learn_join_t), learn_join_by_key);
    }

    return 1;
}


/* each word of the source with each of the target; 0 without memory */

static int
learn_join_rule(learn_joins_t *joins, const learn_site_rule_t *rules,
    uint32_t n)
{
    size_t                    from, nfrom, to, nto, max;
    learn_join_t             *list, *join;
    const learn_site_rule_t  *rule;

    rule = &rules[n];

    for (from = 0; learn_join_word(rule->from, &from, &nfrom); from += nfrom) {
        for (to = 0; learn_join_word(rule->to, &to, &nto); to += nto) {

            if (joins->n == joins->max) {
                max = 2 * joins->max + 256;
                list = realloc(joins->list, max * sizeof(learn_join_t));

                if (list == NULL) {
                    return 0;
                }

                joins->list = list;
                joins->max = max;
            }

            join = &joins->list[joins->n++];

            join->rule = n;
            join->from = (uint16_t) from;
            join->nfrom = (uint16_t) nfrom;
            join->to = (uint16_t) to;
            join->nto = (uint16_t) nto;
            join->apart = learn_join_apart(rule, join);
            join->key = learn_join_key(rule, join);
        }
    }

    return 1;
}


/* the next segment that is nothing but a word, from "*at" on */

static int
learn_join_word(const char *path, size_t *at, size_t *len)
{
    size_t  i;

    i = *at;

    while (path[i] != '\0') {

        if (path[i] != '/') {
            i++;
            continue;
        }

        i++;
        *len = strspn(path + i, LEARN_JOIN_PLAIN);

        if (*len > 0 && (path[i + *len] == '/' || path[i + *len] == '\0')) {
            *at = i;
            return 1;
        }
    }

    return 0;
}


static uint16_t
learn_join_apart(const learn_site_rule_t *rule, const learn_join_t *join)
{
    size_t  i, from, to;

    for (i = 0, from = 0; i < join->from; i++) {
        from += (rule->from[i] == '/');
    }

    for (i = 0, to = 0; i < join->to; i++) {
        to += (rule->to[i] == '/');
    }

    return (uint16_t) ((from > to) ? from - to : to - from);
}


/* what the rule is but for these words */

static uint64_t
learn_join_key(const learn_site_rule_t *rule, const learn_join_t *join)
{
    uint64_t      hash;
    XXH3_state_t  state;

    (void) XXH3_64bits_reset(&state);
    (void) XXH3_64bits_update(&state, rule->from, join->from);
    (void) XXH3_64bits_update(&state, "", 1);
    (void) XXH3_64bits_update(&state, rule->from + join->from + join->nfrom,
                              strlen(rule->from + join->from + join->nfrom)
                              + 1);
    (void) XXH3_64bits_update(&state, rule->to, join->to);
    (void) XXH3_64bits_update(&state, "", 1);
    (void) XXH3_64bits_update(&state, rule->to + join->to + join->nto,
                              strlen(rule->to + join->to + join->nto) + 1);
    (void) XXH3_64bits_update(&state, rule->params, sizeof(rule->params));

    hash = XXH3_64bits_digest(&state);

    return hash + rule->heads;
}


static int
learn_join_by_key(const void *one, const void *two)
{
    const learn_join_t  *a, *b;

    a = one;
    b = two;

    if (a->key != b->key) {
        return (a->key > b->key) ? 1 : -1;
    }

    return (a->rule > b->rule) - (a->rule < b->rule);
}


/* --- rules that become one */


/*
 * Where the most begin that were not refused yet, and how many they are; of as
 * many those whose words are in the same place
 */

static size_t
learn_join_most(const learn_joins_t *joins, size_t *n)
{
    size_t  i, k, r, first;

    *n = 0;
    first = 0;

    for (i = 0; i < joins->n; i = k) {

        for (k = i + 1; k < joins->n
                        && joins->list[k].key == joins->list[i].key; k++)
        {
            /* void */
        }

        for (r = 0; r < joins->nrefused
                    && joins->refused[r] != joins->list[i].key; r++)
        {
            /* void */
        }

        if (r == joins->nrefused
            && (k - i > *n
                || (k - i == *n
                    && joins->list[i].apart < joins->list[first].apart)))
        {
            first = i;
            *n = k - i;
        }
    }

    return first;
}


static int
learn_join_try(learn_joins_t *joins, const learn_join_t *join, size_t njoin,
    learn_site_rule_t *rules, uint32_t *n)
{
    int                 ok;
    uint32_t            nfewer;
    uint64_t            left, bad, left_now, bad_now, *refused;
    learn_site_t       *site;
    learn_site_rule_t  *fewer;

    site = joins->site;
    fewer = malloc(*n * sizeof(learn_site_rule_t));
    refused = realloc(joins->refused, (joins->nrefused + 1)
                                      * sizeof(uint64_t));

    if (refused != NULL) {
        joins->refused = refused;
    }

    if (fewer == NULL || refused == NULL) {
        site->failed = 1;
        free(fewer);
        return 0;
    }

    nfewer = learn_join_make(joins, join, njoin, rules, *n, fewer);

    ok = nfewer > 0 && learn_site_weigh(site, rules, *n, 1, &left, &bad)
         && learn_site_weigh(site, fewer, nfewer, 1, &left_now, &bad_now);

    if (ok && left_now <= left && bad_now <= bad) {
        memcpy(rules, fewer, nfewer * sizeof(learn_site_rule_t));
        *n = nfewer;

    } else {
        joins->refused[joins->nrefused++] = join->key;
    }

    free(fewer);

    return !site->failed;
}


/*
 * The first of them gets the table, the others go.  How many rules are left; 0
 * if it cannot be.
 */

static uint32_t
learn_join_make(learn_joins_t *joins, const learn_join_t *join, size_t njoin,
    const learn_site_rule_t *rules, uint32_t n, learn_site_rule_t *fewer)
{
    size_t                    i;
    uint32_t                  k, left, *table;
    learn_site_t             *site;
    learn_site_rule_t        *one;
    const learn_site_rule_t  *rule;

    site = joins->site;
    table = learn_arena_alloc(&site->arena, 2 * njoin * sizeof(uint32_t));

    if (table == NULL) {
        site->failed = 1;
        return 0;
    }

    left = 0;
    one = NULL;

    for (k = 0, i = 0; k < n; k++) {

        if (i == njoin || join[i].rule != k) {
            fewer[left++] = rules[k];
            continue;
        }

        if (i == 0) {
            one = &fewer[left++];
            *one = rules[k];
            one->urls = 0;
        }

        rule = &rules[k];
        one->urls += rule->urls;

        table[2 * i] = learn_site_token(site, (const uint8_t *) rule->from
                                              + join[i].from, join[i].nfrom);
        table[2 * i + 1] = learn_site_token(site, (const uint8_t *) rule->to
                                                  + join[i].to, join[i].nto);
        i++;
    }

    one->table = table;
    one->ntable = (uint32_t) njoin;

    if (site->failed
        || !learn_join_put(one->from, join->from, join->nfrom, "{t:values}")
        || !learn_join_put(one->to, join->to, join->nto, "{t}"))
    {
        return 0;
    }

    return left;
}


/* a word of a path becomes something else; 0 if there is no room */

static int
learn_join_put(char *path, size_t at, size_t len, const char *text)
{
    size_t  rest;

    rest = strlen(path + at + len) + 1;

    if (at + strlen(text) + rest > LEARN_SITE_TEXT) {
        return 0;
    }

    memmove(path + at + strlen(text), path + at + len, rest);
    memcpy(path + at, text, strlen(text));

    return 1;
}
