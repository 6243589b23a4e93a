
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "site.h"


int
learn_site_learn(learn_site_t *site)
{
    return learn_site_params(site) && learn_site_steps(site);
}
