
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "site.h"


#define LEARN_PARAMS_PAGES   3           /* that have to tell */
#define LEARN_PARAMS_VARY    15          /* percent of these */
#define LEARN_PARAMS_LOYAL   4           /* values that are of one page only, */
#define LEARN_PARAMS_MANY    20          /* of so many */
#define LEARN_PARAMS_SURE    20          /* groups that tell how labels err */
#define LEARN_PARAMS_ERR     0.1         /* at most */


/* a value of a name in a page */

typedef struct {
    uint32_t            name;
    uint32_t            value;
    uint32_t            cluster;
} learn_valued_t;


/* a name that is to go from forms of some shapes */

typedef struct {
    uint32_t            name;
    uint32_t            value;           /* or LEARN_NOTHING for any */
    const uint8_t      *set;             /* all names that are in it, or NULL */
    unsigned            table:1;         /* where that is known */
} learn_going_t;


static int  learn_params_names(learn_site_t *site);
static void  learn_params_pages(learn_site_t *site);
static void  learn_params_page(learn_site_t *site, uint32_t first,
    uint32_t last);
static int  learn_params_values(learn_site_t *site);
static void  learn_params_value(learn_site_t *site, learn_valued_t *list,
    size_t n);
static int  learn_params_by_value(const void *one, const void *two);
static void  learn_params_candidates(learn_site_t *site);
static int  learn_params_doubt(learn_site_t *site);
static double  learn_params_wrong(learn_site_t *site, const uint8_t *set);
static uint32_t  *learn_params_list(learn_site_t *site, uint32_t **first);
static int  learn_params_try(learn_site_t *site, uint32_t name,
    const uint32_t *list, const uint32_t *first);
static uint32_t  learn_params_next(const learn_site_t *site,
    const uint8_t *done);
static int  learn_params_usual(learn_site_t *site);
static int  learn_params_without(learn_site_t *site, uint64_t *counts,
    uint32_t *values, uint32_t first, uint32_t last);
static int  learn_params_make(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made);
static int  learn_params_goes(const learn_site_t *site,
    const learn_going_t *going, const uint32_t *pair);


int
learn_site_params(learn_site_t *site)
{
    uint8_t   *done;
    uint32_t   i, name, *list, *first;

    for (i = 0; i < site->nforms; i++) {
        site->forms[i].shape = learn_site_shape(site, &site->forms[i]);
        site->shapes[site->forms[i].shape].urls++;
        site->forms[i].set = learn_site_set(site, &site->forms[i]);
    }

    if (site->failed || !learn_params_names(site)) {
        return 0;
    }

    learn_params_pages(site);

    if (!learn_params_values(site)) {
        return 0;
    }

    learn_params_candidates(site);
    site->blur = 1;

    if (!learn_params_doubt(site)) {
        return 0;
    }

    done = calloc(site->nnames + 1, 1);
    list = learn_params_list(site, &first);

    for ( ;; ) {
        name = (done != NULL && list != NULL && !site->failed)
               ? learn_params_next(site, done) : LEARN_NOTHING;

        if (name == LEARN_NOTHING
            || !learn_params_try(site, name, list, first))
        {
            break;
        }

        done[name] = 1;
    }

    site->failed |= (done == NULL || list == NULL);

    free(done);
    free(list);
    free(first);

    if (!site->failed) {
        (void) learn_params_usual(site);
    }

    site->blur = 0;

    return !site->failed;
}


/* all names, each once */

static int
learn_params_names(learn_site_t *site)
{
    uint32_t  i, k, name;

    site->name_of = malloc((site->ntokens + 1) * sizeof(uint32_t));
    site->names = calloc(site->ntokens + 1, sizeof(learn_site_name_t));

    if (site->name_of == NULL || site->names == NULL) {
        site->failed = 1;
        return 0;
    }

    memset(site->name_of, 0xff, (site->ntokens + 1) * sizeof(uint32_t));

    for (i = 0; i < site->nforms; i++) {

        for (k = 0; k < site->forms[i].nparams; k++) {
            name = site->forms[i].parts[site->forms[i].nsegs + 2 * k];

            if (site->name_of[name] == LEARN_NOTHING) {
                site->name_of[name] = site->nnames;
                site->names[site->nnames].name = name;
                site->names[site->nnames].usual = LEARN_NOTHING;
                site->names[site->nnames].seen = LEARN_NOTHING;
                site->nnames++;
            }
        }
    }

    site->neutral = calloc((size_t) (site->nshapes + 1) * (site->nnames + 1),
                           1);
    site->failed |= (site->neutral == NULL);

    return !site->failed;
}


/* --- what names do within pages */


static void
learn_params_pages(learn_site_t *site)
{
    uint32_t  first, last;

    for (first = 0; first < site->nforms; first = last) {

        for (last = first + 1; last < site->nforms
                               && site->forms[last].cluster
                                  == site->forms[first].cluster; last++)
        {
            /* void */
        }

        if (last - first > 1) {
            learn_params_page(site, first, last);
        }
    }
}


static void
learn_params_page(learn_site_t *site, uint32_t first, uint32_t last)
{
    uint32_t             i, k;
    const uint32_t      *pairs;
    learn_site_name_t   *name;
    const learn_form_t  *form;

    for (i = first; i < last; i++) {
        form = &site->forms[i];
        pairs = form->parts + form->nsegs;

        for (k = 0; k < form->nparams; k++) {
            name = &site->names[site->name_of[pairs[2 * k]]];

            if (name->seen != first) {
                name->seen = first;
                name->have = 0;
                name->differ = 0;
            }

            name->differ |= (name->have > 0
                             && name->last != pairs[2 * k + 1]);
            name->last = pairs[2 * k + 1];
            name->have += (k == 0 || pairs[2 * k] != pairs[2 * k - 2]);
        }
    }

    /* once more, each name once */

    for (i = first; i < last; i++) {
        form = &site->forms[i];
        pairs = form->parts + form->nsegs;

        for (k = 0; k < form->nparams; k++) {
            name = &site->names[site->name_of[pairs[2 * k]]];

            if (name->seen != first) {
                continue;
            }

            name->seen = LEARN_NOTHING;
            name->some += (name->have < last - first);

            if (name->have > 1) {
                name->pages++;
                name->vary += name->differ;
            }
        }
    }
}


/* --- what values are, in all of the site */


static int
learn_params_values(learn_site_t *site)
{
    size_t           i, k, n;
    learn_form_t    *form;
    learn_valued_t  *list;

    n = 0;

    for (i = 0; i < site->nforms; i++) {
        n += site->forms[i].nparams;
    }

    list = malloc((n + 1) * sizeof(learn_valued_t));

    if (list == NULL) {
        site->failed = 1;
        return 0;
    }

    n = 0;

    for (i = 0; i < site->nforms; i++) {
        form = &site->forms[i];

        for (k = 0; k < form->nparams; k++, n++) {
            list[n].name = form->parts[form->nsegs + 2 * k];
            list[n].value = form->parts[form->nsegs + 2 * k + 1];
            list[n].cluster = form->cluster;
        }
    }

    if (n > 0) {
        qsort(list, n, sizeof(learn_valued_t), learn_params_by_value);
        learn_params_value(site, list, n);
    }

    free(list);

    return 1;
}


static int
learn_params_by_value(const void *one, const void *two)
{
    const learn_valued_t  *a, *b;

    a = one;
    b = two;

    if (a->name != b->name) {
        return (a->name > b->name) ? 1 : -1;
    }

    if (a->value != b->value) {
        return (a->value > b->value) ? 1 : -1;
    }

    return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}


static void
learn_params_value(learn_site_t *site, learn_valued_t *list, size_t n)
{
    size_t              i, k, run, most;
    learn_site_name_t  *name;

    name = NULL;

    for (i = 0; i < n; i = k) {

        if (name == NULL || name->name != list[i].name) {
            name = &site->names[site->name_of[list[i].name]];
        }

        name->values++;
        name->only = list[i].value;
        run = 1;
        most = 1;

        for (k = i + 1; k < n && list[k].name == list[i].name
                        && list[k].value == list[i].value; k++)
        {
            run = (list[k].cluster == list[k - 1].cluster) ? run + 1 : 1;
            most = (run > most) ? run : most;
        }

        if (k - i > 1) {
            if (5 * most >= 4 * (k - i)) {
                name->loyal++;

            } else {
                name->shared++;
            }
        }
    }
}


/*
 * Values that differ within pages, or one that is there or not.  A name of
 * which values come back and then always with the same page tells the page,
 * even if that page has several of them.
 */

static void
learn_params_candidates(learn_site_t *site)
{
    int                 loyal;
    uint32_t            i;
    learn_site_name_t  *name;

    for (i = 0; i < site->nnames; i++) {
        name = &site->names[i];

        loyal = name->values > LEARN_PARAMS_MANY
                && name->loyal >= LEARN_PARAMS_LOYAL
                && 5 * name->loyal >= 4 * (name->loyal + name->shared);

        name->candidate = !loyal
            && ((name->pages >= LEARN_PARAMS_PAGES
                 && 100 * (uint64_t) name->vary
                    > LEARN_PARAMS_VARY * (uint64_t) name->pages)
                || (name->values == 1 && name->some >= LEARN_PARAMS_PAGES));
    }
}


/* --- what can go */


/*
 * Labels err as often as it seems wrong to let all candidates go; but for those
 * of them that are none, by which much more would be wrong.
 */

static int
learn_params_doubt(learn_site_t *site)
{
    double    share, less, least;
    uint8_t  *set;
    uint32_t  i, worst;

    set = calloc(site->nnames + 1, 1);

    if (set == NULL) {
        site->failed = 1;
        return 0;
    }

    for (i = 0; i < site->nnames; i++) {
        set[i] = site->names[i].candidate;
    }

    for ( ;; ) {
        share = learn_params_wrong(site, set);

        if (share < LEARN_PARAMS_ERR || site->failed) {
            break;
        }

        worst = LEARN_NOTHING;
        least = share;

        for (i = 0; i < site->nnames; i++) {

            if (!set[i]) {
                continue;
            }

            set[i] = 0;
            less = learn_params_wrong(site, set);
            set[i] = 1;

            if (less < least) {
                least = less;
                worst = i;
            }
        }

        if (worst == LEARN_NOTHING) {
            break;
        }

        set[worst] = 0;
    }

    site->doubt = (share < LEARN_PARAMS_ERR) ? share : 0;
    free(set);

    return !site->failed;
}


/* the share that would be wrong if these went; 0 if few tell */

static double
learn_params_wrong(learn_site_t *site, const uint8_t *set)
{
    uint64_t       good, bad;
    learn_going_t  going;

    memset(&going, 0, sizeof(learn_going_t));
    going.value = LEARN_NOTHING;
    going.set = set;

    if (!learn_site_merge(site, NULL, 0, learn_params_make, &going, &good,
                          &bad)
        || good + bad < LEARN_PARAMS_SURE)
    {
        return 0;
    }

    return (double) bad / (double) (good + bad);
}


/* the one that varies most */

static uint32_t
learn_params_next(const learn_site_t *site, const uint8_t *done)
{
    double                    share, most;
    uint32_t                  i, best;
    const learn_site_name_t  *name;

    most = -1;
    best = LEARN_NOTHING;

    for (i = 0; i < site->nnames; i++) {
        name = &site->names[i];

        if (done[i] || !name->candidate) {
            continue;
        }

        share = (name->pages > 0) ? (double) name->vary / name->pages : 0;

        if (share > most) {
            most = share;
            best = i;
        }
    }

    return best;
}


/* forms by shape; first[s] is where those of one begin */

static uint32_t *
learn_params_list(learn_site_t *site, uint32_t **first)
{
    uint32_t   i, s, *list, *at;

    list = malloc((site->nforms + 1) * sizeof(uint32_t));
    at = calloc(site->nshapes + 2, sizeof(uint32_t));
    *first = at;

    if (list == NULL || at == NULL) {
        free(list);
        return NULL;
    }

    for (s = 0; s < site->nshapes; s++) {
        at[s + 1] = at[s] + site->shapes[s].urls;
    }

    for (i = 0; i < site->nforms; i++) {
        list[at[site->forms[i].shape]++] = i;
    }

    for (s = site->nshapes; s > 0; s--) {
        at[s] = at[s - 1];
    }

    at[0] = 0;

    return list;
}


/* shape by shape; where nobody knows, as in all others */

static int
learn_params_try(learn_site_t *site, uint32_t n, const uint32_t *list,
    const uint32_t *first)
{
    uint8_t            *fate;
    uint32_t            s, goes, stays;
    uint64_t            good, bad;
    learn_going_t       going;
    learn_site_name_t  *name;

    memset(&going, 0, sizeof(learn_going_t));
    going.name = n;
    going.value = LEARN_NOTHING;

    name = &site->names[n];
    goes = 0;
    stays = 0;

    for (s = 0; s < site->nshapes; s++) {

        if (site->shapes[s].urls < 2) {
            continue;
        }

        if (!learn_site_merge(site, list + first[s], site->shapes[s].urls,
                              learn_params_make, &going, &good, &bad))
        {
            return 0;
        }

        if (good + bad == 0) {
            continue;
        }

        fate = &site->neutral[(size_t) s * site->nnames + n];
        *fate = learn_site_fine(site, good, bad) ? 1 : 2;

        goes += (*fate == 1);
        stays += (*fate == 2);
    }

    name->neutral = (goes > 0 && stays == 0);
    name->mixed = (goes > 0 && stays > 0);

    going.table = 1;

    return goes == 0 || learn_site_take(site, learn_params_make, &going, 0);
}


/* the form without the name, or without one of its values */

static int
learn_params_make(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made)
{
    uint8_t               fate;
    uint32_t              k, n;
    const uint32_t       *pairs;
    const learn_going_t  *going;

    going = data;
    pairs = form->parts + form->nsegs;

    if (going->table) {
        fate = site->neutral[(size_t) form->shape * site->nnames
                             + going->name];

        if (fate == 2 || (fate == 0 && !site->names[going->name].neutral)) {
            return 0;
        }
    }

    n = 0;

    for (k = 0; k < form->nparams; k++) {

        if (learn_params_goes(site, going, pairs + 2 * k)) {
            continue;
        }

        made->parts[form->nsegs + 2 * n] = pairs[2 * k];
        made->parts[form->nsegs + 2 * n + 1] = pairs[2 * k + 1];
        n++;
    }

    if (n == form->nparams) {
        return 0;
    }

    made->form = *form;
    made->form.parts = made->parts;
    made->form.nparams = (uint16_t) n;
    memcpy(made->parts, form->parts, form->nsegs * sizeof(uint32_t));
    learn_site_hash(&made->form);

    return 1;
}


static int
learn_params_goes(const learn_site_t *site, const learn_going_t *going,
    const uint32_t *pair)
{
    if (going->set != NULL) {
        return going->set[site->name_of[pair[0]]];
    }

    return pair[0] == site->names[going->name].name
           && (going->value == LEARN_NOTHING || pair[1] == going->value);
}


/* --- values that go without saying */


static int
learn_params_usual(learn_site_t *site)
{
    uint32_t        i, first, last, *values;
    uint64_t        good, bad, *counts;
    learn_going_t   going;

    counts = calloc(site->nnames + 1, sizeof(uint64_t));
    values = calloc(site->nnames + 1, sizeof(uint32_t));

    site->failed |= (counts == NULL || values == NULL);

    for (first = 0; first < site->nforms && !site->failed; first = last) {

        for (last = first + 1; last < site->nforms
                               && site->forms[last].cluster
                                  == site->forms[first].cluster; last++)
        {
            /* void */
        }

        if (last - first > 1) {
            (void) learn_params_without(site, counts, values, first, last);
        }
    }

    memset(&going, 0, sizeof(learn_going_t));

    for (i = 0; i < site->nnames && !site->failed; i++) {

        if (counts[i] < 2) {
            continue;
        }

        going.name = i;
        going.value = values[i];

        if (learn_site_merge(site, NULL, 0, learn_params_make, &going, &good,
                             &bad)
            && good >= 2 && learn_site_fine(site, good, bad))
        {
            site->names[i].usual = values[i];
            (void) learn_site_take(site, learn_params_make, &going, 0);
        }
    }

    free(counts);
    free(values);

    return !site->failed;
}


/*
 * Values whose URL is also there without them.  Of each name one is counted,
 * by a vote: others take its count away, and its place when that is gone.
 */

static int
learn_params_without(learn_site_t *site, uint64_t *counts, uint32_t *values,
    uint32_t first, uint32_t last)
{
    uint32_t        i, j, k, n;
    learn_form_t   *form;
    learn_going_t   going;
    learn_made_t    made;

    last = (last - first > 16) ? first + 16 : last;
    memset(&going, 0, sizeof(learn_going_t));

    for (i = first; i < last; i++) {
        form = &site->forms[i];

        for (k = 0; k < form->nparams; k++) {
            n = site->name_of[form->parts[form->nsegs + 2 * k]];
            going.name = n;
            going.value = form->parts[form->nsegs + 2 * k + 1];

            if (!learn_params_make(site, form, &going, &made)) {
                continue;
            }

            for (j = first; j < last; j++) {
                if (learn_form_eq(&site->forms[j], &made.form)) {
                    break;
                }
            }

            if (j == last) {
                continue;
            }

            if (counts[n] == 0 || values[n] == going.value) {
                values[n] = going.value;
                counts[n]++;

            } else {
                counts[n]--;
            }
        }
    }

    return 1;
}
