
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/dice.h"
#include "../support/mapped.h"
#include "../support/paths.h"
#include "../support/print.h"


/*
 * Path rules made by dice.  Those that compile are printed as what compiles to
 * the same image, in any order; and a URL that one of them has made is one
 * that none of them changes.
 */

#define RULES  4                 /* of a host, at most */
#define URLS   60                /* of a map */
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


static void
say(text_t *out, const char *format, ...)
{
    va_list  args;

    va_start(args, format);
    out->len += (size_t) vsnprintf(out->data + out->len,
                                   sizeof(out->data) - out->len, format, args);
    va_end(args);
}


static void
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


static void
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

static void
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


static void
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


static void
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


static void
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

static uint8_t *
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


static int
same_image(const char *source, const uint8_t *data, size_t size)
{
    int       same;
    size_t    len;
    uint8_t  *again;

    len = 0;
    again = compile(source, &len);
    same = (again != NULL && len == size && memcmp(again, data, size) == 0);

    if (!same) {
        printf("# not the same image: %s\n", source);
    }

    free(again);

    return same;
}


/* what a text may stand for, or something that it may not */

static void
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


static void
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


/* how many URLs a rule was applied to, or -1 if one of them changed again */

static int
settle(const miqps_image_t *image, dice_t *dice, const char *source,
    size_t *changed)
{
    int            n, stay;
    char           text[3][TEXT];
    size_t         i;
    miqps_str_t    host;
    miqps_paths_t  rules;

    static paths_url_t  url, once, twice;

    host.data = (const uint8_t *) "a.example";
    host.len = 9;
    n = 0;

    if (!miqps_paths_of(image, miqps_map_host(image, &host), &rules)) {
        return -1;
    }

    for (i = 0; i < URLS; i++) {
        make_url(dice, &rules, &url);

        stay = dice_once_in(dice, 2);

        if (paths_apply(&rules, image->seed, stay, &url, &once) == 0) {
            continue;
        }

        n++;
        *changed += !paths_same(&url, &once);

        if (paths_apply(&rules, image->seed, stay, &once, &twice) == 0
            || paths_same(&once, &twice))
        {
            continue;
        }

        paths_print(&url, text[0], TEXT);
        paths_print(&once, text[1], TEXT);
        paths_print(&twice, text[2], TEXT);
        printf("# %s became %s became %s by %s\n", text[0], text[1], text[2],
               source);

        return -1;
    }

    return n;
}


static size_t
maps(void)
{
    const char  *level;

    level = getenv("TEST_LEVEL");

    return (level == NULL || strcmp(level, "check") == 0) ? 10000
           : (strcmp(level, "fuzz") == 0) ? 1000000 : 200000;
}


int
main(void)
{
    int              urls;
    char            *text;
    size_t           i, k, n, size, taken, same, settled, applied, changed;
    dice_t           dice;
    uint8_t         *data;
    const char      *why;
    miqps_image_t    image;

    static text_t  source;
    static made_t  made;

    n = maps();
    taken = 0;
    same = 0;
    settled = 0;
    applied = 0;
    changed = 0;

    for (i = 0; i < n; i++) {
        dice_init(&dice, 17, i);
        made.n = 1 + dice_below(&dice, RULES);

        for (k = 0; k < made.n; k++) {
            make_rule(&dice, &made.rules[k]);
        }

        print_map(&made, 0, &source);
        data = compile(source.data, &size);

        if (data == NULL) {
            continue;
        }

        taken++;

        if (miqps_image_open(&image, data, size, &why) != MIQPS_OK) {
            printf("Bail out! %s\n", why);
            return 1;
        }

        text = print_image(&image);
        same += (size_t) same_image(text, data, size);
        free(text);

        urls = settle(&image, &dice, source.data, &changed);
        settled += (urls >= 0);
        applied += (urls > 0) ? (size_t) urls : 0;

        print_map(&made, 1, &source);
        same += (size_t) same_image(source.data, data, size);

        free(data);

        if (settled + 20 < taken) {
            break;
        }
    }

    printf("%s 1 - %zu images with path rules print as what they are made "
           "of\n", (same == 2 * taken) ? "ok" : "not ok", taken);
    printf("%s 2 - %zu URLs are changed once and not again\n",
           (settled == taken) ? "ok" : "not ok", applied);
    printf("# %zu of %zu maps compiled, %zu URLs changed\n", taken, n,
           changed);

    /* dice that never make a rule that applies would test nothing */

    printf("%s 3 - rules compiled and applied often\n1..3\n",
           (taken > n / 10 && changed > 5 * taken) ? "ok" : "not ok");

    return (same == 2 * taken && settled == taken && taken > n / 10
            && changed > 5 * taken) ? 0 : 1;
}
