
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>

#include "map/map_rules_print.h"
#include "rule_text.h"


int
learn_rule_in(const char *text, const miqps_paths_t *rules)
{
    int        same;
    char      *other;
    uint32_t   i;

    for (i = 0; i < rules->n; i++) {
        other = learn_rule_text(rules, i);

        if (other == NULL) {
            return -1;
        }

        same = (strcmp(text, other) == 0);
        free(other);

        if (same) {
            return 1;
        }
    }

    return 0;
}


char *
learn_rule_text(const miqps_paths_t *rules, uint32_t rule)
{
    char    *text;
    FILE    *out;
    size_t   len;

    text = NULL;
    out = open_memstream(&text, &len);

    if (out == NULL) {
        return NULL;
    }

    learn_print_rule(rules, rule, 1, out);

    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }

    return text;
}
