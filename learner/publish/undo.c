
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "learn.h"
#include "map/map_make.h"
#include "undo.h"


#define LEARN_UNDO_NAME  (MIQPS_MAX_HOST + sizeof("*."))


static int  learn_undo_compare(learn_undo_t *undo);
static int  learn_undo_read(const learn_version_t *version, void *data);
static int  learn_undo_free(learn_undo_t *undo, learn_store_t *store,
    const learn_index_t *index, const learn_index_host_t *host);
static void  learn_undo_settle(learn_undo_t *undo);
static int  learn_undo_meet(learn_undo_t *undo);
static size_t  learn_undo_place(const learn_index_t *index,
    const learn_index_host_t *host);
static void  learn_undo_name(const learn_index_host_t *host,
    char name[LEARN_UNDO_NAME]);
static int  learn_undo_print(learn_undo_t *undo, FILE *out);
static int  learn_undo_entry(learn_undo_t *undo, const learn_index_t *index,
    const learn_index_host_t *host, FILE *out);
static int  learn_undo_memory(const learn_undo_t *undo);


int
learn_undo_init(learn_undo_t *undo, const char *command,
    const miqps_image_t *old, const miqps_image_t *new)
{
    memset(undo, 0, sizeof(learn_undo_t));

    undo->command = command;

    if ((old != NULL && !learn_index_init(&undo->old, old))
        || !learn_index_init(&undo->new, new))
    {
        return learn_undo_memory(undo);
    }

    undo->changed = calloc(undo->new.n + 1, 1);
    undo->back = calloc(undo->new.n + 1, 1);
    undo->again = calloc(undo->old.n + 1, 1);

    if (undo->changed == NULL || undo->back == NULL || undo->again == NULL
        || !learn_undo_compare(undo))
    {
        return learn_undo_memory(undo);
    }

    return LEARN_EXIT_OK;
}


void
learn_undo_release(learn_undo_t *undo)
{
    learn_index_release(&undo->old);
    learn_index_release(&undo->new);
    learn_index_release(&undo->source);
    learn_index_release(&undo->former);
    learn_view_release(&undo->view);

    free(undo->data);
    free(undo->former_data);
    free(undo->changed);
    free(undo->back);
    free(undo->again);
}


/* mirrors are part of what they mirror */

static int
learn_undo_compare(learn_undo_t *undo)
{
    char                      *a, *b;
    size_t                     i;
    const learn_index_host_t  *old, *new;

    for (i = 0; i < undo->new.n; i++) {
        new = &undo->new.hosts[i];

        if (new->target != NULL) {
            continue;
        }

        old = (undo->old.n > 0) ? learn_index_find(&undo->old, new) : NULL;

        if (old == NULL || old->target != NULL) {
            undo->changed[i] = 1;
            continue;
        }

        a = learn_entry_text(&undo->old, old, &undo->view);
        b = learn_entry_text(&undo->new, new, &undo->view);

        if (a != NULL && b != NULL) {
            undo->changed[i] = (strcmp(a, b) != 0);
        }

        free(a);
        free(b);

        if (a == NULL || b == NULL) {
            return 0;
        }
    }

    return 1;
}


int
learn_undo_changed(const learn_undo_t *undo, const char *name)
{
    const learn_index_host_t  *old, *new;

    old = learn_entry_of(&undo->old, name);
    new = learn_entry_of(&undo->new, name);

    if (old == NULL || new == NULL) {
        return old != new;
    }

    return learn_index_cmp(old, new) != 0
           || undo->changed[new - undo->new.hosts];
}


const learn_index_host_t *
learn_undo_mark(learn_undo_t *undo, const char *name)
{
    const learn_index_host_t  *old, *new;

    old = learn_entry_of(&undo->old, name);
    new = learn_entry_of(&undo->new, name);

    if (new != NULL && undo->changed[new - undo->new.hosts]) {
        undo->back[new - undo->new.hosts] = 1;
    }

    if (old != NULL) {
        undo->again[old - undo->old.hosts] = 1;
    }

    return new;
}


int
learn_undo_marked(const learn_undo_t *undo, const char *name)
{
    const learn_index_host_t  *old, *new;

    old = learn_entry_of(&undo->old, name);
    new = learn_entry_of(&undo->new, name);

    return (new != NULL && undo->back[new - undo->new.hosts])
           || (old != NULL && undo->again[old - undo->old.hosts]);
}


int
learn_undo_source(learn_undo_t *undo, learn_store_t *store, int64_t version)
{
    int  rc;

    rc = store->ops->version(store, version, learn_undo_read, undo);

    if (rc == LEARN_EXIT_OK && undo->data != NULL) {
        miqps_image_use(&undo->image, undo->data);

        if (!learn_index_init(&undo->source, &undo->image)) {
            return learn_undo_memory(undo);
        }
    }

    return rc;
}


int
learn_undo_former(learn_undo_t *undo, const miqps_str_t *source)
{
    size_t  size;

    if (source->len == 0
        || learn_map_make(undo->command, "what the map was made of",
                          (const char *) source->data, source->len,
                          &undo->former_data, &size)
           != LEARN_EXIT_OK)
    {
        undo->former_data = NULL;
        return LEARN_EXIT_OK;
    }

    miqps_image_use(&undo->former_image, undo->former_data);

    return learn_index_init(&undo->former, &undo->former_image)
           ? LEARN_EXIT_OK : learn_undo_memory(undo);
}


/* a source that cannot be used any more is as none, after a complaint */

static int
learn_undo_read(const learn_version_t *version, void *data)
{
    size_t         size;
    learn_undo_t  *undo;

    undo = data;

    if (version->source.len > 0
        && learn_map_make(undo->command, "what the map was made of",
                          (const char *) version->source.data,
                          version->source.len, &undo->data, &size)
           != LEARN_EXIT_OK)
    {
        undo->data = NULL;
    }

    return 1;
}


int
learn_undo_hold(learn_undo_t *undo, learn_store_t *store,
    const learn_index_host_t *host, const char *why)
{
    char                      *text, name[LEARN_UNDO_NAME];
    learn_hold_t               hold;
    const learn_index_host_t  *source;

    source = (undo->source.n > 0) ? learn_index_find(&undo->source, host)
                                  : NULL;

    text = (source != NULL && source->target == NULL)
           ? learn_entry_text(&undo->source, source, &undo->view)
           : learn_entry_text(&undo->new, host, &undo->view);

    if (text == NULL) {
        return learn_undo_memory(undo);
    }

    learn_undo_name(host, name);

    hold.host = name;
    hold.entry = learn_entry_hash(text);
    hold.at = (int64_t) time(NULL);
    hold.why = why;

    free(text);

    return store->ops->hold_save(store, &hold);
}


int
learn_undo_holds(learn_undo_t *undo, learn_store_t *store, const char *why)
{
    int     rc;
    size_t  i;

    rc = LEARN_EXIT_OK;

    for (i = 0; rc == LEARN_EXIT_OK && i < undo->new.n; i++) {
        if (undo->changed[i]) {
            rc = learn_undo_hold(undo, store, &undo->new.hosts[i], why);
        }
    }

    for (i = 0; rc == LEARN_EXIT_OK && i < undo->old.n; i++) {
        rc = learn_undo_free(undo, store, &undo->old, &undo->old.hosts[i]);
    }

    for (i = 0; rc == LEARN_EXIT_OK && i < undo->former.n; i++) {
        rc = learn_undo_free(undo, store, &undo->former,
                             &undo->former.hosts[i]);
    }

    return rc;
}


/* what a host gets back may have been held since */

static int
learn_undo_free(learn_undo_t *undo, learn_store_t *store,
    const learn_index_t *index, const learn_index_host_t *host)
{
    char          *text, name[LEARN_UNDO_NAME];
    learn_hold_t   hold;

    if (host->target != NULL) {
        return LEARN_EXIT_OK;
    }

    text = learn_entry_text(index, host, &undo->view);

    if (text == NULL) {
        return learn_undo_memory(undo);
    }

    learn_undo_name(host, name);
    memset(&hold, 0, sizeof(learn_hold_t));

    hold.host = name;
    hold.entry = learn_entry_hash(text);

    free(text);

    return store->ops->hold_free(store, &hold);
}


static void
learn_undo_name(const learn_index_host_t *host, char name[LEARN_UNDO_NAME])
{
    (void) snprintf(name, LEARN_UNDO_NAME, "%s%.*s",
                    host->wildcard ? "*." : "", (int) host->host.len,
                    (const char *) host->host.data);
}


/*
 * Entries of both maps that share a host go back together: one may have become
 * a mirror of the other, or have been one.
 */

static void
learn_undo_settle(learn_undo_t *undo)
{
    while (learn_undo_meet(undo)) { /* void */ }
}


static int
learn_undo_meet(learn_undo_t *undo)
{
    int                        changed;
    size_t                     i, one, two;
    const learn_index_host_t  *old;

    changed = 0;

    for (i = 0; undo->old.n > 0 && i < undo->new.n; i++) {
        old = learn_index_find(&undo->old, &undo->new.hosts[i]);

        if (old == NULL) {
            continue;
        }

        one = learn_undo_place(&undo->old, old);
        two = learn_undo_place(&undo->new, &undo->new.hosts[i]);

        if (undo->again[one] != undo->back[two]) {
            undo->again[one] = 1;
            undo->back[two] = 1;
            changed = 1;
        }
    }

    return changed;
}


/* the place of the entry that a host is of */

static size_t
learn_undo_place(const learn_index_t *index, const learn_index_host_t *host)
{
    char  name[LEARN_UNDO_NAME];

    if (host->target == NULL) {
        return (size_t) (host - index->hosts);
    }

    learn_undo_name(host, name);

    return (size_t) (learn_entry_of(index, name) - index->hosts);
}


int
learn_undo_make(learn_undo_t *undo, char **text, size_t *len, uint8_t **data,
    size_t *size)
{
    int    ok;
    FILE  *out;

    out = open_memstream(text, len);

    if (out == NULL) {
        return learn_undo_memory(undo);
    }

    ok = learn_undo_print(undo, out);

    if (fclose(out) != 0 || !ok) {
        return learn_undo_memory(undo);
    }

    return learn_map_make(undo->command, "the map to go back to", *text, *len,
                          data, size);
}


static int
learn_undo_print(learn_undo_t *undo, FILE *out)
{
    int     ok;
    size_t  i;

    ok = 1;
    learn_undo_settle(undo);

    for (i = 0; ok && i < undo->new.n; i++) {
        if (undo->new.hosts[i].target == NULL && !undo->back[i]) {
            ok = learn_undo_entry(undo, &undo->new, &undo->new.hosts[i], out);
        }
    }

    for (i = 0; ok && i < undo->old.n; i++) {
        if (undo->old.hosts[i].target == NULL && undo->again[i]) {
            ok = learn_undo_entry(undo, &undo->old, &undo->old.hosts[i], out);
        }
    }

    return ok;
}


static int
learn_undo_entry(learn_undo_t *undo, const learn_index_t *index,
    const learn_index_host_t *host, FILE *out)
{
    char  *text;

    text = learn_entry_text(index, host, &undo->view);

    if (text == NULL) {
        return 0;
    }

    (void) fputs(text, out);
    free(text);

    return 1;
}


static int
learn_undo_memory(const learn_undo_t *undo)
{
    learn_complain("%s: out of memory", undo->command);

    return LEARN_EXIT_FAILED;
}
