
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "map/map_rules.h"
#include "site.h"


#define LEARN_RULES_HEADS  1024
#define LEARN_RULES_RARE   400          /* one URL in so many is enough */


/* rows of steps that URLs went through */

typedef struct {
    uint64_t             trace;
    uint64_t             urls;
} learn_trace_t;


static void  learn_rules_add(learn_site_t *site, const learn_trace_t *trace,
    int deep, learn_site_rule_t *rules, uint32_t *n);
static int  learn_rules_find_heads(learn_site_t *site);
static learn_trace_t  *learn_rules_traces(learn_site_t *site, uint32_t *n);
static int  learn_rules_by_trace(const void *one, const void *two);
static int  learn_rules_by_urls(const void *one, const void *two);
static int  learn_rules_before(const learn_token_t *one,
    const learn_token_t *two);
static uint64_t  learn_rules_hosts(const learn_site_t *site);
static int  learn_rules_proven(learn_site_t *site,
    const learn_site_rule_t *list, uint32_t n);
static const char  *learn_rules_tell(learn_site_t *site, learn_paths_t *paths,
    const learn_site_rule_t *rule);
static const char  *learn_rules_heads(learn_site_t *site,
    learn_paths_t *paths);
static const char  *learn_rules_table(learn_site_t *site,
    learn_paths_t *paths, const learn_site_rule_t *rule);
static const char  *learn_rules_side(learn_site_t *site,
    learn_paths_t *paths, const learn_site_rule_t *rule, int target);
static miqps_str_t  learn_rules_str(const char *text);


learn_site_rule_t *
learn_site_rules(learn_site_t *site, uint32_t *n)
{
    uint32_t            i, ntraces;
    learn_trace_t      *traces;
    learn_site_rule_t  *rules;

    *n = 0;
    rules = malloc(LEARN_SITE_RULES * sizeof(learn_site_rule_t));
    traces = learn_rules_traces(site, &ntraces);

    if (rules == NULL || traces == NULL || !learn_rules_find_heads(site)) {
        free(rules);
        free(traces);
        site->failed = 1;
        return NULL;
    }

    for (i = 0; i < ntraces; i++) {
        learn_rules_add(site, &traces[i], 0, rules, n);
        learn_rules_add(site, &traces[i], 1, rules, n);
    }

    free(traces);

    return rules;
}


static void
learn_rules_add(learn_site_t *site, const learn_trace_t *trace, int deep,
    learn_site_rule_t *rules, uint32_t *n)
{
    uint32_t            k;
    learn_site_rule_t  *rule;

    if (*n == LEARN_SITE_RULES) {
        return;
    }

    rule = &rules[*n];

    if (!learn_site_compose(site, trace->trace, deep, rule)) {
        return;
    }

    rule->trace = trace->trace;
    rule->urls = trace->urls;

    if (rule->most > 0) {
        rule->urls = 0;

        for (k = 0; k < site->nforms; k++) {
            rule->urls += learn_site_rule_has(site, rule, k);
        }
    }

    for (k = 0; k < *n; k++) {
        if (strcmp(rules[k].from, rule->from) == 0
            && rules[k].nparams == rule->nparams
            && memcmp(rules[k].params, rule->params, sizeof(rule->params))
               == 0)
        {
            return;
        }
    }

    /* those that fetch pages have looked at what a rule is for */

    if (rule->urls == 0
        || (!site->scoped && rule->urls * LEARN_RULES_RARE < site->nforms))
    {
        return;
    }

    *n += (uint32_t) learn_rules_proven(site, rules, *n + 1);
}


int
learn_site_rule_has(const learn_site_t *site, const learn_site_rule_t *rule,
    uint32_t form)
{
    const learn_form_t  *made;

    made = &site->forms[form];

    return made->trace == rule->trace
           && (rule->most == 0
               || (made->nsegs >= rule->least && made->nsegs <= rule->most));
}


/* words that paths begin with in the end */

static int
learn_rules_find_heads(learn_site_t *site)
{
    uint8_t        *seen;
    uint32_t        i, first;
    learn_token_t  *token;

    seen = calloc(site->ntokens + 1, 1);
    free(site->heads);
    site->nheads = 0;
    site->heads = malloc(LEARN_RULES_HEADS * sizeof(uint32_t));

    if (seen == NULL || site->heads == NULL) {
        free(seen);
        return 0;
    }

    for (i = 0; i < site->nforms && site->nheads < LEARN_RULES_HEADS; i++) {

        if (site->forms[i].nsegs < 2) {
            continue;
        }

        first = site->forms[i].parts[0];
        token = &site->tokens[first];

        if (!seen[first] && (token->kind & LEARN_TOKEN_PLAIN)
            && !(token->kind & LEARN_TOKEN_VALUE))
        {
            seen[first] = 1;
            site->heads[site->nheads++] = first;
        }
    }

    free(seen);

    return 1;
}


void
learn_site_heads(learn_site_t *site, const uint32_t *heads, uint32_t n)
{
    uint32_t  i, k;

    site->nheads = 0;

    /* by their bytes, so that the same ones are the same text */

    for (i = 0; i < n && site->nheads < LEARN_RULES_HEADS; i++) {

        for (k = site->nheads++;
             k > 0 && learn_rules_before(&site->tokens[heads[i]],
                                         &site->tokens[site->heads[k - 1]]);
             k--)
        {
            site->heads[k] = site->heads[k - 1];
        }

        site->heads[k] = heads[i];
    }
}


static int
learn_rules_before(const learn_token_t *one, const learn_token_t *two)
{
    int       rc;
    uint32_t  len;

    len = (one->len < two->len) ? one->len : two->len;
    rc = memcmp(one->text, two->text, len);

    return (rc != 0) ? rc < 0 : one->len < two->len;
}


/* all that are there but for those of hosts, with most URLs first */

static learn_trace_t *
learn_rules_traces(learn_site_t *site, uint32_t *n)
{
    uint32_t        i, k;
    uint64_t        hosts;
    learn_trace_t  *list;

    *n = 0;
    hosts = learn_rules_hosts(site);
    list = malloc((site->nforms + 1) * sizeof(learn_trace_t));

    if (list == NULL) {
        return NULL;
    }

    k = 0;

    for (i = 0; i < site->nforms; i++) {
        if (site->forms[i].trace & ~hosts) {
            list[k].trace = site->forms[i].trace & ~hosts;
            list[k++].urls = 1;
        }
    }

    if (k == 0) {
        return list;
    }

    qsort(list, k, sizeof(learn_trace_t), learn_rules_by_trace);

    for (i = 1; i < k; i++) {
        if (list[i].trace == list[*n].trace) {
            list[*n].urls++;

        } else {
            list[++*n] = list[i];
        }
    }

    (*n)++;

    qsort(list, *n, sizeof(learn_trace_t), learn_rules_by_urls);

    return list;
}


static int
learn_rules_by_trace(const void *one, const void *two)
{
    const learn_trace_t  *a, *b;

    a = one;
    b = two;

    return (a->trace > b->trace) - (a->trace < b->trace);
}


static int
learn_rules_by_urls(const void *one, const void *two)
{
    const learn_trace_t  *a, *b;

    a = one;
    b = two;

    if (a->urls != b->urls) {
        return (a->urls < b->urls) ? 1 : -1;
    }

    return (a->trace > b->trace) - (a->trace < b->trace);
}


static uint64_t
learn_rules_hosts(const learn_site_t *site)
{
    uint32_t  i;
    uint64_t  hosts;

    hosts = 0;

    for (i = 0; i < site->nsteps; i++) {
        if (site->steps[i].kind == LEARN_STEP_HOST) {
            hosts |= UINT64_C(1) << i;
        }
    }

    return hosts;
}


/* true if a map could have all of them */

static int
learn_rules_proven(learn_site_t *site, const learn_site_rule_t *list,
    uint32_t n)
{
    uint32_t              i, which, other;
    const char           *why;
    learn_words_t         words;
    learn_paths_t         paths;
    learn_arena_t         arena;
    learn_paths_block_t  *block;

    learn_arena_init(&arena);
    learn_words_init(&words, &arena);
    learn_paths_init(&paths, &arena, &words);
    learn_paths_clear(&paths);
    learn_paths_careful(&paths);

    why = NULL;

    for (i = 0; i < n && why == NULL; i++) {
        why = learn_rules_tell(site, &paths, &list[i]);
    }

    if (why == NULL) {
        why = learn_paths_block(&paths, &block, &which, &other);
    }

    learn_paths_release(&paths);
    learn_words_release(&words);
    learn_arena_release(&arena);

    return why == NULL;
}


static const char *
learn_rules_tell(learn_site_t *site, learn_paths_t *paths,
    const learn_site_rule_t *rule)
{
    const char  *why;

    learn_paths_begin(paths);
    why = rule->heads ? learn_rules_heads(site, paths) : NULL;

    if (why == NULL && rule->table != NULL) {
        why = learn_rules_table(site, paths, rule);
    }

    if (why == NULL) {
        learn_paths_source(paths);
        why = learn_rules_side(site, paths, rule, 0);
    }

    if (why == NULL) {
        learn_paths_target(paths);
        why = learn_rules_side(site, paths, rule, 1);
    }

    return (why == NULL) ? learn_paths_end(paths) : why;
}


static const char *
learn_rules_heads(learn_site_t *site, learn_paths_t *paths)
{
    uint32_t      i;
    miqps_str_t   name, value;
    const char   *why;

    name = learn_rules_str("heads");
    why = learn_paths_table(paths, &name);

    for (i = 0; i < site->nheads && why == NULL; i++) {
        value.data = site->tokens[site->heads[i]].text;
        value.len = site->tokens[site->heads[i]].len;
        why = learn_paths_entry(paths, &value, &value);
    }

    return (why == NULL) ? learn_paths_table_end(paths) : why;
}


static const char *
learn_rules_table(learn_site_t *site, learn_paths_t *paths,
    const learn_site_rule_t *rule)
{
    uint32_t      i;
    miqps_str_t   name, value, to;
    const char   *why;

    name = learn_rules_str("values");
    why = learn_paths_table(paths, &name);

    for (i = 0; i < rule->ntable && why == NULL; i++) {
        value.data = site->tokens[rule->table[2 * i]].text;
        value.len = site->tokens[rule->table[2 * i]].len;
        to.data = site->tokens[rule->table[2 * i + 1]].text;
        to.len = site->tokens[rule->table[2 * i + 1]].len;
        why = learn_paths_entry(paths, &value, &to);
    }

    return (why == NULL) ? learn_paths_table_end(paths) : why;
}


static const char *
learn_rules_side(learn_site_t *site, learn_paths_t *paths,
    const learn_site_rule_t *rule, int target)
{
    uint32_t              i, name;
    miqps_str_t           path, text, key;
    const char           *why;
    const learn_token_t  *token;

    why = NULL;
    path = learn_rules_str(target ? rule->to : rule->from);

    if (path.len > 0) {
        why = learn_paths_path(paths, &path);
    }

    if (rule->nparams == 0) {
        return why;
    }

    learn_paths_params(paths);

    for (i = 0; i < rule->nparams && why == NULL; i++) {
        name = target ? rule->params[i].to : rule->params[i].from;

        if (name == LEARN_NOTHING) {
            continue;
        }

        token = &site->tokens[name];
        key.data = token->text;
        key.len = token->len;
        text = learn_rules_str(target ? rule->params[i].made
                                      : rule->params[i].text);
        why = learn_paths_param(paths, &key, &text);
    }

    if (why == NULL && !target) {
        text = learn_rules_str("*");
        why = learn_paths_param(paths, &text, &text);
    }

    return why;
}


static miqps_str_t
learn_rules_str(const char *text)
{
    miqps_str_t  str;

    str.data = (const uint8_t *) text;
    str.len = strlen(text);

    return str;
}
