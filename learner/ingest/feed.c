
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "feed.h"
#include "learn.h"


static learn_format_e  learn_feed_see(const learn_feed_t *feed);
static learn_format_e  learn_feed_see_line(const miqps_str_t *line);
static int  learn_feed_line(learn_feed_t *feed, learn_record_t *record,
    learn_line_e *what);
static int  learn_feed_record(learn_feed_t *feed, const miqps_str_t *line,
    learn_record_t *record);
static void  learn_feed_url(const miqps_str_t *line, learn_record_t *record);


/* by learn_format_e */

static const char *const  learn_format_names[] = {
    "auto", "urls", "corpus", "combined", "json", "sitemap", "warc", "cdx"
};


learn_format_e
learn_format_find(const char *name)
{
    size_t  i;

    for (i = 0; i < LEARN_FORMAT_LOG; i++) {
        if (strcmp(learn_format_names[i], name) == 0) {
            return (learn_format_e) i;
        }
    }

    return LEARN_FORMAT_MAX;
}


int
learn_feed_init(learn_feed_t *feed, learn_store_t *store, const char *command,
    const char *path, learn_format_e format, learn_log_format_t *log)
{
    int  rc;

    feed->command = command;
    feed->path = path;
    feed->format = format;
    feed->log = log;
    feed->json = NULL;
    feed->sitemap.parser = NULL;
    feed->sitemap.queue.text = NULL;

    learn_line_cdx_init(&feed->cdx);

    rc = learn_reader_init(&feed->reader, store, command, path);

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    feed->kind = (format == LEARN_FORMAT_AUTO) ? learn_feed_see(feed) : format;

    switch (feed->kind) {

    case LEARN_FORMAT_SITEMAP:
        return learn_sitemap_init(&feed->sitemap, &feed->reader);

    case LEARN_FORMAT_WARC:
        learn_warc_init(&feed->warc, &feed->reader);
        break;

    case LEARN_FORMAT_CORPUS:
    case LEARN_FORMAT_COMBINED:
    case LEARN_FORMAT_JSON:
    case LEARN_FORMAT_LOG:

        /* somebody may be writing to it */

        feed->reader.whole = feed->reader.resumes;
        break;

    default:
        break;
    }

    return LEARN_EXIT_OK;
}


void
learn_feed_release(learn_feed_t *feed)
{
    learn_sitemap_release(&feed->sitemap);
    learn_reader_release(&feed->reader);
    cJSON_Delete(feed->json);
}


/* by how the file begins; where lines may be of any kind, by each of them */

static learn_format_e
learn_feed_see(const learn_feed_t *feed)
{
    size_t          i;
    miqps_str_t     line;
    const uint8_t  *end;

    line.data = feed->reader.head;
    line.len = feed->reader.head_len;

    if (line.len >= 3 && memcmp(line.data, "\xef\xbb\xbf", 3) == 0) {
        line.data += 3;
        line.len -= 3;
    }

    for (i = 0; i < line.len && line.data[i] <= ' '; i++) {
        /* void */
    }

    if (i < line.len && line.data[i] == '<') {
        return LEARN_FORMAT_SITEMAP;
    }

    if (line.len >= 5 && memcmp(line.data, "WARC/", 5) == 0) {
        return LEARN_FORMAT_WARC;
    }

    if (line.len >= 5 && memcmp(line.data, " CDX ", 5) == 0) {
        return LEARN_FORMAT_CDX;
    }

    end = (line.len > 0) ? memchr(line.data, '\n', line.len) : NULL;
    line.len = (end != NULL) ? (size_t) (end - line.data) : line.len;

    switch (learn_feed_see_line(&line)) {

    case LEARN_FORMAT_CORPUS:
        return LEARN_FORMAT_CORPUS;

    case LEARN_FORMAT_JSON:
        return LEARN_FORMAT_JSON;

    default:
        return LEARN_FORMAT_AUTO;
    }
}


/* an entry of a log begins with an address, one of CDX with a host's name */

static learn_format_e
learn_feed_see_line(const miqps_str_t *line)
{
    const uint8_t  *p;

    p = line->data;

    if (line->len == 0 || p[0] == '/' || p[0] == '#') {
        return LEARN_FORMAT_URLS;
    }

    if (line->len > 1 && p[0] == '1' && p[1] == '\t') {
        return LEARN_FORMAT_CORPUS;
    }

    if (p[0] == '{') {
        return LEARN_FORMAT_JSON;
    }

    if (line->len > 4 && memcmp(p, "http", 4) == 0) {
        return LEARN_FORMAT_URLS;
    }

    p = memchr(line->data, ')', line->len);

    if (p != NULL && memchr(line->data, ' ', (size_t) (p - line->data)) == NULL)
    {
        return LEARN_FORMAT_CDX;
    }

    return LEARN_FORMAT_COMBINED;
}


int
learn_feed_next(learn_feed_t *feed, learn_entry_t *entry, learn_line_e *what)
{
    int             rc;
    learn_record_t  record;

    cJSON_Delete(feed->json);
    feed->json = NULL;

    switch (feed->kind) {

    case LEARN_FORMAT_SITEMAP:
        rc = learn_sitemap_next(&feed->sitemap, &record, what);
        break;

    case LEARN_FORMAT_WARC:
        rc = learn_warc_next(&feed->warc, &record, what);
        break;

    default:
        rc = learn_feed_line(feed, &record, what);
        break;
    }

    if (rc == 1 && *what == LEARN_LINE_TAKEN) {
        *what = learn_record_entry(&record, feed->reader.store, &feed->work,
                                   entry);
    }

    return rc;
}


static int
learn_feed_line(learn_feed_t *feed, learn_record_t *record,
    learn_line_e *what)
{
    int          got;
    miqps_str_t  line;

    got = learn_reader_line(&feed->reader, &line);

    if (got <= 0) {
        return got;
    }

    if (line.len > 0 && line.data[line.len - 1] == '\r') {
        line.len--;
    }

    if (got == 2) {
        *what = LEARN_LINE_TOO_LONG;

    } else if (line.len == 0) {
        *what = LEARN_LINE_EMPTY;

    } else {
        *what = learn_feed_record(feed, &line, record) ? LEARN_LINE_TAKEN
                                                       : LEARN_LINE_FORM;

        /* the line that says what the columns are */

        if (*what == LEARN_LINE_FORM && line.data[0] == ' '
            && learn_line_cdx_head(&feed->cdx, &line))
        {
            *what = LEARN_LINE_EMPTY;
        }
    }

    return 1;
}


static int
learn_feed_record(learn_feed_t *feed, const miqps_str_t *line,
    learn_record_t *record)
{
    learn_format_e  kind;

    kind = feed->kind;

    if (kind == LEARN_FORMAT_AUTO) {
        kind = learn_feed_see_line(line);
    }

    switch (kind) {

    case LEARN_FORMAT_CORPUS:
        return learn_line_corpus(line, record);

    case LEARN_FORMAT_JSON:
        return learn_line_json(line, record, &feed->json);

    case LEARN_FORMAT_CDX:
        if (learn_line_cdx(&feed->cdx, line, record, &feed->json)) {
            return 1;
        }

        break;

    case LEARN_FORMAT_COMBINED:
    case LEARN_FORMAT_LOG:
        if (learn_log_format_line(feed->log, line, record)) {
            return 1;
        }

        break;

    default: /* LEARN_FORMAT_URLS */
        learn_feed_url(line, record);
        return 1;
    }

    /* what has another form after all may still be a URL */

    if (feed->kind == LEARN_FORMAT_AUTO) {
        learn_feed_url(line, record);
    }

    return feed->kind == LEARN_FORMAT_AUTO;
}


static void
learn_feed_url(const miqps_str_t *line, learn_record_t *record)
{
    memset(record, 0, sizeof(learn_record_t));

    record->listed = 1;
    record->field[LEARN_FIELD_TARGET] = *line;
}
