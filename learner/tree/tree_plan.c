
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdlib.h>

#include "tree_plan_proof.h"


static int  learn_plan_select(learn_plan_t *plan);
static int  learn_plan_covers(const void *data, uint32_t one, uint32_t two);
static int  learn_plan_actions(learn_plan_t *plan);
static void  learn_plan_reduce(learn_plan_t *plan);
static int  learn_plan_form(learn_plan_t *plan, learn_action_t *list,
    const learn_action_t **form);
static int  learn_plan_widen(learn_plan_t *plan, learn_action_t *action,
    const learn_action_t *like);
static int  learn_plan_inside(const learn_plan_t *plan,
    const learn_action_t *action);
static int  learn_plan_within(const learn_plan_t *plan,
    const learn_action_t *one, const learn_action_t *two);
static void  learn_plan_undo(learn_plan_t *plan, uint32_t node);
static learn_action_t  *learn_plan_action(learn_plan_t *plan, uint32_t node,
    uint32_t target);
static int  learn_plan_chain(learn_plan_t *plan, const learn_arrow_t *arrow);
static const learn_arrow_t  *learn_plan_next(const learn_plan_t *plan,
    const learn_arrow_t *arrow);
static void  learn_plan_compose(const learn_pattern_t *middle,
    const learn_op_t *one, const learn_rule_t *two, learn_op_t *ops);
static const learn_op_t  *learn_plan_op(const learn_pattern_t *pattern,
    const learn_op_t *ops, uint32_t key);
static int  learn_plan_land(learn_plan_t *plan, uint32_t node,
    const learn_action_t *like);
static int  learn_plan_index(learn_plan_t *plan);


int
learn_plan_make(learn_plan_t *plan, const learn_rules_t *rules,
    const learn_plan_options_t *options)
{
    memset(plan, 0, sizeof(learn_plan_t));

    learn_arena_init(&plan->arena);

    plan->rules = rules;
    plan->options = *options;

    plan->actions = learn_arena_alloc(&plan->arena,
                                      rules->tree->nnodes
                                      * sizeof(learn_action_t *));

    return plan->actions != NULL && learn_plan_select(plan)
           && learn_plan_actions(plan) && learn_plan_proof(plan)
           && learn_plan_index(plan);
}


void
learn_plan_release(learn_plan_t *plan)
{
    free(plan->out[0]);
    free(plan->out[1]);

    learn_arena_release(&plan->arena);
}


static int
learn_plan_select(learn_plan_t *plan)
{
    int                   ok;
    size_t                i;
    learn_arrow_t        *arrow;
    learn_cover_t         cover;
    const learn_rule_t   *rule;
    const learn_tree_t   *tree;
    const learn_rules_t  *rules;

    rules = plan->rules;
    tree = rules->tree;

    plan->arrows = learn_arena_alloc(&plan->arena,
                                 rules->nrules * sizeof(learn_arrow_t) + 1);
    plan->numbers = learn_arena_alloc(&plan->arena,
                                      rules->nrules * sizeof(uint32_t) + 1);

    if (plan->arrows == NULL || plan->numbers == NULL) {
        return 0;
    }

    for (i = 0; i < rules->nrules; i++) {
        rule = &rules->rules[i];

        if (!learn_rule_qualified(rule, plan->options.limit)) {
            continue;
        }

        arrow = &plan->arrows[plan->qualified];

        arrow->source = rule->source;
        arrow->target = rule->target;
        arrow->fpr = rule->fpr;
        arrow->overlap = rule->overlap;
        arrow->volume = learn_node_volume(&tree->nodes[rule->source]);
        arrow->target_volume = learn_node_volume(&tree->nodes[rule->target]);

        plan->numbers[plan->qualified++] = (uint32_t) i;
    }

    cover.covers = learn_plan_covers;
    cover.data = tree;

    if (plan->options.select == LEARN_SELECT_NAIVE) {
        ok = learn_select_naive(plan->arrows, plan->qualified, &cover,
                                plan->options.by_rate);

    } else {
        plan->energy = learn_arena_alloc(&plan->arena, tree->nnodes
                                                   * sizeof(learn_energy_t));

        ok = (plan->energy != NULL
              && learn_select_graph(plan->arrows, plan->qualified, &cover,
                                    plan->options.destinations, tree->nnodes,
                                    plan->energy));
    }

    return ok;
}


static int
learn_plan_covers(const void *data, uint32_t one, uint32_t two)
{
    return learn_tree_covers(data, one, two);
}


static int
learn_plan_actions(learn_plan_t *plan)
{
    size_t                  i;
    uint32_t                n;
    learn_action_t         *action, **ends;
    const learn_action_t   *form;

    plan->acts = learn_arena_alloc(&plan->arena, plan->rules->tree->nnodes
                                                 * sizeof(learn_arrow_t *));

    if (plan->acts == NULL) {
        return 0;
    }

    for (i = 0; i < plan->qualified; i++) {
        if (plan->arrows[i].keep) {
            plan->acts[plan->arrows[i].source] = &plan->arrows[i];
        }
    }

    for (i = 0; i < plan->qualified; i++) {
        if (plan->arrows[i].keep) {
            plan->deployed++;

            if (!learn_plan_chain(plan, &plan->arrows[i])) {
                return 0;
            }
        }
    }

    learn_plan_reduce(plan);

    if (plan->energy == NULL) {
        return 1;
    }

    ends = calloc(plan->rules->tree->nnodes, sizeof(learn_action_t *));

    if (ends == NULL) {
        return 0;
    }

    for (n = 0; n < plan->rules->tree->nnodes; n++) {
        action = plan->actions[n];

        if (action != NULL) {
            action->next = ends[action->target];
            ends[action->target] = action;
        }
    }

    for (n = 0; n < plan->rules->tree->nnodes; n++) {
        if (ends[n] == NULL) {
            continue;
        }

        if (!learn_plan_form(plan, ends[n], &form)
            || (plan->actions[n] == NULL && !learn_plan_land(plan, n, form)))
        {
            free(ends);
            return 0;
        }
    }

    free(ends);

    return 1;
}


/*
 * A rule that ends where that of the nearest ancestor ends, and ignores no
 * more, is redundant.
 */

static void
learn_plan_reduce(learn_plan_t *plan)
{
    uint32_t             n, up;
    const learn_node_t  *nodes;

    nodes = plan->rules->tree->nodes;

    for (n = plan->rules->tree->nnodes; n-- > 0; /* void */ ) {
        if (plan->actions[n] == NULL) {
            continue;
        }

        for (up = nodes[n].parent; up != LEARN_NONE; up = nodes[up].parent) {
            if (plan->actions[up] != NULL) {
                break;
            }
        }

        if (up != LEARN_NONE && !plan->options.by_rate
            && plan->actions[up]->target == plan->actions[n]->target
            && learn_plan_within(plan, plan->actions[n], plan->actions[up]))
        {
            learn_plan_undo(plan, n);
        }
    }
}


/*
 * What is ignored where chains end, and whose chains these are: "form" is one
 * of them.  Returns 0 without memory.
 */

static int
learn_plan_form(learn_plan_t *plan, learn_action_t *list,
    const learn_action_t **form)
{
    uint32_t         volume, most;
    learn_action_t  *one, *two, *best;

    best = NULL;
    most = 0;

    for (one = list; one != NULL; one = one->next) {
        volume = 0;

        if (learn_plan_inside(plan, one)) {
            continue;
        }

        for (two = list; two != NULL; two = two->next) {
            if (!learn_plan_inside(plan, two)
                && learn_plan_within(plan, two, one))
            {
                volume += learn_node_volume(
                                       &plan->rules->tree->nodes[two->node]);
            }
        }

        if (best == NULL || volume > most
            || (volume == most && one->node < best->node))
        {
            best = one;
            most = volume;
        }
    }

    *form = (best != NULL) ? best : list;

    if (best == NULL) {
        return 1;
    }

    for (one = list; one != NULL; one = one->next) {
        if (!learn_plan_inside(plan, one)
            && !learn_plan_within(plan, one, best))
        {
            learn_plan_undo(plan, one->node);
        }
    }

    for (one = list; one != NULL; one = one->next) {
        if (!learn_plan_within(plan, best, one)
            && !learn_plan_widen(plan, one, best))
        {
            return 0;
        }
    }

    return 1;
}


/* makes an action ignore what another one with the same target does */

static int
learn_plan_widen(learn_plan_t *plan, learn_action_t *action,
    const learn_action_t *like)
{
    uint32_t  f, n;

    n = plan->rules->tree->patterns[action->target].n;
    action->own = learn_arena_alloc(&plan->arena, n * sizeof(learn_op_t) + 1);

    if (action->own == NULL) {
        return 0;
    }

    for (f = 0; f < n; f++) {
        action->own[f] = action->ops[f];

        if (like->ops[f].kind == LEARN_OP_IGNORE) {
            action->ops[f].kind = LEARN_OP_IGNORE;
            action->ignores = 1;
        }
    }

    return 1;
}


/* true for a rule of a part of the node that it ends at */

static int
learn_plan_inside(const learn_plan_t *plan, const learn_action_t *action)
{
    return action->node != action->target
           && learn_tree_covers(plan->rules->tree, action->target,
                                action->node);
}


/* true if "one" ignores nothing that "two" does not */

static int
learn_plan_within(const learn_plan_t *plan, const learn_action_t *one,
    const learn_action_t *two)
{
    uint32_t  f;

    for (f = 0; f < plan->rules->tree->patterns[one->target].n; f++) {
        if (one->ops[f].kind == LEARN_OP_IGNORE
            && two->ops[f].kind != LEARN_OP_IGNORE)
        {
            return 0;
        }
    }

    return 1;
}


static void
learn_plan_undo(learn_plan_t *plan, uint32_t node)
{
    size_t  i;

    plan->actions[node] = NULL;
    plan->deployed--;

    for (i = 0; i < plan->qualified; i++) {
        if (plan->arrows[i].source == node) {
            plan->arrows[i].keep = 0;
        }
    }
}


static learn_action_t *
learn_plan_action(learn_plan_t *plan, uint32_t node, uint32_t target)
{
    learn_action_t  *action;

    action = learn_arena_alloc(&plan->arena, sizeof(learn_action_t));

    if (action == NULL) {
        return NULL;
    }

    action->node = node;
    action->target = target;
    action->ops = learn_arena_alloc(&plan->arena,
                                    plan->rules->tree->patterns[target].n
                                    * sizeof(learn_op_t) + 1);

    plan->actions[node] = action;

    return (action->ops != NULL) ? action : NULL;
}


/* follows the arrows from a source to where they end */

static int
learn_plan_chain(learn_plan_t *plan, const learn_arrow_t *arrow)
{
    size_t                size;
    uint32_t              i, nrules;
    learn_op_t           *ops, *next_ops;
    learn_action_t       *action;
    const learn_rule_t   *rule;
    const learn_arrow_t  *first, *next;

    first = arrow;
    nrules = 1;
    rule = &plan->rules->rules[plan->numbers[arrow - plan->arrows]];
    ops = rule->ops;

    /* there are no circles; should there be one, this ends */

    while ((next = learn_plan_next(plan, arrow)) != NULL
           && nrules <= plan->deployed)
    {
        rule = &plan->rules->rules[plan->numbers[next - plan->arrows]];
        size = rule->nops * sizeof(learn_op_t) + 1;
        next_ops = learn_arena_alloc(&plan->arena, size);

        if (next_ops == NULL) {
            return 0;
        }

        learn_plan_compose(&plan->rules->tree->patterns[arrow->target], ops,
                           rule, next_ops);

        ops = next_ops;
        arrow = next;
        nrules++;
    }

    action = learn_plan_action(plan, first->source, arrow->target);

    if (action == NULL) {
        return 0;
    }

    action->fpr = first->fpr;
    action->nrules = nrules;

    for (i = 0; i < rule->nops; i++) {
        action->ops[i] = ops[i];
        action->ignores |= (ops[i].kind == LEARN_OP_IGNORE);
    }

    return 1;
}


/*
 * NULL if the way ends, also if only the same arrow goes on.  With energies,
 * what is more general has to have more of it.
 */

static const learn_arrow_t *
learn_plan_next(const learn_plan_t *plan, const learn_arrow_t *arrow)
{
    uint32_t              place;
    learn_cover_t         cover;
    const learn_arrow_t  *next;

    cover.covers = learn_plan_covers;
    cover.data = plan->rules->tree;
    place = arrow->target;

    if (plan->energy == NULL) {
        next = (arrow->source == place)
               ? NULL : learn_select_next(plan->arrows, plan->qualified,
                                          &cover, plan->options.by_rate,
                                          place);
        return (next != arrow) ? next : NULL;
    }

    do {
        next = (place == arrow->source) ? NULL : plan->acts[place];

        if (next != NULL && (place == arrow->target
                             || plan->energy[place].rank
                                < plan->energy[arrow->target].rank))
        {
            return next;
        }

        place = plan->rules->tree->nodes[place].parent;

    } while (place != LEARN_NONE);

    return NULL;
}


/* "two" after "one", which has made the form of "middle" */

static void
learn_plan_compose(const learn_pattern_t *middle, const learn_op_t *one,
    const learn_rule_t *two, learn_op_t *ops)
{
    uint32_t           i;
    const learn_op_t  *op;

    for (i = 0; i < two->nops; i++) {
        ops[i] = two->ops[i];

        if (ops[i].kind != LEARN_OP_REPLACE) {
            continue;
        }

        op = learn_plan_op(middle, one, ops[i].from);

        ops[i].kind = (op != NULL) ? op->kind : LEARN_OP_DROP;
        ops[i].from = (op != NULL) ? op->from : LEARN_NONE;
    }
}


static const learn_op_t *
learn_plan_op(const learn_pattern_t *pattern, const learn_op_t *ops,
    uint32_t key)
{
    uint32_t  i;

    for (i = 0; i < pattern->n; i++) {
        if (ops[i].key == key) {
            return &ops[i];
        }
    }

    return NULL;
}


/* for the URLs that are where rules end; "like" is one that ends there */

static int
learn_plan_land(learn_plan_t *plan, uint32_t node, const learn_action_t *like)
{
    uint32_t                i;
    learn_op_t             *op;
    learn_action_t         *action;
    const learn_pattern_t  *pattern;

    pattern = &plan->rules->tree->patterns[node];
    action = learn_plan_action(plan, node, node);

    if (action == NULL) {
        return 0;
    }

    action->fpr = HUGE_VAL;
    action->ignores = like->ignores;

    for (i = 0; i < pattern->n; i++) {
        op = &action->ops[i];

        op->key = pattern->fields[i].key;
        op->from = op->key;
        op->kind = (like->ops[i].kind == LEARN_OP_IGNORE) ? LEARN_OP_IGNORE
                                                          : LEARN_OP_REPLACE;
    }

    return 1;
}


static int
learn_plan_index(learn_plan_t *plan)
{
    size_t                size, i;
    uint32_t              n, value;
    const learn_set_t    *set;
    const learn_node_t   *node;
    const learn_tree_t   *tree;

    tree = plan->rules->tree;
    set = tree->set;

    for (size = 16; size < 2 * (size_t) tree->nnodes; size *= 2) { /* void */ }

    plan->mask = (uint32_t) (size - 1);

    plan->children = learn_arena_alloc(&plan->arena, size * sizeof(uint32_t));
    plan->absent = learn_arena_alloc(&plan->arena,
                                     tree->nnodes * sizeof(uint32_t));
    plan->trivial = learn_arena_alloc(&plan->arena,
                                      tree->nnodes * sizeof(uint32_t));
    size = (set->nkeys + (size_t) 1) * sizeof(uint32_t);
    plan->stamp = learn_arena_alloc(&plan->arena, size);
    plan->again = learn_arena_alloc(&plan->arena, size);
    plan->pair = learn_arena_alloc(&plan->arena, size);

    if (plan->children == NULL || plan->absent == NULL
        || plan->trivial == NULL || plan->stamp == NULL || plan->again == NULL
        || plan->pair == NULL)
    {
        return 0;
    }

    /* 0 is the root, and nobody's child */

    for (n = 1; n < tree->nnodes; n++) {
        node = &tree->nodes[n];
        value = node->value;

        if (value == LEARN_ABSENT) {
            plan->absent[node->parent] = n;

        } else if (value == LEARN_TRIVIAL) {
            plan->trivial[node->parent] = n;

        } else {
            i = XXH3_64bits_withSeed(set->values[value].text,
                                     set->values[value].len, node->parent)
                & plan->mask;

            while (plan->children[i] != 0) {
                i = (i + 1) & plan->mask;
            }

            plan->children[i] = n;
        }
    }

    return 1;
}
