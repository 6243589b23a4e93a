
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


/* hosts none of whose URLs has parameters, by site and name */

typedef struct {
    int64_t                site;
    learn_stale_t         *stale;
} learn_stale_bare_t;


typedef struct {
    learn_stale_bare_t    *list;
    size_t                 n;
    size_t                 first;      /* of the site at hand, */
    size_t                 last;       /* and the one behind its last one */
} learn_stale_bares_t;


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
static void  learn_stale_drop(learn_stales_t *stales);
static int  learn_stale_paths(learn_stales_t *stales, learn_store_t *store);
static int  learn_stale_reservoirs(learn_store_t *store,
    learn_stale_bares_t *bares);
static int  learn_stale_pick(const learn_pick_t *pick, void *data);
static int  learn_stale_by_site(const void *one, const void *two);
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


static int
learn_stale_judge(learn_stales_t *stales, learn_store_t *store,
    const learn_latest_t *latest, const learn_stale_limits_t *limits)
{
    int                        rc;
    size_t                     i;
    learn_stale_t             *stale;
    learn_stale_sets_t         sets;
    const learn_latest_run_t  *run, *of;

    for (i = 0; i < stales->n; i++) {
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

        /* paths have no names that could be other ones by now */

        stale->urls = sets.urls;
        stale->drift = (sets.urls > 0)
                       ? 100.0 * (double) (sets.urls - sets.known)
                         / (double) sets.urls
                       : ((run == NULL) ? 100.0 : 0.0);
        stale->days = (run != NULL) ? difftime(time(NULL), (time_t) run->time)
                                      / LEARN_STALE_DAY : 0.0;

        if (run == NULL) {
            stale->why = LEARN_STALE_NEVER;

        } else if (stale->days >= limits->days) {
            stale->why = LEARN_STALE_OLD;

        } else if (stale->drift > limits->drift) {
            stale->why = LEARN_STALE_DRIFTED;
        }
    }

    rc = limits->paths ? learn_stale_paths(stales, store) : LEARN_EXIT_OK;

    if (rc == LEARN_EXIT_OK) {
        learn_stale_drop(stales);
    }

    return rc;
}


/* hosts without URLs that something is to be learned of */

static void
learn_stale_drop(learn_stales_t *stales)
{
    size_t  i, n;

    for (i = 0, n = 0; i < stales->n; i++) {
        if (stales->list[i].urls > 0 || stales->list[i].bare > 0) {
            stales->list[n++] = stales->list[i];
        }
    }

    stales->n = n;
}


/* URLs of hosts that have none with parameters are in a reservoir alone */

static int
learn_stale_paths(learn_stales_t *stales, learn_store_t *store)
{
    int                   rc;
    size_t                i;
    int64_t               site;
    miqps_str_t           name;
    learn_stale_bares_t   bares;

    memset(&bares, 0, sizeof(learn_stale_bares_t));

    bares.list = malloc((stales->n + 1) * sizeof(learn_stale_bare_t));

    if (bares.list == NULL) {
        learn_complain("%s: out of memory", stales->command);
        return LEARN_EXIT_FAILED;
    }

    rc = LEARN_EXIT_OK;

    for (i = 0; i < stales->n && rc == LEARN_EXIT_OK; i++) {

        if (stales->list[i].urls > 0) {
            continue;
        }

        name.data = (const uint8_t *) stales->list[i].host;
        name.len = strlen(stales->list[i].host);

        rc = store->ops->host_site(store, &name, &site);

        if (rc == LEARN_EXIT_OK && site != 0) {
            bares.list[bares.n].site = site;
            bares.list[bares.n++].stale = &stales->list[i];
        }
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_stale_reservoirs(store, &bares);
    }

    free(bares.list);

    return rc;
}


/* each of them is read once, however many hosts it has */

static int
learn_stale_reservoirs(learn_store_t *store, learn_stale_bares_t *bares)
{
    int     rc;
    size_t  last;

    qsort(bares->list, bares->n, sizeof(learn_stale_bare_t),
          learn_stale_by_site);

    rc = LEARN_EXIT_OK;

    for (last = 0; last < bares->n && rc == LEARN_EXIT_OK; /* void */ ) {
        bares->first = last;

        while (last < bares->n
               && bares->list[last].site == bares->list[bares->first].site)
        {
            last++;
        }

        bares->last = last;

        rc = store->ops->reservoir(store, bares->list[bares->first].site,
                                   learn_stale_pick, bares);
    }

    return rc;
}


static int
learn_stale_pick(const learn_pick_t *pick, void *data)
{
    int                    rc;
    size_t                 low, high, middle, len;
    miqps_str_t            host;
    learn_stale_t         *stale;
    learn_stale_bares_t   *bares;

    bares = data;
    host = learn_store_url_host(pick);

    for (low = bares->first, high = bares->last; low < high; /* void */ ) {
        middle = low + (high - low) / 2;
        stale = bares->list[middle].stale;
        len = strlen(stale->host);

        rc = memcmp(stale->host, host.data, (len < host.len) ? len : host.len);
        rc = (rc != 0) ? rc : (len > host.len) - (len < host.len);

        if (rc == 0) {
            stale->bare++;
            return 1;
        }

        if (rc < 0) {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return 1;
}


static int
learn_stale_by_site(const void *one, const void *two)
{
    const learn_stale_bare_t  *a = one, *b = two;

    return (a->site != b->site) ? ((a->site < b->site) ? -1 : 1)
                                : strcmp(a->stale->host, b->stale->host);
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
