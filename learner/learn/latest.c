
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "latest.h"
#include "learn.h"
#include "miqps_url.h"


static int  learn_latest_has(const learn_latest_t *latest, const char *host);
static int  learn_latest_more(learn_latest_t *latest, learn_store_t *store,
    const char *host);
static int  learn_latest_run(const learn_run_t *run, void *data);
static learn_latest_run_t  *learn_latest_room(learn_latest_t *latest);


int
learn_latest_add(learn_latest_t *latest, learn_store_t *store,
    const miqps_str_t *host)
{
    int  rc;

    rc = store->ops->runs(store, host, learn_latest_run, latest);

    if (rc == LEARN_EXIT_OK && latest->failed) {
        learn_complain("%s: out of memory", latest->command);
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


int
learn_latest_named(learn_latest_t *latest, learn_store_t *store, char **names)
{
    int          rc;
    size_t       before;
    uint8_t      canon[MIQPS_MAX_HOST];
    miqps_str_t  host = miqps_null_str;

    if (*names == NULL) {
        rc = learn_latest_add(latest, store, &host);

        if (rc == LEARN_EXIT_OK && latest->n == 0) {
            learn_complain("%s: nothing was learned yet; 'miqps learn' does",
                           latest->command);
            rc = LEARN_EXIT_FAILED;
        }

        return rc;
    }

    for (/* void */ ; *names != NULL; names++) {
        host.data = (const uint8_t *) *names;
        host.len = strlen(*names);
        before = latest->n;
        rc = LEARN_EXIT_OK;

        if (miqps_url_host(&host, canon, &host) == MIQPS_OK) {
            rc = learn_latest_add(latest, store, &host);
        }

        if (rc == LEARN_EXIT_OK && latest->n == before) {
            learn_complain("%s: nothing was learned of '%s'", latest->command,
                           *names);
            rc = LEARN_EXIT_FAILED;
        }

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    return LEARN_EXIT_OK;
}


int
learn_latest_mirrored(learn_latest_t *latest, learn_store_t *store)
{
    int             rc;
    size_t          i;
    miqps_str_t     name = miqps_null_str;
    learn_latest_t  all;

    memset(&all, 0, sizeof(learn_latest_t));
    all.command = latest->command;

    rc = learn_latest_add(&all, store, &name);

    for (i = 0; i < all.n && rc == LEARN_EXIT_OK; i++) {
        if (learn_latest_has(latest, all.list[i].host)) {
            rc = learn_latest_more(latest, store, all.list[i].mirrors);
        }
    }

    for (i = 0; i < all.n && rc == LEARN_EXIT_OK; i++) {
        if (learn_latest_has(latest, all.list[i].mirrors)) {
            rc = learn_latest_more(latest, store, all.list[i].host);
        }
    }

    learn_latest_release(&all);

    return rc;
}


static int
learn_latest_has(const learn_latest_t *latest, const char *host)
{
    size_t  i;

    for (i = 0; i < latest->n; i++) {
        if (strcmp(latest->list[i].host, host) == 0) {
            return 1;
        }
    }

    return 0;
}


/* one that is not among them, if it is one */

static int
learn_latest_more(learn_latest_t *latest, learn_store_t *store,
    const char *host)
{
    miqps_str_t  name;

    name.data = (const uint8_t *) host;
    name.len = strlen(host);

    return (name.len == 0 || learn_latest_has(latest, host))
           ? LEARN_EXIT_OK : learn_latest_add(latest, store, &name);
}


void
learn_latest_release(learn_latest_t *latest)
{
    size_t  i;

    for (i = 0; i < latest->n; i++) {
        free(latest->list[i].settings);
        free(latest->list[i].mirrors);
    }

    free(latest->list);
}


/* they come in order, by host */

static int
learn_latest_run(const learn_run_t *run, void *data)
{
    learn_latest_t      *latest;
    learn_latest_run_t  *one;

    latest = data;

    if (run->state != LEARN_RUN_DONE || strlen(run->host) > MIQPS_MAX_HOST) {
        return 1;
    }

    one = (latest->n > 0) ? &latest->list[latest->n - 1] : NULL;

    if (one == NULL || strcmp(one->host, run->host) != 0) {
        one = learn_latest_room(latest);
    }

    if (one == NULL) {
        latest->failed = 1;
        return 0;
    }

    memcpy(one->host, run->host, strlen(run->host) + 1);

    free(one->settings);
    free(one->mirrors);
    one->settings = strdup(run->settings);
    one->mirrors = strdup(run->mirrors);
    one->run = run->id;
    one->time = run->ended;
    one->fetches = run->fetches;

    latest->failed = (one->settings == NULL || one->mirrors == NULL);

    return !latest->failed;
}


static learn_latest_run_t *
learn_latest_room(learn_latest_t *latest)
{
    size_t               room;
    learn_latest_run_t  *list;

    if (latest->n == latest->room) {
        room = 2 * latest->room + 16;
        list = realloc(latest->list, room * sizeof(learn_latest_run_t));

        if (list == NULL) {
            return NULL;
        }

        latest->list = list;
        latest->room = room;
    }

    memset(&latest->list[latest->n], 0, sizeof(learn_latest_run_t));

    return &latest->list[latest->n++];
}
