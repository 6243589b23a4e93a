
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_LOG_FORMAT_H_INCLUDED_
#define _LEARN_LOG_FORMAT_H_INCLUDED_


#include "record.h"


/*
 * A log_format of nginx, and lines that it wrote:
 *
 *     $remote_addr - $remote_user [$time_local] "$request" $status ...
 *     |           |                                               |
 *     variable    literal                                         not needed
 *
 * A variable reaches up to the literal behind it.  nginx escapes quotes, so
 * that this is where it ends, if the format has quotes where a client can
 * write spaces.  What follows the last variable of interest may be anything.
 */

#define LEARN_LOG_PARTS  64


typedef struct {
    learn_field_e      field;
    miqps_str_t        end;          /* behind it; empty at the line's end */
} learn_log_part_t;


typedef struct {
    miqps_str_t        start;        /* before the first variable */
    learn_log_part_t   part[LEARN_LOG_PARTS];
    size_t             n;
} learn_log_format_t;


#define LEARN_LOG_COMBINED                                                    \
    "$remote_addr - $remote_user [$time_local] \"$request\" $status "


/*
 * Reads a format, the text that log_format has between its quotes; "format"
 * points into it.  NULL, or what is wrong with it.
 */
const char *learn_log_format_init(learn_log_format_t *format,
    const char *text);

/* takes a line apart; 0 if it was not written in this format */

int learn_log_format_line(const learn_log_format_t *format,
    const miqps_str_t *line, learn_record_t *record);


#endif /* _LEARN_LOG_FORMAT_H_INCLUDED_ */
