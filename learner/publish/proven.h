
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_PROVEN_H_INCLUDED_
#define _LEARN_PROVEN_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/*
 * WHICH PATH RULES REST ON SOMETHING
 *
 * Map source says how many pairs of pages a rule was seen to hold for, as
 * "evidence": {"pairs": 3}.  Images do not.
 */

#define LEARN_PROVEN_PAIRS  2            /* at least */


/*
 * An image of the path rules of map source that rest on so many, on the heap;
 * "*data" is NULL if all of them do.  LEARN_EXIT_OK, or LEARN_EXIT_FAILED
 * after a complaint.
 */
int learn_proven(const char *command, const char *text, size_t len,
    uint8_t **data, size_t *size);


#endif /* _LEARN_PROVEN_H_INCLUDED_ */
