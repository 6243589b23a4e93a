
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MODEL_H_INCLUDED_
#define _MODEL_H_INCLUDED_


#include <string.h>

#include "miqps_core.h"
#include "miqps_guard.h"
#include "miqps_regex.h"
#include "miqps_rule.h"


/*
 * THE MODEL
 *
 * The normalizer once more, as plainly as it can be said: every question is
 * answered by looking at everything, nothing is prepared but the texts of the
 * rules, nothing is fast.  It shares no code with the core but the list of
 * the guard's names and what the guard makes of their values.
 *
 * Where the core is free to choose (which of two reasons not to touch a query
 * it names, which of two equal rules it quotes), the model holds all answers
 * that are right.
 */

#define MODEL_MAX_RULES  64
#define MODEL_MAX_TEXT   64      /* bytes of a rule */
#define MODEL_MAX_LEN    (MIQPS_MAX_ARGS + 8)

#define MODEL_MAX_DEPTH  31      /* brackets of a name */


/* the strengths of a rule, strongest first */

typedef enum {
    MODEL_OPERATOR_KEEP = 0,
    MODEL_OPERATOR_STRIP,
    MODEL_KEEP,
    MODEL_STRIP,
    MODEL_EXCEPT,
    MODEL_RANKS
} model_rank_e;


typedef enum {
    MODEL_NAME = 0,
    MODEL_VALUE,
    MODEL_STAR,
    MODEL_REGEX
} model_form_e;


typedef int (*model_regex_pt)(const uint8_t *s, size_t len);


typedef struct {
    const char         *text;
    model_regex_pt      match;
} model_regex_t;


typedef struct {
    const miqps_rule_t *rule;
    model_form_e        form;
    model_rank_e        rank;
    model_regex_pt      regex;
    size_t              left_len;                  /* name, before the star */
    size_t              right_len;                 /* value, behind it */
    size_t              family_len;
    int                 has_family;
    uint8_t             left[3 * MODEL_MAX_TEXT];
    uint8_t             right[3 * MODEL_MAX_TEXT];
    uint8_t             family[3 * MODEL_MAX_TEXT];
} model_rule_t;


typedef struct {
    model_rule_t         rules[MODEL_MAX_RULES];
    size_t               nrules;
    const miqps_scope_t *scopes;
    size_t               nscopes;
} model_policy_t;


typedef struct {
    const uint8_t      *name;
    const uint8_t      *value;
    const uint8_t      *family;
    size_t              name_len;
    size_t              value_len;
    size_t              len;                      /* of the pair */
    size_t              family_len;
    int                 special;                  /* family is not the name */
    uint64_t            hits[MODEL_RANKS];        /* bits of rules */
    uint64_t            general[MODEL_RANKS];     /* those for any value */
    int                 gave_up;
    int                 rank;                     /* that decided, or -1 */
    miqps_action_e      wish;                     /* before the family */
    miqps_action_e      action;
} model_param_t;


typedef struct {
    uint8_t             text[MODEL_MAX_LEN];
    size_t              len;
    uint8_t             pool[MODEL_MAX_LEN];

    size_t              pieces;
    model_param_t       params[MIQPS_MAX_PARAMS + 1];
    size_t              nparams;
    size_t              order[MIQPS_MAX_PARAMS + 1];

    uint32_t            reasons;                  /* bits of miqps_guard_e */
    uint64_t            active;                   /* bits of scopes */
    int                 strict;
    int                 gave_up;

    size_t              nstripped;
    uint8_t             out[MODEL_MAX_LEN];
    size_t              out_len;
} model_t;


#define model_reason(model, guard)                                           \
    (model)->reasons |= UINT32_C(1) << (guard)


/* --- bytes */

static inline int
model_equal(const uint8_t *a, size_t alen, const uint8_t *b, size_t blen)
{
    return alen == blen && (alen == 0 || memcmp(a, b, alen) == 0);
}


static inline int
model_hex(uint8_t c)
{
    const char  *p;

    static const char  digits[] = "0123456789ABCDEF0123456789abcdef";

    p = (c == '\0') ? NULL : strchr(digits, c);

    return (p == NULL) ? -1 : (int) (p - digits) % 16;
}


static inline int
model_unreserved(int c)
{
    return c != '\0'
           && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                     "0123456789-._~", c) != NULL;
}


/* the byte that an escape at "s" stands for, or -1 if there is none */

static inline int
model_escape(const uint8_t *s, size_t left)
{
    if (left < 3 || s[0] != '%' || model_hex(s[1]) < 0 || model_hex(s[2]) < 0)
    {
        return -1;
    }

    return model_hex(s[1]) * 16 + model_hex(s[2]);
}


/* percent-normalizes; what is no escape stays as it is */

static inline size_t
model_normalize(const uint8_t *s, size_t len, uint8_t *out)
{
    int     c;
    size_t  i, n;

    n = 0;

    for (i = 0; i < len; i++) {
        c = model_escape(s + i, len - i);

        if (c < 0) {
            out[n++] = s[i];
            continue;
        }

        if (model_unreserved(c)) {
            out[n++] = (uint8_t) c;

        } else {
            out[n++] = '%';
            out[n++] = (uint8_t) "0123456789ABCDEF"[c / 16];
            out[n++] = (uint8_t) "0123456789ABCDEF"[c % 16];
        }

        i += 2;
    }

    return n;
}


/* as a form parser reads a name */

static inline size_t
model_decode(const uint8_t *s, size_t len, uint8_t *out)
{
    int     c;
    size_t  i, n;

    n = 0;

    for (i = 0; i < len; i++) {
        c = model_escape(s + i, len - i);

        if (c >= 0) {
            out[n++] = (uint8_t) c;
            i += 2;
            continue;
        }

        out[n++] = (s[i] == '+') ? ' ' : s[i];
    }

    return n;
}


/* --- names */

/* true if all of "s" is UTF-8: by the code points, not by the bytes */

static inline int
model_utf8(const uint8_t *s, size_t len)
{
    size_t    i, k, n;
    uint32_t  code;

    for (i = 0; i < len; i += n) {
        n = (s[i] < 0x80) ? 1 : (s[i] >> 5 == 6) ? 2 : (s[i] >> 4 == 14) ? 3
            : (s[i] >> 3 == 30) ? 4 : 0;

        if (n == 0 || n > len - i) {
            return 0;
        }

        code = (n == 1) ? s[i] : s[i] & (0xffu >> (n + 1));

        for (k = 1; k < n; k++) {
            if (s[i + k] >> 6 != 2) {
                return 0;
            }

            code = code << 6 | (s[i + k] & 0x3f);
        }

        if ((n == 2 && code < 0x80) || (n == 3 && code < 0x800)
            || (n == 4 && code < 0x10000) || code > 0x10ffff
            || (code >= 0xd800 && code <= 0xdfff))
        {
            return 0;
        }
    }

    return 1;
}


/* true if a decoded name is "base" or "base[...][...]" */

static inline int
model_brackets(const uint8_t *s, size_t len)
{
    size_t  i, depth;

    for (i = 0; i < len && s[i] != '['; i++) {
        if (s[i] == ']') {
            return 0;
        }
    }

    if (i == 0 && len > 0) {
        return 0;
    }

    for (depth = 0; i < len; depth++) {

        if (s[i] != '[') {
            return 0;
        }

        for (i++; i < len && s[i] != ']'; i++) {
            if (s[i] == '[') {
                return 0;
            }
        }

        if (i == len) {
            return 0;
        }

        i++;
    }

    return depth <= MODEL_MAX_DEPTH;
}


/* the family of a decoded name, in place; returns its length */

static inline size_t
model_family(uint8_t *s, size_t len)
{
    size_t  i;

    for (i = 0; i < len && s[i] != '['; i++) {
        if (s[i] == '.' || s[i] == ' ' || s[i] == '+') {
            s[i] = '_';
        }
    }

    return i;
}


/* the bits of the reasons that a name gives, from its bytes and decoded */

static inline uint32_t
model_name_reasons(const uint8_t *name, size_t len, const uint8_t *plain,
    size_t plain_len)
{
    size_t    i;
    uint32_t  bits;

    bits = 0;

    for (i = 0; i < len; i++) {
        if (name[i] >= 0x80) {
            bits |= 1u << MIQPS_GUARD_NAME_BYTES;
        }
    }

    for (i = 0; i < plain_len; i++) {
        if (plain[i] == '&' || plain[i] == '=') {
            bits |= 1u << MIQPS_GUARD_DELIMITER;
        }
    }

    if (!model_utf8(plain, plain_len)) {
        bits |= 1u << MIQPS_GUARD_NAME_BYTES;
    }

    if (!model_brackets(plain, plain_len)) {
        bits |= 1u << MIQPS_GUARD_BRACKET;
    }

    if (len > 0 && (name[0] == '?' || plain[0] == ' ')) {
        bits |= 1u << MIQPS_GUARD_NAME_START;
    }

    return bits;
}


/* --- the texts of rules */

static inline model_rank_e
model_rank(const miqps_rule_t *rule)
{
    int  operator_says;

    operator_says = (rule->layer == MIQPS_LAYER_OPERATOR);

    switch (rule->action) {

    case MIQPS_KEEP:
        return operator_says ? MODEL_OPERATOR_KEEP : MODEL_KEEP;

    case MIQPS_STRIP:
        return operator_says ? MODEL_OPERATOR_STRIP : MODEL_STRIP;

    default:
        return MODEL_EXCEPT;
    }
}


/* bytes that are not ASCII are escaped in a URL; then as in a query */

static inline size_t
model_literal(const uint8_t *s, size_t len, uint8_t *out)
{
    size_t   i, n;
    uint8_t  escaped[3 * MODEL_MAX_TEXT];

    n = 0;

    for (i = 0; i < len; i++) {

        if (s[i] < 0x80) {
            escaped[n++] = s[i];
            continue;
        }

        escaped[n++] = '%';
        escaped[n++] = (uint8_t) "0123456789ABCDEF"[s[i] / 16];
        escaped[n++] = (uint8_t) "0123456789ABCDEF"[s[i] % 16];
    }

    return model_normalize(escaped, n, out);
}


static inline model_regex_pt
model_find_regex(const model_regex_t *known, const miqps_str_t *text)
{
    for (/* void */ ; known->text != NULL; known++) {
        if (model_equal((const uint8_t *) known->text, strlen(known->text),
                        text->data, text->len))
        {
            return known->match;
        }
    }

    return NULL;
}


static inline void
model_rule(model_rule_t *m, const miqps_rule_t *rule,
    const model_regex_t *known)
{
    size_t       i;
    uint8_t      cut;
    miqps_str_t  text;

    memset(m, 0, sizeof(model_rule_t));

    text = rule->text;
    m->rule = rule;
    m->rank = model_rank(rule);

    if (text.data[0] == '~') {
        m->form = MODEL_REGEX;
        m->regex = model_find_regex(known, &text);
        return;
    }

    cut = (memchr(text.data, '*', text.len) != NULL) ? '*' : '=';

    for (i = 0; i < text.len && text.data[i] != cut; i++) { /* void */ }

    m->left_len = model_literal(text.data, i, m->left);

    if (i < text.len) {
        m->form = (cut == '*') ? MODEL_STAR : MODEL_VALUE;
        m->right_len = model_literal(text.data + i + 1, text.len - i - 1,
                                     m->right);
    }

    if (m->form == MODEL_STAR) {
        return;
    }

    i = model_decode(m->left, m->left_len, m->family);

    if (model_name_reasons(m->left, m->left_len, m->family, i) == 0) {
        m->has_family = 1;
        m->family_len = model_family(m->family, i);
    }
}


static inline void
model_policy_init(model_policy_t *policy, const miqps_rule_t *rules,
    size_t nrules, const miqps_scope_t *scopes, size_t nscopes,
    const model_regex_t *known)
{
    size_t  i;

    for (i = 0; i < nrules; i++) {
        model_rule(&policy->rules[i], &rules[i], known);
    }

    policy->nrules = nrules;
    policy->scopes = scopes;
    policy->nscopes = nscopes;
}


/* --- where rules hold */

static inline int
model_star(const uint8_t *s, size_t len, const uint8_t *left, size_t left_len,
    const uint8_t *right, size_t right_len)
{
    return len >= left_len + right_len
           && model_equal(s, left_len, left, left_len)
           && model_equal(s + len - right_len, right_len, right, right_len);
}


/* how many labels a host has */

static inline size_t
model_labels(const uint8_t *s, size_t len)
{
    size_t  i, n;

    n = (len > 0);

    for (i = 0; i < len; i++) {
        n += (s[i] == '.');
    }

    return n;
}


/* whether "host" is "name" followed by one or two labels */

static inline int
model_host_before(const uint8_t *host, size_t len, const uint8_t *name,
    size_t name_len)
{
    size_t  n;

    if (len <= name_len + 1 || host[name_len] != '.'
        || !model_equal(host, name_len, name, name_len))
    {
        return 0;
    }

    n = model_labels(host + name_len + 1, len - name_len - 1);

    return n == 1 || n == 2;
}


static inline int
model_host(const miqps_str_t *host, const miqps_str_t *pattern)
{
    int             under, before;
    size_t          i, len;
    const uint8_t  *name;

    name = pattern->data;
    len = pattern->len;

    under = (len > 2 && memcmp(name, "*.", 2) == 0);
    name += 2 * under;
    len -= 2 * (size_t) under;

    before = (len > 2 && memcmp(name + len - 2, ".*", 2) == 0);
    len -= 2 * (size_t) before;

    for (i = 0; i < host->len; i++) {

        if (under ? (i == 0 || host->data[i - 1] != '.') : (i > 0)) {
            continue;
        }

        if (before ? model_host_before(host->data + i, host->len - i, name,
                                       len)
                   : model_equal(host->data + i, host->len - i, name, len))
        {
            return 1;
        }
    }

    return 0;
}


/* 1 if a path fits, 0 if not, -1 if a regular expression cannot tell */

static inline int
model_path(const miqps_str_t *path, const miqps_str_t *pattern,
    const model_regex_t *known)
{
    size_t  star;

    if (pattern->data[0] == '~') {
        return (path->len > MIQPS_REGEX_MAX_SUBJECT) ? -1
               : model_find_regex(known, pattern)(path->data, path->len);
    }

    for (star = 0; star < pattern->len && pattern->data[star] != '*'; star++) {
        /* void */
    }

    if (star == pattern->len) {
        return model_equal(path->data, path->len, pattern->data, pattern->len);
    }

    return model_star(path->data, path->len, pattern->data, star,
                      pattern->data + star + 1, pattern->len - star - 1);
}


static inline int
model_in_scope(const miqps_scope_t *scope, const miqps_str_t *host,
    const miqps_str_t *path, const model_regex_t *known)
{
    int       rc;
    uint32_t  i;

    if (scope->platform) {
        return 0;
    }

    for (i = 0; i < scope->nhosts; i++) {
        if (model_host(host, &scope->hosts[i])) {
            break;
        }
    }

    if (scope->nhosts > 0 && i == scope->nhosts) {
        return 0;
    }

    for (i = 0; i < scope->npaths; i++) {
        rc = model_path(path, &scope->paths[i], known);

        if (rc != 0) {
            return rc;
        }
    }

    return scope->npaths == 0;
}


static inline void
model_scopes(model_t *model, const model_policy_t *policy,
    const miqps_str_t *host, const miqps_str_t *path,
    const model_regex_t *known)
{
    int       rc;
    size_t    i, n;
    uint32_t  k;

    model->active = 0;
    model->strict = 0;

    for (i = 0; i < policy->nscopes; i++) {
        rc = model_in_scope(&policy->scopes[i], host, path, known);

        if (rc < 0) {
            model_reason(model, MIQPS_GUARD_SCOPES);
        }

        if (rc <= 0) {
            continue;
        }

        model->active |= UINT64_C(1) << i;

        for (k = 0; k < policy->scopes[i].nplatforms; k++) {
            model->active |= UINT64_C(1) << policy->scopes[i].platforms[k];
        }
    }

    n = 0;

    for (i = 0; i < policy->nscopes; i++) {
        if (model->active >> i & 1) {
            model->strict |= policy->scopes[i].strict;
            n++;
        }
    }

    if (n > MIQPS_MAX_ACTIVE) {
        model_reason(model, MIQPS_GUARD_SCOPES);
    }
}


/* --- splitting */

static inline void
model_bytes(model_t *model, const miqps_str_t *args)
{
    size_t   i;
    uint8_t  c;

    model->pieces = 1;

    for (i = 0; i < args->len; i++) {
        c = args->data[i];

        if (c == '%' && model_escape(args->data + i, args->len - i) < 0) {
            model_reason(model, MIQPS_GUARD_ESCAPE);
        }

        if (model_escape(args->data + i, args->len - i) == 0) {
            model_reason(model, MIQPS_GUARD_NUL);
        }

        if (c == ';') {
            model_reason(model, MIQPS_GUARD_SEMICOLON);
        }

        if (c == '#') {
            model_reason(model, MIQPS_GUARD_FRAGMENT);
        }

        if (c <= ' ' || c == 0x7f) {
            model_reason(model, MIQPS_GUARD_CONTROL);
        }

        model->pieces += (c == '&');
    }

    if (model->pieces > MIQPS_MAX_PARAMS) {
        model_reason(model, MIQPS_GUARD_TOO_MANY);
    }
}


/*
 * What is not UTF-8: raw bytes always, escapes if something is to change.
 * Escapes one behind the other are read together, apart from what is raw.
 */

static inline void
model_text(model_t *model, const miqps_str_t *args)
{
    int             changed;
    size_t          i, n;

    static uint8_t  run[MODEL_MAX_LEN];

    changed = !model_equal(model->text, model->len, args->data, args->len);

    if (!model_utf8(model->text, model->len)) {
        model_reason(model, MIQPS_GUARD_VALUE_BYTES);
    }

    for (i = 0; i < args->len; i++) {

        for (n = 0; model_escape(args->data + i, args->len - i) >= 0; i += 3) {
            run[n++] = (uint8_t) model_escape(args->data + i, args->len - i);
        }

        if (changed && !model_utf8(run, n)) {
            model_reason(model, MIQPS_GUARD_VALUE_BYTES);
        }
    }
}


/* what qs would take for the end of a name, inside a value */

static inline void
model_value(model_t *model, const uint8_t *value, size_t len)
{
    size_t  i;

    for (i = 0; i < len; i++) {
        if ((len - i >= 2 && memcmp(value + i, "]=", 2) == 0)
            || (len - i >= 4 && memcmp(value + i, "%5D=", 4) == 0))
        {
            model_reason(model, MIQPS_GUARD_VALUE_SPLIT);
        }
    }
}


static inline void
model_piece(model_t *model, const uint8_t *s, size_t len, uint8_t *pool)
{
    size_t          plain;
    model_param_t  *param;

    param = &model->params[model->nparams++];

    memset(param, 0, sizeof(model_param_t));

    param->name = s;
    param->len = len;
    param->value = s + len;

    while (param->name_len < len && s[param->name_len] != '=') {
        param->name_len++;
    }

    if (param->name_len < len) {
        param->value = s + param->name_len + 1;
        param->value_len = len - param->name_len - 1;
        model_value(model, param->value, param->value_len);
    }

    plain = model_decode(s, param->name_len, pool);

    model->reasons |= model_name_reasons(s, param->name_len, pool, plain);

    param->family = pool;
    param->family_len = model_family(pool, plain);
    param->special = !model_equal(s, param->name_len, pool,
                                  param->family_len);
}


static inline void
model_split(model_t *model)
{
    size_t  start, end;

    model->nparams = 0;

    for (start = 0; start <= model->len; start = end + 1) {

        end = start;

        while (end < model->len && model->text[end] != '&') {
            end++;
        }

        if (end > start && model->nparams <= MIQPS_MAX_PARAMS) {
            /* a piece's own place is room enough for its family */
            model_piece(model, model->text + start, end - start,
                        model->pool + start);
        }
    }
}


/* --- deciding */

/* "password" of "user[password]", or the whole of a name without brackets */

static inline miqps_str_t
model_inner(const model_param_t *param)
{
    size_t       i, end;
    miqps_str_t  inner;

    end = param->name_len;
    end -= (end >= 1 && param->name[end - 1] == ']') ? 1
           : (end >= 3 && memcmp(param->name + end - 3, "%5D", 3) == 0) ? 3
           : 0;

    inner.data = param->name;

    for (i = 1; i <= end; i++) {
        if (param->name[i - 1] == '['
            || (i >= 3 && memcmp(param->name + i - 3, "%5B", 3) == 0))
        {
            inner.data = param->name + i;
        }
    }

    inner.len = (size_t) (param->name + end - inner.data);

    return inner;
}


/* whether a name of the guard, or what begins with it, is meant */

static inline int
model_guarded(const model_param_t *param, const miqps_str_t *inner,
    const miqps_str_t *text)
{
    size_t  len;

    len = text->len;

    if (text->data[len - 1] == '*') {
        return model_star(param->name, param->name_len, text->data, len - 1,
                          NULL, 0);
    }

    if (model_equal(param->name, param->name_len, text->data, len)) {
        return 1;
    }

    return param->special
           && (model_equal(param->family, param->family_len, text->data, len)
               || miqps_str_eq(inner, text));
}


static inline void
model_secrets(model_t *model)
{
    size_t                     i, k, n;
    uint32_t                   seen, marks;
    miqps_str_t                value, inner;
    miqps_guard_e              guard;
    const model_param_t       *param;
    const miqps_guard_name_t  *names;

    names = miqps_guard_names(&n);
    seen = 0;

    for (i = 0; i < model->nparams; i++) {
        param = &model->params[i];
        inner = model_inner(param);
        marks = 0;

        for (k = 0; k < n; k++) {
            if (model_guarded(param, &inner, &names[k].text)) {
                marks |= names[k].marks;
            }
        }

        value.data = param->value;
        value.len = param->value_len;

        if (marks != 0) {
            miqps_guard_note(&seen, marks, &value);
        }
    }

    guard = miqps_guard_judge(seen);

    if (guard != MIQPS_GUARD_PASS) {
        model_reason(model, guard);
    }
}


/* whether the name or value of a rule, or its star, fits a parameter */

static inline int
model_fits(const model_rule_t *m, const model_param_t *param)
{
    int  keeps, same;

    keeps = (m->rule->action == MIQPS_KEEP);

    if (m->form == MODEL_STAR) {
        return model_star(param->name, param->name_len, m->left, m->left_len,
                          m->right, m->right_len)
               || (keeps && param->special
                   && model_star(param->family, param->family_len, m->left,
                                 m->left_len, m->right, m->right_len));
    }

    same = model_equal(param->name, param->name_len, m->left, m->left_len);

    if (same && (m->form == MODEL_NAME
                 || (param->name_len < param->len
                     && model_equal(param->value, param->value_len, m->right,
                                    m->right_len))))
    {
        return 1;
    }

    /* a keep keeps the family, whatever its values are */

    return keeps && m->has_family && (param->special || !same)
           && model_equal(param->family, param->family_len, m->family,
                          m->family_len);
}


/* a regular expression is not asked where a rule for any value has spoken */

static inline void
model_regexes(const model_policy_t *policy, const model_t *model,
    model_param_t *param)
{
    size_t               i;
    uint64_t             plain[MODEL_RANKS];
    const model_rule_t  *m;

    memcpy(plain, param->general, sizeof(plain));

    for (i = 0; i < policy->nrules; i++) {
        m = &policy->rules[i];

        if (m->form != MODEL_REGEX || !(model->active >> m->rule->scope & 1)) {
            continue;
        }

        if (param->name_len > MIQPS_REGEX_MAX_SUBJECT) {
            param->gave_up |= (plain[m->rank] == 0);
            continue;
        }

        if (m->regex(param->name, param->name_len)
            || (m->rule->action == MIQPS_KEEP && param->special
                && m->regex(param->family, param->family_len)))
        {
            param->hits[m->rank] |= UINT64_C(1) << i;
            param->general[m->rank] |= UINT64_C(1) << i;
        }
    }
}


static inline void
model_collect(const model_policy_t *policy, const model_t *model,
    model_param_t *param)
{
    size_t               i;
    const model_rule_t  *m;

    for (i = 0; i < policy->nrules; i++) {
        m = &policy->rules[i];

        if (m->form != MODEL_REGEX && (model->active >> m->rule->scope & 1)
            && model_fits(m, param))
        {
            param->hits[m->rank] |= UINT64_C(1) << i;

            if (m->form != MODEL_VALUE) {
                param->general[m->rank] |= UINT64_C(1) << i;
            }
        }
    }

    model_regexes(policy, model, param);
}


/* the precedence, from the strongest down */

static inline void
model_wish(const model_t *model, model_param_t *param)
{
    param->wish = MIQPS_KEEP;
    param->rank = -1;

    if (param->hits[MODEL_OPERATOR_KEEP] != 0) {
        param->rank = MODEL_OPERATOR_KEEP;

    } else if (model->gave_up) {
        return;

    } else if (param->hits[MODEL_OPERATOR_STRIP] != 0) {
        param->rank = MODEL_OPERATOR_STRIP;
        param->wish = MIQPS_STRIP;

    } else if (param->hits[MODEL_KEEP] != 0) {
        param->rank = MODEL_KEEP;

    } else if (model->strict) {
        param->wish = MIQPS_STRIP;

    } else if (param->hits[MODEL_STRIP] != 0) {

        if (param->hits[MODEL_EXCEPT] != 0) {
            param->rank = MODEL_EXCEPT;

        } else {
            param->rank = MODEL_STRIP;
            param->wish = MIQPS_STRIP;
        }
    }
}


static inline int
model_same_family(const model_param_t *a, const model_param_t *b)
{
    return model_equal(a->family, a->family_len, b->family, b->family_len);
}


/* a family goes as a whole, under one name, by rules for any value */

static inline miqps_action_e
model_settle(const model_t *model, const model_param_t *param)
{
    size_t                i;
    const model_param_t  *other;

    if (param->wish == MIQPS_KEEP) {
        return MIQPS_KEEP;
    }

    for (i = 0; i < model->nparams; i++) {
        other = &model->params[i];

        if (other == param || !model_same_family(param, other)) {
            continue;
        }

        if (other->wish == MIQPS_KEEP
            || !model_equal(param->name, param->name_len, other->name,
                            other->name_len)
            || (param->rank >= 0 && param->general[param->rank] == 0)
            || (other->rank >= 0 && other->general[other->rank] == 0))
        {
            return MIQPS_KEEP;
        }
    }

    return MIQPS_STRIP;
}


/* --- the result */

static inline int
model_less(const model_param_t *a, const model_param_t *b)
{
    int     rc;
    size_t  len;

    len = (a->family_len < b->family_len) ? a->family_len : b->family_len;
    rc = (len > 0) ? memcmp(a->family, b->family, len) : 0;

    return rc < 0 || (rc == 0 && a->family_len < b->family_len);
}


static inline void
model_sort(model_t *model)
{
    size_t  i, k, moved;

    for (i = 1; i < model->nparams; i++) {
        moved = model->order[i];

        for (k = i; k > 0; k--) {
            if (!model_less(&model->params[moved],
                            &model->params[model->order[k - 1]]))
            {
                break;
            }

            model->order[k] = model->order[k - 1];
        }

        model->order[k] = moved;
    }
}


static inline void
model_emit(model_t *model)
{
    size_t                i, kept;
    const model_param_t  *param, *last;

    kept = 0;
    last = NULL;
    model->out_len = 0;

    for (i = 0; i < model->nparams; i++) {
        param = &model->params[model->order[i]];

        if (param->action == MIQPS_STRIP) {
            continue;
        }

        if (kept++ > 0) {
            model->out[model->out_len++] = '&';
        }

        memcpy(model->out + model->out_len, param->name, param->len);
        model->out_len += param->len;
        last = param;
    }

    /* a lone word stays no lone word */

    if (kept == 1 && last->len == last->name_len && model->pieces > 1) {
        model->out[model->out_len++] = '&';
    }
}


static inline void
model_decide(model_t *model, const model_policy_t *policy)
{
    size_t          i;
    model_param_t  *param;

    model->gave_up = 0;
    model->nstripped = 0;

    for (i = 0; i < model->nparams; i++) {
        model_collect(policy, model, &model->params[i]);
        model->gave_up |= model->params[i].gave_up;
    }

    for (i = 0; i < model->nparams; i++) {
        model_wish(model, &model->params[i]);
    }

    for (i = 0; i < model->nparams; i++) {
        param = &model->params[i];
        param->action = model_settle(model, param);
        model->nstripped += (param->action == MIQPS_STRIP);
        model->order[i] = i;
    }
}


static inline void
model_run(model_t *model, const model_policy_t *policy,
    const model_regex_t *known, const miqps_str_t *host,
    const miqps_str_t *path, const miqps_str_t *args, int sort)
{
    model->reasons = 0;
    model->nparams = 0;
    model->nstripped = 0;

    if (args->len > MIQPS_MAX_ARGS) {
        model_reason(model, MIQPS_GUARD_TOO_LONG);
        return;
    }

    model->len = model_normalize(args->data, args->len, model->text);

    model_bytes(model, args);
    model_text(model, args);
    model_split(model);

    if (model->reasons != 0) {
        return;
    }

    if (args->len > 0) {
        model_scopes(model, policy, host, path, known);
        model_secrets(model);
    }

    if (model->reasons != 0) {
        return;
    }

    model_decide(model, policy);

    if (sort) {
        model_sort(model);
    }

    model_emit(model);
}


#endif /* _MODEL_H_INCLUDED_ */
