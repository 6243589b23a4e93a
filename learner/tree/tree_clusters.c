
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "learn.h"
#include "miqps_url.h"
#include "tree_clusters.h"


/* lines are known by their URLs, clusters and pages by their names */

typedef struct {
    uint32_t      *table;          /* numbers, counted from 1 */
    size_t         mask;
    size_t         n;
} learn_labels_t;


typedef struct {
    learn_clusters_t  *clusters;
    learn_labels_t      urls;
    learn_labels_t      labels;
    learn_labels_t      pages;
    miqps_str_t       *label;      /* the names of clusters, of pages */
    miqps_str_t       *page;
    size_t             max_labels;
    size_t             max_pages;
    size_t             line;
} learn_parse_t;


/* bytes of text that are given back at once */

#define LEARN_CLUSTERS_SHRINK  (4 * 1024 * 1024)


static int  learn_clusters_load(learn_clusters_t *clusters, int fd);
static int  learn_clusters_lines(learn_parse_t *parse);
static int  learn_clusters_line(learn_parse_t *parse, uint8_t *p,
    uint8_t *last);
static int  learn_clusters_known(learn_parse_t *parse, learn_line_t *line);
static int  learn_clusters_name(learn_labels_t *names, miqps_str_t **list,
    size_t *max, const miqps_str_t *name, uint32_t *number);
static uint32_t  learn_clusters_operations(learn_clusters_t *clusters,
    const miqps_str_t *list);
static int  learn_clusters_hashes(learn_parse_t *parse);
static int  learn_labels_grow(learn_labels_t *names,
    uint64_t (*hash)(const void *data, size_t n), const void *data);
static uint64_t  learn_labels_list_hash(const void *data, size_t n);
static uint64_t  learn_labels_line_hash(const void *data, size_t n);
static uint64_t  learn_labels_hash(const uint8_t *data, size_t len);
static int  learn_clusters_tell(const learn_clusters_t *clusters,
    const char *command, const char *name);


int
learn_clusters_read(learn_clusters_t *clusters, const char *command,
    const char *name)
{
    int       fd, rc;
    uint8_t  *text;

    memset(clusters, 0, sizeof(learn_clusters_t));

    fd = (name[0] == '-' && name[1] == '\0') ? STDIN_FILENO
                                             : open(name, O_RDONLY);

    if (fd == -1) {
        learn_complain("%s: cannot open '%s': %s", command, name,
                       strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    rc = learn_clusters_load(clusters, fd);

    if (fd != STDIN_FILENO) {
        (void) close(fd);
    }

    if (rc != 0) {
        learn_complain("%s: cannot read '%s': %s", command, name,
                       strerror(rc));
        return LEARN_EXIT_FAILED;
    }

    text = clusters->text;

    if (!learn_clusters_parse(clusters, text, clusters->size)) {
        learn_complain("%s: out of memory", command);
        return LEARN_EXIT_FAILED;
    }

    return learn_clusters_tell(clusters, command, name);
}


/* 0 or the number of an error */

static int
learn_clusters_load(learn_clusters_t *clusters, int fd)
{
    size_t        max;
    ssize_t       n;
    uint8_t      *text;
    struct stat   st;

    max = 64 * 1024;

    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        max = (size_t) st.st_size + 1;
    }

    for ( ;; ) {
        text = realloc(clusters->text, max);

        if (text == NULL) {
            return ENOMEM;
        }

        clusters->text = text;

        while (clusters->size < max) {
            n = read(fd, text + clusters->size, max - clusters->size);

            if (n == -1 && errno == EINTR) {
                continue;
            }

            if (n == -1) {
                return errno;
            }

            if (n == 0) {
                return 0;
            }

            clusters->size += (size_t) n;
        }

        max += max / 2;
    }
}


int
learn_clusters_parse(learn_clusters_t *clusters, uint8_t *text, size_t size)
{
    int            ok;
    learn_parse_t  parse;

    memset(clusters, 0, sizeof(learn_clusters_t));
    memset(&parse, 0, sizeof(learn_parse_t));

    clusters->text = text;
    clusters->size = size;

    parse.clusters = clusters;

    ok = learn_clusters_lines(&parse) && learn_clusters_hashes(&parse);

    free(parse.urls.table);
    free(parse.labels.table);
    free(parse.pages.table);
    free(parse.label);
    free(parse.page);

    return ok;
}


void
learn_clusters_shrink(learn_clusters_t *clusters, size_t n)
{
    size_t     i, size;
    uint8_t   *text;
    uintptr_t  moved;
    void      *lines;

    clusters->nlines = n;
    size = (n > 0) ? (size_t) (clusters->lines[n - 1].url - clusters->text)
                     + clusters->lines[n - 1].len : 0;

    if (size + LEARN_CLUSTERS_SHRINK > clusters->size || n == 0) {
        return;
    }

    lines = realloc(clusters->lines, n * sizeof(learn_line_t));

    if (lines != NULL) {
        clusters->lines = lines;
        clusters->max_lines = n;
    }

    moved = (uintptr_t) clusters->text;
    text = realloc(clusters->text, size);

    if (text == NULL) {
        return;
    }

    clusters->text = text;
    clusters->size = size;

    /* what becomes smaller hardly ever moves */

    for (i = 0; (uintptr_t) text != moved && i < n; i++) {
        clusters->lines[i].url = text + ((uintptr_t) clusters->lines[i].url
                                         - moved);
    }
}


void
learn_clusters_release(learn_clusters_t *clusters)
{
    free(clusters->text);
    free(clusters->lines);
    free(clusters->hashes);
}


static int
learn_clusters_lines(learn_parse_t *parse)
{
    uint8_t  *p, *last, *end;

    p = parse->clusters->text;
    last = p + parse->clusters->size;

    if (last - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        p += 3;
    }

    for (/* void */ ; p < last; p = end + 1) {
        end = memchr(p, '\n', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        parse->line++;

        if (!learn_clusters_line(parse, p, (end > p && end[-1] == '\r')
                                           ? end - 1 : end))
        {
            return 0;
        }
    }

    return 1;
}


static int
learn_clusters_line(learn_parse_t *parse, uint8_t *p, uint8_t *last)
{
    size_t             i;
    uint8_t           *tab;
    miqps_str_t        part[4];
    miqps_url_t        url;
    learn_line_t       line;
    learn_clusters_t  *clusters;

    clusters = parse->clusters;
    memset(&line, 0, sizeof(learn_line_t));
    line.url = p;

    for (i = 0; i < 4; i++) {
        tab = (p < last) ? memchr(p, '\t', (size_t) (last - p)) : NULL;
        tab = (tab != NULL && i < 3) ? tab : last;

        part[i].data = p;
        part[i].len = (size_t) (tab - p);
        p = (tab < last) ? tab + 1 : last;
    }

    if (part[1].len == 0 || part[0].len > UINT32_MAX
        || miqps_url_split(&url, &part[0]) != MIQPS_OK)
    {
        clusters->first_bad = clusters->bad ? clusters->first_bad
                                            : parse->line;
        clusters->bad++;
        return 1;
    }

    /* what is behind "#" is never sent */

    line.len = (uint32_t) (part[0].len - url.fragment.len);

    if (!learn_clusters_name(&parse->labels, &parse->label,
                             &parse->max_labels, &part[1], &line.cluster)
        || !learn_clusters_name(&parse->pages, &parse->page,
                                &parse->max_pages,
                                &part[part[2].len > 0 ? 2 : 1], &line.page))
    {
        return 0;
    }

    clusters->truth |= (part[2].len > 0);
    line.operations = learn_clusters_operations(clusters, &part[3]);

    return learn_clusters_known(parse, &line);
}


/* adds the line if its URL is a new one */

static int
learn_clusters_known(learn_parse_t *parse, learn_line_t *line)
{
    size_t             i, more;
    uint32_t           n;
    learn_line_t      *lines, *old;
    learn_clusters_t  *clusters;

    clusters = parse->clusters;

    if (clusters->nlines == clusters->max_lines) {
        more = clusters->max_lines + clusters->max_lines / 2 + 1024;
        lines = realloc(clusters->lines, more * sizeof(learn_line_t));

        if (lines == NULL || more > UINT32_MAX) {
            return 0;
        }

        clusters->lines = lines;
        clusters->max_lines = more;
    }

    if (!learn_labels_grow(&parse->urls, learn_labels_line_hash,
                          clusters->lines))
    {
        return 0;
    }

    i = learn_labels_hash(line->url, line->len) & parse->urls.mask;

    while ((n = parse->urls.table[i]) != 0) {
        old = &clusters->lines[n - 1];

        if (old->len == line->len && memcmp(old->url, line->url, old->len)
                                     == 0)
        {
            clusters->repeated++;

            if (old->cluster != line->cluster) {
                clusters->first_disputed = clusters->disputed
                                           ? clusters->first_disputed
                                           : parse->line;
                clusters->disputed++;
            }

            return 1;
        }

        i = (i + 1) & parse->urls.mask;
    }

    clusters->lines[clusters->nlines++] = *line;
    parse->urls.table[i] = (uint32_t) clusters->nlines;
    parse->urls.n++;

    return 1;
}


static int
learn_clusters_name(learn_labels_t *names, miqps_str_t **list, size_t *max,
    const miqps_str_t *name, uint32_t *number)
{
    size_t        i, more;
    uint32_t      n;
    miqps_str_t  *new;

    if (!learn_labels_grow(names, learn_labels_list_hash, *list)) {
        return 0;
    }

    i = learn_labels_hash(name->data, name->len) & names->mask;

    while ((n = names->table[i]) != 0) {
        if (miqps_str_eq(&(*list)[n - 1], name)) {
            *number = n - 1;
            return 1;
        }

        i = (i + 1) & names->mask;
    }

    if (names->n == *max) {
        more = *max + *max / 2 + 256;
        new = realloc(*list, more * sizeof(miqps_str_t));

        if (new == NULL || more > UINT32_MAX) {
            return 0;
        }

        *list = new;
        *max = more;
    }

    (*list)[names->n++] = *name;
    names->table[i] = (uint32_t) names->n;
    *number = (uint32_t) (names->n - 1);

    return 1;
}


/* names beyond the limit do not count */

static uint32_t
learn_clusters_operations(learn_clusters_t *clusters, const miqps_str_t *list)
{
    size_t          i;
    uint32_t        bits;
    miqps_str_t     name;
    const uint8_t  *p, *last, *end;

    bits = 0;
    p = list->data;
    last = p + list->len;

    for (/* void */ ; p < last; p = end + 1) {
        end = memchr(p, ',', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        name.data = p;
        name.len = (size_t) (end - p);

        for (i = 0; i < clusters->noperations; i++) {
            if (miqps_str_eq(&clusters->operations[i], &name)) {
                break;
            }
        }

        if (i == LEARN_MAX_OPERATIONS || name.len == 0) {
            continue;
        }

        if (i == clusters->noperations) {
            clusters->operations[clusters->noperations++] = name;
        }

        bits |= UINT32_C(1) << i;
    }

    return bits;
}


static int
learn_clusters_hashes(learn_parse_t *parse)
{
    size_t             i;
    learn_clusters_t  *clusters;

    clusters = parse->clusters;
    clusters->nclusters = (uint32_t) parse->labels.n;
    clusters->npages = (uint32_t) parse->pages.n;

    clusters->hashes = malloc((parse->labels.n + 1) * sizeof(uint64_t));

    if (clusters->hashes == NULL) {
        return 0;
    }

    for (i = 0; i < parse->labels.n; i++) {
        clusters->hashes[i] = learn_labels_list_hash(parse->label, i);
    }

    return 1;
}


/* room for one more; hash() is that of the n-th, from 0 */

static int
learn_labels_grow(learn_labels_t *names,
    uint64_t (*hash)(const void *data, size_t n), const void *data)
{
    size_t     i, n, size;
    uint32_t  *table;

    size = (names->table != NULL) ? names->mask + 1 : 512;

    if (names->table != NULL && names->n < size / 4 * 3) {
        return 1;
    }

    table = calloc(2 * size, sizeof(uint32_t));

    if (table == NULL) {
        return 0;
    }

    free(names->table);

    names->table = table;
    names->mask = 2 * size - 1;

    for (n = 0; n < names->n; n++) {
        i = hash(data, n) & names->mask;

        while (table[i] != 0) {
            i = (i + 1) & names->mask;
        }

        table[i] = (uint32_t) (n + 1);
    }

    return 1;
}


static uint64_t
learn_labels_list_hash(const void *data, size_t n)
{
    const miqps_str_t  *name;

    name = (const miqps_str_t *) data + n;

    return learn_labels_hash(name->data, name->len);
}


static uint64_t
learn_labels_line_hash(const void *data, size_t n)
{
    const learn_line_t  *line;

    line = (const learn_line_t *) data + n;

    return learn_labels_hash(line->url, line->len);
}


static uint64_t
learn_labels_hash(const uint8_t *data, size_t len)
{
    return XXH3_64bits(data, len);
}


static int
learn_clusters_tell(const learn_clusters_t *clusters, const char *command,
    const char *name)
{
    if (clusters->bad > 0) {
        learn_complain("%s: '%s': %zu lines are not 'URL<tab>cluster' and "
                       "left out, the first is line %zu", command, name,
                       clusters->bad, clusters->first_bad);

        if (clusters->nlines == 0) {
            return LEARN_EXIT_FAILED;
        }
    }

    if (clusters->disputed > 0) {
        learn_complain("%s: '%s': %zu URLs are there again with another "
                       "cluster, the first at line %zu; the first cluster of "
                       "each counts", command, name, clusters->disputed,
                       clusters->first_disputed);
    }

    return LEARN_EXIT_OK;
}
