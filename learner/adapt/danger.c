
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ways.h"


/*
 * HOW WRONG A STEP CAN BE
 *
 * A session, a slug, an index file or a slash are hardly ever another page.  A
 * word in another one's place may be: where two languages, two sections or two
 * years have most of their pages in common, a few pairs of them do not show it.
 * Two languages are never one, whatever their pages look like, unless pages
 * say so themselves.
 */

#define LEARN_DANGER_LEAST    14         /* pairs, or it is no rule, */
#define LEARN_DANGER_FEW      8          /* and for all other steps */


/* pairs that are wanted */

typedef struct {
    uint32_t  words;
    uint32_t  other;
} learn_danger_t;


/* by level, as long as there are fetches left */

static const learn_danger_t  learn_danger_wanted[LEARN_DANGER_LEVELS] = {
    { LEARN_DANGER_LEAST, LEARN_DANGER_FEW },
    { LEARN_DANGER_LEAST, 14 },
    { 30, 14 },
    { 60, 30 },
    { 120, 60 }
};


/* ISO 639-1 */

static const char  learn_danger_tongues[] =
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce "
    "ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr "
    "fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is "
    "it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln "
    "lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv "
    "ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk "
    "sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw "
    "ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ";


static int  learn_danger_tongue(const learn_token_t *token);
static int  learn_danger_plain(const learn_step_t *step, uint32_t from,
    uint32_t to);


int
learn_danger_words(const learn_step_t *step)
{
    switch (step->kind) {

    case LEARN_STEP_WORD:
    case LEARN_STEP_HOST:
        return 1;

    case LEARN_STEP_FRONT:
        return learn_danger_plain(step, 0, step->n);

    default:
        return 0;
    }
}


uint32_t
learn_danger_pairs(const learn_step_t *step, unsigned level)
{
    /* what it is made of was found out value by value, see tables.c */

    if (step->kind == LEARN_STEP_TABLE) {
        return 0;
    }

    return learn_danger_words(step) ? learn_danger_wanted[level].words
                                    : learn_danger_wanted[level].other;
}


/* true if none of the atoms that go can have other values */

static int
learn_danger_plain(const learn_step_t *step, uint32_t from, uint32_t to)
{
    uint32_t  i;

    for (i = from; i < to; i++) {
        if (step->atoms[i] >= LEARN_ATOM_COUNT) {
            return 0;
        }
    }

    return 1;
}


int
learn_danger_tongues_apart(const learn_site_t *site, const learn_step_t *step)
{
    return step->kind == LEARN_STEP_WORD
           && learn_danger_tongue(&site->tokens[step->one])
           && learn_danger_tongue(&site->tokens[step->two]);
}


/* "de", and "de-at" or "de_AT" */

static int
learn_danger_tongue(const learn_token_t *token)
{
    size_t  i;
    char    a, b;

    if (token->len != 2
        && !(token->len == 5
             && (token->text[2] == '-' || token->text[2] == '_')))
    {
        return 0;
    }

    a = (char) (token->text[0] | 0x20);
    b = (char) (token->text[1] | 0x20);

    for (i = 0; i + 2 < sizeof(learn_danger_tongues); i += 3) {
        if (learn_danger_tongues[i] == a && learn_danger_tongues[i + 1] == b) {
            return 1;
        }
    }

    return 0;
}
