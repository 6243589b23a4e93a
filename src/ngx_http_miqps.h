
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _NGX_HTTP_MIQPS_H_INCLUDED_
#define _NGX_HTTP_MIQPS_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

/* nobody else can call what the core has, and calls of it are direct */

#pragma GCC visibility push(hidden)
#include "miqps_collect.h"
#include "miqps_normalize.h"
#include "miqps_rules.h"
#include "miqps_url.h"
#pragma GCC visibility pop

#include "ngx_http_miqps_counters.h"
#include "ngx_http_miqps_zone.h"


/*
 * THE MODULE, BY FILE
 *
 *     ngx_http_miqps_module.c      directives, merging, registration
 *     ngx_http_miqps_rules.c       directives that name parameters and files
 *     ngx_http_miqps_policy.c      what they amount to at a level, compiled
 *     ngx_http_miqps_keys_conf.c   warnings about cache keys
 *     ngx_http_miqps_text.c        the configuration as text, for these
 *
 *     ngx_http_miqps_zone.c        maps in shared memory: slots, readers
 *     ngx_http_miqps_zone_load.c   how a file gets into a slot
 *     ngx_http_miqps_zone_job.c    in which process, and when it has time
 *     ngx_http_miqps_zone_watch.c  when it does
 *     ngx_http_miqps_zone_back.c   older maps, and those that are refused
 *
 *     ngx_http_miqps_control.c         requests that change zones
 *     ngx_http_miqps_control_answer.c  what they are told
 *     ngx_http_miqps_control_peer.c    who may send them
 *     ngx_http_miqps_control_conf.c    what the directive says of that
 *
 *     ngx_http_miqps_handler.c     the rewrite phase: rewrite or redirect
 *     ngx_http_miqps_target.c      what a request is turned into
 *     ngx_http_miqps_paths.c       what path rules do to a request
 *     ngx_http_miqps_location.c    which location a URI has
 *     ngx_http_miqps_loops.c       redirects that would never end
 *     ngx_http_miqps_headers.c     X-Miqps-* of requests and responses
 *     ngx_http_miqps_learn.c       miqps_learn: what the learner fetches
 *
 *     ngx_http_miqps_counters.c    what became of requests, in numbers
 *     ngx_http_miqps_counters_conf.c   where these are
 *     ngx_http_miqps_count.c       how a request is counted
 *     ngx_http_miqps_reply.c       ... and its answer, in the log phase
 *     ngx_http_miqps_status.c      miqps_status: all of that
 *     ngx_http_miqps_status_read.c       ... added up,
 *     ngx_http_miqps_status_json.c       ... as JSON,
 *     ngx_http_miqps_status_text.c       ... and for Prometheus
 *
 *     ngx_http_miqps_corpus.c      the log phase: which URLs are collected
 *     ngx_http_miqps_corpus_conf.c     what the directive says of that
 *     ngx_http_miqps_corpus_seen.c     which are new
 *     ngx_http_miqps_corpus_file.c     how they are written
 *
 *     ngx_http_miqps_variables.c   $miqps_*
 *     ngx_http_miqps_report.c      lists of parameters
 *     ngx_http_miqps_set.c         miqps_set
 *     ngx_http_miqps_clean.c       a whole URL, for that and for lists
 *     ngx_http_miqps_keys.c        what a cache key may hold
 *
 *     ngx_http_miqps_json.c        answers as JSON
 *
 *     ngx_http_miqps_bulk.c        miqps_normalize: lists of URLs
 *     ngx_http_miqps_bulk_run.c    ... piece by piece, as they are read
 *     ngx_http_miqps_bulk_lines.c  ... as lines
 *     ngx_http_miqps_bulk_json.c   ... as JSON
 *
 *     ngx_http_miqps_filter.c      response headers go by
 *     ngx_http_miqps_no_vary.c     No-Vary-Search
 *     ngx_http_miqps_canonical.c   Link: rel="canonical"
 *     ngx_http_miqps_response.c    miqps_response: URLs in them
 *     ngx_http_miqps_response_link.c   ... in Link
 *     ngx_http_miqps_response_refresh.c  ... in Refresh
 *     ngx_http_miqps_response_conf.c   of which hosts
 *     ngx_http_miqps_html.c        ... in pages
 *     ngx_http_miqps_html_out.c    ... which are sent on in pieces
 *     ngx_http_miqps_reference.c   such a URL, absolute or relative
 *     ngx_http_miqps_resolve.c     dots in its path
 *     ngx_http_miqps_rounds.c      redirects that would lead back
 *
 * THE WAY OF A REQUEST
 *
 * The handler runs in the rewrite phase, before the rewrite module.  It asks
 * ngx_http_miqps_target() for the clean form of what the client sent.  If
 * that differs, "rewrite" puts it in place of r->unparsed_uri and r->args,
 * from which nginx derives the upstream's request line, the cache's key,
 * $request_uri and $args; "redirect" answers with it.  The bytes of the path
 * stay as they came in, unless a path rule of the map was applied, and nginx
 * would choose the same location for what it has made.
 *
 * Variables ask the same function, on first use.
 */


#define NGX_HTTP_MIQPS_OFF       0
#define NGX_HTTP_MIQPS_ANNOTATE  1
#define NGX_HTTP_MIQPS_REWRITE   2
#define NGX_HTTP_MIQPS_REDIRECT  3

/* for the learner's fetches, of which nothing is changed */

#define NGX_HTTP_MIQPS_LEARN     4

#define ngx_http_miqps_is_off(mlcf)  (((mlcf)->mode & 3) == 0)

#define NGX_HTTP_MIQPS_HEADERS_OFF       0
#define NGX_HTTP_MIQPS_HEADERS_UPSTREAM  1
#define NGX_HTTP_MIQPS_HEADERS_RESPONSE  2    /* upstream too */

#define NGX_HTTP_MIQPS_RESPONSE_OFF      0
#define NGX_HTTP_MIQPS_RESPONSE_HEADERS  1
#define NGX_HTTP_MIQPS_RESPONSE_HTML     2    /* headers too */


/*
 * What miqps_keep, miqps_strip, miqps_platform, miqps_rules and
 * miqps_tracking of a level and of those around it amount to.  Levels that
 * add nothing share one.
 */

typedef struct {
    ngx_str_t                    name;        /* a rules file */
    ngx_str_t                    text;
} ngx_http_miqps_rules_t;


typedef struct {
    ngx_array_t                  keep;        /* of ngx_str_t */
    ngx_array_t                  strip;       /* of ngx_str_t */
    ngx_array_t                 *platforms;   /* of ngx_str_t, or NULL */
    ngx_array_t                 *rules;       /* of ngx_http_miqps_rules_t */
    ngx_flag_t                   strict;
    ngx_flag_t                   tracking;

    ngx_str_t                    file;        /* of miqps_platform */
    ngx_uint_t                   line;

    miqps_policy_t              *policy;      /* NULL until it is needed */
} ngx_http_miqps_policy_t;


typedef struct ngx_http_miqps_scratch_s  ngx_http_miqps_scratch_t;


/* a miqps_set; "name" is its place in ngx_http_miqps_main_conf_t.set_names */

typedef struct {
    ngx_uint_t                   name;
    ngx_http_complex_value_t     value;
    ngx_uint_t                   decode;      /* unsigned  decode:1; */
} ngx_http_miqps_set_t;


typedef struct {
    ngx_int_t                    request_uri; /* index of $request_uri */
    ngx_uint_t                   used;        /* some location is not off */
    ngx_uint_t                   killed;      /* "miqps off" at http level */
    ngx_shm_zone_t              *loops;
    ngx_array_t                 *set_names;   /* of miqps_set, ngx_str_t */
    ngx_array_t                 *zones;       /* ngx_http_miqps_zone_t * */
    ngx_array_t                 *corpora;     /* their files, or NULL */
    miqps_collect_memo_t        *memo;        /* of names that they saw */
    ngx_uint_t                   control;     /* some location is for it */

    ngx_uint_t                   status;      /* there is a miqps_status */
    ngx_uint_t                   hosts;       /* to count, at most */
    ngx_http_miqps_counters_t   *counters;
    ngx_http_miqps_counts_t     *counts;      /* of this process */
    ngx_uint_t                   host_counts; /* hosts are counted */

    ngx_uint_t                   path_rules;  /* some location has them */
    miqps_second_t              *second;      /* what they need, or NULL */
    miqps_work_t                *work;        /* scratch of one call */
    miqps_plans_t               *plans;
    u_char                      *buf;
    size_t                       size;
    uint64_t                     generation;  /* of the map in that call */
    ngx_uint_t                   bypassed;    /* it was not asked there */

    ngx_uint_t                   bulk;        /* there is a miqps_normalize */
    ngx_uint_t                   responses;   /* some have their URLs clean */
    ngx_uint_t                   html;        /* ... those of pages too */
    ngx_http_miqps_scratch_t    *scratch;     /* for these, or NULL */
    ngx_shm_zone_t              *rounds;      /* the same */
} ngx_http_miqps_main_conf_t;


/* who may control zones; see ngx_http_miqps_control_peer.c */

typedef struct {
    ngx_array_t                 *uids;        /* of uid_t, or NULL */
    ngx_array_t                 *cidrs;       /* of ngx_cidr_t, or NULL */
    ngx_str_t                    token;
} ngx_http_miqps_control_t;


typedef struct {
    ngx_uint_t                   mode;
    ngx_uint_t                   status;      /* of redirect */
    ngx_flag_t                   sort;
    ngx_flag_t                   tracking;
    ngx_flag_t                   path_rules;
    ngx_flag_t                   no_vary_search;
    ngx_flag_t                   canonical_link;
    ngx_flag_t                   purge;
    ngx_flag_t                   learn;
    ngx_uint_t                   headers;
    ngx_uint_t                   filtered;    /* headers: 1, URLs in them: 2 */
    ngx_uint_t                   response;
    ngx_hash_combined_t         *response_hosts;  /* NULL: none */
    ngx_hash_t                   response_types;
    ngx_array_t                 *response_types_keys;
    ngx_flag_t                   response_last_modified;

    ngx_array_t                 *keep;        /* of this level */
    ngx_array_t                 *strip;
    ngx_array_t                 *platforms;   /* NULL: inherited */
    ngx_array_t                 *rules;
    ngx_flag_t                   strict;
    ngx_str_t                    file;
    ngx_uint_t                   line;

    ngx_array_t                 *bypass;      /* of ngx_http_complex_value_t */
    ngx_http_complex_value_t    *host;        /* NULL: $host */
    ngx_array_t                 *sets;        /* of ngx_http_miqps_set_t */

    ngx_http_miqps_zone_t       *zone;        /* NULL: none; after merging */
    ngx_str_t                    use;         /* of miqps_use, by its name */
    ngx_str_t                    use_file;
    ngx_uint_t                   use_line;

    ngx_http_miqps_control_t    *control;     /* NULL: none; of this level */
    ngx_http_miqps_corpus_t     *corpus;      /* NULL: none */

    ngx_http_miqps_policy_t     *policy;      /* after merging */
    ngx_http_miqps_main_conf_t  *main;        /* to reach it in one step */

    ngx_uint_t                   endpoint;    /* miqps is off, if not told */
    ngx_uint_t                   bulk;        /* it is for lists of URLs */
    ngx_uint_t                   complained;  /* of a cache's key, by worker */
} ngx_http_miqps_loc_conf_t;


/*
 * What is known of a request.  It lives in the request's pool and is found
 * there again when an internal redirect has cleared the contexts.
 *
 *     /shoes?color=red&fbclid=x      sent
 *     |    | |                |
 *     path   args ------------+
 *
 *     /shoes?color=red               target
 *     |    | |       |
 *     page   clean --+
 *
 * "page" is "path", unless a path rule has made another one of it.
 */

typedef struct {
    ngx_pool_cleanup_t           cleanup;     /* by which it is found */
    ngx_http_miqps_loc_conf_t   *conf;        /* under which it was made */

    ngx_str_t                    host;
    ngx_str_t                    sent;
    ngx_str_t                    path;
    ngx_str_t                    args;

    ngx_str_t                    target;      /* "sent" where none is wanted */
    ngx_str_t                    page;
    ngx_str_t                    clean;

    ngx_str_t                    uri;         /* "page" decoded, if it moved */
    ngx_str_t                    other;       /* host of a redirect, or empty */

    ngx_http_miqps_verdict_e     verdict;
    miqps_guard_e                guard;

    uint64_t                     generation;  /* of the map, or 0 */
    u_char                      *decided;     /* by a map: see again() */
    u_char                       planned[MIQPS_PLAN_NAMES];  /* the same */

    u_char                       changed;     /* target is not sent */
    u_char                       moved;       /* a path rule was applied */
    u_char                       away;        /* a URL of another host was read
                                                 that it has as a mirror */
    u_char                       taken;       /* the request has the target */
    u_char                       ahead;       /* was read without being taken */
    u_char                       counted;
} ngx_http_miqps_ctx_t;


/*
 * For a function that is seldom called, by one that is called with each
 * request: merged into its caller, it would make this one save registers for
 * nothing.
 */

#define ngx_http_miqps_apart  __attribute__((noinline))

/* for what is seldom true, so that what is usual comes first */

#define ngx_http_miqps_seldom(is)  __builtin_expect((is) != 0, 0)


/* for this module alone: nobody else can call or replace what follows */

#pragma GCC visibility push(hidden)


extern ngx_module_t  ngx_http_miqps_module;


/* ngx_http_miqps_policy.c */

/*
 * What a level amounts to, given the level around it, "prev".  NULL after an
 * error, which has been logged.
 */
ngx_http_miqps_policy_t *ngx_http_miqps_policy_merge(ngx_conf_t *cf,
    ngx_http_miqps_policy_t *prev, ngx_http_miqps_loc_conf_t *conf);

/* compiles it, if that has not been done; NGX_OK or NGX_ERROR, logged */

ngx_int_t ngx_http_miqps_policy_compile(ngx_conf_t *cf,
    ngx_http_miqps_policy_t *policy);

/* memory for the core, from a pool; NULL if there is none */

miqps_mem_t *ngx_http_miqps_policy_mem(ngx_pool_t *pool);


/* ngx_http_miqps_rules.c */

char *ngx_http_miqps_names(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_miqps_platform(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
char *ngx_http_miqps_rules(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


/* ngx_http_miqps_handler.c */

ngx_int_t ngx_http_miqps_handler(ngx_http_request_t *r);


/* ngx_http_miqps_target.c */

/*
 * Why a request is not to be touched, or NGX_HTTP_MIQPS_CLEAN if nothing
 * speaks against it.  "r" is a main request.
 */
ngx_http_miqps_verdict_e ngx_http_miqps_eligible(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf);

/*
 * The host that rules are looked up by: of miqps_host, or the server's.  In
 * the pool of "r"; NGX_OK, or NGX_ERROR without memory.
 */
ngx_int_t ngx_http_miqps_host(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *host);

/* a host as rules have it, in the pool of "r"; empty for what cannot be one */

ngx_int_t ngx_http_miqps_canon(ngx_http_request_t *r, const u_char *data,
    size_t len, ngx_str_t *host);

/*
 * Normalizes a URL.  "res" and main->work are valid until the next call.
 * NGX_OK; or NGX_ERROR without memory.
 */
ngx_int_t ngx_http_miqps_normalize(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_uint_t flags, ngx_str_t *host,
    ngx_str_t *path, ngx_str_t *args, miqps_result_t *res);

#define NGX_HTTP_MIQPS_SHOWN  1              /* a browser will have it */
#define NGX_HTTP_MIQPS_PATHS  2              /* path rules, where they are on */
#define NGX_HTTP_MIQPS_AWAY   4              /* of which some change the host */
#define NGX_HTTP_MIQPS_PLANS  8              /* main->work may be of no use */
#define NGX_HTTP_MIQPS_ANYONE 16             /* whoever it is who asks */

/* what a request becomes here */

#define ngx_http_miqps_shown(mlcf)                                            \
    (((mlcf)->mode == NGX_HTTP_MIQPS_REDIRECT)                                \
     ? NGX_HTTP_MIQPS_SHOWN|NGX_HTTP_MIQPS_AWAY : 0)

/*
 * What "r", a main request that is eligible, becomes, and counts it; "known"
 * is what is known of it so far.  NULL if it stays as it is, or there is no
 * memory.
 */
ngx_http_miqps_ctx_t *ngx_http_miqps_target(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_ctx_t *known);

/*
 * The name of the server that "r" is for, as nginx has checked it: lower
 * case, without port or last dot.
 */
void ngx_http_miqps_server(ngx_http_request_t *r, ngx_str_t *host);

/* what the client sent, as nginx keeps it; of "r", which has a path */

void ngx_http_miqps_raw(ngx_http_request_t *r, ngx_str_t *path,
    ngx_str_t *args);

/* finds a context that an internal redirect of "r" has cleared, or NULL */

ngx_http_miqps_ctx_t *ngx_http_miqps_recall(ngx_http_request_t *r);


/* what is known of the request that "r" belongs to; NULL if nothing is */

static ngx_inline ngx_http_miqps_ctx_t *
ngx_http_miqps_known(ngx_http_request_t *r)
{
    ngx_http_miqps_ctx_t  *ctx;

    r = r->main;

    ctx = ngx_http_get_module_ctx(r, ngx_http_miqps_module);

    return (ctx == NULL && r->internal) ? ngx_http_miqps_recall(r) : ctx;
}


/* the same, found out if need be; NULL without memory */

ngx_http_miqps_ctx_t *ngx_http_miqps_ask(ngx_http_request_t *r);

/*
 * Normalizes again what the request was made of, for reports: main->work
 * holds res->nparams parameters.  NGX_OK or NGX_ERROR.
 */
ngx_int_t ngx_http_miqps_again(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, miqps_result_t *res);


/* ngx_http_miqps_paths.c */

/* of a longer path no rule is looked for */

#define NGX_HTTP_MIQPS_MAX_PATH  (16 * 1024)

/*
 * Whether what path rules have made of a request may be taken: nothing else
 * has changed its path, and it stays in its location.  NGX_OK and the path,
 * decoded; NGX_DECLINED, or NGX_ERROR without memory.
 */
ngx_int_t ngx_http_miqps_paths_fit(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *path, miqps_result_t *res,
    ngx_str_t *uri);

/* the request gets the path; NGX_OK, or NGX_ERROR */

ngx_int_t ngx_http_miqps_paths_take(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx);


/* ngx_http_miqps_location.c */

/* the location that nginx would choose for a URI; NULL if it is not sure */

ngx_http_core_loc_conf_t *ngx_http_miqps_location(ngx_http_request_t *r,
    ngx_str_t *uri);


/* ngx_http_miqps_count.c */

/*
 * A main request is counted once, whatever locations it goes through.  That it
 * was is known by its context; or by a mark, where it has none.
 */

ngx_uint_t ngx_http_miqps_marked(ngx_http_request_t *r);


static ngx_inline ngx_uint_t
ngx_http_miqps_counted(ngx_http_request_t *r, ngx_http_miqps_ctx_t *ctx)
{
    return (ctx != NULL && ctx->counted)
           || (r->internal && ngx_http_miqps_marked(r));
}


/*
 * Counts a request that stays as it is, unless it has been counted; "ctx" is
 * what is known of it, or NULL.  "host" and "res" are those of
 * ngx_http_miqps_normalize(), or NULL if it was not called.
 */
void ngx_http_miqps_count(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_ctx_t *ctx,
    ngx_http_miqps_verdict_e verdict, ngx_str_t *host, miqps_result_t *res);

/* counts the path rules that were applied */

void ngx_http_miqps_count_rules(ngx_http_miqps_loc_conf_t *mlcf,
    miqps_result_t *res);

/* counts it for its host, in the same way */

void ngx_http_miqps_count_hosts(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_http_miqps_verdict_e verdict,
    ngx_str_t *host, miqps_result_t *res);


/* ngx_http_miqps_reply.c */

/* the answer to a request will be counted; it may be one of our redirects */

void ngx_http_miqps_reply_await(ngx_http_request_t *r,
    ngx_http_miqps_host_counts_t *counts);
void ngx_http_miqps_reply_own(ngx_http_request_t *r);

ngx_int_t ngx_http_miqps_reply_init(ngx_conf_t *cf);


/* counts it for its zone, which is not asked about what the guard refuses */

static ngx_inline void
ngx_http_miqps_count_zone(ngx_http_miqps_loc_conf_t *mlcf,
    ngx_http_miqps_verdict_e verdict, miqps_result_t *res)
{
    ngx_uint_t                     n;
    ngx_http_miqps_zone_counts_t  *counts;

    counts = mlcf->zone->counts;

    if (mlcf->main->generation == 0) {
        counts->bypassed += mlcf->main->bypassed;
        return;
    }

    counts->generation = mlcf->main->generation;

    if (res->guard != MIQPS_GUARD_PASS) {
        return;
    }

    counts->lookups++;
    counts->hosts += res->mapped;
    counts->known += res->known;

    n = res->strips.by[MIQPS_LAYER_MAP];

    if (n > 0 && verdict == NGX_HTTP_MIQPS_STRIPPED) {
        counts->stripped++;
        counts->strips += n;
    }

    if (ngx_http_miqps_seldom(res->moved)) {
        counts->moved++;
        ngx_http_miqps_count_rules(mlcf, res);
    }
}


/* counts the strips of a request that is counted */

static ngx_inline void
ngx_http_miqps_count_layers(ngx_http_miqps_counts_t *counts,
    miqps_result_t *res)
{
    ngx_uint_t  i;

#pragma GCC unroll 8
    for (i = MIQPS_LAYER_OPERATOR; i <= MIQPS_LAYER_TRACKING; i++) {
        if (res->strips.by[i] != 0) {
            counts->hits[i]++;
            counts->strips[i] += res->strips.by[i];
        }
    }
}


/* ngx_http_miqps_report.c */

/* lists of names or layers, in the pool of "r" */

typedef enum {
    NGX_HTTP_MIQPS_LIST_STRIPPED = 0,      /* names that went, "a&b" */
    NGX_HTTP_MIQPS_LIST_KEPT,              /* names that stayed */
    NGX_HTTP_MIQPS_LIST_PATTERN,           /* all names, once, sorted */
    NGX_HTTP_MIQPS_LIST_LAYER              /* who took something, "a,b" */
} ngx_http_miqps_list_e;


ngx_int_t ngx_http_miqps_report(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_http_miqps_list_e list, ngx_str_t *value);

/* one word for it, such as "stripped" */

const char *ngx_http_miqps_verdict_name(ngx_http_miqps_verdict_e verdict);

/* "stripped", "opaque:semicolon"; in the pool of "r", or static */

ngx_int_t ngx_http_miqps_verdict(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_str_t *value);

/* the number of the map that was asked, or "0"; in the pool of "r" */

ngx_int_t ngx_http_miqps_generation(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_str_t *value);


/* ngx_http_miqps_variables.c */

/*
 * The URL of a target, absolute as nginx makes those of redirects, of the host
 * that the request is for or of another one; NGX_OK, or NGX_ERROR without
 * memory.
 */
ngx_int_t ngx_http_miqps_url(ngx_http_request_t *r, ngx_str_t *other,
    ngx_str_t *target, ngx_str_t *value);

ngx_int_t ngx_http_miqps_add_variables(ngx_conf_t *cf);


/* ngx_http_miqps_set.c */

char *ngx_http_miqps_set(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

/*
 * Takes one layer of escapes off, unless one of them is broken, or stands for
 * a space or control byte; NGX_OK, or NGX_ERROR without memory.
 */
ngx_int_t ngx_http_miqps_set_decode(ngx_http_request_t *r, ngx_str_t *value);

/* adds to a level what the level around it sets */

ngx_int_t ngx_http_miqps_set_merge(ngx_conf_t *cf,
    ngx_http_miqps_loc_conf_t *prev, ngx_http_miqps_loc_conf_t *conf);


/* ngx_http_miqps_clean.c */

/*
 * A URL that is absolute or begins with a slash, and what becomes of it.  It
 * may have a byte order mark before it and a carriage return behind it, as
 * lines of files do, which stay there.
 */

typedef struct {
    miqps_str_t                  in;
    miqps_url_t                  url;
    miqps_result_t               res;         /* main->buf has some of it */
    ngx_str_t                    host;        /* whose rules are for it */
    u_char                       name[MIQPS_MAX_HOST];
    ngx_uint_t                   changed;
} ngx_http_miqps_clean_t;


/*
 * Cleans "in".  "own" is the host of what has none.  "flags" may be
 * NGX_HTTP_MIQPS_PLANS and NGX_HTTP_MIQPS_ANYONE.
 *
 * NGX_OK        "clean" is filled, and valid until the next call of anything
 *               that normalizes
 * NGX_DECLINED  it is no URL, and stays as it is
 * NGX_ERROR     it stays as well, and that has been logged
 */
ngx_int_t ngx_http_miqps_clean(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_uint_t flags, ngx_str_t *own,
    const ngx_str_t *in, ngx_http_miqps_clean_t *clean);

/* writes it to "out", which has room for as many bytes; returns how many */

#define ngx_http_miqps_clean_room(clean)                                      \
    ((clean)->in.len + (clean)->res.host.len + (clean)->res.path.len          \
     + (clean)->res.args.len)

size_t ngx_http_miqps_clean_put(ngx_http_miqps_clean_t *clean, u_char *out);


/* ngx_http_miqps_bulk.c */

char *ngx_http_miqps_bulk(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


/* ngx_http_miqps_keys.c */

/*
 * The target and its arguments, for whoever reads a variable made from them.
 * What a request did not take must not become a key of the cache: while one
 * is being made, these are what the client sent.  NGX_OK or NGX_ERROR.
 */
ngx_int_t ngx_http_miqps_keys_target(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx, ngx_str_t *target, ngx_str_t *args);

/*
 * Keeps a response out of the cache if its key holds such a target, which was
 * read ahead.
 */
void ngx_http_miqps_keys_watch(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx);

/* true while a key is made */

ngx_uint_t ngx_http_miqps_keys_building(ngx_http_request_t *r);


/* ngx_http_miqps_keys_conf.c */

/* warns of keys that the configuration itself shows to be wrong */

void ngx_http_miqps_keys_conf(ngx_conf_t *cf);


/* ngx_http_miqps_text.c */

typedef enum {
    NGX_HTTP_MIQPS_DIRECTIVE = 0,          /* of the words, ended by ";" */
    NGX_HTTP_MIQPS_OPEN,                   /* a block of that name */
    NGX_HTTP_MIQPS_CLOSE
} ngx_http_miqps_text_e;


/* words are as they stand there, with quotes; "file" ends with a zero byte */

typedef struct {
    ngx_array_t                  words;       /* of ngx_str_t */
    ngx_str_t                    file;
    ngx_uint_t                   line;
} ngx_http_miqps_text_t;


typedef ngx_int_t (*ngx_http_miqps_text_pt)(ngx_http_miqps_text_e what,
    ngx_http_miqps_text_t *text, void *data);


/*
 * Reads the configuration and what it includes, and calls the handler, until
 * that does not return NGX_OK.  What the handler is told is in "pool".
 */
ngx_int_t ngx_http_miqps_text_read(ngx_conf_t *cf, ngx_pool_t *pool,
    ngx_http_miqps_text_pt handler, void *data);


/* ngx_http_miqps_loops.c */

/* adds the zone; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_loops_init(ngx_conf_t *cf,
    ngx_http_miqps_main_conf_t *mmcf);

/* true if there is anything to look for */

#define ngx_http_miqps_loops_any(zone)  (*(ngx_atomic_t *) (zone)->data != 0)

/* true if the upstream redirects the clean form of such a query back to it */

ngx_uint_t ngx_http_miqps_loops_rule(ngx_shm_zone_t *zone, ngx_str_t *host,
    uint64_t generation, uint32_t rule);
ngx_uint_t ngx_http_miqps_loops_has(ngx_shm_zone_t *zone, ngx_str_t *host,
    ngx_str_t *args);

/* looks at a redirect, and notes one that would come back */

void ngx_http_miqps_loops_watch(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf);


/* ngx_http_miqps_headers.c */

/* takes X-Miqps-* of the client away; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_headers_clear(ngx_http_request_t *r);

/* adds our own to the request, for the upstream; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_headers_request(ngx_http_request_t *r);

/* adds our own to the response; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_headers_response(ngx_http_request_t *r);

/* adds a header, whose name and value must outlive "r"; as above */

ngx_int_t ngx_http_miqps_header_push(ngx_http_request_t *r,
    ngx_list_t *headers, ngx_str_t *name, ngx_str_t *value);


/* ngx_http_miqps_control_conf.c */

char *ngx_http_miqps_control(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);


/* ngx_http_miqps_control.c */

ngx_int_t ngx_http_miqps_control_handler(ngx_http_request_t *r);


/* ngx_http_miqps_control_answer.c */

/*
 * Answers with the state of a zone, if one is given, and an error, if there is
 * one.  Results are for ngx_http_finalize_request().
 */
ngx_int_t ngx_http_miqps_control_answer(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t status, const char *error);

/* the same after a file was loaded or not */

ngx_int_t ngx_http_miqps_control_told(ngx_http_request_t *r,
    ngx_http_miqps_load_t *load);

/* the same for a method that cannot be; "allow" is static */

ngx_int_t ngx_http_miqps_control_not_allowed(ngx_http_request_t *r,
    char *allow, const char *why);


/* ngx_http_miqps_control_peer.c */

/* NULL if the peer may control zones; or why it may not, for the log */

const char *ngx_http_miqps_control_refuse(ngx_http_request_t *r,
    ngx_http_miqps_control_t *control);


/* ngx_http_miqps_no_vary.c */

/* adds No-Vary-Search to a response where it holds; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_no_vary_search(ngx_http_request_t *r,
    ngx_http_miqps_ctx_t *ctx);


/* ngx_http_miqps_response.c */

/*
 * Cleans the URLs in the headers of a response to a main request; NGX_OK, or
 * NGX_ERROR without memory.
 */
ngx_int_t ngx_http_miqps_response_headers(ngx_http_request_t *r);


/* ngx_http_miqps_canonical.c */

/* adds Link: rel="canonical" where there is none; NGX_OK or NGX_ERROR */

ngx_int_t ngx_http_miqps_canonical(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf);


/* ngx_http_miqps_response_conf.c */

char *ngx_http_miqps_response_hosts(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);


/* ngx_http_miqps_status.c */

char *ngx_http_miqps_status_page(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);


/* ngx_http_miqps_filter.c */

void ngx_http_miqps_filter_init(void);


/* ngx_http_miqps_learn.c */

/* whether this is a request of the learner; NGX_DECLINED to go on */

ngx_int_t ngx_http_miqps_learn_handler(ngx_http_request_t *r);

/* the response is not for a cache, and says whether it came from one */

ngx_int_t ngx_http_miqps_learn_filter(ngx_http_request_t *r);

/* the header that marks a request of the learner, or NULL */

ngx_table_elt_t *ngx_http_miqps_learn_mark(ngx_http_request_t *r);

/* $miqps_scheme */

ngx_int_t ngx_http_miqps_learn_scheme(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);


#pragma GCC visibility pop


#endif /* _NGX_HTTP_MIQPS_H_INCLUDED_ */
