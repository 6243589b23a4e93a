
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <string.h>

#include "site_compose.h"


/*
 * SEVERAL STEPS AS ONE RULE
 *
 * A URL is changed by one rule at most, so that there has to be one for each
 * row of steps that URLs go through.  It is made from its end: at first source
 * and target are any path, "**".  Then each step, the last one first, says what
 * the source must have been for it to come to that:
 *
 *                                source                   target
 *                                ...                      ...
 *     a file at the end goes     ... index.html           ...
 *     a session in front goes    s {hex} ... index.html   ...
 *
 * Where a step wants to see certain segments, "**" becomes these, in both.
 */


static int  learn_compose_scope(learn_compose_t *compose);
static int  learn_compose_depth(learn_compose_t *compose, int deep);
static int  learn_compose_head(learn_compose_t *compose, uint32_t at);
static void  learn_compose_fronts(learn_compose_t *compose);
static int  learn_compose_step(learn_compose_t *compose,
    const learn_step_t *step);
static int  learn_compose_front(learn_compose_t *compose,
    const learn_step_t *step);
static int  learn_compose_back(learn_compose_t *compose,
    const learn_step_t *step);
static int  learn_compose_whole(learn_compose_t *compose,
    const learn_whole_t *whole);
static void  learn_compose_copy(learn_part_t *part, uint32_t what,
    uint32_t other);
static int  learn_compose_table(learn_compose_t *compose,
    const learn_step_t *step);
static int  learn_compose_insert(learn_compose_t *compose, uint32_t at,
    const uint32_t *atoms, uint32_t n);
static int  learn_compose_remove(learn_compose_t *compose, uint32_t at);
static int  learn_compose_expand(learn_compose_t *compose,
    const uint32_t *atoms, uint32_t n, int exact);
static int  learn_compose_fit(learn_compose_t *compose, uint32_t at,
    uint32_t atom);
static int  learn_compose_put(learn_compose_t *compose, uint32_t at,
    uint32_t atom);
static void  learn_compose_shut(learn_compose_t *compose, uint32_t at);
static uint32_t  learn_compose_deep(const learn_compose_t *compose);
static int  learn_compose_change(learn_compose_t *compose, uint32_t at,
    learn_part_e kind, uint32_t from, uint32_t to);
static int  learn_compose_param(learn_compose_t *compose, uint32_t from,
    uint32_t to, const char *name);


int
learn_site_compose(learn_site_t *site, uint64_t trace, int deep,
    learn_site_rule_t *rule)
{
    uint32_t         i;
    learn_compose_t  compose;

    memset(rule, 0, sizeof(learn_site_rule_t));
    memset(&compose, 0, sizeof(learn_compose_t));

    compose.site = site;
    compose.rule = rule;
    compose.from[0].kind = LEARN_PART_DEEP;
    compose.to[0].kind = LEARN_PART_DEEP;
    compose.nfrom = 1;
    compose.nto = 1;

    for (i = site->nsteps; i-- > 0; /* void */ ) {
        if ((trace >> i & 1)
            && !learn_compose_step(&compose, &site->steps[i]))
        {
            return 0;
        }
    }

    if (!compose.path) {
        return rule->nparams > 0 && !deep;
    }

    if (site->scoped && !learn_compose_scope(&compose)) {
        return 0;
    }

    learn_compose_fronts(&compose);

    if (!learn_compose_depth(&compose, deep)) {
        return 0;
    }

    return learn_compose_text(&compose, compose.from, compose.nfrom, 1,
                              rule->from)
           && learn_compose_text(&compose, compose.to, compose.nto, 0,
                                 rule->to);
}


/*
 * "**" is one segment at least.  Where there is something beside it, there may
 * be none: these are two rules, or a vaguer one would apply to what is left.
 */

static int
learn_compose_depth(learn_compose_t *compose, int deep)
{
    uint32_t  at;

    at = learn_compose_deep(compose);

    if (at == LEARN_NOTHING || compose->nto == 1) {
        return !deep;
    }

    compose->rule->least = compose->nto - (deep ? 0 : 1);
    compose->rule->most = deep ? UINT32_MAX : compose->nto - 1;

    if (!deep) {
        learn_compose_shut(compose, at);
    }

    return 1;
}


/* what may begin with anything begins with one of the heads */

static int
learn_compose_scope(learn_compose_t *compose)
{
    learn_part_t  *part;

    part = &compose->from[0];

    if (part->kind == LEARN_PART_DEEP
        && !learn_compose_put(compose, 0, LEARN_ATOM_STAR))
    {
        return 0;
    }

    /* a target that begins with something else has been told what */

    return part->kind != LEARN_PART_STAR || part->other != 0
           || learn_compose_head(compose, 0);
}


static int
learn_compose_head(learn_compose_t *compose, uint32_t at)
{
    learn_part_t  *part;

    part = &compose->from[at];

    if (compose->site->nheads == 0
        || compose->to[part->other].kind != LEARN_PART_STAR)
    {
        return 0;
    }

    part->kind = LEARN_PART_HEAD;
    compose->to[part->other].kind = LEARN_PART_HEAD;
    compose->rule->heads = 1;

    return 1;
}


/*
 * Where segments in front go, any segment could be one of these, and what is
 * behind it would be taken for something else
 */

static void
learn_compose_fronts(learn_compose_t *compose)
{
    uint32_t       i;
    learn_site_t  *site;

    site = compose->site;

    for (i = 0; i < site->nsteps; i++) {
        if (site->steps[i].kind == LEARN_STEP_FRONT
            && compose->from[0].kind == LEARN_PART_STAR
            && compose->from[0].other != LEARN_NOTHING)
        {
            (void) learn_compose_head(compose, 0);
            return;
        }
    }
}


/* the source of what the step makes */

static int
learn_compose_step(learn_compose_t *compose, const learn_step_t *step)
{
    char      text[16];
    uint32_t  i, n, atoms[LEARN_SITE_ATOMS];

    compose->path |= (step->kind != LEARN_STEP_NAME
                      && step->kind != LEARN_STEP_HOST
                      && (step->kind != LEARN_STEP_TABLE
                          || step->one == LEARN_NOTHING));

    switch (step->kind) {

    case LEARN_STEP_FRONT:
        return learn_compose_front(compose, step);

    case LEARN_STEP_BACK:
        return learn_compose_back(compose, step);

    case LEARN_STEP_INSIDE:
        n = step->left + step->right;
        memcpy(atoms, step->atoms, step->left * sizeof(uint32_t));
        memcpy(atoms + step->left, step->atoms + step->left + step->n,
               step->right * sizeof(uint32_t));

        return learn_compose_expand(compose, atoms, n, 1)
               && learn_compose_insert(compose, step->left,
                                       step->atoms + step->left, step->n);

    case LEARN_STEP_FIXED:
        memcpy(atoms, step->atoms, step->left * sizeof(uint32_t));
        atoms[step->left] = LEARN_ATOM_STAR;

        return learn_compose_expand(compose, atoms, step->left + 1, 0)
               && learn_compose_change(compose, step->left, LEARN_PART_ATOM,
                                       step->atoms[step->left], step->one);

    case LEARN_STEP_WORD:
        for (i = 0; i < step->left; i++) {
            atoms[i] = LEARN_ATOM_STAR;
        }

        atoms[step->left] = step->two;

        return learn_compose_expand(compose, atoms, step->left + 1, 0)
               && learn_compose_change(compose, step->left, LEARN_PART_WORD,
                                       step->one, step->two);

    case LEARN_STEP_ENDING:
        if (compose->from[compose->nfrom - 1].kind == LEARN_PART_DEEP) {
            if (!learn_compose_put(compose, compose->nfrom, LEARN_ATOM_STAR)) {
                return 0;
            }
        }

        return learn_compose_change(compose, compose->nfrom - 1,
                                    LEARN_PART_FILE, step->one, step->two);

    case LEARN_STEP_TABLE:
        return learn_compose_table(compose, step);

    case LEARN_STEP_WHOLE:
        return learn_compose_whole(compose, &step->whole);

    case LEARN_STEP_SWAP:
    case LEARN_STEP_MOVE:
        n = step->left + step->right + 1;
        memcpy(atoms, step->atoms, step->left * sizeof(uint32_t));
        atoms[step->left] = LEARN_ATOM_STAR;
        memcpy(atoms + step->left + 1, step->atoms + step->left + step->n,
               step->right * sizeof(uint32_t));

        if (compose->moved || !learn_compose_expand(compose, atoms, n, 1)
            || compose->from[step->left].kind != LEARN_PART_STAR)
        {
            return 0;
        }

        compose->moved = 1;
        compose->to[compose->from[step->left].other].kind = LEARN_PART_VALUE;

        if (step->kind == LEARN_STEP_SWAP) {
            compose->from[step->left].kind = LEARN_PART_ATOM;
            compose->from[step->left].token = LEARN_ATOM_STAR;
            compose->from[step->left].other = LEARN_NOTHING;

        } else {
            (void) learn_compose_remove(compose, step->left);
        }

        return learn_compose_param(compose, step->one, LEARN_NOTHING, "v");

    case LEARN_STEP_NAME:

        /* a name that a later step takes away had another one before */

        for (i = 0; i < compose->rule->nparams; i++) {
            if (compose->rule->params[i].from == step->two) {
                compose->rule->params[i].from = step->one;
                return 1;
            }
        }

        (void) snprintf(text, sizeof(text), "n%u", compose->rule->nparams);

        return learn_compose_param(compose, step->one, step->two, text);

    default:
        return 0;
    }
}


/*
 * What is left must not begin with what went, or the rule could apply again.
 * So it begins with one of the segments that are known to come there.
 */

static int
learn_compose_front(learn_compose_t *compose, const learn_step_t *step)
{
    learn_part_t  *part;

    if (compose->from[0].kind == LEARN_PART_DEEP
        && !learn_compose_put(compose, 0, LEARN_ATOM_STAR))
    {
        return 0;
    }

    part = &compose->from[0];

    if (part->kind == LEARN_PART_STAR && !learn_compose_head(compose, 0)) {
        return 0;
    }

    return learn_compose_insert(compose, 0, step->atoms, step->n);
}


/* the same at the end: a file goes from behind something that is none */

static int
learn_compose_back(learn_compose_t *compose, const learn_step_t *step)
{
    uint32_t       last;
    learn_part_t  *part;

    last = compose->nfrom - 1;

    if (compose->from[last].kind == LEARN_PART_DEEP) {

        if (!learn_compose_put(compose, compose->nfrom, LEARN_ATOM_STAR)) {
            return 0;
        }

        last = compose->nfrom - 1;
    }

    part = &compose->from[last];

    if (part->kind == LEARN_PART_STAR
        && compose->site->tokens[step->atoms[0]].len > 0)
    {
        if (compose->to[part->other].kind != LEARN_PART_STAR) {
            return 0;
        }

        part->kind = LEARN_PART_NAME;
        compose->to[part->other].kind = LEARN_PART_NAME;
    }

    return learn_compose_insert(compose, compose->nfrom, step->atoms,
                                step->n);
}


/* it comes last, and so is the first to be looked at */

static int
learn_compose_whole(learn_compose_t *compose, const learn_whole_t *whole)
{
    char                 text[8];
    uint32_t             i, k, value;
    learn_site_rule_t   *rule;

    if (compose->nfrom != 1 || compose->from[0].kind != LEARN_PART_DEEP) {
        return 0;
    }

    rule = compose->rule;
    compose->nfrom = whole->nfrom;
    compose->nto = whole->nto;
    value = 0;

    for (i = 0; i < whole->nto; i++) {
        learn_compose_copy(&compose->to[i], whole->to[i], LEARN_NOTHING);
    }

    for (i = 0; i < whole->nfrom; i++) {
        learn_compose_copy(&compose->from[i], whole->from[i], LEARN_NOTHING);
        value += (whole->from[i] >= LEARN_WHOLE_VALUE);
    }

    /* a name that both have stays; its value may be another one */

    for (i = 0; i < whole->nnames; i++) {
        (void) snprintf(text, sizeof(text), "%c", (char) ('a' + value + i));

        if (!learn_compose_param(compose, whole->names[i], LEARN_NOTHING,
                                 text))
        {
            return 0;
        }
    }

    for (k = 0; k < whole->nto_names; k++) {
        (void) snprintf(text, sizeof(text), "%c",
                        (char) ('a' + whole->to_values[k]));

        for (i = 0; i < rule->nparams; i++) {
            if (rule->params[i].from == whole->to_names[k]) {
                break;
            }
        }

        if (i == rule->nparams
            && !learn_compose_param(compose, LEARN_NOTHING,
                                    whole->to_names[k], text))
        {
            return 0;
        }

        rule->params[i].to = whole->to_names[k];
        (void) snprintf(rule->params[i].made, sizeof(rule->params[i].made),
                        "{%s}", text);
    }

    return 1;
}


static void
learn_compose_copy(learn_part_t *part, uint32_t what, uint32_t other)
{
    part->kind = (what >= LEARN_WHOLE_VALUE) ? LEARN_PART_COPY
                                             : LEARN_PART_WORD;
    part->token = what & ~((what >= LEARN_WHOLE_VALUE) ? LEARN_WHOLE_VALUE
                                                       : 0);
    part->other = other;
}


/* a rule has one table at most beside that of heads */

static int
learn_compose_table(learn_compose_t *compose, const learn_step_t *step)
{
    uint32_t             atoms[LEARN_SITE_ATOMS];
    learn_part_t        *part;
    learn_site_param_t  *param;

    if (compose->rule->table != NULL) {
        return 0;
    }

    compose->rule->table = step->table;
    compose->rule->ntable = step->ntable;

    if (step->one != LEARN_NOTHING) {

        if (!learn_compose_param(compose, step->one, step->one, "t")) {
            return 0;
        }

        param = &compose->rule->params[compose->rule->nparams - 1];
        (void) snprintf(param->text, sizeof(param->text), "{t:values}");

        return 1;
    }

    memcpy(atoms, step->atoms, step->left * sizeof(uint32_t));
    atoms[step->left] = LEARN_ATOM_STAR;

    if (!learn_compose_expand(compose, atoms, step->left + 1, 0)) {
        return 0;
    }

    part = &compose->from[step->left];

    if (part->kind != LEARN_PART_STAR
        || compose->to[part->other].kind != LEARN_PART_STAR)
    {
        return 0;
    }

    part->kind = LEARN_PART_TABLE;
    compose->to[part->other].kind = LEARN_PART_TABLE;

    return 1;
}


/* segments that only the source has */

static int
learn_compose_insert(learn_compose_t *compose, uint32_t at,
    const uint32_t *atoms, uint32_t n)
{
    uint32_t       i;
    learn_part_t  *part;

    if (compose->nfrom + n > LEARN_COMPOSE_MAX) {
        return 0;
    }

    memmove(compose->from + at + n, compose->from + at,
            (compose->nfrom - at) * sizeof(learn_part_t));
    compose->nfrom += n;

    for (i = 0; i < n; i++) {
        part = &compose->from[at + i];

        part->kind = (atoms[i] < LEARN_ATOM_LAST
                      && !(atoms[i] & LEARN_ATOM_COUNT))
                     ? LEARN_PART_WORD : LEARN_PART_ATOM;
        part->token = atoms[i];
        part->other = LEARN_NOTHING;
    }

    return 1;
}


static int
learn_compose_remove(learn_compose_t *compose, uint32_t at)
{
    compose->nfrom--;
    memmove(compose->from + at, compose->from + at + 1,
            (compose->nfrom - at) * sizeof(learn_part_t));

    return 1;
}


/* "**" at a place stands for nothing, in both */

static void
learn_compose_shut(learn_compose_t *compose, uint32_t at)
{
    uint32_t       i, gone;
    learn_part_t  *part;

    gone = compose->from[at].other;

    (void) learn_compose_remove(compose, at);

    compose->nto--;
    memmove(compose->to + gone, compose->to + gone + 1,
            (compose->nto - gone) * sizeof(learn_part_t));

    for (i = 0; i < compose->nfrom; i++) {
        part = &compose->from[i];

        if (part->other != LEARN_NOTHING && part->other > gone) {
            part->other--;
        }
    }
}


static uint32_t
learn_compose_deep(const learn_compose_t *compose)
{
    uint32_t  i;

    for (i = 0; i < compose->nfrom; i++) {
        if (compose->from[i].kind == LEARN_PART_DEEP) {
            return i;
        }
    }

    return LEARN_NOTHING;
}


/*
 * Makes the source have these segments: all of them, or the first ones.  What
 * "**" stands for becomes explicit as far as it has to.
 */

static int
learn_compose_expand(learn_compose_t *compose, const uint32_t *atoms,
    uint32_t n, int exact)
{
    uint32_t  i, deep, back;

    deep = learn_compose_deep(compose);

    if (deep != LEARN_NOTHING) {
        back = compose->nfrom - deep - 1;

        if (exact && deep + back >= n) {
            return 0;
        }

        for (i = deep; i < n - (exact ? back : 0); i++) {
            if (!learn_compose_put(compose, i, atoms[i])) {
                return 0;
            }
        }

        if (exact) {
            learn_compose_shut(compose, learn_compose_deep(compose));
        }
    }

    if (compose->nfrom < n || (exact && compose->nfrom != n)) {
        return 0;
    }

    for (i = 0; i < n; i++) {
        if (!learn_compose_fit(compose, i, atoms[i])) {
            return 0;
        }
    }

    return 1;
}


/* a segment in front of "**" or behind it, in both */

static int
learn_compose_put(learn_compose_t *compose, uint32_t at, uint32_t atom)
{
    uint32_t       i, deep, place;
    learn_part_t   part;

    if (compose->nfrom == LEARN_COMPOSE_MAX
        || compose->nto == LEARN_COMPOSE_MAX
        || (atom & LEARN_ATOM_COUNT && atom != LEARN_ATOM_STAR))
    {
        return 0;
    }

    deep = learn_compose_deep(compose);
    place = compose->from[deep].other + (at > deep);

    part.kind = (atom == LEARN_ATOM_STAR) ? LEARN_PART_STAR : LEARN_PART_WORD;
    part.token = atom;
    part.other = place;

    for (i = 0; i < compose->nfrom; i++) {
        if (compose->from[i].other != LEARN_NOTHING
            && compose->from[i].other >= place)
        {
            compose->from[i].other++;
        }
    }

    memmove(compose->from + at + 1, compose->from + at,
            (compose->nfrom - at) * sizeof(learn_part_t));
    compose->from[at] = part;
    compose->nfrom++;

    memmove(compose->to + place + 1, compose->to + place,
            (compose->nto - place) * sizeof(learn_part_t));
    compose->to[place] = part;
    compose->nto++;

    return 1;
}


/* a segment of the source has to be this one */

static int
learn_compose_fit(learn_compose_t *compose, uint32_t at, uint32_t atom)
{
    learn_part_t  *part;

    part = &compose->from[at];

    if (atom == LEARN_ATOM_STAR) {
        return part->kind != LEARN_PART_DEEP;
    }

    if (part->kind == LEARN_PART_WORD) {
        return part->token == atom;
    }

    if (part->kind != LEARN_PART_STAR || (atom & LEARN_ATOM_COUNT)) {
        return 0;
    }

    part->kind = LEARN_PART_WORD;
    part->token = atom;
    compose->to[part->other].kind = LEARN_PART_WORD;
    compose->to[part->other].token = atom;

    return 1;
}


/* a segment that is one thing in the source and another in the target */

static int
learn_compose_change(learn_compose_t *compose, uint32_t at, learn_part_e kind,
    uint32_t from, uint32_t to)
{
    learn_part_t  *part, *other;

    part = &compose->from[at];

    /* what goes later has no place in the target */

    if (part->other == LEARN_NOTHING && kind != LEARN_PART_FILE) {
        part->kind = kind;
        part->token = from;
        return 1;
    }

    if (part->other == LEARN_NOTHING
        || (part->kind != LEARN_PART_STAR && part->kind != LEARN_PART_WORD))
    {
        return 0;
    }

    other = &compose->to[part->other];

    if (part->kind == LEARN_PART_WORD && kind == LEARN_PART_FILE) {
        return 0;
    }

    part->kind = kind;
    part->token = from;

    if (other->kind == LEARN_PART_STAR || other->kind == LEARN_PART_WORD) {
        other->kind = (kind == LEARN_PART_FILE) ? kind : LEARN_PART_WORD;
        other->token = to;
    }

    return 1;
}


static int
learn_compose_param(learn_compose_t *compose, uint32_t from, uint32_t to,
    const char *name)
{
    learn_site_param_t  *param;

    if (compose->rule->nparams
        == sizeof(compose->rule->params) / sizeof(compose->rule->params[0]))
    {
        return 0;
    }

    param = &compose->rule->params[compose->rule->nparams++];

    param->from = from;
    param->to = to;
    (void) snprintf(param->text, sizeof(param->text), "{%s}", name);
    (void) snprintf(param->made, sizeof(param->made), "{%s}", name);

    return 1;
}
