
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_rules_text.h"


/*
 * (5): that a URL which a rule has made is one that no rule changes.  What
 * "one" makes is compared with the source of "two", for all pairs.
 */


/* what "two" does with a text of its source */

typedef enum {
    MIQPS_FATE_KEPT = 0,
    MIQPS_FATE_TABLE,                        /* kept, but for a table in it */
    MIQPS_FATE_LITERAL,                      /* replaced by one */
    MIQPS_FATE_OTHER
} miqps_fate_e;


typedef struct {
    const miqps_paths_t  *rules;
    miqps_texts_t         texts;

    miqps_rewrite_t       one;
    miqps_form_t          made;              /* what "one" makes */
    miqps_rewrite_t       two;

    uint8_t               segments[MIQPS_MAX_SEGMENTS];       /* fates */
    uint8_t               params[MIQPS_PATHS_MAX_PARAMS];
    uint8_t               same;              /* "two" moves nothing */
    uint8_t               path;              /* all segments are kept */
    uint8_t               stay;              /* hosts do not change */
} miqps_proof_t;


static int  miqps_prove_all(miqps_proof_t *proof, uint32_t *one,
    uint32_t *two);
static int  miqps_prove_applies(const miqps_proof_t *proof,
    const miqps_rewrite_t *rewrite);
static int  miqps_prove_after(const miqps_proof_t *proof, uint32_t one,
    uint32_t two);
static void  miqps_prove_fates(miqps_proof_t *proof);
static void  miqps_prove_segments(miqps_proof_t *proof, uint8_t *ncaptures);
static void  miqps_prove_params(miqps_proof_t *proof, uint8_t *ncaptures);
static miqps_fate_e  miqps_prove_fate(const miqps_paths_t *rules,
    const uint8_t *from, const uint8_t *to, uint8_t *ncaptures);
static void  miqps_prove_made(miqps_proof_t *proof);
static int  miqps_prove_apart(miqps_proof_t *proof);
static int  miqps_prove_path_apart(miqps_proof_t *proof);
static int  miqps_prove_segments_apart(miqps_proof_t *proof, uint32_t front,
    uint32_t back, int literals);
static int  miqps_prove_params_apart(miqps_proof_t *proof);
static const uint8_t  *miqps_prove_param(const miqps_paths_t *rules,
    const miqps_form_t *form, const uint8_t *name);
static int  miqps_prove_texts_apart(miqps_proof_t *proof, const uint8_t *made,
    const uint8_t *from, miqps_place_e place);
static int  miqps_prove_settled(miqps_proof_t *proof);
static int  miqps_prove_host_settled(miqps_proof_t *proof);
static int  miqps_prove_text_settled(miqps_proof_t *proof, uint8_t fate,
    const uint8_t *made, const uint8_t *from, const uint8_t *to);


int
miqps_paths_prove(const miqps_paths_t *rules, uint32_t *one, uint32_t *two)
{
    uint32_t       i;
    miqps_proof_t  proof;

    proof.rules = rules;
    proof.stay = 0;

    miqps_texts_init(&proof.texts, rules);

    if (!miqps_prove_all(&proof, one, two)) {
        return 0;
    }

    /* where hosts must stay, only targets with a host do something else */

    for (i = 0; i < rules->n; i++) {
        miqps_paths_read(rules, i, &proof.one);

        if (proof.one.to.host != NULL) {
            proof.stay = 1;
            return miqps_prove_all(&proof, one, two);
        }
    }

    return 1;
}


static int
miqps_prove_all(miqps_proof_t *proof, uint32_t *one, uint32_t *two)
{
    for (*two = 0; *two < proof->rules->n; (*two)++) {
        miqps_paths_read(proof->rules, *two, &proof->two);

        if (!miqps_prove_applies(proof, &proof->two)) {
            continue;
        }

        miqps_prove_fates(proof);

        for (*one = 0; *one < proof->rules->n; (*one)++) {
            miqps_paths_read(proof->rules, *one, &proof->one);

            if (!miqps_prove_applies(proof, &proof->one)) {
                continue;
            }

            miqps_prove_made(proof);

            if (!miqps_prove_after(proof, *one, *two)
                && !miqps_prove_apart(proof) && !miqps_prove_settled(proof))
            {
                return 0;
            }
        }
    }

    return 1;
}


static int
miqps_prove_applies(const miqps_proof_t *proof,
    const miqps_rewrite_t *rewrite)
{
    return !proof->stay || rewrite->from.host == NULL
           || rewrite->to.host == NULL;
}


/*
 * (c): a host rule comes after all others, and leaves what these look at, if
 * they do not look at the host.
 */

static int
miqps_prove_after(const miqps_proof_t *proof, uint32_t one, uint32_t two)
{
    int  first, second;

    first = miqps_paths_host_rule(miqps_paths_rule(proof->rules, one));
    second = miqps_paths_host_rule(miqps_paths_rule(proof->rules, two));

    return (second && !first)
           || (first && !second && proof->two.from.host == NULL);
}


static void
miqps_prove_fates(miqps_proof_t *proof)
{
    uint8_t              ncaptures;
    const miqps_form_t  *from, *to;

    from = &proof->two.from;
    to = &proof->two.to;
    ncaptures = 0;

    proof->path = 1;
    proof->same = !(to->path && (to->nsegments != from->nsegments
                                 || to->deep != from->deep))
                  && !((proof->two.flags & MIQPS_PATHS_TO_PARAMS)
                       && to->nparams != from->nparams);

    if (!proof->same) {
        return;
    }

    if (from->host != NULL) {
        (void) miqps_prove_fate(proof->rules, from->host, NULL, &ncaptures);
    }

    miqps_prove_segments(proof, &ncaptures);
    miqps_prove_params(proof, &ncaptures);
}


static void
miqps_prove_segments(miqps_proof_t *proof, uint8_t *ncaptures)
{
    uint32_t             i;
    miqps_fate_e         fate;
    const miqps_form_t  *from, *to;

    from = &proof->two.from;
    to = &proof->two.to;

    for (i = 0; i < from->nsegments; i++) {
        fate = miqps_prove_fate(proof->rules, from->segments[i],
                                to->path ? to->segments[i] : NULL, ncaptures);

        proof->segments[i] = (uint8_t) fate;
        proof->path &= (fate == MIQPS_FATE_KEPT);
        proof->same &= (fate != MIQPS_FATE_OTHER);
    }
}


static void
miqps_prove_params(miqps_proof_t *proof, uint8_t *ncaptures)
{
    uint32_t             i;
    miqps_str_t          one, two;
    miqps_fate_e         fate;
    const uint8_t       *text;
    const miqps_form_t  *from, *to;

    from = &proof->two.from;
    to = &proof->two.to;

    for (i = 0; i < from->nparams; i++) {
        text = NULL;

        if (proof->two.flags & MIQPS_PATHS_TO_PARAMS) {
            one = miqps_paths_string(proof->rules, from->params[i]);
            two = miqps_paths_string(proof->rules, to->params[i]);

            proof->same &= miqps_str_eq(&one, &two);
            text = to->params[i] + MIQPS_PATHS_STRING;
        }

        fate = miqps_prove_fate(proof->rules,
                                from->params[i] + MIQPS_PATHS_STRING, text,
                                ncaptures);

        proof->params[i] = (uint8_t) fate;
        proof->same &= (fate != MIQPS_FATE_OTHER);
    }
}


/* "to" is NULL where all stays as it is; counts the captures of "from" */

static miqps_fate_e
miqps_prove_fate(const miqps_paths_t *rules, const uint8_t *from,
    const uint8_t *to, uint8_t *ncaptures)
{
    uint32_t        i, n;
    miqps_fate_e    fate;
    miqps_piece_t   a, b;
    const uint8_t  *p, *last;

    n = *from;
    fate = MIQPS_FATE_KEPT;
    p = from + 1;
    last = (to == NULL || *to != n) ? NULL : to + 1;

    for (i = 0; i < n; i++) {
        p = miqps_piece_next(rules, p, &a);

        if (last != NULL) {
            last = miqps_piece_next(rules, last, &b);

            if (a.kind == MIQPS_PIECE_LITERAL
                ? b.kind != a.kind || !miqps_str_eq(&a.literal, &b.literal)
                : b.kind != MIQPS_PIECE_CAPTURE || b.number != *ncaptures)
            {
                last = NULL;
            }
        }

        if (a.kind != MIQPS_PIECE_LITERAL) {
            (*ncaptures)++;
        }

        if (a.kind == MIQPS_PIECE_TABLE) {
            fate = MIQPS_FATE_TABLE;
        }
    }

    if (to == NULL) {
        return MIQPS_FATE_KEPT;
    }

    if (last != NULL) {
        return fate;
    }

    /* two literals are never neighbours */

    return (to[0] == 0 || (to[0] == 1 && to[1] == MIQPS_PIECE_LITERAL))
           ? MIQPS_FATE_LITERAL : MIQPS_FATE_OTHER;
}


/* what the target does not have stays */

static void
miqps_prove_made(miqps_proof_t *proof)
{
    const miqps_form_t  *from;

    from = &proof->one.from;
    proof->made = proof->one.to;

    if (proof->made.host == NULL || proof->stay) {
        proof->made.host = from->host;
    }

    if (!proof->made.path) {
        proof->made.path = from->path;
        proof->made.nsegments = from->nsegments;
        proof->made.deep = from->deep;

        memcpy(proof->made.segments, from->segments,
               from->nsegments * sizeof(uint8_t *));
    }

    if (!(proof->one.flags & MIQPS_PATHS_TO_PARAMS)) {
        proof->made.nparams = from->nparams;

        memcpy(proof->made.params, from->params,
               from->nparams * sizeof(uint8_t *));
    }
}


/* --- (a) */


static int
miqps_prove_apart(miqps_proof_t *proof)
{
    if (proof->made.host != NULL && proof->two.from.host != NULL
        && miqps_prove_texts_apart(proof, proof->made.host,
                                   proof->two.from.host, MIQPS_PLACE_HOST))
    {
        return 1;
    }

    return miqps_prove_path_apart(proof) || miqps_prove_params_apart(proof);
}


/* segments are aligned at both ends, as far as there is no "**" */

static int
miqps_prove_path_apart(miqps_proof_t *proof)
{
    uint32_t             i, n, front, back, deep;
    const miqps_form_t  *form[2];

    form[0] = &proof->made;
    form[1] = &proof->two.from;

    if (!form[0]->path || !form[1]->path) {
        return 0;
    }

    front = MIQPS_MAX_SEGMENTS;
    back = MIQPS_MAX_SEGMENTS;

    for (i = 0; i < 2; i++) {
        n = form[i]->nsegments;
        deep = (form[i]->deep != MIQPS_PATHS_NO_DEEP);

        if (!deep
            && ((form[1 - i]->deep == MIQPS_PATHS_NO_DEEP)
                ? form[1 - i]->nsegments != n
                : form[1 - i]->nsegments >= n))
        {
            return 1;
        }

        front = (deep && form[i]->deep < front) ? form[i]->deep
                : (!deep && n < front) ? n : front;
        back = (deep && n - form[i]->deep < back) ? n - form[i]->deep
               : (!deep && n < back) ? n : back;
    }

    if (form[0]->deep == MIQPS_PATHS_NO_DEEP
        && form[1]->deep == MIQPS_PATHS_NO_DEEP)
    {
        back = 0;
    }

    /* most are told apart by their literals, which is little work */

    return miqps_prove_segments_apart(proof, front, back, 1)
           || miqps_prove_segments_apart(proof, front, back, 0);
}


static int
miqps_prove_segments_apart(miqps_proof_t *proof, uint32_t front,
    uint32_t back, int literals)
{
    uint32_t        i;
    miqps_str_t     a, b;
    const uint8_t  *one, *two;

    for (i = 0; i < front + back; i++) {
        one = proof->made.segments[(i < front) ? i
                           : proof->made.nsegments - 1 - (i - front)];
        two = proof->two.from.segments[(i < front) ? i
                           : proof->two.from.nsegments - 1 - (i - front)];

        if (!literals) {
            if (miqps_prove_texts_apart(proof, one, two, MIQPS_PLACE_PATH)) {
                return 1;
            }

            continue;
        }

        if (one[0] == 1 && one[1] == MIQPS_PIECE_LITERAL
            && two[0] == 1 && two[1] == MIQPS_PIECE_LITERAL)
        {
            a = miqps_paths_string(proof->rules, one + 2);
            b = miqps_paths_string(proof->rules, two + 2);

            if (!miqps_str_eq(&a, &b)) {
                return 1;
            }
        }
    }

    return 0;
}


static int
miqps_prove_params_apart(miqps_proof_t *proof)
{
    uint32_t             i;
    const uint8_t       *p;
    const miqps_form_t  *made, *from;

    made = &proof->made;
    from = &proof->two.from;

    for (i = 0; i < from->nparams; i++) {
        p = miqps_prove_param(proof->rules, made, from->params[i]);

        if (p != NULL) {
            if (miqps_prove_texts_apart(proof, p + MIQPS_PATHS_STRING,
                                        from->params[i] + MIQPS_PATHS_STRING,
                                        MIQPS_PLACE_VALUE))
            {
                return 1;
            }

            continue;
        }

        /* it is gone, or was never there */

        if (!(proof->one.flags & MIQPS_PATHS_REST)
            || miqps_prove_param(proof->rules, &proof->one.from,
                                 from->params[i]) != NULL)
        {
            return 1;
        }
    }

    if (proof->two.flags & MIQPS_PATHS_REST) {
        return 0;
    }

    for (i = 0; i < made->nparams; i++) {
        if (miqps_prove_param(proof->rules, from, made->params[i]) == NULL) {
            return 1;
        }
    }

    return 0;
}


/* the parameter of the same name, or NULL */

static const uint8_t *
miqps_prove_param(const miqps_paths_t *rules, const miqps_form_t *form,
    const uint8_t *name)
{
    uint32_t     i;
    miqps_str_t  a, b;

    a = miqps_paths_string(rules, name);

    for (i = 0; i < form->nparams; i++) {
        b = miqps_paths_string(rules, form->params[i]);

        if (miqps_str_eq(&a, &b)) {
            return form->params[i];
        }
    }

    return NULL;
}


static int
miqps_prove_texts_apart(miqps_proof_t *proof, const uint8_t *made,
    const uint8_t *from, miqps_place_e place)
{
    miqps_text_t  a, b;

    miqps_text_read(&proof->texts, &proof->one, made, &a);
    miqps_text_read(&proof->texts, &proof->two, from, &b);

    return miqps_text_apart(&proof->texts, &a, &b, place);
}


/* --- (b) */


static int
miqps_prove_settled(miqps_proof_t *proof)
{
    uint32_t             i;
    const uint8_t       *made;
    const miqps_form_t  *from, *to;

    from = &proof->two.from;
    to = &proof->two.to;

    if (!proof->same || !miqps_prove_host_settled(proof)) {
        return 0;
    }

    /* segments that are all kept need not be where "one" has them */

    if (!proof->path
        && (!proof->made.path || proof->made.nsegments != from->nsegments
            || proof->made.deep != from->deep))
    {
        return 0;
    }

    for (i = 0; !proof->path && i < from->nsegments; i++) {
        if (!miqps_prove_text_settled(proof, proof->segments[i],
                                      proof->made.segments[i],
                                      from->segments[i], to->segments[i]))
        {
            return 0;
        }
    }

    for (i = 0; i < to->nparams; i++) {
        made = miqps_prove_param(proof->rules, &proof->made, to->params[i]);

        if (!miqps_prove_text_settled(proof, proof->params[i],
                              (made == NULL) ? NULL
                                             : made + MIQPS_PATHS_STRING,
                              from->params[i] + MIQPS_PATHS_STRING,
                              to->params[i] + MIQPS_PATHS_STRING))
        {
            return 0;
        }
    }

    return 1;
}


static int
miqps_prove_host_settled(miqps_proof_t *proof)
{
    miqps_text_t  made, to;

    if (proof->two.to.host == NULL || proof->stay) {
        return 1;
    }

    miqps_text_read(&proof->texts, &proof->two, proof->two.to.host, &to);

    if (proof->made.host != NULL) {
        miqps_text_read(&proof->texts, &proof->one, proof->made.host, &made);

        if (miqps_text_same(&made, &to)) {
            return 1;
        }
    }

    if (proof->two.from.host == NULL) {
        return 0;
    }

    miqps_text_read(&proof->texts, &proof->two, proof->two.from.host, &made);

    return miqps_text_same(&made, &to);
}


/* "made" is NULL if it is not known */

static int
miqps_prove_text_settled(miqps_proof_t *proof, uint8_t fate,
    const uint8_t *made, const uint8_t *from, const uint8_t *to)
{
    miqps_text_t  a, b;

    if (fate == MIQPS_FATE_KEPT) {
        return 1;
    }

    if (made == NULL) {
        return 0;
    }

    miqps_text_read(&proof->texts, &proof->one, made, &a);

    if (fate == MIQPS_FATE_TABLE) {
        miqps_text_read(&proof->texts, &proof->two, from, &b);
        return miqps_text_settled(&proof->texts, &a, &b);
    }

    miqps_text_read(&proof->texts, &proof->two, to, &b);

    return miqps_text_same(&a, &b);
}
