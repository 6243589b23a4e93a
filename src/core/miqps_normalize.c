
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_escape.h"
#include "miqps_family.h"
#include "miqps_normalize.h"


/*
 * The buffer:
 *
 *     | query | slack | families | result | slack |
 *
 * The query is copied, so that its names and pairs can be read in blocks, also
 * the last of them; the result is written in blocks.
 */

#define MIQPS_NORMALIZE_PARTS  3
#define MIQPS_NORMALIZE_SLACK  MIQPS_QUERY_SLACK


/* what miqps_policy_scopes() says, work->active aside */

typedef struct {
    miqps_guard_e         guard;
    size_t                n;
    const miqps_scope_t  *strict;
    const uint8_t        *record;    /* of the host in the map, or NULL */
} miqps_scopes_t;


static inline miqps_always_inline miqps_rc_e  miqps_normalize_args(
    const miqps_policy_t *policy, const miqps_request_t *req,
    miqps_work_t *work, uint8_t *buf, size_t size, miqps_result_t *res);
static miqps_noinline void  miqps_normalize_paths(
    const miqps_policy_t *policy, const miqps_request_t *req,
    const miqps_work_t *work, miqps_result_t *res);
static int  miqps_normalize_settled(const miqps_policy_t *policy,
    const miqps_request_t *req, const miqps_work_t *work,
    const miqps_result_t *res, miqps_paths_result_t *made);
static int  miqps_normalize_scopes(const miqps_policy_t *policy,
    const miqps_request_t *req, const miqps_work_t *work,
    const miqps_str_t *path);
static miqps_guard_e  miqps_normalize_query(const miqps_policy_t *policy,
    const miqps_request_t *req, miqps_work_t *work, uint8_t *buf,
    miqps_result_t *res);
static inline int  miqps_normalize_planned(const miqps_policy_t *policy,
    const miqps_request_t *req, const miqps_work_t *work,
    const miqps_scopes_t *scopes, const miqps_str_t *args, miqps_planned_t *q);
static miqps_noinline miqps_guard_e  miqps_normalize_split(
    const miqps_policy_t *policy, const miqps_request_t *req,
    miqps_work_t *work, const miqps_str_t *args, uint8_t *pool,
    const miqps_scopes_t *scopes, const miqps_planned_t *q,
    miqps_result_t *res);
static miqps_noinline int  miqps_normalize_map(const miqps_request_t *req,
    const uint8_t *record, miqps_work_t *work, miqps_result_t *res);
static size_t  miqps_normalize_left(miqps_work_t *work, size_t n);
static int  miqps_normalize_order(miqps_work_t *work, size_t n);
static miqps_guard_e  miqps_normalize_scan(const miqps_str_t *in,
    miqps_scan_t *scan, uint8_t *buf, miqps_str_t *args);
static int  miqps_normalize_same(const miqps_work_t *work, size_t n);
static void  miqps_normalize_unsort(miqps_work_t *work, size_t n);
static void  miqps_normalize_emit(const miqps_work_t *work, size_t pieces,
    uint8_t *out, miqps_result_t *res);


size_t
miqps_normalize_bound(size_t len)
{
    if (len == 0) {
        return 0;
    }

    return MIQPS_NORMALIZE_PARTS * len + 2 * MIQPS_NORMALIZE_SLACK;
}


size_t
miqps_second_bound(size_t path, size_t len)
{
    return miqps_paths_bound(path, len)
           + miqps_normalize_bound(path + len + MIQPS_PATHS_GROWTH);
}


miqps_rc_e
miqps_normalize(const miqps_policy_t *policy, const miqps_request_t *req,
    miqps_work_t *work, uint8_t *buf, size_t size, miqps_result_t *res)
{
    miqps_rc_e  rc;

    rc = miqps_normalize_args(policy, req, work, buf, size, res);

    if (req->second != NULL && rc == MIQPS_OK
        && res->guard == MIQPS_GUARD_PASS && req->image != NULL
        && req->image->section[MIQPS_SECTION_RULES].size > 0)
    {
        miqps_normalize_paths(policy, req, work, res);
    }

    return rc;
}


/* applies a path rule to what is left of the URL */

static miqps_noinline void
miqps_normalize_paths(const miqps_policy_t *policy, const miqps_request_t *req,
    const miqps_work_t *work, miqps_result_t *res)
{
    miqps_paths_url_t     url;
    miqps_paths_result_t  made;

    if (req->args.len == 0) {
        res->record = miqps_plan_record(req->plans, req->image, &req->host);
        res->mapped = (res->record != NULL);
    }

    if (!miqps_paths_any(res->record)
        || req->second->size < miqps_second_bound(req->path.len,
                                                  req->args.len))
    {
        return;
    }

    url.image = req->image;
    url.record = res->record;
    url.host = req->host;
    url.path = req->path;
    url.args = res->args;
    url.stay = req->stay;

    if (!miqps_paths_apply(&url, req->second->buf, &made)
        || !miqps_normalize_settled(policy, req, work, res, &made))
    {
        return;
    }

    res->host = made.host;
    res->path = made.path;
    res->changed |= !miqps_str_eq(&made.args, &res->args);
    res->args = made.args;
    res->moved = 1;
    res->rule = made.rule;
    res->host_rule = made.host_rule;
    res->place = (uint32_t) (res->record
                             - req->image->section[MIQPS_SECTION_HOSTS].data);
}


/*
 * True if nothing of what a rule has made would be stripped.  Parameters are
 * put in order.
 */

static int
miqps_normalize_settled(const miqps_policy_t *policy,
    const miqps_request_t *req, const miqps_work_t *work,
    const miqps_result_t *res, miqps_paths_result_t *made)
{
    size_t            used;
    miqps_result_t    again;
    miqps_request_t   second;

    if (made->args.len == 0) {
        return 1;
    }

    /* names alone have decided, and they are the same */

    if (!made->params && res->verdicts != NULL
        && miqps_str_eq(&made->host, &req->host)
        && miqps_normalize_scopes(policy, req, work, &made->path))
    {
        return 1;
    }

    second = *req;
    second.host = made->host;
    second.path = made->path;
    second.args = made->args;

    used = miqps_paths_bound(req->path.len, req->args.len);

    if (miqps_normalize_args(policy, &second, &req->second->work,
                             req->second->buf + used,
                             req->second->size - used, &again)
        != MIQPS_OK
        || again.guard != MIQPS_GUARD_PASS || again.nstripped > 0)
    {
        return 0;
    }

    made->args = again.args;

    return 1;
}


/* true if the scopes of a path are those that are active */

static int
miqps_normalize_scopes(const miqps_policy_t *policy,
    const miqps_request_t *req, const miqps_work_t *work,
    const miqps_str_t *path)
{
    size_t                n;
    uint32_t              active[MIQPS_MAX_ACTIVE];
    const miqps_scope_t  *strict;

    if (miqps_policy_pathless(policy)) {
        return 1;
    }

    return miqps_policy_scopes(policy, &req->host, path, active, &n, &strict)
           == MIQPS_GUARD_PASS
           && n == work->nactive
           && memcmp(active, work->active, n * sizeof(uint32_t)) == 0;
}


static inline miqps_rc_e
miqps_normalize_args(const miqps_policy_t *policy, const miqps_request_t *req,
    miqps_work_t *work, uint8_t *buf, size_t size, miqps_result_t *res)
{
    if (size < miqps_normalize_bound(req->args.len)) {
        return MIQPS_NO_SPACE;
    }

    res->args = req->args;
    res->path = req->path;
    res->host = req->host;
    res->guard = MIQPS_GUARD_PASS;
    res->nparams = 0;
    res->nstripped = 0;
    res->changed = 0;
    res->moved = 0;
    res->mapped = 0;
    res->known = 0;
    res->record = NULL;
    res->verdicts = NULL;
    res->entry.host = NULL;

    memset(&res->strips, 0, sizeof(miqps_strips_t));

    if (req->args.len == 0) {
        return MIQPS_OK;
    }

    if (req->args.len > MIQPS_MAX_ARGS) {
        res->guard = MIQPS_GUARD_TOO_LONG;
        return MIQPS_OK;
    }

    res->guard = miqps_normalize_query(policy, req, work, buf, res);

    if (res->guard != MIQPS_GUARD_PASS) {
        res->args = req->args;
        res->nparams = 0;
        res->nstripped = 0;
        return MIQPS_OK;
    }

    res->changed = !miqps_str_eq(&res->args, &req->args);

    if (!res->changed) {
        res->args = req->args;
    }

    return MIQPS_OK;
}


static miqps_guard_e
miqps_normalize_query(const miqps_policy_t *policy, const miqps_request_t *req,
    miqps_work_t *work, uint8_t *buf, miqps_result_t *res)
{
    uint8_t             *pool;
    miqps_str_t          args;
    miqps_guard_e        guard;
    miqps_scopes_t       scopes;
    miqps_planned_t      q;
    const miqps_plan_t  *plan;

    guard = miqps_normalize_scan(&req->args, &work->scan, buf, &args);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    pool = buf + req->args.len + MIQPS_NORMALIZE_SLACK;

    scopes.guard = miqps_policy_scopes(policy, &req->host, &req->path,
                                       work->active, &scopes.n,
                                       &scopes.strict);

    scopes.record = (req->image != NULL)
                    ? miqps_plan_record(req->plans, req->image, &req->host)
                    : NULL;

    res->record = scopes.record;
    work->nactive = scopes.n;

    if (!miqps_normalize_planned(policy, req, work, &scopes, &args, &q)) {
        return miqps_normalize_split(policy, req, work, &args, pool, &scopes,
                                     NULL, res);
    }

    plan = miqps_plan_find(&q);

    if (plan == NULL) {
        return miqps_normalize_split(policy, req, work, &args, pool, &scopes,
                                     &q, res);
    }

    res->nparams = q.n;
    res->nstripped = q.n - plan->kept;
    res->mapped = (scopes.record != NULL);
    res->known = plan->known;
    res->verdicts = plan->verdicts;
    res->strips = plan->strips;
    res->args.data = pool + req->args.len;
    res->args.len = miqps_plan_emit(plan, &q, &args, pool + req->args.len);

    return MIQPS_GUARD_PASS;
}


/* true if there may be a plan */

static inline int
miqps_normalize_planned(const miqps_policy_t *policy,
    const miqps_request_t *req, const miqps_work_t *work,
    const miqps_scopes_t *scopes, const miqps_str_t *args, miqps_planned_t *q)
{
    unsigned  flags;

    if (req->plans == NULL || scopes->guard != MIQPS_GUARD_PASS
        || !miqps_plan_scopes(&q->key, work->active, scopes->n))
    {
        return 0;
    }

    flags = req->sort;

    q->key.policy = policy;
    q->key.record = scopes->record;
    q->key.serial = 0;

    if (scopes->record != NULL) {
        q->key.serial = req->image->serial;
        flags |= (unsigned) req->shown << 1;

        if (q->key.serial == 0) {
            return 0;
        }
    }

    return miqps_plan_read(q, req->plans, flags, args, &work->scan);
}


/* the long way; "q" is for a plan to be left, or NULL */

static miqps_guard_e
miqps_normalize_split(const miqps_policy_t *policy, const miqps_request_t *req,
    miqps_work_t *work, const miqps_str_t *args, uint8_t *pool,
    const miqps_scopes_t *scopes, const miqps_planned_t *q,
    miqps_result_t *res)
{
    int            ordered;
    size_t         pieces;
    unsigned       gave_up;
    miqps_guard_e  guard;

    guard = miqps_query_split(args, &work->scan, pool, work->params,
                              &res->nparams, &pieces);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    if (scopes->guard != MIQPS_GUARD_PASS) {
        return scopes->guard;
    }

    guard = miqps_policy_decide(policy, work->active, scopes->n,
                                scopes->strict, work->params, res->nparams,
                                &gave_up);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    res->mapped = (scopes->record != NULL);

    ordered = (res->mapped && !gave_up);

    if (ordered && miqps_normalize_map(req, scopes->record, work, res)) {
        q = NULL;
    }

    if (!req->sort && res->nparams == pieces
        && miqps_normalize_same(work, res->nparams))
    {
        miqps_normalize_unsort(work, res->nparams);
        miqps_plan_leave(q, work->params, work->order, res->known);

        res->args = *args;
        return MIQPS_GUARD_PASS;
    }

    if (!ordered && miqps_normalize_order(work, res->nparams)) {
        (void) miqps_family_settle(work->params, res->nparams, work->order);
    }

    if (!req->sort) {
        miqps_normalize_unsort(work, res->nparams);
    }

    miqps_plan_leave(q, work->params, work->order, res->known);
    miqps_normalize_emit(work, pieces, pool + req->args.len, res);

    return MIQPS_GUARD_PASS;
}


/*
 * Adds what the map says.  What is left may be another set of names that the
 * map knows, or one that it does not know, where the rules alone decide.  So
 * all is decided again for what is left, until nothing more goes: else
 * normalizing the result would change it.  Returns true if the path or values
 * had a say.
 */

static miqps_noinline int
miqps_normalize_map(const miqps_request_t *req, const uint8_t *record,
    miqps_work_t *work, miqps_result_t *res)
{
    int                mixed;
    size_t             i, n, kept;
    unsigned           varies;
    miqps_map_entry_t  entry;

    varies = 0;
    mixed = miqps_normalize_order(work, res->nparams);
    n = res->nparams;

    for (i = 0; i < n; i++) {
        work->left[i] = work->params[i];
        work->back[i] = (uint16_t) i;
    }

    for ( ;; ) {

        if (miqps_map_find(req->image, record, &req->path, work->left, n,
                           &work->map, &entry)
            && !res->known)
        {
            res->known = 1;
            res->entry = entry;
        }

        for (i = 0; i < n; i++) {
            miqps_policy_learned(&work->params[work->back[i]],
                                 work->map.learned[i], req->shown);
        }

        varies |= entry.varies;

        if (mixed) {
            (void) miqps_family_settle(work->params, res->nparams,
                                       work->order);
        }

        kept = miqps_normalize_left(work, n);

        if (kept == n) {
            return varies != 0;
        }

        n = kept;
    }
}


/*
 * Leaves in work->left what is kept of "n" parameters, and returns how many
 * these are.  Unless it is all of them, those that rules strip are so again;
 * the others stay kept, by whom they were.
 */

static size_t
miqps_normalize_left(miqps_work_t *work, size_t n)
{
    size_t          i, kept;
    miqps_param_t  *param;

    kept = 0;

    for (i = 0; i < n; i++) {
        kept += (work->params[work->back[i]].action == MIQPS_KEEP);
    }

    if (kept == n) {
        return n;
    }

    kept = 0;

    for (i = 0; i < n; i++) {
        param = &work->params[work->back[i]];

        if (param->action == MIQPS_STRIP) {
            continue;
        }

        if (work->left[i].action == MIQPS_STRIP) {
            *param = work->left[i];
        }

        work->left[kept] = work->left[i];
        work->back[kept++] = work->back[i];
    }

    return kept;
}


/* orders by family; true if the verdicts of families may have to be settled */

static int
miqps_normalize_order(miqps_work_t *work, size_t n)
{
    if (miqps_family_order_few(work->params, n, work->order)) {
        return 0;
    }

    miqps_family_order(work->params, n, work->order, work->spare);

    return 1;
}


/* copies the query to "buf", percent-normalized, and reads it */

static miqps_guard_e
miqps_normalize_scan(const miqps_str_t *in, miqps_scan_t *scan, uint8_t *buf,
    miqps_str_t *args)
{
    miqps_guard_e  guard;

    memcpy(buf, in->data, in->len);
    miqps_query_pad(buf + in->len);

    args->data = buf;
    args->len = in->len;

    /* not the copy, which a processor would have to wait for */

    miqps_scan(scan, in);

    if (scan->any_percent == 0
        || miqps_escape_normal(buf, scan->percent, scan->nwords))
    {
        return MIQPS_GUARD_PASS;
    }

    guard = miqps_escape_normalize(in, buf, args);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    /* where only the case of hex digits changed, all is where it was */

    if (args->len < in->len) {
        miqps_query_pad(buf + args->len);
        miqps_scan(scan, args);
    }

    return MIQPS_GUARD_PASS;
}


/* true if everything is kept */

static int
miqps_normalize_same(const miqps_work_t *work, size_t n)
{
    size_t    i;
    unsigned  strips;

    strips = 0;

    for (i = 0; i < n; i++) {
        strips |= work->params[i].action;
    }

    return strips == 0;
}


static void
miqps_normalize_unsort(miqps_work_t *work, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        work->order[i] = (uint16_t) i;
    }
}


/*
 * Writes what is kept, in order.  What is not is written as well, and then
 * the next one over it, since no processor could predict that branch.
 */

static void
miqps_normalize_emit(const miqps_work_t *work, size_t pieces, uint8_t *out,
    miqps_result_t *res)
{
    size_t                len, keep, kept;
    uint8_t              *p;
    const uint16_t       *k, *last;
    const miqps_param_t  *param;

    p = out;
    kept = 0;
    last = work->order + res->nparams;

    for (k = work->order; k < last; k++) {
        param = &work->params[*k];

        /* all ones if it is kept, else zero */

        keep = (size_t) param->action - 1;
        len = param->len & keep;

        miqps_query_copy(p, param->name, len);

        p[len] = '&';
        p += len - keep;
        kept -= keep;

        res->strips.by[param->layer] += param->action;
    }

    p -= (kept > 0);

    /*
     * CGI programs take a lone word without "=" and "&" for a list of
     * keywords.  One that was not alone must not become one.
     */

    if (kept == 1 && pieces > 1
        && memchr(out, '=', (size_t) (p - out)) == NULL)
    {
        p++;
    }

    res->nstripped = res->nparams - kept;
    res->args.data = out;
    res->args.len = (size_t) (p - out);
}
