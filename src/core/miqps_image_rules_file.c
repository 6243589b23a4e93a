
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_rules.h"


/*
 * DOES A RULE MAKE A PAGE LOOK LIKE A FILE?
 *
 *     /account/{p}        /static/{p}.css
 *     /account?t={t}      /x.{t}
 *
 * There are caches that store whatever has a name like that, for everybody.
 * What a path looks like is in its last segment, and wildcards in braces hold
 * no dot, so it is the dots of literals that count: what is behind them must
 * have been there before.  But for the names of programs, and for an extension
 * of pages in the place of another extension; nobody stores these by name.  A
 * raw segment may have any dots; it may become the last one where what was
 * behind it goes, but must not change places with that.
 */

typedef struct {
    miqps_piece_t    pieces[MIQPS_PATHS_MAX_PIECES];
    uint32_t         n;
    uint32_t         first;                  /* piece with the first dot */
    size_t           dot;                    /* where that is in it */
    miqps_str_t      extension;              /* at the end; or empty */
    int              single;                 /* it has the only dot */
} miqps_named_t;


static void  miqps_named_read(const miqps_paths_t *rules, const uint8_t *text,
    uint32_t capture, miqps_named_t *named);
static void  miqps_named_dots(miqps_named_t *named);
static int  miqps_named_swapped(const miqps_paths_t *rules,
    const miqps_rewrite_t *rewrite, const miqps_named_t *from,
    const miqps_named_t *to);
static int  miqps_named_uses(const miqps_paths_t *rules, const uint8_t *text,
    uint32_t capture);
static uint32_t  miqps_named_captures(const miqps_paths_t *rules,
    const uint8_t *text);
static int  miqps_named_same(const miqps_rewrite_t *rewrite,
    const miqps_named_t *one, const miqps_named_t *two);
static int  miqps_named_in(const miqps_str_t *list, size_t n,
    const miqps_str_t *extension);


static const miqps_str_t  miqps_named_pages[] = {
    miqps_string("htm"), miqps_string("html"), miqps_string("shtml"),
    miqps_string("xhtml")
};


static const miqps_str_t  miqps_named_programs[] = {
    miqps_string("action"), miqps_string("asp"), miqps_string("aspx"),
    miqps_string("cfm"), miqps_string("cgi"), miqps_string("do"),
    miqps_string("jsp"), miqps_string("jspx"), miqps_string("php"),
    miqps_string("phtml"), miqps_string("pl")
};


#define miqps_named_is(list, extension)                                      \
    miqps_named_in(list, sizeof(list) / sizeof((list)[0]), extension)


int
miqps_paths_disguise(const miqps_paths_t *rules,
    const miqps_rewrite_t *rewrite)
{
    uint32_t             i, capture;
    miqps_named_t        from, to;
    const miqps_form_t  *f, *g;

    f = &rewrite->from;
    g = &rewrite->to;

    if (!g->path || g->deep == g->nsegments || g->nsegments == 0) {
        return 0;
    }

    miqps_named_read(rules, g->segments[g->nsegments - 1], 0, &to);

    if (to.n == 1 && to.single && miqps_paths_program(&to.extension)) {
        return 0;
    }

    if (f->deep == f->nsegments || f->nsegments == 0) {
        return to.first < to.n;
    }

    /* captures are numbered from the host on */

    capture = (f->host != NULL) ? miqps_named_captures(rules, f->host) : 0;

    for (i = 0; i + 1 < f->nsegments; i++) {
        capture += miqps_named_captures(rules, f->segments[i]);
    }

    miqps_named_read(rules, f->segments[f->nsegments - 1], capture, &from);

    if (to.first == to.n) {
        return miqps_named_swapped(rules, rewrite, &from, &to);
    }

    if (miqps_named_same(rewrite, &from, &to)) {
        return 0;
    }

    return from.extension.len == 0 || !to.single
           || (!miqps_named_is(miqps_named_pages, &to.extension)
               && !miqps_paths_program(&to.extension));
}


int
miqps_paths_program(const miqps_str_t *extension)
{
    return miqps_named_is(miqps_named_programs, extension);
}


/* of a source, wildcards become captures, "capture" being the first one */

static void
miqps_named_read(const miqps_paths_t *rules, const uint8_t *text,
    uint32_t capture, miqps_named_t *named)
{
    uint32_t        i;
    miqps_piece_t  *piece;

    named->n = *text++;

    for (i = 0; i < named->n; i++) {
        piece = &named->pieces[i];
        text = miqps_piece_next(rules, text, piece);

        if (piece->kind != MIQPS_PIECE_LITERAL
            && piece->kind != MIQPS_PIECE_CAPTURE)
        {
            piece->kind = MIQPS_PIECE_CAPTURE;
            piece->number = (uint8_t) capture++;
        }
    }

    miqps_named_dots(named);
}


static void
miqps_named_dots(miqps_named_t *named)
{
    size_t              k, dots;
    uint32_t            i;
    const miqps_str_t  *text;

    named->first = named->n;
    named->dot = 0;
    named->extension.data = NULL;
    named->extension.len = 0;
    dots = 0;

    for (i = 0; i < named->n; i++) {

        if (named->pieces[i].kind != MIQPS_PIECE_LITERAL) {
            continue;
        }

        text = &named->pieces[i].literal;

        for (k = 0; k < text->len; k++) {

            if (text->data[k] != '.') {
                continue;
            }

            if (dots++ == 0) {
                named->first = i;
                named->dot = k;
            }

            if (i + 1 == named->n) {
                named->extension.data = text->data + k + 1;
                named->extension.len = text->len - k - 1;
            }
        }
    }

    named->single = (dots == 1 && named->extension.len > 0);
}


/* true if a raw segment ends the path, and what did so is somewhere else now */

static int
miqps_named_swapped(const miqps_paths_t *rules, const miqps_rewrite_t *rewrite,
    const miqps_named_t *from, const miqps_named_t *to)
{
    uint32_t              i, k;
    const miqps_form_t   *form;
    const miqps_piece_t  *piece;

    form = &rewrite->to;

    if (to->n != 1 || to->pieces[0].kind != MIQPS_PIECE_CAPTURE
        || rewrite->kinds[to->pieces[0].number] != MIQPS_PIECE_RAW)
    {
        return 0;
    }

    for (i = 0; i < from->n; i++) {
        piece = &from->pieces[i];

        if (piece->kind != MIQPS_PIECE_CAPTURE) {
            continue;
        }

        for (k = 0; k + 1 < form->nsegments; k++) {
            if (miqps_named_uses(rules, form->segments[k], piece->number)) {
                return 1;
            }
        }

        for (k = 0; k < form->nparams; k++) {
            if (miqps_named_uses(rules, form->params[k] + MIQPS_PATHS_STRING,
                                 piece->number))
            {
                return 1;
            }
        }
    }

    return 0;
}


static int
miqps_named_uses(const miqps_paths_t *rules, const uint8_t *text,
    uint32_t capture)
{
    uint32_t       n;
    miqps_piece_t  piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);

        if (piece.kind == MIQPS_PIECE_CAPTURE && piece.number == capture) {
            return 1;
        }
    }

    return 0;
}


static uint32_t
miqps_named_captures(const miqps_paths_t *rules, const uint8_t *text)
{
    uint32_t       n, captures;
    miqps_piece_t  piece;

    captures = 0;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);
        captures += (piece.kind != MIQPS_PIECE_LITERAL);
    }

    return captures;
}


/* true if both have the same from the first dot on, and no table changes it */

static int
miqps_named_same(const miqps_rewrite_t *rewrite, const miqps_named_t *one,
    const miqps_named_t *two)
{
    size_t                a, b;
    uint32_t              i, n;
    miqps_str_t           s, t;
    const miqps_piece_t  *p, *q;

    n = one->n - one->first;

    if (n == 0 || n != two->n - two->first) {
        return 0;
    }

    for (i = 0; i < n; i++) {
        p = &one->pieces[one->first + i];
        q = &two->pieces[two->first + i];

        if (p->kind != q->kind) {
            return 0;
        }

        if (p->kind == MIQPS_PIECE_CAPTURE) {
            if (p->number != q->number
                || rewrite->kinds[p->number] == MIQPS_PIECE_TABLE)
            {
                return 0;
            }

            continue;
        }

        a = (i == 0) ? one->dot : 0;
        b = (i == 0) ? two->dot : 0;

        s.data = p->literal.data + a;
        s.len = p->literal.len - a;
        t.data = q->literal.data + b;
        t.len = q->literal.len - b;

        if (!miqps_str_eq(&s, &t)) {
            return 0;
        }
    }

    return 1;
}


static int
miqps_named_in(const miqps_str_t *list, size_t n, const miqps_str_t *extension)
{
    size_t   i, k;
    uint8_t  c;

    for (i = 0; i < n; i++) {

        if (list[i].len != extension->len) {
            continue;
        }

        for (k = 0; k < extension->len; k++) {
            c = extension->data[k];
            c = (c >= 'A' && c <= 'Z') ? (uint8_t) (c | 0x20) : c;

            if (c != list[i].data[k]) {
                break;
            }
        }

        if (k == extension->len) {
            return 1;
        }
    }

    return 0;
}
