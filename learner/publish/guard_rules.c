
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "guard_steps.h"
#include "miqps_map.h"
#include "rule_text.h"


/* a rule is what it says: it is looked for by its text */

int
learn_guard_rules(learn_guarding_t *ctx)
{
    int               n, found;
    char             *text;
    uint32_t          i;
    miqps_str_t       name;
    miqps_paths_t     rules, old, proven;
    const uint8_t    *record;
    learn_anomaly_t  *anomaly;

    anomaly = &ctx->anomaly;

    if (ctx->proven == NULL || anomaly->serves == NULL
        || !miqps_paths_of(ctx->new, anomaly->serves, &rules))
    {
        return 0;
    }

    name.data = (const uint8_t *) anomaly->name;
    name.len = strlen(anomaly->name);
    record = (ctx->proven->nhosts > 0) ? miqps_map_host(ctx->proven, &name)
                                       : NULL;

    memset(&old, 0, sizeof(miqps_paths_t));
    memset(&proven, 0, sizeof(miqps_paths_t));

    if (anomaly->served != NULL) {
        (void) miqps_paths_of(ctx->old, anomaly->served, &old);
    }

    if (record != NULL) {
        (void) miqps_paths_of(ctx->proven, record, &proven);
    }

    n = 0;

    for (i = 0; i < rules.n; i++) {
        text = learn_rule_text(&rules, i);

        if (text == NULL) {
            return -1;
        }

        found = learn_rule_in(text, &old);
        found = (found == 0) ? learn_rule_in(text, &proven) : found;
        free(text);

        if (found < 0) {
            return -1;
        }

        if (!found) {
            anomaly->dropped[i] = 1;
            n++;
        }
    }

    return n;
}
