
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <unistd.h>

#include "learn.h"
#include "trust.h"


int
learn_trust(const char *command, const char *name, const struct stat *st,
    learn_trust_e what)
{
    if (st->st_uid != 0 && st->st_uid != geteuid()) {
        learn_complain("%s: '%s' is neither root's nor ours, but of the user "
                       "%lu; change its owner, or run as him", command, name,
                       (unsigned long) st->st_uid);
        return 0;
    }

    if ((st->st_mode & (S_IWGRP|S_IWOTH))
        && !(what == LEARN_TRUST_FOLDER && (st->st_mode & S_ISVTX)))
    {
        learn_complain("%s: others than its owner may write to '%s': "
                       "'chmod go-w' it", command, name);
        return 0;
    }

    if (what == LEARN_TRUST_SECRET && (st->st_mode & S_IROTH)) {
        learn_complain("%s: everybody may read '%s', which is a secret: "
                       "'chmod o-r' it", command, name);
        return 0;
    }

    return 1;
}
