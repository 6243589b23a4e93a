
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_ADAPT_H_INCLUDED_
#define _LEARN_ADAPT_H_INCLUDED_


#include "content/noise.h"
#include "learn/study.h"


/*
 * LEARNING WITH FEW FETCHES, FROM PAGES THAT ARE NEVER THE SAME TWICE
 *
 *     host ---- kind ----+---- set         names that come together
 *               a path   |
 *               shape    +---- trait       a name: what it does here
 *                        |
 *                        +---- noise       what differs by itself
 *
 * What is found out of a name is found out for a kind of pages, whatever other
 * names come with it, so that trackers, which multiply the sets of names, cost
 * no more fetches.  It goes in steps, all of which ask the same question: do
 * these two URLs show the same page?
 *
 *   mirror    if the host shows the pages of another one, that is all
 *   leads     URLs of a kind lose what can be taken away without another page
 *             coming, all that is likely to go at once, the others one by one;
 *             what must stay matters
 *   defaults  values of names that matter, which are as good as none
 *   joint     whole URLs, as they came, and what is left of them in the end,
 *             one after the other: other pages, paths and values each time.
 *             To most of them all names are added that seem to be neutral and
 *             that they have not, with values of other URLs
 *   look      what is left, as a browser draws it, if there is one
 *   more      whole URLs again, as many as there are fetches left for
 *
 * A difference that can be seen again keeps a name; it is neutral if so many
 * URLs that came with it have shown none, for viewers of both kinds: a value
 * from another page may mean nothing on this one.  How many is told by the
 * error that is allowed, see sequential.h.  What was not looked at often enough
 * is kept, and so is what makes no difference between pages that are all alike.
 *
 * The steps are written down one after the other, and played from the start
 * whenever a page has come: what was asked before is answered at once, so that
 * there is no state to be kept beside the pages themselves, and a run that was
 * interrupted is gone on with in the same way.
 */

#define LEARN_ADAPT_URLS     100000      /* of a host */
#define LEARN_ADAPT_PIECES   64          /* parameters of a URL */
#define LEARN_ADAPT_VALUES   64          /* of a name in a kind */
#define LEARN_ADAPT_KINDS    256
#define LEARN_ADAPT_TRAITS   256         /* names of a kind */
#define LEARN_PLAN_SMALL     33          /* one URL in so many, of a kind */
#define LEARN_ADAPT_LARGE    4           /* one word in so many differs */
#define LEARN_ADAPT_BASES    4           /* URLs that samples begin with */
#define LEARN_ADAPT_PAIRS    24          /* kept of a trait, for people */
#define LEARN_ADAPT_LED      8           /* URLs of a kind that are led */
#define LEARN_ADAPT_ALL      ((1u << LEARN_VIEWERS) - 1)


typedef enum {
    LEARN_SAID_WAIT = 0,            /* pages are still to come */
    LEARN_SAID_SAME,
    LEARN_SAID_DIFFERS,
    LEARN_SAID_NOTHING              /* nobody can tell, or it costs too much */
} learn_said_e;


typedef struct {
    miqps_str_t        text;       /* as patterns have it */
    uint32_t           hash;
    unsigned           tracker:1;  /* lists name it */
    unsigned           brakes:1;   /* it is never taken away */
} learn_label_t;


typedef struct {
    uint32_t           name;       /* of the host's */
    miqps_str_t        text;       /* "name=value", as it was sent */
} learn_piece_t;


typedef struct {
    miqps_str_t        base;       /* up to the query */
    miqps_str_t        path;       /* of it */
    learn_piece_t     *pieces;
    uint32_t           npieces;
    uint32_t           kind;
    uint32_t           set;        /* of the kind */
    uint64_t           order;
} learn_seen_t;


/* a name in a kind */

typedef struct {
    uint32_t           name;
    uint32_t           urls;       /* that have it */
    miqps_str_t       *values;     /* pieces with different values, */
    uint32_t          *counts;     /* and how many URLs have them */
    uint32_t           nvalues;
    uint32_t           distinct;   /* all of them */
    uint64_t           place;      /* in URLs, as a sum of shares */

    uint32_t           same;       /* values that made no difference */
    uint32_t           differed;
    uint32_t           own;        /* of the same: on the URL that has it */
    unsigned           viewers;    /* bits of those who saw none */
    uint32_t           need;       /* trials that must not differ, here, */
    uint32_t           homes;      /* pages that have a default's value */
    unsigned           tried:4;    /* times that it was taken from a URL */
    unsigned           hope:1;     /* it is neutral elsewhere */
    unsigned           matters:1;
    unsigned           doubted:1;  /* it may matter: nobody has found out */
    unsigned           mute:1;     /* there was no answer without it */
    unsigned           client:1;   /* the page's own script reads it */
    learn_verdict_e    verdict;
    miqps_str_t        value;      /* of a default, */
    miqps_str_t        hint;       /* or of what may be one, */
    miqps_str_t        refuted;    /* and what is none */
    learn_pair_t       pairs[LEARN_ADAPT_PAIRS];
    uint32_t           npairs;
} learn_trait_t;


typedef struct {
    uint32_t          *traits;     /* in order of their names' bytes */
    uint32_t           n;
    uint32_t           urls;
    uint32_t           first;      /* URL that has it */
} learn_nameset_t;


typedef struct learn_joint_s  learn_joint_t;


typedef struct {
    miqps_str_t        shape;
    uint32_t           urls;
    uint32_t          *list;       /* of these, by their order */
    learn_trait_t     *traits;
    uint32_t           ntraits;
    learn_nameset_t       *sets;       /* those with most URLs first */
    uint32_t           nsets;

    learn_noise_t      noise;
    uint32_t           looks;      /* pages that were looked at twice */
    uint32_t           asked;      /* fetches */
    learn_joint_t     *joint;      /* URLs that are tried; NULL until then */
    uint32_t           leads[LEARN_ADAPT_LED];  /* those that began */
    uint32_t           nleads;
    uint32_t           odd;        /* differences that no name makes */
    uint32_t           drawn;      /* pictures that were looked at */
    uint8_t            orders[LEARN_ADAPT_TRAITS];  /* see inquire.c */
    learn_trait_t     *before;     /* as they were when a step began */
    uint32_t           from;       /* the kind that it is another path of */
    unsigned           heir:1;     /* if it is, */
    unsigned           twin:1;     /* or may be */
    unsigned           lazy:1;     /* it is not looked at */
    unsigned           planned:1;  /* it is known how often names are tried */
    unsigned           alike:1;    /* all its pages are one */
    unsigned           led:1;      /* the first step is over, */
    unsigned           steps;      /* and so many of the others */
    const char        *why;        /* it teaches nothing; or NULL */
} learn_kind_t;


/* what was asked before */

typedef struct {
    uint64_t           key;        /* 0: free */
    learn_said_e        answer;
    uint16_t           differs;    /* bits of a pair */
} learn_answer_t;


struct learn_adapt_s {
    learn_study_t     *study;
    learn_arena_t     *arena;      /* of the study */
    learn_arena_t      scratch;    /* until the end of a step */
    learn_arena_t      compare;    /* until the end of a comparison */

    learn_label_t      *names;
    uint32_t           nnames;
    learn_seen_t      *urls;
    uint32_t           nurls;
    learn_kind_t      *kinds;      /* those with most URLs first */
    uint32_t           nkinds;

    learn_answer_t    *answers;
    uint32_t           nanswers;
    uint32_t           max_answers;

    struct learn_ways_s  *ways;    /* of paths; NULL until then */

    char               main[MIQPS_MAX_HOST + 1];  /* the host that it may be, */
    learn_pair_t       pairs[LEARN_ADAPT_PAIRS];  /* pages of both, */
    uint32_t           npairs;
    unsigned           mirror:1;   /* or is, a mirror of; empty: none */
    unsigned           contradicted:1;  /* by what pages declare */

    uint32_t           cap;        /* fetches up to the end of this step */
    uint32_t           asked;      /* so far, */
    uint32_t           moved;      /* and of these, for what was elsewhere */
    uint32_t           waiting;    /* pages that a step waits for */
    unsigned           ahead:1;    /* pages are asked for, nothing is judged */
    unsigned           sparing:1;  /* what is done is done with what is left */
    unsigned           settled:1;  /* verdicts are known */
    unsigned           defaults:1; /* it is known how often they are tried */
    unsigned           ordered:1;  /* what is in front of a name counts */
    uint32_t           saved;      /* kinds whose verdicts are */
    unsigned           failed:1;   /* no memory */
};


/* true if a part of the algorithm is left out, see settings.h */

#define learn_adapt_without(adapt, part)                                     \
    ((adapt)->study->settings->without & (part))


/*
 * What the store has of the study's host, as kinds.  LEARN_EXIT_OK, or another
 * after a complaint; study->adapt is made.
 */
int learn_adapt_create(learn_study_t *study);
void learn_adapt_free(learn_adapt_t *adapt);

/* another target of where its URLs are; 0 if there are none, or no room */

int learn_adapt_place(const learn_adapt_t *adapt, const char *target,
    miqps_str_t *url, uint8_t *buf, size_t room);

/* asks for what is needed next; 1 when all is known */

int learn_adapt_step(learn_adapt_t *adapt);

/* fetches that it will take at most */

uint64_t learn_adapt_most(const learn_adapt_t *adapt);

/* true if there is something to learn: parameters, paths, or another host */

int learn_adapt_due(const learn_adapt_t *adapt);

/* verdicts of what is known, as part of a transaction; an exit code */

int learn_adapt_save(learn_adapt_t *adapt);


/* --- between the files of this folder */

/* corpus.c: URLs and names of the host; exit codes */

int learn_adapt_load(learn_adapt_t *adapt);

/* shape.c: the kind of each URL; 0 without memory */

int learn_adapt_shapes(learn_adapt_t *adapt);

/* traits.c: names and sets of each kind; 0 without memory */

int learn_adapt_traits(learn_adapt_t *adapt);


/*
 * inquire.c.  "drop" is a list of names, ended by UINT32_MAX, that "rich" has
 * and "poor" has not.
 */
learn_said_e learn_inquire(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *rich, const miqps_str_t *poor, unsigned viewer,
    const uint32_t *drop, learn_pair_t *pair);


/* the same, where it does not matter much if a difference was by chance */

typedef enum {
    LEARN_LOOKS_ALL = 0,
    LEARN_LOOKS_SMALL,              /* large differences are believed, */
    LEARN_LOOKS_NONE                /* or all */
} learn_looks_e;


learn_said_e learn_inquire_by(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *rich, const miqps_str_t *poor, unsigned viewer,
    const uint32_t *drop, learn_pair_t *pair, learn_looks_e looks);

/*
 * again.c: a page, which is asked for; NULL without memory, or if it is too
 * much.  Turns are some seconds apart, but for the one that is to come soon.
 */

#define LEARN_AGAIN_SOON  7

learn_visit_t *learn_again_visit(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, unsigned viewer, unsigned turn);

/* how many of some pages will have moved; where many have, most that are tried
   may */

uint32_t learn_again_moved(const learn_adapt_t *adapt, uint32_t pages);

/* one page, fetched twice, so that its noise is known */

learn_said_e learn_again_twice(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, unsigned viewer);

/*
 * What differs between two looks at a page, once.  The URL is that of both;
 * NULL if the second is that of a URL with more.  0 if a third is to come.
 */
int learn_again_learn(learn_adapt_t *adapt, learn_kind_t *kind,
    const miqps_str_t *url, unsigned viewer, learn_visit_t *one,
    learn_visit_t *two);


/*
 * form.c: URLs that are made of others, in the scratch memory.  Empty without
 * memory, or where they must not be fetched.
 */

/* a URL without some of its names, as bits of traits */

typedef struct {
    uint64_t           bits[LEARN_ADAPT_TRAITS / 64];
} learn_traits_t;

#define learn_traits_has(set, i)                                             \
    ((set)->bits[(i) / 64] >> ((i) % 64) & 1)
#define learn_traits_add(set, i)                                             \
    ((set)->bits[(i) / 64] |= UINT64_C(1) << ((i) % 64))
#define learn_traits_del(set, i)                                             \
    ((set)->bits[(i) / 64] &= ~(UINT64_C(1) << ((i) % 64)))

miqps_str_t learn_form_less(learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t url, const learn_traits_t *less);

/*
 * A URL and more parameters, those of a number "turn" of each trait, in the
 * order in which most URLs have them: there are programs that do not go on
 * behind a name that they do not know.
 */

miqps_str_t learn_form_more(learn_adapt_t *adapt, const learn_kind_t *kind,
    const miqps_str_t *url, const learn_traits_t *more, uint32_t turn);

/* the same with one parameter */

miqps_str_t learn_form_with(learn_adapt_t *adapt, const miqps_str_t *url,
    const miqps_str_t *piece);

/* the traits that a URL has, and a list of names for learn_inquire() */

void learn_form_traits(const learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t url, learn_traits_t *traits);
const uint32_t *learn_form_names(learn_adapt_t *adapt,
    const learn_kind_t *kind, const learn_traits_t *traits);


/*
 * A trial of a URL: what it loses and gets.  "less" goes; of these, and of what
 * is "more", a group is there in the other URL that it is compared with: as it
 * came, or, of what is more, with the values of a number "turn".
 */
typedef struct {
    uint32_t           url;
    learn_traits_t     less;
    learn_traits_t     more;
    uint32_t           turn;
    unsigned           viewer;
} learn_home_t;


miqps_str_t learn_form_home(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *group);


/*
 * mirror.c: 1 when it is known whether the host is a mirror of adapt->main, 0
 * while pages are to come.
 */
int learn_mirror(learn_adapt_t *adapt);

/* forgets adapt->main if too little would be known by it; an exit code */

int learn_mirror_known(learn_adapt_t *adapt);

/* what is kept of it; an exit code */

int learn_mirror_save(const learn_adapt_t *adapt);

/* the steps; 1 when one is over, 0 while pages are to come */

int learn_lead(learn_adapt_t *adapt, learn_kind_t *kind);
int learn_sample(learn_adapt_t *adapt, learn_kind_t *kind);
int learn_default(learn_adapt_t *adapt, learn_kind_t *kind);
int learn_joint_least(learn_adapt_t *adapt, learn_kind_t *kind);
int learn_joint_rest(learn_adapt_t *adapt, learn_kind_t *kind);
int learn_joint_twice(learn_adapt_t *adapt, learn_kind_t *kind);
int learn_joint_often(learn_adapt_t *adapt, learn_kind_t *kind);
int learn_joint_all(learn_adapt_t *adapt, learn_kind_t *kind);
int learn_look(learn_adapt_t *adapt, learn_kind_t *kind);

/*
 * paths.c, proof.c: steps over paths, found among what is left of the host's
 * URLs, and then the rules that these make; 1 when all are known.  And what is
 * kept of them; an exit code.
 */
int learn_ways_find(learn_adapt_t *adapt);
int learn_ways_rules(learn_adapt_t *adapt);
int learn_ways_save(learn_adapt_t *adapt);
void learn_ways_free(learn_adapt_t *adapt);

/* joint_list.c: what is left of a URL in the end */

void learn_joint_less(const learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t url, learn_traits_t *less);

/* traits become what they were when the step began, or that is noted */

void learn_kind_again(learn_kind_t *kind);
int learn_kind_next(learn_adapt_t *adapt, learn_kind_t *kind);

/* the traits that nothing has spoken against, and something for, if only that
   they are neutral elsewhere */

void learn_kind_loose(const learn_adapt_t *adapt, const learn_kind_t *kind,
    learn_traits_t *loose);

/* a URL that the kind's samples begin with: what is left of one of its own */

typedef struct {
    miqps_str_t        url;
    learn_traits_t     core;       /* what it has, */
    uint32_t           home;       /* and what it was */
} learn_base_t;


size_t learn_kind_bases(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_traits_t *loose, learn_base_t *bases, size_t max);

/*
 * Names of "group" that make a difference in a trial, which all of them
 * together do: these matter, or are in doubt.  1 when that is over.
 */
int learn_kind_blame(learn_adapt_t *adapt, learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *group, uint16_t differs);

/* of these nothing is said any more */

void learn_kind_doubt(learn_kind_t *kind, const learn_traits_t *group);

/* how many a set has, and halves of it */

size_t learn_traits_count(const learn_traits_t *traits);
void learn_traits_split(const learn_traits_t *traits, learn_traits_t *one,
    learn_traits_t *two);

/* a pair that says something of a trait */

void learn_trait_note(learn_trait_t *trait, const learn_pair_t *pair,
    int differs);

/* declared.c: true if the host says that the name does not matter here */

int learn_declared(const learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t name);

/* true if a URL has the name once, and with this piece */

int learn_seen_has(const learn_seen_t *seen, uint32_t name,
    const miqps_str_t *piece);

/*
 * joint.c: what was left of the URL of the trial "n", which is over; NULL if it
 * cannot be told.  0 if there were no more.
 */
int learn_joint_visits(learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t n, learn_visit_t **poor);

/* plan.c: how often names are tried in each kind */

void learn_plan_needs(learn_adapt_t *adapt);

/* the same for values that are as good as none, once these are known, or one */

void learn_plan_defaults(learn_adapt_t *adapt);
void learn_plan_default(const learn_adapt_t *adapt, learn_trait_t *trait);

/* 1 if there is nothing to be gained: nothing is unknown, or nobody comes */

int learn_plan_small(const learn_adapt_t *adapt, const learn_kind_t *kind);

/* true if something is to be found out about the kind */

int learn_plan_open(const learn_kind_t *kind);

/*
 * verdict.c: what came out; and, before that, what is not certain enough to be
 * relied on by rules of paths.
 */
void learn_verdict_settle(learn_adapt_t *adapt);
void learn_verdict_tell(learn_adapt_t *adapt);
int learn_verdict_save(learn_adapt_t *adapt);

/* true if the name is neutral in all kinds that are known so far */

int learn_adapt_neutral(const learn_adapt_t *adapt, uint32_t name);


#endif /* _LEARN_ADAPT_H_INCLUDED_ */
