
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE
#define PCRE2_CODE_UNIT_WIDTH  8

#include <dlfcn.h>
#include <pcre2.h>

#include "unit.h"

#include "miqps_regex.h"


typedef struct {
    const char        *sentence;
    const char        *regex;
    const char        *subject;
    miqps_regex_rc_e   want;
} exec_row_t;


typedef struct {
    const char        *sentence;
    const char        *regex;
    size_t             offset;         /* 0 leaves it to the library */
} bad_row_t;


typedef struct {
    const char        *sentence;
    const char        *regex;
} costly_row_t;


typedef struct {
    const char        *sentence;
    const char        *regex;
    const char        *head;
    const char        *unit;           /* many times */
    const char        *tail;
} evil_row_t;


/*
 * What PCRE2 gives is given here, so that it can be refused: these stand
 * before those of the library.
 */

static int  no_match_data;
static int  no_match_context;
static int  no_jit_stack;
static int  no_code;


static const exec_row_t  exec_rows[] = {
    { "is searched for, not anchored", "~b", "abc", MIQPS_REGEX_HIT },
    { "misses what is not there", "~x", "abc", MIQPS_REGEX_MISS },
    { "is anchored where it says", "~^b", "abc", MIQPS_REGEX_MISS },
    { "is case-sensitive", "~ABC", "abc", MIQPS_REGEX_MISS },
    { "ignores case with a star", "~*ABC", "abc", MIQPS_REGEX_HIT },
    { "the end is the end", "~c$", "abc", MIQPS_REGEX_HIT },
    { "the end is not before a line feed", "~c$", "abc\n", MIQPS_REGEX_MISS },
    { "knows alternatives", "~^(?:a|b)+$", "abba", MIQPS_REGEX_HIT },
    { "knows groups that capture nothing", "~^(a)(b)(c)$", "abc",
      MIQPS_REGEX_HIT },
    { "knows named groups", "~^(?<n>a)\\k<n>$", "aa", MIQPS_REGEX_HIT },
    { "knows what must not follow", "~^a(?!b)", "ab", MIQPS_REGEX_MISS },
    { "knows classes", "~^[a-f0-9]+$", "0a1b2c", MIQPS_REGEX_HIT },
    { "may hold what a URL holds", "~^a%20b/c=d:e-f$", "a%20b/c=d:e-f",
      MIQPS_REGEX_HIT },
    { "may be a long word",
      "~^xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      MIQPS_REGEX_HIT },
    { "an empty one matches anything", "~", "abc", MIQPS_REGEX_HIT },
    { "may name many bytes", "~^[bcdefghijklmnopqrst]+$", "bcdt",
      MIQPS_REGEX_HIT },
    { "matches nothing in nothing", "~^$", "", MIQPS_REGEX_HIT },
    { "misses in nothing", "~a", "", MIQPS_REGEX_MISS },
    { "takes bytes above ASCII as bytes", "~^..$", "\xc3\xa9",
      MIQPS_REGEX_HIT },
    { "takes bytes that are no text", "~^.$", "\xff", MIQPS_REGEX_HIT }
};


static const bad_row_t  bad_rows[] = {
    { "refuses a group left open", "~a(b", 4 },
    { "refuses a group left open, ignoring case", "~*a(b", 5 },
    { "refuses a class left open", "~[a", 0 },
    { "refuses a quantifier of nothing", "~+a", 0 },
    { "refuses a quantifier of nothing, ignoring case", "~**a", 0 },
    { "refuses a backslash at the end", "~a\\", 0 },
    { "refuses a closed group that was not open", "~a)", 0 },
    { "refuses a reference to nothing", "~\\1", 0 },
    { "refuses to be read as UTF-8", "~(*UTF)a", 0 },
    { "refuses a single code unit", "~\\C", 0 },
    { "refuses numbers in the wrong order", "~a{2,1}", 0 }
};


static const costly_row_t  costly_rows[] = {
    { "a repetition repeated is costly", "~^(a+)+$" },
    { "a repetition of nothing repeated is costly", "~^(a*)*$" },
    { "equal alternatives are costly", "~(a|a)*$" },
    { "equal alternatives with an end are costly", "~(a|a)*x$" },
    { "words and digits repeated are costly", "~(\\w+\\d+)+x" },
    { "anything repeated is costly", "~(.*)*x" },
    { "anything repeated, at least once, is costly", "~^(.+)+x" },
    { "overlapping classes are costly", "~^([a-z0-9]+_?)+=$" },
    { "overlapping alternatives are costly", "~^(a|ab|b)*c$" },
    { "letters that the pattern names are tried", "~^(z|q|zq)+!$" },
    { "case does not hide the cost", "~*^(B+)+$" },
    { "a repetition of a repetition is costly", "~^((a+)+)+$" },
    { "many that may be missing are costly", "~^(a?){40}a{40}!" },
    { "a word repeated is costly", "~^((abc)+)+$" },
    { "a repetition behind a word is costly", "~^size_(a+)+$" },
    { "a repetition behind a slash is costly", "~^/(a+)+$" },
    { "many anythings are costly", "~.*.*.*.*.*.*x$" }
};


/* whatever the trials find, no name takes long */

static const evil_row_t  evil_rows[] = {
    { "three letters in turn are bounded", "~^(?:(?:[a][b][c])+)+$", "",
      "abc", "!" },
    { "a beginning of its own is bounded", "~x(y+)+z", "x", "y", "!z" },
    { "a beginning of choice is bounded", "~^(?:ab|cd)(x+)+$", "cd", "x",
      "!" },
    { "a lazy repetition is bounded", "~^(a+?)+?$", "", "a", "!" },
    { "a look ahead is bounded", "~^(?=(a+)+b)", "", "a", "!b" },
    { "a reference back is bounded", "~^(?<n>a+)+\\k<n>$", "", "a", "!" },
    { "a recursion is bounded", "~^(?<n>a|b(?&n)c|(?&n)a)+$", "", "a", "!" }
};


pcre2_match_data *
pcre2_match_data_create(uint32_t size, pcre2_general_context *context)
{
    void  *(*real)(uint32_t, pcre2_general_context *);

    *(void **) &real = dlsym(RTLD_NEXT, "pcre2_match_data_create_8");

    return no_match_data ? NULL : real(size, context);
}


pcre2_match_context *
pcre2_match_context_create(pcre2_general_context *context)
{
    void  *(*real)(pcre2_general_context *);

    *(void **) &real = dlsym(RTLD_NEXT, "pcre2_match_context_create_8");

    return no_match_context ? NULL : real(context);
}


pcre2_jit_stack *
pcre2_jit_stack_create(size_t start, size_t max,
    pcre2_general_context *context)
{
    void  *(*real)(size_t, size_t, pcre2_general_context *);

    *(void **) &real = dlsym(RTLD_NEXT, "pcre2_jit_stack_create_8");

    return no_jit_stack ? NULL : real(start, max, context);
}


/* a library without memory says so with this number */

pcre2_code *
pcre2_compile(PCRE2_SPTR pattern, PCRE2_SIZE len, uint32_t options,
    int *error, PCRE2_SIZE *offset, pcre2_compile_context *context)
{
    void  *(*real)(PCRE2_SPTR, PCRE2_SIZE, uint32_t, int *, PCRE2_SIZE *,
                   pcre2_compile_context *);

    if (no_code) {
        *error = PCRE2_ERROR_HEAP_FAILED;
        *offset = 0;
        return NULL;
    }

    *(void **) &real = dlsym(RTLD_NEXT, "pcre2_compile_8");

    return real(pattern, len, options, error, offset, context);
}


static void
test_exec(void **state)
{
    page_t              patterns, subjects;
    miqps_str_t         text, subject;
    miqps_regex_t       regex;
    miqps_fault_t       fault;
    const exec_row_t   *row;
    miqps_regex_work_t  work;

    row = *state;
    text = unit_put(&patterns, row->regex);
    subject = unit_put(&subjects, row->subject);

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);
    assert_int_equal(miqps_regex_init(&regex, &text, &work, &fault),
                     MIQPS_OK);
    assert_int_equal(miqps_regex_exec(&regex, &work, &subject), row->want);

    miqps_regex_release(&regex);
    miqps_regex_work_release(&work);
    page_release(&patterns);
    page_release(&subjects);
}


static void
test_bad(void **state)
{
    miqps_str_t         text;
    miqps_regex_t       regex;
    miqps_fault_t       fault;
    const bad_row_t    *row;
    miqps_regex_work_t  work;

    row = *state;
    text = unit_str(row->regex);

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);
    assert_int_equal(miqps_regex_init(&regex, &text, &work, &fault),
                     MIQPS_BAD_REGEX);
    assert_true(strlen(fault.message) > 0);
    assert_true(fault.offset <= text.len);

    if (row->offset > 0) {
        assert_int_equal(fault.offset, row->offset);
    }

    assert_true(miqps_str_eq(&fault.text, &text));

    miqps_regex_work_release(&work);
}


static void
test_costly(void **state)
{
    miqps_rc_e           rc;
    miqps_str_t          text;
    miqps_regex_t        regex;
    miqps_fault_t        fault;
    const costly_row_t  *row;
    miqps_regex_work_t   work;

    row = *state;
    text = unit_str(row->regex);

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);

    rc = miqps_regex_init(&regex, &text, &work, &fault);

    miqps_regex_work_release(&work);

    if (rc == MIQPS_OK) {
        miqps_regex_release(&regex);
    }

    assert_int_equal(rc, MIQPS_COSTLY_REGEX);
    assert_true(strlen(fault.message) > 0);
}


/*
 * The library counts its steps, and so do we: what it would do without a
 * limit takes longer than anybody waits.
 */

static void
test_evil(void **state)
{
    char                subject[MIQPS_REGEX_MAX_SUBJECT];
    size_t              len;
    miqps_rc_e          rc;
    miqps_str_t         text, name;
    miqps_regex_t       regex;
    miqps_fault_t       fault;
    const evil_row_t   *row;
    miqps_regex_work_t  work;

    row = *state;
    text = unit_str(row->regex);

    len = (size_t) snprintf(subject, sizeof(subject), "%s", row->head);

    while (len < sizeof(subject) - 16) {
        len += (size_t) snprintf(subject + len, sizeof(subject) - len, "%s",
                                 row->unit);
    }

    len += (size_t) snprintf(subject + len, sizeof(subject) - len, "%s",
                             row->tail);

    name.data = (uint8_t *) subject;
    name.len = len;

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);

    rc = miqps_regex_init(&regex, &text, &work, &fault);

    if (rc == MIQPS_OK) {
        assert_int_not_equal(miqps_regex_exec(&regex, &work, &name),
                             MIQPS_REGEX_HIT);
        miqps_regex_release(&regex);

    } else {
        assert_int_equal(rc, MIQPS_COSTLY_REGEX);
    }

    miqps_regex_work_release(&work);
}


/* three letters in turn are more than the trials know */

static void
test_gives_up(void **state)
{
    char                subject[200];
    size_t              i;
    miqps_str_t         text, name;
    miqps_regex_t       regex;
    miqps_fault_t       fault;
    miqps_regex_work_t  work;

    (void) state;

    for (i = 0; i + 3 < sizeof(subject); i += 3) {
        memcpy(subject + i, "abc", 3);
    }

    text = unit_str("~^(?:(?:[a][b][c])+)+$");
    name.data = (uint8_t *) subject;
    name.len = i;

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);
    assert_int_equal(miqps_regex_init(&regex, &text, &work, &fault),
                     MIQPS_OK);

    assert_int_equal(miqps_regex_exec(&regex, &work, &name), MIQPS_REGEX_HIT);

    name.len--;

    assert_int_equal(miqps_regex_exec(&regex, &work, &name),
                     MIQPS_REGEX_GAVE_UP);

    /* and does well afterwards */

    name.len = 3;
    assert_int_equal(miqps_regex_exec(&regex, &work, &name), MIQPS_REGEX_HIT);

    miqps_regex_release(&regex);
    assert_null(regex.code);
    miqps_regex_work_release(&work);
}


static void
test_long_subject(void **state)
{
    page_t              page;
    miqps_str_t         text, name;
    miqps_regex_t       regex;
    miqps_fault_t       fault;
    miqps_regex_work_t  work;

    (void) state;

    page_init(&page, MIQPS_REGEX_MAX_SUBJECT + 1);
    memset(page.base, 'a', page.size);

    text = unit_str("~a$");

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);
    assert_int_equal(miqps_regex_init(&regex, &text, &work, &fault),
                     MIQPS_OK);

    name.len = MIQPS_REGEX_MAX_SUBJECT;
    name.data = page_tail(&page, name.len);
    assert_int_equal(miqps_regex_exec(&regex, &work, &name), MIQPS_REGEX_HIT);

    name.len = MIQPS_REGEX_MAX_SUBJECT + 1;
    name.data = page_tail(&page, name.len);
    assert_int_equal(miqps_regex_exec(&regex, &work, &name),
                     MIQPS_REGEX_GAVE_UP);

    miqps_regex_release(&regex);
    miqps_regex_work_release(&work);
    page_release(&page);
}


static void
test_no_bytes(void **state)
{
    miqps_str_t         text, name = miqps_null_str;
    miqps_regex_t       regex;
    miqps_fault_t       fault;
    miqps_regex_work_t  work;

    (void) state;

    text = unit_str("~^$");

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);
    assert_int_equal(miqps_regex_init(&regex, &text, &work, &fault),
                     MIQPS_OK);
    assert_int_equal(miqps_regex_exec(&regex, &work, &name), MIQPS_REGEX_HIT);

    name.data = (const uint8_t *) "\0\0";
    name.len = 2;
    assert_int_equal(miqps_regex_exec(&regex, &work, &name),
                     MIQPS_REGEX_MISS);

    miqps_regex_release(&regex);
    miqps_regex_work_release(&work);
}


static void
test_no_memory(void **state)
{
    miqps_regex_work_t  work;

    (void) state;

    no_match_data = 1;
    assert_int_equal(miqps_regex_work_init(&work), MIQPS_NO_MEMORY);
    no_match_data = 0;

    no_match_context = 1;
    assert_int_equal(miqps_regex_work_init(&work), MIQPS_NO_MEMORY);
    no_match_context = 0;

    assert_null(work.data);
    assert_null(work.context);
    assert_null(work.stack);
}


/* without a stack of its own the machine code uses the small default one */

static void
test_no_stack(void **state)
{
    miqps_str_t         text, name;
    miqps_regex_t       regex;
    miqps_fault_t       fault;
    miqps_regex_work_t  work;

    (void) state;

    no_jit_stack = 1;
    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);
    no_jit_stack = 0;

    text = unit_str("~^utm_");
    name = unit_str("utm_source");

    assert_int_equal(miqps_regex_init(&regex, &text, &work, &fault),
                     MIQPS_OK);
    assert_int_equal(miqps_regex_exec(&regex, &work, &name), MIQPS_REGEX_HIT);

    miqps_regex_release(&regex);
    miqps_regex_work_release(&work);
}


static void
test_no_code(void **state)
{
    miqps_rc_e          rc;
    miqps_str_t         text;
    miqps_regex_t       regex;
    miqps_fault_t       fault;
    miqps_regex_work_t  work;

    (void) state;

    text = unit_str("~a");

    assert_int_equal(miqps_regex_work_init(&work), MIQPS_OK);

    no_code = 1;
    rc = miqps_regex_init(&regex, &text, &work, &fault);
    no_code = 0;

    miqps_regex_work_release(&work);

    assert_int_equal(rc, MIQPS_NO_MEMORY);
}


/* the message of a fault is cut, not overrun */

static void
test_fault(void **state)
{
    char           text[300];
    miqps_str_t    str;
    miqps_fault_t  fault;

    (void) state;

    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';

    str = unit_str("text");

    miqps_fault_set(&fault, &str, 3, text);
    assert_int_equal(strlen(fault.message), sizeof(fault.message) - 1);
    assert_int_equal(fault.offset, 3);

    miqps_fault_set(&fault, &str, 0, "short");
    assert_string_equal(fault.message, "short");
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_exec, exec_rows);
    unit_rows(&unit, test_bad, bad_rows);
    unit_rows(&unit, test_costly, costly_rows);
    unit_rows(&unit, test_evil, evil_rows);

    unit_add(&unit, "a pattern that hides its cost gives up",
             test_gives_up, NULL);
    unit_add(&unit, "a long subject is not tried", test_long_subject, NULL);
    unit_add(&unit, "a subject without bytes needs no memory", test_no_bytes,
             NULL);
    unit_add(&unit, "no memory leaves nothing behind", test_no_memory, NULL);
    unit_add(&unit, "no stack of its own is no harm", test_no_stack, NULL);
    unit_add(&unit, "no memory for a pattern is no fault of it",
             test_no_code, NULL);
    unit_add(&unit, "a long message is cut", test_fault, NULL);

    return unit_run(&unit, "regex");
}
