
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_response.h"

#pragma GCC visibility push(hidden)
#include "miqps_html.h"
#pragma GCC visibility pop


/*
 *     Refresh: 5; url="/p?id=7"
 *
 * It is what <meta http-equiv=refresh> has as its content, which browsers read
 * in the same way.  A URL with quotes in it is left alone.
 */

ngx_int_t
ngx_http_miqps_response_refresh(ngx_http_miqps_base_t *base,
    ngx_table_elt_t *h)
{
    size_t     begin, end;
    ngx_str_t  url;

    if (!miqps_html_refresh(h->value.data, h->value.len, &begin, &end)) {
        return NGX_OK;
    }

    url.data = h->value.data + begin;
    url.len = end - begin;

    if (memchr(url.data, '"', url.len) != NULL
        || memchr(url.data, '\'', url.len) != NULL)
    {
        return NGX_OK;
    }

    return ngx_http_miqps_response_redirect(base, h, &url);
}
