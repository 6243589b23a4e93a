
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include <stdlib.h>

#include "content/content.h"


static learn_parser_t  parser;


static void
read_page(learn_content_t *content, const char *html)
{
    miqps_str_t     url;
    learn_fetch_t  *fetch;

    fetch = calloc(1, sizeof(learn_fetch_t));
    assert_non_null(fetch);

    fetch->status = 200;
    fetch->length = -1;
    fetch->body = (const uint8_t *) html;
    fetch->body_len = strlen(html);
    (void) snprintf(fetch->type, sizeof(fetch->type), "text/html");

    url = unit_str("https://a.example/dir/page?x=1");
    assert_true(learn_content_read(content, &parser, fetch, &url));

    free(fetch);
}


/* two pages, and by which IDs they are the same */

typedef struct {
    const char      *sentence;
    const char      *one;
    const char      *two;
    const char      *same;           /* letters: Body, Title, Dom, teXt */
} same_row_t;


#define HEAD  "<!DOCTYPE html><title>T</title>"


static const same_row_t  same_rows[] = {
    { "takes equal pages for equal", HEAD "<p>a", HEAD "<p>a", "BTDX" },
    { "tells texts apart", HEAD "<p>a", HEAD "<p>b", "T" },
    { "tells titles apart", "<title>a</title><p>x", "<title>b</title><p>x",
      "X" },
    { "tells pictures apart", HEAD "<img src=a.png>", HEAD "<img src=b.png>",
      "T" },
    { "tells values of fields apart", HEAD "<input value=a>",
      HEAD "<input value=b>", "T" },
    { "tells choices apart",
      HEAD "<select><option selected>a<option>b</select>",
      HEAD "<select><option>a<option selected>b</select>", "T" },
    { "tells languages apart", "<html lang=en>" HEAD "a",
      "<html lang=de>" HEAD "a", "T" },
    { "lets spaces be", HEAD "<p>a  b\n c", HEAD "<p>a b c", "TDX" },
    { "lets comments be", HEAD "<p>a<!-- 1 -->", HEAD "<p>a<!-- 2 -->",
      "TDX" },
    { "lets scripts be", HEAD "<p>a<script>1</script>",
      HEAD "<p>a<script>2</script>", "TDX" },
    { "lets styles be", HEAD "<style>a</style><p>a",
      HEAD "<style>b</style><p>a", "TDX" },
    { "lets hidden fields be", HEAD "<p>a<input type=hidden value=1>",
      HEAD "<p>a<input type=hidden value=2>", "TDX" },
    { "lets nonces be", HEAD "<p nonce=1>a", HEAD "<p nonce=2>a", "TDX" },
    { "lets the order of attributes be", HEAD "<p id=a class=b>a",
      HEAD "<p class=b id=a>a", "TDX" },
    { "sees links in the tree only", HEAD "<a href=1>a</a>",
      HEAD "<a href=2>a</a>", "TX" },
    { "sees elements in the tree only", HEAD "<b>a</b>", HEAD "<i>a</i>",
      "TX" },
    { "sees nothing that is hidden", HEAD "<p>a<p hidden>b",
      HEAD "<p>a<p hidden>c", "TX" },
    { "sees nothing that is not shown", HEAD "<p>a<p style=\"display:none\">b",
      HEAD "<p>a<p style=\"display:none\">c", "TX" },
    { "repairs what is broken", HEAD "<p>a<b>b</p>", HEAD "<p>a<b>b", "TDX" }
};


static void
pages_are(void **state)
{
    char               same[8], *p;
    learn_content_t    one, two;
    const same_row_t  *row;

    row = *state;
    read_page(&one, row->one);
    read_page(&two, row->two);

    p = same;

    if (learn_content_same(&one, &two, LEARN_ID_BODY)) {
        *p++ = 'B';
    }

    if (learn_content_same(&one, &two, LEARN_ID_TITLE)) {
        *p++ = 'T';
    }

    if (learn_content_same(&one, &two, LEARN_ID_DOM)) {
        *p++ = 'D';
    }

    if (learn_content_same(&one, &two, LEARN_ID_TEXT)) {
        *p++ = 'X';
    }

    *p = '\0';
    assert_string_equal(same, row->same);
}


/* what page it is */

typedef struct {
    const char      *sentence;
    const char      *html;
    learn_page_e     page;
} page_row_t;


static const page_row_t  page_rows[] = {
    { "knows a page", HEAD "<p>text", LEARN_PAGE_GOOD },
    { "knows an empty one", "<!DOCTYPE html>", LEARN_PAGE_EMPTY },
    { "knows one that is not there", "<title>Page not found</title><p>x",
      LEARN_PAGE_MISSING },
    { "knows one by its heading", HEAD "<h1>Error 404</h1>",
      LEARN_PAGE_MISSING },
    { "knows a number that is none of these", HEAD "<h1>Room 4042</h1>",
      LEARN_PAGE_GOOD },
    { "knows a page to log in",
      "<title>Sign in</title><form><input type=password></form>",
      LEARN_PAGE_LOGIN },
    { "knows a page with a field for it",
      HEAD "<p>Shoes<form><input type=password></form>", LEARN_PAGE_GOOD },
    { "knows a page against robots", "<title>Just a moment...</title><p>x",
      LEARN_PAGE_CAPTCHA },
    { "knows limits", "<title>Too Many Requests</title>x",
      LEARN_PAGE_CAPTCHA },
    { "knows an error", "<title>503 Service Unavailable</title>x",
      LEARN_PAGE_BROKEN },
    { "knows what a program says when it fails",
      "<br>\n<b>Fatal error</b>: Uncaught Error: x in y", LEARN_PAGE_BROKEN }
};


static void
page_is(void **state)
{
    learn_content_t    content;
    const page_row_t  *row;

    row = *state;
    read_page(&content, row->html);
    assert_int_equal(content.page, row->page);
}


typedef struct {
    const char      *sentence;
    const char      *html;
    const char      *canonical;
} canonical_row_t;


static const canonical_row_t  canonical_rows[] = {
    { "reads a canonical", "<link rel=canonical href='https://b.example/p'>",
      "https://b.example/p" },
    { "resolves one", "<link rel=canonical href='../q?a=1&amp;b'>",
      "https://a.example/q?a=1&b" },
    { "resolves one by the base",
      "<base href='/x/'><link rel=canonical href=y>",
      "https://a.example/x/y" },
    { "takes the first", "<link rel=CANONICAL href=/1>"
      "<link rel=canonical href=/2>", "https://a.example/1" },
    { "takes no other link", "<link rel=alternate href=/1>", "" },
    { "takes no other scheme", "<link rel=canonical href='mailto:a@b.example'>",
      "" },
    { "repairs one", "<link rel=canonical href=' /a\"b '>",
      "https://a.example/a%22b" }
};


static void
canonical_is(void **state)
{
    learn_content_t         content;
    const canonical_row_t  *row;

    row = *state;
    read_page(&content, row->html);
    assert_string_equal(content.canonical, row->canonical);
}


static void
canonical_home_says_nothing(void **state)
{
    learn_content_t  content;

    (void) state;

    read_page(&content, "<link rel=canonical href=/>");
    assert_string_equal(content.canonical, "https://a.example/");
    assert_int_equal(content.id[LEARN_ID_CANONICAL], 0);
    read_page(&content, "<link rel=canonical href=https://b.example>");
    assert_int_equal(content.id[LEARN_ID_CANONICAL], 0);
    read_page(&content, "<link rel=canonical href=/?p=1>");
    assert_int_not_equal(content.id[LEARN_ID_CANONICAL], 0);
    read_page(&content, "<link rel=canonical href=/p>");
    assert_int_not_equal(content.id[LEARN_ID_CANONICAL], 0);
}


static void
near_texts_are_near(void **state)
{
    char             one[8192], two[8300];
    size_t           i, n;
    learn_content_t  a, b;

    (void) state;

    n = 0;

    for (i = 0; i < 400; i++) {
        n += (size_t) snprintf(one + n, sizeof(one) - n, "word%zu ",
                               i * 7919 % 1000);
    }

    (void) snprintf(two, sizeof(two), "%s and one more", one);
    read_page(&a, one);
    read_page(&b, two);
    assert_false(learn_content_same(&a, &b, LEARN_ID_TEXT));
    assert_true(learn_content_same(&a, &b, LEARN_ID_NEAR));

    read_page(&b, "<p>words of another text that has little in common with it");
    assert_false(learn_content_same(&a, &b, LEARN_ID_NEAR));
}


/* "#" is a number */

static char *
repeat(const char *text, size_t n, const char *end)
{
    char    *all;
    size_t   i, len, room;

    room = n * (strlen(text) + 8) + strlen(end) + 1;
    all = malloc(room);
    assert_non_null(all);

    for (i = 0, len = 0; i < n; i++) {
        len += (size_t) snprintf(all + len, room - len, "%.*s%zu%s",
                                 (int) strcspn(text, "#"), text, i,
                                 text + strcspn(text, "#") + 1);
    }

    memcpy(all + len, end, strlen(end) + 1);

    return all;
}


static void
deep_pages_are_read(void **state)
{
    char            *html;
    learn_content_t  content;

    (void) state;

    html = repeat("<div id=#>", 4000, "deep");
    read_page(&content, html);
    assert_int_equal(content.words, 1);
    assert_int_equal(content.page, LEARN_PAGE_GOOD);
    free(html);
}


/* to parse it to its end would take minutes */

static void
hostile_pages_are_left(void **state)
{
    char            *html;
    learn_content_t  content;

    (void) state;

    html = repeat("<div id=#>", 400000, "deep");
    read_page(&content, html);
    assert_int_equal(content.page, LEARN_PAGE_HEAVY);
    assert_int_equal(content.id[LEARN_ID_TEXT], 0);
    free(html);

    html = repeat("<i><b id=#></i>x", 100000, "");
    read_page(&content, html);
    assert_true(content.page == LEARN_PAGE_HEAVY);
    free(html);

    read_page(&content, "<p>one more");
    assert_int_equal(content.words, 2);
}


static void
commands_are_asked(void **state)
{
    learn_content_t  one, two, three;

    (void) state;

    parser.command = "tr -d 0-9; echo $MIQPS_STATUS";
    read_page(&one, "<p>a1");
    read_page(&two, "<p>a22");
    read_page(&three, "<p>b1");
    assert_true(one.id[LEARN_ID_EXEC] != 0);
    assert_true(learn_content_same(&one, &two, LEARN_ID_EXEC));
    assert_false(learn_content_same(&one, &three, LEARN_ID_EXEC));

    parser.command = "echo x; exit 1";
    read_page(&one, "<p>a");
    assert_true(one.id[LEARN_ID_EXEC] == 0);

    parser.command = NULL;
}


int
main(void)
{
    int            rc;
    static unit_t  unit;

    learn_parser_init(&parser);

    unit_rows(&unit, pages_are, same_rows);
    unit_rows(&unit, page_is, page_rows);
    unit_rows(&unit, canonical_is, canonical_rows);
    unit_add(&unit, "takes no page for the home page because it says so",
             canonical_home_says_nothing, NULL);
    unit_add(&unit, "knows texts that are nearly the same",
             near_texts_are_near, NULL);
    unit_add(&unit, "reads pages however deep they are", deep_pages_are_read,
             NULL);
    unit_add(&unit, "leaves pages that are made to take long",
             hostile_pages_are_left, NULL);
    unit_add(&unit, "asks a command", commands_are_asked, NULL);

    rc = unit_run(&unit, "content");
    learn_parser_release(&parser);

    return rc;
}
