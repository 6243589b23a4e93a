
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdlib.h>

#include <xxhash.h>

#include "adapt.h"
#include "echo.h"
#include "learn.h"


/*
 * DO TWO URLS SHOW THE SAME PAGE?
 *
 * Both are fetched, and what is noise by what is known of the kind is left
 * out.  A large difference in a kind that is not all noise is one, if both are
 * what they were before: a page that has gone wrong once is asked for again.  A
 * small one is looked at again in any case: the poor URL some seconds later;
 * both with a parameter that nobody knows, since there are pages that depend on
 * the bytes of their URL, by chance or by a cache; the rich one once more; both
 * with another value of that parameter.  If one of these is the same as one of
 * the others, it was noise, and more is known of it.
 *
 * Where the order of lines is noise, a name that sorts them makes no other
 * line.  When there are fetches left in the end, the rich page is looked at
 * again, some times for each name: if it comes in another order by itself, it
 * is noise.
 */

#define LEARN_INQUIRE_FORMS    6             /* looks at a URL, at most */
#define LEARN_INQUIRE_ORDERS   3             /* times for a name, and */
#define LEARN_INQUIRE_TURNS    2             /* looks for each */

#define LEARN_INQUIRE_NOBODY   "mq9z"
#define LEARN_INQUIRE_NOBODYS  2             /* values of it */


typedef struct {
    learn_adapt_t         *adapt;
    learn_kind_t          *kind;
    unsigned               viewer;
    learn_looks_e          looks;
    const uint32_t        *drop;
    miqps_str_t            rich;
    miqps_str_t            poor;
    learn_visit_t         *riches[LEARN_INQUIRE_FORMS];
    learn_visit_t         *poors[LEARN_INQUIRE_FORMS];
    size_t                 nriches;
    size_t                 npoors;
    learn_echoing_t        echoing;
    uint16_t               differs;      /* the first two */
    learn_differ_t         how;
} learn_query_t;


/* words that pages hardly have, even in attributes */

static const char *const  learn_inquire_nobody[LEARN_INQUIRE_NOBODYS] = {
    LEARN_INQUIRE_NOBODY "=w8k", LEARN_INQUIRE_NOBODY "=t3x"
};


static learn_said_e  learn_inquire_judge(learn_query_t *query);
static learn_said_e  learn_inquire_order(learn_query_t *query);
static uint8_t  *learn_inquire_orders(const learn_query_t *query,
    uint32_t name);
static learn_said_e  learn_inquire_shuffled(learn_query_t *query);
static learn_said_e  learn_inquire_sure(learn_query_t *query);
static int  learn_inquire_hoped(const learn_query_t *query);
static learn_said_e  learn_inquire_small(learn_query_t *query);
static int  learn_inquire_more(learn_query_t *query, int rich,
    size_t placebo, unsigned turn);
static learn_said_e  learn_inquire_any(learn_query_t *query);
static uint16_t  learn_inquire_differs(learn_query_t *query,
    const learn_visit_t *rich, const learn_visit_t *poor,
    learn_differ_t *how);
static int  learn_inquire_moved(learn_query_t *query, const learn_visit_t *rich,
    const learn_visit_t *poor);
static miqps_str_t  learn_inquire_bare(learn_query_t *query,
    const miqps_str_t *url);
static int  learn_inquire_large(const learn_query_t *query);
static learn_answer_t  *learn_inquire_answer(learn_adapt_t *adapt,
    uint64_t key);


learn_said_e
learn_inquire(learn_adapt_t *adapt, learn_kind_t *kind, const miqps_str_t *rich,
    const miqps_str_t *poor, unsigned viewer, const uint32_t *drop,
    learn_pair_t *pair)
{
    return learn_inquire_by(adapt, kind, rich, poor, viewer, drop, pair,
                            LEARN_LOOKS_ALL);
}


learn_said_e
learn_inquire_by(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *rich, const miqps_str_t *poor, unsigned viewer,
    const uint32_t *drop, learn_pair_t *pair, learn_looks_e looks)
{
    uint64_t         key;
    learn_said_e     rc;
    learn_query_t    query;
    learn_answer_t  *answer;

    if (rich->len == 0 || poor->len == 0) {
        return LEARN_SAID_NOTHING;
    }

    key = XXH3_64bits_withSeed(rich->data, rich->len,
                               viewer + looks * LEARN_VIEWERS);
    key = XXH3_64bits_withSeed(poor->data, poor->len, key) | 1;
    answer = learn_inquire_answer(adapt, key);

    if (answer == NULL) {
        adapt->failed = 1;
        return LEARN_SAID_WAIT;
    }

    memset(&query, 0, sizeof(learn_query_t));

    query.adapt = adapt;
    query.kind = kind;
    query.viewer = viewer;
    query.looks = looks;
    query.drop = drop;
    query.rich = *rich;
    query.poor = *poor;

    query.riches[0] = learn_again_visit(adapt, kind, rich, viewer, 0);
    query.poors[0] = learn_again_visit(adapt, kind, poor, viewer, 0);

    if (query.riches[0] == NULL || query.poors[0] == NULL) {
        return LEARN_SAID_NOTHING;
    }

    pair->original = query.riches[0]->row.hash;
    pair->variant = query.poors[0]->row.hash;

    if (answer->key == 0) {

        if (query.riches[0]->state != LEARN_VISIT_DONE
            || query.poors[0]->state != LEARN_VISIT_DONE || adapt->ahead)
        {
            return LEARN_SAID_WAIT;
        }

        query.nriches = 1;
        query.npoors = 1;

        rc = learn_inquire_judge(&query);

        if (rc == LEARN_SAID_WAIT) {
            return rc;
        }

        answer->key = key;
        answer->answer = rc;
        answer->differs = query.differs;
        adapt->nanswers++;
    }

    pair->differs = answer->differs;

    return answer->answer;
}


static learn_said_e
learn_inquire_judge(learn_query_t *query)
{
    learn_worth_e  rich, poor;

    rich = learn_visit_worth(query->riches[0]);
    poor = learn_visit_worth(query->poors[0]);

    if (rich == LEARN_WORTH_NOTHING || poor == LEARN_WORTH_NOTHING
        || (rich == LEARN_WORTH_OTHER && poor == LEARN_WORTH_OTHER))
    {
        query->differs = LEARN_DIFFERS_NOTHING;
        return LEARN_SAID_NOTHING;
    }

    if (rich != poor) {
        query->differs = LEARN_DIFFERS_ID | LEARN_DIFFERS_STATUS;
        return LEARN_SAID_DIFFERS;
    }

    learn_echo_init(&query->echoing, &query->rich, &query->poor,
                    learn_inquire_nobody, LEARN_INQUIRE_NOBODYS,
                    &query->adapt->compare);

    query->differs = learn_inquire_differs(query, query->riches[0],
                                       query->poors[0], &query->how);

    if (query->differs == 0) {

        if (query->riches[0] != query->poors[0]) {
            query->riches[0]->steady = 1;
            query->poors[0]->steady = 1;
        }

        return (query->how.moved > 0) ? learn_inquire_order(query)
                                      : LEARN_SAID_SAME;
    }

    if (query->looks == LEARN_LOOKS_NONE
        || learn_adapt_without(query->adapt, LEARN_WITHOUT_CONTROL))
    {
        return LEARN_SAID_DIFFERS;
    }

    if (learn_inquire_large(query)) {
        return (query->looks == LEARN_LOOKS_SMALL) ? LEARN_SAID_DIFFERS
                                                   : learn_inquire_sure(query);
    }

    if (query->how.lines > 0 && query->how.echoed == query->how.lines) {

        if (learn_inquire_more(query, 0, 1, 0) == 0) {
            return LEARN_SAID_WAIT;
        }

        if (learn_inquire_any(query) == LEARN_SAID_SAME) {
            query->differs = 0;
            return LEARN_SAID_SAME;
        }
    }

    return learn_inquire_small(query);
}


/* the same lines, but not in the same order */

static learn_said_e
learn_inquire_order(learn_query_t *query)
{
    uint8_t       *orders;
    uint32_t       i, fresh;
    learn_said_e   rc;

    fresh = 0;

    for (i = 0; query->drop[i] != UINT32_MAX; i++) {
        orders = learn_inquire_orders(query, query->drop[i]);
        fresh += (orders != NULL && *orders < LEARN_INQUIRE_ORDERS);
    }

    if (fresh == 0 || !query->adapt->sparing
        || learn_adapt_without(query->adapt, LEARN_WITHOUT_CONTROL))
    {
        return LEARN_SAID_SAME;
    }

    rc = learn_inquire_shuffled(query);

    if (rc != LEARN_SAID_SAME) {
        return rc;
    }

    for (i = 0; query->drop[i] != UINT32_MAX; i++) {
        orders = learn_inquire_orders(query, query->drop[i]);

        if (orders != NULL && *orders < LEARN_INQUIRE_ORDERS) {
            (*orders)++;
        }
    }

    return LEARN_SAID_SAME;
}


/* how often that was looked at; NULL for a tracker, or one of other kinds */

static uint8_t *
learn_inquire_orders(const learn_query_t *query, uint32_t name)
{
    uint32_t  i;

    if (query->adapt->names[name].tracker) {
        return NULL;
    }

    for (i = 0; i < query->kind->ntraits && i < LEARN_ADAPT_TRAITS; i++) {
        if (query->kind->traits[i].name == name) {
            return &query->kind->orders[i];
        }
    }

    return NULL;
}


/* SAME if the rich page comes in another order by itself */

static learn_said_e
learn_inquire_shuffled(learn_query_t *query)
{
    unsigned         turn;
    learn_differ_t   how;

    for (turn = 1; turn <= LEARN_INQUIRE_TURNS; turn++) {

        switch (learn_inquire_more(query, 1, 0, turn)) {

        case 0:
            return LEARN_SAID_WAIT;

        case -1:
            return LEARN_SAID_NOTHING;

        default:
            break;
        }

        (void) learn_inquire_differs(query, query->riches[0],
                                     query->riches[turn], &how);

        if (how.moved > 0) {
            return LEARN_SAID_SAME;
        }
    }

    query->differs = LEARN_DIFFERS_ID | LEARN_DIFFERS_TEXT;

    return LEARN_SAID_DIFFERS;
}


static int
learn_inquire_large(const learn_query_t *query)
{
    return query->kind->looks > 0
           && (query->differs & LEARN_DIFFERS_TEXT)
           && ((query->differs & LEARN_DIFFERS_TITLE)
               || (query->how.words - query->how.doubt) * LEARN_ADAPT_LARGE
                  >= query->how.all);
}


/*
 * A page that nobody has seen twice is looked at once more: the rich one, since
 * much rests on it; the poor one, if it was expected to be the same.  Of many
 * trials one will be a page that has gone wrong twice, so that in the end a
 * difference has to be seen once more.
 */

static learn_said_e
learn_inquire_sure(learn_query_t *query)
{
    int            rich, wait, hoped;
    learn_said_e   rc;

    wait = 0;
    hoped = learn_inquire_hoped(query);

    for (rich = !hoped; rich < 2; rich++) {
        if (query->drop[0] != UINT32_MAX
            && !(rich ? query->riches : query->poors)[0]->steady
            && learn_inquire_more(query, rich, 0, LEARN_AGAIN_SOON) == 0)
        {
            wait = 1;
        }
    }

    if (wait) {
        return LEARN_SAID_WAIT;
    }

    rc = learn_inquire_any(query);

    for (rich = 0; rich < 2 && rc != LEARN_SAID_SAME && hoped
                   && query->adapt->sparing; rich++)
    {
        if (learn_inquire_more(query, rich, 0, 1) == 0) {
            return LEARN_SAID_WAIT;
        }

        rc = learn_inquire_any(query);
    }

    if (rc == LEARN_SAID_SAME) {
        query->differs = 0;
    }

    return rc;
}


/* true if there is something in favour of one of the names */

static int
learn_inquire_hoped(const learn_query_t *query)
{
    uint32_t              i, k;
    const learn_trait_t  *trait;

    for (i = 0; query->drop[i] != UINT32_MAX; i++) {

        if (query->adapt->names[query->drop[i]].tracker
            || learn_adapt_neutral(query->adapt, query->drop[i]))
        {
            return 1;
        }

        for (k = 0; k < query->kind->ntraits; k++) {
            trait = &query->kind->traits[k];

            if (trait->name == query->drop[i]
                && (trait->same > 0
                    || learn_declared(query->adapt, query->kind, trait->name)))
            {
                return 1;
            }
        }
    }

    return 0;
}


/* one look after the other, until it is clear */

static learn_said_e
learn_inquire_small(learn_query_t *query)
{
    size_t        i;
    learn_said_e  rc;

    static const struct {
        uint8_t  rich, placebo, turn;
    } looks[] = {
        { 0, 0, 1 }, { 1, 1, 0 }, { 0, 1, 0 }, { 1, 0, 1 },
        { 1, 2, 0 }, { 0, 2, 0 }
    };

    for (i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {

        switch (learn_inquire_more(query, looks[i].rich, looks[i].placebo,
                                   looks[i].turn))
        {
        case 0:
            return LEARN_SAID_WAIT;

        case -1:

            /* it costs too much, or cannot be asked: what was seen counts */

            continue;

        default:
            break;
        }

        rc = learn_inquire_any(query);

        if (rc == LEARN_SAID_SAME) {
            query->differs = 0;
            return rc;
        }

        if (learn_inquire_large(query)) {
            return learn_inquire_sure(query);
        }
    }

    return LEARN_SAID_DIFFERS;
}


/*
 * 1 if there is one more look at one of them, 0 if it is to come, -1 if not.
 * "placebo" is 0 for none, or which.
 */

static int
learn_inquire_more(learn_query_t *query, int rich, size_t placebo,
    unsigned turn)
{
    miqps_str_t      url, piece;
    learn_visit_t   *visit, *first;
    learn_differ_t   how;

    url = rich ? query->rich : query->poor;
    first = rich ? query->riches[0] : query->poors[0];

    if (placebo > 0) {
        piece.data = (const uint8_t *) learn_inquire_nobody[placebo - 1];
        piece.len = strlen(learn_inquire_nobody[placebo - 1]);
        url = learn_form_with(query->adapt, &url, &piece);

        if (url.len == 0) {
            return -1;
        }
    }

    visit = learn_again_visit(query->adapt, query->kind, &url, query->viewer,
                            turn);

    if (visit == NULL) {
        return -1;
    }

    if (visit->state != LEARN_VISIT_DONE) {
        return 0;
    }

    if (learn_visit_worth(visit) != LEARN_WORTH_PAGE) {
        return -1;
    }

    /* a page that does not bear unknown names tells nothing by that */

    if (placebo > 0 && !visit->compared
        && learn_inquire_differs(query, visit, first, &how) != 0
        && how.words * LEARN_ADAPT_LARGE >= how.all)
    {
        return -1;
    }

    if (!learn_again_learn(query->adapt, query->kind,
                           (placebo > 0) ? NULL : &url, query->viewer, first,
                           visit))
    {
        return 0;
    }

    if (rich) {
        query->riches[query->nriches++] = visit;

    } else {
        query->poors[query->npoors++] = visit;
    }

    return 1;
}


/* SAME if one of the rich is one of the poor */

static learn_said_e
learn_inquire_any(learn_query_t *query)
{
    size_t          i, k;
    uint16_t        differs;
    learn_differ_t  how;

    for (i = 0; i < query->nriches; i++) {
        for (k = 0; k < query->npoors; k++) {
            differs = learn_inquire_differs(query, query->riches[i],
                                        query->poors[k], &how);

            if (differs == 0) {
                return LEARN_SAID_SAME;
            }

            if (i == 0 && k == 0) {
                query->differs = differs;
                query->how = how;
            }
        }
    }

    return LEARN_SAID_DIFFERS;
}


/* two pages that were made: bits of a pair, 0 for the same */

static uint16_t
learn_inquire_differs(learn_query_t *query, const learn_visit_t *rich,
    const learn_visit_t *poor, learn_differ_t *how)
{
    uint16_t        differs;
    learn_adapt_t  *adapt;

    adapt = query->adapt;
    differs = 0;

    learn_arena_clear(&adapt->compare);

    if (!learn_noise_compare(&query->kind->noise, &rich->lines, &poor->lines,
                             &query->echoing.echo, how, &adapt->compare))
    {
        adapt->failed = 1;
    }

    if (how->lines > 0) {
        differs |= LEARN_DIFFERS_ID | LEARN_DIFFERS_TEXT;

        if (!miqps_str_eq(&rich->row.title, &poor->row.title)) {
            differs |= LEARN_DIFFERS_TITLE;
        }
    }

    if (!learn_visit_cookies(adapt->study, rich, poor)) {
        differs |= LEARN_DIFFERS_ID | LEARN_DIFFERS_COOKIES;
    }

    if (!miqps_str_eq(&rich->row.vary, &poor->row.vary)) {
        differs |= LEARN_DIFFERS_ID | LEARN_DIFFERS_VARY;
    }

    if (learn_inquire_moved(query, rich, poor)) {
        differs |= LEARN_DIFFERS_ID | LEARN_DIFFERS_LOCATION;
    }

    return differs;
}


/* redirects that only carry on what differs lead to the same place */

static int
learn_inquire_moved(learn_query_t *query, const learn_visit_t *rich,
    const learn_visit_t *poor)
{
    miqps_str_t  one, two;

    if (rich->row.location.len == 0 && poor->row.location.len == 0) {
        return 0;
    }

    one = learn_inquire_bare(query, &rich->row.location);
    two = learn_inquire_bare(query, &poor->row.location);

    return !miqps_str_eq(&one, &two);
}


static miqps_str_t
learn_inquire_bare(learn_query_t *query, const miqps_str_t *url)
{
    size_t           i, found;
    uint8_t         *out;
    miqps_str_t      bare, name;
    learn_adapt_t   *adapt;

    adapt = query->adapt;
    bare = *url;

    for (i = 0; bare.len > 0; i++) {

        if (query->drop[i] == UINT32_MAX) {
            name.data = (const uint8_t *) LEARN_INQUIRE_NOBODY;
            name.len = sizeof(LEARN_INQUIRE_NOBODY) - 1;

        } else {
            name = adapt->names[query->drop[i]].text;
        }

        out = learn_arena_alloc(&adapt->scratch, bare.len);

        if (out == NULL) {
            adapt->failed = 1;
            break;
        }

        bare.len = learn_target_without(&bare, &name, out, &found);
        bare.data = out;

        if (query->drop[i] == UINT32_MAX) {
            break;
        }
    }

    return bare;
}


/* its place: with the key, or one that is free */

static learn_answer_t *
learn_inquire_answer(learn_adapt_t *adapt, uint64_t key)
{
    size_t           i, k;
    uint32_t         size;
    learn_answer_t  *list;

    if (2 * adapt->nanswers >= adapt->max_answers) {
        size = (adapt->max_answers == 0) ? 1024 : 2 * adapt->max_answers;
        list = calloc(size, sizeof(learn_answer_t));

        if (list == NULL) {
            return NULL;
        }

        for (i = 0; i < adapt->max_answers; i++) {

            if (adapt->answers[i].key == 0) {
                continue;
            }

            for (k = adapt->answers[i].key & (size - 1); list[k].key != 0;
                 k = (k + 1) & (size - 1))
            {
                /* void */
            }

            list[k] = adapt->answers[i];
        }

        free(adapt->answers);
        adapt->answers = list;
        adapt->max_answers = size;
    }

    for (i = key & (adapt->max_answers - 1);
         adapt->answers[i].key != 0 && adapt->answers[i].key != key;
         i = (i + 1) & (adapt->max_answers - 1))
    {
        /* void */
    }

    return &adapt->answers[i];
}
