
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdlib.h>

#include "learn.h"
#include "tree_options.h"


int
learn_tree_option(learn_tree_options_t *options, const char *command, int c,
    const char *value)
{
    switch (c) {

    case LEARN_TREE_OVERLAP:
        return learn_option_share(command, "overlap", value,
                                  &options->rules.overlap);

    case LEARN_TREE_MAPPING:
        return learn_option_share(command, "mapping", value,
                                  &options->rules.mapping);

    case LEARN_TREE_FAKE:
        return learn_option_share(command, "fake", value,
                                  &options->rules.fake);

    case LEARN_TREE_LIMIT:
        return learn_option_share(command, "limit", value,
                                  &options->plan.limit);

    case LEARN_TREE_DESTINATIONS:
        return learn_option_number(command, "destinations", value,
                                   LEARN_MAX_NODES,
                                   &options->plan.destinations);

    default:
        break;
    }

    if (strcmp(value, "ancestor") == 0) {
        options->plan.by_rate = 0;
        return LEARN_EXIT_OK;
    }

    if (strcmp(value, "fpr") == 0) {
        options->plan.by_rate = 1;
        return LEARN_EXIT_OK;
    }

    learn_complain("%s: --cover is 'ancestor' or 'fpr', not '%s'", command,
                   value);

    return LEARN_EXIT_USAGE;
}


int
learn_option_share(const char *command, const char *name, const char *value,
    double *share)
{
    char  *end;

    *share = strtod(value, &end);

    if (end == value || *end != '\0' || !(*share >= 0 && *share <= 1)) {
        learn_complain("%s: --%s is a number from 0 to 1, not '%s'", command,
                       name, value);
        return LEARN_EXIT_USAGE;
    }

    return LEARN_EXIT_OK;
}


int
learn_option_number(const char *command, const char *name, const char *value,
    size_t most, size_t *number)
{
    char                *end;
    unsigned long long   n;

    errno = 0;
    n = strtoull(value, &end, 10);

    if (end == value || *end != '\0' || value[0] < '0' || value[0] > '9'
        || errno != 0 || n > most)
    {
        learn_complain("%s: --%s is a whole number, %zu at most, not '%s'",
                       command, name, most, value);
        return LEARN_EXIT_USAGE;
    }

    *number = (size_t) n;

    return LEARN_EXIT_OK;
}
