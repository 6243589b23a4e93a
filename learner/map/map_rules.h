
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _MAP_RULES_H_INCLUDED_
#define _MAP_RULES_H_INCLUDED_


#include "map_words.h"
#include "miqps_image_rules.h"


/*
 * PATH RULES BEING MADE
 *
 * Those of one host are told after learn_paths_clear(), each in this order:
 *
 *     learn_paths_begin
 *         learn_paths_table       "colour"
 *             learn_paths_entry       "3" and "yellow", at least once
 *         learn_paths_table_end
 *         learn_paths_source      "target" is 0 from here on
 *             learn_paths_host        "{m}.shop.example"
 *             learn_paths_path        "/p/{id:digits}"
 *             learn_paths_params
 *                 learn_paths_param   "sid" and "*"
 *         learn_paths_target      it is 1 from here on; as above
 *     learn_paths_end
 *
 * All but the first and last of these may be left out.  learn_paths_block()
 * puts them in order.  Texts must stay where they are until their rule ends.
 *
 * All return NULL, or a static clause that says what is wrong; without memory
 * that is learn_map_no_memory.
 */


typedef struct {
    miqps_piece_e        kind;
    uint8_t              table;             /* of the host */
    uint8_t              capture;           /* in the order of telling */
    learn_word_t        *literal;
} learn_paths_piece_t;


typedef struct {
    learn_paths_piece_t  pieces[MIQPS_PATHS_MAX_PIECES];
    uint8_t              n;
} learn_paths_text_t;


typedef struct {
    learn_word_t        *name;
    learn_paths_text_t   text;
} learn_paths_param_t;


typedef struct {
    learn_paths_text_t   host;
    learn_paths_text_t   segments[MIQPS_MAX_SEGMENTS];
    learn_paths_param_t  params[MIQPS_PATHS_MAX_PARAMS];
    uint8_t              nsegments;
    uint8_t              deep;
    uint8_t              nparams;
    uint8_t              nraw;              /* "*" of the path */
    unsigned             has_host:1;
    unsigned             has_path:1;
    unsigned             has_params:1;
    unsigned             rest:1;
} learn_paths_form_t;


typedef struct {
    miqps_str_t          name;              /* empty if it has none */
    miqps_piece_e        kind;
    uint8_t              table;             /* of the host */
    miqps_place_e        place;
    miqps_str_t          param;             /* that it is in */
    unsigned             used:1;
} learn_paths_capture_t;


/* sorted by the values, once it has ended */

typedef struct {
    learn_word_t        *value;
    learn_word_t        *to;
} learn_paths_entry_t;


typedef struct {
    learn_paths_entry_t  *entries;
    uint32_t              n;
} learn_paths_table_t;


/* what a rule calls a table of the host */

typedef struct {
    miqps_str_t          name;
    uint8_t              number;
} learn_paths_name_t;


/*
 * A rule as in the image, where offsets of texts are numbers of words and the
 * numbers of tables are those of learn_paths_t.
 */

typedef struct {
    uint8_t             *data;
    size_t               size;
    uint8_t             *key;               /* what tells its source */
    size_t               key_size;
    uint64_t             rank;
    uint32_t             number;            /* in the order of telling */
} learn_paths_rule_t;


typedef struct {
    learn_arena_t          *arena;          /* of the map */
    learn_words_t          *words;

    /* of the host at hand */

    learn_arena_t           own;
    learn_paths_rule_t     *rules;
    uint32_t                n;
    uint32_t                max;
    learn_paths_table_t     tables[MIQPS_PATHS_MAX_TABLES];
    uint32_t                ntables;
    unsigned                careful:1;      /* nothing has to be proven */

    /* the rule at hand */

    learn_paths_form_t      forms[2];
    int                     target;
    learn_paths_name_t      names[MIQPS_PATHS_MAX_TABLES];
    uint32_t                nnames;
    learn_paths_entry_t     entries[MIQPS_PATHS_MAX_ENTRIES];
    uint32_t                nentries;
    learn_paths_capture_t   captures[MIQPS_PATHS_MAX_CAPTURE];
    uint8_t                 ncaptures;
} learn_paths_t;


/* of a host: a block as in the image, with numbers of words for offsets */

typedef struct {
    uint32_t             size;
    uint8_t              data[];
} learn_paths_block_t;


void learn_paths_init(learn_paths_t *rules, learn_arena_t *arena,
    learn_words_t *words);
void learn_paths_release(learn_paths_t *rules);

void learn_paths_clear(learn_paths_t *rules);

/* of the host: what a rule has made is looked at again */

void learn_paths_careful(learn_paths_t *rules);

void learn_paths_begin(learn_paths_t *rules);
const char *learn_paths_table(learn_paths_t *rules, const miqps_str_t *name);
const char *learn_paths_entry(learn_paths_t *rules, const miqps_str_t *value,
    const miqps_str_t *to);
const char *learn_paths_table_end(learn_paths_t *rules);
void learn_paths_source(learn_paths_t *rules);
void learn_paths_target(learn_paths_t *rules);
const char *learn_paths_host(learn_paths_t *rules, const miqps_str_t *text);
const char *learn_paths_path(learn_paths_t *rules, const miqps_str_t *text);
void learn_paths_params(learn_paths_t *rules);
const char *learn_paths_param(learn_paths_t *rules, const miqps_str_t *name,
    const miqps_str_t *text);
const char *learn_paths_end(learn_paths_t *rules);


/*
 * The block of all rules that were told, or NULL if there was none.  If
 * something is wrong, "*which" and "*other" are the rules that it is about, in
 * the order of telling; if these differ, the clause belongs between them.
 */
const char *learn_paths_block(learn_paths_t *rules,
    learn_paths_block_t **block, uint32_t *which, uint32_t *other);


/* parts of the above, see map_rules_text.c and map_rules_encode.c */

const char *learn_paths_read_text(learn_paths_t *rules,
    const miqps_str_t *given, miqps_place_e place, const miqps_str_t *param,
    learn_paths_text_t *text);

/* a text that is written as it is, checked */

const char *learn_paths_word(learn_paths_t *rules, miqps_place_e place,
    const miqps_str_t *given, learn_word_t **word);

const char *learn_paths_encode(learn_paths_t *rules,
    learn_paths_rule_t *rule);

/*
 * Calls "each" for each {offset, length} of a rule or table, and "table", if
 * it is not NULL, for each number of a table.
 */

typedef void (*learn_paths_each_pt)(void *data, uint8_t *p);

void learn_paths_walk(uint8_t *rule, learn_paths_each_pt each,
    learn_paths_each_pt table, void *data);

/* of all of a block */

void learn_paths_walk_block(uint8_t *block, learn_paths_each_pt each,
    void *data);


#endif /* _MAP_RULES_H_INCLUDED_ */
