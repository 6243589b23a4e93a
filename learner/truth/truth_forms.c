
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "truth_forms.h"


static int  learn_truth_form_line(learn_truth_t *truth, char *line);
static void  learn_truth_count_url(learn_truth_t *truth,
    const learn_truth_page_t *page, const learn_pattern_of_t *url,
    const learn_pattern_of_t *form);
static int  learn_truth_default(const char *url, const miqps_str_t *name,
    const char *value);
static int  learn_names_next(const char **names, miqps_str_t *name);
static int  learn_names_have(const char *names, const miqps_str_t *name);


int
learn_truth_normalize(learn_truth_t *truth, learn_normalizer_t *norm)
{
    int                  rc;
    size_t               i;
    miqps_str_t          url;
    learn_normalized_t   n;
    learn_truth_page_t  *page;

    for (i = 0; i < truth->npages; i++) {
        page = &truth->pages[i];
        url.data = (const uint8_t *) page->url;
        url.len = strlen(page->url);

        rc = learn_normalizer_url(norm, &url, &n);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        page->form = page->url;

        if (n.changed) {
            page->form = learn_truth_copy(truth, (const char *) n.result.data,
                                          n.result.len);
        }

        if (page->form == NULL) {
            learn_complain("eval: out of memory");
            return LEARN_EXIT_FAILED;
        }
    }

    return LEARN_EXIT_OK;
}


int
learn_truth_read_forms(learn_truth_t *truth, const char *file)
{
    size_t  i;

    for (i = 0; i < truth->npages; i++) {
        truth->pages[i].form = truth->pages[i].url;
    }

    return learn_truth_lines(truth, file, learn_truth_form_line,
                             "a URL of the truth, a tab and its form");
}


static int
learn_truth_form_line(learn_truth_t *truth, char *line)
{
    char                *form;
    learn_truth_page_t  *page;

    form = strchr(line, '\t');

    if (form == NULL || strchr(form + 1, '\t') != NULL) {
        return 0;
    }

    *form++ = '\0';
    page = learn_truth_url(truth, line);

    if (page == NULL) {
        return 0;
    }

    page->form = learn_truth_copy(truth, form, strlen(form));

    return (page->form != NULL) ? 1 : -1;
}


int
learn_truth_count(learn_truth_t *truth, learn_patterns_t *patterns)
{
    int                  rc;
    size_t               i;
    miqps_str_t          text;
    learn_pattern_of_t  *url, *form;

    url = malloc(2 * sizeof(learn_pattern_of_t));

    if (url == NULL) {
        learn_complain("eval: out of memory");
        return LEARN_EXIT_FAILED;
    }

    form = url + 1;
    rc = LEARN_EXIT_OK;

    for (i = 0; rc != LEARN_EXIT_FAILED && i < truth->npages; i++) {
        text.data = (const uint8_t *) truth->pages[i].url;
        text.len = strlen(truth->pages[i].url);
        rc = learn_pattern_of(patterns, url, &text);

        if (rc != LEARN_EXIT_OK) {
            continue;
        }

        text.data = (const uint8_t *) truth->pages[i].form;
        text.len = strlen(truth->pages[i].form);
        rc = learn_pattern_of(patterns, form, &text);

        if (rc == LEARN_EXIT_OK) {
            learn_truth_count_url(truth, &truth->pages[i], url, form);
        }
    }

    free(url);

    return (rc == LEARN_EXIT_FAILED) ? rc : LEARN_EXIT_OK;
}


static void
learn_truth_count_url(learn_truth_t *truth, const learn_truth_page_t *page,
    const learn_pattern_of_t *url, const learn_pattern_of_t *form)
{
    const char           *rest;
    miqps_str_t           names, name;
    learn_truth_param_t  *param;

    names.data = (const uint8_t *) url->names;
    names.len = strlen(url->names);
    rest = url->names;

    while (learn_names_next(&rest, &name)) {
        param = learn_truth_param(truth, url->host, &names, &name);

        if (param != NULL) {
            param->urls++;
            param->stripped += !learn_names_have(form->names, &name)
                               && !learn_truth_default(page->url, &name,
                                                       param->value);
        }
    }
}


/* true if the URL has the name with this value */

static int
learn_truth_default(const char *url, const miqps_str_t *name,
    const char *value)
{
    size_t       len;
    const char  *piece;

    if (value == NULL) {
        return 0;
    }

    for (piece = strchr(url, '?'); piece != NULL; piece = strchr(piece, '&')) {
        piece++;
        len = strcspn(piece, "&#");

        if (len == name->len + 1 + strlen(value)
            && memcmp(piece, name->data, name->len) == 0
            && piece[name->len] == '='
            && memcmp(piece + name->len + 1, value, strlen(value)) == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* names have "&" between them; 0 after the last */

static int
learn_names_next(const char **names, miqps_str_t *name)
{
    if (**names == '\0') {
        return 0;
    }

    name->data = (const uint8_t *) *names;
    name->len = strcspn(*names, "&");

    *names += name->len;
    *names += (**names == '&');

    return 1;
}


static int
learn_names_have(const char *names, const miqps_str_t *name)
{
    miqps_str_t  one;

    while (learn_names_next(&names, &one)) {
        if (one.len == name->len && memcmp(one.data, name->data, one.len) == 0)
        {
            return 1;
        }
    }

    return 0;
}
