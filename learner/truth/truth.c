
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fetch/target.h"
#include "learn.h"
#include "truth.h"


#define LEARN_TRUTH_FIELDS  6


static int  learn_truth_line(learn_truth_t *truth, char *line);
static int  learn_truth_add_page(learn_truth_t *truth, char **fields);
static int  learn_truth_add_param(learn_truth_t *truth, char **fields,
    const char *value);
static int  learn_truth_role(const char *word, learn_role_e *role);
static int  learn_truth_unite(learn_truth_t *truth);
static int  learn_truth_number(learn_truth_t *truth);
static void  learn_truth_merge(learn_truth_t *truth);
static int  learn_truth_by_url(const void *one, const void *two);
static int  learn_truth_by_name(const void *one, const void *two);
static int  learn_truth_by_key(const void *one, const void *two);


static const char  *learn_roles[LEARN_ROLES] = {
    "neutral", "matters", "alias"
};


const char *
learn_role_name(learn_role_e role)
{
    return learn_roles[role];
}


void
learn_truth_init(learn_truth_t *truth)
{
    memset(truth, 0, sizeof(learn_truth_t));

    learn_arena_init(&truth->arena);
}


void
learn_truth_release(learn_truth_t *truth)
{
    free(truth->pages);
    free(truth->params);
    learn_arena_release(&truth->arena);
}


int
learn_truth_read(learn_truth_t *truth, const char *file)
{
    return learn_truth_lines(truth, file, learn_truth_line,
                             "\"page\", URL and page, or \"param\", host, "
                             "names, name and neutral, matters or alias, with "
                             "tabs between");
}


int
learn_truth_lines(learn_truth_t *truth, const char *file,
    learn_truth_line_pt handler, const char *what)
{
    int      rc;
    FILE    *in;
    char    *line;
    size_t   size, n;
    ssize_t  len;

    in = (strcmp(file, "-") == 0) ? stdin : fopen(file, "r");

    if (in == NULL) {
        learn_complain("eval: cannot open '%s': %s", file, strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    rc = 1;
    line = NULL;
    size = 0;

    for (n = 1; rc > 0 && (len = getline(&line, &size, in)) != -1; n++) {
        if (line[len - 1] == '\n') {
            line[--len] = '\0';
        }

        /* a zero byte is in no URL */

        rc = (strlen(line) == (size_t) len) ? handler(truth, line) : 0;

        if (rc == 0) {
            learn_complain("eval: %s:%zu: not %s", file, n, what);

        } else if (rc < 0) {
            learn_complain("eval: out of memory");
        }
    }

    if (rc > 0 && ferror(in)) {
        learn_complain("eval: cannot read '%s': %s", file, strerror(errno));
        rc = 0;
    }

    free(line);

    if (in != stdin) {
        (void) fclose(in);
    }

    return (rc > 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}


/* 1, 0 if it is not one of these lines, or -1 without memory */

static int
learn_truth_line(learn_truth_t *truth, char *line)
{
    char    *fields[LEARN_TRUTH_FIELDS];
    size_t   n;

    for (n = 0; line != NULL; n++) {
        if (n == LEARN_TRUTH_FIELDS) {
            return 0;
        }

        fields[n] = line;
        line = strchr(line, '\t');

        if (line != NULL) {
            *line++ = '\0';
        }
    }

    if (n == 3 && strcmp(fields[0], "page") == 0) {
        return learn_truth_add_page(truth, fields);
    }

    if ((n == 5 || n == 6) && strcmp(fields[0], "param") == 0) {
        return learn_truth_add_param(truth, fields, (n == 6) ? fields[5]
                                                             : NULL);
    }

    return 0;
}


static int
learn_truth_add_page(learn_truth_t *truth, char **fields)
{
    size_t               max;
    learn_truth_page_t  *list, *page;

    if (truth->npages == truth->max_pages) {
        max = 2 * truth->max_pages + 1024;
        list = realloc(truth->pages, max * sizeof(learn_truth_page_t));

        if (list == NULL) {
            return -1;
        }

        truth->pages = list;
        truth->max_pages = max;
    }

    page = &truth->pages[truth->npages++];
    memset(page, 0, sizeof(learn_truth_page_t));

    page->url = learn_truth_copy(truth, fields[1], strlen(fields[1]));
    page->name = learn_truth_copy(truth, fields[2], strlen(fields[2]));

    return (page->url != NULL && page->name != NULL) ? 1 : -1;
}


static int
learn_truth_add_param(learn_truth_t *truth, char **fields, const char *value)
{
    size_t                max;
    learn_role_e          role;
    learn_truth_param_t  *list, *param;

    if (!learn_truth_role(fields[4], &role)) {
        return 0;
    }

    if (truth->nparams == truth->max_params) {
        max = 2 * truth->max_params + 64;
        list = realloc(truth->params, max * sizeof(learn_truth_param_t));

        if (list == NULL) {
            return -1;
        }

        truth->params = list;
        truth->max_params = max;
    }

    param = &truth->params[truth->nparams++];
    memset(param, 0, sizeof(learn_truth_param_t));

    /* three fields as they are in the line, but for the ends set above */

    fields[2][-1] = '\t';
    fields[3][-1] = '\t';

    param->key = learn_truth_copy(truth, fields[1], strlen(fields[1]));
    param->role = role;

    if (value != NULL) {
        param->value = learn_truth_copy(truth, value, strlen(value));
    }

    return (param->key != NULL && (value == NULL || param->value != NULL))
           ? 1 : -1;
}


static int
learn_truth_role(const char *word, learn_role_e *role)
{
    unsigned  i;

    for (i = 0; i < LEARN_ROLES; i++) {
        if (strcmp(word, learn_roles[i]) == 0) {
            *role = (learn_role_e) i;
            return 1;
        }
    }

    return 0;
}


char *
learn_truth_copy(learn_truth_t *truth, const char *text, size_t len)
{
    char  *copy;

    copy = learn_arena_alloc(&truth->arena, len + 1);

    if (copy != NULL) {
        memcpy(copy, text, len);
    }

    return copy;
}


int
learn_truth_finish(learn_truth_t *truth)
{
    if (truth->npages == 0) {
        learn_complain("eval: the truth has no pages");
        return LEARN_EXIT_FAILED;
    }

    if (!learn_truth_number(truth) || !learn_truth_unite(truth)) {
        return LEARN_EXIT_FAILED;
    }

    learn_truth_merge(truth);

    return LEARN_EXIT_OK;
}


/* numbers for the names of pages */

static int
learn_truth_number(learn_truth_t *truth)
{
    size_t  i;

    if (truth->npages > UINT32_MAX) {
        learn_complain("eval: the truth has too many URLs");
        return 0;
    }

    qsort(truth->pages, truth->npages, sizeof(learn_truth_page_t),
          learn_truth_by_name);

    for (i = 1; i < truth->npages; i++) {
        truth->pages[i].page = truth->pages[i - 1].page
                               + (strcmp(truth->pages[i - 1].name,
                                         truth->pages[i].name) != 0);
    }

    truth->nnames = truth->pages[truth->npages - 1].page + 1;

    return 1;
}


/* each URL once; complains of one that is two pages */

static int
learn_truth_unite(learn_truth_t *truth)
{
    size_t               i, n;
    learn_truth_page_t  *page;

    qsort(truth->pages, truth->npages, sizeof(learn_truth_page_t),
          learn_truth_by_url);

    n = 0;

    for (i = 1; i < truth->npages; i++) {
        page = &truth->pages[n];

        if (strcmp(page->url, truth->pages[i].url) != 0) {
            truth->pages[++n] = truth->pages[i];

        } else if (page->page != truth->pages[i].page) {
            learn_complain("eval: '%s' is two pages, '%s' and '%s'",
                           page->url, page->name, truth->pages[i].name);
            return 0;
        }
    }

    truth->npages = n + 1;

    return 1;
}


static void
learn_truth_merge(learn_truth_t *truth)
{
    size_t  i, n;

    if (truth->nparams == 0) {
        return;
    }

    qsort(truth->params, truth->nparams, sizeof(learn_truth_param_t),
          learn_truth_by_key);

    n = 0;

    for (i = 1; i < truth->nparams; i++) {

        if (strcmp(truth->params[n].key, truth->params[i].key) != 0) {
            truth->params[++n] = truth->params[i];

        } else if (truth->params[n].role != truth->params[i].role) {
            truth->params[n].role = LEARN_ROLE_MATTERS;
        }
    }

    truth->nparams = n + 1;
}


learn_truth_param_t *
learn_truth_param(const learn_truth_t *truth, const char *host,
    const miqps_str_t *names, const miqps_str_t *name)
{
    char                 key[MIQPS_MAX_HOST + 2 * LEARN_TARGET_MAX + 4];
    learn_truth_param_t  wanted;

    if (truth->nparams == 0) {
        return NULL;
    }

    (void) snprintf(key, sizeof(key), "%s\t%.*s\t%.*s", host,
                    (int) names->len, (const char *) names->data,
                    (int) name->len, (const char *) name->data);

    wanted.key = key;

    return bsearch(&wanted, truth->params, truth->nparams,
                   sizeof(learn_truth_param_t), learn_truth_by_key);
}


learn_truth_page_t *
learn_truth_url(const learn_truth_t *truth, const char *url)
{
    learn_truth_page_t  wanted;

    wanted.url = url;

    return bsearch(&wanted, truth->pages, truth->npages,
                   sizeof(learn_truth_page_t), learn_truth_by_url);
}


static int
learn_truth_by_url(const void *one, const void *two)
{
    const learn_truth_page_t  *a = one, *b = two;

    return strcmp(a->url, b->url);
}


static int
learn_truth_by_name(const void *one, const void *two)
{
    const learn_truth_page_t  *a = one, *b = two;

    return strcmp(a->name, b->name);
}


static int
learn_truth_by_key(const void *one, const void *two)
{
    const learn_truth_param_t  *a = one, *b = two;

    return strcmp(a->key, b->key);
}
