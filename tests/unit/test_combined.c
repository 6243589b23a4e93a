
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "corpus/combined.h"


typedef struct {
    const char  *sentence;
    const char  *line;
    const char  *target;       /* NULL: it has another form */
    int64_t      day;
    unsigned     status;
} combined_row_t;


#define DAY  "192.0.2.7 - - [17/Nov/2026:16:00:00 +0000] "


static const combined_row_t  combined_rows[] = {
    { "takes a line apart", DAY "\"GET /p?id=7 HTTP/1.1\" 200 5 \"-\" \"x\"",
      "/p?id=7", 20774, 200 },
    { "takes a line that ends with the status",
      DAY "\"GET / HTTP/2.0\" 404", "/", 20774, 404 },
    { "takes the first day",
      "::1 - joe x [01/Jan/1970:00:00:00 +0000] \"GET / HTTP/1.0\" 200 1",
      "/", 0, 200 },
    { "takes a leap day",
      "::1 - - [29/Feb/2000:00:00:00 +0000] \"GET / HTTP/1.0\" 200 1", "/",
      11016, 200 },
    { "refuses nothing at all", "", NULL, 0, 0 },
    { "refuses a URL", "http://a.example/", NULL, 0, 0 },
    { "refuses a month there is not",
      "::1 - - [29/Fev/2000:00:00:00 +0000] \"GET / HTTP/1.0\" 200 1", NULL,
      0, 0 },
    { "refuses a line that is cut in the date", "::1 - - [29/Fe", NULL, 0, 0 },
    { "refuses a line that is cut in the request", DAY "\"GET /p", NULL, 0,
      0 },
    { "refuses a line that is cut in the status",
      DAY "\"GET /p HTTP/1.1\" 20", NULL, 0, 0 },
    { "refuses a request without a protocol", DAY "\"GET /p\" 200 5", NULL, 0,
      0 },
    { "refuses a target with escapes of the log",
      DAY "\"GET /\\x22 HTTP/1.1\" 200 5", NULL, 0, 0 }
};


static void
combined_takes(void **state)
{
    int                    ok;
    page_t                 page;
    miqps_str_t            line;
    learn_combined_t       entry;
    const combined_row_t  *row;

    row = *state;
    line = unit_put(&page, row->line);

    ok = learn_combined_parse(&entry, &line);

    assert_int_equal(ok, row->target != NULL);

    if (ok) {
        unit_equal(entry.target.data, entry.target.len, row->target);
        assert_int_equal(entry.day, row->day);
        assert_int_equal(entry.status, row->status);
    }

    page_release(&page);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, combined_takes, combined_rows);

    return unit_run(&unit, "combined");
}
