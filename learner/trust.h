
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_TRUST_H_INCLUDED_
#define _LEARN_TRUST_H_INCLUDED_


#include <sys/stat.h>


/*
 * FILES THAT DECIDE WHAT IS DONE are root's or ours, and nobody else may write
 * to them: who runs miqps may do more than who could have written them.
 */

typedef enum {
    LEARN_TRUST_FILE = 0,
    LEARN_TRUST_FOLDER,        /* a sticky one is fine: files stay whose they
                                  are */
    LEARN_TRUST_SECRET         /* a file that not everybody may read */
} learn_trust_e;


/* true, or 0 after a complaint that begins with "command" and has a remedy */

int learn_trust(const char *command, const char *name, const struct stat *st,
    learn_trust_e what);


#endif /* _LEARN_TRUST_H_INCLUDED_ */
