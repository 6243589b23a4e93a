
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_CHECK_H_INCLUDED_
#define _MAP_CHECK_H_INCLUDED_


#include <libpsl.h>

#include "miqps_core.h"


/*
 * What may stand in a map.  Each returns NULL, or a static clause for people
 * that says what is wrong with the text.
 */


/* a host in lower case, as a request has it */

const char *learn_check_host(const miqps_str_t *host);

/*
 * What stands behind "*.": a host that is no public suffix.  "*psl" is NULL
 * or the list; it is read when it is needed.
 */
const char *learn_check_parent(const miqps_str_t *host, psl_ctx_t **psl);

/*
 * Two hosts of which one leads to the other, without "*.": below a suffix at
 * which everybody can have a host, as github.io, those of different owners have
 * nothing to do with each other.
 */
const char *learn_check_owners(const miqps_str_t *one, const miqps_str_t *two,
    psl_ctx_t **psl);

/* "/p/" and so on, as described in miqps_image.h, and its numbers */

const char *learn_check_shape(const miqps_str_t *path, uint32_t *segments,
    uint32_t *literals);


/*
 * Names and values as the core sees them: bytes that are not ASCII are
 * escaped in names, and escapes are normalized.  "out" is room for
 * 3 * text->len bytes, which "res" may point to.
 */

const char *learn_check_name(const miqps_str_t *text, uint8_t *out,
    miqps_str_t *res);
const char *learn_check_value(const miqps_str_t *text, uint8_t *out,
    miqps_str_t *res);

#define LEARN_CHECK_MAX_NAME  4096      /* bytes, as given */

/* only the escapes of bytes that are not ASCII; returns the length */

size_t learn_check_escape(const miqps_str_t *text, uint8_t *out);


/* seconds since 1970 of "2026-11-17T11:39:00Z", which is UTC */

const char *learn_check_time(const char *text, uint64_t *seconds);


#endif /* _MAP_CHECK_H_INCLUDED_ */
