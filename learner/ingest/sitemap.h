
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_SITEMAP_H_INCLUDED_
#define _LEARN_SITEMAP_H_INCLUDED_


#include <expat.h>

#include "reader.h"
#include "record.h"


/*
 * A sitemap, in XML:
 *
 *     <urlset> <url> <loc>https://shop.example/p</loc> ... </url> </urlset>
 *
 * What counts are URLs of pages, <loc> in <url> and the href of its
 * alternates.  An index of sitemaps has <loc> in <sitemap>: these are counted,
 * and are for the reader to fetch.
 *
 * A document cannot be read on from its middle.  How many URLs were taken is
 * noted in the source instead of lines, and so many are passed over.
 */

#define LEARN_SITEMAP_DEPTH  16


typedef struct {
    uint8_t           *text;           /* URLs, each with its kind before it */
    size_t             len;
    size_t             room;
    size_t             at;             /* of the next one */
    size_t             ready;          /* behind the last one that is whole */
} learn_sitemap_queue_t;


typedef struct {
    learn_reader_t        *reader;
    XML_Parser             parser;
    learn_sitemap_queue_t  queue;
    char                   parent[LEARN_SITEMAP_DEPTH];    /* 'u', 's', 0 */
    size_t                 depth;
    char                   kind;       /* of the <loc> that is being read */
    size_t                 start;      /* of it in the queue */
    uint64_t               known;      /* URLs to be passed over */
    unsigned               failed:1;   /* there is no memory */
    unsigned               broken:1;   /* it is no XML */
    unsigned               done:1;
} learn_sitemap_t;


/* LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a complaint; release() anyway */

int learn_sitemap_init(learn_sitemap_t *map, learn_reader_t *reader);
void learn_sitemap_release(learn_sitemap_t *map);

/* as learn_warc_next(); the URL is valid until the next call */

int learn_sitemap_next(learn_sitemap_t *map, learn_record_t *record,
    learn_line_e *what);


#endif /* _LEARN_SITEMAP_H_INCLUDED_ */
