
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_acts.h"
#include "miqps_private.h"


typedef struct {
    const char       *sentence;
    const char       *text;
    miqps_private_e   want;
} private_row_t;


typedef struct {
    const char       *sentence;
    const char       *text;        /* a path, or name=value */
    int               want;
} act_row_t;


static const private_row_t  private_rows[] = {
    { "finds nothing in nothing", "", MIQPS_PRIVATE_NONE },
    { "finds an address", "mail=a@b.de", MIQPS_PRIVATE_EMAIL },
    { "finds an escaped address", "mail=jo.e%40mail.example&x=1",
      MIQPS_PRIVATE_EMAIL },
    { "finds an address in a path", "/u/joe@mail.example/x",
      MIQPS_PRIVATE_EMAIL },
    { "finds an address under numbered names", "/a@1.b-2.com",
      MIQPS_PRIVATE_EMAIL },
    { "takes a handle for none", "/@joe.smith/post", MIQPS_PRIVATE_NONE },
    { "takes a version for none", "/npm/pkg@1.2.3/x", MIQPS_PRIVATE_NONE },
    { "takes a lone sign for none", "a=b@c", MIQPS_PRIVATE_NONE },

    { "finds a number with a plus", "tel=%2B491701234567",
      MIQPS_PRIVATE_PHONE },
    { "finds a number with a raw plus", "tel=+49+170+1234567",
      MIQPS_PRIVATE_PHONE },
    { "finds a number with 00", "t=0049%20170%201234567",
      MIQPS_PRIVATE_PHONE },
    { "finds a number in groups", "t=030-1234567", MIQPS_PRIVATE_PHONE },
    { "finds an American number", "t=(555)%20123-4567",
      MIQPS_PRIVATE_PHONE },
    { "finds an American number with dots", "t=555.123.4567",
      MIQPS_PRIVATE_PHONE },
    { "takes an identifier for none", "id=123456789012", MIQPS_PRIVATE_NONE },
    { "takes a date for none", "d=2026-11-17", MIQPS_PRIVATE_NONE },
    { "takes a day first for none", "d=01-02-2026", MIQPS_PRIVATE_NONE },
    { "takes a place for none", "lat=0.123456789&lon=52.5200066",
      MIQPS_PRIVATE_NONE },
    { "takes words with numbers for none", "q=shoes+4711+0815",
      MIQPS_PRIVATE_NONE },
    { "takes a UUID for none", "/01234567-0123-4012-8012-012345678901a",
      MIQPS_PRIVATE_NONE },
    { "takes an address of a machine for none", "ip=100.200.100.200",
      MIQPS_PRIVATE_NONE },

    { "finds a card", "c=4111111111111111", MIQPS_PRIVATE_CARD },
    { "finds a card in groups", "c=5500-0000-0000-0004",
      MIQPS_PRIVATE_CARD },
    { "finds a card with escapes", "c=4111%201111%201111%201111&x",
      MIQPS_PRIVATE_CARD },
    { "finds a card of fifteen digits", "/pay/378282246310005",
      MIQPS_PRIVATE_CARD },
    { "takes a wrong sum for none", "c=4111111111111112",
      MIQPS_PRIVATE_NONE },
    { "takes a time for none", "ts=1700000000000000", MIQPS_PRIVATE_NONE },
    { "takes a longer number for none", "n=41111111111111110000000",
      MIQPS_PRIVATE_NONE }
};


static const act_row_t  path_rows[] = {
    { "lets a page pass", "/shoes/red-42.html", 0 },
    { "lets nothing pass", "", 0 },
    { "lets a slash pass", "/", 0 },
    { "tells a logout", "/logout", 1 },
    { "tells a logout in parts", "/user/sign-out/", 1 },
    { "tells it in capitals", "/LogOut.aspx", 1 },
    { "tells a deletion among words", "/item/7/delete-now", 1 },
    { "tells a cart", "/cart", 1 },
    { "tells a cart with a suffix", "/cart.php", 1 },
    { "tells an addition to it", "/shop/add_to_cart/7", 1 },
    { "tells the login of a blog", "/wp-login.php", 1 },
    { "tells an interface", "/api/v2/items", 1 },
    { "lets a word pass that begins so", "/cartoons/likely/apia", 0 },
    { "lets a harmless use of a word pass", "/shoes-like-new", 0 },
    { "lets a very long word pass", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0 }
};


static const act_row_t  param_rows[] = {
    { "lets a parameter pass", "color=red", 0 },
    { "lets an action that shows pass", "action=view", 0 },
    { "lets an empty action pass", "do=", 0 },
    { "tells an edit", "action=edit", 1 },
    { "tells an edit with an object", "do=edit_item", 1 },
    { "tells a method", "_method=put", 1 },
    { "tells a removal behind its object", "op=item-remove", 1 },
    { "tells an addition to the cart by its name", "add-to-cart=7", 1 },
    { "tells a logout by its name", "logout=1", 1 },
    { "lets a search for a word pass", "q=delete", 0 }
};


static void
private_finds(void **state)
{
    page_t                page;
    miqps_str_t           text;
    const private_row_t  *row;

    row = *state;
    text = unit_put(&page, row->text);

    assert_int_equal(miqps_private_find(&text), row->want);

    page_release(&page);
}


static void
path_tells(void **state)
{
    page_t            page;
    miqps_str_t       text;
    const act_row_t  *row;

    row = *state;
    text = unit_put(&page, row->text);

    assert_int_equal(miqps_acts_path(&text), row->want);

    page_release(&page);
}


static void
param_tells(void **state)
{
    page_t            page;
    const char       *equals;
    miqps_str_t       name, value;
    const act_row_t  *row;

    row = *state;
    equals = strchr(row->text, '=');

    name = unit_str(row->text);
    name.len = (size_t) (equals - row->text);
    value = unit_put(&page, equals + 1);

    assert_int_equal(miqps_acts_param(&name, &value), row->want);

    page_release(&page);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, private_finds, private_rows);
    unit_rows(&unit, path_tells, path_rows);
    unit_rows(&unit, param_tells, param_rows);

    return unit_run(&unit, "eligible");
}
