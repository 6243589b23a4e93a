
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "../support/heap.h"
#include "../support/mapped.h"
#include "../support/page.h"
#include "map/map_put.h"
#include "miqps_image_check.h"
#include "miqps_normalize.h"


/*
 * A byte of choices, a URL, a zero byte, and an image with path rules, whose
 * checksum is made right.  The URL is normalized with the image if that is
 * taken, and with one that is known to be good if not, so that rules are
 * executed all the time.
 *
 * What comes out is not changed again; is of the host if that must stay, and
 * not much longer than the URL; and its path is the same, if that had anything
 * that no rule may touch, and never has such things.
 */

#define MAX_LEN   (16 * 1024)
#define MAX_URL   1024
#define TRIES     16                  /* until a changed image is taken */


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
    unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

static int  mutate_image(uint8_t *image, size_t size);


#define CHOICE_SORT    1
#define CHOICE_SHOWN   2
#define CHOICE_STAY    4
#define CHOICE_MIRROR  8
#define CHOICE_PLANS   16
#define CHOICE_GOOD    32             /* from here on: which of these */


static const char *const  sources[] = {
    ("{\"host\":\"a.example\",\"hosts\":[\"m.example\"],"
     "\"patterns\":[{\"params\":[\"id\",\"s\"],\"keep\":[\"id\"]}],\"rules\":["
     "{\"from\":{\"path\":\"/s/{:hex}/{p}\"},\"to\":{\"path\":\"/s/0/{p}\"}},"
     "{\"from\":{\"path\":\"/**/i.html\"},\"to\":{\"path\":\"/**/\"}},"
     "{\"from\":{\"host\":\"m.example\"},\"to\":{\"host\":\"a.example\"}}]}"),

    ("{\"host\":\"a.example\",\"rules\":["
     "{\"from\":{\"path\":\"/t\",\"params\":{\"c\":\"{c:t}\",\"*\":\"*\"}},"
     "\"to\":{\"path\":\"/t-{c}\",\"params\":{}},"
     "\"tables\":{\"t\":{\"3\":\"red\",\"5\":\"b\"}}},"
     "{\"from\":{\"path\":\"/q/{p:word}-{:digits}\"},"
     "\"to\":{\"path\":\"/l\",\"params\":{\"p\":\"{p}\"}}}]}"),

    ("{\"host\":\"a.example\",\"rules\":["
     "{\"from\":{\"path\":\"/x/{a:raw}/{b:raw}/\"},"
     "\"to\":{\"path\":\"/y/{b}/{a}/\"}},"
     "{\"from\":{\"path\":\"/z/**/i.html\","
     "\"params\":{\"a\":\"*\",\"s\":\"{:uuid}\"}},"
     "\"to\":{\"path\":\"/z/**/\",\"params\":{\"a\":\"*\"}}}]}"),

    ("{\"host\":\"a.example\",\"hosts\":[\"m.example\"],\"rules\":["
     "{\"from\":{\"host\":\"{:word}.example\",\"path\":\"/*/**\"},"
     "\"to\":{\"host\":\"a.example\"}},"
     "{\"from\":{\"path\":\"/p\"},\"to\":{\"path\":\"/\"}}]}")
};


#define NSOURCES  (sizeof(sources) / sizeof(sources[0]))


typedef struct {
    uint8_t        *buf;              /* of what the second look needs */
    miqps_work_t    work;
    miqps_second_t  second;
    uint8_t         args[8 * MAX_URL + 64 * 1024];
} scratch_t;


static page_t           page, url_page;
static miqps_policy_t  *policy;
static miqps_plans_t    plans;
static uint64_t         serial;
static miqps_image_t    good[NSOURCES];
static scratch_t        first, then;
static size_t           runs, taken, moved;


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static void
report(void)
{
    fprintf(stderr, "%zu runs, %zu with their own image, %zu URLs moved\n",
            runs, taken, moved);

    /* so many, and nothing was tested? */

    require(runs < 100000 || (taken > runs / 200 && moved > runs / 200));
}


static void
prepare(void)
{
    size_t          i, size;
    uint8_t        *p;
    const char     *why;
    miqps_fault_t   fault;

    static heap_t              heap;
    static miqps_scope_t       scope;
    static const miqps_rule_t  rule = {
        miqps_string("u"), miqps_null_str, MIQPS_STRIP, MIQPS_LAYER_TRACKING,
        0
    };

    page_init(&page, MAX_LEN);
    page_init(&url_page, MAX_URL);
    heap_init(&heap);

    require(miqps_policy_init(&policy, &rule, 1, &scope, 1, &heap.mem, &fault)
            == MIQPS_OK);

    for (i = 0; i < NSOURCES; i++) {
        p = mapped_image(sources[i], &size);
        require(miqps_image_open(&good[i], p, size, &why) == MIQPS_OK);
        good[i].serial = ++serial;
    }

    (void) atexit(report);
}


static void
normalize(scratch_t *scratch, const miqps_image_t *image, unsigned choice,
    const miqps_str_t *host, const miqps_str_t *path, const miqps_str_t *args,
    miqps_result_t *res)
{
    size_t           size;
    miqps_request_t  req;

    memset(&req, 0, sizeof(miqps_request_t));

    req.host = *host;
    req.path = *path;
    req.args = *args;
    req.image = image;
    req.plans = (choice & CHOICE_PLANS) ? &plans : NULL;
    req.sort = (choice & CHOICE_SORT) != 0;
    req.shown = (choice & CHOICE_SHOWN) != 0;
    req.stay = (choice & CHOICE_STAY) != 0;
    req.second = &scratch->second;

    /* as large as it has to be, so that nobody needs more */

    size = miqps_second_bound(path->len, args->len);

    free(scratch->buf);
    scratch->buf = malloc(size);
    require(scratch->buf != NULL);
    scratch->second.buf = scratch->buf;
    scratch->second.size = size;

    size = miqps_normalize_bound(args->len);
    require(size <= sizeof(scratch->args));
    require(miqps_normalize(policy, &req, &scratch->work, scratch->args, size,
                            res)
            == MIQPS_OK);
}


/*
 * What rules need of a URL follows from them: it is made right, too, so that
 * literals may become others.  Only the first host has rules here.
 */

static void
mend_needs(uint8_t *image, size_t size)
{
    size_t           i;
    uint64_t         at[2], len[2], seed;
    const uint8_t   *p;
    miqps_paths_t    rules;
    miqps_rewrite_t  rewrite;

    static const miqps_section_e  which[] = {
        MIQPS_SECTION_POOL, MIQPS_SECTION_RULES
    };

    if (size < MIQPS_IMAGE_HEAD) {
        return;
    }

    for (i = 0; i < 2; i++) {
        p = image + 80 + 16 * (size_t) which[i];
        at[i] = miqps_get_u64(p);
        len[i] = miqps_get_u64(p + 8);

        if (at[i] > size || len[i] > size - at[i]) {
            return;
        }
    }

    if (miqps_paths_check(&rules, image + at[1], len[1], image + at[0], len[0])
        != NULL)
    {
        return;
    }

    seed = miqps_get_u64(image + 56);
    image += at[1] + MIQPS_PATHS_HEAD;

    for (i = 0; i < rules.n; i++, image += 8) {
        miqps_paths_read(&rules, (uint32_t) i, &rewrite);
        learn_put_u64(image, miqps_paths_need(&rules, seed, &rewrite));
    }
}


/* what could be read in two ways, by the words of miqps_image_rules.h */

static int
untouchable(const miqps_str_t *path)
{
    int             c;
    char            hex[3];
    size_t          i, start;
    const uint8_t  *p;

    p = path->data;

    if (path->len == 0 || p[0] != '/') {
        return 1;
    }

    start = 1;

    for (i = 1; i <= path->len; i++) {

        if (i < path->len && p[i] != '/') {
            c = p[i];

            if (c == '%') {
                if (path->len - i < 3) {
                    return 1;
                }

                memcpy(hex, p + i + 1, 2);
                hex[2] = '\0';

                if (strspn(hex, "0123456789abcdefABCDEF") != 2) {
                    return 1;
                }

                c = (int) strtol(hex, NULL, 16);

                if (strchr("./?#%", c) != NULL) {
                    return 1;
                }
            }

            if (c < 0x20 || c == 0x7f || c == ';' || c == '\\') {
                return 1;
            }

            continue;
        }

        if ((i == start && i < path->len)
            || (i - start == 1 && p[start] == '.')
            || (i - start == 2 && p[start] == '.' && p[start + 1] == '.'))
        {
            return 1;
        }

        start = i + 1;
    }

    return 0;
}


static void
check(const miqps_image_t *image, unsigned choice, const miqps_str_t *host,
    const miqps_str_t *path, const miqps_str_t *args)
{
    miqps_result_t  res, again;

    normalize(&first, image, choice, host, path, args, &res);

    if (!res.moved) {
        require(miqps_str_eq(&res.path, path));
        require(miqps_str_eq(&res.host, host));
    }

    if (res.moved) {
        moved++;

        require(res.guard == MIQPS_GUARD_PASS);
        require(!untouchable(path));
        require(!untouchable(&res.path));
        require(memchr(res.path.data, '?', res.path.len) == NULL);
        require(!(choice & CHOICE_STAY) || miqps_str_eq(&res.host, host));
        require(res.host.len > 0 && res.host.len <= MIQPS_MAX_HOST);
        require(res.host.len + res.path.len + res.args.len
                <= host->len + path->len + args->len + MIQPS_PATHS_GROWTH);
        require(miqps_map_host(image, &res.host) != NULL);
    }

    normalize(&then, image, choice, &res.host, &res.path, &res.args, &again);

    require(!again.moved);
    require(!again.changed);
    require(again.nstripped == 0);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t          len;
    uint8_t        *p;
    unsigned        choice;
    const char     *why;
    miqps_str_t     host, path, args;
    const uint8_t  *zero, *query;
    miqps_image_t   image;

    static const miqps_str_t  hosts[] = {
        miqps_string("a.example"), miqps_string("m.example")
    };

    if (page.base == NULL) {
        prepare();
    }

    if (size < 2 || size > MAX_LEN) {
        return 0;
    }

    choice = data[0];
    zero = memchr(data + 1, '\0', size - 1);
    zero = (zero != NULL) ? zero : data + size;
    len = (size_t) (zero - data) - 1;

    if (len > MAX_URL) {
        return 0;
    }

    p = page_put(&url_page, data + 1, len);
    query = (len > 0) ? memchr(p, '?', len) : NULL;

    path.data = p;
    path.len = (query != NULL) ? (size_t) (query - p) : len;
    args.data = (query != NULL) ? query + 1 : p + len;
    args.len = (size_t) (p + len - args.data);
    host = hosts[(choice & CHOICE_MIRROR) != 0];

    runs++;

    size = (zero < data + size) ? (size_t) (data + size - zero) - 1 : 0;
    p = page_put(&page, zero + 1, size);
    mend_needs(p, size);
    mapped_mend(p, size);

    if (miqps_image_open(&image, p, size, &why) != MIQPS_OK) {
        require(why != NULL);
        check(&good[choice / CHOICE_GOOD % NSOURCES], choice, &host, &path,
              &args);
        return 0;
    }

    taken++;
    image.serial = ++serial;
    check(&image, choice, &host, &path, &args);

    return 0;
}


/*
 * Mostly an image that is taken becomes one that is taken: what is refused is
 * what fuzz_image is for.
 */

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    size_t    len, rest;
    uint8_t  *zero;

    static uint8_t  tail[MAX_LEN];

    zero = (size > 1) ? memchr(data + 1, '\0', size - 1) : NULL;

    if (zero == NULL || max > MAX_LEN || seed % 64 == 0) {
        return LLVMFuzzerMutate(data, size, max);
    }

    rest = (size_t) (data + size - zero);

    if (seed % 2 == 0 && mutate_image(zero + 1, rest - 1)) {
        return size;
    }

    len = (size_t) (zero - data);

    memcpy(tail, zero, rest);
    len = LLVMFuzzerMutate(data, len, max - rest);
    memcpy(data + len, tail, rest);

    return len + rest;
}


/* texts and rules become others; 0 if none that are taken */

static int
mutate_image(uint8_t *image, size_t size)
{
    size_t          at, len, n;
    const char     *why;
    miqps_image_t   opened;

    static uint8_t  was[MAX_LEN];

    if (size <= MIQPS_IMAGE_HEAD) {
        return 0;
    }

    at = (size_t) miqps_get_u64(image + 80
                                + 16 * (size_t) MIQPS_SECTION_POOL);

    if (at >= size) {
        return 0;
    }

    memcpy(was, image, size);

    for (n = 0; n < TRIES; n++) {

        /* their sizes are in the head, so that none grows */

        len = LLVMFuzzerMutate(image + at, size - at, size - at);
        memset(image + at + len, 0, size - at - len);

        mend_needs(image, size);
        mapped_mend(image, size);

        if (miqps_image_open(&opened, image, size, &why) == MIQPS_OK) {
            return 1;
        }

        memcpy(image, was, size);
    }

    return 0;
}
