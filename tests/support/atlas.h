
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _ATLAS_H_INCLUDED_
#define _ATLAS_H_INCLUDED_


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dice.h"


/*
 * Small maps and URLs by chance, and a model of what a map says of a URL.  It
 * knows nothing of images: it goes through the map as it was written down.
 *
 * A file that includes this defines _GNU_SOURCE before anything else.
 */

#define ATLAS_MAX_HOSTS     6
#define ATLAS_MAX_PATTERNS  12
#define ATLAS_MAX_MIRRORS   2
#define ATLAS_MAX_PARAMS    9
#define ATLAS_MAX_CLOSED    160       /* patterns with those that are added */

#define atlas_count(a)  (sizeof(a) / sizeof((a)[0]))

#define atlas_pick(dice, list)                                               \
    (list)[dice_below(dice, atlas_count(list))]


/* those of generate.h, so that its rules speak of them too */

static const char *const  atlas_names[] = {
    "a", "b", "id", "utm_source", "utm_medium", "eightbyt", "eightbyt_nine",
    "same_ends_1_same_ends", "same_ends_2_same_ends", "a[]", "a%20b", "a_b",
    "page", ""
};


/* the map has none of these */

static const char *const  atlas_strangers[] = { "z", "utm_sourcf", "A" };


static const char *const  atlas_own_hosts[] = {
    "a.example", "b.a.example", "c.b.a.example", "*.a.example",
    "*.b.a.example", "*.c.b.a.example", "d.example", "e.example"
};


static const char *const  atlas_mirrors[] = {
    "m.example", "n.example", "m.a.example", "x.b.a.example"
};


static const char *const  atlas_asked_hosts[] = {
    "a.example", "b.a.example", "c.b.a.example", "x.a.example",
    "y.b.a.example", "z.y.c.b.a.example", "d.example", "e.example",
    "m.example", "n.example", "m.a.example", "x.b.a.example", "example",
    "aa.example", "x.d.example"
};


static const char *const  atlas_shapes[] = {
    "", "", "", "/p", "/p/*", "/*", "/*/x", "/p/x", "/p/*/", "/*/*", "/"
};


static const char *const  atlas_paths[] = {
    "/", "/p", "/p/x", "/p/y", "/q/x", "/p/x/", "/q", "/p/", "/q/r/s", ""
};


static const char *const  atlas_values[] = { "1", "2", "", "a%2Fb" };


typedef struct {
    unsigned        names;              /* bits */
    unsigned        keep;
    unsigned        client;
    const char     *defaults[atlas_count(atlas_names)];
    const char     *shape;              /* or "" */
} atlas_pattern_t;


typedef struct {
    const char     *host;
    const char     *mirrors[ATLAS_MAX_MIRRORS];
    size_t          nmirrors;
    atlas_pattern_t patterns[ATLAS_MAX_PATTERNS];
    size_t          npatterns;
} atlas_host_t;


typedef struct {
    atlas_host_t    hosts[ATLAS_MAX_HOSTS];
    size_t          n;
} atlas_t;


typedef struct {
    int             name;               /* -1 for one that is in no map */
    const char     *value;              /* or NULL */
} atlas_param_t;


typedef struct {
    const char     *host;
    const char     *path;
    atlas_param_t   params[ATLAS_MAX_PARAMS];
    size_t          n;
    char            below[64];
    char            shaped[64];
    char            text[1024];
} atlas_query_t;


/* --- maps */

static inline int
atlas_is_taken(const atlas_t *atlas, const char *host)
{
    size_t  i, k;

    for (i = 0; i < atlas->n; i++) {

        if (strcmp(atlas->hosts[i].host, host) == 0) {
            return 1;
        }

        for (k = 0; k < atlas->hosts[i].nmirrors; k++) {
            if (strcmp(atlas->hosts[i].mirrors[k], host) == 0) {
                return 1;
            }
        }
    }

    return 0;
}


static inline void
atlas_make_pattern(dice_t *dice, atlas_host_t *host, unsigned neutral)
{
    size_t            i;
    atlas_pattern_t  *p;

    p = &host->patterns[host->npatterns];
    memset(p, 0, sizeof(atlas_pattern_t));

    do {
        p->names = (unsigned) (dice_next(dice) & dice_next(dice))
                   & ((1u << atlas_count(atlas_names)) - 1);
    } while (p->names == 0);

    p->shape = atlas_pick(dice, atlas_shapes);

    /* now and then just what another one leaves, on its paths */

    if (host->npatterns > 0 && dice_once_in(dice, 3)
        && p[-1].keep != 0 && p[-1].keep != p[-1].names)
    {
        p->names = p[-1].keep;
        p->shape = p[-1].shape;
    }

    p->keep = (unsigned) dice_next(dice) & p->names & ~neutral;

    if (dice_once_in(dice, 4)) {
        p->client = (unsigned) dice_next(dice) & p->names & ~p->keep
                    & ~neutral;
    }

    for (i = 0; i < atlas_count(atlas_names); i++) {
        if ((p->keep & 1u << i) && dice_once_in(dice, 4)) {
            p->defaults[i] = atlas_pick(dice, atlas_values);
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


static inline void
atlas_make(dice_t *dice, atlas_t *atlas)
{
    size_t         i, k, n, patterns;
    unsigned       neutral;
    const char    *name;
    atlas_host_t  *host;

    memset(atlas, 0, sizeof(atlas_t));

    n = 1 + dice_below(dice, ATLAS_MAX_HOSTS);

    for (i = 0; i < n; i++) {
        name = atlas_pick(dice, atlas_own_hosts);

        if (atlas_is_taken(atlas, name)) {
            continue;
        }

        host = &atlas->hosts[atlas->n++];
        host->host = name;

        for (k = dice_below(dice, ATLAS_MAX_MIRRORS + 1); k > 0; k--) {
            name = atlas_pick(dice, atlas_mirrors);

            if (!atlas_is_taken(atlas, name)) {
                host->mirrors[host->nmirrors++] = name;
            }
        }

        patterns = dice_below(dice, ATLAS_MAX_PATTERNS + 1);
        neutral = (unsigned) (dice_next(dice) & dice_next(dice));

        for (k = 0; k < patterns; k++) {
            atlas_make_pattern(dice, host, neutral);
        }
    }
}


static inline void
atlas_print_list(FILE *out, const char *key, unsigned mask, int backwards)
{
    size_t  i, k;

    fprintf(out, "\"%s\":[", key);

    for (i = 0; i < atlas_count(atlas_names); i++) {
        k = backwards ? atlas_count(atlas_names) - 1 - i : i;

        if (mask & 1u << k) {
            mask &= ~(1u << k);
            fprintf(out, "\"%s\"%s", atlas_names[k], (mask != 0) ? "," : "");
        }
    }

    fputc(']', out);
}


static inline void
atlas_print_pattern(FILE *out, const atlas_pattern_t *p, int backwards)
{
    size_t       i;
    const char  *comma;

    fputc('{', out);
    atlas_print_list(out, "params", p->names, backwards);
    fputc(',', out);
    atlas_print_list(out, "keep", p->keep, !backwards);
    fputc(',', out);
    atlas_print_list(out, "client", p->client, backwards);
    fputs(",\"defaults\":{", out);

    comma = "";

    for (i = 0; i < atlas_count(atlas_names); i++) {
        if (p->defaults[i] != NULL) {
            fprintf(out, "%s\"%s\":\"%s\"", comma, atlas_names[i],
                    p->defaults[i]);
            comma = ",";
        }
    }

    fputc('}', out);

    if (p->shape[0] != '\0') {
        fprintf(out, ",\"path\":\"%s\"", p->shape);
    }

    fputc('}', out);
}


static inline char *
atlas_print(const atlas_t *atlas)
{
    char                *text;
    FILE                *out;
    size_t               i, k, len;
    const atlas_host_t  *host;

    out = open_memstream(&text, &len);

    for (i = 0; i < atlas->n; i++) {
        host = &atlas->hosts[i];

        fprintf(out, "{\"host\":\"%s\",\"hosts\":[", host->host);

        for (k = 0; k < host->nmirrors; k++) {
            fprintf(out, "%s\"%s\"", (k > 0) ? "," : "", host->mirrors[k]);
        }

        fputs("],\"patterns\":[", out);

        for (k = 0; k < host->npatterns; k++) {
            fputs((k > 0) ? "," : "", out);
            atlas_print_pattern(out, &host->patterns[k], (int) k & 1);
        }

        fputs("]}\n", out);
    }

    fclose(out);

    return text;
}


/* --- URLs */

static inline unsigned  atlas_neutral(const atlas_host_t *host);


/* a path of a shape */

static inline void
atlas_make_path(const char *shape, atlas_query_t *q)
{
    size_t  i;

    for (i = 0; shape[i] != '\0'; i++) {
        q->shaped[i] = (shape[i] == '*') ? 'x' : shape[i];
    }

    q->shaped[i] = '\0';
    q->path = q->shaped;
}


static inline void
atlas_make_text(dice_t *dice, atlas_query_t *q)
{
    size_t          i, len;
    const char     *name;
    atlas_param_t  *param;

    len = 0;
    q->text[0] = '\0';

    for (i = 0; i < q->n; i++) {
        param = &q->params[i];
        name = (param->name < 0) ? atlas_strangers[-1 - param->name]
                                 : atlas_names[param->name];
        param->value = (dice_once_in(dice, 5) && name[0] != '\0')
                       ? NULL : atlas_pick(dice, atlas_values);

        len += (size_t) snprintf(q->text + len, sizeof(q->text) - len,
                                 "%s%s%s%s", (i > 0) ? "&" : "", name,
                                 (param->value != NULL) ? "=" : "",
                                 (param->value != NULL) ? param->value : "");
    }
}


/* most of them have the names of a pattern, perhaps with others */

static inline void
atlas_make_query(dice_t *dice, const atlas_t *atlas, atlas_query_t *q)
{
    size_t                  i, k;
    unsigned                mask;
    atlas_param_t           swap;
    const atlas_host_t     *host;
    const atlas_pattern_t  *p;

    q->host = atlas_pick(dice, atlas_asked_hosts);
    q->path = atlas_pick(dice, atlas_paths);
    q->n = 0;

    mask = (unsigned) (dice_next(dice) & dice_next(dice));
    host = &atlas->hosts[dice_below(dice, atlas->n)];

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
            mask |= atlas_neutral(host) & (unsigned) dice_next(dice);
        }

        if (p->shape[0] != '\0' && !dice_once_in(dice, 4)) {
            atlas_make_path(p->shape, q);
        }
    }

    for (i = 0;
         i < atlas_count(atlas_names) && q->n < ATLAS_MAX_PARAMS - 2;
         i++)
    {
        if (mask & 1u << i) {
            q->params[q->n++].name = (int) i;
        }
    }

    if (q->n > 0 && dice_once_in(dice, 4)) {
        swap = q->params[dice_below(dice, q->n)];
        q->params[q->n++] = swap;
    }

    if (dice_once_in(dice, 12)) {
        q->params[q->n++].name = -1 - (int) dice_below(dice,
                                              atlas_count(atlas_strangers));
    }

    /* in no order */

    for (i = 0; i < q->n; i++) {
        k = dice_below(dice, q->n);
        swap = q->params[i];
        q->params[i] = q->params[k];
        q->params[k] = swap;
    }

    atlas_make_text(dice, q);
}


/* --- the model */

static inline const atlas_host_t *
atlas_host(const atlas_t *atlas, const char *name)
{
    size_t       i, k;
    const char  *dot;

    for (i = 0; i < atlas->n; i++) {

        if (strcmp(atlas->hosts[i].host, name) == 0) {
            return &atlas->hosts[i];
        }

        for (k = 0; k < atlas->hosts[i].nmirrors; k++) {
            if (strcmp(atlas->hosts[i].mirrors[k], name) == 0) {
                return &atlas->hosts[i];
            }
        }
    }

    for (dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        for (i = 0; i < atlas->n; i++) {
            if (atlas->hosts[i].host[0] == '*'
                && strcmp(atlas->hosts[i].host + 1, dot) == 0)
            {
                return &atlas->hosts[i];
            }
        }
    }

    return NULL;
}


/* takes the next segment, from its slash on, off a path */

static inline size_t
atlas_segment(const char *path)
{
    return (*path == '\0') ? 0 : 1 + strcspn(path + 1, "/");
}


/* -1: no match; else bits of the literal segments, above all others */

static inline long
atlas_shape(const char *shape, const char *path)
{
    long    literals;
    size_t  s, p, n;

    if (*shape == '\0') {
        return 0;
    }

    literals = 1L << 40;

    for (n = 0; *shape != '\0' || *path != '\0'; n++) {
        s = atlas_segment(shape);
        p = atlas_segment(path);

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


/* all paths of two are of one, and not the other way round */

static inline int
atlas_covers(const atlas_pattern_t *one, const atlas_pattern_t *two)
{
    return strcmp(one->shape, two->shape) != 0 && *two->shape != '\0'
           && atlas_shape(one->shape, two->shape) >= 0;
}


/* a name, or its value, is in a pattern and goes, and stays in the other one */

static inline int
atlas_loses(const atlas_pattern_t *p, const atlas_pattern_t *keeps, size_t i)
{
    if (!(p->names & keeps->keep & 1u << i)) {
        return (p->names & keeps->client & ~p->keep & ~p->client & 1u << i)
               != 0;
    }

    return !(p->keep & 1u << i)
           || (p->defaults[i] != NULL
               && (keeps->defaults[i] == NULL
                   || strcmp(p->defaults[i], keeps->defaults[i]) != 0));
}


/* what two say of a name, where a name that stays stays */

static inline void
atlas_add(atlas_pattern_t *p, const atlas_pattern_t *other, size_t i)
{
    unsigned  bit;

    bit = 1u << i;

    if (p->keep & other->keep & bit) {
        if (p->defaults[i] == NULL || other->defaults[i] == NULL
            || strcmp(p->defaults[i], other->defaults[i]) != 0)
        {
            p->defaults[i] = NULL;
        }

    } else if (other->keep & p->names & bit) {
        p->keep |= bit;
        p->client &= ~bit;
        p->defaults[i] = other->defaults[i];

    } else if (!(p->keep & bit)) {
        p->client |= other->client & p->names & bit;
    }
}


/*
 * What is said of the names of all[k] on the path of all[t]: what those say
 * that cover it, and what is kept there.  0 if nothing goes, of what the map
 * said itself, that is kept there.
 */

static inline int
atlas_precise(const atlas_pattern_t *all, size_t own, size_t n, size_t k,
    size_t t, atlas_pattern_t *made)
{
    int     loses;
    size_t  i, j, m;

    loses = 0;
    memset(made, 0, sizeof(atlas_pattern_t));

    for (i = 0; i < n; i++) {
        if (all[i].names != all[k].names || !atlas_covers(&all[i], &all[t])) {
            continue;
        }

        if (made->names == 0) {
            *made = all[i];
        }

        for (m = 0; m < atlas_count(atlas_names); m++) {
            atlas_add(made, &all[i], m);

            for (j = 0; j < n && i < own; j++) {
                loses |= strcmp(all[j].shape, all[t].shape) == 0
                         && atlas_loses(&all[i], &all[j], m);
            }
        }
    }

    made->shape = all[t].shape;

    for (j = 0; j < n; j++) {
        for (m = 0; m < atlas_count(atlas_names)
                    && strcmp(all[j].shape, all[t].shape) == 0; m++)
        {
            atlas_add(made, &all[j], m);
        }
    }

    return loses;
}


/* the patterns of a host with those that more precise paths ask for */

static inline size_t
atlas_close(const atlas_host_t *host, atlas_pattern_t *all)
{
    int              more;
    size_t           i, k, t, n, own;
    atlas_pattern_t  made;

    own = n = host->npatterns;
    memcpy(all, host->patterns, n * sizeof(atlas_pattern_t));

    do {
        more = 0;

        for (k = 0; k < own; k++) {
            for (t = 0; t < own; t++) {

                if (*all[t].shape == '\0'
                    || !atlas_precise(all, own, n, k, t, &made))
                {
                    continue;
                }

                for (i = 0; i < n; i++) {
                    if (all[i].names == made.names
                        && strcmp(all[i].shape, made.shape) == 0)
                    {
                        break;
                    }
                }

                if (i == n) {
                    all[n++] = made;
                    more = 1;

                } else if (i >= own && memcmp(&all[i], &made, sizeof(made))) {
                    all[i] = made;
                    more = 1;
                }
            }
        }
    } while (more);

    return n;
}


static inline unsigned
atlas_neutral(const atlas_host_t *host)
{
    size_t           i, k, n;
    unsigned         once, twice, kept;
    atlas_pattern_t  all[ATLAS_MAX_CLOSED];

    once = twice = kept = 0;
    n = atlas_close(host, all);

    for (i = 0; i < n; i++) {
        kept |= all[i].keep | all[i].client;

        for (k = 0; k < n; k++) {
            if (all[k].names == all[i].names && atlas_covers(&all[k], &all[i]))
            {
                break;
            }
        }

        if (k == n) {
            twice |= once & all[i].names;
            once |= all[i].names;
        }
    }

    return twice & ~kept;
}


/* what a pattern says of a parameter, the lower the stronger */

static inline size_t
atlas_says(const atlas_pattern_t *p, const atlas_query_t *q, size_t i)
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


static const char  atlas_strength[] = "KCDS";


/*
 * The letters of mapped_look(): K kept, C for clients, D a default, S stripped
 */

static inline void
atlas_look(const atlas_t *atlas, const atlas_query_t *q, char *out)
{
    int                     similar, stranger;
    long                    literals[ATLAS_MAX_CLOSED];
    size_t                  i, k, n, says, matches, npatterns;
    unsigned                set, neutral;
    atlas_pattern_t         patterns[ATLAS_MAX_CLOSED];
    const atlas_host_t     *host;
    const atlas_pattern_t  *p;

    host = atlas_host(atlas, q->host);
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

    neutral = atlas_neutral(host);
    npatterns = atlas_close(host, patterns);
    matches = 0;

    for (similar = 0; similar < 2 && matches == 0; similar++) {
        for (i = 0; i < npatterns; i++) {
            p = &patterns[i];
            literals[i] = -1;

            if (similar ? ((p->names & ~set) == 0
                           && ((p->names ^ set) & ~neutral) == 0)
                        : p->names == set)
            {
                literals[i] = atlas_shape(p->shape, q->path);
            }

            matches += (literals[i] >= 0);
        }
    }

    if (matches == 0) {
        return;
    }

    /* one that another is more precise than does not count */

    for (i = 0; i < npatterns; i++) {
        for (k = 0; k < npatterns && literals[i] >= 0; k++) {
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

        for (i = 0; i < npatterns; i++) {
            if (literals[i] >= 0
                && atlas_says(&patterns[i], q, n) < says)
            {
                says = atlas_says(&patterns[i], q, n);
            }
        }

        *out++ = atlas_strength[says];
    }

    *out = '\0';
}


#endif /* _ATLAS_H_INCLUDED_ */
