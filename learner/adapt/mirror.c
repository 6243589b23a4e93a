
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>

#include "adapt.h"
#include "learn.h"
#include "miqps_url.h"


/*
 * DOES A HOST SHOW THE PAGES OF ANOTHER ONE?
 *
 * The other one is the host of the site that is asked for most.  Some URLs of
 * each kind are asked of both, the first one alone, since mostly that is the
 * end of it, and more when a few have been the same: one page in ten that is
 * not has to be found.  If all of them are the same pages, and these are not
 * one and the same, what is learned of the other host holds for this one, and
 * nothing else is learned of it.  A kind of which nobody can tell speaks
 * against it: what is neutral there might matter here.
 */

#define LEARN_MIRROR_PAGES   2           /* of a kind, */
#define LEARN_MIRROR_FEW     6           /* and of all, to begin with, */
#define LEARN_MIRROR_MANY    30          /* if these are the same, */
#define LEARN_MIRROR_LEAST   14          /* and at least */
#define LEARN_MIRROR_TRIES   4           /* for each that is a page */
#define LEARN_MIRROR_TINY    200         /* one URL in so many is in the kind */
#define LEARN_MIRROR_COVER   97          /* percent of URLs, of kinds that were
                                            looked at */


typedef struct {
    learn_adapt_t     *adapt;
    uint32_t           same;             /* pairs, */
    uint32_t           open;             /* those to come, */
    uint32_t           apart;            /* and pages that are not the same */
    uint64_t           urls;             /* of kinds that were looked at */
    uint32_t           pages;            /* of a kind */
    unsigned           differs:1;
} learn_mirror_t;


typedef struct {
    learn_adapt_t     *adapt;
    uint8_t           *seen;             /* of each name: the other has it */
} learn_names_t;


static int  learn_mirror_pass(learn_mirror_t *mirror, uint32_t wanted);
static int  learn_mirror_names(const learn_ranked_t *pattern, void *data);
static int  learn_mirror_tiny(const learn_adapt_t *adapt,
    const learn_kind_t *kind);
static void  learn_mirror_kind(learn_mirror_t *mirror, learn_kind_t *kind);
static void  learn_mirror_apart(learn_mirror_t *mirror, learn_kind_t *kind,
    const miqps_str_t *one, const miqps_str_t *two);
static miqps_str_t  learn_mirror_url(learn_adapt_t *adapt,
    const learn_kind_t *kind, uint32_t url);
static miqps_str_t  learn_mirror_there(learn_adapt_t *adapt,
    const miqps_str_t *url);
static void  learn_mirror_note(learn_adapt_t *adapt, const learn_pair_t *pair,
    const miqps_str_t *there, unsigned viewer);
static int  learn_mirror_claims(const learn_adapt_t *adapt,
    const miqps_str_t *page, const char *host, unsigned viewer);


static const uint32_t  learn_mirror_none[] = { UINT32_MAX };


int
learn_mirror(learn_adapt_t *adapt)
{
    uint32_t        i;
    uint64_t        urls;
    learn_mirror_t  mirror;

    static const uint32_t  wanted[] = { LEARN_MIRROR_FEW, LEARN_MIRROR_MANY };

    if (adapt->main[0] == '\0') {
        return 1;
    }

    for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        memset(&mirror, 0, sizeof(learn_mirror_t));
        mirror.adapt = adapt;

        if (!learn_mirror_pass(&mirror, wanted[i])) {
            return 0;
        }

        if (mirror.differs) {
            break;
        }
    }

    urls = 0;

    for (i = 0; i < adapt->nkinds; i++) {
        urls += adapt->kinds[i].urls;
    }

    adapt->mirror = !mirror.differs && mirror.same >= LEARN_MIRROR_LEAST
                    && mirror.apart > 0
                    && mirror.urls * 100 >= urls * LEARN_MIRROR_COVER;

    if (!adapt->mirror) {
        adapt->main[0] = '\0';
    }

    return !adapt->failed;
}


/* so many pages of all kinds; 0 while some are to come */

static int
learn_mirror_pass(learn_mirror_t *mirror, uint32_t wanted)
{
    uint32_t        i, kinds;
    learn_adapt_t  *adapt;

    adapt = mirror->adapt;
    adapt->npairs = 0;
    adapt->contradicted = 0;
    kinds = 0;

    for (i = 0; i < adapt->nkinds; i++) {
        kinds += !learn_mirror_tiny(adapt, &adapt->kinds[i]);
    }

    mirror->pages = wanted / (kinds + (kinds == 0));
    mirror->pages += (mirror->pages * kinds < wanted);

    if (mirror->pages < LEARN_MIRROR_PAGES) {
        mirror->pages = LEARN_MIRROR_PAGES;
    }

    for (i = 0; i < adapt->nkinds && !adapt->failed && !mirror->differs; i++) {

        /* one that is not there is found out by one page */

        if (mirror->same > 0 || mirror->open == 0) {
            learn_mirror_kind(mirror, &adapt->kinds[i]);
        }
    }

    return mirror->differs || mirror->open == 0;
}


static int
learn_mirror_tiny(const learn_adapt_t *adapt, const learn_kind_t *kind)
{
    return (uint64_t) kind->urls * LEARN_MIRROR_TINY < adapt->nurls;
}


/* some pages of a kind, those that come first, here and there */

static void
learn_mirror_kind(learn_mirror_t *mirror, learn_kind_t *kind)
{
    uint32_t        i, n, most;
    unsigned        viewer;
    miqps_str_t     here, there, last = miqps_null_str;
    learn_pair_t    pair;
    learn_adapt_t  *adapt;

    adapt = mirror->adapt;

    if (learn_mirror_tiny(adapt, kind)) {
        return;
    }

    most = LEARN_MIRROR_TRIES * mirror->pages;
    most = (kind->urls < most) ? kind->urls : most;
    n = 0;

    for (i = 0; i < most && n < mirror->pages; i++) {
        here = learn_mirror_url(adapt, kind, kind->list[i]);
        there = learn_mirror_there(adapt, &here);
        viewer = i % LEARN_VIEWERS;

        switch (learn_inquire(adapt, kind, &here, &there, viewer,
                              learn_mirror_none, &pair))
        {
        case LEARN_SAID_WAIT:
            mirror->open++;
            n++;

            if (mirror->same == 0) {
                return;
            }

            continue;

        case LEARN_SAID_DIFFERS:
            mirror->differs = 1;
            return;

        case LEARN_SAID_NOTHING:
            continue;

        default:
            break;
        }

        if (learn_mirror_claims(adapt, &here, adapt->study->host, viewer)
            && learn_mirror_claims(adapt, &there, adapt->main, viewer))
        {
            mirror->differs = 1;
            return;
        }

        n++;
        mirror->same++;
        learn_mirror_note(adapt, &pair, &there, viewer);

        if (last.len > 0 && mirror->apart == 0) {
            learn_mirror_apart(mirror, kind, &last, &here);
        }

        last = here;
    }

    mirror->urls += (n > 0) ? kind->urls : 0;
}


/*
 * If all pages were one, nothing would tell hosts apart.  Those with different
 * titles are not; others are looked at.
 */

static void
learn_mirror_apart(learn_mirror_t *mirror, learn_kind_t *kind,
    const miqps_str_t *one, const miqps_str_t *two)
{
    learn_pair_t    pair;
    learn_said_e    rc;
    learn_visit_t  *first, *second;

    /* whoever has seen one of them has seen its title */

    first = learn_visit_of(mirror->adapt->study, one, 0, 0);
    second = learn_visit_of(mirror->adapt->study, two, 1, 0);

    if (first == NULL || second == NULL) {
        mirror->adapt->failed = 1;
        return;
    }

    if (first->state == LEARN_VISIT_DONE && second->state == LEARN_VISIT_DONE
        && !miqps_str_eq(&first->row.title, &second->row.title))
    {
        mirror->apart++;
        return;
    }

    rc = learn_inquire(mirror->adapt, kind, one, two, 0, learn_mirror_none,
                       &pair);

    mirror->apart += (rc == LEARN_SAID_DIFFERS);
    mirror->open += (rc == LEARN_SAID_WAIT);
}


static miqps_str_t
learn_mirror_url(learn_adapt_t *adapt, const learn_kind_t *kind, uint32_t url)
{
    static const learn_traits_t  none;

    return learn_form_less(adapt, kind, url, &none);
}


/* the same of the other host; empty if it must not be fetched */

static miqps_str_t
learn_mirror_there(learn_adapt_t *adapt, const miqps_str_t *url)
{
    uint8_t         *out;
    miqps_str_t      main, there = miqps_null_str;
    miqps_url_t      parts;
    learn_target_t   target;

    main.data = (const uint8_t *) adapt->main;
    main.len = strlen(adapt->main);

    /* a port is another server, of which nobody knows that the other has it */

    if (url->len == 0 || miqps_url_split(&parts, url) != MIQPS_OK
        || parts.authority.len != parts.host.len)
    {
        return there;
    }

    out = learn_arena_alloc(&adapt->scratch, url->len + main.len);

    if (out == NULL) {
        adapt->failed = 1;
        return there;
    }

    there.data = out;
    there.len = miqps_url_compose(&parts, url, &main, NULL, &parts.args, out);

    if (learn_target_check(&there, adapt->study->allowed,
                           adapt->study->memo, &target)
        != LEARN_TARGET_OK)
    {
        there.len = 0;
    }

    return there;
}


/*
 * What is kept of it, for people; and whether pages of the other host say that
 * this one is the right one.
 */

static void
learn_mirror_note(learn_adapt_t *adapt, const learn_pair_t *pair,
    const miqps_str_t *there, unsigned viewer)
{
    if (adapt->npairs < LEARN_ADAPT_PAIRS) {
        adapt->pairs[adapt->npairs++] = *pair;
    }

    if (learn_mirror_claims(adapt, there, adapt->study->host, viewer)) {
        adapt->contradicted = 1;
    }
}


/* true if a page that has come declares that a host is the right one */

static int
learn_mirror_claims(const learn_adapt_t *adapt, const miqps_str_t *page,
    const char *host, unsigned viewer)
{
    miqps_str_t           name;
    miqps_url_t           url;
    const learn_visit_t  *visit;

    if (learn_adapt_without(adapt, LEARN_WITHOUT_VIEWERS)) {
        viewer = 0;
    }

    name.data = (const uint8_t *) host;
    name.len = strlen(host);
    visit = learn_visit_find(adapt->study, page, viewer);

    return visit != NULL && visit->row.canonical.len > 0
           && miqps_url_split(&url, &visit->row.canonical) == MIQPS_OK
           && miqps_str_eq(&url.host, &name);
}


/*
 * What is learned of the other host must be about the names that this one is
 * asked for.
 */

int
learn_mirror_known(learn_adapt_t *adapt)
{
    int              rc;
    uint32_t         i, k;
    uint64_t         all, known;
    miqps_str_t      main;
    learn_store_t   *store;
    learn_names_t    names;
    const uint8_t   *seen;

    store = adapt->study->store;
    main.data = (const uint8_t *) adapt->main;
    main.len = strlen(adapt->main);

    names.adapt = adapt;
    names.seen = learn_arena_alloc(adapt->arena, adapt->nnames + 1);

    if (names.seen == NULL) {
        learn_complain("%s: out of memory", adapt->study->command);
        return LEARN_EXIT_FAILED;
    }

    rc = store->ops->ranked(store, &main, 0, LEARN_STORE_PATTERNS,
                            learn_mirror_names, &names);

    seen = names.seen;
    all = 0;
    known = 0;

    for (i = 0; i < adapt->nurls; i++) {
        for (k = 0; k < adapt->urls[i].npieces; k++) {
            all++;
            known += seen[adapt->urls[i].pieces[k].name];
        }
    }

    if (known * 100 < all * LEARN_MIRROR_COVER) {
        adapt->main[0] = '\0';
    }

    return rc;
}


/* notes names of ours that a pattern of the other host has */

static int
learn_mirror_names(const learn_ranked_t *pattern, void *data)
{
    size_t                i, len;
    uint32_t              k;
    miqps_str_t           name;
    const uint8_t        *end;
    const learn_names_t  *names;

    names = data;

    for (i = 0; i < pattern->names.len; i += len + 1) {
        name.data = pattern->names.data + i;
        end = memchr(name.data, '&', pattern->names.len - i);
        len = (end != NULL) ? (size_t) (end - name.data)
                            : pattern->names.len - i;
        name.len = len;

        for (k = 0; k < names->adapt->nnames; k++) {
            if (miqps_str_eq(&names->adapt->names[k].text, &name)) {
                names->seen[k] = 1;
            }
        }
    }

    return 1;
}


int
learn_mirror_save(const learn_adapt_t *adapt)
{
    char              text[2 * MIQPS_MAX_HOST + 64];
    learn_rule_row_t  row;

    if (adapt->contradicted) {
        return LEARN_EXIT_OK;
    }

    (void) snprintf(text, sizeof(text),
                    "{\"from\":{\"host\":\"%s\"},\"to\":{\"host\":\"%s\"}}",
                    adapt->study->host, adapt->main);

    row.number = 0;
    row.rule.data = (const uint8_t *) text;
    row.rule.len = strlen(text);
    row.pairs = adapt->pairs;
    row.npairs = adapt->npairs;

    return adapt->study->store->ops->rule_save(adapt->study->store,
                                               adapt->study->run, &row);
}
