
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_POND_H_INCLUDED_
#define _MAP_POND_H_INCLUDED_


/*
 * Memory of cJSON while a map is read.  An object takes some hundred pieces
 * that all go together, so that giving each back by itself would cost more
 * than reading it.
 *
 * cJSON has one allocator for the whole program: between opening and closing,
 * nothing else may use it.
 */


void learn_pond_open(void);
void learn_pond_close(void);

/* gives back all pieces */

void learn_pond_drain(void);

/* true if a piece could not be had since then */

int learn_pond_dry(void);


#endif /* _MAP_POND_H_INCLUDED_ */
