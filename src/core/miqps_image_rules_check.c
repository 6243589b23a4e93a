
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_rules.h"


/* what is known of the rule at hand */

typedef struct {
    miqps_paths_t     rules;
    const uint8_t    *last;                  /* end of the rule */
    uint8_t           kinds[MIQPS_PATHS_MAX_CAPTURE];
    uint8_t           tables[MIQPS_PATHS_MAX_CAPTURE];
    uint8_t           places[MIQPS_PATHS_MAX_CAPTURE];  /* miqps_place_e */
    const uint8_t    *names[MIQPS_PATHS_MAX_CAPTURE];   /* of parameters */
    uint64_t          used;                  /* a bit for each capture */
    uint8_t           ncaptures;
    size_t            growth;
} miqps_paths_checked_t;


static const char  *miqps_paths_check_parts(const miqps_paths_t *rules,
    size_t size);
static size_t  miqps_paths_check_table(const miqps_paths_t *rules,
    const uint8_t *p, size_t size);
static int  miqps_paths_in_pool(const miqps_paths_t *rules,
    const uint8_t *p);
static size_t  miqps_paths_check_rule(const miqps_paths_t *rules,
    const uint8_t *p, size_t size);
static int  miqps_paths_check_head(const uint8_t *p);
static int  miqps_paths_check_path(unsigned has, uint8_t n, uint8_t deep);
static const uint8_t  *miqps_paths_check_form(miqps_paths_checked_t *c,
    const uint8_t *rule, const uint8_t *p, int target);
static const uint8_t  *miqps_paths_check_params(miqps_paths_checked_t *c,
    const uint8_t *p, uint32_t n, int target);
static int  miqps_paths_check_name(const miqps_paths_checked_t *c,
    const uint8_t *p, const uint8_t *prev);
static const uint8_t  *miqps_paths_check_text(miqps_paths_checked_t *c,
    const uint8_t *p, miqps_place_e place, const uint8_t *name, int target);
static const uint8_t  *miqps_paths_check_piece(miqps_paths_checked_t *c,
    const uint8_t *p, miqps_place_e place, const uint8_t *name, int target);
static const uint8_t  *miqps_paths_check_source(miqps_paths_checked_t *c,
    uint8_t kind, const uint8_t *p, miqps_place_e place, const uint8_t *name);
static int  miqps_paths_check_capture(miqps_paths_checked_t *c,
    uint8_t number, miqps_place_e place, const uint8_t *name);
static size_t  miqps_paths_longest(const miqps_paths_t *rules, uint8_t table);
static int  miqps_paths_check_pieces(const miqps_paths_checked_t *c,
    const uint8_t *text, int target);
static int  miqps_paths_check_segments(const miqps_paths_t *rules,
    const miqps_form_t *form);


/* (1), (2), (3), (6) */

const char *
miqps_paths_check(miqps_paths_t *rules, const uint8_t *block, size_t size,
    const uint8_t *pool, size_t pool_size)
{
    int              params;
    uint32_t         i;
    uint64_t         rank, prev;
    const char      *why;
    miqps_rewrite_t  rewrite;

    if (size < MIQPS_PATHS_HEAD || miqps_get_u32(block) > size
        || miqps_get_u32(block) % 4 != 0)
    {
        return "its path rules are cut off";
    }

    rules->block = block;
    rules->pool = pool;
    rules->pool_size = pool_size;
    rules->n = miqps_get_u16(block + 4);
    rules->ntables = block[6];
    rules->params = (block[7] & MIQPS_PATHS_SOME_PARAMS) != 0;
    rules->careful = (block[7] & MIQPS_PATHS_CAREFUL) != 0;

    why = miqps_paths_check_parts(rules, miqps_get_u32(block));

    if (why != NULL) {
        return why;
    }

    prev = 0;
    params = 0;

    for (i = 0; i < rules->n; i++) {
        miqps_paths_read(rules, i, &rewrite);
        params |= (rewrite.from.nparams > 0);

        if (!miqps_paths_check_segments(rules, &rewrite.from)
            || !miqps_paths_check_segments(rules, &rewrite.to))
        {
            return "a path rule is damaged";
        }

        if (miqps_paths_disguise(rules, &rewrite)) {
            return "a path rule makes a page look like a file";
        }

        rank = miqps_paths_rank(rules, &rewrite);

        if (rank < prev) {
            return "its path rules are not in order";
        }

        prev = rank;
    }

    return (params == rules->params) ? NULL : "a path rule is damaged";
}


static const char *
miqps_paths_check_parts(const miqps_paths_t *rules, size_t size)
{
    size_t          at, len;
    uint32_t        i;
    const uint8_t  *p, *offsets;

    p = rules->block;
    at = MIQPS_PATHS_HEAD + 12 * (size_t) rules->n
         + 4 * (size_t) rules->ntables;

    if (rules->n == 0 || rules->n > MIQPS_PATHS_MAX
        || rules->ntables > MIQPS_PATHS_MAX_TABLES || p[7] > 3 || at > size)
    {
        return "it has a wrong number of path rules";
    }

    offsets = p + MIQPS_PATHS_HEAD + 12 * (size_t) rules->n;

    for (i = 0; i < rules->ntables; i++) {
        len = miqps_paths_check_table(rules, p + at, size - at);

        if (len == 0 || miqps_get_u32(offsets + 4 * (size_t) i) != at) {
            return "a table of path rules is damaged";
        }

        at += len;
    }

    offsets = p + MIQPS_PATHS_HEAD + 8 * (size_t) rules->n;

    for (i = 0; i < rules->n; i++) {
        len = miqps_paths_check_rule(rules, p + at, size - at);

        if (len == 0 || miqps_get_u32(offsets + 4 * (size_t) i) != at) {
            return "a path rule is damaged";
        }

        at += len;
    }

    for (len = at; len < size; len++) {
        if (len - at == 3 || p[len] != 0) {
            return "something follows its path rules";
        }
    }

    return NULL;
}


/* the length of a table, or 0 */

static size_t
miqps_paths_check_table(const miqps_paths_t *rules, const uint8_t *p,
    size_t size)
{
    size_t       i, n;
    miqps_str_t  value, prev, to;

    if (size < 2) {
        return 0;
    }

    n = miqps_get_u16(p);

    if (n == 0 || n > MIQPS_PATHS_MAX_ENTRIES
        || n * MIQPS_PATHS_ENTRY > size - 2)
    {
        return 0;
    }

    p += 2;
    prev.len = 0;
    prev.data = p;

    for (i = 0; i < n; i++, p += MIQPS_PATHS_ENTRY) {

        if (!miqps_paths_in_pool(rules, p)
            || !miqps_paths_in_pool(rules, p + MIQPS_PATHS_STRING))
        {
            return 0;
        }

        value = miqps_paths_string(rules, p);
        to = miqps_paths_string(rules, p + MIQPS_PATHS_STRING);

        if (!miqps_paths_text_ok(MIQPS_PLACE_TABLE, &value)
            || !miqps_paths_text_ok(MIQPS_PLACE_TABLE, &to)
            || miqps_paths_cmp(&prev, &value) >= 0)
        {
            return 0;
        }

        prev = value;
    }

    return 2 + n * MIQPS_PATHS_ENTRY;
}


static int
miqps_paths_in_pool(const miqps_paths_t *rules, const uint8_t *p)
{
    return (uint64_t) miqps_get_u32(p) + miqps_get_u16(p + 4)
           <= rules->pool_size;
}


/* the length of a rule, or 0 */

static size_t
miqps_paths_check_rule(const miqps_paths_t *rules, const uint8_t *p,
    size_t size)
{
    const uint8_t          *end;
    miqps_paths_checked_t   c;

    if (size < MIQPS_PATHS_RULE || miqps_get_u16(p) < MIQPS_PATHS_RULE
        || miqps_get_u16(p) > size || !miqps_paths_check_head(p))
    {
        return 0;
    }

    c.rules = *rules;
    c.last = p + miqps_get_u16(p);
    c.used = 0;
    c.ncaptures = 0;
    c.growth = 0;

    end = miqps_paths_check_form(&c, p, p + MIQPS_PATHS_RULE, 0);

    if (end == NULL || c.ncaptures != p[9]) {
        return 0;
    }

    end = miqps_paths_check_form(&c, p, end, 1);

    if (end != c.last || c.growth > MIQPS_PATHS_GROWTH) {
        return 0;
    }

    return miqps_get_u16(p);
}


static int
miqps_paths_check_head(const uint8_t *p)
{
    uint8_t  flags;

    flags = p[2];

    if ((flags & ~(MIQPS_PATHS_HOST|MIQPS_PATHS_PATH|MIQPS_PATHS_REST
                   |MIQPS_PATHS_TO_HOST|MIQPS_PATHS_TO_PATH
                   |MIQPS_PATHS_TO_PARAMS))
        || !(flags & (MIQPS_PATHS_TO_HOST|MIQPS_PATHS_TO_PATH
                      |MIQPS_PATHS_TO_PARAMS)))
    {
        return 0;
    }

    return miqps_paths_check_path(flags & MIQPS_PATHS_PATH, p[3], p[4])
           && miqps_paths_check_path(flags & MIQPS_PATHS_TO_PATH, p[5], p[6])
           && (p[6] == MIQPS_PATHS_NO_DEEP
               || (p[4] != MIQPS_PATHS_NO_DEEP
                   && (p[4] != p[3] || p[6] == p[5])))
           && ((flags & MIQPS_PATHS_PATH) || !(flags & MIQPS_PATHS_TO_PATH))
           && p[7] <= MIQPS_PATHS_MAX_PARAMS
           && p[8] <= MIQPS_PATHS_MAX_PARAMS
           && ((flags & MIQPS_PATHS_TO_PARAMS) || p[8] == 0);
}


static int
miqps_paths_check_path(unsigned has, uint8_t n, uint8_t deep)
{
    if (!has) {
        return n == 0 && deep == MIQPS_PATHS_NO_DEEP;
    }

    return (deep == MIQPS_PATHS_NO_DEEP)
           ? n > 0 && n <= MIQPS_MAX_SEGMENTS
           : deep <= n && n < MIQPS_MAX_SEGMENTS;
}


/* where the source or target ends, or NULL */

static const uint8_t *
miqps_paths_check_form(miqps_paths_checked_t *c, const uint8_t *rule,
    const uint8_t *p, int target)
{
    uint32_t  i, n;

    if (rule[2] & (target ? MIQPS_PATHS_TO_HOST : MIQPS_PATHS_HOST)) {
        p = miqps_paths_check_text(c, p, MIQPS_PLACE_HOST, NULL, target);
    }

    n = rule[target ? 5 : 3];
    c->growth += target ? n + 1 : 0;

    for (i = 0; i < n && p != NULL; i++) {
        p = miqps_paths_check_text(c, p, MIQPS_PLACE_PATH, NULL, target);
    }

    return (p == NULL) ? NULL
           : miqps_paths_check_params(c, p, rule[target ? 8 : 7], target);
}


static const uint8_t *
miqps_paths_check_params(miqps_paths_checked_t *c, const uint8_t *p,
    uint32_t n, int target)
{
    uint32_t        i;
    const uint8_t  *prev;

    prev = NULL;

    for (i = 0; i < n && p != NULL; i++) {

        if (c->last - p < MIQPS_PATHS_STRING
            || !miqps_paths_check_name(c, p, prev))
        {
            return NULL;
        }

        prev = p;
        c->growth += target ? 2 + miqps_get_u16(p + 4) : 0;

        p = miqps_paths_check_text(c, p + MIQPS_PATHS_STRING,
                                   MIQPS_PLACE_VALUE, prev, target);
    }

    return p;
}


static int
miqps_paths_check_name(const miqps_paths_checked_t *c, const uint8_t *p,
    const uint8_t *prev)
{
    miqps_str_t  name, before;

    if (!miqps_paths_in_pool(&c->rules, p)) {
        return 0;
    }

    name = miqps_paths_string(&c->rules, p);

    if (!miqps_paths_text_ok(MIQPS_PLACE_NAME, &name)) {
        return 0;
    }

    if (prev == NULL) {
        return 1;
    }

    before = miqps_paths_string(&c->rules, prev);

    return miqps_paths_cmp(&before, &name) < 0;
}


/* where a text ends, or NULL; "name" is that of its parameter */

static const uint8_t *
miqps_paths_check_text(miqps_paths_checked_t *c, const uint8_t *p,
    miqps_place_e place, const uint8_t *name, int target)
{
    uint32_t        n;
    const uint8_t  *text;

    text = p;

    if (p == c->last || *p > MIQPS_PATHS_MAX_PIECES
        || (*p == 0 && place == MIQPS_PLACE_HOST)
        || (*p != 1 && place == MIQPS_PLACE_HOST && target))
    {
        return NULL;
    }

    for (n = *p++; n > 0; n--) {
        p = miqps_paths_check_piece(c, p, place, name, target);

        if (p == NULL) {
            return NULL;
        }
    }

    return miqps_paths_check_pieces(c, text, target) ? p : NULL;
}


static const uint8_t *
miqps_paths_check_piece(miqps_paths_checked_t *c, const uint8_t *p,
    miqps_place_e place, const uint8_t *name, int target)
{
    uint8_t      kind;
    miqps_str_t  literal;

    if (p == c->last) {
        return NULL;
    }

    kind = *p++;

    if (kind == MIQPS_PIECE_LITERAL) {

        if (c->last - p < MIQPS_PATHS_STRING
            || !miqps_paths_in_pool(&c->rules, p))
        {
            return NULL;
        }

        literal = miqps_paths_string(&c->rules, p);
        c->growth += target ? literal.len : 0;

        return miqps_paths_text_ok(place, &literal) ? p + MIQPS_PATHS_STRING
                                                    : NULL;
    }

    if (target) {
        return (kind == MIQPS_PIECE_CAPTURE && p < c->last
                && miqps_paths_check_capture(c, *p, place, name)) ? p + 1
                                                                  : NULL;
    }

    return miqps_paths_check_source(c, kind, p, place, name);
}


static const uint8_t *
miqps_paths_check_source(miqps_paths_checked_t *c, uint8_t kind,
    const uint8_t *p, miqps_place_e place, const uint8_t *name)
{
    if (kind < MIQPS_PIECE_DIGITS || kind > MIQPS_PIECE_TABLE
        || c->ncaptures == MIQPS_PATHS_MAX_CAPTURE
        || (kind == MIQPS_PIECE_RAW && place == MIQPS_PLACE_HOST))
    {
        return NULL;
    }

    c->kinds[c->ncaptures] = kind;
    c->names[c->ncaptures] = name;
    c->places[c->ncaptures] = (uint8_t) place;

    if (kind == MIQPS_PIECE_TABLE) {

        if (p == c->last || *p >= c->rules.ntables) {
            return NULL;
        }

        c->tables[c->ncaptures] = *p++;
    }

    c->ncaptures++;

    return p;
}


static int
miqps_paths_check_capture(miqps_paths_checked_t *c, uint8_t number,
    miqps_place_e place, const uint8_t *name)
{
    miqps_str_t  one, two;

    if (number >= c->ncaptures || (c->used >> number & 1)
        || place == MIQPS_PLACE_HOST)
    {
        return 0;
    }

    c->used |= UINT64_C(1) << number;

    switch (c->kinds[number]) {

    case MIQPS_PIECE_TABLE:
        c->growth += miqps_paths_longest(&c->rules, c->tables[number]);
        return 1;

    case MIQPS_PIECE_RAW:

        if (c->places[number] != place) {
            return 0;
        }

        if (place == MIQPS_PLACE_PATH) {
            return 1;
        }

        one = miqps_paths_string(&c->rules, c->names[number]);
        two = miqps_paths_string(&c->rules, name);

        return miqps_str_eq(&one, &two);

    default:
        return 1;
    }
}


static size_t
miqps_paths_longest(const miqps_paths_t *rules, uint8_t table)
{
    size_t          n, len, max;
    const uint8_t  *p;

    p = miqps_paths_table(rules, table);
    n = miqps_get_u16(p);
    max = 0;

    for (p += 2; n > 0; n--, p += MIQPS_PATHS_ENTRY) {
        len = miqps_get_u16(p + MIQPS_PATHS_STRING + 4);
        max = (len > max) ? len : max;
    }

    return max;
}


/* how the pieces of a text stand to each other */

static int
miqps_paths_check_pieces(const miqps_paths_checked_t *c, const uint8_t *text,
    int target)
{
    uint32_t        i, n;
    const uint8_t  *p;
    miqps_piece_t   piece, one, two;

    n = *text;
    p = text + 1;
    one.kind = 0;
    two.kind = 0;

    for (i = 0; i < n; i++) {
        p = miqps_piece_next(&c->rules, p, &piece);

        if (piece.kind == MIQPS_PIECE_LITERAL) {
            if (one.kind == MIQPS_PIECE_LITERAL) {
                return 0;
            }

        } else if (target) {
            if (n > 1 && c->kinds[piece.number] == MIQPS_PIECE_RAW) {
                return 0;
            }

        } else if ((n > 1 && piece.kind == MIQPS_PIECE_RAW)
                   || (one.kind != 0 && one.kind != MIQPS_PIECE_LITERAL)
                   || (two.kind != 0 && two.kind != MIQPS_PIECE_UUID
                       && miqps_piece_holds(two.kind, one.literal.data[0])))
        {
            /* "two" would not know where to end */

            return 0;
        }

        two = one;
        one = piece;
    }

    return 1;
}


static int
miqps_paths_check_segments(const miqps_paths_t *rules,
    const miqps_form_t *form)
{
    uint32_t        i;
    miqps_str_t     text;
    const uint8_t  *p;

    for (i = 0; i < form->nsegments; i++) {
        p = form->segments[i];

        if (p[0] == 0) {
            if (i + 1 < form->nsegments || form->deep == form->nsegments) {
                return 0;
            }

            continue;
        }

        if (p[0] > 1 || p[1] != MIQPS_PIECE_LITERAL) {
            continue;
        }

        text = miqps_paths_string(rules, p + 2);

        if (text.data[0] == '.'
            && (text.len == 1 || (text.len == 2 && text.data[1] == '.')))
        {
            return 0;
        }
    }

    return 1;
}
