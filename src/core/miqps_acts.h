
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_ACTS_H_INCLUDED_
#define _MIQPS_ACTS_H_INCLUDED_


#include "miqps_core.h"


/*
 * GET is not always safe.  These tell, by their words, URLs that do something
 * ("/logout", "/item/7/delete", "?action=edit", "?add-to-cart=7") and so are
 * neither stored nor fetched.
 */

/* raw bytes of a path */

int miqps_acts_path(const miqps_str_t *path);

/* name and value of a parameter, raw bytes */

int miqps_acts_param(const miqps_str_t *name, const miqps_str_t *value);


#endif /* _MIQPS_ACTS_H_INCLUDED_ */
