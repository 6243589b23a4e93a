
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_DEPLOYED_H_INCLUDED_
#define _LEARN_DEPLOYED_H_INCLUDED_


#include "normalizer.h"
#include "rules_options.h"


/*
 * What was learned of a site, as nginx would have it: the image of its map,
 * and the normalizer with it.
 */

typedef struct {
    uint8_t                *data;
    size_t                  size;
    miqps_image_t           image;
    learn_rules_options_t   rules;       /* none */
    learn_normalizer_t      normalizer;
} learn_deployed_t;


/*
 * Compiles the source of a map.  0 without memory, or after a complaint;
 * release it anyway.
 */
int learn_deployed_init(learn_deployed_t *deployed, const char *text,
    size_t len);
void learn_deployed_release(learn_deployed_t *deployed);

/*
 * The URL that it becomes, valid until the next, and whether a path rule had
 * to do with it; 0 without memory.
 */
int learn_deployed_url(learn_deployed_t *deployed, const miqps_str_t *url,
    miqps_str_t *result, int *moved);


#endif /* _LEARN_DEPLOYED_H_INCLUDED_ */
