
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "bench.h"


/*
 * Other libraries on the same URLs, each used as its manual shows.  What is
 * not installed is left out.
 */

#ifdef __has_include

#if __has_include(<uriparser/Uri.h>)
#define BENCH_URIPARSER  1
#endif

#if __has_include(<curl/curl.h>)
#define BENCH_CURL  1
#endif

#endif


#ifdef BENCH_URIPARSER

#include <uriparser/Uri.h>


static uint64_t
bench_uriparser_parse(const bench_set_t *set, uint8_t *buf)
{
    size_t       i;
    uint64_t     sum;
    UriUriA      uri;
    const char  *p, *error;

    (void) buf;

    sum = 0;

    for (i = 0; i < set->n; i++) {
        p = (const char *) set->urls[i].url.data;

        if (uriParseSingleUriExA(&uri, p, p + set->urls[i].url.len, &error)
            != URI_SUCCESS)
        {
            sum++;
            continue;
        }

        sum += (uint64_t) (uri.query.afterLast - uri.query.first);

        uriFreeUriMembersA(&uri);
    }

    return sum;
}


/* the query taken apart and put together, and the rest of the URL */

static uint64_t
bench_uriparser_query(const UriUriA *uri, char *out)
{
    int             n, written;
    UriQueryListA  *list;

    n = 0;
    written = 0;
    list = NULL;

    if (uri->query.first == NULL
        || uriDissectQueryMallocExA(&list, &n, uri->query.first,
                                    uri->query.afterLast, URI_TRUE,
                                    URI_BR_DONT_TOUCH)
           != URI_SUCCESS)
    {
        return 0;
    }

    (void) uriComposeQueryExA(out, list, BENCH_BUF / 2, &written, URI_TRUE,
                              URI_FALSE);

    uriFreeQueryListA(list);

    return (uint64_t) (n + written);
}


static uint64_t
bench_uriparser_all(const bench_set_t *set, uint8_t *buf)
{
    int          written;
    char        *out;
    size_t       i;
    uint64_t     sum;
    UriUriA      uri;
    const char  *p, *error;

    sum = 0;
    out = (char *) buf;

    for (i = 0; i < set->n; i++) {
        p = (const char *) set->urls[i].url.data;

        if (uriParseSingleUriExA(&uri, p, p + set->urls[i].url.len, &error)
            != URI_SUCCESS)
        {
            sum++;
            continue;
        }

        written = 0;

        if (uriNormalizeSyntaxA(&uri) == URI_SUCCESS) {
            sum += bench_uriparser_query(&uri, out);
            (void) uriToStringA(out, &uri, BENCH_BUF / 2, &written);
        }

        sum += (uint64_t) written;

        uriFreeUriMembersA(&uri);
    }

    return sum;
}

#endif


#ifdef BENCH_CURL

#include <curl/curl.h>


static uint64_t
bench_curl(const bench_set_t *set, uint8_t *buf)
{
    char      *out;
    CURLU     *handle;
    size_t     i;
    uint64_t   sum;

    (void) buf;

    sum = 0;
    handle = curl_url();

    for (i = 0; i < set->n; i++) {

        if (curl_url_set(handle, CURLUPART_URL,
                         (const char *) set->urls[i].url.data, 0) != CURLUE_OK
            || curl_url_get(handle, CURLUPART_URL, &out, 0) != CURLUE_OK)
        {
            sum++;
            continue;
        }

        sum += strlen(out);

        curl_free(out);
    }

    curl_url_cleanup(handle);

    return sum;
}

#endif


const bench_row_t  bench_peers[] = {

#ifdef BENCH_URIPARSER
    { "uriparser-parse", "uriparser: parse",
      bench_uriparser_parse },

    { "uriparser-all", "uriparser: parse, normalize, query apart and together",
      bench_uriparser_all },
#endif

#ifdef BENCH_CURL
    { "curl-url", "libcurl: curl_url_set(), curl_url_get()",
      bench_curl },
#endif

    { NULL, NULL, NULL }
};


const size_t  bench_npeers = sizeof(bench_peers) / sizeof(bench_peers[0]) - 1;
