
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_WARC_H_INCLUDED_
#define _LEARN_WARC_H_INCLUDED_


#include "reader.h"
#include "record.h"


/*
 * An archive of web pages, ISO 28500: of the records those count that are
 * responses, by the URL, the state and the type that they have.
 */

typedef struct {
    learn_reader_t    *reader;
    miqps_str_t        status;
    miqps_str_t        type;
    uint64_t           length;                     /* of the block */
    unsigned           response:1;
    uint8_t            url[LEARN_CORPUS_MAX_URL];
    size_t             url_len;
    uint8_t            text[2][128];               /* status and type */
} learn_warc_t;


void learn_warc_init(learn_warc_t *warc, learn_reader_t *reader);

/*
 * The next record.
 *
 *  1   "*what" is LEARN_LINE_TAKEN and "record" is filled, pointing into
 *      "warc", or it is no page, for that reason
 *  0   there are no more
 * -1   after a complaint
 */
int learn_warc_next(learn_warc_t *warc, learn_record_t *record,
    learn_line_e *what);


#endif /* _LEARN_WARC_H_INCLUDED_ */
