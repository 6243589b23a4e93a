
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _PATHS_DICE_H_INCLUDED_
#define _PATHS_DICE_H_INCLUDED_


#include <stdarg.h>

#include "dice.h"
#include "mapped.h"
#include "paths.h"


/*
 * Maps with path rules made by dice, of which about half compile, and URLs that
 * they have something to say about.
 *
 * A file that includes this defines _GNU_SOURCE before anything else.
 */

#define RULES  4                 /* of a host, at most */
#define TEXT   4096
#define PIECE  64


typedef struct {
    char    data[(RULES + 1) * TEXT];
    size_t  len;
} text_t;


typedef struct {
    text_t  rules[RULES];
    size_t  n;
} made_t;


/* a rule while it is made: captures, and where they are from */

typedef struct {
    char    names[16][8];
    size_t  n;
    size_t  stars;               /* of the path */
    int     deep;
    int     table;
    int     in_place;            /* the target has the form of the source */
} maker_t;


static const char *const  literals[] = {
    "a", "b", "p", "x1", "12", "ab-c", "yellow", "index.html", "0"
};


static const char *const  types[] = {
    ":digits", ":hex", ":word", "", ":any", ":uuid"
};


static const char *const  names[] = { "c", "id", "s" };


static const char *const  tables[] = {
    "{\"1\":\"yellow\",\"2\":\"red\"}",
    "{\"a\":\"b\",\"b\":\"b\"}",
    "{\"p\":\"a\",\"x1\":\"a\"}",
    "{\"a\":\"b\",\"b\":\"a\"}"
};


static const char *const  values[] = {
    "a", "b", "p", "x1", "12", "1", "2", "0", "ab-c", "yellow", "red", "ff",
    "index.html", "a-b", "%C3%A9", "", "00000000-0000-0000-0000-000000000000",
    "a1", "1a", "p-12", "1.html", "a.b"
};


#define pick(dice, list)                                                     \
    ((list)[dice_below(dice, sizeof(list) / sizeof((list)[0]))])


static inline void
say(text_t *out, const char *format, ...)
{
    va_list  args;

    va_start(args, format);
    out->len += (size_t) vsnprintf(out->data + out->len,
                                   sizeof(out->data) - out->len, format, args);
    va_end(args);
}


static inline void
capture(dice_t *dice, maker_t *maker, char *out)
{
    const char  *type;

    type = pick(dice, types);

    if (maker->table >= 0 && dice_once_in(dice, 3)) {
        type = ":t";
    }

    if (dice_once_in(dice, 4) || maker->n == 16) {
        (void) snprintf(out, PIECE, "{%s}", type);
        return;
    }

    (void) snprintf(maker->names[maker->n], sizeof(maker->names[0]), "n%zu",
                    maker->n);
    (void) snprintf(out, PIECE, "{%s%s}", maker->names[maker->n], type);
    maker->n++;
}


static inline void
source_text(dice_t *dice, maker_t *maker, int path, char *out)
{
    char  one[PIECE], two[PIECE];

    switch (dice_below(dice, 8)) {

    case 0:
    case 1:
    case 2:
        paths_set(out, pick(dice, literals));
        break;

    case 3:
        maker->stars += (size_t) path;
        paths_set(out, "*");
        break;

    case 4:
        capture(dice, maker, one);
        (void) snprintf(out, 4 * PIECE, "%s-%s", pick(dice, literals), one);
        break;

    case 5:
        capture(dice, maker, one);
        capture(dice, maker, two);
        (void) snprintf(out, 4 * PIECE, "%s.%s", one, two);
        break;

    case 6:
        capture(dice, maker, one);
        (void) snprintf(out, 4 * PIECE, "%s.html", one);
        break;

    default:
        capture(dice, maker, out);
        break;
    }
}


/* what the text of a source is in a target that keeps it */

static inline void
kept(const char *from, char *out)
{
    const char  *colon, *end;

    while (*from != '\0') {

        if (*from != '{') {
            *out++ = *from++;
            continue;
        }

        end = strchr(from, '}');
        colon = memchr(from, ':', (size_t) (end - from));
        colon = (colon == NULL) ? end : colon;

        memcpy(out, from, (size_t) (colon - from));
        out += colon - from;
        *out++ = '}';
        from = end + 1;
    }

    *out = '\0';
}


static inline void
target_text(dice_t *dice, maker_t *maker, const char *from, char *out)
{
    if (maker->in_place && !dice_once_in(dice, 3)
        && strstr(from, "{}") == NULL && strstr(from, "{:") == NULL)
    {
        kept(from, out);
        return;
    }

    if (!maker->in_place && maker->n > 0 && dice_once_in(dice, 2)) {
        maker->n--;
        (void) snprintf(out, PIECE, "%s{%s}",
                        dice_once_in(dice, 2) ? "v-" : "",
                        maker->names[maker->n]);
        return;
    }

    paths_set(out, pick(dice, literals));
}


/* a host rule */

static inline void
make_host_rule(dice_t *dice, text_t *out)
{
    out->len = 0;

    say(out, "{\"from\":{\"host\":\"%s\"},\"to\":{\"host\":\"%s\"}}",
        dice_once_in(dice, 2) ? "1.a.example" : "{:digits}.a.example",
        dice_once_in(dice, 4) ? "1.a.example" : "a.example");
}


static inline void
make_rule(dice_t *dice, text_t *out)
{
    char     segments[4][4 * PIECE], values_of[3][4 * PIECE];
    char     text[4 * PIECE];
    size_t   i, n, deep, slash, used, npath;
    maker_t  maker;

    memset(&maker, 0, sizeof(maker));
    out->len = 0;

    maker.table = dice_once_in(dice, 2)
                  ? (int) dice_below(dice, sizeof(tables) / sizeof(tables[0]))
                  : -1;
    maker.in_place = dice_once_in(dice, 2);

    n = 1 + dice_below(dice, 3);
    deep = dice_once_in(dice, 5) ? dice_below(dice, n + 1) : 9;
    slash = dice_once_in(dice, 4);

    say(out, "{\"from\":{");

    if (dice_once_in(dice, 6)) {
        say(out, "\"host\":\"{%s}.a.example\",",
                       dice_once_in(dice, 2) ? "" : ":digits");
    }

    say(out, "\"path\":\"");

    for (i = 0; i < n; i++) {
        source_text(dice, &maker, 1, segments[i]);
        say(out, "%s/%s", (i == deep) ? "/**" : "", segments[i]);
    }

    say(out, "%s%s\"", (deep == n) ? "/**" : "", slash ? "/" : "");

    used = dice_below(dice, 8);

    if (used > 0) {
        say(out, ",\"params\":{");

        for (i = 0; i < 3; i++) {
            if (used >> i & 1) {
                source_text(dice, &maker, 0, values_of[i]);
                say(out, "\"%s\":\"%s\",", names[i], values_of[i]);
            }
        }

        if (dice_once_in(dice, 3)) {
            say(out, "\"*\":\"*\",");
        }

        out->len--;
        say(out, "}");
    }

    /* the target */

    npath = maker.in_place ? n : 1 + dice_below(dice, 3);
    say(out, "},\"to\":{%s\"path\":\"",
        dice_once_in(dice, 5) ? "\"host\":\"a.example\"," : "");

    for (i = 0; i < npath; i++) {
        target_text(dice, &maker, (i < n) ? segments[i] : "q", text);
        say(out, "%s/%s", (i == deep) ? "/**" : "", text);
    }

    say(out, "%s%s\"", (deep == npath) ? "/**" : "",
                   ((maker.in_place && slash)
                    || (!maker.in_place && dice_once_in(dice, 4))) ? "/"
                                                                  : "");

    if (dice_once_in(dice, 2) && used > 0) {
        say(out, ",\"params\":{");

        for (i = 0; i < 3; i++) {
            if ((used >> i & 1) ? dice_below(dice, 3) > 0
                                : dice_once_in(dice, 4))
            {
                target_text(dice, &maker, (used >> i & 1) ? values_of[i] : "q",
                            text);
                say(out, "\"%s\":\"%s\",", names[i], text);
            }
        }

        out->len -= (out->data[out->len - 1] == ',');
        say(out, "}");
    }

    say(out, "}");

    if (maker.table >= 0) {
        say(out, ",\"tables\":{\"t\":%s}", tables[maker.table]);
    }

    say(out, "}");
}


static inline void
print_map(const made_t *made, size_t first, text_t *out)
{
    size_t  i;

    out->len = 0;

    say(out, "{\"host\":\"a.example\",\"hosts\":[\"1.a.example\"],"
                   "\"rules\":[");

    for (i = 0; i < made->n; i++) {
        say(out, "%s%s", (i > 0) ? "," : "",
                       made->rules[(first + i) % made->n].data);
    }

    say(out, "]}");
}


/* NULL if it is refused */

static inline uint8_t *
compile(const char *source, size_t *size)
{
    uint8_t             *image;
    const char          *why;
    learn_map_t          map;
    learn_text_error_t   error;

    image = NULL;
    learn_map_init(&map);

    if (mapped_source(&map, source, strlen(source), 4096, &error)
        == LEARN_TEXT_END)
    {
        why = learn_map_image(&map, &image, size);

        if (why != NULL) {
            printf("Bail out! %s: %s\n", why, source);
            exit(1);
        }
    }

    learn_map_release(&map);

    return image;
}


/* what a text may stand for, or something that it may not */

static inline void
make_text(dice_t *dice, const miqps_paths_t *rules, const uint8_t *text,
    char *out)
{
    uint32_t        n;
    miqps_str_t     str;
    const uint8_t  *table;
    miqps_piece_t   piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(rules, text, &piece);

        if (piece.kind == MIQPS_PIECE_LITERAL) {
            str = piece.literal;

        } else if (piece.kind == MIQPS_PIECE_TABLE
                   && !dice_once_in(dice, 8))
        {
            table = miqps_paths_table(rules, piece.number);
            str = miqps_paths_string(rules, table + 2
                                     + MIQPS_PATHS_ENTRY
                                       * dice_below(dice,
                                                    miqps_get_u16(table)));

        } else {
            str.data = (const uint8_t *)
                       ((piece.kind == MIQPS_PIECE_UUID) ? values[16]
                        : (piece.kind == MIQPS_PIECE_DIGITS) ? "12"
                        : (piece.kind == MIQPS_PIECE_HEX) ? "0"
                        : pick(dice, values));
            str.len = strlen((const char *) str.data);
        }

        memcpy(out, str.data, str.len);
        out += str.len;
    }

    *out = '\0';
}


static inline void
make_url(dice_t *dice, const miqps_paths_t *rules, paths_url_t *url)
{
    size_t           i, k, n;
    miqps_str_t      name;
    miqps_rewrite_t  rewrite;

    miqps_paths_read(rules, (uint32_t) dice_below(dice, rules->n), &rewrite);

    paths_set(url->host, dice_once_in(dice, 2) ? "a.example" : "1.a.example");
    n = 0;

    for (i = 0; i <= rewrite.from.nsegments; i++) {

        for (k = dice_below(dice, 2) + 1; i == rewrite.from.deep && k > 0;
             k--)
        {
            paths_set(url->segments[n++], pick(dice, values));
        }

        if (i < rewrite.from.nsegments) {
            make_text(dice, rules, rewrite.from.segments[i],
                      url->segments[n++]);
        }
    }

    /* there is a path, also where a rule does not look at it */

    if (n == 0) {
        paths_set(url->segments[n++], pick(dice, values));
    }

    url->nsegments = n;
    url->nparams = 0;

    for (i = 0; i < rewrite.from.nparams; i++) {
        name = miqps_paths_string(rules, rewrite.from.params[i]);
        memcpy(url->params[i].name, name.data, name.len);
        url->params[i].name[name.len] = '\0';
        make_text(dice, rules, rewrite.from.params[i] + MIQPS_PATHS_STRING,
                  url->params[i].value);
        url->params[i].equals = url->params[i].value[0] != '\0'
                                || dice_once_in(dice, 2);
        url->nparams++;
    }

    for (k = dice_below(dice, 4); k > 2; k--) {
        paths_set(url->params[i].name, dice_once_in(dice, 2) ? "u"
                                    : pick(dice, names));
        paths_set(url->params[i].value, pick(dice, values));
        url->params[i].equals = 1;
        url->nparams = ++i;
    }
}


#endif /* _PATHS_DICE_H_INCLUDED_ */
