
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_CLUSTERED_H_INCLUDED_
#define _LEARN_CLUSTERED_H_INCLUDED_


#include <stddef.h>


/*
 * WHICH URLS SHOW THE SAME PAGE, by what was fetched
 *
 * Pages of one site with the same text are one.  So are those that declare to
 * be one URL, if nearly all of their text is the same: many declare what is not
 * true.  Writes lines for tree/tree_clusters.h, of all pages that were seen in
 * the last runs of the hosts, a list that ends with NULL, or of all of them, to
 * "*text", which is free()d.  "url" is that of the store.  An exit code, after
 * a complaint that begins with "command".
 */
int learn_clustered(const char *command, const char *url, char **hosts,
    char **text, size_t *len);


#endif /* _LEARN_CLUSTERED_H_INCLUDED_ */
