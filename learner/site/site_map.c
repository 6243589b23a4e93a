
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "map/map_check.h"
#include "site.h"


#define LEARN_MAP_SUBSETS   5            /* neutral names that are combined */
#define LEARN_MAP_HOSTS     3            /* with more, they are one wildcard */
#define LEARN_MAP_PATTERNS  20000        /* of a host */


/* patterns on their way into a map */

typedef struct {
    learn_site_t      *site;
    cJSON             *list;
    uint64_t          *seen;             /* hashes of what is there */
    uint32_t           mask;
    uint32_t           n;
    unsigned           failed:1;
} learn_mapped_t;


static cJSON  *learn_map_patterns(learn_site_t *site);
static void  learn_map_pathless(learn_mapped_t *map);
static void  learn_map_closure(learn_mapped_t *map, const uint32_t *core,
    uint32_t ncore, const uint32_t *neutral, uint32_t nneutral);
static void  learn_map_covered(learn_site_t *site);
static int  learn_map_covers(const learn_site_shape_t *one,
    const learn_site_shape_t *two);
static void  learn_map_paths(learn_mapped_t *map);
static void  learn_map_pattern(learn_mapped_t *map, uint32_t shape,
    const uint32_t *names, uint32_t n);
static int  learn_map_new(learn_mapped_t *map, uint32_t shape,
    const uint32_t *names, uint32_t n);
static char  *learn_map_shape(const learn_site_t *site, uint32_t shape);
static char  *learn_map_token(const learn_site_t *site, uint32_t token);
static cJSON  *learn_map_rules(learn_site_t *site,
    const learn_site_rule_t *rules, uint32_t n);
static cJSON  *learn_map_rule(learn_site_t *site,
    const learn_site_rule_t *from);
static int  learn_map_tables(learn_site_t *site, cJSON *rule,
    const learn_site_rule_t *from);
static int  learn_map_entry(learn_site_t *site, cJSON *table, uint32_t value,
    uint32_t to);
static int  learn_map_rule_side(learn_site_t *site, cJSON *rule,
    const learn_site_rule_t *from, int target);
static int  learn_map_hosts(learn_site_t *site, cJSON *patterns,
    cJSON *rules, learn_site_text_t *text);
static int  learn_map_host(learn_site_t *site, const char *name,
    uint32_t host, const cJSON *patterns, const cJSON *rules,
    learn_site_text_t *text);
static int  learn_map_mirrors(learn_site_t *site, uint32_t host,
    cJSON *entry);
static uint32_t  learn_map_canonical(const learn_site_t *site,
    uint32_t host);
static int  learn_map_parent(const learn_token_t *host, size_t domain);
static uint32_t  *learn_map_list(learn_site_t *site, uint32_t *n);
static size_t  learn_map_domain(const learn_site_t *site,
    const uint32_t *list, uint32_t n);
static void  learn_map_put(learn_site_text_t *text, const char *data,
    size_t len);


char *
learn_site_text(learn_site_t *site, const learn_site_rule_t *rules,
    uint32_t n, int bare, size_t *len)
{
    int                 ok;
    cJSON              *patterns, *list;
    learn_site_text_t   text;

    memset(&text, 0, sizeof(learn_site_text_t));
    learn_map_put(&text, "", 0);

    patterns = bare ? cJSON_CreateArray() : learn_map_patterns(site);
    list = learn_map_rules(site, rules, n);

    ok = patterns != NULL && list != NULL
         && learn_map_hosts(site, patterns, list, &text) && !text.failed
         && !site->failed;

    cJSON_Delete(patterns);
    cJSON_Delete(list);

    if (!ok) {
        free(text.data);
        return NULL;
    }

    *len = text.len;

    return text.data;
}


static void
learn_map_put(learn_site_text_t *text, const char *data, size_t len)
{
    char    *longer;
    size_t   room;

    if (text->len + len + 1 > text->room) {
        room = 2 * (text->len + len) + 4096;
        longer = realloc(text->data, room);

        if (longer == NULL) {
            text->failed = 1;
            return;
        }

        text->data = longer;
        text->room = room;
    }

    memcpy(text->data + text->len, data, len);
    text->len += len;
    text->data[text->len] = '\0';
}


static char *
learn_map_token(const learn_site_t *site, uint32_t token)
{
    char  *copy;

    copy = malloc(site->tokens[token].len + 1);

    if (copy != NULL) {
        memcpy(copy, site->tokens[token].text, site->tokens[token].len);
        copy[site->tokens[token].len] = '\0';
    }

    return copy;
}


/* --- patterns */


static cJSON *
learn_map_patterns(learn_site_t *site)
{
    learn_mapped_t  map;

    memset(&map, 0, sizeof(learn_mapped_t));

    map.site = site;
    map.mask = 4 * 16384 - 1;
    map.seen = calloc(map.mask + 1, sizeof(uint64_t));
    map.list = cJSON_CreateArray();

    if (map.seen == NULL || map.list == NULL) {
        map.failed = 1;

    } else {
        learn_map_pathless(&map);
        learn_map_paths(&map);
    }

    free(map.seen);

    if (map.failed) {
        cJSON_Delete(map.list);
        return NULL;
    }

    return map.list;
}


/* what holds on any path: what is left of sets, with any of what goes */

static void
learn_map_pathless(learn_mapped_t *map)
{
    uint32_t           i, k, ncore, nneutral;
    uint32_t           core[LEARN_SITE_PARAMS], neutral[LEARN_MAP_SUBSETS];
    learn_site_t      *site;
    learn_site_set_t  *set;

    site = map->site;
    nneutral = 0;

    for (i = 0; i < site->nnames && nneutral < LEARN_MAP_SUBSETS; i++) {
        if (site->names[i].neutral) {
            neutral[nneutral++] = site->names[i].name;
        }
    }

    for (i = 0; i < site->nsets; i++) {
        set = &site->sets[i];
        ncore = 0;

        for (k = 0; k < set->n; k++) {
            if (learn_site_stays(site, LEARN_NOTHING,
                                 site->name_of[set->names[k]])) {
                core[ncore++] = set->names[k];
            }
        }

        if (ncore < set->n || ncore > 0) {
            learn_map_pattern(map, LEARN_NOTHING, set->names, set->n);
        }

        learn_map_closure(map, core, ncore, neutral, nneutral);
    }
}


static void
learn_map_closure(learn_mapped_t *map, const uint32_t *core, uint32_t ncore,
    const uint32_t *neutral, uint32_t nneutral)
{
    uint32_t  i, n, bits, names[LEARN_SITE_PARAMS + LEARN_MAP_SUBSETS];

    for (bits = 1; bits < UINT32_C(1) << nneutral; bits++) {
        memcpy(names, core, ncore * sizeof(uint32_t));
        n = ncore;

        for (i = 0; i < nneutral; i++) {
            if (bits >> i & 1) {
                names[n++] = neutral[i];
            }
        }

        learn_map_pattern(map, LEARN_NOTHING, names, n);
    }
}


/* names that stay where a vaguer shape lets them go, or their values */

static void
learn_map_covered(learn_site_t *site)
{
    uint32_t  one, two, n;
    uint8_t  *traits;

    for (one = 0; one < site->nshapes; one++) {
        for (two = 0; two < site->nshapes; two++) {

            if (!learn_map_covers(&site->shapes[one], &site->shapes[two])) {
                continue;
            }

            traits = site->traits + (size_t) two * site->nnames;

            for (n = 0; n < site->nnames; n++) {
                if (learn_site_stays(site, two, n)
                    && (!learn_site_stays(site, one, n)
                        || learn_site_default(site, one, n)
                           != learn_site_default(site, two, n)))
                {
                    traits[n] |= LEARN_TRAIT_COVERED;
                }
            }
        }
    }
}


static int
learn_map_covers(const learn_site_shape_t *one, const learn_site_shape_t *two)
{
    int       vaguer;
    uint32_t  i;

    if (one->n != two->n) {
        return 0;
    }

    vaguer = 0;

    for (i = 0; i < one->n; i++) {

        if (one->atoms[i] == two->atoms[i]) {
            continue;
        }

        if (one->atoms[i] != LEARN_ATOM_STAR) {
            return 0;
        }

        vaguer = 1;
    }

    return vaguer;
}


/* what holds on some paths only, or does not hold on vaguer ones */

static void
learn_map_paths(learn_mapped_t *map)
{
    int                  differs;
    uint32_t             i, k, n;
    learn_site_t        *site;
    const learn_form_t  *form;
    learn_site_set_t    *set;

    site = map->site;
    learn_map_covered(site);

    for (i = 0; i < site->nforms; i++) {
        form = &site->forms[i];
        set = &site->sets[form->set];
        differs = 0;

        for (k = 0; k < set->n; k++) {
            n = site->name_of[set->names[k]];
            differs |= learn_site_stays(site, form->shape, n)
                       != learn_site_stays(site, LEARN_NOTHING, n);
            differs |= learn_site_default(site, form->shape, n)
                       != learn_site_default(site, LEARN_NOTHING, n);
            differs |= site->traits[(size_t) form->shape * site->nnames + n]
                       & LEARN_TRAIT_COVERED;
        }

        if (differs) {
            learn_map_pattern(map, form->shape, set->names, set->n);
        }
    }
}


static void
learn_map_pattern(learn_mapped_t *map, uint32_t shape, const uint32_t *names,
    uint32_t n)
{
    char          *path, *name, *value;
    cJSON         *pattern, *params, *keep, *defaults;
    uint32_t       i, usual;
    learn_site_t  *site;

    site = map->site;

    if (n == 0 || map->n == LEARN_MAP_PATTERNS
        || !learn_map_new(map, shape, names, n))
    {
        return;
    }

    pattern = cJSON_CreateObject();
    params = cJSON_AddArrayToObject(pattern, "params");
    keep = cJSON_AddArrayToObject(pattern, "keep");
    defaults = NULL;

    if (shape != LEARN_NOTHING) {
        path = learn_map_shape(site, shape);

        if (path == NULL) {
            cJSON_Delete(pattern);
            return;
        }

        (void) cJSON_AddStringToObject(pattern, "path", path);
        free(path);
    }

    for (i = 0; i < n; i++) {
        name = learn_map_token(site, names[i]);

        if (name == NULL) {
            map->failed = 1;
            break;
        }

        (void) cJSON_AddItemToArray(params, cJSON_CreateString(name));

        if (learn_site_stays(site, shape, site->name_of[names[i]])) {
            (void) cJSON_AddItemToArray(keep, cJSON_CreateString(name));
            usual = learn_site_default(site, shape,
                                       site->name_of[names[i]]);

            if (usual != LEARN_NOTHING) {
                value = learn_map_token(site, usual);
                defaults = (defaults != NULL) ? defaults
                           : cJSON_AddObjectToObject(pattern, "defaults");
                (void) cJSON_AddStringToObject(defaults, name,
                                               (value != NULL) ? value : "");
                free(value);
            }
        }

        free(name);
    }

    map->failed |= !cJSON_AddItemToArray(map->list, pattern);
    map->n++;
}


/* in any order of names */

static int
learn_map_new(learn_mapped_t *map, uint32_t shape, const uint32_t *names,
    uint32_t n)
{
    uint32_t  i;
    uint64_t  hash;

    hash = ((uint64_t) shape + 1) * UINT64_C(0x9e3779b97f4a7c15);

    for (i = 0; i < n; i++) {
        hash += ((uint64_t) names[i] + 7) * UINT64_C(0xbf58476d1ce4e5b9)
                ^ (uint64_t) names[i] << 33;
    }

    hash |= 1;

    for (i = hash & map->mask; map->seen[i] != 0; i = (i + 1) & map->mask) {
        if (map->seen[i] == hash) {
            return 0;
        }
    }

    map->seen[i] = hash;

    return 1;
}


/* NULL where it cannot be written */

static char *
learn_map_shape(const learn_site_t *site, uint32_t shape)
{
    char                      *text, *p;
    size_t                     len;
    uint32_t                   i;
    const learn_token_t       *token;
    const learn_site_shape_t  *one;

    one = &site->shapes[shape];
    len = 2;

    for (i = 0; i < one->n; i++) {
        len += 2 + ((one->atoms[i] == LEARN_ATOM_STAR)
                    ? 0 : site->tokens[one->atoms[i]].len);
    }

    text = malloc(len);

    if (text == NULL) {
        return NULL;
    }

    p = text;

    for (i = 0; i < one->n; i++) {
        *p++ = '/';

        if (one->atoms[i] == LEARN_ATOM_STAR) {
            *p++ = '*';
            continue;
        }

        token = &site->tokens[one->atoms[i]];

        if (memchr(token->text, '*', token->len) != NULL) {
            free(text);
            return NULL;
        }

        memcpy(p, token->text, token->len);
        p += token->len;
    }

    *p = '\0';

    return text;
}


/* --- rules */


static cJSON *
learn_map_rules(learn_site_t *site, const learn_site_rule_t *rules,
    uint32_t n)
{
    int        ok;
    cJSON     *list, *rule;
    uint32_t   i;

    list = cJSON_CreateArray();
    ok = (list != NULL);

    for (i = 0; ok && i < n; i++) {
        rule = learn_map_rule(site, &rules[i]);
        ok = (rule != NULL && cJSON_AddItemToArray(list, rule));
    }

    if (!ok) {
        cJSON_Delete(list);
        return NULL;
    }

    return list;
}


static cJSON *
learn_map_rule(learn_site_t *site, const learn_site_rule_t *from)
{
    cJSON  *rule;

    rule = cJSON_CreateObject();

    if (!learn_map_rule_side(site, rule, from, 0)
        || !learn_map_rule_side(site, rule, from, 1)
        || cJSON_AddNumberToObject(rule, "support", (double) from->urls)
           == NULL
        || ((from->heads || from->table != NULL)
            && !learn_map_tables(site, rule, from)))
    {
        cJSON_Delete(rule);
        return NULL;
    }

    return rule;
}


char *
learn_site_rule_text(learn_site_t *site, const learn_site_rule_t *rule)
{
    char   *text;
    cJSON  *object;

    object = learn_map_rule(site, rule);
    text = (object != NULL) ? cJSON_PrintUnformatted(object) : NULL;

    cJSON_Delete(object);

    return text;
}


static int
learn_map_tables(learn_site_t *site, cJSON *rule,
    const learn_site_rule_t *from)
{
    int        ok;
    cJSON     *tables, *table;
    uint32_t   i;

    tables = cJSON_AddObjectToObject(rule, "tables");
    ok = 1;

    if (from->heads) {
        table = cJSON_AddObjectToObject(tables, "heads");

        for (i = 0; i < site->nheads && ok; i++) {
            ok = learn_map_entry(site, table, site->heads[i],
                                 site->heads[i]);
        }
    }

    if (from->table != NULL) {
        table = cJSON_AddObjectToObject(tables, "values");

        for (i = 0; i < from->ntable && ok; i++) {
            ok = learn_map_entry(site, table, from->table[2 * i],
                                 from->table[2 * i + 1]);
        }
    }

    return ok;
}


static int
learn_map_entry(learn_site_t *site, cJSON *table, uint32_t value, uint32_t to)
{
    int    ok;
    char  *one, *two;

    one = learn_map_token(site, value);
    two = learn_map_token(site, to);

    ok = one != NULL && two != NULL
         && cJSON_AddStringToObject(table, one, two) != NULL;

    free(one);
    free(two);

    return ok;
}


static int
learn_map_rule_side(learn_site_t *site, cJSON *rule,
    const learn_site_rule_t *from, int target)
{
    char        *name;
    cJSON       *side, *params;
    uint32_t     i, token;
    const char  *path;

    side = cJSON_AddObjectToObject(rule, target ? "to" : "from");
    path = target ? from->to : from->from;

    if (path[0] != '\0') {
        (void) cJSON_AddStringToObject(side, "path", path);
    }

    if (from->nparams == 0) {
        return side != NULL;
    }

    params = cJSON_AddObjectToObject(side, "params");

    for (i = 0; i < from->nparams; i++) {
        token = target ? from->params[i].to : from->params[i].from;

        if (token == LEARN_NOTHING) {
            continue;
        }

        name = learn_map_token(site, token);

        if (name == NULL) {
            return 0;
        }

        (void) cJSON_AddStringToObject(params, name,
                                       target ? from->params[i].made
                                              : from->params[i].text);
        free(name);
    }

    /* of other parameters nothing is known where pages were looked at */

    return target || site->scoped
           || cJSON_AddStringToObject(params, "*", "*") != NULL;
}


/* --- hosts */


static int
learn_map_hosts(learn_site_t *site, cJSON *patterns, cJSON *rules,
    learn_site_text_t *text)
{
    int        ok, wide;
    char       wildcard[300];
    size_t     domain;
    uint32_t   i, n, one, *list;

    list = learn_map_list(site, &n);

    if (list == NULL) {
        return 0;
    }

    one = 0;

    for (i = 0; i < n; i++) {
        one += (learn_map_canonical(site, list[i]) == list[i]);
    }

    domain = (one > LEARN_MAP_HOSTS) ? learn_map_domain(site, list, n) : 0;
    wide = (domain > 0 && domain < sizeof(wildcard) - 3
            && learn_map_parent(&site->tokens[list[0]], domain));
    ok = 1;

    for (i = 0; ok && i < n; i++) {

        if (learn_map_canonical(site, list[i]) != list[i]
            || (wide && site->tokens[list[i]].len > domain))
        {
            continue;
        }

        ok = learn_map_host(site, NULL, list[i], patterns, rules, text);
    }

    if (ok && wide) {
        wildcard[0] = '*';
        wildcard[1] = '.';
        memcpy(wildcard + 2, site->tokens[list[0]].text
                             + site->tokens[list[0]].len - domain, domain);
        wildcard[2 + domain] = '\0';

        ok = learn_map_host(site, wildcard, LEARN_NOTHING, patterns, rules,
                            text);
    }

    free(list);

    return ok;
}


/* below a public suffix, hosts have nothing to do with each other */

static int
learn_map_parent(const learn_token_t *host, size_t domain)
{
    psl_ctx_t    *psl;
    const char   *why;
    miqps_str_t   parent;

    psl = NULL;
    parent.data = host->text + host->len - domain;
    parent.len = domain;
    why = learn_check_parent(&parent, &psl);
    psl_free(psl);

    return why == NULL;
}


/* hosts as they were, each once */

static uint32_t *
learn_map_list(learn_site_t *site, uint32_t *n)
{
    uint8_t   *seen;
    uint32_t   i, host, *list;

    *n = 0;
    seen = calloc(site->ntokens + 1, 1);
    list = malloc((site->ntokens + 1) * sizeof(uint32_t));

    if (seen == NULL || list == NULL) {
        free(seen);
        free(list);
        return NULL;
    }

    for (i = 0; i < site->nforms; i++) {
        host = site->forms[i].origin;

        if (!seen[host]) {
            seen[host] = 1;
            list[(*n)++] = host;
        }
    }

    free(seen);

    return list;
}


/* where steps lead from a host */

static uint32_t
learn_map_canonical(const learn_site_t *site, uint32_t host)
{
    uint32_t  i;

    for (i = 0; i < site->nsteps; i++) {
        if (site->steps[i].kind == LEARN_STEP_HOST
            && site->steps[i].one == host)
        {
            host = site->steps[i].two;
        }
    }

    return host;
}


/* how long what all of them end with is, from a dot; 0 if that is not much */

static size_t
learn_map_domain(const learn_site_t *site, const uint32_t *list, uint32_t n)
{
    size_t                len, same, dots;
    uint32_t              i;
    const learn_token_t  *first, *one;

    first = &site->tokens[list[0]];
    len = first->len;

    for (i = 1; i < n; i++) {
        one = &site->tokens[list[i]];

        for (same = 0; same < len && same < one->len
                       && one->text[one->len - 1 - same]
                          == first->text[first->len - 1 - same]; same++)
        {
            /* void */
        }

        len = same;
    }

    /* not in the middle of a label */

    while (len > 0 && len < first->len
           && first->text[first->len - len - 1] != '.')
    {
        len--;
    }

    dots = 0;

    for (same = 0; same < len; same++) {
        dots += (first->text[first->len - len + same] == '.');
    }

    return (dots > 0) ? len : 0;
}


static int
learn_map_host(learn_site_t *site, const char *name, uint32_t host,
    const cJSON *patterns, const cJSON *rules, learn_site_text_t *text)
{
    char   *line, *own;
    cJSON  *entry, *copy;

    entry = cJSON_CreateObject();
    own = (name == NULL) ? learn_map_token(site, host) : NULL;

    (void) cJSON_AddStringToObject(entry, "host",
                                   (name != NULL) ? name
                                   : (own != NULL) ? own : "");
    free(own);

    copy = cJSON_Duplicate(patterns, 1);
    (void) cJSON_AddItemToObject(entry, "patterns", copy);

    copy = cJSON_Duplicate(rules, 1);
    (void) cJSON_AddItemToObject(entry, "rules", copy);
    (void) cJSON_AddTrueToObject(entry, "careful");

    line = NULL;

    if (host == LEARN_NOTHING || learn_map_mirrors(site, host, entry)) {
        line = cJSON_PrintUnformatted(entry);
    }

    if (line != NULL) {
        learn_map_put(text, line, strlen(line));
        learn_map_put(text, "\n", 1);
    }

    cJSON_Delete(entry);
    free(line);

    return line != NULL;
}


static int
learn_map_mirrors(learn_site_t *site, uint32_t host, cJSON *entry)
{
    int        ok;
    char      *name, *own;
    cJSON     *hosts, *rules, *rule;
    uint32_t   i, n, *list;

    list = learn_map_list(site, &n);
    own = learn_map_token(site, host);
    rules = cJSON_GetObjectItem(entry, "rules");
    hosts = NULL;
    ok = (list != NULL && own != NULL);

    for (i = 0; ok && i < n; i++) {

        if (list[i] == host || learn_map_canonical(site, list[i]) != host) {
            continue;
        }

        name = learn_map_token(site, list[i]);
        hosts = (hosts != NULL) ? hosts
                                : cJSON_AddArrayToObject(entry, "hosts");
        rule = cJSON_CreateObject();

        ok = name != NULL
             && cJSON_AddItemToArray(hosts, cJSON_CreateString(name))
             && cJSON_AddStringToObject(cJSON_AddObjectToObject(rule, "from"),
                                        "host", name) != NULL
             && cJSON_AddStringToObject(cJSON_AddObjectToObject(rule, "to"),
                                        "host", own) != NULL
             && cJSON_AddItemToArray(rules, rule);
        free(name);
    }

    free(list);
    free(own);

    return ok;
}
