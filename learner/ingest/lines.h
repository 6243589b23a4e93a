
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_LINES_H_INCLUDED_
#define _LEARN_LINES_H_INCLUDED_


#include <cjson/cJSON.h>

#include "record.h"


/*
 * Formats in which a line is a record.  Each function takes a line apart, and
 * returns 0 if it has another format.
 */


/* the file of miqps_corpus, see miqps-corpus(5) */

int learn_line_corpus(const miqps_str_t *line, learn_record_t *record);


/*
 * An object of JSON, with the names that nginx's variables have or that are
 * common for them, such as "url" and "client_ip".  The record points into
 * "*json", which is to be deleted, also if it is NULL.
 */
int learn_line_json(const miqps_str_t *line, learn_record_t *record,
    cJSON **json);


/*
 * An index of an archive, CDX: which fields there are is said by its first
 * line, or it is the usual eleven; or with JSON in it, CDXJ.
 */

#define LEARN_CDX_COLUMNS  32

typedef struct {
    char               column[LEARN_CDX_COLUMNS];     /* letters of CDX */
    size_t             n;
} learn_cdx_t;


void learn_line_cdx_init(learn_cdx_t *cdx);

/* true for the line that says what the columns are, which are noted */

int learn_line_cdx_head(learn_cdx_t *cdx, const miqps_str_t *line);

int learn_line_cdx(const learn_cdx_t *cdx, const miqps_str_t *line,
    learn_record_t *record, cJSON **json);


#endif /* _LEARN_LINES_H_INCLUDED_ */
