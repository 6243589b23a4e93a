
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "import_rules.h"
#include "miqps_policy.h"


/* a list of hosts or paths up to this wide stands on one line */

#define LEARN_IMPORT_WIDE  66


static learn_import_rc_e  learn_import_rules_check(
    const learn_import_list_t *list,
    miqps_rc_e (*check)(const miqps_str_t *text, miqps_fault_t *fault));
static const char  *learn_import_rules_key(learn_arena_t *mem,
    const learn_import_scope_t *scope);
static char  *learn_import_rules_lines(char *p,
    const learn_import_list_t *list);
static int  learn_import_rules_host_cmp(const void *one, const void *two);
static const char  *learn_import_rules_bare(const char *host);
static int  learn_import_rules_barred(const learn_import_list_t *barred,
    const char *text);
static int  learn_import_rules_cmp(const void *one, const void *two);
static void  learn_import_rules_drop(learn_import_rules_t *rules,
    learn_import_report_t *report);
static size_t  learn_import_rules_group(const learn_import_rules_t *rules,
    size_t i);
static learn_import_rc_e  learn_import_rules_count(learn_import_rules_t *rules);
static learn_import_rc_e  learn_import_rules_site(learn_import_rules_t *rules,
    size_t from, size_t to, learn_import_buf_t *out);
static const char  *learn_import_rules_split(learn_arena_t *mem,
    const char *key, learn_import_list_t *list);
static learn_import_rc_e  learn_import_rules_note(learn_import_rules_t *rules,
    size_t from, size_t to, learn_import_buf_t *out);
static void  learn_import_rules_lists(const learn_import_rules_t *rules,
    size_t from, size_t to, const char *indent, const char *before,
    learn_import_buf_t *out);
static void  learn_import_rules_list(const learn_import_list_t *list,
    const char *name, learn_import_buf_t *out);
static void  learn_import_rules_string(learn_import_buf_t *out,
    const char *text);


learn_import_rc_e
learn_import_rules_place(learn_import_rules_t *rules,
    learn_import_scope_t *scope, learn_import_place_t *place,
    learn_import_kind_e *kind)
{
    learn_import_rc_e  rc;

    *kind = LEARN_IMPORT_HOST;
    rc = learn_import_rules_check(&scope->hosts, miqps_policy_check_host);

    if (rc == LEARN_IMPORT_OK) {
        *kind = LEARN_IMPORT_PATTERN;
        rc = learn_import_rules_check(&scope->paths, miqps_policy_check_path);
    }

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    learn_import_list_sort(&scope->hosts);
    learn_import_list_sort(&scope->paths);

    if (scope->hosts.n > 1) {
        qsort(scope->hosts.item, scope->hosts.n, sizeof(char *),
              learn_import_rules_host_cmp);
    }

    place->key = learn_import_rules_key(&rules->mem, scope);

    return (place->key != NULL) ? LEARN_IMPORT_OK : LEARN_IMPORT_ERROR;
}


/* hosts, an empty line, paths; nothing at all for everywhere */

static const char *
learn_import_rules_key(learn_arena_t *mem, const learn_import_scope_t *scope)
{
    char   *key, *p;
    size_t  i, len;

    if (scope->hosts.n + scope->paths.n == 0) {
        return "";
    }

    len = 2;

    for (i = 0; i < scope->hosts.n; i++) {
        len += strlen(scope->hosts.item[i]) + 1;
    }

    for (i = 0; i < scope->paths.n; i++) {
        len += strlen(scope->paths.item[i]) + 1;
    }

    key = learn_arena_alloc(mem, len);

    if (key == NULL) {
        return NULL;
    }

    p = learn_import_rules_lines(key, &scope->hosts);
    *p++ = '\n';
    p = learn_import_rules_lines(p, &scope->paths);
    *p = '\0';

    return key;
}


static char *
learn_import_rules_lines(char *p, const learn_import_list_t *list)
{
    size_t  i, len;

    for (i = 0; i < list->n; i++) {
        len = strlen(list->item[i]);
        memcpy(p, list->item[i], len);
        p += len;
        *p++ = '\n';
    }

    return p;
}


/* what the policy would refuse, a rules file must not hold */

static learn_import_rc_e
learn_import_rules_check(const learn_import_list_t *list,
    miqps_rc_e (*check)(const miqps_str_t *text, miqps_fault_t *fault))
{
    size_t         i;
    const char    *p;
    miqps_str_t    text;
    miqps_fault_t  fault;

    for (i = 0; i < list->n; i++) {

        for (p = list->item[i]; *p != '\0'; p++) {
            if (*p <= ' ' || *p > '~') {
                return LEARN_IMPORT_DECLINED;
            }
        }

        /* in JSON this looks like an escaped zero byte, which is refused */

        if (strstr(list->item[i], "\\u0000") != NULL) {
            return LEARN_IMPORT_DECLINED;
        }

        text.data = (const uint8_t *) list->item[i];
        text.len = strlen(list->item[i]);

        switch (check(&text, &fault)) {

        case MIQPS_OK:
            break;

        case MIQPS_NO_MEMORY:
            return LEARN_IMPORT_ERROR;

        default:
            return LEARN_IMPORT_DECLINED;
        }
    }

    return LEARN_IMPORT_OK;
}


learn_import_rc_e
learn_import_rules_add(learn_import_rules_t *rules,
    const learn_import_place_t *place, learn_import_action_e action,
    const learn_import_list_t *texts, const char *note,
    learn_import_source_t *source)
{
    size_t                i, size;
    learn_import_rule_t  *rule;

    for (i = 0; i < texts->n; i++) {

        if (rules->n == rules->size) {
            size = (rules->size == 0) ? 1024 : 2 * rules->size;

            if (size > SIZE_MAX / sizeof(learn_import_rule_t)) {
                return LEARN_IMPORT_ERROR;
            }

            rule = realloc(rules->rules, size * sizeof(learn_import_rule_t));

            if (rule == NULL) {
                return LEARN_IMPORT_ERROR;
            }

            rules->rules = rule;
            rules->size = size;
        }

        rule = &rules->rules[rules->n];

        rule->text = learn_import_copy(&rules->mem, texts->item[i],
                                       strlen(texts->item[i]));

        if (rule->text == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        rule->key = place->key;
        rule->note = note;
        rule->source = source;
        rule->action = action;

        rules->n++;
    }

    return LEARN_IMPORT_OK;
}


learn_import_rc_e
learn_import_rules_bar(learn_import_rules_t *rules,
    const learn_import_list_t *texts)
{
    size_t             i;
    learn_import_rc_e  rc;

    rc = LEARN_IMPORT_OK;

    for (i = 0; i < texts->n && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_list_add(&rules->mem, &rules->barred,
                                   learn_import_copy(&rules->mem,
                                                     texts->item[i],
                                                     strlen(texts->item[i])));
    }

    return rc;
}


learn_import_rc_e
learn_import_rules_write(learn_import_rules_t *rules,
    learn_import_report_t *report, learn_import_buf_t *out)
{
    size_t             i, next;
    learn_import_rc_e  rc;

    learn_import_rules_drop(rules, report);

    if (rules->n > 1) {
        qsort(rules->rules, rules->n, sizeof(learn_import_rule_t),
              learn_import_rules_cmp);
    }

    rc = learn_import_rules_count(rules);

    learn_import_buf_text(out, "{\n  \"version\": 1");

    i = 0;

    if (rules->n > 0 && *rules->rules[0].key == '\0') {
        next = learn_import_rules_group(rules, 0);
        learn_import_rules_lists(rules, 0, next, "  ", ",\n", out);
        i = next;
    }

    if (i < rules->n) {
        learn_import_buf_text(out, ",\n  \"sites\": [\n");

        while (i < rules->n && rc == LEARN_IMPORT_OK) {
            next = learn_import_rules_group(rules, i);
            rc = learn_import_rules_site(rules, i, next, out);
            learn_import_buf_text(out, (next < rules->n) ? ",\n" : "\n");
            i = next;
        }

        learn_import_buf_text(out, "  ]");
    }

    learn_import_buf_text(out, "\n}\n");

    return out->failed ? LEARN_IMPORT_ERROR : rc;
}


/* takes out the strips that are barred */

static void
learn_import_rules_drop(learn_import_rules_t *rules,
    learn_import_report_t *report)
{
    int                   all;
    size_t                i, n;
    learn_import_rule_t  *rule;

    if (rules->barred.n == 0) {
        return;
    }

    learn_import_list_sort(&rules->barred);

    all = learn_import_list_has(&rules->barred, "*");
    n = 0;

    for (i = 0; i < rules->n; i++) {
        rule = &rules->rules[i];

        if (rule->action != LEARN_IMPORT_STRIP
            || !(all || learn_import_rules_barred(&rules->barred, rule->text)))
        {
            rules->rules[n++] = *rule;
            continue;
        }

        if (!rule->source->dropped) {
            rule->source->dropped = 1;
            report->taken--;
            learn_import_report_add(report, LEARN_IMPORT_UNPLACED,
                                    rule->source);
        }
    }

    rules->n = n;
}


/* a rule on a value is barred with its name */

static int
learn_import_rules_barred(const learn_import_list_t *barred, const char *text)
{
    int     rc;
    size_t  low, high, mid, len;

    len = (*text == '~') ? strlen(text) : strcspn(text, "=");
    low = 0;
    high = barred->n;

    while (low < high) {
        mid = low + (high - low) / 2;
        rc = strncmp(text, barred->item[mid], len);

        if (rc == 0 && barred->item[mid][len] == '\0') {
            return 1;
        }

        if (rc > 0) {
            low = mid + 1;

        } else {
            high = mid;
        }
    }

    return 0;
}


/* the first rule after "i" that holds elsewhere */

static size_t
learn_import_rules_group(const learn_import_rules_t *rules, size_t i)
{
    const char  *key;

    key = rules->rules[i].key;

    while (i < rules->n && strcmp(rules->rules[i].key, key) == 0) {
        i++;
    }

    return i;
}


/* how many hosts there are, those below a host not counted apart */

static learn_import_rc_e
learn_import_rules_count(learn_import_rules_t *rules)
{
    size_t               i, j;
    learn_import_rc_e    rc;
    learn_import_list_t  hosts, all;

    memset(&all, 0, sizeof(learn_import_list_t));

    rc = LEARN_IMPORT_OK;

    for (i = 0; i < rules->n; i = learn_import_rules_group(rules, i)) {
        memset(&hosts, 0, sizeof(learn_import_list_t));

        if (learn_import_rules_split(&rules->mem, rules->rules[i].key, &hosts)
            == NULL)
        {
            return LEARN_IMPORT_ERROR;
        }

        for (j = 0; j < hosts.n && rc == LEARN_IMPORT_OK; j++) {
            rc = learn_import_list_add(&rules->mem, &all,
                                       learn_import_rules_bare(
                                           hosts.item[j]));
        }
    }

    learn_import_list_sort(&all);
    rules->hosts = all.n;

    return rc;
}


static learn_import_rc_e
learn_import_rules_site(learn_import_rules_t *rules, size_t from, size_t to,
    learn_import_buf_t *out)
{
    const char          *rest;
    learn_import_rc_e    rc;
    learn_import_list_t  hosts, paths;

    memset(&hosts, 0, sizeof(learn_import_list_t));
    memset(&paths, 0, sizeof(learn_import_list_t));

    rest = learn_import_rules_split(&rules->mem, rules->rules[from].key,
                                    &hosts);

    if (rest != NULL) {
        rest = learn_import_rules_split(&rules->mem, rest, &paths);
    }

    if (rest == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    learn_import_buf_text(out, "    {\n");

    if (hosts.n > 0) {
        learn_import_rules_list(&hosts, "hosts", out);
    }

    if (paths.n > 0) {
        learn_import_rules_list(&paths, "paths", out);
    }

    rc = learn_import_rules_note(rules, from, to, out);

    learn_import_rules_lists(rules, from, to, "      ", "", out);

    learn_import_buf_text(out, "\n    }");

    return rc;
}


/*
 * Lines of "key" up to an empty one; returns what follows, or NULL if out of
 * memory.
 */

static const char *
learn_import_rules_split(learn_arena_t *mem, const char *key,
    learn_import_list_t *list)
{
    size_t  len;

    while (*key != '\0' && *key != '\n') {
        len = strcspn(key, "\n");

        if (learn_import_list_add(mem, list,
                                  learn_import_copy(mem, key, len))
            != LEARN_IMPORT_OK)
        {
            return NULL;
        }

        key += len + (key[len] == '\n');
    }

    return key + (*key == '\n');
}


static learn_import_rc_e
learn_import_rules_note(learn_import_rules_t *rules, size_t from, size_t to,
    learn_import_buf_t *out)
{
    size_t               i;
    const char          *text;
    learn_import_rc_e    rc;
    learn_import_list_t  notes;

    memset(&notes, 0, sizeof(learn_import_list_t));

    rc = LEARN_IMPORT_OK;

    for (i = from; i < to && rc == LEARN_IMPORT_OK; i++) {
        if (rules->rules[i].note != NULL
            && !learn_import_list_has(&notes, rules->rules[i].note))
        {
            rc = learn_import_list_add(&rules->mem, &notes,
                                       rules->rules[i].note);
        }
    }

    if (notes.n == 0 || rc != LEARN_IMPORT_OK) {
        return rc;
    }

    learn_import_list_sort(&notes);

    text = notes.item[0];

    for (i = 1; i < notes.n; i++) {
        text = learn_import_join(&rules->mem, text, ", ", notes.item[i], NULL);

        if (text == NULL) {
            return LEARN_IMPORT_ERROR;
        }
    }

    learn_import_buf_text(out, "      \"note\": ");
    learn_import_rules_string(out, text);
    learn_import_buf_text(out, ",\n");

    return LEARN_IMPORT_OK;
}


/* "strip" and "except", one rule a line, equal ones once */

static void
learn_import_rules_lists(const learn_import_rules_t *rules, size_t from,
    size_t to, const char *indent, const char *before, learn_import_buf_t *out)
{
    size_t                      i;
    const learn_import_rule_t  *rule, *last;

    last = NULL;

    for (i = from; i < to; i++) {
        rule = &rules->rules[i];

        if (last == NULL || last->action != rule->action) {

            if (last != NULL) {
                learn_import_buf_text(out, "\n");
                learn_import_buf_text(out, indent);
                learn_import_buf_text(out, "],\n");

            } else {
                learn_import_buf_text(out, before);
            }

            learn_import_buf_text(out, indent);
            learn_import_buf_text(out, (rule->action == LEARN_IMPORT_STRIP)
                                       ? "\"strip\": [\n" : "\"except\": [\n");

        } else if (strcmp(last->text, rule->text) == 0) {
            continue;

        } else {
            learn_import_buf_text(out, ",\n");
        }

        learn_import_buf_text(out, indent);
        learn_import_buf_text(out, "  ");
        learn_import_rules_string(out, rule->text);

        last = rule;
    }

    learn_import_buf_text(out, "\n");
    learn_import_buf_text(out, indent);
    learn_import_buf_text(out, "]");
}


/* hosts or paths, on one line if they fit */

static void
learn_import_rules_list(const learn_import_list_t *list, const char *name,
    learn_import_buf_t *out)
{
    size_t       i, width;
    const char  *between, *around;

    width = strlen(name) + 2;

    for (i = 0; i < list->n; i++) {
        width += strlen(list->item[i]) + 4;
    }

    between = (width > LEARN_IMPORT_WIDE) ? ",\n        " : ", ";
    around = (width > LEARN_IMPORT_WIDE) ? "\n        " : "";

    learn_import_buf_text(out, "      \"");
    learn_import_buf_text(out, name);
    learn_import_buf_text(out, "\": [");
    learn_import_buf_text(out, around);

    for (i = 0; i < list->n; i++) {

        if (i > 0) {
            learn_import_buf_text(out, between);
        }

        learn_import_rules_string(out, list->item[i]);
    }

    learn_import_buf_text(out, (*around != '\0') ? "\n      ],\n" : "],\n");
}


/* texts are ASCII by now; of a note, other bytes are of no consequence */

static void
learn_import_rules_string(learn_import_buf_t *out, const char *text)
{
    learn_import_buf_text(out, "\"");

    for ( /* void */ ; *text != '\0'; text++) {

        if (*text == '"' || *text == '\\') {
            learn_import_buf_add(out, "\\", 1);
        }

        learn_import_buf_add(out, (*text < ' ' || *text > '~') ? "?" : text,
                             1);
    }

    learn_import_buf_text(out, "\"");
}


/* a host before those below it */

static int
learn_import_rules_host_cmp(const void *one, const void *two)
{
    int          rc;
    const char  *a, *b;

    a = *(const char *const *) one;
    b = *(const char *const *) two;

    rc = strcmp(learn_import_rules_bare(a), learn_import_rules_bare(b));

    return (rc != 0) ? rc : (*a == '*') - (*b == '*');
}


/* a host, or a key that begins with one, without "*." */

static const char *
learn_import_rules_bare(const char *host)
{
    return (*host == '*') ? host + 2 : host;
}


static int
learn_import_rules_cmp(const void *one, const void *two)
{
    int                         rc;
    const learn_import_rule_t  *a, *b;

    a = one;
    b = two;

    rc = strcmp(learn_import_rules_bare(a->key),
                learn_import_rules_bare(b->key));

    if (rc == 0) {
        rc = strcmp(a->key, b->key);
    }

    if (rc == 0 && a->action != b->action) {
        rc = (a->action < b->action) ? -1 : 1;
    }

    return (rc != 0) ? rc : strcmp(a->text, b->text);
}


void
learn_import_rules_release(learn_import_rules_t *rules)
{
    free(rules->rules);
    learn_arena_release(&rules->mem);
    memset(rules, 0, sizeof(learn_import_rules_t));
}
