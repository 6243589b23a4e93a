
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_RULES_FILE_H_INCLUDED_
#define _LEARN_RULES_FILE_H_INCLUDED_


#include "miqps_rules.h"


/*
 * Reads a rules file into the book.  LEARN_EXIT_OK, or after one line that
 * names file and position LEARN_EXIT_USAGE, or LEARN_EXIT_FAILED without
 * memory.
 */
int learn_rules_file_read(miqps_rules_t *book, const char *path);


#endif /* _LEARN_RULES_FILE_H_INCLUDED_ */
