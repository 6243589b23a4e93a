
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include <gumbo.h>

#include "adapt/echo.h"
#include "content/diff.h"
#include "content/noise.h"


/* a page that was looked at twice, and another one */

typedef struct {
    const char  *sentence;
    const char  *once;
    const char  *twice;
    const char  *other;
    int          differs;       /* the other one, from the first */
} noise_row_t;


#define BODY  "<h1>Shoes</h1><p>Red shoes for rainy days, size nine</p>"
#define TOKEN(value)  "<input type=hidden name=csrf value=" value ">"
#define MORE  "<h1>Shoes</h1><p>Blue shoes for rainy days, size nine</p>"


static const noise_row_t  noise_rows[] = {
    { "finds the same page to be the same", BODY, BODY, BODY, 0 },
    { "sees one word", BODY, BODY, MORE, 1 },
    { "sees a line that is not there", BODY "<p>Page 2</p>",
      BODY "<p>Page 2</p>", BODY, 1 },
    { "sees another picture", BODY "<img src=/a.png>", BODY "<img src=/a.png>",
      BODY "<img src=/b.png>", 1 },
    { "sees another value of a field", BODY "<input value=a>",
      BODY "<input value=a>", BODY "<input value=b>", 1 },
    { "sees another hidden field",
      BODY "<input type=hidden name=sku value=a>",
      BODY "<input type=hidden name=sku value=a>",
      BODY "<input type=hidden name=sku value=b>", 1 },
    { "masks a token, and no other field",
      BODY TOKEN("12ab") "<input type=hidden name=sku value=a>",
      BODY TOKEN("34cd") "<input type=hidden name=sku value=a>",
      BODY TOKEN("56ef") "<input type=hidden name=sku value=a>", 0 },
    { "sees a field beside a token",
      BODY TOKEN("12ab") "<input type=hidden name=sku value=a>",
      BODY TOKEN("34cd") "<input type=hidden name=sku value=a>",
      BODY TOKEN("56ef") "<input type=hidden name=sku value=b>", 1 },
    { "sees where a link leads", BODY "<a href=/get/7/1>Get it</a>",
      BODY "<a href=/get/7/1>Get it</a>", BODY "<a href=/get/7/2>Get it</a>",
      1 },
    { "sees where a form leads", BODY "<form action=/a>",
      BODY "<form action=/a>", BODY "<form action=/b>", 1 },
    { "masks a session in a link", BODY "<a href=/s/1a/help>Help</a>",
      BODY "<a href=/s/2b/help>Help</a>", BODY "<a href=/s/3c/help>Help</a>",
      0 },
    { "sees what the page says to be its address",
      "<link rel=canonical href=/a>" BODY,
      "<link rel=canonical href=/a>" BODY,
      "<link rel=canonical href=/b>" BODY, 1 },
    { "sees no other link of the head",
      "<link rel=icon href=/a>" BODY, "<link rel=icon href=/a>" BODY,
      "<link rel=icon href=/b>" BODY, 0 },
    { "sees what the page tells robots",
      "<meta name=robots content=index>" BODY,
      "<meta name=robots content=index>" BODY,
      "<meta name=robots content=noindex>" BODY, 1 },
    { "masks a token in the head, and nothing else there",
      "<meta name=csrf content=12ab><meta name=robots content=index>" BODY,
      "<meta name=csrf content=34cd><meta name=robots content=index>" BODY,
      "<meta name=csrf content=56ef><meta name=robots content=noindex>" BODY,
      1 },
    { "sees what an element tells a script",
      BODY "<div data-tab=a data-id=7></div>",
      BODY "<div data-tab=a data-id=7></div>",
      BODY "<div data-tab=b data-id=7></div>", 1 },
    { "masks what it tells each time",
      BODY "<div data-tab=a data-token=12ab></div>",
      BODY "<div data-tab=a data-token=34cd></div>",
      BODY "<div data-tab=a data-token=56ef></div>", 0 },
    { "sees a picture behind an element",
      BODY "<i style=\"color: red; background: url('/a.png')\"></i>",
      BODY "<i style=\"color: red; background: url('/a.png')\"></i>",
      BODY "<i style=\"color: red; background: url('/b.png')\"></i>", 1 },
    { "sees no other style", BODY "<i style=\"left: 1px\"></i>",
      BODY "<i style=\"left: 1px\"></i>", BODY "<i style=\"left: 2px\"></i>",
      0 },
    { "sees what a proxy is to put in", BODY "<esi:include src=\"/eu/7\"/>",
      BODY "<esi:include src=\"/eu/7\"/>",
      BODY "<esi:include src=\"/us/7\"/>", 1 },
    { "sees what a script was told",
      BODY "<script>show({\"tab\": \"a\", \"n\": 1})</script>",
      BODY "<script>show({\"tab\": \"a\", \"n\": 1})</script>",
      BODY "<script>show({\"tab\": \"b\", \"n\": 1})</script>", 1 },
    { "masks what a script is told each time",
      BODY "<script>var time = 17, tab = \"a\";</script>",
      BODY "<script>var time = 19, tab = \"a\";</script>",
      BODY "<script>var time = 23, tab = \"a\";</script>", 0 },
    { "sees what stays of it",
      BODY "<script>var time = 17, tab = \"a\";</script>",
      BODY "<script>var time = 19, tab = \"a\";</script>",
      BODY "<script>var time = 23, tab = \"b\";</script>", 1 },
    { "sees no script from elsewhere", BODY "<script src=/a.js></script>",
      BODY "<script src=/a.js></script>", BODY "<script src=/b.js></script>",
      0 },
    { "sees no comment", BODY "<!-- 1 -->", BODY "<!-- 1 -->",
      BODY "<!-- 2 -->", 0 },

    { "masks a clock", BODY "<p>It is 10:00:01</p>",
      BODY "<p>It is 10:00:03</p>",
      BODY "<p>It is 11:30:59</p>", 0 },
    { "masks a number within a line",
      BODY "<p>made in 0.003 seconds by 7</p>",
      BODY "<p>made in 0.011 seconds by 7</p>",
      BODY "<p>made in 0.2 seconds by 7</p>", 0 },
    { "sees what stays of a line with a number",
      BODY "<p>made in 0.003 seconds by 7</p>",
      BODY "<p>made in 0.011 seconds by 7</p>",
      BODY "<p>made in 0.2 seconds by 8</p>", 1 },
    { "sees a word beside a clock", BODY "<p>It is 10:00:01</p>",
      BODY "<p>It is 10:00:03</p>", MORE "<p>It is 10:00:01</p>", 1 },
    { "masks an advert, whatever it says",
      BODY "<aside>Buy lamps today</aside>",
      BODY "<aside>Chairs are back again</aside>",
      BODY "<aside>Win a cruise</aside>", 0 },
    { "sees the page around an advert",
      BODY "<aside>Buy lamps today</aside>",
      BODY "<aside>Chairs are back again</aside>",
      MORE "<aside>Win a cruise</aside>", 1 },
    { "sees what stays of a list that is chosen of many",
      BODY "<ul><li>lamp<li>chair<li>cup<li>sofa<li>in red</ul>",
      BODY "<ul><li>sofa<li>table<li>desk<li>bowl<li>in red</ul>",
      BODY "<ul><li>desk<li>lamp<li>rug<li>cup<li>in blue</ul>", 1 },
    { "masks the others of it",
      BODY "<ul><li>lamp<li>chair<li>cup<li>sofa<li>in red</ul>",
      BODY "<ul><li>sofa<li>table<li>desk<li>bowl<li>in red</ul>",
      BODY "<ul><li>desk<li>lamp<li>rug<li>cup<li>in red</ul>", 0 },
    { "masks an advert that is not there",
      BODY "<aside>Buy lamps today</aside>",
      BODY "<aside>Chairs are back again</aside>", BODY, 0 },
    { "masks a list in another order",
      BODY "<p>More: oak pine elm ash yew fir</p>",
      BODY "<p>More: fir ash pine yew oak elm</p>",
      BODY "<p>More: ash fir oak elm pine yew</p>", 0 },
    { "masks the order of a list",
      BODY "<ul><li>oak 1<li>pine 2<li>elm 3<li>ash 4<li>yew 5</ul>",
      BODY "<ul><li>yew 5<li>elm 3<li>oak 1<li>ash 4<li>pine 2</ul>",
      BODY "<ul><li>ash 4<li>pine 2<li>oak 1<li>yew 5<li>elm 3</ul>", 0 },
    { "sees another list whose order is nothing",
      BODY "<ul><li>oak 1<li>pine 2<li>elm 3<li>ash 4<li>yew 5</ul>",
      BODY "<ul><li>yew 5<li>elm 3<li>oak 1<li>ash 4<li>pine 2</ul>",
      BODY "<ul><li>ash 4<li>pine 2<li>oak 1<li>yew 5<li>elm 6</ul>", 1 },
    { "sees the order of a list",
      BODY "<ul><li>oak<li>pine<li>elm</ul>",
      BODY "<ul><li>oak<li>pine<li>elm</ul>",
      BODY "<ul><li>pine<li>oak<li>elm</ul>", 1 },
    { "masks what changes in a row",
      BODY "<table><td>10:01<td>1a2b<td>7 EUR</table>",
      BODY "<table><td>10:03<td>3c4d<td>7 EUR</table>",
      BODY "<table><td>10:07<td>5e6f<td>7 EUR</table>", 0 },
    { "sees what stays in a row",
      BODY "<table><td>10:01<td>1a2b<td>7 EUR</table>",
      BODY "<table><td>10:03<td>3c4d<td>7 EUR</table>",
      BODY "<table><td>10:07<td>5e6f<td>7 USD</table>", 1 },
    { "masks a row that is another each time",
      BODY "<table><td>10:01<td>1a2b<td>7 EUR</table>",
      BODY "<table><td>3c4d<td>10:03</table>",
      BODY "<table><td>8 USD</table>", 0 },
    { "takes no clock for a reason to mask a heading",
      "<h1>Shoe 7</h1><p>It is 10:00</p>", "<h1>Shoe 7</h1><p>It is 10:02</p>",
      "<h1>Shoe 8</h1><p>It is 10:00</p>", 1 },
    { "sees a breadcrumb", "<nav>Home / Shoes</nav>" BODY,
      "<nav>Home / Shoes</nav>" BODY, "<nav>Home / Sale</nav>" BODY, 1 }
};


typedef struct {
    const char  *sentence;
    const char  *a;
    const char  *b;
    const char  *common;
} diff_row_t;


static const diff_row_t  diff_rows[] = {
    { "has all of two that are the same", "abcd", "abcd", "abcd" },
    { "has nothing of two that share nothing", "abc", "xyz", "" },
    { "leaves out what one has not", "abcd", "acd", "acd" },
    { "leaves out what the other has not", "acd", "abcd", "acd" },
    { "keeps the order", "abcabba", "cbabac", "caba" },
    { "has nothing of nothing", "", "abc", "" },
    { "has nothing with nothing", "abc", "", "" },
    { "finds what was moved once", "xabc", "abcx", "abc" }
};


static const miqps_str_t  nobody = miqps_string("nobody.example");


static void
noise_read_at(const miqps_str_t *host, const char *html, learn_lines_t *lines,
    learn_arena_t *arena)
{
    GumboOutput  *output;

    output = gumbo_parse(html);

    assert_non_null(output);
    assert_true(learn_lines_read(lines, output->document, "", host, arena));

    gumbo_destroy_output(&kGumboDefaultOptions, output);
}


static void
noise_read(const char *html, learn_lines_t *lines, learn_arena_t *arena)
{
    noise_read_at(&nobody, html, lines, arena);
}


static void
test_noise(void **state)
{
    learn_lines_t       once, twice, other;
    learn_arena_t       arena;
    learn_noise_t       noise;
    learn_differ_t      how;
    const noise_row_t  *row;

    row = *state;

    learn_arena_init(&arena);
    learn_noise_init(&noise);

    noise_read(row->once, &once, &arena);
    noise_read(row->twice, &twice, &arena);
    noise_read(row->other, &other, &arena);

    assert_true(learn_noise_learn(&noise, &once, &twice, &arena));

    /* the page is itself, whichever of them is first */

    assert_true(learn_noise_compare(&noise, &once, &twice, NULL, &how,
                                    &arena));
    assert_int_equal(how.lines, 0);
    assert_true(learn_noise_compare(&noise, &twice, &once, NULL, &how,
                                    &arena));
    assert_int_equal(how.lines, 0);

    assert_true(learn_noise_compare(&noise, &once, &other, NULL, &how,
                                    &arena));
    assert_int_equal(how.lines > 0, row->differs);
    assert_true(learn_noise_compare(&noise, &other, &once, NULL, &how,
                                    &arena));
    assert_int_equal(how.lines > 0, row->differs);

    learn_noise_release(&noise);
    learn_arena_release(&arena);
}


/* that only words of the URL differ, in an attribute, is told, and no more */

static void
test_echo(void **state)
{
    uint32_t        words[2];
    learn_echo_t    echo;
    learn_lines_t   one, two, three;
    learn_arena_t   arena;
    learn_noise_t   noise;
    learn_differ_t  how;

    (void) state;

    learn_arena_init(&arena);
    learn_noise_init(&noise);

    words[0] = learn_lines_word("ref", 3);
    words[1] = learn_lines_word("mail7", 5);
    memset(&echo, 0, sizeof(learn_echo_t));
    echo.words = words;
    echo.n = 2;

    noise_read(BODY "<img src=\"/count?ref=mail7\">", &one, &arena);
    noise_read(BODY "<img src=\"/count\">", &two, &arena);
    noise_read(BODY "<p>ref mail7</p><img src=\"/count\">", &three, &arena);

    assert_true(learn_noise_compare(&noise, &one, &two, &echo, &how, &arena));
    assert_int_equal(how.lines, 2);
    assert_int_equal(how.echoed, 2);
    assert_true(learn_noise_compare(&noise, &one, &two, NULL, &how, &arena));
    assert_int_equal(how.lines, 2);
    assert_int_equal(how.echoed, 0);
    assert_true(learn_noise_compare(&noise, &three, &two, &echo, &how,
                                    &arena));
    assert_true(how.lines > how.echoed);

    learn_noise_release(&noise);
    learn_arena_release(&arena);
}


/* pages of www.a.example and of m.a.example */

typedef struct {
    const char  *sentence;
    const char  *one;
    const char  *other;
    int          differs;
} hosts_row_t;


#define LINK(rel, url)  BODY "<link rel=" rel " href=\"https://" url "\">"


static const hosts_row_t  hosts_rows[] = {
    { "takes links to its own host for the same",
      BODY "<a href=https://www.a.example/7>Seven</a>",
      BODY "<a href=https://m.a.example/7>Seven</a>", 0 },
    { "takes the page behind it for the same",
      LINK("next", "www.a.example/8"), LINK("next", "m.a.example/8"), 0 },
    { "lets both declare one of them to be the right one",
      LINK("canonical", "www.a.example/7"),
      LINK("canonical", "www.a.example/7"), 0 },
    { "sees that each declares itself",
      LINK("canonical", "www.a.example/7"),
      LINK("canonical", "m.a.example/7"), 1 },
    { "sees that they declare another page",
      LINK("canonical", "www.a.example/7"),
      LINK("canonical", "www.a.example/8"), 1 }
};


static void
test_hosts(void **state)
{
    learn_lines_t       one, other;
    learn_arena_t       arena;
    learn_noise_t       noise;
    learn_differ_t      how;
    const hosts_row_t  *row;

    static const miqps_str_t  www = miqps_string("www.a.example");
    static const miqps_str_t  m = miqps_string("m.a.example");

    row = *state;

    learn_arena_init(&arena);
    learn_noise_init(&noise);

    noise_read_at(&www, row->one, &one, &arena);
    noise_read_at(&m, row->other, &other, &arena);

    assert_true(learn_noise_compare(&noise, &one, &other, NULL, &how,
                                    &arena));
    assert_int_equal(how.lines > 0, row->differs);

    learn_noise_release(&noise);
    learn_arena_release(&arena);
}


/* pages at two URLs: links that only carry on what differs, and others */

typedef struct {
    const char  *sentence;
    const char  *rich;
    const char  *poor;
    const char  *one;           /* what the pages are */
    const char  *other;
    int          differs;
} carry_row_t;


static const carry_row_t  carry_rows[] = {
    { "takes links that carry on a parameter for the same",
      "https://a.example/p?id=7&ref=x", "https://a.example/p?id=7",
      "<a href=/q?ref=x>", "<a href=/q>", 0 },
    { "does so in any order",
      "https://a.example/p?id=7&ref=x&s=9", "https://a.example/p?id=7",
      "<a href=/q?s=9&amp;n=1&amp;ref=x>", "<a href=/q?n=1>", 0 },
    { "sees a link with another value",
      "https://a.example/p?id=7&ref=x", "https://a.example/p?id=7",
      "<a href=/q?ref=y>", "<a href=/q>", 1 },
    { "sees a link to another file",
      "https://a.example/p?id=7&ver=2", "https://a.example/p?id=7",
      "<a href=/get/7/2>", "<a href=/get/7>", 1 },
    { "sees what is put into a basket",
      "https://a.example/p?id=7&size=2", "https://a.example/p?id=7",
      "<a href=/cart/add?size=2>", "<a href=/cart/add>", 1 },
    { "sees what a form sends",
      "https://a.example/p?id=7&size=2", "https://a.example/p?id=7",
      "<form method=post><input type=hidden name=size value=2></form>",
      "<form method=post></form>", 1 },
    { "lets a search carry on a parameter",
      "https://a.example/p?id=7&ref=x", "https://a.example/p?id=7",
      "<form><input type=hidden name=ref value=x></form>", "<form></form>",
      0 },
    { "takes the page's own address for the same",
      "https://a.example/s/1f/p/7", "https://a.example/p/7",
      "<a href=//b.example/share?u=https%3A%2F%2Fa.example%2Fs%2F1f%2Fp%2F7>",
      "<a href=//b.example/share?u=https%3A%2F%2Fa.example%2Fp%2F7>", 0 },
    { "lets links carry on a session of the path",
      "https://a.example/s/1f/p/7", "https://a.example/p/7",
      "<a href=/s/1f/p/8>", "<a href=/p/8>", 0 },
    { "lets links stay in a folder of another name",
      "https://a.example/katalog/7", "https://a.example/catalog/7",
      "<a href=/katalog/8>", "<a href=/catalog/8>", 0 },
    { "sees a link that leads elsewhere",
      "https://a.example/katalog/7", "https://a.example/catalog/7",
      "<a href=/katalog/8>", "<a href=/catalog/9>", 1 },
    { "sees a picture that carries on a parameter",
      "https://a.example/p?id=7&day=2", "https://a.example/p?id=7",
      "<img src=/graph?id=7&amp;day=2>", "<img src=/graph?id=7>", 1 },
    { "sees a text that does",
      "https://a.example/p?id=7&day=2", "https://a.example/p?id=7",
      "<p>day 2", "<p>", 1 }
};


static void
test_carry(void **state)
{
    miqps_str_t         rich, poor;
    learn_lines_t       one, other;
    learn_arena_t       arena;
    learn_noise_t       noise;
    learn_differ_t      how;
    learn_echoing_t     echoing;
    const carry_row_t  *row;

    row = *state;

    learn_arena_init(&arena);
    learn_noise_init(&noise);

    noise_read(row->one, &one, &arena);
    noise_read(row->other, &other, &arena);

    rich.data = (const uint8_t *) row->rich;
    rich.len = strlen(row->rich);
    poor.data = (const uint8_t *) row->poor;
    poor.len = strlen(row->poor);

    learn_echo_init(&echoing, &rich, &poor, NULL, 0, &noise.arena);

    assert_true(learn_noise_compare(&noise, &one, &other, &echoing.echo, &how,
                                    &arena));
    assert_int_equal(how.lines > 0, row->differs);

    learn_noise_release(&noise);
    learn_arena_release(&arena);
}


static void
test_diff(void **state)
{
    size_t             i, n, m, len;
    uint32_t           a[64], b[64], match[64], last;
    learn_arena_t      arena;
    const diff_row_t  *row;

    row = *state;
    n = strlen(row->a);
    m = strlen(row->b);

    for (i = 0; i < n; i++) {
        a[i] = (uint8_t) row->a[i];
    }

    for (i = 0; i < m; i++) {
        b[i] = (uint8_t) row->b[i];
    }

    learn_arena_init(&arena);

    assert_true(learn_diff(a, (uint32_t) n, b, (uint32_t) m, match, &arena));

    len = 0;
    last = 0;

    for (i = 0; i < n; i++) {
        if (match[i] != LEARN_DIFF_NONE) {
            assert_true(match[i] < m);
            assert_int_equal(b[match[i]], a[i]);
            assert_true(len == 0 || match[i] > last);
            last = match[i];
            len++;
        }
    }

    /* as long as the longest, whichever of those it is */

    assert_int_equal(len, strlen(row->common));

    learn_arena_release(&arena);
}


/* what was written is read again, and no part of it is */

static void
test_bytes(void **state)
{
    size_t          i, len;
    uint8_t        *data;
    learn_lines_t   lines, again;
    learn_arena_t   arena;
    learn_noise_t   noise;
    learn_differ_t  how;

    (void) state;

    learn_arena_init(&arena);
    learn_noise_init(&noise);
    noise_read(BODY "<ul><li>One<li>Two</ul>", &lines, &arena);

    len = learn_lines_size(&lines);
    data = malloc(len);
    assert_non_null(data);
    learn_lines_write(&lines, data);

    assert_true(learn_lines_load(&again, data, len, &arena));
    assert_int_equal(again.nlines, lines.nlines);
    assert_true(learn_noise_compare(&noise, &lines, &again, NULL, &how,
                                    &arena));
    assert_int_equal(how.lines, 0);

    for (i = 0; i < len; i++) {
        assert_false(learn_lines_load(&again, data, i, &arena));
    }

    free(data);
    learn_noise_release(&noise);
    learn_arena_release(&arena);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_noise, noise_rows);
    unit_rows(&unit, test_diff, diff_rows);
    unit_rows(&unit, test_hosts, hosts_rows);
    unit_rows(&unit, test_carry, carry_rows);
    unit_add(&unit, "takes words of the URL in attributes for an echo",
             test_echo, NULL);
    unit_add(&unit, "reads what was written, and no part of it", test_bytes,
             NULL);

    return unit_run(&unit, "noise");
}
