
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _FILE_SAVE_H_INCLUDED_
#define _FILE_SAVE_H_INCLUDED_


#include <stddef.h>


/*
 * Writes a file as a whole or not at all: an existing one is replaced when
 * the new one is safe on the disk.  A device or a pipe is written to as it is,
 * and NULL is standard output.  Returns LEARN_EXIT_OK, or LEARN_EXIT_FAILED
 * after a complaint that begins with "command".
 */
int learn_file_save(const char *command, const char *name, const void *data,
    size_t len);


#endif /* _FILE_SAVE_H_INCLUDED_ */
