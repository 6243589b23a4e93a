
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MIQPS_IMAGE_HEAD_H_INCLUDED_
#define _MIQPS_IMAGE_HEAD_H_INCLUDED_


/* offsets in the head */

#define MIQPS_HEAD_VERSION     8
#define MIQPS_HEAD_ORDER       10
#define MIQPS_HEAD_FEATURES    12
#define MIQPS_HEAD_SIZE        16
#define MIQPS_HEAD_GENERATION  24
#define MIQPS_HEAD_TIME        32
#define MIQPS_HEAD_CHECKSUM    40
#define MIQPS_HEAD_SEED        56
#define MIQPS_HEAD_HOSTS       64
#define MIQPS_HEAD_PATTERNS    68
#define MIQPS_HEAD_NAMES       72
#define MIQPS_HEAD_SHAPES      76
#define MIQPS_HEAD_SECTIONS    80
#define MIQPS_HEAD_WILDCARDS   176
#define MIQPS_HEAD_ZERO        180

#define MIQPS_BYTE_ORDER       0x0102


#endif /* _MIQPS_IMAGE_HEAD_H_INCLUDED_ */
