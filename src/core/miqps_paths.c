
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_paths_steps.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif


static int  miqps_paths_once(const miqps_paths_url_t *url, uint8_t *buf,
    miqps_paths_result_t *res, int *careful);
static inline uint32_t  miqps_paths_next(const miqps_paths_work_t *work,
    uint32_t i);
#if defined(__SSE2__)
static uint32_t  miqps_paths_next_wide(const uint8_t *needs, uint32_t i,
    uint32_t n, uint64_t lacks);
#endif
static const uint8_t  *miqps_paths_first(miqps_paths_work_t *work,
    uint32_t *which, const uint8_t **target, uint32_t *hosts);
static const uint8_t  *miqps_paths_first_host(miqps_paths_work_t *work,
    uint32_t hosts, uint32_t *which, const uint8_t **target);
static void  miqps_paths_made(miqps_paths_work_t *work, uint8_t *p,
    const uint8_t *rule, const uint8_t *target, uint32_t hosts,
    miqps_paths_result_t *res);
static inline int  miqps_paths_differ(const miqps_str_t *one,
    const miqps_str_t *two);


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
    uint32_t             hosts;
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

    rule = miqps_paths_first(&work, &res->rule, &target, &hosts);

    if (url->stay) {
        hosts = work.rules.n;
    }

    if (rule == NULL && hosts == work.rules.n) {
        return 0;
    }

    miqps_paths_made(&work, buf + url->path.len + MIQPS_PATHS_SLACK, rule,
                     target, hosts, res);

    return miqps_paths_differ(&res->path, &url->path)
           || miqps_paths_differ(&res->args, &url->args)
           || miqps_paths_differ(&res->host, &url->host);
}


/* what a rule makes, or NULL, and then a host rule, from "hosts" on */

static void
miqps_paths_made(miqps_paths_work_t *work, uint8_t *p, const uint8_t *rule,
    const uint8_t *target, uint32_t hosts, miqps_paths_result_t *res)
{
    res->host = work->url->host;
    res->path = work->url->path;
    res->args = work->url->args;
    res->host_rule = MIQPS_PATHS_NONE;
    res->params = 0;

    if (rule != NULL) {
        p = miqps_paths_write(work, rule, target, p, res);
    }

    if (hosts == work->rules.n) {
        return;
    }

    /* what it has made is of a host, which may be another one */

    work->host = res->host;
    rule = miqps_paths_first_host(work, hosts, &res->host_rule, &target);

    if (rule != NULL) {
        (void) miqps_paths_write(work, rule, target, p, res);
    }
}


/* what was not written is where it was */

static inline int
miqps_paths_differ(const miqps_str_t *one, const miqps_str_t *two)
{
    return one->data != two->data && !miqps_str_eq(one, two);
}


/*
 * The first rule whose source the URL has, or NULL; before "*hosts" there is no
 * host rule.
 */

static const uint8_t *
miqps_paths_first(miqps_paths_work_t *work, uint32_t *which,
    const uint8_t **target, uint32_t *hosts)
{
    uint32_t        i, n;
    const uint8_t  *rule;

    n = work->rules.n;
    *hosts = n;

    for (i = miqps_paths_next(work, 0); i < n;
         i = miqps_paths_next(work, i + 1))
    {
        rule = miqps_paths_rule(&work->rules, i);

        if (miqps_paths_host_rule(rule)) {
            *hosts = (*hosts < i) ? *hosts : i;
            continue;
        }

        if (miqps_paths_match(work, rule, target)) {
            *hosts = (*hosts < i) ? *hosts : i + 1;
            *which = i;
            return rule;
        }
    }

    *which = MIQPS_PATHS_NONE;

    return NULL;
}


/* the same for host rules, of which "hosts" may be the first */

static const uint8_t *
miqps_paths_first_host(miqps_paths_work_t *work, uint32_t hosts,
    uint32_t *which, const uint8_t **target)
{
    uint32_t        i, n;
    const uint8_t  *rule;

    n = work->rules.n;

    for (i = miqps_paths_next(work, hosts); i < n;
         i = miqps_paths_next(work, i + 1))
    {
        rule = miqps_paths_rule(&work->rules, i);

        if (miqps_paths_host_rule(rule)
            && miqps_paths_match(work, rule, target))
        {
            *which = i;
            return rule;
        }
    }

    return NULL;
}


/* the next rule, from "i" on, that the URL has all bits for; or their number */

static inline uint32_t
miqps_paths_next(const miqps_paths_work_t *work, uint32_t i)
{
    uint32_t        n;
    uint64_t        lacks;
    const uint8_t  *needs;

    n = work->rules.n;
    lacks = ~work->has;
    needs = work->rules.block + MIQPS_PATHS_HEAD;

    /* most of them are out of the question */

#if defined(__SSE2__)

    if (n - i >= 8 && __builtin_cpu_supports("avx2")) {
        i = miqps_paths_next_wide(needs, i, n, lacks);
    }

#endif

    while (i < n && (miqps_get_u64(needs + 8 * (size_t) i) & lacks) != 0) {
        i++;
    }

    return i;
}


#if defined(__SSE2__)


/* the same by eight, up to the last ones */

static miqps_avx2 uint32_t
miqps_paths_next_wide(const uint8_t *needs, uint32_t i, uint32_t n,
    uint64_t lacks)
{
    __m256i         all, one, two;
    unsigned        found;
    const __m256i  *at;

    all = _mm256_set1_epi64x((long long) lacks);

    for (/* void */ ; i + 8 <= n; i += 8) {
        at = (const __m256i *) (const void *) (needs + 8 * (size_t) i);

        one = _mm256_and_si256(all, _mm256_loadu_si256(at));
        two = _mm256_and_si256(all, _mm256_loadu_si256(at + 1));

        one = _mm256_cmpeq_epi64(one, _mm256_setzero_si256());
        two = _mm256_cmpeq_epi64(two, _mm256_setzero_si256());

        if (_mm256_testz_si256(_mm256_or_si256(one, two),
                               _mm256_or_si256(one, two)))
        {
            continue;
        }

        found = (unsigned) _mm256_movemask_pd(_mm256_castsi256_pd(one))
                | (unsigned) _mm256_movemask_pd(_mm256_castsi256_pd(two)) << 4;

        return i + (uint32_t) __builtin_ctz(found);
    }

    return i;
}


#endif
