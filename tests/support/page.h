
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _PAGE_H_INCLUDED_
#define _PAGE_H_INCLUDED_


#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>


/*
 * Memory that ends at a guard page: a page that can be neither read nor
 * written.  Whoever goes one byte too far is stopped by the processor.
 *
 * A file that includes this defines _DEFAULT_SOURCE before anything else.
 */

typedef struct {
    uint8_t  *base;
    size_t    size;      /* bytes before the guard page */
} page_t;


static inline void
page_init(page_t *page, size_t size)
{
    void    *p;
    size_t   unit;

    unit = (size_t) sysconf(_SC_PAGESIZE);
    size = (size + unit) / unit * unit;

    p = mmap(NULL, size + unit, PROT_READ|PROT_WRITE,
             MAP_PRIVATE|MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED
        || mprotect((uint8_t *) p + size, unit, PROT_NONE) != 0)
    {
        perror("page_init");
        exit(2);
    }

    page->base = p;
    page->size = size;
}


static inline void
page_release(page_t *page)
{
    (void) munmap(page->base, page->size + (size_t) sysconf(_SC_PAGESIZE));
    page->base = NULL;
}


/* the last "len" bytes before the guard page */

static inline uint8_t *
page_tail(const page_t *page, size_t len)
{
    return page->base + page->size - len;
}


/* a copy of "data" whose last byte is the last before the guard page */

static inline uint8_t *
page_put(const page_t *page, const void *data, size_t len)
{
    uint8_t  *p;

    p = page_tail(page, len);

    if (len > 0) {
        memcpy(p, data, len);
    }

    return p;
}


#endif /* _PAGE_H_INCLUDED_ */
