
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "pages.h"


#define LEARN_LARGE_PAGE  (2 * 1024 * 1024)


void *
learn_pages_alloc(size_t size)
{
    void  *p;

    if (size < LEARN_LARGE_PAGE) {
        return calloc(1, size);
    }

    if (posix_memalign(&p, LEARN_LARGE_PAGE, size) != 0) {
        return NULL;
    }

#ifdef MADV_HUGEPAGE

    /* no harm is done if there are none */

    (void) madvise(p, size & ~(size_t) (LEARN_LARGE_PAGE - 1), MADV_HUGEPAGE);

#endif

    memset(p, 0, size);

    return p;
}
