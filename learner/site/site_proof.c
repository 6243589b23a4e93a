
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "deployed.h"
#include "site.h"


/*
 * WHAT ALL RULES DO TOGETHER
 *
 * Rules are made of steps that were tried one after the other.  In a map each
 * URL meets one rule, the most precise one, which may have been made for other
 * URLs.  So the map is deployed, and what it makes of all that is known is
 * looked at: rules go until it is right.
 *
 * It is wrong if URLs of different pages become equal, and also if a URL goes
 * astray: to a path from which no steps lead to where its own steps led.  Of
 * few pages, hardly two become equal by that, but of all pages many would.
 */

#define LEARN_PROOF_URL  8192


typedef struct {
    uint64_t            to;
    uint64_t            from;
    uint32_t            form;
    uint32_t            cluster;
    unsigned            moved:1;
    unsigned            astray:1;
} learn_proof_t;


static int  learn_proof_clear(learn_site_t *site, learn_site_rule_t *rules,
    uint32_t *n, int bare);
static int  learn_proof_run(learn_site_t *site,
    const learn_site_rule_t *rules, uint32_t n, int bare,
    learn_proof_t *list, size_t nlist);
static int  learn_proof_astray(learn_site_t *site, uint32_t form,
    const miqps_str_t *result);
static int  learn_proof_follow(learn_site_t *site, const learn_form_t *from,
    const learn_form_t *to);
static size_t  learn_proof_count(learn_proof_t *list, size_t n,
    learn_merged_t *merged);
static int  learn_proof_drop(learn_site_t *site, learn_site_rule_t *rules,
    uint32_t *n, int bare, learn_proof_t *list, size_t nlist, uint64_t bad);
static int  learn_proof_by_to(const void *one, const void *two);


/* rules alone first: a map with all patterns is compiled as often */

int
learn_site_proof(learn_site_t *site, learn_site_rule_t *rules, uint32_t *n)
{
    return learn_proof_clear(site, rules, n, 1)
           && learn_proof_clear(site, rules, n, 0);
}


static int
learn_proof_clear(learn_site_t *site, learn_site_rule_t *rules, uint32_t *n,
    int bare)
{
    int              dropped;
    size_t           wrong;
    uint32_t         i;
    learn_merged_t   merged;
    learn_proof_t   *list;

    list = malloc((site->nforms + (size_t) 1) * sizeof(learn_proof_t));
    site->failed |= (list == NULL);
    dropped = 1;

    while (!site->failed && dropped && *n > 0) {

        for (i = 0; i < site->nforms; i++) {
            list[i].form = i;
        }

        if (!learn_proof_run(site, rules, *n, bare, list, site->nforms)) {
            break;
        }

        wrong = learn_proof_count(list, site->nforms, &merged);
        dropped = (merged.astray > 0 || !learn_site_fine(site, &merged))
                  && learn_proof_drop(site, rules, n, bare, list, wrong,
                                      merged.bad + merged.astray);
    }

    free(list);

    return !site->failed;
}


int
learn_site_weigh(learn_site_t *site, const learn_site_rule_t *rules,
    uint32_t n, int bare, uint64_t *left, uint64_t *bad)
{
    uint32_t         i;
    learn_merged_t   merged;
    learn_proof_t   *list;

    list = malloc((site->nforms + (size_t) 1) * sizeof(learn_proof_t));
    site->failed |= (list == NULL);

    for (i = 0; i < site->nforms && !site->failed; i++) {
        list[i].form = i;
    }

    if (!site->failed
        && learn_proof_run(site, rules, n, bare, list, site->nforms))
    {
        (void) learn_proof_count(list, site->nforms, &merged);
        *left = merged.left;
        *bad = merged.bad + merged.astray;
    }

    free(list);

    return !site->failed;
}


/* what the map makes of the URLs of the list */

static int
learn_proof_run(learn_site_t *site, const learn_site_rule_t *rules,
    uint32_t n, int bare, learn_proof_t *list, size_t nlist)
{
    int                ok, moved;
    char              *text;
    size_t             i, len;
    uint8_t            url[LEARN_PROOF_URL];
    miqps_str_t        str, result;
    learn_form_t      *form;
    learn_deployed_t   deployed;

    text = learn_site_text(site, rules, n, bare, &len);

    if (text == NULL) {
        site->failed = 1;
        return 0;
    }

    ok = learn_deployed_init(&deployed, text, len);
    free(text);

    for (i = 0; i < nlist && ok; i++) {
        form = bare ? &site->bare[list[i].form]
                    : &site->given[list[i].form];
        str.data = url;
        str.len = learn_site_url(site, form, "http", url, sizeof(url));

        ok = learn_deployed_url(&deployed, &str, &result, &moved);

        list[i].to = ok ? XXH3_64bits(result.data, result.len) : 0;
        list[i].from = form->hash;
        list[i].cluster = form->cluster;
        list[i].moved = (moved != 0);
        list[i].astray = ok && moved
                         && learn_proof_astray(site, list[i].form, &result);
    }

    learn_deployed_release(&deployed);
    site->failed |= !ok;

    return ok;
}


/* true if the path is not where the form's own steps lead, nor on the way */

static int
learn_proof_astray(learn_site_t *site, uint32_t form,
    const miqps_str_t *result)
{
    int       astray;
    uint32_t  n;

    n = site->nforms;

    if (!learn_site_add(site, result, LEARN_NOTHING) || site->nforms == n) {
        return 1;
    }

    astray = !learn_proof_follow(site, &site->forms[n], &site->forms[form]);
    learn_site_drop(site, n);

    return astray;
}


static int
learn_proof_follow(learn_site_t *site, const learn_form_t *from,
    const learn_form_t *to)
{
    uint32_t      i, k;
    learn_made_t  made[2];

    k = 0;

    for (i = 0; i < site->nsteps; i++) {
        if (learn_step_make(site, from, &site->steps[i], &made[k])) {
            from = &made[k].form;
            k ^= 1;
        }
    }

    return from->nsegs == to->nsegs
           && memcmp(from->parts, to->parts, to->nsegs * sizeof(uint32_t))
              == 0;
}


/*
 * What becomes equal where rules apply.  URLs of which that is wrong come first
 * in the list then: how many they are.
 */

static size_t
learn_proof_count(learn_proof_t *list, size_t n, learn_merged_t *merged)
{
    int             moved, several;
    size_t          i, j, k, wrong;
    uint64_t        pages, astray;
    learn_proof_t   one;

    memset(merged, 0, sizeof(learn_merged_t));
    wrong = 0;

    if (n > 0) {
        qsort(list, n, sizeof(learn_proof_t), learn_proof_by_to);
    }

    for (i = 0; i < n; i = k) {
        merged->left++;
        moved = 0;
        several = 0;
        pages = 0;
        astray = merged->astray;

        for (k = i; k < n && list[k].to == list[i].to; k++) {
            moved |= (int) list[k].moved;
            several |= (list[k].from != list[i].from);
            pages += (k == i || list[k].cluster != list[k - 1].cluster);
            merged->astray += list[k].astray;
        }

        if (moved && several) {
            merged->good += (pages == 1);
            merged->bad += pages - 1;
        }

        if ((!moved || !several || pages == 1) && merged->astray == astray) {
            continue;
        }

        for (j = i; j < k; j++) {
            one = list[wrong];
            list[wrong++] = list[j];
            list[j] = one;
        }
    }

    return wrong;
}


/* the rule without which least is wrong; 0 if none of them helps */

static int
learn_proof_drop(learn_site_t *site, learn_site_rule_t *rules, uint32_t *n,
    int bare, learn_proof_t *list, size_t nlist, uint64_t bad)
{
    uint32_t            i, best;
    learn_merged_t      merged;
    learn_site_rule_t  *fewer;

    best = LEARN_NOTHING;
    fewer = malloc(*n * sizeof(learn_site_rule_t));

    if (fewer == NULL) {
        site->failed = 1;
        return 0;
    }

    /* the last ones have the fewest URLs */

    for (i = *n; i-- > 0; /* void */ ) {
        memcpy(fewer, rules, i * sizeof(learn_site_rule_t));
        memcpy(fewer + i, rules + i + 1,
               (*n - i - 1) * sizeof(learn_site_rule_t));

        if (!learn_proof_run(site, fewer, *n - 1, bare, list, nlist)) {
            break;
        }

        (void) learn_proof_count(list, nlist, &merged);

        if (merged.bad + merged.astray < bad) {
            bad = merged.bad + merged.astray;
            best = i;
        }
    }

    free(fewer);

    if (best == LEARN_NOTHING || site->failed) {
        return 0;
    }

    (*n)--;
    memmove(rules + best, rules + best + 1,
            (*n - best) * sizeof(learn_site_rule_t));

    return 1;
}


static int
learn_proof_by_to(const void *one, const void *two)
{
    const learn_proof_t  *a, *b;

    a = one;
    b = two;

    if (a->to != b->to) {
        return (a->to > b->to) ? 1 : -1;
    }

    if (a->cluster != b->cluster) {
        return (a->cluster > b->cluster) ? 1 : -1;
    }

    return (a->form > b->form) - (a->form < b->form);
}
