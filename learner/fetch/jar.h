
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_JAR_H_INCLUDED_
#define _LEARN_JAR_H_INCLUDED_


#include "miqps_core.h"


/*
 * WHAT A PAGE LEAVES BEHIND, AND WHAT IT DEPENDS ON
 *
 * Cookies as hashes of their names and values, and the names of Vary, of a
 * response or of all that a redirect has led through.  Neither order nor
 * repetition counts, nor do a cookie's attributes: these have clocks.
 *
 * Written down, a cookie is two integers of 32 bits, little-endian, its name
 * and its value, in order of both.
 */

#define LEARN_JAR_COOKIES    32          /* the others are one together */
#define LEARN_JAR_VARY       512         /* more than that is "*" */
#define LEARN_JAR_BYTES      (8 * LEARN_JAR_COOKIES)


typedef struct {
    uint32_t                 name;
    uint32_t                 value;
} learn_cookie_t;


typedef struct {
    learn_cookie_t           list[LEARN_JAR_COOKIES];
    uint32_t                 n;
    char                     vary[LEARN_JAR_VARY];  /* "a,b", small letters */
} learn_jar_t;


void learn_jar_init(learn_jar_t *jar);

/* values of the headers Set-Cookie and Vary */

void learn_jar_cookie(learn_jar_t *jar, const char *value);
void learn_jar_vary(learn_jar_t *jar, const char *value);

/* what is in the other one, too */

void learn_jar_add(learn_jar_t *jar, const learn_jar_t *other);

/* writes cookies to "out", of LEARN_JAR_BYTES; their length */

size_t learn_jar_write(const learn_jar_t *jar, uint8_t *out);

/* the names, as a hash; 0: there are no cookies */

uint64_t learn_jar_names(const learn_jar_t *jar);


/*
 * Cookies that were written down: true if there is one with that name, and with
 * that value as well.
 */
int learn_jar_has_name(const miqps_str_t *cookies, uint32_t name);
int learn_jar_has(const miqps_str_t *cookies, const learn_cookie_t *cookie);

/* the i-th of them; 0 if there are no more */

int learn_jar_get(const miqps_str_t *cookies, size_t i,
    learn_cookie_t *cookie);


#endif /* _LEARN_JAR_H_INCLUDED_ */
