
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site.h"


/* URLs of different pages that are equal anyway, as a share */

#define LEARN_MERGE_ERR   0.003


/* a form that may meet others: what it becomes, what it was, and its cluster */

typedef struct {
    uint64_t            to;
    uint64_t            from;
    const learn_form_t *form;
    uint32_t            cluster;
    uint32_t            bare;            /* it stays as it is */
} learn_meeting_t;


/* a set of hashes */

typedef struct {
    uint64_t           *list;
    uint64_t            mask;
} learn_hashes_t;


static int  learn_hashes_init(learn_hashes_t *hashes, size_t n);
static int  learn_hashes_put(learn_hashes_t *hashes, uint64_t hash, int add);
static uint64_t  learn_merge_key(const learn_site_t *site,
    const learn_form_t *form);
static int  learn_merge_by_to(const void *one, const void *two);
static int  learn_merge_by_cluster(const void *one, const void *two);
static void  learn_merge_count(const learn_site_t *site,
    learn_meeting_t *list, size_t n, learn_merged_t *merged);


int
learn_site_merge(learn_site_t *site, const uint32_t *list, uint32_t n,
    learn_site_make_pt make, const void *data, learn_merged_t *merged)
{
    size_t               i, k, room;
    uint64_t             key;
    learn_made_t         made;
    learn_hashes_t       hashes;
    learn_meeting_t     *meetings, *meeting;
    const learn_form_t  *form;

    merged->good = 0;
    merged->bare = 0;
    merged->bad = 0;

    room = (list != NULL) ? n : site->nforms;
    meetings = malloc((room + 1) * sizeof(learn_meeting_t));

    if (meetings == NULL || !learn_hashes_init(&hashes, room)) {
        free(meetings);
        site->failed = 1;
        return 0;
    }

    /* those that change, and then those that these become */

    k = 0;

    for (i = 0; i < room; i++) {
        form = &site->forms[(list != NULL) ? list[i] : i];

        if (make(site, form, data, &made)) {
            meeting = &meetings[k++];
            meeting->to = learn_merge_key(site, &made.form);
            meeting->from = form->hash;
            meeting->form = form;
            meeting->cluster = form->cluster;
            meeting->bare = 0;
            (void) learn_hashes_put(&hashes, meeting->to, 1);
        }
    }

    for (i = 0; k > 0 && i < room; i++) {
        form = &site->forms[(list != NULL) ? list[i] : i];

        key = learn_merge_key(site, form);

        if (learn_hashes_put(&hashes, key, 0)
            && !make(site, form, data, &made))
        {
            meeting = &meetings[k++];
            meeting->to = key;
            meeting->from = form->hash;
            meeting->form = form;
            meeting->cluster = form->cluster;
            meeting->bare = 1;
        }
    }

    if (k > 0) {
        qsort(meetings, k, sizeof(learn_meeting_t), learn_merge_by_to);
        learn_merge_count(site, meetings, k, merged);
    }

    free(meetings);
    free(hashes.list);

    return !site->failed;
}


static int
learn_hashes_init(learn_hashes_t *hashes, size_t n)
{
    size_t  size;

    for (size = 16; size < 2 * n; size *= 2) {
        /* void */
    }

    hashes->mask = size - 1;
    hashes->list = calloc(size, sizeof(uint64_t));

    return hashes->list != NULL;
}


/* true if it is there */

static int
learn_hashes_put(learn_hashes_t *hashes, uint64_t hash, int add)
{
    uint64_t  i;

    hash += (hash == 0);

    for (i = hash & hashes->mask; hashes->list[i] != 0;
         i = (i + 1) & hashes->mask)
    {
        if (hashes->list[i] == hash) {
            return 1;
        }
    }

    if (add) {
        hashes->list[i] = hash;
    }

    return 0;
}


static int
learn_merge_by_to(const void *one, const void *two)
{
    const learn_meeting_t  *a, *b;

    a = one;
    b = two;

    if (a->to != b->to) {
        return (a->to > b->to) ? 1 : -1;
    }

    return (a->from > b->from) - (a->from < b->from);
}


static int
learn_merge_by_cluster(const void *one, const void *two)
{
    const learn_meeting_t  *a, *b;

    a = one;
    b = two;

    return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}


static uint64_t
learn_merge_key(const learn_site_t *site, const learn_form_t *form)
{
    uint32_t      i;
    learn_made_t  blurred;

    if (!site->blur) {
        return form->hash;
    }

    blurred.form = *form;
    blurred.form.parts = blurred.parts;
    memcpy(blurred.parts, form->parts, (form->nsegs + 2u * form->nparams)
                                       * sizeof(uint32_t));

    for (i = 0; i < form->nsegs; i++) {
        if (site->tokens[form->parts[i]].kind & LEARN_TOKEN_HEX) {
            blurred.parts[i] = LEARN_NOTHING;
        }
    }

    learn_site_hash(&blurred.form);

    return blurred.form.hash;
}


/*
 * Groups of forms that were different, and are not: those of one page, and how
 * many pages too much the others have.
 */

static void
learn_merge_count(const learn_site_t *site, learn_meeting_t *list, size_t n,
    learn_merged_t *merged)
{
    int     several, different, bare;
    size_t  i, k, j;

    for (i = 0; i < n; i = k) {
        several = 0;
        different = 0;
        bare = (int) list[i].bare;

        for (k = i + 1; k < n && list[k].to == list[i].to; k++) {
            several |= (list[k].from != list[i].from);
            different |= (list[k].cluster != list[i].cluster);
            bare |= (int) list[k].bare;
        }

        if (!several) {
            continue;
        }

        if (!different) {
            merged->good++;
            merged->bare += (uint64_t) bare;

            for (j = i + 1; merged->pair != NULL && j < k; j++) {
                merged->pair(site, merged->data, merged->good, list[i].form,
                             list[j].form);
            }

            continue;
        }

        qsort(list + i, k - i, sizeof(learn_meeting_t),
              learn_merge_by_cluster);

        for (j = i + 1; j < k; j++) {
            merged->bad += (list[j].cluster != list[j - 1].cluster);
        }
    }
}


int
learn_site_fine(const learn_site_t *site, const learn_merged_t *merged)
{
    double  expected;

    /* and by chance somewhat more */

    expected = (double) (merged->good + merged->bad)
               * (2 * site->doubt + LEARN_MERGE_ERR);

    return (double) merged->bad <= expected + 1.5 * sqrt(expected);
}


int
learn_site_bare(learn_site_t *site)
{
    site->bare = malloc((site->nforms + 1) * sizeof(learn_form_t));

    if (site->bare == NULL) {
        site->failed = 1;
        return 0;
    }

    if (site->nforms > 0) {
        memcpy(site->bare, site->forms, site->nforms * sizeof(learn_form_t));
    }

    return 1;
}


int
learn_site_walk(learn_site_t *site)
{
    uint32_t  i;

    if (site->nforms > 0) {
        memcpy(site->forms, site->bare, site->nforms * sizeof(learn_form_t));
    }

    for (i = 0; i < site->nsteps; i++) {
        if (!learn_site_take(site, learn_step_make, &site->steps[i],
                             UINT64_C(1) << i))
        {
            return 0;
        }
    }

    return 1;
}


int
learn_site_take(learn_site_t *site, learn_site_make_pt make, const void *data,
    uint64_t trace)
{
    size_t         i, n;
    uint32_t      *parts;
    learn_made_t   made;
    learn_form_t  *form;

    for (i = 0; i < site->nforms; i++) {
        form = &site->forms[i];

        if (!make(site, form, data, &made)) {
            continue;
        }

        n = made.form.nsegs + 2u * made.form.nparams;
        parts = learn_arena_alloc(&site->arena, (n + 1) * sizeof(uint32_t));

        if (parts == NULL) {
            site->failed = 1;
            return 0;
        }

        memcpy(parts, made.form.parts, n * sizeof(uint32_t));

        form->host = made.form.host;
        form->nsegs = made.form.nsegs;
        form->nparams = made.form.nparams;
        form->parts = parts;
        form->hash = made.form.hash;
        form->trace |= trace;
    }

    return 1;
}
