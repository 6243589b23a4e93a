
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "content/diff.h"
#include "echo.h"


static miqps_str_t  learn_echo_target(const miqps_str_t *url);
static miqps_str_t  learn_echo_query(const miqps_str_t *url);
static int  learn_echo_next(miqps_str_t *query, miqps_str_t *piece);
static int  learn_echo_has(const miqps_str_t *query,
    const miqps_str_t *piece);
static void  learn_echo_piece(learn_echoing_t *echoing, size_t *room,
    const miqps_str_t *piece);
static void  learn_echo_runs(learn_echoing_t *echoing,
    const miqps_str_t *rich, const miqps_str_t *poor, learn_arena_t *scratch);
static void  learn_echo_add(learn_echoing_t *echoing, const uint32_t *from,
    uint32_t nfrom, const uint32_t *to, uint32_t nto);


void
learn_echo_init(learn_echoing_t *echoing, const miqps_str_t *rich,
    const miqps_str_t *poor, const char *const *nobody, size_t n,
    learn_arena_t *scratch)
{
    size_t        i, used, words;
    miqps_str_t   query, other, piece, one, two;

    echoing->echo.words = echoing->words;
    echoing->echo.n = 0;
    echoing->echo.carries = echoing->carries;
    echoing->echo.ncarries = 0;

    query = learn_echo_query(rich);
    words = learn_unseen_words(&query, echoing->words, LEARN_ECHO_WORDS);
    used = 0;

    for (i = 0; i < n; i++) {
        piece.data = (const uint8_t *) nobody[i];
        piece.len = strlen(nobody[i]);

        words += learn_unseen_words(&piece, echoing->words + words,
                                    LEARN_ECHO_WORDS - words);
        learn_echo_piece(echoing, &used, &piece);
    }

    echoing->echo.n = words;

    /* parameters that the other one has not, wherever they come */

    other = learn_echo_query(poor);

    while (learn_echo_next(&query, &piece)) {
        if (!learn_echo_has(&other, &piece)) {
            learn_echo_piece(echoing, &used, &piece);
        }
    }

    /* another path */

    one = learn_echo_target(rich);
    two = learn_echo_target(poor);
    query = learn_echo_query(rich);
    one.len -= query.len;
    two.len -= other.len;

    if (!miqps_str_eq(&one, &two)) {
        one.len += query.len;
        two.len += other.len;
        learn_echo_runs(echoing, &one, &two, scratch);
    }
}


/* behind the host */

static miqps_str_t
learn_echo_target(const miqps_str_t *url)
{
    size_t       i, slashes;
    miqps_str_t  target;

    slashes = 0;

    for (i = 0; i < url->len; i++) {
        slashes += (url->data[i] == '/');

        if (slashes == 3) {
            break;
        }
    }

    target.data = url->data + i;
    target.len = url->len - i;

    return target;
}


static miqps_str_t
learn_echo_query(const miqps_str_t *url)
{
    miqps_str_t     query = miqps_null_str;
    const uint8_t  *p;

    p = memchr(url->data, '?', url->len);

    if (p != NULL) {
        query.data = p + 1;
        query.len = (size_t) (url->data + url->len - p - 1);
    }

    return query;
}


static int
learn_echo_next(miqps_str_t *query, miqps_str_t *piece)
{
    const uint8_t  *p;

    if (query->len == 0) {
        return 0;
    }

    p = memchr(query->data, '&', query->len);

    piece->data = query->data;
    piece->len = (p != NULL) ? (size_t) (p - query->data) : query->len;

    query->data += piece->len + (p != NULL);
    query->len -= piece->len + (p != NULL);

    return 1;
}


static int
learn_echo_has(const miqps_str_t *query, const miqps_str_t *piece)
{
    miqps_str_t  rest, one;

    rest = *query;

    while (learn_echo_next(&rest, &one)) {
        if (miqps_str_eq(&one, piece)) {
            return 1;
        }
    }

    return 0;
}


/* a name and its value, next to each other */

static void
learn_echo_piece(learn_echoing_t *echoing, size_t *room,
    const miqps_str_t *piece)
{
    size_t  n;

    n = learn_unseen_words(piece, echoing->pairs + *room,
                           2 * LEARN_ECHO_WORDS - *room);

    learn_echo_add(echoing, echoing->pairs + *room, (uint32_t) n, NULL, 0);

    *room += n;
}


static void
learn_echo_runs(learn_echoing_t *echoing, const miqps_str_t *rich,
    const miqps_str_t *poor, learn_arena_t *scratch)
{
    uint32_t  i, k, first, from, n, m, match[LEARN_ECHO_WORDS];

    n = (uint32_t) learn_unseen_words(rich, echoing->rich, LEARN_ECHO_WORDS);
    m = (uint32_t) learn_unseen_words(poor, echoing->poor, LEARN_ECHO_WORDS);

    learn_arena_clear(scratch);

    if (!learn_diff(echoing->rich, n, echoing->poor, m, match, scratch)) {
        return;
    }

    for (i = 0, k = 0; i < n; i++, k++) {
        first = i;

        while (i < n && match[i] == LEARN_DIFF_NONE) {
            i++;
        }

        from = k;
        k = (i < n) ? match[i] : m;

        learn_echo_add(echoing, echoing->rich + first, i - first,
                       echoing->poor + from, k - from);
    }
}


static void
learn_echo_add(learn_echoing_t *echoing, const uint32_t *from, uint32_t nfrom,
    const uint32_t *to, uint32_t nto)
{
    learn_carry_t  *carry;

    if (nfrom == 0 || echoing->echo.ncarries == LEARN_ECHO_CARRIES) {
        return;
    }

    carry = &echoing->carries[echoing->echo.ncarries++];

    carry->from = from;
    carry->nfrom = nfrom;
    carry->to = to;
    carry->nto = nto;
}
