
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/heap.h"
#include "../support/paths_dice.h"

#include "miqps_normalize.h"


/*
 * The whole normalizer with path rules: URLs by chance, under a policy that
 * asks for names and paths, with a map by chance that has patterns and rules.
 */

#define URLS     40              /* of a map */
#define MAX_URL  2048


typedef enum {
    P_TWICE = 0,
    P_PLANS,
    P_SHUFFLED,
    P_OPAQUE,
    P_WITHOUT,
    P_KEPT,
    P_ROOM,
    P_FILE,
    P_MAX
} property_e;


static const char *const  properties[P_MAX] = {
    "normalizing twice changes nothing more",
    "plans do not change the result",
    "the order of parameters does not matter if they are sorted",
    "an opaque URL has no path rule",
    "without rules the path is what it was",
    "a rule is applied to what is kept",
    "nothing is longer than it may be",
    "no rule makes an extension that was not there"
};


typedef struct {
    char    host[256];
    char    path[MAX_URL];
    char    args[MAX_URL];
    int     opaque;
    int     moved;
} form_t;


static miqps_policy_t  *policy;
static size_t           broken[P_MAX], held[P_MAX];


static const char *const  patterns[] = {
    "{\"params\":[\"c\",\"s\"],\"keep\":[\"c\"]}",
    "{\"params\":[\"id\",\"s\"],\"keep\":[\"id\"]}",
    "{\"params\":[\"c\",\"id\"],\"keep\":[\"c\",\"id\"],\"path\":\"/a/*\"}",
    "{\"params\":[\"c\",\"id\"],\"keep\":[\"id\"],\"path\":\"/b/*\"}",
    "{\"params\":[\"c\",\"id\"],\"keep\":[\"c\"]}",
    "{\"params\":[\"c\"],\"keep\":[\"c\"],\"defaults\":{\"c\":\"1\"}}",
    "{\"params\":[\"s\"],\"keep\":[]}",
    ("{\"params\":[\"c\",\"id\",\"s\"],\"keep\":[\"c\",\"id\"],"
     "\"client\":[\"s\"]}")
};


static const char *const  strays[] = {
    "fbclid=1", "u=2", "c[]=3", "a.b=1", "x;y", "c=%zz", "w", "s=a%2Fb",
    "utm_source=x", "id.x=1"
};


static void
prepare(heap_t *heap)
{
    miqps_fault_t  fault;

    static miqps_str_t    paths[] = { miqps_string("/a/*"),
                                      miqps_string("*.html") };
    static miqps_scope_t  scopes[3];

    static const miqps_rule_t  rules[] = {
        { miqps_string("fbclid"), miqps_null_str, MIQPS_STRIP,
          MIQPS_LAYER_TRACKING, 0 },
        { miqps_string("utm_*"), miqps_null_str, MIQPS_STRIP,
          MIQPS_LAYER_TRACKING, 0 },
        { miqps_string("id"), miqps_null_str, MIQPS_STRIP,
          MIQPS_LAYER_RULES, 1 },
        { miqps_string("s"), miqps_null_str, MIQPS_KEEP,
          MIQPS_LAYER_RULES, 2 }
    };

    scopes[1].paths = &paths[0];
    scopes[1].npaths = 1;
    scopes[2].paths = &paths[1];
    scopes[2].npaths = 1;

    heap_init(heap);

    if (miqps_policy_init(&policy, rules, sizeof(rules) / sizeof(rules[0]),
                          scopes, 3, &heap->mem, &fault)
        != MIQPS_OK)
    {
        printf("Bail out! %s\n", fault.message);
        exit(1);
    }
}


static void
make_map(dice_t *dice, text_t *out)
{
    size_t         i, n;
    const char    *comma;
    static made_t  made;

    made.n = 1 + dice_below(dice, RULES);

    for (i = 0; i < made.n; i++) {
        if (dice_once_in(dice, 6)) {
            make_host_rule(dice, &made.rules[i]);

        } else {
            make_rule(dice, &made.rules[i]);
        }
    }

    out->len = 0;
    comma = "";
    n = sizeof(patterns) / sizeof(patterns[0]);

    say(out, "{\"host\":\"a.example\",\"hosts\":[\"1.a.example\"],"
             "\"patterns\":[");

    for (i = 0; i < n; i++) {
        if (dice_once_in(dice, 2)) {
            say(out, "%s%s", comma, patterns[i]);
            comma = ",";
        }
    }

    /* what nobody proves is looked at again, and as much a fixed point */

    say(out, "],\"careful\":%s,\"rules\":[",
        dice_once_in(dice, 2) ? "true" : "false");

    for (i = 0; i < made.n; i++) {
        say(out, "%s%s", (i > 0) ? "," : "", made.rules[i].data);
    }

    say(out, "]}");
}


static void
normalize(const miqps_image_t *image, miqps_plans_t *plans, unsigned flags,
    int rules, const form_t *from, form_t *to)
{
    size_t            size;
    uint8_t          *buf, *path, *args;
    miqps_result_t    res;
    miqps_request_t   req;

    static miqps_work_t    work;
    static miqps_second_t  second;

    memset(&req, 0, sizeof(miqps_request_t));

    /* pieces of their own, so that nothing is read behind them */

    req.host.data = (const uint8_t *) from->host;
    req.host.len = strlen(from->host);
    req.path.len = strlen(from->path);
    path = malloc(req.path.len + 1);
    req.path.data = memcpy(path, from->path, req.path.len);
    req.args.len = strlen(from->args);
    args = malloc(req.args.len + 1);
    req.args.data = memcpy(args, from->args, req.args.len);

    req.image = image;
    req.plans = plans;
    req.sort = flags & 1;
    req.shown = flags >> 1 & 1;
    req.stay = flags >> 2 & 1;
    req.second = rules ? &second : NULL;

    size = miqps_normalize_bound(req.args.len);
    buf = malloc(size + 1);
    second.size = miqps_second_bound(req.path.len, req.args.len);
    second.buf = malloc(second.size);

    if (miqps_normalize(policy, &req, &work, buf, size, &res) != MIQPS_OK) {
        printf("Bail out! no room\n");
        exit(1);
    }

    broken[P_ROOM] += (res.path.len + res.args.len + res.host.len
                       > req.path.len + req.args.len + req.host.len
                         + MIQPS_PATHS_GROWTH);
    held[P_ROOM]++;

    (void) snprintf(to->host, sizeof(to->host), "%.*s", (int) res.host.len,
                    (const char *) res.host.data);
    (void) snprintf(to->path, sizeof(to->path), "%.*s", (int) res.path.len,
                    (const char *) res.path.data);
    (void) snprintf(to->args, sizeof(to->args), "%.*s", (int) res.args.len,
                    (const char *) res.args.data);

    to->opaque = (res.guard != MIQPS_GUARD_PASS);
    to->moved = res.moved;

    free(second.buf);
    free(buf);
    free(path);
    free(args);
}


static int
same(const form_t *a, const form_t *b)
{
    return strcmp(a->host, b->host) == 0 && strcmp(a->path, b->path) == 0
           && strcmp(a->args, b->args) == 0;
}


static void
check(property_e property, int ok, const char *map, const form_t *url,
    const form_t *one, const form_t *two)
{
    held[property]++;

    if (ok) {
        return;
    }

    if (broken[property]++ < 3) {
        printf("# %s: //%s%s?%s became //%s%s?%s and //%s%s?%s with %s\n",
               properties[property], url->host, url->path, url->args,
               one->host, one->path, one->args, two->host, two->path,
               two->args, map);
    }
}


/* the URL with a parameter more, and in another order */

static void
make_form(dice_t *dice, const paths_url_t *url, form_t *out, form_t *shuffled)
{
    char         text[MAX_URL];
    size_t       i, n, k, at;
    char         params[PATHS_MAX + 2][256], swap[256];

    paths_set(out->host, url->host);
    out->path[0] = '\0';

    for (i = 0, at = 0; i < url->nsegments; i++) {
        at += (size_t) snprintf(out->path + at, MAX_URL - at, "/%s",
                                url->segments[i]);
    }

    for (n = 0; n < url->nparams; n++) {
        (void) snprintf(params[n], sizeof(params[n]), "%.100s%s%.100s",
                        url->params[n].name,
                        url->params[n].equals ? "=" : "",
                        url->params[n].value);
    }

    for (k = dice_below(dice, 3); k > 0; k--) {
        paths_set(params[n++], pick(dice, strays));
    }

    for (k = 0; k < 2; k++) {
        text[0] = '\0';

        for (i = 0, at = 0; i < n; i++) {
            at += (size_t) snprintf(text + at, MAX_URL - at, "%s%s",
                                    (i > 0) ? "&" : "", params[i]);
        }

        paths_set((k == 0) ? out->args : shuffled->args, text);

        for (i = n; i > 1; i--) {
            at = dice_below(dice, i);
            paths_set(swap, params[i - 1]);
            paths_set(params[i - 1], params[at]);
            paths_set(params[at], swap);
        }
    }

    paths_set(shuffled->host, out->host);
    paths_set(shuffled->path, out->path);
}


/* members of a family must not change places, so that these are left out */

static int
families(const char *args)
{
    const char  *p, *q;

    if (strstr(args, "c[") != NULL || strstr(args, "id.") != NULL) {
        return 1;
    }

    for (p = args; *p != '\0'; p += strcspn(p, "&"), p += (*p == '&')) {
        for (q = p + strcspn(p, "&"); *q != '\0'; q += strcspn(q, "&")) {
            q++;

            if (strcspn(p, "=&") == strcspn(q, "=&")
                && strncmp(p, q, strcspn(p, "=&")) == 0)
            {
                return 1;
            }
        }
    }

    return 0;
}


/* no extension, or one that is somewhere in the other path */

static int
extension_of(const char *path, const char *other)
{
    const char  *dot;

    dot = strrchr(strrchr(path, '/'), '.');

    return dot == NULL || strstr(other, dot) != NULL;
}


static void
try_map(const miqps_image_t *image, dice_t *dice, const char *map,
    miqps_plans_t *plans, size_t *moved)
{
    size_t         i;
    unsigned       flags;
    miqps_str_t    host;
    miqps_paths_t  rules;

    static form_t       url, mixed, once, twice, other;
    static paths_url_t  made;

    host.data = (const uint8_t *) "a.example";
    host.len = 9;

    if (!miqps_paths_of(image, miqps_map_host(image, &host), &rules)) {
        return;
    }

    for (i = 0; i < URLS; i++) {
        make_url(dice, &rules, &made);
        make_form(dice, &made, &url, &mixed);

        flags = (unsigned) dice_below(dice, 8);

        normalize(image, NULL, flags, 1, &url, &once);
        *moved += (size_t) once.moved;

        normalize(image, NULL, flags, 1, &once, &twice);
        check(P_TWICE, same(&once, &twice), map, &url, &once, &twice);

        if (once.opaque) {
            check(P_OPAQUE, same(&once, &url), map, &url, &once, &url);
        }

        normalize(image, plans, flags, 1, &url, &twice);
        check(P_PLANS, same(&once, &twice), map, &url, &once, &twice);
        normalize(image, plans, flags, 1, &url, &twice);
        check(P_PLANS, same(&once, &twice), map, &url, &once, &twice);

        if ((flags & 1) && !once.opaque && !families(url.args)) {
            normalize(image, NULL, flags, 1, &mixed, &twice);
            check(P_SHUFFLED, same(&once, &twice), map, &url, &once, &twice);
        }

        normalize(image, NULL, flags, 0, &url, &other);
        check(P_WITHOUT, strcmp(other.path, url.path) == 0
                         && strcmp(other.host, url.host) == 0, map, &url,
              &other, &other);

        if (once.moved) {
            normalize(image, NULL, flags, 1, &other, &twice);
            check(P_KEPT, same(&once, &twice), map, &url, &once, &twice);
            check(P_FILE, extension_of(once.path, url.path), map, &url, &once,
                  &once);
        }
    }
}


static size_t
maps(void)
{
    const char  *level;

    level = getenv("TEST_LEVEL");

    return (level == NULL || strcmp(level, "check") == 0) ? 8000
           : (strcmp(level, "fuzz") == 0) ? 1000000 : 100000;
}


int
main(void)
{
    size_t           i, n, size, taken, moved, bad;
    dice_t           dice;
    heap_t           heap;
    uint8_t         *data;
    const char      *why;
    miqps_image_t    image;

    static text_t         source;
    static miqps_plans_t  plans;

    n = maps();
    taken = 0;
    moved = 0;
    bad = 0;

    prepare(&heap);

    for (i = 0; i < n; i++) {
        dice_init(&dice, 23, i);
        make_map(&dice, &source);
        data = compile(source.data, &size);

        if (data == NULL) {
            continue;
        }

        taken++;

        if (miqps_image_open(&image, data, size, &why) != MIQPS_OK) {
            printf("Bail out! %s\n", why);
            return 1;
        }

        image.serial = i + 1;
        try_map(&image, &dice, source.data, &plans, &moved);
        free(data);
    }

    for (i = 0; i < P_MAX; i++) {
        printf("%s %zu - %s (%zu)\n", (broken[i] == 0 && held[i] > 0)
               ? "ok" : "not ok", i + 1, properties[i], held[i]);
        bad += (broken[i] > 0 || held[i] == 0);
    }

    /* dice that never make a rule that applies would test nothing */

    printf("%s %d - rules were applied often\n1..%d\n",
           (moved > 5 * taken) ? "ok" : "not ok", P_MAX + 1, P_MAX + 1);
    printf("# %zu of %zu maps compiled, %zu URLs moved\n", taken, n, moved);

    miqps_policy_release(policy);
    heap_release(&heap);

    return bad > 0 || moved <= 5 * taken;
}
