
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "peer_fanout.h"


#define LEARN_FAN_ROUNDS   4


/* in place of the number of a value */

#define LEARN_FAN_STARRED  (LEARN_NONE - 1)


/* the URLs that a rule is for, or what it makes of them: no swaps */

typedef struct {
    learn_context_t    context;
    uint64_t           keys;       /* a bit for each key, some in common, ... */
    uint64_t           required;   /* ... and for those that must be there */
    uint32_t           number;     /* of those with the same URLs */
} learn_place_t;


typedef struct {
    learn_fan_t       *fan;
    learn_arena_t      arena;
    learn_place_t     *places;     /* two for each rule */
    learn_place_t    **list;       /* by number */
    learn_arrow_t     *arrows;
    uint32_t          *rules;      /* of the arrows */
    size_t             n;
} learn_deploy_t;


/* by which arrows are sorted */

typedef struct {
    learn_arrow_t      arrow;
    uint32_t           rule;
} learn_deploy_arrow_t;


static int  learn_deploy_places(learn_deploy_t *deploy, double limit);
static int  learn_deploy_place(learn_deploy_t *deploy, learn_place_t *place,
    const learn_context_t *context, int target);
static int  learn_deploy_number(learn_deploy_t *deploy);
static int  learn_deploy_sort(learn_deploy_t *deploy);
static int  learn_deploy_covers(const void *data, uint32_t one, uint32_t two);
static int  learn_deploy_wider(const learn_cell_t *one,
    const learn_cell_t *two);
static int  learn_place_by_hash(const void *one, const void *two);
static int  learn_arrow_by_places(const void *one, const void *two);
static int  learn_fan_once(learn_fan_t *fan, uint8_t *url, size_t len,
    unsigned round, miqps_str_t *result);
static int  learn_fan_keys(learn_fan_t *fan, const learn_pair_t *pairs,
    size_t n, unsigned round);
static const learn_fan_entry_t  *learn_fan_best(const learn_fan_t *fan,
    size_t npairs);
static int  learn_fan_valued(const learn_fan_t *fan,
    const learn_fan_form_t *form);
static int  learn_fan_better(const learn_fan_t *fan,
    const learn_fan_entry_t *one, const learn_fan_entry_t *two);
static size_t  learn_fan_make(const learn_fan_t *fan,
    const learn_fan_entry_t *entry, const learn_pair_t *pairs,
    learn_pair_t *out);


static const miqps_str_t  learn_fan_star = miqps_string("*");


int
learn_fan_select(learn_fan_t *fan, double limit)
{
    int             ok;
    size_t          i, f, e;
    learn_cover_t   cover;
    learn_deploy_t  deploy;

    memset(&deploy, 0, sizeof(learn_deploy_t));

    learn_arena_init(&deploy.arena);

    deploy.fan = fan;
    cover.covers = learn_deploy_covers;
    cover.data = &deploy;

    ok = learn_deploy_places(&deploy, limit)
         && learn_select_naive(deploy.arrows, deploy.n, &cover, 0);

    fan->qualified = deploy.n;
    fan->deployed = 0;

    for (i = 0; i < fan->nrules; i++) {
        fan->rules[i].deployed = 0;
    }

    for (i = 0; ok && i < deploy.n; i++) {
        fan->rules[deploy.rules[i]].deployed = deploy.arrows[i].keep;
        fan->deployed += deploy.arrows[i].keep;
    }

    for (f = 0; f < fan->nforms; f++) {
        fan->forms[f].deployed = 0;
    }

    for (e = 0; e < fan->nentries; e++) {
        if (!fan->entries[e].target
            && fan->rules[fan->entries[e].rule].deployed)
        {
            fan->forms[fan->entries[e].form].deployed = 1;
        }
    }

    learn_arena_release(&deploy.arena);

    return ok;
}


static int
learn_deploy_places(learn_deploy_t *deploy, double limit)
{
    size_t             i, n;
    learn_fan_t       *fan;
    learn_fan_rule_t  *rule;

    fan = deploy->fan;
    n = fan->nrules;

    deploy->places = learn_arena_alloc(&deploy->arena,
                                       2 * n * sizeof(learn_place_t) + 1);
    deploy->list = learn_arena_alloc(&deploy->arena,
                                     2 * n * sizeof(learn_place_t *) + 1);
    deploy->arrows = learn_arena_alloc(&deploy->arena,
                                       n * sizeof(learn_arrow_t) + 1);
    deploy->rules = learn_arena_alloc(&deploy->arena,
                                      n * sizeof(uint32_t) + 1);

    if (deploy->places == NULL || deploy->list == NULL
        || deploy->arrows == NULL || deploy->rules == NULL)
    {
        return 0;
    }

    for (i = 0, n = 0; i < fan->nrules; i++) {
        rule = &fan->rules[i];

        if (rule->supports == 0 || rule->fpr > limit) {
            continue;
        }

        if (!learn_deploy_place(deploy, &deploy->places[2 * n],
                                &rule->context, 0)
            || !learn_deploy_place(deploy, &deploy->places[2 * n + 1],
                                   &rule->context, 1))
        {
            return 0;
        }

        deploy->rules[n++] = (uint32_t) i;
    }

    deploy->n = n;

    return learn_deploy_number(deploy) && learn_deploy_sort(deploy);
}


static int
learn_deploy_place(learn_deploy_t *deploy, learn_place_t *place,
    const learn_context_t *context, int target)
{
    uint32_t       i;
    uint64_t       bit;
    learn_cell_t  *cells, cell;

    cells = learn_arena_alloc(&deploy->arena,
                              context->n * sizeof(learn_cell_t) + 1);

    if (cells == NULL) {
        return 0;
    }

    place->context.cells = cells;

    for (i = 0; i < context->n; i++) {
        cell = context->cells[i];

        if (cell.kind == LEARN_CELL_SWAP) {
            cell.kind = LEARN_CELL_LITERAL;
            cell.value = target ? cell.other : cell.value;

            if (cell.value == LEARN_NONE) {
                continue;
            }
        }

        bit = UINT64_C(1) << (cell.key & 63);

        place->keys |= bit;
        place->required |= (cell.kind != LEARN_CELL_STAR) ? bit : 0;
        place->context.hash += learn_cell_hash(&cell);

        cells[place->context.n++] = cell;
    }

    return 1;
}


/* equal places have one number */

static int
learn_deploy_number(learn_deploy_t *deploy)
{
    size_t     i, n;
    uint32_t   number;

    n = 2 * deploy->n;

    for (i = 0; i < n; i++) {
        deploy->list[i] = &deploy->places[i];
    }

    qsort(deploy->list, n, sizeof(learn_place_t *), learn_place_by_hash);

    for (i = 0, number = 0; i < n; i++) {
        if (i > 0 && deploy->list[i]->context.hash
                     != deploy->list[number]->context.hash)
        {
            number++;
        }

        deploy->list[number] = deploy->list[i];
        deploy->list[i]->number = number;
    }

    return 1;
}


static int
learn_deploy_sort(learn_deploy_t *deploy)
{
    size_t                 i;
    learn_fan_rule_t      *rule;
    learn_deploy_arrow_t  *sort;

    sort = calloc(deploy->n + 1, sizeof(learn_deploy_arrow_t));

    if (sort == NULL) {
        return 0;
    }

    for (i = 0; i < deploy->n; i++) {
        rule = &deploy->fan->rules[deploy->rules[i]];

        sort[i].rule = deploy->rules[i];
        sort[i].arrow.source = deploy->places[2 * i].number;
        sort[i].arrow.target = deploy->places[2 * i + 1].number;
        sort[i].arrow.fpr = rule->fpr;
        sort[i].arrow.volume = rule->urls;
    }

    qsort(sort, deploy->n, sizeof(learn_deploy_arrow_t),
          learn_arrow_by_places);

    for (i = 0; i < deploy->n; i++) {
        deploy->arrows[i] = sort[i].arrow;
        deploy->rules[i] = sort[i].rule;
    }

    free(sort);

    return 1;
}


static int
learn_deploy_covers(const void *data, uint32_t one, uint32_t two)
{
    uint32_t               i, j;
    const learn_set_t     *set;
    const learn_cell_t    *a, *b;
    const learn_place_t   *p, *q;
    const learn_deploy_t  *deploy;

    deploy = data;
    set = deploy->fan->set;
    p = deploy->list[one];
    q = deploy->list[two];

    if ((q->keys & ~p->keys) != 0 || (p->required & ~q->keys) != 0) {
        return 0;
    }

    for (i = 0, j = 0; i < p->context.n; i++) {
        a = &p->context.cells[i];
        b = (j < q->context.n) ? &q->context.cells[j] : NULL;

        if (b != NULL && b->key == a->key) {
            if (!learn_deploy_wider(a, b)) {
                return 0;
            }

            j++;

        } else if (a->kind != LEARN_CELL_STAR
                   || (b != NULL
                       && set->keys[b->key].rank < set->keys[a->key].rank))
        {
            return 0;
        }
    }

    return j == q->context.n;
}


static int
learn_deploy_wider(const learn_cell_t *one, const learn_cell_t *two)
{
    switch (one->kind) {

    case LEARN_CELL_STAR:
        return 1;

    case LEARN_CELL_ANY:
        return two->kind != LEARN_CELL_STAR;

    default:
        return two->kind == LEARN_CELL_LITERAL && two->value == one->value;
    }
}


static int
learn_place_by_hash(const void *one, const void *two)
{
    uint64_t  a, b;

    a = (*(learn_place_t *const *) one)->context.hash;
    b = (*(learn_place_t *const *) two)->context.hash;

    return (a > b) - (a < b);
}


static int
learn_arrow_by_places(const void *one, const void *two)
{
    const learn_deploy_arrow_t  *a, *b;

    a = one;
    b = two;

    if (a->arrow.source != b->arrow.source) {
        return (a->arrow.source > b->arrow.source) ? 1 : -1;
    }

    if (a->arrow.target != b->arrow.target) {
        return (a->arrow.target > b->arrow.target) ? 1 : -1;
    }

    return (a->rule > b->rule) - (a->rule < b->rule);
}


int
learn_fan_apply(learn_fan_t *fan, uint8_t *url, size_t len,
    miqps_str_t *result)
{
    int          rc;
    unsigned     round;
    miqps_str_t  next;

    result->data = url;
    result->len = len;

    for (round = 0; round < LEARN_FAN_ROUNDS; round++) {
        rc = learn_fan_once(fan, (uint8_t *) (uintptr_t) result->data,
                            result->len, round, &next);

        if (rc <= 0) {
            return (round > 0 && rc == 0) ? 1 : rc;
        }

        if (miqps_str_eq(&next, result)) {
            break;
        }

        *result = next;
    }

    return 1;
}


static int
learn_fan_once(learn_fan_t *fan, uint8_t *url, size_t len, unsigned round,
    miqps_str_t *result)
{
    size_t                    n, size;
    uint8_t                  *out;
    unsigned                  turn;
    learn_pair_t              pairs[LEARN_MAX_PAIRS];
    learn_pair_t              made[LEARN_MAX_PAIRS + 1];
    const learn_fan_entry_t  *entry;

    if (fan->deployed == 0) {
        return 0;
    }

    n = learn_keys_split(url, len, pairs);

    if (n == 0 || !learn_fan_keys(fan, pairs, n, round)) {
        return 0;
    }

    entry = learn_fan_best(fan, n);

    if (entry == NULL) {
        return 0;
    }

    n = learn_fan_make(fan, entry, pairs, made);
    size = learn_keys_size(made, n);
    turn = round & 1;

    if (size > fan->size[turn]) {
        out = realloc(fan->out[turn], 2 * size);

        if (out == NULL) {
            return -1;
        }

        fan->out[turn] = out;
        fan->size[turn] = 2 * size;
    }

    result->len = learn_keys_join(made, n, fan->out[turn]);
    result->data = fan->out[turn];

    return 1;
}


/*
 * False if the set does not have one of the keys.  What a rule has made a star
 * is no value any more.
 */

static int
learn_fan_keys(learn_fan_t *fan, const learn_pair_t *pairs, size_t n,
    unsigned round)
{
    size_t       i;
    uint32_t     key, again;
    learn_key_t  next;

    fan->now++;

    for (i = 0; i < n; i++) {
        key = learn_set_key(fan->set, &pairs[i].key);

        if (key == LEARN_NONE) {
            return 0;
        }

        again = key;

        if (fan->stamp[key] == fan->now) {
            next = pairs[i].key;
            next.nth = fan->set->keys[fan->again[key]].key.nth + 1;
            again = learn_set_key(fan->set, &next);

            if (again == LEARN_NONE) {
                return 0;
            }
        }

        fan->stamp[key] = fan->now;
        fan->again[key] = again;
        fan->stamp[again] = fan->now;
        fan->pair[again] = (uint32_t) i;
        fan->value[again] = learn_set_find(fan->set, again, &pairs[i].value);

        if (round > 0 && miqps_str_eq(&pairs[i].value, &learn_fan_star)) {
            fan->value[again] = LEARN_FAN_STARRED;
        }
    }

    return 1;
}


static const learn_fan_entry_t *
learn_fan_best(const learn_fan_t *fan, size_t npairs)
{
    size_t                    f;
    uint32_t                  e;
    uint64_t                  hash;
    const learn_fan_entry_t  *entry, *best;

    best = NULL;

    for (f = 0; f < fan->nforms; f++) {
        if (!fan->forms[f].deployed
            || !learn_fan_form_has(&fan->forms[f], fan->stamp, fan->now,
                                   npairs)
            || !learn_fan_valued(fan, &fan->forms[f]))
        {
            continue;
        }

        hash = learn_fan_form_hash(&fan->forms[f], fan->value);

        for (e = learn_fan_find(fan, (uint32_t) f, hash); e != LEARN_NONE;
             e = entry->next)
        {
            entry = &fan->entries[e];

            if (fan->rules[entry->rule].deployed && !entry->target
                && (best == NULL || learn_fan_better(fan, entry, best)))
            {
                best = entry;
            }
        }
    }

    return best;
}


/* any value is one, a star is none */

static int
learn_fan_valued(const learn_fan_t *fan, const learn_fan_form_t *form)
{
    uint32_t  i;

    for (i = 0; i < form->n; i++) {
        if (form->cells[i].kind == LEARN_CELL_ANY
            && fan->value[form->cells[i].key] == LEARN_FAN_STARRED)
        {
            return 0;
        }
    }

    return 1;
}


static int
learn_fan_better(const learn_fan_t *fan, const learn_fan_entry_t *one,
    const learn_fan_entry_t *two)
{
    const learn_fan_rule_t  *a, *b;

    a = &fan->rules[one->rule];
    b = &fan->rules[two->rule];

    return a->fpr < b->fpr || (a->fpr == b->fpr && a->supports > b->supports);
}


static size_t
learn_fan_make(const learn_fan_t *fan, const learn_fan_entry_t *entry,
    const learn_pair_t *pairs, learn_pair_t *out)
{
    size_t                  n;
    uint32_t                i;
    const learn_cell_t     *cell;
    const learn_value_t    *value;
    const learn_context_t  *context;

    n = 0;
    context = &fan->rules[entry->rule].context;

    for (i = 0; i < context->n; i++) {
        cell = &context->cells[i];
        out[n].key = fan->set->keys[cell->key].key;

        switch (cell->kind) {

        case LEARN_CELL_STAR:
            out[n++].value = learn_fan_star;
            break;

        case LEARN_CELL_SWAP:
            if (cell->other != LEARN_NONE) {
                value = &fan->set->values[cell->other];
                out[n].value.data = value->text;
                out[n++].value.len = value->len;
            }

            break;

        default:
            out[n++].value = pairs[fan->pair[cell->key]].value;
        }
    }

    return n;
}
