
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "map_builder.h"
#include "map_check.h"
#include "map_rules.h"
#include "miqps_escape.h"


/* a text while it is read */

typedef struct {
    learn_paths_t        *rules;
    learn_paths_text_t   *text;
    miqps_place_e         place;
    miqps_str_t           param;
} learn_paths_reader_t;


typedef struct {
    miqps_str_t           name;
    miqps_piece_e         kind;
} learn_paths_type_t;


static const char  *learn_paths_raw(learn_paths_reader_t *reader);
static const char  *learn_paths_raw_target(learn_paths_reader_t *reader);
static const char  *learn_paths_literal(learn_paths_reader_t *reader,
    const uint8_t *p, const uint8_t *last);
static const char  *learn_paths_braces(learn_paths_reader_t *reader,
    const uint8_t *p, const uint8_t *last);
static const char  *learn_paths_capture(learn_paths_reader_t *reader,
    const miqps_str_t *name, const miqps_str_t *type);
static const char  *learn_paths_reference(learn_paths_reader_t *reader,
    const miqps_str_t *name);
static const char  *learn_paths_type(learn_paths_t *rules,
    const miqps_str_t *type, learn_paths_piece_t *piece);
static const char  *learn_paths_add(learn_paths_reader_t *reader,
    const learn_paths_piece_t *piece);
static const char  *learn_paths_ends(const learn_paths_t *rules,
    const learn_paths_text_t *text);
static int  learn_paths_is_name(const miqps_str_t *name);


static const learn_paths_type_t  learn_paths_types[] = {
    { miqps_string("digits"), MIQPS_PIECE_DIGITS },
    { miqps_string("hex"), MIQPS_PIECE_HEX },
    { miqps_string("uuid"), MIQPS_PIECE_UUID },
    { miqps_string("word"), MIQPS_PIECE_WORD },
    { miqps_string("any"), MIQPS_PIECE_ANY },
    { miqps_string("raw"), MIQPS_PIECE_RAW }
};


#define LEARN_PATHS_TYPES                                                    \
    (sizeof(learn_paths_types) / sizeof(learn_paths_types[0]))


const char *
learn_paths_read_text(learn_paths_t *rules, const miqps_str_t *given,
    miqps_place_e place, const miqps_str_t *param, learn_paths_text_t *text)
{
    const char            *why;
    const uint8_t         *p, *end, *last;
    learn_paths_reader_t   reader;

    text->n = 0;

    reader.rules = rules;
    reader.text = text;
    reader.place = place;
    reader.param = *param;

    p = given->data;
    last = p + given->len;

    if (given->len == 1 && *p == '*') {
        return learn_paths_raw(&reader);
    }

    while (p < last) {

        if (*p == '{') {
            end = memchr(p, '}', (size_t) (last - p));

            if (end == NULL) {
                return "there is no \"}\" behind a \"{\"";
            }

            why = learn_paths_braces(&reader, p + 1, end);
            p = end + 1;

        } else {
            end = memchr(p, '{', (size_t) (last - p));
            end = (end == NULL) ? last : end;
            why = learn_paths_literal(&reader, p, end);
            p = end;
        }

        if (why != NULL) {
            return why;
        }
    }

    return learn_paths_ends(rules, text);
}


static const char *
learn_paths_raw(learn_paths_reader_t *reader)
{
    const miqps_str_t  raw = miqps_string("raw");
    const miqps_str_t  none = miqps_string("");

    return reader->rules->target ? learn_paths_raw_target(reader)
                                 : learn_paths_capture(reader, &none, &raw);
}


/* "*" of a target is the next one of the path, or that of the same name */

static const char *
learn_paths_raw_target(learn_paths_reader_t *reader)
{
    uint8_t                 i, n;
    learn_paths_piece_t     piece;
    learn_paths_capture_t  *capture;

    n = reader->rules->forms[1].nraw;

    for (i = 0; i < reader->rules->ncaptures; i++) {
        capture = &reader->rules->captures[i];

        if (capture->kind != MIQPS_PIECE_RAW
            || capture->place != reader->place
            || !miqps_str_eq(&capture->param, &reader->param))
        {
            continue;
        }

        if (reader->place == MIQPS_PLACE_PATH && n-- > 0) {
            continue;
        }

        if (capture->used) {
            break;
        }

        capture->used = 1;
        reader->rules->forms[1].nraw += (reader->place == MIQPS_PLACE_PATH);

        piece.kind = MIQPS_PIECE_CAPTURE;
        piece.capture = i;

        return learn_paths_add(reader, &piece);
    }

    return "there is no \"*\" in \"from\" that it stands for";
}


static const char *
learn_paths_literal(learn_paths_reader_t *reader, const uint8_t *p,
    const uint8_t *last)
{
    const char           *why;
    miqps_str_t           text;
    learn_paths_piece_t   piece;

    text.data = p;
    text.len = (size_t) (last - p);

    if (memchr(p, '*', text.len) != NULL) {
        return "\"*\" stands for all of a segment or value; a part of one is "
               "written {}";
    }

    if (memchr(p, '}', text.len) != NULL) {
        return "there is no \"{\" before a \"}\"";
    }

    piece.kind = MIQPS_PIECE_LITERAL;
    why = learn_paths_word(reader->rules, reader->place, &text,
                           &piece.literal);

    return (why != NULL) ? why : learn_paths_add(reader, &piece);
}


const char *
learn_paths_word(learn_paths_t *rules, miqps_place_e place,
    const miqps_str_t *given, learn_word_t **word)
{
    uint8_t       escaped[3 * MIQPS_PATHS_MAX_LITERAL];
    uint8_t       normal[3 * MIQPS_PATHS_MAX_LITERAL];
    miqps_str_t   text, res;

    if (given->len == 0) {
        return "an empty text cannot be told from none";
    }

    if (given->len > MIQPS_PATHS_MAX_LITERAL) {
        return "a text has at most 1024 bytes";
    }

    text.data = escaped;
    text.len = learn_check_escape(given, escaped);
    res = text;

    if ((place == MIQPS_PLACE_NAME || place == MIQPS_PLACE_VALUE)
        && miqps_escape_normalize(&text, normal, &res) != MIQPS_GUARD_PASS)
    {
        return "no parameter that is ever looked up has such a text";
    }

    if (!miqps_paths_text_ok(place, &res)) {
        return (place == MIQPS_PLACE_TABLE)
               ? "a value of a table has letters, digits, \"-\", \"_\", \"~\""
               : (place == MIQPS_PLACE_HOST)
                 ? "a host has lower-case letters, digits, dots, \"-\", \"_\""
                 : "it has a byte or an escape that no rule may touch";
    }

    *word = learn_words_add(rules->words, &res);

    if (*word == NULL) {
        return learn_map_no_memory;
    }

    (*word)->uses = 1;

    return NULL;
}


/* {name}, {name:type}, {:type}, {} */

static const char *
learn_paths_braces(learn_paths_reader_t *reader, const uint8_t *p,
    const uint8_t *last)
{
    miqps_str_t     name, type;
    const uint8_t  *colon;

    colon = (p < last) ? memchr(p, ':', (size_t) (last - p)) : NULL;

    name.data = p;
    name.len = (size_t) (((colon == NULL) ? last : colon) - p);
    type.data = (colon == NULL) ? last : colon + 1;
    type.len = (size_t) (last - type.data);

    if (name.len > 0 && !learn_paths_is_name(&name)) {
        return "a name in braces has letters, digits and \"_\"";
    }

    if (reader->rules->target) {
        return (colon != NULL)
               ? "a type is given in \"from\", not in \"to\""
               : learn_paths_reference(reader, &name);
    }

    if (colon != NULL && type.len == 0) {
        return "there is no type behind the colon";
    }

    return learn_paths_capture(reader, &name, &type);
}


static int
learn_paths_is_name(const miqps_str_t *name)
{
    size_t  i;

    for (i = 0; i < name->len; i++) {
        if (!miqps_piece_holds(MIQPS_PIECE_WORD, name->data[i])) {
            return 0;
        }
    }

    return 1;
}


static const char *
learn_paths_capture(learn_paths_reader_t *reader, const miqps_str_t *name,
    const miqps_str_t *type)
{
    uint32_t                i;
    const char             *why;
    learn_paths_t          *rules;
    learn_paths_piece_t     piece;
    learn_paths_capture_t  *capture;

    rules = reader->rules;
    why = learn_paths_type(rules, type, &piece);

    if (why != NULL) {
        return why;
    }

    if (piece.kind == MIQPS_PIECE_RAW && reader->place == MIQPS_PLACE_HOST) {
        return "labels of a host are written {}";
    }

    for (i = 0; name->len > 0 && i < rules->ncaptures; i++) {
        if (miqps_str_eq(&rules->captures[i].name, name)) {
            return "a name in braces is there twice";
        }
    }

    if (rules->ncaptures == MIQPS_PATHS_MAX_CAPTURE) {
        return "a rule has at most 64 wildcards";
    }

    piece.capture = rules->ncaptures;
    capture = &rules->captures[rules->ncaptures++];

    capture->name = *name;
    capture->kind = piece.kind;
    capture->table = (piece.kind == MIQPS_PIECE_TABLE) ? piece.table : 0;
    capture->place = reader->place;
    capture->param = reader->param;
    capture->used = 0;

    return learn_paths_add(reader, &piece);
}


static const char *
learn_paths_type(learn_paths_t *rules, const miqps_str_t *type,
    learn_paths_piece_t *piece)
{
    size_t    k;
    uint32_t  i;

    piece->kind = MIQPS_PIECE_ANY;

    if (type->len == 0) {
        return NULL;
    }

    for (k = 0; k < LEARN_PATHS_TYPES; k++) {
        if (miqps_str_eq(&learn_paths_types[k].name, type)) {
            piece->kind = learn_paths_types[k].kind;
            return NULL;
        }
    }

    for (i = 0; i < rules->nnames; i++) {
        if (miqps_str_eq(&rules->names[i].name, type)) {
            piece->kind = MIQPS_PIECE_TABLE;
            piece->table = rules->names[i].number;
            return NULL;
        }
    }

    return "a type is digits, hex, uuid, word, any, raw or one of \"tables\"";
}


static const char *
learn_paths_reference(learn_paths_reader_t *reader, const miqps_str_t *name)
{
    uint8_t                 i;
    learn_paths_piece_t     piece;
    learn_paths_capture_t  *capture;

    for (i = 0; name->len > 0 && i < reader->rules->ncaptures; i++) {
        capture = &reader->rules->captures[i];

        if (!miqps_str_eq(&capture->name, name)) {
            continue;
        }

        if (capture->used) {
            return "a name in braces is there twice";
        }

        if (capture->kind == MIQPS_PIECE_RAW
            && (capture->place != reader->place
                || !miqps_str_eq(&capture->param, &reader->param)))
        {
            return "what is raw stays in the path, or in its parameter";
        }

        capture->used = 1;

        piece.kind = MIQPS_PIECE_CAPTURE;
        piece.capture = i;

        return learn_paths_add(reader, &piece);
    }

    return "there is no such name in braces in \"from\"";
}


static const char *
learn_paths_add(learn_paths_reader_t *reader, const learn_paths_piece_t *piece)
{
    if (reader->text->n == MIQPS_PATHS_MAX_PIECES) {
        return "a segment or value has at most 8 parts";
    }

    if (piece->kind == MIQPS_PIECE_CAPTURE
        && reader->place == MIQPS_PLACE_HOST)
    {
        return "the host of \"to\" is one host, without braces";
    }

    reader->text->pieces[reader->text->n++] = *piece;

    return NULL;
}


/* where each part of a text ends can be seen from left to right */

static const char *
learn_paths_ends(const learn_paths_t *rules, const learn_paths_text_t *text)
{
    uint32_t                    i;
    miqps_piece_e               kind;
    const learn_paths_piece_t  *piece;

    for (i = 0; i < text->n; i++) {
        piece = &text->pieces[i];

        if (piece->kind == MIQPS_PIECE_LITERAL) {
            continue;
        }

        kind = rules->target ? rules->captures[piece->capture].kind
                             : piece->kind;

        if (kind == MIQPS_PIECE_RAW && text->n > 1) {
            return "what is raw is alone in its segment or value";
        }

        if (rules->target) {
            continue;
        }

        if (i > 0 && text->pieces[i - 1].kind != MIQPS_PIECE_LITERAL) {
            return "between two wildcards there is something";
        }

        if (i + 2 < text->n && piece->kind != MIQPS_PIECE_UUID
            && miqps_piece_holds(piece->kind,
                            text->pieces[i + 1].literal->text.data[0]))
        {
            return "where a wildcard ends cannot be told, since what follows "
                   "it can be part of it";
        }
    }

    return NULL;
}
