
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_CLUSTERS_H_INCLUDED_
#define _TREE_CLUSTERS_H_INCLUDED_


#include "miqps_core.h"


/*
 * A FILE OF DUPLICATE CLUSTERS
 *
 *     URL <tab> cluster [<tab> page [<tab> operations]]
 *
 * one URL a line, in any order.  URLs with the same cluster are said to show
 * the same page.  Where that was found out by a program that errs, "page" is
 * the truth, which only tests look at; without it the cluster is.  Operations
 * are names, separated by commas, of what was done to make this URL of the
 * page's first one.
 *
 * A line that is not of this form is left out and counted.  So is a URL that
 * was there before: with the same cluster it says nothing new, with another
 * one the first counts.
 */

#define LEARN_MAX_OPERATIONS  32


typedef struct {
    uint8_t       *url;            /* in the text */
    uint32_t       len;
    uint32_t       cluster;
    uint32_t       page;
    uint32_t       operations;     /* a bit each */
} learn_line_t;


typedef struct {
    uint8_t       *text;
    size_t         size;

    learn_line_t  *lines;
    size_t         nlines;
    size_t         max_lines;

    uint32_t       nclusters;
    uint32_t       npages;
    uint64_t      *hashes;         /* of the names of clusters */

    miqps_str_t    operations[LEARN_MAX_OPERATIONS];
    size_t         noperations;

    size_t         bad;            /* lines of another form, and the first */
    size_t         first_bad;
    size_t         repeated;       /* URLs that were there before, ... */
    size_t         disputed;       /* ... with another cluster, and the first */
    size_t         first_disputed;
    unsigned       truth:1;        /* there are pages */
} learn_clusters_t;


/*
 * Reads a file, "-" for standard input.  LEARN_EXIT_OK, also with lines left
 * out, of which it complains once; or LEARN_EXIT_FAILED after a complaint if
 * it cannot be read, or has lines but none of this form.  Release it anyway.
 */
int learn_clusters_read(learn_clusters_t *clusters, const char *command,
    const char *name);

/* the same for bytes in memory, which become the structure's to free() */

int learn_clusters_parse(learn_clusters_t *clusters, uint8_t *text,
    size_t size);

/*
 * Leaves the first "n" lines, and from time to time gives back the memory of
 * the others and of their text.
 */
void learn_clusters_shrink(learn_clusters_t *clusters, size_t n);

void learn_clusters_release(learn_clusters_t *clusters);


#endif /* _TREE_CLUSTERS_H_INCLUDED_ */
