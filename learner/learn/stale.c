
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "settings.h"
#include "stale.h"


#define LEARN_STALE_NAMES  256         /* hosts that are read at a time */
#define LEARN_STALE_DAY    86400.0


typedef struct {
    learn_stales_t        *stales;
    learn_store_t         *store;
    const learn_hosts_t   *hosts;
    char                   last[MIQPS_MAX_HOST + 1];
    size_t                 read;       /* of the hosts asked for */
} learn_stale_scan_t;


/* sets of names that a run has verdicts on, sorted */

typedef struct {
    char                 **names;
    size_t                 n;
    size_t                 room;
    uint64_t               urls;       /* of the host now, and of these ... */
    uint64_t               known;      /* ... those of such names */
    int                    failed;
} learn_stale_sets_t;


static int  learn_stale_name(int64_t id, const miqps_str_t *name, void *data);
static learn_stale_t  *learn_stale_room(learn_stales_t *stales);
static int  learn_stale_judge(learn_stales_t *stales, learn_store_t *store,
    const learn_latest_t *latest, const learn_stale_limits_t *limits);
static const learn_latest_run_t  *learn_stale_run(
    const learn_latest_t *latest, const char *host);
static int  learn_stale_drift(learn_store_t *store, const char *host,
    const learn_latest_run_t *run, learn_stale_sets_t *sets);
static unsigned  learn_stale_patterns(const char *settings);
static int  learn_stale_set(const learn_verdict_t *verdict, void *data);
static int  learn_stale_urls(const learn_ranked_t *pattern, void *data);
static int  learn_stale_by_names(const void *one, const void *two);


int
learn_stales_find(learn_stales_t *stales, learn_store_t *store,
    const learn_hosts_t *hosts, const learn_stale_limits_t *limits)
{
    int                 rc;
    miqps_str_t         after, all = miqps_null_str;
    learn_latest_t      latest;
    learn_stale_scan_t  scan;

    memset(&scan, 0, sizeof(learn_stale_scan_t));
    memset(&latest, 0, sizeof(learn_latest_t));

    scan.stales = stales;
    scan.store = store;
    scan.hosts = hosts;
    latest.command = stales->command;

    do {
        after.data = (const uint8_t *) scan.last;
        after.len = strlen(scan.last);
        scan.read = 0;

        rc = store->ops->hosts(store, &after, LEARN_STALE_NAMES,
                               learn_stale_name, &scan);

    } while (rc == LEARN_EXIT_OK && scan.read == LEARN_STALE_NAMES);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_latest_add(&latest, store, &all);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_stale_judge(stales, store, &latest, limits);
    }

    learn_latest_release(&latest);

    return rc;
}


void
learn_stales_release(learn_stales_t *stales)
{
    free(stales->list);
}


static int
learn_stale_name(int64_t id, const miqps_str_t *name, void *data)
{
    learn_stale_t       *stale;
    learn_stale_scan_t  *scan;

    (void) id;

    scan = data;
    scan->read++;

    if (name->len > MIQPS_MAX_HOST) {
        return 1;
    }

    memcpy(scan->last, name->data, name->len);
    scan->last[name->len] = '\0';

    if (!learn_hosts_have(scan->hosts, name)) {
        return 1;
    }

    stale = learn_stale_room(scan->stales);

    if (stale == NULL) {
        return 0;
    }

    memcpy(stale->host, scan->last, name->len + 1);

    return 1;
}


static learn_stale_t *
learn_stale_room(learn_stales_t *stales)
{
    size_t          room;
    learn_stale_t  *list;

    if (stales->n == stales->room) {
        room = 2 * stales->room + 64;
        list = realloc(stales->list, room * sizeof(learn_stale_t));

        if (list == NULL) {
            learn_complain("%s: out of memory", stales->command);
            return NULL;
        }

        stales->list = list;
        stales->room = room;
    }

    memset(&stales->list[stales->n], 0, sizeof(learn_stale_t));

    return &stales->list[stales->n++];
}


/* hosts without URLs that have parameters are left out */

static int
learn_stale_judge(learn_stales_t *stales, learn_store_t *store,
    const learn_latest_t *latest, const learn_stale_limits_t *limits)
{
    int                        rc;
    size_t                     i, n;
    learn_stale_t             *stale;
    learn_stale_sets_t         sets;
    const learn_latest_run_t  *run, *of;

    for (i = 0, n = 0; i < stales->n; i++) {
        stale = &stales->list[i];
        run = learn_stale_run(latest, stale->host);

        /* of a mirror, what is known is known of the other host */

        of = (run != NULL && run->mirrors[0] != '\0')
             ? learn_stale_run(latest, run->mirrors) : run;

        rc = learn_stale_drift(store, stale->host, of, &sets);

        if (rc != LEARN_EXIT_OK) {
            if (sets.failed) {
                learn_complain("%s: out of memory", stales->command);
            }

            return rc;
        }

        if (sets.urls == 0) {
            continue;
        }

        stale->drift = 100.0 * (double) (sets.urls - sets.known)
                       / (double) sets.urls;
        stale->days = (run != NULL) ? difftime(time(NULL), (time_t) run->time)
                                      / LEARN_STALE_DAY : 0.0;

        if (run == NULL) {
            stale->why = LEARN_STALE_NEVER;

        } else if (stale->days >= limits->days) {
            stale->why = LEARN_STALE_OLD;

        } else if (stale->drift > limits->drift) {
            stale->why = LEARN_STALE_DRIFTED;
        }

        stales->list[n++] = *stale;
    }

    stales->n = n;

    return LEARN_EXIT_OK;
}


static const learn_latest_run_t *
learn_stale_run(const learn_latest_t *latest, const char *host)
{
    int     rc;
    size_t  low, high, middle;

    low = 0;
    high = latest->n;

    while (low < high) {
        middle = low + (high - low) / 2;
        rc = strcmp(latest->list[middle].host, host);

        if (rc == 0) {
            return &latest->list[middle];
        }

        if (rc < 0) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return NULL;
}


static int
learn_stale_drift(learn_store_t *store, const char *host,
    const learn_latest_run_t *run, learn_stale_sets_t *sets)
{
    int          rc;
    size_t       i;
    miqps_str_t  name;

    memset(sets, 0, sizeof(learn_stale_sets_t));

    rc = (run != NULL) ? store->ops->verdicts(store, run->run, learn_stale_set,
                                              sets)
                       : LEARN_EXIT_OK;

    if (rc == LEARN_EXIT_OK && sets->n > 0) {
        qsort(sets->names, sets->n, sizeof(char *), learn_stale_by_names);
    }

    name.data = (const uint8_t *) host;
    name.len = strlen(host);

    if (rc == LEARN_EXIT_OK && !sets->failed) {
        rc = store->ops->ranked(store, &name, 0, learn_stale_patterns(
                                     (run != NULL) ? run->settings : "{}"),
                                learn_stale_urls, sets);
    }

    for (i = 0; i < sets->n; i++) {
        free(sets->names[i]);
    }

    free(sets->names);

    return sets->failed ? LEARN_EXIT_FAILED : rc;
}


/* how many sets of names a run looks at */

static unsigned
learn_stale_patterns(const char *settings)
{
    cJSON             *json;
    unsigned           patterns;
    const cJSON       *number;
    learn_settings_t   usual;

    learn_settings_init(&usual);
    patterns = usual.patterns;

    json = cJSON_Parse(settings);
    number = cJSON_GetObjectItemCaseSensitive(json, "patterns");

    if (cJSON_IsNumber(number) && number->valueint > 0) {
        patterns = (unsigned) number->valueint;
    }

    cJSON_Delete(json);

    return patterns;
}


static int
learn_stale_set(const learn_verdict_t *verdict, void *data)
{
    char                **names;
    size_t                room;
    learn_stale_sets_t   *sets;

    sets = data;

    if (sets->n == sets->room) {
        room = 2 * sets->room + 64;
        names = realloc(sets->names, room * sizeof(char *));

        if (names == NULL) {
            sets->failed = 1;
            return 0;
        }

        sets->names = names;
        sets->room = room;
    }

    names = &sets->names[sets->n];
    *names = strndup((const char *) verdict->names.data, verdict->names.len);

    if (*names == NULL) {
        sets->failed = 1;
        return 0;
    }

    sets->n++;

    return 1;
}


static int
learn_stale_urls(const learn_ranked_t *pattern, void *data)
{
    char                *names;
    learn_stale_sets_t  *sets;

    sets = data;

    if (pattern->names.len == 0) {
        return 1;
    }

    names = strndup((const char *) pattern->names.data, pattern->names.len);

    if (names == NULL) {
        sets->failed = 1;
        return 0;
    }

    sets->urls += pattern->urls;

    if (sets->n > 0
        && bsearch(&names, sets->names, sets->n, sizeof(char *),
                   learn_stale_by_names)
           != NULL)
    {
        sets->known += pattern->urls;
    }

    free(names);

    return 1;
}


static int
learn_stale_by_names(const void *one, const void *two)
{
    char *const  *a = one, *const  *b = two;

    return strcmp(*a, *b);
}
