
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_rules_text.h"


/* a place in a text, from the front or from the back */

typedef struct {
    const miqps_text_t   *text;
    uint32_t              piece;             /* passed by */
    size_t                at;                /* bytes of the literal, also */
    int                   back;
} miqps_cursor_t;


static void  miqps_texts_table(miqps_texts_t *texts, uint32_t i);
static int  miqps_text_ends_apart(const miqps_text_t *a,
    const miqps_text_t *b, int back);
static int  miqps_cursor_next(miqps_cursor_t *cursor, miqps_bytes_t *bytes,
    int *literal);
static int  miqps_text_lacks(const miqps_text_t *a, const miqps_text_t *b);
static int  miqps_text_tables_apart(miqps_texts_t *texts,
    const miqps_text_t *a, const miqps_text_t *b);
static int  miqps_text_none(miqps_texts_t *texts, const miqps_text_t *a,
    const miqps_text_t *b, const miqps_str_t *middle);
static int  miqps_text_one_table(const miqps_text_t *text);
static int  miqps_text_literal(const miqps_text_t *text);
static miqps_str_t  miqps_text_end(const miqps_text_t *text, int back);
static int  miqps_text_same_ends(const miqps_text_t *a,
    const miqps_text_t *b);
static int  miqps_text_middle(const miqps_text_t *text,
    const miqps_str_t *literal, miqps_str_t *middle);


static inline void
miqps_bytes_add(miqps_bytes_t *bytes, uint8_t c)
{
    bytes->set[c >> 6 & 1] |= UINT64_C(1) << (c & 63);
}


static inline int
miqps_bytes_has(const miqps_bytes_t *bytes, uint8_t c)
{
    return (int) (bytes->set[c >> 6 & 1] >> (c & 63) & 1);
}


static inline int
miqps_bytes_meet(const miqps_bytes_t *a, const miqps_bytes_t *b)
{
    return ((a->set[0] & b->set[0]) | (a->set[1] & b->set[1])) != 0;
}


void
miqps_texts_init(miqps_texts_t *texts, const miqps_paths_t *rules)
{
    uint8_t   c;
    uint32_t  i;

    texts->rules = rules;
    texts->steps = MIQPS_TEXTS_STEPS;

    memset(texts->kinds, 0, sizeof(texts->kinds));

    for (i = MIQPS_PIECE_DIGITS; i < MIQPS_PIECE_RAW; i++) {
        for (c = 0; c < 128; c++) {
            if (miqps_piece_holds((miqps_piece_e) i, c)) {
                miqps_bytes_add(&texts->kinds[i], c);
            }
        }
    }

    for (i = 0; i < rules->ntables; i++) {
        miqps_texts_table(texts, i);
    }
}


static void
miqps_texts_table(miqps_texts_t *texts, uint32_t i)
{
    size_t          k, n, at;
    miqps_str_t     value, to, next;
    const uint8_t  *p;

    memset(&texts->values[i], 0, sizeof(miqps_bytes_t));
    memset(&texts->becomes[i], 0, sizeof(miqps_bytes_t));
    texts->steady[i] = 1;

    p = miqps_paths_table(texts->rules, i);
    n = miqps_get_u16(p);

    for (p += 2, k = 0; k < n; k++, p += MIQPS_PATHS_ENTRY) {
        value = miqps_paths_string(texts->rules, p);
        to = miqps_paths_string(texts->rules, p + MIQPS_PATHS_STRING);

        for (at = 0; at < value.len; at++) {
            miqps_bytes_add(&texts->values[i], value.data[at]);
        }

        for (at = 0; at < to.len; at++) {
            miqps_bytes_add(&texts->becomes[i], to.data[at]);
        }

        next = miqps_paths_find(texts->rules, i, &to);

        if (next.data != NULL && !miqps_str_eq(&next, &to)) {
            texts->steady[i] = 0;
        }
    }
}


void
miqps_text_read(const miqps_texts_t *texts, const miqps_rewrite_t *rewrite,
    const uint8_t *p, miqps_text_t *text)
{
    uint8_t         kind, table;
    uint32_t        i;
    miqps_piece_t  *piece;

    text->n = *p++;
    text->raw = 0;
    text->uuid = 0;
    text->place = 0;
    text->becomes = 0;
    text->table = 0;

    for (i = 0; i < text->n; i++) {
        piece = &text->pieces[i];
        p = miqps_piece_next(texts->rules, p, piece);
        kind = (uint8_t) piece->kind;

        if (kind == MIQPS_PIECE_LITERAL) {
            continue;
        }

        table = 0;

        if (kind == MIQPS_PIECE_TABLE) {
            table = piece->number;

        } else if (kind == MIQPS_PIECE_CAPTURE) {
            kind = rewrite->kinds[piece->number];
            table = rewrite->tables[piece->number];
        }

        text->raw |= (kind == MIQPS_PIECE_RAW);
        text->uuid |= (kind == MIQPS_PIECE_UUID);

        if (kind != MIQPS_PIECE_TABLE) {
            text->bytes[i] = texts->kinds[kind];
            continue;
        }

        text->table = table;
        text->place = (uint8_t) (i + 1);
        text->becomes = (piece->kind == MIQPS_PIECE_CAPTURE);
        text->bytes[i] = text->becomes ? texts->becomes[table]
                                       : texts->values[table];
    }
}


int
miqps_text_apart(miqps_texts_t *texts, const miqps_text_t *a,
    const miqps_text_t *b, miqps_place_e place)
{
    if (a->raw || b->raw) {

        /* of a parameter it may be empty, or nothing at all */

        return place == MIQPS_PLACE_PATH && (a->n == 0 || b->n == 0);
    }

    return miqps_text_ends_apart(a, b, 0)
           || miqps_text_ends_apart(a, b, 1)
           || miqps_text_lacks(a, b)
           || miqps_text_lacks(b, a)
           || miqps_text_tables_apart(texts, a, b);
}


/* up to where one of them may be of any length */

static int
miqps_text_ends_apart(const miqps_text_t *a, const miqps_text_t *b, int back)
{
    int             more_a, more_b, literal_a, literal_b;
    miqps_bytes_t   one, two;
    miqps_cursor_t  at, bt;

    memset(&at, 0, sizeof(miqps_cursor_t));

    at.text = a;
    at.back = back;
    bt = at;
    bt.text = b;

    for ( ;; ) {
        more_a = miqps_cursor_next(&at, &one, &literal_a);
        more_b = miqps_cursor_next(&bt, &two, &literal_b);

        if (!more_a || !more_b) {
            return more_a != more_b;
        }

        if (!miqps_bytes_meet(&one, &two)) {
            return 1;
        }

        if (!literal_a || !literal_b) {
            return 0;
        }
    }
}


/* what the next byte may be; false if there is none */

static int
miqps_cursor_next(miqps_cursor_t *cursor, miqps_bytes_t *bytes, int *literal)
{
    uint32_t              i;
    const miqps_str_t    *str;
    const miqps_piece_t  *piece;

    if (cursor->piece == cursor->text->n) {
        return 0;
    }

    i = cursor->back ? cursor->text->n - 1 - cursor->piece : cursor->piece;
    piece = &cursor->text->pieces[i];
    *literal = (piece->kind == MIQPS_PIECE_LITERAL);

    if (!*literal) {
        *bytes = cursor->text->bytes[i];
        return 1;
    }

    str = &piece->literal;
    memset(bytes, 0, sizeof(miqps_bytes_t));
    miqps_bytes_add(bytes, str->data[cursor->back ? str->len - 1 - cursor->at
                                                  : cursor->at]);

    if (++cursor->at == str->len) {
        cursor->piece++;
        cursor->at = 0;
    }

    return 1;
}


/* whether "a" always has a byte that "b" never has */

static int
miqps_text_lacks(const miqps_text_t *a, const miqps_text_t *b)
{
    size_t               at;
    uint32_t             i;
    miqps_bytes_t        bytes;
    const miqps_str_t   *str;

    memset(&bytes, 0, sizeof(miqps_bytes_t));

    for (i = 0; i < b->n; i++) {

        if (b->pieces[i].kind != MIQPS_PIECE_LITERAL) {
            bytes.set[0] |= b->bytes[i].set[0];
            bytes.set[1] |= b->bytes[i].set[1];
            continue;
        }

        str = &b->pieces[i].literal;

        for (at = 0; at < str->len; at++) {
            miqps_bytes_add(&bytes, str->data[at]);
        }
    }

    if (a->uuid && !miqps_bytes_has(&bytes, '-')) {
        return 1;
    }

    for (i = 0; i < a->n; i++) {

        if (a->pieces[i].kind != MIQPS_PIECE_LITERAL) {
            continue;
        }

        str = &a->pieces[i].literal;

        for (at = 0; at < str->len; at++) {
            if (!miqps_bytes_has(&bytes, str->data[at])) {
                return 1;
            }
        }
    }

    return 0;
}


/* one table with the same literals around it, or none and a literal */

static int
miqps_text_tables_apart(miqps_texts_t *texts, const miqps_text_t *a,
    const miqps_text_t *b)
{
    miqps_str_t  middle;

    if (miqps_text_one_table(a) && miqps_text_one_table(b)) {
        return miqps_text_same_ends(a, b)
               && miqps_text_none(texts, a, b, NULL);
    }

    if (miqps_text_one_table(a) && miqps_text_literal(b)) {
        return !miqps_text_middle(a, &b->pieces[0].literal, &middle)
               || miqps_text_none(texts, a, NULL, &middle);
    }

    if (miqps_text_literal(a) && miqps_text_one_table(b)) {
        return !miqps_text_middle(b, &a->pieces[0].literal, &middle)
               || miqps_paths_find(texts->rules, b->table, &middle).data
                  == NULL;
    }

    return 0;
}


/* whether nothing in the table of "a" is in that of "b", or is "middle" */

static int
miqps_text_none(miqps_texts_t *texts, const miqps_text_t *a,
    const miqps_text_t *b, const miqps_str_t *middle)
{
    size_t          n;
    miqps_str_t     value;
    const uint8_t  *p;

    p = miqps_paths_table(texts->rules, a->table);
    n = miqps_get_u16(p);

    if (n > texts->steps) {
        return 0;
    }

    texts->steps -= (uint32_t) n;

    for (p += 2; n > 0; n--, p += MIQPS_PATHS_ENTRY) {
        value = miqps_paths_string(texts->rules,
                                   p + (a->becomes ? MIQPS_PATHS_STRING : 0));

        if (b != NULL
            ? miqps_paths_find(texts->rules, b->table, &value).data != NULL
            : miqps_str_eq(&value, middle))
        {
            return 0;
        }
    }

    return 1;
}


static int
miqps_text_one_table(const miqps_text_t *text)
{
    uint32_t  i;

    for (i = 0; i < text->n; i++) {
        if (text->pieces[i].kind != MIQPS_PIECE_LITERAL
            && i + 1 != text->place)
        {
            return 0;
        }
    }

    return text->place != 0;
}


static int
miqps_text_literal(const miqps_text_t *text)
{
    return text->n == 1 && text->pieces[0].kind == MIQPS_PIECE_LITERAL;
}


/* the literal before or behind a table that is alone */

static miqps_str_t
miqps_text_end(const miqps_text_t *text, int back)
{
    uint32_t  i;

    static const miqps_str_t  none = miqps_string("");

    i = back ? text->n - 1 : 0;

    return (text->pieces[i].kind == MIQPS_PIECE_LITERAL)
           ? text->pieces[i].literal : none;
}


static int
miqps_text_same_ends(const miqps_text_t *a, const miqps_text_t *b)
{
    int          back;
    miqps_str_t  one, two;

    for (back = 0; back < 2; back++) {
        one = miqps_text_end(a, back);
        two = miqps_text_end(b, back);

        if (!miqps_str_eq(&one, &two)) {
            return 0;
        }
    }

    return 1;
}


/* what the table would stand for in the literal; false if for nothing */

static int
miqps_text_middle(const miqps_text_t *text, const miqps_str_t *literal,
    miqps_str_t *middle)
{
    miqps_str_t  front, back;

    front = miqps_text_end(text, 0);
    back = miqps_text_end(text, 1);

    if (literal->len <= front.len + back.len
        || memcmp(literal->data, front.data, front.len) != 0
        || memcmp(literal->data + literal->len - back.len, back.data,
                  back.len) != 0)
    {
        return 0;
    }

    middle->data = literal->data + front.len;
    middle->len = literal->len - front.len - back.len;

    return 1;
}


int
miqps_text_same(const miqps_text_t *a, const miqps_text_t *b)
{
    if (a->n == 0 || b->n == 0) {
        return a->n == b->n;
    }

    return miqps_text_literal(a) && miqps_text_literal(b)
           && miqps_str_eq(&a->pieces[0].literal, &b->pieces[0].literal);
}


int
miqps_text_settled(const miqps_texts_t *texts, const miqps_text_t *a,
    const miqps_text_t *b)
{
    miqps_str_t  middle, to;

    if (!miqps_text_one_table(b)) {
        return 0;
    }

    if (miqps_text_one_table(a)) {
        return a->becomes && a->table == b->table
               && texts->steady[a->table] && miqps_text_same_ends(a, b);
    }

    if (!miqps_text_literal(a)
        || !miqps_text_middle(b, &a->pieces[0].literal, &middle))
    {
        return 0;
    }

    to = miqps_paths_find(texts->rules, b->table, &middle);

    return to.data == NULL || miqps_str_eq(&to, &middle);
}
