
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_check_steps.h"
#include "miqps_image_rules.h"
#include "miqps_map.h"


/* a proof looks at each two rules */

#define MIQPS_PATHS_PAIR  256                /* bytes that it counts as */


static int  miqps_paths_check_needs(const miqps_image_t *image,
    const uint8_t *record, const miqps_paths_t *rules);
static int  miqps_paths_check_target(const miqps_image_t *image,
    const uint8_t *record, const miqps_str_t *host);


const char *
miqps_check_rules(miqps_image_check_t *check, size_t *budget, int *done)
{
    size_t                  n;
    const char             *why;
    const uint8_t          *p;
    const miqps_section_t  *hosts, *rules;

    hosts = &check->image.section[MIQPS_SECTION_HOSTS];
    rules = &check->image.section[MIQPS_SECTION_RULES];

    if (rules->size == 0) {
        *done = 1;
        return NULL;
    }

    while (check->at < hosts->size && *budget > 0) {
        p = hosts->data + check->at;
        n = MIQPS_HOST_HEAD;

        if (p[5] & MIQPS_HOST_RULES) {
            why = miqps_paths_check_host(&check->image, p, &check->rules, &n);

            if (why != NULL) {
                return why;
            }

            n = MIQPS_PATHS_PAIR * n * n;
        }

        *budget -= (n < *budget) ? n : *budget;
        check->at += miqps_get_u32(p);
    }

    *done = (check->at == hosts->size);

    return (!*done || check->rules == rules->size)
           ? NULL : "there are path rules of no host";
}


const char *
miqps_paths_check_host(const miqps_image_t *image, const uint8_t *record,
    size_t *end, size_t *n)
{
    uint32_t                one, two;
    const char             *why;
    miqps_paths_t           rules;
    const miqps_section_t  *section, *pool;

    section = &image->section[MIQPS_SECTION_RULES];
    pool = &image->section[MIQPS_SECTION_POOL];

    if (*end > section->size
        || miqps_get_u32(record + miqps_get_u32(record) - 4) != *end)
    {
        return "the path rules of a host are not where they must be";
    }

    why = miqps_paths_check(&rules, section->data + *end,
                            section->size - *end, pool->data, pool->size);

    if (why != NULL) {
        return why;
    }

    *end += miqps_get_u32(rules.block);
    *n = rules.n;

    if (!miqps_paths_check_needs(image, record, &rules)) {
        return "a path rule leads to a wrong host, or is not found";
    }

    return (rules.careful || miqps_paths_prove(&rules, &one, &two)) ? NULL
           : "a path rule could change what another one has made";
}


/* (4), and that hosts of targets lead to these rules */

static int
miqps_paths_check_needs(const miqps_image_t *image, const uint8_t *record,
    const miqps_paths_t *rules)
{
    uint32_t         i;
    miqps_str_t      host;
    miqps_rewrite_t  rewrite;

    for (i = 0; i < rules->n; i++) {
        miqps_paths_read(rules, i, &rewrite);

        if (miqps_get_u64(rules->block + MIQPS_PATHS_HEAD + 8 * (size_t) i)
            != miqps_paths_need(rules, image->seed, &rewrite))
        {
            return 0;
        }

        if (rewrite.to.host == NULL) {
            continue;
        }

        host = miqps_paths_string(rules, rewrite.to.host + 2);

        if (!miqps_paths_check_target(image, record, &host)) {
            return 0;
        }
    }

    return 1;
}


static int
miqps_paths_check_target(const miqps_image_t *image, const uint8_t *record,
    const miqps_str_t *host)
{
    size_t  i;

    if (host->data[0] == '.' || host->data[host->len - 1] == '.') {
        return 0;
    }

    for (i = 1; i < host->len; i++) {
        if (host->data[i] == '.' && host->data[i - 1] == '.') {
            return 0;
        }
    }

    return miqps_map_host(image, host) == record;
}
