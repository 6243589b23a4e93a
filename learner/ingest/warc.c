
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <strings.h>

#include "learn.h"
#include "warc.h"


static int  learn_warc_head(learn_warc_t *warc);
static int  learn_warc_line(learn_warc_t *warc, miqps_str_t *line);
static void  learn_warc_field(learn_warc_t *warc, const miqps_str_t *line);
static int  learn_warc_block(learn_warc_t *warc);
static int  learn_warc_cut(const learn_warc_t *warc);
static void  learn_warc_copy(miqps_str_t *to, uint8_t *buf, size_t room,
    const miqps_str_t *from);
static int  learn_warc_named(const miqps_str_t *line, const char *name,
    miqps_str_t *value);


void
learn_warc_init(learn_warc_t *warc, learn_reader_t *reader)
{
    memset(warc, 0, sizeof(learn_warc_t));

    warc->reader = reader;
}


int
learn_warc_next(learn_warc_t *warc, learn_record_t *record, learn_line_e *what)
{
    int  rc;

    warc->response = 0;
    warc->length = 0;
    warc->url_len = 0;
    warc->status.len = 0;
    warc->type.len = 0;

    rc = learn_warc_head(warc);

    if (rc == 2) {
        *what = LEARN_LINE_FORM;
        return 1;
    }

    if (rc == 1) {
        rc = learn_warc_block(warc);
    }

    if (rc != 1) {
        return rc;
    }

    memset(record, 0, sizeof(learn_record_t));

    record->listed = 1;
    record->field[LEARN_FIELD_TARGET].data = warc->url;
    record->field[LEARN_FIELD_TARGET].len = warc->url_len;
    record->field[LEARN_FIELD_STATUS] = warc->status;
    record->field[LEARN_FIELD_TYPE] = warc->type;

    *what = !warc->response ? LEARN_LINE_EMPTY
            : (warc->url_len == 0) ? LEARN_LINE_TOO_LONG : LEARN_LINE_TAKEN;

    return 1;
}


/* the fields of a record; 2 for a line that is no beginning of one */

static int
learn_warc_head(learn_warc_t *warc)
{
    int          rc;
    miqps_str_t  line;

    /* a record ends with two empty lines */

    do {
        rc = learn_warc_line(warc, &line);

        if (rc <= 0) {
            return rc;
        }

    } while (line.len == 0);

    if (line.len < 5 || memcmp(line.data, "WARC/", 5) != 0) {
        return 2;
    }

    for ( ;; ) {
        rc = learn_warc_line(warc, &line);

        if (rc <= 0) {
            return (rc == 0) ? learn_warc_cut(warc) : rc;
        }

        if (line.len == 0) {
            return 1;
        }

        learn_warc_field(warc, &line);
    }
}


static int
learn_warc_line(learn_warc_t *warc, miqps_str_t *line)
{
    int  rc;

    rc = learn_reader_line(warc->reader, line);

    if (rc > 0 && line->len > 0 && line->data[line->len - 1] == '\r') {
        line->len--;
    }

    return (rc > 0) ? 1 : rc;
}


static void
learn_warc_field(learn_warc_t *warc, const miqps_str_t *line)
{
    char         number[24];
    miqps_str_t  value;

    if (learn_warc_named(line, "WARC-Type", &value)) {
        warc->response = (value.len == 8
                          && memcmp(value.data, "response", 8) == 0);
        return;
    }

    if (learn_warc_named(line, "Content-Length", &value)
        && value.len < sizeof(number))
    {
        memcpy(number, value.data, value.len);
        number[value.len] = '\0';
        warc->length = strtoull(number, NULL, 10);
        return;
    }

    if (!learn_warc_named(line, "WARC-Target-URI", &value)) {
        return;
    }

    /* the first versions of it put it into brackets */

    if (value.len > 1 && value.data[0] == '<'
        && value.data[value.len - 1] == '>')
    {
        value.data++;
        value.len -= 2;
    }

    if (value.len <= sizeof(warc->url)) {
        memcpy(warc->url, value.data, value.len);
        warc->url_len = value.len;
    }
}


/* of a response, the head is read; the rest is passed over */

static int
learn_warc_block(learn_warc_t *warc)
{
    int          rc;
    uint64_t     start, read, done;
    miqps_str_t  line, value;

    start = warc->reader->source.offset;
    read = 0;

    while (warc->response && read < warc->length) {
        rc = learn_warc_line(warc, &line);

        if (rc <= 0) {
            return (rc == 0) ? learn_warc_cut(warc) : rc;
        }

        if (read == 0 && line.len >= 12
            && memcmp(line.data, "HTTP/", 5) == 0)
        {
            value.data = line.data + 9;
            value.len = 3;
            learn_warc_copy(&warc->status, warc->text[0],
                            sizeof(warc->text[0]), &value);

        } else if (learn_warc_named(&line, "Content-Type", &value)) {
            learn_warc_copy(&warc->type, warc->text[1], sizeof(warc->text[1]),
                            &value);
        }

        read = warc->reader->source.offset - start;

        if (line.len == 0) {
            break;
        }
    }

    if (read >= warc->length) {
        return 1;
    }

    rc = learn_reader_skip(warc->reader, warc->length - read, &done);

    if (rc != LEARN_EXIT_OK) {
        return -1;
    }

    return (done < warc->length - read) ? learn_warc_cut(warc) : 1;
}


static int
learn_warc_cut(const learn_warc_t *warc)
{
    learn_complain("%s: '%s' ends in the middle of a record",
                   warc->reader->command, warc->reader->path);

    return -1;
}


static void
learn_warc_copy(miqps_str_t *to, uint8_t *buf, size_t room,
    const miqps_str_t *from)
{
    to->len = (from->len < room) ? from->len : room;
    to->data = buf;

    memcpy(buf, from->data, to->len);
}


/* "Name: value", the name in any case */

static int
learn_warc_named(const miqps_str_t *line, const char *name, miqps_str_t *value)
{
    size_t  n;

    n = strlen(name);

    if (line->len <= n || line->data[n] != ':'
        || strncasecmp((const char *) line->data, name, n) != 0)
    {
        return 0;
    }

    value->data = line->data + n + 1;
    value->len = line->len - n - 1;

    while (value->len > 0 && (value->data[0] == ' ' || value->data[0] == '\t'))
    {
        value->data++;
        value->len--;
    }

    return 1;
}
