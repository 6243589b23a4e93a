
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * Which location nginx would choose for a URI, without choosing it: nothing of
 * the request changes, and no captures are made.  The tree of prefixes and the
 * list of regular expressions are nginx's own; it looks for the longest prefix
 * first, whose nested locations come before the expressions beside it.
 */


typedef struct {
    ngx_http_core_loc_conf_t  *found;
    ngx_uint_t                 exact;     /* nothing else is looked at */
    ngx_uint_t                 redirect;  /* nginx would add a slash */
} ngx_http_miqps_prefix_t;


static void ngx_http_miqps_location_prefix(ngx_http_location_tree_node_t *node,
    ngx_str_t *uri, ngx_http_miqps_prefix_t *prefix);
static ngx_http_core_loc_conf_t *ngx_http_miqps_location_regex(
    ngx_http_core_loc_conf_t *clcf, ngx_str_t *uri, ngx_int_t *rc);
static ngx_http_core_loc_conf_t *ngx_http_miqps_location_conf(void **loc_conf);


/* how deep locations may be nested; nobody does more than a few */

#define NGX_HTTP_MIQPS_NESTED  32


ngx_http_core_loc_conf_t *
ngx_http_miqps_location(ngx_http_request_t *r, ngx_str_t *uri)
{
    ngx_int_t                  rc;
    ngx_uint_t                 i, n;
    ngx_http_miqps_prefix_t    prefix;
    ngx_http_core_srv_conf_t  *cscf;
    ngx_http_core_loc_conf_t  *level[NGX_HTTP_MIQPS_NESTED], *clcf, *found;
    ngx_http_core_loc_conf_t  *regex;

    regex = NULL;
    cscf = ngx_http_get_module_srv_conf(r, ngx_http_core_module);

    clcf = ngx_http_miqps_location_conf(cscf->ctx->loc_conf);
    n = 0;

    for ( ;; ) {

        if (n == NGX_HTTP_MIQPS_NESTED) {
            return NULL;
        }

        level[n++] = clcf;

        ngx_http_miqps_location_prefix(clcf->static_locations, uri, &prefix);

        if (prefix.redirect) {
            return NULL;
        }

        if (prefix.exact) {
            return (regex == NULL) ? prefix.found : NULL;
        }

        if (prefix.found != NULL) {
            clcf = prefix.found;
            continue;
        }

        /* expressions of this level, then of those around it but for "^~" */

        found = NULL;

        for (i = n; i > 0 && found == NULL; i--) {

            if (i < n && level[i]->noregex) {
                continue;
            }

            found = ngx_http_miqps_location_regex(level[i - 1], uri, &rc);

            if (rc == NGX_ERROR) {
                return NULL;
            }
        }

        /*
         * What is nested in an expression may use captures of it, of which
         * nobody would know that they are of another path.
         */

        if (found == NULL) {
            return (regex == NULL || regex == clcf) ? clcf : NULL;
        }

        if (regex != NULL) {
            return NULL;
        }

        /* those in it, and nothing around it any more */

        regex = found;
        clcf = found;
        n = 0;
    }
}


static void
ngx_http_miqps_location_prefix(ngx_http_location_tree_node_t *node,
    ngx_str_t *uri, ngx_http_miqps_prefix_t *prefix)
{
    u_char     *p;
    size_t      left, len;
    ngx_int_t   rc;

    prefix->found = NULL;
    prefix->exact = 0;
    prefix->redirect = 0;

    p = uri->data;
    left = uri->len;

    while (node != NULL) {
        len = node->len;
        rc = ngx_filename_cmp(p, node->name, ngx_min(left, len));

        if (rc != 0) {
            node = (rc < 0) ? node->left : node->right;
            continue;
        }

        if (left < len) {

            if (left + 1 == len && node->auto_redirect) {
                prefix->redirect = 1;
            }

            node = node->left;
            continue;
        }

        if (left == len) {
            prefix->redirect = 0;
            prefix->exact = (node->exact != NULL);
            prefix->found = ngx_http_miqps_location_conf(
                                (node->exact != NULL) ? node->exact->loc_conf
                                                   : node->inclusive->loc_conf);
            return;
        }

        if (node->inclusive == NULL) {
            node = node->right;
            continue;
        }

        prefix->redirect = 0;
        prefix->found = ngx_http_miqps_location_conf(node->inclusive->loc_conf);

        p += len;
        left -= len;
        node = node->tree;
    }
}


/* NULL if none is for it; "rc" is NGX_ERROR if that cannot be told */

static ngx_http_core_loc_conf_t *
ngx_http_miqps_location_regex(ngx_http_core_loc_conf_t *clcf, ngx_str_t *uri,
    ngx_int_t *rc)
{
#if (NGX_PCRE)

    ngx_int_t                   n;
    ngx_http_core_loc_conf_t  **regex;

    *rc = NGX_OK;

    for (regex = clcf->regex_locations; regex != NULL && *regex != NULL;
         regex++)
    {
        n = ngx_regex_exec((*regex)->regex->regex, uri, NULL, 0);

        if (n >= 0) {
            return ngx_http_miqps_location_conf((*regex)->loc_conf);
        }

        if (n != NGX_REGEX_NO_MATCHED) {
            *rc = NGX_ERROR;
            return NULL;
        }
    }

#else

    *rc = NGX_OK;

#endif

    return NULL;
}


static ngx_http_core_loc_conf_t *
ngx_http_miqps_location_conf(void **loc_conf)
{
    return loc_conf[ngx_http_core_module.ctx_index];
}
