
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_glob.h"


miqps_rc_e
miqps_glob_init(miqps_glob_t *glob, const miqps_str_t *text)
{
    size_t          left;
    const uint8_t  *star;

    memset(glob, 0, sizeof(miqps_glob_t));

    glob->prefix = *text;

    star = (text->len > 0) ? memchr(text->data, '*', text->len) : NULL;

    if (star == NULL) {
        return MIQPS_OK;
    }

    glob->star = 1;
    glob->prefix.len = (size_t) (star - text->data);

    left = text->len - glob->prefix.len - 1;

    glob->suffix.data = star + 1;
    glob->suffix.len = left;

    if (left > 0 && memchr(star + 1, '*', left) != NULL) {
        return MIQPS_SYNTAX;
    }

    return MIQPS_OK;
}
