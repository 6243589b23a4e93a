
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "../support/generate.h"
#include "../support/model.h"
#include "../support/page.h"
#include "miqps_normalize.h"


/*
 * A query under one of a few policies.  The first byte chooses the policy,
 * the second host, path and sorting; the rest is the query, at the end of a
 * page.  What holds for every query is checked, and the model is asked.
 */

#define POLICIES  16


typedef struct {
    miqps_work_t        work;
    miqps_result_t      res;
    page_t              in;
    page_t              out;
} run_t;


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);


static generate_policy_t  policies[POLICIES];
static model_t            model;
static run_t              once, twice;


#define require(condition)                                                   \
    if (!(condition)) {                                                      \
        fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
        abort();                                                             \
    }


static void
prepare(void)
{
    size_t  i;
    dice_t  dice;

    for (i = 0; i < POLICIES; i++) {
        dice_init(&dice, 20, i);
        generate_policy(&dice, &policies[i]);
    }

    page_init(&once.in, GENERATE_MAX_LEN);
    page_init(&once.out, miqps_normalize_bound(GENERATE_MAX_LEN));
    page_init(&twice.in, GENERATE_MAX_LEN);
    page_init(&twice.out, miqps_normalize_bound(GENERATE_MAX_LEN));
}


static void
normalize(run_t *run, const generate_policy_t *p, miqps_request_t *req,
    const uint8_t *args, size_t len)
{
    size_t  size;

    size = miqps_normalize_bound(len);

    req->args.data = page_put(&run->in, args, len);
    req->args.len = len;

    require(miqps_normalize(p->policy, req, &run->work,
                            page_tail(&run->out, size), size, &run->res)
            == MIQPS_OK);
    require(run->res.args.len <= len);
    require(run->res.changed == !miqps_str_eq(&run->res.args, &req->args));

    if (run->res.guard != MIQPS_GUARD_PASS) {
        require(run->res.args.data == req->args.data);
        require(!run->res.changed);
        require(run->res.nparams == 0);
    }
}


static void
compare(const generate_policy_t *p, const miqps_request_t *req)
{
    size_t  i;

    model_run(&model, &p->model, generate_regexes, &req->host, &req->path,
              &req->args, req->sort);

    if (once.res.guard != MIQPS_GUARD_PASS) {
        require(model.reasons >> once.res.guard & 1);
        return;
    }

    require(model.reasons == 0);
    require(model.nparams == once.res.nparams);
    require(model.nstripped == once.res.nstripped);
    require(model_equal(model.out, model.out_len, once.res.args.data,
                        once.res.args.len));

    for (i = 0; i < model.nparams; i++) {
        require(model.params[i].action == once.work.params[i].action);
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    generate_policy_t  *p;
    miqps_request_t     req;

    if (policies[0].policy == NULL) {
        prepare();
    }

    if (size < 2 || size - 2 > GENERATE_MAX_LEN) {
        return 0;
    }

    p = &policies[data[0] % POLICIES];

    memset(&req, 0, sizeof(req));

    req.sort = data[1] & 1;
    generate_str(&req.host, generate_hosts[(data[1] >> 1)
                                           % generate_count(generate_hosts)]);
    generate_str(&req.path, generate_paths[(data[1] >> 5)
                                           % generate_count(generate_paths)]);

    normalize(&once, p, &req, data + 2, size - 2);
    compare(p, &req);

    normalize(&twice, p, &req, once.res.args.data, once.res.args.len);

    require(twice.res.guard == once.res.guard);
    require(!twice.res.changed);
    require(twice.res.nstripped == 0);

    return 0;
}
