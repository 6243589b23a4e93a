
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "sitemap.h"


/* a kind and a length before each URL */

#define LEARN_SITEMAP_HEAD  (1 + sizeof(uint32_t))


static void  learn_sitemap_start(void *data, const XML_Char *name,
    const XML_Char **attrs);
static void  learn_sitemap_end(void *data, const XML_Char *name);
static void  learn_sitemap_text(void *data, const XML_Char *text, int len);
static const char  *learn_sitemap_local(const char *name);
static void  learn_sitemap_alternate(learn_sitemap_t *map,
    const XML_Char **attrs);
static void  learn_sitemap_open(learn_sitemap_t *map, char kind);
static void  learn_sitemap_add(learn_sitemap_t *map, const char *text,
    size_t len);
static void  learn_sitemap_close(learn_sitemap_t *map);
static int  learn_sitemap_more(learn_sitemap_t *map);
static int  learn_sitemap_finish(learn_sitemap_t *map);


int
learn_sitemap_init(learn_sitemap_t *map, learn_reader_t *reader)
{
    memset(map, 0, sizeof(learn_sitemap_t));

    map->reader = reader;
    map->known = reader->source.lines;
    map->parser = XML_ParserCreate(NULL);

    if (map->parser == NULL) {
        learn_complain("%s: out of memory", reader->command);
        return LEARN_EXIT_FAILED;
    }

    XML_SetUserData(map->parser, map);
    XML_SetElementHandler(map->parser, learn_sitemap_start, learn_sitemap_end);
    XML_SetCharacterDataHandler(map->parser, learn_sitemap_text);

    reader->source.lines = 0;

    return (reader->source.offset > 0) ? learn_reader_rewind(reader)
                                       : LEARN_EXIT_OK;
}


void
learn_sitemap_release(learn_sitemap_t *map)
{
    if (map->parser != NULL) {
        XML_ParserFree(map->parser);
    }

    free(map->queue.text);
}


int
learn_sitemap_next(learn_sitemap_t *map, learn_record_t *record,
    learn_line_e *what)
{
    int              rc;
    char             kind;
    uint32_t         len;
    const uint8_t   *p;

    do {
        while (map->queue.at == map->queue.ready) {

            if (map->done) {
                return learn_sitemap_finish(map);
            }

            rc = learn_sitemap_more(map);

            if (rc != LEARN_EXIT_OK) {
                return -1;
            }
        }

        p = map->queue.text + map->queue.at;
        kind = (char) *p;
        memcpy(&len, p + 1, sizeof(uint32_t));

        map->queue.at += LEARN_SITEMAP_HEAD + len;
        map->reader->source.lines++;

    } while (map->reader->source.lines <= map->known);

    memset(record, 0, sizeof(learn_record_t));

    record->listed = 1;
    record->field[LEARN_FIELD_TARGET].data = p + LEARN_SITEMAP_HEAD;
    record->field[LEARN_FIELD_TARGET].len = len;

    *what = (kind == 's') ? LEARN_LINE_INDEX
            : (len > LEARN_CORPUS_MAX_URL) ? LEARN_LINE_TOO_LONG
            : LEARN_LINE_TAKEN;

    return 1;
}


/* URLs of the next block; one that is being read stays */

static int
learn_sitemap_more(learn_sitemap_t *map)
{
    int                     got;
    miqps_str_t             block;
    learn_sitemap_queue_t  *queue;

    queue = &map->queue;

    if (queue->ready > 0) {
        queue->len -= queue->ready;
        map->start = 0;
        memmove(queue->text, queue->text + queue->ready, queue->len);
    }

    queue->at = 0;
    queue->ready = 0;

    got = learn_reader_block(map->reader, &block);

    if (got < 0) {
        return LEARN_EXIT_FAILED;
    }

    map->done = (got == 0);

    /* what was read before something that is wrong is good */

    if (XML_Parse(map->parser, (const char *) block.data, (int) block.len,
                  map->done)
        != XML_STATUS_OK)
    {
        map->broken = 1;
        map->done = 1;
    }

    if (map->failed) {
        learn_complain("%s: out of memory", map->reader->command);
        return LEARN_EXIT_FAILED;
    }

    return LEARN_EXIT_OK;
}


static int
learn_sitemap_finish(learn_sitemap_t *map)
{
    if (!map->broken) {
        return 0;
    }

    learn_complain("%s: '%s' is no XML from line %lu, column %lu on: %s",
                   map->reader->command, map->reader->path,
                   (unsigned long) XML_GetCurrentLineNumber(map->parser),
                   (unsigned long) XML_GetCurrentColumnNumber(map->parser),
                   XML_ErrorString(XML_GetErrorCode(map->parser)));

    return -1;
}


static void
learn_sitemap_start(void *data, const XML_Char *name, const XML_Char **attrs)
{
    char              kind;
    const char       *local;
    learn_sitemap_t  *map;

    map = data;
    local = learn_sitemap_local(name);

    kind = (strcmp(local, "url") == 0) ? 'u'
           : (strcmp(local, "sitemap") == 0) ? 's' : '\0';

    if (map->depth > 0 && map->depth <= LEARN_SITEMAP_DEPTH
        && map->parent[map->depth - 1] != '\0')
    {
        if (strcmp(local, "loc") == 0) {
            learn_sitemap_open(map, map->parent[map->depth - 1]);

        } else if (strcmp(local, "link") == 0) {
            learn_sitemap_alternate(map, attrs);
        }
    }

    if (map->depth < LEARN_SITEMAP_DEPTH) {
        map->parent[map->depth] = kind;
    }

    map->depth++;
}


static void
learn_sitemap_end(void *data, const XML_Char *name)
{
    learn_sitemap_t  *map;

    (void) name;

    map = data;
    map->depth--;

    learn_sitemap_close(map);
}


static void
learn_sitemap_text(void *data, const XML_Char *text, int len)
{
    learn_sitemap_t  *map;

    map = data;

    if (map->kind != '\0') {
        learn_sitemap_add(map, text, (size_t) len);
    }
}


/* whatever the prefix is */

static const char *
learn_sitemap_local(const char *name)
{
    const char  *colon;

    colon = strrchr(name, ':');

    return (colon != NULL) ? colon + 1 : name;
}


static void
learn_sitemap_alternate(learn_sitemap_t *map, const XML_Char **attrs)
{
    for (/* void */ ; attrs[0] != NULL; attrs += 2) {
        if (strcmp(attrs[0], "href") == 0) {
            learn_sitemap_open(map, 'u');
            learn_sitemap_add(map, attrs[1], strlen(attrs[1]));
            learn_sitemap_close(map);
        }
    }
}


static void
learn_sitemap_open(learn_sitemap_t *map, char kind)
{
    char  head[LEARN_SITEMAP_HEAD] = { kind };

    learn_sitemap_close(map);

    map->kind = kind;
    map->start = map->queue.len;

    learn_sitemap_add(map, head, sizeof(head));
}


static void
learn_sitemap_add(learn_sitemap_t *map, const char *text, size_t len)
{
    size_t                  room;
    uint8_t                *p;
    learn_sitemap_queue_t  *queue;

    queue = &map->queue;

    /* longer than any URL: how much longer is not of interest */

    if (map->failed
        || queue->len - map->start > LEARN_SITEMAP_HEAD + LEARN_CORPUS_MAX_URL)
    {
        return;
    }

    if (queue->room - queue->len < len) {
        room = 2 * (queue->len + len);
        p = realloc(queue->text, room);

        if (p == NULL) {
            map->failed = 1;
            return;
        }

        queue->text = p;
        queue->room = room;
    }

    memcpy(queue->text + queue->len, text, len);
    queue->len += len;
}


static void
learn_sitemap_close(learn_sitemap_t *map)
{
    uint32_t  len;

    if (map->kind == '\0') {
        return;
    }

    map->kind = '\0';

    if (map->failed) {
        return;
    }

    len = (uint32_t) (map->queue.len - map->start - LEARN_SITEMAP_HEAD);
    memcpy(map->queue.text + map->start + 1, &len, sizeof(uint32_t));

    map->queue.ready = map->queue.len;
}
