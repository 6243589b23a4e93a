
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <string.h>

#include "site.h"


int
learn_site_learn(learn_site_t *site)
{
    site->given = malloc((site->nforms + (size_t) 1) * sizeof(learn_form_t));

    if (site->given == NULL) {
        site->failed = 1;
        return 0;
    }

    if (site->nforms > 0) {
        memcpy(site->given, site->forms,
               site->nforms * sizeof(learn_form_t));
    }

    return learn_site_params(site) && learn_site_steps(site);
}


char *
learn_site_map(learn_site_t *site, size_t *len, uint32_t *nrules)
{
    char               *text;
    learn_site_rule_t  *rules;

    rules = learn_site_rules(site, nrules);
    text = NULL;

    if (rules != NULL && learn_site_proof(site, rules, nrules)
        && learn_site_join(site, rules, nrules))
    {
        text = learn_site_text(site, rules, *nrules, 0, len);
    }

    free(rules);

    return text;
}
