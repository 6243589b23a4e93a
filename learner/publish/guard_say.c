
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "guard_steps.h"
#include "learn.h"


static void  learn_guard_say_names(learn_guarding_t *ctx,
    const learn_view_t *view, const learn_anomaly_pattern_t *list, size_t n);


void
learn_guard_say_later(learn_guarding_t *ctx, const learn_index_host_t *host)
{
    ctx->guard->later++;

    learn_put_safe(host->host.data, host->host.len, ctx->lines);
    (void) fprintf(ctx->lines, ": waits for the next time, since %.0f %% of "
                   "the URLs may change at once\n",
                   ctx->guard->limits.change);
}


void
learn_guard_say_part(learn_guarding_t *ctx, const learn_index_host_t *host,
    const learn_part_t *part)
{
    ctx->guard->parts++;

    learn_put_safe(host->host.data, host->host.len, ctx->lines);
    (void) fprintf(ctx->lines, ": %zu of %zu changes are taken, the others "
                   "wait for the next time, since %.0f %% of the URLs may "
                   "change at once\n", part->taken, part->n,
                   ctx->guard->limits.change);
}


void
learn_guard_say_held(learn_guarding_t *ctx, const learn_index_host_t *host,
    const char *why)
{
    ctx->guard->held++;

    learn_put_safe(host->host.data, host->host.len, ctx->lines);
    (void) fputs(": stays as it is published, since it was rolled back as it "
                 "is now: ", ctx->lines);
    learn_put_safe((const uint8_t *) why, strlen(why), ctx->lines);
    (void) fputc('\n', ctx->lines);
}


void
learn_guard_say_rules(learn_guarding_t *ctx, const learn_index_host_t *host,
    int n)
{
    ctx->guard->dropped += (uint64_t) n;

    learn_put_safe(host->host.data, host->host.len, ctx->lines);
    (void) fprintf(ctx->lines, ": %d new path rule%s left out, since no pairs "
                   "of pages are said to prove %s\n", n,
                   (n > 1) ? "s are" : " is", (n > 1) ? "them" : "it");
}


void
learn_guard_say(learn_guarding_t *ctx, const learn_index_host_t *host,
    const char *what, const learn_anomaly_pattern_t *list, size_t n)
{
    const char       *next;
    learn_anomaly_t  *anomaly;

    anomaly = &ctx->anomaly;
    next = "; ";

    learn_put_safe(host->host.data, host->host.len, ctx->lines);
    (void) fprintf(ctx->lines, ": %s", what);

    if (anomaly->ndropped > 0) {
        (void) fprintf(ctx->lines, "%s%zu path rule%s would take what was "
                       "kept", next, anomaly->ndropped,
                       (anomaly->ndropped > 1) ? "s" : "");
    }

    if (anomaly->doubts > 0) {
        (void) fprintf(ctx->lines, "%swhat path rules told apart would be one",
                       next);
    }

    if (anomaly->nadded > 0) {
        (void) fprintf(ctx->lines, "%s%zu new pattern%s would strip what "
                       "always mattered:", next, anomaly->nadded,
                       (anomaly->nadded > 1) ? "s" : "");
        learn_guard_say_names(ctx, &anomaly->next, anomaly->added,
                              anomaly->nadded);
    }

    if (n > 0) {
        (void) fprintf(ctx->lines, "%s%zu of %zu patterns would lose a "
                       "parameter that matters:", next, n,
                       anomaly->view.npatterns);
        learn_guard_say_names(ctx, &anomaly->view, list, n);
    }

    if (learn_guard_vanished(ctx, host)) {
        (void) fprintf(ctx->lines, "%smost of its %zu patterns are gone",
                       next, anomaly->view.npatterns);

    } else if (!learn_anomaly_any(anomaly, n)) {
        (void) fprintf(ctx->lines, "%sURLs that were asked for would lose "
                       "what mattered, of it or of hosts that go with it",
                       next);
    }

    (void) fputc('\n', ctx->lines);
}


static void
learn_guard_say_names(learn_guarding_t *ctx, const learn_view_t *view,
    const learn_anomaly_pattern_t *list, size_t n)
{
    size_t                       i;
    uint32_t                     k;
    const learn_view_param_t    *param;
    const learn_view_pattern_t  *pattern;

    for (i = 0; i < n; i++) {
        pattern = &view->patterns[list[i].pattern];

        for (k = 0; k < pattern->nparams; k++) {
            param = &pattern->params[k];

            (void) fputs((k == 0) ? " " : "&", ctx->lines);
            learn_put_safe(param->name.data, param->name.len, ctx->lines);

            if (list[i].lost[k]) {
                (void) fputs("(lost)", ctx->lines);
            }
        }
    }
}
