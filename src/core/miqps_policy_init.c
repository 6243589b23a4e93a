
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_escape.h"
#include "miqps_family.h"
#include "miqps_hash.h"
#include "miqps_policy_data.h"


/* what compiling needs at hand */

typedef struct {
    miqps_policy_t         *policy;
    const miqps_mem_t      *mem;
    miqps_fault_t          *fault;
} miqps_build_t;


static miqps_rc_e  miqps_policy_build(miqps_build_t *b,
    const miqps_rule_t *rules, size_t nrules);
static miqps_rc_e  miqps_policy_add_guard(miqps_build_t *b);
static miqps_rc_e  miqps_policy_add_rule(miqps_build_t *b,
    const miqps_rule_t *rule);
static miqps_rc_e  miqps_policy_add_name(miqps_build_t *b,
    miqps_term_t *term, const miqps_str_t *name);
static miqps_rc_e  miqps_policy_add_regex(miqps_build_t *b,
    miqps_term_t *term, const miqps_str_t *text);
static void  miqps_policy_add_star(miqps_build_t *b, miqps_term_t *term);
static void  miqps_policy_hang(miqps_policy_t *policy, miqps_term_t *term,
    const miqps_str_t *name);
static uint64_t  miqps_policy_take(miqps_policy_t *policy,
    const miqps_str_t *name);
static void  *miqps_policy_zeroes(miqps_build_t *b, size_t n, size_t size);
static void  miqps_policy_filter(miqps_filter_t *filter,
    const miqps_str_t *prefix);
static miqps_term_t  *miqps_policy_term(miqps_build_t *b,
    const miqps_rule_t *rule);
static miqps_rc_e  miqps_policy_literal(miqps_build_t *b,
    const miqps_str_t *text, miqps_str_t *literal);
static miqps_rc_e  miqps_policy_check_text(const miqps_str_t *text,
    miqps_fault_t *fault);


miqps_rc_e
miqps_policy_init(miqps_policy_t **policy, const miqps_rule_t *rules,
    size_t nrules, const miqps_scope_t *scopes, size_t nscopes,
    const miqps_mem_t *mem, miqps_fault_t *fault)
{
    miqps_rc_e       rc;
    miqps_build_t    b;
    miqps_policy_t  *p;

    p = mem->alloc(mem->data, sizeof(miqps_policy_t));

    if (p == NULL) {
        return MIQPS_NO_MEMORY;
    }

    memset(p, 0, sizeof(miqps_policy_t));

    rc = miqps_regex_work_init(&p->work);

    if (rc != MIQPS_OK) {
        return rc;
    }

    b.policy = p;
    b.mem = mem;
    b.fault = fault;

    rc = miqps_scope_table_init(&p->scopes, scopes, nscopes, mem, &p->work,
                                fault);

    if (rc == MIQPS_OK) {
        rc = miqps_policy_build(&b, rules, nrules);
    }

    if (rc != MIQPS_OK) {
        miqps_policy_release(p);
        return rc;
    }

    *policy = p;

    return MIQPS_OK;
}


void
miqps_policy_release(miqps_policy_t *policy)
{
    size_t         i;
    miqps_term_t  *term;

    for (i = 0; policy->regexes != NULL && i < policy->scopes.nscopes; i++) {
        for (term = policy->regexes[i]; term != NULL; term = term->next) {
            miqps_regex_release(&term->regex);
        }
    }

    miqps_scope_table_release(&policy->scopes);
    miqps_regex_work_release(&policy->work);

    policy->regexes = NULL;
}


miqps_rc_e
miqps_policy_check_rule(const miqps_str_t *text, miqps_fault_t *fault)
{
    miqps_rc_e          rc;
    miqps_regex_t       regex;
    miqps_regex_work_t  work;

    rc = miqps_policy_check_text(text, fault);

    if (rc != MIQPS_OK || text->data[0] != '~') {
        return rc;
    }

    rc = miqps_regex_work_init(&work);

    if (rc != MIQPS_OK) {
        return rc;
    }

    rc = miqps_regex_init(&regex, text, &work, fault);

    if (rc == MIQPS_OK) {
        miqps_regex_release(&regex);
    }

    miqps_regex_work_release(&work);

    return rc;
}


miqps_rc_e
miqps_policy_check_host(const miqps_str_t *text, miqps_fault_t *fault)
{
    return miqps_scope_check_host(text, fault);
}


miqps_rc_e
miqps_policy_check_path(const miqps_str_t *text, miqps_fault_t *fault)
{
    miqps_rc_e          rc;
    miqps_regex_work_t  work;

    rc = miqps_regex_work_init(&work);

    if (rc != MIQPS_OK) {
        return rc;
    }

    rc = miqps_scope_check_path(text, &work, fault);

    miqps_regex_work_release(&work);

    return rc;
}


static miqps_rc_e
miqps_policy_build(miqps_build_t *b, const miqps_rule_t *rules, size_t nrules)
{
    size_t           i, nguard, nscoped, nnames, npairs;
    miqps_rc_e       rc;
    miqps_policy_t  *policy;

    policy = b->policy;

    (void) miqps_guard_names(&nguard);

    nscoped = 0;

    for (i = 0; i < nrules; i++) {
        nscoped += (rules[i].scope != MIQPS_SCOPE_ANY);
    }

    /* a keep takes two places, one for the name and one for its family */

    policy->names_shift = miqps_hash_shift(nguard + 2 * nrules);
    policy->pairs_shift = miqps_hash_shift(2 * nscoped);
    policy->nobody.rank = MIQPS_RANK_NONE;

    nnames = miqps_hash_size(policy->names_shift);
    npairs = miqps_hash_size(policy->pairs_shift);

    policy->names = miqps_policy_zeroes(b, nnames, sizeof(miqps_name_t));
    policy->pairs = miqps_policy_zeroes(b, npairs, sizeof(miqps_pair_t));
    policy->regexes = miqps_policy_zeroes(b, policy->scopes.nscopes,
                                          sizeof(miqps_term_t *));

    if (policy->names == NULL || policy->pairs == NULL
        || policy->regexes == NULL)
    {
        return MIQPS_NO_MEMORY;
    }

    for (i = 0; i < nnames; i++) {
        policy->names[i].any.verdict = policy->nobody;
    }

    for (i = 0; i < npairs; i++) {
        policy->pairs[i].entry.verdict = policy->nobody;
    }

    rc = miqps_policy_add_guard(b);

    for (i = 0; i < nrules && rc == MIQPS_OK; i++) {
        rc = miqps_policy_add_rule(b, &rules[i]);
    }

    return rc;
}


static void *
miqps_policy_zeroes(miqps_build_t *b, size_t n, size_t size)
{
    void  *p;

    p = b->mem->alloc(b->mem->data, n * size);

    if (p != NULL) {
        memset(p, 0, n * size);
    }

    return p;
}


static miqps_rc_e
miqps_policy_add_guard(miqps_build_t *b)
{
    size_t                     i, n;
    uint64_t                   place;
    miqps_term_t              *term;
    const miqps_guard_name_t  *names;

    names = miqps_guard_names(&n);

    for (i = 0; i < n; i++) {

        if (names[i].text.data[names[i].text.len - 1] != '*') {
            place = miqps_policy_take(b->policy, &names[i].text);
            b->policy->names[place].marks |= names[i].marks;
            continue;
        }

        term = miqps_policy_term(b, NULL);

        if (term == NULL) {
            return MIQPS_NO_MEMORY;
        }

        term->marks = names[i].marks;

        (void) miqps_glob_init(&term->glob, &names[i].text);

        miqps_policy_add_star(b, term);
    }

    return MIQPS_OK;
}


static miqps_rc_e
miqps_policy_add_rule(miqps_build_t *b, const miqps_rule_t *rule)
{
    miqps_rc_e      rc;
    miqps_str_t     text;
    miqps_term_t   *term;
    const uint8_t  *equals;

    rc = miqps_policy_check_text(&rule->text, b->fault);

    if (rc != MIQPS_OK) {
        return rc;
    }

    term = miqps_policy_term(b, rule);

    if (term == NULL) {
        return MIQPS_NO_MEMORY;
    }

    if (rule->text.data[0] == '~') {
        return miqps_policy_add_regex(b, term, &rule->text);
    }

    rc = miqps_policy_literal(b, &rule->text, &text);

    if (rc != MIQPS_OK) {
        return rc;
    }

    (void) miqps_glob_init(&term->glob, &text);

    if (term->glob.star) {
        term->verdict.why = MIQPS_WHY_WILDCARD;
        miqps_policy_add_star(b, term);
        return MIQPS_OK;
    }

    term->verdict.why = MIQPS_WHY_NAME;

    equals = memchr(text.data, '=', text.len);

    if (equals != NULL) {
        term->verdict.why = MIQPS_WHY_VALUE;
        term->value.data = equals + 1;
        term->value.len = text.len - (size_t) (equals + 1 - text.data);
        text.len = (size_t) (equals - text.data);
    }

    return miqps_policy_add_name(b, term, &text);
}


/* a term by its name and, if it keeps, by the family of the name as well */

static miqps_rc_e
miqps_policy_add_name(miqps_build_t *b, miqps_term_t *term,
    const miqps_str_t *name)
{
    uint8_t       *pool;
    miqps_str_t    family;
    miqps_term_t  *twin;

    miqps_policy_hang(b->policy, term, name);

    if (!miqps_term_keeps(term)) {
        return MIQPS_OK;
    }

    pool = b->mem->alloc(b->mem->data, name->len + 1);

    if (pool == NULL) {
        return MIQPS_NO_MEMORY;
    }

    if (miqps_family_of(name, pool, &family) != MIQPS_GUARD_PASS
        || miqps_str_eq(name, &family))
    {
        return MIQPS_OK;
    }

    twin = miqps_policy_term(b, term->verdict.rule);

    if (twin == NULL) {
        return MIQPS_NO_MEMORY;
    }

    twin->verdict.why = MIQPS_WHY_FAMILY;

    miqps_policy_hang(b->policy, twin, &family);

    return MIQPS_OK;
}


/* hangs a term where a name is looked up */

static void
miqps_policy_hang(miqps_policy_t *policy, miqps_term_t *term,
    const miqps_str_t *name)
{
    uint32_t        more;
    uint64_t        place;
    miqps_pair_t   *pair;
    miqps_entry_t  *entry;

    place = miqps_policy_take(policy, name);
    entry = &policy->names[place].any;

    if (term->scope != MIQPS_SCOPE_ANY) {
        pair = miqps_policy_pair(policy, term->scope, place);
        pair->id = miqps_pair_id(term->scope, place);

        entry = &pair->entry;
    }

    /* what an exception means depends on the others */

    more = entry->verdict.more;
    more |= (entry->terms != NULL || term->verdict.why == MIQPS_WHY_VALUE
             || term->verdict.rank == MIQPS_RANK_EXCEPT);

    entry->verdict = term->verdict;
    entry->verdict.more = more;

    term->next = entry->terms;
    entry->terms = term;
}


static miqps_rc_e
miqps_policy_add_regex(miqps_build_t *b, miqps_term_t *term,
    const miqps_str_t *text)
{
    miqps_rc_e  rc;

    rc = miqps_regex_init(&term->regex, text, &b->policy->work, b->fault);

    if (rc != MIQPS_OK) {
        return rc;
    }

    term->verdict.why = MIQPS_WHY_REGEX;

    if (term->verdict.layer == MIQPS_LAYER_RULES) {
        term->verdict.layer = MIQPS_LAYER_REGEX;
    }

    term->next = b->policy->regexes[term->scope];
    b->policy->regexes[term->scope] = term;
    b->policy->some_regex = 1;

    return MIQPS_OK;
}


static void
miqps_policy_add_star(miqps_build_t *b, miqps_term_t *term)
{
    miqps_str_t     ones, *prefix;
    miqps_term_t  **chain;

    static const uint8_t  bytes[] = "\xff\xff\xff\xff\xff\xff\xff\xff";

    prefix = &term->glob.prefix;

    chain = (prefix->len > 0) ? &b->policy->stars[prefix->data[0]]
                              : &b->policy->any_star;

    ones.data = bytes;
    ones.len = (prefix->len < 8) ? prefix->len : 8;

    term->key = miqps_family_key(prefix->data, prefix->len);
    term->mask = miqps_family_key(ones.data, ones.len);

    /* what an exception means depends on the others */

    term->verdict.more = (term->scope != MIQPS_SCOPE_ANY || prefix->len > 8
                          || term->glob.suffix.len > 0 || term->marks != 0
                          || term->verdict.rank == MIQPS_RANK_EXCEPT);

    term->next = *chain;
    *chain = term;

    if (prefix->len == 0) {
        return;
    }

    miqps_policy_filter(&b->policy->filter, prefix);

    if (term->verdict.rule == NULL || term->verdict.rank < MIQPS_RANK_STRICT) {
        miqps_policy_filter(&b->policy->strict, prefix);
    }
}


/* lets names through that may begin with a prefix */

static void
miqps_policy_filter(miqps_filter_t *filter, const miqps_str_t *prefix)
{
    filter->third[prefix->data[0]]
        |= (prefix->len < 3) ? UINT64_MAX
                             : UINT64_C(1) << (prefix->data[2] & 63);
}


/* the place of a name, which may be a new one */

static uint64_t
miqps_policy_take(miqps_policy_t *policy, const miqps_str_t *name)
{
    uint64_t       key, rest, place;
    miqps_name_t  *taken;

    key = miqps_family_key(name->data, name->len);
    rest = miqps_policy_rest(name->data, name->len);

    place = miqps_policy_place(policy, name->data, name->len, key, rest);

    taken = &policy->names[place];

    taken->taken = UINT64_MAX;
    taken->len = (uint32_t) name->len;
    taken->key = key;
    taken->rest = rest;
    taken->name = name->data;

    return place;
}


static miqps_term_t *
miqps_policy_term(miqps_build_t *b, const miqps_rule_t *rule)
{
    int               operator;
    miqps_term_t     *term;
    miqps_verdict_t  *verdict;

    term = b->mem->alloc(b->mem->data, sizeof(miqps_term_t));

    if (term == NULL) {
        return NULL;
    }

    memset(term, 0, sizeof(miqps_term_t));

    if (rule == NULL) {
        return term;
    }

    term->scope = rule->scope;

    verdict = &term->verdict;
    operator = (rule->layer == MIQPS_LAYER_OPERATOR);

    verdict->rule = rule;
    verdict->layer = (uint8_t) rule->layer;
    verdict->action = MIQPS_KEEP;

    switch (rule->action) {

    case MIQPS_KEEP:
        verdict->rank = operator ? MIQPS_RANK_OPERATOR_KEEP : MIQPS_RANK_KEEP;
        break;

    case MIQPS_STRIP:
        verdict->rank = operator ? MIQPS_RANK_OPERATOR_STRIP
                                 : MIQPS_RANK_STRIP;
        verdict->action = MIQPS_STRIP;
        break;

    case MIQPS_EXCEPT:
        verdict->rank = MIQPS_RANK_EXCEPT;
        break;
    }

    return term;
}


/*
 * The text of a rule as a query would show it: bytes that are not ASCII are
 * escaped, as browsers do, and escapes are normalized.
 */

static miqps_rc_e
miqps_policy_literal(miqps_build_t *b, const miqps_str_t *text,
    miqps_str_t *literal)
{
    size_t       i;
    uint8_t     *p, *out;
    miqps_str_t  escaped;

    p = b->mem->alloc(b->mem->data, 6 * text->len);

    if (p == NULL) {
        return MIQPS_NO_MEMORY;
    }

    out = p + 3 * text->len;
    escaped.data = p;

    for (i = 0; i < text->len; i++) {

        if (text->data[i] < 0x80) {
            *p++ = text->data[i];
            continue;
        }

        *p++ = '%';
        *p++ = (uint8_t) "0123456789ABCDEF"[text->data[i] >> 4];
        *p++ = (uint8_t) "0123456789ABCDEF"[text->data[i] & 0x0f];
    }

    escaped.len = (size_t) (p - escaped.data);

    (void) miqps_escape_normalize(&escaped, out, literal);

    return MIQPS_OK;
}


static miqps_rc_e
miqps_policy_check_text(const miqps_str_t *text, miqps_fault_t *fault)
{
    size_t          i;
    uint8_t         buf[MIQPS_MAX_RULE];
    miqps_str_t     literal;
    miqps_glob_t    glob;
    const uint8_t  *equals;

    if (text->len == 0 || (text->len == 1 && text->data[0] == '~')
        || (text->len == 2 && memcmp(text->data, "~*", 2) == 0))
    {
        miqps_fault_set(fault, text, 0, "is empty");
        return MIQPS_SYNTAX;
    }

    if (text->len > MIQPS_MAX_RULE) {
        miqps_fault_set(fault, text, 0, "is longer than 4096 bytes");
        return MIQPS_TOO_LONG;
    }

    if (text->data[0] == '~') {
        return MIQPS_OK;
    }

    for (i = 0; i < text->len; i++) {
        if (text->data[i] <= ' ' || text->data[i] == '&') {
            miqps_fault_set(fault, text, i, "holds a space or \"&\"; write the "
                            "name as it stands in a URL");
            return MIQPS_SYNTAX;
        }
    }

    if (miqps_escape_normalize(text, buf, &literal) != MIQPS_GUARD_PASS) {
        miqps_fault_set(fault, text, 0, "has a \"%\" that is not followed by "
                        "two hex digits, or \"%00\"");
        return MIQPS_SYNTAX;
    }

    equals = memchr(text->data, '=', text->len);

    if (miqps_glob_init(&glob, text) != MIQPS_OK) {
        miqps_fault_set(fault, text, 0, "has more than one \"*\"; "
                        "write a regular expression, \"~...\"");
        return MIQPS_SYNTAX;
    }

    if (equals != NULL && glob.star) {
        miqps_fault_set(fault, text, 0, "has both \"=\" and \"*\"; a rule on "
                        "a value takes the exact name and value");
        return MIQPS_SYNTAX;
    }

    return MIQPS_OK;
}
