
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "eval_report.h"


typedef struct {
    double     min;
    double     max;
    double     sum;
    double     n;
} learn_range_t;


static void  learn_report_rates(const learn_eval_t *eval, FILE *out);
static void  learn_report_operations(const learn_eval_t *eval, FILE *out);
static void  learn_range_add(learn_range_t *range, double value, double n);
static void  learn_range_print(const learn_range_t *range, const char *name,
    const char *format, FILE *out);


void
learn_report_sites(const learn_eval_t *eval, FILE *out)
{
    size_t                 i;
    learn_range_t          urls, clusters, sizes, nodes, heights, seconds;
    const learn_result_t  *result;

    memset(&urls, 0, sizeof(learn_range_t));
    memset(&clusters, 0, sizeof(learn_range_t));
    memset(&sizes, 0, sizeof(learn_range_t));
    memset(&nodes, 0, sizeof(learn_range_t));
    memset(&heights, 0, sizeof(learn_range_t));
    memset(&seconds, 0, sizeof(learn_range_t));

    for (i = 0; i < eval->nresults; i++) {
        result = &eval->results[i];

        learn_range_add(&urls, (double) result->urls, 1);
        learn_range_add(&clusters, (double) result->clusters, 1);
        learn_range_add(&sizes, (double) result->smallest, 0);
        learn_range_add(&sizes, (double) result->largest, 0);
        learn_range_add(&nodes, result->nnodes, 1);
        learn_range_add(&heights, result->height, 1);
        learn_range_add(&seconds, result->tree_seconds, 1);

        sizes.sum += (double) result->urls;
        sizes.n += (double) result->clusters;
    }

    (void) fprintf(out, "%-28s %12s %12s %12s\n", "Table 1", "min", "max",
                   "average");
    learn_range_print(&urls, "URLs of a site", "%.0f", out);
    learn_range_print(&clusters, "clusters of a site", "%.0f", out);
    learn_range_print(&sizes, "URLs of a cluster", "%.1f", out);

    (void) fprintf(out, "\n%-28s %12s %12s %12s\n", "Table 2", "min", "max",
                   "average");
    learn_range_print(&nodes, "nodes of a tree", "%.0f", out);
    learn_range_print(&heights, "height of a tree", "%.1f", out);
    learn_range_print(&seconds, "seconds to build it", "%.3f", out);
    (void) fputc('\n', out);
}


static void
learn_range_add(learn_range_t *range, double value, double n)
{
    if (range->max == 0 || value < range->min) {
        range->min = value;
    }

    range->max = (value > range->max) ? value : range->max;
    range->sum += value * n;
    range->n += n;
}


static void
learn_range_print(const learn_range_t *range, const char *name,
    const char *format, FILE *out)
{
    char    text[3][24];
    double  average;

    average = (range->n > 0) ? range->sum / range->n : 0;

    (void) snprintf(text[0], sizeof(text[0]), format, range->min);
    (void) snprintf(text[1], sizeof(text[1]), format, range->max);
    (void) snprintf(text[2], sizeof(text[2]), format, average);

    (void) fprintf(out, "%-28s %12s %12s %12s\n", name, text[0], text[1],
                   text[2]);
}


void
learn_report_methods(const learn_eval_t *eval, FILE *out)
{
    learn_sum_t     sum;
    learn_method_e  m;

    (void) fprintf(out, "%-11s %9s %9s %8s\n", "Table 3", "raw", "qualified",
                   "rate %");

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {

        /* candidates of a tree are the same, however they are selected */

        if (!(eval->methods >> m & 1)
            || (m == LEARN_METHOD_TREE_GRAPH
                && eval->methods >> LEARN_METHOD_TREE_NAIVE & 1))
        {
            continue;
        }

        learn_eval_sum(eval, m, LEARN_LIMITS, &sum);

        (void) fprintf(out, "%-11s %9llu %9llu %8.1f\n",
                       (m >= LEARN_METHOD_TREE_NAIVE) ? "tree"
                                                      : learn_method_name(m),
                       (unsigned long long) sum.raw,
                       (unsigned long long) sum.qualified,
                       100 * learn_sum_qualified(&sum));
    }

    (void) fprintf(out, "\n%-11s %9s %9s %8s\n", "Table 4", "qualified",
                   "deployed", "compr. %");

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        if (eval->methods >> m & 1) {
            learn_eval_sum(eval, m, LEARN_LIMITS, &sum);

            (void) fprintf(out, "%-11s %9llu %9llu %8.1f\n",
                           learn_method_name(m),
                           (unsigned long long) sum.qualified,
                           (unsigned long long) sum.deployed,
                           100 * sum.micro.compression);
        }
    }

    learn_report_rates(eval, out);

    if (eval->noperations > 0) {
        learn_report_operations(eval, out);
    }
}


/* all that is measured, of all URLs and as the mean of sites */

static void
learn_report_rates(const learn_eval_t *eval, FILE *out)
{
    learn_sum_t     sum;
    learn_method_e  m;

    (void) fprintf(out, "\n%-11s %13s  %13s  %15s  %9s\n", "",
                   "compression %", "dup-reduct. %", "false pos. %", "");
    (void) fprintf(out, "%-11s %6s %6s  %6s %6s  %7s %7s  %9s\n", "method",
                   "micro", "macro", "micro", "macro", "micro", "macro",
                   "seconds");

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        if (!(eval->methods >> m & 1)) {
            continue;
        }

        learn_eval_sum(eval, m, LEARN_LIMITS, &sum);

        (void) fprintf(out, "%-11s %6.2f %6.2f  %6.2f %6.2f  %7.4f %7.4f  "
                       "%9.3f\n", learn_method_name(m),
                       100 * sum.micro.compression,
                       100 * sum.macro.compression,
                       100 * sum.micro.reduction, 100 * sum.macro.reduction,
                       100 * sum.micro.fpr, 100 * sum.macro.fpr,
                       learn_sum_seconds(&sum));
    }
}


static void
learn_report_operations(const learn_eval_t *eval, FILE *out)
{
    size_t          i;
    learn_sum_t     sum;
    learn_method_e  m;

    (void) fprintf(out, "\n%-24s %10s", "undone %", "URLs");

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        if (eval->methods >> m & 1) {
            (void) fprintf(out, " %10s", learn_method_name(m));
        }
    }

    (void) fputc('\n', out);

    for (i = 0; i < eval->noperations; i++) {
        (void) fprintf(out, "%-24s", eval->operations[i]);

        for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
            if (eval->methods >> m & 1) {
                learn_eval_sum(eval, m, LEARN_LIMITS, &sum);
                break;
            }
        }

        (void) fprintf(out, " %10llu",
                       (unsigned long long) sum.total.applied[i]);

        for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
            if (eval->methods >> m & 1) {
                learn_eval_sum(eval, m, LEARN_LIMITS, &sum);

                (void) fprintf(out, " %10.1f",
                               100.0 * (double) sum.total.undone[i]
                               / (double) sum.total.applied[i]);
            }
        }

        (void) fputc('\n', out);
    }
}
