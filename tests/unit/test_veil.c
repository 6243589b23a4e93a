
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "corpus/shared.h"
#include "corpus/veil.h"
#include "learn.h"


typedef struct {
    const char     *sentence;
    const char     *value;
    const char     *veiled;          /* without the marks */
} veil_row_t;


static const veil_row_t  veil_rows[] = {
    { "knows digits", "20261117", "dddddddd" },
    { "knows hex digits", "4f9c2e1ab07d", "hhhhhhhhhhhh" },
    { "knows capital hex digits", "4F9C", "HHHH" },
    { "knows small letters", "jane", "llll" },
    { "knows capitals", "JANE", "uuuu" },
    { "knows letters", "Jane", "aaaa" },
    { "knows small letters and digits", "q7z", "sss" },
    { "knows capitals and digits", "Q7Z", "ccc" },
    { "knows letters and digits", "Qz7", "www" },
    { "leaves what is between", "550e8400-e29b-41d4-a716-446655440000",
      "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh" },
    { "takes an escape for one", "a%C3%A9b", "llll" },
    { "takes any other byte for one", "\xc3\xa9", "ll" },
    { "leaves a sign that is no escape", "5%", "d%" },
    { "veils nothing", "", "" }
};


static void
veil_is(void **state)
{
    page_t             page;
    uint8_t            out[128], filled[128], *end;
    size_t             i, n;
    miqps_str_t        value, veiled;
    const veil_row_t  *row;

    row = *state;
    value = unit_put(&page, row->value);
    end = learn_veil(&value, out);

    assert_int_equal(out[0], LEARN_VEIL_BEGIN);
    assert_int_equal(end[-1], LEARN_VEIL_END);
    assert_true((size_t) (end - out) <= value.len + 2);
    unit_equal(out + 1, (size_t) (end - out) - 2, row->veiled);

    /* what it is filled with has the same veil */

    veiled.data = out;
    veiled.len = (size_t) (end - out);
    n = learn_veil_fill(&veiled, 7, filled);
    assert_int_equal(n, strlen(row->veiled));

    for (i = 0; i < n; i++) {
        if (row->veiled[i] == '-' || row->veiled[i] == '%') {
            assert_int_equal(filled[i], row->veiled[i]);
        }
    }

    page_release(&page);
}


static void
filling_depends_on_the_seed(void **state)
{
    uint8_t      one[64], two[64], three[64];
    miqps_str_t  url;

    (void) state;

    url = unit_str("https://a.example/?a=\x02hhhhhhhhhhhhhhhh\x03&b=hd");

    assert_int_equal(learn_veil_fill(&url, 1, one), url.len - 2);
    assert_int_equal(learn_veil_fill(&url, 1, two), url.len - 2);
    assert_int_equal(learn_veil_fill(&url, 2, three), url.len - 2);

    assert_memory_equal(one, two, url.len - 2);
    assert_memory_not_equal(one, three, url.len - 2);
    assert_memory_equal(one, "https://a.example/?a=", 21);
    assert_memory_equal(one + url.len - 7, "&b=hd", 5);
    assert_true(strspn((char *) one + 21, "0123456789abcdef") >= 16);
}


/* a store that has nothing but pages */

static uint8_t  pages[LEARN_SHARED_PAGES][LEARN_SHARED_SLOTS * 16];
static size_t   saved;


static int
read_page(learn_store_t *store, size_t page, void *data, size_t len)
{
    (void) store;

    assert_int_equal(len, sizeof(pages[0]));
    memcpy(data, pages[page], len);

    return LEARN_EXIT_OK;
}


static int
save_page(learn_store_t *store, size_t page, const void *data, size_t len)
{
    (void) store;

    assert_int_equal(len, sizeof(pages[0]));
    memcpy(pages[page], data, len);
    saved++;

    return LEARN_EXIT_OK;
}


static const learn_store_ops_t  ops = {
    .shared_read = read_page,
    .shared_save = save_page
};


#define KEY_ONE  (UINT64_C(1) << 48)
#define KEY_TWO  (UINT64_C(2) << 48)


static int
ask(learn_shared_t *shared, uint64_t value, uint64_t client)
{
    int  two;

    assert_int_equal(learn_shared_ask(shared, value, client, &two),
                     LEARN_EXIT_OK);

    return two;
}


static void
two_clients_are_needed(void **state)
{
    learn_store_t   store;
    learn_shared_t  shared;

    (void) state;

    memset(pages, 0, sizeof(pages));
    store.ops = &ops;
    learn_shared_init(&shared, &store);

    assert_false(ask(&shared, 77, KEY_ONE + 1));
    assert_false(ask(&shared, 77, KEY_ONE + 1));
    assert_false(ask(&shared, 78, KEY_ONE + 2));
    assert_true(ask(&shared, 77, KEY_ONE + 2));
    assert_true(ask(&shared, 77, KEY_ONE + 1));
    assert_true(ask(&shared, 77, KEY_TWO + 1));
    assert_false(ask(&shared, 0, KEY_ONE + 1));
    assert_true(ask(&shared, 0, KEY_ONE + 2));

    /* it is there after it was saved, and only what changed is written */

    saved = 0;
    assert_int_equal(learn_shared_save(&shared), LEARN_EXIT_OK);
    assert_in_range(saved, 1, 3);
    saved = 0;
    assert_int_equal(learn_shared_save(&shared), LEARN_EXIT_OK);
    assert_int_equal(saved, 0);
    learn_shared_release(&shared);

    learn_shared_init(&shared, &store);
    assert_true(ask(&shared, 77, KEY_ONE + 9));
    assert_true(ask(&shared, 78, KEY_ONE + 1));
    learn_shared_release(&shared);
}


static void
one_client_with_two_keys_is_one(void **state)
{
    learn_store_t   store;
    learn_shared_t  shared;

    (void) state;

    memset(pages, 0, sizeof(pages));
    store.ops = &ops;
    learn_shared_init(&shared, &store);

    assert_false(ask(&shared, 77, KEY_ONE + 1));
    assert_false(ask(&shared, 77, KEY_TWO + 2));
    assert_false(ask(&shared, 77, KEY_ONE + 3));
    assert_true(ask(&shared, 77, KEY_ONE + 4));

    learn_shared_release(&shared);
}


/* more values than there is room for: what two have sent stays longer */

static void
room_is_bounded(void **state)
{
    uint64_t        i;
    learn_store_t   store;
    learn_shared_t  shared;

    (void) state;

    memset(pages, 0, sizeof(pages));
    store.ops = &ops;
    learn_shared_init(&shared, &store);

    for (i = 1; i <= 1000; i++) {
        (void) ask(&shared, i * 7919, KEY_ONE + 1);
        assert_true(ask(&shared, i * 7919, KEY_ONE + 2));
    }

    for (i = 1; i <= 3000000; i++) {
        assert_false(ask(&shared, i << 32 | i * 40503, KEY_ONE + 1));
    }

    for (i = 1; i <= 1000; i++) {
        assert_true(ask(&shared, i * 7919, KEY_ONE + 1));
    }

    learn_shared_release(&shared);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, veil_is, veil_rows);
    unit_add(&unit, "fills in what depends on the seed",
             filling_depends_on_the_seed, NULL);
    unit_add(&unit, "asks for two clients", two_clients_are_needed, NULL);
    unit_add(&unit, "takes no client for two by a new key",
             one_client_with_two_keys_is_one, NULL);
    unit_add(&unit, "has room for so many values", room_is_bounded, NULL);

    return unit_run(&unit, "veil");
}
