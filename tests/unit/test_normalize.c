
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "../support/mapped.h"
#include "miqps_normalize.h"
#include "miqps_regex.h"


#define SORT    0x01
#define STRICT  0x02     /* everywhere */
#define SHOWN   0x04     /* in a browser */

#define SITE    1        /* the scope of *.shop.example and its paths /p/... */


/*
 * One policy for all rows:
 *
 *     strips "utm_*", "gclid" and "page=1", by trackers and rules;
 *     strips "~^x_";
 *     keeps "id", against everybody, "size" and "a.b";
 *     at the site strips "ref", too.
 *
 * The lists of the operator are the row's own.
 */

typedef struct {
    const char     *sentence;
    const char     *args;
    const char     *want;
    unsigned        flags;
    const char     *strip;      /* one rule of the operator, or NULL */
} row_t;


typedef struct {
    const char     *sentence;
    const char     *args;
    miqps_guard_e   guard;
} opaque_row_t;


/* the same policy with a map, which is below */

typedef struct {
    const char     *sentence;
    const char     *host;
    const char     *args;
    const char     *want;
    unsigned        flags;
    const char     *strip;
    const char     *layers;     /* O R P M T G or "-", for each parameter */
} mapped_row_t;


static const row_t  rows[] = {

    /* nothing to do */

    { "leaves what nobody names", "a=1&b=2", "a=1&b=2", 0, NULL },
    { "leaves an empty query", "", "", 0, NULL },
    { "leaves a lone word", "word", "word", 0, NULL },
    { "leaves a lone word that is sorted", "word", "word", SORT, NULL },
    { "leaves a name with an empty value", "a=", "a=", 0, NULL },
    { "leaves repeated parameters", "a=1&a=1", "a=1&a=1", 0, NULL },

    /* escapes */

    { "decodes what is unreserved", "%61=%7e", "a=~", 0, NULL },
    { "raises hex digits", "a=%2f", "a=%2F", 0, NULL },
    { "decodes while it strips", "%61=%7e&gclid=1", "a=~", 0, NULL },
    { "knows a name behind escapes", "g%63lid=1&a=1", "a=1", 0, NULL },
    { "leaves UTF-8 in values", "a=\xc3\xa9&gclid", "a=\xc3\xa9", 0, NULL },
    { "leaves escapes that are no UTF-8", "a=%FF&gclid", "a=%FF", 0, NULL },

    /* empty pieces */

    { "drops an empty piece", "a=1&&b=2", "a=1&b=2", 0, NULL },
    { "drops empty pieces at the ends", "&a=1&", "a=1", 0, NULL },
    { "drops all if all is empty", "&&", "", 0, NULL },
    { "drops a lone ampersand", "&", "", SORT, NULL },

    /* stripping */

    { "strips the first", "gclid=1&a=1", "a=1", 0, NULL },
    { "strips the last", "a=1&gclid=1", "a=1", 0, NULL },
    { "strips amid", "a=1&gclid=1&b=2", "a=1&b=2", 0, NULL },
    { "strips all", "gclid=1&utm_source=x", "", 0, NULL },
    { "strips a family of equal names", "gclid=1&a&gclid=2&b", "a&b", 0,
      NULL },
    { "strips by a regular expression", "x_y=1&a=1", "a=1", 0, NULL },
    { "strips what the operator names", "zzz=1&a=1", "a=1", 0, "zzz" },
    { "strips a value", "page=1&a=1", "a=1", 0, NULL },
    { "leaves another value", "page=2&a=1", "page=2&a=1", 0, NULL },
    { "leaves a value that repeats", "page=1&page=1", "page=1&page=1", 0,
      NULL },
    { "leaves a value with a relative", "page=1&page[]=2", "page=1&page[]=2",
      0, NULL },
    { "leaves a family of different names", "utm_a=1&utm.a=2",
      "utm_a=1&utm.a=2", 0, NULL },
    { "leaves a family with a member that stays", "gclid=1&gclid[]=2",
      "gclid=1&gclid[]=2", 0, NULL },
    { "leaves what the operator may not have", "id=1&a=1", "id=1&a=1", 0,
      "id" },
    { "strips what strict does not list", "id=1&a=1&size[]=2&b",
      "id=1&size[]=2", STRICT, NULL },
    { "strict strips everything", "a=1&b=2", "", STRICT, NULL },
    { "strict keeps what PHP takes for a name", "a_b=1&a+b=2&c=3",
      "a_b=1&a+b=2", STRICT, NULL },

    /* a lone word */

    { "marks a word that was not alone", "word&gclid=1", "word&", 0, NULL },
    { "marks a word behind an empty piece", "&word", "word&", 0, NULL },
    { "leaves the mark of a word", "word&", "word&", 0, NULL },
    { "leaves the mark of a word, sorted", "word&", "word&", SORT, NULL },
    { "marks no pair", "a=1&gclid=1", "a=1", 0, NULL },
    { "marks no empty value", "a=&gclid=1", "a=", 0, NULL },
    { "marks not two words", "a&b&gclid", "a&b", 0, NULL },
    { "marks not what is gone", "gclid&utm_a", "", 0, NULL },

    /* sorting */

    { "sorts families", "b=1&a=2&c=3", "a=2&b=1&c=3", SORT, NULL },
    { "does not sort unless asked", "b=1&a=2", "b=1&a=2", 0, NULL },
    { "sorts and strips", "b=1&gclid=1&a=2", "a=2&b=1", SORT, NULL },
    { "sorts stable", "b=2&a=1&b=1", "a=1&b=2&b=1", SORT, NULL },
    { "sorts relatives stable", "c&b[1]=x&a&b[0]=y", "a&b[1]=x&b[0]=y&c",
      SORT, NULL },
    { "leaves what is sorted", "a=1&b=2", "a=1&b=2", SORT, NULL },
    { "sorts many", "q&p&o&n&m&l&k&j&i&h&g&f&e&d&c&b&a&gclid",
      "a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q", SORT, NULL }
};


static const opaque_row_t  opaque_rows[] = {
    { "a semicolon is left alone", "b=1&a=%61;gclid=1",
      MIQPS_GUARD_SEMICOLON },
    { "a bad escape is left alone", "gclid=1&a=%zz", MIQPS_GUARD_ESCAPE },
    { "an escaped NUL is left alone", "gclid=1&a%00=1", MIQPS_GUARD_NUL },
    { "a space is left alone", "gclid=1&a b", MIQPS_GUARD_CONTROL },
    { "a number sign is left alone", "gclid=1#", MIQPS_GUARD_FRAGMENT },
    { "an escaped ampersand is left alone", "gclid=1&a%26b=1",
      MIQPS_GUARD_DELIMITER },
    { "a lone bracket is left alone", "gclid=1&a[=1", MIQPS_GUARD_BRACKET },
    { "a second question mark is left alone", "?gclid=1",
      MIQPS_GUARD_NAME_START },
    { "a name that is no text is left alone", "%FF=1&gclid=1",
      MIQPS_GUARD_NAME_BYTES },
    { "a value that is no text is left alone", "gclid=1&a=\xff",
      MIQPS_GUARD_VALUE_BYTES },
    { "escapes that are no text are left alone", "gclid=%61&a=%FF",
      MIQPS_GUARD_VALUE_BYTES },
    { "a bracket and equals sign are left alone", "gclid=1&a=]=1",
      MIQPS_GUARD_VALUE_SPLIT },
    { "a signed query is left alone", "gclid=1&X-Amz-Signature=abc",
      MIQPS_GUARD_SIGNED },
    { "a signature behind escapes is left alone", "gclid=1&X-%41mz-Date=1",
      MIQPS_GUARD_SIGNED },
    { "an exchange is left alone", "code=a&state=b&utm_source=x",
      MIQPS_GUARD_OAUTH },
    { "a password is left alone", "password=x&gclid=1", MIQPS_GUARD_SECRET }
};


static const char  mapped_source_text[] =
    "{\"host\":\"m.example\",\"hosts\":[\"mirror.example\"],\"patterns\":["
    "{\"params\":[\"color\",\"x\"],\"keep\":[\"color\"]},"
    "{\"params\":[\"color\",\"gclid\"],\"keep\":[\"color\",\"gclid\"]},"
    "{\"params\":[\"color\",\"gclid\",\"y\"],"
    "\"keep\":[\"color\",\"gclid\"]},"
    "{\"params\":[\"c\",\"utm_a\",\"x\"],\"keep\":[\"c\",\"utm_a\"]},"
    "{\"params\":[\"p\",\"q\",\"r\"],\"keep\":[\"p\",\"q\"]},"
    "{\"params\":[\"p\",\"q\"],\"keep\":[\"p\"]},"
    "{\"params\":[\"p\"],\"keep\":[]},"
    "{\"params\":[\"n\",\"pos\"],\"keep\":[\"n\",\"pos\"],"
    "\"defaults\":{\"n\":\"1\"}},"
    "{\"params\":[\"tab\",\"x\"],\"keep\":[],\"client\":[\"tab\"]},"
    "{\"params\":[\"f\",\"f[]\",\"x\"],\"keep\":[\"f\"]},"
    "{\"params\":[\"id\",\"size\",\"x\"],\"keep\":[]},"
    "{\"params\":[\"w\",\"page\"],\"keep\":[\"page\"]},"
    "{\"params\":[\"g\",\"g[]\"],\"keep\":[]}]}\n"
    "{\"host\":\"*.m.example\",\"patterns\":["
    "{\"params\":[\"a\"],\"keep\":[]}]}\n";


static const mapped_row_t  mapped_rows[] = {
    { "a map strips what does not matter", "m.example", "color=1&x=2",
      "color=1", 0, NULL, "MM" },
    { "a map strips what is sorted", "m.example", "x=2&color=1", "color=1",
      SORT, NULL, "MM" },
    { "a mirror has the map of its host", "mirror.example", "color=1&x=2",
      "color=1", 0, NULL, "MM" },
    { "a wildcard has a map", "www.m.example", "a=1", "", 0, NULL, "M" },
    { "a host has no map", "n.example", "color=1&x=2", "color=1&x=2", 0, NULL,
      "--" },
    { "no host has no map", "", "color=1&x=2", "color=1&x=2", 0, NULL, "--" },
    { "names the map does not have", "m.example", "color=1&z=2",
      "color=1&z=2", 0, NULL, "--" },
    { "a map keeps a tracker that matters", "m.example", "color=1&gclid=2",
      "color=1&gclid=2", 0, NULL, "MM" },
    { "a map keeps against strict", "m.example", "color=1&gclid=2",
      "color=1&gclid=2", STRICT, NULL, "MM" },
    { "the map of what is left keeps a tracker, too", "m.example",
      "y&gclid=1&color=2", "gclid=1&color=2", 0, NULL, "MMM" },
    { "so it is where the map has not what is left", "m.example",
      "c=1&utm_a=2&x=3", "c=1&utm_a=2", 0, NULL, "MMM" },
    { "so it is against strict", "m.example", "c=1&utm_a=2&x=3",
      "c=1&utm_a=2", STRICT, NULL, "MMM" },
    { "what matters nowhere goes by lists", "m.example", "c=1&utm_b=2&x=3",
      "c=1&x=3", 0, NULL, "-T-" },
    { "what is left is asked for until nothing goes", "m.example",
      "p=1&q=2&r=3", "", 0, NULL, "MMM" },
    { "what is left of a strip of the rules is asked for", "m.example",
      "x_z=1&p=2", "", 0, NULL, "RM" },
    { "a default goes", "m.example", "n=1&pos=2", "pos=2", 0, NULL, "MM" },
    { "another value stays", "m.example", "n=2&pos=1", "n=2&pos=1", 0, NULL,
      "MM" },
    { "a default that repeats stays", "m.example", "n=1&pos=2&n=1",
      "n=1&pos=2&n=1", 0, NULL, "MMM" },
    { "what scripts read goes", "m.example", "tab=1&x=2", "", 0, NULL, "MM" },
    { "what scripts read stays where it is shown", "m.example", "tab=1&x=2",
      "tab=1", SHOWN, NULL, "MM" },
    { "a family stays with what matters of it", "m.example", "f[]=1&x=2&f=3",
      "f[]=1&f=3", 0, NULL, "GMM" },
    { "a family of several names stays", "m.example", "g=1&g[]=2",
      "g=1&g[]=2", 0, NULL, "GG" },
    { "keeps of operator and platform stay", "m.example", "x=1&size=2&id=3",
      "size=2&id=3", 0, NULL, "MPO" },
    { "a strip of the operator wins against a keep", "m.example",
      "color=1&x=2", "", 0, "color", "OM" },
    { "a value of the rules stays if the name matters", "m.example",
      "w=1&page=1", "page=1", 0, NULL, "MM" },
    { "a lone word is marked", "m.example", "color&x", "color&", 0, NULL,
      "MM" }
};


typedef struct {
    heap_t           heap;
    miqps_policy_t  *policy;
    miqps_rule_t     rules[12];
    miqps_scope_t    scopes[2];
    miqps_str_t      host;
    miqps_str_t      path;
} fixture_t;


static miqps_work_t  work;


static void
fixture_init(fixture_t *f, unsigned flags, const char *strip)
{
    size_t         n;
    miqps_fault_t  fault;

    static const struct {
        const char      *text;
        miqps_action_e   action;
        miqps_layer_e    layer;
        uint32_t         scope;
    } list[] = {
        { "utm_*",  MIQPS_STRIP, MIQPS_LAYER_TRACKING, 0 },
        { "gclid",  MIQPS_STRIP, MIQPS_LAYER_TRACKING, 0 },
        { "page=1", MIQPS_STRIP, MIQPS_LAYER_RULES,    0 },
        { "~^x_",   MIQPS_STRIP, MIQPS_LAYER_RULES,    0 },
        { "id",     MIQPS_KEEP,  MIQPS_LAYER_OPERATOR, 0 },
        { "size",   MIQPS_KEEP,  MIQPS_LAYER_PLATFORM, 0 },
        { "a.b",    MIQPS_KEEP,  MIQPS_LAYER_RULES,    0 },
        { "ref",    MIQPS_STRIP, MIQPS_LAYER_RULES,    SITE }
    };

    memset(f, 0, sizeof(fixture_t));
    heap_init(&f->heap);

    for (n = 0; n < sizeof(list) / sizeof(list[0]); n++) {
        f->rules[n].text = unit_str(list[n].text);
        f->rules[n].action = list[n].action;
        f->rules[n].layer = list[n].layer;
        f->rules[n].scope = list[n].scope;
    }

    if (strip != NULL) {
        f->rules[n].text = unit_str(strip);
        f->rules[n].action = MIQPS_STRIP;
        f->rules[n++].layer = MIQPS_LAYER_OPERATOR;
    }

    f->host = unit_str("*.shop.example");
    f->path = unit_str("/p/*");

    f->scopes[0].strict = (flags & STRICT) != 0;
    f->scopes[SITE].hosts = &f->host;
    f->scopes[SITE].nhosts = 1;
    f->scopes[SITE].paths = &f->path;
    f->scopes[SITE].npaths = 1;

    assert_int_equal(miqps_policy_init(&f->policy, f->rules, n, f->scopes, 2,
                                       &f->heap.mem, &fault),
                     MIQPS_OK);
}


static void
fixture_release(fixture_t *f)
{
    miqps_policy_release(f->policy);
    heap_release(&f->heap);
}


static void
request_init(miqps_request_t *req, const miqps_str_t *args, unsigned flags)
{
    memset(req, 0, sizeof(miqps_request_t));
    memset(&work, 0xff, sizeof(work));

    req->host = unit_str("www.shop.example");
    req->path = unit_str("/");
    req->args = *args;
    req->sort = (flags & SORT) != 0;
}


static void
test_row(void **state)
{
    page_t            in, out;
    size_t            size;
    fixture_t         f;
    const row_t      *row;
    miqps_str_t       args;
    miqps_request_t   req;
    miqps_result_t    res;

    row = *state;
    args = unit_put(&in, row->args);
    size = miqps_normalize_bound(args.len);

    page_init(&out, size);
    fixture_init(&f, row->flags, row->strip);
    request_init(&req, &args, row->flags);

    assert_int_equal(miqps_normalize(f.policy, &req, &work,
                                     page_tail(&out, size), size, &res),
                     MIQPS_OK);

    assert_int_equal(res.guard, MIQPS_GUARD_PASS);
    unit_equal(res.args.data, res.args.len, row->want);
    assert_int_equal(res.changed, strcmp(row->args, row->want) != 0);

    fixture_release(&f);
    page_release(&in);
    page_release(&out);
}


static void
test_opaque(void **state)
{
    page_t               in, out;
    size_t               size;
    fixture_t            f;
    miqps_str_t          args;
    miqps_result_t       res;
    miqps_request_t      req;
    const opaque_row_t  *row;

    row = *state;
    args = unit_put(&in, row->args);
    size = miqps_normalize_bound(args.len);

    page_init(&out, size);
    fixture_init(&f, STRICT, NULL);
    request_init(&req, &args, SORT);

    assert_int_equal(miqps_normalize(f.policy, &req, &work,
                                     page_tail(&out, size), size, &res),
                     MIQPS_OK);

    assert_string_equal(miqps_guard_name(res.guard),
                        miqps_guard_name(row->guard));
    unit_equal(res.args.data, res.args.len, row->args);
    assert_int_equal(res.changed, 0);
    assert_int_equal(res.nparams, 0);
    assert_int_equal(res.nstripped, 0);

    fixture_release(&f);
    page_release(&in);
    page_release(&out);
}


static void
mapped_open(miqps_image_t *image, uint8_t **data)
{
    size_t       size;
    const char  *why;

    *data = mapped_image(mapped_source_text, &size);

    assert_int_equal(miqps_image_open(image, *data, size, &why), MIQPS_OK);
}


static void
check_layers(const mapped_row_t *row)
{
    size_t  i;

    static const char  letters[] = "-ORPRMTG";

    for (i = 0; row->layers[i] != '\0'; i++) {
        if (letters[work.params[i].layer] != row->layers[i]) {
            print_error("parameter %zu: layer %s\n", i + 1,
                        miqps_layer_name(work.params[i].layer));
            fail();
        }
    }
}


/* it comes out, and comes out again, also with plans */

static void
test_mapped(void **state)
{
    uint8_t              buf[512], again[512], *data;
    fixture_t            f;
    miqps_str_t          args;
    miqps_image_t        image;
    miqps_result_t       res, second;
    miqps_request_t      req;
    const mapped_row_t  *row;

    static miqps_plans_t  plans;

    row = *state;
    args = unit_str(row->args);

    mapped_open(&image, &data);
    fixture_init(&f, row->flags, row->strip);
    request_init(&req, &args, row->flags);

    req.host = unit_str(row->host);
    req.image = &image;
    req.shown = (row->flags & SHOWN) != 0;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf, sizeof(buf),
                                     &res),
                     MIQPS_OK);
    unit_equal(res.args.data, res.args.len, row->want);
    assert_int_equal(res.nparams, strlen(row->layers));
    assert_int_equal(res.mapped, strstr(row->host, "m") == row->host
                                 || strstr(row->host, ".m.") != NULL);
    assert_int_equal(res.entry.host != NULL, res.known);
    assert_int_equal(res.known, strchr(row->layers, 'M') != NULL
                                || strchr(row->layers, 'G') != NULL);
    check_layers(row);

    memset(&plans, 0, sizeof(plans));
    req.plans = &plans;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, again,
                                     sizeof(again), &second),
                     MIQPS_OK);
    unit_equal(second.args.data, second.args.len, row->want);

    req.args = res.args;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, again,
                                     sizeof(again), &second),
                     MIQPS_OK);
    assert_int_equal(second.changed, 0);
    assert_int_equal(second.nstripped, 0);

    fixture_release(&f);
    free(data);
}


/* an opaque query of a host that is in a map */

static void
test_mapped_opaque(void **state)
{
    uint8_t          buf[512], *data;
    fixture_t        f;
    miqps_str_t      args;
    miqps_image_t    image;
    miqps_result_t   res;
    miqps_request_t  req;

    (void) state;

    args = unit_str("color=1&x=2;");

    mapped_open(&image, &data);
    fixture_init(&f, 0, NULL);
    request_init(&req, &args, 0);
    req.host = unit_str("m.example");
    req.image = &image;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf, sizeof(buf),
                                     &res),
                     MIQPS_OK);
    assert_int_equal(res.guard, MIQPS_GUARD_SEMICOLON);
    assert_ptr_equal(res.args.data, args.data);
    assert_int_equal(res.mapped, 0);
    assert_null(res.entry.host);

    fixture_release(&f);
    free(data);
}


/* of several entries that speak in turn */

static void
test_mapped_entry(void **state)
{
    uint8_t          buf[512], *data;
    fixture_t        f;
    miqps_str_t      args;
    miqps_host_t     host;
    miqps_image_t    image;
    miqps_result_t   res;
    miqps_request_t  req;
    miqps_pattern_t  pattern;

    (void) state;

    args = unit_str("p=1&q=2&r=3");

    mapped_open(&image, &data);
    fixture_init(&f, 0, NULL);
    request_init(&req, &args, 0);
    req.host = unit_str("mirror.example");
    req.image = &image;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf, sizeof(buf),
                                     &res),
                     MIQPS_OK);
    assert_int_equal(res.nstripped, 3);

    miqps_image_host(&host, res.entry.host);
    miqps_image_pattern(&pattern, res.entry.pattern);

    unit_equal(host.host.data, host.host.len, "m.example");
    assert_int_equal(pattern.n, 3);
    assert_int_equal(res.entry.similar, 0);

    fixture_release(&f);
    free(data);
}


/* the rules of a site are for its hosts and paths */

static void
test_site(void **state)
{
    size_t           i;
    uint8_t          buf[256];
    fixture_t        f;
    miqps_str_t      args;
    miqps_result_t   res;
    miqps_request_t  req;

    static const struct {
        const char  *host;
        const char  *path;
        const char  *want;
    } urls[] = {
        { "www.shop.example", "/p/1", "a=1" },
        { "www.shop.example", "/q/1", "ref=x&a=1" },
        { "shop.example",     "/p/1", "ref=x&a=1" },
        { "",                 "",     "ref=x&a=1" }
    };

    (void) state;

    fixture_init(&f, 0, NULL);
    args = unit_str("ref=x&a=1");

    for (i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        request_init(&req, &args, 0);
        req.host = unit_str(urls[i].host);
        req.path = unit_str(urls[i].path);

        assert_int_equal(miqps_normalize(f.policy, &req, &work, buf,
                                         sizeof(buf), &res),
                         MIQPS_OK);
        unit_equal(res.args.data, res.args.len, urls[i].want);
    }

    fixture_release(&f);
}


static void
test_space(void **state)
{
    uint8_t          buf[256];
    fixture_t        f;
    miqps_str_t      args;
    miqps_result_t   res, before;
    miqps_request_t  req;

    (void) state;

    fixture_init(&f, 0, NULL);
    args = unit_str("a=1&gclid=1");
    request_init(&req, &args, 0);

    memset(&res, 0x55, sizeof(res));
    before = res;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf,
                                     miqps_normalize_bound(args.len) - 1,
                                     &res),
                     MIQPS_NO_SPACE);
    assert_memory_equal(&res, &before, sizeof(res));
    assert_int_equal(miqps_normalize_bound(0), 0);

    fixture_release(&f);
}


static void
test_no_bytes(void **state)
{
    fixture_t        f;
    miqps_str_t      none = miqps_null_str;
    miqps_result_t   res;
    miqps_request_t  req;

    (void) state;

    fixture_init(&f, STRICT, NULL);
    request_init(&req, &none, SORT);
    req.host = none;
    req.path = none;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, NULL, 0, &res),
                     MIQPS_OK);
    assert_int_equal(res.guard, MIQPS_GUARD_PASS);
    assert_int_equal(res.args.len, 0);
    assert_int_equal(res.changed, 0);
    assert_int_equal(res.nparams, 0);

    fixture_release(&f);
}


/* the longest query that is read, and one byte more */

static void
test_long(void **state)
{
    uint8_t         *buf, *text;
    fixture_t        f;
    miqps_str_t      args;
    miqps_result_t   res;
    miqps_request_t  req;

    (void) state;

    text = malloc(MIQPS_MAX_ARGS + 1);
    buf = malloc(miqps_normalize_bound(MIQPS_MAX_ARGS + 1));

    assert_non_null(text);
    assert_non_null(buf);

    memset(text, 'a', MIQPS_MAX_ARGS + 1);
    memcpy(text, "gclid&a=", 8);

    fixture_init(&f, 0, NULL);
    args.data = text;
    args.len = MIQPS_MAX_ARGS;
    request_init(&req, &args, 0);

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf,
                                     miqps_normalize_bound(args.len), &res),
                     MIQPS_OK);
    assert_int_equal(res.guard, MIQPS_GUARD_PASS);
    assert_int_equal(res.args.len, MIQPS_MAX_ARGS - 6);

    req.args.len++;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf,
                                     miqps_normalize_bound(req.args.len),
                                     &res),
                     MIQPS_OK);
    assert_int_equal(res.guard, MIQPS_GUARD_TOO_LONG);
    assert_ptr_equal(res.args.data, text);

    fixture_release(&f);
    free(text);
    free(buf);
}


static void
test_too_many(void **state)
{
    size_t           i;
    fixture_t        f;
    miqps_str_t      args;
    miqps_result_t   res;
    miqps_request_t  req;

    static uint8_t  text[6 * (MIQPS_MAX_PARAMS + 1)];
    static uint8_t  buf[4 * sizeof(text)];

    (void) state;

    for (i = 0; i <= MIQPS_MAX_PARAMS; i++) {
        memcpy(text + 6 * i, (i % 2) ? "gclid&" : "a=111&", 6);
    }

    fixture_init(&f, 0, NULL);
    args.data = text;
    args.len = 6 * MIQPS_MAX_PARAMS - 1;
    request_init(&req, &args, SORT);

    assert_true(sizeof(buf) >= miqps_normalize_bound(sizeof(text)));
    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf, sizeof(buf),
                                     &res),
                     MIQPS_OK);
    assert_int_equal(res.guard, MIQPS_GUARD_PASS);
    assert_int_equal(res.nstripped, MIQPS_MAX_PARAMS / 2);

    req.args.len = 6 * MIQPS_MAX_PARAMS + 5;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf, sizeof(buf),
                                     &res),
                     MIQPS_OK);
    assert_int_equal(res.guard, MIQPS_GUARD_TOO_MANY);

    fixture_release(&f);
}


/* parameters are those of the input, in its order, with their verdicts */

static void
test_params(void **state)
{
    uint8_t          buf[256];
    fixture_t        f;
    miqps_str_t      args;
    miqps_result_t   res;
    miqps_request_t  req;

    (void) state;

    fixture_init(&f, 0, NULL);
    args = unit_str("b=%31&&gclid=2&a[]=3");
    request_init(&req, &args, SORT);

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf, sizeof(buf),
                                     &res),
                     MIQPS_OK);

    unit_equal(res.args.data, res.args.len, "a[]=3&b=1");
    assert_int_equal(res.nparams, 3);
    assert_int_equal(res.nstripped, 1);

    unit_equal(work.params[0].name, work.params[0].len, "b=1");
    unit_equal(work.params[1].name, work.params[1].len, "gclid=2");
    unit_equal(work.params[2].name, work.params[2].len, "a[]=3");
    unit_equal(work.params[2].family, work.params[2].family_len, "a");

    assert_int_equal(work.params[1].action, MIQPS_STRIP);
    assert_int_equal(work.params[1].layer, MIQPS_LAYER_TRACKING);
    assert_ptr_equal(work.params[1].rule, &f.rules[1]);
    assert_int_equal(work.params[0].action, MIQPS_KEEP);

    fixture_release(&f);
}


/* a regular expression that gives up keeps all of the query, in any order */

static void
test_gives_up(void **state)
{
    size_t           i, len;
    fixture_t        f;
    miqps_str_t      args;
    miqps_result_t   res;
    miqps_request_t  req;

    static char     text[MIQPS_REGEX_MAX_SUBJECT + 64];
    static uint8_t  buf[4 * sizeof(text)];

    (void) state;

    fixture_init(&f, 0, NULL);

    for (i = 0; i < 2; i++) {
        len = (i == 0) ? (size_t) snprintf(text, sizeof(text), "x_y=1&") : 0;

        memset(text + len, 'q', MIQPS_REGEX_MAX_SUBJECT + 1);
        len += MIQPS_REGEX_MAX_SUBJECT + 1;

        len += (size_t) snprintf(text + len, sizeof(text) - len,
                                 "=1&gclid=1%s", (i == 1) ? "&x_y=1" : "");

        args.data = (uint8_t *) text;
        args.len = len;
        request_init(&req, &args, 0);

        assert_int_equal(miqps_normalize(f.policy, &req, &work, buf,
                                         sizeof(buf), &res),
                         MIQPS_OK);
        assert_int_equal(res.guard, MIQPS_GUARD_PASS);
        assert_int_equal(res.nstripped, 0);
        unit_equal(res.args.data, res.args.len, text);
        assert_int_equal(work.params[i].why, (i == 0)
                         ? MIQPS_WHY_REGEX_FAILED : work.params[i].why);
        assert_int_equal(work.params[2 - i].action, MIQPS_KEEP);
    }

    fixture_release(&f);
}


/* ... and silences a map, which would strip all */

static void
test_gives_up_mapped(void **state)
{
    size_t           size;
    uint8_t         *data;
    fixture_t        f;
    const char      *why;
    miqps_str_t      args;
    miqps_image_t    image;
    miqps_result_t   res;
    miqps_request_t  req;

    static char     name[MIQPS_REGEX_MAX_SUBJECT + 2];
    static char     text[sizeof(name) + 128];
    static uint8_t  buf[4 * sizeof(text)];

    (void) state;

    memset(name, 'q', sizeof(name) - 1);

    (void) snprintf(text, sizeof(text), "{\"host\":\"m.example\",\"patterns\":"
                    "[{\"params\":[\"%s\",\"a\"],\"keep\":[]}]}", name);
    data = mapped_image(text, &size);
    assert_int_equal(miqps_image_open(&image, data, size, &why), MIQPS_OK);

    (void) snprintf(text, sizeof(text), "a=1&%s=2", name);
    args = unit_str(text);

    fixture_init(&f, 0, NULL);
    request_init(&req, &args, 0);
    req.host = unit_str("m.example");
    req.image = &image;

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf, sizeof(buf),
                                     &res),
                     MIQPS_OK);
    assert_int_equal(res.guard, MIQPS_GUARD_PASS);
    assert_int_equal(res.mapped, 1);
    assert_int_equal(res.changed, 0);
    assert_int_equal(res.nstripped, 0);
    assert_null(res.entry.host);

    fixture_release(&f);
    free(data);
}


static void
test_unknown_scopes(void **state)
{
    char             path[MIQPS_REGEX_MAX_SUBJECT + 2];
    uint8_t          buf[256];
    fixture_t        f;
    miqps_str_t      args;
    miqps_fault_t    fault;
    miqps_result_t   res;
    miqps_request_t  req;

    (void) state;

    fixture_init(&f, 0, NULL);
    fixture_release(&f);

    heap_init(&f.heap);
    f.path = unit_str("~^/p");

    assert_int_equal(miqps_policy_init(&f.policy, f.rules, 8, f.scopes, 2,
                                       &f.heap.mem, &fault),
                     MIQPS_OK);

    memset(path, 'p', sizeof(path));
    path[0] = '/';

    args = unit_str("gclid=1&a=1");
    request_init(&req, &args, 0);
    req.path.data = (uint8_t *) path;
    req.path.len = sizeof(path);

    assert_int_equal(miqps_normalize(f.policy, &req, &work, buf, sizeof(buf),
                                     &res),
                     MIQPS_OK);
    assert_int_equal(res.guard, MIQPS_GUARD_SCOPES);
    assert_ptr_equal(res.args.data, args.data);

    fixture_release(&f);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_row, rows);
    unit_rows(&unit, test_opaque, opaque_rows);
    unit_rows(&unit, test_mapped, mapped_rows);

    unit_add(&unit, "a map does not open what is opaque", test_mapped_opaque,
             NULL);
    unit_add(&unit, "the entry is the first that spoke", test_mapped_entry,
             NULL);
    unit_add(&unit, "the rules of a site are for the site", test_site, NULL);
    unit_add(&unit, "a buffer below the bound is refused", test_space, NULL);
    unit_add(&unit, "a request without bytes needs no memory", test_no_bytes,
             NULL);
    unit_add(&unit, "a query above the limit is left alone", test_long, NULL);
    unit_add(&unit, "a thousand pieces are read, one more is not",
             test_too_many, NULL);
    unit_add(&unit, "parameters have the order of the input", test_params,
             NULL);
    unit_add(&unit, "a regular expression that gives up keeps all",
             test_gives_up, NULL);
    unit_add(&unit, "a regular expression that gives up silences a map",
             test_gives_up_mapped, NULL);
    unit_add(&unit, "a path too long for its rules is left alone",
             test_unknown_scopes, NULL);

    return unit_run(&unit, "normalize");
}
