
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _PAGES_H_INCLUDED_
#define _PAGES_H_INCLUDED_


#include <stddef.h>


/*
 * Memory that is read here and there: zeroed, on pages as large as the system
 * has them.  To be free()d; NULL without memory.
 */
void *learn_pages_alloc(size_t size);


#endif /* _PAGES_H_INCLUDED_ */
