
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <string.h>

#include "../support/heap.h"
#include "../support/dice.h"
#include "miqps_normalize.h"


/*
 * Who wins when several layers speak of one parameter: every combination of
 *
 *     operator keep, operator strip, rules keep, platform keep, regex keep,
 *     strict, rules strip, tracking strip, except
 *
 * with the rules by name, by wildcard, by regular expression and by value,
 * all alike and mixed, everywhere and for one host.
 */

typedef enum {
    OPERATOR_KEEP = 0,
    OPERATOR_STRIP,
    RULES_KEEP,
    PLATFORM_KEEP,
    REGEX_KEEP,
    STRICT,
    RULES_STRIP,
    TRACKING,
    EXCEPT,
    VOICES
} voice_e;


/* how a voice speaks; the first is not at all */

typedef enum {
    SILENT = 0,
    BY_NAME,
    BY_STAR,
    BY_REGEX,
    BY_VALUE,
    FORMS
} form_e;


typedef struct {
    miqps_action_e   action;
    miqps_layer_e    layer;
} voice_t;


static const voice_t  voices[VOICES] = {
    { MIQPS_KEEP,   MIQPS_LAYER_OPERATOR },
    { MIQPS_STRIP,  MIQPS_LAYER_OPERATOR },
    { MIQPS_KEEP,   MIQPS_LAYER_RULES },
    { MIQPS_KEEP,   MIQPS_LAYER_PLATFORM },
    { MIQPS_KEEP,   MIQPS_LAYER_RULES },
    { MIQPS_STRIP,  MIQPS_LAYER_PLATFORM },
    { MIQPS_STRIP,  MIQPS_LAYER_RULES },
    { MIQPS_STRIP,  MIQPS_LAYER_TRACKING },
    { MIQPS_EXCEPT, MIQPS_LAYER_RULES }
};


static const miqps_str_t  texts[FORMS] = {
    miqps_null_str,
    miqps_string("track1"),
    miqps_string("tra*1"),
    miqps_string("~^track"),
    miqps_string("track1=7")
};


static const miqps_why_e  whys[FORMS] = {
    MIQPS_WHY_UNNAMED,
    MIQPS_WHY_NAME,
    MIQPS_WHY_WILDCARD,
    MIQPS_WHY_REGEX,
    MIQPS_WHY_VALUE
};


/* everywhere, the platform, the site that has it */

#define SITE_PLATFORM  1
#define SITE           2
#define SCOPES         3


typedef struct {
    form_e           forms[VOICES];
    int              at_site[VOICES];    /* else everywhere */
    uint8_t          from[VOICES];       /* the voice of each rule */
    miqps_rule_t     rules[VOICES];
    size_t           nrules;
    miqps_scope_t    scopes[SCOPES];
    miqps_str_t      host;
    uint32_t         platform;
} combination_t;


static const miqps_str_t  site_host = miqps_string("shop.example");
static const miqps_str_t  other_host = miqps_string("other.example");


/* The precedence, written out.  "heard" tells which voices hold here. */

static voice_e
winner(const int *heard)
{
    if (heard[OPERATOR_KEEP]) {
        return OPERATOR_KEEP;
    }

    if (heard[OPERATOR_STRIP]) {
        return OPERATOR_STRIP;
    }

    if (heard[RULES_KEEP]) {
        return RULES_KEEP;
    }

    if (heard[PLATFORM_KEEP]) {
        return PLATFORM_KEEP;
    }

    if (heard[REGEX_KEEP]) {
        return REGEX_KEEP;
    }

    if (heard[STRICT]) {
        return STRICT;
    }

    if (!heard[RULES_STRIP] && !heard[TRACKING]) {
        return VOICES;
    }

    if (heard[EXCEPT]) {
        return EXCEPT;
    }

    return heard[RULES_STRIP] ? RULES_STRIP : TRACKING;
}


/* the keeps below the operator's are equals, and so are the last strips */

static int
equals(voice_e a, voice_e b)
{
    return a == b
           || (a >= RULES_KEEP && a <= REGEX_KEEP
               && b >= RULES_KEEP && b <= REGEX_KEEP)
           || ((a == RULES_STRIP || a == TRACKING)
               && (b == RULES_STRIP || b == TRACKING));
}


static void
combination_rules(combination_t *c)
{
    voice_e        voice;
    miqps_rule_t  *rule;

    memset(c->scopes, 0, sizeof(c->scopes));

    c->nrules = 0;
    c->host = site_host;
    c->platform = SITE_PLATFORM;

    c->scopes[SITE_PLATFORM].platform = 1;
    c->scopes[SITE].hosts = &c->host;
    c->scopes[SITE].nhosts = 1;
    c->scopes[SITE].platforms = &c->platform;
    c->scopes[SITE].nplatforms = 1;

    for (voice = 0; voice < VOICES; voice++) {

        if (c->forms[voice] == SILENT) {
            continue;
        }

        if (voice == STRICT) {
            c->scopes[c->at_site[voice] ? SITE : MIQPS_SCOPE_ANY].strict = 1;
            continue;
        }

        c->from[c->nrules] = (uint8_t) voice;
        rule = &c->rules[c->nrules++];

        rule->text = texts[c->forms[voice]];
        rule->note = texts[BY_NAME];
        rule->action = voices[voice].action;
        rule->layer = voices[voice].layer;
        rule->scope = !c->at_site[voice] ? MIQPS_SCOPE_ANY
                      : (voice == PLATFORM_KEEP) ? SITE_PLATFORM : SITE;
    }
}


static int
right_layer(const combination_t *c, const miqps_param_t *param, voice_e voice)
{
    form_e  form;

    form = c->forms[voice];

    if (voice == STRICT) {
        return param->why == MIQPS_WHY_UNLISTED && param->rule == NULL
               && param->strict == &c->scopes[c->at_site[STRICT] ? SITE : 0]
               && param->layer == (c->at_site[STRICT] ? MIQPS_LAYER_RULES
                                                      : MIQPS_LAYER_PLATFORM);
    }

    if (param->rule == NULL
        || param->why != (voice == EXCEPT ? MIQPS_WHY_EXCEPTED : whys[form]))
    {
        return 0;
    }

    if (form == BY_REGEX && voices[voice].layer == MIQPS_LAYER_RULES) {
        return param->layer == MIQPS_LAYER_REGEX;
    }

    return param->layer == voices[voice].layer;
}


static int
right(const combination_t *c, const miqps_param_t *param, int at_site)
{
    int      heard[VOICES];
    voice_e  voice, want, said;

    for (voice = 0; voice < VOICES; voice++) {
        heard[voice] = (c->forms[voice] != SILENT
                        && (at_site || !c->at_site[voice]));
    }

    want = winner(heard);

    if (want == VOICES) {
        return param->action == MIQPS_KEEP && param->rule == NULL
               && param->layer == MIQPS_LAYER_DEFAULT
               && param->why == MIQPS_WHY_UNNAMED;
    }

    if (param->action != ((voices[want].action == MIQPS_STRIP)
                          ? MIQPS_STRIP : MIQPS_KEEP))
    {
        return 0;
    }

    said = (param->rule == NULL) ? STRICT : c->from[param->rule - c->rules];

    return equals(want, said) && heard[said] && right_layer(c, param, said);
}


static void
complain(const combination_t *c, int at_site, const miqps_param_t *param)
{
    voice_e  voice;

    static const char *const  names[] = {
        "operator keep", "operator strip", "rules keep", "platform keep",
        "regex keep", "strict", "rules strip", "tracking", "except"
    };

    for (voice = 0; voice < VOICES; voice++) {
        if (c->forms[voice] != SILENT) {
            printf("# %s \"%s\" %s\n", names[voice],
                   (voice == STRICT)
                   ? "" : (const char *) texts[c->forms[voice]].data,
                   c->at_site[voice] ? "for the site" : "everywhere");
        }
    }

    printf("# %s: %s by %s, %s\n", at_site ? "at the site" : "elsewhere",
           (param->action == MIQPS_STRIP) ? "strip" : "keep",
           miqps_layer_name(param->layer), miqps_why_text(param->why));
}


static int
try_host(combination_t *c, const miqps_policy_t *policy, int at_site)
{
    uint8_t          buf[256];
    miqps_request_t  req;
    miqps_result_t   res;

    static miqps_work_t       work;
    static const miqps_str_t  args = miqps_string("id=5&track1=7&p");

    memset(&req, 0, sizeof(req));

    req.host = at_site ? site_host : other_host;
    req.args = args;

    if (miqps_normalize(policy, &req, &work, buf, sizeof(buf), &res)
        != MIQPS_OK || res.nparams != 3)
    {
        printf("# the query was not read\n");
        return 0;
    }

    if (right(c, &work.params[1], at_site)) {
        return 1;
    }

    complain(c, at_site, &work.params[1]);

    return 0;
}


static int
try_combination(combination_t *c)
{
    int              ok;
    heap_t           heap;
    miqps_rc_e       rc;
    miqps_fault_t    fault;
    miqps_policy_t  *policy;

    combination_rules(c);
    heap_init(&heap);

    rc = miqps_policy_init(&policy, c->rules, c->nrules, c->scopes, SCOPES,
                           &heap.mem, &fault);

    if (rc != MIQPS_OK) {
        printf("# \"%s\" %s\n", (const char *) fault.text.data,
               fault.message);
        heap_release(&heap);
        return 0;
    }

    ok = try_host(c, policy, 1);
    ok = try_host(c, policy, 0) && ok;

    miqps_policy_release(policy);
    heap_release(&heap);

    return ok;
}


/* all sets of voices in one form; "sites" as bits of voices */

static size_t
all_sets(form_e form, unsigned sites)
{
    size_t         failed;
    voice_e        voice;
    unsigned       set;
    combination_t  c;

    failed = 0;

    for (set = 0; set < 1u << VOICES; set++) {

        for (voice = 0; voice < VOICES; voice++) {
            c.forms[voice] = (set >> voice & 1)
                             ? (voice == REGEX_KEEP ? BY_REGEX : form) : SILENT;
            c.at_site[voice] = sites >> voice & 1;
        }

        failed += !try_combination(&c);
    }

    return failed;
}


/* all sets of voices, each in any form, each somewhere */

static size_t
mixed_sets(size_t *tried)
{
    size_t         left, failed, forms;
    dice_t         dice;
    voice_e        voice;
    combination_t  c;

    dice_init(&dice, 1, 0);

    failed = 0;

    for (*tried = 0; /* void */ ; (*tried)++) {
        left = *tried;

        for (voice = 0; voice < VOICES; voice++) {
            forms = (voice == REGEX_KEEP || voice == STRICT) ? 2 : BY_VALUE;

            c.forms[voice] = (form_e) (left % forms);
            c.at_site[voice] = (int) dice_below(&dice, 2);

            if (voice == REGEX_KEEP && c.forms[voice] != SILENT) {
                c.forms[voice] = BY_REGEX;
            }

            left /= forms;
        }

        if (left > 0) {
            return failed;
        }

        failed += !try_combination(&c);
    }
}


static size_t
report(size_t number, size_t failed, const char *sentence)
{
    printf("%s %zu - %s\n", failed ? "not ok" : "ok", number, sentence);

    if (failed) {
        printf("# %zu combinations failed\n", failed);
    }

    return failed;
}


int
main(void)
{
    char    text[80];
    size_t  n, failed, tried;
    form_e  form;

    static const char *const  how[] = {
        "", "by name", "by wildcard", "by regular expression", "by value"
    };

    n = 0;
    failed = 0;

    printf("1..9\n");

    for (form = BY_NAME; form < FORMS; form++) {
        (void) snprintf(text, sizeof(text),
                        "512 combinations of rules %s, everywhere", how[form]);
        failed += report(++n, all_sets(form, 0), text);

        (void) snprintf(text, sizeof(text),
                        "512 combinations of rules %s, for a host", how[form]);
        failed += report(++n, all_sets(form, ~0u), text);
    }

    failed += report(++n, mixed_sets(&tried),
                     "65536 combinations of mixed forms, some for a host");

    if (tried != 65536) {
        printf("Bail out! %zu combinations\n", tried);
        return 1;
    }

    return failed ? 1 : 0;
}
