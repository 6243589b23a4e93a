
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "latest.h"
#include "learn.h"


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


void
learn_latest_release(learn_latest_t *latest)
{
    size_t  i;

    for (i = 0; i < latest->n; i++) {
        free(latest->list[i].settings);
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
    one->settings = strdup(run->settings);
    one->run = run->id;
    one->time = run->ended;
    one->fetches = run->fetches;

    latest->failed = (one->settings == NULL);

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
