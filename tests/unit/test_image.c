
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "../support/damage.h"
#include "../support/mapped.h"
#include "map/map_check.h"
#include "map/map_diff.h"
#include "map/map_print.h"
#include "map/map_stats.h"


/* one of everything */

static const char  everything[] =
    "{\"host\":\"a.example\",\"hosts\":[\"m.example\"],\"patterns\":["
    "{\"params\":[\"id\",\"u\"],\"keep\":[\"id\"]},"
    "{\"params\":[\"q\",\"u\",\"longer_than_sixteen\"],\"keep\":[\"q\"],"
    "\"client\":[\"longer_than_sixteen\"],\"path\":\"/p/*/x\"},"
    "{\"params\":[\"page\"],\"keep\":[\"page\"],\"defaults\":{\"page\":\"1\"}}"
    "],\"time\":1000}"
    "{\"host\":\"*.b.example\",\"patterns\":["
    "{\"params\":[\"id\"],\"keep\":[]}]}";


static const char *const  hosts[] = {
    "a.example", "m.example", "x.b.example", "b.example", "y.x.b.example", "a"
};


static const char *const  queries[] = {
    "id=1&u=2", "id=1", "page=1", "page=2&u=1", "q=1&u=2&longer_than_sixteen=3",
    "id=1&u=2&u=3", "longer_than_sixteen=1", "u", "q"
};


static page_t   page;
static FILE    *nowhere;


/* everything that is done with an image */

static void
use(const miqps_image_t *image)
{
    char           out[MIQPS_MAX_PARAMS + 2];
    size_t         i, k, n;
    learn_view_t   view;
    learn_index_t  index;

    for (i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        for (k = 0; k < sizeof(queries) / sizeof(queries[0]); k++) {
            mapped_look(image, hosts[i], "/p/1/x", queries[k], out);
            assert_true(strspn(out, "-~KCDS") == strlen(out));
        }
    }

    memset(&view, 0, sizeof(view));

    assert_true(learn_index_init(&index, image));

    for (i = 0; i < index.n; i++) {
        assert_true(learn_view_read(&view, image, index.hosts[i].record));
        learn_print_host(&index, &index.hosts[i], &view, image->time, nowhere);
    }

    learn_view_release(&view);
    learn_index_release(&index);

    learn_stats_print(image, nowhere);
    assert_true(learn_diff_images(image, image, 0, nowhere, &n));
    assert_int_equal(n, 0);
}


/* opens a copy that ends where memory ends, and uses it if it can be used */

static int
try(const uint8_t *data, size_t size)
{
    miqps_rc_e      rc;
    const char     *why;
    miqps_image_t   image;

    why = NULL;
    rc = miqps_image_open(&image, page_put(&page, data, size), size, &why);

    if (rc != MIQPS_OK) {
        assert_non_null(why);
        assert_true(rc == MIQPS_SYNTAX || rc == MIQPS_TOO_LONG);
        return 0;
    }

    use(&image);

    return 1;
}


static void
test_truncated(void **state)
{
    size_t    size, i;
    uint8_t  *data;

    (void) state;

    data = mapped_image(everything, &size);

    assert_true(try(data, size));

    for (i = 0; i < size; i++) {
        assert_false(try(data, i));
    }

    /* as if it had been so short from the start */

    for (i = MIQPS_IMAGE_HEAD; i < size; i++) {
        memcpy(data + 16, (const uint8_t []) { (uint8_t) (i & 0xff),
                                               (uint8_t) (i >> 8) }, 2);
        mapped_mend(data, i);
        assert_false(try(data, i));
    }

    free(data);
}


static void
test_flipped(void **state)
{
    size_t    size, i, taken;
    uint8_t  *data;

    (void) state;

    data = mapped_image(everything, &size);

    for (i = 0; i < 8 * size; i++) {
        data[i / 8] ^= (uint8_t) (1u << i % 8);
        assert_false(try(data, size));
        data[i / 8] ^= (uint8_t) (1u << i % 8);
    }

    taken = damage_bits(data, size, try);

    /* names, for one, can be any bytes */

    assert_true(taken > 100 && taken < 8 * size / 2);

    free(data);
}


static void
test_numbers(void **state)
{
    size_t    size;
    uint8_t  *data;

    (void) state;

    data = mapped_image(everything, &size);

    assert_true(damage_numbers(data, size, try) > 0);

    free(data);
}


/* what one look finds, many small ones find */

static miqps_rc_e
check_by(size_t budget, const uint8_t *data, size_t size, const char **why,
    size_t *looks)
{
    miqps_rc_e           rc;
    miqps_image_check_t  check;

    miqps_image_check_init(&check, data, size);

    for (*looks = 1; /* void */ ; (*looks)++) {
        rc = miqps_image_check(&check, budget, why);

        if (rc != MIQPS_AGAIN) {
            break;
        }

        assert_null(*why);
    }

    if (rc == MIQPS_OK) {
        use(&check.image);
    }

    return rc;
}


static void
test_steps(void **state)
{
    size_t          size, i, budget, looks;
    uint8_t        *data;
    const char     *why, *once;
    miqps_rc_e      rc;
    miqps_image_t   image;

    (void) state;

    data = mapped_image(everything, &size);

    for (budget = 1; budget < 2 * size; budget *= 3) {
        assert_int_equal(check_by(budget, data, size, &why, &looks),
                         MIQPS_OK);

        /* it reads everything once, and hosts three times */

        assert_true(looks * (budget + 200) > size);
        assert_true(budget > 20 || looks > 20);
    }

    for (i = 0; i < 8 * size; i += 5) {
        data[i / 8] ^= (uint8_t) (1u << i % 8);
        mapped_mend(data, size);

        rc = miqps_image_open(&image, data, size, &once);

        assert_int_equal(check_by(1 + i % 100, data, size, &why, &looks), rc);
        assert_ptr_equal(why, once);

        data[i / 8] ^= (uint8_t) (1u << i % 8);
    }

    free(data);
}


/* what is wrong with the head, and what is said of it */

typedef struct {
    const char   *sentence;
    size_t        at;
    const char   *bytes;
    size_t        len;
    const char   *want;
} head_t;


static const head_t  heads[] = {
    { "another file is not an image", 0, "GIF89a", 6,
      "it is not a map image" },
    { "the byte order is looked at", 10, "\x01\x02", 2,
      "it is of another byte order" },
    { "a newer version is told", 8, "\x02", 1,
      "its format is newer than this program" },
    { "a feature that must be known is told", 12, "\x01", 1,
      "its format is newer than this program" },
    { "a size that is too large is told", 16, "\xff\xff", 2,
      "it is cut off" },
    { "a size that is too small is told", 16, "\x10\x00", 2,
      "something follows it" },
    { "sections have an order", 96, "\x08", 1,
      "its sections are not in order" },
    { "what is not defined is zero", 185, "\x01", 1,
      "it has something that this version does not" },
    { "hosts are counted", 64, "\x01", 1,
      "it has a wrong number of hosts or patterns" },
    { "names are counted", 72, "\x01", 1, "it has a wrong number of names" }
};


static void
test_head(void **state)
{
    size_t          size;
    uint8_t        *data;
    const char     *why;
    miqps_rc_e      rc;
    const head_t   *head;
    miqps_image_t   image;

    head = *state;
    data = mapped_image(everything, &size);

    memcpy(data + head->at, head->bytes, head->len);

    if (head->at != 16) {
        mapped_mend(data, size);
    }

    rc = miqps_image_open(&image, data, size, &why);

    assert_int_not_equal(rc, MIQPS_OK);
    assert_string_equal(why, head->want);
    assert_int_equal(rc == MIQPS_TOO_LONG, strstr(why, "newer") != NULL);

    free(data);
}


/* a record of more than 64 KiB has wider offsets */

static void
test_wide(void **state)
{
    char           *map, query[64], out[16];
    size_t          i, m, size, n;
    uint8_t        *data;
    const char     *why;
    miqps_str_t     host;
    miqps_host_t    h;
    miqps_image_t   image;

    (void) state;

    for (n = 1; n <= 8000; n = 20 * n) {
        map = malloc(128 * n + 128);
        assert_non_null(map);

        m = (size_t) snprintf(map, 64, "{\"host\":\"a.example\","
                              "\"patterns\":[");

        for (i = 0; i < n; i++) {
            m += (size_t) snprintf(map + m, 128, "%s{\"params\":[\"n%zu\","
                                   "\"u\",\"v\"],\"keep\":[\"n%zu\"]}",
                                   (i > 0) ? "," : "", i, i);
        }

        (void) snprintf(map + m, 8, "]}");

        data = mapped_image(map, &size);
        assert_int_equal(miqps_image_open(&image, data, size, &why),
                         MIQPS_OK);

        host = unit_str("a.example");
        miqps_image_host(&h, miqps_map_host(&image, &host));

        assert_int_equal((h.flags & MIQPS_HOST_WIDE) != 0, n == 8000);
        assert_int_equal(h.npatterns, n);

        for (i = 0; i < n; i += 1 + n / 100) {
            (void) snprintf(query, sizeof(query), "v=1&n%zu=1&u=1", i);
            mapped_look(&image, "a.example", "/", query, out);
            assert_string_equal(out, "SKS");
        }

        free(data);
        free(map);
    }
}


/* the order in which a map is told does not show */

static void
test_order(void **state)
{
    size_t    one, two;
    uint8_t  *a, *b;

    static const char  first[] =
        "{\"host\":\"b.example\",\"patterns\":[{\"params\":[\"x\",\"y\"],"
        "\"keep\":[\"x\",\"y\"],\"defaults\":{\"x\":\"1\",\"y\":\"2\"}},"
        "{\"params\":[\"y\"],\"keep\":[]}]}"
        "{\"host\":\"a.example\",\"hosts\":[\"d.example\",\"c.example\"],"
        "\"patterns\":[{\"params\":[\"k\",\"l\"],\"keep\":[],"
        "\"client\":[\"l\"],\"path\":\"/b\"},{\"params\":[\"k\",\"l\"],"
        "\"keep\":[\"k\"],\"path\":\"/a\"}],\"time\":7}";

    static const char  second[] =
        "[ { \"time\": \"1970-01-01T00:00:07Z\", \"patterns\": [\n"
        "{\"path\":\"/a\",\"keep\":[\"k\"],\"params\":[\"l\",\"k\"]},"
        "{\"params\":[\"l\",\"k\"],\"keep\":[],\"client\":[\"l\"],"
        "\"path\":\"/b\",\"urls\":7,\"evidence\":{}}],"
        "\"hosts\":[\"c.example\",\"d.example\"],\"host\":\"a.example\"},\n"
        "{\"host\":\"b.example\",\"rules\":[],\"settings\":{\"k\":1},"
        "\"patterns\":[{\"keep\":[],\"params\":[\"%79\"]},"
        "{\"keep\":[\"y\",\"x\"],\"defaults\":{\"y\":\"2\",\"x\":\"%31\"},"
        "\"params\":[\"y\",\"x\"]}],\"time\":3} ]\n";

    (void) state;

    a = mapped_image(first, &one);
    b = mapped_image(second, &two);

    assert_int_equal(one, two);
    assert_memory_equal(a, b, one);

    free(a);
    free(b);
}


/* what may stand in a map */

typedef struct {
    const char   *sentence;
    const char   *(*check)(const miqps_str_t *text);
    const char   *text;
    const char   *want;
} check_t;


static const char *
check_shape(const miqps_str_t *text)
{
    uint32_t  segments, literals;

    return learn_check_shape(text, &segments, &literals);
}


static const char *
check_name(const miqps_str_t *text)
{
    uint8_t      out[3 * LEARN_CHECK_MAX_NAME];
    miqps_str_t  res;

    return learn_check_name(text, out, &res);
}


static const char *
check_value(const miqps_str_t *text)
{
    uint8_t      out[3 * LEARN_CHECK_MAX_NAME];
    miqps_str_t  res;

    return learn_check_value(text, out, &res);
}


static const char *
check_time(const miqps_str_t *text)
{
    uint64_t  seconds;

    return learn_check_time((const char *) text->data, &seconds);
}


#define NO_NAME   "no parameter that is ever looked up has such a name"
#define NO_VALUE  "no parameter that is ever looked up has such a value"
#define NO_TIME   "a time is written as in \"2026-11-17T11:39:00Z\""

static const check_t  checks[] = {
    { "a host", learn_check_host, "shop.example", NULL },
    { "a host with everything", learn_check_host, "a-1_b.xn--bcher-kva.example",
      NULL },
    { "a host of one label", learn_check_host, "localhost", NULL },
    { "an address", learn_check_host, "127.0.0.1", NULL },
    { "no host", learn_check_host, "", "a host has a name" },
    { "a host with a dot behind", learn_check_host, "a.example.",
      "a host ends without a dot" },
    { "a host with a dot in front", learn_check_host, ".example",
      "between the dots of a host there is something" },
    { "a host with two dots", learn_check_host, "a..example",
      "between the dots of a host there is something" },
    { "a host in capitals", learn_check_host, "a.Example",
      "a host is in lower case" },
    { "a host with a port", learn_check_host, "a.example:80",
      "a host is given without a port" },
    { "a host with an umlaut", learn_check_host, "b\xc3\xbc.example",
      "a host is in ASCII; others have a form that begins with \"xn--\"" },
    { "a host with a star inside", learn_check_host, "a.*.example",
      "a host consists of letters, digits, dots, \"-\" and \"_\"" },
    { "a host with a long label", learn_check_host,
      "a234567890123456789012345678901234567890123456789012345678901234.b",
      "between the dots of a host there are at most 63 bytes" },

    { "a path", check_shape, "/p/*/reviews", NULL },
    { "a path of one slash", check_shape, "/", NULL },
    { "a path with empty segments", check_shape, "//*//", NULL },
    { "a path of 32 segments", check_shape,
      "/1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7/8/9/0/1/*",
      NULL },
    { "a path of 33 segments", check_shape,
      "/1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7/8/9/0/1/2/3",
      "a path has at most 32 segments" },
    { "an empty path", check_shape, "", "a path begins with \"/\"" },
    { "a path without a slash", check_shape, "p", "a path begins with \"/\"" },
    { "a path with part of a segment", check_shape, "/p/a*",
      "\"*\" stands for a whole segment of a path" },
    { "a path with two stars", check_shape, "/p/**",
      "\"*\" stands for a whole segment of a path" },
    { "a path with a query", check_shape, "/p?a",
      "a path has no spaces, \"?\" or \"#\"" },
    { "a path with a space", check_shape, "/a b",
      "a path has no spaces, \"?\" or \"#\"" },

    { "a name", check_name, "utm_source", NULL },
    { "a name with brackets", check_name, "a[b][]", NULL },
    { "a name with an escape", check_name, "a%20b", NULL },
    { "a name with an umlaut", check_name, "gr\xc3\xb6\xc3\x9f" "e", NULL },
    { "a name with an ampersand", check_name, "a&b", NO_NAME },
    { "a name with an equals sign", check_name, "a=b", NO_NAME },
    { "a name with half an escape", check_name, "a%4", NO_NAME },
    { "a name with a semicolon", check_name, "a;b", NO_NAME },
    { "a name with a space", check_name, "a b", NO_NAME },
    { "a name with an open bracket", check_name, "a[b", NO_NAME },

    { "a value", check_value, "1", NULL },
    { "an empty value", check_value, "", NULL },
    { "a value with an equals sign", check_value, "a=b", NULL },
    { "a value with an ampersand", check_value, "a&b", NO_VALUE },
    { "a value with a space", check_value, "a b", NO_VALUE },
    { "a value with a bad escape", check_value, "%zz", NO_VALUE },

    { "a time", check_time, "2026-11-17T11:39:00Z", NULL },
    { "a day that is there", check_time, "2000-02-29T00:00:00Z", NULL },
    { "a day that is not", check_time, "2100-02-29T00:00:00Z",
      "there is no such time" },
    { "a month that is not", check_time, "2100-13-01T00:00:00Z",
      "there is no such time" },
    { "a time without a zone", check_time, "2026-11-17T11:39:00", NO_TIME },
    { "a time of another zone", check_time, "2026-11-17T11:39:00+01:00",
      NO_TIME },
    { "a date", check_time, "2026-11-17", NO_TIME },
    { "no time", check_time, "", NO_TIME }
};


static void
test_check(void **state)
{
    const char     *why;
    miqps_str_t     text;
    const check_t  *check;

    check = *state;
    text = unit_str(check->text);
    why = check->check(&text);

    if (check->want == NULL) {
        assert_null(why);

    } else {
        assert_non_null(why);
        assert_string_equal(why, check->want);
    }
}


static void
test_seconds(void **state)
{
    size_t    i;
    uint64_t  seconds;

    static const struct {
        const char  *text;
        uint64_t     seconds;
    } times[] = {
        { "1970-01-01T00:00:00Z", 0 },
        { "1970-03-01T00:00:01Z", 5097601 },
        { "2000-02-29T12:00:00Z", 951825600 },
        { "2026-11-17T11:39:00Z", 1794915540 },
        { "9999-12-31T23:59:59Z", UINT64_C(253402300799) }
    };

    (void) state;

    for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        assert_null(learn_check_time(times[i].text, &seconds));
        assert_int_equal(seconds, times[i].seconds);
    }
}


int
main(void)
{
    static unit_t  unit;

    nowhere = fopen("/dev/null", "w");
    page_init(&page, 64 * 1024);

    if (nowhere == NULL) {
        printf("Bail out! /dev/null\n");
        return 1;
    }

    unit_rows(&unit, test_head, heads);
    unit_rows(&unit, test_check, checks);

    unit_add(&unit, "an image that is cut off is refused", test_truncated,
             NULL);
    unit_add(&unit, "an image with a wrong bit is refused, or does no harm",
             test_flipped, NULL);
    unit_add(&unit, "nor do numbers that are too large or too small",
             test_numbers, NULL);
    unit_add(&unit, "an image can be checked little by little", test_steps,
             NULL);
    unit_add(&unit, "a host can have many patterns", test_wide, NULL);
    unit_add(&unit, "equal maps have equal images", test_order, NULL);
    unit_add(&unit, "times are told in seconds", test_seconds, NULL);

    return unit_run(&unit, "image");
}
