
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_BASE64_H_INCLUDED_
#define _LEARN_BASE64_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>


/* Bytes inside of JSON, RFC 4648, section 4. */

/* bytes of the text for "len" bytes, with a zero byte at its end */

#define learn_base64_room(len)  (((len) + 2) / 3 * 4 + 1)

/* writes that text */

void learn_base64_write(const uint8_t *data, size_t len, char *text);

/*
 * Reads a text in place of itself or into "data", which has room for "len" / 4
 * * 3 bytes, and says in "*n" how many there are.  0 if it is no such text.
 */
int learn_base64_read(const char *text, size_t len, uint8_t *data, size_t *n);


#endif /* _LEARN_BASE64_H_INCLUDED_ */
