
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "ingest/day.h"
#include "ingest/lines.h"
#include "ingest/log_format.h"


static learn_store_t        store;       /* its key alone */
static learn_record_work_t  work;


typedef struct {
    const char     *sentence;
    const char     *text;
    int64_t         day;
} day_row_t;


static const day_row_t  day_rows[] = {
    { "knows $time_local", "17/Nov/2026:16:00:00 +0000", 20774 },
    { "knows $time_iso8601", "2026-11-17T16:00:00+00:00", 20774 },
    { "knows $msec", "1794931200.123", 20774 },
    { "knows seconds", "1794931200", 20774 },
    { "knows the time of CDX", "20261117160000", 20774 },
    { "knows a leap day", "29/Feb/2000:00:00:00 +0000", 11016 },
    { "knows the first of March", "2000-03-01", 11017 },
    { "knows a century without a leap day", "2100-03-01", 47541 },
    { "knows no month of that name", "29/Fev/2000:00:00:00 +0000", 0 },
    { "knows no thirteenth month", "2000-13-01T00:00:00Z", 0 },
    { "knows no year before 1970", "1969-12-31T00:00:00Z", 0 },
    { "knows no date that is cut", "17/Nov/20", 0 },
    { "knows no words", "yesterday", 0 },
    { "knows nothing of nothing", "", 0 }
};


static void
day_of(void **state)
{
    page_t            page;
    miqps_str_t       text;
    const day_row_t  *row;

    row = *state;
    text = unit_put(&page, row->text);

    assert_int_equal(learn_day(&text), row->day);

    page_release(&page);
}


/* a format, a line, and what becomes of it */

typedef struct {
    const char     *sentence;
    const char     *format;          /* NULL: combined; "json", "corpus", or
                                        "cdx" are no log_formats */
    const char     *line;
    learn_line_e    what;
    const char     *url;             /* scheme, host and target */
    int64_t         day;
    int             known;           /* the client is */
} line_row_t;


#define DAY     "192.0.2.7 - - [17/Nov/2026:16:00:00 +0000] "
#define MAIN    "$remote_addr $host \"$request\" $status [$time_local] $bytes"
#define CUSTOM  "<${remote_addr}|$time_iso8601|$scheme|$http_host|"          \
                "$request_method|$request_uri|$status|$sent_http_content_type>"
#define QUOTED  "{\"a\":\"$remote_addr\",\"u\":\"$request_uri\",\"s\":$status}"
#define CLIENT  "00112233445566ff"
#define CORPUS  "1\t1794931200\t" CLIENT "\thttps\ta.example\t"

#define TAKEN   LEARN_LINE_TAKEN
#define FORM    LEARN_LINE_FORM


static const line_row_t  line_rows[] = {

    /* combined */

    { "combined: takes a line", NULL,
      DAY "\"GET /p?id=7 HTTP/1.1\" 200 5 \"-\" \"x\"", TAKEN,
      "https:///p?id=7", 20774, 1 },
    { "combined: takes a line that ends with the state", NULL,
      DAY "\"GET / HTTP/2.0\" 200", TAKEN, "https:///", 20774, 1 },
    { "combined: takes an absolute URL", NULL,
      DAY "\"GET http://a.example/ HTTP/1.1\" 200 5", TAKEN,
      "https://http://a.example/", 20774, 1 },
    { "combined: decodes what nginx escapes", NULL,
      DAY "\"GET /\\x22\\x5C\\xC3\\xA9 HTTP/1.1\" 200 5", TAKEN,
      "https:///\"\\\xc3\xa9", 20774, 1 },
    { "combined: refuses half an escape", NULL,
      DAY "\"GET /\\x2 HTTP/1.1\" 200 5", FORM, NULL, 0, 0 },
    { "combined: refuses a URL", NULL, "http://a.example/", FORM, NULL, 0, 0 },
    { "combined: refuses a time that is none", NULL,
      "::1 - - [29/Fev/2000:00:00:00 +0000] \"GET / HTTP/1.0\" 200 1", FORM,
      NULL, 0, 0 },
    { "combined: refuses a line that is cut in the request", NULL,
      DAY "\"GET /p", FORM, NULL, 0, 0 },
    { "combined: skips a state that is cut", NULL,
      DAY "\"GET /p HTTP/1.1\" 20", LEARN_LINE_REQUEST, NULL, 0, 0 },
    { "combined: refuses a request without a protocol", NULL,
      DAY "\"GET /p\" 200 5", FORM, NULL, 0, 0 },
    { "combined: refuses a request that was none", NULL, DAY "\"-\" 400 0",
      FORM, NULL, 0, 0 },
    { "combined: skips other methods", NULL,
      DAY "\"POST /p HTTP/1.1\" 200 5", LEARN_LINE_REQUEST, NULL, 0, 0 },
    { "combined: skips other states", NULL, DAY "\"GET /p HTTP/1.1\" 304 0",
      LEARN_LINE_REQUEST, NULL, 0, 0 },
    { "combined: skips users", NULL,
      "::1 - joe [17/Nov/2026:16:00:00 +0000] \"GET / HTTP/1.0\" 200 1",
      LEARN_LINE_USER, NULL, 0, 0 },
    { "combined: knows no client behind a socket", NULL,
      "unix: - - [17/Nov/2026:16:00:00 +0000] \"GET / HTTP/1.0\" 200 1",
      TAKEN, "https:///", 20774, 0 },

    /* others */

    { "log_format: takes variables in any order", MAIN,
      "::1 a.example:8080 \"GET /p HTTP/1.1\" 200 [17/Nov/2026:16:00:00 +0] 5",
      TAKEN, "https://a.example/p", 20774, 1 },
    { "log_format: refuses another one", MAIN, DAY "\"GET /p HTTP/1.1\" 200 5",
      FORM, NULL, 0, 0 },
    { "log_format: takes braces, and text before the first variable", CUSTOM,
      "<::1|2026-11-17T16:00:00+00:00|http|a.example|GET|/p?a=1|200|"
      "text/html; charset=utf-8>", TAKEN, "http://a.example/p?a=1", 20774, 1 },
    { "log_format: skips what is not HTML", CUSTOM,
      "<::1|2026-11-17T16:00:00+00:00|http|a.example|GET|/p?a=1|200|"
      "image/png>", LEARN_LINE_TYPE, NULL, 0, 0 },
    { "log_format: takes XHTML", CUSTOM,
      "<::1|2026-11-17T16:00:00+00:00|http|a.example|GET|/p|200|"
      "Application/xhtml+xml>", TAKEN, "http://a.example/p", 20774, 1 },
    { "log_format: takes one with escape=json", QUOTED,
      "{\"a\":\"::1\",\"u\":\"/\\\"\\\\\\/\\u0022\",\"s\":200}", TAKEN,
      "https:///\"\\/\"", 0, 1 },

    /* JSON */

    { "JSON: takes nginx's names", "json",
      "{\"remote_addr\":\"::1\",\"request\":\"GET /p?a=1 HTTP/1.1\","
      "\"status\":200,\"host\":\"a.example\",\"time_iso8601\":"
      "\"2026-11-17T16:00:00+00:00\",\"x\":{\"y\":[1]}}", TAKEN,
      "https://a.example/p?a=1", 20774, 1 },
    { "JSON: takes common names, and a number for the time", "json",
      "{\"client_ip\":\"::1\",\"url\":\"http://a.example/p\",\"method\":"
      "\"GET\",\"status\":\"200\",\"timestamp\":1794931200.5}", TAKEN,
      "https://http://a.example/p", 20774, 1 },
    { "JSON: skips other states", "json",
      "{\"url\":\"/p\",\"status\":404}", LEARN_LINE_REQUEST, NULL, 0, 0 },
    { "JSON: refuses an object without a URL", "json", "{\"status\":200}",
      FORM, NULL, 0, 0 },
    { "JSON: refuses an array", "json", "[\"/p\"]", FORM, NULL, 0, 0 },
    { "JSON: refuses what is cut", "json", "{\"url\":\"/p\"", FORM, NULL, 0,
      0 },

    /* the file of miqps_corpus */

    { "corpus: takes a line", "corpus", CORPUS "/p?a=1\ttext/html\t5\tHIT",
      TAKEN, "https://a.example/p?a=1", 20774, 1 },
    { "corpus: decodes escapes", "corpus",
      CORPUS "/\\x5Cx41\\xFF\ttext/html\t5\t-", TAKEN,
      "https://a.example/\\x41\xff", 20774, 1 },
    { "corpus: refuses a field too few", "corpus", CORPUS "/p\ttext/html\t5",
      FORM, NULL, 0, 0 },
    { "corpus: refuses a field too many", "corpus",
      CORPUS "/p\ttext/html\t5\t-\t-", FORM, NULL, 0, 0 },
    { "corpus: refuses an empty field", "corpus",
      CORPUS "\ttext/html\t5\t-", FORM, NULL, 0, 0 },
    { "corpus: refuses another version", "corpus",
      "2\t1794931200\t" CLIENT "\thttps\ta.example\t/p\ttext/html\t5\t-",
      FORM, NULL, 0, 0 },
    { "corpus: refuses two lines in one", "corpus",
      CORPUS "/p\tte" CORPUS "/p\ttext/html\t5\t-", FORM, NULL, 0, 0 },

    /* CDX */

    { "CDX: takes the usual columns", "cdx",
      "com,a)/p 20261117160000 http://a.example/p text/html 200 X - - 5 6 f",
      TAKEN, "https://http://a.example/p", 0, 0 },
    { "CDX: skips other states", "cdx",
      "com,a)/p 20261117160000 http://a.example/p text/html 404 X - - 5 6 f",
      LEARN_LINE_REQUEST, NULL, 0, 0 },
    { "CDX: skips what is not HTML", "cdx",
      "com,a)/p 20261117160000 http://a.example/p image/png 200 X - - 5 6 f",
      LEARN_LINE_TYPE, NULL, 0, 0 },
    { "CDX: refuses a column too few", "cdx",
      "com,a)/p 20261117160000 http://a.example/p text/html 200 X - - 5 6",
      FORM, NULL, 0, 0 },
    { "CDX: refuses a column too many", "cdx",
      "com,a)/p 20261117160000 http://a.example/p text/html 200 X - - 5 6 f x",
      FORM, NULL, 0, 0 },
    { "CDX: takes JSON", "cdx",
      "com,a)/p 20261117160000 {\"url\":\"http://a.example/p\",\"mime\":"
      "\"text/html\",\"status\":\"200\"}", TAKEN,
      "https://http://a.example/p", 0, 0 },
    { "CDX: refuses JSON without a URL", "cdx",
      "com,a)/p 20261117160000 {\"status\":\"200\"}", FORM, NULL, 0, 0 },
    { "CDX: refuses JSON that is none", "cdx", "com,a)/p 2026 {x}", FORM, NULL,
      0, 0 }
};


static int
take_apart(const char *format, const miqps_str_t *line, learn_record_t *record,
    cJSON **json)
{
    learn_cdx_t         cdx;
    learn_log_format_t  log;

    *json = NULL;

    if (format != NULL && strcmp(format, "json") == 0) {
        return learn_line_json(line, record, json);
    }

    if (format != NULL && strcmp(format, "corpus") == 0) {
        return learn_line_corpus(line, record);
    }

    if (format != NULL && strcmp(format, "cdx") == 0) {
        learn_line_cdx_init(&cdx);
        return learn_line_cdx(&cdx, line, record, json);
    }

    assert_null(learn_log_format_init(&log, (format != NULL)
                                            ? format : LEARN_LOG_COMBINED));

    return learn_log_format_line(&log, line, record);
}


static void
line_is(void **state)
{
    char               url[256];
    cJSON             *json;
    page_t             page;
    miqps_str_t        line;
    learn_line_e       what;
    learn_entry_t      entry;
    learn_record_t     record;
    const line_row_t  *row;

    row = *state;
    line = unit_put(&page, row->line);

    what = FORM;

    if (take_apart(row->format, &line, &record, &json)) {
        what = learn_record_entry(&record, &store, &work, &entry);
    }

    assert_int_equal(what, row->what);

    if (what == TAKEN) {
        (void) snprintf(url, sizeof(url), "%s://%.*s%.*s",
                        entry.http ? "http" : "https", (int) entry.host.len,
                        (const char *) entry.host.data,
                        (int) entry.target.len,
                        (const char *) entry.target.data);

        assert_string_equal(url, row->url);
        assert_int_equal(entry.day, row->day);
        assert_int_equal(entry.client != 0, row->known);
    }

    cJSON_Delete(json);
    page_release(&page);
}


/* however a line is cut, nothing behind it is read */

static void
beginnings_are_read(void **state)
{
    size_t          i, n, len;
    cJSON          *json;
    page_t          page;
    char            text[512];
    miqps_str_t     line;
    learn_entry_t   entry;
    learn_record_t  record;

    (void) state;

    for (i = 0; i < sizeof(line_rows) / sizeof(line_rows[0]); i++) {
        len = strlen(line_rows[i].line);

        for (n = 0; n <= len; n++) {
            memcpy(text, line_rows[i].line, n);
            text[n] = '\0';
            line = unit_put(&page, text);

            if (take_apart(line_rows[i].format, &line, &record, &json)) {
                (void) learn_record_entry(&record, &store, &work, &entry);
            }

            cJSON_Delete(json);
            page_release(&page);
        }
    }
}


/* log_formats that cannot be read */

typedef struct {
    const char     *sentence;
    const char     *format;
    const char     *error;           /* a part of it */
} format_row_t;


static const format_row_t  format_rows[] = {
    { "refuses a format without a request", "$remote_addr $status", "neither" },
    { "refuses an empty format", "", "neither" },
    { "refuses variables that touch", "$remote_addr$request",
      "nothing between" },
    { "refuses a dollar without a name", "$ $request", "name of a variable" },
    { "refuses a brace that stays open", "${request", "name of a variable" }
};


static void
format_is_refused(void **state)
{
    const char          *error;
    learn_log_format_t   log;
    const format_row_t  *row;

    row = *state;
    error = learn_log_format_init(&log, row->format);

    assert_non_null(error);
    assert_non_null(strstr(error, row->error));
}


static uint64_t
client_of(const char *address)
{
    char                text[256];
    miqps_str_t         line;
    learn_entry_t       entry;
    learn_record_t      record;
    learn_log_format_t  log;

    (void) snprintf(text, sizeof(text), "%s /", address);
    line = unit_str(text);

    assert_null(learn_log_format_init(&log, "$remote_addr $request_uri"));
    assert_true(learn_log_format_line(&log, &line, &record));
    assert_int_equal(learn_record_entry(&record, &store, &work, &entry),
                     TAKEN);

    return entry.client;
}


static void
clients_are_networks(void **state)
{
    (void) state;

    assert_true(client_of("192.0.2.1") != client_of("192.0.2.2"));
    assert_true(client_of("192.0.2.1") == client_of("::ffff:192.0.2.1"));
    assert_true(client_of("2001:db8::1") == client_of("2001:db8::ffff:2"));
    assert_true(client_of("2001:db8::1") != client_of("2001:db8:0:1::1"));
    assert_true(client_of("somebody") != client_of("somebody-else"));
    assert_true(client_of("-") == 0);
    assert_true(client_of("192.0.2.1") >> 48 == 0);
}


static void
columns_are_read(void **state)
{
    cJSON           *json;
    learn_cdx_t      cdx;
    miqps_str_t      line;
    learn_record_t   record;

    (void) state;

    learn_line_cdx_init(&cdx);

    line = unit_str(" CDX a b s m");
    assert_true(learn_line_cdx_head(&cdx, &line));
    assert_int_equal(cdx.n, 4);

    line = unit_str("http://a.example/ 2026 200 text/html");
    assert_true(learn_line_cdx(&cdx, &line, &record, &json));
    unit_equal(record.field[LEARN_FIELD_STATUS].data,
               record.field[LEARN_FIELD_STATUS].len, "200");

    line = unit_str("CDX a b s m");
    assert_false(learn_line_cdx_head(&cdx, &line));
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, day_of, day_rows);
    unit_rows(&unit, line_is, line_rows);
    unit_rows(&unit, format_is_refused, format_rows);
    unit_add(&unit, "reads nothing behind a line", beginnings_are_read, NULL);
    unit_add(&unit, "takes a network of IPv6 for a client",
             clients_are_networks, NULL);
    unit_add(&unit, "CDX: reads what the columns are", columns_are_read, NULL);

    return unit_run(&unit, "records");
}
