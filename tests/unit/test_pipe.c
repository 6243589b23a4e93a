
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <errno.h>
#include <unistd.h>

#include "unit.h"

#include "visual/base64.h"
#include "visual/pipe.h"


/* the ends of two pipes: ours, and those of somebody else */

typedef struct {
    learn_pipe_t    pipe;
    int             in;
    int             out;
} ends_t;


static void
ends_open(ends_t *ends)
{
    int  to[2], from[2];

    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);

    learn_pipe_init(&ends->pipe, from[0], to[1]);
    ends->in = to[0];
    ends->out = from[1];
}


static void
ends_close(ends_t *ends)
{
    learn_pipe_release(&ends->pipe);
    (void) close(ends->in);
    (void) close(ends->out);
}


static void
ends_write(ends_t *ends, const char *data, size_t len)
{
    assert_int_equal(write(ends->out, data, len), len);
}


static void
messages_are_told_apart(void **state)
{
    char    *text;
    size_t   len;
    ends_t   ends;

    (void) state;
    ends_open(&ends);

    ends_write(&ends, "{\"id\":1}\0{}\0{\"i", 15);
    assert_true(learn_pipe_move(&ends.pipe));

    text = learn_pipe_next(&ends.pipe, &len);
    assert_string_equal(text, "{\"id\":1}");
    assert_int_equal(len, 8);
    assert_string_equal(learn_pipe_next(&ends.pipe, &len), "{}");
    assert_null(learn_pipe_next(&ends.pipe, &len));

    ends_write(&ends, "d\":2}\0", 6);
    assert_true(learn_pipe_move(&ends.pipe));
    assert_string_equal(learn_pipe_next(&ends.pipe, &len), "{\"id\":2}");
    assert_null(learn_pipe_next(&ends.pipe, &len));

    ends_close(&ends);
}


static void
bytes_may_come_one_by_one(void **state)
{
    size_t   i, len;
    ends_t   ends;

    static const char  text[] = "a\0bc\0\0def";

    (void) state;
    ends_open(&ends);

    for (i = 0; i < sizeof(text); i++) {
        assert_null(learn_pipe_next(&ends.pipe, &len));
        ends_write(&ends, text + i, 1);
        assert_true(learn_pipe_move(&ends.pipe));

        if (text[i] == '\0') {
            assert_non_null(learn_pipe_next(&ends.pipe, &len));
            assert_int_equal(len, (i == 1) ? 1 : (i == 4) ? 2 : (i == 5) ? 0
                                                                         : 3);
        }
    }

    ends_close(&ends);
}


static void
long_messages_wait(void **state)
{
    char    *text, *got;
    ends_t   ends;
    size_t   len, n;
    ssize_t  some;

    (void) state;
    ends_open(&ends);

    len = 3 * 1024 * 1024;
    text = malloc(len);
    got = malloc(len + 1);
    assert_non_null(text);
    assert_non_null(got);
    memset(text, 'x', len);

    assert_true(learn_pipe_send(&ends.pipe, text, len));
    assert_true(learn_pipe_full(&ends.pipe));

    for (n = 0; n < len + 1; n += (size_t) some) {
        assert_true(learn_pipe_move(&ends.pipe));
        some = read(ends.in, got + n, len + 1 - n);
        assert_true(some > 0);
    }

    assert_false(learn_pipe_full(&ends.pipe));
    assert_memory_equal(got, text, len);
    assert_int_equal(got[len], '\0');

    free(text);
    free(got);
    ends_close(&ends);
}


static void
too_long_is_refused(void **state)
{
    ends_t  ends;

    (void) state;
    ends_open(&ends);

    assert_false(learn_pipe_send(&ends.pipe, "", LEARN_PIPE_MAX));

    ends_close(&ends);
}


static void
an_end_is_seen(void **state)
{
    size_t  len;
    ends_t  ends;

    (void) state;
    ends_open(&ends);

    ends_write(&ends, "last\0half", 9);
    (void) close(ends.out);
    assert_false(learn_pipe_move(&ends.pipe));
    assert_string_equal(learn_pipe_next(&ends.pipe, &len), "last");
    assert_null(learn_pipe_next(&ends.pipe, &len));

    learn_pipe_release(&ends.pipe);
    (void) close(ends.in);
}


/* --- base64 */

typedef struct {
    const char  *sentence;
    const char  *text;
    const char  *bytes;              /* or NULL: it is none */
} base64_row_t;


static const base64_row_t  base64_rows[] = {
    { "reads nothing", "", "" },
    { "reads one byte", "Zg==", "f" },
    { "reads two bytes", "Zm8=", "fo" },
    { "reads three bytes", "Zm9v", "foo" },
    { "reads six bytes", "Zm9vYmFy", "foobar" },
    { "reads all digits", "+/+/", "\xfb\xff\xbf" },
    { "refuses half a text", "Zm9", NULL },
    { "refuses other bytes", "Zm9-", NULL },
    { "refuses an end in the middle", "Zg==Zg==", NULL },
    { "refuses an end alone", "====", NULL },
    { "refuses spaces", "Zm 9", NULL }
};


static void
base64_is_read(void **state)
{
    char                 text[64];
    size_t               n;
    uint8_t              data[64];
    const base64_row_t  *row;

    row = *state;

    assert_int_equal(learn_base64_read(row->text, strlen(row->text), data, &n),
                     row->bytes != NULL);

    if (row->bytes == NULL) {
        return;
    }

    assert_int_equal(n, strlen(row->bytes));
    assert_memory_equal(data, row->bytes, n);

    learn_base64_write(data, n, text);
    assert_string_equal(text, row->text);
    assert_int_equal(strlen(text) + 1, learn_base64_room(n));
}


int
main(void)
{
    static unit_t  unit;

    unit_add(&unit, "tells messages apart", messages_are_told_apart, NULL);
    unit_add(&unit, "takes bytes one by one", bytes_may_come_one_by_one, NULL);
    unit_add(&unit, "keeps what cannot be written yet", long_messages_wait,
             NULL);
    unit_add(&unit, "refuses what is too long", too_long_is_refused, NULL);
    unit_add(&unit, "sees the end, and what was before it", an_end_is_seen,
             NULL);
    unit_rows(&unit, base64_is_read, base64_rows);

    return unit_run(&unit, "pipe");
}
