
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "map_print.h"
#include "map_rules_diff.h"
#include "map_rules_print.h"


/* a rule as text, so that rules of two images can be compared */

typedef struct {
    char              *from;
    char              *whole;
    uint32_t           number;
} learn_diff_rule_t;


typedef struct {
    miqps_paths_t      rules;
    learn_diff_rule_t  list[MIQPS_PATHS_MAX];
    uint32_t           n;
} learn_diff_side_t;


static int  learn_diff_side(learn_diff_side_t *side,
    const miqps_image_t *image, const uint8_t *record);
static char  *learn_diff_rule_text(const miqps_paths_t *rules, uint32_t i,
    int whole);
static void  learn_diff_side_release(learn_diff_side_t *side);
static int  learn_diff_rule_cmp(const void *one, const void *two);
static void  learn_diff_merge(const learn_diff_side_t *one,
    const learn_diff_side_t *two, const learn_index_host_t *host, int json,
    FILE *out, size_t *n);
static void  learn_diff_rule(const learn_diff_side_t *side,
    const learn_diff_rule_t *rule, const learn_diff_rule_t *before, char mark,
    const learn_index_host_t *host, FILE *out);
static void  learn_diff_rule_json(const learn_diff_rule_t *rule,
    const learn_diff_rule_t *before, char mark,
    const learn_index_host_t *host, FILE *out);


uint32_t
learn_rules_count(const miqps_image_t *image, const uint8_t *record)
{
    miqps_paths_t  rules;

    return miqps_paths_of(image, record, &rules) ? rules.n : 0;
}


int
learn_diff_rules(const miqps_image_t *one, const learn_index_host_t *old,
    const miqps_image_t *two, const learn_index_host_t *new, int json,
    FILE *out, size_t *n)
{
    int                 rc;
    learn_diff_side_t  *sides;

    if (learn_rules_count(one, old->record) == 0
        && learn_rules_count(two, new->record) == 0)
    {
        return 1;
    }

    sides = calloc(2, sizeof(learn_diff_side_t));

    if (sides == NULL) {
        return 0;
    }

    rc = learn_diff_side(&sides[0], one, old->record)
         && learn_diff_side(&sides[1], two, new->record);

    if (rc) {
        learn_diff_merge(&sides[0], &sides[1], new, json, out, n);
    }

    learn_diff_side_release(&sides[0]);
    learn_diff_side_release(&sides[1]);
    free(sides);

    return rc;
}


static int
learn_diff_side(learn_diff_side_t *side, const miqps_image_t *image,
    const uint8_t *record)
{
    uint32_t            i;
    learn_diff_rule_t  *rule;

    if (!miqps_paths_of(image, record, &side->rules)) {
        return 1;
    }

    for (i = 0; i < side->rules.n; i++) {
        rule = &side->list[side->n++];

        rule->number = i;
        rule->from = learn_diff_rule_text(&side->rules, i, 0);
        rule->whole = learn_diff_rule_text(&side->rules, i, 1);

        if (rule->from == NULL || rule->whole == NULL) {
            return 0;
        }
    }

    qsort(side->list, side->n, sizeof(learn_diff_rule_t),
          learn_diff_rule_cmp);

    return 1;
}


static char *
learn_diff_rule_text(const miqps_paths_t *rules, uint32_t i, int whole)
{
    char    *text;
    FILE    *out;
    size_t   size;

    text = NULL;
    out = open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }

    learn_print_rule(rules, i, whole, out);

    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }

    return text;
}


static void
learn_diff_side_release(learn_diff_side_t *side)
{
    uint32_t  i;

    for (i = 0; i < side->n; i++) {
        free(side->list[i].from);
        free(side->list[i].whole);
    }
}


/* sources that are told apart only by their tables are alike */

static int
learn_diff_rule_cmp(const void *one, const void *two)
{
    int                       rc;
    const learn_diff_rule_t  *a = one;
    const learn_diff_rule_t  *b = two;

    rc = strcmp(a->from, b->from);

    return (rc != 0) ? rc : strcmp(a->whole, b->whole);
}


static void
learn_diff_merge(const learn_diff_side_t *one, const learn_diff_side_t *two,
    const learn_index_host_t *host, int json, FILE *out, size_t *n)
{
    int                       rc;
    char                      mark;
    uint32_t                  i, k;
    const learn_diff_rule_t  *a, *b;

    i = 0;
    k = 0;

    while (i < one->n || k < two->n) {
        a = (i < one->n) ? &one->list[i] : NULL;
        b = (k < two->n) ? &two->list[k] : NULL;

        rc = (a == NULL) ? 1 : (b == NULL) ? -1 : strcmp(a->from, b->from);

        i += (rc <= 0);
        k += (rc >= 0);

        if (rc == 0 && strcmp(a->whole, b->whole) == 0) {
            continue;
        }

        mark = (rc < 0) ? '-' : (rc > 0) ? '+' : '~';
        (*n)++;

        if (json) {
            learn_diff_rule_json((rc < 0) ? a : b, (rc == 0) ? a : NULL, mark,
                                 host, out);

        } else if (rc < 0) {
            learn_diff_rule(one, a, NULL, mark, host, out);

        } else {
            learn_diff_rule(two, b, (rc == 0) ? a : NULL, mark, host, out);
        }
    }
}


/* a rule makes one of URLs that were two */

static void
learn_diff_rule(const learn_diff_side_t *side, const learn_diff_rule_t *rule,
    const learn_diff_rule_t *before, char mark,
    const learn_index_host_t *host, FILE *out)
{
    (void) fprintf(out, "%c %s", (mark == '-') ? '-' : '!',
                   host->wildcard ? "*." : "");
    (void) fwrite(host->host.data, 1, host->host.len, out);

    (void) fputs((mark == '-') ? ": rule gone: "
                 : (before != NULL) ? ": rule changed: " : ": new rule: ", out);

    learn_print_rule_text(&side->rules, rule->number, out);
    (void) fputc('\n', out);
}


static void
learn_diff_rule_json(const learn_diff_rule_t *rule,
    const learn_diff_rule_t *before, char mark,
    const learn_index_host_t *host, FILE *out)
{
    (void) fprintf(out, "{\"change\":\"%s\",\"dangerous\":%s,\"host\":",
                   (mark == '+') ? "added"
                   : (mark == '-') ? "removed" : "changed",
                   (mark == '-') ? "false" : "true");
    learn_print_host_name(host, out);

    (void) fprintf(out, ",\"rule\":%s", rule->whole);

    if (before != NULL) {
        (void) fprintf(out, ",\"before\":%s", before->whole);
    }

    (void) fputs("}\n", out);
}
