
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_int_t ngx_http_miqps_policy_join(ngx_conf_t *cf, ngx_array_t *to,
    ngx_array_t *prev, ngx_array_t *own);
static ngx_int_t ngx_http_miqps_policy_book(ngx_conf_t *cf,
    ngx_http_miqps_policy_t *policy, miqps_rules_t *book);
static ngx_int_t ngx_http_miqps_policy_platforms(ngx_conf_t *cf,
    ngx_http_miqps_policy_t *policy, miqps_rules_t *book);
static ngx_int_t ngx_http_miqps_policy_names(ngx_conf_t *cf,
    miqps_rules_t *book, miqps_action_e action, ngx_array_t *names);
static ngx_int_t ngx_http_miqps_policy_rc(ngx_conf_t *cf, miqps_rc_e rc,
    miqps_rules_error_t *error);
static void *ngx_http_miqps_policy_alloc(void *data, size_t size);
static void ngx_http_miqps_policy_cleanup(void *data);


ngx_http_miqps_policy_t *
ngx_http_miqps_policy_merge(ngx_conf_t *cf, ngx_http_miqps_policy_t *prev,
    ngx_http_miqps_loc_conf_t *conf)
{
    ngx_http_miqps_policy_t  *policy;

    if (prev != NULL && conf->keep == NULL && conf->strip == NULL
        && conf->platforms == NULL && conf->rules == NULL
        && (conf->tracking == NGX_CONF_UNSET
            || conf->tracking == prev->tracking))
    {
        return prev;
    }

    policy = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_policy_t));
    if (policy == NULL) {
        return NULL;
    }

    if (ngx_http_miqps_policy_join(cf, &policy->keep,
                                   (prev != NULL) ? &prev->keep : NULL,
                                   conf->keep)
        != NGX_OK
        || ngx_http_miqps_policy_join(cf, &policy->strip,
                                      (prev != NULL) ? &prev->strip : NULL,
                                      conf->strip)
           != NGX_OK)
    {
        return NULL;
    }

    policy->tracking = (conf->tracking != NGX_CONF_UNSET) ? conf->tracking
                       : (prev != NULL) ? prev->tracking : 1;

    policy->rules = conf->rules;
    policy->platforms = conf->platforms;
    policy->strict = conf->strict;
    policy->file = conf->file;
    policy->line = conf->line;

    if (prev != NULL && conf->rules == NULL) {
        policy->rules = prev->rules;
    }

    if (prev != NULL && conf->platforms == NULL) {
        policy->platforms = prev->platforms;
        policy->strict = prev->strict;
        policy->file = prev->file;
        policy->line = prev->line;
    }

    return policy;
}


static ngx_int_t
ngx_http_miqps_policy_join(ngx_conf_t *cf, ngx_array_t *to, ngx_array_t *prev,
    ngx_array_t *own)
{
    ngx_str_t     *p;
    ngx_uint_t     i;
    ngx_array_t   *from[2];

    if (ngx_array_init(to, cf->pool, 4, sizeof(ngx_str_t)) != NGX_OK) {
        return NGX_ERROR;
    }

    from[0] = prev;
    from[1] = own;

    for (i = 0; i < 2; i++) {

        if (from[i] == NULL || from[i]->nelts == 0) {
            continue;
        }

        p = ngx_array_push_n(to, from[i]->nelts);
        if (p == NULL) {
            return NGX_ERROR;
        }

        ngx_memcpy(p, from[i]->elts, from[i]->nelts * sizeof(ngx_str_t));
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_policy_compile(ngx_conf_t *cf, ngx_http_miqps_policy_t *policy)
{
    miqps_rc_e           rc;
    miqps_mem_t         *mem;
    miqps_fault_t        fault;
    miqps_rules_t       *book;
    ngx_pool_cleanup_t  *cln;

    if (policy->policy != NULL) {
        return NGX_OK;
    }

    book = ngx_palloc(cf->pool, sizeof(miqps_rules_t));
    mem = ngx_http_miqps_policy_mem(cf->pool);
    cln = ngx_pool_cleanup_add(cf->pool, 0);

    if (book == NULL || mem == NULL || cln == NULL) {
        return NGX_ERROR;
    }

    book->mem = mem;

    if (ngx_http_miqps_policy_book(cf, policy, book) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = miqps_policy_init(&policy->policy, book->rules, book->nrules,
                           book->scopes, book->nscopes, mem, &fault);

    if (rc == MIQPS_OK) {
        cln->handler = ngx_http_miqps_policy_cleanup;
        cln->data = policy->policy;
        return NGX_OK;
    }

    if (rc != MIQPS_NO_MEMORY) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "miqps: \"%*s\" %s",
                           fault.text.len, fault.text.data, fault.message);
    }

    return NGX_ERROR;
}


/* files first: they may define the platforms that miqps_platform names */

static ngx_int_t
ngx_http_miqps_policy_book(ngx_conf_t *cf, ngx_http_miqps_policy_t *policy,
    miqps_rules_t *book)
{
    miqps_rc_e               rc;
    ngx_uint_t               i;
    miqps_rules_error_t      error;
    ngx_http_miqps_rules_t  *file;

    rc = miqps_rules_init(book, book->mem, policy->tracking, &error);

    if (policy->rules != NULL) {
        file = policy->rules->elts;

        for (i = 0; rc == MIQPS_OK && i < policy->rules->nelts; i++) {
            rc = miqps_rules_read(book, (char *) file[i].text.data,
                                  file[i].text.len, &error);
        }
    }

    if (ngx_http_miqps_policy_rc(cf, rc, &error) != NGX_OK
        || ngx_http_miqps_policy_platforms(cf, policy, book) != NGX_OK
        || ngx_http_miqps_policy_names(cf, book, MIQPS_KEEP, &policy->keep)
           != NGX_OK
        || ngx_http_miqps_policy_names(cf, book, MIQPS_STRIP, &policy->strip)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_policy_platforms(ngx_conf_t *cf,
    ngx_http_miqps_policy_t *policy, miqps_rules_t *book)
{
    ngx_str_t            *name;
    miqps_rc_e            rc;
    ngx_uint_t            i;
    miqps_str_t           str;
    miqps_rules_error_t   error;

    if (policy->platforms == NULL) {
        return NGX_OK;
    }

    name = policy->platforms->elts;

    for (i = 0; i < policy->platforms->nelts; i++) {
        str.data = name[i].data;
        str.len = name[i].len;

        rc = miqps_rules_platform(book, &str, &error);

        if (rc == MIQPS_SYNTAX) {
            ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                          "\"miqps_platform\" directive: %s in %V:%ui",
                          error.text, &policy->file, policy->line);
            return NGX_ERROR;
        }

        if (rc != MIQPS_OK) {
            return NGX_ERROR;
        }
    }

    if (policy->strict) {
        miqps_rules_strict(book);
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_policy_names(ngx_conf_t *cf, miqps_rules_t *book,
    miqps_action_e action, ngx_array_t *names)
{
    ngx_str_t            *name;
    miqps_rc_e            rc;
    ngx_uint_t            i;
    miqps_str_t           str;
    miqps_rules_error_t   error;

    name = names->elts;

    for (i = 0; i < names->nelts; i++) {
        str.data = name[i].data;
        str.len = name[i].len;

        rc = miqps_rules_operator(book, action, &str, &error);

        if (ngx_http_miqps_policy_rc(cf, rc, &error) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* directives have checked what they take, so that little can be wrong */

static ngx_int_t
ngx_http_miqps_policy_rc(ngx_conf_t *cf, miqps_rc_e rc,
    miqps_rules_error_t *error)
{
    if (rc == MIQPS_OK) {
        return NGX_OK;
    }

    if (rc != MIQPS_NO_MEMORY) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "miqps: %s", error->text);
    }

    return NGX_ERROR;
}


miqps_mem_t *
ngx_http_miqps_policy_mem(ngx_pool_t *pool)
{
    miqps_mem_t  *mem;

    mem = ngx_palloc(pool, sizeof(miqps_mem_t));

    if (mem != NULL) {
        mem->alloc = ngx_http_miqps_policy_alloc;
        mem->data = pool;
    }

    return mem;
}


/* the core asks for the alignment of malloc(), a pool gives half of it */

static void *
ngx_http_miqps_policy_alloc(void *data, size_t size)
{
    u_char  *p;

    p = ngx_palloc(data, size + 15);

    return (p != NULL) ? ngx_align_ptr(p, 16) : NULL;
}


static void
ngx_http_miqps_policy_cleanup(void *data)
{
    miqps_policy_release(data);
}
