
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "learn.h"
#include "tree_pattern.h"


static int  learn_pattern_word(uint8_t c);


void
learn_fold_add(const learn_set_t *set, learn_fold_t *fold, uint32_t number)
{
    uint32_t              i;
    const learn_value_t  *value, *first;

    value = &set->values[number];

    if (fold->field.distinct++ == 0) {
        fold->field.key = value->key;
        fold->field.value = number;
        fold->field.prefix = value->len;
        fold->field.suffix = value->len;
        fold->shortest = value->len;
        fold->types = value->types;
        return;
    }

    first = &set->values[fold->field.value];

    fold->types &= value->types;
    fold->shortest = (value->len < fold->shortest) ? value->len
                                                   : fold->shortest;

    for (i = 0; i < fold->field.prefix && i < value->len; i++) {
        if (first->text[i] != value->text[i]) {
            break;
        }
    }

    fold->field.prefix = i;

    for (i = 0; i < fold->field.suffix && i < value->len; i++) {
        if (first->text[first->len - i - 1] != value->text[value->len - i - 1])
        {
            break;
        }
    }

    fold->field.suffix = i;
}


void
learn_fold_end(const learn_set_t *set, learn_fold_t *fold, uint32_t volume)
{
    learn_field_t        *field;
    const learn_value_t  *value;

    field = &fold->field;
    value = &set->values[field->value];

    field->optional = (field->urls < volume);

    if (field->distinct == 1) {
        field->kind = LEARN_FIELD_LITERAL;
        return;
    }

    if (fold->types & LEARN_VALUE_DIGITS) {
        field->kind = LEARN_FIELD_DIGITS;

    } else if (fold->types & LEARN_VALUE_UUID) {
        field->kind = LEARN_FIELD_UUID;

    } else if (fold->types & LEARN_VALUE_HEX) {
        field->kind = LEARN_FIELD_HEX;

    } else {
        field->kind = LEARN_FIELD_AFFIX;

        while (field->prefix > 0
               && learn_pattern_word(value->text[field->prefix - 1]))
        {
            field->prefix--;
        }

        if (field->suffix > fold->shortest - field->prefix) {
            field->suffix = fold->shortest - field->prefix;
        }

        while (field->suffix > 0
               && learn_pattern_word(value->text[value->len - field->suffix]))
        {
            field->suffix--;
        }
    }
}


static int
learn_pattern_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
           || c >= 0x80;
}


int
learn_field_matches(const learn_set_t *set, const learn_field_t *field,
    const uint8_t *text, size_t len)
{
    const learn_value_t  *value;

    value = &set->values[field->value];

    switch (field->kind) {

    case LEARN_FIELD_LITERAL:
        return len == value->len
               && (len == 0 || memcmp(text, value->text, len) == 0);

    case LEARN_FIELD_DIGITS:
        return (learn_value_types(text, len) & LEARN_VALUE_DIGITS) != 0;

    case LEARN_FIELD_UUID:
        return (learn_value_types(text, len) & LEARN_VALUE_UUID) != 0;

    case LEARN_FIELD_HEX:
        return (learn_value_types(text, len) & LEARN_VALUE_HEX) != 0;

    default:
        return len >= (size_t) field->prefix + field->suffix
               && memcmp(text, value->text, field->prefix) == 0
               && memcmp(text + len - field->suffix,
                         value->text + value->len - field->suffix,
                         field->suffix) == 0;
    }
}


void
learn_field_print(const learn_set_t *set, const learn_field_t *field,
    FILE *out)
{
    const learn_value_t  *value;

    value = &set->values[field->value];

    switch (field->kind) {

    case LEARN_FIELD_LITERAL:
        learn_put_safe(value->text, value->len, out);
        break;

    case LEARN_FIELD_DIGITS:
        (void) fputs("{digits}", out);
        break;

    case LEARN_FIELD_UUID:
        (void) fputs("{uuid}", out);
        break;

    case LEARN_FIELD_HEX:
        (void) fputs("{hex}", out);
        break;

    default:
        learn_put_safe(value->text, field->prefix, out);
        (void) fputc('*', out);
        learn_put_safe(value->text + value->len - field->suffix, field->suffix,
                       out);
    }
}


void
learn_pattern_print(const learn_set_t *set, const learn_pattern_t *pattern,
    FILE *out)
{
    int                   last;
    uint32_t              i;
    const learn_key_t    *key;
    const learn_field_t  *field;

    last = -1;

    for (i = 0; i < pattern->n; i++) {
        field = &pattern->fields[i];
        key = &set->keys[field->key].key;

        if (field->optional) {
            (void) fputc('(', out);
        }

        (void) fputs(learn_key_lead(key->kind, last), out);

        learn_put_safe(key->name.data, key->name.len, out);

        if (key->kind == LEARN_KEY_PARAM) {
            (void) fputc('=', out);
        }

        if (key->kind != LEARN_KEY_SLASH && key->kind != LEARN_KEY_WORD) {
            learn_field_print(set, field, out);
        }

        if (key->kind == LEARN_KEY_SCHEME) {
            (void) fputc(':', out);
        }

        if (field->optional) {
            (void) fputc(')', out);
        }

        last = (int) key->kind;
    }
}


const char *
learn_key_lead(learn_key_kind_e kind, int last)
{
    switch (kind) {

    case LEARN_KEY_SCHEME:
        return "";

    case LEARN_KEY_AUTH:
        return (last == LEARN_KEY_AUTH) ? "." : "//";

    case LEARN_KEY_PORT:
        return ":";

    case LEARN_KEY_PATH:
    case LEARN_KEY_SLASH:
        return "/";

    default:
        return (last >= LEARN_KEY_PARAM) ? "&" : "?";
    }
}
