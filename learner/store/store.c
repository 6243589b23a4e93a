
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <string.h>
#include <unistd.h>

#include <xxhash.h>

#include "learn.h"
#include "miqps_url.h"
#include "sqlite.h"
#include "store.h"


static const char  *learn_store_path(const char *url);


int
learn_store_open(learn_store_t **store, const char *command, const char *url,
    learn_store_mode_e mode)
{
    const char  *path;

    *store = NULL;
    path = learn_store_path(url);

    if (path != NULL) {
        return learn_sqlite_open(store, command, path, mode);
    }

    learn_complain("%s: '%s' is no store; it is named as %s", command, url,
                   LEARN_STORE_URL);

    return LEARN_EXIT_USAGE;
}


int
learn_store_found(const char *url)
{
    const char  *path;

    path = learn_store_path(url);

    return path == NULL || access(path, F_OK) == 0;
}


/* NULL if it is no store */

static const char *
learn_store_path(const char *url)
{
    static const char  sqlite[] = "sqlite:";

    if (strncmp(url, sqlite, sizeof(sqlite) - 1) != 0
        || url[sizeof(sqlite) - 1] == '\0')
    {
        return NULL;
    }

    return url + sizeof(sqlite) - 1;
}


uint64_t
learn_store_hash(const learn_store_t *store, const void *data, size_t len)
{
    return XXH3_64bits_withSecret(data, len, store->key, LEARN_STORE_KEY) >> 1;
}


miqps_str_t
learn_store_url_host(const learn_pick_t *pick)
{
    miqps_str_t  url, host = miqps_null_str;
    miqps_url_t  parts;

    url.data = pick->url;
    url.len = pick->len;

    return (miqps_url_split(&parts, &url) == MIQPS_OK) ? parts.host : host;
}


const char *
learn_verdict_name(learn_verdict_e verdict)
{
    static const char *const  names[] = { "neutral", "matters", "unknown",
                                          "default", "client" };

    return names[(verdict <= LEARN_VERDICT_CLIENT) ? verdict
                                                    : LEARN_VERDICT_UNKNOWN];
}
