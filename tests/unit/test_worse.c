
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "publish/worse.h"


typedef struct {
    const char     *sentence;
    learn_reply_t   before;        /* requests, redirects, errors, upstream, */
    learn_reply_t   after;         /* milliseconds of all of these */
    const char     *why;           /* or NULL */
} worse_row_t;


static const worse_row_t  worse_rows[] = {
    { "finds nothing where nobody asks",
      { 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0 }, NULL },
    { "finds nothing where all is as before",
      { 1000, 10, 20, 900, 9000 }, { 1000, 10, 20, 900, 9000 }, NULL },
    { "finds pages that are gone",
      { 1000, 0, 0, 0, 0 }, { 40, 0, 20, 0, 0 },
      "50.0 % of 40 requests are errors, and 0.0 % of 1000 were before" },
    { "does not take three errors for a rule",
      { 1000, 0, 0, 0, 0 }, { 20, 0, 3, 0, 0 }, NULL },
    { "lets as many more pass as it may",
      { 100000, 0, 10000, 0, 0 }, { 100000, 0, 14900, 0, 0 }, NULL },
    { "finds more than that",
      { 100000, 0, 10000, 0, 0 }, { 100000, 0, 17000, 0, 0 },
      "17.0 % of 100000 requests are errors, and 10.0 % of 100000 were "
      "before" },
    { "leaves a host that was bad before",
      { 1000, 0, 990, 0, 0 }, { 1000, 0, 1000, 0, 0 }, NULL },
    { "leaves a host that nobody asked for before",
      { 0, 0, 0, 0, 0 }, { 1000, 0, 1000, 0, 0 }, NULL },
    { "needs much where little was asked for before",
      { 5, 0, 0, 0, 0 }, { 1000, 0, 500, 0, 0 }, NULL },
    { "finds redirects",
      { 500, 5, 0, 0, 0 }, { 100, 60, 0, 0, 0 },
      "60.0 % of 100 requests are redirects, and 1.0 % of 500 were before" },
    { "finds upstreams that are slow",
      { 1000, 0, 0, 500, 50000 }, { 1000, 0, 0, 100, 45000 },
      "upstreams take 450 ms for an answer, and took 100 ms before" },
    { "leaves those that are a little slower",
      { 1000, 0, 0, 500, 50000 }, { 1000, 0, 0, 100, 25000 }, NULL },
    { "leaves those that are slower and still fast",
      { 1000, 0, 0, 500, 1000 }, { 1000, 0, 0, 100, 5000 }, NULL },
    { "leaves those that were hardly asked",
      { 1000, 0, 0, 500, 50000 }, { 1000, 0, 0, 29, 290000 }, NULL }
};


static void
worse_is(void **state)
{
    int                   worse;
    char                  why[LEARN_WORSE_WHY] = "";
    const worse_row_t    *row;
    const learn_worse_t   limits = learn_worse_limits;

    row = *state;
    worse = learn_worse(&limits, &row->before, &row->after, why);

    assert_string_equal(why, (row->why != NULL) ? row->why : "");
    assert_int_equal(worse, row->why != NULL);
}


/* --- what nginx tells */

static const char  status_json[] =
    "{\"version\": \"1\", \"since\": 77, \"requests\": 9, \"hosts\": ["
    "{\"host\": \"b.example\", \"requests\": 50, \"stripped\": 1, \"known\": 1,"
    " \"redirects\": 3, \"4xx\": 4, \"5xx\": 5, \"upstream\": 6,"
    " \"upstream_ms\": 70},"
    "{\"host\": \"*.a.example\", \"requests\": 10, \"stripped\": 1,"
    " \"known\": 1, \"redirects\": 0, \"4xx\": 0, \"5xx\": 0, \"upstream\": 0,"
    " \"upstream_ms\": 0}], \"other_hosts\": {"
    "\"requests\": 30, \"4xx\": 2}}";


static void
status_is_read(void **state)
{
    char            *text;
    learn_reply_t    reply;
    learn_status_t   status, again;

    (void) state;

    memset(&status, 0, sizeof(learn_status_t));
    memset(&again, 0, sizeof(learn_status_t));

    assert_true(learn_status_parse(&status, status_json));
    assert_int_equal(status.n, 3);
    assert_int_equal(status.since, 77);

    reply = learn_status_host(&status, "b.example")->reply;
    assert_int_equal(reply.requests, 50);
    assert_int_equal(reply.redirects, 3);
    assert_int_equal(reply.errors, 9);
    assert_int_equal(reply.upstream, 6);
    assert_int_equal(reply.upstream_ms, 70);

    assert_int_equal(learn_status_host(&status, "*.a.example")->reply.requests,
                     10);
    assert_null(learn_status_host(&status, "c.example"));

    reply = learn_status_host(&status, LEARN_STATUS_OTHERS)->reply;
    assert_int_equal(reply.requests, 30);
    assert_int_equal(reply.errors, 2);

    text = learn_status_print(&status);
    assert_non_null(text);
    assert_true(learn_status_parse(&again, text));
    free(text);

    assert_int_equal(again.n, 3);
    assert_memory_equal(again.hosts, status.hosts,
                        3 * sizeof(learn_status_host_t));

    /* what came since, and all if it is another nginx */

    status.hosts[2].reply.requests = 20;
    status.hosts[2].reply.errors = 8;
    reply = learn_status_between(&status, &again, "b.example");
    assert_int_equal(reply.requests, 30);
    assert_int_equal(reply.errors, 1);
    assert_int_equal(reply.upstream, 0);

    status.since = 76;
    assert_int_equal(learn_status_between(&status, &again, "b.example")
                     .requests, 50);

    status.since = 77;
    status.hosts[2].reply.requests = 51;
    assert_int_equal(learn_status_between(&status, &again, "b.example")
                     .requests, 50);

    learn_status_release(&status);
    learn_status_release(&again);
}


/* --- what was before */

typedef struct {
    const char     *sentence;
    const char     *last;          /* hosts, or NULL */
    const char     *now;
    uint64_t        requests;      /* before, of a.example */
    uint64_t        errors;
} before_row_t;


#define counted(host, requests, errors)                                       \
    "{\"host\":\"" host "\",\"requests\":" #requests ",\"5xx\":" #errors

#define had(requests, errors, changed)                                        \
    ",\"before\":{\"requests\":" #requests ",\"5xx\":" #errors              \
    "},\"changed\":" #changed "}"


static const before_row_t  before_rows[] = {
    { "takes all if nothing was published before",
      NULL, counted("a.example", 70, 7) "}", 70, 7 },
    { "adds what was before a map that says the same",
      counted("a.example", 60, 6) had(500, 5, false),
      counted("a.example", 70, 8) "}", 510, 7 },
    { "adds it if nobody asked since",
      counted("a.example", 60, 6) had(500, 5, false),
      counted("a.example", 60, 6) "}", 500, 5 },
    { "leaves what was before a map that says something else",
      counted("a.example", 60, 6) had(500, 5, true),
      counted("a.example", 70, 8) "}", 10, 2 },
    { "leaves what was long ago if many asked since",
      counted("a.example", 60, 6) had(500, 5, false),
      counted("a.example", 1060, 6) "}", 1000, 0 },
    { "has a host that nobody asked for since nginx began anew",
      counted("a.example", 60, 6) had(500, 5, false),
      counted("b.example", 9, 0) "}", 500, 5 },
    { "has a host that is new",
      counted("b.example", 60, 6) had(500, 5, false),
      counted("a.example", 9, 1) "}", 9, 1 },
    { "leaves hosts that no map has",
      counted("lost.example", 60, 6) had(500, 5, false),
      counted("a.example", 9, 1) "}", 9, 1 }
};


static int
before_wanted(const char *host, void *data)
{
    (void) data;

    return strcmp(host, "lost.example") != 0;
}


static void
before_is(void **state)
{
    char                 text[1024];
    learn_status_t       last, now;
    const before_row_t  *row;

    row = *state;
    memset(&last, 0, sizeof(learn_status_t));
    memset(&now, 0, sizeof(learn_status_t));

    if (row->last != NULL) {
        (void) snprintf(text, sizeof(text), "{\"since\":1,\"hosts\":[%s]}",
                        row->last);
        assert_true(learn_status_parse(&last, text));
    }

    (void) snprintf(text, sizeof(text), "{\"since\":1,\"hosts\":[%s]}",
                    row->now);
    assert_true(learn_status_parse(&now, text));

    assert_true(learn_status_before(&now, (row->last != NULL) ? &last : NULL,
                                    before_wanted, NULL));

    assert_non_null(learn_status_host(&now, "a.example"));
    assert_null(learn_status_host(&now, "lost.example"));
    assert_int_equal(learn_status_host(&now, "a.example")->before.requests,
                     row->requests);
    assert_int_equal(learn_status_host(&now, "a.example")->before.errors,
                     row->errors);

    learn_status_release(&last);
    learn_status_release(&now);
}


typedef struct {
    const char     *sentence;
    const char     *text;
} status_row_t;


static const status_row_t  status_rows[] = {
    { "refuses what is no JSON", "hosts" },
    { "refuses an array", "[]" },
    { "refuses what has no hosts", "{\"since\":1}" },
    { "refuses what has no beginning", "{\"hosts\":[]}" },
    { "refuses hosts that are none", "{\"since\":1,\"hosts\":[7]}" },
    { "refuses a host without a name",
      "{\"since\":1,\"hosts\":[{\"5xx\":1}]}" },
    { "refuses a host without answers, as older modules have it",
      "{\"since\":1,\"hosts\":[{\"host\":\"a\",\"requests\":1}]}" }
};


static void
status_is_refused(void **state)
{
    learn_status_t       status;
    const status_row_t  *row;

    row = *state;
    memset(&status, 0, sizeof(learn_status_t));

    assert_false(learn_status_parse(&status, row->text));
    learn_status_release(&status);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, worse_is, worse_rows);
    unit_add(&unit, "reads what nginx tells", status_is_read, NULL);
    unit_rows(&unit, before_is, before_rows);
    unit_rows(&unit, status_is_refused, status_rows);

    return unit_run(&unit, "worse");
}
