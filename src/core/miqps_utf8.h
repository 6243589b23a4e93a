
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_UTF8_H_INCLUDED_
#define _MIQPS_UTF8_H_INCLUDED_


#include "miqps_core.h"


/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF */


/* the length of the character at the start of "left" bytes, or 0 */

size_t miqps_utf8_char(const uint8_t *p, size_t left);

/* true if all of it are characters */

int miqps_utf8_valid(const uint8_t *p, size_t len);


#endif /* _MIQPS_UTF8_H_INCLUDED_ */
