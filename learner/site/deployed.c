
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "deployed.h"
#include "learn.h"
#include "map/map_make.h"
#include "miqps_image_check.h"


int
learn_deployed_init(learn_deployed_t *deployed, const char *text, size_t len)
{
    int          rc;
    const char  *why;

    memset(deployed, 0, sizeof(learn_deployed_t));
    learn_rules_options_init(&deployed->rules);

    rc = learn_rules_options_compile(&deployed->rules);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_map_make("rules", "what was learned", text, len,
                            &deployed->data, &deployed->size);
    }

    if (rc != LEARN_EXIT_OK
        || miqps_image_open(&deployed->image, deployed->data, deployed->size,
                            &why)
           != MIQPS_OK)
    {
        return 0;
    }

    deployed->normalizer.policy = deployed->rules.policy;
    deployed->normalizer.image = &deployed->image;
    deployed->normalizer.sort = 1;
    deployed->normalizer.paths = 1;

    return 1;
}


void
learn_deployed_release(learn_deployed_t *deployed)
{
    learn_normalizer_release(&deployed->normalizer);
    learn_rules_options_release(&deployed->rules);
    free(deployed->data);
}


int
learn_deployed_url(learn_deployed_t *deployed, const miqps_str_t *url,
    miqps_str_t *result, int *moved)
{
    learn_normalized_t  n;

    if (learn_normalizer_url(&deployed->normalizer, url, &n)
        != LEARN_EXIT_OK)
    {
        return 0;
    }

    *result = n.result;
    *moved = (int) n.moved;

    return 1;
}
