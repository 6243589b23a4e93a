
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "map_builder.h"
#include "map_put.h"
#include "map_rules.h"


/* no rule has more: 98 texts of 8 pieces, and 32 names */

#define LEARN_PATHS_MAX_SIZE  8192


/* captures are numbered as they stand in the image */

typedef struct {
    uint8_t             *p;
    uint8_t              numbers[MIQPS_PATHS_MAX_CAPTURE];
    uint8_t              n;
} learn_paths_encoder_t;


static void  learn_paths_put_form(learn_paths_encoder_t *encoder,
    const learn_paths_form_t *form);
static void  learn_paths_put_text(learn_paths_encoder_t *encoder,
    const learn_paths_text_t *text);
static void  learn_paths_put_word(learn_paths_encoder_t *encoder,
    const learn_word_t *word);
static uint8_t  *learn_paths_walk_text(uint8_t *p, learn_paths_each_pt each,
    learn_paths_each_pt table, void *data);


const char *
learn_paths_encode(learn_paths_t *rules, learn_paths_rule_t *rule)
{
    uint8_t                     data[LEARN_PATHS_MAX_SIZE];
    const learn_paths_form_t   *from, *to;
    learn_paths_encoder_t       encoder;

    from = &rules->forms[0];
    to = &rules->forms[1];

    encoder.p = data + MIQPS_PATHS_RULE;
    encoder.n = 0;

    learn_paths_put_form(&encoder, from);
    learn_paths_put_form(&encoder, to);

    rule->size = (size_t) (encoder.p - data);

    (void) learn_put_u16(data, (uint32_t) rule->size);

    data[2] = (uint8_t)
              ((from->has_host ? MIQPS_PATHS_HOST : 0)
               | (from->has_path ? MIQPS_PATHS_PATH : 0)
               | ((from->rest || !from->has_params) ? MIQPS_PATHS_REST : 0)
               | (to->has_host ? MIQPS_PATHS_TO_HOST : 0)
               | (to->has_path ? MIQPS_PATHS_TO_PATH : 0)
               | (to->has_params ? MIQPS_PATHS_TO_PARAMS : 0));
    data[3] = from->nsegments;
    data[4] = from->deep;
    data[5] = to->nsegments;
    data[6] = to->deep;
    data[7] = from->nparams;
    data[8] = to->nparams;
    data[9] = rules->ncaptures;

    rule->data = learn_arena_alloc(&rules->own, rule->size);

    if (rule->data == NULL) {
        return learn_map_no_memory;
    }

    memcpy(rule->data, data, rule->size);

    return NULL;
}


static void
learn_paths_put_form(learn_paths_encoder_t *encoder,
    const learn_paths_form_t *form)
{
    uint32_t  i;

    if (form->has_host) {
        learn_paths_put_text(encoder, &form->host);
    }

    for (i = 0; i < form->nsegments; i++) {
        learn_paths_put_text(encoder, &form->segments[i]);
    }

    for (i = 0; i < form->nparams; i++) {
        learn_paths_put_word(encoder, form->params[i].name);
        learn_paths_put_text(encoder, &form->params[i].text);
    }
}


static void
learn_paths_put_text(learn_paths_encoder_t *encoder,
    const learn_paths_text_t *text)
{
    uint32_t                    i;
    const learn_paths_piece_t  *piece;

    *encoder->p++ = text->n;

    for (i = 0; i < text->n; i++) {
        piece = &text->pieces[i];
        *encoder->p++ = (uint8_t) piece->kind;

        if (piece->kind == MIQPS_PIECE_LITERAL) {
            learn_paths_put_word(encoder, piece->literal);

        } else if (piece->kind == MIQPS_PIECE_CAPTURE) {
            *encoder->p++ = encoder->numbers[piece->capture];

        } else {
            encoder->numbers[piece->capture] = encoder->n++;

            if (piece->kind == MIQPS_PIECE_TABLE) {
                *encoder->p++ = piece->table;
            }
        }
    }
}


static void
learn_paths_put_word(learn_paths_encoder_t *encoder, const learn_word_t *word)
{
    encoder->p = learn_put_u32(encoder->p, word->number);
    encoder->p = learn_put_u16(encoder->p, (uint32_t) word->text.len);
}


void
learn_paths_walk(uint8_t *rule, learn_paths_each_pt each,
    learn_paths_each_pt table, void *data)
{
    int       target;
    uint8_t  *p;
    uint32_t  n;

    p = rule + MIQPS_PATHS_RULE;

    for (target = 0; target < 2; target++) {
        n = rule[target ? 5 : 3]
            + ((rule[2] & (target ? MIQPS_PATHS_TO_HOST : MIQPS_PATHS_HOST))
               ? 1 : 0);

        for (/* void */ ; n > 0; n--) {
            p = learn_paths_walk_text(p, each, table, data);
        }

        for (n = rule[target ? 8 : 7]; n > 0; n--) {
            each(data, p);
            p = learn_paths_walk_text(p + MIQPS_PATHS_STRING, each, table,
                                      data);
        }
    }
}


static uint8_t *
learn_paths_walk_text(uint8_t *p, learn_paths_each_pt each,
    learn_paths_each_pt table, void *data)
{
    uint32_t  n;

    for (n = *p++; n > 0; n--) {
        switch (*p++) {

        case MIQPS_PIECE_LITERAL:
            each(data, p);
            p += MIQPS_PATHS_STRING;
            break;

        case MIQPS_PIECE_TABLE:

            if (table != NULL) {
                table(data, p);
            }

            p++;
            break;

        case MIQPS_PIECE_CAPTURE:
            p++;
            break;

        default:
            break;
        }
    }

    return p;
}


void
learn_paths_walk_block(uint8_t *block, learn_paths_each_pt each, void *data)
{
    uint8_t   *p, *offsets;
    uint32_t   i, k, n, entries;

    n = miqps_get_u16(block + 4);
    offsets = block + MIQPS_PATHS_HEAD + 8 * (size_t) n;

    for (i = 0; i < n; i++) {
        learn_paths_walk(block + miqps_get_u32(offsets + 4 * (size_t) i),
                         each, NULL, data);
    }

    offsets += 4 * (size_t) n;

    for (i = 0; i < block[6]; i++) {
        p = block + miqps_get_u32(offsets + 4 * (size_t) i);
        entries = miqps_get_u16(p);

        for (p += 2, k = 0; k < 2 * entries; k++, p += MIQPS_PATHS_STRING) {
            each(data, p);
        }
    }
}
