
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <string.h>

#include <xxhash.h>

#include "html.h"


#define LEARN_SIMHASH_WORDS  3         /* in a row, are looked at as one */
#define LEARN_SIMHASH_BITS   64


/*
 * Each of the 64 bits is what most of the hashes of three words in a row have
 * there, so that one word more or less changes few of them.
 */

uint64_t
learn_simhash(const char *text, size_t len)
{
    int          sum[LEARN_SIMHASH_BITS];
    size_t       i, n;
    uint64_t     hash, result;
    const char  *word[LEARN_SIMHASH_WORDS], *p, *end, *last;

    memset(sum, 0, sizeof(sum));

    n = 0;
    last = text + len;

    for (p = text; p < last; p = end + 1) {
        end = memchr(p, ' ', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        word[n++ % LEARN_SIMHASH_WORDS] = p;

        /* the oldest of them, if there are as many */

        hash = XXH3_64bits(p, (size_t) (end - p));

        if (n >= LEARN_SIMHASH_WORDS) {
            hash = XXH3_64bits(word[n % LEARN_SIMHASH_WORDS],
                               (size_t) (end - word[n % LEARN_SIMHASH_WORDS]));
        }

        for (i = 0; i < LEARN_SIMHASH_BITS; i++) {
            sum[i] += (hash >> i & 1) ? 1 : -1;
        }
    }

    result = 0;

    for (i = 0; i < LEARN_SIMHASH_BITS; i++) {
        result |= (uint64_t) (sum[i] > 0) << i;
    }

    return result;
}
