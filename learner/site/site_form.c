
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "map/map_check.h"
#include "miqps_url.h"
#include "site.h"


/* a word that one URL in so many has is a name */

#define LEARN_FORM_NAME   50

#define LEARN_FORM_HOST   255            /* bytes */
#define LEARN_FORM_URL    4096


static int  learn_form_bytes(const miqps_str_t *url);
static int  learn_form_host(const miqps_str_t *given, uint8_t *host);
static int  learn_form_name(learn_token_t *token);
static int  learn_form_path(learn_site_t *site, const miqps_str_t *path,
    uint32_t *parts, uint16_t *n);
static int  learn_form_query(learn_site_t *site, const miqps_str_t *args,
    uint32_t *pairs, uint16_t *n);
static void  learn_form_sort(uint32_t *pairs, size_t n);
static uint8_t  *learn_form_token(const learn_site_t *site, uint8_t *p,
    uint8_t *last, uint32_t token);
static uint8_t  *learn_form_text(uint8_t *p, uint8_t *last, const char *text,
    size_t len);
static void  learn_token_kind(learn_token_t *token);
static int  learn_site_grow(learn_site_t *site, void **list, uint32_t *max,
    uint32_t n, size_t size);
static int  learn_site_rehash(uint32_t **table, uint32_t *mask);


void
learn_site_init(learn_site_t *site)
{
    memset(site, 0, sizeof(learn_site_t));
    learn_arena_init(&site->arena);
}


void
learn_site_release(learn_site_t *site)
{
    learn_arena_release(&site->arena);
    free(site->token_table);
    free(site->shape_table);
    free(site->tokens);
    free(site->forms);
    free(site->given);
    free(site->bare);
    free(site->shapes);
    free(site->sets);
    free(site->heads);
    free(site->names);
    free(site->name_of);
    free(site->neutral);
    free(site->traits);
}


int
learn_site_add(learn_site_t *site, const miqps_str_t *url, uint32_t cluster)
{
    uint16_t       nsegs, nparams;
    uint32_t       segs[LEARN_SITE_SEGMENTS], pairs[2 * LEARN_SITE_PARAMS];
    uint8_t        host[LEARN_FORM_HOST];
    uint32_t       i;
    miqps_url_t    parts;
    learn_form_t  *form;

    if (!learn_form_bytes(url) || miqps_url_split(&parts, url) != MIQPS_OK
        || parts.path.len == 0 || parts.path.data[0] != '/'
        || !learn_form_host(&parts.host, host)
        || !learn_form_path(site, &parts.path, segs, &nsegs)
        || !learn_form_query(site, &parts.args, pairs, &nparams))
    {
        return !site->failed;
    }

    if (!learn_site_grow(site, (void **) &site->forms, &site->max_forms,
                         site->nforms, sizeof(learn_form_t)))
    {
        return 0;
    }

    form = &site->forms[site->nforms];
    memset(form, 0, sizeof(learn_form_t));

    form->host = learn_site_token(site, host, parts.host.len);
    form->origin = form->host;
    form->nsegs = nsegs;
    form->nparams = nparams;
    form->cluster = cluster;
    form->parts = learn_arena_alloc(&site->arena,
                                    (nsegs + 2u * nparams + 1u)
                                    * sizeof(uint32_t));

    if (form->parts == NULL || site->failed) {
        site->failed = 1;
        return 0;
    }

    memcpy(form->parts, segs, nsegs * sizeof(uint32_t));
    memcpy(form->parts + nsegs, pairs, 2u * nparams * sizeof(uint32_t));

    for (i = 0; i < nsegs; i++) {
        site->tokens[segs[i]].urls++;
    }

    learn_site_hash(form);
    site->nforms++;

    return 1;
}


void
learn_site_drop(learn_site_t *site, uint32_t n)
{
    uint32_t             i;
    const learn_form_t  *form;

    while (site->nforms > n) {
        form = &site->forms[--site->nforms];

        for (i = 0; i < form->nsegs; i++) {
            site->tokens[form->parts[i]].urls--;
        }
    }
}


/* what browsers and servers would have escaped is not learned from */

static int
learn_form_bytes(const miqps_str_t *url)
{
    size_t  i;

    for (i = 0; i < url->len; i++) {
        if (url->data[i] <= ' ' || url->data[i] >= 0x7f) {
            return 0;
        }
    }

    return url->len > 0 && url->len < LEARN_FORM_URL;
}


/* in lower case; 0 if no map could have it */

static int
learn_form_host(const miqps_str_t *given, uint8_t *host)
{
    size_t       i;
    miqps_str_t  lower;

    if (given->len == 0 || given->len > LEARN_FORM_HOST) {
        return 0;
    }

    for (i = 0; i < given->len; i++) {
        host[i] = (uint8_t) tolower(given->data[i]);
    }

    lower.data = host;
    lower.len = given->len;

    return learn_check_host(&lower) == NULL;
}


/* 0 if it has too many segments, or no memory */

static int
learn_form_path(learn_site_t *site, const miqps_str_t *path, uint32_t *parts,
    uint16_t *n)
{
    const uint8_t  *p, *last, *end;

    *n = 0;
    p = path->data;
    last = p + path->len;

    while (p < last) {
        p++;
        end = memchr(p, '/', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        if (*n == LEARN_SITE_SEGMENTS) {
            return 0;
        }

        parts[(*n)++] = learn_site_token(site, p, (size_t) (end - p));
        p = end;
    }

    return !site->failed;
}


static int
learn_form_query(learn_site_t *site, const miqps_str_t *args, uint32_t *pairs,
    uint16_t *n)
{
    const uint8_t  *p, *last, *end, *equal;

    *n = 0;
    p = args->data;
    last = (args->len > 0) ? p + args->len : p;

    while (p < last) {
        end = memchr(p, '&', (size_t) (last - p));
        end = (end != NULL) ? end : last;

        if (end > p) {

            if (*n == LEARN_SITE_PARAMS) {
                return 0;
            }

            equal = memchr(p, '=', (size_t) (end - p));
            equal = (equal != NULL) ? equal : end;

            pairs[2 * *n] = learn_site_token(site, p, (size_t) (equal - p));

            if (!learn_form_name(&site->tokens[pairs[2 * *n]])) {
                return 0;
            }

            pairs[2 * *n + 1] = (equal < end)
                ? learn_site_token(site, equal + 1, (size_t) (end - equal - 1))
                : LEARN_NOTHING;
            (*n)++;
        }

        p = end + 1;
    }

    learn_form_sort(pairs, *n);

    return !site->failed;
}


/* 0 if no map could have it, or not in these letters */

static int
learn_form_name(learn_token_t *token)
{
    uint8_t      out[3 * LEARN_FORM_URL];
    miqps_str_t  text, name;

    if (!(token->kind & (LEARN_TOKEN_NAME|LEARN_TOKEN_NO_NAME))) {
        text.data = token->text;
        text.len = token->len;

        token->kind |= (learn_check_name(&text, out, &name) == NULL
                        && miqps_str_eq(&text, &name))
                       ? LEARN_TOKEN_NAME : LEARN_TOKEN_NO_NAME;
    }

    return (token->kind & LEARN_TOKEN_NAME) != 0;
}


/* by the numbers of names; those of one name keep their order */

static void
learn_form_sort(uint32_t *pairs, size_t n)
{
    size_t    i, k;
    uint32_t  name, value;

    for (i = 1; i < n; i++) {
        name = pairs[2 * i];
        value = pairs[2 * i + 1];

        for (k = i; k > 0 && pairs[2 * k - 2] > name; k--) {
            pairs[2 * k] = pairs[2 * k - 2];
            pairs[2 * k + 1] = pairs[2 * k - 1];
        }

        pairs[2 * k] = name;
        pairs[2 * k + 1] = value;
    }
}


void
learn_site_hash(learn_form_t *form)
{
    learn_form_sort(form->parts + form->nsegs, form->nparams);

    form->hash = XXH3_64bits_withSeed(form->parts,
                                      (form->nsegs + 2u * form->nparams)
                                      * sizeof(uint32_t),
                                      (uint64_t) form->host << 32
                                      | form->nsegs);
}


int
learn_form_eq(const learn_form_t *a, const learn_form_t *b)
{
    return a->hash == b->hash && a->host == b->host && a->nsegs == b->nsegs
           && a->nparams == b->nparams
           && memcmp(a->parts, b->parts, (a->nsegs + 2u * a->nparams)
                                         * sizeof(uint32_t)) == 0;
}


int
learn_form_without(const learn_form_t *form, uint32_t gone,
    learn_made_t *made)
{
    uint32_t         k, n;
    const uint32_t  *pairs;

    if (gone == 0) {
        return 0;
    }

    n = form->nsegs;
    pairs = form->parts + form->nsegs;
    memcpy(made->parts, form->parts, n * sizeof(uint32_t));

    for (k = 0; k < form->nparams; k++) {
        if (!(gone >> k & 1)) {
            made->parts[n++] = pairs[2 * k];
            made->parts[n++] = pairs[2 * k + 1];
        }
    }

    made->form = *form;
    made->form.parts = made->parts;
    made->form.nparams = (uint16_t) ((n - form->nsegs) / 2);
    learn_site_hash(&made->form);

    return 1;
}


size_t
learn_site_url(const learn_site_t *site, const learn_form_t *form,
    const char *scheme, uint8_t *out, size_t room)
{
    uint8_t         *p, *last;
    uint32_t         i;
    const uint32_t  *pairs;

    p = out;
    last = out + room;
    pairs = form->parts + form->nsegs;

    p = learn_form_text(p, last, scheme, strlen(scheme));
    p = learn_form_text(p, last, "://", 3);
    p = learn_form_token(site, p, last, form->host);

    for (i = 0; i < form->nsegs; i++) {
        p = learn_form_text(p, last, "/", 1);
        p = learn_form_token(site, p, last, form->parts[i]);
    }

    for (i = 0; i < form->nparams; i++) {
        p = learn_form_text(p, last, (i == 0) ? "?" : "&", 1);
        p = learn_form_token(site, p, last, pairs[2 * i]);

        if (pairs[2 * i + 1] != LEARN_NOTHING) {
            p = learn_form_text(p, last, "=", 1);
            p = learn_form_token(site, p, last, pairs[2 * i + 1]);
        }
    }

    return (p != NULL) ? (size_t) (p - out) : 0;
}


static uint8_t *
learn_form_token(const learn_site_t *site, uint8_t *p, uint8_t *last,
    uint32_t token)
{
    return learn_form_text(p, last, (const char *) site->tokens[token].text,
                           site->tokens[token].len);
}


static uint8_t *
learn_form_text(uint8_t *p, uint8_t *last, const char *text, size_t len)
{
    if (p == NULL || len > (size_t) (last - p)) {
        return NULL;
    }

    memcpy(p, text, len);

    return p + len;
}


/* --- tokens */


uint32_t
learn_site_token(learn_site_t *site, const uint8_t *text, size_t len)
{
    size_t          i, k;
    uint8_t        *copy;
    uint32_t        at, hash, *table;
    learn_token_t  *token;

    if (2 * site->ntokens >= site->token_mask) {
        table = site->token_table;

        if (!learn_site_rehash(&table, &site->token_mask)) {
            site->failed = 1;
            return 0;
        }

        for (i = 0; i < site->ntokens; i++) {
            for (k = XXH32(site->tokens[i].text, site->tokens[i].len, 0)
                     & site->token_mask;
                 table[k] != LEARN_NOTHING; k = (k + 1) & site->token_mask)
            {
                /* void */
            }

            table[k] = (uint32_t) i;
        }

        free(site->token_table);
        site->token_table = table;
    }

    hash = XXH32((len > 0) ? text : (const uint8_t *) "", len, 0);

    for (i = hash & site->token_mask; /* void */ ;
         i = (i + 1) & site->token_mask)
    {
        at = site->token_table[i];

        if (at == LEARN_NOTHING) {
            break;
        }

        if (site->tokens[at].len == len
            && (len == 0 || memcmp(site->tokens[at].text, text, len) == 0))
        {
            return at;
        }
    }

    copy = learn_arena_alloc(&site->arena, len + 1);

    if (copy == NULL
        || !learn_site_grow(site, (void **) &site->tokens, &site->max_tokens,
                            site->ntokens, sizeof(learn_token_t)))
    {
        site->failed = 1;
        return 0;
    }

    if (len > 0) {
        memcpy(copy, text, len);
    }

    token = &site->tokens[site->ntokens];
    memset(token, 0, sizeof(learn_token_t));

    token->text = copy;
    token->len = (uint32_t) len;
    learn_token_kind(token);

    site->token_table[i] = site->ntokens;

    return site->ntokens++;
}


/* a table of twice the size, and nothing in it; the old one stays */

static int
learn_site_rehash(uint32_t **table, uint32_t *mask)
{
    uint32_t   size, *larger;

    size = (*mask == 0) ? 1024 : 2 * (*mask + 1);
    larger = malloc(size * sizeof(uint32_t));

    if (larger == NULL) {
        return 0;
    }

    memset(larger, 0xff, size * sizeof(uint32_t));

    *table = larger;
    *mask = size - 1;

    return 1;
}


static void
learn_token_kind(learn_token_t *token)
{
    int      hex, plain;
    size_t   i, digits, letters, others;
    uint8_t  c;

    hex = 1;
    plain = 1;
    digits = 0;
    letters = 0;
    others = 0;

    for (i = 0; i < token->len; i++) {
        c = token->text[i];

        if (isdigit(c)) {
            digits++;
            token->tail++;
            continue;
        }

        token->tail = 0;
        hex &= (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
        plain &= isalpha(c) || c == '-' || c == '_' || c == '~';

        if (isalpha(c)) {
            letters++;

        } else if (c == '.' && i > 0 && i < 255) {
            token->dot = (uint8_t) i;

        } else {
            others += (c == '-' || c == '_' || c == '%' || c == '+'
                       || c == ',');
        }
    }

    if (token->len > 255) {
        token->tail = 0;
    }

    if (digits > 0 && digits == token->len) {
        token->kind |= LEARN_TOKEN_DIGITS;
    }

    if (hex && token->len >= 8 && digits > 0 && letters > 0) {
        token->kind |= LEARN_TOKEN_HEX;
    }

    if (plain && token->len > 0) {
        token->kind |= LEARN_TOKEN_PLAIN;
    }

    if ((digits > 0 && (3 * digits >= letters || digits >= 4)) || others >= 3
        || token->len > 40)
    {
        token->kind |= LEARN_TOKEN_VALUE;
    }
}


/* --- shapes */


/* what a segment is where values are open */

uint32_t
learn_site_atom(const learn_site_t *site, uint32_t token)
{
    const learn_token_t  *one;

    one = &site->tokens[token];

    if (one->len == 0) {
        return token;
    }

    return ((one->kind & LEARN_TOKEN_VALUE)
            || (uint64_t) one->urls * LEARN_FORM_NAME < site->nforms)
           ? LEARN_ATOM_STAR : token;
}


int
learn_site_fits(const learn_site_t *site, uint32_t atom, uint32_t token)
{
    const learn_token_t  *one, *stem;

    one = &site->tokens[token];

    switch (atom) {

    case LEARN_ATOM_STAR:
        return one->len > 0;

    case LEARN_ATOM_DIGITS:
        return (one->kind & LEARN_TOKEN_DIGITS) != 0;

    case LEARN_ATOM_HEX:
        return (one->kind & LEARN_TOKEN_HEX) != 0;

    default:
        break;
    }

    if (!(atom & LEARN_ATOM_COUNT)) {
        return atom == token;
    }

    stem = &site->tokens[atom & ~LEARN_ATOM_COUNT];

    return one->tail > 0 && one->len - one->tail == stem->len
           && memcmp(one->text, stem->text, stem->len) == 0;
}


uint32_t
learn_site_shape(learn_site_t *site, const learn_form_t *form)
{
    size_t               i, k;
    uint32_t             at, *table, atoms[LEARN_SITE_SEGMENTS];
    uint64_t             hash;
    learn_site_shape_t  *shape;

    for (i = 0; i < form->nsegs; i++) {
        atoms[i] = learn_site_atom(site, form->parts[i]);
    }

    if (2 * site->nshapes >= site->shape_mask) {
        table = site->shape_table;

        if (!learn_site_rehash(&table, &site->shape_mask)) {
            site->failed = 1;
            return 0;
        }

        for (i = 0; i < site->nshapes; i++) {
            for (k = site->shapes[i].hash & site->shape_mask;
                 table[k] != LEARN_NOTHING; k = (k + 1) & site->shape_mask)
            {
                /* void */
            }

            table[k] = (uint32_t) i;
        }

        free(site->shape_table);
        site->shape_table = table;
    }

    hash = XXH3_64bits(atoms, form->nsegs * sizeof(uint32_t));

    for (i = hash & site->shape_mask; /* void */ ;
         i = (i + 1) & site->shape_mask)
    {
        at = site->shape_table[i];

        if (at == LEARN_NOTHING) {
            break;
        }

        shape = &site->shapes[at];

        if (shape->n == form->nsegs
            && memcmp(shape->atoms, atoms, shape->n * sizeof(uint32_t)) == 0)
        {
            return at;
        }
    }

    if (!learn_site_grow(site, (void **) &site->shapes, &site->max_shapes,
                         site->nshapes, sizeof(learn_site_shape_t)))
    {
        return 0;
    }

    shape = &site->shapes[site->nshapes];
    memset(shape, 0, sizeof(learn_site_shape_t));
    memcpy(shape->atoms, atoms, form->nsegs * sizeof(uint32_t));
    shape->n = form->nsegs;
    shape->hash = hash;

    site->shape_table[i] = site->nshapes;

    return site->nshapes++;
}


/* looked up one by one, the last ones first: there are not many */

uint32_t
learn_site_set(learn_site_t *site, const learn_form_t *form)
{
    uint32_t           i, n, names[LEARN_SITE_PARAMS];
    uint64_t           hash;
    const uint32_t    *pairs;
    learn_site_set_t  *set;

    pairs = form->parts + form->nsegs;
    n = 0;

    for (i = 0; i < form->nparams; i++) {
        if (n == 0 || names[n - 1] != pairs[2 * i]) {
            names[n++] = pairs[2 * i];
        }
    }

    hash = XXH3_64bits(names, n * sizeof(uint32_t));

    for (i = site->nsets; i-- > 0; /* void */ ) {
        set = &site->sets[i];

        if (set->hash == hash && set->n == n
            && memcmp(set->names, names, n * sizeof(uint32_t)) == 0)
        {
            return i;
        }
    }

    if (!learn_site_grow(site, (void **) &site->sets, &site->max_sets,
                         site->nsets, sizeof(learn_site_set_t)))
    {
        return 0;
    }

    set = &site->sets[site->nsets];
    set->names = learn_arena_alloc(&site->arena, (n + 1) * sizeof(uint32_t));
    set->n = n;
    set->hash = hash;

    if (set->names == NULL) {
        site->failed = 1;
        return 0;
    }

    memcpy(set->names, names, n * sizeof(uint32_t));

    return site->nsets++;
}


static int
learn_site_grow(learn_site_t *site, void **list, uint32_t *max, uint32_t n,
    size_t size)
{
    void      *longer;
    uint32_t   more;

    if (n < *max) {
        return 1;
    }

    more = (*max == 0) ? 1024 : 2 * *max;
    longer = realloc(*list, more * size);

    if (longer == NULL) {
        site->failed = 1;
        return 0;
    }

    *list = longer;
    *max = more;

    return 1;
}
