
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "../support/heap.h"
#include "../support/page.h"
#include "miqps_normalize.h"
#include "miqps_rules.h"


/*
 * A rules file, at the end of a page or of a piece of memory.  If it is
 * taken, its policy normalizes a few queries, those of its own names among
 * them.
 */

#define MAX_LEN    (64 * 1024)
#define MAX_OWN    8             /* rules that get a query of their own */
#define MAX_ARGS   (2 * MIQPS_MAX_RULE)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static heap_t         heap;            /* of the built-in rules */
static miqps_rules_t  built_in[2];     /* without and with trackers */
static miqps_work_t   work;
static page_t         page;
static uint8_t        buf[3 * MAX_ARGS], again[3 * MAX_ARGS];


static const char *const  queries[] = {
    "a=1&utm_source=x&b=2", "gclid&id=1", "page=1&page=2&size[]=3", "word&x",
    "c=1;d=2", "variant=1&sz=2&prefn1=3"
};


static const char *const  hosts[] = {
    "", "shop.example", "www.shop.example", "shop.co.uk"
};


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static void
prepare(void)
{
    miqps_rules_error_t  error;

    page_init(&page, MAX_LEN);
    heap_init(&heap);

    require(miqps_rules_init(&built_in[0], &heap.mem, 0, &error) == MIQPS_OK);
    require(miqps_rules_init(&built_in[1], &heap.mem, 1, &error) == MIQPS_OK);
}


static void *
copy(const miqps_mem_t *mem, const void *from, size_t n, size_t size)
{
    void  *to;

    to = mem->alloc(mem->data, n * size + 1);

    require(to != NULL);

    if (n > 0) {
        memcpy(to, from, n * size);
    }

    return to;
}


/* a book with the built-in rules, without reading them each time */

static void
book_init(miqps_rules_t *book, const miqps_rules_t *from, const heap_t *own)
{
    *book = *from;

    book->mem = &own->mem;
    book->rules = copy(book->mem, from->rules, from->nrules,
                       sizeof(miqps_rule_t));
    book->scopes = copy(book->mem, from->scopes, from->nscopes,
                        sizeof(miqps_scope_t));
    book->platforms = copy(book->mem, from->platforms, from->nplatforms,
                           sizeof(miqps_platform_t));

    book->max_rules = from->nrules;
    book->max_scopes = from->nscopes;
    book->max_platforms = from->nplatforms;
}


static void
normalize(const miqps_policy_t *policy, const char *host,
    const uint8_t *args, size_t len)
{
    size_t           i;
    char             reason[3][64];
    miqps_result_t   res, second;
    miqps_request_t  req;

    memset(&req, 0, sizeof(req));

    req.host.data = (const uint8_t *) host;
    req.host.len = strlen(host);
    req.path.data = (const uint8_t *) "/cart/x1";
    req.path.len = 8;
    req.args.data = args;
    req.args.len = len;
    req.sort = len & 1;

    require(miqps_normalize(policy, &req, &work, buf, sizeof(buf), &res)
            == MIQPS_OK);
    require(res.args.len <= len);
    require(res.guard == MIQPS_GUARD_PASS || res.args.data == args);

    for (i = 0; i < res.nparams; i++) {
        miqps_rules_reason(&work.params[i], reason[0], sizeof(reason[0]));
        miqps_rules_reason(&work.params[i], reason[1], 7);
        miqps_rules_reason(&work.params[i], reason[2], 1);

        require(strlen(reason[0]) < sizeof(reason[0]));
        require(strlen(reason[1]) < 7 && reason[2][0] == '\0');
    }

    req.args = res.args;

    require(miqps_normalize(policy, &req, &work, again, sizeof(again),
                            &second)
            == MIQPS_OK);
    require(second.guard == res.guard && !second.changed);
}


/* a query of the text of a rule, as a name and as a pair */

static void
normalize_own(const miqps_policy_t *policy, const miqps_rule_t *rule)
{
    size_t  len;

    static uint8_t  args[MAX_ARGS];

    len = rule->text.len;

    if (len == 0 || rule->text.data[0] == '~' || len > MAX_ARGS - 8) {
        return;
    }

    memcpy(args, "id=1&", 5);
    memcpy(args + 5, rule->text.data, len);
    memcpy(args + 5 + len, "=1", 2);

    normalize(policy, hosts[1], args, len + 5);
    normalize(policy, hosts[2], args, len + 7);
}


static void
use(const miqps_rules_t *book, size_t first)
{
    size_t           i, k;
    miqps_rc_e       rc;
    miqps_fault_t    fault;
    miqps_policy_t  *policy;

    rc = miqps_policy_init(&policy, book->rules, book->nrules, book->scopes,
                           book->nscopes, book->mem, &fault);

    /* the reader has found all that is wrong with it */

    require(rc == MIQPS_OK);

    for (i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        for (k = 0; k < sizeof(hosts) / sizeof(hosts[0]); k++) {
            normalize(policy, hosts[k], (const uint8_t *) queries[i],
                      strlen(queries[i]));
        }
    }

    for (i = first; i < book->nrules && i < first + MAX_OWN; i++) {
        normalize_own(policy, &book->rules[i]);
    }

    miqps_policy_release(policy);
}


static void
read_rules(const char *text, size_t len)
{
    size_t                first;
    heap_t                own;
    miqps_rc_e            rc;
    miqps_rules_t         book;
    miqps_rules_error_t   error;
    const miqps_rules_t  *from;

    heap_init(&own);
    memset(&error, 0xff, sizeof(error));

    from = &built_in[len % 4 == 3];
    first = from->nrules;
    book_init(&book, from, &own);

    rc = miqps_rules_read(&book, text, len, &error);

    if (rc == MIQPS_OK) {
        use(&book, first);

    } else {
        require(rc == MIQPS_SYNTAX);
        require(memchr(error.text, '\0', sizeof(error.text)) != NULL);
        require(error.text[0] != '\0');
        require(error.line >= 1 && error.column >= 1);
        require(error.line <= len + 1 && error.column <= len + 1);
    }

    heap_release(&own);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char  *text;

    if (page.base == NULL) {
        prepare();
    }

    if (size > MAX_LEN) {
        return 0;
    }

    if (size % 2) {
        read_rules((const char *) page_put(&page, data, size), size);
        return 0;
    }

    text = malloc(size);

    if (text == NULL && size > 0) {
        return 0;
    }

    if (size > 0) {
        memcpy(text, data, size);
    }

    read_rules(text, size);
    free(text);

    return 0;
}
