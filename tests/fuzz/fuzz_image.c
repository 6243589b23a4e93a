
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "../support/heap.h"
#include "../support/mapped.h"
#include "../support/page.h"
#include "../support/split.h"
#include "map/map_diff.h"
#include "map/map_print.h"
#include "map/map_stats.h"
#include "miqps_image_check.h"
#include "miqps_image_rules.h"
#include "miqps_normalize.h"


/*
 * An image whose checksum is made right, at the end of a page.  If it is
 * taken, everything is done with it that is ever done with one; its own hosts
 * and names are looked up, too, and queries normalized, which must change
 * nothing the second time.  If not, the image before it still serves.
 */

#define MAX_LEN  (64 * 1024)
#define MAX_OWN  16             /* hosts and names of it that are asked for */


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static page_t             page;
static FILE              *nowhere;
static miqps_map_work_t   work;
static miqps_policy_t    *policy;
static miqps_param_t      params[MIQPS_MAX_PARAMS];
static uint8_t            pool[MIQPS_MAX_ARGS];
static size_t             images, taken, looked;
static miqps_image_t      old;
static miqps_param_t      old_params[MIQPS_MAX_PARAMS];


static const char *const  queries[] = {
    "id=1&u=2", "id=1", "page=1", "page=2&u=1&id=3", "q=1&u=2&longer_name_x=3",
    "id=1&u=2&u=3&v=4", "u", "v&u"
};


static const char *const  hosts[] = {
    "a.example", "m.example", "x.b.example", "b.example"
};


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static void
prepare_old(void)
{
    size_t       size, n, pieces;
    uint8_t     *p;
    const char  *why;

    static uint8_t            text[8 + MIQPS_QUERY_SLACK] = "u=2&id=1";
    static uint8_t            spare[8];
    static const miqps_str_t  args = { text, 8 };
    static miqps_scan_t       scan;

    p = mapped_image("{\"host\":\"a.example\",\"patterns\":[{\"params\":"
                     "[\"id\",\"u\"],\"keep\":[\"id\"]}]}", &size);

    require(miqps_image_open(&old, p, size, &why) == MIQPS_OK);

    miqps_scan(&scan, &args);

    require(miqps_query_split(&args, &scan, spare, old_params, &n, &pieces)
            == MIQPS_GUARD_PASS);
    require(n == 2);
}


static void
look_old(void)
{
    miqps_map_entry_t  entry;

    static const miqps_str_t  host = miqps_string("a.example");
    static const miqps_str_t  path = miqps_string("/");

    looked++;

    require(miqps_map_find(&old, miqps_map_host(&old, &host), &path,
                           old_params, 2, &work, &entry));
    require(work.learned[0] == MIQPS_LEARNED_STRIP);
    require(work.learned[1] == MIQPS_LEARNED_KEEP);
}


static void
report(void)
{
    fprintf(stderr, "%zu images, %zu of them taken, %zu look-ups\n", images,
            taken, looked);

    /* so many, and the format is not what the seeds have */

    require(images < 100000 || taken > images / 1000);
}


/* rules that are at odds with most maps */

static void
prepare(void)
{
    miqps_fault_t  fault;

    static heap_t         heap;
    static miqps_scope_t  scope;

    static const miqps_rule_t  rules[] = {
        { miqps_string("u"), miqps_null_str, MIQPS_STRIP,
          MIQPS_LAYER_TRACKING, 0 },
        { miqps_string("id"), miqps_null_str, MIQPS_STRIP,
          MIQPS_LAYER_RULES, 0 },
        { miqps_string("v"), miqps_null_str, MIQPS_KEEP,
          MIQPS_LAYER_RULES, 0 }
    };

    page_init(&page, MAX_LEN);
    nowhere = fopen("/dev/null", "w");
    (void) atexit(report);
    prepare_old();

    heap_init(&heap);
    require(miqps_policy_init(&policy, rules, 3, &scope, 1, &heap.mem, &fault)
            == MIQPS_OK);
}


static void
normalize(const miqps_image_t *image, const miqps_str_t *host,
    const miqps_str_t *path, const miqps_str_t *args)
{
    miqps_result_t   res;
    miqps_request_t  req;

    static uint8_t       once[4 * MAX_LEN], twice[4 * MAX_LEN];
    static miqps_work_t  scratch;

    memset(&req, 0, sizeof(req));

    req.host = *host;
    req.path = *path;
    req.args = *args;
    req.image = image;
    req.shown = args->len & 1;
    req.sort = host->len & 1;

    require(miqps_normalize(policy, &req, &scratch, once, sizeof(once), &res)
            == MIQPS_OK);

    req.args = res.args;

    require(miqps_normalize(policy, &req, &scratch, twice, sizeof(twice), &res)
            == MIQPS_OK);
    require(!res.changed);
    require(res.nstripped == 0);
}


static void
look(const miqps_image_t *image, const miqps_str_t *host,
    const miqps_str_t *args)
{
    int                found;
    size_t             i, n, pieces;
    miqps_map_entry_t  entry;

    static const miqps_str_t  path = miqps_string("/p/1/x");

    looked++;

    if (miqps_map_host(image, host) == NULL) {
        return;
    }

    normalize(image, host, &path, args);

    if (split_args(args, pool, params, &n, &pieces)
        != MIQPS_GUARD_PASS)
    {
        return;
    }

    found = miqps_map_find(image, miqps_map_host(image, host), &path, params, n,
                           &work, &entry);

    require(found == (entry.host != NULL));

    for (i = 0; found && i < n; i++) {
        require(work.learned[i] >= MIQPS_LEARNED_KEEP
                && work.learned[i] <= MIQPS_LEARNED_STRIP);
    }
}


/* the names of a pattern as a query */

static void
look_own(const miqps_image_t *image, const learn_index_host_t *host,
    const learn_view_pattern_t *pattern)
{
    size_t       len;
    uint32_t     i;
    miqps_str_t  args;

    static uint8_t  text[MAX_LEN];

    len = 0;

    for (i = 0; i < pattern->nparams; i++) {
        if (pattern->params[i].name.len + 2 > sizeof(text) - len) {
            return;
        }

        memcpy(text + len, pattern->params[i].name.data,
               pattern->params[i].name.len);
        len += pattern->params[i].name.len;

        memcpy(text + len, "=&", 2);
        len += 2;
    }

    args.data = text;
    args.len = len;

    look(image, &host->host, &args);
}


static void
walk_text(const miqps_paths_t *rules, const miqps_rewrite_t *rewrite,
    const uint8_t *text, miqps_place_e place)
{
    uint32_t       n;
    miqps_piece_t  piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);

        switch (piece.kind) {

        case MIQPS_PIECE_LITERAL:
            require(miqps_paths_text_ok(place, &piece.literal));
            break;

        case MIQPS_PIECE_TABLE:
            require(piece.number < rules->ntables);
            break;

        case MIQPS_PIECE_CAPTURE:
            require(piece.number < rewrite->ncaptures);
            break;

        default:
            require(piece.kind < MIQPS_PIECE_TABLE);
        }
    }
}


static void
walk_form(const miqps_paths_t *rules, const miqps_rewrite_t *rewrite,
    const miqps_form_t *form)
{
    uint32_t     i;
    miqps_str_t  name;

    if (form->host != NULL) {
        walk_text(rules, rewrite, form->host, MIQPS_PLACE_HOST);
    }

    for (i = 0; i < form->nsegments; i++) {
        walk_text(rules, rewrite, form->segments[i], MIQPS_PLACE_PATH);
    }

    for (i = 0; i < form->nparams; i++) {
        name = miqps_paths_string(rules, form->params[i]);

        require(miqps_paths_text_ok(MIQPS_PLACE_NAME, &name));
        walk_text(rules, rewrite, form->params[i] + MIQPS_PATHS_STRING,
                  MIQPS_PLACE_VALUE);
    }
}


/* all that who executes path rules can come by */

static void
walk_rules(const miqps_image_t *image, const uint8_t *record)
{
    uint32_t         i, k, n;
    miqps_str_t      value, to, found;
    miqps_paths_t    rules;
    const uint8_t   *p;
    miqps_rewrite_t  rewrite;

    if (!miqps_paths_of(image, record, &rules)) {
        return;
    }

    require(rules.n > 0 && rules.n <= MIQPS_PATHS_MAX);

    for (i = 0; i < rules.n; i++) {
        miqps_paths_read(&rules, i, &rewrite);
        walk_form(&rules, &rewrite, &rewrite.from);
        walk_form(&rules, &rewrite, &rewrite.to);
    }

    for (i = 0; i < rules.ntables; i++) {
        p = miqps_paths_table(&rules, i);
        n = miqps_get_u16(p);

        for (p += 2, k = 0; k < n; k++, p += MIQPS_PATHS_ENTRY) {
            value = miqps_paths_string(&rules, p);
            to = miqps_paths_string(&rules, p + MIQPS_PATHS_STRING);
            found = miqps_paths_find(&rules, i, &value);

            require(miqps_paths_text_ok(MIQPS_PLACE_TABLE, &to));
            require(found.data == to.data && found.len == to.len);
        }
    }
}


static void
use(const miqps_image_t *image)
{
    size_t         i, k, n;
    miqps_str_t    host, args;
    learn_view_t   view;
    learn_index_t  index;

    for (i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        host.data = (const uint8_t *) hosts[i];
        host.len = strlen(hosts[i]);

        for (k = 0; k < sizeof(queries) / sizeof(queries[0]); k++) {
            args.data = (const uint8_t *) queries[k];
            args.len = strlen(queries[k]);
            look(image, &host, &args);
        }
    }

    memset(&view, 0, sizeof(view));
    require(learn_index_init(&index, image));

    for (i = 0; i < index.n && i < MAX_OWN; i++) {
        require(learn_view_read(&view, image, index.hosts[i].record));
        walk_rules(image, index.hosts[i].record);
        learn_print_host(&index, &index.hosts[i], &view, image->time, nowhere);

        for (k = 0; k < view.npatterns && k < MAX_OWN; k++) {
            look_own(image, &index.hosts[i], &view.patterns[k]);
        }
    }

    learn_view_release(&view);
    learn_index_release(&index);

    learn_stats_print(image, nowhere);
    require(learn_diff_images(image, image, image->size & 1, nowhere, &n));
    require(n == 0);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t        *p;
    miqps_rc_e      rc;
    const char     *why;
    miqps_image_t   image;

    if (page.base == NULL) {
        prepare();
    }

    if (size > MAX_LEN) {
        return 0;
    }

    p = page_put(&page, data, size);
    mapped_mend(p, size);

    images++;
    why = NULL;
    rc = miqps_image_open(&image, p, size, &why);

    if (rc == MIQPS_OK) {
        taken++;
        use(&image);

    } else {
        require(why != NULL);
        require(rc == MIQPS_SYNTAX || rc == MIQPS_TOO_LONG);
        look_old();
    }

    return 0;
}
