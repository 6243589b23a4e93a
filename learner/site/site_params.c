
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "site.h"


/*
 * WHICH NAMES GO
 *
 * URLs of a page mostly differ in several names at once, a session here and a
 * tracker there.  So all names that vary in a shape are let go together.  If
 * that makes URLs of several pages equal, some names stay, those without which
 * that is least so.  A name goes if URLs of a page become equal that had
 * different values of it, or of which one had it and the other had not.
 *
 * Names stay that seem to tell pages apart, even if nothing shows it: two
 * pages that differ in nothing else may just not be among those that are known.
 */

#define LEARN_PARAMS_SURE    20          /* groups that tell how labels err */
#define LEARN_PARAMS_ERR     0.1         /* at most */
#define LEARN_PARAMS_GOOD    10          /* groups that are enough, or one with
                                            a URL that lacks the name; */
#define LEARN_PARAMS_MUCH    50          /* or so many without any of these */
#define LEARN_PARAMS_CHANCE  2           /* pages that are wrong by chance */
#define LEARN_PARAMS_BARE    20          /* of values that repeat, in so many */


/* names that are to go */

typedef struct {
    const uint8_t      *set;             /* those in it, or NULL */
    unsigned            varies:1;        /* of the set, where they just vary */
    unsigned            known:1;         /* all, where it is known */
} learn_going_t;


/* what tells that a name may go */

typedef struct {
    uint64_t            good;            /* groups that have several values, */
    uint64_t            bare;            /* or URLs without it */
    uint64_t            last_good;       /* groups */
    uint64_t            last_bare;
} learn_leave_t;


typedef struct {
    learn_site_t       *site;
    uint8_t            *set;
    learn_leave_t      *leaves;          /* of each name */
    learn_leave_t      *all;             /* the same in all shapes */
    const uint32_t     *forms;           /* of the shape */
    uint32_t            shape;
    unsigned            elsewhere:1;     /* where nothing is known of them */
} learn_leaving_t;


static uint32_t  *learn_params_list(learn_site_t *site, uint32_t **first);
static int  learn_params_doubt(learn_site_t *site);
static uint32_t  learn_params_worst(learn_site_t *site, uint8_t *set,
    const learn_leaving_t *shape, learn_merged_t *least);
static int  learn_params_together(learn_site_t *site, const uint8_t *set,
    const learn_leaving_t *shape, learn_merged_t *merged);
static double  learn_params_share(const learn_merged_t *merged);
static int  learn_params_names(learn_site_t *site, const uint32_t *list,
    const uint32_t *first);
static void  learn_params_shape(learn_leaving_t *ctx);
static int  learn_params_leave(learn_leaving_t *ctx, learn_merged_t *merged);
static void  learn_params_repeats(learn_leaving_t *ctx);
static void  learn_params_pair(const learn_site_t *site, void *data,
    uint64_t group, const learn_form_t *one, const learn_form_t *two);
static void  learn_params_note(learn_leaving_t *ctx, const learn_form_t *form,
    uint32_t name, uint64_t group, int bare);
static int  learn_params_all(learn_site_t *site, const learn_leave_t *all);
static void  learn_params_settle(learn_site_t *site, uint32_t n,
    const uint32_t *fates, const learn_leave_t *all);
static int  learn_params_elsewhere(learn_site_t *site);
static int  learn_params_known(learn_site_t *site, learn_leave_t *leaves,
    learn_merged_t *merged);
static int  learn_params_make(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made);
static int  learn_params_goes(const learn_site_t *site,
    const learn_form_t *form, const learn_going_t *going,
    const uint32_t *pair);


int
learn_site_params(learn_site_t *site)
{
    int        ok;
    uint32_t   i, *list, *first;

    for (i = 0; i < site->nforms; i++) {
        site->forms[i].shape = learn_site_shape(site, &site->forms[i]);
        site->forms[i].set = learn_site_set(site, &site->forms[i]);

        if (site->failed) {
            return 0;
        }

        site->shapes[site->forms[i].shape].urls++;
    }

    list = learn_params_list(site, &first);
    site->failed |= (list == NULL);
    site->blur = 1;

    ok = !site->failed && learn_site_names(site, list, first)
         && learn_params_doubt(site) && learn_params_names(site, list, first)
         && learn_site_usual(site);

    site->blur = 0;

    free(list);
    free(first);

    return ok;
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


/* --- how often labels err */


/*
 * As often as it seems wrong to let all go that varies; but for names by which
 * much more is wrong than without them.
 */

static int
learn_params_doubt(learn_site_t *site)
{
    double           share, less;
    uint8_t         *set;
    uint32_t         worst;
    learn_merged_t   merged;

    set = malloc(site->nnames + 1);

    if (set == NULL) {
        site->failed = 1;
        return 0;
    }

    memset(set, 1, site->nnames + 1);

    if (learn_params_together(site, set, NULL, &merged)) {
        share = learn_params_share(&merged);

        while (merged.bad > 0) {
            worst = learn_params_worst(site, set, NULL, &merged);
            less = learn_params_share(&merged);

            if (worst == LEARN_NOTHING
                || merged.good + merged.bad < LEARN_PARAMS_SURE
                || (share < LEARN_PARAMS_ERR && 2 * less > share))
            {
                break;
            }

            set[worst] = 0;
            share = less;
        }

        site->doubt = (merged.bad > 0 && share < LEARN_PARAMS_ERR) ? share
                                                                   : 0;
    }

    free(set);

    return !site->failed;
}


/* the name without which least is wrong, and how much that is */

static uint32_t
learn_params_worst(learn_site_t *site, uint8_t *set,
    const learn_leaving_t *shape, learn_merged_t *least)
{
    uint32_t        i, worst;
    learn_merged_t  merged;

    worst = LEARN_NOTHING;

    for (i = 0; i < site->nnames && !site->failed; i++) {

        if (!set[i] || site->names[i].vary == 0) {
            continue;
        }

        set[i] = 0;

        if (learn_params_together(site, set, shape, &merged)
            && (worst == LEARN_NOTHING
                || learn_params_share(&merged) < learn_params_share(least)))
        {
            *least = merged;
            worst = i;
        }

        set[i] = 1;
    }

    return worst;
}


/* what becomes of a shape, or of all, if all of the set goes */

static int
learn_params_together(learn_site_t *site, const uint8_t *set,
    const learn_leaving_t *shape, learn_merged_t *merged)
{
    learn_going_t  going;

    memset(&going, 0, sizeof(learn_going_t));
    going.set = set;
    going.varies = (shape == NULL);
    merged->pair = NULL;

    if (shape == NULL) {
        return learn_site_merge(site, NULL, 0, learn_params_make, &going,
                                merged);
    }

    return learn_site_merge(site, shape->forms,
                            site->shapes[shape->shape].urls,
                            learn_params_make, &going, merged);
}


/* what is wrong of it, and more if few tell */

static double
learn_params_share(const learn_merged_t *merged)
{
    return ((double) merged->bad + 1)
           / ((double) (merged->good + merged->bad) + 2);
}


/* --- what can go */


static int
learn_params_names(learn_site_t *site, const uint32_t *list,
    const uint32_t *first)
{
    uint32_t         s;
    learn_leaving_t  ctx;

    memset(&ctx, 0, sizeof(learn_leaving_t));

    ctx.site = site;
    ctx.set = malloc(site->nnames + 1);
    ctx.leaves = malloc((site->nnames + 1) * sizeof(learn_leave_t));
    ctx.all = calloc(site->nnames + 1, sizeof(learn_leave_t));

    site->failed |= (ctx.set == NULL || ctx.leaves == NULL
                     || ctx.all == NULL);

    for (s = 0; s < site->nshapes && !site->failed; s++) {
        ctx.shape = s;
        ctx.forms = list + first[s];
        learn_params_shape(&ctx);
    }

    if (!site->failed) {
        (void) learn_params_all(site, ctx.all);
    }

    free(ctx.set);
    free(ctx.leaves);
    free(ctx.all);

    return !site->failed;
}


/* all names that vary, and then fewer, until nothing is wrong */

static void
learn_params_shape(learn_leaving_t *ctx)
{
    uint8_t         *fates, *traits;
    uint32_t         i, worst;
    uint64_t         bad;
    learn_site_t    *site;
    learn_merged_t   merged;

    site = ctx->site;
    fates = site->neutral + (size_t) ctx->shape * site->nnames;
    traits = site->traits + (size_t) ctx->shape * site->nnames;

    for (i = 0; i < site->nnames; i++) {
        ctx->set[i] = (traits[i] == LEARN_TRAIT_VARIES);
        fates[i] = (traits[i] & LEARN_TRAIT_TELLS) ? LEARN_FATE_STAYS
                                                   : LEARN_FATE_UNKNOWN;
    }

    if (site->shapes[ctx->shape].urls < 2) {
        return;
    }

    while (learn_params_leave(ctx, &merged) && !learn_site_fine(site, &merged))
    {
        bad = merged.bad;
        worst = learn_params_worst(site, ctx->set, ctx, &merged);

        if (worst == LEARN_NOTHING) {
            return;
        }

        ctx->set[worst] = 0;
        fates[worst] = (bad > LEARN_PARAMS_CHANCE) ? LEARN_FATE_STAYS
                                                   : LEARN_FATE_MAY_STAY;
    }

    for (i = 0; i < site->nnames && !site->failed; i++) {

        if (!ctx->set[i]) {
            continue;
        }

        ctx->all[i].good += ctx->leaves[i].good;
        ctx->all[i].bare += ctx->leaves[i].bare;

        if (ctx->leaves[i].good >= LEARN_PARAMS_GOOD) {
            fates[i] = LEARN_FATE_GOES;

        } else if (ctx->leaves[i].bare > 0) {
            fates[i] = LEARN_FATE_MAY_GO;
        }
    }

    learn_params_repeats(ctx);
}


/* lets all of the set go, and looks at what tells of each; 0 without memory */

static int
learn_params_leave(learn_leaving_t *ctx, learn_merged_t *merged)
{
    learn_going_t  going;

    memset(ctx->leaves, 0, (ctx->site->nnames + 1) * sizeof(learn_leave_t));
    memset(&going, 0, sizeof(learn_going_t));

    going.set = ctx->set;
    merged->pair = learn_params_pair;
    merged->data = ctx;

    return learn_site_merge(ctx->site, ctx->forms,
                            ctx->site->shapes[ctx->shape].urls,
                            learn_params_make, &going, merged);
}


/* names whose values repeat go if pages often have them not */

static void
learn_params_repeats(learn_leaving_t *ctx)
{
    size_t          at;
    uint32_t        i;
    learn_site_t   *site;
    learn_leave_t  *leave;
    learn_merged_t  merged;

    site = ctx->site;

    for (i = 0; i < site->nnames && !site->failed; i++) {
        at = (size_t) ctx->shape * site->nnames + i;

        if (!(site->traits[at] & LEARN_TRAIT_REPEATS)) {
            continue;
        }

        ctx->set[i] = 1;
        leave = &ctx->leaves[i];

        if (learn_params_leave(ctx, &merged) && leave->bare > 0
            && learn_site_fine(site, &merged)
            && LEARN_PARAMS_BARE * leave->bare >= leave->good)
        {
            site->neutral[at] = LEARN_FATE_GOES;

        } else {
            site->neutral[at] = (site->traits[at] & LEARN_TRAIT_OFTEN)
                                ? LEARN_FATE_STAYS : LEARN_FATE_MAY_STAY;
            ctx->set[i] = 0;
        }
    }
}


/* two URLs of a page that become equal: names that they differ in; both have
   them in order */

static void
learn_params_pair(const learn_site_t *site, void *data, uint64_t group,
    const learn_form_t *one, const learn_form_t *two)
{
    uint32_t          i, k;
    const uint32_t   *a, *b;
    learn_leaving_t  *ctx;

    (void) site;

    ctx = data;
    a = one->parts + one->nsegs;
    b = two->parts + two->nsegs;

    for (i = 0, k = 0; i < one->nparams || k < two->nparams; /* void */ ) {

        if (k == two->nparams
            || (i < one->nparams && a[2 * i] < b[2 * k]))
        {
            learn_params_note(ctx, one, a[2 * i], group, 1);
            i++;

        } else if (i == one->nparams || a[2 * i] > b[2 * k]) {
            learn_params_note(ctx, two, b[2 * k], group, 1);
            k++;

        } else {
            if (a[2 * i + 1] != b[2 * k + 1]) {
                learn_params_note(ctx, one, a[2 * i], group, 0);
            }

            i++;
            k++;
        }
    }
}


/* once for each group */

static void
learn_params_note(learn_leaving_t *ctx, const learn_form_t *form,
    uint32_t name, uint64_t group, int bare)
{
    uint32_t        n;
    learn_leave_t  *leave;

    n = ctx->site->name_of[name];
    leave = &ctx->leaves[n];

    if (ctx->elsewhere
        && ctx->site->neutral[(size_t) form->shape * ctx->site->nnames + n]
           != LEARN_FATE_UNKNOWN)
    {
        return;
    }

    leave->good += (leave->last_good != group);
    leave->last_good = group;

    if (bare) {
        leave->bare += (leave->last_bare != group);
        leave->last_bare = group;
    }
}


/* where nobody knows, it is as in all other shapes; then they go */

static int
learn_params_all(learn_site_t *site, const learn_leave_t *all)
{
    uint32_t       i, s, fates[LEARN_FATES];
    learn_going_t  going;

    for (i = 0; i < site->nnames; i++) {
        memset(fates, 0, sizeof(fates));

        for (s = 0; s < site->nshapes; s++) {
            fates[site->neutral[(size_t) s * site->nnames + i]]++;
        }

        learn_params_settle(site, i, fates, &all[i]);
    }

    memset(&going, 0, sizeof(learn_going_t));
    going.known = 1;

    return learn_params_elsewhere(site)
           && learn_site_take(site, learn_params_make, &going, 0);
}


/*
 * What is not certain is as it is where it is.  A name that no URL lacks needs
 * more that tells of it: it may be an id that has changed.
 */

static void
learn_params_settle(learn_site_t *site, uint32_t n, const uint32_t *fates,
    const learn_leave_t *all)
{
    int        never;
    uint8_t   *fate;
    uint32_t   s, goes, stays;

    goes = fates[LEARN_FATE_GOES] + (all->good >= LEARN_PARAMS_GOOD);
    stays = fates[LEARN_FATE_STAYS];

    if (goes + stays == 0) {
        goes = (fates[LEARN_FATE_MAY_GO] > fates[LEARN_FATE_MAY_STAY]);
        stays = !goes;
    }

    never = (all->bare == 0
             && (all->good < LEARN_PARAMS_MUCH || stays > 0
                 || fates[LEARN_FATE_MAY_STAY] > 0));

    site->names[n].neutral = (goes > 0 && stays == 0 && !never);

    for (s = 0; s < site->nshapes; s++) {
        fate = &site->neutral[(size_t) s * site->nnames + n];

        if (*fate == LEARN_FATE_MAY_GO || *fate == LEARN_FATE_MAY_STAY
            || (*fate == LEARN_FATE_GOES && never))
        {
            *fate = LEARN_FATE_UNKNOWN;
        }
    }
}


/*
 * What goes in some shapes goes in all of which nothing else is known; unless
 * pages of these become equal by it, each shape having had too few of them to
 * tell.
 */

static int
learn_params_elsewhere(learn_site_t *site)
{
    int              rc;
    uint32_t         i, worst;
    learn_leave_t   *leaves;
    learn_merged_t   all, without, least, by;

    leaves = malloc((site->nnames + 1) * sizeof(learn_leave_t));
    site->failed |= (leaves == NULL);

    rc = !site->failed && learn_params_known(site, leaves, &all);

    while (rc && all.bad > 0) {
        least = all;
        worst = LEARN_NOTHING;

        for (i = 0; i < site->nnames && rc; i++) {

            if (!site->names[i].neutral) {
                continue;
            }

            site->names[i].neutral = 0;
            rc = learn_params_known(site, NULL, &without);
            site->names[i].neutral = 1;

            if (rc && without.bad < least.bad) {
                least = without;
                worst = i;
            }
        }

        if (!rc || worst == LEARN_NOTHING) {
            break;
        }

        by.good = leaves[worst].good;
        by.bad = all.bad - least.bad;

        if (learn_site_fine(site, &by)) {
            break;
        }

        site->names[worst].neutral = 0;
        rc = learn_params_known(site, leaves, &all);
    }

    free(leaves);

    return rc;
}


/* what becomes of all shapes by what is known, and what tells of names there */

static int
learn_params_known(learn_site_t *site, learn_leave_t *leaves,
    learn_merged_t *merged)
{
    learn_going_t    going;
    learn_leaving_t  ctx;

    memset(&going, 0, sizeof(learn_going_t));
    memset(&ctx, 0, sizeof(learn_leaving_t));

    going.known = 1;
    ctx.site = site;
    ctx.leaves = leaves;
    ctx.elsewhere = 1;
    merged->data = &ctx;
    merged->pair = NULL;

    if (leaves != NULL) {
        memset(leaves, 0, (site->nnames + 1) * sizeof(learn_leave_t));
        merged->pair = learn_params_pair;
    }

    return learn_site_merge(site, NULL, 0, learn_params_make, &going, merged);
}


/* the form without what goes */

static int
learn_params_make(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made)
{
    uint32_t  k, gone;

    gone = 0;

    for (k = 0; k < form->nparams; k++) {
        if (learn_params_goes(site, form, data,
                              form->parts + form->nsegs + 2 * k))
        {
            gone |= UINT32_C(1) << k;
        }
    }

    return learn_form_without(form, gone, made);
}


static int
learn_params_goes(const learn_site_t *site, const learn_form_t *form,
    const learn_going_t *going, const uint32_t *pair)
{
    size_t    at;
    uint32_t  n;

    n = site->name_of[pair[0]];
    at = (size_t) form->shape * site->nnames + n;

    if (going->known) {
        return !learn_site_stays(site, form->shape, n);
    }

    return going->set[n] && (!going->varies
                             || site->traits[at] == LEARN_TRAIT_VARIES);
}


int
learn_site_stays(const learn_site_t *site, uint32_t shape, uint32_t n)
{
    uint8_t  fate;

    fate = (shape == LEARN_NOTHING)
           ? LEARN_FATE_UNKNOWN
           : site->neutral[(size_t) shape * site->nnames + n];

    return fate == LEARN_FATE_STAYS
           || (fate == LEARN_FATE_UNKNOWN && !site->names[n].neutral);
}
