
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "pick.h"


#define LEARN_PICK_VEILED    0x8000
#define LEARN_PICK_BUCKETS   16384
#define LEARN_PICK_FEW       32


static void  learn_picks_sort(learn_pick_t *picks, learn_pick_t *spare,
    size_t n);
static void  learn_picks_sort_few(learn_pick_t *picks, size_t n);
static int  learn_pick_cmp(const void *one, const void *two);
static uint64_t  learn_pick_number(const uint8_t *p, size_t n);


size_t
learn_picks_size(const learn_pick_t *picks, size_t n)
{
    size_t  i, size;

    size = n * LEARN_PICK_HEAD;

    for (i = 0; i < n; i++) {
        size += picks[i].len;
    }

    return size;
}


uint8_t *
learn_picks_write(const learn_pick_t *picks, size_t n, uint8_t *out)
{
    size_t               i, j;
    uint16_t             len;
    const learn_pick_t  *pick;

    for (i = 0; i < n; i++) {
        pick = &picks[i];
        len = (uint16_t) (pick->len | (pick->veiled ? LEARN_PICK_VEILED : 0));

        for (j = 0; j < 8; j++) {
            *out++ = (uint8_t) (pick->hash >> (8 * j));
        }

        *out++ = (uint8_t) pick->day;
        *out++ = (uint8_t) (pick->day >> 8);
        *out++ = (uint8_t) len;
        *out++ = (uint8_t) (len >> 8);

        memcpy(out, pick->url, pick->len);
        out += pick->len;
    }

    return out;
}


size_t
learn_picks_read(const uint8_t *data, size_t len, learn_pick_t *picks)
{
    size_t         n;
    learn_pick_t   pick;

    for (n = 0; len >= LEARN_PICK_HEAD; n++) {
        pick.hash = learn_pick_number(data, 8) & INT64_MAX;
        pick.day = (uint16_t) learn_pick_number(data + 8, 2);
        pick.len = (uint32_t) learn_pick_number(data + 10, 2);

        pick.veiled = (pick.len & LEARN_PICK_VEILED) != 0;
        pick.len &= LEARN_PICK_MAX;

        data += LEARN_PICK_HEAD;
        len -= LEARN_PICK_HEAD;

        if (len < pick.len) {
            break;
        }

        pick.url = data;

        data += pick.len;
        len -= pick.len;

        if (picks != NULL) {
            picks[n] = pick;
        }
    }

    return n;
}


static uint64_t
learn_pick_number(const uint8_t *p, size_t n)
{
    uint64_t  value;

    value = 0;

    while (n > 0) {
        value = value << 8 | p[--n];
    }

    return value;
}


size_t
learn_picks_merge(learn_pick_t *picks, learn_pick_t *spare, size_t n,
    size_t max)
{
    size_t         i, k;
    uint16_t       day;
    learn_pick_t  *last;

    learn_picks_sort(picks, spare, n);

    k = 0;

    for (i = 0; i < n; i++) {
        last = (k > 0) ? &picks[k - 1] : NULL;

        if (last == NULL || last->hash != picks[i].hash) {

            if (k == max) {
                break;
            }

            picks[k++] = picks[i];
            continue;
        }

        day = (last->day > picks[i].day) ? last->day : picks[i].day;

        if (last->veiled && !picks[i].veiled) {
            *last = picks[i];
        }

        last->day = day;
    }

    return k;
}


/* hashes are spread evenly, so that buckets have few of them */

static void
learn_picks_sort(learn_pick_t *picks, learn_pick_t *spare, size_t n)
{
    size_t    i, b, nb, start[LEARN_PICK_BUCKETS + 1];
    uint64_t  max;
    unsigned  shift;

    max = 0;

    for (i = 0; i < n; i++) {
        max = (picks[i].hash > max) ? picks[i].hash : max;
    }

    shift = 0;

    while (max >> shift >= LEARN_PICK_BUCKETS || max >> shift > n) {
        shift++;
    }

    nb = (size_t) (max >> shift) + 1;
    memset(start, 0, (nb + 1) * sizeof(size_t));

    for (i = 0; i < n; i++) {
        start[(picks[i].hash >> shift) + 1]++;
    }

    for (b = 1; b <= nb; b++) {
        start[b] += start[b - 1];
    }

    for (i = 0; i < n; i++) {
        spare[start[picks[i].hash >> shift]++] = picks[i];
    }

    /* each place is now where the next bucket begins */

    for (b = 0, i = 0; b < nb; b++) {
        learn_picks_sort_few(spare + i, start[b] - i);
        i = start[b];
    }

    memcpy(picks, spare, n * sizeof(learn_pick_t));
}


static void
learn_picks_sort_few(learn_pick_t *picks, size_t n)
{
    size_t        i, k;
    learn_pick_t  pick;

    if (n > LEARN_PICK_FEW) {
        qsort(picks, n, sizeof(learn_pick_t), learn_pick_cmp);
        return;
    }

    for (i = 1; i < n; i++) {
        pick = picks[i];

        for (k = i; k > 0 && picks[k - 1].hash > pick.hash; k--) {
            picks[k] = picks[k - 1];
        }

        picks[k] = pick;
    }
}


static int
learn_pick_cmp(const void *one, const void *two)
{
    const learn_pick_t  *a, *b;

    a = one;
    b = two;

    return (a->hash > b->hash) - (a->hash < b->hash);
}
