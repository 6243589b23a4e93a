
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "peer_fanout.h"


static int  learn_fan_index(learn_fan_t *fan);
static int  learn_fan_enter(learn_fan_t *fan, uint32_t rule, int target);
static uint32_t  learn_fan_form(learn_fan_t *fan, const learn_cell_t *cells,
    uint32_t n);
static void  learn_fan_hang(learn_fan_t *fan, uint32_t entry);
static uint64_t  learn_fan_mix(uint64_t a, uint64_t b);
static int  learn_fan_room(void *list, size_t *max, size_t n, size_t size);


int
learn_fan_learn(learn_fan_t *fan, const learn_set_t *set, size_t fanout)
{
    size_t  keys;

    memset(fan, 0, sizeof(learn_fan_t));

    learn_arena_init(&fan->arena);

    fan->set = set;
    fan->fanout = fanout;

    keys = set->nkeys + (size_t) 1;

    fan->stamp = calloc(keys, sizeof(uint32_t));
    fan->again = malloc(keys * sizeof(uint32_t));
    fan->value = malloc(keys * sizeof(uint32_t));
    fan->pair = malloc(keys * sizeof(uint32_t));

    return fan->stamp != NULL && fan->again != NULL && fan->value != NULL
           && fan->pair != NULL && learn_fan_contexts(fan)
           && learn_fan_index(fan) && learn_fan_proof(fan);
}


void
learn_fan_release(learn_fan_t *fan)
{
    free(fan->rules);
    free(fan->forms);
    free(fan->entries);
    free(fan->table);
    free(fan->stamp);
    free(fan->again);
    free(fan->value);
    free(fan->pair);
    free(fan->out[0]);
    free(fan->out[1]);

    learn_arena_release(&fan->arena);
}


int
learn_fan_add(learn_fan_t *fan, const learn_context_t *context)
{
    learn_fan_rule_t  *rule;

    if (!learn_fan_room(&fan->rules, &fan->max_rules, fan->nrules + 1,
                        sizeof(learn_fan_rule_t)))
    {
        return 0;
    }

    rule = &fan->rules[fan->nrules++];
    memset(rule, 0, sizeof(learn_fan_rule_t));

    rule->context = *context;

    return 1;
}


uint64_t
learn_cell_hash(const learn_cell_t *cell)
{
    uint64_t  hash;

    hash = (uint64_t) cell->key << 2 | cell->kind;

    switch (cell->kind) {

    case LEARN_CELL_LITERAL:
        return learn_fan_mix(hash, cell->value);

    case LEARN_CELL_SWAP:
        return learn_fan_mix(learn_fan_mix(hash, cell->value), cell->other);

    default:
        return learn_fan_mix(hash, 0);
    }
}


static uint64_t
learn_fan_mix(uint64_t a, uint64_t b)
{
    uint64_t  x;

    x = (a + 1) * UINT64_C(0x9e3779b97f4a7c15) + b;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);

    return x ^ x >> 31;
}


/* all rules, by what URLs must have to be theirs */

static int
learn_fan_index(learn_fan_t *fan)
{
    size_t    size;
    uint32_t  r, e;

    for (r = 0; r < fan->nrules; r++) {
        if (!learn_fan_enter(fan, r, 0) || !learn_fan_enter(fan, r, 1)) {
            return 0;
        }
    }

    for (size = 64; size < 2 * fan->nentries; size *= 2) { /* void */ }

    fan->mask = size - 1;
    fan->table = malloc(size * sizeof(uint32_t));

    if (fan->table == NULL) {
        return 0;
    }

    memset(fan->table, 0xff, size * sizeof(uint32_t));

    for (e = (uint32_t) fan->nentries; e-- > 0; /* void */ ) {
        learn_fan_hang(fan, e);
    }

    return 1;
}


/* the URLs that a rule changes, or those that are what it makes of them */

static int
learn_fan_enter(learn_fan_t *fan, uint32_t rule, int target)
{
    int                     swap;
    uint32_t                i, n;
    uint64_t                hash;
    learn_cell_t            cells[LEARN_MAX_PAIRS + 1];
    learn_fan_entry_t      *entry;
    const learn_context_t  *context;

    n = 0;
    hash = 0;
    swap = 0;
    context = &fan->rules[rule].context;

    for (i = 0; i < context->n; i++) {
        cells[n] = context->cells[i];

        if (cells[n].kind == LEARN_CELL_SWAP) {
            swap = 1;

            cells[n].kind = LEARN_CELL_LITERAL;
            cells[n].value = target ? cells[n].other : cells[n].value;

            if (cells[n].value == LEARN_NONE) {
                continue;
            }
        }

        if (cells[n].kind == LEARN_CELL_LITERAL) {
            hash += learn_cell_hash(&cells[n]);
        }

        n++;
    }

    /* those of a star are all in one place */

    if (target && !swap) {
        return 1;
    }

    if (!learn_fan_room(&fan->entries, &fan->max_entries, fan->nentries + 1,
                        sizeof(learn_fan_entry_t)))
    {
        return 0;
    }

    entry = &fan->entries[fan->nentries++];

    entry->rule = rule;
    entry->target = (target != 0);
    entry->hash = hash;
    entry->next = LEARN_NONE;
    entry->form = learn_fan_form(fan, cells, n);

    return entry->form != LEARN_NONE;
}


static uint32_t
learn_fan_form(learn_fan_t *fan, const learn_cell_t *cells, uint32_t n)
{
    size_t             f;
    uint32_t           i;
    uint64_t           hash;
    learn_cell_t       cell;
    learn_fan_form_t  *form;

    hash = 0;

    for (i = 0; i < n; i++) {
        cell = cells[i];
        cell.value = 0;
        hash += learn_cell_hash(&cell);
    }

    for (f = 0; f < fan->nforms; f++) {
        if (fan->forms[f].hash == hash && fan->forms[f].n == n) {
            return (uint32_t) f;
        }
    }

    if (!learn_fan_room(&fan->forms, &fan->max_forms, fan->nforms + 1,
                        sizeof(learn_fan_form_t)))
    {
        return LEARN_NONE;
    }

    form = &fan->forms[fan->nforms];

    form->cells = learn_arena_alloc(&fan->arena, n * sizeof(learn_cell_t) + 1);
    form->n = n;
    form->hash = hash;
    form->required = 0;
    form->deployed = 0;

    if (form->cells == NULL) {
        return LEARN_NONE;
    }

    for (i = 0; i < n; i++) {
        form->cells[i] = cells[i];
        form->required += (cells[i].kind != LEARN_CELL_STAR);
    }

    return (uint32_t) fan->nforms++;
}


static void
learn_fan_hang(learn_fan_t *fan, uint32_t entry)
{
    size_t              i;
    uint32_t            first;
    learn_fan_entry_t  *e;

    e = &fan->entries[entry];
    i = learn_fan_mix(e->hash, e->form) & fan->mask;

    while ((first = fan->table[i]) != LEARN_NONE) {
        if (fan->entries[first].hash == e->hash
            && fan->entries[first].form == e->form)
        {
            e->next = first;
            break;
        }

        i = (i + 1) & fan->mask;
    }

    fan->table[i] = entry;
}


uint32_t
learn_fan_find(const learn_fan_t *fan, uint32_t form, uint64_t hash)
{
    size_t    i;
    uint32_t  first;

    i = learn_fan_mix(hash, form) & fan->mask;

    while ((first = fan->table[i]) != LEARN_NONE) {
        if (fan->entries[first].hash == hash
            && fan->entries[first].form == form)
        {
            break;
        }

        i = (i + 1) & fan->mask;
    }

    return first;
}


int
learn_fan_form_has(const learn_fan_form_t *form, const uint32_t *stamp,
    uint32_t now, size_t nkeys)
{
    size_t    known;
    uint32_t  i;

    if (nkeys < form->required || nkeys > form->n) {
        return 0;
    }

    known = 0;

    for (i = 0; i < form->n; i++) {
        if (stamp[form->cells[i].key] == now) {
            known++;

        } else if (form->cells[i].kind != LEARN_CELL_STAR) {
            return 0;
        }
    }

    return known == nkeys;
}


uint64_t
learn_fan_form_hash(const learn_fan_form_t *form, const uint32_t *value)
{
    uint32_t      i;
    uint64_t      hash;
    learn_cell_t  cell;

    hash = 0;

    for (i = 0; i < form->n; i++) {
        if (form->cells[i].kind == LEARN_CELL_LITERAL) {
            cell = form->cells[i];
            cell.value = value[cell.key];
            hash += learn_cell_hash(&cell);
        }
    }

    return hash;
}


/* room for "n" of "size"; "list" is the address of a pointer */

static int
learn_fan_room(void *list, size_t *max, size_t n, size_t size)
{
    void    *p;
    size_t   more;

    if (n <= *max) {
        return 1;
    }

    more = 2 * *max + 64;
    memcpy(&p, list, sizeof(void *));

    p = realloc(p, more * size);

    if (p == NULL) {
        return 0;
    }

    memcpy(list, &p, sizeof(void *));
    *max = more;

    return 1;
}
