
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_RULES_BOOK_H_INCLUDED_
#define _MIQPS_RULES_BOOK_H_INCLUDED_


#include "miqps_rules.h"


/* How a book grows; for the files of this folder. */


/* room for one more, zeroed, or NULL without memory */

miqps_rule_t *miqps_book_rule(miqps_rules_t *book);
miqps_scope_t *miqps_book_scope(miqps_rules_t *book);
miqps_platform_t *miqps_book_platform(miqps_rules_t *book);

/* a copy that lives as long as the book; MIQPS_OK or MIQPS_NO_MEMORY */

miqps_rc_e miqps_book_copy(miqps_rules_t *book, miqps_str_t *copy,
    const char *text, size_t len);

/* the platform of a name, the one that was defined last; or NULL */

miqps_platform_t *miqps_book_find(miqps_rules_t *book,
    const miqps_str_t *name);

/* makes the rules of a platform part of the book, once */

miqps_rc_e miqps_book_bind(miqps_rules_t *book, miqps_platform_t *platform);

/* "shopify, magento, ...", cut off at "size" */

void miqps_book_names(const miqps_rules_t *book, char *out, size_t size);


#endif /* _MIQPS_RULES_BOOK_H_INCLUDED_ */
