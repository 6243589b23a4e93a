
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/* miqps_control [allow_uid=USER,...] [allow=CIDR token=... | token_file=...] */


typedef char *(*ngx_http_miqps_control_pt)(ngx_conf_t *cf,
    ngx_http_miqps_control_t *control, ngx_str_t *value);


typedef struct {
    ngx_str_t                    name;
    ngx_http_miqps_control_pt    handler;
} ngx_http_miqps_control_option_t;


static char *ngx_http_miqps_control_option(ngx_conf_t *cf,
    ngx_http_miqps_control_t *control, ngx_str_t *value);
static char *ngx_http_miqps_control_uids(ngx_conf_t *cf,
    ngx_http_miqps_control_t *control, ngx_str_t *value);
static ngx_int_t ngx_http_miqps_control_uid(ngx_conf_t *cf, u_char *name,
    uid_t *uid);
static char *ngx_http_miqps_control_cidr(ngx_conf_t *cf,
    ngx_http_miqps_control_t *control, ngx_str_t *value);
static char *ngx_http_miqps_control_token(ngx_conf_t *cf,
    ngx_http_miqps_control_t *control, ngx_str_t *value);
static char *ngx_http_miqps_control_file(ngx_conf_t *cf,
    ngx_http_miqps_control_t *control, ngx_str_t *value);
static const char *ngx_http_miqps_control_read(ngx_str_t *name, u_char *buf,
    size_t size, size_t *len);


#define NGX_HTTP_MIQPS_MIN_TOKEN  16
#define NGX_HTTP_MIQPS_MAX_TOKEN  512


static ngx_http_miqps_control_option_t  ngx_http_miqps_control_options[] = {
    { ngx_string("allow_uid="), ngx_http_miqps_control_uids },
    { ngx_string("allow="), ngx_http_miqps_control_cidr },
    { ngx_string("token="), ngx_http_miqps_control_token },
    { ngx_string("token_file="), ngx_http_miqps_control_file },
    { ngx_null_string, NULL }
};


char *
ngx_http_miqps_control(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    char                        *rv;
    ngx_str_t                   *value;
    ngx_uint_t                   i;
    ngx_http_core_loc_conf_t    *clcf;
    ngx_http_miqps_control_t    *control;
    ngx_http_miqps_main_conf_t  *mmcf;

    if (mlcf->control != NULL) {
        return "is duplicate";
    }

    control = ngx_pcalloc(cf->pool, sizeof(ngx_http_miqps_control_t));
    if (control == NULL) {
        return NGX_CONF_ERROR;
    }

    value = cf->args->elts;

    for (i = 1; i < cf->args->nelts; i++) {
        rv = ngx_http_miqps_control_option(cf, control, &value[i]);

        if (rv != NGX_CONF_OK) {
            return rv;
        }
    }

    if (control->cidrs != NULL && control->token.len == 0) {
        return "has \"allow\", and so needs \"token_file\" or \"token\": an "
               "address alone is not enough";
    }

    if (control->cidrs == NULL && control->token.len != 0) {
        return "has a token, and so needs \"allow\": a token alone is not "
               "enough";
    }

    mlcf->control = control;

    mmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_miqps_module);
    mmcf->control = 1;

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    clcf->handler = ngx_http_miqps_control_handler;

    return NGX_CONF_OK;
}


static char *
ngx_http_miqps_control_option(ngx_conf_t *cf,
    ngx_http_miqps_control_t *control, ngx_str_t *value)
{
    ngx_str_t                         rest;
    ngx_http_miqps_control_option_t  *option;

    for (option = ngx_http_miqps_control_options; option->name.len; option++) {

        if (value->len > option->name.len
            && ngx_strncmp(value->data, option->name.data, option->name.len)
               == 0)
        {
            rest.data = value->data + option->name.len;
            rest.len = value->len - option->name.len;

            return option->handler(cf, control, &rest);
        }
    }

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "invalid parameter \"%V\" of \"miqps_control\", it "
                       "takes \"allow_uid=USER,...\", \"allow=ADDRESS\", "
                       "\"token_file=FILE\" and \"token=STRING\"", value);
    return NGX_CONF_ERROR;
}


static char *
ngx_http_miqps_control_uids(ngx_conf_t *cf, ngx_http_miqps_control_t *control,
    ngx_str_t *value)
{
    uid_t    uid, *place;
    u_char  *name, *end, *last;

    if (control->uids == NULL) {
        control->uids = ngx_array_create(cf->pool, 2, sizeof(uid_t));

        if (control->uids == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    /* a word of the configuration ends with a zero byte */

    last = value->data + value->len;

    for (name = value->data; name <= last; name = end + 1) {

        for (end = name; end < last && *end != ','; end++) {
            /* void */
        }

        *end = '\0';

        if (ngx_http_miqps_control_uid(cf, name, &uid) != NGX_OK) {
            return NGX_CONF_ERROR;
        }

        place = ngx_array_push(control->uids);
        if (place == NULL) {
            return NGX_CONF_ERROR;
        }

        *place = uid;
    }

    return NGX_CONF_OK;
}


/* digits are an id, anything else is a name */

static ngx_int_t
ngx_http_miqps_control_uid(ngx_conf_t *cf, u_char *name, uid_t *uid)
{
    size_t          len;
    ngx_int_t       n;
    struct passwd  *pwd;

    len = ngx_strlen(name);
    n = ngx_atoi(name, len);

    if (n != NGX_ERROR && (uint64_t) n < (uid_t) -1) {
        *uid = (uid_t) n;
        return NGX_OK;
    }

    pwd = (len > 0 && n == NGX_ERROR) ? getpwnam((const char *) name) : NULL;

    if (pwd == NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "there is no user \"%s\", whom \"allow_uid\" of "
                           "\"miqps_control\" names", name);
        return NGX_ERROR;
    }

    *uid = pwd->pw_uid;

    return NGX_OK;
}


static char *
ngx_http_miqps_control_cidr(ngx_conf_t *cf, ngx_http_miqps_control_t *control,
    ngx_str_t *value)
{
    ngx_int_t    rc;
    ngx_cidr_t  *cidr;

    if (control->cidrs == NULL) {
        control->cidrs = ngx_array_create(cf->pool, 2, sizeof(ngx_cidr_t));

        if (control->cidrs == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    cidr = ngx_array_push(control->cidrs);
    if (cidr == NULL) {
        return NGX_CONF_ERROR;
    }

    ngx_memzero(cidr, sizeof(ngx_cidr_t));

    rc = ngx_ptocidr(value, cidr);

    if (rc == NGX_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "invalid address \"%V\" in \"allow\" of "
                           "\"miqps_control\", it must be as 192.0.2.1 or "
                           "2001:db8::/32", value);
        return NGX_CONF_ERROR;
    }

    if (rc == NGX_DONE) {
        ngx_conf_log_error(NGX_LOG_WARN, cf, 0,
                           "low address bits of %V are meaningless", value);
    }

    return NGX_CONF_OK;
}


static char *
ngx_http_miqps_control_token(ngx_conf_t *cf,
    ngx_http_miqps_control_t *control, ngx_str_t *value)
{
    size_t  i;

    if (control->token.len != 0) {
        return "has two tokens";
    }

    if (value->len < NGX_HTTP_MIQPS_MIN_TOKEN
        || value->len > NGX_HTTP_MIQPS_MAX_TOKEN)
    {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "the token of \"miqps_control\" has %uz bytes, it "
                           "must have %d to %d", value->len,
                           NGX_HTTP_MIQPS_MIN_TOKEN, NGX_HTTP_MIQPS_MAX_TOKEN);
        return NGX_CONF_ERROR;
    }

    for (i = 0; i < value->len; i++) {
        if (value->data[i] <= ' ' || value->data[i] >= 0x7f) {
            return "has a token with a byte that is no printable ASCII";
        }
    }

    control->token = *value;

    return NGX_CONF_OK;
}


static char *
ngx_http_miqps_control_file(ngx_conf_t *cf, ngx_http_miqps_control_t *control,
    ngx_str_t *value)
{
    u_char       buf[NGX_HTTP_MIQPS_MAX_TOKEN + 2];
    ngx_str_t    name, token;
    const char  *why;

    name = *value;

    if (ngx_conf_full_name(cf->cycle, &name, 1) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    why = ngx_http_miqps_control_read(&name, buf, sizeof(buf), &token.len);

    if (why != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"token_file\" \"%V\" of \"miqps_control\" is not "
                           "used: %s", &name, why);
        return NGX_CONF_ERROR;
    }

    token.data = buf;
    token.data = ngx_pstrdup(cf->pool, &token);

    if (token.data == NULL) {
        return NGX_CONF_ERROR;
    }

    return ngx_http_miqps_control_token(cf, control, &token);
}


/* NULL, or why it was not read; without the newline at its end */

static const char *
ngx_http_miqps_control_read(ngx_str_t *name, u_char *buf, size_t size,
    size_t *len)
{
    ssize_t           n;
    ngx_fd_t          fd;
    const char       *why;
    ngx_file_info_t   info;

    fd = open((const char *) name->data, O_RDONLY|O_NONBLOCK|O_CLOEXEC);

    if (fd == NGX_INVALID_FILE) {
        return strerror(ngx_errno);
    }

    n = 0;

    if (ngx_fd_info(fd, &info) == NGX_FILE_ERROR) {
        why = "fstat() failed";

    } else if (!ngx_is_file(&info)) {
        why = "it is not a regular file";

    } else if (info.st_mode & (S_IRWXG|S_IRWXO)) {
        why = "others than its owner may read it, make its mode 0600";

    } else {
        n = read(fd, buf, size);
        why = (n == -1) ? "it cannot be read" : NULL;
    }

    (void) ngx_close_file(fd);

    if (n > 0 && buf[n - 1] == '\n') {
        n--;
    }

    *len = (size_t) n;

    return why;
}
