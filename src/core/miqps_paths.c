
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_family.h"
#include "miqps_paths.h"
#include "miqps_paths_text.h"


/* a URL, taken apart */

#define MIQPS_PATHS_UNSPLIT  SIZE_MAX


typedef struct {
    const miqps_paths_url_t  *url;
    miqps_paths_t             rules;
    uint64_t                  has;        /* bits that rules may need */

    miqps_str_t               host;
    miqps_str_t               segments[MIQPS_PATHS_SEGMENTS];
    uint8_t                   held[MIQPS_PATHS_SEGMENTS];  /* what all of its
                                                              bytes may be */
    size_t                    nsegments;

    miqps_str_t               names[MIQPS_PATHS_PARAMS];
    miqps_str_t               pieces[MIQPS_PATHS_PARAMS];  /* "name=value" */
    size_t                    nparams;    /* or UNSPLIT */

    miqps_captures_t          captures;
    size_t                    deep;       /* segments that "**" stands for */
} miqps_paths_work_t;


static int  miqps_paths_once(const miqps_paths_url_t *url, uint8_t *buf,
    miqps_paths_result_t *res, int *careful);
static const uint8_t  *miqps_paths_first(miqps_paths_work_t *work, int host,
    uint32_t *which, const uint8_t **target);
static uint8_t  *miqps_paths_write(const miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *target, uint8_t *p,
    miqps_paths_result_t *res);
static int  miqps_paths_split(miqps_paths_work_t *work, uint8_t *buf);
static inline int  miqps_paths_segment(miqps_paths_work_t *work,
    const uint8_t *p, size_t len, uint8_t held);
static int  miqps_paths_segment_ok(const uint8_t *p, size_t len);
static int  miqps_paths_escape(const uint8_t *p, const uint8_t *last);
static int  miqps_paths_split_args(miqps_paths_work_t *work);
static inline int  miqps_paths_counts(const miqps_paths_work_t *work,
    const uint8_t *rule);
static int  miqps_paths_try(miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t **target);
static const uint8_t  *miqps_paths_try_path(miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *p);
static const uint8_t  *miqps_paths_try_params(miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *p);
static int  miqps_paths_only(const miqps_paths_work_t *work,
    const miqps_str_t *name, size_t *which);
static int  miqps_paths_kin(const miqps_str_t *one, const miqps_str_t *two);
static int  miqps_paths_named(const miqps_paths_work_t *work,
    const uint8_t *p, size_t n, const miqps_str_t *name,
    const uint8_t **text);
static int  miqps_paths_absent(const miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *source, const uint8_t *target);
static uint8_t  *miqps_paths_write_path(const miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t **target, uint8_t *out);
static inline uint8_t  *miqps_paths_write_segment(
    const miqps_paths_work_t *work, const uint8_t **target, uint8_t *out);
static uint8_t  *miqps_paths_write_args(const miqps_paths_work_t *work,
    const uint8_t *rule, const uint8_t *source, const uint8_t *target,
    uint8_t *out);
static uint8_t  *miqps_paths_write_param(const miqps_paths_work_t *work,
    const miqps_str_t *name, const uint8_t *text, uint8_t *out);


/*
 * What a byte of a path may be part of, bits as in miqps_paths_bytes[] for
 * DIGITS, HEX, WORD and ANY; or that it has to be looked at.  What is above
 * 0x7f is nothing of that.
 */

#define MIQPS_PATH_LOOK  0x80

static const uint8_t  miqps_path_bytes[256] = {
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
    0x00, 0x00, 0x00, 0x80, 0x00, 0x80, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x00, 0x80,
    0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f, 0x0f,
    0x0f, 0x0f, 0x00, 0x80, 0x00, 0x00, 0x00, 0x80,
    0x00, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0x0c,
    0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c,
    0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c,
    0x0c, 0x0c, 0x0c, 0x00, 0x80, 0x00, 0x00, 0x0c,
    0x00, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0x0e, 0x0c,
    0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c,
    0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c, 0x0c,
    0x0c, 0x0c, 0x0c, 0x00, 0x00, 0x00, 0x08, 0x80
};


/* bytes that one look needs */

static size_t
miqps_paths_room(size_t path, size_t args)
{
    return 2 * path + args + 2 * (MIQPS_MAX_HOST + MIQPS_PATHS_GROWTH)
           + 3 * MIQPS_PATHS_SLACK;
}


/* what a rule makes of path and arguments is not much more than both */

size_t
miqps_paths_bound(size_t path, size_t args)
{
    size_t  made;

    made = path + args + 2 * MIQPS_PATHS_GROWTH;

    return miqps_paths_room(path, args) + miqps_paths_room(made, made);
}


int
miqps_paths_apply(const miqps_paths_url_t *url, uint8_t *buf,
    miqps_paths_result_t *res)
{
    int                   careful;
    miqps_paths_url_t     made;
    miqps_paths_result_t  again;

    if (!miqps_paths_once(url, buf, res, &careful)) {
        return 0;
    }

    if (!careful) {
        return 1;
    }

    made = *url;
    made.host = res->host;
    made.path = res->path;
    made.args = res->args;

    return !miqps_paths_once(&made, buf + miqps_paths_room(url->path.len,
                                                           url->args.len),
                             &again, &careful);
}


static int
miqps_paths_once(const miqps_paths_url_t *url, uint8_t *buf,
    miqps_paths_result_t *res, int *careful)
{
    uint8_t             *p;
    const uint8_t       *rule, *target;
    miqps_paths_work_t   work;

    if (!miqps_paths_of(url->image, url->record, &work.rules)) {
        return 0;
    }

    *careful = work.rules.careful;

    work.url = url;
    work.host = url->host;

    if (!miqps_paths_split(&work, buf)) {
        return 0;
    }

    /* where no source has parameters, they are looked at when one applies */

    work.nparams = (url->args.len > 0) ? MIQPS_PATHS_UNSPLIT : 0;

    if (work.rules.params && !miqps_paths_split_args(&work)) {
        return 0;
    }

    p = buf + url->path.len + MIQPS_PATHS_SLACK;

    res->host = url->host;
    res->path = url->path;
    res->args = url->args;
    res->host_rule = MIQPS_PATHS_NONE;
    res->params = 0;

    rule = miqps_paths_first(&work, 0, &res->rule, &target);

    if (rule != NULL) {
        p = miqps_paths_write(&work, rule, target, p, res);
    }

    /* what it has made is of a host, which may be another one */

    if (!url->stay) {
        work.host = res->host;
        rule = miqps_paths_first(&work, 1, &res->host_rule, &target);

        if (rule != NULL) {
            (void) miqps_paths_write(&work, rule, target, p, res);
        }
    }

    return !miqps_str_eq(&res->path, &url->path)
           || !miqps_str_eq(&res->args, &url->args)
           || !miqps_str_eq(&res->host, &url->host);
}


/* the first host rule, or of the others, whose source the URL has; or NULL */

static const uint8_t *
miqps_paths_first(miqps_paths_work_t *work, int host, uint32_t *which,
    const uint8_t **target)
{
    uint32_t        i, n;
    uint64_t        lacks;
    const uint8_t  *needs, *rule;

    needs = work->rules.block + MIQPS_PATHS_HEAD;
    lacks = ~work->has;
    n = work->rules.n;

    for (i = 0; i < n; i++, needs += 8) {

        /* most of them are out of the question */

        while (i + 4 <= n
               && (miqps_get_u64(needs) & lacks) != 0
               && (miqps_get_u64(needs + 8) & lacks) != 0
               && (miqps_get_u64(needs + 16) & lacks) != 0
               && (miqps_get_u64(needs + 24) & lacks) != 0)
        {
            i += 4;
            needs += 32;
        }

        if (i == n) {
            break;
        }

        if ((miqps_get_u64(needs) & lacks) != 0) {
            continue;
        }

        rule = miqps_paths_rule(&work->rules, i);

        if (miqps_paths_counts(work, rule)
            && miqps_paths_host_rule(rule) == host
            && miqps_paths_try(work, rule, target))
        {
            *which = i;
            return rule;
        }
    }

    *which = MIQPS_PATHS_NONE;

    return NULL;
}


/* writes what a rule makes, of which "target" is the rest */

static uint8_t *
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


/* --- the URL, taken apart */


/* false if no rule applies to such a path */

static int
miqps_paths_split(miqps_paths_work_t *work, uint8_t *buf)
{
    size_t          len;
    uint8_t         held;
    const uint8_t  *p, *last, *start;

    len = work->url->path.len;

    if (len == 0 || work->url->path.data[0] != '/') {
        return 0;
    }

    /* so that segments can be read in blocks; the zero behind it ends it */

    memcpy(buf, work->url->path.data, len);
    memset(buf + len, 0, MIQPS_PATHS_SLACK);

    last = buf + len;
    start = buf + 1;
    held = 0xff;

    work->nsegments = 0;
    work->has = 0;

    for (p = start; /* void */ ; p++) {

        while (miqps_path_bytes[*p] < MIQPS_PATH_LOOK) {
            held &= miqps_path_bytes[*p++];
        }

        if (*p == '%') {
            if (!miqps_paths_escape(p, last)) {
                return 0;
            }

            p += 2;
            held = 0;
            continue;
        }

        if (*p != '/' && p < last) {
            return 0;
        }

        /* only the last may be empty */

        if ((p == start && p < last)
            || !miqps_paths_segment(work, start, (size_t) (p - start), held))
        {
            return 0;
        }

        if (p == last) {
            break;
        }

        start = p + 1;
        held = 0xff;
    }

    work->has |= miqps_paths_need_count(work->url->image->seed,
                                        work->nsegments);
    return 1;
}


/* one more, with the bits that it brings; false if there are too many */

static inline int
miqps_paths_segment(miqps_paths_work_t *work, const uint8_t *p, size_t len,
    uint8_t held)
{
    uint64_t             hash;
    miqps_str_t         *segment;
    miqps_image_word_t   word;

    if (work->nsegments == MIQPS_PATHS_SEGMENTS
        || !miqps_paths_segment_ok(p, len))
    {
        return 0;
    }

    segment = &work->segments[work->nsegments];
    segment->data = p;
    segment->len = len;
    work->held[work->nsegments] = held;

    /* no source has more; and those of a long path would fill all bits */

    if (work->nsegments++ >= MIQPS_MAX_SEGMENTS) {
        return 1;
    }

    miqps_image_word_padded(&word, p, len);
    hash = miqps_image_hash_word(work->url->image->seed + work->nsegments,
                                 &word);

    work->has |= miqps_paths_need_name(hash);

    return 1;
}


static int
miqps_paths_segment_ok(const uint8_t *p, size_t len)
{
    return !(len > 0 && len <= 2 && p[0] == '.' && p[len - 1] == '.');
}


/* false for an escape that could be read in two ways */

static int
miqps_paths_escape(const uint8_t *p, const uint8_t *last)
{
    size_t    i;
    unsigned  c;

    if (last - p < 3) {
        return 0;
    }

    c = 0;

    for (i = 1; i <= 2; i++) {
        if (p[i] >= '0' && p[i] <= '9') {
            c = 16 * c + p[i] - '0';

        } else if ((p[i] | 0x20) >= 'a' && (p[i] | 0x20) <= 'f') {
            c = 16 * c + (p[i] | 0x20) - 'a' + 10;

        } else {
            return 0;
        }
    }

    return c != '.' && miqps_path_bytes[c] != MIQPS_PATH_LOOK;
}


/*
 * False if there are too many parameters.  Empty pieces are left by
 * miqps_normalize() only behind a word that is alone.
 */

static int
miqps_paths_split_args(miqps_paths_work_t *work)
{
    size_t          n;
    uint64_t        seed;
    miqps_str_t    *name;
    const uint8_t  *p, *last, *end, *equals;

    n = 0;
    seed = work->url->image->seed;
    p = work->url->args.data;
    last = (work->url->args.len > 0) ? p + work->url->args.len : p;

    while (p < last) {
        end = memchr(p, '&', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        if (n == MIQPS_PATHS_PARAMS) {
            return 0;
        }

        equals = memchr(p, '=', (size_t) (end - p));
        name = &work->names[n];

        name->data = p;
        name->len = (size_t) (((equals != NULL) ? equals : end) - p);

        work->pieces[n].data = p;
        work->pieces[n].len = (size_t) (end - p);

        work->has |= miqps_paths_need_name(
                         miqps_image_hash_name(seed, name->data, name->len));
        n++;
        p = end + 1;
    }

    work->nparams = n;

    return 1;
}


/* --- a rule */


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


/*
 * True if the URL has the source, whose number of segments is right; "*target"
 * is what lies behind that.
 */

static int
miqps_paths_try(miqps_paths_work_t *work, const uint8_t *rule,
    const uint8_t **target)
{
    const uint8_t  *p;

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
        p = miqps_paths_try_path(work, rule, p);
    }

    if (p != NULL) {
        p = miqps_paths_try_params(work, rule, p);
    }

    *target = p;

    return p != NULL;
}


static const uint8_t *
miqps_paths_try_path(miqps_paths_work_t *work, const uint8_t *rule,
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

        if (p[0] == 1 && p[1] < MIQPS_PIECE_RAW && segment->len > 0
            && (work->held[at] & miqps_paths_kinds[p[1]])
            && p[1] != MIQPS_PIECE_UUID)
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
miqps_paths_try_params(miqps_paths_work_t *work, const uint8_t *rule,
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


/* true if one of "n" parameters has this name; "*text" is its */

static int
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


/* --- the result */


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
