
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include "learn.h"
#include "map_diff.h"
#include "map_print.h"
#include "map_rules_diff.h"
#include "map_view.h"


/* what became of a name of a pattern that both images have */

typedef enum {
    LEARN_DIFF_KEPT = 0,        /* it stays now */
    LEARN_DIFF_CLIENT,          /* it is left to clients now */
    LEARN_DIFF_STRIPPED,        /* it goes now */
    LEARN_DIFF_DEFAULT,         /* a value of it goes now */
    LEARN_DIFF_NO_DEFAULT,      /* a value of it stays now */
    LEARN_DIFF_FATES,
    LEARN_DIFF_LOST             /* it was kept, and is not any more */
} learn_diff_fate_e;


typedef struct {
    learn_index_t              one;
    learn_index_t              two;
    learn_view_t               old;
    learn_view_t               new;
    int                        json;
    FILE                      *out;
    size_t                     n;
} learn_diff_t;


/* a line of the output; what there is not is NULL */

typedef struct {
    char                           mark;
    const learn_index_host_t      *host;
    const learn_view_pattern_t    *pattern;
    const learn_view_pattern_t    *before;
    const learn_index_host_t      *target;      /* that it mirrors now */
    size_t                         npatterns;   /* of a whole host; and */
    size_t                         nrules;
} learn_diff_line_t;


static int  learn_diff_hosts(learn_diff_t *diff);
static int  learn_diff_whole(learn_diff_t *diff, char mark,
    const learn_index_host_t *host);
static int  learn_diff_host(learn_diff_t *diff, const learn_index_host_t *a,
    const learn_index_host_t *b);
static int  learn_diff_same_target(const learn_diff_t *diff,
    const learn_index_host_t *a, const learn_index_host_t *b);
static void  learn_diff_target(const uint8_t *record,
    learn_index_host_t *target);
static void  learn_diff_patterns(learn_diff_t *diff,
    const learn_index_host_t *host);
static void  learn_diff_pattern(learn_diff_t *diff,
    const learn_index_host_t *host, const learn_view_pattern_t *a,
    const learn_view_pattern_t *b);
static int  learn_diff_has(const learn_view_param_t *a,
    const learn_view_param_t *b, learn_diff_fate_e fate);
static int  learn_diff_any(const learn_view_pattern_t *a,
    const learn_view_pattern_t *b, learn_diff_fate_e fate);
static void  learn_diff_print(learn_diff_t *diff,
    const learn_diff_line_t *line);
static void  learn_diff_text(learn_diff_t *diff,
    const learn_diff_line_t *line);
static void  learn_diff_text_names(learn_diff_t *diff,
    const learn_diff_line_t *line);
static void  learn_diff_text_verdicts(learn_diff_t *diff,
    const learn_view_pattern_t *pattern);
static void  learn_diff_text_fates(learn_diff_t *diff,
    const learn_diff_line_t *line);
static void  learn_diff_json(learn_diff_t *diff,
    const learn_diff_line_t *line);
static void  learn_diff_json_fates(learn_diff_t *diff,
    const learn_diff_line_t *line);
static void  learn_diff_str(learn_diff_t *diff, const miqps_str_t *text);


static const char *const  learn_diff_words[LEARN_DIFF_FATES] = {
    "newly kept", "newly for clients", "newly stripped", "new default",
    "no default any more"
};


static const char *const  learn_diff_keys[LEARN_DIFF_FATES] = {
    "kept", "client", "stripped", "default", "no_default"
};


int
learn_diff_images(const miqps_image_t *one, const miqps_image_t *two, int json,
    FILE *out, size_t *n)
{
    int            rc;
    learn_diff_t   diff;

    memset(&diff, 0, sizeof(learn_diff_t));

    diff.json = json;
    diff.out = out;

    rc = learn_index_init(&diff.one, one);
    rc = learn_index_init(&diff.two, two) && rc;

    if (rc) {
        rc = learn_diff_hosts(&diff);
    }

    *n = diff.n;

    learn_index_release(&diff.one);
    learn_index_release(&diff.two);
    learn_view_release(&diff.old);
    learn_view_release(&diff.new);

    return rc;
}


static int
learn_diff_hosts(learn_diff_t *diff)
{
    int                  rc, done;
    size_t               i, k;
    learn_index_host_t  *a, *b;

    i = 0;
    k = 0;

    while (i < diff->one.n || k < diff->two.n) {
        a = &diff->one.hosts[i];
        b = &diff->two.hosts[k];

        rc = (i == diff->one.n) ? 1
             : (k == diff->two.n) ? -1 : learn_index_cmp(a, b);

        if (rc < 0) {
            done = learn_diff_whole(diff, '-', a);
            i++;

        } else if (rc > 0) {
            done = learn_diff_whole(diff, '+', b);
            k++;

        } else {
            done = learn_diff_host(diff, a, b);
            i++;
            k++;
        }

        if (!done) {
            return 0;
        }
    }

    return 1;
}


/* a host that is only in one of them */

static int
learn_diff_whole(learn_diff_t *diff, char mark, const learn_index_host_t *host)
{
    miqps_host_t        record;
    learn_diff_line_t   line;
    learn_index_host_t  target;

    memset(&line, 0, sizeof(learn_diff_line_t));

    line.mark = mark;
    line.host = host;

    if (host->target != NULL) {
        learn_diff_target(host->target, &target);
        line.target = &target;

    } else {
        miqps_image_host(&record, host->record);
        line.npatterns = record.npatterns;
        line.nrules = learn_rules_count((mark == '-') ? diff->one.image
                                                      : diff->two.image,
                                        host->record);
    }

    learn_diff_print(diff, &line);

    return 1;
}


static int
learn_diff_host(learn_diff_t *diff, const learn_index_host_t *a,
    const learn_index_host_t *b)
{
    if (a->target != NULL || b->target != NULL) {

        if (!learn_diff_same_target(diff, a, b)) {
            return learn_diff_whole(diff, '-', a)
                   && learn_diff_whole(diff, '+', b);
        }

        return 1;
    }

    if (!learn_view_read(&diff->old, diff->one.image, a->record)
        || !learn_view_read(&diff->new, diff->two.image, b->record))
    {
        return 0;
    }

    learn_diff_patterns(diff, b);

    return learn_diff_rules(diff->one.image, a, diff->two.image, b,
                            diff->json, diff->out, &diff->n);
}


static int
learn_diff_same_target(const learn_diff_t *diff, const learn_index_host_t *a,
    const learn_index_host_t *b)
{
    learn_index_host_t  one, two;

    (void) diff;

    if (a->target == NULL || b->target == NULL) {
        return 0;
    }

    learn_diff_target(a->target, &one);
    learn_diff_target(b->target, &two);

    return learn_index_cmp(&one, &two) == 0;
}


static void
learn_diff_target(const uint8_t *record, learn_index_host_t *target)
{
    target->record = record;
    target->target = NULL;
    target->host.data = record + MIQPS_HOST_HEAD;
    target->host.len = record[4];
    target->wildcard = ((record[5] & MIQPS_HOST_WILDCARD) != 0);
}


static void
learn_diff_patterns(learn_diff_t *diff, const learn_index_host_t *host)
{
    int                    rc;
    size_t                 i, k;
    learn_diff_line_t      line;
    learn_view_pattern_t  *a, *b;

    memset(&line, 0, sizeof(learn_diff_line_t));

    line.host = host;
    i = 0;
    k = 0;

    while (i < diff->old.npatterns || k < diff->new.npatterns) {
        a = (i < diff->old.npatterns) ? &diff->old.patterns[i] : NULL;
        b = (k < diff->new.npatterns) ? &diff->new.patterns[k] : NULL;

        rc = (a == NULL) ? 1 : (b == NULL) ? -1 : learn_view_cmp(a, b);

        if (rc == 0) {
            learn_diff_pattern(diff, host, a, b);

        } else {
            line.mark = (rc < 0) ? '-' : '+';
            line.pattern = (rc < 0) ? a : b;

            learn_diff_print(diff, &line);
        }

        i += (rc <= 0);
        k += (rc >= 0);
    }
}


/* a pattern that both have: both have the same names, in the same order */

static void
learn_diff_pattern(learn_diff_t *diff, const learn_index_host_t *host,
    const learn_view_pattern_t *a, const learn_view_pattern_t *b)
{
    learn_diff_line_t  line;

    memset(&line, 0, sizeof(learn_diff_line_t));

    line.host = host;
    line.pattern = b;
    line.before = a;

    if (learn_diff_any(a, b, LEARN_DIFF_LOST)
        || learn_diff_any(a, b, LEARN_DIFF_DEFAULT))
    {
        line.mark = '!';

    } else if (learn_diff_any(a, b, LEARN_DIFF_KEPT)
               || learn_diff_any(a, b, LEARN_DIFF_CLIENT)
               || learn_diff_any(a, b, LEARN_DIFF_STRIPPED)
               || learn_diff_any(a, b, LEARN_DIFF_NO_DEFAULT))
    {
        line.mark = '~';

    } else {
        return;
    }

    learn_diff_print(diff, &line);
}


static int
learn_diff_any(const learn_view_pattern_t *a, const learn_view_pattern_t *b,
    learn_diff_fate_e fate)
{
    uint32_t  i;

    for (i = 0; i < a->nparams; i++) {
        if (learn_diff_has(&a->params[i], &b->params[i], fate)) {
            return 1;
        }
    }

    return 0;
}


static int
learn_diff_has(const learn_view_param_t *a, const learn_view_param_t *b,
    learn_diff_fate_e fate)
{
    int  same;

    same = (a->value.data == NULL) == (b->value.data == NULL)
           && miqps_str_eq(&a->value, &b->value);

    switch (fate) {

    case LEARN_DIFF_KEPT:
        return b->verdict == LEARN_MAP_KEEP && a->verdict != b->verdict;

    case LEARN_DIFF_CLIENT:
        return b->verdict == LEARN_MAP_CLIENT && a->verdict != b->verdict;

    case LEARN_DIFF_STRIPPED:
        return b->verdict == LEARN_MAP_STRIP && a->verdict != b->verdict;

    case LEARN_DIFF_LOST:
        return a->verdict == LEARN_MAP_KEEP && a->verdict != b->verdict;

    case LEARN_DIFF_DEFAULT:
        return !same && b->value.data != NULL;

    default:
        return !same && b->value.data == NULL && b->verdict == LEARN_MAP_KEEP;
    }
}


static void
learn_diff_print(learn_diff_t *diff, const learn_diff_line_t *line)
{
    diff->n++;

    if (diff->json) {
        learn_diff_json(diff, line);

    } else {
        learn_diff_text(diff, line);
    }

    (void) fputc('\n', diff->out);
}


static void
learn_diff_text(learn_diff_t *diff, const learn_diff_line_t *line)
{
    (void) fprintf(diff->out, "%c %s", line->mark,
                   line->host->wildcard ? "*." : "");
    learn_diff_str(diff, &line->host->host);

    if (line->target != NULL) {
        (void) fprintf(diff->out, ": mirror of %s",
                       line->target->wildcard ? "*." : "");
        learn_diff_str(diff, &line->target->host);
        return;
    }

    if (line->pattern == NULL) {
        (void) fprintf(diff->out, ": %zu pattern%s", line->npatterns,
                       (line->npatterns == 1) ? "" : "s");

        if (line->nrules > 0) {
            (void) fprintf(diff->out, ", %zu rule%s", line->nrules,
                           (line->nrules == 1) ? "" : "s");
        }

        return;
    }

    learn_diff_text_names(diff, line);

    if (line->before != NULL) {
        learn_diff_text_fates(diff, line);

    } else if (line->mark == '+') {
        learn_diff_text_verdicts(diff, line->pattern);
    }
}


static void
learn_diff_text_names(learn_diff_t *diff, const learn_diff_line_t *line)
{
    uint32_t  i;

    (void) fputc(' ', diff->out);
    learn_diff_str(diff, &line->pattern->path);

    for (i = 0; i < line->pattern->nparams; i++) {
        (void) fputc((i == 0) ? '?' : '&', diff->out);
        learn_diff_str(diff, &line->pattern->params[i].name);
    }
}


/* what a new pattern strips */

static void
learn_diff_text_verdicts(learn_diff_t *diff,
    const learn_view_pattern_t *pattern)
{
    size_t    n;
    uint32_t  i;

    n = 0;

    for (i = 0; i < pattern->nparams; i++) {
        if (pattern->params[i].verdict == LEARN_MAP_KEEP) {
            continue;
        }

        (void) fputs((n++ == 0) ? ": strips " : ", ", diff->out);
        learn_diff_str(diff, &pattern->params[i].name);
    }
}


static void
learn_diff_text_fates(learn_diff_t *diff, const learn_diff_line_t *line)
{
    size_t                     n, fates;
    uint32_t                   i;
    learn_diff_fate_e          fate;
    const learn_view_param_t  *param;

    fates = 0;

    for (fate = 0; fate < LEARN_DIFF_FATES; fate++) {
        n = 0;

        for (i = 0; i < line->pattern->nparams; i++) {
            param = &line->pattern->params[i];

            if (!learn_diff_has(&line->before->params[i], param, fate)) {
                continue;
            }

            if (n++ == 0) {
                (void) fprintf(diff->out, "%s %s ", (fates++ == 0) ? ":" : ";",
                               learn_diff_words[fate]);

            } else {
                (void) fputs(", ", diff->out);
            }

            learn_diff_str(diff, &param->name);

            if (fate == LEARN_DIFF_DEFAULT) {
                (void) fputc('=', diff->out);
                learn_diff_str(diff, &param->value);
            }
        }
    }
}


static void
learn_diff_json(learn_diff_t *diff, const learn_diff_line_t *line)
{
    (void) fprintf(diff->out, "{\"change\":\"%s\",\"dangerous\":%s,\"host\":",
                   (line->mark == '+') ? "added"
                   : (line->mark == '-') ? "removed" : "changed",
                   (line->mark == '!') ? "true" : "false");
    learn_print_host_name(line->host, diff->out);

    if (line->target != NULL) {
        (void) fputs(",\"mirrors\":", diff->out);
        learn_print_host_name(line->target, diff->out);

    } else if (line->pattern == NULL) {
        (void) fprintf(diff->out, ",\"patterns\":%zu", line->npatterns);

        if (line->nrules > 0) {
            (void) fprintf(diff->out, ",\"rules\":%zu", line->nrules);
        }

    } else {
        (void) fputs(",\"params\":", diff->out);
        learn_print_names(line->pattern, LEARN_PRINT_ALL, diff->out);

        if (line->pattern->path.len > 0) {
            (void) fputs(",\"path\":", diff->out);
            learn_print_string(&line->pattern->path, diff->out);
        }

        if (line->before != NULL) {
            learn_diff_json_fates(diff, line);

        } else {
            (void) fputs(",\"keep\":", diff->out);
            learn_print_names(line->pattern, LEARN_MAP_KEEP, diff->out);
        }
    }

    (void) fputc('}', diff->out);
}


static void
learn_diff_json_fates(learn_diff_t *diff, const learn_diff_line_t *line)
{
    size_t             n;
    uint32_t           i;
    learn_diff_fate_e  fate;

    for (fate = 0; fate < LEARN_DIFF_FATES; fate++) {
        (void) fprintf(diff->out, ",\"%s\":[", learn_diff_keys[fate]);
        n = 0;

        for (i = 0; i < line->pattern->nparams; i++) {
            if (!learn_diff_has(&line->before->params[i],
                                &line->pattern->params[i], fate))
            {
                continue;
            }

            if (n++ > 0) {
                (void) fputc(',', diff->out);
            }

            learn_print_string(&line->pattern->params[i].name, diff->out);
        }

        (void) fputc(']', diff->out);
    }
}


/* bytes of an image are other people's */

static void
learn_diff_str(learn_diff_t *diff, const miqps_str_t *text)
{
    learn_put_safe(text->data, text->len, diff->out);
}
