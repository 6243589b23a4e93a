
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"
#include "ngx_http_miqps_reference.h"
#include "ngx_http_miqps_response.h"


static void *ngx_http_miqps_create_main_conf(ngx_conf_t *cf);
static void *ngx_http_miqps_create_loc_conf(ngx_conf_t *cf);
static char *ngx_http_miqps_merge_loc_conf(ngx_conf_t *cf, void *parent,
    void *child);
static char *ngx_http_miqps(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);
static char *ngx_http_miqps_status(ngx_conf_t *cf, ngx_str_t *value,
    ngx_uint_t *status);
static char *ngx_http_miqps_headers(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_miqps_use(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);
static char *ngx_http_miqps_use_merge(ngx_conf_t *cf,
    ngx_http_miqps_loc_conf_t *prev, ngx_http_miqps_loc_conf_t *conf);
static ngx_int_t ngx_http_miqps_init(ngx_conf_t *cf);
static ngx_int_t ngx_http_miqps_init_scratch(ngx_conf_t *cf,
    ngx_http_miqps_main_conf_t *mmcf);
static ngx_int_t ngx_http_miqps_init_second(ngx_conf_t *cf,
    ngx_http_miqps_main_conf_t *mmcf);
static ngx_int_t ngx_http_miqps_init_module(ngx_cycle_t *cycle);
static ngx_int_t ngx_http_miqps_init_process(ngx_cycle_t *cycle);
static void ngx_http_miqps_exit_process(ngx_cycle_t *cycle);
static ngx_array_t *ngx_http_miqps_zones(ngx_cycle_t *cycle);


#define NGX_HTTP_MIQPS_ANYWHERE                                               \
    (NGX_HTTP_MAIN_CONF|NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF)


static ngx_conf_enum_t  ngx_http_miqps_modes[] = {
    { ngx_string("off"), NGX_HTTP_MIQPS_OFF },
    { ngx_string("annotate"), NGX_HTTP_MIQPS_ANNOTATE },
    { ngx_string("rewrite"), NGX_HTTP_MIQPS_REWRITE },
    { ngx_string("redirect"), NGX_HTTP_MIQPS_REDIRECT },
    { ngx_null_string, 0 }
};


static ngx_conf_enum_t  ngx_http_miqps_statuses[] = {
    { ngx_string("301"), NGX_HTTP_MOVED_PERMANENTLY },
    { ngx_string("302"), NGX_HTTP_MOVED_TEMPORARILY },
    { ngx_string("307"), NGX_HTTP_TEMPORARY_REDIRECT },
    { ngx_string("308"), NGX_HTTP_PERMANENT_REDIRECT },
    { ngx_null_string, 0 }
};


static ngx_conf_enum_t  ngx_http_miqps_responses[] = {
    { ngx_string("off"), NGX_HTTP_MIQPS_RESPONSE_OFF },
    { ngx_string("headers"), NGX_HTTP_MIQPS_RESPONSE_HEADERS },
    { ngx_string("html"), NGX_HTTP_MIQPS_RESPONSE_HTML },
    { ngx_null_string, 0 }
};


static ngx_command_t  ngx_http_miqps_commands[] = {

    { ngx_string("miqps"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_TAKE12,
      ngx_http_miqps,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_keep"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_1MORE,
      ngx_http_miqps_names,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, keep),
      NULL },

    { ngx_string("miqps_strip"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_1MORE,
      ngx_http_miqps_names,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, strip),
      NULL },

    { ngx_string("miqps_platform"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_1MORE,
      ngx_http_miqps_platform,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_rules"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_TAKE1,
      ngx_http_miqps_rules,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_tracking"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, tracking),
      NULL },

    { ngx_string("miqps_sort"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, sort),
      NULL },

    { ngx_string("miqps_path_rules"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, path_rules),
      NULL },

    { ngx_string("miqps_host"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_TAKE1,
      ngx_http_set_complex_value_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, host),
      NULL },

    { ngx_string("miqps_bypass"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_1MORE,
      ngx_http_set_predicate_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, bypass),
      NULL },

    { ngx_string("miqps_zone"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_TAKE23|NGX_CONF_TAKE4,
      ngx_http_miqps_zone,
      NGX_HTTP_MAIN_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_use"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_TAKE1,
      ngx_http_miqps_use,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_set"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_TAKE23,
      ngx_http_miqps_set,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_headers"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_TAKE12,
      ngx_http_miqps_headers,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_no_vary_search"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, no_vary_search),
      NULL },

    { ngx_string("miqps_response"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_TAKE1,
      ngx_conf_set_enum_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, response),
      &ngx_http_miqps_responses },

    { ngx_string("miqps_response_hosts"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_1MORE,
      ngx_http_miqps_response_hosts,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_response_types"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_1MORE,
      ngx_http_types_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, response_types_keys),
      &ngx_http_html_default_types[0] },

    { ngx_string("miqps_response_last_modified"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, response_last_modified),
      NULL },

    { ngx_string("miqps_canonical_link"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, canonical_link),
      NULL },

    { ngx_string("miqps_purge"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, purge),
      NULL },

    { ngx_string("miqps_learn"),
      NGX_HTTP_SRV_CONF|NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_conf_set_flag_slot,
      NGX_HTTP_LOC_CONF_OFFSET,
      offsetof(ngx_http_miqps_loc_conf_t, learn),
      NULL },

    { ngx_string("miqps_normalize"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_miqps_bulk,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_status"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS|NGX_CONF_TAKE12,
      ngx_http_miqps_status_page,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_corpus"),
      NGX_HTTP_MIQPS_ANYWHERE|NGX_CONF_1MORE,
      ngx_http_miqps_corpus,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

    { ngx_string("miqps_control"),
      NGX_HTTP_LOC_CONF|NGX_CONF_ANY,
      ngx_http_miqps_control,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};


static ngx_http_module_t  ngx_http_miqps_module_ctx = {
    ngx_http_miqps_add_variables,          /* preconfiguration */
    ngx_http_miqps_init,                   /* postconfiguration */

    ngx_http_miqps_create_main_conf,       /* create main configuration */
    NULL,                                  /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_http_miqps_create_loc_conf,        /* create location configuration */
    ngx_http_miqps_merge_loc_conf          /* merge location configuration */
};


ngx_module_t  ngx_http_miqps_module = {
    NGX_MODULE_V1,
    &ngx_http_miqps_module_ctx,            /* module context */
    ngx_http_miqps_commands,               /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    ngx_http_miqps_init_module,            /* init module */
    ngx_http_miqps_init_process,           /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    ngx_http_miqps_exit_process,           /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


static void *
ngx_http_miqps_create_main_conf(ngx_conf_t *cf)
{
    ngx_http_miqps_main_conf_t  *mmcf;

    /*
     * set by ngx_pcalloc():
     *
     *     mmcf->used = 0;
     *     mmcf->killed = 0;
     *     mmcf->loops = NULL;
     *     mmcf->set_names = NULL;
     *     mmcf->zones = NULL;
     *     mmcf->corpora = NULL;
     *     mmcf->memo = NULL;
     *     mmcf->control = 0;
     *     mmcf->status = 0;
     *     mmcf->hosts = 0;
     *     mmcf->counters = NULL;
     *     mmcf->counts = NULL;
     *     mmcf->host_counts = 0;
     *     mmcf->path_rules = 0;
     *     mmcf->second = NULL;
     *     mmcf->work = NULL;
     *     mmcf->plans = NULL;
     *     mmcf->buf = NULL;
     *     mmcf->size = 0;
     *     mmcf->generation = 0;
     *     mmcf->bypassed = 0;
     *     mmcf->bulk = 0;
     *     mmcf->responses = 0;
     *     mmcf->html = 0;
     *     mmcf->scratch = NULL;
     *     mmcf->rounds = NULL;
     */

    mmcf = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_main_conf_t));
    if (mmcf == NULL) {
        return NULL;
    }

    mmcf->request_uri = NGX_ERROR;

    return mmcf;
}


static void *
ngx_http_miqps_create_loc_conf(ngx_conf_t *cf)
{
    ngx_http_miqps_loc_conf_t  *conf;

    /*
     * set by ngx_pcalloc():
     *
     *     conf->keep = NULL;
     *     conf->strip = NULL;
     *     conf->platforms = NULL;
     *     conf->rules = NULL;
     *     conf->strict = 0;
     *     conf->file = { 0, NULL };
     *     conf->line = 0;
     *     conf->host = NULL;
     *     conf->sets = NULL;
     *     conf->zone = NULL;
     *     conf->use = { 0, NULL };
     *     conf->use_line = 0;
     *     conf->control = NULL;
     *     conf->policy = NULL;
     *     conf->main = NULL;
     *     conf->endpoint = 0;
     *     conf->bulk = 0;
     *     conf->filtered = 0;
     *     conf->complained = 0;
     *     conf->response_types = { NULL };
     *     conf->response_types_keys = NULL;
     */

    conf = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_loc_conf_t));
    if (conf == NULL) {
        return NULL;
    }

    conf->mode = NGX_CONF_UNSET_UINT;
    conf->status = NGX_CONF_UNSET_UINT;
    conf->headers = NGX_CONF_UNSET_UINT;
    conf->response = NGX_CONF_UNSET_UINT;
    conf->response_hosts = NGX_CONF_UNSET_PTR;
    conf->response_last_modified = NGX_CONF_UNSET;
    conf->sort = NGX_CONF_UNSET;
    conf->tracking = NGX_CONF_UNSET;
    conf->path_rules = NGX_CONF_UNSET;
    conf->learn = NGX_CONF_UNSET;
    conf->no_vary_search = NGX_CONF_UNSET;
    conf->canonical_link = NGX_CONF_UNSET;
    conf->purge = NGX_CONF_UNSET;
    conf->bypass = NGX_CONF_UNSET_PTR;
    conf->corpus = NGX_CONF_UNSET_PTR;

    return conf;
}


static char *
ngx_http_miqps_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child)
{
    ngx_http_miqps_loc_conf_t  *prev = parent;
    ngx_http_miqps_loc_conf_t  *conf = child;

    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    conf->main = mmcf;

    /* a level of its own has a status of its own */

    if (conf->mode == NGX_CONF_UNSET_UINT) {
        conf->status = prev->status;
    }

    /* who asks for numbers does not change them */

    if (conf->endpoint && conf->mode == NGX_CONF_UNSET_UINT) {
        conf->mode = NGX_HTTP_MIQPS_OFF;
    }

    /* who controls, or asks for URLs, says so in headers and arguments */

    if (conf->control != NULL || conf->bulk) {
        conf->mode = NGX_HTTP_MIQPS_OFF;
    }

    ngx_conf_merge_uint_value(conf->mode, prev->mode, NGX_HTTP_MIQPS_OFF);
    ngx_conf_merge_uint_value(conf->status, NGX_CONF_UNSET_UINT,
                              NGX_HTTP_MOVED_TEMPORARILY);
    ngx_conf_merge_uint_value(conf->headers, prev->headers,
                              NGX_HTTP_MIQPS_HEADERS_OFF);
    ngx_conf_merge_uint_value(conf->response, prev->response,
                              NGX_HTTP_MIQPS_RESPONSE_OFF);
    ngx_conf_merge_ptr_value(conf->response_hosts, prev->response_hosts, NULL);
    ngx_conf_merge_value(conf->response_last_modified,
                         prev->response_last_modified, 0);

    if (ngx_http_merge_types(cf, &conf->response_types_keys,
                             &conf->response_types, &prev->response_types_keys,
                             &prev->response_types,
                             ngx_http_html_default_types)
        != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    ngx_conf_merge_value(conf->sort, prev->sort, 0);
    ngx_conf_merge_value(conf->path_rules, prev->path_rules, 0);
    ngx_conf_merge_value(conf->no_vary_search, prev->no_vary_search, 0);
    ngx_conf_merge_value(conf->canonical_link, prev->canonical_link, 0);
    ngx_conf_merge_value(conf->purge, prev->purge, 0);
    ngx_conf_merge_ptr_value(conf->bypass, prev->bypass, NULL);
    ngx_conf_merge_ptr_value(conf->corpus, prev->corpus, NULL);
    ngx_conf_merge_value(conf->learn, prev->learn, 0);

    if (conf->host == NULL) {
        conf->host = prev->host;
    }

    if (ngx_http_miqps_use_merge(cf, prev, conf) != NGX_CONF_OK
        || ngx_http_miqps_set_merge(cf, prev, conf) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (conf->mode != NGX_HTTP_MIQPS_OFF && mmcf->killed) {

        if (mmcf->killed++ == 1) {
            ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                               "\"miqps off\" at http level switches it off "
                               "in all servers and locations");
        }

        conf->mode = NGX_HTTP_MIQPS_OFF;
    }

    if (mmcf->killed) {
        conf->response = NGX_HTTP_MIQPS_RESPONSE_OFF;
        conf->canonical_link = 0;
    }

    if (conf->zone == NULL) {
        conf->path_rules = 0;
    }

    if (conf->path_rules) {
        mmcf->path_rules = 1;
    }

    /* what the learner is to see is nobody's to change, nor to collect */

    if (conf->learn && !conf->endpoint && !conf->bulk
        && conf->control == NULL)
    {
        conf->mode = NGX_HTTP_MIQPS_LEARN;
        conf->corpus = NULL;
        conf->response = NGX_HTTP_MIQPS_RESPONSE_OFF;
        conf->canonical_link = 0;
    }

    /* nobody merges the level of "http" itself */

    if (prev->policy == NULL) {
        prev->policy = ngx_http_miqps_policy_merge(cf, NULL, prev);

        if (prev->policy == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    conf->policy = ngx_http_miqps_policy_merge(cf, prev->policy, conf);

    if (conf->policy == NULL) {
        return NGX_CONF_ERROR;
    }

    if (conf->response != NGX_HTTP_MIQPS_RESPONSE_OFF
        || conf->canonical_link)
    {
        mmcf->responses = 1;
        conf->filtered = 2;

    } else {
        conf->filtered = (conf->mode != NGX_HTTP_MIQPS_OFF);
    }

    if (conf->response == NGX_HTTP_MIQPS_RESPONSE_HTML) {
        mmcf->html = 1;
    }

    if (conf->mode != NGX_HTTP_MIQPS_OFF) {
        mmcf->used = 1;

    } else if (conf->response == NGX_HTTP_MIQPS_RESPONSE_OFF
               && !conf->canonical_link && !conf->bulk && conf->sets == NULL
               && conf->corpus == NULL && conf->policy->platforms == NULL)
    {

        /* platforms are compiled all the same, to find names that are none */

        return NGX_CONF_OK;
    }

    if (ngx_http_miqps_policy_compile(cf, conf->policy) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_miqps(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    ngx_str_t                   *value;
    ngx_conf_enum_t             *mode;
    ngx_http_miqps_main_conf_t  *mmcf;

    if (mlcf->mode != NGX_CONF_UNSET_UINT) {
        return "is duplicate";
    }

    value = cf->args->elts;

    for (mode = ngx_http_miqps_modes; mode->name.len != 0; mode++) {
        if (mode->name.len == value[1].len
            && ngx_strcmp(mode->name.data, value[1].data) == 0)
        {
            break;
        }
    }

    if (mode->name.len == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid mode \"%V\" in \"miqps\" directive, it "
                           "must be \"off\", \"annotate\", \"rewrite\" or "
                           "\"redirect\"", &value[1]);
        return NGX_CONF_ERROR;
    }

    mlcf->mode = mode->value;
    mlcf->status = NGX_HTTP_MOVED_TEMPORARILY;

    /* the switch for all that is below */

    if (mlcf->mode == NGX_HTTP_MIQPS_OFF
        && cf->cmd_type == NGX_HTTP_MAIN_CONF)
    {
        mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);
        mmcf->killed = 1;
    }

    if (cf->args->nelts == 2) {
        return NGX_CONF_OK;
    }

    if (mlcf->mode != NGX_HTTP_MIQPS_REDIRECT) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"miqps %V\" takes no status, only \"miqps "
                           "redirect\" does", &value[1]);
        return NGX_CONF_ERROR;
    }

    return ngx_http_miqps_status(cf, &value[2], &mlcf->status);
}


static char *
ngx_http_miqps_status(ngx_conf_t *cf, ngx_str_t *value, ngx_uint_t *status)
{
    ngx_conf_enum_t  *e;

    for (e = ngx_http_miqps_statuses; e->name.len != 0; e++) {
        if (e->name.len == value->len
            && ngx_strcmp(e->name.data, value->data) == 0)
        {
            *status = e->value;
            return NGX_CONF_OK;
        }
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid status \"%V\" in \"miqps redirect\", it must "
                       "be 301, 302, 307 or 308", value);
    return NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_headers(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    ngx_str_t  *value;

    if (mlcf->headers != NGX_CONF_UNSET_UINT) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (cf->args->nelts == 2 && ngx_strcmp(value[1].data, "off") == 0) {
        mlcf->headers = NGX_HTTP_MIQPS_HEADERS_OFF;
        return NGX_CONF_OK;
    }

    if (ngx_strcmp(value[1].data, "on") == 0) {

        if (cf->args->nelts == 2) {
            mlcf->headers = NGX_HTTP_MIQPS_HEADERS_UPSTREAM;
            return NGX_CONF_OK;
        }

        if (ngx_strcmp(value[2].data, "response") == 0) {
            mlcf->headers = NGX_HTTP_MIQPS_HEADERS_RESPONSE;
            return NGX_CONF_OK;
        }
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameters of \"miqps_headers\", they must be "
                       "\"off\", \"on\" or \"on response\"");
    return NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_use(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    ngx_str_t  *value;

    if (mlcf->use.data != NULL) {
        return "is duplicate";
    }

    value = cf->args->elts;

    mlcf->use = value[1];
    mlcf->use_file = cf->conf_file->file.name;
    mlcf->use_line = cf->conf_file->line;

    return NGX_CONF_OK;
}


/* zones may be defined behind the place where they are used */

static char *
ngx_http_miqps_use_merge(ngx_conf_t *cf, ngx_http_miqps_loc_conf_t *prev,
    ngx_http_miqps_loc_conf_t *conf)
{
    if (conf->use.data == NULL) {
        conf->use = prev->use;
        conf->use_file = prev->use_file;
        conf->use_line = prev->use_line;
    }

    if (conf->use.data == NULL || ngx_strcmp(conf->use.data, "off") == 0) {
        return NGX_CONF_OK;
    }

    conf->zone = ngx_http_miqps_zone_find(conf->main->zones, &conf->use);

    if (conf->zone == NULL) {
        ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                      "\"miqps_use\" names the zone \"%V\", which no "
                      "\"miqps_zone\" defines, in %V:%ui",
                      &conf->use, &conf->use_file, conf->use_line);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


/*
 * Runs after merging: where every location is off, nothing is registered and
 * a request costs nothing more.
 */

static ngx_int_t
ngx_http_miqps_init(ngx_conf_t *cf)
{
    ngx_str_t                    name = ngx_string("request_uri");
    ngx_http_handler_pt         *h;
    ngx_http_core_main_conf_t   *cmcf;
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    if ((mmcf->used || mmcf->status || mmcf->corpora != NULL)
        && ngx_http_miqps_counters_init(cf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_http_miqps_zones_conf(cf, mmcf->zones, mmcf->control) != NGX_OK) {
        return NGX_ERROR;
    }

    if (mmcf->corpora != NULL && ngx_http_miqps_corpus_init(cf) != NGX_OK) {
        return NGX_ERROR;
    }

    if (!mmcf->used && mmcf->set_names == NULL && mmcf->corpora == NULL
        && !mmcf->responses && !mmcf->bulk)
    {
        return NGX_OK;
    }

    if (ngx_http_miqps_init_scratch(cf, mmcf) != NGX_OK) {
        return NGX_ERROR;
    }

    if (mmcf->responses
        && (ngx_http_miqps_reference_init(cf, mmcf) != NGX_OK
            || ngx_http_miqps_rounds_init(cf, mmcf) != NGX_OK))
    {
        return NGX_ERROR;
    }

    if (!mmcf->used) {

        if (mmcf->responses) {
            ngx_http_miqps_filter_init();
        }

        return NGX_OK;
    }

    mmcf->request_uri = ngx_http_get_variable_index(cf, &name);
    if (mmcf->request_uri == NGX_ERROR) {
        return NGX_ERROR;
    }

    if (ngx_http_miqps_loops_init(cf, mmcf) != NGX_OK) {
        return NGX_ERROR;
    }

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_REWRITE_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_miqps_handler;

    if (mmcf->hosts > 0 && ngx_http_miqps_reply_init(cf) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_http_miqps_keys_conf(cf);
    ngx_http_miqps_filter_init();

    return NGX_OK;
}


/* one request at a time is normalized, so that one of each is enough */

static ngx_int_t
ngx_http_miqps_init_scratch(ngx_conf_t *cf, ngx_http_miqps_main_conf_t *mmcf)
{
    mmcf->work = ngx_palloc(cf->pool, sizeof(miqps_work_t));
    if (mmcf->work == NULL) {
        return NGX_ERROR;
    }

    mmcf->plans = ngx_pcalloc(cf->pool, sizeof(miqps_plans_t));
    if (mmcf->plans == NULL) {
        return NGX_ERROR;
    }

    mmcf->size = miqps_normalize_bound(MIQPS_MAX_ARGS);

    mmcf->buf = ngx_palloc(cf->pool, mmcf->size);
    if (mmcf->buf == NULL) {
        return NGX_ERROR;
    }

    return mmcf->path_rules ? ngx_http_miqps_init_second(cf, mmcf) : NGX_OK;
}


/* a longer path has no rule */

static ngx_int_t
ngx_http_miqps_init_second(ngx_conf_t *cf, ngx_http_miqps_main_conf_t *mmcf)
{
    mmcf->second = ngx_palloc(cf->pool, sizeof(miqps_second_t));
    if (mmcf->second == NULL) {
        return NGX_ERROR;
    }

    mmcf->second->size = miqps_second_bound(NGX_HTTP_MIQPS_MAX_PATH,
                                            MIQPS_MAX_ARGS);

    mmcf->second->buf = ngx_palloc(cf->pool, mmcf->second->size);
    if (mmcf->second->buf == NULL) {
        return NGX_ERROR;
    }

    return NGX_OK;
}


/* in the master, once the new configuration cannot fail any more */

static ngx_int_t
ngx_http_miqps_init_module(ngx_cycle_t *cycle)
{
    ngx_http_miqps_zones_load(ngx_http_miqps_zones(cycle), cycle);

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_init_process(ngx_cycle_t *cycle)
{
    if (ngx_process == NGX_PROCESS_WORKER
        || ngx_process == NGX_PROCESS_SINGLE)
    {
        ngx_http_miqps_counters_join(cycle);
        ngx_http_miqps_zones_start(ngx_http_miqps_zones(cycle), cycle);
        ngx_http_miqps_corpus_start(cycle);
    }

    return NGX_OK;
}


static void
ngx_http_miqps_exit_process(ngx_cycle_t *cycle)
{
    ngx_http_miqps_corpus_stop(cycle);
    ngx_http_miqps_counters_part(cycle);
    ngx_http_miqps_zones_stop(ngx_http_miqps_zones(cycle));
}


/* NULL if there are none, or no "http" */

static ngx_array_t *
ngx_http_miqps_zones(ngx_cycle_t *cycle)
{
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ngx_http_cycle_get_module_main_conf(cycle, ngx_http_miqps_module);

    return (mmcf != NULL) ? mmcf->zones : NULL;
}
