
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_JSON_TEXT_H_INCLUDED_
#define _LEARN_JSON_TEXT_H_INCLUDED_


#include <stdint.h>

#include <cjson/cJSON.h>


/*
 * Adds any bytes as a string.  JSON is UTF-8: a byte that is not part of a
 * character, or is NUL, is shown as U+FFFD.  Returns 0 without memory.
 */
int learn_json_add_text(cJSON *object, const char *key, const uint8_t *data,
    size_t len);


#endif /* _LEARN_JSON_TEXT_H_INCLUDED_ */
