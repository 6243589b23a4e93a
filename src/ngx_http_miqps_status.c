
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_status.h"


static ngx_int_t ngx_http_miqps_status_json_handler(ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_status_text_handler(ngx_http_request_t *r);
static ngx_int_t ngx_http_miqps_status_start(ngx_http_request_t *r,
    ngx_http_miqps_json_t *json, ngx_http_miqps_status_t *status);


static ngx_int_t
ngx_http_miqps_status_json_handler(ngx_http_request_t *r)
{
    ngx_int_t                rc;
    ngx_http_miqps_json_t    json;
    ngx_http_miqps_status_t  status;

    rc = ngx_http_miqps_status_start(r, &json, &status);

    if (rc != NGX_OK) {
        return rc;
    }

    ngx_http_miqps_status_json(&json, &status);

    return ngx_http_miqps_json_send(r, &json, NGX_HTTP_OK);
}


static ngx_int_t
ngx_http_miqps_status_text_handler(ngx_http_request_t *r)
{
    ngx_int_t                rc;
    ngx_str_t                type = ngx_string("text/plain; version=0.0.4; "
                                               "charset=utf-8");
    ngx_http_miqps_json_t    json;
    ngx_http_miqps_status_t  status;

    rc = ngx_http_miqps_status_start(r, &json, &status);

    if (rc != NGX_OK) {
        return rc;
    }

    ngx_http_miqps_status_text(&json, &status);

    return ngx_http_miqps_json_reply(r, &json, NGX_HTTP_OK, &type);
}


static ngx_int_t
ngx_http_miqps_status_start(ngx_http_request_t *r,
    ngx_http_miqps_json_t *json, ngx_http_miqps_status_t *status)
{
    ngx_int_t  rc;

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_http_miqps_status_read(r, status) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ngx_http_miqps_json_init(json, r->pool, NGX_HTTP_MIQPS_STATUS_LIMIT);

    return NGX_OK;
}


char *
ngx_http_miqps_status_page(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    ngx_int_t                    hosts;
    ngx_str_t                   *value;
    ngx_uint_t                   i, form;
    ngx_http_core_loc_conf_t    *clcf;
    ngx_http_miqps_main_conf_t  *mmcf;

    if (mlcf->endpoint) {
        return "is duplicate";
    }

    value = cf->args->elts;
    form = 0;
    hosts = NGX_CONF_UNSET;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    clcf->handler = ngx_http_miqps_status_json_handler;

    for (i = 1; i < cf->args->nelts; i++) {

        if (ngx_strncmp(value[i].data, "hosts=", 6) == 0
            && hosts == NGX_CONF_UNSET)
        {
            hosts = ngx_atoi(value[i].data + 6, value[i].len - 6);

            if (hosts == NGX_ERROR || hosts > NGX_HTTP_MIQPS_MAX_HOSTS) {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                                   "invalid number \"%V\" in \"miqps_status\","
                                   " it must be %d at most", &value[i],
                                   NGX_HTTP_MIQPS_MAX_HOSTS);
                return NGX_CONF_ERROR;
            }

            continue;
        }

        if (ngx_strcmp(value[i].data, "json") == 0 && !form++) {
            continue;
        }

        if (ngx_strcmp(value[i].data, "prometheus") == 0 && !form++) {
            clcf->handler = ngx_http_miqps_status_text_handler;
            continue;
        }

        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\" of \"miqps_status\", it "
                           "takes \"json\" or \"prometheus\", and "
                           "\"hosts=NUMBER\"", &value[i]);
        return NGX_CONF_ERROR;
    }

    if (hosts == NGX_CONF_UNSET) {
        hosts = NGX_HTTP_MIQPS_COUNT_HOSTS;
    }

    /* there is one table, for the one who wants most */

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    mmcf->status = 1;
    mmcf->hosts = ngx_max(mmcf->hosts, (ngx_uint_t) hosts);

    mlcf->endpoint = 1;

    return NGX_CONF_OK;
}
