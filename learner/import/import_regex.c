
/*
 * Copyright (C) the ngx_miqps authors
 */


#define PCRE2_CODE_UNIT_WIDTH  8

#include <pcre2.h>
#include <string.h>

#include "import_regex.h"


/* groups within groups; deeper ones are not taken apart */

#define LEARN_IMPORT_DEPTH  8


/* what learn_import_regex_expand() carries along */

typedef struct {
    learn_arena_t          *mem;
    unsigned                flags;
    size_t                  limit;
} learn_import_expand_t;


static const char  *learn_import_regex_byte(const char *p,
    learn_import_atom_t *atom);
static const char  *learn_import_regex_class(const char *p, const char *end,
    learn_import_atom_t *atom);
static const char  *learn_import_regex_escape(const char *p, const char *end,
    learn_import_atom_t *atom);
static const char  *learn_import_regex_group(const char *p, const char *end,
    learn_import_atom_t *atom);
static const char  *learn_import_regex_quantifier(const char *p,
    const char *end, learn_import_atom_t *atom);
static const char  *learn_import_regex_braces(const char *p, const char *end,
    learn_import_atom_t *atom);
static learn_import_rc_e  learn_import_expand_any(learn_import_expand_t *ctx,
    const char *p, const char *end, unsigned depth, learn_import_list_t *list);
static learn_import_rc_e  learn_import_expand_one(learn_import_expand_t *ctx,
    const char *p, const char *end, unsigned depth, learn_import_list_t *list);
static learn_import_rc_e  learn_import_expand_atom(learn_import_expand_t *ctx,
    const learn_import_atom_t *atom, unsigned depth,
    learn_import_list_t *list);
static int  learn_import_expand_suffix(const learn_import_atom_t *atom);
static learn_import_rc_e  learn_import_expand_bytes(learn_import_expand_t *ctx,
    const learn_import_atom_t *atom, learn_import_list_t *list);
static learn_import_rc_e  learn_import_expand_times(learn_import_expand_t *ctx,
    const learn_import_list_t *heads, const learn_import_list_t *tails,
    learn_import_list_t *list);
static int  learn_import_class_has(const learn_import_atom_t *atom,
    unsigned char c);
static unsigned char  learn_import_class_byte(const char **p, const char *end,
    char *type);
static int  learn_import_type_has(char type, unsigned char c);


/* ends of names in several countries, as lists write them */

static const char *const  learn_import_suffixes[] = {
    "(?:\\.[a-z]{2,}){1,}",
    "(?:\\.[a-z]{2,})+",
    "(\\.[a-z]{2,}){1,}",
    "(\\.[a-z]{2,})+",
};


int
learn_import_regex_next(const char **p, const char *end,
    learn_import_atom_t *atom)
{
    const char  *s;

    s = *p;

    if (s == end || *s == '|') {
        return 0;
    }

    memset(atom, 0, sizeof(learn_import_atom_t));
    atom->start = s;

    switch (*s) {

    case '[':
        s = learn_import_regex_class(s, end, atom);
        break;

    case '(':
        s = learn_import_regex_group(s, end, atom);
        break;

    case '\\':
        s = learn_import_regex_escape(s, end, atom);
        break;

    default:
        s = learn_import_regex_byte(s, atom);
    }

    if (s != NULL) {
        s = learn_import_regex_quantifier(s, end, atom);
    }

    if (s == NULL) {
        return -1;
    }

    atom->end = s;
    *p = s;

    return 1;
}


/* a byte that stands for itself, or for something simple */

static const char *
learn_import_regex_byte(const char *p, learn_import_atom_t *atom)
{
    switch (*p) {

    case ')':
    case '*':
    case '+':
    case '?':
    case '{':
        return NULL;

    case '^':
        atom->kind = LEARN_IMPORT_START;
        break;

    case '$':
        atom->kind = LEARN_IMPORT_FINISH;
        break;

    case '.':
        atom->kind = LEARN_IMPORT_DOT;
        break;

    default:
        atom->byte = (unsigned char) *p;
    }

    return p + 1;
}


const char *
learn_import_regex_bar(const char *p, const char *end)
{
    int                  rc;
    learn_import_atom_t  atom;

    do {
        rc = learn_import_regex_next(&p, end, &atom);
    } while (rc == 1);

    return (rc == 0) ? p : NULL;
}


static const char *
learn_import_regex_class(const char *p, const char *end,
    learn_import_atom_t *atom)
{
    p++;

    if (p < end && *p == '^') {
        atom->negated = 1;
        p++;
    }

    atom->kind = LEARN_IMPORT_CLASS;
    atom->from = p;

    /* empty classes and those of POSIX mean something else to PCRE2 */

    if (p < end && *p == ']') {
        return NULL;
    }

    for ( /* void */ ; p < end; p++) {

        if (*p == ']') {
            atom->to = p;
            return p + 1;
        }

        if (*p == '[' && p + 1 < end
            && (p[1] == ':' || p[1] == '.' || p[1] == '='))
        {
            return NULL;
        }

        if (*p != '\\') {
            continue;
        }

        p++;

        if (p == end || (learn_import_type_has('w', (unsigned char) *p)
                         && strchr("dDsSwW_", *p) == NULL))
        {
            return NULL;
        }
    }

    return NULL;
}


static const char *
learn_import_regex_group(const char *p, const char *end,
    learn_import_atom_t *atom)
{
    unsigned             depth;
    learn_import_atom_t  class;

    p++;

    if (p < end && *p == '?') {

        if (end - p < 2 || p[1] != ':') {
            return NULL;
        }

        p += 2;
    }

    atom->kind = LEARN_IMPORT_GROUP;
    atom->from = p;

    depth = 1;

    while (p < end) {

        switch (*p) {

        case '[':
            p = learn_import_regex_class(p, end, &class);

            if (p == NULL) {
                return NULL;
            }

            continue;

        case '\\':
            p++;
            break;

        case '(':
            depth++;
            break;

        case ')':
            if (--depth == 0) {
                atom->to = p;
                return p + 1;
            }

            break;

        default:
            break;
        }

        p++;
    }

    return NULL;
}


static const char *
learn_import_regex_escape(const char *p, const char *end,
    learn_import_atom_t *atom)
{
    p++;

    if (p >= end) {
        return NULL;
    }

    atom->byte = (unsigned char) *p;

    switch (*p) {

    case 'b':
    case 'B':
        atom->kind = LEARN_IMPORT_BORDER;
        return p + 1;

    case 'd':
    case 'D':
    case 's':
    case 'S':
    case 'w':
    case 'W':
        atom->kind = LEARN_IMPORT_TYPE_OF;
        return p + 1;

    default:
        break;
    }

    /* other letters and digits: references, code points, anchors of PCRE2 */

    if ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z')
        || (*p >= 'A' && *p <= 'Z') || (unsigned char) *p >= 0x80)
    {
        return NULL;
    }

    return p + 1;
}


static const char *
learn_import_regex_quantifier(const char *p, const char *end,
    learn_import_atom_t *atom)
{
    if (p == end || strchr("*+?{", *p) == NULL) {
        atom->once = 1;
        return p;
    }

    switch (*p) {

    case '*':
        atom->endless = 1;
        atom->empty = 1;
        p++;
        break;

    case '+':
        atom->endless = 1;
        p++;
        break;

    case '?':
        atom->maybe = 1;
        atom->empty = 1;
        p++;
        break;

    default:
        p = learn_import_regex_braces(p, end, atom);
    }

    if (p == NULL || p == end) {
        return p;
    }

    /* lazy or not makes no difference to what is found */

    if (*p == '?') {
        return p + 1;
    }

    return (*p == '+') ? NULL : p;
}


static const char *
learn_import_regex_braces(const char *p, const char *end,
    learn_import_atom_t *atom)
{
    unsigned  digits;

    p++;

    atom->empty = (p < end && *p == '0');

    for (digits = 0; p < end && *p >= '0' && *p <= '9'; p++) {
        digits++;
    }

    if (digits == 0 || digits > 3 || p == end) {
        return NULL;
    }

    if (*p == ',') {
        p++;
        atom->endless = (p < end && *p == '}');

        while (p < end && *p >= '0' && *p <= '9') {
            p++;
        }
    }

    return (p < end && *p == '}') ? p + 1 : NULL;
}


int
learn_import_atom_matches(const learn_import_atom_t *atom, unsigned char c)
{
    int                  rc;
    const char          *p;
    learn_import_atom_t  inner;

    switch (atom->kind) {

    case LEARN_IMPORT_CHAR:
        return atom->byte == c;

    case LEARN_IMPORT_DOT:
        return 1;

    case LEARN_IMPORT_CLASS:
        return learn_import_class_has(atom, c);

    case LEARN_IMPORT_TYPE_OF:
        return learn_import_type_has((char) atom->byte, c);

    case LEARN_IMPORT_GROUP:
        break;

    default:
        return 0;
    }

    /* atoms of groups within are read as if they were ours */

    for (p = atom->from; p < atom->to; /* void */ ) {

        if (*p == ')') {
            p = learn_import_regex_quantifier(p + 1, atom->to, &inner);

            if (p == NULL) {
                return 1;
            }

            continue;
        }

        rc = learn_import_regex_next(&p, atom->to, &inner);

        if (rc < 0) {
            return 1;
        }

        if (rc == 0) {
            p++;

        } else if (inner.kind == LEARN_IMPORT_GROUP) {
            p = inner.from;

        } else if (learn_import_atom_matches(&inner, c)) {
            return 1;
        }
    }

    return 0;
}


static int
learn_import_class_has(const learn_import_atom_t *atom, unsigned char c)
{
    int            hit;
    char           type;
    const char    *p;
    unsigned char  low, high;

    hit = 0;

    for (p = atom->from; p < atom->to; /* void */ ) {
        low = learn_import_class_byte(&p, atom->to, &type);
        high = low;

        if (type != '\0') {
            hit |= learn_import_type_has(type, c);
            continue;
        }

        if (atom->to - p > 1 && *p == '-') {
            p++;
            high = learn_import_class_byte(&p, atom->to, &type);

            if (type != '\0') {
                /* not a range after all */
                hit |= learn_import_type_has(type, c) || c == '-';
                high = low;
            }
        }

        hit |= (c >= low && c <= high);
    }

    return hit != (int) atom->negated;
}


/* the byte of a class at "*p"; for \d and its like "*type" is the letter */

static unsigned char
learn_import_class_byte(const char **p, const char *end, char *type)
{
    unsigned char  c;

    *type = '\0';
    c = (unsigned char) *(*p)++;

    if (c == '\\' && *p < end) {
        c = (unsigned char) *(*p)++;

        if (strchr("dDsSwW", (char) c) != NULL) {
            *type = (char) c;
        }
    }

    return c;
}


static int
learn_import_type_has(char type, unsigned char c)
{
    int  digit, space, word;

    digit = (c >= '0' && c <= '9');
    space = (c == ' ' || (c >= '\t' && c <= '\r'));
    word = digit || c == '_' || (c >= 'a' && c <= 'z')
           || (c >= 'A' && c <= 'Z');

    switch (type) {

    case 'd':
        return digit;

    case 'D':
        return !digit;

    case 's':
        return space;

    case 'S':
        return !space;

    case 'w':
        return word;

    default:
        return !word;
    }
}


learn_import_rc_e
learn_import_regex_expand(learn_arena_t *mem, const char *p,
    const char *end, unsigned flags, size_t limit, learn_import_list_t *list)
{
    size_t                 i;
    learn_import_rc_e      rc;
    learn_import_list_t    all;
    learn_import_expand_t  ctx;

    ctx.mem = mem;
    ctx.flags = flags;
    ctx.limit = limit;

    memset(&all, 0, sizeof(learn_import_list_t));

    rc = learn_import_expand_any(&ctx, p, end, 0, &all);

    /* "[z-a]" matches nothing, which must not be mistaken for anything */

    if (rc == LEARN_IMPORT_OK && all.n == 0) {
        return LEARN_IMPORT_DECLINED;
    }

    for (i = 0; i < all.n && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_list_add(mem, list, all.item[i]);
    }

    return rc;
}


/* the union of the alternatives */

static learn_import_rc_e
learn_import_expand_any(learn_import_expand_t *ctx, const char *p,
    const char *end, unsigned depth, learn_import_list_t *list)
{
    const char        *bar;
    learn_import_rc_e  rc;

    if (depth > LEARN_IMPORT_DEPTH) {
        return LEARN_IMPORT_DECLINED;
    }

    for ( ;; ) {
        bar = learn_import_regex_bar(p, end);

        if (bar == NULL) {
            return LEARN_IMPORT_DECLINED;
        }

        rc = learn_import_expand_one(ctx, p, bar, depth, list);

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }

        if (list->n > ctx->limit) {
            return LEARN_IMPORT_DECLINED;
        }

        if (bar == end) {
            return LEARN_IMPORT_OK;
        }

        p = bar + 1;
    }
}


/* the product of the atoms */

static learn_import_rc_e
learn_import_expand_one(learn_import_expand_t *ctx, const char *p,
    const char *end, unsigned depth, learn_import_list_t *list)
{
    size_t               i;
    learn_import_rc_e    rc;
    learn_import_atom_t  atom;
    learn_import_list_t  heads, tails, both;

    memset(&heads, 0, sizeof(learn_import_list_t));

    rc = learn_import_list_add(ctx->mem, &heads, "");

    while (rc == LEARN_IMPORT_OK && p < end) {

        if (learn_import_regex_next(&p, end, &atom) != 1) {
            return LEARN_IMPORT_DECLINED;
        }

        memset(&tails, 0, sizeof(learn_import_list_t));
        memset(&both, 0, sizeof(learn_import_list_t));

        rc = learn_import_expand_atom(ctx, &atom, depth, &tails);

        if (rc == LEARN_IMPORT_OK) {
            rc = learn_import_expand_times(ctx, &heads, &tails, &both);
        }

        heads = both;
    }

    for (i = 0; i < heads.n && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_list_add(ctx->mem, list, heads.item[i]);
    }

    return rc;
}


static learn_import_rc_e
learn_import_expand_atom(learn_import_expand_t *ctx,
    const learn_import_atom_t *atom, unsigned depth, learn_import_list_t *list)
{
    learn_import_rc_e  rc;

    if ((ctx->flags & LEARN_IMPORT_AS_HOST)
        && learn_import_expand_suffix(atom))
    {
        return learn_import_list_add(ctx->mem, list, LEARN_IMPORT_SUFFIX);
    }

    if (!atom->once && !atom->maybe) {
        return LEARN_IMPORT_DECLINED;
    }

    if (atom->maybe) {
        rc = learn_import_list_add(ctx->mem, list, "");

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }
    }

    switch (atom->kind) {

    case LEARN_IMPORT_GROUP:
        return learn_import_expand_any(ctx, atom->from, atom->to, depth + 1,
                                       list);

    case LEARN_IMPORT_CHAR:
    case LEARN_IMPORT_CLASS:
        return learn_import_expand_bytes(ctx, atom, list);

    case LEARN_IMPORT_DOT:
        return (ctx->flags & LEARN_IMPORT_AS_HOST)
               ? learn_import_list_add(ctx->mem, list, ".")
               : LEARN_IMPORT_DECLINED;

    default:
        return LEARN_IMPORT_DECLINED;
    }
}


static int
learn_import_expand_suffix(const learn_import_atom_t *atom)
{
    size_t  i, len;

    len = (size_t) (atom->end - atom->start);

    for (i = 0; i < sizeof(learn_import_suffixes) / sizeof(char *); i++) {
        if (len == strlen(learn_import_suffixes[i])
            && memcmp(atom->start, learn_import_suffixes[i], len) == 0)
        {
            return 1;
        }
    }

    return 0;
}


static learn_import_rc_e
learn_import_expand_bytes(learn_import_expand_t *ctx,
    const learn_import_atom_t *atom, learn_import_list_t *list)
{
    char               c;
    unsigned           byte;
    learn_import_rc_e  rc;

    rc = LEARN_IMPORT_OK;

    for (byte = 1; byte < 256 && rc == LEARN_IMPORT_OK; byte++) {

        if (!learn_import_atom_matches(atom, (unsigned char) byte)) {
            continue;
        }

        if (list->n > ctx->limit) {
            return LEARN_IMPORT_DECLINED;
        }

        c = (char) byte;
        rc = learn_import_list_add(ctx->mem, list,
                                   learn_import_copy(ctx->mem, &c, 1));
    }

    return rc;
}


static learn_import_rc_e
learn_import_expand_times(learn_import_expand_t *ctx,
    const learn_import_list_t *heads, const learn_import_list_t *tails,
    learn_import_list_t *list)
{
    size_t             i, j;
    learn_import_rc_e  rc;

    if (heads->n * tails->n > ctx->limit) {
        return LEARN_IMPORT_DECLINED;
    }

    for (i = 0; i < heads->n; i++) {
        for (j = 0; j < tails->n; j++) {
            rc = learn_import_list_add(ctx->mem, list,
                                       learn_import_join(ctx->mem,
                                                         heads->item[i],
                                                         tails->item[j],
                                                         NULL));
            if (rc != LEARN_IMPORT_OK) {
                return rc;
            }
        }
    }

    return LEARN_IMPORT_OK;
}


char *
learn_import_regex_quote(learn_arena_t *mem, const char *text)
{
    char  *quoted, *p;

    quoted = learn_arena_alloc(mem, 2 * strlen(text) + 1);

    if (quoted == NULL) {
        return NULL;
    }

    for (p = quoted; *text != '\0'; text++) {

        if (strchr("\\^$.[]|()?*+{}", *text) != NULL) {
            *p++ = '\\';
        }

        *p++ = *text;
    }

    *p = '\0';

    return quoted;
}


int
learn_import_regex_is(learn_arena_t *mem, const char *regex,
    const char *subject)
{
    int                rc, code;
    char              *whole;
    PCRE2_SIZE         offset;
    pcre2_code        *compiled;
    pcre2_match_data  *data;

    whole = learn_import_join(mem, "^(?:", regex, ")$", NULL);

    if (whole == NULL) {
        return 1;
    }

    compiled = pcre2_compile((PCRE2_SPTR) whole, PCRE2_ZERO_TERMINATED,
                             PCRE2_CASELESS, &code, &offset, NULL);

    /* where it cannot be told, it counts as a match: the rule is left out */

    if (compiled == NULL) {
        return 1;
    }

    data = pcre2_match_data_create(1, NULL);

    rc = (data == NULL) ? 0 : pcre2_match(compiled, (PCRE2_SPTR) subject,
                                          strlen(subject), 0, 0, data, NULL);

    pcre2_match_data_free(data);
    pcre2_code_free(compiled);

    return rc != PCRE2_ERROR_NOMATCH;
}
