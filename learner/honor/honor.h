
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_HONOR_H_INCLUDED_
#define _LEARN_HONOR_H_INCLUDED_


#include "arena.h"
#include "miqps_core.h"


/*
 * WHAT A HOST SAYS OF ITS PARAMETERS
 *
 * That some do not matter, by either of
 *
 *     No-Vary-Search: params=("a" "b")        a header of a page
 *     No-Vary-Search: params, except=("id")
 *     Clean-param: a&b /path                  a line of its robots.txt
 *
 * It is not taken for granted: names that are declared are tried first, and
 * fewer values of them are enough.  What is said by a page holds for its path,
 * and a line for paths that begin as it says, with "*" for any bytes.
 */

#define LEARN_HONOR_NO_VARY   1
#define LEARN_HONOR_CLEAN     2

#define LEARN_HONOR_MAX       256        /* declarations of a host */


typedef struct learn_honor_name_s  learn_honor_name_t;

struct learn_honor_name_s {
    learn_honor_name_t   *next;
    miqps_str_t           text;          /* without escapes */
};


typedef struct learn_declaration_s  learn_declaration_t;

struct learn_declaration_s {
    learn_declaration_t  *next;
    miqps_str_t           path;
    learn_honor_name_t   *names;
    unsigned              except:1;      /* all but these */
    unsigned              exact:1;       /* it is the whole path */
};


typedef struct {
    learn_declaration_t  *list;
    size_t                n;
} learn_honor_t;


/*
 * The value of a header, of a page with this path; one that is not right says
 * nothing.  0 without memory.
 */
int learn_honor_no_vary(learn_honor_t *honor, const char *value,
    const miqps_str_t *path, learn_arena_t *arena);

/* all lines of a robots.txt; 0 without memory */

int learn_honor_robots(learn_honor_t *honor, const uint8_t *data, size_t len,
    learn_arena_t *arena);

/* true if the declaration is about this name, and about this path */

int learn_declaration_names(const learn_declaration_t *one,
    const miqps_str_t *name);
int learn_declaration_holds(const learn_declaration_t *one,
    const miqps_str_t *path);


#endif /* _LEARN_HONOR_H_INCLUDED_ */
