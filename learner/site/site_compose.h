
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SITE_COMPOSE_H_INCLUDED_
#define _LEARN_SITE_COMPOSE_H_INCLUDED_


#include "site.h"


/* a rule while it is made, see site_compose.c: segments of both of its sides */

#define LEARN_COMPOSE_MAX   32


typedef enum {
    LEARN_PART_WORD = 0,           /* a token */
    LEARN_PART_STAR,               /* "*", the same one in both */
    LEARN_PART_DEEP,               /* "**", the same */
    LEARN_PART_ATOM,               /* a pattern that is dropped */
    LEARN_PART_VALUE,              /* "{v}", the value of a parameter */
    LEARN_PART_HEAD,               /* "{h}", one of those that paths begin
                                      with */
    LEARN_PART_NAME,               /* "{l}", a last segment without a dot */
    LEARN_PART_TABLE,              /* "{t}", a value of a table */
    LEARN_PART_COPY,               /* "{a}", a value that is in both */
    LEARN_PART_FILE                /* "{x}" and an extension */
} learn_part_e;


typedef struct {
    learn_part_e         kind;
    uint32_t             token;
    uint32_t             other;          /* place in the target, or NOTHING */
} learn_part_t;


typedef struct {
    learn_site_t        *site;
    learn_part_t         from[LEARN_COMPOSE_MAX];
    uint32_t             nfrom;
    learn_part_t         to[LEARN_COMPOSE_MAX];
    uint32_t             nto;
    learn_site_rule_t   *rule;
    unsigned             path:1;         /* something was said of it */
    unsigned             moved:1;
} learn_compose_t;


/*
 * site_compose_text.c: a side of the rule as the text that maps have of it, of
 * LEARN_SITE_TEXT bytes; 0 if that has no room, or no text says it.
 */
int learn_compose_text(const learn_compose_t *compose,
    const learn_part_t *parts, uint32_t n, int source, char *out);


#endif /* _LEARN_SITE_COMPOSE_H_INCLUDED_ */
