
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <cjson/cJSON.h>
#include <string.h>

#include "import.h"
#include "import_name.h"
#include "import_regex.h"
#include "import_url.h"
#include "learn.h"


/*
 * The list of ClearURLs is one JSON object, "providers", by name:
 *
 *     urlPattern          where its rules hold, a regular expression
 *     rules               names to remove, regular expressions
 *     referralMarketing   the same, only if the user agrees
 *     exceptions          where they do not hold, regular expressions
 *     rawRules            what to remove from the URL as text
 *     redirections        the target of a redirection is within the URL
 *     completeProvider    all of it is to be blocked
 */

typedef struct {
    learn_import_t         *im;
    const learn_import_file_t
                           *file;
    const char             *name;       /* lives as long as the rules */
    const cJSON            *json;

    learn_import_place_t    place;
    learn_import_place_t   *excepts;    /* where rules are taken back */
    size_t                  nexcepts;

    learn_import_list_t     paths;      /* that are excluded by the strips */
    learn_import_list_t     hosts;      /* of exceptions without a path */
    learn_import_list_t     named;      /* parameters that stay */
    unsigned                all:1;      /* none of its rules can be taken */
} learn_import_provider_t;


static learn_import_rc_e  learn_import_clearurls_file(learn_import_t *im,
    const learn_import_file_t *file);
static void  learn_import_clearurls_fault(const learn_import_file_t *file,
    const char *at);
static learn_import_rc_e  learn_import_provider(learn_import_provider_t *pr);
static int  learn_import_provider_sound(learn_import_provider_t *pr);
static void  learn_import_provider_others(learn_import_provider_t *pr);
static learn_import_rc_e  learn_import_provider_excepts(
    learn_import_provider_t *pr, const learn_import_url_t *url);
static learn_import_rc_e  learn_import_provider_except(
    learn_import_provider_t *pr, const char *regex,
    const learn_import_url_t *where);
static learn_import_rc_e  learn_import_provider_named(
    learn_import_provider_t *pr, const char *regex,
    const learn_import_list_t *names);
static learn_import_rc_e  learn_import_provider_add_except(
    learn_import_provider_t *pr, const learn_import_list_t *hosts,
    const char *path);
static int  learn_import_provider_covers(const learn_import_list_t *outer,
    const learn_import_list_t *inner);
static learn_import_rc_e  learn_import_provider_place(
    learn_import_provider_t *pr, learn_import_url_t *url,
    learn_import_kind_e *kind);
static const char  *learn_import_provider_path(learn_import_provider_t *pr,
    const char *without, const char *path);
static learn_import_rc_e  learn_import_provider_rules(
    learn_import_provider_t *pr, const char *list, learn_import_kind_e why);
static learn_import_rc_e  learn_import_provider_rule(
    learn_import_provider_t *pr, const char *regex, learn_import_kind_e why);
static void  learn_import_provider_report(learn_import_provider_t *pr,
    learn_import_kind_e kind, const char *text);
static const cJSON  *learn_import_provider_list(learn_import_provider_t *pr,
    const char *list);


learn_import_rc_e
learn_import_clearurls(learn_import_t *im, const learn_import_file_t *files,
    size_t nfiles)
{
    size_t             i;
    learn_import_rc_e  rc;

    rc = LEARN_IMPORT_OK;

    for (i = 0; i < nfiles && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_clearurls_file(im, &files[i]);
    }

    return rc;
}


static learn_import_rc_e
learn_import_clearurls_file(learn_import_t *im,
    const learn_import_file_t *file)
{
    cJSON                   *json;
    const char              *end;
    const cJSON             *providers, *provider;
    learn_import_rc_e        rc;
    learn_import_provider_t  pr;

    end = NULL;
    json = cJSON_ParseWithLengthOpts(file->data, file->len, &end, 0);

    if (json == NULL) {
        learn_import_clearurls_fault(file, end);
        return LEARN_IMPORT_DECLINED;
    }

    providers = cJSON_GetObjectItemCaseSensitive(json, "providers");

    if (!cJSON_IsObject(providers) || strstr(file->data, "\\u0000") != NULL) {
        learn_complain("import: %s: %s", file->name,
                       cJSON_IsObject(providers)
                       ? "an escaped zero byte, which no rule can hold"
                       : "no object \"providers\"; is it a list of "
                         "ClearURLs?");
        cJSON_Delete(json);
        return LEARN_IMPORT_DECLINED;
    }

    rc = LEARN_IMPORT_OK;

    cJSON_ArrayForEach(provider, providers) {
        memset(&pr, 0, sizeof(learn_import_provider_t));

        pr.im = im;
        pr.file = file;
        pr.json = provider;
        pr.name = learn_import_copy(&im->rules.mem, provider->string,
                                    strlen(provider->string));

        rc = (pr.name != NULL) ? learn_import_provider(&pr)
                               : LEARN_IMPORT_ERROR;

        learn_import_next(im);

        if (rc != LEARN_IMPORT_OK) {
            break;
        }
    }

    cJSON_Delete(json);

    return rc;
}


static void
learn_import_clearurls_fault(const learn_import_file_t *file, const char *at)
{
    size_t       line;
    const char  *p, *start;

    line = 1;
    start = file->data;

    for (p = file->data; at != NULL && p < at; p++) {
        if (*p == '\n') {
            line++;
            start = p + 1;
        }
    }

    learn_complain("import: %s:%zu:%zu: not JSON", file->name, line,
                   (at == NULL) ? 1 : (size_t) (at - start) + 1);
}


static learn_import_rc_e
learn_import_provider(learn_import_provider_t *pr)
{
    const char          *regex;
    learn_import_rc_e    rc;
    learn_import_url_t   url;
    learn_import_kind_e  kind;

    learn_import_provider_others(pr);

    regex = cJSON_GetStringValue(
                cJSON_GetObjectItemCaseSensitive(pr->json, "urlPattern"));

    kind = LEARN_IMPORT_NONE;

    if (regex == NULL || !learn_import_provider_sound(pr)) {
        kind = LEARN_IMPORT_SYNTAX;

    } else if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(pr->json,
                                                      "completeProvider")))
    {
        kind = LEARN_IMPORT_BLOCK;

    } else {
        rc = learn_import_url_strip(&pr->im->scratch, regex, &url, &kind);

        if (rc == LEARN_IMPORT_OK) {
            rc = learn_import_provider_excepts(pr, &url);
        }

        if (rc == LEARN_IMPORT_OK) {
            rc = learn_import_provider_place(pr, &url, &kind);
        }

        if (rc == LEARN_IMPORT_ERROR) {
            return rc;
        }

        if (rc == LEARN_IMPORT_OK) {
            kind = pr->all ? LEARN_IMPORT_UNPLACED : LEARN_IMPORT_NONE;
        }
    }

    rc = learn_import_provider_rules(pr, "rules", kind);

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    return learn_import_provider_rules(pr, "referralMarketing",
                                       pr->im->referral
                                       ? kind : LEARN_IMPORT_REFERRAL);
}


/* a list that is not one, or is there twice, could hide an exception */

static int
learn_import_provider_sound(learn_import_provider_t *pr)
{
    int           lists;
    const cJSON  *item;

    lists = 0;

    cJSON_ArrayForEach(item, pr->json) {
        if (strcmp(item->string, "exceptions") == 0) {
            lists += cJSON_IsArray(item) ? 1 : 2;
        }
    }

    return lists < 2;
}


/* counts what has no counterpart at all */

static void
learn_import_provider_others(learn_import_provider_t *pr)
{
    const cJSON  *item;

    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(pr->json,
                                                      "completeProvider")))
    {
        learn_import_provider_report(pr, LEARN_IMPORT_BLOCK,
                                     "completeProvider");
    }

    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(pr->json,
                                                      "forceRedirection")))
    {
        learn_import_provider_report(pr, LEARN_IMPORT_FORCE,
                                     "forceRedirection");
    }

    cJSON_ArrayForEach(item, learn_import_provider_list(pr, "redirections")) {
        learn_import_provider_report(pr, LEARN_IMPORT_REDIRECT,
                                     cJSON_GetStringValue(item));
    }

    cJSON_ArrayForEach(item, learn_import_provider_list(pr, "rawRules")) {
        learn_import_provider_report(pr, LEARN_IMPORT_RAW,
                                     cJSON_GetStringValue(item));
    }
}


static learn_import_rc_e
learn_import_provider_excepts(learn_import_provider_t *pr,
    const learn_import_url_t *url)
{
    int                n;
    const cJSON       *list, *item;
    learn_import_rc_e  rc;

    list = learn_import_provider_list(pr, "exceptions");
    n = (list != NULL) ? cJSON_GetArraySize(list) : 0;

    pr->excepts = learn_arena_alloc(&pr->im->scratch,
                                     ((size_t) n + 1)
                                     * sizeof(learn_import_place_t));

    if (pr->excepts == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    rc = LEARN_IMPORT_OK;

    cJSON_ArrayForEach(item, list) {

        if (cJSON_IsString(item)) {
            rc = learn_import_provider_except(pr, item->valuestring, url);

        } else {
            pr->all = 1;
        }

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }
    }

    /* those for whole hosts share one entry */

    if (pr->hosts.n > 0) {
        rc = learn_import_provider_add_except(pr, &pr->hosts, NULL);
    }

    return rc;
}


static learn_import_rc_e
learn_import_provider_except(learn_import_provider_t *pr, const char *regex,
    const learn_import_url_t *where)
{
    size_t              i;
    learn_arena_t      *mem;
    learn_import_rc_e   rc;
    learn_import_url_t  url;

    mem = &pr->im->scratch;
    rc = learn_import_url_except(mem, regex, &url);

    if (rc != LEARN_IMPORT_OK || url.never) {
        return rc;
    }

    if (url.unplaced) {
        rc = learn_import_provider_named(pr, regex, &url.named);

        if (rc != LEARN_IMPORT_OK || pr->all || url.hosts.n == 0) {
            return rc;
        }

    } else if (url.widened) {
        learn_import_provider_report(pr, LEARN_IMPORT_WIDENED, regex);
    }

    if (where->hosts.n > 0
        && (url.hosts.n == 0
            || learn_import_provider_covers(&url.hosts, &where->hosts)))
    {
        /* it holds for all hosts that the rules hold for */

        if (url.path == NULL) {
            pr->all = 1;
            return LEARN_IMPORT_OK;
        }

        return learn_import_list_add(mem, &pr->paths, url.path);
    }

    if (url.path != NULL) {
        return learn_import_provider_add_except(pr, &url.hosts, url.path);
    }

    for (i = 0; i < url.hosts.n && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_list_add(mem, &pr->hosts, url.hosts.item[i]);
    }

    return rc;
}


/*
 * An exception that may hold anywhere, but only for URLs with a parameter by
 * this name; and that is the one that it is there for.
 */

static learn_import_rc_e
learn_import_provider_named(learn_import_provider_t *pr, const char *regex,
    const learn_import_list_t *names)
{
    size_t             i;
    learn_import_rc_e  rc;

    if (names->n == 0) {
        pr->all = 1;
        return LEARN_IMPORT_OK;
    }

    for (i = 0; i < names->n; i++) {
        rc = learn_import_list_add(&pr->im->scratch, &pr->named,
                                   names->item[i]);

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }
    }

    learn_import_provider_report(pr, LEARN_IMPORT_PARTIAL, regex);

    return LEARN_IMPORT_OK;
}


static int
learn_import_provider_covers(const learn_import_list_t *outer,
    const learn_import_list_t *inner)
{
    size_t  i;

    for (i = 0; i < inner->n; i++) {
        if (!learn_import_list_has(outer, inner->item[i])) {
            return 0;
        }
    }

    return 1;
}


static learn_import_rc_e
learn_import_provider_add_except(learn_import_provider_t *pr,
    const learn_import_list_t *hosts, const char *path)
{
    const char           *text;
    learn_import_rc_e     rc;
    learn_import_kind_e   kind;
    learn_import_scope_t  scope;

    memset(&scope, 0, sizeof(learn_import_scope_t));
    scope.hosts = *hosts;

    if (path != NULL) {
        text = learn_import_join(&pr->im->scratch, "~(?i)^", path, NULL);
        rc = learn_import_list_add(&pr->im->scratch, &scope.paths, text);

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }
    }

    rc = learn_import_rules_place(&pr->im->rules, &scope,
                                  &pr->excepts[pr->nexcepts], &kind);

    if (rc == LEARN_IMPORT_DECLINED) {
        pr->all = 1;
        return LEARN_IMPORT_OK;
    }

    pr->nexcepts++;

    return rc;
}


/* where the provider's rules hold, its excluded paths aside */

static learn_import_rc_e
learn_import_provider_place(learn_import_provider_t *pr,
    learn_import_url_t *url, learn_import_kind_e *kind)
{
    size_t                i;
    const char           *without;
    learn_arena_t        *mem;
    learn_import_rc_e     rc;
    learn_import_scope_t  scope;

    mem = &pr->im->scratch;

    scope.hosts = url->hosts;
    scope.paths = url->paths;

    if (pr->paths.n > 0) {
        learn_import_list_sort(&pr->paths);

        without = pr->paths.item[0];

        for (i = 1; i < pr->paths.n && without != NULL; i++) {
            without = learn_import_join(mem, without, "|", pr->paths.item[i],
                                        NULL);
        }

        if (without == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        memset(&scope.paths, 0, sizeof(learn_import_list_t));
        rc = LEARN_IMPORT_OK;

        for (i = 0; i < url->paths.n && rc == LEARN_IMPORT_OK; i++) {
            rc = learn_import_list_add(mem, &scope.paths,
                        learn_import_provider_path(pr, without,
                                                   url->paths.item[i]));
        }

        if (url->paths.n == 0) {
            rc = learn_import_list_add(mem, &scope.paths,
                        learn_import_provider_path(pr, without, "*"));
        }

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }
    }

    return learn_import_rules_place(&pr->im->rules, &scope, &pr->place, kind);
}


/* "path", as a regular expression that leaves out "without" */

static const char *
learn_import_provider_path(learn_import_provider_t *pr, const char *without,
    const char *path)
{
    char           *text;
    size_t          len;
    learn_arena_t  *mem;

    mem = &pr->im->scratch;

    if (strncmp(path, "~(?i)^", 6) == 0) {
        return learn_import_join(mem, "~(?i)^(?!", without, ")", path + 6,
                                 NULL);
    }

    len = strlen(path);

    if (path[len - 1] != '*') {
        text = learn_import_regex_quote(mem, path);
        return (text == NULL) ? NULL
               : learn_import_join(mem, "~^(?!(?i:", without, "))", text, "$",
                                   NULL);
    }

    text = learn_import_copy(mem, path, len - 1);

    if (text != NULL) {
        text = learn_import_regex_quote(mem, text);
    }

    return (text == NULL) ? NULL
           : learn_import_join(mem, "~^(?!(?i:", without, "))", text, NULL);
}


/* takes over a list of rules, or reports why not */

static learn_import_rc_e
learn_import_provider_rules(learn_import_provider_t *pr, const char *list,
    learn_import_kind_e why)
{
    const cJSON       *item;
    learn_import_rc_e  rc;

    cJSON_ArrayForEach(item, learn_import_provider_list(pr, list)) {

        if (!cJSON_IsString(item)) {
            learn_import_provider_report(pr, LEARN_IMPORT_SYNTAX, list);
            continue;
        }

        rc = learn_import_provider_rule(pr, item->valuestring, why);

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }
    }

    return LEARN_IMPORT_OK;
}


static learn_import_rc_e
learn_import_provider_rule(learn_import_provider_t *pr, const char *regex,
    learn_import_kind_e why)
{
    size_t                  i;
    learn_import_t         *im;
    learn_import_rc_e       rc;
    learn_import_list_t     texts;
    learn_import_kind_e     kind;
    learn_import_source_t  *source;

    im = pr->im;
    kind = why;

    for (i = 0; i < pr->named.n && kind == LEARN_IMPORT_NONE; i++) {
        if (learn_import_regex_is(&im->scratch, regex, pr->named.item[i])) {
            kind = LEARN_IMPORT_UNPLACED;
        }
    }

    memset(&texts, 0, sizeof(learn_import_list_t));

    rc = LEARN_IMPORT_DECLINED;

    if (kind == LEARN_IMPORT_NONE) {
        rc = learn_import_name_clearurls(&im->scratch, regex, &texts, &kind);
    }

    if (rc == LEARN_IMPORT_DECLINED) {
        learn_import_provider_report(pr, kind, regex);
        return LEARN_IMPORT_OK;
    }

    source = learn_arena_alloc(&im->rules.mem, sizeof(learn_import_source_t));

    if (rc != LEARN_IMPORT_OK || source == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    memset(source, 0, sizeof(learn_import_source_t));
    source->file = pr->file->name;
    source->place = pr->name;
    source->text = pr->name;

    rc = learn_import_rules_add(&im->rules, &pr->place, LEARN_IMPORT_STRIP,
                                &texts, pr->name, source);

    for (i = 0; i < pr->nexcepts && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_rules_add(&im->rules, &pr->excepts[i],
                                    LEARN_IMPORT_EXCEPT, &texts, pr->name,
                                    source);
    }

    im->report.taken++;

    return rc;
}


static void
learn_import_provider_report(learn_import_provider_t *pr,
    learn_import_kind_e kind, const char *text)
{
    learn_import_source_t  source;

    memset(&source, 0, sizeof(learn_import_source_t));

    source.file = pr->file->name;
    source.place = pr->name;
    source.text = (text != NULL) ? text : "not a string";

    learn_import_report_add(&pr->im->report, kind, &source);
}


/* a member that is an array, or NULL */

static const cJSON *
learn_import_provider_list(learn_import_provider_t *pr, const char *list)
{
    const cJSON  *item;

    item = cJSON_GetObjectItemCaseSensitive(pr->json, list);

    return cJSON_IsArray(item) ? item : NULL;
}
