
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "site_compose.h"


static int  learn_compose_word(const learn_token_t *token, char **p,
    char *last);


int
learn_compose_text(const learn_compose_t *compose, const learn_part_t *parts,
    uint32_t n, int source, char *out)
{
    char           *p, *last, letter[4] = "{a}";
    uint32_t        i, stem;
    const char     *text;
    learn_token_t  *tokens;

    p = out;
    last = out + LEARN_SITE_TEXT - 32;
    tokens = compose->site->tokens;

    for (i = 0; i < n; i++) {

        if (p >= last) {
            return 0;
        }

        *p++ = '/';
        text = "";

        switch (parts[i].kind) {

        case LEARN_PART_WORD:
            if (!learn_compose_word(&tokens[parts[i].token], &p, last)) {
                return 0;
            }

            break;

        case LEARN_PART_STAR:
            text = "*";
            break;

        case LEARN_PART_DEEP:
            text = "**";
            break;

        case LEARN_PART_VALUE:
            text = "{v}";
            break;

        case LEARN_PART_HEAD:
            text = source ? "{h:heads}" : "{h}";
            break;

        case LEARN_PART_NAME:
            text = "{l}";
            break;

        case LEARN_PART_TABLE:
            text = source ? "{t:values}" : "{t}";
            break;

        case LEARN_PART_COPY:
            letter[1] = (char) ('a' + parts[i].token);
            text = letter;
            break;

        case LEARN_PART_FILE:
            memcpy(p, "{x}", 3);
            p += 3;

            if (!learn_compose_word(&tokens[parts[i].token], &p, last)) {
                return 0;
            }

            break;

        default: /* LEARN_PART_ATOM */
            text = (parts[i].token == LEARN_ATOM_HEX) ? "{:hex}"
                   : (parts[i].token == LEARN_ATOM_STAR) ? "{}" : "{:digits}";

            if (parts[i].token < LEARN_ATOM_LAST) {
                stem = parts[i].token & ~LEARN_ATOM_COUNT;

                if (!learn_compose_word(&tokens[stem], &p, last)) {
                    return 0;
                }
            }

            if (!source) {
                return 0;
            }

            break;
        }

        memcpy(p, text, strlen(text));
        p += strlen(text);
    }

    *p = '\0';

    return 1;
}


/* not what would be read as something else */

static int
learn_compose_word(const learn_token_t *token, char **p, char *last)
{
    size_t  i;

    if (token->len > (size_t) (last - *p)) {
        return 0;
    }

    for (i = 0; i < token->len; i++) {
        if (strchr("{}*\"\\;%", token->text[i]) != NULL
            || token->text[i] <= ' ' || token->text[i] >= 0x7f)
        {
            return 0;
        }
    }

    memcpy(*p, token->text, token->len);
    *p += token->len;

    return 1;
}
