
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _TREE_KEYS_H_INCLUDED_
#define _TREE_KEYS_H_INCLUDED_


#include "miqps_core.h"


/*
 * THE KEY-VALUE FORM OF A URL
 *
 *     http://www.shop.example:8080/shoes/red/?id=7&print
 *     |      |   |    |       |    |     |  | |    |
 *     scheme |   |    auth_2  port |     |  | id   print, a word
 *            |   auth_1            |     |  slash
 *            auth_0                path_0  path_1
 *
 * A key is the place of a value.  Labels of the host and segments of the path
 * are counted from the left, as they are read.  The slash at the end of a
 * path has a key of its own, and so do a name without "=", since "a" and "a="
 * are two things, and a name that comes again: the second "a" is another key.
 *
 * What the form does not have is the order of the parameters, empty pieces of
 * the query, and the fragment.  A user name is part of auth_0.
 */

typedef enum {
    LEARN_KEY_SCHEME = 0,
    LEARN_KEY_AUTH,
    LEARN_KEY_PORT,
    LEARN_KEY_PATH,
    LEARN_KEY_SLASH,
    LEARN_KEY_PARAM,
    LEARN_KEY_WORD
} learn_key_kind_e;


typedef struct {
    miqps_str_t        name;       /* of a parameter or word, else empty */
    uint32_t           nth;        /* of labels and segments, from 0 */
    learn_key_kind_e   kind;
} learn_key_t;


typedef struct {
    learn_key_t        key;
    miqps_str_t        value;
} learn_pair_t;


/* a URL with more pairs is not taken apart */

#define LEARN_MAX_PAIRS  256


/*
 * Takes a URL apart, "http://...", "//host..." or "/path...".  Letters of the
 * scheme and the host become small ones, in "url" itself, which "pairs" point
 * into.  The pairs come in the order of the URL; all parameters have nth 0,
 * also those of one name, and whoever reads them counts.  Returns their
 * number, LEARN_MAX_PAIRS at most, or 0 if this is not a URL or has more.
 */
size_t learn_keys_split(uint8_t *url, size_t len, learn_pair_t *pairs);


/*
 * Puts a URL together again, of pairs in the order of learn_key_compare().
 * The result is as long as learn_keys_size() says.
 */
size_t learn_keys_join(const learn_pair_t *pairs, size_t n, uint8_t *out);
size_t learn_keys_size(const learn_pair_t *pairs, size_t n);


/* the order of keys in a URL; parameters and words by name, then nth */

int learn_key_compare(const learn_key_t *one, const learn_key_t *two);

/*
 * Writes the name of a key for people, such as "path_1" or "id", with "#2"
 * for the second of a name.  Returns its length, "size" at most; nothing is
 * terminated.
 */
size_t learn_key_name(const learn_key_t *key, char *out, size_t size);


#endif /* _TREE_KEYS_H_INCLUDED_ */
