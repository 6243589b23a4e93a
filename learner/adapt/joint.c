
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <xxhash.h>

#include "adapt.h"


/*
 * WHOLE URLS, AND WHAT IS LEFT OF THEM
 *
 * It is what will be done to them, tried on some of them.  The next one is that
 * from which most is to be learned: names with few trials of their own, another
 * page than before, other segments in its path, other values, other names with
 * them, and names that go in front of some that stay, since there are programs
 * that do not read on behind a name that they do not know.  If a URL differs
 * from what is left of it, and does not where the same names are at its end,
 * the host has such a program, and no name goes, whatever is known of it.
 *
 * To three URLs in four those names are added, behind all others, that go and
 * that they have not, with values of other URLs; one in four is as it came.
 *
 * First each kind gets what is needed at least, where others with the same
 * names count, too; and then, kind after kind, what is needed in it alone.
 * Where the path has segments of which there are only some, each is tried.
 *
 * That is enough for names that matter for one page in five.  Many matter for
 * fewer: languages into which few pages are translated, pages of lists that are
 * mostly short, previews of drafts.  What is left of the budget is for these:
 * twice as many trials, and then twice as many again, as far as it goes.
 */

#define LEARN_JOINT_FIRST   512          /* URLs that are looked through, */
#define LEARN_JOINT_EACH    24           /* and so many of each name */
#define LEARN_JOINT_MOST    160          /* trials of a kind */
#define LEARN_JOINT_AHEAD   8
#define LEARN_JOINT_PLAIN   4            /* one in so many */
#define LEARN_JOINT_BITS    8192         /* of what was seen */
#define LEARN_JOINT_SEGS    6            /* segments of a path */
#define LEARN_JOINT_WORD    4            /* URLs of a segment that is a word */
#define LEARN_JOINT_SPARE   32           /* fetches, for second looks */

/* what a URL is worth */

#define LEARN_JOINT_NAME    1000         /* that was never tried */
#define LEARN_JOINT_PAGE    1000
#define LEARN_JOINT_PART    300
#define LEARN_JOINT_VALUE   150
#define LEARN_JOINT_SET     100
#define LEARN_JOINT_FRONT   500

/* what hashes are of */

#define LEARN_JOINT_OF_PAGE   1
#define LEARN_JOINT_OF_SET    2
#define LEARN_JOINT_OF_VALUE  3
#define LEARN_JOINT_OF_VIEW   4          /* a page, by a viewer, */
#define LEARN_JOINT_OF_NAME   16         /* and with a name */


/* a URL that may be tried */

typedef struct {
    uint32_t            url;
    learn_traits_t      has;
    learn_traits_t      less;            /* of these */
    uint32_t            page;            /* what is left, as a hash, */
    uint32_t            set;             /* its names, in their order, */
    uint32_t            parts[LEARN_JOINT_SEGS];  /* and its path */
    unsigned            words:1;         /* few URLs have other segments */
    unsigned            front:1;         /* what goes is in front */
} learn_candidate_t;


struct learn_joint_s {
    learn_candidate_t  *list;
    uint32_t            n;
    uint32_t            done[LEARN_JOINT_MOST];   /* in earlier steps, */
    uint8_t             viewers[LEARN_JOINT_MOST];
    uint32_t            ndone;
    learn_traits_t      loose;           /* what "less" was made by, */
    learn_traits_t      values;          /* and defaults */
    unsigned            filled:1;
};


/* what was tried so far, and is about to be */

typedef struct {
    learn_adapt_t      *adapt;
    learn_kind_t       *kind;
    learn_joint_t      *joint;
    uint32_t            times;           /* what is needed; 0: at least */
    uint32_t            order[LEARN_JOINT_MOST];
    uint8_t             by[LEARN_JOINT_MOST];     /* viewers of these */
    uint32_t            n;
    uint32_t            own[LEARN_ADAPT_TRAITS];
    uint32_t            same[LEARN_ADAPT_TRAITS];
    unsigned            viewers[LEARN_ADAPT_TRAITS];
    uint32_t            fronts;
    uint64_t            seen[LEARN_JOINT_BITS / 64];
} learn_joining_t;


static int  learn_joint_run(learn_adapt_t *adapt, learn_kind_t *kind,
    uint32_t times);
static int  learn_joint_create(learn_adapt_t *adapt, learn_kind_t *kind);
static void  learn_joint_words(learn_joint_t *joint);
static void  learn_joint_fill(learn_joining_t *run);
static void  learn_joint_page(learn_joining_t *run, learn_candidate_t *one);
static void  learn_joint_homes(learn_joining_t *run);
static uint32_t  learn_joint_next(const learn_joining_t *run);
static uint32_t  learn_joint_worth(const learn_joining_t *run,
    const learn_candidate_t *one);
static uint32_t  learn_joint_target(const learn_joining_t *run,
    uint32_t trait);
static uint32_t  learn_joint_tried(const learn_joining_t *run,
    uint32_t trait);
static void  learn_joint_count(learn_joining_t *run, uint32_t place,
    uint32_t turn, int passed);
static unsigned  learn_joint_viewer(const learn_joining_t *run,
    const learn_candidate_t *one, uint32_t turn);
static int  learn_joint_fresh(const learn_joining_t *run,
    const learn_candidate_t *one, uint32_t trait);
static int  learn_joint_ask(learn_joining_t *run, uint32_t place,
    uint32_t turn);
static int  learn_joint_differs(learn_joining_t *run, uint32_t place,
    const learn_home_t *home, const learn_traits_t *group,
    const miqps_str_t *poor, learn_pair_t *pair);
static miqps_str_t  learn_joint_behind(const learn_joining_t *run,
    const learn_home_t *home, const miqps_str_t *poor);
static int  learn_joint_spare(const learn_joining_t *run,
    const miqps_str_t *rich, unsigned viewer);
static int  learn_joint_nothing(learn_joining_t *run,
    const learn_home_t *home, const miqps_str_t *rich,
    const miqps_str_t *poor);
static void  learn_joint_trial(const learn_joining_t *run, uint32_t place,
    uint32_t turn, learn_home_t *home, learn_traits_t *group);
static void  learn_joint_note(learn_joining_t *run, uint32_t place,
    const learn_home_t *home, const learn_pair_t *pair);


#define learn_joint_hash(what, data, len)                                    \
    ((uint32_t) XXH3_64bits_withSeed(data, len, what))
#define learn_joint_seen(run, hash)                                          \
    ((run)->seen[(hash) % LEARN_JOINT_BITS / 64] >> ((hash) % 64) & 1)
#define learn_joint_see(run, hash)                                           \
    ((run)->seen[(hash) % LEARN_JOINT_BITS / 64] |=                          \
        UINT64_C(1) << ((hash) % 64))


int
learn_joint_least(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_joint_run(adapt, kind, 0);
}


int
learn_joint_rest(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)
           || learn_joint_run(adapt, kind, 1);
}


int
learn_joint_twice(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)
           || learn_joint_run(adapt, kind, 2);
}


int
learn_joint_often(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)
           || learn_joint_run(adapt, kind, 4);
}


int
learn_joint_all(learn_adapt_t *adapt, learn_kind_t *kind)
{
    return learn_adapt_without(adapt, LEARN_WITHOUT_SEQUENTIAL)
           || learn_joint_run(adapt, kind, 8);
}


static int
learn_joint_run(learn_adapt_t *adapt, learn_kind_t *kind, uint32_t times)
{
    int               over, rc;
    uint32_t          i, place, ahead, missed;
    learn_joining_t   run;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_JOINT)) {
        return 1;
    }

    learn_kind_again(kind);
    kind->odd = 0;

    if (kind->joint == NULL && !learn_joint_create(adapt, kind)) {
        adapt->failed = 1;
        return 0;
    }

    memset(&run, 0, sizeof(learn_joining_t));

    run.adapt = adapt;
    run.kind = kind;
    run.joint = kind->joint;
    run.times = times;

    for (i = 0; i < kind->ntraits; i++) {
        run.own[i] = kind->traits[i].own;
        run.same[i] = kind->traits[i].same;
        run.viewers[i] = kind->traits[i].viewers;
    }

    learn_joint_fill(&run);

    for (i = 0; i < kind->joint->ndone; i++) {
        learn_joint_count(&run, kind->joint->done[i], i, 0);
    }

    over = 1;
    ahead = 0;
    missed = 0;

    /* the first ones tell best what matters after all, and others need less */

    while (run.n < LEARN_JOINT_MOST && ahead < LEARN_JOINT_AHEAD
           && 2 * ahead <= run.n && !adapt->failed)
    {
        learn_joint_fill(&run);
        place = learn_joint_next(&run);

        if (place == UINT32_MAX) {
            break;
        }

        rc = learn_joint_ask(&run, place, run.n);

        /* the budget is over, but pages may have come for others */

        if (rc < 0 && missed++ == LEARN_JOINT_AHEAD) {
            break;
        }

        if (rc == 0) {
            over = 0;
            ahead++;
            adapt->ahead = 1;
        }

        learn_joint_count(&run, place, run.n, rc == 0);

        for (i = 0; rc > 0 && i < kind->ntraits; i++) {
            run.own[i] = kind->traits[i].own;
            run.same[i] = kind->traits[i].same;
            run.viewers[i] = kind->traits[i].viewers;
        }
    }

    adapt->ahead = 0;

    if (!over || adapt->failed) {
        return 0;
    }

    learn_joint_homes(&run);

    memcpy(kind->joint->done, run.order, run.n * sizeof(uint32_t));
    memcpy(kind->joint->viewers, run.by, run.n);
    kind->joint->ndone = run.n;

    return learn_kind_next(adapt, kind);
}


/* URLs of a kind; of a large one only some, but some of each name */

static int
learn_joint_create(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int                  wanted;
    size_t               len;
    uint32_t             i, k, t, seg, have[LEARN_ADAPT_TRAITS];
    learn_joint_t       *joint;
    const uint8_t       *p, *last;
    learn_traits_t       has;
    learn_candidate_t   *one;
    const learn_seen_t  *seen;

    joint = learn_arena_alloc(adapt->arena, sizeof(learn_joint_t));

    if (joint == NULL) {
        return 0;
    }

    memset(joint, 0, sizeof(learn_joint_t));
    memset(have, 0, sizeof(have));

    k = LEARN_JOINT_FIRST + LEARN_JOINT_EACH * kind->ntraits;
    k = (k > kind->urls) ? kind->urls : k;

    joint->list = learn_arena_alloc(adapt->arena,
                                    (k + 1) * sizeof(learn_candidate_t));

    if (joint->list == NULL) {
        return 0;
    }

    for (i = 0; i < kind->urls; i++) {
        seen = &adapt->urls[kind->list[i]];

        if (seen->set == UINT32_MAX) {
            continue;
        }

        learn_form_traits(adapt, kind, kind->list[i], &has);
        wanted = (i < LEARN_JOINT_FIRST);

        for (t = 0; t < kind->ntraits; t++) {
            if (learn_traits_has(&has, t)) {
                wanted |= (have[t]++ < LEARN_JOINT_EACH);
            }
        }

        for (k = 0; wanted && k < kind->nleads; k++) {
            wanted = (kind->leads[k] != kind->list[i]);
        }

        if (!wanted || learn_traits_count(&has) == 0) {
            continue;
        }

        one = &joint->list[joint->n++];
        memset(one, 0, sizeof(learn_candidate_t));

        one->url = kind->list[i];
        one->has = has;

        p = seen->path.data;
        last = p + seen->path.len;

        for (seg = 0; p < last; seg++) {
            for (len = 1; p + len < last && p[len] != '/'; len++) {
                /* void */
            }

            k = (seg < LEARN_JOINT_SEGS) ? seg : LEARN_JOINT_SEGS - 1;
            one->parts[k] = learn_joint_hash(one->parts[k] + seg + 1, p, len);
            p += len;
        }
    }

    learn_joint_words(joint);
    kind->joint = joint;

    return 1;
}


/*
 * Whether the segments of a kind are words: so few that each of them has some
 * URLs.  All of these are tried, since one of them may well be another program.
 */

static void
learn_joint_words(learn_joint_t *joint)
{
    uint32_t  i, k, n, hash;
    uint64_t  seen[LEARN_JOINT_BITS / 64];

    memset(seen, 0, sizeof(seen));
    n = 0;

    for (i = 0; i < joint->n; i++) {
        for (k = 0; k < LEARN_JOINT_SEGS; k++) {
            hash = joint->list[i].parts[k] % LEARN_JOINT_BITS;

            if (hash != 0 && !(seen[hash / 64] >> (hash % 64) & 1)) {
                seen[hash / 64] |= UINT64_C(1) << (hash % 64);
                n++;
            }
        }
    }

    for (i = 0; i < joint->n; i++) {
        joint->list[i].words = (n * LEARN_JOINT_WORD <= joint->n);
    }
}


/* what goes, by what is known now */

static void
learn_joint_fill(learn_joining_t *run)
{
    uint32_t         i, t;
    learn_joint_t   *joint;
    learn_traits_t   loose, values;

    joint = run->joint;
    learn_kind_loose(run->adapt, run->kind, &loose);
    memset(&values, 0, sizeof(learn_traits_t));

    for (t = 0; t < run->kind->ntraits; t++) {
        if (run->kind->traits[t].value.data != NULL) {
            learn_traits_add(&values, t);
        }
    }

    if (joint->filled
        && memcmp(&loose, &joint->loose, sizeof(learn_traits_t)) == 0
        && memcmp(&values, &joint->values, sizeof(learn_traits_t)) == 0)
    {
        return;
    }

    joint->loose = loose;
    joint->values = values;
    joint->filled = 1;

    for (i = 0; i < joint->n; i++) {
        learn_joint_less(run->adapt, run->kind, joint->list[i].url,
                         &joint->list[i].less);
        learn_joint_page(run, &joint->list[i]);
    }
}


/* hashes of what is left, and of the names */

static void
learn_joint_page(learn_joining_t *run, learn_candidate_t *one)
{
    int                   gone;
    uint32_t              i, t;
    const learn_kind_t   *kind;
    const learn_seen_t   *seen;
    const learn_piece_t  *piece;

    kind = run->kind;
    seen = &run->adapt->urls[one->url];
    gone = 0;

    one->page = learn_joint_hash(LEARN_JOINT_OF_PAGE, seen->path.data,
                                 seen->path.len);
    one->set = LEARN_JOINT_OF_SET;
    one->front = 0;

    for (i = 0; i < seen->npieces; i++) {
        piece = &seen->pieces[i];

        for (t = 0; kind->traits[t].name != piece->name; t++) {
            /* void */
        }

        one->set = learn_joint_hash(one->set, &piece->name, sizeof(uint32_t));

        if (learn_traits_has(&one->less, t)) {
            gone = 1;

        } else {
            one->page = learn_joint_hash(one->page, piece->text.data,
                                         piece->text.len);
            one->front |= (gone != 0);
        }
    }
}


/* how many pages there are for a default */

static void
learn_joint_homes(learn_joining_t *run)
{
    uint32_t        i, t;
    uint64_t        seen[LEARN_JOINT_BITS / 64];
    learn_joint_t  *joint;

    joint = run->joint;

    for (t = 0; t < run->kind->ntraits; t++) {

        if (run->kind->traits[t].value.data == NULL) {
            continue;
        }

        memset(seen, 0, sizeof(seen));
        run->kind->traits[t].homes = 0;

        for (i = 0; i < joint->n; i++) {
            if (learn_traits_has(&joint->list[i].less, t)
                && !(seen[joint->list[i].page % LEARN_JOINT_BITS / 64]
                     >> (joint->list[i].page % 64) & 1))
            {
                seen[joint->list[i].page % LEARN_JOINT_BITS / 64] |=
                    UINT64_C(1) << (joint->list[i].page % 64);
                run->kind->traits[t].homes++;
            }
        }
    }
}


static uint32_t
learn_joint_next(const learn_joining_t *run)
{
    uint32_t  i, k, best, worth, most;

    best = UINT32_MAX;
    most = 0;

    for (i = 0; i < run->joint->n; i++) {
        worth = learn_joint_worth(run, &run->joint->list[i]);

        if (worth <= most) {
            continue;
        }

        for (k = 0; k < run->n && run->order[k] != i; k++) {
            /* void */
        }

        if (k == run->n) {
            best = i;
            most = worth;
        }
    }

    return best;
}


/* 0 if nothing is to be learned from it */

static uint32_t
learn_joint_worth(const learn_joining_t *run, const learn_candidate_t *one)
{
    int                  front;
    uint32_t             i, t, worth, target, tried, fresh;
    const learn_seen_t  *seen;

    static const learn_traits_t  none;

    if (memcmp(&one->less, &none, sizeof(learn_traits_t)) == 0) {
        return 0;
    }

    worth = 0;

    for (t = 0; t < run->kind->ntraits; t++) {

        if (!learn_traits_has(&one->less, t)) {
            continue;
        }

        fresh = (uint32_t) learn_joint_fresh(run, one, t);

        if (run->kind->traits[t].matters && !fresh) {
            continue;
        }

        target = learn_joint_target(run, t);
        tried = learn_joint_tried(run, t);

        if (tried < target) {
            worth += LEARN_JOINT_NAME * (target - tried) / target
                     + fresh * LEARN_JOINT_PAGE;
        }
    }

    fresh = 0;

    for (i = 0; i < LEARN_JOINT_SEGS; i++) {
        fresh += (one->parts[i] != 0 && !learn_joint_seen(run, one->parts[i]));
    }

    front = one->front && !learn_joint_seen(run, one->page)
            && run->fronts < run->adapt->study->settings->values;

    if (worth == 0) {
        return (run->times > 0 && (front || (one->words && fresh > 0)))
               ? LEARN_ADAPT_TRAITS * fresh
                 + (uint32_t) learn_traits_count(&one->less)
               : 0;
    }

    worth += (fresh > 0) ? LEARN_JOINT_PART : 0;
    worth += learn_joint_seen(run, one->set) ? 0 : LEARN_JOINT_SET;
    worth += front ? LEARN_JOINT_FRONT : 0;

    seen = &run->adapt->urls[one->url];

    for (i = 0; i < seen->npieces; i++) {
        t = learn_joint_hash(LEARN_JOINT_OF_VALUE, seen->pieces[i].text.data,
                             seen->pieces[i].text.len);
        worth += learn_joint_seen(run, t) ? 0 : LEARN_JOINT_VALUE;
    }

    /* what is left of it was fetched already */

    return learn_joint_seen(run, one->page) ? 2 * worth : worth;
}


/* trials of a name that are wanted, */

static uint32_t
learn_joint_target(const learn_joining_t *run, uint32_t trait)
{
    uint32_t              need, all;
    const learn_trait_t  *one;

    one = &run->kind->traits[trait];
    need = one->need;
    all = run->adapt->study->settings->values;

    /* lists of trackers say enough of them */

    if (!run->adapt->names[one->name].tracker) {
        all *= (run->times > 1) ? run->times : 1;
    }

    return (run->times > 0 && need < all) ? all : need;
}


/* and those that were: of trackers, wherever their values are from */

static uint32_t
learn_joint_tried(const learn_joining_t *run, uint32_t trait)
{
    uint32_t              tried, target;
    const learn_trait_t  *one;

    one = &run->kind->traits[trait];
    target = learn_joint_target(run, trait);

    tried = run->adapt->names[one->name].tracker ? run->same[trait]
                                                 : run->own[trait];

    if (run->viewers[trait] != LEARN_ADAPT_ALL && tried >= target
        && target > 0)
    {
        return target - 1;
    }

    return tried;
}


/* a trial that was made, or that is taken for passed until it is */

static void
learn_joint_count(learn_joining_t *run, uint32_t place, uint32_t turn,
    int passed)
{
    uint32_t                  i, t, hash;
    learn_home_t              home;
    learn_traits_t            group;
    const learn_seen_t       *seen;
    const learn_candidate_t  *one;

    one = &run->joint->list[place];
    learn_joint_trial(run, place, turn, &home, &group);

    for (t = 0; t < run->kind->ntraits; t++) {

        if (learn_traits_has(&group, t) && passed) {
            run->same[t]++;
            run->viewers[t] |= 1u << home.viewer;
            run->own[t] += learn_traits_has(&home.less, t)
                           && (learn_joint_fresh(run, one, t)
                               || !run->kind->traits[t].matters);
        }

        if (learn_traits_has(&home.less, t)) {
            hash = learn_joint_hash(LEARN_JOINT_OF_NAME + t, &one->page,
                                    sizeof(uint32_t));
            learn_joint_see(run, hash);
        }
    }

    run->by[run->n] = (uint8_t) home.viewer;
    run->order[run->n++] = place;
    run->fronts += one->front;

    hash = learn_joint_hash(LEARN_JOINT_OF_VIEW + home.viewer, &one->page,
                            sizeof(uint32_t));
    learn_joint_see(run, hash);

    learn_joint_see(run, one->page);
    learn_joint_see(run, one->set);

    for (i = 0; i < LEARN_JOINT_SEGS; i++) {
        if (one->parts[i] != 0) {
            learn_joint_see(run, one->parts[i]);
        }
    }

    seen = &run->adapt->urls[one->url];

    for (i = 0; i < seen->npieces; i++) {
        hash = learn_joint_hash(LEARN_JOINT_OF_VALUE,
                                seen->pieces[i].text.data,
                                seen->pieces[i].text.len);
        learn_joint_see(run, hash);
    }
}


/* what is tried: all that goes, and what is added to it */

static void
learn_joint_trial(const learn_joining_t *run, uint32_t place, uint32_t turn,
    learn_home_t *home, learn_traits_t *group)
{
    size_t                    i;
    const learn_candidate_t  *one;

    one = &run->joint->list[place];

    home->url = one->url;
    home->less = one->less;
    home->turn = turn;
    home->viewer = learn_joint_viewer(run, one, turn);
    memset(&home->more, 0, sizeof(learn_traits_t));

    for (i = 0; i < sizeof(group->bits) / sizeof(group->bits[0]); i++) {

        if (turn % LEARN_JOINT_PLAIN != LEARN_JOINT_PLAIN - 1) {
            home->more.bits[i] = run->joint->loose.bits[i] & ~one->has.bits[i];
        }

        group->bits[i] = home->less.bits[i] | home->more.bits[i];
    }
}


/*
 * One after the other; but what is left of it is not fetched for both, unless
 * it is the last thing that a name wants.
 */

static unsigned
learn_joint_viewer(const learn_joining_t *run, const learn_candidate_t *one,
    uint32_t turn)
{
    unsigned  i, n, viewer;
    uint32_t  t, hash;

    for (t = 0; t < run->kind->ntraits; t++) {

        if (!learn_traits_has(&one->less, t)
            || run->kind->traits[t].matters
            || run->viewers[t] == LEARN_ADAPT_ALL
            || learn_joint_tried(run, t) + 1 < learn_joint_target(run, t))
        {
            continue;
        }

        for (i = 0; run->viewers[t] >> i & 1; i++) {
            /* void */
        }

        return i;
    }

    viewer = turn % LEARN_VIEWERS;

    for (i = 0, n = 0; i < LEARN_VIEWERS; i++) {
        hash = learn_joint_hash(LEARN_JOINT_OF_VIEW + i, &one->page,
                                sizeof(uint32_t));

        if (learn_joint_seen(run, hash)) {
            viewer = (n++ == 0) ? i : turn % LEARN_VIEWERS;
        }
    }

    return viewer;
}


/* true if the name was not tried with this page */

static int
learn_joint_fresh(const learn_joining_t *run, const learn_candidate_t *one,
    uint32_t trait)
{
    uint32_t  hash;

    hash = learn_joint_hash(LEARN_JOINT_OF_NAME + trait, &one->page,
                            sizeof(uint32_t));

    return !learn_joint_seen(run, hash);
}


/* 1 when it is known, 0 to wait, -1 if the budget is over */

static int
learn_joint_ask(learn_joining_t *run, uint32_t place, uint32_t turn)
{
    miqps_str_t      rich, poor;
    learn_said_e     rc;
    learn_home_t     home;
    learn_pair_t     pair;
    learn_kind_t    *kind;
    learn_adapt_t   *adapt;
    learn_traits_t   group;

    adapt = run->adapt;
    kind = run->kind;

    learn_joint_trial(run, place, turn, &home, &group);

    if (learn_adapt_without(adapt, LEARN_WITHOUT_GROUPS)) {
        memset(&home.more, 0, sizeof(learn_traits_t));
        group = home.less;
    }

    rich = learn_form_home(adapt, kind, &home, &group);
    poor = learn_form_less(adapt, kind, home.url, &home.less);

    if (rich.len == 0 || poor.len == 0) {
        return adapt->failed ? 0 : 1;
    }

    if (!learn_joint_spare(run, &rich, home.viewer)
        || learn_again_visit(adapt, kind, &rich, home.viewer, 0) == NULL
        || learn_again_visit(adapt, kind, &poor, home.viewer, 0) == NULL)
    {
        return -1;
    }

    rc = learn_inquire(adapt, kind, &rich, &poor, home.viewer,
                       learn_form_names(adapt, kind, &group), &pair);

    switch (rc) {

    case LEARN_SAID_WAIT:
        return 0;

    case LEARN_SAID_SAME:
        learn_joint_note(run, place, &home, &pair);
        return 1;

    case LEARN_SAID_DIFFERS:
        return learn_joint_differs(run, place, &home, &group, &poor, &pair);

    default: /* LEARN_SAID_NOTHING */
        return learn_joint_nothing(run, &home, &rich, &poor);
    }
}


/* it is found out which names make the difference, or that their place does */

static int
learn_joint_differs(learn_joining_t *run, uint32_t place,
    const learn_home_t *home, const learn_traits_t *group,
    const miqps_str_t *poor, learn_pair_t *pair)
{
    miqps_str_t     behind;
    learn_pair_t    other;
    learn_said_e    rc;

    if (run->joint->list[place].front) {
        behind = learn_joint_behind(run, home, poor);

        rc = (behind.len == 0)
             ? LEARN_SAID_NOTHING
             : learn_inquire(run->adapt, run->kind, &behind, poor,
                             home->viewer,
                             learn_form_names(run->adapt, run->kind, group),
                             &other);

        if (rc == LEARN_SAID_WAIT) {
            return 0;
        }

        if (rc == LEARN_SAID_SAME) {
            run->adapt->ordered = 1;
            return 1;
        }
    }

    if (learn_traits_count(group) == 1) {
        learn_joint_note(run, UINT32_MAX, home, pair);
    }

    return learn_kind_blame(run->adapt, run->kind, home, group,
                            pair->differs);
}


/* what is left of a URL, and what goes at its end, as it came */

static miqps_str_t
learn_joint_behind(const learn_joining_t *run, const learn_home_t *home,
    const miqps_str_t *poor)
{
    uint32_t              i, t;
    miqps_str_t           made;
    const learn_seen_t   *seen;

    seen = &run->adapt->urls[home->url];
    made = *poor;

    for (i = 0; i < seen->npieces && made.len > 0; i++) {

        for (t = 0; run->kind->traits[t].name != seen->pieces[i].name; t++) {
            /* void */
        }

        if (learn_traits_has(&home->less, t)) {
            made = learn_form_with(run->adapt, &made, &seen->pieces[i].text);
        }
    }

    return (made.len > 0)
           ? learn_form_more(run->adapt, run->kind, &made, &home->more,
                             home->turn)
           : made;
}


/*
 * True if there are fetches left for what follows from a difference: without
 * them noise would be one.  What was begun is ended.
 */

static int
learn_joint_spare(const learn_joining_t *run, const miqps_str_t *rich,
    unsigned viewer)
{
    const learn_visit_t  *visit;

    if (run->times < 2
        || run->adapt->asked + LEARN_JOINT_SPARE
           + learn_again_moved(run->adapt, run->adapt->waiting)
           < run->adapt->cap)
    {
        return 1;
    }

    if (learn_adapt_without(run->adapt, LEARN_WITHOUT_VIEWERS)) {
        viewer = 0;
    }

    visit = learn_visit_find(run->adapt->study, rich, viewer);

    return visit != NULL && visit->touched;
}


/*
 * A URL that is no page says nothing.  If it is one, and what is left of it
 * cannot be had, what makes it so is not relied on.
 */

static int
learn_joint_nothing(learn_joining_t *run, const learn_home_t *home,
    const miqps_str_t *rich, const miqps_str_t *poor)
{
    size_t           i;
    learn_traits_t   group;
    learn_visit_t   *one, *two;

    one = learn_again_visit(run->adapt, run->kind, rich, home->viewer, 0);
    two = learn_again_visit(run->adapt, run->kind, poor, home->viewer, 0);

    if (one == NULL || two == NULL
        || learn_visit_worth(one) != LEARN_WORTH_PAGE
        || learn_visit_worth(two) == LEARN_WORTH_PAGE)
    {
        return 1;
    }

    for (i = 0; i < sizeof(group.bits) / sizeof(group.bits[0]); i++) {
        group.bits[i] = home->less.bits[i] | home->more.bits[i];
    }

    return learn_kind_blame(run->adapt, run->kind, home, &group,
                            LEARN_DIFFERS_NOTHING);
}


/* the same page; or, with UINT32_MAX, another one, by the only name of it */

static void
learn_joint_note(learn_joining_t *run, uint32_t place,
    const learn_home_t *home, const learn_pair_t *pair)
{
    uint32_t        t;
    learn_trait_t  *trait;

    for (t = 0; t < run->kind->ntraits; t++) {
        trait = &run->kind->traits[t];

        if (!learn_traits_has(&home->less, t)
            && !learn_traits_has(&home->more, t))
        {
            continue;
        }

        learn_trait_note(trait, pair, place == UINT32_MAX);

        if (place != UINT32_MAX) {
            trait->viewers |= 1u << home->viewer;
            trait->own += learn_traits_has(&home->less, t)
                          && (!trait->matters
                              || learn_joint_fresh(run,
                                           &run->joint->list[place], t));
        }
    }
}


int
learn_joint_visits(learn_adapt_t *adapt, const learn_kind_t *kind, uint32_t n,
    learn_visit_t **poor)
{
    uint32_t                  place;
    miqps_str_t               url;
    const learn_candidate_t  *one;

    if (kind->joint == NULL || n >= kind->joint->ndone) {
        return 0;
    }

    place = kind->joint->done[n];
    one = &kind->joint->list[place];
    url = learn_form_less(adapt, kind, one->url, &one->less);
    *poor = (url.len > 0)
            ? learn_visit_of(adapt->study, &url, kind->joint->viewers[n], 0)
            : NULL;

    return 1;
}


/* what is stripped: names that seem to be neutral, and defaults */

void
learn_joint_less(const learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t url, learn_traits_t *less)
{
    uint32_t              i, t;
    const learn_seen_t   *seen;
    const learn_trait_t  *trait;

    learn_traits_t  loose;

    learn_kind_loose(adapt, kind, &loose);
    memset(less, 0, sizeof(learn_traits_t));

    /* of a kind that nobody has looked at, others tell */

    for (t = 0; !kind->led && t < kind->ntraits; t++) {
        if (learn_adapt_neutral(adapt, kind->traits[t].name)
            && !adapt->names[kind->traits[t].name].brakes)
        {
            learn_traits_add(&loose, t);
        }
    }

    seen = &adapt->urls[url];

    for (i = 0; i < seen->npieces; i++) {

        for (t = 0; t < kind->ntraits; t++) {
            trait = &kind->traits[t];

            if (trait->name == seen->pieces[i].name
                && (learn_traits_has(&loose, t)
                    || (trait->value.data != NULL
                        && learn_seen_has(seen, trait->name, &trait->value))))
            {
                learn_traits_add(less, t);
            }
        }
    }
}
