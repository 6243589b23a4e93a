
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_RULE_TEXT_H_INCLUDED_
#define _LEARN_RULE_TEXT_H_INCLUDED_


#include "miqps_image_rules.h"


/* A path rule is what it says, in whichever map it is. */

/* as map source, on the heap; NULL without memory */

char *learn_rule_text(const miqps_paths_t *rules, uint32_t rule);

/* true if one of the rules is the same; -1 without memory */

int learn_rule_in(const char *text, const miqps_paths_t *rules);


#endif /* _LEARN_RULE_TEXT_H_INCLUDED_ */
