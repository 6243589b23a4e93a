
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_scope.h"


/* whether a scope with one host, or with one path, is active for another */

typedef struct {
    const char  *sentence;
    const char  *pattern;
    const char  *text;
    int          active;
} match_row_t;


typedef struct {
    const char  *sentence;
    const char  *text;
    miqps_rc_e   rc;
} check_row_t;


static const match_row_t  host_rows[] = {
    { "a host is itself", "shop.example", "shop.example", 1 },
    { "a host is no other", "shop.example", "shop.example2", 0 },
    { "a host is not what is below it", "shop.example", "www.shop.example",
      0 },
    { "a host is not its tail", "www.shop.example", "shop.example", 0 },
    { "a star is any host below", "*.shop.example", "www.shop.example", 1 },
    { "a star is any depth", "*.shop.example", "a.b.c.shop.example", 1 },
    { "a star is not the host itself", "*.shop.example", "shop.example", 0 },
    { "a star ends at a dot", "*.shop.example", "myshop.example", 0 },
    { "a star is below a word", "*.example", "shop.example", 1 },
    { "a star behind is one label", "shop.*", "shop.com", 1 },
    { "a star behind is two labels", "shop.*", "shop.co.uk", 1 },
    { "a star behind is not three labels", "shop.*", "shop.a.co.uk", 0 },
    { "a star behind is not nothing", "shop.*", "shop", 0 },
    { "a star behind has nothing before", "shop.*", "www.shop.com", 0 },
    { "a star behind begins at a dot", "shop.*", "shopping.com", 0 },
    { "a star behind a longer name", "www.shop.*", "www.shop.co.uk", 1 },
    { "two stars are both", "*.shop.*", "www.shop.co.uk", 1 },
    { "two stars are any depth before", "*.shop.*", "a.b.shop.com", 1 },
    { "two stars are something before", "*.shop.*", "shop.com", 0 },
    { "two stars are not three labels behind", "*.shop.*", "a.shop.b.c.d", 0 },
    { "two stars are something behind", "*.shop.*", "www.shop", 0 },
    { "no host is no host", "shop.example", "", 0 },
    { "no host is not below", "*.example", "", 0 },
    { "no host is not before", "shop.*", "", 0 },
    { "a dot is no host", "shop.*", ".", 0 },
    { "a dot before is no label", "shop.*", ".com", 0 },
    { "an address in brackets is itself", "[::1]", "[::1]", 1 },
    { "an underscore is a letter", "a_b.c", "a_b.c", 1 }
};


static const match_row_t  path_rows[] = {
    { "a path is itself", "/cart", "/cart", 1 },
    { "a path is no prefix", "/cart", "/cart/", 0 },
    { "a path is no other", "/cart", "/Cart", 0 },
    { "a star takes the rest", "/p/*", "/p/1/2", 1 },
    { "a star takes nothing", "/p/*", "/p/", 1 },
    { "a star needs what is before it", "/p/*", "/p", 0 },
    { "a star amid takes all between", "/*/edit", "/a/b/edit", 1 },
    { "a star may lead", "*.html", "/a.html", 1 },
    { "a star alone takes all", "*", "", 1 },
    { "a regular expression is searched for", "~[0-9]/", "/x1/y", 1 },
    { "a regular expression may miss", "~^/x[0-9]", "/y1", 0 },
    { "a regular expression may ignore case", "~*^/ABC", "/abc", 1 },
    { "an empty path is a path", "~^$", "", 1 },
    { "an empty path is not another", "/", "", 0 }
};


static const check_row_t  host_checks[] = {
    { "takes a host", "shop.example", MIQPS_OK },
    { "takes a label", "localhost", MIQPS_OK },
    { "takes a star before", "*.example", MIQPS_OK },
    { "takes a star behind", "shop.*", MIQPS_OK },
    { "takes stars on both sides", "*.shop.*", MIQPS_OK },
    { "takes an address", "192.0.2.1", MIQPS_OK },
    { "takes an address in brackets", "[2001:db8::1]", MIQPS_OK },
    { "takes letters that were made plain", "xn--bcher-kva.example",
      MIQPS_OK },
    { "refuses nothing", "", MIQPS_SYNTAX },
    { "refuses a star alone", "*", MIQPS_SYNTAX },
    { "refuses a star and a dot", "*.", MIQPS_SYNTAX },
    { "refuses a dot and a star", ".*", MIQPS_SYNTAX },
    { "refuses stars without a name", "*.*", MIQPS_SYNTAX },
    { "refuses a star amid", "a.*.b", MIQPS_SYNTAX },
    { "refuses a star in a label", "sh*p.example", MIQPS_SYNTAX },
    { "refuses two stars behind", "shop.*.*", MIQPS_SYNTAX },
    { "refuses capitals", "Shop.example", MIQPS_SYNTAX },
    { "refuses a trailing dot", "shop.example.", MIQPS_SYNTAX },
    { "refuses a leading dot", ".shop.example", MIQPS_SYNTAX },
    { "refuses two dots", "shop..example", MIQPS_SYNTAX },
    { "refuses a slash", "shop.example/x", MIQPS_SYNTAX },
    { "refuses a space", "shop example", MIQPS_SYNTAX },
    { "refuses letters above ASCII", "b\xc3\xbc.example", MIQPS_SYNTAX }
};


static const check_row_t  path_checks[] = {
    { "takes a path", "/cart", MIQPS_OK },
    { "takes a slash", "/", MIQPS_OK },
    { "takes a star in a path", "/p/*", MIQPS_OK },
    { "takes a star in front of a path", "*.php", MIQPS_OK },
    { "takes an expression", "~^/x[0-9]", MIQPS_OK },
    { "refuses an empty path", "", MIQPS_SYNTAX },
    { "refuses a path without a slash", "cart", MIQPS_SYNTAX },
    { "refuses two stars in a path", "/*/*", MIQPS_SYNTAX },
    { "refuses a bad expression", "~(", MIQPS_BAD_REGEX },
    { "refuses a costly expression", "~^/(a+)+$", MIQPS_COSTLY_REGEX }
};


typedef struct {
    heap_t               heap;
    miqps_regex_work_t   work;
    miqps_scope_table_t  table;
    miqps_fault_t        fault;
    uint32_t             active[MIQPS_MAX_ACTIVE];
    size_t               n;
    const miqps_scope_t *strict;
} fixture_t;


static miqps_rc_e
fixture_init(fixture_t *f, const miqps_scope_t *scopes, size_t nscopes)
{
    heap_init(&f->heap);
    memset(&f->table, 0xff, sizeof(f->table));

    assert_int_equal(miqps_regex_work_init(&f->work), MIQPS_OK);

    return miqps_scope_table_init(&f->table, scopes, nscopes, &f->heap.mem,
                                  &f->work, &f->fault);
}


static miqps_guard_e
fixture_find(fixture_t *f, const char *host, const char *path)
{
    page_t         hosts, paths;
    miqps_str_t    h, p;
    miqps_guard_e  guard;

    h = unit_put(&hosts, host);
    p = unit_put(&paths, path);

    memset(f->active, 0xff, sizeof(f->active));

    guard = miqps_scope_find(&f->table, &f->work, &h, &p, f->active, &f->n,
                             &f->strict);

    page_release(&hosts);
    page_release(&paths);

    return guard;
}


static void
fixture_release(fixture_t *f)
{
    miqps_scope_table_release(&f->table);
    miqps_regex_work_release(&f->work);
    heap_release(&f->heap);
}


static void
match(const match_row_t *row, int path)
{
    fixture_t      f;
    miqps_str_t    text;
    miqps_scope_t  scopes[2];

    memset(scopes, 0, sizeof(scopes));

    text = unit_str(row->pattern);

    if (path) {
        scopes[1].paths = &text;
        scopes[1].npaths = 1;

    } else {
        scopes[1].hosts = &text;
        scopes[1].nhosts = 1;
    }

    assert_int_equal(fixture_init(&f, scopes, 2), MIQPS_OK);
    assert_int_equal(fixture_find(&f, path ? "a.b" : row->text,
                                  path ? row->text : "/"),
                     MIQPS_GUARD_PASS);

    assert_int_equal(f.n, row->active ? 2 : 1);
    assert_int_equal(f.active[0], MIQPS_SCOPE_ANY);
    assert_null(f.strict);

    if (row->active) {
        assert_int_equal(f.active[1], 1);
    }

    fixture_release(&f);
}


static void
test_host(void **state)
{
    match(*state, 0);
}


static void
test_path(void **state)
{
    match(*state, 1);
}


static void
test_check_host(void **state)
{
    page_t              page;
    miqps_str_t         text;
    miqps_fault_t       fault;
    const check_row_t  *row;

    row = *state;
    text = unit_put(&page, row->text);

    fault.message[0] = '\0';

    assert_int_equal(miqps_scope_check_host(&text, &fault), row->rc);
    assert_int_equal(fault.message[0] != '\0', row->rc != MIQPS_OK);

    page_release(&page);
}


static void
test_check_path(void **state)
{
    page_t              page;
    miqps_str_t         text;
    miqps_fault_t       fault;
    const check_row_t  *row;
    miqps_regex_work_t  work;

    row = *state;
    text = unit_put(&page, row->text);

    fault.message[0] = '\0';

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);
    assert_int_equal(miqps_scope_check_path(&text, &work, &fault), row->rc);
    assert_int_equal(fault.message[0] != '\0', row->rc != MIQPS_OK);

    miqps_regex_work_release(&work);
    page_release(&page);
}


static void
test_long_host(void **state)
{
    char           text[MIQPS_MAX_HOST + 1];
    miqps_str_t    host;
    miqps_fault_t  fault;

    (void) state;

    memset(text, 'a', sizeof(text));

    host.data = (uint8_t *) text;
    host.len = MIQPS_MAX_HOST;
    assert_int_equal(miqps_scope_check_host(&host, &fault), MIQPS_OK);

    host.len = MIQPS_MAX_HOST + 1;
    assert_int_equal(miqps_scope_check_host(&host, &fault), MIQPS_SYNTAX);
}


/* no pattern means a host that is longer than a name can be */

static void
test_too_long(void **state)
{
    char           host[MIQPS_MAX_HOST + 2];
    fixture_t      f;
    miqps_str_t    pattern;
    miqps_scope_t  scopes[2];

    (void) state;

    memset(scopes, 0, sizeof(scopes));
    memset(host, 'a', sizeof(host));
    memcpy(host + MIQPS_MAX_HOST - 7, ".example", 9);

    pattern = unit_str("*.example");
    scopes[1].hosts = &pattern;
    scopes[1].nhosts = 1;

    assert_int_equal(fixture_init(&f, scopes, 2), MIQPS_OK);

    assert_int_equal(fixture_find(&f, host + 1, "/"), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, 2);

    assert_int_equal(fixture_find(&f, host, "/"), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, 1);

    fixture_release(&f);
}


/* two hosts or two paths are one or the other, a host and a path are both */

static void
test_both(void **state)
{
    fixture_t      f;
    miqps_str_t    hosts[2], paths[3];
    miqps_scope_t  scopes[2];

    (void) state;

    memset(scopes, 0, sizeof(scopes));

    hosts[0] = unit_str("a.example");
    hosts[1] = unit_str("*.b.example");
    paths[0] = unit_str("/x");
    paths[1] = unit_str("~^/y");
    paths[2] = unit_str("/z*");

    scopes[1].hosts = hosts;
    scopes[1].nhosts = 2;
    scopes[1].paths = paths;
    scopes[1].npaths = 3;

    assert_int_equal(fixture_init(&f, scopes, 2), MIQPS_OK);

    (void) fixture_find(&f, "a.example", "/x");
    assert_int_equal(f.n, 2);

    (void) fixture_find(&f, "www.b.example", "/yy");
    assert_int_equal(f.n, 2);

    (void) fixture_find(&f, "a.example", "/zz");
    assert_int_equal(f.n, 2);

    (void) fixture_find(&f, "a.example", "/w");
    assert_int_equal(f.n, 1);

    (void) fixture_find(&f, "c.example", "/x");
    assert_int_equal(f.n, 1);

    fixture_release(&f);
}


/* one host in several scopes, and several patterns for one host */

static void
test_several(void **state)
{
    size_t         i;
    fixture_t      f;
    miqps_str_t    hosts[6];
    miqps_scope_t  scopes[7];

    static const char *const  texts[] = {
        "www.shop.example", "www.shop.example", "*.shop.example",
        "*.example", "www.shop.*", "*.shop.*"
    };

    (void) state;

    memset(scopes, 0, sizeof(scopes));

    for (i = 0; i < 6; i++) {
        hosts[i] = unit_str(texts[i]);
        scopes[i + 1].hosts = &hosts[i];
        scopes[i + 1].nhosts = 1;
    }

    scopes[3].strict = 1;
    scopes[4].strict = 1;

    assert_int_equal(fixture_init(&f, scopes, 7), MIQPS_OK);

    (void) fixture_find(&f, "www.shop.example", "/");
    assert_int_equal(f.n, 7);
    assert_true(f.strict == &scopes[3] || f.strict == &scopes[4]);

    (void) fixture_find(&f, "a.shop.test", "/");
    assert_int_equal(f.n, 2);
    assert_int_equal(f.active[1], 6);
    assert_null(f.strict);

    fixture_release(&f);
}


/* a scope brings its platforms, once, and they may be strict */

static void
test_platforms(void **state)
{
    fixture_t      f;
    uint32_t       one[2], two[1];
    miqps_str_t    host;
    miqps_scope_t  scopes[5];

    (void) state;

    memset(scopes, 0, sizeof(scopes));

    host = unit_str("shop.example");

    scopes[1].platform = 1;
    scopes[2].platform = 1;
    scopes[2].strict = 1;

    one[0] = 1;
    one[1] = 2;
    scopes[3].hosts = &host;
    scopes[3].nhosts = 1;
    scopes[3].platforms = one;
    scopes[3].nplatforms = 2;

    two[0] = 2;
    scopes[4].hosts = &host;
    scopes[4].nhosts = 1;
    scopes[4].platforms = two;
    scopes[4].nplatforms = 1;

    assert_int_equal(fixture_init(&f, scopes, 5), MIQPS_OK);

    (void) fixture_find(&f, "shop.example", "/");
    assert_int_equal(f.n, 5);
    assert_ptr_equal(f.strict, &scopes[2]);

    (void) fixture_find(&f, "other.example", "/");
    assert_int_equal(f.n, 1);
    assert_null(f.strict);

    fixture_release(&f);
}


/* scope 0 may be strict, and may have a platform */

static void
test_everywhere(void **state)
{
    fixture_t      f;
    uint32_t       platforms[1];
    miqps_scope_t  scopes[3];

    (void) state;

    memset(scopes, 0, sizeof(scopes));

    scopes[0].strict = 1;
    scopes[0].platforms = platforms;
    scopes[0].nplatforms = 1;
    platforms[0] = 2;
    scopes[2].platform = 1;

    assert_int_equal(fixture_init(&f, scopes, 3), MIQPS_OK);

    (void) fixture_find(&f, "", "");

    assert_int_equal(f.n, 3);
    assert_int_equal(f.active[0], 0);
    assert_ptr_equal(f.strict, &scopes[0]);

    fixture_release(&f);
}


static void
test_too_many(void **state)
{
    size_t         i;
    fixture_t      f;
    uint32_t       platforms[2];
    miqps_str_t    host, below, around;

    static miqps_scope_t  scopes[MIQPS_MAX_ACTIVE + 2];

    (void) state;

    memset(scopes, 0, sizeof(scopes));

    assert_int_equal(fixture_init(&f, scopes, MIQPS_MAX_ACTIVE), MIQPS_OK);
    assert_int_equal(fixture_find(&f, "a", "/"), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, MIQPS_MAX_ACTIVE);
    fixture_release(&f);

    for (i = 1; i <= 2; i++) {
        assert_int_equal(fixture_init(&f, scopes, MIQPS_MAX_ACTIVE + i),
                         MIQPS_OK);
        assert_int_equal(fixture_find(&f, "a", "/"), MIQPS_GUARD_SCOPES);
        fixture_release(&f);
    }

    /* the last one too many by its host, of each kind */

    host = unit_str("a.b.c");
    below = unit_str("*.c");
    around = unit_str("*.b.*");

    scopes[MIQPS_MAX_ACTIVE].nhosts = 1;

    for (i = 0; i < 3; i++) {
        scopes[MIQPS_MAX_ACTIVE].hosts = (i == 0) ? &host
                                         : (i == 1) ? &below : &around;

        assert_int_equal(fixture_init(&f, scopes, MIQPS_MAX_ACTIVE + 1),
                         MIQPS_OK);
        assert_int_equal(fixture_find(&f, "a.b.c", "/"), MIQPS_GUARD_SCOPES);
        assert_int_equal(fixture_find(&f, "x", "/"), MIQPS_GUARD_PASS);
        fixture_release(&f);
    }

    /* or by the platforms that it brings */

    memset(&scopes[MIQPS_MAX_ACTIVE], 0, sizeof(miqps_scope_t));

    scopes[MIQPS_MAX_ACTIVE].platform = 1;
    scopes[MIQPS_MAX_ACTIVE + 1].platform = 1;
    platforms[0] = MIQPS_MAX_ACTIVE;
    platforms[1] = MIQPS_MAX_ACTIVE + 1;
    scopes[MIQPS_MAX_ACTIVE - 1].platforms = platforms;
    scopes[MIQPS_MAX_ACTIVE - 1].nplatforms = 2;

    assert_int_equal(fixture_init(&f, scopes, MIQPS_MAX_ACTIVE + 2),
                     MIQPS_OK);
    assert_int_equal(fixture_find(&f, "a", "/"), MIQPS_GUARD_SCOPES);
    fixture_release(&f);
}


/* nothing but plain hosts: one of them in many scopes, some of them strict */

static void
test_plain(void **state)
{
    size_t         i;
    fixture_t      f;
    miqps_str_t    host;

    static miqps_scope_t  scopes[MIQPS_MAX_ACTIVE + 1];

    (void) state;

    memset(scopes, 0, sizeof(scopes));
    host = unit_str("a.example");

    for (i = 1; i <= MIQPS_MAX_ACTIVE; i++) {
        scopes[i].hosts = &host;
        scopes[i].nhosts = 1;
    }

    scopes[3].strict = 1;
    scopes[5].strict = 1;

    assert_int_equal(fixture_init(&f, scopes, MIQPS_MAX_ACTIVE), MIQPS_OK);

    assert_int_equal(fixture_find(&f, "a.example", "/"), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, MIQPS_MAX_ACTIVE);
    assert_int_equal(f.active[0], MIQPS_SCOPE_ANY);
    assert_true(f.strict == &scopes[3] || f.strict == &scopes[5]);

    assert_int_equal(fixture_find(&f, "b.example", "/"), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, 1);
    assert_null(f.strict);

    assert_int_equal(fixture_find(&f, "", ""), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, 1);

    fixture_release(&f);

    /* one more than fit, and all of it strict */

    scopes[0].strict = 1;

    assert_int_equal(fixture_init(&f, scopes, MIQPS_MAX_ACTIVE + 1),
                     MIQPS_OK);
    assert_int_equal(fixture_find(&f, "a.example", "/"), MIQPS_GUARD_SCOPES);
    assert_int_equal(fixture_find(&f, "b.example", "/"), MIQPS_GUARD_PASS);
    assert_ptr_equal(f.strict, &scopes[0]);
    fixture_release(&f);

    /* no hosts at all */

    assert_int_equal(fixture_init(&f, scopes, 1), MIQPS_OK);
    assert_int_equal(fixture_find(&f, "a.example", "/"), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, 1);
    fixture_release(&f);
}


static void
test_gives_up(void **state)
{
    char           path[MIQPS_REGEX_MAX_SUBJECT + 2];
    fixture_t      f;
    miqps_str_t    host, paths[2];
    miqps_scope_t  scopes[2];

    (void) state;

    memset(path, 'a', sizeof(path));
    memset(scopes, 0, sizeof(scopes));

    path[0] = '/';
    path[sizeof(path) - 1] = '\0';
    host = unit_str("a.example");
    paths[0] = unit_str("/*b");
    paths[1] = unit_str("~^/a");

    scopes[1].hosts = &host;
    scopes[1].nhosts = 1;
    scopes[1].paths = paths;
    scopes[1].npaths = 2;

    assert_int_equal(fixture_init(&f, scopes, 2), MIQPS_OK);

    assert_int_equal(fixture_find(&f, "a.example", path), MIQPS_GUARD_SCOPES);

    /* not asked, it does not give up */

    assert_int_equal(fixture_find(&f, "b.example", path), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, 1);

    path[sizeof(path) - 2] = 'b';
    assert_int_equal(fixture_find(&f, "a.example", path), MIQPS_GUARD_PASS);
    assert_int_equal(f.n, 2);

    fixture_release(&f);
}


static void
test_faults(void **state)
{
    fixture_t      f;
    miqps_str_t    host, paths[2];
    miqps_scope_t  scopes[2];

    (void) state;

    memset(scopes, 0, sizeof(scopes));

    host = unit_str("Capital.example");
    scopes[1].hosts = &host;
    scopes[1].nhosts = 1;

    assert_int_equal(fixture_init(&f, scopes, 2), MIQPS_SYNTAX);
    assert_ptr_equal(f.fault.text.data, host.data);
    miqps_regex_work_release(&f.work);
    heap_release(&f.heap);

    scopes[1].nhosts = 0;
    scopes[1].paths = paths;
    scopes[1].npaths = 2;
    paths[0] = unit_str("~good");
    paths[1] = unit_str("~b(ad");

    assert_int_equal(fixture_init(&f, scopes, 2), MIQPS_BAD_REGEX);
    assert_ptr_equal(f.fault.text.data, paths[1].data);
    miqps_regex_work_release(&f.work);
    heap_release(&f.heap);
}


/* fails at each request for memory in turn, until there is none left */

static void
test_no_memory(void **state)
{
    size_t               i;
    heap_t               heap;
    miqps_rc_e           rc;
    miqps_str_t          host, path;
    miqps_fault_t        fault;
    miqps_scope_t        scopes[2];
    miqps_regex_work_t   work;
    miqps_scope_table_t  table;

    (void) state;

    memset(scopes, 0, sizeof(scopes));

    host = unit_str("a.example");
    path = unit_str("~^/x");
    scopes[0].paths = &path;
    scopes[0].npaths = 1;
    scopes[1].hosts = &host;
    scopes[1].nhosts = 1;
    scopes[1].paths = &path;
    scopes[1].npaths = 1;

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);

    for (i = 1; /* void */ ; i++) {
        heap_init(&heap);
        heap.fail_at = i;

        rc = miqps_scope_table_init(&table, scopes, 2, &heap.mem, &work,
                                    &fault);

        if (rc == MIQPS_OK) {
            break;
        }

        assert_int_equal(rc, MIQPS_NO_MEMORY);
        heap_release(&heap);
    }

    assert_true(i > 4);

    miqps_scope_table_release(&table);
    miqps_scope_table_release(&table);
    heap_release(&heap);
    miqps_regex_work_release(&work);
}


/* a thousand hosts are found, and no others */

static void
test_many(void **state)
{
    size_t         i, k;
    fixture_t      f;

    enum { N = 1000 };

    static char           names[N][24];
    static miqps_str_t    hosts[N];
    static miqps_scope_t  scopes[N + 1];

    (void) state;

    memset(scopes, 0, sizeof(scopes));

    for (i = 0; i < N; i++) {
        (void) snprintf(names[i], sizeof(names[i]), "h%u.example",
                        (unsigned) i);
        hosts[i] = unit_str(names[i]);
        scopes[i + 1].hosts = &hosts[i];
        scopes[i + 1].nhosts = 1;
    }

    assert_int_equal(fixture_init(&f, scopes, N + 1), MIQPS_OK);

    for (i = 0; i < N; i++) {
        k = (i * 7919) % N;

        (void) fixture_find(&f, names[k], "/");
        assert_int_equal(f.n, 2);
        assert_int_equal(f.active[1], k + 1);
    }

    (void) fixture_find(&f, "h1000.example", "/");
    assert_int_equal(f.n, 1);

    fixture_release(&f);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_host, host_rows);
    unit_rows(&unit, test_path, path_rows);
    unit_rows(&unit, test_check_host, host_checks);
    unit_rows(&unit, test_check_path, path_checks);

    unit_add(&unit, "refuses a host above the limit", test_long_host, NULL);
    unit_add(&unit, "a host above the limit is in no scope", test_too_long,
             NULL);
    unit_add(&unit, "one of the hosts and one of the paths", test_both, NULL);
    unit_add(&unit, "all the scopes of a host", test_several, NULL);
    unit_add(&unit, "a scope brings its platforms", test_platforms, NULL);
    unit_add(&unit, "what holds everywhere holds without a host",
             test_everywhere, NULL);
    unit_add(&unit, "more scopes than fit are too many", test_too_many, NULL);
    unit_add(&unit, "plain hosts are looked up, with all their scopes",
             test_plain, NULL);
    unit_add(&unit, "a path that is too long to try is unknown",
             test_gives_up, NULL);
    unit_add(&unit, "a fault tells the text", test_faults, NULL);
    unit_add(&unit, "no memory leaves nothing behind", test_no_memory, NULL);
    unit_add(&unit, "a thousand hosts are told apart", test_many, NULL);

    return unit_run(&unit, "scope");
}
