
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_bulk.h"


static ngx_int_t ngx_http_miqps_bulk_whole(ngx_http_miqps_bulk_t *bulk,
    u_char *end);
static ngx_int_t ngx_http_miqps_bulk_long(ngx_http_miqps_bulk_t *bulk,
    u_char *end, ngx_uint_t ends);
static ngx_int_t ngx_http_miqps_bulk_names(ngx_http_miqps_bulk_t *bulk,
    ngx_http_miqps_clean_t *clean);


/* as miqps normalize has it, every line has an end, also a last one without */

ngx_int_t
ngx_http_miqps_bulk_lines(ngx_http_miqps_bulk_t *bulk)
{
    u_char     *end;
    ngx_int_t   rc;

    if (ngx_http_miqps_bulk_read(bulk) != NGX_OK) {
        return NGX_ERROR;
    }

    for ( ;; ) {
        end = memchr(bulk->pos, '\n', bulk->last - bulk->pos);

        if (end == NULL) {
            break;
        }

        rc = bulk->skip ? ngx_http_miqps_bulk_long(bulk, end, 1)
                        : ngx_http_miqps_bulk_whole(bulk, end);

        if (rc != NGX_OK) {
            return NGX_ERROR;
        }

        bulk->pos = end + 1;
    }

    if (bulk->end) {

        if (bulk->skip) {
            return (ngx_http_miqps_bulk_long(bulk, bulk->last, 1) == NGX_OK)
                   ? NGX_DONE : NGX_ERROR;
        }

        if (bulk->pos < bulk->last
            && ngx_http_miqps_bulk_whole(bulk, bulk->last) != NGX_OK)
        {
            return NGX_ERROR;
        }

        return NGX_DONE;
    }

    if (bulk->skip || bulk->last - bulk->pos > NGX_HTTP_MIQPS_BULK_LINE) {
        rc = ngx_http_miqps_bulk_long(bulk, bulk->last, 0);
        bulk->pos = bulk->last;

        return rc;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_miqps_bulk_whole(ngx_http_miqps_bulk_t *bulk, u_char *end)
{
    ngx_str_t  line;

    line.data = bulk->pos;
    line.len = end - bulk->pos;

    if (line.len > NGX_HTTP_MIQPS_BULK_LINE) {
        return ngx_http_miqps_bulk_long(bulk, end, 1);
    }

    bulk->number++;

    return bulk->line(bulk, &line);
}


/* what has no room passes as it is; as JSON it is an error */

static ngx_int_t
ngx_http_miqps_bulk_long(ngx_http_miqps_bulk_t *bulk, u_char *end,
    ngx_uint_t ends)
{
    ngx_uint_t  first;

    static const char  verdict[] = "\topaque:too-long\t";

    first = !bulk->skip;

    bulk->skip = !ends;
    bulk->number += first;

    if (bulk->line == ngx_http_miqps_bulk_ndjson) {
        return first ? ngx_http_miqps_bulk_error(bulk, "the line is too long")
                     : NGX_OK;
    }

    if (ngx_http_miqps_bulk_put(bulk, bulk->pos, end - bulk->pos) != NGX_OK) {
        return NGX_ERROR;
    }

    if (!ends) {
        return NGX_OK;
    }

    if (bulk->verdicts
        && ngx_http_miqps_bulk_put(bulk, verdict, sizeof(verdict) - 1)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_miqps_bulk_put(bulk, "\n", 1);
}


ngx_int_t
ngx_http_miqps_bulk_text(ngx_http_miqps_bulk_t *bulk, ngx_str_t *line)
{
    u_char                  *out, *p;
    ngx_int_t                rc;
    ngx_http_miqps_clean_t   clean;

    out = ngx_http_miqps_bulk_room(bulk, line->len + NGX_HTTP_MIQPS_BULK_MORE
                                         + NGX_HTTP_MIQPS_BULK_VERDICT);
    if (out == NULL) {
        return NGX_ERROR;
    }

    p = out;

    rc = ngx_http_miqps_bulk_url(bulk, line, &clean);

    p = (rc == NGX_OK && clean.changed)
        ? p + ngx_http_miqps_clean_put(&clean, p)
        : ngx_cpymem(p, line->data, line->len);

    if (!bulk->verdicts) {
        *p++ = '\n';
        ngx_http_miqps_bulk_used(bulk, p - out);

        return NGX_OK;
    }

    *p++ = '\t';
    p += ngx_http_miqps_bulk_verdict(bulk, rc, &clean, p);
    *p++ = '\t';

    ngx_http_miqps_bulk_used(bulk, p - out);

    if (rc == NGX_OK && ngx_http_miqps_bulk_names(bulk, &clean) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_miqps_bulk_put(bulk, "\n", 1);
}


/* joined by "&", as in $miqps_stripped */

static ngx_int_t
ngx_http_miqps_bulk_names(ngx_http_miqps_bulk_t *bulk,
    ngx_http_miqps_clean_t *clean)
{
    size_t          i, n;
    ngx_uint_t      more;
    miqps_param_t  *param;

    more = 0;
    n = ngx_http_miqps_bulk_nstripped(clean);
    param = bulk->conf->main->work->params;

    for (i = 0; i < n; i++) {

        if (param[i].action != MIQPS_STRIP) {
            continue;
        }

        if ((more && ngx_http_miqps_bulk_put(bulk, "&", 1) != NGX_OK)
            || ngx_http_miqps_bulk_put(bulk, param[i].name, param[i].name_len)
               != NGX_OK)
        {
            return NGX_ERROR;
        }

        more = 1;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_miqps_bulk_url(ngx_http_miqps_bulk_t *bulk, ngx_str_t *in,
    ngx_http_miqps_clean_t *clean)
{
    if (bulk->off) {
        return NGX_DECLINED;
    }

    return ngx_http_miqps_clean(bulk->request, bulk->conf, bulk->flags,
                                &bulk->host, in, clean);
}


size_t
ngx_http_miqps_bulk_verdict(ngx_http_miqps_bulk_t *bulk, ngx_int_t rc,
    ngx_http_miqps_clean_t *clean, u_char *out)
{
    miqps_result_t            *res;
    ngx_http_miqps_verdict_e   verdict;

    if (rc != NGX_OK) {
        return ngx_sprintf(out, "%s", bulk->off ? "off" : "not-a-url") - out;
    }

    res = &clean->res;

    if (res->guard != MIQPS_GUARD_PASS) {
        return ngx_sprintf(out, "opaque:%s", miqps_guard_name(res->guard))
               - out;
    }

    verdict = (res->nstripped > 0) ? NGX_HTTP_MIQPS_STRIPPED
              : res->moved ? NGX_HTTP_MIQPS_MOVED
              : clean->changed ? NGX_HTTP_MIQPS_NORMALIZED
              : NGX_HTTP_MIQPS_CLEAN;

    return ngx_sprintf(out, "%s", ngx_http_miqps_verdict_name(verdict)) - out;
}
