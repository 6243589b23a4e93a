
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_paths_steps.h"


static uint8_t  *miqps_paths_write_path(const miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t **target, uint8_t *out);
static inline uint8_t  *miqps_paths_write_segment(
    const miqps_paths_work_t *work, const uint8_t **target, uint8_t *out);
static uint8_t  *miqps_paths_write_args(const miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *source, const uint8_t *target,
    uint8_t *out);
static uint8_t  *miqps_paths_write_param(const miqps_paths_work_t *work,
    const miqps_str_t *name, const uint8_t *text, uint8_t *out);


uint8_t *
miqps_paths_write(const miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t *target, uint8_t *p, miqps_paths_result_t *res)
{
    if (rule[2] & MIQPS_PATHS_TO_HOST) {
        if (work->url->stay) {
            target = miqps_captures_skip(target);

        } else {
            res->host.data = p;
            p = miqps_captures_write(&work->captures, &target, p);
            res->host.len = (size_t) (p - res->host.data);
        }
    }

    if (rule[2] & MIQPS_PATHS_TO_PATH) {
        res->path.data = p;
        p = miqps_paths_write_path(work, rule, &target, p);
        res->path.len = (size_t) (p - res->path.data);
    }

    if (rule[2] & MIQPS_PATHS_TO_PARAMS) {
        res->args.data = p;
        res->params = 1;
        p = miqps_paths_write_args(work, rule, rule + MIQPS_PATHS_RULE, target,
                                   p);
        res->args.len = (size_t) (p - res->args.data);
    }

    return p;
}


static uint8_t *
miqps_paths_write_path(const miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t **target, uint8_t *out)
{
    size_t              i, k;
    const miqps_str_t  *segment;

    for (i = 0; i <= rule[5]; i++) {

        /* what "**" stood for */

        for (k = 0; i == rule[6] && k < work->deep; k++) {
            segment = &work->segments[rule[4] + k];

            *out++ = '/';
            memcpy(out, segment->data, segment->len);
            out += segment->len;
        }

        if (i < rule[5]) {
            *out++ = '/';
            out = miqps_paths_write_segment(work, target, out);
        }
    }

    return out;
}


/* most are one piece */

static inline uint8_t *
miqps_paths_write_segment(const miqps_paths_work_t *work,
    const uint8_t **target, uint8_t *out)
{
    miqps_str_t     str;
    const uint8_t  *p;

    p = *target;

    if (p[0] != 1) {
        return miqps_captures_write(&work->captures, target, out);
    }

    if (p[1] == MIQPS_PIECE_CAPTURE) {
        str = work->captures.list[p[2]];
        *target = p + 3;

    } else {
        str = miqps_paths_string(&work->rules, p + 2);
        *target = p + 2 + MIQPS_PATHS_STRING;
    }

    memcpy(out, str.data, str.len);

    return out + str.len;
}


/* what both have stays where it is, and what is new comes behind the rest */

static uint8_t *
miqps_paths_write_args(const miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t *source, const uint8_t *target, uint8_t *out)
{
    size_t              i, n;
    uint8_t            *first;
    miqps_str_t         name;
    const uint8_t      *text, *ours;
    const miqps_str_t  *args;

    n = 0;
    first = out;

    if (rule[2] & MIQPS_PATHS_HOST) {
        source = miqps_captures_skip(source);
    }

    for (i = 0; i < rule[3]; i++) {
        source = miqps_captures_skip(source);
    }

    for (i = 0; i < work->nparams; i++) {

        if (miqps_paths_named(work, target, rule[8], &work->names[i], &text)) {
            out = miqps_paths_write_param(work, &work->names[i], text, out);
            n++;

        } else if (!miqps_paths_named(work, source, rule[7], &work->names[i],
                                      &text))
        {
            memcpy(out, work->pieces[i].data, work->pieces[i].len);
            out += work->pieces[i].len;
            *out++ = '&';
            n++;
        }
    }

    for (i = 0; i < rule[8]; i++) {
        name = miqps_paths_string(&work->rules, target);
        text = target + MIQPS_PATHS_STRING;
        target = miqps_captures_skip(text);

        if (!miqps_paths_named(work, source, rule[7], &name, &ours)) {
            out = miqps_paths_write_param(work, &name, text, out);
            n++;
        }
    }

    /* a word that was not alone must not become a keyword, as elsewhere */

    args = &work->url->args;

    if (n == 1 && memchr(first, '=', (size_t) (out - first)) == NULL
        && (work->nparams > 1 || args->data[args->len - 1] == '&'))
    {
        return out;
    }

    return out - (n > 0);
}


static uint8_t *
miqps_paths_write_param(const miqps_paths_work_t *work,
    const miqps_str_t *name, const uint8_t *text, uint8_t *out)
{
    memcpy(out, name->data, name->len);
    out += name->len;

    if (!miqps_captures_none(&work->captures, text)) {
        *out++ = '=';
        out = miqps_captures_write(&work->captures, &text, out);
    }

    *out++ = '&';

    return out;
}
