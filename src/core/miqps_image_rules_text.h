
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_IMAGE_RULES_TEXT_H_INCLUDED_
#define _MIQPS_IMAGE_RULES_TEXT_H_INCLUDED_


#include "miqps_image_rules.h"


/*
 * TEXTS OF PATH RULES, COMPARED
 *
 * A text is taken for all that its literals, and the bytes of its other
 * pieces, allow.  Two texts are apart if nothing can be both.
 */

#define MIQPS_TEXTS_STEPS  (1 << 18)         /* entries of tables looked at */


/* bytes below 0x80; there are no others */

typedef struct {
    uint64_t              set[2];
} miqps_bytes_t;


typedef struct {
    miqps_piece_t         pieces[MIQPS_PATHS_MAX_PIECES];
    miqps_bytes_t         bytes[MIQPS_PATHS_MAX_PIECES];  /* but of literals */
    uint32_t              n;
    uint8_t               raw;               /* there is a RAW; and */
    uint8_t               uuid;              /* an UUID */
    uint8_t               becomes;           /* of the table, what it becomes */
    uint8_t               table;             /* the last one; and */
    uint8_t               place;             /* number + 1 of its piece, or 0 */
} miqps_text_t;


/* what is known of the pieces of a block */

typedef struct {
    const miqps_paths_t  *rules;
    uint32_t              steps;             /* that are left */
    miqps_bytes_t         kinds[MIQPS_PIECE_CAPTURE];
    miqps_bytes_t         values[MIQPS_PATHS_MAX_TABLES];
    miqps_bytes_t         becomes[MIQPS_PATHS_MAX_TABLES];

    /* what a value becomes does not become another one */

    uint8_t               steady[MIQPS_PATHS_MAX_TABLES];
} miqps_texts_t;


void miqps_texts_init(miqps_texts_t *texts, const miqps_paths_t *rules);

/* the text at "p" of a source or target of the rule */

void miqps_text_read(const miqps_texts_t *texts,
    const miqps_rewrite_t *rewrite, const uint8_t *p, miqps_text_t *text);

/*
 * True if it is certain.  "b" is of a source.  Gives up once it has taken too
 * many steps.
 */
int miqps_text_apart(miqps_texts_t *texts, const miqps_text_t *a,
    const miqps_text_t *b, miqps_place_e place);

/* true if they are the same literal, or both empty */

int miqps_text_same(const miqps_text_t *a, const miqps_text_t *b);

/*
 * "b" is a text with a table that a rule fills in, too.  True if it is certain
 * that this does not change anything that "a" allows.
 */
int miqps_text_settled(const miqps_texts_t *texts, const miqps_text_t *a,
    const miqps_text_t *b);


#endif /* _MIQPS_IMAGE_RULES_TEXT_H_INCLUDED_ */
