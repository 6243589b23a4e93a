
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/mapped.h"
#include "miqps_normalize.h"
#include "miqps_url.h"


/*
 * Hostile inputs, each once and once of twice the size.  Callgrind counts
 * each call of hostile_run(); the script "linear" compares the pairs, whose
 * names are printed in the order of the calls.
 */

#define HOSTILE_ROOM  (64 * 1024)


typedef struct {
    uint8_t          *data;
    size_t            len;
} hostile_text_t;


/* fill() writes an input of size "n" behind what is in "text" */

typedef struct {
    const char       *name;
    void            (*fill)(hostile_text_t *text, size_t n);
    size_t            n;
    miqps_guard_e     guard;         /* what becomes of both */
    unsigned          url:1;         /* it is a whole URL */
    unsigned          host:1;        /* it is a host */
    unsigned          paths:1;       /* a URL of a host with path rules */
} hostile_case_t;


/* callgrind has to see the calls */

void hostile_run(const hostile_case_t *c, const hostile_text_t *text,
    miqps_result_t *res) __attribute__ ((noinline));


static const miqps_policy_t  *hostile_policy;
static miqps_work_t           hostile_work;
static uint8_t                hostile_buf[4 * HOSTILE_ROOM];
static miqps_image_t          hostile_map;
static miqps_second_t         hostile_second;
static uint8_t                hostile_room[16 * HOSTILE_ROOM];


/* --- inputs */


static void
hostile_add(hostile_text_t *text, const char *s)
{
    size_t  len;

    len = strlen(s);

    if (text->len + len > HOSTILE_ROOM) {
        (void) fprintf(stderr, "hostile: no room for the input\n");
        exit(1);
    }

    memcpy(text->data + text->len, s, len);
    text->len += len;
}


static void
hostile_repeat(hostile_text_t *text, const char *s, size_t n)
{
    while (n-- > 0) {
        hostile_add(text, s);
    }
}


/* "n" pieces, each from the format and its number counted up or down */

static void
hostile_pieces(hostile_text_t *text, const char *format, size_t n, int down)
{
    char    piece[256];
    size_t  i;

    for (i = 0; i < n; i++) {
        (void) snprintf(piece, sizeof(piece), format,
                        (unsigned) (down ? n - i : i));
        hostile_add(text, piece);
    }
}


static void
hostile_value(hostile_text_t *text, size_t n)
{
    hostile_add(text, "page=");
    hostile_repeat(text, "a", n);
}


static void
hostile_name(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "a", n);
    hostile_add(text, "=1");
}


static void
hostile_special_name(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "a.", n / 2);
    hostile_add(text, "=1");
}


static void
hostile_up(hostile_text_t *text, size_t n)
{
    hostile_pieces(text, "&name%05u=value-of-some-length", n, 0);
}


static void
hostile_down(hostile_text_t *text, size_t n)
{
    hostile_pieces(text, "&name%05u=value-of-some-length", n, 1);
}


static void
hostile_short(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "&a=1", n);
}


static void
hostile_empty(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "&", n);
}


static void
hostile_prefix(hostile_text_t *text, size_t n)
{
    hostile_pieces(text, "&a_long_prefix_that_all_of_the_names_share_%05u=1",
                   n, 1);
}


static void
hostile_same(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "&utm_source=newsletter-of-june", n);
}


static void
hostile_same_long(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "&a_name_that_is_long_and_all_the_others_have_too=1",
                   n);
}


static void
hostile_brackets(hostile_text_t *text, size_t n)
{
    hostile_pieces(text, "&filter[%05u][of][some]=value", n, 1);
}


static void
hostile_deep(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "&a[b][c][d][e][f][g][h][i]=1", n);
}


static void
hostile_special(hostile_text_t *text, size_t n)
{
    hostile_pieces(text, "&size.of+some%%20thing.%05u=1", n, 1);
}


static void
hostile_escapes(hostile_text_t *text, size_t n)
{
    hostile_add(text, "q=");
    hostile_repeat(text, "%2f%61%C3%A9%7e", n / 15);
}


static void
hostile_escaped_names(hostile_text_t *text, size_t n)
{
    hostile_pieces(text, "&%%6e%%61%%6d%%65%%C3%%A9%05u=1", n, 1);
}


static void
hostile_bad_escape(hostile_text_t *text, size_t n)
{
    hostile_add(text, "q=");
    hostile_repeat(text, "%2F", n / 3);
    hostile_add(text, "%2");
}


static void
hostile_equals(hostile_text_t *text, size_t n)
{
    hostile_add(text, "q");
    hostile_repeat(text, "=", n);
}


static void
hostile_token(hostile_text_t *text, size_t n)
{
    hostile_add(text, "token=");
    hostile_repeat(text, "a", n);
}


static void
hostile_token_words(hostile_text_t *text, size_t n)
{
    hostile_add(text, "token=");
    hostile_repeat(text, "Some-words-", n / 11);
}


static void
hostile_tokens(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "&key=some-words-that-are-no-key", n);
}


static void
hostile_regex(hostile_text_t *text, size_t n)
{
    hostile_pieces(text, "&attribute_attribute_%05u=1", n, 1);
}


static void
hostile_host(hostile_text_t *text, size_t n)
{
    hostile_repeat(text, "a.", n / 2);
    hostile_add(text, "example");
}


static void
hostile_url(hostile_text_t *text, size_t n)
{
    hostile_add(text, "https://");
    hostile_repeat(text, "a@", n / 8);
    hostile_add(text, "shop.example/");
    hostile_repeat(text, "a/;", n / 4);
    hostile_add(text, "?a");
    hostile_repeat(text, "?/", n / 8);
    hostile_add(text, "=1#");
    hostile_repeat(text, "?#", n / 8);
}


/* paths that rules look at for long: many of them, and each is nearly right */

static void
hostile_path(hostile_text_t *text, size_t n)
{
    hostile_add(text, "https://paths.example/s/");
    hostile_repeat(text, "9f3c", n / 4);
    hostile_add(text, "/a");
}


static void
hostile_path_almost(hostile_text_t *text, size_t n)
{
    hostile_add(text, "https://paths.example/s/");
    hostile_repeat(text, "9f3c", n / 4);
    hostile_add(text, ".css/a");
}


static void
hostile_path_dashes(hostile_text_t *text, size_t n)
{
    hostile_add(text, "https://paths.example/d/");
    hostile_repeat(text, "a-1-", n / 4);
    hostile_add(text, "1.html");
}


static void
hostile_path_escapes(hostile_text_t *text, size_t n)
{
    hostile_add(text, "https://paths.example/old/");
    hostile_repeat(text, "%C3%A9", n / 6);
}


static void
hostile_path_bad(hostile_text_t *text, size_t n)
{
    hostile_path_escapes(text, n);
    hostile_add(text, "%2F");
}


static void
hostile_segments(hostile_text_t *text, size_t n)
{
    hostile_add(text, "https://paths.example/deep");
    hostile_repeat(text, "/index.html", n);
}


static void
hostile_path_args(hostile_text_t *text, size_t n)
{
    hostile_add(text, "https://paths.example/show?id=");
    hostile_repeat(text, "7", n / 2);
    hostile_add(text, "&x=");
    hostile_repeat(text, "7", n / 2);
}


static void
hostile_path_params(hostile_text_t *text, size_t n)
{
    hostile_add(text, "https://paths.example/show?id=7");
    hostile_pieces(text, "&name%05u=value-of-some-length", n, 1);
}


static const hostile_case_t  hostile_cases[] = {
    { "one long value", hostile_value, 16384, MIQPS_GUARD_PASS, 0, 0, 0 },
    { "one long name", hostile_name, 16384, MIQPS_GUARD_PASS, 0, 0, 0 },
    { "one long name of dots", hostile_special_name, 16384,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "parameters in order", hostile_up, 499, MIQPS_GUARD_PASS, 0, 0, 0 },
    { "parameters in reverse order", hostile_down, 499,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "short parameters", hostile_short, 499, MIQPS_GUARD_PASS, 0, 0, 0 },
    { "empty pieces", hostile_empty, 499, MIQPS_GUARD_PASS, 0, 0, 0 },
    { "too many parameters", hostile_short, 5000,
      MIQPS_GUARD_TOO_MANY, 0, 0, 0 },
    { "too many empty pieces", hostile_empty, 5000,
      MIQPS_GUARD_TOO_MANY, 0, 0, 0 },
    { "names with a long common prefix", hostile_prefix, 499,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "one name again and again", hostile_same, 499,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "one long name again and again", hostile_same_long, 499,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "names with brackets", hostile_brackets, 499, MIQPS_GUARD_PASS, 0, 0, 0 },
    { "names with many brackets", hostile_deep, 499,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "names with dots, pluses and spaces", hostile_special, 499,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "a value of escapes", hostile_escapes, 16384, MIQPS_GUARD_PASS, 0, 0, 0 },
    { "names of escapes", hostile_escaped_names, 499,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "a bad escape behind good ones", hostile_bad_escape, 16384,
      MIQPS_GUARD_ESCAPE, 0, 0, 0 },
    { "a value of equals signs", hostile_equals, 16384,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "a token of one letter", hostile_token, 16384,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "a token of words", hostile_token_words, 16384,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "keys that are none", hostile_tokens, 499, MIQPS_GUARD_PASS, 0, 0, 0 },
    { "names for regular expressions", hostile_regex, 499,
      MIQPS_GUARD_PASS, 0, 0, 0 },
    { "a host of many labels", hostile_host, 4096, MIQPS_GUARD_PASS, 0, 1, 0 },
    { "a URL of delimiters", hostile_url, 16384,
      MIQPS_GUARD_PASS, 1, 0, 0 },
    { "a long segment that a path rule drops", hostile_path, 16384,
      MIQPS_GUARD_PASS, 1, 0, 1 },
    { "a long segment that none does", hostile_path_almost, 16384,
      MIQPS_GUARD_PASS, 1, 0, 1 },
    { "a segment of words and dashes", hostile_path_dashes, 16384,
      MIQPS_GUARD_PASS, 1, 0, 1 },
    { "a path of escapes", hostile_path_escapes, 16384,
      MIQPS_GUARD_PASS, 1, 0, 1 },
    { "a path with a bad escape at its end", hostile_path_bad, 16384,
      MIQPS_GUARD_PASS, 1, 0, 1 },
    { "some segments", hostile_segments, 15, MIQPS_GUARD_PASS, 1, 0, 1 },
    { "many segments", hostile_segments, 30, MIQPS_GUARD_PASS, 1, 0, 1 },
    { "too many segments", hostile_segments, 1500,
      MIQPS_GUARD_PASS, 1, 0, 1 },
    { "a value that goes to the path", hostile_path_args, 16384,
      MIQPS_GUARD_PASS, 1, 0, 1 },
    { "parameters beside one", hostile_path_params, 14,
      MIQPS_GUARD_PASS, 1, 0, 1 },
    { "too many parameters beside one", hostile_path_params, 400,
      MIQPS_GUARD_PASS, 1, 0, 1 }
};


/* --- the policy: something of each kind */


static void *
hostile_alloc(void *data, size_t size)
{
    (void) data;

    return calloc(1, size);
}


#define hostile_rule(text, action, layer, scope)                              \
    { miqps_string(text), miqps_null_str, action, layer, scope }

static const miqps_rule_t  hostile_rules[] = {
    hostile_rule("utm_*", MIQPS_STRIP, MIQPS_LAYER_TRACKING, 0),
    hostile_rule("a*z", MIQPS_STRIP, MIQPS_LAYER_TRACKING, 0),
    hostile_rule("*_id", MIQPS_STRIP, MIQPS_LAYER_TRACKING, 0),
    hostile_rule("name00007", MIQPS_STRIP, MIQPS_LAYER_TRACKING, 0),
    hostile_rule("page=1", MIQPS_STRIP, MIQPS_LAYER_RULES, 0),
    hostile_rule("size", MIQPS_KEEP, MIQPS_LAYER_RULES, 1),
    hostile_rule("~^attribute_[a-z]+$", MIQPS_STRIP, MIQPS_LAYER_RULES, 1),
    hostile_rule("filter", MIQPS_KEEP, MIQPS_LAYER_RULES, 2),
    hostile_rule("q", MIQPS_EXCEPT, MIQPS_LAYER_RULES, 3)
};


static void
hostile_policy_init(void)
{
    miqps_mem_t      mem;
    miqps_fault_t    fault;
    miqps_policy_t  *policy;

    static miqps_str_t    hosts[] = {
        miqps_string("shop.example"), miqps_string("*.shop.example"),
        miqps_string("*.shop.*")
    };
    static miqps_scope_t  scopes[4];

    scopes[1].hosts = &hosts[0];
    scopes[1].nhosts = 1;
    scopes[2].hosts = &hosts[1];
    scopes[2].nhosts = 1;
    scopes[3].hosts = &hosts[2];
    scopes[3].nhosts = 1;

    mem.alloc = hostile_alloc;
    mem.data = NULL;

    if (miqps_policy_init(&policy, hostile_rules,
                          sizeof(hostile_rules) / sizeof(hostile_rules[0]),
                          scopes, 4, &mem, &fault)
        != MIQPS_OK)
    {
        (void) fprintf(stderr, "hostile: cannot compile the rules\n");
        exit(1);
    }

    hostile_policy = policy;
}


/* as many rules as a host may have, and all of them begin alike */

static void
hostile_map_init(void)
{
    size_t       size, i;
    FILE        *out;
    char        *source;
    uint8_t     *data;
    const char  *why;

    out = open_memstream(&source, &size);

    if (out == NULL) {
        exit(1);
    }

    (void) fputs("{\"host\":\"paths.example\",\"rules\":["
                 "{\"from\":{\"path\":\"/s/{:hex}/{p}\"},"
                 "\"to\":{\"path\":\"/s/0/{p}\"}},"
                 "{\"from\":{\"path\":\"/old/{p}\"},"
                 "\"to\":{\"path\":\"/new/{p}\"}},"
                 "{\"from\":{\"path\":\"/deep/**/index.html\"},"
                 "\"to\":{\"path\":\"/deep/**/\"}},"
                 "{\"from\":{\"path\":\"/show\",\"params\":{"
                 "\"id\":\"{i:digits}\",\"*\":\"*\"}},"
                 "\"to\":{\"path\":\"/page/{i}\",\"params\":{}}}", out);

    for (i = 0; i < 200; i++) {
        (void) fprintf(out, ",{\"from\":{\"path\":\"/d/{a:word}-{b:digits}-"
                       "%zu.html\"},\"to\":{\"path\":\"/p%zu/{b}\"}}", i,
                       i);
    }

    (void) fputs("]}", out);

    if (fclose(out) != 0) {
        exit(1);
    }

    data = mapped_image(source, &size);
    free(source);

    if (miqps_image_open(&hostile_map, data, size, &why) != MIQPS_OK) {
        (void) fprintf(stderr, "hostile: %s\n", why);
        exit(1);
    }

    hostile_second.buf = hostile_room;
    hostile_second.size = sizeof(hostile_room);
}


void
hostile_run(const hostile_case_t *c, const hostile_text_t *text,
    miqps_result_t *res)
{
    miqps_str_t      in;
    miqps_url_t      url;
    miqps_request_t  req = {
        .host = miqps_string("shop.example"), .path = miqps_string("/"),
        .sort = 1
    };

    in.data = text->data;
    in.len = text->len;

    req.args = in;

    if (c->host) {
        req.host = in;
        req.args.len = 1;
    }

    if (c->url) {
        if (miqps_url_split(&url, &in) != MIQPS_OK) {
            res->guard = MIQPS_GUARD_MAX;
            return;
        }

        req.host = url.host;
        req.path = url.path;
        req.args = url.args;
    }

    if (c->paths) {
        req.image = &hostile_map;
        req.second = &hostile_second;
    }

    if (miqps_normalize(hostile_policy, &req, &hostile_work, hostile_buf,
                        sizeof(hostile_buf), res)
        != MIQPS_OK)
    {
        res->guard = MIQPS_GUARD_MAX;
    }
}


int
main(void)
{
    size_t                 i, k;
    miqps_result_t         res;
    hostile_text_t         text;
    const hostile_case_t  *c;

    text.data = hostile_alloc(NULL, HOSTILE_ROOM);

    if (text.data == NULL) {
        return 1;
    }

    hostile_policy_init();
    hostile_map_init();

    for (i = 0; i < sizeof(hostile_cases) / sizeof(hostile_cases[0]); i++) {
        c = &hostile_cases[i];

        for (k = 1; k <= 2; k++) {
            text.len = 0;
            c->fill(&text, k * c->n);

            hostile_run(c, &text, &res);

            if (res.guard != c->guard) {
                (void) fprintf(stderr, "hostile: %s, size %zu: %s\n", c->name,
                               k * c->n,
                               (res.guard == MIQPS_GUARD_MAX)
                               ? "failed" : miqps_guard_name(res.guard));
                return 1;
            }
        }

        (void) printf("%s\n", c->name);
    }

    return 0;
}
