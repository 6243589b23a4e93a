
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_family.h"
#include "miqps_paths_steps.h"


static inline int  miqps_paths_counts(const miqps_paths_work_t *work,
    const uint8_t *rule);
static const uint8_t  *miqps_paths_match_path(miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *p);
static const uint8_t  *miqps_paths_match_params(miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *p);
static int  miqps_paths_only(const miqps_paths_work_t *work,
    const miqps_str_t *name, size_t *which);
static int  miqps_paths_kin(const miqps_str_t *one, const miqps_str_t *two);
static int  miqps_paths_absent(const miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *source, const uint8_t *target);


int
miqps_paths_match(miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t **target)
{
    const uint8_t  *p;

    if (!miqps_paths_counts(work, rule)) {
        return 0;
    }

    if (work->url->stay && (rule[2] & MIQPS_PATHS_HOST)
        && (rule[2] & MIQPS_PATHS_TO_HOST))
    {
        return 0;
    }

    miqps_captures_init(&work->captures, &work->rules);

    work->deep = 0;
    p = rule + MIQPS_PATHS_RULE;

    if (rule[2] & MIQPS_PATHS_HOST) {
        p = miqps_captures_read(&work->captures, p, &work->host);
    }

    if (p != NULL && (rule[2] & MIQPS_PATHS_PATH)) {
        p = miqps_paths_match_path(work, rule, p);
    }

    if (p != NULL) {
        p = miqps_paths_match_params(work, rule, p);
    }

    *target = p;

    return p != NULL;
}


/*
 * False if the source has a path with another number of segments.  A path of
 * many of them has all bits that rules may need, so that this is asked often.
 */

static inline int
miqps_paths_counts(const miqps_paths_work_t *work, const uint8_t *rule)
{
    if (!(rule[2] & MIQPS_PATHS_PATH)) {
        return 1;
    }

    return (rule[4] == MIQPS_PATHS_NO_DEEP) ? work->nsegments == rule[3]
                                            : work->nsegments > rule[3];
}


static const uint8_t *
miqps_paths_match_path(miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t *p)
{
    size_t              i, n, at, deep;
    miqps_str_t         literal;
    const miqps_str_t  *segment;

    n = rule[3];
    deep = rule[4];

    work->deep = work->nsegments - n;

    for (i = 0; i < n && p != NULL; i++) {
        at = (i < deep) ? i : i + work->deep;
        segment = &work->segments[at];

        /* most have one piece: a literal, which most often is another one, */

        if (p[0] == 1 && p[1] == MIQPS_PIECE_LITERAL) {
            literal = miqps_paths_string(&work->rules, p + 2);
            p = miqps_str_eq(&literal, segment) ? p + 2 + MIQPS_PATHS_STRING
                                                : NULL;
            continue;
        }

        /* ... or something that the whole segment may be */

        if (work->plain && p[0] == 1 && p[1] < MIQPS_PIECE_RAW
            && p[1] != MIQPS_PIECE_UUID
            && miqps_captures_plain((miqps_piece_e) p[1], segment))
        {
            work->captures.list[work->captures.n++] = *segment;
            p += 2;
            continue;
        }

        /* no piece stands for an empty one */

        p = (segment->len == 0 && p[0] != 0)
            ? NULL : miqps_captures_read(&work->captures, p, segment);
    }

    return p;
}


static const uint8_t *
miqps_paths_match_params(miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t *p)
{
    size_t          i, k;
    miqps_str_t     name, value;
    const uint8_t  *source;

    source = p;

    if (work->nparams == MIQPS_PATHS_UNSPLIT) {

        /* it has some, and the source has none */

        if (!(rule[2] & MIQPS_PATHS_REST)) {
            return NULL;
        }

        if ((rule[2] & MIQPS_PATHS_TO_PARAMS)
            && !miqps_paths_split_args(work))
        {
            return NULL;
        }

        return miqps_paths_absent(work, rule, source, p) ? p : NULL;
    }

    if (!(rule[2] & MIQPS_PATHS_REST) && work->nparams != rule[7]) {
        return NULL;
    }

    for (i = 0; i < rule[7]; i++) {
        name = miqps_paths_string(&work->rules, p);
        p += MIQPS_PATHS_STRING;

        if (!miqps_paths_only(work, &name, &k)) {
            return NULL;
        }

        if (work->pieces[k].len > name.len) {
            value.data = work->pieces[k].data + name.len + 1;
            value.len = work->pieces[k].len - name.len - 1;

        } else {

            /* a word has no value, which is not the same as an empty one */

            if (p[0] != 1 || p[1] != MIQPS_PIECE_RAW) {
                return NULL;
            }

            value.data = NULL;
            value.len = 0;
        }

        p = miqps_captures_read(&work->captures, p, &value);

        if (p == NULL) {
            return NULL;
        }
    }

    return miqps_paths_absent(work, rule, source, p) ? p : NULL;
}


/* true if just one parameter could be taken for this one, and has its name */

static int
miqps_paths_only(const miqps_paths_work_t *work, const miqps_str_t *name,
    size_t *which)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < work->nparams; i++) {
        if (miqps_str_eq(&work->names[i], name)) {
            *which = i;
            n++;

        } else if (miqps_paths_kin(&work->names[i], name)) {
            return 0;
        }
    }

    return n == 1;
}


/* true if a back end may take two names for each other */

static int
miqps_paths_kin(const miqps_str_t *one, const miqps_str_t *two)
{
    uint8_t      a[MIQPS_PATHS_MAX_LITERAL], b[MIQPS_PATHS_MAX_LITERAL];
    miqps_str_t  first, second;

    if (one->len > sizeof(a) || two->len > sizeof(b)
        || miqps_family_of(one, a, &first) != MIQPS_GUARD_PASS
        || miqps_family_of(two, b, &second) != MIQPS_GUARD_PASS)
    {
        return 1;
    }

    return miqps_str_eq(&first, &second);
}


/* the names of the target that the source has not got must be new */

static int
miqps_paths_absent(const miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t *source, const uint8_t *target)
{
    size_t          i, k;
    miqps_str_t     name;
    const uint8_t  *text;

    if (rule[8] == 0 || !(rule[2] & MIQPS_PATHS_REST)) {
        return 1;
    }

    if (rule[2] & MIQPS_PATHS_TO_HOST) {
        target = miqps_captures_skip(target);
    }

    for (i = 0; i < rule[5]; i++) {
        target = miqps_captures_skip(target);
    }

    for (i = 0; i < rule[8]; i++) {
        name = miqps_paths_string(&work->rules, target);
        target = miqps_captures_skip(target + MIQPS_PATHS_STRING);

        if (miqps_paths_named(work, source, rule[7], &name, &text)) {
            continue;
        }

        for (k = 0; k < work->nparams; k++) {
            if (miqps_paths_kin(&work->names[k], &name)) {
                return 0;
            }
        }
    }

    return 1;
}


int
miqps_paths_named(const miqps_paths_work_t *work, const uint8_t *p, size_t n,
    const miqps_str_t *name, const uint8_t **text)
{
    miqps_str_t  one;

    for (/* void */ ; n > 0; n--) {
        one = miqps_paths_string(&work->rules, p);
        *text = p + MIQPS_PATHS_STRING;

        if (miqps_str_eq(&one, name)) {
            return 1;
        }

        p = miqps_captures_skip(*text);
    }

    return 0;
}
