
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_escape.h"
#include "miqps_family.h"
#include "miqps_utf8.h"


/* Rack 2 gives up at a depth of 100, PHP at 64, Rack 3 at 32 */

#define MIQPS_FAMILY_MAX_DEPTH  31

/* up to here all pairs of keys are compared */

#define MIQPS_FAMILY_FEW        16


/* what holds for one value holds only for what occurs once */

#define miqps_family_by_value(param)                                          \
    ((param)->why == MIQPS_WHY_VALUE || (param)->why == MIQPS_WHY_DEFAULT)


static int  miqps_family_raw(const miqps_str_t *name);
static miqps_guard_e  miqps_family_brackets(const uint8_t *p, size_t *len);
static int  miqps_family_cmp(const miqps_param_t *a, const miqps_param_t *b);
static void  miqps_family_merge(const miqps_param_t *params, size_t n,
    size_t width, const uint16_t *from, uint16_t *to);
static int  miqps_family_stays(const miqps_param_t *params,
    const uint16_t *order, size_t n);


miqps_guard_e
miqps_family_of(const miqps_str_t *name, uint8_t *pool, miqps_str_t *family)
{
    size_t         i, len;
    uint8_t        high;
    miqps_guard_e  guard;

    len = miqps_escape_decode(name, pool);
    high = 0;

    for (i = 0; i < len; i++) {
        high |= pool[i];
    }

    /* high bytes are escaped */

    if (high >= 0x80 && miqps_family_raw(name)) {
        return MIQPS_GUARD_NAME_BYTES;
    }

    if (len > 0 && (pool[0] == ' ' || name->data[0] == '?')) {
        return MIQPS_GUARD_NAME_START;
    }

    if (high >= 0x80 && !miqps_utf8_valid(pool, len)) {
        return MIQPS_GUARD_NAME_BYTES;
    }

    guard = miqps_family_brackets(pool, &len);

    if (guard != MIQPS_GUARD_PASS) {
        return guard;
    }

    for (i = 0; i < len; i++) {
        if (pool[i] == '.' || pool[i] == ' ' || pool[i] == '+') {
            pool[i] = '_';
        }
    }

    family->data = pool;
    family->len = len;

    return MIQPS_GUARD_PASS;
}


static int
miqps_family_raw(const miqps_str_t *name)
{
    size_t  i;

    for (i = 0; i < name->len; i++) {
        if (name->data[i] >= 0x80) {
            return 1;
        }
    }

    return 0;
}


/*
 * Counting for each how many are below takes more comparisons than sorting
 * by exchange, but no branch on what they are.
 */

int
miqps_family_order_few(const miqps_param_t *params, size_t n, uint16_t *order)
{
    size_t    i, j, place, sum;
    uint64_t  key, keys[MIQPS_FAMILY_FEW + 7];

    if (n > MIQPS_FAMILY_FEW) {
        return 0;
    }

    if (n <= 1) {
        order[0] = 0;
        return 1;
    }

    for (i = 0; i < n; i++) {
        keys[i] = params[i].key;
    }

    /* they are compared by eights, and these are below none */

    memset(&keys[n], 0xff, 7 * sizeof(uint64_t));

    sum = 0;

    for (i = 0; i < n; i++) {
        key = keys[i];
        place = 0;

        for (j = 0; j < n; j += 8) {
            place += (keys[j] < key);
            place += (keys[j + 1] < key);
            place += (keys[j + 2] < key);
            place += (keys[j + 3] < key);
            place += (keys[j + 4] < key);
            place += (keys[j + 5] < key);
            place += (keys[j + 6] < key);
            place += (keys[j + 7] < key);
        }

        order[place] = (uint16_t) i;
        sum += place;
    }

    /* of each pair one is below the other, unless they are equal */

    return sum == n * (n - 1) / 2;
}


void
miqps_family_order(const miqps_param_t *params, size_t n, uint16_t *order,
    uint16_t *spare)
{
    size_t     i, width;
    uint16_t  *from, *to, *swap;

    for (i = 0; i < n; i++) {
        order[i] = (uint16_t) i;
    }

    from = order;
    to = spare;

    for (width = 1; width < n; width *= 2) {
        miqps_family_merge(params, n, width, from, to);

        swap = from;
        from = to;
        to = swap;
    }

    if (from != order) {
        memcpy(order, from, n * sizeof(uint16_t));
    }
}


size_t
miqps_family_settle(miqps_param_t *params, size_t n, const uint16_t *order)
{
    size_t          first, next, i, stripped;
    miqps_param_t  *param;

    stripped = 0;

    for (first = 0; first < n; first = next) {

        for (next = first + 1; next < n; next++) {
            if (miqps_family_cmp(&params[order[first]], &params[order[next]])
                != 0)
            {
                break;
            }
        }

        if (miqps_family_stays(params, &order[first], next - first)) {

            for (i = first; i < next; i++) {
                param = &params[order[i]];

                if (param->action == MIQPS_STRIP) {
                    param->action = MIQPS_KEEP;
                    param->layer = MIQPS_LAYER_GUARD;
                    param->why = miqps_family_by_value(param)
                                 ? MIQPS_WHY_REPEATED : MIQPS_WHY_MIXED;
                }
            }

            continue;
        }

        stripped += next - first;
    }

    return stripped;
}


/* whether the "n" members of a family, all of them, are to stay */

static int
miqps_family_stays(const miqps_param_t *params, const uint16_t *order,
    size_t n)
{
    size_t                i;
    const miqps_param_t  *one, *param;

    one = &params[order[0]];

    for (i = 0; i < n; i++) {
        param = &params[order[i]];

        if (param->action == MIQPS_KEEP
            || (n > 1 && miqps_family_by_value(param))
            || param->name_len != one->name_len
            || memcmp(param->name, one->name, one->name_len) != 0)
        {
            return 1;
        }
    }

    return 0;
}


static int
miqps_family_cmp(const miqps_param_t *a, const miqps_param_t *b)
{
    int     rc;
    size_t  len;

    if (a->key != b->key) {
        return (a->key < b->key) ? -1 : 1;
    }

    /* no family holds a NUL, so that equal keys mean equal short families */

    if (a->family_len <= 8 || b->family_len <= 8) {
        return (a->family_len > 8) - (b->family_len > 8);
    }

    len = (a->family_len < b->family_len) ? a->family_len : b->family_len;

    rc = memcmp(a->family + 8, b->family + 8, len - 8);

    if (rc != 0) {
        return rc;
    }

    return (a->family_len > b->family_len) - (a->family_len < b->family_len);
}


/* merges the sorted runs of "width" in "from" pair by pair into "to" */

static void
miqps_family_merge(const miqps_param_t *params, size_t n, size_t width,
    const uint16_t *from, uint16_t *to)
{
    size_t  i, left, middle, right, k;

    for (k = 0; k < n; k += 2 * width) {
        left = k;
        middle = (k + width < n) ? k + width : n;
        right = middle;

        for (i = k; i < n && i < k + 2 * width; i++) {

            if (left < middle
                && (right >= n || right >= k + 2 * width
                    || miqps_family_cmp(&params[from[left]],
                                        &params[from[right]]) <= 0))
            {
                to[i] = from[left++];

            } else {
                to[i] = from[right++];
            }
        }
    }
}


/*
 * Passes "a", "a[]" and "a[b][c]", the forms on which PHP, Rack and qs agree,
 * and cuts them at the first bracket.  Anything else is read in as many ways:
 * PHP makes "a_b" of "a[b", Rack "a" of "a]" and of "[a]".
 */

static miqps_guard_e
miqps_family_brackets(const uint8_t *p, size_t *len)
{
    int       open, split;
    size_t    i, first;
    unsigned  depth;

    open = 0;
    split = 0;
    depth = 0;
    first = *len;

    for (i = 0; i < *len; i++) {

        if (p[i] == '[') {
            if (open || i == 0 || ++depth > MIQPS_FAMILY_MAX_DEPTH) {
                return MIQPS_GUARD_BRACKET;
            }

            open = 1;
            first = (i < first) ? i : first;

        } else if (p[i] == ']') {
            if (!open) {
                return MIQPS_GUARD_BRACKET;
            }

            open = 0;

        } else if (depth > 0 && !open) {
            return MIQPS_GUARD_BRACKET;
        }

        split |= (p[i] == '&' || p[i] == '=');
    }

    *len = first;

    return open ? MIQPS_GUARD_BRACKET
                : split ? MIQPS_GUARD_DELIMITER : MIQPS_GUARD_PASS;
}
