
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


#define NGX_HTTP_MIQPS_CORPUS_BUFFER      (64 * 1024)
#define NGX_HTTP_MIQPS_CORPUS_MIN_BUFFER  (4 * 1024)
#define NGX_HTTP_MIQPS_CORPUS_FLUSH       5000
#define NGX_HTTP_MIQPS_CORPUS_MIN_ZONE    (64 * 1024)


/* the parameters of a directive, as they are read */

typedef struct {
    ngx_str_t                    name;        /* of a zone, or empty */
    ssize_t                      size;
    ssize_t                      buffer;      /* 0: not given */
    ngx_int_t                    flush;
    ngx_int_t                    age;         /* seconds */
    ngx_http_miqps_corpus_t     *corpus;
} ngx_http_miqps_corpus_args_t;


typedef struct {
    ngx_str_t                    name;        /* with "=" */
    char                      *(*set)(ngx_conf_t *cf, ngx_str_t *value,
                                      ngx_http_miqps_corpus_args_t *args);
    const char                  *wanted;
} ngx_http_miqps_corpus_param_t;


static char *ngx_http_miqps_corpus_param(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args, ngx_uint_t *given);
static char *ngx_http_miqps_corpus_set_zone(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args);
static char *ngx_http_miqps_corpus_set_sample(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args);
static char *ngx_http_miqps_corpus_set_if(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args);
static char *ngx_http_miqps_corpus_set_buffer(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args);
static char *ngx_http_miqps_corpus_set_flush(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args);
static char *ngx_http_miqps_corpus_set_age(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args);
static char *ngx_http_miqps_corpus_set_private(ngx_conf_t *cf,
    ngx_str_t *value, ngx_http_miqps_corpus_args_t *args);
static char *ngx_http_miqps_corpus_open(ngx_conf_t *cf, ngx_str_t *name,
    ngx_http_miqps_corpus_args_t *args);
static ngx_http_miqps_corpus_file_t *ngx_http_miqps_corpus_add_file(
    ngx_conf_t *cf, ngx_open_file_t *of, ngx_http_miqps_corpus_args_t *args);


static ngx_http_miqps_corpus_param_t  ngx_http_miqps_corpus_params[] = {

    { ngx_string("zone="), ngx_http_miqps_corpus_set_zone,
      "NAME or NAME:SIZE, of 64k at least" },

    { ngx_string("sample="), ngx_http_miqps_corpus_set_sample,
      "a share such as 10% or 0.5%" },

    { ngx_string("if="), ngx_http_miqps_corpus_set_if,
      "a condition" },

    { ngx_string("buffer="), ngx_http_miqps_corpus_set_buffer,
      "a size of 4k at least" },

    { ngx_string("flush="), ngx_http_miqps_corpus_set_flush,
      "a time" },

    { ngx_string("age="), ngx_http_miqps_corpus_set_age,
      "a time of 2 seconds at least" },

    { ngx_string("private="), ngx_http_miqps_corpus_set_private,
      "\"on\" or \"off\"" },

    { ngx_null_string, NULL, NULL }
};


char *
ngx_http_miqps_corpus(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    char                          *rv;
    ngx_str_t                     *value;
    ngx_uint_t                     i, given;
    ngx_http_miqps_corpus_args_t   args;

    if (mlcf->corpus != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (ngx_strcmp(value[1].data, "off") == 0) {

        if (cf->args->nelts > 2) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "\"miqps_corpus off\" takes no parameters");
            return NGX_CONF_ERROR;
        }

        mlcf->corpus = NULL;
        return NGX_CONF_OK;
    }

    ngx_memzero(&args, sizeof(ngx_http_miqps_corpus_args_t));

    args.age = NGX_HTTP_MIQPS_URLS_AGE;

    args.corpus = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_corpus_t));
    if (args.corpus == NULL) {
        return NGX_CONF_ERROR;
    }

    given = 0;

    for (i = 2; i < cf->args->nelts; i++) {
        rv = ngx_http_miqps_corpus_param(cf, &value[i], &args, &given);

        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    args.corpus->age = (uint32_t) ((uint64_t) args.age * 1000 / 1024);

    rv = ngx_http_miqps_corpus_open(cf, &value[1], &args);

    if (rv != NGX_CONF_OK) {
        return rv;
    }

    mlcf->corpus = args.corpus;

    return NGX_CONF_OK;
}


static char *
ngx_http_miqps_corpus_param(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args, ngx_uint_t *given)
{
    ngx_str_t                       text;
    ngx_uint_t                      i;
    ngx_http_miqps_corpus_param_t  *param;

    for (i = 0; ngx_http_miqps_corpus_params[i].set != NULL; i++) {
        param = &ngx_http_miqps_corpus_params[i];

        if (ngx_strncmp(value->data, param->name.data, param->name.len) != 0) {
            continue;
        }

        if (*given & (ngx_uint_t) 1 << i) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "duplicate parameter \"%V\" of "
                               "\"miqps_corpus\"", value);
            return NGX_CONF_ERROR;
        }

        *given |= (ngx_uint_t) 1 << i;

        text.data = value->data + param->name.len;
        text.len = value->len - param->name.len;

        if (text.len > 0 && param->set(cf, &text, args) == NGX_CONF_OK) {
            return NGX_CONF_OK;
        }

        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid parameter \"%V\" of \"miqps_corpus\", it "
                           "must be %s", value, param->wanted);
        return NGX_CONF_ERROR;
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "unknown parameter \"%V\" of \"miqps_corpus\", it takes "
                       "\"zone=\", \"sample=\", \"if=\", \"buffer=\", "
                       "\"flush=\", \"age=\" and \"private=\"", value);
    return NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_corpus_set_zone(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args)
{
    u_char     *colon;
    ngx_str_t   size;

    args->name = *value;

    colon = ngx_strlchr(value->data, value->data + value->len, ':');

    if (colon == NULL) {
        return NGX_CONF_OK;
    }

    args->name.len = colon - value->data;

    size.data = colon + 1;
    size.len = value->data + value->len - size.data;

    args->size = ngx_parse_size(&size);

    return (args->name.len > 0
            && args->size >= NGX_HTTP_MIQPS_CORPUS_MIN_ZONE)
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_corpus_set_sample(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args)
{
    ngx_int_t  n;

    if (value->data[value->len - 1] != '%') {
        return NGX_CONF_ERROR;
    }

    n = ngx_atofp(value->data, value->len - 1, 2);

    if (n < 1 || n > 10000) {
        return NGX_CONF_ERROR;
    }

    args->corpus->sample = (n == 10000) ? 0
                           : (uint32_t) (((uint64_t) n << 32) / 10000);

    return NGX_CONF_OK;
}


static char *
ngx_http_miqps_corpus_set_if(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args)
{
    ngx_http_compile_complex_value_t  ccv;

    args->corpus->filter = ngx_palloc(cf->pool,
                                      sizeof(ngx_http_complex_value_t));
    if (args->corpus->filter == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(&ccv, sizeof(ngx_http_compile_complex_value_t));

    ccv.cf = cf;
    ccv.value = value;
    ccv.complex_value = args->corpus->filter;

    return (ngx_http_compile_complex_value(&ccv) == NGX_OK) ? NGX_CONF_OK
                                                            : NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_corpus_set_buffer(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args)
{
    args->buffer = ngx_parse_size(value);

    return (args->buffer >= NGX_HTTP_MIQPS_CORPUS_MIN_BUFFER)
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_corpus_set_flush(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args)
{
    args->flush = ngx_parse_time(value, 0);

    return (args->flush > 0) ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_corpus_set_age(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args)
{
    args->age = ngx_parse_time(value, 1);

    return (args->age >= 2 && args->age <= NGX_MAX_INT32_VALUE)
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_corpus_set_private(ngx_conf_t *cf, ngx_str_t *value,
    ngx_http_miqps_corpus_args_t *args)
{
    args->corpus->private = (ngx_strcmp(value->data, "on") == 0);

    return (args->corpus->private || ngx_strcmp(value->data, "off") == 0)
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_corpus_open(ngx_conf_t *cf, ngx_str_t *name,
    ngx_http_miqps_corpus_args_t *args)
{
    ngx_open_file_t          *of;
    ngx_http_miqps_corpus_t  *corpus;

    corpus = args->corpus;

    if (ngx_http_script_variables_count(name) != 0
        || ngx_strncmp(name->data, "syslog:", 7) == 0)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"miqps_corpus\" needs a file, and no variables "
                           "in its name \"%V\"", name);
        return NGX_CONF_ERROR;
    }

    of = ngx_conf_open_file(cf->cycle, name);
    if (of == NULL) {
        return NGX_CONF_ERROR;
    }

    if (of->flush != NULL && of->flush != ngx_http_miqps_corpus_reopen) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" of \"miqps_corpus\" is another log, too",
                           &of->name);
        return NGX_CONF_ERROR;
    }

    /* a zone for each file, unless told */

    if (args->name.len == 0) {
        args->name = of->name;
        args->size = NGX_HTTP_MIQPS_URLS_SIZE;
    }

    corpus->seen = ngx_http_miqps_urls_add_zone(cf, &args->name, args->size);
    if (corpus->seen == NULL) {
        return NGX_CONF_ERROR;
    }

    corpus->file = (of->data != NULL)
                   ? of->data : ngx_http_miqps_corpus_add_file(cf, of, args);

    if (corpus->file == NULL) {
        return NGX_CONF_ERROR;
    }

    if ((args->buffer != 0 && (size_t) args->buffer != corpus->file->size)
        || (args->flush != 0
            && (ngx_msec_t) args->flush != corpus->file->flush))
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" of \"miqps_corpus\" has another \"buffer\" "
                           "or \"flush\" already", &of->name);
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static ngx_http_miqps_corpus_file_t *
ngx_http_miqps_corpus_add_file(ngx_conf_t *cf, ngx_open_file_t *of,
    ngx_http_miqps_corpus_args_t *args)
{
    ngx_err_t                       err;
    const char                     *why;
    ngx_http_miqps_main_conf_t     *mmcf;
    ngx_http_miqps_corpus_file_t   *file, **place;

    why = ngx_http_miqps_corpus_create(&of->name, &err);

    if (why != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, err,
                           "\"miqps_corpus\" and \"%V\": %s", &of->name,
                           why);
        return NULL;
    }

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    if (mmcf->corpora == NULL) {
        mmcf->corpora = ngx_array_create(cf->pool, 1,
                                     sizeof(ngx_http_miqps_corpus_file_t *));
        if (mmcf->corpora == NULL) {
            return NULL;
        }
    }

    file = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_corpus_file_t));
    place = ngx_array_push(mmcf->corpora);

    if (file == NULL || place == NULL) {
        return NULL;
    }

    *place = file;

    file->size = (args->buffer != 0) ? (size_t) args->buffer
                                     : NGX_HTTP_MIQPS_CORPUS_BUFFER;
    file->flush = (args->flush != 0) ? (ngx_msec_t) args->flush
                                     : NGX_HTTP_MIQPS_CORPUS_FLUSH;

    file->start = ngx_pnalloc(cf->pool, file->size + 1);
    file->event = ngx_pcalloc(cf->pool, sizeof(ngx_event_t));

    if (file->start == NULL || file->event == NULL) {
        return NULL;
    }

    *file->start++ = '\n';

    file->pos = file->start;
    file->end = file->start + file->size;
    file->file = of;
    file->seen = args->corpus->seen;

    file->event->data = file;
    file->event->handler = ngx_http_miqps_corpus_flush_handler;
    file->event->log = &cf->cycle->new_log;
    file->event->cancelable = 1;

    of->data = file;
    of->flush = ngx_http_miqps_corpus_reopen;

    return file;
}


ngx_int_t
ngx_http_miqps_corpus_init(ngx_conf_t *cf)
{
    ngx_http_handler_pt         *h;
    ngx_http_core_main_conf_t   *cmcf;
    ngx_http_miqps_main_conf_t  *mmcf;

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);

    mmcf->memo = ngx_pcalloc(cf->pool, sizeof(miqps_collect_memo_t));
    if (mmcf->memo == NULL) {
        return NGX_ERROR;
    }

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_LOG_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_miqps_corpus_handler;

    return NGX_OK;
}
