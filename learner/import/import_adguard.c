
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "import_line.h"
#include "import_name.h"
#include "import_pattern.h"


/*
 * A list of AdGuard has one rule a line.  Lines in conditions ("!#if") are
 * taken as they come: they differ in what a browser can do, not in what is
 * meant.
 */

typedef struct {
    learn_import_t         *im;
    learn_import_list_t     bad;        /* keys of what is switched off */
} learn_import_adguard_t;


static learn_import_rc_e  learn_import_adguard_lines(
    learn_import_adguard_t *ag, const learn_import_file_t *file, int convert);
static learn_import_rc_e  learn_import_adguard_line(learn_import_adguard_t *ag,
    learn_import_source_t *source, int convert);
static learn_import_rc_e  learn_import_adguard_convert(
    learn_import_adguard_t *ag, const learn_import_line_t *line,
    learn_import_source_t *source);
static learn_import_rc_e  learn_import_adguard_strip(learn_import_t *im,
    const learn_import_line_t *line, learn_import_source_t *source,
    learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_adguard_add(learn_import_t *im,
    const learn_import_list_t *hosts, const learn_import_list_t *paths,
    learn_import_action_e action, const learn_import_list_t *texts,
    learn_import_source_t *source, learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_adguard_pair(learn_arena_t *mem,
    const learn_import_pattern_t *pattern, const learn_import_line_t *line,
    learn_import_list_t *texts, learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_adguard_where(learn_arena_t *mem,
    const learn_import_line_t *line, learn_import_pattern_t *pattern,
    learn_import_list_t *without, learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_adguard_except(learn_import_t *im,
    const learn_import_line_t *line, learn_import_source_t *source,
    learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_adguard_except_where(
    learn_arena_t *mem, const learn_import_line_t *line,
    learn_import_pattern_t *pattern);
static learn_import_rc_e  learn_import_adguard_hosts(learn_arena_t *mem,
    const char *text, const char *suffix, learn_import_list_t *hosts,
    learn_import_list_t *without);
static learn_import_source_t  *learn_import_adguard_source(
    learn_arena_t *mem, const learn_import_source_t *source);
static int  learn_import_adguard_cmp(const void *one, const void *two);


learn_import_rc_e
learn_import_adguard(learn_import_t *im, const learn_import_file_t *files,
    size_t nfiles)
{
    size_t                  i;
    learn_import_rc_e       rc;
    learn_import_adguard_t  ag;

    memset(&ag, 0, sizeof(learn_import_adguard_t));

    ag.im = im;
    rc = LEARN_IMPORT_OK;

    for (i = 0; i < nfiles && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_adguard_lines(&ag, &files[i], 0);
    }

    learn_import_list_sort(&ag.bad);

    for (i = 0; i < nfiles && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_adguard_lines(&ag, &files[i], 1);
    }

    return rc;
}


/* reads all lines; first for those that switch others off, then the rest */

static learn_import_rc_e
learn_import_adguard_lines(learn_import_adguard_t *ag,
    const learn_import_file_t *file, int convert)
{
    char                  *text;
    size_t                 len;
    const char            *p, *next, *end;
    learn_import_rc_e      rc;
    learn_import_source_t  source;

    memset(&source, 0, sizeof(learn_import_source_t));
    source.file = file->name;

    p = file->data;
    end = p + file->len;

    if (file->len > 2 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3;
    }

    for ( /* void */ ; p < end; p = next) {
        next = memchr(p, '\n', (size_t) (end - p));
        next = (next == NULL) ? end : next + 1;

        source.line++;

        len = (size_t) (next - p);

        while (len > 0 && strchr(" \t\r\n", p[len - 1]) != NULL) {
            len--;
        }

        while (len > 0 && (*p == ' ' || *p == '\t')) {
            p++;
            len--;
        }

        if (len == 0) {
            continue;
        }

        text = learn_import_copy(&ag->im->scratch, p, len);

        if (text == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        source.text = text;

        rc = learn_import_adguard_line(ag, &source, convert);

        learn_import_next(ag->im);

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }
    }

    return LEARN_IMPORT_OK;
}


static learn_import_rc_e
learn_import_adguard_line(learn_import_adguard_t *ag,
    learn_import_source_t *source, int convert)
{
    const char          *key;
    learn_arena_t       *mem;
    learn_import_rc_e    rc;
    learn_import_kind_e  kind;
    learn_import_line_t  line;

    mem = &ag->im->scratch;

    rc = learn_import_line(mem, source->text, &line, &kind);

    if (rc == LEARN_IMPORT_OK && !convert) {

        if (!line.badfilter) {
            return LEARN_IMPORT_OK;
        }

        key = learn_import_line_key(mem, &line);

        if (key == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        key = learn_import_copy(&ag->im->rules.mem, key, strlen(key));

        return learn_import_list_add(&ag->im->rules.mem, &ag->bad, key);
    }

    if (rc == LEARN_IMPORT_OK) {
        return learn_import_adguard_convert(ag, &line, source);
    }

    if (rc == LEARN_IMPORT_DECLINED) {

        if (convert && kind != LEARN_IMPORT_NONE) {
            learn_import_report_add(&ag->im->report, kind, source);
        }

        return LEARN_IMPORT_OK;
    }

    return rc;
}


static learn_import_rc_e
learn_import_adguard_convert(learn_import_adguard_t *ag,
    const learn_import_line_t *line, learn_import_source_t *source)
{
    const char          *key;
    learn_import_t      *im;
    learn_import_rc_e    rc;
    learn_import_kind_e  kind;
    learn_import_line_t  copy;

    im = ag->im;

    if (line->badfilter) {
        im->report.taken++;
        return LEARN_IMPORT_OK;
    }

    if (ag->bad.n > 0) {
        copy = *line;
        key = learn_import_line_key(&im->scratch, &copy);

        if (key == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        if (bsearch(&key, ag->bad.item, ag->bad.n, sizeof(char *),
                    learn_import_adguard_cmp) != NULL)
        {
            learn_import_report_add(&im->report, LEARN_IMPORT_BADFILTER,
                                    source);
            return LEARN_IMPORT_OK;
        }
    }

    rc = line->exception
         ? learn_import_adguard_except(im, line, source, &kind)
         : learn_import_adguard_strip(im, line, source, &kind);

    if (rc == LEARN_IMPORT_OK) {
        im->report.taken++;

    } else if (rc == LEARN_IMPORT_DECLINED) {
        learn_import_report_add(&im->report, kind, source);
        rc = LEARN_IMPORT_OK;
    }

    return rc;
}


static int
learn_import_adguard_cmp(const void *one, const void *two)
{
    return strcmp(*(const char *const *) one, *(const char *const *) two);
}


static learn_import_rc_e
learn_import_adguard_strip(learn_import_t *im,
    const learn_import_line_t *line, learn_import_source_t *source,
    learn_import_kind_e *kind)
{
    learn_arena_t          *mem;
    learn_import_rc_e       rc;
    learn_import_list_t     texts, without;
    learn_import_pattern_t  pattern;

    mem = &im->scratch;

    memset(&texts, 0, sizeof(learn_import_list_t));
    memset(&without, 0, sizeof(learn_import_list_t));

    *kind = line->limit;

    if (line->type && !line->page && *kind == LEARN_IMPORT_NONE) {
        *kind = LEARN_IMPORT_TYPE;
    }

    if (*kind != LEARN_IMPORT_NONE) {
        return LEARN_IMPORT_DECLINED;
    }

    rc = learn_import_pattern_strip(mem, line->pattern, &pattern, kind);

    if (rc == LEARN_IMPORT_OK) {
        rc = learn_import_adguard_where(mem, line, &pattern, &without, kind);
    }

    if (rc == LEARN_IMPORT_OK) {
        rc = learn_import_adguard_pair(mem, &pattern, line, &texts, kind);
    }

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    source = learn_import_adguard_source(&im->rules.mem, source);

    if (source == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    /* the exception first: without it, no strip */

    if (without.n > 0) {
        rc = learn_import_adguard_add(im, &without, &pattern.paths,
                                      LEARN_IMPORT_EXCEPT, &texts, source,
                                      kind);
    }

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    return learn_import_adguard_add(im, &pattern.hosts, &pattern.paths,
                                    LEARN_IMPORT_STRIP, &texts, source, kind);
}


static learn_import_rc_e
learn_import_adguard_add(learn_import_t *im, const learn_import_list_t *hosts,
    const learn_import_list_t *paths, learn_import_action_e action,
    const learn_import_list_t *texts, learn_import_source_t *source,
    learn_import_kind_e *kind)
{
    learn_import_rc_e     rc;
    learn_import_place_t  place;
    learn_import_scope_t  scope;

    scope.hosts = *hosts;
    scope.paths = *paths;

    rc = learn_import_rules_place(&im->rules, &scope, &place, kind);

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    return learn_import_rules_add(&im->rules, &place, action, texts, NULL,
                                  source);
}


/* the texts of a rule; "ref=x" with removeparam=ref is a rule on a value */

static learn_import_rc_e
learn_import_adguard_pair(learn_arena_t *mem,
    const learn_import_pattern_t *pattern, const learn_import_line_t *line,
    learn_import_list_t *texts, learn_import_kind_e *kind)
{
    size_t  len;

    /* without a name all go, which is not for every host there is */

    if ((*line->value == '\0' || *line->value == '~')
        && pattern->hosts.n == 0)
    {
        *kind = (*line->value == '~') ? LEARN_IMPORT_INVERSE
                                      : LEARN_IMPORT_ALL;
        return LEARN_IMPORT_DECLINED;
    }

    if (pattern->pair == NULL) {
        return learn_import_name_adguard(mem, line->value, texts, kind);
    }

    len = strlen(line->value);

    if (strncmp(pattern->pair, line->value, len) != 0
        || pattern->pair[len] != '=')
    {
        *kind = LEARN_IMPORT_QUERY;
        return LEARN_IMPORT_DECLINED;
    }

    return learn_import_list_add(mem, texts, pattern->pair);
}


/* the hosts of a strip: of the pattern, or of the modifiers */

static learn_import_rc_e
learn_import_adguard_where(learn_arena_t *mem,
    const learn_import_line_t *line, learn_import_pattern_t *pattern,
    learn_import_list_t *without, learn_import_kind_e *kind)
{
    const char        *hosts;
    learn_import_rc_e  rc;

    hosts = (line->to != NULL) ? line->to : line->domain;

    if (hosts != NULL
        && (pattern->hosts.n > 0 || (line->to != NULL && line->domain != NULL)))
    {
        *kind = LEARN_IMPORT_DOMAIN;
        return LEARN_IMPORT_DECLINED;
    }

    if (hosts == NULL && pattern->suffix != NULL) {
        *kind = LEARN_IMPORT_PATTERN;
        return LEARN_IMPORT_DECLINED;
    }

    *kind = LEARN_IMPORT_HOST;
    rc = LEARN_IMPORT_OK;

    if (hosts != NULL) {
        rc = learn_import_adguard_hosts(mem, hosts, pattern->suffix,
                                        &pattern->hosts, without);
    }

    if (rc == LEARN_IMPORT_OK && line->denyallow != NULL) {
        rc = learn_import_adguard_hosts(mem, line->denyallow, NULL, without,
                                        NULL);
    }

    return rc;
}


/*
 * Reads "a|b|~c".  Hosts that do not end with "suffix" are passed over.
 * DECLINED if one is not a host, or nothing is left of those without "~".
 */

static learn_import_rc_e
learn_import_adguard_hosts(learn_arena_t *mem, const char *text,
    const char *suffix, learn_import_list_t *hosts,
    learn_import_list_t *without)
{
    int                named;
    size_t             len, tail;
    learn_import_rc_e  rc;

    named = 0;
    rc = LEARN_IMPORT_OK;
    tail = (suffix != NULL) ? strlen(suffix) : 0;

    while (rc == LEARN_IMPORT_OK) {
        len = strcspn(text, "|");

        if (*text == '~') {

            rc = (without == NULL) ? LEARN_IMPORT_DECLINED
                 : learn_import_pattern_host(mem, text + 1, len - 1, 1,
                                             without);

        } else {
            named = 1;

            if (len > tail
                && (tail == 0
                    || strncmp(text + len - tail, suffix, tail) == 0))
            {
                rc = learn_import_pattern_host(mem, text, len, 1, hosts);
            }
        }

        if (text[len] == '\0') {
            break;
        }

        text += len + 1;
    }

    if (rc == LEARN_IMPORT_OK && hosts->n == 0 && (named || tail > 0)) {
        return LEARN_IMPORT_DECLINED;
    }

    return rc;
}


static learn_import_rc_e
learn_import_adguard_except(learn_import_t *im,
    const learn_import_line_t *line, learn_import_source_t *source,
    learn_import_kind_e *kind)
{
    learn_import_rc_e       rc;
    learn_import_list_t     texts;
    learn_import_source_t  *copy;
    learn_import_pattern_t  pattern;

    memset(&texts, 0, sizeof(learn_import_list_t));

    rc = learn_import_name_adguard(&im->scratch, line->value, &texts, kind);

    if (rc == LEARN_IMPORT_DECLINED) {
        /* a strip with this value is not taken over either */
        *kind = LEARN_IMPORT_UNNEEDED;
    }

    if (rc == LEARN_IMPORT_OK) {
        rc = learn_import_adguard_except_where(&im->scratch, line, &pattern);
    }

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    copy = learn_import_adguard_source(&im->rules.mem, source);

    if (copy == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    rc = pattern.unplaced
         ? LEARN_IMPORT_DECLINED
         : learn_import_adguard_add(im, &pattern.hosts, &pattern.paths,
                                    LEARN_IMPORT_EXCEPT, &texts, copy, kind);

    if (rc == LEARN_IMPORT_DECLINED) {
        *kind = LEARN_IMPORT_UNPLACED;
        rc = learn_import_rules_bar(&im->rules, &texts);
        return (rc == LEARN_IMPORT_OK) ? LEARN_IMPORT_DECLINED : rc;
    }

    if (rc == LEARN_IMPORT_OK && pattern.widened) {
        learn_import_report_add(&im->report, LEARN_IMPORT_WIDENED, source);
    }

    return rc;
}


/*
 * Where an exception holds.  Whatever else it depends on is dropped: a server
 * cannot tell a page from a script's request, nor who linked to it.
 */

static learn_import_rc_e
learn_import_adguard_except_where(learn_arena_t *mem,
    const learn_import_line_t *line, learn_import_pattern_t *pattern)
{
    const char          *hosts;
    learn_import_rc_e    rc;
    learn_import_list_t  without;

    memset(&without, 0, sizeof(learn_import_list_t));

    rc = learn_import_pattern_except(mem, line->pattern, pattern);

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    if (line->limit != LEARN_IMPORT_NONE || line->type
        || line->denyallow != NULL)
    {
        pattern->widened = 1;
    }

    hosts = (line->to != NULL) ? line->to : line->domain;

    if (hosts == NULL) {
        return LEARN_IMPORT_OK;
    }

    if (pattern->hosts.n > 0) {
        pattern->widened = 1;
        return LEARN_IMPORT_OK;
    }

    rc = learn_import_adguard_hosts(mem, hosts, NULL, &pattern->hosts,
                                    &without);

    if (rc == LEARN_IMPORT_ERROR) {
        return rc;
    }

    if (pattern->unplaced || without.n > 0) {
        pattern->widened = 1;
    }

    pattern->unplaced = (rc == LEARN_IMPORT_DECLINED || pattern->hosts.n == 0);

    return LEARN_IMPORT_OK;
}


/* a copy that lives as long as the rules */

static learn_import_source_t *
learn_import_adguard_source(learn_arena_t *mem,
    const learn_import_source_t *source)
{
    learn_import_source_t  *copy;

    copy = learn_arena_alloc(mem, sizeof(learn_import_source_t));

    if (copy == NULL) {
        return NULL;
    }

    *copy = *source;
    copy->text = learn_import_copy(mem, source->text, strlen(source->text));

    return (copy->text != NULL) ? copy : NULL;
}
