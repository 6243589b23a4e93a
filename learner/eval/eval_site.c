
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "eval_site.h"
#include "tree/tree_set.h"


/* a cluster of a site, in the order in which they are drawn */

typedef struct {
    uint64_t          hash;
    uint32_t          cluster;     /* of the site */
    uint32_t          urls;
} learn_draw_t;


static int  learn_eval_lines(learn_eval_site_t *site,
    const learn_eval_sites_t *sites, const learn_clusters_t *clusters,
    uint32_t n, uint32_t **names);
static uint32_t  learn_eval_number(uint32_t *numbers, uint32_t *n,
    uint32_t name);
static int  learn_eval_sort(learn_line_t **lines, size_t n, uint32_t groups,
    int by_page, size_t *largest);
static int  learn_eval_draw(learn_eval_site_t *site,
    const learn_clusters_t *clusters, const uint32_t *names,
    const learn_sample_t *sample);
static int  learn_eval_train(learn_eval_site_t *site, const uint8_t *drawn);
static uint64_t  learn_eval_mix(uint64_t hash);
static int  learn_draw_by_hash(const void *one, const void *two);


int
learn_eval_site(learn_eval_site_t *site, const learn_eval_sites_t *sites,
    const learn_clusters_t *clusters, uint32_t n,
    const learn_sample_t *sample)
{
    int        ok;
    uint32_t  *names;

    memset(site, 0, sizeof(learn_eval_site_t));

    site->name = sites->names[n];
    names = NULL;

    ok = learn_eval_lines(site, sites, clusters, n, &names)
         && learn_eval_draw(site, clusters, names, sample)
         && learn_eval_sort(&site->lines, site->nlines, site->npages, 1,
                            &site->largest);

    free(names);

    return ok;
}


void
learn_eval_site_release(learn_eval_site_t *site)
{
    free(site->lines);
    free(site->training);
}


/* "names" are the clusters of the site as the file numbers them */

static int
learn_eval_lines(learn_eval_site_t *site, const learn_eval_sites_t *sites,
    const learn_clusters_t *clusters, uint32_t n, uint32_t **names)
{
    size_t         i;
    uint32_t      *cluster, *page;
    learn_line_t  *line;

    for (i = 0; i < clusters->nlines; i++) {
        site->nlines += (sites->sites[i] == n);
    }

    cluster = malloc((clusters->nclusters + (size_t) 1) * sizeof(uint32_t));
    page = malloc((clusters->npages + (size_t) 1) * sizeof(uint32_t));
    site->lines = malloc((site->nlines + 1) * sizeof(learn_line_t));
    *names = malloc((site->nlines + 1) * sizeof(uint32_t));

    if (cluster == NULL || page == NULL || site->lines == NULL
        || *names == NULL)
    {
        free(cluster);
        free(page);
        return 0;
    }

    memset(cluster, 0xff, clusters->nclusters * sizeof(uint32_t));
    memset(page, 0xff, clusters->npages * sizeof(uint32_t));

    line = site->lines;

    for (i = 0; i < clusters->nlines; i++) {
        if (sites->sites[i] != n) {
            continue;
        }

        *line = clusters->lines[i];
        line->page = learn_eval_number(page, &site->npages, line->page);
        line->cluster = learn_eval_number(cluster, &site->nclusters,
                                          line->cluster);

        (*names)[line->cluster] = clusters->lines[i].cluster;
        line++;
    }

    free(cluster);
    free(page);

    return 1;
}


static uint32_t
learn_eval_number(uint32_t *numbers, uint32_t *n, uint32_t name)
{
    if (numbers[name] == LEARN_NONE) {
        numbers[name] = (*n)++;
    }

    return numbers[name];
}


/* those of a page or cluster together, else as they were */

static int
learn_eval_sort(learn_line_t **lines, size_t n, uint32_t groups, int by_page,
    size_t *largest)
{
    size_t         i, *starts;
    uint32_t       g;
    learn_line_t  *sorted;

    starts = calloc(groups + (size_t) 2, sizeof(size_t));
    sorted = malloc((n + 1) * sizeof(learn_line_t));

    if (starts == NULL || sorted == NULL) {
        free(starts);
        free(sorted);
        return 0;
    }

    for (i = 0; i < n; i++) {
        g = by_page ? (*lines)[i].page : (*lines)[i].cluster;
        starts[g + 1]++;
    }

    *largest = 0;

    for (g = 0; g < groups; g++) {
        *largest = (starts[g + 1] > *largest) ? starts[g + 1] : *largest;
        starts[g + 1] += starts[g];
    }

    for (i = 0; i < n; i++) {
        g = by_page ? (*lines)[i].page : (*lines)[i].cluster;
        sorted[starts[g]++] = (*lines)[i];
    }

    free(*lines);
    free(starts);

    *lines = sorted;

    return 1;
}


static int
learn_eval_draw(learn_eval_site_t *site, const learn_clusters_t *clusters,
    const uint32_t *names, const learn_sample_t *sample)
{
    int            ok;
    size_t         i, urls, wanted;
    uint8_t       *drawn;
    learn_draw_t  *draws;

    draws = calloc(site->nclusters + (size_t) 1, sizeof(learn_draw_t));
    drawn = calloc(site->nclusters + (size_t) 1, 1);

    if (draws == NULL || drawn == NULL) {
        free(draws);
        free(drawn);
        return 0;
    }

    for (i = 0; i < site->nclusters; i++) {
        draws[i].cluster = (uint32_t) i;
        draws[i].hash = learn_eval_mix(clusters->hashes[names[i]]
                                       + learn_eval_mix(sample->seed));
    }

    for (i = 0; i < site->nlines; i++) {
        draws[site->lines[i].cluster].urls++;
    }

    qsort(draws, site->nclusters, sizeof(learn_draw_t), learn_draw_by_hash);

    wanted = (size_t) (sample->share * (double) site->nlines + 0.5);
    wanted = (wanted < sample->most) ? wanted : sample->most;

    /* a cluster that would be too much is passed over */

    for (i = 0, urls = 0; i < site->nclusters && urls < wanted; i++) {
        if (urls + draws[i].urls <= wanted) {
            urls += draws[i].urls;
            drawn[draws[i].cluster] = 1;
        }
    }

    site->ntraining = urls;
    ok = learn_eval_train(site, drawn);

    free(draws);
    free(drawn);

    return ok;
}


static int
learn_eval_train(learn_eval_site_t *site, const uint8_t *drawn)
{
    int        ok;
    size_t     i, n, largest;
    uint32_t   groups, *numbers;

    groups = 0;
    site->training = malloc((site->ntraining + 1) * sizeof(learn_line_t));
    numbers = malloc((site->nclusters + (size_t) 1) * sizeof(uint32_t));
    ok = (site->training != NULL && numbers != NULL);

    if (ok) {
        memset(numbers, 0xff, site->nclusters * sizeof(uint32_t));

        for (i = 0, n = 0; i < site->nlines; i++) {
            if (drawn[site->lines[i].cluster]) {
                site->training[n] = site->lines[i];
                site->training[n].cluster
                    = learn_eval_number(numbers, &groups,
                                        site->lines[i].cluster);
                n++;
            }
        }

        ok = learn_eval_sort(&site->training, n, groups, 0, &largest);
    }

    free(numbers);

    return ok;
}


static uint64_t
learn_eval_mix(uint64_t hash)
{
    hash += UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);

    return hash ^ hash >> 31;
}


static int
learn_draw_by_hash(const void *one, const void *two)
{
    const learn_draw_t  *a, *b;

    a = one;
    b = two;

    if (a->hash != b->hash) {
        return (a->hash > b->hash) ? 1 : -1;
    }

    return (a->cluster > b->cluster) - (a->cluster < b->cluster);
}
