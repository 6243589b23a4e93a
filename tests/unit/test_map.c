
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "../support/mapped.h"


/* what a map says of a URL; letters as in mapped.h */

typedef struct {
    const char   *sentence;
    const char   *map;
    const char   *host;
    const char   *path;
    const char   *query;
    const char   *want;
} look_t;


#define P(names, keep)  "{\"params\":[" names "],\"keep\":[" keep "]}"
#define PP(names, keep, path)                                                \
    "{\"params\":[" names "],\"keep\":[" keep "],\"path\":\"" path "\"}"
#define H(host, patterns)                                                    \
    "{\"host\":\"" host "\",\"patterns\":[" patterns "]}"

#define A    "\"a\""
#define B    "\"b\""
#define AB   "\"a\",\"b\""
#define ABC  "\"a\",\"b\",\"c\""

#define SHOP  H("shop.example", P(AB, A))

/* "u" and "v" are neutral, "k" is kept somewhere */

#define SIMILAR                                                              \
    H("s.example", P("\"id\",\"u\"", "\"id\"") ","                           \
                   P("\"id\",\"v\"", "\"id\"") ","                           \
                   P("\"q\",\"u\",\"v\"", "\"q\"") ","                       \
                   P("\"x\"", "\"x\"") ","                                   \
                   P("\"k\",\"u\"", "\"k\"") ","                             \
                   P("\"k\",\"r\"", "\"r\"") ","                             \
                   P("\"once\",\"r\"", "\"r\"") ","                          \
                   PP("\"p\",\"u\"", "\"p\"", "/p/*"))


static const look_t  looks[] = {

    /* hosts */

    { "a host of the map is found", SHOP, "shop.example", "/", "a=1&b=2",
      "KS" },
    { "another host is not", SHOP, "shop.test", "/", "a=1&b=2", "-" },
    { "a host below it is another one", SHOP, "www.shop.example", "/",
      "a=1&b=2", "-" },
    { "a host above it is another one", SHOP, "example", "/", "a=1&b=2", "-" },
    { "an empty host is none", SHOP, "", "/", "a=1&b=2", "-" },
    { "an empty map knows no host", "", "shop.example", "/", "a=1", "-" },
    { "a mirror is treated as the host", "{\"host\":\"a.example\",\"hosts\":"
      "[\"m.example\",\"n.example\"],\"patterns\":[" P(AB, B) "]}",
      "n.example", "/", "a=1&b=2", "SK" },
    { "a wildcard can have a mirror", "{\"host\":\"*.a.example\",\"hosts\":"
      "[\"m.example\"],\"patterns\":[" P(AB, B) "]}", "m.example", "/",
      "a=1&b=2", "SK" },
    { "a wildcard holds for a host below", H("*.a.example", P(AB, A)),
      "x.a.example", "/", "a=1&b=2", "KS" },
    { "a wildcard holds at any depth", H("*.a.example", P(AB, A)),
      "z.y.x.a.example", "/", "a=1&b=2", "KS" },
    { "a wildcard does not hold for the parent itself",
      H("*.a.example", P(AB, A)), "a.example", "/", "a=1&b=2", "-" },
    { "a wildcard does not hold for a longer label",
      H("*.a.example", P(AB, A)), "xa.example", "/", "a=1&b=2", "-" },
    { "the nearest wildcard counts", H("*.a.example", P(AB, A))
      H("*.b.a.example", P(AB, B)), "x.b.a.example", "/", "a=1&b=2", "SK" },
    { "the nearest wildcard counts in any order", H("*.b.a.example", P(AB, B))
      H("*.a.example", P(AB, A)), "x.c.a.example", "/", "a=1&b=2", "KS" },
    { "an exact host counts before a wildcard", H("*.a.example", P(AB, A))
      H("b.a.example", P(AB, B)), "b.a.example", "/", "a=1&b=2", "SK" },
    { "an exact host never falls back to a wildcard",
      H("*.a.example", P(AB, A)) H("b.a.example", ""), "b.a.example", "/",
      "a=1&b=2", "-" },
    { "nor does a nearer wildcard", H("*.a.example", P(AB, A))
      H("*.b.a.example", P(A, "")), "x.b.a.example", "/", "a=1&b=2", "-" },
    { "a host and the wildcard of the same name are two",
      H("*.a.example", P(AB, A)) H("a.example", P(AB, B)), "a.example", "/",
      "a=1&b=2", "SK" },

    /* names */

    { "names are found in any order", SHOP, "shop.example", "/", "b=1&a=2",
      "SK" },
    { "one name too few is another pattern", SHOP, "shop.example", "/", "a=1",
      "-" },
    { "one name too many is another pattern", SHOP, "shop.example", "/",
      "a=1&b=2&c=3", "-" },
    { "another name is another pattern", SHOP, "shop.example", "/", "a=1&c=2",
      "-" },
    { "case matters", SHOP, "shop.example", "/", "A=1&b=2", "-" },
    { "names repeat", SHOP, "shop.example", "/", "b=1&a=2&b=3&a=4&b=5",
      "SKSKS" },
    { "one name alone repeats", H("a.example", P(A, "")), "a.example", "/",
      "a=1&a=2&a", "SSS" },
    { "a name needs no value", SHOP, "shop.example", "/", "a&b", "KS" },
    { "no parameters are in no map", SHOP, "shop.example", "/", "", "-" },
    { "escapes of names are normalized in the map",
      H("a.example", P("\"%61%c3%a9\"", "")), "a.example", "/", "a%C3%A9=1",
      "S" },
    { "escapes of names are normalized in the URL",
      H("a.example", P("\"a\xc3\xa9\"", "")), "a.example", "/", "%61%c3%a9=1",
      "S" },
    { "an empty name is one", H("a.example", P("\"\",\"a\"", A)), "a.example",
      "/", "=1&a=2", "SK" },
    { "brackets are part of a name", H("a.example", P("\"a[]\",\"a[b]\"", "")),
      "a.example", "/", "a[b]=1&a[]=2", "SS" },
    { "long names differ in the middle", H("a.example",
      P("\"begins_alike_1_ends_alike\",\"begins_alike_2_ends_alike\"",
        "\"begins_alike_2_ends_alike\"")), "a.example", "/",
      "begins_alike_1_ends_alike=1&begins_alike_2_ends_alike=2", "SK" },
    { "a long name is compared in its middle", H("a.example",
      P("\"begins_alike_1_ends_alike\"", "")), "a.example", "/",
      "begins_alike_2_ends_alike=2", "-" },
    { "names of eight and nine bytes", H("a.example",
      P("\"eightbyt\",\"eightbyt9\"", "\"eightbyt\"")), "a.example", "/",
      "eightbyt9=1&eightbyt=2", "SK" },
    { "names of sixteen and seventeen bytes", H("a.example",
      P("\"sixteenbytes_016\",\"sixteenbytes_0167\"", "\"sixteenbytes_016\"")),
      "a.example", "/", "sixteenbytes_0167=1&sixteenbytes_016=2", "SK" },

    /* clients and defaults */

    { "a name can be left to clients", H("a.example",
      "{\"params\":[" ABC "],\"keep\":[" A "],\"client\":[" B "]}"),
      "a.example", "/", "a=1&b=2&c=3", "KCS" },
    { "a default value is told", H("a.example",
      "{\"params\":[" AB "],\"keep\":[" AB "],\"defaults\":{\"b\":\"1\"}}"),
      "a.example", "/", "a=1&b=1", "KD" },
    { "another value is kept", H("a.example",
      "{\"params\":[" AB "],\"keep\":[" AB "],\"defaults\":{\"b\":\"1\"}}"),
      "a.example", "/", "a=1&b=12", "KK" },
    { "no value is no default", H("a.example",
      "{\"params\":[" A "],\"keep\":[" A "],\"defaults\":{\"a\":\"\"}}"),
      "a.example", "/", "a", "K" },
    { "an empty value can be a default", H("a.example",
      "{\"params\":[" A "],\"keep\":[" A "],\"defaults\":{\"a\":\"\"}}"),
      "a.example", "/", "a=", "D" },
    { "a default is none for a name that is there twice", H("a.example",
      "{\"params\":[" AB "],\"keep\":[" AB "],\"defaults\":{\"b\":\"1\"}}"),
      "a.example", "/", "b=1&a=1&b=1", "KKK" },
    { "a default of one name is none of another", H("a.example",
      "{\"params\":[" AB "],\"keep\":[" AB "],\"defaults\":{\"b\":\"1\"}}"),
      "a.example", "/", "a=1&b=2", "KK" },
    { "escapes of defaults are normalized", H("a.example",
      "{\"params\":[" A "],\"keep\":[" A "],\"defaults\":{\"a\":\"%61%2f\"}}"),
      "a.example", "/", "a=a%2f", "D" },

    /* shapes */

    { "a path matches itself", H("a.example", PP(A, "", "/p/1")), "a.example",
      "/p/1", "a=1", "S" },
    { "a path matches no other", H("a.example", PP(A, "", "/p/1")),
      "a.example", "/p/2", "a=1", "-" },
    { "a star is one segment", H("a.example", PP(A, "", "/p/*")), "a.example",
      "/p/xyz", "a=1", "S" },
    { "a star is not two segments", H("a.example", PP(A, "", "/p/*")),
      "a.example", "/p/x/y", "a=1", "-" },
    { "a star is not empty", H("a.example", PP(A, "", "/p/*")), "a.example",
      "/p/", "a=1", "-" },
    { "a star in the middle is not empty", H("a.example", PP(A, "", "/*/x")),
      "a.example", "//x", "a=1", "-" },
    { "a star stands anywhere", H("a.example", PP(A, "", "/*/x/*")),
      "a.example", "/1/x/2", "a=1", "S" },
    { "a slash at the end counts", H("a.example", PP(A, "", "/p/*")),
      "a.example", "/p/x/", "a=1", "-" },
    { "a slash at the end of the shape counts",
      H("a.example", PP(A, "", "/p/*/")), "a.example", "/p/x", "a=1", "-" },
    { "a slash at both ends matches", H("a.example", PP(A, "", "/p/*/")),
      "a.example", "/p/x/", "a=1", "S" },
    { "the bytes of a path are raw", H("a.example", PP(A, "", "/%70")),
      "a.example", "/p", "a=1", "-" },
    { "an empty path has no shape", H("a.example", PP(A, "", "/")),
      "a.example", "", "a=1", "-" },
    { "no path is any path", H("a.example", P(A, "")), "a.example", "", "a=1",
      "S" },
    { "a path is more precise than none",
      H("a.example", P(A, A) "," PP(A, "", "/p")), "a.example", "/p", "a=1",
      "S" },
    { "where it does not match the other counts",
      H("a.example", P(A, A) "," PP(A, "", "/p")), "a.example", "/q", "a=1",
      "K" },
    { "a literal segment is more precise than a star",
      H("a.example", PP(A, A, "/p/*") "," PP(A, "", "/p/1")), "a.example",
      "/p/1", "a=1", "S" },
    { "so it is when it keeps",
      H("a.example", PP(A, "", "/p/*") "," PP(A, A, "/p/1")), "a.example",
      "/p/1", "a=1", "K" },
    { "of three the most precise counts", H("a.example", P(A, A) ","
      PP(A, A, "/*/*") "," PP(A, "", "/*/x")), "a.example", "/p/x", "a=1",
      "S" },
    { "where none is more precise, one keep is enough",
      H("a.example", PP(AB, A, "/p/*") "," PP(AB, B, "/*/x")), "a.example",
      "/p/x", "a=1&b=2", "KK" },
    { "where none is more precise, both strip",
      H("a.example", PP(ABC, A, "/p/*") "," PP(ABC, B, "/*/x")), "a.example",
      "/p/x", "c=1&b=2&a=3", "SKK" },
    { "a more precise one than both ends it", H("a.example",
      PP(AB, A, "/p/*") "," PP(AB, B, "/*/x") "," PP(AB, "", "/p/x")),
      "a.example", "/p/x", "a=1&b=2", "SS" },
    { "keep counts before a default of another", H("a.example",
      "{\"params\":[" A "],\"keep\":[" A "],\"defaults\":{\"a\":\"1\"},"
      "\"path\":\"/p/*\"}," PP(A, A, "/*/x")), "a.example", "/p/x", "a=1",
      "K" },
    { "client counts before strip", H("a.example",
      "{\"params\":[" A "],\"keep\":[],\"client\":[" A "],"
      "\"path\":\"/p/*\"}," PP(A, "", "/*/x")), "a.example", "/p/x", "a=1",
      "C" },

    /* similar sets */

    { "neutral names may be added", SIMILAR, "s.example", "/",
      "id=1&u=2&v=3", "~KSS" },
    { "neutral names may be added to a pattern without any", SIMILAR,
      "s.example", "/", "u=1&x=2", "~SK" },
    { "neutral names may be added twice", SIMILAR, "s.example", "/",
      "v=1&x=2&v=3&u=4", "~SKSS" },
    { "a pattern of all names is not similar", SIMILAR, "s.example", "/",
      "id=1&u=2", "KS" },
    { "neutral names are not taken away", SIMILAR, "s.example", "/", "id=1",
      "-" },
    { "nor is one of two", SIMILAR, "s.example", "/", "q=1&u=2", "-" },
    { "an unknown name ends it", SIMILAR, "s.example", "/",
      "id=1&u=2&v=3&w=4", "-" },
    { "a name that is kept somewhere is not neutral", SIMILAR, "s.example",
      "/", "id=1&k=2&u=3", "-" },
    { "a name of one pattern is not neutral", SIMILAR, "s.example", "/",
      "x=1&once=2", "-" },
    { "only neutral names are no pattern", SIMILAR, "s.example", "/",
      "u=1&v=2", "-" },
    { "the path must match", SIMILAR, "s.example", "/q/1", "p=1&u=2&v=3",
      "-" },
    { "if it does, names may be added", SIMILAR, "s.example", "/p/1",
      "p=1&u=2&v=3", "~KSS" },
    { "a name left to clients is not neutral",
      H("a.example", "{\"params\":[" AB "],\"keep\":[" A "],\"client\":[" B
        "]}," P("\"b\",\"c\"", "\"c\"") "," P("\"d\"", "\"d\"")),
      "a.example", "/", "d=1&b=2", "-" },
    { "what is neutral on one host is not on another", SIMILAR
      H("t.example", P("\"id\",\"u\"", "\"id\"")), "t.example", "/",
      "id=1&u=2&v=3", "-" },
    { "where two patterns are similar, one keep is enough",
      H("a.example", P("\"i\",\"u\"", "") "," P("\"i\",\"v\"", "\"i\"") ","
        P("\"u\",\"v\"", "")), "a.example", "/", "i=1&u=2&v=3", "~KSS" }
};


static void
test_look(void **state)
{
    char            out[MIQPS_MAX_PARAMS + 2];
    size_t          size;
    uint8_t        *data;
    const char     *why;
    const look_t   *look;
    miqps_image_t   image;

    look = *state;
    data = mapped_image(look->map, &size);

    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    mapped_look(&image, look->host, look->path, look->query, out);
    assert_string_equal(out, look->want);

    free(data);
}


/* a pattern of "n" names, all stripped but the first, and a query of them */

static void
look_many(size_t n, size_t asked, const char *want)
{
    char           *map, *query, out[MIQPS_MAX_PARAMS + 2];
    size_t          i, size, m, q;
    uint8_t        *data;
    const char     *why;
    miqps_image_t   image;

    map = malloc(64 * n + 256);
    query = malloc(64 * asked + 16);

    assert_non_null(map);
    assert_non_null(query);

    m = (size_t) snprintf(map, 128, "{\"host\":\"a.example\",\"patterns\":["
                          "{\"keep\":[\"n0\"],\"params\":[");
    q = 0;

    for (i = 0; i < n; i++) {
        m += (size_t) snprintf(map + m, 32, "%s\"n%zu\"", i ? "," : "", i);
    }

    (void) snprintf(map + m, 8, "]}]}");

    query[0] = '\0';

    for (i = asked; i > 0; i--) {
        q += (size_t) snprintf(query + q, 32, "%sn%zu=1",
                               (i < asked) ? "&" : "", i - 1);
    }

    data = mapped_image(map, &size);

    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    mapped_look(&image, "a.example", "/", query, out);

    if (want != NULL) {
        assert_string_equal(out, want);

    } else {
        assert_int_equal(strlen(out), asked);
        assert_int_equal(out[asked - 1], 'K');
        assert_int_equal(strspn(out, "S"), asked - 1);
    }

    free(data);
    free(map);
    free(query);
}


static void
test_many(void **state)
{
    size_t  n;

    (void) state;

    for (n = 1; n <= MIQPS_MAX_PATTERN; n += (n < 40) ? 1 : 43) {
        look_many(n, n, NULL);
    }

    look_many(255, 255, NULL);
}


static void
test_too_many(void **state)
{
    (void) state;

    look_many(255, 254, "-");
    look_many(255, 256, "-");
    look_many(255, 257, "-");
    look_many(255, MIQPS_MAX_PARAMS, "-");
}


/* as many shapes as there is room for match, and one more */

static void
look_shapes(size_t n, const char *want)
{
    char           *map, out[8];
    size_t          i, m, size;
    uint8_t        *data;
    const char     *why;
    miqps_image_t   image;

    map = malloc(128 * n + 256);
    assert_non_null(map);

    m = (size_t) snprintf(map, 128, "{\"host\":\"a.example\",\"patterns\":[");

    /* of 8 segments, which are literal is the number */

    for (i = 0; i < n; i++) {
        m += (size_t) snprintf(map + m, 128, "%s{\"params\":[\"a\"],\"keep\":"
                               "[],\"path\":\"/%s/%s/%s/%s/%s/%s\"}",
                               (i > 0) ? "," : "", (i & 1) ? "a" : "*",
                               (i & 2) ? "a" : "*", (i & 4) ? "a" : "*",
                               (i & 8) ? "a" : "*", (i & 16) ? "a" : "*",
                               (i & 32) ? "a" : "*");
    }

    (void) snprintf(map + m, 8, "]}");

    data = mapped_image(map, &size);

    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    mapped_look(&image, "a.example", "/a/a/a/a/a/a", "a=1", out);
    assert_string_equal(out, want);

    free(data);
    free(map);
}


static void
test_shapes(void **state)
{
    (void) state;

    look_shapes(32, "S");
    look_shapes(33, "-");
}


/*
 * Two patterns of different names get the tag of one of them, as if the sums
 * of their hashes were the same: only that one is found.
 */

static void
test_collision(void **state)
{
    char            one[8], two[8];
    size_t          size, i;
    uint8_t        *data, *tags;
    const char     *why;
    miqps_str_t     host;
    miqps_host_t    h;
    miqps_image_t   image;

    (void) state;

    host = unit_str("a.example");

    for (i = 0; i < 2; i++) {
        data = mapped_image(H("a.example", P(AB, "") ","
                              P("\"c\",\"d\"", "")), &size);

        assert_int_equal(miqps_image_open(&image, data, size, &why),
                         MIQPS_OK);

        miqps_image_host(&h, miqps_map_host(&image, &host));

        tags = data + (h.tags - data);
        memcpy(tags + 2 * (1 - i), tags + 2 * i, 2);
        mapped_mend(data, size);

        assert_int_equal(miqps_image_open(&image, data, size, &why),
                         MIQPS_OK);

        mapped_look(&image, "a.example", "/", "a=1&b=2", one);
        mapped_look(&image, "a.example", "/", "c=1&d=2", two);

        assert_int_equal((strcmp(one, "SS") == 0) + (strcmp(two, "SS") == 0),
                         1);
        assert_int_equal((strcmp(one, "-") == 0) + (strcmp(two, "-") == 0),
                         1);

        free(data);
    }
}


/*
 * Rests get the tag of a name that no pattern has: a pattern that is part of
 * the URL is still not taken for one with the same rest.
 */

static void
test_rest_collision(void **state)
{
    char            out[8];
    size_t          size, i;
    uint8_t        *data, *tags;
    uint64_t        hash;
    const char     *why;
    miqps_str_t     host;
    miqps_host_t    h;
    miqps_image_t   image;

    (void) state;

    data = mapped_image(H("a.example", P(AB, "") "," P("\"b\",\"c\"", "")
                          "," P("\"a\",\"c\"", "")), &size);

    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    host = unit_str("a.example");
    miqps_image_host(&h, miqps_map_host(&image, &host));
    assert_int_equal(h.nrests, 3);

    mapped_look(&image, "a.example", "/", "a=1&b=2&c=3", out);
    assert_string_equal(out, "~SSS");

    hash = miqps_image_hash_name(image.seed, (const uint8_t *) "z", 1);
    tags = data + (h.rest_tags - data);

    for (i = 0; i < 6; i++) {
        tags[i] = (uint8_t) (hash >> 8 * (i % 2) & 0xff);
    }

    mapped_mend(data, size);

    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    mapped_look(&image, "a.example", "/", "a=1&b=2&z=3", out);
    assert_string_equal(out, "-");

    free(data);
}


/* a byte of an image is another one: nothing is found any more */

static void
test_byte(uint8_t *data, size_t size, size_t at, const char *query)
{
    char            out[8];
    const char     *why;
    miqps_image_t   image;

    data[at] ^= 1;
    mapped_mend(data, size);

    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);
    mapped_look(&image, "a.example", "/", query, out);
    assert_string_equal(out, "-");

    data[at] ^= 1;
}


/* every name of a URL is exchanged for another one: its tag stays as it was */

static void
test_confirmed(void **state)
{
    char            out[8];
    size_t          size, i, k, at, bytes;
    uint8_t        *data;
    const char     *why;
    miqps_str_t     name;
    miqps_image_t   image;

    static const char  query[] = "c&aname=1&a_name_that_is_long=2";

    (void) state;

    data = mapped_image(H("a.example", P("\"aname\","
                                         "\"a_name_that_is_long\",\"c\"",
                                         "")), &size);

    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);
    mapped_look(&image, "a.example", "/", query, out);
    assert_string_equal(out, "SSS");

    bytes = 0;

    for (i = 0; i < image.nnames; i++) {
        name = miqps_image_name(&image, (uint32_t) i);
        at = (size_t) (name.data - data);

        for (k = 0; k < name.len; k++) {
            test_byte(data, size, at + k, query);
            bytes++;
        }
    }

    assert_int_equal(bytes, strlen("c" "aname" "a_name_that_is_long"));

    free(data);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_look, looks);

    unit_add(&unit, "patterns of 1 to 255 names are found", test_many, NULL);
    unit_add(&unit, "more names than a pattern has are not", test_too_many,
             NULL);
    unit_add(&unit, "too many matching shapes mean nothing", test_shapes,
             NULL);
    unit_add(&unit, "patterns of the same tag are told apart by their names",
             test_collision, NULL);
    unit_add(&unit, "and rests of the same tag by all of theirs",
             test_rest_collision, NULL);
    unit_add(&unit, "a tag that fits does not strip unless all names do",
             test_confirmed, NULL);

    return unit_run(&unit, "map");
}
