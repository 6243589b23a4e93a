
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_PATHS_TEXT_H_INCLUDED_
#define _MIQPS_PATHS_TEXT_H_INCLUDED_


#include "miqps_image_rules.h"


/*
 * WHAT THE PIECES OF A SOURCE STAND FOR, so that a target can be written.  The
 * texts of a rule, see miqps_image_rules.h, are read in their order, and each
 * DIGITS, HEX, ... or TABLE takes the next number.  Bytes are not copied; of a
 * table it is what the value becomes.
 */

typedef struct {
    const miqps_paths_t  *rules;
    miqps_str_t           list[MIQPS_PATHS_MAX_CAPTURE];
    uint32_t              n;
} miqps_captures_t;


static inline void
miqps_captures_init(miqps_captures_t *captures, const miqps_paths_t *rules)
{
    captures->rules = rules;
    captures->n = 0;
}


/*
 * True if a value, without escapes, is not empty and all of its bytes are such
 * that DIGITS, HEX, WORD or ANY may hold: it has a text of that piece alone.
 */
static inline int
miqps_captures_plain(miqps_piece_e kind, const miqps_str_t *value)
{
    uint8_t         held;
    const uint8_t  *p, *last;

    held = (value->len > 0) ? miqps_paths_kinds[kind] : 0;
    last = value->data + value->len;

    for (p = value->data; p < last; p++) {
        held &= miqps_paths_bytes[*p];
    }

    return held != 0;
}


/*
 * Reads a value by a text of a source.  Returns what is behind the text; or
 * NULL if the value is not of that form, where captures are void.
 */
const uint8_t *miqps_captures_read(miqps_captures_t *captures,
    const uint8_t *text, const miqps_str_t *value);

/*
 * Writes a text of a target to "out"; returns its end.  "*text" becomes what
 * is behind the text.
 */
uint8_t *miqps_captures_write(const miqps_captures_t *captures,
    const uint8_t **text, uint8_t *out);


/* true if a text is that of a word without a value: a RAW that took none */

static inline int
miqps_captures_none(const miqps_captures_t *captures, const uint8_t *text)
{
    return text[0] == 1 && text[1] == MIQPS_PIECE_CAPTURE
           && captures->list[text[2]].data == NULL;
}


/* what is behind a text */

const uint8_t *miqps_captures_skip(const uint8_t *text);


#endif /* _MIQPS_PATHS_TEXT_H_INCLUDED_ */
