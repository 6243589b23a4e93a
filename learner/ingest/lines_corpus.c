
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "lines.h"


/* version, time, client, scheme, host, target, type, size and cache */

#define LEARN_CORPUS_FIELDS  9


int
learn_line_corpus(const miqps_str_t *line, learn_record_t *record)
{
    static const learn_field_e  fields[LEARN_CORPUS_FIELDS] = {
        LEARN_FIELD_OTHER, LEARN_FIELD_TIME, LEARN_FIELD_CLIENT,
        LEARN_FIELD_SCHEME, LEARN_FIELD_HOST, LEARN_FIELD_TARGET,
        LEARN_FIELD_TYPE, LEARN_FIELD_OTHER, LEARN_FIELD_OTHER
    };

    size_t          i, len;
    const uint8_t  *p, *last, *end;

    memset(record, 0, sizeof(learn_record_t));

    if (line->len < 2 || memcmp(line->data, "1\t", 2) != 0) {
        return 0;
    }

    p = line->data;
    last = p + line->len;

    for (i = 0; i < LEARN_CORPUS_FIELDS; i++) {
        end = (p < last) ? memchr(p, '\t', (size_t) (last - p)) : NULL;

        if ((end == NULL) != (i == LEARN_CORPUS_FIELDS - 1)) {
            return 0;
        }

        len = (size_t) (((end != NULL) ? end : last) - p);

        if (len == 0) {
            return 0;
        }

        if (fields[i] != LEARN_FIELD_OTHER) {
            record->field[fields[i]].data = p;
            record->field[fields[i]].len = len;
        }

        p += len + 1;
    }

    record->keyed = 1;
    record->escaped = 1;

    return 1;
}
