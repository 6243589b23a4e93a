
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <ctype.h>
#include <string.h>

#include "site.h"


/*
 * WHAT TWO URLS OF A PAGE DIFFER IN
 *
 * If it is one thing, that may be a step.
 */

#define LEARN_APART_GONE    3            /* segments that go at once */
#define LEARN_APART_COUNT   2            /* digits of a small number */
#define LEARN_APART_ENDING  7            /* bytes of ".html", at most */


/* two forms, and where they differ */

typedef struct {
    const learn_form_t *a;
    const learn_form_t *b;
    uint32_t            left;            /* segments that both begin with */
    uint32_t            right;           /* and end with */
    uint32_t            na;              /* what is between */
    uint32_t            nb;
    uint32_t            more[2];         /* the pair that only a has, */
    uint32_t            other[2];        /* and b */
    uint32_t            nmore;           /* how many there are */
    uint32_t            nother;
} learn_apart_t;


static void  learn_apart_init(learn_apart_t *apart, const learn_form_t *a,
    const learn_form_t *b);
static void  learn_apart_pairs(learn_apart_t *apart);
static int  learn_apart_step(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step);
static int  learn_apart_gone(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step);
static int  learn_apart_replaced(learn_site_t *site,
    const learn_apart_t *apart, learn_step_t *step);
static int  learn_apart_params(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step);
static uint32_t  learn_apart_atom(learn_site_t *site, uint32_t token);
static int  learn_apart_counted(const learn_token_t *token);
static int  learn_apart_index(const learn_token_t *token);
static int  learn_apart_ending(const learn_token_t *token);


static void
learn_apart_init(learn_apart_t *apart, const learn_form_t *a,
    const learn_form_t *b)
{
    uint32_t  least;

    apart->a = a;
    apart->b = b;
    apart->left = 0;
    apart->right = 0;

    least = (a->nsegs < b->nsegs) ? a->nsegs : b->nsegs;

    while (apart->left < least
           && a->parts[apart->left] == b->parts[apart->left])
    {
        apart->left++;
    }

    while (apart->right < least - apart->left
           && a->parts[a->nsegs - 1 - apart->right]
              == b->parts[b->nsegs - 1 - apart->right])
    {
        apart->right++;
    }

    apart->na = a->nsegs - apart->left - apart->right;
    apart->nb = b->nsegs - apart->left - apart->right;

    learn_apart_pairs(apart);
}


/* both are in order */

static void
learn_apart_pairs(learn_apart_t *apart)
{
    int              rc;
    uint32_t         i, k, n, m;
    const uint32_t  *one, *two;

    one = apart->a->parts + apart->a->nsegs;
    two = apart->b->parts + apart->b->nsegs;
    n = apart->a->nparams;
    m = apart->b->nparams;
    apart->nmore = 0;
    apart->nother = 0;

    for (i = 0, k = 0; i < n || k < m; /* void */ ) {

        if (i == n || k == m) {
            rc = (i == n) ? 1 : -1;

        } else if (one[2 * i] != two[2 * k]) {
            rc = (one[2 * i] > two[2 * k]) ? 1 : -1;

        } else if (one[2 * i + 1] != two[2 * k + 1]) {
            rc = 2;

        } else {
            rc = 0;
        }

        if (rc < 0 || rc == 2) {
            memcpy(apart->more, one + 2 * i, 2 * sizeof(uint32_t));
            apart->nmore++;
        }

        if (rc > 0) {
            memcpy(apart->other, two + 2 * k, 2 * sizeof(uint32_t));
            apart->nother++;
        }

        i += (rc <= 0 || rc == 2);
        k += (rc >= 0);
    }
}


int
learn_site_difference(learn_site_t *site, const learn_form_t *a,
    const learn_form_t *b, learn_step_t *step)
{
    learn_apart_t  apart;

    learn_apart_init(&apart, a, b);

    return learn_apart_step(site, &apart, step)
           || learn_whole_difference(site, a, b, step);
}


/* 0 if it is none, or more than one */

static int
learn_apart_step(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step)
{
    memset(step, 0, sizeof(learn_step_t));

    if (apart->a->host != apart->b->host) {

        if (apart->na + apart->nb + apart->nmore + apart->nother > 0) {
            return 0;
        }

        step->kind = LEARN_STEP_HOST;
        step->one = apart->a->host;
        step->two = apart->b->host;

        return 1;
    }

    if (apart->nmore + apart->nother > 0) {
        return learn_apart_params(site, apart, step);
    }

    if (apart->nb == 0 && apart->na <= LEARN_APART_GONE) {
        return learn_apart_gone(site, apart, step);
    }

    return apart->na == 1 && apart->nb == 1
           && learn_apart_replaced(site, apart, step);
}


/* segments that one has and the other has not */

static int
learn_apart_gone(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step)
{
    uint32_t              i;
    const uint32_t       *segs;
    const learn_form_t   *a;
    const learn_token_t  *last;

    a = apart->a;
    segs = a->parts + apart->left;
    step->n = apart->na;

    if (apart->left == 0) {
        step->kind = LEARN_STEP_FRONT;

        for (i = 0; i < step->n; i++) {
            step->atoms[i] = learn_apart_atom(site, segs[i]);
        }

        return a->nsegs > step->n
               && site->tokens[a->parts[step->n]].len > 0;
    }

    last = &site->tokens[segs[apart->na - 1]];

    if (apart->right == 0 && apart->na == 1
        && (last->len == 0 || learn_apart_index(last)))
    {
        step->kind = LEARN_STEP_BACK;
        step->atoms[0] = segs[0];

        return 1;
    }

    step->kind = LEARN_STEP_INSIDE;
    step->left = apart->left;
    step->right = apart->right;

    for (i = 0; i < a->nsegs; i++) {
        step->atoms[i] = (i >= apart->left && i < apart->left + apart->na)
                         ? LEARN_ATOM_STAR
                         : learn_site_atom(site, a->parts[i]);
    }

    for (i = 0; i < apart->na; i++) {
        if (site->tokens[segs[i]].len == 0) {
            return 0;
        }
    }

    return 1;
}


/* a segment that could be one of many is a pattern */

static uint32_t
learn_apart_atom(learn_site_t *site, uint32_t token)
{
    learn_token_t  one;

    one = site->tokens[token];

    if (one.kind & LEARN_TOKEN_DIGITS) {
        return LEARN_ATOM_DIGITS;
    }

    if (one.kind & LEARN_TOKEN_HEX) {
        return LEARN_ATOM_HEX;
    }

    if ((one.kind & LEARN_TOKEN_VALUE) && !learn_apart_counted(&one)) {
        return LEARN_ATOM_STAR;
    }

    if (one.tail > 0 && one.tail < one.len) {
        return LEARN_ATOM_COUNT
               | learn_site_token(site, one.text, one.len - one.tail);
    }

    return token;
}


/* a word and a small number, as "old3" */

static int
learn_apart_counted(const learn_token_t *token)
{
    uint32_t  i, n;

    n = token->len - token->tail;

    for (i = 0; i < n && isalpha(token->text[i]); i++) {
        /* void */
    }

    return i == n && n > 1 && token->tail > 0
           && token->tail <= LEARN_APART_COUNT;
}


/* files that stand for their folder */

static int
learn_apart_index(const learn_token_t *token)
{
    size_t  i;

    static const char *const  names[] = {
        "index.", "default.", "home.", "main.", "welcome."
    };

    for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (token->len > strlen(names[i])
            && memcmp(token->text, names[i], strlen(names[i])) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* true if it ends as the name of a file does */

static int
learn_apart_ending(const learn_token_t *token)
{
    size_t  i;

    if (token->dot == 0 || token->len - token->dot > LEARN_APART_ENDING) {
        return 0;
    }

    for (i = token->dot + 1u; i < token->len; i++) {
        if (!isalnum(token->text[i])) {
            return 0;
        }
    }

    return token->len - token->dot > 1;
}


/* one segment in the place of another */

static int
learn_apart_replaced(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step)
{
    uint32_t        i, one, two;
    learn_token_t   a, b;

    one = apart->a->parts[apart->left];
    two = apart->b->parts[apart->left];
    a = site->tokens[one];
    b = site->tokens[two];

    if (a.len == 0 || b.len == 0) {
        return 0;
    }

    step->left = apart->left;

    if ((a.kind & LEARN_TOKEN_HEX) && (b.kind & LEARN_TOKEN_HEX)) {
        step->kind = LEARN_STEP_FIXED;
        step->one = learn_site_token(site, (const uint8_t *) "0", 1);

        for (i = 0; i < apart->left; i++) {
            step->atoms[i] = learn_site_atom(site, apart->a->parts[i]);
        }

        step->atoms[apart->left] = LEARN_ATOM_HEX;

        return apart->right > 0;
    }

    if (learn_apart_ending(&a) && learn_apart_ending(&b) && a.dot == b.dot
        && apart->right == 0 && (a.kind & LEARN_TOKEN_VALUE)
        && memcmp(a.text, b.text, a.dot) == 0)
    {
        step->kind = LEARN_STEP_ENDING;
        step->left = 0;
        step->one = learn_site_token(site, a.text + a.dot, a.len - a.dot);
        step->two = learn_site_token(site, b.text + b.dot, b.len - b.dot);

        return 1;
    }

    if (learn_site_atom(site, one) == LEARN_ATOM_STAR
        || learn_site_atom(site, two) == LEARN_ATOM_STAR)
    {
        return 0;
    }

    step->kind = LEARN_STEP_WORD;
    step->one = one;
    step->two = two;

    return 1;
}


/* a value that is in the path here and a parameter there, or another name */

static int
learn_apart_params(learn_site_t *site, const learn_apart_t *apart,
    learn_step_t *step)
{
    uint32_t             i;
    const learn_form_t  *a;

    a = apart->a;

    if (apart->nmore != 1 || apart->more[1] == LEARN_NOTHING) {
        return 0;
    }

    if (apart->nother == 0 && apart->na == 0 && apart->nb == 1
        && apart->b->parts[apart->left] == apart->more[1])
    {
        step->kind = LEARN_STEP_MOVE;
        step->one = apart->more[0];
        step->left = apart->left;
        step->right = apart->right;

        for (i = 0; i < a->nsegs; i++) {
            step->atoms[i] = learn_site_atom(site, a->parts[i]);
        }

        return 1;
    }

    if (apart->nother == 0 && apart->na == 1 && apart->nb == 1
        && apart->b->parts[apart->left] == apart->more[1]
        && site->tokens[a->parts[apart->left]].len > 0)
    {
        step->kind = LEARN_STEP_SWAP;
        step->one = apart->more[0];
        step->left = apart->left;
        step->n = 1;
        step->right = apart->right;

        for (i = 0; i < a->nsegs; i++) {
            step->atoms[i] = (i == apart->left)
                             ? LEARN_ATOM_STAR
                             : learn_site_atom(site, a->parts[i]);
        }

        return 1;
    }

    if (apart->nother == 1 && apart->na + apart->nb == 0
        && apart->more[1] == apart->other[1]
        && apart->more[0] != apart->other[0])
    {
        step->kind = LEARN_STEP_NAME;
        step->one = apart->more[0];
        step->two = apart->other[0];

        return 1;
    }

    return 0;
}
