
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE
#define PCRE2_CODE_UNIT_WIDTH  8

#include <dlfcn.h>
#include <pcre2.h>

#include "unit.h"

#include "../support/split.h"
#include "miqps_policy.h"


/* of no interest here */

static unsigned  gave_up;


#define MAX_RULES  8


typedef struct {
    const char      *text;
    miqps_action_e   action;
    miqps_layer_e    layer;
    uint32_t         scope;
} rule_t;


#define OPERATOR_KEEP(s)   { s, MIQPS_KEEP,   MIQPS_LAYER_OPERATOR, 0 }
#define OPERATOR_STRIP(s)  { s, MIQPS_STRIP,  MIQPS_LAYER_OPERATOR, 0 }
#define KEEP(s)            { s, MIQPS_KEEP,   MIQPS_LAYER_RULES,    0 }
#define STRIP(s)           { s, MIQPS_STRIP,  MIQPS_LAYER_RULES,    0 }
#define EXCEPT(s)          { s, MIQPS_EXCEPT, MIQPS_LAYER_RULES,    0 }
#define TRACKING(s)        { s, MIQPS_STRIP,  MIQPS_LAYER_TRACKING, 0 }
#define PLATFORM(s)        { s, MIQPS_KEEP,   MIQPS_LAYER_PLATFORM, 0 }


/* rules, one parameter, and the verdict on it */

typedef struct {
    const char      *sentence;
    rule_t           rules[4];
    const char      *args;
    miqps_action_e   action;
    miqps_layer_e    layer;
    miqps_why_e      why;
} verdict_row_t;


typedef struct {
    const char      *sentence;
    const char      *text;
    miqps_rc_e       rc;
} check_row_t;


static const verdict_row_t  verdict_rows[] = {
    { "a parameter nobody names stays", { STRIP("b") }, "a=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },

    /* forms of a strip */

    { "a name strips that name", { STRIP("a") }, "a=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "a name strips a name without a value", { STRIP("a") }, "a",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "a name does not strip an array", { STRIP("a") }, "a[]=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "a name does not strip another case", { STRIP("a") }, "A=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "an array strips the array", { STRIP("a[]") }, "a[]=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "escapes of a rule are normalized", { STRIP("%61") }, "a=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "hex digits of a rule are normalized", { STRIP("a%5b%5d") },
      "a%5B%5D=1", MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "letters above ASCII are escaped in a rule", { STRIP("\xc3\xa9") },
      "%C3%A9=1", MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "a star strips", { STRIP("utm_*") }, "utm_source=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a star in front strips", { STRIP("*id") }, "gclid=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a star in front strips the empty name", { STRIP("*") }, "=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a star behind a long beginning strips", { STRIP("longer_than_*") },
      "longer_than_eight=1", MIQPS_STRIP, MIQPS_LAYER_RULES,
      MIQPS_WHY_WILDCARD },
    { "a star behind another long beginning misses",
      { STRIP("longer_than_*") }, "longer_than.eight=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "a star amid strips", { STRIP("a*z") }, "abcz=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a star amid misses", { STRIP("a*z") }, "abc=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "a star with another beginning misses", { STRIP("utm_*") }, "utmx=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "letters above ASCII are escaped with a star", { STRIP("\xc3\xa9*") },
      "%C3%A9x=1", MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a regular expression strips", { STRIP("~^utm_") }, "utm_source=1",
      MIQPS_STRIP, MIQPS_LAYER_REGEX, MIQPS_WHY_REGEX },
    { "a regular expression may miss", { STRIP("~^utm_") }, "a=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "a regular expression may ignore case", { STRIP("~*^utm_") },
      "UTM_source=1", MIQPS_STRIP, MIQPS_LAYER_REGEX, MIQPS_WHY_REGEX },
    { "one of trackers stays with them", { TRACKING("~^utm_") }, "utm_a",
      MIQPS_STRIP, MIQPS_LAYER_TRACKING, MIQPS_WHY_REGEX },
    { "one of the operator stays with him", { OPERATOR_STRIP("~^utm_") },
      "utm_a", MIQPS_STRIP, MIQPS_LAYER_OPERATOR, MIQPS_WHY_REGEX },
    { "a tilde is a name when it is escaped", { STRIP("%7Ea") }, "~a",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "the empty name has a rule", { STRIP("=1") }, "=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_VALUE },

    { "a long name is not another with the same ends",
      { STRIP("same_ends_1_same_ends") }, "same_ends_2_same_ends=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "a long name is itself", { STRIP("same_ends_1_same_ends") },
      "same_ends_1_same_ends=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },

    /* values */

    { "a value strips with this value", { STRIP("page=1") }, "page=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_VALUE },
    { "a value does not strip another value", { STRIP("page=1") }, "page=2",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "a value does not strip a longer value", { STRIP("page=1") },
      "page=10", MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "an empty value strips the empty value", { STRIP("page=") }, "page=",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_VALUE },
    { "an empty value does not strip no value", { STRIP("page=") }, "page",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "escapes of a value are normalized", { STRIP("page=%31") }, "page=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_VALUE },
    { "a value may hold an equals sign", { STRIP("a=b=c") }, "a=b=c",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_VALUE },
    { "any value is worth more than one, in this order",
      { STRIP("a"), STRIP("a=1") }, "a=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "any value is worth more than one, in that order",
      { STRIP("a=1"), STRIP("a") }, "a=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "a star is worth more than a value", { STRIP("a=1"), STRIP("a*") },
      "a=1", MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a regular expression is worth more than a value",
      { STRIP("a=1"), STRIP("~^a$") }, "a=1",
      MIQPS_STRIP, MIQPS_LAYER_REGEX, MIQPS_WHY_REGEX },

    { "one value is worth as much as another",
      { STRIP("a=1"), STRIP("%61=%31") }, "a=1",
      MIQPS_STRIP, MIQPS_LAYER_RULES, MIQPS_WHY_VALUE },

    /* keeps keep the family */

    { "a keep by name goes before one by family",
      { KEEP("a_b"), KEEP("a.b"), TRACKING("*") }, "a.b=1",
      MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "a short dotted name has a family", { KEEP("a_"), TRACKING("*") },
      "a.=1", MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_FAMILY },
    { "a dotted name like one of the guard is none", { STRIP("b") }, "x.y=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },

    { "a keep keeps its name", { KEEP("a"), TRACKING("*") }, "a=1",
      MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_NAME },
    { "a keep keeps the array", { KEEP("a"), TRACKING("*") }, "a[]=1",
      MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_FAMILY },
    { "a keep keeps an entry", { KEEP("a"), TRACKING("*") }, "a[b][c]=1",
      MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_FAMILY },
    { "a keep of an array keeps the name", { KEEP("a[]"), TRACKING("*") },
      "a=1", MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_FAMILY },
    { "a keep of an array keeps an entry", { KEEP("a[]"), TRACKING("*") },
      "a[b]=1", MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_FAMILY },
    { "a keep keeps what PHP takes for it", { KEEP("a.b"), TRACKING("*") },
      "a_b=1", MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_FAMILY },
    { "a keep keeps what PHP takes for both", { KEEP("a_b"), TRACKING("*") },
      "a+b=1", MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_FAMILY },
    { "a keep of a raw letter keeps the escape", { KEEP("!"), TRACKING("*") },
      "%21=1", MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_FAMILY },
    { "a star keeps the family", { KEEP("*_b"), TRACKING("*") }, "a.b=1",
      MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a star keeps the family of an escaped letter",
      { KEEP("!*"), TRACKING("*") }, "%21=1",
      MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a star keeps what PHP takes for the first letter",
      { KEEP("_a*"), TRACKING("*") }, ".ab=1",
      MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_WILDCARD },
    { "a regular expression keeps the family",
      { KEEP("~^a_b$"), TRACKING("*") }, "a.b[]=1",
      MIQPS_KEEP, MIQPS_LAYER_REGEX, MIQPS_WHY_REGEX },
    { "an except does not keep the family", { EXCEPT("a"), TRACKING("*") },
      "a[]=1", MIQPS_STRIP, MIQPS_LAYER_TRACKING, MIQPS_WHY_WILDCARD },
    { "a keep of a name that has no family keeps it",
      { KEEP("a[b"), TRACKING("c") }, "a=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "a keep for a value keeps with this value",
      { KEEP("a=1"), TRACKING("a") }, "a=1",
      MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_VALUE },
    { "a keep for a value does not keep another",
      { KEEP("a=1"), TRACKING("a") }, "a=2",
      MIQPS_STRIP, MIQPS_LAYER_TRACKING, MIQPS_WHY_NAME },

    /* who wins; all of it is in tests/property/precedence.c */

    { "the operator keeps against himself",
      { OPERATOR_STRIP("a"), OPERATOR_KEEP("a") }, "a=1",
      MIQPS_KEEP, MIQPS_LAYER_OPERATOR, MIQPS_WHY_NAME },
    { "the operator strips against a platform",
      { OPERATOR_STRIP("a"), PLATFORM("a") }, "a=1",
      MIQPS_STRIP, MIQPS_LAYER_OPERATOR, MIQPS_WHY_NAME },
    { "a platform keeps against trackers", { TRACKING("a"), PLATFORM("a") },
      "a=1", MIQPS_KEEP, MIQPS_LAYER_PLATFORM, MIQPS_WHY_NAME },
    { "an exception takes a strip back", { TRACKING("a"), EXCEPT("a") },
      "a=1", MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_EXCEPTED },
    { "an exception with a star is one", { TRACKING("*id"), EXCEPT("gcl*") },
      "gclid=1", MIQPS_KEEP, MIQPS_LAYER_RULES, MIQPS_WHY_EXCEPTED },
    { "an exception alone is nothing", { EXCEPT("a") }, "a=1",
      MIQPS_KEEP, MIQPS_LAYER_DEFAULT, MIQPS_WHY_UNNAMED },
    { "an exception is not for the operator",
      { OPERATOR_STRIP("a"), EXCEPT("a") }, "a=1",
      MIQPS_STRIP, MIQPS_LAYER_OPERATOR, MIQPS_WHY_NAME },
    { "an exception by a regular expression is one",
      { TRACKING("utm_*"), EXCEPT("~id$") }, "utm_id=1",
      MIQPS_KEEP, MIQPS_LAYER_REGEX, MIQPS_WHY_EXCEPTED }
};


static const check_row_t  rule_checks[] = {
    { "takes a name", "utm_source", MIQPS_OK },
    { "takes an array", "a[]", MIQPS_OK },
    { "takes a star", "utm_*", MIQPS_OK },
    { "takes a star alone", "*", MIQPS_OK },
    { "takes a value", "page=1", MIQPS_OK },
    { "takes an empty value", "page=", MIQPS_OK },
    { "takes an escape", "a%20b", MIQPS_OK },
    { "takes letters above ASCII", "\xc3\xa9", MIQPS_OK },
    { "takes a regular expression", "~^utm_", MIQPS_OK },
    { "takes one that ignores case", "~*^utm_", MIQPS_OK },
    { "takes a space in a regular expression", "~a b", MIQPS_OK },
    { "refuses nothing", "", MIQPS_SYNTAX },
    { "refuses an empty regular expression", "~", MIQPS_SYNTAX },
    { "refuses an empty one that ignores case", "~*", MIQPS_SYNTAX },
    { "refuses a space", "a b", MIQPS_SYNTAX },
    { "refuses a line feed", "a\n", MIQPS_SYNTAX },
    { "refuses an ampersand", "a&b", MIQPS_SYNTAX },
    { "refuses two stars", "a*b*", MIQPS_SYNTAX },
    { "refuses a star and a value", "a*=1", MIQPS_SYNTAX },
    { "refuses a value with a star", "a=1*", MIQPS_SYNTAX },
    { "refuses a bad escape", "a%zz", MIQPS_SYNTAX },
    { "refuses half an escape", "a%4", MIQPS_SYNTAX },
    { "refuses an escaped NUL", "a%00", MIQPS_SYNTAX },
    { "refuses a bad escape in a value", "a=%", MIQPS_SYNTAX },
    { "refuses a bad regular expression", "~(", MIQPS_BAD_REGEX },
    { "refuses a costly regular expression", "~^(a+)+$",
      MIQPS_COSTLY_REGEX }
};


static int  no_match_data;


pcre2_match_data *
pcre2_match_data_create(uint32_t size, pcre2_general_context *context)
{
    void  *(*real)(uint32_t, pcre2_general_context *);

    *(void **) &real = dlsym(RTLD_NEXT, "pcre2_match_data_create_8");

    return no_match_data ? NULL : real(size, context);
}


static size_t
fill_rules(miqps_rule_t *rules, const rule_t *from, size_t max)
{
    size_t  n;

    for (n = 0; n < max && from[n].text != NULL; n++) {
        memset(&rules[n], 0, sizeof(miqps_rule_t));
        rules[n].text = unit_str(from[n].text);
        rules[n].action = from[n].action;
        rules[n].layer = from[n].layer;
        rules[n].scope = from[n].scope;
    }

    return n;
}


static void
test_verdict(void **state)
{
    heap_t                heap;
    page_t                page;
    size_t                n, pieces, nactive;
    uint8_t               pool[256];
    uint32_t              active[MIQPS_MAX_ACTIVE];
    miqps_str_t           args, none = miqps_null_str;
    miqps_rule_t          rules[MAX_RULES];
    miqps_fault_t         fault;
    miqps_scope_t         scope;
    miqps_param_t         param;
    miqps_policy_t       *policy;
    const verdict_row_t  *row;
    const miqps_scope_t  *strict;

    row = *state;
    n = fill_rules(rules, row->rules, 4);
    args = unit_put(&page, row->args);

    memset(&scope, 0, sizeof(scope));
    heap_init(&heap);

    assert_int_equal(miqps_policy_init(&policy, rules, n, &scope, 1,
                                       &heap.mem, &fault),
                     MIQPS_OK);
    assert_int_equal(split_args(&args, pool, &param, &n, &pieces),
                     MIQPS_GUARD_PASS);
    assert_int_equal(miqps_policy_scopes(policy, &none, &none, active,
                                         &nactive, &strict),
                     MIQPS_GUARD_PASS);
    assert_int_equal(miqps_policy_decide(policy, active, nactive, strict,
                                         &param, 1, &gave_up),
                     MIQPS_GUARD_PASS);

    assert_int_equal(param.action, row->action);
    assert_string_equal(miqps_layer_name(param.layer),
                        miqps_layer_name(row->layer));
    assert_int_equal(param.why, row->why);
    assert_int_equal(param.rule == NULL, row->why == MIQPS_WHY_UNNAMED);

    miqps_policy_release(policy);
    heap_release(&heap);
    page_release(&page);
}


/* the verdict on "a=1" that a map then adds its own to */

typedef struct {
    const char      *sentence;
    rule_t           rules[4];
    int              strict;
    int              asked;      /* the map has a say */
} learned_row_t;


static const learned_row_t  learned_rows[] = {
    { "a keep of the operator wins against a map",
      { OPERATOR_KEEP("a"), STRIP("a") }, 0, 0 },
    { "a strip of the operator wins against a map",
      { OPERATOR_STRIP("a"), KEEP("a") }, 0, 0 },
    { "a keep of a rule wins against a map", { KEEP("a"), STRIP("a") }, 0, 0 },
    { "a keep of a rule wins, also where all else goes", { KEEP("a") }, 1, 0 },
    { "a keep by a value wins against a map", { KEEP("a=1") }, 0, 0 },
    { "a keep by a star wins against a map", { KEEP("*") }, 0, 0 },
    { "a keep by a regular expression wins against a map", { KEEP("~^a") },
      0, 0 },
    { "a keep of a platform wins against a map", { PLATFORM("a") }, 0, 0 },
    { "a map wins against strict", { STRIP("b") }, 1, 1 },
    { "a map wins against an exception", { STRIP("a"), EXCEPT("a") }, 0, 1 },
    { "a map wins against a strip of a rule", { STRIP("a") }, 0, 1 },
    { "a map wins against a strip by a value", { STRIP("a=1") }, 0, 1 },
    { "a map wins against the list of trackers", { TRACKING("a") }, 0, 1 },
    { "a map wins where nobody speaks", { KEEP("b") }, 0, 1 }
};


/* what each word of a map makes of it, not shown and shown */

typedef struct {
    miqps_learned_e  learned;
    miqps_action_e   hidden;
    miqps_action_e   shown;
    miqps_why_e      why;
} learned_word_t;


static const learned_word_t  learned_words[] = {
    { MIQPS_LEARNED_KEEP,    MIQPS_KEEP,  MIQPS_KEEP,  MIQPS_WHY_MATTERS },
    { MIQPS_LEARNED_CLIENT,  MIQPS_STRIP, MIQPS_KEEP,  MIQPS_WHY_CLIENT },
    { MIQPS_LEARNED_DEFAULT, MIQPS_STRIP, MIQPS_STRIP, MIQPS_WHY_DEFAULT },
    { MIQPS_LEARNED_STRIP,   MIQPS_STRIP, MIQPS_STRIP, MIQPS_WHY_NEUTRAL }
};


static void
check_learned(const miqps_param_t *decided, int asked)
{
    int            shown;
    size_t         i;
    miqps_param_t  param;

    for (i = 0; i < sizeof(learned_words) / sizeof(learned_words[0]); i++) {
        for (shown = 0; shown < 2; shown++) {
            param = *decided;
            miqps_policy_learned(&param, learned_words[i].learned, shown);

            if (!asked) {
                assert_memory_equal(&param, decided, sizeof(param));
                continue;
            }

            assert_int_equal(param.action, shown ? learned_words[i].shown
                                                 : learned_words[i].hidden);
            assert_int_equal(param.layer, MIQPS_LAYER_MAP);
            assert_int_equal(param.why, learned_words[i].why);
            assert_null(param.rule);
            assert_int_equal(param.rank, decided->rank);
        }
    }

    /* nothing is nothing, and what matters elsewhere is only not stripped */

    param = *decided;
    miqps_policy_learned(&param, MIQPS_LEARNED_NOTHING, 0);
    assert_memory_equal(&param, decided, sizeof(param));

    miqps_policy_learned(&param, MIQPS_LEARNED_ELSEWHERE, 0);

    if (!asked || decided->action == MIQPS_KEEP) {
        assert_memory_equal(&param, decided, sizeof(param));
        return;
    }

    assert_int_equal(param.action, MIQPS_KEEP);
    assert_int_equal(param.layer, MIQPS_LAYER_MAP);
    assert_int_equal(param.why, MIQPS_WHY_ELSEWHERE);
}


static void
test_learned(void **state)
{
    heap_t                heap;
    size_t                n, pieces, nactive;
    uint8_t               pool[256];
    uint32_t              active[MIQPS_MAX_ACTIVE];
    miqps_str_t           args, none = miqps_null_str;
    miqps_rule_t          rules[MAX_RULES];
    miqps_fault_t         fault;
    miqps_scope_t         scope;
    miqps_param_t         param;
    miqps_policy_t       *policy;
    const learned_row_t  *row;
    const miqps_scope_t  *strict;

    row = *state;
    n = fill_rules(rules, row->rules, 4);
    args = unit_str("a=1");

    memset(&scope, 0, sizeof(scope));
    memset(&param, 0, sizeof(param));
    scope.strict = (row->strict != 0);
    heap_init(&heap);

    assert_int_equal(miqps_policy_init(&policy, rules, n, &scope, 1,
                                       &heap.mem, &fault),
                     MIQPS_OK);
    assert_int_equal(split_args(&args, pool, &param, &n, &pieces),
                     MIQPS_GUARD_PASS);
    assert_int_equal(miqps_policy_scopes(policy, &none, &none, active,
                                         &nactive, &strict),
                     MIQPS_GUARD_PASS);
    assert_int_equal(miqps_policy_decide(policy, active, nactive, strict,
                                         &param, 1, &gave_up),
                     MIQPS_GUARD_PASS);

    check_learned(&param, row->asked);

    miqps_policy_release(policy);
    heap_release(&heap);
}


static void
test_check_rule(void **state)
{
    heap_t              heap;
    page_t              page;
    miqps_rc_e          rc;
    miqps_str_t         text;
    miqps_rule_t        rule;
    miqps_fault_t       fault;
    miqps_scope_t       scope;
    miqps_policy_t     *policy;
    const check_row_t  *row;

    row = *state;
    text = unit_put(&page, row->text);

    fault.message[0] = '\0';

    assert_int_equal(miqps_policy_check_rule(&text, &fault), row->rc);
    assert_int_equal(fault.message[0] != '\0', row->rc != MIQPS_OK);

    /* and a policy says the same */

    memset(&rule, 0, sizeof(rule));
    memset(&scope, 0, sizeof(scope));
    rule.text = text;
    rule.layer = MIQPS_LAYER_RULES;
    heap_init(&heap);

    rc = miqps_policy_init(&policy, &rule, 1, &scope, 1, &heap.mem, &fault);

    if (rc == MIQPS_OK) {
        miqps_policy_release(policy);

    } else {
        assert_true(miqps_str_eq(&fault.text, &text));
        assert_true(fault.offset <= text.len);
    }

    heap_release(&heap);
    page_release(&page);

    assert_int_equal(rc, row->rc);
}


static void
test_long_rule(void **state)
{
    miqps_str_t    text;
    miqps_fault_t  fault;

    static char  bytes[MIQPS_MAX_RULE + 1];

    (void) state;

    memset(bytes, 'a', sizeof(bytes));

    text.data = (uint8_t *) bytes;
    text.len = MIQPS_MAX_RULE;
    assert_int_equal(miqps_policy_check_rule(&text, &fault), MIQPS_OK);

    text.len = MIQPS_MAX_RULE + 1;
    assert_int_equal(miqps_policy_check_rule(&text, &fault), MIQPS_TOO_LONG);
}


static void
test_check_scopes(void **state)
{
    miqps_str_t    text;
    miqps_fault_t  fault;

    (void) state;

    text = unit_str("*.shop.example");
    assert_int_equal(miqps_policy_check_host(&text, &fault), MIQPS_OK);

    text = unit_str("Shop");
    assert_int_equal(miqps_policy_check_host(&text, &fault), MIQPS_SYNTAX);

    text = unit_str("/p/*");
    assert_int_equal(miqps_policy_check_path(&text, &fault), MIQPS_OK);

    text = unit_str("p");
    assert_int_equal(miqps_policy_check_path(&text, &fault), MIQPS_SYNTAX);

    text = unit_str("~(");
    assert_int_equal(miqps_policy_check_path(&text, &fault),
                     MIQPS_BAD_REGEX);
}


/* something of everything, so that each kind of request is made */

static void
all_kinds(miqps_rule_t *rules, size_t *nrules, miqps_scope_t *scopes,
    miqps_str_t *texts, uint32_t *platforms)
{
    static const rule_t  kinds[] = {
        OPERATOR_KEEP("a.b"), STRIP("utm_*"), KEEP("~^x"), TRACKING("b=1"),
        EXCEPT("~y$"), KEEP("\xc3\xa9"), PLATFORM("c"), STRIP("*z")
    };

    *nrules = fill_rules(rules, kinds, MAX_RULES);
    rules[2].scope = 1;
    rules[6].scope = 2;

    memset(scopes, 0, 3 * sizeof(miqps_scope_t));

    texts[0] = unit_str("*.shop.example");
    texts[1] = unit_str("~^/p");

    scopes[1].hosts = &texts[0];
    scopes[1].nhosts = 1;
    scopes[1].paths = &texts[1];
    scopes[1].npaths = 1;
    scopes[1].platforms = platforms;
    scopes[1].nplatforms = 1;
    scopes[2].platform = 1;
    platforms[0] = 2;
}


static void
test_no_memory(void **state)
{
    heap_t           heap;
    size_t           i, nrules;
    uint32_t         platforms[1];
    miqps_rc_e       rc;
    miqps_str_t      texts[2];
    miqps_rule_t     rules[MAX_RULES];
    miqps_scope_t    scopes[3];
    miqps_fault_t    fault;
    miqps_policy_t  *policy;

    (void) state;

    all_kinds(rules, &nrules, scopes, texts, platforms);

    for (i = 1; /* void */ ; i++) {
        heap_init(&heap);
        heap.fail_at = i;

        rc = miqps_policy_init(&policy, rules, nrules, scopes, 3, &heap.mem,
                               &fault);

        if (rc == MIQPS_OK) {
            break;
        }

        assert_int_equal(rc, MIQPS_NO_MEMORY);
        heap_release(&heap);
    }

    /* it does not fail early only */

    assert_true(i > 20);
    assert_int_equal(heap.requests, i - 1);

    miqps_policy_release(policy);
    heap_release(&heap);
}


static void
test_no_library_memory(void **state)
{
    heap_t           heap;
    miqps_str_t      text;
    miqps_fault_t    fault;
    miqps_scope_t    scope;
    miqps_policy_t  *policy;

    (void) state;

    memset(&scope, 0, sizeof(scope));
    heap_init(&heap);

    no_match_data = 1;

    assert_int_equal(miqps_policy_init(&policy, NULL, 0, &scope, 1, &heap.mem,
                                       &fault),
                     MIQPS_NO_MEMORY);

    text = unit_str("~a");
    assert_int_equal(miqps_policy_check_rule(&text, &fault),
                     MIQPS_NO_MEMORY);
    assert_int_equal(miqps_policy_check_path(&text, &fault),
                     MIQPS_NO_MEMORY);

    no_match_data = 0;

    heap_release(&heap);
}


/* a fault behind rules and scopes that were already compiled */

static void
test_late_fault(void **state)
{
    heap_t           heap;
    size_t           nrules;
    uint32_t         platforms[1];
    miqps_str_t      texts[2];
    miqps_rule_t     rules[MAX_RULES];
    miqps_scope_t    scopes[3];
    miqps_fault_t    fault;
    miqps_policy_t  *policy;

    (void) state;

    all_kinds(rules, &nrules, scopes, texts, platforms);
    heap_init(&heap);

    rules[nrules - 1].text = unit_str("~(");
    assert_int_equal(miqps_policy_init(&policy, rules, nrules, scopes, 3,
                                       &heap.mem, &fault),
                     MIQPS_BAD_REGEX);

    rules[nrules - 1].text = unit_str("a**");
    assert_int_equal(miqps_policy_init(&policy, rules, nrules, scopes, 3,
                                       &heap.mem, &fault),
                     MIQPS_SYNTAX);

    texts[0] = unit_str("*");
    assert_int_equal(miqps_policy_init(&policy, rules, nrules, scopes, 3,
                                       &heap.mem, &fault),
                     MIQPS_SYNTAX);
    assert_ptr_equal(fault.text.data, texts[0].data);

    heap_release(&heap);
}


/* rules of several scopes for one name: the strongest decides */

static void
test_scoped(void **state)
{
    heap_t           heap;
    size_t           n, pieces;
    uint8_t          pool[64];
    uint32_t         active[3] = { 0, 1, 2 };
    miqps_str_t      args;
    miqps_rule_t     rules[MAX_RULES];
    miqps_fault_t    fault;
    miqps_scope_t    scopes[3];
    miqps_param_t    params[5];
    miqps_policy_t  *policy;

    static const rule_t  list[] = {
        { "a", MIQPS_STRIP, MIQPS_LAYER_RULES,    0 },
        { "b", MIQPS_STRIP, MIQPS_LAYER_RULES,    1 },
        { "c", MIQPS_STRIP, MIQPS_LAYER_RULES,    0 },
        { "c", MIQPS_KEEP,  MIQPS_LAYER_RULES,    2 },
        { "d", MIQPS_KEEP,  MIQPS_LAYER_RULES,    0 },
        { "d", MIQPS_STRIP, MIQPS_LAYER_TRACKING, 1 },
        { "d", MIQPS_STRIP, MIQPS_LAYER_RULES,    2 },
        { "e", MIQPS_STRIP, MIQPS_LAYER_OPERATOR, 1 }
    };

    (void) state;

    memset(scopes, 0, sizeof(scopes));
    heap_init(&heap);

    n = fill_rules(rules, list, MAX_RULES);
    args = unit_str("a&b&c&d&e");

    assert_int_equal(miqps_policy_init(&policy, rules, n, scopes, 3,
                                       &heap.mem, &fault),
                     MIQPS_OK);
    assert_int_equal(split_args(&args, pool, params, &n, &pieces),
                     MIQPS_GUARD_PASS);
    assert_int_equal(miqps_policy_decide(policy, active, 3, NULL, params, 5,
                                         &gave_up),
                     MIQPS_GUARD_PASS);

    assert_ptr_equal(params[0].rule, &rules[0]);
    assert_ptr_equal(params[1].rule, &rules[1]);
    assert_ptr_equal(params[2].rule, &rules[3]);
    assert_ptr_equal(params[3].rule, &rules[4]);
    assert_ptr_equal(params[4].rule, &rules[7]);
    assert_int_equal(params[2].action, MIQPS_KEEP);
    assert_int_equal(params[4].action, MIQPS_STRIP);

    /* the strictness of a site is that of a rules file */

    assert_int_equal(split_args(&args, pool, params, &n, &pieces),
                     MIQPS_GUARD_PASS);
    assert_int_equal(miqps_policy_decide(policy, active, 3, &scopes[1],
                                         params, 5, &gave_up),
                     MIQPS_GUARD_PASS);

    assert_int_equal(params[0].action, MIQPS_STRIP);
    assert_int_equal(params[0].layer, MIQPS_LAYER_RULES);
    assert_int_equal(params[0].why, MIQPS_WHY_UNLISTED);
    assert_ptr_equal(params[0].strict, &scopes[1]);
    assert_int_equal(params[3].action, MIQPS_KEEP);
    assert_ptr_equal(params[4].rule, &rules[7]);

    miqps_policy_release(policy);
    heap_release(&heap);
}


/* what an operator keeps is signed as ever */

static void
test_guard_behind_star(void **state)
{
    heap_t           heap;
    size_t           n, pieces;
    uint8_t          pool[64];
    uint32_t         active[1];
    miqps_str_t      args;
    miqps_rule_t     rule;
    miqps_scope_t    scope;
    miqps_fault_t    fault;
    miqps_param_t    param;
    miqps_policy_t  *policy;

    (void) state;

    memset(&rule, 0, sizeof(rule));
    memset(&scope, 0, sizeof(scope));
    heap_init(&heap);

    rule.text = unit_str("X-Amz-*");
    rule.action = MIQPS_KEEP;
    rule.layer = MIQPS_LAYER_OPERATOR;

    assert_int_equal(miqps_policy_init(&policy, &rule, 1, &scope, 1,
                                       &heap.mem, &fault),
                     MIQPS_OK);

    active[0] = MIQPS_SCOPE_ANY;
    args = unit_str("X-Amz-Any=1");

    assert_int_equal(split_args(&args, pool, &param, &n, &pieces),
                     MIQPS_GUARD_PASS);
    assert_int_equal(miqps_policy_decide(policy, active, 1, NULL, &param, 1,
                                         &gave_up),
                     MIQPS_GUARD_SIGNED);

    miqps_policy_release(policy);
    heap_release(&heap);
}


/* many rules of each form in many scopes, each found where it holds */

static void
test_many_rules(void **state)
{
    heap_t                heap;
    size_t                i, n, pieces;
    uint8_t               pool[64];
    uint32_t              active[2];
    miqps_fault_t         fault;
    miqps_param_t         param;
    miqps_str_t           args;
    miqps_policy_t       *policy;

    enum { N = 2000, SCOPES = 20 };

    static char           texts[N][24];
    static miqps_rule_t   rules[N];
    static miqps_scope_t  scopes[SCOPES];

    (void) state;

    memset(rules, 0, sizeof(rules));
    memset(scopes, 0, sizeof(scopes));

    for (i = 0; i < N; i++) {
        (void) snprintf(texts[i], sizeof(texts[i]), (i % 4) ? "p%u" : "p%u_*",
                        (unsigned) i / SCOPES);
        rules[i].text = unit_str(texts[i]);
        rules[i].action = MIQPS_STRIP;
        rules[i].layer = MIQPS_LAYER_RULES;
        rules[i].scope = (uint32_t) (i % SCOPES);
    }

    heap_init(&heap);

    assert_int_equal(miqps_policy_init(&policy, rules, N, scopes, SCOPES,
                                       &heap.mem, &fault),
                     MIQPS_OK);

    active[0] = 0;

    for (i = 0; i < N; i++) {
        active[1] = rules[i].scope;
        args = rules[i].text;

        assert_int_equal(split_args(&args, pool, &param, &n, &pieces),
                         MIQPS_GUARD_PASS);
        assert_int_equal(miqps_policy_decide(policy, active, 2, NULL, &param,
                                             1, &gave_up),
                         MIQPS_GUARD_PASS);
        assert_int_equal(param.action, MIQPS_STRIP);
        assert_ptr_equal(param.rule, &rules[i]);
    }

    miqps_policy_release(policy);
    heap_release(&heap);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_verdict, verdict_rows);
    unit_rows(&unit, test_learned, learned_rows);
    unit_rows(&unit, test_check_rule, rule_checks);

    unit_add(&unit, "refuses a rule above the limit", test_long_rule, NULL);
    unit_add(&unit, "checks hosts and paths", test_check_scopes, NULL);
    unit_add(&unit, "no memory leaves nothing behind", test_no_memory, NULL);
    unit_add(&unit, "no memory of the library leaves nothing behind",
             test_no_library_memory, NULL);
    unit_add(&unit, "a fault leaves nothing behind", test_late_fault, NULL);
    unit_add(&unit, "the strongest rule of all scopes decides", test_scoped,
             NULL);
    unit_add(&unit, "two thousand rules are told apart", test_many_rules,
             NULL);

    unit_add(&unit, "a keep with a star does not hide a signature",
             test_guard_behind_star, NULL);

    return unit_run(&unit, "policy");
}
