
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SITE_H_INCLUDED_
#define _LEARN_SITE_H_INCLUDED_


#include "arena.h"


/*
 * A SITE'S URLS AS ONE PROBLEM
 *
 * Parameters, paths and hosts are learned together, from URLs of which it is
 * known, more or less, which show the same page.  What is done to a URL until
 * it is the one URL of its page is a row of small steps, each of which is the
 * same for many pages:
 *
 *     a parameter goes         ?sid=9f2c           its values differ within
 *                                                  pages, and nothing else
 *                                                  is told by them
 *     a value goes             ?page=1             as if it were not there
 *     a host becomes another   m.shop.example
 *     segments go              /s/9f2c/..., .../index.html, /amp/...
 *     a segment is fixed       /s/9f2c/ -> /s/0/
 *     a word becomes another   /katalog/ -> /catalog/, .htm -> .html
 *     a value moves            /show?id=7 -> /show/7
 *     a name becomes another   ?Id=7 -> ?id=7
 *     a value is translated    ?color=3 -> ?color=yellow
 *
 * Such a step is seen where two URLs of a page differ in just that.  It is
 * taken if it makes URLs of pages equal and, wherever it can be seen, no URLs
 * of different pages; the one that is seen most comes first, and what all URLs
 * are after it is looked at again.  Labels may be wrong: a step may err as
 * often as those do that err least.
 *
 * What comes out is the source of a map, with patterns and path rules.
 */

#define LEARN_SITE_SEGMENTS   24         /* of a URL; with more, it is left */
#define LEARN_SITE_PARAMS     24         /* out */
#define LEARN_SITE_STEPS      60
#define LEARN_SITE_ATOMS      28         /* of a pattern */
#define LEARN_SITE_TABLE      256        /* values that are translated */


/* a text that is part of URLs, each once */

typedef struct {
    const uint8_t        *text;
    uint32_t              len;
    uint32_t              urls;          /* that have it in their path */
    uint8_t               kind;          /* bits, see below */
    uint8_t               dot;           /* where its extension begins, or 0 */
    uint8_t               tail;          /* digits at its end */
} learn_token_t;


#define LEARN_TOKEN_DIGITS    1
#define LEARN_TOKEN_HEX       2          /* eight or more, and not all digits */
#define LEARN_TOKEN_VALUE     4          /* looks like a value, not a name */
#define LEARN_TOKEN_PLAIN     8          /* letters, digits, "-", "_", "~" */
#define LEARN_TOKEN_NAME      16         /* a parameter may have it, */
#define LEARN_TOKEN_NO_NAME   32         /* or not */


/* a URL: host, segments, and names with their values, by name */

typedef struct {
    uint32_t              host;
    uint16_t              nsegs;
    uint16_t              nparams;
    uint32_t             *parts;         /* segments, then pairs */
    uint64_t              hash;
    uint32_t              cluster;
    uint32_t              shape;
    uint64_t              trace;         /* steps that changed it */
    uint32_t              origin;        /* the host that it had, */
    uint32_t              set;           /* and the names */
} learn_form_t;


/* a path of which values are open */

typedef struct {
    uint32_t              atoms[LEARN_SITE_SEGMENTS];
    uint32_t              n;
    uint64_t              hash;
    uint32_t              urls;
} learn_site_shape_t;


/* what a segment is in a pattern; other numbers are tokens */

#define LEARN_ATOM_STAR       (UINT32_MAX - 1)     /* any that is not empty */
#define LEARN_ATOM_DIGITS     (UINT32_MAX - 2)
#define LEARN_ATOM_HEX        (UINT32_MAX - 3)
#define LEARN_ATOM_COUNT      UINT32_C(0x80000000) /* token and digits */
#define LEARN_ATOM_LAST       (UINT32_MAX - 3)


/* in the order in which they are done: what concerns all paths comes first */

typedef enum {
    LEARN_STEP_HOST = 0,           /* one becomes two */
    LEARN_STEP_FIXED,              /* the atom behind left becomes "0" */
    LEARN_STEP_FRONT,              /* atoms at the front go */
    LEARN_STEP_BACK,
    LEARN_STEP_WORD,               /* segment at "left" becomes another */
    LEARN_STEP_ENDING,             /* .htm */
    LEARN_STEP_NAME,
    LEARN_STEP_TABLE,              /* values of a name or place */
    LEARN_STEP_SWAP,               /* a parameter takes a segment's place */
    LEARN_STEP_INSIDE,             /* atoms between left and right go */
    LEARN_STEP_MOVE,               /* a parameter becomes a segment */
    LEARN_STEP_WHOLE               /* all but the values is another */
} learn_step_e;


/*
 * One form in the place of another: "/show.php?id=7" and "/page/7".  Values
 * are numbered in the order of the first, in segments and then in parameters.
 */

#define LEARN_WHOLE_VALUES    3
#define LEARN_WHOLE_SEGMENTS  8
#define LEARN_WHOLE_VALUE     UINT32_C(0xc0000000)  /* and the number */

typedef struct {
    uint32_t              from[LEARN_WHOLE_SEGMENTS];   /* tokens, values */
    uint32_t              to[LEARN_WHOLE_SEGMENTS];
    uint32_t              names[LEARN_WHOLE_VALUES];    /* of parameters, */
    uint32_t              to_names[LEARN_WHOLE_VALUES];
    uint32_t              to_values[LEARN_WHOLE_VALUES]; /* and their values */
    uint32_t              nfrom;
    uint32_t              nto;
    uint32_t              nnames;
    uint32_t              nto_names;
} learn_whole_t;


typedef struct {
    learn_step_e          kind;
    uint32_t              one;           /* token, by kind */
    uint32_t              two;
    uint32_t              left;          /* atoms before, */
    uint32_t              n;             /* those that go, */
    uint32_t              right;         /* and behind */
    uint32_t              atoms[LEARN_SITE_ATOMS];
    uint32_t             *table;         /* pairs of tokens */
    uint32_t              ntable;
    learn_whole_t         whole;

    uint64_t              pages;         /* where it was seen */
    uint64_t              good;          /* what it made equal, and was, */
    uint64_t              bad;           /* or was not */
} learn_step_t;


/* a name of a parameter */

typedef struct {
    uint32_t              name;
    uint32_t              alike;         /* the first in other letters */
    uint32_t              vary;          /* pages in which it does */
    uint32_t              usual;         /* value that goes, or LEARN_NOTHING */
    unsigned              neutral:1;     /* in all shapes that tell */
    unsigned              contested:1;   /* its usual value may tell pages in
                                            some shapes */
} learn_site_name_t;


/* what becomes of a name in a shape */

#define LEARN_FATE_UNKNOWN    0
#define LEARN_FATE_GOES       1
#define LEARN_FATE_STAYS      2
#define LEARN_FATE_MAY_GO     3          /* if it stays nowhere, */
#define LEARN_FATE_MAY_STAY   4          /* if it goes nowhere */
#define LEARN_FATES           5


/* what a name does in a shape, see site_names.c */

#define LEARN_TRAIT_VARIES    1
#define LEARN_TRAIT_TELLS     2
#define LEARN_TRAIT_REPEATS   4
#define LEARN_TRAIT_OFTEN     8          /* so that it is not by chance */
#define LEARN_TRAIT_UNSAID    16         /* its usual value may be left out */
#define LEARN_TRAIT_COVERED   32         /* it stays, and goes in a shape that
                                            covers this one */


#define LEARN_NOTHING  UINT32_MAX


/* names that come together, each once */

typedef struct {
    uint32_t             *names;
    uint32_t              n;
    uint64_t              hash;
} learn_site_set_t;


typedef struct {
    learn_arena_t         arena;

    learn_token_t        *tokens;
    uint32_t              ntokens;
    uint32_t              max_tokens;
    uint32_t             *token_table;
    uint32_t              token_mask;

    learn_form_t         *forms;         /* by cluster, */
    learn_form_t         *given;         /* as they were, */
    learn_form_t         *bare;          /* and before the first step */
    uint32_t              nforms;
    uint32_t              max_forms;

    learn_site_shape_t   *shapes;
    uint32_t              nshapes;
    uint32_t              max_shapes;
    uint32_t             *shape_table;
    uint32_t              shape_mask;

    learn_site_set_t     *sets;
    uint32_t              nsets;
    uint32_t              max_sets;

    learn_site_name_t    *names;
    uint32_t             *name_of;       /* of tokens: the name that it is */
    uint32_t              nnames;
    uint8_t              *neutral;       /* of each shape and name: its fate */
    uint8_t              *traits;        /* of the same */

    learn_step_t          steps[LEARN_SITE_STEPS];
    uint32_t              nsteps;
    uint32_t             *heads;         /* segments that paths begin with, */
    uint32_t              nheads;        /* in the end */
    double                doubt;         /* share of labels that err */
    unsigned              scoped:1;      /* rules are for paths that begin with
                                            words which are known */
    unsigned              blur:1;        /* what looks like a session in a path
                                            does not count */
    unsigned              failed:1;      /* no memory */
} learn_site_t;


void learn_site_init(learn_site_t *site);
void learn_site_release(learn_site_t *site);

/*
 * One more URL, absolute; those of a cluster come one after the other.  What
 * is no URL, or too long, is left out.  0 without memory.
 */
int learn_site_add(learn_site_t *site, const miqps_str_t *url,
    uint32_t cluster);

/* forgets all forms but the first "n" */

void learn_site_drop(learn_site_t *site, uint32_t n);

/* finds names and steps; 0 without memory */

int learn_site_learn(learn_site_t *site);

/*
 * The source of a map, to be free()d; NULL without memory.  "*rules" is how
 * many path rules it has.
 */
char *learn_site_map(learn_site_t *site, size_t *len, uint32_t *rules);


/*
 * A PATH RULE, as texts of miqps-map(5).  Parameters are in both sides, or in
 * one of them.
 */

#define LEARN_SITE_TEXT       1024
#define LEARN_SITE_RULES      120


typedef struct {
    uint32_t              from;          /* a name, or LEARN_NOTHING */
    uint32_t              to;
    char                  text[24];      /* "{v}", */
    char                  made[24];      /* and in the target */
} learn_site_param_t;


typedef struct {
    char                  from[LEARN_SITE_TEXT];     /* path; empty: any */
    char                  to[LEARN_SITE_TEXT];
    learn_site_param_t    params[8];
    uint32_t              nparams;
    uint64_t              urls;
    uint64_t              trace;         /* steps that it does at once */
    uint32_t              least;         /* segments of what it makes */
    uint32_t              most;
    const uint32_t       *table;         /* pairs of tokens, or NULL */
    uint32_t              ntable;
    unsigned              heads:1;       /* it has the table of these */
} learn_site_rule_t;


/*
 * Rules for all that steps have done to the site's URLs, those with most URLs
 * first, without what cannot be a rule.  They are free()d; NULL without memory.
 */
learn_site_rule_t *learn_site_rules(learn_site_t *site, uint32_t *n);

/* true if a form is what the rule has made of the one that it was */

int learn_site_rule_has(const learn_site_t *site,
    const learn_site_rule_t *rule, uint32_t form);

/* words that paths may begin with, in rules from now on */

void learn_site_heads(learn_site_t *site, const uint32_t *heads, uint32_t n);

/* the same as JSON, as a map has it, to be free()d; NULL without memory */

char *learn_site_rule_text(learn_site_t *site, const learn_site_rule_t *rule);


/*
 * Steps that there could be, of forms of which nobody knows the pages: pairs of
 * them that differ in just that, the step leading from one to two.  Those with
 * "least" pairs, with most of them first, to be free()d; NULL without memory.
 */

#define LEARN_SITE_SUSPECTS   8          /* pairs that are kept */

typedef struct {
    learn_step_t          step;          /* pages: how many pairs there are */
    uint64_t              key;
    uint32_t              one[LEARN_SITE_SUSPECTS];
    uint32_t              two[LEARN_SITE_SUSPECTS];
    uint32_t              n;
    uint32_t              sets;          /* the first have different names */
} learn_suspect_t;


learn_suspect_t *learn_site_suspects(learn_site_t *site, uint32_t least,
    uint32_t *n);

/*
 * site_proof.c: takes those of the rules away by which URLs of different pages
 * become equal if all of them are deployed.  0 without memory.
 */
int learn_site_proof(learn_site_t *site, learn_site_rule_t *rules,
    uint32_t *n);

/*
 * What becomes of all that is known if rules are deployed: URLs that are left,
 * and what is wrong with them.  If "bare" of forms before the first step, which
 * is faster.  0 without memory.
 */
int learn_site_weigh(learn_site_t *site, const learn_site_rule_t *rules,
    uint32_t n, int bare, uint64_t *left, uint64_t *bad);

/*
 * site_join.c: makes one rule with a table of those that differ in one word,
 * where that weighs no more.  0 without memory.
 */
int learn_site_join(learn_site_t *site, learn_site_rule_t *rules,
    uint32_t *n);

/*
 * The source of a map that has these rules, to be free()d; if "bare" nothing
 * else
 */
char *learn_site_text(learn_site_t *site, const learn_site_rule_t *rules,
    uint32_t n, int bare, size_t *len);

/* makes site->bare of the forms; 0 without memory */

int learn_site_bare(learn_site_t *site);

/*
 * Writes the URL of a form behind a scheme, to "out"; 0 if there is no room,
 * else its length.
 */
size_t learn_site_url(const learn_site_t *site, const learn_form_t *form,
    const char *scheme, uint8_t *out, size_t room);


/* --- between the files of this folder */

/* site_form.c */

uint32_t learn_site_token(learn_site_t *site, const uint8_t *text,
    size_t len);
void learn_site_hash(learn_form_t *form);
uint32_t learn_site_shape(learn_site_t *site, const learn_form_t *form);
uint32_t learn_site_set(learn_site_t *site, const learn_form_t *form);
uint32_t learn_site_atom(const learn_site_t *site, uint32_t token);
int learn_site_fits(const learn_site_t *site, uint32_t atom, uint32_t token);


/* what becomes of a form; it may be made in "out", or be the same */

typedef struct {
    learn_form_t          form;
    uint32_t              parts[3 * (LEARN_SITE_SEGMENTS + LEARN_SITE_PARAMS)];
} learn_made_t;


/* the form without parameters, bits of "gone"; 0 if there are none */

int learn_form_without(const learn_form_t *form, uint32_t gone,
    learn_made_t *made);


typedef int (*learn_site_make_pt)(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made);


/*
 * What becomes equal.  Set pair() or 0: it is called for URLs that do and that
 * are of one page, for the first of each group with each other one.
 */

typedef struct {
    void                (*pair)(const learn_site_t *site, void *data,
                                uint64_t group, const learn_form_t *one,
                                const learn_form_t *two);
    void                 *data;

    uint64_t              good;          /* groups of one page, */
    uint64_t              bare;          /* those of which one had not to be
                                            changed, */
    uint64_t              bad;           /* and pages too much in others */
    uint64_t              left;          /* site_proof.c: URLs, */
    uint64_t              astray;        /* and those that lost their way */
} learn_merged_t;


/*
 * site_merge.c: URLs that become equal when forms of a list, or all if it is
 * NULL, are made others.  make() returns 0 for those that stay.  0 without
 * memory.
 */
int learn_site_merge(learn_site_t *site, const uint32_t *list, uint32_t n,
    learn_site_make_pt make, const void *data, learn_merged_t *merged);

/* true if so many mistakes are not more than labels make */

int learn_site_fine(const learn_site_t *site, const learn_merged_t *merged);

/* forms become what is made of them; 0 without memory */

int learn_site_take(learn_site_t *site, learn_site_make_pt make,
    const void *data, uint64_t trace);

/* the same for all steps, of what forms were before the first */

int learn_site_walk(learn_site_t *site);

/*
 * site_names.c: names and their traits; "list" has the forms by shape, those
 * of one from first[shape] on.  0 without memory.
 */
int learn_site_names(learn_site_t *site, const uint32_t *list,
    const uint32_t *first);

/* site_params.c, site_find.c: what of them goes, and steps */

int learn_site_params(learn_site_t *site);

/* site_usual.c: values that go; and that of a name in a shape, or elsewhere */

int learn_site_usual(learn_site_t *site);
uint32_t learn_site_default(const learn_site_t *site, uint32_t shape,
    uint32_t n);

/* whether the n-th name is kept in a shape, or elsewhere (LEARN_NOTHING) */

int learn_site_stays(const learn_site_t *site, uint32_t shape, uint32_t n);
int learn_site_steps(learn_site_t *site);

/* site_apart.c: the step between two forms, from the first to the second; 0
   if there is none, or more than one */

int learn_site_difference(learn_site_t *site, const learn_form_t *a,
    const learn_form_t *b, learn_step_t *step);

/* a number that is the same for the same step */

uint64_t learn_step_key(const learn_step_t *step);

/* true if it leads from what is rare to what is frequent, or either way */

int learn_site_right_way(learn_site_t *site, const learn_step_t *step);

/* adds a step to those of the site, behind those of its kind */

void learn_site_put(learn_site_t *site, const learn_step_t *step);

/* site_whole.c: the same where the form is another; and what it makes */

int learn_whole_difference(learn_site_t *site, const learn_form_t *a,
    const learn_form_t *b, learn_step_t *step);
int learn_whole_make(learn_site_t *site, const learn_form_t *form,
    const learn_step_t *step, learn_made_t *made);

/* true if a token of a form is a value there: of a parameter it always is */

int learn_whole_value(const learn_site_t *site, uint32_t token);

/* site_table.c: steps that translate values; 0 without memory */

int learn_site_tables(learn_site_t *site, learn_step_t *steps, uint32_t max,
    uint32_t *found);

/*
 * True if two forms differ in one value only, a number in the first and a word
 * in the second; "*at" is the part.
 */
int learn_site_translates(const learn_site_t *site, const learn_form_t *a,
    const learn_form_t *b, uint32_t *at);

/*
 * site_tells.c: true if what the step lets go tells pages from others in some
 * shape: if URLs of a page mostly have the same there
 */
int learn_site_tells(learn_site_t *site, const learn_step_t *step);

/* site_step.c: what a step makes of a form; learn_site_make_pt */

int learn_step_make(learn_site_t *site, const learn_form_t *form,
    const void *data, learn_made_t *made);


/* where the next page begins */

static inline uint32_t
learn_site_next(const learn_site_t *site, uint32_t first)
{
    uint32_t  last;

    for (last = first + 1; last < site->nforms
                           && site->forms[last].cluster
                              == site->forms[first].cluster; last++)
    {
        /* void */
    }

    return last;
}


/* true if two forms are the same */

int learn_form_eq(const learn_form_t *a, const learn_form_t *b);


/* text that grows */

typedef struct {
    char                 *data;
    size_t                len;
    size_t                room;
    unsigned              failed:1;
} learn_site_text_t;


/*
 * site_compose.c: the rule that does what some steps do, bits of a trace, one
 * after the other.  0 if there is none.  A second one, "deep", may be for
 * longer paths.
 */
int learn_site_compose(learn_site_t *site, uint64_t trace, int deep,
    learn_site_rule_t *rule);


#endif /* _LEARN_SITE_H_INCLUDED_ */
