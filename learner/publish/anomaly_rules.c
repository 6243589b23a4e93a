
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "anomaly_rules.h"
#include "learn.h"


/*
 * A URL of the form of a rule's source, of which one capture has its other
 * value; with more parameters, if a pattern has them.
 */

typedef struct {
    learn_anomaly_t             *anomaly;
    const learn_index_host_t    *host;
    const miqps_paths_t         *rules;
    const miqps_rewrite_t       *rewrite;
    const learn_view_pattern_t  *pattern;   /* or NULL */
    uint32_t                     other;     /* that capture, or NONE */
    uint32_t                     without;   /* a parameter of the source that
                                               is left out, or NONE */
    uint32_t                     next;      /* the capture at hand */
    FILE                        *out;
} learn_sample_t;


#define LEARN_SAMPLE_NONE  UINT32_MAX


typedef enum {
    LEARN_TOLD_FAILED = 0,
    LEARN_TOLD_STILL,
    LEARN_TOLD_LOST
} learn_told_e;


static int  learn_anomaly_names(const learn_sample_t *at);
static int  learn_anomaly_param_lost(learn_sample_t *at, uint32_t param,
    int *lost);
static int  learn_anomaly_place(const learn_sample_t *at,
    const miqps_str_t *name, uint32_t *place);
static int  learn_anomaly_kept(learn_sample_t *at, const miqps_str_t *name,
    int *kept);
static learn_told_e  learn_anomaly_told(learn_sample_t *at, uint32_t other,
    uint32_t without);
static int  learn_anomaly_both(learn_sample_t *at, learn_normalizer_t *norm,
    uint32_t other, uint32_t without, int *same, learn_normalized_t *n);
static int  learn_anomaly_writes(const learn_sample_t *at, uint32_t capture);
static int  learn_anomaly_in(const miqps_paths_t *rules, const uint8_t *text,
    uint32_t capture);
static void  learn_sample_init(learn_sample_t *at, learn_anomaly_t *anomaly,
    const learn_index_host_t *host, const miqps_paths_t *rules,
    const miqps_rewrite_t *rewrite);
static char  *learn_sample_url(learn_sample_t *at, uint32_t other,
    uint32_t without, size_t *len);
static void  learn_sample_path(learn_sample_t *at);
static void  learn_sample_params(learn_sample_t *at);
static void  learn_sample_text(learn_sample_t *at, const uint8_t *text);
static void  learn_sample_piece(learn_sample_t *at,
    const miqps_piece_t *piece);
static miqps_str_t  learn_sample_entry(const miqps_paths_t *rules,
    uint32_t table, int other);
static uint32_t  learn_sample_captures(const miqps_paths_t *rules,
    const uint8_t *text);


int
learn_anomaly_by_rules(learn_anomaly_t *anomaly,
    const learn_index_host_t *host, const uint8_t *record,
    const learn_view_pattern_t *pattern, uint8_t *lost, size_t *nlost)
{
    int              found;
    uint32_t         i, k, place;
    miqps_str_t      name;
    miqps_paths_t    rules;
    learn_sample_t   at;
    miqps_rewrite_t  rewrite;

    if (!miqps_paths_of(anomaly->new.image, record, &rules)) {
        return 1;
    }

    learn_sample_init(&at, anomaly, host, &rules, &rewrite);
    at.pattern = pattern;

    for (i = 0; i < rules.n; i++) {
        miqps_paths_read(&rules, i, &rewrite);

        /* parameters that the source does not name stay as they are */

        if (!learn_anomaly_names(&at)) {
            continue;
        }

        for (k = 0; k < rewrite.from.nparams; k++) {
            name = miqps_paths_string(&rules, rewrite.from.params[k]);

            if (!learn_anomaly_place(&at, &name, &place)
                || !learn_anomaly_param_lost(&at, k, &found))
            {
                return 0;
            }

            if (found && !lost[place]) {
                lost[place] = 1;
                (*nlost)++;
            }
        }
    }

    return 1;
}


int
learn_anomaly_of_rules(learn_anomaly_t *anomaly,
    const learn_index_host_t *host, const uint8_t *before)
{
    uint32_t         i, k;
    miqps_paths_t    rules;
    learn_sample_t   at;
    miqps_rewrite_t  rewrite;

    if (!miqps_paths_of(anomaly->old.image, before, &rules)) {
        return 1;
    }

    learn_sample_init(&at, anomaly, host, &rules, &rewrite);

    for (i = 0; i < rules.n; i++) {
        miqps_paths_read(&rules, i, &rewrite);

        for (k = 0; k < rewrite.ncaptures; k++) {
            if (learn_anomaly_writes(&at, k)
                && learn_anomaly_told(&at, k, LEARN_SAMPLE_NONE)
                   == LEARN_TOLD_FAILED)
            {
                return 0;
            }
        }
    }

    return 1;
}


/* whether all names of the source are of the pattern, and there are some */

static int
learn_anomaly_names(const learn_sample_t *at)
{
    uint32_t             i, place;
    miqps_str_t          name;
    const miqps_form_t  *from;

    from = &at->rewrite->from;

    for (i = 0; i < from->nparams; i++) {
        name = miqps_paths_string(at->rules, from->params[i]);

        if (!learn_anomaly_place(at, &name, &place)) {
            return 0;
        }
    }

    return from->nparams > 0;
}


static int
learn_anomaly_place(const learn_sample_t *at, const miqps_str_t *name,
    uint32_t *place)
{
    uint32_t  i;

    for (i = 0; i < at->pattern->nparams; i++) {
        if (miqps_str_eq(&at->pattern->params[i].name, name)) {
            *place = i;
            return 1;
        }
    }

    return 0;
}


/* a parameter of the source: each of its captures, or that it is there */

static int
learn_anomaly_param_lost(learn_sample_t *at, uint32_t param, int *lost)
{
    int                  kept;
    uint32_t             i, first, n;
    miqps_str_t          name;
    learn_told_e         told;
    const miqps_form_t  *from;

    *lost = 0;
    from = &at->rewrite->from;
    name = miqps_paths_string(at->rules, from->params[param]);

    if (!learn_anomaly_kept(at, &name, &kept)) {
        return 0;
    }

    if (!kept) {
        return 1;
    }

    first = (from->host != NULL) ? learn_sample_captures(at->rules, from->host)
                                 : 0;

    for (i = 0; i < from->nsegments; i++) {
        first += learn_sample_captures(at->rules, from->segments[i]);
    }

    for (i = 0; i < param; i++) {
        first += learn_sample_captures(at->rules, from->params[i]
                                                  + MIQPS_PATHS_STRING);
    }

    n = learn_sample_captures(at->rules,
                              from->params[param] + MIQPS_PATHS_STRING);

    for (i = first; i < first + n; i++) {
        told = learn_anomaly_told(at, i, LEARN_SAMPLE_NONE);

        if (told == LEARN_TOLD_FAILED) {
            return 0;
        }

        *lost |= (told == LEARN_TOLD_LOST);
    }

    told = learn_anomaly_told(at, LEARN_SAMPLE_NONE, param);
    *lost |= (told == LEARN_TOLD_LOST);

    return told != LEARN_TOLD_FAILED;
}


/* whether the old map keeps it there, since it matters */

static int
learn_anomaly_kept(learn_sample_t *at, const miqps_str_t *name, int *kept)
{
    char                *text;
    size_t               i;
    miqps_str_t          url;
    learn_normalized_t   n;

    *kept = 0;
    text = learn_sample_url(at, LEARN_SAMPLE_NONE, LEARN_SAMPLE_NONE,
                            &url.len);

    if (text == NULL) {
        return 0;
    }

    url.data = (uint8_t *) text;

    if (learn_normalizer_url(&at->anomaly->before, &url, &n)
        != LEARN_EXIT_OK)
    {
        free(text);
        return 0;
    }

    for (i = 0; n.guard == MIQPS_GUARD_PASS && i < n.nparams; i++) {
        if (n.params[i].name_len == name->len
            && memcmp(n.params[i].name, name->data, name->len) == 0)
        {
            *kept |= (n.params[i].action == MIQPS_KEEP
                      && n.params[i].why == MIQPS_WHY_MATTERS);
        }
    }

    free(text);

    return 1;
}


/* whether two URLs that the old map tells apart are one by a rule */

static learn_told_e
learn_anomaly_told(learn_sample_t *at, uint32_t other, uint32_t without)
{
    int                 same;
    learn_normalized_t  n;

    if (!learn_anomaly_both(at, &at->anomaly->before, other, without, &same,
                            &n))
    {
        return LEARN_TOLD_FAILED;
    }

    if (same) {
        return LEARN_TOLD_STILL;
    }

    if (!learn_anomaly_both(at, &at->anomaly->after, other, without, &same,
                            &n))
    {
        return LEARN_TOLD_FAILED;
    }

    if (!same || !n.moved || n.rule == MIQPS_PATHS_NONE) {
        return LEARN_TOLD_STILL;
    }

    at->anomaly->ndropped += !at->anomaly->dropped[n.rule];
    at->anomaly->dropped[n.rule] = 1;

    return LEARN_TOLD_LOST;
}


/* "*n" is of the URL that has everything, and has no texts */

static int
learn_anomaly_both(learn_sample_t *at, learn_normalizer_t *norm,
    uint32_t other, uint32_t without, int *same, learn_normalized_t *n)
{
    int                  ok;
    char                *one, *two, *made;
    size_t               len;
    miqps_str_t          url;
    learn_normalized_t   m;

    made = NULL;
    len = 0;
    *same = 0;

    one = learn_sample_url(at, LEARN_SAMPLE_NONE, LEARN_SAMPLE_NONE,
                           &url.len);
    two = NULL;
    ok = (one != NULL);

    if (ok) {
        url.data = (uint8_t *) one;
        ok = (learn_normalizer_url(norm, &url, n) == LEARN_EXIT_OK);
    }

    if (ok) {
        len = n->result.len;
        made = malloc(len + 1);
        two = learn_sample_url(at, other, without, &url.len);
        ok = (made != NULL && two != NULL);
    }

    if (ok) {
        memcpy(made, n->result.data, len);
        url.data = (uint8_t *) two;
        ok = (learn_normalizer_url(norm, &url, &m) == LEARN_EXIT_OK);
        *same = (ok && m.result.len == len
                 && memcmp(m.result.data, made, len) == 0);
    }

    free(one);
    free(two);
    free(made);

    return ok;
}


/* whether a capture of the source is part of the target */

static int
learn_anomaly_writes(const learn_sample_t *at, uint32_t capture)
{
    uint32_t             i;
    const miqps_form_t  *to;

    to = &at->rewrite->to;

    if (to->host != NULL && learn_anomaly_in(at->rules, to->host, capture)) {
        return 1;
    }

    for (i = 0; i < to->nsegments; i++) {
        if (learn_anomaly_in(at->rules, to->segments[i], capture)) {
            return 1;
        }
    }

    for (i = 0; i < to->nparams; i++) {
        if (learn_anomaly_in(at->rules, to->params[i] + MIQPS_PATHS_STRING,
                             capture))
        {
            return 1;
        }
    }

    return 0;
}


static int
learn_anomaly_in(const miqps_paths_t *rules, const uint8_t *text,
    uint32_t capture)
{
    uint32_t       n;
    miqps_piece_t  piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);

        if (piece.kind == MIQPS_PIECE_CAPTURE && piece.number == capture) {
            return 1;
        }
    }

    return 0;
}


/* --- URLs of a source's form */


static void
learn_sample_init(learn_sample_t *at, learn_anomaly_t *anomaly,
    const learn_index_host_t *host, const miqps_paths_t *rules,
    const miqps_rewrite_t *rewrite)
{
    memset(at, 0, sizeof(learn_sample_t));

    at->anomaly = anomaly;
    at->host = host;
    at->rules = rules;
    at->rewrite = rewrite;
}


/* on the heap; NULL without memory */

static char *
learn_sample_url(learn_sample_t *at, uint32_t other, uint32_t without,
    size_t *len)
{
    int    ok;
    char  *text;

    text = NULL;
    at->out = open_memstream(&text, len);

    if (at->out == NULL) {
        return NULL;
    }

    at->other = other;
    at->without = without;
    at->next = (at->rewrite->from.host != NULL)
               ? learn_sample_captures(at->rules, at->rewrite->from.host) : 0;

    (void) fprintf(at->out, "http://%s%.*s", at->host->wildcard ? "zq7." : "",
                   (int) at->host->host.len,
                   (const char *) at->host->host.data);

    learn_sample_path(at);
    learn_sample_params(at);

    ok = !ferror(at->out);

    if (fclose(at->out) != 0 || !ok) {
        free(text);
        return NULL;
    }

    return text;
}


static void
learn_sample_path(learn_sample_t *at)
{
    uint32_t             i;
    const miqps_form_t  *from;

    from = &at->rewrite->from;

    if (!from->path) {
        (void) fputs("/zq7", at->out);
        return;
    }

    for (i = 0; i <= from->nsegments; i++) {

        if (from->deep == i) {
            (void) fputs("/zq7", at->out);
        }

        if (i < from->nsegments) {
            (void) fputc('/', at->out);
            learn_sample_text(at, from->segments[i]);
        }
    }
}


/* those of the source, and the others of the pattern */

static void
learn_sample_params(learn_sample_t *at)
{
    int                  mark, named;
    uint32_t             i, k;
    miqps_str_t          name;
    const miqps_form_t  *from;

    mark = '?';
    from = &at->rewrite->from;

    for (i = 0; i < from->nparams; i++) {

        if (i == at->without) {
            at->next += learn_sample_captures(at->rules,
                                              from->params[i]
                                              + MIQPS_PATHS_STRING);
            continue;
        }

        name = miqps_paths_string(at->rules, from->params[i]);

        (void) fprintf(at->out, "%c%.*s=", mark, (int) name.len,
                       (const char *) name.data);
        learn_sample_text(at, from->params[i] + MIQPS_PATHS_STRING);
        mark = '&';
    }

    for (i = 0; at->pattern != NULL && i < at->pattern->nparams; i++) {
        named = 0;

        for (k = 0; k < from->nparams; k++) {
            name = miqps_paths_string(at->rules, from->params[k]);
            named |= miqps_str_eq(&name, &at->pattern->params[i].name);
        }

        if (!named) {
            (void) fprintf(at->out, "%c%.*s=zq7", mark,
                           (int) at->pattern->params[i].name.len,
                           (const char *) at->pattern->params[i].name.data);
            mark = '&';
        }
    }
}


static void
learn_sample_text(learn_sample_t *at, const uint8_t *text)
{
    uint32_t       n;
    miqps_piece_t  piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(at->rules, text, &piece);
        learn_sample_piece(at, &piece);
    }
}


static void
learn_sample_piece(learn_sample_t *at, const miqps_piece_t *piece)
{
    int          other;
    miqps_str_t  text;

    if (piece->kind == MIQPS_PIECE_LITERAL) {
        (void) fwrite(piece->literal.data, 1, piece->literal.len, at->out);
        return;
    }

    other = (at->next++ == at->other);

    switch (piece->kind) {

    case MIQPS_PIECE_DIGITS:
    case MIQPS_PIECE_HEX:
        (void) fputs(other ? "778" : "777", at->out);
        break;

    case MIQPS_PIECE_UUID:
        (void) fprintf(at->out, "%08d-0000-4000-8000-000000000000",
                       other ? 778 : 777);
        break;

    case MIQPS_PIECE_TABLE:
        text = learn_sample_entry(at->rules, piece->number, other);
        (void) fwrite(text.data, 1, text.len, at->out);
        break;

    default:
        (void) fputs(other ? "zq8" : "zq7", at->out);
        break;
    }
}


/* two values of a table: those that become the same, if there are such */

static miqps_str_t
learn_sample_entry(const miqps_paths_t *rules, uint32_t table, int other)
{
    uint32_t        i, k, n, one, two;
    miqps_str_t     a, b;
    const uint8_t  *p;

    p = miqps_paths_table(rules, table);
    n = miqps_get_u16(p);
    p += 2;
    one = 0;
    two = (n > 1) ? 1 : 0;

    for (i = 0; i < n; i++) {
        a = miqps_paths_string(rules, p + i * MIQPS_PATHS_ENTRY
                                      + MIQPS_PATHS_STRING);

        for (k = i + 1; k < n; k++) {
            b = miqps_paths_string(rules, p + k * MIQPS_PATHS_ENTRY
                                          + MIQPS_PATHS_STRING);

            if (miqps_str_eq(&a, &b)) {
                one = i;
                two = k;
                i = n;
                break;
            }
        }
    }

    return miqps_paths_string(rules, p + (other ? two : one)
                                         * (size_t) MIQPS_PATHS_ENTRY);
}


static uint32_t
learn_sample_captures(const miqps_paths_t *rules, const uint8_t *text)
{
    uint32_t       n, captures;
    miqps_piece_t  piece;

    captures = 0;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);
        captures += (piece.kind != MIQPS_PIECE_LITERAL);
    }

    return captures;
}
