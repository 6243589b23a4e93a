
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/dice.h"
#include "../support/mapped.h"
#include "map/map_print.h"


/*
 * Small maps and URLs by chance.  What a look-up in the image says must be
 * what a model says that knows nothing of images: it goes through the map as
 * it was written down.  And what is printed of an image must compile to it.
 */

#define MAX_HOSTS     6
#define MAX_PATTERNS  12
#define MAX_MIRRORS   2
#define QUERIES       100        /* of a map */
#define MAX_PARAMS    9

#define count(a)  (sizeof(a) / sizeof((a)[0]))


static const char *const  names[] = {
    "a", "b", "id", "utm_source", "utm_medium", "eightbyt", "eightbyt_9",
    "longer_than_sixteen_1_x", "longer_than_sixteen_2_x", "c[]", "d%20e", ""
};


/* the map has none of these */

static const char *const  strangers[] = { "z", "utm_sourcf", "A" };


static const char *const  own_hosts[] = {
    "a.example", "b.a.example", "c.b.a.example", "*.a.example",
    "*.b.a.example", "*.c.b.a.example", "d.example", "e.example"
};


static const char *const  mirrors[] = {
    "m.example", "n.example", "m.a.example", "x.b.a.example"
};


static const char *const  asked_hosts[] = {
    "a.example", "b.a.example", "c.b.a.example", "x.a.example",
    "y.b.a.example", "z.y.c.b.a.example", "d.example", "e.example",
    "m.example", "n.example", "m.a.example", "x.b.a.example", "example",
    "aa.example", "x.d.example"
};


static const char *const  shapes[] = {
    "", "", "", "/p", "/p/*", "/*", "/*/x", "/p/x", "/p/*/", "/*/*", "/"
};


static const char *const  paths[] = {
    "/", "/p", "/p/x", "/p/y", "/q/x", "/p/x/", "/q", "/p/", "/q/r/s", ""
};


static const char *const  values[] = { "1", "2", "", "a%2Fb" };


typedef struct {
    unsigned        names;              /* bits */
    unsigned        keep;
    unsigned        client;
    const char     *defaults[count(names)];
    const char     *shape;              /* or "" */
} pattern_t;


typedef struct {
    const char     *host;
    const char     *mirrors[MAX_MIRRORS];
    size_t          nmirrors;
    pattern_t       patterns[MAX_PATTERNS];
    size_t          npatterns;
} host_t;


typedef struct {
    host_t          hosts[MAX_HOSTS];
    size_t          n;
} model_t;


typedef struct {
    int             name;               /* -1 for one that is in no map */
    const char     *value;              /* or NULL */
} param_t;


typedef struct {
    const char     *host;
    const char     *path;
    param_t         params[MAX_PARAMS];
    size_t          n;
    char            below[64];
    char            shaped[64];
    char            text[1024];
} query_t;


static size_t  seen[128];               /* how often a letter was the answer */


/* --- maps */

static int
is_taken(const model_t *model, const char *host)
{
    size_t  i, k;

    for (i = 0; i < model->n; i++) {

        if (strcmp(model->hosts[i].host, host) == 0) {
            return 1;
        }

        for (k = 0; k < model->hosts[i].nmirrors; k++) {
            if (strcmp(model->hosts[i].mirrors[k], host) == 0) {
                return 1;
            }
        }
    }

    return 0;
}


static void
make_pattern(dice_t *dice, host_t *host, unsigned neutral)
{
    size_t      i;
    pattern_t  *p;

    p = &host->patterns[host->npatterns];
    memset(p, 0, sizeof(pattern_t));

    do {
        p->names = (unsigned) (dice_next(dice) & dice_next(dice))
                   & ((1u << count(names)) - 1);
    } while (p->names == 0);

    p->shape = shapes[dice_below(dice, count(shapes))];
    p->keep = (unsigned) dice_next(dice) & p->names & ~neutral;

    if (dice_once_in(dice, 4)) {
        p->client = (unsigned) dice_next(dice) & p->names & ~p->keep
                    & ~neutral;
    }

    for (i = 0; i < count(names); i++) {
        if ((p->keep & 1u << i) && dice_once_in(dice, 4)) {
            p->defaults[i] = values[dice_below(dice, count(values))];
        }
    }

    for (i = 0; i < host->npatterns; i++) {
        if (host->patterns[i].names == p->names
            && strcmp(host->patterns[i].shape, p->shape) == 0)
        {
            return;
        }
    }

    host->npatterns++;
}


static void
make_model(dice_t *dice, model_t *model)
{
    size_t       i, k, n, patterns;
    host_t      *host;
    unsigned     neutral;
    const char  *name;

    memset(model, 0, sizeof(model_t));

    n = 1 + dice_below(dice, MAX_HOSTS);

    for (i = 0; i < n; i++) {
        name = own_hosts[dice_below(dice, count(own_hosts))];

        if (is_taken(model, name)) {
            continue;
        }

        host = &model->hosts[model->n++];
        host->host = name;

        for (k = dice_below(dice, MAX_MIRRORS + 1); k > 0; k--) {
            name = mirrors[dice_below(dice, count(mirrors))];

            if (!is_taken(model, name)) {
                host->mirrors[host->nmirrors++] = name;
            }
        }

        patterns = dice_below(dice, MAX_PATTERNS + 1);
        neutral = (unsigned) (dice_next(dice) & dice_next(dice));

        for (k = 0; k < patterns; k++) {
            make_pattern(dice, host, neutral);
        }
    }
}


static void
print_list(FILE *out, const char *key, unsigned mask, int backwards)
{
    size_t  i, k;

    fprintf(out, "\"%s\":[", key);

    for (i = 0; i < count(names); i++) {
        k = backwards ? count(names) - 1 - i : i;

        if (mask & 1u << k) {
            mask &= ~(1u << k);
            fprintf(out, "\"%s\"%s", names[k], (mask != 0) ? "," : "");
        }
    }

    fputc(']', out);
}


static void
print_pattern(FILE *out, const pattern_t *p, int backwards)
{
    size_t       i;
    const char  *comma;

    fputc('{', out);
    print_list(out, "params", p->names, backwards);
    fputc(',', out);
    print_list(out, "keep", p->keep, !backwards);
    fputc(',', out);
    print_list(out, "client", p->client, backwards);
    fputs(",\"defaults\":{", out);

    comma = "";

    for (i = 0; i < count(names); i++) {
        if (p->defaults[i] != NULL) {
            fprintf(out, "%s\"%s\":\"%s\"", comma, names[i], p->defaults[i]);
            comma = ",";
        }
    }

    fputc('}', out);

    if (p->shape[0] != '\0') {
        fprintf(out, ",\"path\":\"%s\"", p->shape);
    }

    fputc('}', out);
}


static char *
print_model(const model_t *model)
{
    char          *text;
    FILE          *out;
    size_t         i, k, len;
    const host_t  *host;

    out = open_memstream(&text, &len);

    for (i = 0; i < model->n; i++) {
        host = &model->hosts[i];

        fprintf(out, "{\"host\":\"%s\",\"hosts\":[", host->host);

        for (k = 0; k < host->nmirrors; k++) {
            fprintf(out, "%s\"%s\"", (k > 0) ? "," : "", host->mirrors[k]);
        }

        fputs("],\"patterns\":[", out);

        for (k = 0; k < host->npatterns; k++) {
            fputs((k > 0) ? "," : "", out);
            print_pattern(out, &host->patterns[k], (int) k & 1);
        }

        fputs("]}\n", out);
    }

    fclose(out);

    return text;
}


/* --- URLs */

static unsigned  model_neutral(const host_t *host);


/* a path of a shape */

static void
make_path(const char *shape, query_t *q)
{
    size_t  i;

    for (i = 0; shape[i] != '\0'; i++) {
        q->shaped[i] = (shape[i] == '*') ? 'x' : shape[i];
    }

    q->shaped[i] = '\0';
    q->path = q->shaped;
}


static void
make_text(dice_t *dice, query_t *q)
{
    size_t       i, len;
    param_t     *param;
    const char  *name;

    len = 0;
    q->text[0] = '\0';

    for (i = 0; i < q->n; i++) {
        param = &q->params[i];
        name = (param->name < 0) ? strangers[-1 - param->name]
                                 : names[param->name];
        param->value = (dice_once_in(dice, 5) && name[0] != '\0') ? NULL
                       : values[dice_below(dice, count(values))];

        len += (size_t) snprintf(q->text + len, sizeof(q->text) - len,
                                 "%s%s%s%s", (i > 0) ? "&" : "", name,
                                 (param->value != NULL) ? "=" : "",
                                 (param->value != NULL) ? param->value : "");
    }
}


/* most of them have the names of a pattern, perhaps with others */

static void
make_query(dice_t *dice, const model_t *model, query_t *q)
{
    size_t            i, k;
    param_t           swap;
    unsigned          mask;
    const host_t     *host;
    const pattern_t  *p;

    q->host = asked_hosts[dice_below(dice, count(asked_hosts))];
    q->path = paths[dice_below(dice, count(paths))];
    q->n = 0;

    mask = (unsigned) (dice_next(dice) & dice_next(dice));
    host = &model->hosts[dice_below(dice, model->n)];

    if (!dice_once_in(dice, 4)) {
        q->host = host->host;

        if (host->nmirrors > 0 && dice_once_in(dice, 3)) {
            q->host = host->mirrors[0];

        } else if (host->host[0] == '*') {
            /* below it */
            (void) snprintf(q->below, sizeof(q->below), "q%s", host->host + 1);
            q->host = q->below;
        }
    }

    if (host->npatterns > 0 && !dice_once_in(dice, 4)) {
        p = &host->patterns[dice_below(dice, host->npatterns)];
        mask = p->names | (dice_once_in(dice, 2) ? 0 : mask & mask >> 3);

        if (dice_once_in(dice, 2)) {
            mask |= model_neutral(host) & (unsigned) dice_next(dice);
        }

        if (p->shape[0] != '\0' && !dice_once_in(dice, 4)) {
            make_path(p->shape, q);
        }
    }

    for (i = 0; i < count(names) && q->n < MAX_PARAMS - 2; i++) {
        if (mask & 1u << i) {
            q->params[q->n++].name = (int) i;
        }
    }

    if (q->n > 0 && dice_once_in(dice, 4)) {
        swap = q->params[dice_below(dice, q->n)];
        q->params[q->n++] = swap;
    }

    if (dice_once_in(dice, 12)) {
        q->params[q->n++].name = -1 - (int) dice_below(dice, count(strangers));
    }

    /* in no order */

    for (i = 0; i < q->n; i++) {
        k = dice_below(dice, q->n);
        swap = q->params[i];
        q->params[i] = q->params[k];
        q->params[k] = swap;
    }

    make_text(dice, q);
}


/* --- the model */

static const host_t *
model_host(const model_t *model, const char *name)
{
    size_t       i, k;
    const char  *dot;

    for (i = 0; i < model->n; i++) {

        if (strcmp(model->hosts[i].host, name) == 0) {
            return &model->hosts[i];
        }

        for (k = 0; k < model->hosts[i].nmirrors; k++) {
            if (strcmp(model->hosts[i].mirrors[k], name) == 0) {
                return &model->hosts[i];
            }
        }
    }

    for (dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        for (i = 0; i < model->n; i++) {
            if (model->hosts[i].host[0] == '*'
                && strcmp(model->hosts[i].host + 1, dot) == 0)
            {
                return &model->hosts[i];
            }
        }
    }

    return NULL;
}


/* takes the next segment, from its slash on, off a path */

static size_t
segment(const char *path)
{
    return (*path == '\0') ? 0 : 1 + strcspn(path + 1, "/");
}


/* -1: no match; else bits of the literal segments, above all others */

static long
model_shape(const char *shape, const char *path)
{
    long    literals;
    size_t  s, p, n;

    if (*shape == '\0') {
        return 0;
    }

    literals = 1L << 40;

    for (n = 0; *shape != '\0' || *path != '\0'; n++) {
        s = segment(shape);
        p = segment(path);

        if (s == 0 || p == 0) {
            return -1;
        }

        if (s == 2 && shape[1] == '*') {
            if (p == 1) {
                return -1;
            }

        } else if (s != p || memcmp(shape, path, s) != 0) {
            return -1;

        } else {
            literals |= 1L << n;
        }

        shape += s;
        path += p;
    }

    return literals;
}


static unsigned
model_neutral(const host_t *host)
{
    size_t    i;
    unsigned  once, twice, kept;

    once = twice = kept = 0;

    for (i = 0; i < host->npatterns; i++) {
        twice |= once & host->patterns[i].names;
        once |= host->patterns[i].names;
        kept |= host->patterns[i].keep | host->patterns[i].client;
    }

    return twice & ~kept;
}


/* what a pattern says of a parameter, the lower the stronger */

static size_t
model_says(const pattern_t *p, const query_t *q, size_t i)
{
    int     name;
    size_t  k, same;

    name = q->params[i].name;

    if (name < 0 || !(p->names & 1u << name)) {
        return 3;
    }

    if (p->client & 1u << name) {
        return 1;
    }

    if (!(p->keep & 1u << name)) {
        return 3;
    }

    for (k = 0, same = 0; k < q->n; k++) {
        same += (q->params[k].name == name);
    }

    return (same == 1 && p->defaults[name] != NULL
            && q->params[i].value != NULL
            && strcmp(p->defaults[name], q->params[i].value) == 0) ? 2 : 0;
}


static const char  strength[] = "KCDS";


static void
model_look(const model_t *model, const query_t *q, char *out)
{
    int               similar, stranger;
    long              literals[MAX_PATTERNS];
    size_t            i, k, n, says, matches;
    unsigned          set, neutral;
    const host_t     *host;
    const pattern_t  *p;

    host = model_host(model, q->host);
    set = 0;
    stranger = 0;

    for (i = 0; i < q->n; i++) {
        if (q->params[i].name < 0) {
            stranger = 1;

        } else {
            set |= 1u << q->params[i].name;
        }
    }

    memcpy(out, "-", 2);

    if (host == NULL || q->n == 0 || stranger) {
        return;
    }

    neutral = model_neutral(host);
    matches = 0;

    for (similar = 0; similar < 2 && matches == 0; similar++) {
        for (i = 0; i < host->npatterns; i++) {
            p = &host->patterns[i];
            literals[i] = -1;

            if (similar ? ((p->names & ~set) == 0
                           && ((p->names ^ set) & ~neutral) == 0)
                        : p->names == set)
            {
                literals[i] = model_shape(p->shape, q->path);
            }

            matches += (literals[i] >= 0);
        }
    }

    if (matches == 0) {
        return;
    }

    /* one that another is more precise than does not count */

    for (i = 0; i < host->npatterns; i++) {
        for (k = 0; k < host->npatterns && literals[i] >= 0; k++) {
            if (literals[k] > literals[i]
                && (literals[k] & literals[i]) == literals[i])
            {
                literals[i] = -2;
            }
        }
    }

    if (similar == 2) {
        *out++ = '~';
    }

    for (n = 0; n < q->n; n++) {
        says = 3;

        for (i = 0; i < host->npatterns; i++) {
            if (literals[i] >= 0
                && model_says(&host->patterns[i], q, n) < says)
            {
                says = model_says(&host->patterns[i], q, n);
            }
        }

        *out++ = strength[says];
    }

    *out = '\0';
}


/* --- properties */

static int
agree(const model_t *model, const miqps_image_t *image, dice_t *dice,
    const char *source)
{
    char     got[MIQPS_MAX_PARAMS + 2], want[MAX_PARAMS + 4];
    size_t   i, k;
    query_t  query;

    for (i = 0; i < QUERIES; i++) {
        make_query(dice, model, &query);
        model_look(model, &query, want);
        mapped_look(image, query.host, query.path, query.text, got);

        if (strcmp(got, want) != 0) {
            printf("# %s%s?%s is %s, not %s, in\n# %s\n", query.host,
                   query.path, query.text, got, want, source);
            return 0;
        }

        for (k = 0; want[k] != '\0'; k++) {
            seen[(unsigned char) want[k]]++;
        }
    }

    return 1;
}


static int
comes_back(const miqps_image_t *image, const uint8_t *data, size_t size)
{
    int             same;
    char           *text;
    FILE           *out;
    size_t          i, len;
    uint8_t        *again;
    learn_view_t    view;
    learn_index_t   index;

    memset(&view, 0, sizeof(view));
    out = open_memstream(&text, &len);

    if (out == NULL || !learn_index_init(&index, image)) {
        printf("Bail out! out of memory\n");
        exit(1);
    }

    for (i = 0; i < index.n; i++) {
        if (index.hosts[i].target == NULL) {
            (void) learn_view_read(&view, image, index.hosts[i].record);
            learn_print_host(&index, &index.hosts[i], &view, 0, out);
        }
    }

    fclose(out);

    again = mapped_image(text, &len);
    same = (len == size && memcmp(again, data, size) == 0);

    if (!same) {
        printf("# not the same image: %s\n", text);
    }

    learn_view_release(&view);
    learn_index_release(&index);
    free(again);
    free(text);

    return same;
}


static size_t
maps(void)
{
    const char  *level;

    level = getenv("TEST_LEVEL");

    return (level == NULL || strcmp(level, "check") == 0) ? 2500
           : (strcmp(level, "fuzz") == 0) ? 500000 : 25000;
}


int
main(void)
{
    char           *source;
    size_t          i, n, size, agreed, same, letters;
    dice_t          dice;
    uint8_t        *data;
    const char     *why, *p;
    static model_t  model;
    miqps_image_t   image;

    n = maps();
    agreed = 0;
    same = 0;

    for (i = 0; i < n; i++) {
        dice_init(&dice, 11, i);
        make_model(&dice, &model);

        source = print_model(&model);
        data = mapped_image(source, &size);

        if (miqps_image_open(&image, data, size, &why) != MIQPS_OK) {
            printf("Bail out! %s\n", why);
            return 1;
        }

        agreed += (size_t) agree(&model, &image, &dice, source);
        same += (size_t) comes_back(&image, data, size);

        free(data);
        free(source);

        if (agreed + same + 20 < 2 * (i + 1)) {
            break;
        }
    }

    printf("%s 1 - %zu look-ups agree with the model\n",
           (agreed == n) ? "ok" : "not ok", n * QUERIES);
    printf("%s 2 - %zu images print as what they are made of\n",
           (same == n) ? "ok" : "not ok", n);

    /* an answer that never came was not tested */

    letters = 0;

    for (p = "-~KCDS"; *p != '\0'; p++) {
        letters += (seen[(unsigned char) *p] > n);
        printf("# %c %zu\n", *p, seen[(unsigned char) *p]);
    }

    printf("%s 3 - every answer came often\n1..3\n",
           (letters == 6) ? "ok" : "not ok");

    return (agreed == n && same == n && letters == 6) ? 0 : 1;
}
