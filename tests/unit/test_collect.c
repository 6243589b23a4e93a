
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "miqps_collect.h"


typedef struct {
    const char       *target;
    miqps_collect_e   collect;
} target_row_t;


#define PASS      MIQPS_COLLECT_PASS
#define SECRET    MIQPS_COLLECT_SECRET
#define PERSONAL  MIQPS_COLLECT_PERSONAL
#define ACT       MIQPS_COLLECT_ACT

#define JWT       "eyJhbGciOiJIUzI1NiJ9.e30.abcdefgh"


static miqps_collect_memo_t  memo;


static const target_row_t  target_rows[] = {

    /* pages */

    { "/", PASS },
    { "/shoes?color=red&size=42&page=2", PASS },
    { "/?s=search+for+something&state=open&key=a", PASS },
    { "/item/550e8400-e29b-41d4-a716-446655440000?ref=x", PASS },
    { "/p?_=1699999999999&fbclid=IwAR0aBcDeFgHiJkLmNoPqRsTuV", PASS },
    { "/2024-01-02/news?from=2024-01-02&to=2024-02-03", PASS },
    { "/@user/photos?q=@home", PASS },
    { "/account/password?tab=1", PASS },
    { "/how-to-delete-a-file-on-linux", PASS },
    { "/things-that-i-like-most", PASS },
    { "/?do=show&action=view&op=list", PASS },
    { "/?next=%2Fa%3Fb%3Dc", PASS },
    { "/?q=100%&r=%zz", PASS },
    { "/?password=", PASS },
    { "/?id=1234567890123456&ip=192.168.100.200", PASS },
    { "/?q=c%2B%2B+17", PASS },

    /* secrets */

    { "/?access_token=abc", SECRET },
    { "/?ACCESS_TOKEN=abc", SECRET },
    { "/?x-AMZ-signature=abc", SECRET },
    { "/?userPassword=abc", SECRET },
    { "/?user%5Bpassword%5D=abc", SECRET },
    { "/?pass%77ord=abc", SECRET },
    { "/?client-secret=abc", SECRET },
    { "/?sessionToken=abcdefgh", SECRET },
    { "/?token=a1b2c3d4e5f6a7b8", SECRET },
    { "/?s=a1b2c3d4e5f6a7b8c9d0", SECRET },
    { "/?code=1&state=2", SECRET },
    { "/?any=" JWT, SECRET },
    { "/a/" JWT "/b", SECRET },
    { "/a;password=abc/b", SECRET },
    { "/?next=%2Fa%3Fx%3D1%26access_token%3Dabc", SECRET },
    { "/?next=%252Fa%253Faccess_token%253Dabc", SECRET },
    { "/?next=%2525252525252F", SECRET },
    { "/?a=1#access_token=abc", SECRET },
    { "/?a=1;api_key=abc", SECRET },
    { "/?cvv=123", SECRET },

    /* people */

    { "/?q=jane.doe@example.com", PERSONAL },
    { "/?q=jane%40example.co.uk", PERSONAL },
    { "/?q=jane%2540example.com&b=1", PERSONAL },
    { "/u/jane@example.com/", PERSONAL },
    { "/?n=4111111111111111", PERSONAL },
    { "/?n=4111-1111-1111-1111", PERSONAL },
    { "/?n=7+4111+1111+1111+1111+12", PERSONAL },
    { "/?n=378282246310005", PERSONAL },
    { "/?n=4111111111111112", PASS },
    { "/?x=%2B4930123456", PERSONAL },
    { "/?x=+49+30+123456", PERSONAL },
    { "/?x=555-123-4567", PERSONAL },
    { "/?phone=030123456", PERSONAL },
    { "/?Mobile=0171-234567", PERSONAL },
    { "/?phone=iphone15", PASS },

    /* acts */

    { "/logout", ACT },
    { "/user/log-out", ACT },
    { "/Account/SignOut.aspx", ACT },
    { "/%6Cogout", ACT },
    { "/add-to-cart.php?id=1", ACT },
    { "/deleteItem/5", ACT },
    { "/item_remove", ACT },
    { "/delete-my-account-right-now", ACT },
    { "/wp-admin/", ACT },
    { "/api/v1/items", ACT },
    { "/?logout", ACT },
    { "/?add-to-cart=12", ACT },
    { "/?remove_item=5", ACT },
    { "/?action=delete", ACT },
    { "/?do=edit&id=1", ACT },
    { "/?_method=put", ACT },
    { "/?op=Remove", ACT },
    { "/?form%5Baction%5D=save", ACT }
};


static void
targets_should_be_judged(void **state)
{
    size_t           i, len, path;
    uint8_t          buf[256];
    miqps_str_t      part, args;
    const char      *target, *mark;
    miqps_collect_e  got;

    (void) state;

    for (i = 0; i < sizeof(target_rows) / sizeof(target_rows[0]); i++) {
        target = target_rows[i].target;
        len = strlen(target);
        mark = strchr(target, '?');
        path = (mark != NULL) ? (size_t) (mark - target) : len;

        part.data = (const uint8_t *) target;
        part.len = path;
        args.data = (const uint8_t *) target + path + (mark != NULL);
        args.len = len - path - (mark != NULL);

        got = miqps_collect_judge(&memo, &part, &args, buf);

        if (got != target_rows[i].collect) {
            fail_msg("%s is '%s', not '%s'", target, miqps_collect_name(got),
                     miqps_collect_name(target_rows[i].collect));
        }
    }
}


/* what is remembered of names is never taken for what is of another one */

static void
names_should_be_told_apart(void **state)
{
    size_t       i, n;
    uint8_t      buf[256];
    char         text[256];
    miqps_str_t  path, args;

    static const target_row_t  forms[] = {
        { "password%zu=1", SECRET }, { "passw0rd%zu=1", PASS },
        { "%zuphone=030123456", PERSONAL }, { "%zuphony=030123456", PASS },
        { "%zu-action=delete", ACT }, { "%zu-auction=delete", PASS },
        { "x-amz-%zu=1", SECRET }, { "a%zu-name-that-is-much-longer-than-32-"
                                     "bytes-with-a-password=1", SECRET }
    };

    (void) state;

    path.data = (const uint8_t *) "/page";
    path.len = 5;

    for (n = 0; n < 5000; n++) {
        i = n % (sizeof(forms) / sizeof(forms[0]));

        args.data = (const uint8_t *) text;
        args.len = (size_t) snprintf(text, sizeof(text), forms[i].target,
                                     n / 16);

        if (miqps_collect_judge(&memo, &path, &args, buf) != forms[i].collect) {
            fail_msg("%s is not '%s'", text,
                     miqps_collect_name(forms[i].collect));
        }
    }
}


/* also where it ends, so that nothing behind it is read */

static void
every_beginning_should_be_judged(void **state)
{
    size_t       i, n, len;
    uint8_t     *copy, buf[256];
    miqps_str_t  part;

    (void) state;

    for (i = 0; i < sizeof(target_rows) / sizeof(target_rows[0]); i++) {
        len = strlen(target_rows[i].target);

        for (n = 0; n <= len; n++) {
            copy = malloc(n + 1);
            assert_non_null(copy);

            memcpy(copy, target_rows[i].target, n);

            part.data = copy;
            part.len = n;

            assert_true(miqps_collect_judge(&memo, &part, &part, buf)
                        < MIQPS_COLLECT_MAX);

            free(copy);
        }
    }
}


static void
what_holds_one_bad_part_should_not_pass(void **state)
{
    size_t       i, n;
    uint8_t      buf[512];
    char         text[512];
    miqps_str_t  path, args;

    (void) state;

    for (i = 0; i < sizeof(target_rows) / sizeof(target_rows[0]); i++) {

        if (target_rows[i].collect == PASS
            || strncmp(target_rows[i].target, "/?", 2) != 0)
        {
            continue;
        }

        n = (size_t) snprintf(text, sizeof(text), "a=1&b=2&%s&c=3",
                              target_rows[i].target + 2);

        path.data = (const uint8_t *) "/page";
        path.len = 5;
        args.data = (const uint8_t *) text;
        args.len = n;

        assert_int_not_equal(miqps_collect_judge(&memo, &path, &args, buf),
                             PASS);
    }
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test(targets_should_be_judged),
        cmocka_unit_test(names_should_be_told_apart),
        cmocka_unit_test(targets_should_be_judged),
        cmocka_unit_test(every_beginning_should_be_judged),
        cmocka_unit_test(what_holds_one_bad_part_should_not_pass)
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
