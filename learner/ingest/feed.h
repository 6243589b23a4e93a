
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_FEED_H_INCLUDED_
#define _LEARN_FEED_H_INCLUDED_


#include "lines.h"
#include "log_format.h"
#include "reader.h"
#include "sitemap.h"
#include "warc.h"


/*
 * A FILE AND WHAT IT SAYS
 *
 *     reader --- lines --------------- record --- entry
 *            |   log_format, JSON, ... |
 *            +-- sitemap, WARC --------+
 */

typedef enum {
    LEARN_FORMAT_AUTO = 0,
    LEARN_FORMAT_URLS,
    LEARN_FORMAT_CORPUS,
    LEARN_FORMAT_COMBINED,
    LEARN_FORMAT_JSON,
    LEARN_FORMAT_SITEMAP,
    LEARN_FORMAT_WARC,
    LEARN_FORMAT_CDX,
    LEARN_FORMAT_LOG,              /* with a log_format */
    LEARN_FORMAT_MAX
} learn_format_e;


typedef struct {
    const char             *command;
    const char             *path;
    learn_format_e          format;        /* as asked for */
    learn_format_e          kind;          /* of this file, or AUTO */
    learn_log_format_t     *log;           /* combined, or as asked for */
    learn_reader_t          reader;
    learn_cdx_t             cdx;
    learn_warc_t            warc;
    learn_sitemap_t         sitemap;
    learn_record_work_t     work;
    cJSON                  *json;          /* of the last line */
} learn_feed_t;


/* LEARN_FORMAT_MAX if there is none of this name */

learn_format_e learn_format_find(const char *name);


/*
 * Opens a file.  "log" is what LEARN_FORMAT_COMBINED and LEARN_FORMAT_LOG are;
 * it and "path" are kept.  LEARN_EXIT_OK, or another code after a complaint;
 * release() anyway.
 */
int learn_feed_init(learn_feed_t *feed, learn_store_t *store,
    const char *command, const char *path, learn_format_e format,
    learn_log_format_t *log);
void learn_feed_release(learn_feed_t *feed);


/*
 * The next record.  Its entry is valid until the next call.
 *
 *  1   "*what" is LEARN_LINE_TAKEN and "entry" is filled, or it is why there
 *      is none
 *  0   there are no more
 * -1   after a complaint
 */
int learn_feed_next(learn_feed_t *feed, learn_entry_t *entry,
    learn_line_e *what);


#endif /* _LEARN_FEED_H_INCLUDED_ */
