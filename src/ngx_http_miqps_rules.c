
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * The directives that fill a policy.  What they name is tried at once, in a
 * book that is thrown away: here the line of the configuration is known.
 */


static char *ngx_http_miqps_name(ngx_conf_t *cf, ngx_command_t *cmd,
    ngx_str_t *name);
static ngx_int_t ngx_http_miqps_listed(ngx_array_t *list, ngx_str_t *value);
static char *ngx_http_miqps_rules_add(ngx_conf_t *cf, ngx_array_t *rules,
    ngx_str_t *name);
static ngx_int_t ngx_http_miqps_rules_try(ngx_conf_t *cf,
    ngx_http_miqps_rules_t *file);
static ngx_int_t ngx_http_miqps_rules_open(ngx_conf_t *cf,
    ngx_http_miqps_rules_t *file);
static ngx_int_t ngx_http_miqps_rules_load(ngx_conf_t *cf,
    ngx_http_miqps_rules_t *file, ngx_fd_t fd);


/* miqps_keep, miqps_strip; cmd->offset tells which */

char *
ngx_http_miqps_names(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    char          *rv;
    ngx_str_t     *value, *name;
    ngx_uint_t     i;
    ngx_array_t  **list, *other;

    list = (ngx_array_t **) ((char *) conf + cmd->offset);
    other = (list == &mlcf->keep) ? mlcf->strip : mlcf->keep;

    if (*list == NULL) {
        *list = ngx_array_create(cf->pool, 4, sizeof(ngx_str_t));
        if (*list == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    value = cf->args->elts;

    for (i = 1; i < cf->args->nelts; i++) {

        rv = ngx_http_miqps_name(cf, cmd, &value[i]);

        if (rv != NGX_CONF_OK) {
            return rv;
        }

        if (ngx_http_miqps_listed(*list, &value[i])) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "duplicate \"%V\" in \"%V\" directive",
                               &value[i], &cmd->name);
            return NGX_CONF_ERROR;
        }

        if (ngx_http_miqps_listed(other, &value[i])) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "\"%V\" is both in \"miqps_keep\" and in "
                               "\"miqps_strip\"", &value[i]);
            return NGX_CONF_ERROR;
        }

        name = ngx_array_push(*list);
        if (name == NULL) {
            return NGX_CONF_ERROR;
        }

        *name = value[i];
    }

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_miqps_listed(ngx_array_t *list, ngx_str_t *value)
{
    ngx_str_t   *item;
    ngx_uint_t   i;

    if (list == NULL) {
        return 0;
    }

    item = list->elts;

    for (i = 0; i < list->nelts; i++) {
        if (item[i].len == value->len
            && ngx_memcmp(item[i].data, value->data, value->len) == 0)
        {
            return 1;
        }
    }

    return 0;
}


static char *
ngx_http_miqps_name(ngx_conf_t *cf, ngx_command_t *cmd, ngx_str_t *name)
{
    miqps_rc_e           rc;
    miqps_str_t          str;
    miqps_rules_t        book;
    miqps_rules_error_t  error;

    ngx_memzero(&book, sizeof(miqps_rules_t));

    book.mem = ngx_http_miqps_policy_mem(cf->temp_pool);

    if (book.mem == NULL) {
        return NGX_CONF_ERROR;
    }

    str.data = name->data;
    str.len = name->len;

    rc = miqps_rules_operator(&book, MIQPS_KEEP, &str, &error);

    if (rc == MIQPS_SYNTAX) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" directive: %s",
                           &cmd->name, error.text);
    }

    return (rc == MIQPS_OK) ? NGX_CONF_OK : NGX_CONF_ERROR;
}


char *
ngx_http_miqps_platform(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    ngx_str_t   *value, *name;
    ngx_uint_t   i;

    if (mlcf->platforms != NULL) {
        return "is duplicate";
    }

    mlcf->platforms = ngx_array_create(cf->pool, 4, sizeof(ngx_str_t));
    if (mlcf->platforms == NULL) {
        return NGX_CONF_ERROR;
    }

    mlcf->file = cf->conf_file->file.name;
    mlcf->line = cf->conf_file->line;

    value = cf->args->elts;

    if (cf->args->nelts == 2 && ngx_strcmp(value[1].data, "off") == 0) {
        return NGX_CONF_OK;
    }

    for (i = 1; i < cf->args->nelts; i++) {

        if (ngx_strcmp(value[i].data, "strict") == 0
            && i == cf->args->nelts - 1)
        {
            mlcf->strict = 1;
            break;
        }

        if (ngx_strcmp(value[i].data, "strict") == 0
            || ngx_strcmp(value[i].data, "off") == 0)
        {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "\"miqps_platform\" takes \"off\" alone, and "
                               "\"strict\" after the platforms");
            return NGX_CONF_ERROR;
        }

        if (ngx_http_miqps_listed(mlcf->platforms, &value[i])) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "duplicate \"%V\" in \"miqps_platform\" "
                               "directive", &value[i]);
            return NGX_CONF_ERROR;
        }

        name = ngx_array_push(mlcf->platforms);
        if (name == NULL) {
            return NGX_CONF_ERROR;
        }

        *name = value[i];
    }

    if (mlcf->platforms->nelts == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"strict\" in \"miqps_platform\" needs a platform "
                           "before it, or nothing would be left");
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


char *
ngx_http_miqps_rules(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_miqps_loc_conf_t  *mlcf = conf;

    ngx_str_t   *value, name;
    ngx_uint_t   off;

    value = cf->args->elts;
    off = (ngx_strcmp(value[1].data, "off") == 0);

    if (mlcf->rules != NULL && (off || mlcf->rules->nelts == 0)) {
        return "takes \"off\" only where there are no other rules";
    }

    if (mlcf->rules == NULL) {
        mlcf->rules = ngx_array_create(cf->pool, 1,
                                       sizeof(ngx_http_miqps_rules_t));
        if (mlcf->rules == NULL) {
            return NGX_CONF_ERROR;
        }
    }

    if (off) {
        return NGX_CONF_OK;
    }

    name = value[1];

    if (ngx_conf_full_name(cf->cycle, &name, 1) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    return ngx_http_miqps_rules_add(cf, mlcf->rules, &name);
}


static char *
ngx_http_miqps_rules_add(ngx_conf_t *cf, ngx_array_t *rules, ngx_str_t *name)
{
    ngx_uint_t               i;
    ngx_http_miqps_rules_t  *file;

    file = rules->elts;

    for (i = 0; i < rules->nelts; i++) {
        if (file[i].name.len == name->len
            && ngx_strcmp(file[i].name.data, name->data) == 0)
        {
            return "is duplicate";
        }
    }

    file = ngx_array_push(rules);
    if (file == NULL) {
        return NGX_CONF_ERROR;
    }

    file->name = *name;

    if (ngx_http_miqps_rules_open(cf, file) != NGX_OK
        || ngx_http_miqps_rules_try(cf, file) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_miqps_rules_try(ngx_conf_t *cf, ngx_http_miqps_rules_t *file)
{
    miqps_rc_e           rc;
    miqps_mem_t         *mem;
    miqps_rules_t        book;
    miqps_rules_error_t  error;

    mem = ngx_http_miqps_policy_mem(cf->temp_pool);
    if (mem == NULL) {
        return NGX_ERROR;
    }

    rc = miqps_rules_init(&book, mem, 1, &error);

    if (rc == MIQPS_OK) {
        rc = miqps_rules_read(&book, (char *) file->text.data, file->text.len,
                              &error);
    }

    if (rc == MIQPS_SYNTAX) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "%V:%uz:%uz: %s",
                           &file->name, error.line, error.column, error.text);
    }

    return (rc == MIQPS_OK) ? NGX_OK : NGX_ERROR;
}


static ngx_int_t
ngx_http_miqps_rules_open(ngx_conf_t *cf, ngx_http_miqps_rules_t *file)
{
    ngx_fd_t   fd;
    ngx_int_t  rc;

    /* not to wait for somebody to write into a pipe */

    fd = ngx_open_file(file->name.data, NGX_FILE_RDONLY|O_NONBLOCK,
                       NGX_FILE_OPEN, 0);

    if (fd == NGX_INVALID_FILE) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_open_file_n " \"%V\" failed", &file->name);
        return NGX_ERROR;
    }

    rc = ngx_http_miqps_rules_load(cf, file, fd);

    if (ngx_close_file(fd) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_ALERT, cf, ngx_errno,
                           ngx_close_file_n " \"%V\" failed", &file->name);
    }

    return rc;
}


static ngx_int_t
ngx_http_miqps_rules_load(ngx_conf_t *cf, ngx_http_miqps_rules_t *file,
    ngx_fd_t fd)
{
    off_t            size;
    ngx_str_t       *text;
    ssize_t          n;
    ngx_file_info_t  info;

    if (ngx_fd_info(fd, &info) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_fd_info_n " \"%V\" failed", &file->name);
        return NGX_ERROR;
    }

    if (!ngx_is_file(&info) || ngx_file_size(&info) > MIQPS_RULES_MAX_FILE) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" is not a rules file: it is %s",
                           &file->name,
                           ngx_is_file(&info) ? "larger than 16 MiB"
                           : ngx_is_dir(&info) ? "a directory"
                                               : "not a regular file");
        return NGX_ERROR;
    }

    size = ngx_file_size(&info);
    text = &file->text;

    text->data = ngx_pnalloc(cf->pool, size + 1);
    if (text->data == NULL) {
        return NGX_ERROR;
    }

    for (text->len = 0; text->len < (size_t) size; text->len += n) {

        n = ngx_read_fd(fd, text->data + text->len, size - text->len);

        if (n == -1) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                               ngx_read_fd_n " \"%V\" failed", &file->name);
            return NGX_ERROR;
        }

        if (n == 0) {
            break;
        }
    }

    text->data[text->len] = '\0';

    return NGX_OK;
}
