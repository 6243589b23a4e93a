
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _IMPORT_MEM_H_INCLUDED_
#define _IMPORT_MEM_H_INCLUDED_


#include <stddef.h>

#include "arena.h"


/*
 * Strings of an import: in arenas, in lists, and in a buffer that grows.
 * Whatever can fail for want of memory says so at once.
 */


typedef enum {
    LEARN_IMPORT_OK = 0,
    LEARN_IMPORT_DECLINED,     /* cannot be expressed; see the kind */
    LEARN_IMPORT_ERROR         /* out of memory */
} learn_import_rc_e;


/* a copy that ends with a zero byte, or NULL */

char *learn_import_copy(learn_arena_t *mem, const char *text, size_t len);

/* the strings up to a NULL, joined; or NULL */

char *learn_import_join(learn_arena_t *mem, const char *first, ...);


/* strings in an arena; begins as all zeroes */

typedef struct {
    const char            **item;
    size_t                  n;
    size_t                  size;
} learn_import_list_t;


/* appends the pointer itself; LEARN_IMPORT_ERROR if it is NULL */

learn_import_rc_e learn_import_list_add(learn_arena_t *mem,
    learn_import_list_t *list, const char *text);

/* sorts by bytes and leaves one of equal strings */

void learn_import_list_sort(learn_import_list_t *list);

/* true if there is a string equal to "text"; the list need not be sorted */

int learn_import_list_has(const learn_import_list_t *list, const char *text);


/*
 * Bytes that grow on the heap; begins as all zeroes.  After a failure it
 * stays failed and empty, so that one test at the end is enough.
 */

typedef struct {
    char                   *data;
    size_t                  len;
    size_t                  size;
    unsigned                failed:1;
} learn_import_buf_t;


void learn_import_buf_add(learn_import_buf_t *buf, const char *data,
    size_t len);
void learn_import_buf_text(learn_import_buf_t *buf, const char *text);
void learn_import_buf_release(learn_import_buf_t *buf);


#endif /* _IMPORT_MEM_H_INCLUDED_ */
