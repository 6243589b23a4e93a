
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_PUBLISH_H_INCLUDED_
#define _LEARN_PUBLISH_H_INCLUDED_


#include "map/map_file.h"
#include "notify.h"
#include "release.h"
#include "store/store.h"
#include "undo.h"


/*
 * A MAP ON ITS WAY TO NGINX
 *
 *     lock -> archive as begun -> file -> nginx is told -> archive as published
 *
 * The options of all commands that publish, and what they have open.
 */

typedef struct {
    const char           *command;
    const char           *url;           /* of the store */
    const char           *path;          /* the file that nginx reads */
    char                 *name;          /* of it, from the root on */
    learn_notify_t        notify;

    learn_store_t        *store;
    learn_release_t       release;
    learn_map_file_t      now;           /* what is published, or no data */
    learn_map_file_t      was;           /* ... before learn_publish() */
    learn_map_file_t      begun;         /* see learn_publish_interrupted() */
    char                 *note;          /* ... of it, on the heap */

    const char           *status;        /* of nginx, to be noted, or NULL */
    unsigned              watch;         /* seconds, from then on */
    uint64_t              end;           /* ... of it, as learn_clock() */
    int64_t               watched;       /* the version that it is of */
    learn_undo_t         *undo;          /* hosts of it are held, or NULL */
    const char           *why;           /* ... for this reason */

    unsigned              mend:1;        /* a damaged file does not matter */
    unsigned              lost:1;        /* the file is not what is published */
} learn_publish_t;


#define LEARN_PUBLISH_WAIT  30           /* seconds */

#define learn_publish_long                                                   \
    { "store",       required_argument,  NULL,  'S' },                       \
    { "map",         required_argument,  NULL,  'M' },                       \
    { "control",     required_argument,  NULL,  'C' },                       \
    { "zone",        required_argument,  NULL,  'Z' },                       \
    { "token-file",  required_argument,  NULL,  'T' },                       \
    { "pid",         required_argument,  NULL,  'P' },                       \
    { "wait",        required_argument,  NULL,  'W' }

#define learn_publish_usage                                                  \
    "  --store URL        the store, sqlite:PATH\n"                          \
    "  --map IMAGE        the file that nginx reads\n"                       \
    "  --control URL      nginx's miqps_control, http://HOST/URI or\n"       \
    "                     unix:PATH:/URI: is told, and asked what it serves\n" \
    "  --zone NAME        the zone, if there are several\n"                  \
    "  --token-file FILE  the token for it\n"                                \
    "  --pid FILE         nginx's master gets a HUP; with --control it is\n" \
    "                     only asked\n"                                      \
    "  --wait N           seconds for the map to be served; 30\n"


/* LEARN_EXIT_OK, or another after a complaint; -1 if it is none of these */

int learn_publish_option(learn_publish_t *publish, int c, const char *value);

/*
 * Opens what is needed and reads what is published: the file, or if it is not
 * there, or damaged and publish->mend, the last version of the archive, and the
 * file is lost.  Close it in any case.
 */
int learn_publish_open(learn_publish_t *publish);
void learn_publish_close(learn_publish_t *publish);

/*
 * Publishes an image: it gets the next generation.  "source" is what it was
 * made of, and "note" what there is to say of it.  LEARN_EXIT_OK when nginx
 * serves it, as far as it can be asked, and a line says so; it is
 * publish->now then.
 */
int learn_publish(learn_publish_t *publish, uint8_t *data, size_t size,
    const miqps_str_t *source, const char *note);

/*
 * Somebody may have been killed when the file was there, and nginx perhaps not
 * told: then the map was not published, and "now" is what was before; "begun"
 * is what learn_publish_resume() goes on with, to the same end as
 * learn_publish(), and has no data if there is none.
 */
int learn_publish_interrupted(learn_publish_t *publish);
int learn_publish_resume(learn_publish_t *publish);

/*
 * nginx is asked whether it serves what is published, where it can be, and told
 * if it does not.  LEARN_EXIT_REFUSED after a complaint if its miqps_control
 * has rolled that back, which is not undone.
 */
int learn_publish_confirm(learn_publish_t *publish);

/* Archives what is not to be published, and why; the number is its own, too. */

int learn_publish_stop(learn_publish_t *publish, uint8_t *data, size_t size,
    const miqps_str_t *source, const char *why);


#endif /* _LEARN_PUBLISH_H_INCLUDED_ */
