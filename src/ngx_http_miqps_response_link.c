
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_response.h"


/*
 *     Link: </p?id=7>; rel="canonical", </a.css>; rel=preload; as=style
 *
 * RFC 8288.  What a page will ask for by the very same bytes must keep them: a
 * preload of another URL would be one for nothing.  Where a link is of another
 * page than the one that it comes with ("anchor"), it is left alone, and so is
 * everything behind what is no link.
 */

typedef struct {
    ngx_str_t                    name;
    ngx_str_t                    value;       /* without quotes */
} ngx_http_miqps_link_param_t;


static ngx_int_t ngx_http_miqps_link_param(u_char **at, u_char *last,
    ngx_http_miqps_link_param_t *param);
static u_char *ngx_http_miqps_link_quoted(u_char *p, u_char *last);
static void ngx_http_miqps_link_rel(ngx_str_t *value,
    ngx_http_miqps_link_t *link);
static u_char *ngx_http_miqps_link_word(u_char *p, u_char *last);
static u_char *ngx_http_miqps_link_spaces(u_char *p, u_char *last);
static ngx_uint_t ngx_http_miqps_link_is(const u_char *data, size_t len,
    const char *word);


/* relations whose URLs have to be as they are in the page */

static const char  *ngx_http_miqps_link_exact[] = {
    "preload", "modulepreload", "prefetch", "prerender", "preconnect",
    "dns-prefetch", NULL
};


ngx_int_t
ngx_http_miqps_response_link(ngx_http_miqps_base_t *base, ngx_table_elt_t *h)
{
    u_char                 *buf, *p, *end, *from;
    size_t                  size;
    ngx_str_t               rest, clean;
    ngx_http_miqps_link_t   link;

    if (memchr(h->value.data, '?', h->value.len) == NULL
        && !base->conf->path_rules)
    {
        return NGX_OK;
    }

    /* path rules may make more of it, and what has no room then stays */

    size = h->value.len + MIQPS_PATHS_GROWTH;

    buf = ngx_pnalloc(base->request->pool, size + 1);
    if (buf == NULL) {
        return NGX_ERROR;
    }

    p = buf;
    from = h->value.data;
    rest = h->value;
    end = h->value.data + h->value.len;

    while (ngx_http_miqps_link_next(&rest, &link) == NGX_OK) {

        if (link.exact
            || ngx_http_miqps_reference(base,
                                        link.canonical ? NGX_HTTP_MIQPS_AWAY
                                                       : 0,
                                        &link.url, &clean)
               != NGX_OK
            || (size_t) (p - buf) + (size_t) (end - from) - link.url.len
               + clean.len > size)
        {
            continue;
        }

        p = ngx_cpymem(p, from, link.url.data - from);
        p = ngx_cpymem(p, clean.data, clean.len);
        from = link.url.data + link.url.len;
    }

    if (p == buf) {
        ngx_pfree(base->request->pool, buf);
        return NGX_OK;
    }

    p = ngx_cpymem(p, from, end - from);
    *p = '\0';

    h->value.data = buf;
    h->value.len = p - buf;

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_link_next(ngx_str_t *value, ngx_http_miqps_link_t *link)
{
    u_char                       *p, *last, *end;
    ngx_int_t                     rc;
    ngx_http_miqps_link_param_t   param;

    p = value->data;
    last = p + value->len;

    while (p < last && (*p == ',' || *p == ' ' || *p == '\t')) {
        p++;
    }

    if (p == last || *p != '<') {
        return NGX_DECLINED;
    }

    end = ngx_strlchr(++p, last, '>');

    if (end == NULL) {
        return NGX_DECLINED;
    }

    link->url.data = p;
    link->url.len = end - p;
    link->canonical = 0;
    link->exact = 0;

    p = end + 1;

    for ( ;; ) {
        rc = ngx_http_miqps_link_param(&p, last, &param);

        if (rc == NGX_DONE) {
            break;
        }

        if (rc != NGX_OK) {
            return NGX_DECLINED;
        }

        if (ngx_http_miqps_link_is(param.name.data, param.name.len, "anchor"))
        {
            link->exact = 1;
        }

        if (ngx_http_miqps_link_is(param.name.data, param.name.len, "rel")) {
            ngx_http_miqps_link_rel(&param.value, link);
        }
    }

    value->data = p;
    value->len = last - p;

    return NGX_OK;
}


/* NGX_DONE at a comma or the end; NGX_ERROR for what is no parameter */

static ngx_int_t
ngx_http_miqps_link_param(u_char **at, u_char *last,
    ngx_http_miqps_link_param_t *param)
{
    u_char  *p;

    p = ngx_http_miqps_link_spaces(*at, last);

    while (p < last && *p == ';') {
        p = ngx_http_miqps_link_spaces(p + 1, last);
    }

    *at = p;

    if (p == last || *p == ',') {
        return NGX_DONE;
    }

    param->name.data = p;
    p = ngx_http_miqps_link_word(p, last);
    param->name.len = p - param->name.data;

    ngx_str_null(&param->value);

    p = ngx_http_miqps_link_spaces(p, last);

    if (param->name.len == 0) {
        return NGX_ERROR;
    }

    if (p < last && *p == '=') {
        p = ngx_http_miqps_link_spaces(p + 1, last);

        if (p < last && *p == '"') {
            param->value.data = p + 1;
            p = ngx_http_miqps_link_quoted(p + 1, last);

            if (p == NULL) {
                return NGX_ERROR;
            }

            param->value.len = p - 1 - param->value.data;

        } else {
            param->value.data = p;
            p = ngx_http_miqps_link_word(p, last);
            param->value.len = p - param->value.data;
        }
    }

    *at = p;

    return (p == last || *p == ';' || *p == ',' || *p == ' ' || *p == '\t')
           ? NGX_OK : NGX_ERROR;
}


/* behind the quote that ends it; NULL if there is none */

static u_char *
ngx_http_miqps_link_quoted(u_char *p, u_char *last)
{
    for (/* void */ ; p < last; p++) {

        if (*p == '"') {
            return p + 1;
        }

        if (*p == '\\') {
            p++;
        }
    }

    return NULL;
}


static void
ngx_http_miqps_link_rel(ngx_str_t *value, ngx_http_miqps_link_t *link)
{
    u_char       *p, *last, *end;
    const char  **exact;

    last = value->data + value->len;

    for (p = value->data; p < last; p = end + 1) {
        end = ngx_strlchr(p, last, ' ');

        if (end == NULL) {
            end = last;
        }

        if (ngx_http_miqps_link_is(p, end - p, "canonical")) {
            link->canonical = 1;
        }

        for (exact = ngx_http_miqps_link_exact; *exact != NULL; exact++) {
            if (ngx_http_miqps_link_is(p, end - p, *exact)) {
                link->exact = 1;
            }
        }
    }
}


static u_char *
ngx_http_miqps_link_word(u_char *p, u_char *last)
{
    while (p < last && *p != ';' && *p != ',' && *p != '=' && *p != ' '
           && *p != '\t' && *p != '"')
    {
        p++;
    }

    return p;
}


static u_char *
ngx_http_miqps_link_spaces(u_char *p, u_char *last)
{
    while (p < last && (*p == ' ' || *p == '\t')) {
        p++;
    }

    return p;
}


static ngx_uint_t
ngx_http_miqps_link_is(const u_char *data, size_t len, const char *word)
{
    return len == ngx_strlen(word)
           && ngx_strncasecmp((u_char *) data, (u_char *) word, len) == 0;
}
