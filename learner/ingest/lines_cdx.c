
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "lines.h"


/* of a line whose file does not say it */

#define LEARN_CDX_USUAL  "NbamskrMSVg"


static int  learn_cdx_json(const miqps_str_t *line, learn_record_t *record,
    cJSON **json);
static size_t  learn_cdx_word(const uint8_t **p, const uint8_t *last,
    miqps_str_t *word);


void
learn_line_cdx_init(learn_cdx_t *cdx)
{
    cdx->n = sizeof(LEARN_CDX_USUAL) - 1;
    memcpy(cdx->column, LEARN_CDX_USUAL, cdx->n);
}


int
learn_line_cdx_head(learn_cdx_t *cdx, const miqps_str_t *line)
{
    miqps_str_t     word;
    const uint8_t  *p, *last;

    p = line->data;
    last = p + line->len;

    if (line->len < 5 || memcmp(p, " CDX ", 5) != 0) {
        return 0;
    }

    p += 5;
    cdx->n = 0;

    while (learn_cdx_word(&p, last, &word) > 0
           && cdx->n < LEARN_CDX_COLUMNS)
    {
        cdx->column[cdx->n++] = (char) word.data[0];
    }

    return 1;
}


int
learn_line_cdx(const learn_cdx_t *cdx, const miqps_str_t *line,
    learn_record_t *record, cJSON **json)
{
    size_t          i;
    miqps_str_t     word;
    learn_field_e   field;
    const uint8_t  *p, *last;

    *json = NULL;

    if (line->len > 0 && line->data[line->len - 1] == '}') {
        return learn_cdx_json(line, record, json);
    }

    memset(record, 0, sizeof(learn_record_t));

    p = line->data;
    last = p + line->len;

    for (i = 0; learn_cdx_word(&p, last, &word) > 0; i++) {

        if (i == cdx->n) {
            return 0;
        }

        switch (cdx->column[i]) {
        case 'a':
            field = LEARN_FIELD_TARGET;
            break;
        case 's':
            field = LEARN_FIELD_STATUS;
            break;
        case 'm':
            field = LEARN_FIELD_TYPE;
            break;
        default:
            continue;
        }

        record->field[field] = word;
    }

    record->listed = 1;

    return i == cdx->n && record->field[LEARN_FIELD_TARGET].len > 0;
}


/* "com,example)/ 20261117160000 {...}" */

static int
learn_cdx_json(const miqps_str_t *line, learn_record_t *record, cJSON **json)
{
    miqps_str_t     object;
    const uint8_t  *start;

    start = memchr(line->data, '{', line->len);

    if (start == NULL || start == line->data || start[-1] != ' ') {
        return 0;
    }

    object.data = start;
    object.len = (size_t) (line->data + line->len - start);

    if (!learn_line_json(&object, record, json)) {
        return 0;
    }

    record->listed = 1;

    return record->field[LEARN_FIELD_TARGET].len > 0;
}


static size_t
learn_cdx_word(const uint8_t **p, const uint8_t *last, miqps_str_t *word)
{
    while (*p < last && (**p == ' ' || **p == '\r')) {
        (*p)++;
    }

    word->data = *p;

    while (*p < last && **p != ' ' && **p != '\r') {
        (*p)++;
    }

    word->len = (size_t) (*p - word->data);

    return word->len;
}
