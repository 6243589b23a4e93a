
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_RULES_PRINT_H_INCLUDED_
#define _MAP_RULES_PRINT_H_INCLUDED_


#include <stdio.h>

#include "miqps_image_rules.h"


/* Path rules of an image as map source.  Whoever prints looks for errors. */


/* ,"rules":[...] of a host record, or nothing if it has none */

void learn_print_rules(const miqps_image_t *image, const uint8_t *record,
    FILE *out);

/* {"from":...}, and without "whole" what "from" is alone */

void learn_print_rule(const miqps_paths_t *rules, uint32_t i, int whole,
    FILE *out);

/* both sides of a rule as they would be in a URL, with an arrow between */

void learn_print_rule_text(const miqps_paths_t *rules, uint32_t i, FILE *out);


#endif /* _MAP_RULES_PRINT_H_INCLUDED_ */
