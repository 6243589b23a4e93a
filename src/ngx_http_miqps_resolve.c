
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_reference.h"

#include <uriparser/Uri.h>


/*
 * uriparser has its memory from a buffer, of which nothing is given back: what
 * it makes of one path is gone with the next.
 */

typedef struct {
    u_char           *p;
    u_char           *end;
} ngx_http_miqps_arena_t;


static ngx_int_t ngx_http_miqps_resolve_text(const char *first,
    const char *last, UriMemoryManager *memory, u_char *to, size_t room,
    size_t *len);
static void *ngx_http_miqps_resolve_malloc(UriMemoryManager *memory,
    size_t size);
static void *ngx_http_miqps_resolve_realloc(UriMemoryManager *memory,
    void *data, size_t size);
static void ngx_http_miqps_resolve_free(UriMemoryManager *memory, void *data);


/* what a path stands behind while it is resolved */

#define NGX_HTTP_MIQPS_ANY  "http://a"


ngx_uint_t
ngx_http_miqps_resolve_dots(const ngx_str_t *path)
{
    u_char  *p, *last, *end;

    last = path->data + path->len;

    for (p = path->data; p < last; p = end + 1) {
        end = ngx_strlchr(p, last, '/');

        if (end == NULL) {
            end = last;
        }

        if ((end - p == 1 && p[0] == '.')
            || (end - p == 2 && p[0] == '.' && p[1] == '.'))
        {
            return 1;
        }
    }

    return 0;
}


ngx_uint_t
ngx_http_miqps_resolve_escaped(const ngx_str_t *path)
{
    u_char  *p, *last;

    last = path->data + path->len;

    for (p = path->data; last - p >= 3; p++) {

        p = ngx_strlchr(p, last - 2, '%');

        if (p == NULL) {
            return 0;
        }

        if (p[1] == '2' && (p[2] | 0x20) == 'e') {
            return 1;
        }
    }

    return 0;
}


ngx_int_t
ngx_http_miqps_resolve(const ngx_str_t *path, u_char *buf, ngx_str_t *out)
{
    u_char                  *text;
    size_t                   len, room;
    UriMemoryManager         memory;
    ngx_http_miqps_arena_t   arena;

    if (path->len > NGX_HTTP_MIQPS_MAX_DOTS) {
        return NGX_DECLINED;
    }

    /* a result is no longer than its text, but for a zero byte */

    room = sizeof(NGX_HTTP_MIQPS_ANY) + path->len;
    text = buf + room;

    ngx_memcpy(ngx_cpymem(text, NGX_HTTP_MIQPS_ANY,
                          sizeof(NGX_HTTP_MIQPS_ANY) - 1),
               path->data, path->len);

    arena.p = text + room;
    arena.end = buf + NGX_HTTP_MIQPS_RESOLVE;

    memory.malloc = ngx_http_miqps_resolve_malloc;
    memory.calloc = uriEmulateCalloc;
    memory.realloc = ngx_http_miqps_resolve_realloc;
    memory.reallocarray = uriEmulateReallocarray;
    memory.free = ngx_http_miqps_resolve_free;
    memory.userData = &arena;

    if (ngx_http_miqps_resolve_text((char *) text, (char *) text + room - 1,
                                    &memory, buf, room, &len)
        != NGX_OK)
    {
        return NGX_DECLINED;
    }

    out->data = buf + sizeof(NGX_HTTP_MIQPS_ANY) - 1;
    out->len = len - (sizeof(NGX_HTTP_MIQPS_ANY) - 1);

    return (out->len > 0) ? NGX_OK : NGX_DECLINED;
}


/* 5.2.2 of RFC 3986; a URL with a scheme takes nothing from a base */

static ngx_int_t
ngx_http_miqps_resolve_text(const char *first, const char *last,
    UriMemoryManager *memory, u_char *to, size_t room, size_t *len)
{
    int          n;
    UriUriA      uri, base, whole;
    const char  *at;

    static const char  any[] = NGX_HTTP_MIQPS_ANY "/";

    if (uriParseSingleUriExMmA(&uri, first, last, &at, memory) != URI_SUCCESS
        || uriParseSingleUriExMmA(&base, any, any + sizeof(any) - 1, &at,
                                  memory)
           != URI_SUCCESS
        || uriAddBaseUriExMmA(&whole, &uri, &base, URI_RESOLVE_STRICTLY,
                              memory)
           != URI_SUCCESS
        || uriToStringA((char *) to, &whole, (int) room, &n) != URI_SUCCESS)
    {
        return NGX_ERROR;
    }

    /* with the zero byte */

    *len = (size_t) n - 1;

    return NGX_OK;
}


static void *
ngx_http_miqps_resolve_malloc(UriMemoryManager *memory, size_t size)
{
    u_char                  *p;
    ngx_http_miqps_arena_t  *arena;

    arena = memory->userData;

    p = ngx_align_ptr(arena->p, 16);

    if (p > arena->end || size > (size_t) (arena->end - p)) {
        return NULL;
    }

    arena->p = p + size;

    return p;
}


/* for lists of parameters, of which there are none here */

static void *
ngx_http_miqps_resolve_realloc(UriMemoryManager *memory, void *data,
    size_t size)
{
    return (data == NULL) ? ngx_http_miqps_resolve_malloc(memory, size) : NULL;
}


static void
ngx_http_miqps_resolve_free(UriMemoryManager *memory, void *data)
{
    /* void */
}
