
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <getopt.h>
#include <string.h>

#include "learn.h"
#include "miqps_url.h"
#include "store/store.h"


static int  learn_forget_options(int argc, char **argv, const char **url);
static int  learn_forget_hosts(learn_store_t *store, char **names);


static const char  learn_forget_usage[] =
    "usage: miqps forget --store sqlite:PATH HOST...\n"
    "\n"
    "Removes everything about the hosts from the store, and overwrites it.\n"
    "\n"
    "  --store URL  the store, sqlite:PATH\n"
    "  --help       this text\n"
    "\n"
    "Exit codes: 0 done, 1 failed, or there is no such host, 2 wrong usage,\n"
    "4 somebody else writes to the store.\n";


static const struct option  learn_forget_long[] = {
    { "store",  required_argument,  NULL,  's' },
    { "help",   no_argument,        NULL,  'h' },
    { NULL,     0,                  NULL,  0 }
};


int
learn_cmd_forget(int argc, char **argv)
{
    int             rc;
    const char     *url;
    learn_store_t  *store;

    rc = learn_forget_options(argc, argv, &url);

    if (rc >= 0) {
        return rc;
    }

    rc = learn_store_open(&store, "forget", url, LEARN_STORE_CHANGE);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_forget_hosts(store, argv + optind);
        store->ops->close(store);
    }

    return rc;
}


/* an exit status, or -1 to go on */

static int
learn_forget_options(int argc, char **argv, const char **url)
{
    int  c;

    *url = NULL;
    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_forget_long, NULL)) != -1) {
        switch (c) {

        case 's':
            *url = optarg;
            break;

        case 'h':
            (void) fputs(learn_forget_usage, stdout);
            return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;

        default:
            return learn_usage_error("forget", argv[optind - 1]);
        }
    }

    if (*url == NULL) {
        learn_complain("forget: name the store, --store %s", LEARN_STORE_URL);
        return LEARN_EXIT_USAGE;
    }

    if (optind == argc) {
        learn_complain("forget: name a host");
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_forget_hosts(learn_store_t *store, char **names)
{
    int          rc, found, all;
    uint8_t      canon[MIQPS_MAX_HOST];
    miqps_str_t  host;

    all = LEARN_EXIT_OK;

    for (/* void */ ; *names != NULL; names++) {
        host.data = (const uint8_t *) *names;
        host.len = strlen(*names);
        found = 0;

        if (miqps_url_host(&host, canon, &host) == MIQPS_OK) {
            rc = store->ops->forget(store, &host, &found);

            if (rc != LEARN_EXIT_OK) {
                return rc;
            }
        }

        if (!found) {
            learn_complain("forget: the store has no host '%s'", *names);
            all = LEARN_EXIT_FAILED;
        }
    }

    return all;
}
