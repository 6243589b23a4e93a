
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_rules.h"


/* bytes that pieces and literals may hold; see the table */

#define MIQPS_BYTE_DIGIT   0x01
#define MIQPS_BYTE_HEX     0x02
#define MIQPS_BYTE_WORD    0x04
#define MIQPS_BYTE_ANY     0x08
#define MIQPS_BYTE_HOST    0x10
#define MIQPS_BYTE_PATH    0x20
#define MIQPS_BYTE_VALUE   0x40
#define MIQPS_BYTE_NAME    0x80


static const uint8_t  *miqps_paths_form(const miqps_paths_t *rules,
    miqps_rewrite_t *rewrite, miqps_form_t *form, int host, const uint8_t *p);
static const uint8_t  *miqps_paths_text(const miqps_paths_t *rules,
    miqps_rewrite_t *rewrite, const uint8_t *text);
static uint64_t  miqps_paths_weight(const miqps_paths_t *rules,
    const uint8_t *text);
static int  miqps_paths_escape_ok(miqps_place_e place, const uint8_t *p,
    size_t left);


/* by MIQPS_BYTE_*; what is above 0x7f is nowhere */

const uint8_t  miqps_paths_bytes[256] = {
    ['!'] = 0xe0, ['$'] = 0xe0, ['&'] = 0x20, ['\''] = 0xe0, ['('] = 0xe0,
    [')'] = 0xe0, ['+'] = 0xe0, [','] = 0xe0, ['/'] = 0xc0, [':'] = 0xe0,
    ['='] = 0x60, ['?'] = 0xc0, ['@'] = 0xe0, ['['] = 0xc0, [']'] = 0xc0,
    ['.'] = 0xf0, ['-'] = 0xf8, ['~'] = 0xe8, ['_'] = 0xfc, ['%'] = 0xe8,

    ['0'] = 0xff, ['1'] = 0xff, ['2'] = 0xff, ['3'] = 0xff, ['4'] = 0xff,
    ['5'] = 0xff, ['6'] = 0xff, ['7'] = 0xff, ['8'] = 0xff, ['9'] = 0xff,

    ['a'] = 0xfe, ['b'] = 0xfe, ['c'] = 0xfe, ['d'] = 0xfe, ['e'] = 0xfe,
    ['f'] = 0xfe, ['g'] = 0xfc, ['h'] = 0xfc, ['i'] = 0xfc, ['j'] = 0xfc,
    ['k'] = 0xfc, ['l'] = 0xfc, ['m'] = 0xfc, ['n'] = 0xfc, ['o'] = 0xfc,
    ['p'] = 0xfc, ['q'] = 0xfc, ['r'] = 0xfc, ['s'] = 0xfc, ['t'] = 0xfc,
    ['u'] = 0xfc, ['v'] = 0xfc, ['w'] = 0xfc, ['x'] = 0xfc, ['y'] = 0xfc,
    ['z'] = 0xfc,

    ['A'] = 0xee, ['B'] = 0xee, ['C'] = 0xee, ['D'] = 0xee, ['E'] = 0xee,
    ['F'] = 0xee, ['G'] = 0xec, ['H'] = 0xec, ['I'] = 0xec, ['J'] = 0xec,
    ['K'] = 0xec, ['L'] = 0xec, ['M'] = 0xec, ['N'] = 0xec, ['O'] = 0xec,
    ['P'] = 0xec, ['Q'] = 0xec, ['R'] = 0xec, ['S'] = 0xec, ['T'] = 0xec,
    ['U'] = 0xec, ['V'] = 0xec, ['W'] = 0xec, ['X'] = 0xec, ['Y'] = 0xec,
    ['Z'] = 0xec
};


const uint8_t  miqps_paths_kinds[] = {
    [MIQPS_PIECE_LITERAL] = 0,
    [MIQPS_PIECE_DIGITS] = MIQPS_BYTE_DIGIT,
    [MIQPS_PIECE_HEX] = MIQPS_BYTE_HEX,
    [MIQPS_PIECE_UUID] = MIQPS_BYTE_HEX,
    [MIQPS_PIECE_WORD] = MIQPS_BYTE_WORD,
    [MIQPS_PIECE_ANY] = MIQPS_BYTE_ANY,
    [MIQPS_PIECE_RAW] = 0xff,
    [MIQPS_PIECE_TABLE] = MIQPS_BYTE_ANY
};


static const uint8_t  miqps_paths_places[] = {
    [MIQPS_PLACE_HOST] = MIQPS_BYTE_HOST,
    [MIQPS_PLACE_PATH] = MIQPS_BYTE_PATH,
    [MIQPS_PLACE_NAME] = MIQPS_BYTE_NAME,
    [MIQPS_PLACE_VALUE] = MIQPS_BYTE_VALUE,
    [MIQPS_PLACE_TABLE] = MIQPS_BYTE_ANY
};


/* --- reading */


int
miqps_paths_of(const miqps_image_t *image, const uint8_t *record,
    miqps_paths_t *rules)
{
    if (!(record[5] & MIQPS_HOST_RULES)) {
        return 0;
    }

    rules->block = image->section[MIQPS_SECTION_RULES].data
                   + miqps_get_u32(record + miqps_get_u32(record) - 4);
    rules->pool = image->section[MIQPS_SECTION_POOL].data;
    rules->pool_size = image->section[MIQPS_SECTION_POOL].size;
    rules->n = miqps_get_u16(rules->block + 4);
    rules->ntables = rules->block[6];
    rules->params = (rules->block[7] & MIQPS_PATHS_SOME_PARAMS) != 0;
    rules->careful = (rules->block[7] & MIQPS_PATHS_CAREFUL) != 0;

    return 1;
}


void
miqps_paths_read(const miqps_paths_t *rules, uint32_t i,
    miqps_rewrite_t *rewrite)
{
    const uint8_t  *p;

    p = miqps_paths_rule(rules, i);

    rewrite->flags = p[2];
    rewrite->ncaptures = 0;

    rewrite->from.path = ((p[2] & MIQPS_PATHS_PATH) != 0);
    rewrite->from.nsegments = p[3];
    rewrite->from.deep = p[4];
    rewrite->from.nparams = p[7];

    rewrite->to.path = ((p[2] & MIQPS_PATHS_TO_PATH) != 0);
    rewrite->to.nsegments = p[5];
    rewrite->to.deep = p[6];
    rewrite->to.nparams = p[8];

    p = miqps_paths_form(rules, rewrite, &rewrite->from,
                         p[2] & MIQPS_PATHS_HOST, p + MIQPS_PATHS_RULE);
    (void) miqps_paths_form(rules, rewrite, &rewrite->to,
                            rewrite->flags & MIQPS_PATHS_TO_HOST, p);
}


static const uint8_t *
miqps_paths_form(const miqps_paths_t *rules, miqps_rewrite_t *rewrite,
    miqps_form_t *form, int host, const uint8_t *p)
{
    uint32_t  i;

    form->host = NULL;

    if (host) {
        form->host = p;
        p = miqps_paths_text(rules, rewrite, p);
    }

    for (i = 0; i < form->nsegments; i++) {
        form->segments[i] = p;
        p = miqps_paths_text(rules, rewrite, p);
    }

    for (i = 0; i < form->nparams; i++) {
        form->params[i] = p;
        p = miqps_paths_text(rules, rewrite, p + MIQPS_PATHS_STRING);
    }

    return p;
}


/* the end of a text, whose captures are told */

static const uint8_t *
miqps_paths_text(const miqps_paths_t *rules, miqps_rewrite_t *rewrite,
    const uint8_t *text)
{
    uint32_t       n;
    miqps_piece_t  piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);

        if (piece.kind >= MIQPS_PIECE_DIGITS
            && piece.kind <= MIQPS_PIECE_TABLE)
        {
            rewrite->kinds[rewrite->ncaptures] = (uint8_t) piece.kind;
            rewrite->tables[rewrite->ncaptures++] =
                (piece.kind == MIQPS_PIECE_TABLE) ? piece.number : 0;
        }
    }

    return text;
}


miqps_str_t
miqps_paths_find(const miqps_paths_t *rules, uint32_t table,
    const miqps_str_t *value)
{
    int             rc;
    size_t          low, high, middle;
    miqps_str_t     key;
    const uint8_t  *p;

    static const miqps_str_t  none = miqps_null_str;

    p = miqps_paths_table(rules, table);
    low = 0;
    high = miqps_get_u16(p);
    p += 2;

    while (low < high) {
        middle = low + (high - low) / 2;
        key = miqps_paths_string(rules, p + MIQPS_PATHS_ENTRY * middle);
        rc = miqps_paths_cmp(&key, value);

        if (rc == 0) {
            return miqps_paths_string(rules, p + MIQPS_PATHS_ENTRY * middle
                                             + MIQPS_PATHS_STRING);
        }

        if (rc < 0) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return none;
}


int
miqps_paths_cmp(const miqps_str_t *one, const miqps_str_t *two)
{
    int  rc;

    rc = memcmp(one->data, two->data,
                (one->len < two->len) ? one->len : two->len);

    return (rc != 0) ? rc : (one->len > two->len) - (one->len < two->len);
}


uint64_t
miqps_paths_need(const miqps_paths_t *rules, uint64_t seed,
    const miqps_rewrite_t *rewrite)
{
    uint32_t             i, n;
    uint64_t             need;
    miqps_str_t          text;
    const uint8_t       *p;
    const miqps_form_t  *from;

    from = &rewrite->from;
    need = 0;
    n = from->deep;

    if (from->path && from->deep == MIQPS_PATHS_NO_DEEP) {
        need |= miqps_paths_need_count(seed, from->nsegments);
        n = from->nsegments;
    }

    for (i = 0; from->path && i < n; i++) {
        p = from->segments[i];

        if (p[0] == 1 && p[1] == MIQPS_PIECE_LITERAL) {
            text = miqps_paths_string(rules, p + 2);
            need |= miqps_paths_need_segment(seed, i, &text);
        }
    }

    for (i = 0; i < from->nparams; i++) {
        text = miqps_paths_string(rules, from->params[i]);
        need |= miqps_paths_need_name(miqps_image_hash_name(seed, text.data,
                                                            text.len));
    }

    return need;
}


/*
 * A source that another one includes has no more of what leaves room: no
 * host, no path, "**", other parameters; and not less of what takes it away:
 * parameters, segments, literals, narrow pieces.
 */

uint64_t
miqps_paths_rank(const miqps_paths_t *rules, const miqps_rewrite_t *rewrite)
{
    uint32_t             i;
    uint64_t             rank, weight;
    const miqps_form_t  *from;

    from = &rewrite->from;

    rank = (from->host == NULL);
    rank = rank << 1 | !from->path;
    rank = rank << 1 | (from->path && from->deep != MIQPS_PATHS_NO_DEEP);
    rank = rank << 1 | ((rewrite->flags & MIQPS_PATHS_REST) != 0);
    rank = rank << 5 | (MIQPS_PATHS_MAX_PARAMS - (uint64_t) from->nparams);
    rank = rank << 6 | (MIQPS_MAX_SEGMENTS - (uint64_t) from->nsegments);

    weight = (from->host == NULL) ? 0 : miqps_paths_weight(rules, from->host);

    for (i = 0; i < from->nsegments; i++) {
        weight += miqps_paths_weight(rules, from->segments[i]);
    }

    for (i = 0; i < from->nparams; i++) {
        weight += miqps_paths_weight(rules,
                                     from->params[i] + MIQPS_PATHS_STRING);
    }

    return rank << 32 | weight;
}


static uint64_t
miqps_paths_weight(const miqps_paths_t *rules, const uint8_t *text)
{
    uint32_t       n;
    uint64_t       widest, literal, width;
    miqps_piece_t  piece;

    static const uint8_t  widths[] = {
        [MIQPS_PIECE_LITERAL] = 0, [MIQPS_PIECE_TABLE] = 1,
        [MIQPS_PIECE_UUID] = 2, [MIQPS_PIECE_DIGITS] = 3,
        [MIQPS_PIECE_HEX] = 4, [MIQPS_PIECE_WORD] = 5, [MIQPS_PIECE_ANY] = 6,
        [MIQPS_PIECE_RAW] = 7
    };

    widest = 0;
    literal = 0;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);
        width = widths[piece.kind];
        widest = (width > widest) ? width : widest;

        if (piece.kind == MIQPS_PIECE_LITERAL) {
            literal += piece.literal.len;
        }
    }

    return (widest == 0) ? 0 : widest << 16 | (0xffff - literal);
}


/* --- what may be in a text */


int
miqps_paths_text_ok(miqps_place_e place, const miqps_str_t *text)
{
    size_t   i;
    uint8_t  c;

    if (text->len == 0 || text->len > MIQPS_PATHS_MAX_LITERAL) {
        return 0;
    }

    for (i = 0; i < text->len; i++) {
        c = text->data[i];

        if (!(miqps_paths_bytes[c] & miqps_paths_places[place])) {
            return 0;
        }

        if (c == '%') {
            if (!miqps_paths_escape_ok(place, text->data + i, text->len - i)) {
                return 0;
            }

            i += 2;
        }
    }

    return 1;
}


static int
miqps_paths_escape_ok(miqps_place_e place, const uint8_t *p, size_t left)
{
    size_t    i;
    unsigned  c;

    if (left < 3) {
        return 0;
    }

    c = 0;

    for (i = 1; i <= 2; i++) {
        if (p[i] >= '0' && p[i] <= '9') {
            c = 16 * c + p[i] - '0';

        } else if (p[i] >= 'A' && p[i] <= 'F') {
            c = 16 * c + p[i] - 'A' + 10;

        } else {
            return 0;
        }
    }

    if (c >= 128) {
        return 1;
    }

    switch (place) {

    case MIQPS_PLACE_PATH:
        return c == ' ';

    case MIQPS_PLACE_NAME:
    case MIQPS_PLACE_VALUE:

        /* unreserved bytes are never escaped, and separators in no name */

        return c != 0 && c != '.'
               && (c == '%' || !(miqps_paths_bytes[c] & MIQPS_BYTE_ANY))
               && (place == MIQPS_PLACE_VALUE || (c != '&' && c != '='));

    default:
        return 0;
    }
}
