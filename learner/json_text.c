
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "miqps_utf8.h"


int
learn_json_add_text(cJSON *object, const char *key, const uint8_t *data,
    size_t len)
{
    char    *text, *p;
    size_t   i, n;
    cJSON   *item;

    text = malloc(3 * len + 1);

    if (text == NULL) {
        return 0;
    }

    p = text;

    for (i = 0; i < len; i += n) {
        n = miqps_utf8_char(data + i, len - i);

        if (n > 0 && data[i] != '\0') {
            memcpy(p, data + i, n);
            p += n;
            continue;
        }

        memcpy(p, "\xef\xbf\xbd", 3);
        p += 3;
        n = 1;
    }

    *p = '\0';

    item = cJSON_AddStringToObject(object, key, text);

    free(text);

    return item != NULL;
}
