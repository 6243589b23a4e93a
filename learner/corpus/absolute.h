
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ABSOLUTE_H_INCLUDED_
#define _LEARN_ABSOLUTE_H_INCLUDED_


#include "miqps_core.h"


/*
 * URLs of lists, where people and programs have written what they liked, as a
 * browser would ask for them.
 *
 * A URL of RFC 3986 is parsed by uriparser, and "." and ".." of its path are
 * resolved.  Others are repaired as browsers do it: bytes that are not ASCII
 * are escaped, and so are quotes and some brackets, "\" in a path is "/", and
 * a name of a host in other letters gets its ASCII form.  No byte that is
 * allowed changes.
 */

#define LEARN_ABSOLUTE_ROOM(len)  (3 * (len) + 1024)


/*
 * Takes a URL that begins with "http://", "https://" or "//", or a target that
 * begins with "/", which is left as it is.  "buf" has room for
 * LEARN_ABSOLUTE_ROOM(in->len) bytes; "*out" points into it or is "in".
 *
 * MIQPS_OK         "*out" is set
 * MIQPS_SYNTAX     it is none of these, or has a host that cannot be
 * MIQPS_NO_MEMORY  uriparser has none
 */
miqps_rc_e learn_absolute(const miqps_str_t *in, uint8_t *buf,
    miqps_str_t *out);


/*
 * The same for any reference, as pages and redirects have them, relative to
 * "base", which is absolute and plain.  "buf" has room for both.
 */
miqps_rc_e learn_absolute_resolved(const miqps_str_t *in,
    const miqps_str_t *base, uint8_t *buf, miqps_str_t *out);


#endif /* _LEARN_ABSOLUTE_H_INCLUDED_ */
