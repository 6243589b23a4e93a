
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static char *ngx_http_miqps_response_name(ngx_conf_t *cf,
    ngx_hash_keys_arrays_t *keys, ngx_str_t *value);
static ngx_hash_combined_t *ngx_http_miqps_response_hash(ngx_conf_t *cf,
    ngx_hash_keys_arrays_t *keys);
static int ngx_libc_cdecl ngx_http_miqps_response_cmp(const void *one,
    const void *two);


char *
ngx_http_miqps_response_hosts(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    char                    *rv;
    ngx_str_t               *value;
    ngx_uint_t               i;
    ngx_hash_keys_arrays_t   keys;

    if (mlcf->response_hosts != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (cf->args->nelts == 2 && ngx_strcmp(value[1].data, "off") == 0) {
        mlcf->response_hosts = NULL;
        return NGX_CONF_OK;
    }

    ngx_memzero(&keys, sizeof(ngx_hash_keys_arrays_t));

    keys.pool = cf->pool;
    keys.temp_pool = cf->temp_pool;

    if (ngx_hash_keys_array_init(&keys, NGX_HASH_SMALL) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    for (i = 1; i < cf->args->nelts; i++) {
        rv = ngx_http_miqps_response_name(cf, &keys, &value[i]);

        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    mlcf->response_hosts = ngx_http_miqps_response_hash(cf, &keys);

    return (mlcf->response_hosts != NULL) ? NGX_CONF_OK : NGX_CONF_ERROR;
}


/* a name as rules have it: "shop.example", or "*.shop.example" */

static char *
ngx_http_miqps_response_name(ngx_conf_t *cf, ngx_hash_keys_arrays_t *keys,
    ngx_str_t *value)
{
    u_char         buf[MIQPS_MAX_HOST];
    ngx_int_t      rc;
    ngx_str_t      name;
    miqps_str_t    given, host;
    miqps_fault_t  fault;

    given.data = value->data;
    given.len = value->len;

    if (miqps_url_host(&given, buf, &host) != MIQPS_OK
        || miqps_policy_check_host(&host, &fault) != MIQPS_OK
        || (host.data[0] != '[' && memchr(host.data, ':', host.len) != NULL)
        || host.data[host.len - 1] == '*')
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid host \"%V\" in \"miqps_response_hosts\", "
                           "it must be a name without a port, or \"*.\" and "
                           "a name", value);
        return NGX_CONF_ERROR;
    }

    name.len = host.len;
    name.data = ngx_pnalloc(cf->pool, host.len + 1);
    if (name.data == NULL) {
        return NGX_CONF_ERROR;
    }

    *ngx_cpymem(name.data, host.data, host.len) = '\0';

    /* the lowest bits of what a name stands for are the hash's own */

    rc = ngx_hash_add_key(keys, &name, cf->pool, NGX_HASH_WILDCARD_KEY);

    if (rc == NGX_OK) {
        return NGX_CONF_OK;
    }

    if (rc != NGX_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" in \"miqps_response_hosts\" is %s", value,
                           (rc == NGX_BUSY) ? "there twice"
                                            : "not a name or wildcard");
    }

    return NGX_CONF_ERROR;
}


static ngx_hash_combined_t *
ngx_http_miqps_response_hash(ngx_conf_t *cf, ngx_hash_keys_arrays_t *keys)
{
    ngx_hash_init_t       hash;
    ngx_hash_combined_t  *hosts;

    hosts = ngx_pcalloc(cf->pool, sizeof(ngx_hash_combined_t));
    if (hosts == NULL) {
        return NULL;
    }

    hash.key = ngx_hash_key_lc;
    hash.max_size = 16384;
    hash.bucket_size = ngx_align(512, ngx_cacheline_size);
    hash.name = "miqps_response_hosts_hash";
    hash.pool = cf->pool;
    hash.hash = &hosts->hash;
    hash.temp_pool = NULL;

    if (keys->keys.nelts > 0
        && ngx_hash_init(&hash, keys->keys.elts, keys->keys.nelts) != NGX_OK)
    {
        return NULL;
    }

    if (keys->dns_wc_head.nelts == 0) {
        return hosts;
    }

    ngx_qsort(keys->dns_wc_head.elts, keys->dns_wc_head.nelts,
              sizeof(ngx_hash_key_t), ngx_http_miqps_response_cmp);

    hash.hash = NULL;
    hash.temp_pool = cf->temp_pool;

    if (ngx_hash_wildcard_init(&hash, keys->dns_wc_head.elts,
                               keys->dns_wc_head.nelts)
        != NGX_OK)
    {
        return NULL;
    }

    hosts->wc_head = (ngx_hash_wildcard_t *) hash.hash;

    return hosts;
}


static int ngx_libc_cdecl
ngx_http_miqps_response_cmp(const void *one, const void *two)
{
    const ngx_hash_key_t  *first, *second;

    first = one;
    second = two;

    return ngx_dns_strcmp(first->key.data, second->key.data);
}
