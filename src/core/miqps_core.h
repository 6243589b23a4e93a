
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_CORE_H_INCLUDED_
#define _MIQPS_CORE_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>
#include <string.h>


/*
 * What every file of the core shares: strings, results, limits.
 *
 * The core is pure.  It uses the mem*() functions of the C library, PCRE2
 * and xxHash; it does no I/O, keeps no global state, reads no clock, and
 * allocates only while a policy is being built, through miqps_mem_t.
 */


#define MIQPS_VERSION  "0.4.0"


/* what few requests need, so that it does not burden the rest */

#define miqps_noinline       __attribute__((noinline))
#define miqps_always_inline  __attribute__((always_inline))

/* for processors that have it, which are asked before */

#define miqps_avx2           __attribute__((target("avx2")))


/* bytes with a length, not terminated; the owner is named at each use */

typedef struct {
    const uint8_t  *data;
    size_t          len;
} miqps_str_t;


#define miqps_string(s)  { (const uint8_t *) (s), sizeof(s) - 1 }
#define miqps_null_str   { NULL, 0 }


typedef enum {
    MIQPS_OK = 0,
    MIQPS_AGAIN,           /* there is more to do */
    MIQPS_NO_SPACE,        /* the caller's buffer is below the bound */
    MIQPS_NO_MEMORY,       /* miqps_mem_t gave NULL */
    MIQPS_SYNTAX,          /* not of the form that is asked for */
    MIQPS_TOO_LONG,        /* above a limit stated here */
    MIQPS_BAD_REGEX,       /* PCRE2 refuses to compile it */
    MIQPS_COSTLY_REGEX     /* it reaches its limits on short names */
} miqps_rc_e;


/*
 * A query with more pieces between ampersands than this passes untouched:
 * PHP (max_input_vars), qs (parameterLimit), node's querystring (maxKeys),
 * Django and Tomcat all stop reading after 1000, so that removing or moving
 * one would let another, which the application never saw, appear.
 */

#define MIQPS_MAX_PARAMS   1000

/* Rack refuses more than 64 KiB of names, so that removing some would help */

#define MIQPS_MAX_ARGS     (64 * 1024)      /* bytes of a query string */

#define MIQPS_MAX_HOST     255              /* bytes of a host name */
#define MIQPS_MAX_RULE     4096             /* bytes of the text of a rule */
#define MIQPS_MAX_ACTIVE   32               /* scopes one URL can be in */


/*
 * Memory that lives as long as the policy made from it.  alloc() returns
 * memory aligned for any type, or NULL; nothing is ever given back through
 * this interface, so that a pool or an arena can stand behind it.
 */

typedef struct {
    void         *(*alloc)(void *data, size_t size);
    void           *data;
} miqps_mem_t;


/* a text that could not be compiled, and why; the text is the caller's */

typedef struct {
    miqps_str_t     text;
    size_t          offset;         /* in the text, where it is wrong */
    char            message[128];
} miqps_fault_t;


static inline int
miqps_str_eq(const miqps_str_t *a, const miqps_str_t *b)
{
    return a->len == b->len
           && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}


static inline void
miqps_fault_set(miqps_fault_t *fault, const miqps_str_t *text, size_t offset,
    const char *message)
{
    size_t  len;

    for (len = 0; message[len] != '\0'; len++) {
        if (len == sizeof(fault->message) - 1) {
            break;
        }
    }

    memcpy(fault->message, message, len);
    fault->message[len] = '\0';
    fault->offset = offset;
    fault->text = *text;
}


#endif /* _MIQPS_CORE_H_INCLUDED_ */
