
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _EVAL_SITE_H_INCLUDED_
#define _EVAL_SITE_H_INCLUDED_


#include "tree/tree_clusters.h"


/*
 * SITES OF A FILE
 *
 * A site is a registrable domain.  Domains that have clusters in common, a
 * hundredth of those of the smaller one at least, are one site: these are
 * mirrors.  A host for which no registry gives domains is a site of its own.
 *
 * Of each site some clusters are drawn to learn from, whole ones, until their
 * URLs are a share of all or a number is reached.  The paper draws "samples",
 * and says that a training set is a collection of clusters: URLs drawn one by
 * one would leave hardly two of a cluster together.  A cluster is drawn by a
 * hash of its name and a seed, whatever the order of the lines.
 */

typedef struct {
    learn_line_t     *lines;       /* sorted by page; pages and clusters ... */
    size_t            nlines;      /* ... are numbered from 0 for the site */
    uint32_t          npages;
    uint32_t          nclusters;
    size_t            largest;     /* URLs of a page */
    const char       *name;

    learn_line_t     *training;    /* some of them, by cluster, with ... */
    size_t            ntraining;   /* ... clusters numbered from 0 again */
} learn_eval_site_t;


typedef struct {
    uint32_t         *sites;       /* of each line of the file */
    uint32_t          nsites;
    char            **names;
} learn_eval_sites_t;


typedef struct {
    double            share;       /* of the URLs, 0.2 */
    size_t            most;        /* URLs, 100000 */
    uint64_t          seed;
    int               one;         /* the file is one site */
} learn_sample_t;


/* returns 0 without memory; release anyway */

int learn_eval_sites(learn_eval_sites_t *sites,
    const learn_clusters_t *clusters, int one);
void learn_eval_sites_release(learn_eval_sites_t *sites);

/* the n-th site, and what is drawn of it; the same */

int learn_eval_site(learn_eval_site_t *site, const learn_eval_sites_t *sites,
    const learn_clusters_t *clusters, uint32_t n,
    const learn_sample_t *sample);
void learn_eval_site_release(learn_eval_site_t *site);


#endif /* _EVAL_SITE_H_INCLUDED_ */
