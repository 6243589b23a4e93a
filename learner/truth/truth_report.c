
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "learn.h"
#include "truth_report.h"


#define LEARN_TRUTH_SHOWN  10
#define LEARN_TRUTH_KEY    3


static void  learn_truth_print_role(learn_role_e role,
    const learn_truth_cell_t *cell);
static void  learn_truth_print_params(const learn_truth_t *truth);
static void  learn_truth_print_urls(const learn_truth_t *truth);
static int  learn_truth_json_role(cJSON *params, learn_role_e role,
    const learn_truth_cell_t *cell);
static int  learn_truth_json_numbers(cJSON *object,
    const learn_truth_score_t *score);
static int  learn_truth_json_params(cJSON *object, const learn_truth_t *truth);
static int  learn_truth_json_urls(cJSON *object, const learn_truth_t *truth);
static int  learn_truth_json_text(cJSON *object, const char *key,
    const char *text);
static int  learn_truth_json_share(cJSON *object, uint64_t k, uint64_t n);
static void  learn_truth_split(const char *key,
    miqps_str_t fields[LEARN_TRUTH_KEY]);
static int  learn_truth_wrong(const learn_truth_param_t *param);
static double  learn_truth_share(uint64_t part, uint64_t whole);


void
learn_truth_print(const learn_truth_t *truth,
    const learn_truth_score_t *score, const uint64_t *fetches)
{
    unsigned          i;
    learn_interval_t  misled;

    (void) printf("parameters    stripped      kept   unknown  "
                  "share stripped, 95 %%\n");

    for (i = 0; i < LEARN_ROLES; i++) {
        learn_truth_print_role((learn_role_e) i, &score->roles[i]);
    }

    if (score->absent > 0) {
        (void) printf("  in no URL %10llu\n",
                      (unsigned long long) score->absent);
    }

    misled = learn_interval(score->misled, score->urls, LEARN_NORMAL_95);

    (void) printf("\n"
                  "URLs          %8llu\n"
                  "pages         %8llu  %.1f %% fewer\n"
                  "forms         %8llu  %.1f %% fewer, %.1f %% of the "
                  "duplicates are gone\n"
                  "wrong merges  %8llu  forms of several pages\n"
                  "misled URLs   %8llu  %.2f %%, %.2f to %.2f %%\n"
                  "pages lost    %8llu\n",
                  (unsigned long long) score->urls,
                  (unsigned long long) score->pages,
                  100 * learn_truth_share(score->urls - score->pages,
                                          score->urls),
                  (unsigned long long) score->forms,
                  100 * learn_truth_compression(score),
                  100 * learn_truth_dup_reduction(score),
                  (unsigned long long) score->wrong_merges,
                  (unsigned long long) score->misled,
                  100 * misled.share, 100 * misled.low, 100 * misled.high,
                  (unsigned long long) score->lost);

    if (fetches != NULL) {
        (void) printf("fetches       %8llu\n", (unsigned long long) *fetches);
    }

    learn_truth_print_params(truth);
    learn_truth_print_urls(truth);
}


static void
learn_truth_print_role(learn_role_e role, const learn_truth_cell_t *cell)
{
    uint64_t          all;
    learn_interval_t  share;

    all = cell->stripped + cell->kept + cell->unknown;

    (void) printf("  %-9s %10llu%10llu%10llu", learn_role_name(role),
                  (unsigned long long) cell->stripped,
                  (unsigned long long) cell->kept,
                  (unsigned long long) cell->unknown);

    if (all > 0) {
        share = learn_interval(cell->stripped, all, LEARN_NORMAL_95);
        (void) printf("  %5.1f %%, %.1f to %.1f %%", 100 * share.share,
                      100 * share.low, 100 * share.high);
    }

    (void) fputc('\n', stdout);
}


static void
learn_truth_print_params(const learn_truth_t *truth)
{
    size_t       i, f, n;
    miqps_str_t  fields[LEARN_TRUTH_KEY];

    n = 0;

    for (i = 0; i < truth->nparams && n < LEARN_TRUTH_SHOWN; i++) {
        if (!learn_truth_wrong(&truth->params[i])) {
            continue;
        }

        if (n++ == 0) {
            (void) printf("\nstripped, and it matters: host, names, name\n");
        }

        learn_truth_split(truth->params[i].key, fields);

        for (f = 0; f < LEARN_TRUTH_KEY; f++) {
            (void) printf("  ");
            learn_put_safe(fields[f].data, fields[f].len, stdout);
        }

        (void) fputc('\n', stdout);
    }
}


static void
learn_truth_print_urls(const learn_truth_t *truth)
{
    size_t                     i, n;
    const learn_truth_page_t  *page;

    n = 0;

    for (i = 0; i < truth->npages && n < LEARN_TRUTH_SHOWN; i++) {
        page = &truth->pages[i];

        if (!page->misled) {
            continue;
        }

        if (n++ == 0) {
            (void) printf("\nmisled: URL, its page, its form\n");
        }

        (void) printf("  ");
        learn_put_safe((const uint8_t *) page->url, strlen(page->url), stdout);
        (void) printf("  ");
        learn_put_safe((const uint8_t *) page->name, strlen(page->name),
                       stdout);
        (void) printf("  ");
        learn_put_safe((const uint8_t *) page->form, strlen(page->form),
                       stdout);
        (void) fputc('\n', stdout);
    }
}


int
learn_truth_json(const learn_truth_t *truth,
    const learn_truth_score_t *score, const uint64_t *fetches)
{
    int        ok;
    char      *text;
    cJSON     *object, *params;
    unsigned   i;

    object = cJSON_CreateObject();
    params = cJSON_AddObjectToObject(object, "params");
    ok = (params != NULL);

    for (i = 0; i < LEARN_ROLES; i++) {
        ok = ok && learn_truth_json_role(params, (learn_role_e) i,
                                         &score->roles[i]);
    }

    ok = ok && learn_truth_json_numbers(object, score)
         && learn_truth_json_params(object, truth)
         && learn_truth_json_urls(object, truth)
         && (fetches == NULL
             || cJSON_AddNumberToObject(object, "fetches", (double) *fetches)
                != NULL);

    text = ok ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);

    if (text == NULL) {
        learn_complain("eval: out of memory");
        return LEARN_EXIT_FAILED;
    }

    (void) printf("%s\n", text);
    free(text);

    return LEARN_EXIT_OK;
}


static int
learn_truth_json_role(cJSON *params, learn_role_e role,
    const learn_truth_cell_t *cell)
{
    cJSON  *object;

    object = cJSON_AddObjectToObject(params, learn_role_name(role));

    return cJSON_AddNumberToObject(object, "stripped", (double) cell->stripped)
           != NULL
           && cJSON_AddNumberToObject(object, "kept", (double) cell->kept)
              != NULL
           && cJSON_AddNumberToObject(object, "unknown",
                                      (double) cell->unknown)
              != NULL
           && learn_truth_json_share(object, cell->stripped,
                                     cell->stripped + cell->kept
                                     + cell->unknown);
}


static int
learn_truth_json_numbers(cJSON *object, const learn_truth_score_t *score)
{
    size_t  i;

    const struct {
        const char  *key;
        double       value;
    } numbers[] = {
        { "absent", (double) score->absent },
        { "urls", (double) score->urls },
        { "pages", (double) score->pages },
        { "forms", (double) score->forms },
        { "compression", learn_truth_compression(score) },
        { "dup_reduction", learn_truth_dup_reduction(score) },
        { "wrong_merges", (double) score->wrong_merges },
        { "pages_lost", (double) score->lost }
    };

    for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (cJSON_AddNumberToObject(object, numbers[i].key, numbers[i].value)
            == NULL)
        {
            return 0;
        }
    }

    object = cJSON_AddObjectToObject(object, "misled");

    return cJSON_AddNumberToObject(object, "urls", (double) score->misled)
           != NULL
           && learn_truth_json_share(object, score->misled, score->urls);
}


static int
learn_truth_json_params(cJSON *object, const learn_truth_t *truth)
{
    size_t        i, f;
    cJSON        *list, *item;
    miqps_str_t   fields[LEARN_TRUTH_KEY];

    static const char  *keys[LEARN_TRUTH_KEY] = { "host", "names", "name" };

    list = cJSON_AddArrayToObject(object, "wrong_params");

    if (list == NULL) {
        return 0;
    }

    for (i = 0; i < truth->nparams; i++) {
        if (!learn_truth_wrong(&truth->params[i])) {
            continue;
        }

        item = cJSON_CreateObject();

        if (!cJSON_AddItemToArray(list, item)) {
            return 0;
        }

        learn_truth_split(truth->params[i].key, fields);

        for (f = 0; f < LEARN_TRUTH_KEY; f++) {
            if (!learn_json_add_text(item, keys[f], fields[f].data,
                                     fields[f].len))
            {
                return 0;
            }
        }
    }

    return 1;
}


static int
learn_truth_json_urls(cJSON *object, const learn_truth_t *truth)
{
    size_t                     i;
    cJSON                     *list, *item;
    const learn_truth_page_t  *page;

    list = cJSON_AddArrayToObject(object, "misled_urls");

    if (list == NULL) {
        return 0;
    }

    for (i = 0; i < truth->npages; i++) {
        page = &truth->pages[i];

        if (!page->misled) {
            continue;
        }

        item = cJSON_CreateObject();

        if (!cJSON_AddItemToArray(list, item)
            || !learn_truth_json_text(item, "url", page->url)
            || !learn_truth_json_text(item, "page", page->name)
            || !learn_truth_json_text(item, "form", page->form))
        {
            return 0;
        }
    }

    return 1;
}


static int
learn_truth_json_text(cJSON *object, const char *key, const char *text)
{
    return learn_json_add_text(object, key, (const uint8_t *) text,
                               strlen(text));
}


static int
learn_truth_json_share(cJSON *object, uint64_t k, uint64_t n)
{
    learn_interval_t  share;

    share = learn_interval(k, n, LEARN_NORMAL_95);

    return cJSON_AddNumberToObject(object, "share", share.share) != NULL
           && cJSON_AddNumberToObject(object, "low", share.low) != NULL
           && cJSON_AddNumberToObject(object, "high", share.high) != NULL;
}


/* the fields of a key have tabs between them */

static void
learn_truth_split(const char *key, miqps_str_t fields[LEARN_TRUTH_KEY])
{
    size_t  i;

    for (i = 0; i < LEARN_TRUTH_KEY; i++) {
        fields[i].data = (const uint8_t *) key;
        fields[i].len = strcspn(key, "\t");
        key += fields[i].len;
        key += (*key == '\t');
    }
}


static int
learn_truth_wrong(const learn_truth_param_t *param)
{
    return param->role == LEARN_ROLE_MATTERS && param->stripped > 0;
}


static double
learn_truth_share(uint64_t part, uint64_t whole)
{
    return (whole > 0) ? (double) part / (double) whole : 0.0;
}
