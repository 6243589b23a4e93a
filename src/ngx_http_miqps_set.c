
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


static ngx_int_t ngx_http_miqps_set_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_http_miqps_set_clean(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *value);
static ngx_http_miqps_set_t *ngx_http_miqps_set_find(ngx_array_t *sets,
    ngx_uint_t name);
static ngx_int_t ngx_http_miqps_set_name(ngx_conf_t *cf, ngx_str_t *name);


/*
 * A variable can mean something else in each location; where it means
 * nothing, it is not found.  What is no URL stays as it is.
 */

static ngx_int_t
ngx_http_miqps_set_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    ngx_str_t                   value;
    ngx_http_miqps_set_t       *set;
    ngx_http_miqps_loc_conf_t  *mlcf;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);

    set = ngx_http_miqps_set_find(mlcf->sets, data);

    if (set == NULL) {
        v->not_found = 1;
        return NGX_OK;
    }

    if (ngx_http_complex_value(r, &set->value, &value) != NGX_OK
        || (set->decode && ngx_http_miqps_set_decode(r, &value) != NGX_OK)
        || ngx_http_miqps_set_clean(r, mlcf, &value) != NGX_OK)
    {
        return NGX_ERROR;
    }

    v->data = value.data;
    v->len = value.len;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_set_decode(ngx_http_request_t *r, ngx_str_t *value)
{
    u_char     *p, *dst, *src, *last;
    ngx_int_t   c;

    p = ngx_pnalloc(r->pool, value->len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    dst = p;
    src = value->data;
    last = src + value->len;

    while (src < last) {
        c = *src++;

        if (c == '%') {
            c = (last - src >= 2) ? ngx_hextoi(src, 2) : NGX_ERROR;
            src += 2;
        }

        if (c <= ' ' || c == 0x7f) {
            return NGX_OK;
        }

        *dst++ = (u_char) c;
    }

    value->data = p;
    value->len = dst - p;

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_set_clean(ngx_http_request_t *r,
    ngx_http_miqps_loc_conf_t *mlcf, ngx_str_t *value)
{
    u_char                  *p;
    ngx_int_t                rc;
    ngx_str_t                own;
    ngx_http_miqps_clean_t   clean;

    ngx_str_null(&own);

    if (value->len > 0 && value->data[0] == '/'
        && ngx_http_miqps_host(r, mlcf, &own) != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_http_miqps_clean(r, mlcf, 0, &own, value, &clean);

    if (rc == NGX_ERROR) {
        return NGX_ERROR;
    }

    if (rc == NGX_DECLINED || !clean.changed) {
        return NGX_OK;
    }

    p = ngx_pnalloc(r->pool, ngx_http_miqps_clean_room(&clean));
    if (p == NULL) {
        return NGX_ERROR;
    }

    value->len = ngx_http_miqps_clean_put(&clean, p);
    value->data = p;

    return NGX_OK;
}


static ngx_http_miqps_set_t *
ngx_http_miqps_set_find(ngx_array_t *sets, ngx_uint_t name)
{
    ngx_uint_t             i;
    ngx_http_miqps_set_t  *set;

    if (sets == NULL) {
        return NULL;
    }

    set = sets->elts;

    for (i = 0; i < sets->nelts; i++) {
        if (set[i].name == name) {
            return &set[i];
        }
    }

    return NULL;
}


char *
ngx_http_miqps_set(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    ngx_int_t                          name;
    ngx_str_t                         *value;
    ngx_http_miqps_set_t              *set;
    ngx_http_compile_complex_value_t   ccv;

    value = cf->args->elts;

    if (cf->args->nelts == 4 && ngx_strcmp(value[3].data, "decode") != 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\" in \"miqps_set\", it "
                           "must be \"decode\"", &value[3]);
        return NGX_CONF_ERROR;
    }

    name = ngx_http_miqps_set_name(cf, &value[1]);

    if (name == NGX_ERROR) {
        return NGX_CONF_ERROR;
    }

    if (ngx_http_miqps_set_find(mlcf->sets, name) != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"miqps_set\" of \"%V\" is duplicate", &value[1]);
        return NGX_CONF_ERROR;
    }

    if (mlcf->sets == NULL) {
        mlcf->sets = ngx_array_create(cf->pool, 2,
                                      sizeof(ngx_http_miqps_set_t));
        if (mlcf->sets == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    set = ngx_array_push(mlcf->sets);
    if (set == NULL) {
        return NGX_CONF_ERROR;
    }

    set->name = name;
    set->decode = (cf->args->nelts == 4);

    ngx_memzero(&ccv, sizeof(ngx_http_compile_complex_value_t));

    ccv.cf = cf;
    ccv.value = &value[2];
    ccv.complex_value = &set->value;

    if (ngx_http_compile_complex_value(&ccv) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/* the place of a variable in set_names, where it is added if it is new */

static ngx_int_t
ngx_http_miqps_set_name(ngx_conf_t *cf, ngx_str_t *name)
{
    ngx_str_t                    bare, *known;
    ngx_uint_t                   i;
    ngx_http_variable_t         *v;
    ngx_http_miqps_main_conf_t  *mmcf;

    if (name->len < 2 || name->data[0] != '$') {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid variable name \"%V\" in \"miqps_set\", it "
                           "must begin with \"$\"", name);
        return NGX_ERROR;
    }

    bare.data = name->data + 1;
    bare.len = name->len - 1;

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    if (mmcf->set_names == NULL) {
        mmcf->set_names = ngx_array_create(cf->pool, 2, sizeof(ngx_str_t));
        if (mmcf->set_names == NULL) {
            return NGX_ERROR;
        }
    }

    known = mmcf->set_names->elts;

    for (i = 0; i < mmcf->set_names->nelts; i++) {
        if (known[i].len == bare.len
            && ngx_strncasecmp(known[i].data, bare.data, bare.len) == 0)
        {
            return i;
        }
    }

    v = ngx_http_add_variable(cf, &bare, NGX_HTTP_VAR_NOCACHEABLE);
    known = ngx_array_push(mmcf->set_names);

    if (v == NULL || known == NULL) {
        return NGX_ERROR;
    }

    if (v->get_handler != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" in \"miqps_set\" has its value from "
                           "elsewhere, choose another name", name);
        return NGX_ERROR;
    }

    *known = bare;

    v->get_handler = ngx_http_miqps_set_variable;
    v->data = i;

    return i;
}


ngx_int_t
ngx_http_miqps_set_merge(ngx_conf_t *cf, ngx_http_miqps_loc_conf_t *prev,
    ngx_http_miqps_loc_conf_t *conf)
{
    ngx_uint_t             i;
    ngx_http_miqps_set_t  *set, *new;

    if (conf->sets == NULL || prev->sets == NULL) {

        if (conf->sets == NULL) {
            conf->sets = prev->sets;
        }

        return NGX_OK;
    }

    set = prev->sets->elts;

    for (i = 0; i < prev->sets->nelts; i++) {

        if (ngx_http_miqps_set_find(conf->sets, set[i].name) != NULL) {
            continue;
        }

        new = ngx_array_push(conf->sets);
        if (new == NULL) {
            return NGX_ERROR;
        }

        *new = set[i];
    }

    return NGX_OK;
}
