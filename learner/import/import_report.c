
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "import_report.h"


static void  learn_import_report_source(char *buf, size_t size,
    const learn_import_source_t *source);
static void  learn_import_report_kinds(const learn_import_report_t *report,
    learn_import_kind_e from, learn_import_kind_e to);
static size_t  learn_import_report_sum(const learn_import_report_t *report,
    learn_import_kind_e from, learn_import_kind_e to);


/* in the order of learn_import_kind_e; each follows a number */

static const char *const  learn_import_kinds[LEARN_IMPORT_KIND_MAX] = {
    "",

    "have a regular expression that cannot be taken over",
    "name a parameter that no query can hold",
    "name a host that cannot be written",
    "have a URL pattern that is not a host and a path",
    "hold for one scheme only",
    "depend on other parameters or on their order",
    "have an exception that cannot be told by host and path",

    "block a whole provider",
    "follow a redirection",
    "force a redirection",
    "change the URL as text",
    "name a referral parameter, see --referral",

    "remove every parameter, at any host",
    "remove all parameters but some",
    "depend on the value of the parameter",
    "hold for other requests than those of pages",
    "depend on who sends the request, first or third party",
    "hold for one application",
    "depend on the page that links to the URL",
    "have a modifier without counterpart",
    "are switched off by a rule with badfilter",
    "are exceptions to rules that are left out",
    "include another list",
    "cannot be read",
    "change how pages look",
    "are not about parameters",

    "are exceptions made wider, since they depend on more than that",
    "are exceptions kept for the parameter they name only",
};


void
learn_import_report_add(learn_import_report_t *report,
    learn_import_kind_e kind, const learn_import_source_t *source)
{
    char  text[1024];

    if (report->count[kind]++ == 0) {
        learn_import_report_source(report->example[kind],
                                   LEARN_IMPORT_EXAMPLE, source);
    }

    if (report->verbose) {
        learn_import_report_source(text, sizeof(text), source);
        fprintf(report->out, "%s  (%s)\n", text, learn_import_kinds[kind]);
    }
}


void
learn_import_report_print(const learn_import_report_t *report, size_t hosts,
    size_t files)
{
    size_t  left, changed;

    left = learn_import_report_sum(report, LEARN_IMPORT_NONE,
                                   LEARN_IMPORT_WIDENED);
    changed = learn_import_report_sum(report, LEARN_IMPORT_WIDENED,
                                      LEARN_IMPORT_KIND_MAX);

    fprintf(report->out, "imported %zu rule%s for %zu host%s from %zu file%s; "
            "left out %zu%s\n", report->taken, (report->taken == 1) ? "" : "s",
            hosts, (hosts == 1) ? "" : "s", files, (files == 1) ? "" : "s",
            left, (left == 0) ? "" : ":");

    learn_import_report_kinds(report, LEARN_IMPORT_NONE, LEARN_IMPORT_WIDENED);

    if (changed > 0) {
        fprintf(report->out, "of the imported, not quite as they stood %zu:\n",
                changed);
        learn_import_report_kinds(report, LEARN_IMPORT_WIDENED,
                                  LEARN_IMPORT_KIND_MAX);
    }
}


static void
learn_import_report_kinds(const learn_import_report_t *report,
    learn_import_kind_e from, learn_import_kind_e to)
{
    unsigned  i;

    for (i = from; i < (unsigned) to; i++) {
        if (report->count[i] > 0) {
            fprintf(report->out, "%7zu  %s, such as %s\n", report->count[i],
                    learn_import_kinds[i], report->example[i]);
        }
    }
}


static size_t
learn_import_report_sum(const learn_import_report_t *report,
    learn_import_kind_e from, learn_import_kind_e to)
{
    size_t    sum;
    unsigned  i;

    sum = 0;

    for (i = from; i < (unsigned) to; i++) {
        sum += report->count[i];
    }

    return sum;
}


/* lists come from elsewhere: nothing in them may steer a terminal */

static void
learn_import_report_source(char *buf, size_t size,
    const learn_import_source_t *source)
{
    int    n;
    char  *p;

    if (source->place != NULL) {
        n = snprintf(buf, size, "%s: %s: %s", source->file, source->place,
                     source->text);

    } else {
        n = snprintf(buf, size, "%s:%zu: %s", source->file, source->line,
                     source->text);
    }

    if (n >= (int) size && size > 4) {
        snprintf(buf + size - 4, 4, "...");
    }

    for (p = buf; *p != '\0'; p++) {
        if (*p < 0x20 || *p > 0x7e) {
            *p = '?';
        }
    }
}
