
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

#include "anomaly_rules.h"
#include "anomaly_sample.h"
#include "learn.h"
#include "miqps_map.h"
#include "rule_text.h"


/* what becomes of a URL */

typedef struct {
    uint64_t               before;
    uint64_t               after;
    uint32_t               rule;         /* of the new map, or NONE */
    uint8_t                kept;         /* by the old one: it may be lost */
    uint8_t                moved;        /* by a rule of the new one */
} learn_fork_t;


/* URLs that differ in one part, and values of it that are still to be tried */

typedef struct {
    learn_sample_t         at;
    uint8_t               *lost;         /* names of at.pattern; or NULL, for */
    size_t                *nlost;        /* what old rules have written */
    uint32_t               param;        /* of the source, or NONE */
    learn_fork_t          *list;
    size_t                 n;
    size_t                 max;
    char                 **made;         /* values that rules have written */
    size_t                 nmade;
    size_t                 max_made;
    uint64_t              *seen;         /* URLs that were asked about */
    size_t                 nseen;
    size_t                 max_seen;
} learn_forks_t;


#define LEARN_FORK_NONE  UINT32_MAX


static int  learn_anomaly_rule(learn_forks_t *forks);
static int  learn_anomaly_by_shape(const miqps_str_t *shape, void *data);
static int  learn_anomaly_paths(learn_forks_t *forks);
static int  learn_anomaly_by_host(learn_forks_t *forks, char **host);
static int  learn_anomaly_seen(learn_forks_t *forks);
static int  learn_anomaly_capture(learn_forks_t *forks, uint32_t capture);
static int  learn_anomaly_param(learn_forks_t *forks, uint32_t param);
static int  learn_anomaly_kinds(learn_forks_t *forks, uint32_t param);
static int  learn_anomaly_others(learn_forks_t *forks, uint32_t param);
static int  learn_anomaly_other(learn_forks_t *forks, uint32_t param,
    const uint8_t *text);
static int  learn_anomaly_table(learn_forks_t *forks, uint32_t table);
static int  learn_anomaly_made(learn_forks_t *forks, uint32_t param);
static int  learn_anomaly_fork(learn_forks_t *forks, learn_part_e part,
    uint32_t which, const miqps_str_t *value);
static int  learn_anomaly_kept(const learn_forks_t *forks,
    const learn_normalized_t *n);
static int  learn_anomaly_written(learn_forks_t *forks,
    const learn_normalized_t *n);
static miqps_str_t  learn_anomaly_part(const learn_forks_t *forks);
static void  learn_anomaly_lost(learn_forks_t *forks);
static int  learn_anomaly_group(learn_forks_t *forks, size_t first,
    size_t last);
static int  learn_anomaly_by_after(const void *one, const void *two);
static int  learn_anomaly_named(const learn_sample_t *at);
static int  learn_anomaly_place(const learn_sample_t *at,
    const miqps_str_t *name, uint32_t *place);
static void  *learn_anomaly_room(void *list, size_t n, size_t *max,
    size_t size);
static void  learn_anomaly_forget(learn_forks_t *forks);


int
learn_anomaly_by_rules(learn_anomaly_t *anomaly,
    const learn_view_pattern_t *pattern, uint8_t *lost, size_t *nlost)
{
    int              ok;
    uint32_t         i;
    learn_forks_t    forks;
    miqps_paths_t    rules;
    miqps_rewrite_t  rewrite;

    if (anomaly->serves == NULL
        || !miqps_paths_of(anomaly->new.image, anomaly->serves, &rules))
    {
        return 1;
    }

    memset(&forks, 0, sizeof(learn_forks_t));

    forks.at.anomaly = anomaly;
    forks.at.rules = &rules;
    forks.at.rewrite = &rewrite;
    forks.at.pattern = pattern;
    forks.lost = lost;
    forks.nlost = nlost;

    ok = 1;

    for (i = 0; ok && i < rules.n; i++) {
        miqps_paths_read(&rules, i, &rewrite);

        /* parameters that the source does not name stay as they are */

        if (learn_anomaly_named(&forks.at)) {
            ok = learn_anomaly_rule(&forks);
        }
    }

    learn_anomaly_forget(&forks);

    return ok;
}


int
learn_anomaly_of_rules(learn_anomaly_t *anomaly)
{
    int              ok;
    uint32_t         i;
    learn_forks_t    forks;
    miqps_paths_t    rules;
    miqps_rewrite_t  rewrite;

    if (anomaly->served == NULL || anomaly->serves == NULL
        || !miqps_paths_of(anomaly->old.image, anomaly->served, &rules))
    {
        return 1;
    }

    memset(&forks, 0, sizeof(learn_forks_t));

    forks.at.anomaly = anomaly;
    forks.at.rules = &rules;
    forks.at.rewrite = &rewrite;

    ok = 1;

    for (i = 0; ok && i < rules.n; i++) {
        miqps_paths_read(&rules, i, &rewrite);
        ok = learn_anomaly_rule(&forks);
    }

    learn_anomaly_forget(&forks);

    return ok;
}


int
learn_anomaly_rules_gone(learn_anomaly_t *anomaly)
{
    int             in;
    char           *text;
    uint32_t        i;
    miqps_paths_t   old, new;

    anomaly->rules_gone = 0;

    if (anomaly->served == NULL || anomaly->serves == NULL
        || !miqps_paths_of(anomaly->old.image, anomaly->served, &old)
        || !miqps_paths_of(anomaly->new.image, anomaly->serves, &new))
    {
        return 1;
    }

    for (i = 0; i < old.n && !anomaly->rules_gone; i++) {
        text = learn_rule_text(&old, i);
        in = (text != NULL) ? learn_rule_in(text, &new) : -1;
        free(text);

        if (in < 0) {
            return 0;
        }

        anomaly->rules_gone = !in;
    }

    return 1;
}


/* one rule: on its paths, and on those that are of the pattern, too */

static int
learn_anomaly_rule(learn_forks_t *forks)
{
    int    ok, i, kinds;
    char  *host;

    forks->nseen = 0;
    forks->at.shape = NULL;

    ok = learn_anomaly_by_host(forks, &host);

    kinds = forks->at.anomaly->rules_gone ? 4 : 2;

    for (i = 0; ok && i < kinds; i++) {
        forks->at.settled = i % 2;
        forks->at.narrow = i / 2;

        ok = learn_anomaly_paths(forks)
             && (forks->at.pattern == NULL
                 || learn_shapes_each(&forks->at.anomaly->shapes,
                                      &forks->at.pattern->path,
                                      learn_anomaly_by_shape, forks));
    }

    free(host);

    return ok;
}


/* a host that the source has, if it is served by the same, or any */

static int
learn_anomaly_by_host(learn_forks_t *forks, char **host)
{
    miqps_str_t       name;
    learn_anomaly_t  *anomaly;

    *host = NULL;
    anomaly = forks->at.anomaly;
    forks->at.host = anomaly->name;

    if (forks->at.rewrite->from.host == NULL) {
        return 1;
    }

    *host = learn_sample_host(&forks->at);

    if (*host == NULL) {
        return 0;
    }

    name.data = (const uint8_t *) *host;
    name.len = strlen(*host);

    if (miqps_map_host(anomaly->old.image, &name) == anomaly->served
        && miqps_map_host(anomaly->new.image, &name) == anomaly->serves)
    {
        forks->at.host = *host;
    }

    return 1;
}


static int
learn_anomaly_by_shape(const miqps_str_t *shape, void *data)
{
    int             ok;
    learn_forks_t  *forks;

    forks = data;
    forks->at.shape = shape;
    ok = learn_anomaly_paths(forks);
    forks->at.shape = NULL;

    return ok;
}


static int
learn_anomaly_paths(learn_forks_t *forks)
{
    int                     seen;
    uint32_t                i, place;
    miqps_str_t             name;
    const learn_sample_t   *at;
    const miqps_rewrite_t  *rewrite;

    at = &forks->at;
    rewrite = at->rewrite;
    seen = learn_anomaly_seen(forks);

    if (seen != 0) {
        return seen > 0;
    }

    /* of a path, only old rules told anything apart */

    for (i = 0; forks->lost == NULL && i < rewrite->ncaptures; i++) {
        if (!learn_anomaly_capture(forks, i)) {
            return 0;
        }
    }

    for (i = 0; i < rewrite->from.nparams; i++) {
        name = miqps_paths_string(at->rules, rewrite->from.params[i]);

        if (forks->lost != NULL
            && (!learn_anomaly_place(at, &name, &place)
                || forks->lost[place]))
        {
            continue;
        }

        if (!learn_anomaly_param(forks, i)) {
            return 0;
        }
    }

    return 1;
}


/* whether the URL was asked about already; -1 without memory */

static int
learn_anomaly_seen(learn_forks_t *forks)
{
    char      *text;
    size_t     i, len;
    uint64_t   hash, *list;

    list = learn_anomaly_room(forks->seen, forks->nseen, &forks->max_seen,
                              sizeof(uint64_t));

    if (list == NULL) {
        return -1;
    }

    forks->seen = list;
    forks->at.part = LEARN_PART_NONE;
    text = learn_sample_url(&forks->at, &len);

    if (text == NULL) {
        return -1;
    }

    hash = XXH3_64bits(text, len);
    free(text);

    for (i = 0; i < forks->nseen; i++) {
        if (forks->seen[i] == hash) {
            return 1;
        }
    }

    forks->seen[forks->nseen++] = hash;

    return 0;
}


/* values of a capture, wherever it is */

static int
learn_anomaly_capture(learn_forks_t *forks, uint32_t capture)
{
    int                     i;
    miqps_str_t             value;
    miqps_piece_e           kind;
    const learn_sample_t   *at;

    at = &forks->at;
    kind = (miqps_piece_e) at->rewrite->kinds[capture];

    forks->n = 0;
    forks->param = LEARN_FORK_NONE;
    forks->at.part = LEARN_PART_CAPTURE;
    forks->at.which = capture;

    if (kind == MIQPS_PIECE_TABLE) {
        if (!learn_anomaly_table(forks, at->rewrite->tables[capture])) {
            return 0;
        }

        learn_anomaly_lost(forks);

        return 1;
    }

    for (i = 0; i < 2; i++) {
        value.data = (const uint8_t *) learn_sample_value(kind, i);
        value.len = strlen((const char *) value.data);

        if (!learn_anomaly_fork(forks, LEARN_PART_CAPTURE, capture, &value)) {
            return 0;
        }
    }

    learn_anomaly_lost(forks);

    return 1;
}


/*
 * A parameter of the source: not there, as it stands there, with other values
 * of each wildcard, with values that other rules name, and with those that
 * rules have made of all these.
 */

static int
learn_anomaly_param(learn_forks_t *forks, uint32_t param)
{
    int     ok;
    size_t  i;

    forks->n = 0;
    forks->nmade = 0;
    forks->param = param;

    ok = learn_anomaly_fork(forks, LEARN_PART_WITHOUT, param, NULL)
         && learn_anomaly_fork(forks, LEARN_PART_NONE, param, NULL)
         && learn_anomaly_kinds(forks, param)
         && learn_anomaly_others(forks, param)
         && learn_anomaly_made(forks, param);

    if (ok) {
        learn_anomaly_lost(forks);
    }

    for (i = 0; i < forks->nmade; i++) {
        free(forks->made[i]);
    }

    return ok;
}


static int
learn_anomaly_kinds(learn_forks_t *forks, uint32_t param)
{
    int                   i;
    uint32_t              k, n, first;
    miqps_str_t           value;
    miqps_piece_e         kind;
    const miqps_form_t   *from;
    const miqps_paths_t  *rules;

    rules = forks->at.rules;
    from = &forks->at.rewrite->from;

    first = (from->host != NULL) ? learn_sample_captures(rules, from->host)
                                 : 0;

    for (k = 0; k < from->nsegments; k++) {
        first += learn_sample_captures(rules, from->segments[k]);
    }

    for (k = 0; k < param; k++) {
        first += learn_sample_captures(rules, from->params[k]
                                              + MIQPS_PATHS_STRING);
    }

    n = learn_sample_captures(rules, from->params[param] + MIQPS_PATHS_STRING);

    for (k = first; k < first + n; k++) {
        kind = (miqps_piece_e) forks->at.rewrite->kinds[k];

        forks->at.part = LEARN_PART_CAPTURE;
        forks->at.which = k;

        if (kind == MIQPS_PIECE_TABLE) {
            if (!learn_anomaly_table(forks, forks->at.rewrite->tables[k])) {
                return 0;
            }

            continue;
        }

        value.data = (const uint8_t *) learn_sample_value(kind, 1);
        value.len = strlen((const char *) value.data);

        if (!learn_anomaly_fork(forks, LEARN_PART_CAPTURE, k, &value)) {
            return 0;
        }
    }

    for (kind = MIQPS_PIECE_DIGITS; kind <= MIQPS_PIECE_RAW; kind++) {
        for (i = 0; i < 2; i++) {
            value.data = (const uint8_t *) learn_sample_value(kind, i);
            value.len = strlen((const char *) value.data);

            if (!learn_anomaly_fork(forks, LEARN_PART_PARAM, param, &value)) {
                return 0;
            }
        }
    }

    return 1;
}


/* values that any rule of the host names for a parameter of this name */

static int
learn_anomaly_others(learn_forks_t *forks, uint32_t param)
{
    uint32_t              i, k;
    miqps_str_t           name, other;
    miqps_rewrite_t       rewrite;
    const miqps_paths_t  *rules;

    rules = forks->at.rules;
    name = miqps_paths_string(rules, forks->at.rewrite->from.params[param]);

    for (i = 0; i < rules->n; i++) {
        miqps_paths_read(rules, i, &rewrite);

        for (k = 0; k < rewrite.from.nparams; k++) {
            other = miqps_paths_string(rules, rewrite.from.params[k]);

            if (miqps_str_eq(&name, &other)
                && !learn_anomaly_other(forks, param, rewrite.from.params[k]
                                                      + MIQPS_PATHS_STRING))
            {
                return 0;
            }
        }
    }

    return 1;
}


/* a literal, or a table of which the first value makes a difference */

static int
learn_anomaly_other(learn_forks_t *forks, uint32_t param, const uint8_t *text)
{
    miqps_str_t    value;
    miqps_piece_t  piece;

    if (*text != 1) {
        return 1;
    }

    (void) miqps_piece_next(forks->at.rules, text + 1, &piece);

    if (piece.kind == MIQPS_PIECE_LITERAL) {
        return learn_anomaly_fork(forks, LEARN_PART_PARAM, param,
                                  &piece.literal);
    }

    if (piece.kind != MIQPS_PIECE_TABLE) {
        return 1;
    }

    value = learn_sample_entry(forks->at.rules, piece.number, 0);

    if (!learn_anomaly_fork(forks, LEARN_PART_PARAM, param, &value)) {
        return 0;
    }

    return !forks->list[forks->n - 1].moved
           || learn_anomaly_table(forks, piece.number);
}


/* all values of a table, for the part at hand */

static int
learn_anomaly_table(learn_forks_t *forks, uint32_t table)
{
    uint32_t       i, n;
    uint32_t       which;
    miqps_str_t    value;
    learn_part_e   part;

    part = forks->at.part;
    which = forks->at.which;
    n = miqps_get_u16(miqps_paths_table(forks->at.rules, table));

    for (i = 0; i < n; i++) {
        value = learn_sample_entry(forks->at.rules, table, i);

        if (!learn_anomaly_fork(forks, part, which, &value)) {
            return 0;
        }
    }

    return 1;
}


/* of what is written now nothing more is asked */

static int
learn_anomaly_made(learn_forks_t *forks, uint32_t param)
{
    size_t       i, n;
    miqps_str_t  value;

    n = forks->nmade;

    for (i = 0; i < n; i++) {
        value.data = (const uint8_t *) forks->made[i];
        value.len = strlen(forks->made[i]);

        if (!learn_anomaly_fork(forks, LEARN_PART_PARAM, param, &value)) {
            return 0;
        }
    }

    return 1;
}


/* one URL, under both maps */

static int
learn_anomaly_fork(learn_forks_t *forks, learn_part_e part, uint32_t which,
    const miqps_str_t *value)
{
    int                  ok;
    char                *text;
    miqps_str_t          url;
    learn_fork_t        *fork;
    learn_anomaly_t     *anomaly;
    learn_normalized_t   n;

    forks->at.part = part;
    forks->at.which = which;
    forks->at.value.len = 0;

    if (value != NULL) {
        forks->at.value = *value;
    }

    fork = learn_anomaly_room(forks->list, forks->n, &forks->max,
                              sizeof(learn_fork_t));

    if (fork == NULL) {
        return 0;
    }

    forks->list = fork;
    text = learn_sample_url(&forks->at, &url.len);

    if (text == NULL) {
        return 0;
    }

    fork = &forks->list[forks->n++];
    anomaly = forks->at.anomaly;
    url.data = (uint8_t *) text;

    ok = (learn_normalizer_url(&anomaly->before, &url, &n) == LEARN_EXIT_OK);

    if (ok) {
        fork->before = XXH3_64bits(n.result.data, n.result.len);
        fork->kept = (uint8_t) learn_anomaly_kept(forks, &n);

        ok = (learn_normalizer_url(&anomaly->after, &url, &n)
              == LEARN_EXIT_OK);
    }

    if (ok) {
        fork->after = XXH3_64bits(n.result.data, n.result.len);
        fork->rule = n.moved ? n.rule : MIQPS_PATHS_NONE;
        fork->moved = (uint8_t) n.moved;

        ok = learn_anomaly_written(forks, &n);
    }

    free(text);

    return ok;
}


/* whether the old map keeps the part at hand, since it matters */

static int
learn_anomaly_kept(const learn_forks_t *forks, const learn_normalized_t *n)
{
    size_t                i;
    miqps_str_t           name;
    const miqps_param_t  *param;

    if (forks->lost == NULL) {
        return n->moved;
    }

    if (n->guard != MIQPS_GUARD_PASS) {
        return 0;
    }

    name = learn_anomaly_part(forks);

    for (i = 0; i < n->nparams; i++) {
        param = &n->params[i];

        if (param->name_len == name.len
            && memcmp(param->name, name.data, name.len) == 0
            && param->action == MIQPS_KEEP
            && (param->why == MIQPS_WHY_MATTERS
                || (n->entry.host == NULL
                    && learn_anomaly_always(forks->at.anomaly, &name))))
        {
            return 1;
        }
    }

    return 0;
}


/* the value that a rule has written, which may be that of another page */

static int
learn_anomaly_written(learn_forks_t *forks, const learn_normalized_t *n)
{
    char           *copy, **list;
    miqps_str_t     name;
    const uint8_t  *p, *end, *last;

    if (!n->moved || forks->param == LEARN_FORK_NONE) {
        return 1;
    }

    name = learn_anomaly_part(forks);
    last = n->result.data + n->result.len;
    p = memchr(n->result.data, '?', n->result.len);

    while (p != NULL) {
        p++;
        end = memchr(p, '&', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        if ((size_t) (end - p) > name.len && p[name.len] == '='
            && memcmp(p, name.data, name.len) == 0)
        {
            break;
        }

        p = (end < last) ? end : NULL;
    }

    if (p == NULL) {
        return 1;
    }

    list = learn_anomaly_room(forks->made, forks->nmade, &forks->max_made,
                              sizeof(char *));

    if (list == NULL) {
        return 0;
    }

    forks->made = list;
    p += name.len + 1;
    copy = strndup((const char *) p, (size_t) (end - p));

    if (copy == NULL) {
        return 0;
    }

    forks->made[forks->nmade++] = copy;

    return 1;
}


/* the name of the parameter at hand */

static miqps_str_t
learn_anomaly_part(const learn_forks_t *forks)
{
    return miqps_paths_string(forks->at.rules,
                              forks->at.rewrite->from.params[forks->param]);
}


/* those that are one now are looked at together */

static void
learn_anomaly_lost(learn_forks_t *forks)
{
    size_t       i, first;
    uint32_t     place;
    miqps_str_t  name;

    qsort(forks->list, forks->n, sizeof(learn_fork_t), learn_anomaly_by_after);

    for (i = 1, first = 0; i <= forks->n; i++) {

        if (i < forks->n
            && forks->list[i].after == forks->list[first].after)
        {
            continue;
        }

        if (learn_anomaly_group(forks, first, i) && forks->lost != NULL) {
            name = learn_anomaly_part(forks);

            if (learn_anomaly_place(&forks->at, &name, &place)
                && !forks->lost[place])
            {
                forks->lost[place] = 1;
                (*forks->nlost)++;
            }
        }

        first = i;
    }
}


/*
 * Whether something is lost in a group, by rules of the new map: something is
 * kept, and others were told from it.  What old rules have written is lost in
 * whichever way; if that is by no rule, there is nothing to leave out.
 */

static int
learn_anomaly_group(learn_forks_t *forks, size_t first, size_t last)
{
    size_t            i, told, written;
    unsigned          kept, moved;
    uint64_t          before;
    learn_fork_t     *fork;
    learn_anomaly_t  *anomaly;

    told = 0;
    written = 0;
    kept = 0;
    moved = 0;
    before = 0;
    anomaly = forks->at.anomaly;

    for (i = first; i < last; i++) {
        fork = &forks->list[i];
        told += (i > first && fork->before != fork[-1].before);
        kept |= fork->kept;
        moved |= fork->moved;

        if (fork->kept && (written == 0 || fork->before != before)) {
            before = fork->before;
            written++;
        }
    }

    if (forks->lost != NULL ? told == 0 || !kept || !moved : written < 2) {
        return 0;
    }

    anomaly->doubts += !moved;

    for (i = first; i < last; i++) {
        fork = &forks->list[i];

        if (fork->rule != MIQPS_PATHS_NONE) {
            anomaly->ndropped += !anomaly->dropped[fork->rule];
            anomaly->dropped[fork->rule] = 1;

        } else {
            anomaly->doubts += fork->moved;
        }
    }

    return 1;
}


static int
learn_anomaly_by_after(const void *one, const void *two)
{
    const learn_fork_t  *a = one, *b = two;

    if (a->after != b->after) {
        return (a->after < b->after) ? -1 : 1;
    }

    return (a->before > b->before) - (a->before < b->before);
}


/* whether a name of the source is of the pattern */

static int
learn_anomaly_named(const learn_sample_t *at)
{
    uint32_t             i, place;
    miqps_str_t          name;
    const miqps_form_t  *from;

    from = &at->rewrite->from;

    for (i = 0; i < from->nparams; i++) {
        name = miqps_paths_string(at->rules, from->params[i]);

        if (learn_anomaly_place(at, &name, &place)) {
            return 1;
        }
    }

    return 0;
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


/* the list with room for one more; NULL without memory, and it is as it was */

static void *
learn_anomaly_room(void *list, size_t n, size_t *max, size_t size)
{
    if (n < *max) {
        return list;
    }

    list = realloc(list, (2 * n + 16) * size);

    if (list != NULL) {
        *max = 2 * n + 16;
    }

    return list;
}


static void
learn_anomaly_forget(learn_forks_t *forks)
{
    free(forks->list);
    free(forks->made);
    free(forks->seen);
}
