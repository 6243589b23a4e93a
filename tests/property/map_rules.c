
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/paths_dice.h"
#include "../support/print.h"

#include "miqps_paths.h"


/*
 * Path rules made by dice.  Those that compile are printed as what compiles to
 * the same image, in any order; a URL that one of them has made is one that
 * none of them changes; and the core makes of a URL what the book says.
 */

#define URLS   60                /* of a map */


static int
same_image(const char *source, const uint8_t *data, size_t size)
{
    int       same;
    size_t    len;
    uint8_t  *again;

    len = 0;
    again = compile(source, &len);
    same = (again != NULL && len == size && memcmp(again, data, size) == 0);

    if (!same) {
        printf("# not the same image: %s\n", source);
    }

    free(again);

    return same;
}


/* what the core makes of a URL is "want", or nothing if that is "url" */

static int
core_agrees(const miqps_image_t *image, int stay, const paths_url_t *url,
    const paths_url_t *want, const char *source)
{
    int                    done;
    char                   text[TEXT], *query;
    uint8_t               *buf;
    size_t                 len;
    miqps_str_t            host;
    miqps_paths_url_t      in;
    miqps_paths_result_t   res;

    static paths_url_t  got;

    paths_print(url, text, TEXT);

    host.data = (const uint8_t *) "a.example";
    host.len = 9;

    in.image = image;
    in.record = miqps_map_host(image, &host);
    in.stay = stay;
    in.host.data = (const uint8_t *) url->host;
    in.host.len = strlen(url->host);

    /* bytes of their own, so that nothing is read behind them */

    len = strcspn(text + 2 + in.host.len, "?");
    in.path.len = len;
    in.path.data = (const uint8_t *) strndup(text + 2 + in.host.len, len);
    query = text + 2 + in.host.len + len;
    query += (*query == '?');
    in.args.len = strlen(query);
    in.args.data = (const uint8_t *) strndup(query, in.args.len);
    buf = malloc(miqps_paths_bound(in.path.len, in.args.len));

    done = miqps_paths_apply(&in, buf, &res);

    if (done) {
        (void) snprintf(text, TEXT, "//%.*s%.*s%s%.*s", (int) res.host.len,
                        (const char *) res.host.data, (int) res.path.len,
                        (const char *) res.path.data,
                        (res.args.len > 0) ? "?" : "", (int) res.args.len,
                        (const char *) res.args.data);
        paths_read(text, &got);
    }

    free((void *) (uintptr_t) in.path.data);
    free((void *) (uintptr_t) in.args.data);
    free(buf);

    if (done ? paths_same(&got, want) && !paths_same(url, want)
             : paths_same(url, want))
    {
        return 1;
    }

    paths_print(url, text, TEXT);
    printf("# of %s the core makes ", text);
    paths_print(done ? &got : url, text, TEXT);
    printf("%s, and not ", text);
    paths_print(want, text, TEXT);
    printf("%s, by %s\n", text, source);

    return 0;
}


/* how many URLs a rule was applied to, or -1 if one of them changed again */

static int
settle(const miqps_image_t *image, dice_t *dice, const char *source,
    size_t *changed, size_t *differ)
{
    int            n, stay;
    char           text[3][TEXT];
    size_t         i;
    miqps_str_t    host;
    miqps_paths_t  rules;

    static paths_url_t  url, once, twice;

    host.data = (const uint8_t *) "a.example";
    host.len = 9;
    n = 0;

    if (!miqps_paths_of(image, miqps_map_host(image, &host), &rules)) {
        return -1;
    }

    for (i = 0; i < URLS; i++) {
        make_url(dice, &rules, &url);

        stay = dice_once_in(dice, 2);

        if (paths_apply(&rules, image->seed, stay, &url, &once) == 0) {
            *differ += !core_agrees(image, stay, &url, &url, source);
            continue;
        }

        n++;
        *differ += !core_agrees(image, stay, &url, &once, source);
        *changed += !paths_same(&url, &once);

        if (paths_apply(&rules, image->seed, stay, &once, &twice) == 0
            || paths_same(&once, &twice))
        {
            continue;
        }

        paths_print(&url, text[0], TEXT);
        paths_print(&once, text[1], TEXT);
        paths_print(&twice, text[2], TEXT);
        printf("# %s became %s became %s by %s\n", text[0], text[1], text[2],
               source);

        return -1;
    }

    return n;
}


static size_t
maps(void)
{
    const char  *level;

    level = getenv("TEST_LEVEL");

    return (level == NULL || strcmp(level, "check") == 0) ? 10000
           : (strcmp(level, "fuzz") == 0) ? 1000000 : 200000;
}


int
main(void)
{
    int              urls;
    char            *text;
    size_t           i, k, n, size, taken, same, settled, applied, changed;
    size_t           differ;
    dice_t           dice;
    uint8_t         *data;
    const char      *why;
    miqps_image_t    image;

    static text_t  source;
    static made_t  made;

    n = maps();
    taken = 0;
    same = 0;
    settled = 0;
    applied = 0;
    changed = 0;
    differ = 0;

    for (i = 0; i < n && differ < 20; i++) {
        dice_init(&dice, 17, i);
        made.n = 1 + dice_below(&dice, RULES);

        for (k = 0; k < made.n; k++) {
            if (dice_once_in(&dice, 6)) {
                make_host_rule(&dice, &made.rules[k]);

            } else {
                make_rule(&dice, &made.rules[k]);
            }
        }

        print_map(&made, 0, &source);
        data = compile(source.data, &size);

        if (data == NULL) {
            continue;
        }

        taken++;

        if (miqps_image_open(&image, data, size, &why) != MIQPS_OK) {
            printf("Bail out! %s\n", why);
            return 1;
        }

        text = print_image(&image);
        same += (size_t) same_image(text, data, size);
        free(text);

        urls = settle(&image, &dice, source.data, &changed, &differ);
        settled += (urls >= 0);
        applied += (urls > 0) ? (size_t) urls : 0;

        print_map(&made, 1, &source);
        same += (size_t) same_image(source.data, data, size);

        free(data);

        if (settled + 20 < taken) {
            break;
        }
    }

    printf("%s 1 - %zu images with path rules print as what they are made "
           "of\n", (same == 2 * taken) ? "ok" : "not ok", taken);
    printf("%s 2 - %zu URLs are changed once and not again\n",
           (settled == taken) ? "ok" : "not ok", applied);
    printf("# %zu of %zu maps compiled, %zu URLs changed\n", taken, n,
           changed);

    /* dice that never make a rule that applies would test nothing */

    printf("%s 3 - rules compiled and applied often\n",
           (taken > n / 10 && changed > 5 * taken) ? "ok" : "not ok");
    printf("%s 4 - the core does what the book says\n1..4\n",
           (differ == 0) ? "ok" : "not ok");

    return (same == 2 * taken && settled == taken && taken > n / 10
            && changed > 5 * taken && differ == 0) ? 0 : 1;
}
