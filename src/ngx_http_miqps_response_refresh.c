
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_response.h"


static u_char *ngx_http_miqps_refresh_spaces(u_char *p, u_char *last);
static u_char *ngx_http_miqps_refresh_url(u_char *p, u_char *last);


/*
 *     Refresh: 5; url="/p?id=7"
 *
 * The word "url" and the quotes may be missing, and a comma may stand for the
 * semicolon.  What is written in yet another way is left alone.
 */

ngx_int_t
ngx_http_miqps_response_refresh(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h)
{
    u_char     *p, *last;
    ngx_str_t   url;

    last = h->value.data + h->value.len;

    p = ngx_http_miqps_refresh_spaces(h->value.data, last);

    while (p < last && ((*p >= '0' && *p <= '9') || *p == '.')) {
        p++;
    }

    p = ngx_http_miqps_refresh_spaces(p, last);

    if (p == h->value.data || p == last || (*p != ';' && *p != ',')) {
        return NGX_OK;
    }

    p = ngx_http_miqps_refresh_spaces(p + 1, last);
    p = ngx_http_miqps_refresh_url(p, last);

    while (last > p && (last[-1] == ' ' || last[-1] == '\t')) {
        last--;
    }

    if (p < last && (*p == '"' || *p == '\'')) {

        if (last - p < 2 || last[-1] != *p) {
            return NGX_OK;
        }

        p++;
        last--;
    }

    url.data = p;
    url.len = last - p;

    if (url.len == 0 || memchr(p, '"', url.len) != NULL
        || memchr(p, '\'', url.len) != NULL)
    {
        return NGX_OK;
    }

    return ngx_http_miqps_response_redirect(base, h, &url);
}


static u_char *
ngx_http_miqps_refresh_spaces(u_char *p, u_char *last)
{
    while (p < last && (*p == ' ' || *p == '\t')) {
        p++;
    }

    return p;
}


/* behind "url=", if that is there */

static u_char *
ngx_http_miqps_refresh_url(u_char *p, u_char *last)
{
    u_char  *after;

    if (last - p < 4 || ngx_strncasecmp(p, (u_char *) "url", 3) != 0) {
        return p;
    }

    after = ngx_http_miqps_refresh_spaces(p + 3, last);

    if (after == last || *after != '=') {
        return p;
    }

    return ngx_http_miqps_refresh_spaces(after + 1, last);
}
