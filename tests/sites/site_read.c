
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <ctype.h>
#include <string.h>

#include "site.h"


/*
 * Which page a URL shows, of those that were never printed, too: the site
 * itself would undo what its operations do, and read no parameter that it does
 * not know.  It is done with texts, from the same tables; a page is known by
 * the URL that is left.
 */

#define SITE_MAX_SEGMENTS  24


typedef struct {
    char         text[SITE_MAX_URL];           /* with zeroes between parts */
    const char  *host;
    const char  *segments[SITE_MAX_SEGMENTS];
    size_t       nsegments;
    const char  *names[SITE_MAX_SEGMENTS];
    const char  *values[SITE_MAX_SEGMENTS];
    size_t       nparams;
} site_parts_t;


typedef struct {
    const site_t        *site;
    const site_kind_t   *kind;
    const site_parts_t  *parts;
    size_t               at;                   /* segments that were read */
    int                  moved;
    char                 values[SITE_MAX_KEYS][160];
} site_reader_t;


static int  site_split(const char *url, site_parts_t *parts);
static int  site_read_kind(site_reader_t *reader, char *out);
static void  site_read_front(site_reader_t *reader);
static int  site_read_path(site_reader_t *reader);
static int  site_read_end(site_reader_t *reader);
static int  site_read_html(const site_reader_t *reader, char *text);
static int  site_read_host(const site_reader_t *reader, char *out);
static int  site_read_query(site_reader_t *reader, char *out);
static void  site_read_table(const site_reader_t *reader, size_t k,
    char *text);
static const char  *site_read_param(const site_reader_t *reader,
    const char *name);
static const char  *site_read_segment(const site_reader_t *reader);
static int  site_read_number(const char *text, const char *word,
    unsigned most);
static int  site_read_may(const site_reader_t *reader, site_operation_e o);


int
site_read(const site_t *site, const char *url, size_t kind, int moved,
    char *out)
{
    site_parts_t   parts;
    site_reader_t  reader;

    if (!site_split(url, &parts)) {
        return 0;
    }

    memset(&reader, 0, sizeof(site_reader_t));

    reader.site = site;
    reader.kind = &site->kinds[kind];
    reader.parts = &parts;
    reader.moved = moved;

    return site_read_kind(&reader, out);
}


static int
site_split(const char *url, site_parts_t *parts)
{
    char  *p, *query;

    if (strncmp(url, "http://", 7) != 0 || strlen(url) >= SITE_MAX_URL) {
        return 0;
    }

    memset(parts, 0, sizeof(site_parts_t));
    memcpy(parts->text, url + 7, strlen(url + 7) + 1);
    parts->host = parts->text;

    query = strchr(parts->text, '?');

    if (query != NULL) {
        *query++ = '\0';
    }

    for (p = strchr(parts->text, '/'); p != NULL; p = strchr(p, '/')) {
        *p++ = '\0';

        if (parts->nsegments == SITE_MAX_SEGMENTS) {
            return 0;
        }

        parts->segments[parts->nsegments++] = p;
    }

    while (query != NULL && parts->nparams < SITE_MAX_SEGMENTS) {
        parts->names[parts->nparams] = query;
        query = strchr(query, '&');

        if (query != NULL) {
            *query++ = '\0';
        }

        p = strchr(parts->names[parts->nparams], '=');

        if (p != NULL) {
            *p++ = '\0';
            parts->values[parts->nparams++] = p;
        }
    }

    return parts->nsegments > 0;
}


static int
site_read_kind(site_reader_t *reader, char *out)
{
    size_t              i, n;
    const site_part_t  *part;
    const site_kind_t  *kind;

    kind = reader->kind;

    if (reader->moved && !site_read_may(reader, SITE_MOVED)) {
        return 0;
    }

    site_read_front(reader);

    if (!site_read_path(reader) || !site_read_end(reader)
        || !site_read_host(reader, out))
    {
        return 0;
    }

    /* where the id is read from the query, it is in the path of what is left */

    for (i = 0; i < kind->nkeys; i++) {
        if (!kind->keys[i].query && (int) i == kind->id && reader->moved) {
            const char  *value = site_read_param(reader, kind->keys[i].name);

            if (value == NULL || strlen(value) >= sizeof(reader->values[0])) {
                return 0;
            }

            memcpy(reader->values[i], value, strlen(value) + 1);
        }
    }

    n = strlen(out);

    for (i = 0; i < kind->nparts; i++) {
        part = &kind->parts[i];
        n += (size_t) snprintf(out + n, SITE_MAX_URL - n, "/%s%s",
                               (part->key < 0) ? part->text
                               : reader->values[part->key],
                               (part->key == kind->id && kind->html)
                               ? ".html" : "");
    }

    if (kind->file[0] != '\0') {
        n += (size_t) snprintf(out + n, SITE_MAX_URL - n, "/%s", kind->file);
    }

    return site_read_query(reader, out + n);
}


/* what stands in front of all paths */

static void
site_read_front(site_reader_t *reader)
{
    const char            *text;
    const site_parts_t    *parts;

    parts = reader->parts;

    if (site_read_may(reader, SITE_SESSION_PATH) && parts->nsegments > 2
        && strcmp(parts->segments[0], "s") == 0
        && strspn(parts->segments[1], "0123456789abcdef")
           == strlen(parts->segments[1]))
    {
        reader->at = 2;
    }

    text = site_read_segment(reader);

    if (site_read_may(reader, SITE_ARCHIVE)
        && site_read_number(text, "archive", reader->site->archives))
    {
        reader->at++;
        text = site_read_segment(reader);
    }

    if (site_read_may(reader, SITE_PRINT) && reader->site->amp
        && strcmp(text, "amp") == 0)
    {
        reader->at++;
    }
}


static int
site_read_path(site_reader_t *reader)
{
    char               *value;
    size_t              i;
    const char         *text;
    const site_part_t  *part;

    for (i = 0; i < reader->kind->nparts; i++) {
        part = &reader->kind->parts[i];

        if (part->key == reader->kind->id && reader->moved) {
            continue;
        }

        text = site_read_segment(reader);

        if (*text == '\0' || strlen(text) >= sizeof(reader->values[0])) {
            return 0;
        }

        reader->at++;

        if (part->key < 0) {
            if (strcmp(text, part->text) != 0
                && (i > 0 || !site_read_may(reader, SITE_ALIAS)
                    || strcmp(text, part->alias) != 0))
            {
                return 0;
            }

            continue;
        }

        value = reader->values[part->key];
        memcpy(value, text, strlen(text) + 1);

        if (part->key != reader->kind->id) {
            site_read_table(reader, (size_t) part->key, value);

        } else if (reader->kind->html && !site_read_html(reader, value)) {
            return 0;
        }
    }

    return 1;
}


/* words that nobody reads, a file, an index page, a slash */

static int
site_read_end(site_reader_t *reader)
{
    size_t       left;
    const char  *text;

    left = reader->parts->nsegments - reader->at;

    if (reader->kind->slash && left > 0) {
        text = reader->parts->segments[reader->parts->nsegments - 1];

        if ((*text == '\0' && site_read_may(reader, SITE_SLASH))
            || (strcmp(text, "index.html") == 0 && !reader->moved
                && site_read_may(reader, SITE_INDEX)))
        {
            left--;
        }
    }

    if (reader->kind->file[0] != '\0') {
        text = reader->parts->segments[reader->parts->nsegments - 1];

        if (left == 0 || strcmp(text, reader->kind->file) != 0) {
            return 0;
        }

        left--;
    }

    return left == 0
           || (left == 1 && site_read_may(reader, SITE_SLUG)
               && *site_read_segment(reader) != '\0'
               && strchr(site_read_segment(reader), '.') == NULL);
}


/* takes the extension away; 0 if it is another one */

static int
site_read_html(const site_reader_t *reader, char *text)
{
    char  *dot;

    dot = strchr(text, '.');

    if (dot == NULL
        || (strcmp(dot, ".html") != 0
            && (!site_read_may(reader, SITE_EXTENSION)
                || strcmp(dot, ".htm") != 0)))
    {
        return 0;
    }

    *dot = '\0';

    return 1;
}


static int
site_read_host(const site_reader_t *reader, char *out)
{
    char           label[64], number[16];
    size_t         n, len;
    const char    *host;
    const site_t  *site;

    site = reader->site;
    host = reader->parts->host;
    n = strlen(host);
    len = strlen(site->domain);

    if (n < len || strcmp(host + n - len, site->domain) != 0
        || n - len >= sizeof(label))
    {
        return 0;
    }

    memcpy(label, host, n - len);
    label[n - len] = '\0';
    number[0] = '\0';

    if (label[0] == 'm' && strlen(label) < sizeof(number)
        && strlen(label) > 1)
    {
        memcpy(number, label, strlen(label) - 1);
        number[strlen(label) - 1] = '\0';
    }

    /* there are no mirrors of sub-sites */

    if (site_read_may(reader, SITE_MIRROR)
        && (!(site->traps >> SITE_TRAP_OWNERS & 1)
            || (site->traps >> SITE_TRAP_LANGUAGE & 1))
        && (site->bare ? label[0] == '\0'
                       : site_read_number(number, "m", site->mirrors)))
    {
        (void) snprintf(label, sizeof(label), "www.");
    }

    (void) snprintf(out, SITE_MAX_URL, "http://%s%s", label, site->domain);

    return 1;
}


static int
site_read_query(site_reader_t *reader, char *out)
{
    char                text[160], word[24];
    size_t              i, n;
    uint32_t            view;
    const char         *value, *mark;
    const site_t       *site;
    const site_key_t   *key;
    const site_kind_t  *kind;

    site = reader->site;
    kind = reader->kind;
    mark = "?";
    n = 0;
    out[0] = '\0';

    for (i = 0; i < kind->nkeys; i++) {
        key = &kind->keys[i];

        if (!key->query) {
            continue;
        }

        value = site_read_param(reader, key->name);

        if (value == NULL || (key->page && strcmp(value, "1") == 0)) {
            if (!key->page) {
                return 0;
            }

            continue;
        }

        (void) snprintf(text, sizeof(text), "%s", value);

        if (i > 0) {
            site_read_table(reader, i, text);
        }

        n += (size_t) snprintf(out + n, 200, "%s%s=%s", mark, key->name, text);
        mark = "&";
    }

    if (kind != &site->kinds[site->trap_kind]) {
        return 1;
    }

    if (site->traps >> SITE_TRAP_DIRECTORY & 1) {
        value = site_read_param(reader, site->trackers[0]);

        for (view = 1; view < 4 && value != NULL; view++) {
            (void) site_word(600 + view, word);

            if (strcmp(word, value) == 0) {
                n += (size_t) snprintf(out + n, 200, "%s%s=%s", mark,
                                       site->trackers[0], word);
                mark = "&";
            }
        }
    }

    value = site_read_param(reader, "print");

    if (site->traps >> SITE_TRAP_PRINT & 1 && value != NULL
        && strcmp(value, "1") == 0)
    {
        (void) snprintf(out + n, 200, "%sprint=1", mark);
    }

    return 1;
}


/* a number that stands for a word becomes that word */

static void
site_read_table(const site_reader_t *reader, size_t k, char *text)
{
    char               word[16];
    uint32_t           value;
    const site_key_t  *key;

    key = &reader->kind->keys[k];

    if (!key->words || key->pool > 64 || !site_read_may(reader, SITE_TABLE)) {
        return;
    }

    for (value = 0; value < key->pool; value++) {
        (void) snprintf(word, sizeof(word), "%u", value * 7 % 64 + 100);

        if (strcmp(word, text) == 0) {
            (void) site_word(20000 + (uint64_t) value + 10000 + 1000 * k,
                             text);
            return;
        }
    }
}


/* the value of the first parameter of a name, or NULL */

static const char *
site_read_param(const site_reader_t *reader, const char *name)
{
    size_t       i;
    const char  *other;

    for (i = 0; i < reader->parts->nparams; i++) {
        other = reader->parts->names[i];

        if (strcmp(other, name) == 0
            || (site_read_may(reader, SITE_CASE) && other[0] != '\0'
                && tolower(other[0]) == name[0]
                && strcmp(other + 1, name + 1) == 0))
        {
            return reader->parts->values[i];
        }
    }

    return NULL;
}


static const char *
site_read_segment(const site_reader_t *reader)
{
    return (reader->at < reader->parts->nsegments)
           ? reader->parts->segments[reader->at] : "";
}


/* a word and a number from 1 */

static int
site_read_number(const char *text, const char *word, unsigned most)
{
    char      other[32];
    unsigned  i;

    for (i = 1; i <= most; i++) {
        (void) snprintf(other, sizeof(other), "%s%u", word, i);

        if (strcmp(other, text) == 0) {
            return 1;
        }
    }

    return 0;
}


static int
site_read_may(const site_reader_t *reader, site_operation_e o)
{
    return reader->kind->operations >> o & 1;
}
