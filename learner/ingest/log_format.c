
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE                     /* memmem() */

#include "log_format.h"


static const char  *learn_log_format_variable(learn_log_format_t *format,
    const char *p, const char **end);
static const char  *learn_log_format_check(learn_log_format_t *format);
static size_t  learn_log_name(const char *p);


const char *
learn_log_format_init(learn_log_format_t *format, const char *text)
{
    size_t       len;
    const char  *p, *error;

    memset(format, 0, sizeof(learn_log_format_t));

    len = strcspn(text, "$");

    format->start.data = (const uint8_t *) text;
    format->start.len = len;

    for (p = text + len; *p != '\0'; /* void */) {
        error = learn_log_format_variable(format, p, &p);

        if (error != NULL) {
            return error;
        }
    }

    return learn_log_format_check(format);
}


/* "$name" or "${name}", and the literal behind it */

static const char *
learn_log_format_variable(learn_log_format_t *format, const char *p,
    const char **end)
{
    int                braced;
    size_t             len;
    learn_log_part_t  *part;

    if (format->n == LEARN_LOG_PARTS) {
        return "it has more than 64 variables";
    }

    p++;
    braced = (*p == '{');
    p += braced;

    len = learn_log_name(p);

    if (len == 0 || (braced && p[len] != '}')) {
        return "a \"$\" is not followed by the name of a variable";
    }

    part = &format->part[format->n++];
    part->field = learn_record_variable((const uint8_t *) p, len);

    p += len + (size_t) braced;
    len = strcspn(p, "$");

    part->end.data = (const uint8_t *) p;
    part->end.len = len;

    if (len == 0 && *p != '\0') {
        return "two variables have nothing between them, so that nobody "
               "knows where the first one ends";
    }

    *end = p + len;

    return NULL;
}


static size_t
learn_log_name(const char *p)
{
    size_t  n;

    for (n = 0; (p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z')
                || (p[n] >= '0' && p[n] <= '9') || p[n] == '_'; n++)
    {
        /* void */
    }

    return n;
}


static const char *
learn_log_format_check(learn_log_format_t *format)
{
    int     has[LEARN_FIELD_MAX + 1];
    size_t  i;

    memset(has, 0, sizeof(has));

    for (i = 0; i < format->n; i++) {
        has[format->part[i].field] = 1;
    }

    if (!has[LEARN_FIELD_REQUEST] && !has[LEARN_FIELD_TARGET]) {
        return "it has neither $request nor $request_uri";
    }

    while (format->part[format->n - 1].field == LEARN_FIELD_OTHER) {
        format->n--;
    }

    return NULL;
}


int
learn_log_format_line(const learn_log_format_t *format,
    const miqps_str_t *line, learn_record_t *record)
{
    size_t                   i;
    miqps_str_t              value;
    const uint8_t           *p, *last, *end;
    const learn_log_part_t  *part;

    memset(record, 0, sizeof(learn_record_t));

    record->escaped = 1;

    p = line->data;
    last = p + line->len;

    if (line->len < format->start.len
        || memcmp(p, format->start.data, format->start.len) != 0)
    {
        return 0;
    }

    p += format->start.len;

    for (i = 0; i < format->n; i++) {
        part = &format->part[i];
        end = last;

        if (part->end.len > 0) {
            end = memmem(p, (size_t) (last - p), part->end.data,
                         part->end.len);
        }

        /* a line may end behind the last one that is needed */

        if (end == NULL && i == format->n - 1) {
            end = last;
        }

        if (end == NULL) {
            return 0;
        }

        value.data = p;
        value.len = (size_t) (end - p);

        if (part->field < LEARN_FIELD_MAX && value.len > 0) {
            record->field[part->field] = value;
        }

        p = (end < last) ? end + part->end.len : last;
    }

    return 1;
}
