
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <math.h>
#include <string.h>

#include "site.h"


/* identity keys, trackers, a session, and the print view twice */

#define SITE_MAX_PARAMS  (SITE_MAX_KEYS + SITE_MAX_TRACKERS + 3)


typedef struct {
    char        text[SITE_MAX_URL];
    size_t      n;
    char        params[SITE_MAX_PARAMS][200];
    size_t      nparams;
} site_form_t;


static void  site_draw(const site_t *site, dice_t *dice,
    const site_page_t *page, site_operation_e operation,
    site_variant_t *variant);
static void  site_apply(const site_t *site, dice_t *dice,
    const site_page_t *page, site_operation_e operation,
    site_variant_t *variant);
static uint64_t  site_draw_tracker(const site_t *site, dice_t *dice,
    size_t n);
static uint64_t  site_visitor(const site_t *site, dice_t *dice);
static void  site_put(site_form_t *form, const char *text);
static void  site_param(site_form_t *form, const char *name,
    const char *value);
static void  site_value(const site_t *site, const site_page_t *page,
    size_t k, char *out);
static void  site_host(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, site_form_t *form);
static void  site_path(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, site_form_t *form);
static void  site_query(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, site_form_t *form);
static void  site_noise(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, site_form_t *form);
static void  site_join(const site_variant_t *variant, site_form_t *form);
static void  site_hex(uint64_t number, char *out);
static int  site_has(const site_variant_t *variant, site_operation_e o);


/* --- pages */

/* Zipf: what comes r-th is drawn with odds of 1/r; of ids none is preferred */

static uint32_t
site_draw_value(const site_key_t *key, int id, dice_t *dice)
{
    if (id || key->pool >= SITE_IDS) {
        return (uint32_t) dice_below(dice, key->pool);
    }

    return (uint32_t) (pow(key->pool, site_chance(dice)) - 1);
}


void
site_page(const site_t *site, dice_t *dice, site_page_t *page,
    site_page_t *items)
{
    size_t              i;
    double              left, total;
    site_page_t        *item;
    const site_kind_t  *kind;

    memset(page, 0, sizeof(site_page_t));

    total = 0;

    for (i = 0; i < site->nkinds; i++) {
        total += site->kinds[i].weight;
    }

    left = site_chance(dice) * total;

    for (i = 0; i < site->nkinds - 1; i++) {
        left -= site->kinds[i].weight;

        if (left < 0) {
            break;
        }
    }

    page->kind = (uint32_t) i;
    kind = &site->kinds[i];
    item = &items[SITE_ITEMS * i + dice_below(dice, SITE_ITEMS)];

    for (i = 0; i < kind->nkeys; i++) {
        page->values[i] = site_draw_value(&kind->keys[i], (int) i == kind->id,
                                          dice);
    }

    /* another page of an item differs in what is not the item's */

    if (item->drawn && site_chance(dice) < site->knobs.items) {
        for (i = 0; i < kind->nkeys; i++) {
            if (!kind->keys[i].sub) {
                page->values[i] = item->values[i];
            }
        }

        page->owner = item->owner;
    }

    *item = *page;
    item->drawn = 1;

    if (site->traps >> SITE_TRAP_LANGUAGE & 1) {
        page->owner = (uint32_t) dice_below(dice, 3);

    } else if (site->traps >> SITE_TRAP_OWNERS & 1) {
        page->owner = (uint32_t) (pow(40, site_chance(dice)) - 1);
    }

    if ((int) page->kind == site->trap_kind) {
        if (site->traps >> SITE_TRAP_DIRECTORY & 1) {
            page->view = (uint32_t) dice_below(dice, 4);
        }

        if (site->traps >> SITE_TRAP_PRINT & 1) {
            page->print = (uint32_t) dice_below(dice, 2);
        }
    }
}


uint64_t
site_identity(const site_t *site, const site_page_t *page)
{
    size_t    i;
    dice_t    dice;
    uint64_t  hash;

    dice_init(&dice, site->seed + page->kind,
              16 * page->owner + 2 * page->view + page->print);
    hash = dice_next(&dice);

    for (i = 0; i < site->kinds[page->kind].nkeys; i++) {
        dice_init(&dice, hash, page->values[i]);
        hash = dice_next(&dice);
    }

    return hash;
}


/* --- variants */

void
site_first(const site_t *site, dice_t *dice, const site_page_t *page,
    site_variant_t *variant)
{
    size_t  i;

    memset(variant, 0, sizeof(site_variant_t));

    for (i = 0; i < SITE_OPERATIONS; i++) {
        if (site->kinds[page->kind].operations >> i & 1) {
            site_draw(site, dice, page, (site_operation_e) i, variant);
        }
    }
}


/* one operation is drawn anew */

void
site_vary(const site_t *site, dice_t *dice, const site_page_t *page,
    site_variant_t *variant)
{
    size_t    i, n;
    uint32_t  operations;

    operations = site->kinds[page->kind].operations;
    n = 0;

    for (i = 0; i < SITE_OPERATIONS; i++) {
        n += operations >> i & 1;
    }

    n = dice_below(dice, n);

    for (i = 0; i < SITE_OPERATIONS; i++) {
        if ((operations >> i & 1) && n-- == 0) {
            break;
        }
    }

    /* of several trackers one, so that a single key differs */

    if (i == SITE_TRACKER && site_has(variant, SITE_TRACKER)
        && !dice_once_in(dice, 4))
    {
        i = dice_below(dice, site->ntrackers);
        variant->tracker[i] = site_draw_tracker(site, dice, i);
        return;
    }

    site_draw(site, dice, page, (site_operation_e) i, variant);
}


static uint64_t
site_draw_tracker(const site_t *site, dice_t *dice, size_t n)
{
    return 1 + ((site->sources[n] > 0) ? dice_below(dice, site->sources[n])
                                       : site_visitor(site, dice) >> 20);
}


/* who visits looks at some pages, with one session and from one place */

#define SITE_VISIT  200


static uint64_t
site_visitor(const site_t *site, dice_t *dice)
{
    dice_t  visitor;

    dice_init(&visitor, site->seed + site->number,
              dice_below(dice, site->urls / SITE_VISIT + 1));

    return dice_next(&visitor);
}


static void
site_draw(const site_t *site, dice_t *dice, const site_page_t *page,
    site_operation_e operation, site_variant_t *variant)
{
    variant->applied &= ~(1u << operation);

    if (operation == SITE_TRACKER) {
        memset(variant->tracker, 0, sizeof(variant->tracker));
    }

    if (site_chance(dice) < site->rate[operation]) {
        site_apply(site, dice, page, operation, variant);
    }
}


void
site_more(const site_t *site, dice_t *dice, const site_page_t *page,
    site_variant_t *variant)
{
    size_t    i, n;
    uint32_t  operations;

    operations = site->kinds[page->kind].operations & SITE_ENDLESS;

    for (i = 0, n = 0; i < SITE_OPERATIONS; i++) {
        n += operations >> i & 1;
    }

    n = dice_below(dice, n);

    for (i = 0; i < SITE_OPERATIONS; i++) {
        if ((operations >> i & 1) && n-- == 0) {
            site_apply(site, dice, page, (site_operation_e) i, variant);
            return;
        }
    }
}


static void
site_apply(const site_t *site, dice_t *dice, const site_page_t *page,
    site_operation_e operation, site_variant_t *variant)
{
    size_t  i;

    variant->applied |= 1u << operation;

    switch (operation) {

    case SITE_SESSION:
    case SITE_MATRIX:
        variant->session = site_visitor(site, dice);
        break;

    case SITE_SESSION_PATH:
        variant->session_path = site_visitor(site, dice);
        break;

    case SITE_TRACKER:
        do {
            i = dice_below(dice, site->ntrackers);
            variant->tracker[i] = site_draw_tracker(site, dice, i);
        } while (site_chance(dice) < site->knobs.each);

        break;

    case SITE_MIRROR:
        variant->mirror = 1 + (uint32_t) dice_below(dice, site->mirrors);
        break;

    case SITE_ARCHIVE:
        variant->archive = 1 + (uint32_t) dice_below(dice, site->archives);
        break;

    case SITE_SLUG:
        variant->slug = 1 + (uint32_t) dice_below(dice, 1000);
        break;

    case SITE_ORDER:
        variant->order = 1 + (uint32_t) dice_below(dice, 1000);
        break;

    case SITE_DEFAULT:
        for (i = 0; i < site->kinds[page->kind].nkeys; i++) {
            if (site->kinds[page->kind].keys[i].page && page->values[i] == 0) {
                return;
            }
        }

        variant->applied &= ~(1u << operation);
        break;

    default:
        break;
    }
}


/* --- URLs */

size_t
site_url(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, char *out)
{
    site_form_t  form;

    form.n = 0;
    form.nparams = 0;

    site_host(site, page, variant, &form);

    site_path(site, page, variant, &form);
    site_query(site, page, variant, &form);
    site_noise(site, page, variant, &form);
    site_join(variant, &form);

    memcpy(out, form.text, form.n + 1);

    return form.n;
}


static void
site_put(site_form_t *form, const char *text)
{
    size_t  len;

    len = strlen(text);

    if (form->n + len < sizeof(form->text)) {
        memcpy(form->text + form->n, text, len + 1);
        form->n += len;
    }
}


static void
site_param(site_form_t *form, const char *name, const char *value)
{
    (void) snprintf(form->params[form->nparams++], sizeof(form->params[0]),
                    "%s=%s", name, value);
}


static void
site_value(const site_t *site, const site_page_t *page, size_t k, char *out)
{
    uint32_t            value;
    dice_t              dice;
    const site_key_t   *key;
    const site_kind_t  *kind;

    kind = &site->kinds[page->kind];
    key = &kind->keys[k];
    value = page->values[k];

    if (key->hash) {
        dice_init(&dice, site->seed + k, value);
        site_hex(dice_next(&dice), out);

    } else if (key->words) {
        value += ((int) k != kind->id) ? 10000 + 1000 * (uint32_t) k : 0;
        (void) site_word(20000 + (uint64_t) value, out);

        if ((int) k == kind->id) {
            (void) snprintf(out + strlen(out), 16, "-%u", value);
        }

    } else {
        (void) snprintf(out, 24, "%u", value + 1);
    }
}


static void
site_host(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, site_form_t *form)
{
    char  word[24], text[64];

    static const char  *languages[] = { "www", "de", "fr" };

    site_put(form, "http://");

    if (page->owner > 0 && (site->traps >> SITE_TRAP_LANGUAGE & 1)) {
        (void) snprintf(text, sizeof(text), "%s.", languages[page->owner % 3]);

    } else if (site->traps >> SITE_TRAP_OWNERS & 1
               && !(site->traps >> SITE_TRAP_LANGUAGE & 1))
    {
        (void) site_word(900 + page->owner, word);
        (void) snprintf(text, sizeof(text), "%s.", word);

    } else if (!site_has(variant, SITE_MIRROR)) {
        (void) snprintf(text, sizeof(text), "www.");

    } else if (site->bare) {
        text[0] = '\0';

    } else {
        (void) snprintf(text, sizeof(text), "m%u.", variant->mirror);
    }

    site_put(form, text);
    site_put(form, site->domain);
}


static void
site_path(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, site_form_t *form)
{
    char                text[160];
    size_t              i;
    const site_part_t  *part;
    const site_kind_t  *kind;

    kind = &site->kinds[page->kind];

    if (site_has(variant, SITE_SESSION_PATH)) {
        site_put(form, "/s/");
        site_hex(variant->session_path, text);
        site_put(form, text);
    }

    if (site_has(variant, SITE_ARCHIVE)) {
        (void) snprintf(text, sizeof(text), "/archive%u", variant->archive);
        site_put(form, text);
    }

    if (site_has(variant, SITE_PRINT) && site->amp) {
        site_put(form, "/amp");
    }

    for (i = 0; i < kind->nparts; i++) {
        part = &kind->parts[i];

        if (part->key == kind->id && site_has(variant, SITE_MOVED)) {
            continue;
        }

        site_put(form, "/");

        if (site_has(variant, SITE_DOUBLE) && i == 1) {
            site_put(form, "/");
        }

        if (part->key < 0) {
            site_put(form, (site_has(variant, SITE_ALIAS) && i == 0)
                           ? part->alias : part->text);
            continue;
        }

        site_value(site, page, (size_t) part->key, text);

        if (site_has(variant, SITE_TABLE) && part->key > 0
            && kind->keys[part->key].words
            && kind->keys[part->key].pool <= 64)
        {
            (void) snprintf(text, sizeof(text), "%u",
                            page->values[part->key] * 7 % 64 + 100);
        }

        if (site_has(variant, SITE_ESCAPE)) {
            (void) snprintf(text + strlen(text), 8, "%%7E");
        }

        site_put(form, text);

        if (part->key == kind->id && kind->html) {
            site_put(form, site_has(variant, SITE_EXTENSION) ? ".htm"
                                                             : ".html");
        }
    }

    if (site_has(variant, SITE_DATE)) {
        (void) snprintf(text, sizeof(text), "/20%02u/%02u",
                        page->values[0] % 20, page->values[0] % 12 + 1);
        site_put(form, text);
    }

    if (site_has(variant, SITE_SLUG)) {
        site_put(form, "/");
        (void) site_word(77000 + variant->slug % 97, text);
        site_put(form, text);
        (void) snprintf(text, sizeof(text), "-%u", variant->slug);
        site_put(form, text);
    }

    if (kind->file[0] != '\0') {
        site_put(form, "/");
        site_put(form, kind->file);

    } else if (kind->html && site_has(variant, SITE_MOVED)) {
        site_put(form, "/view.php");
    }

    if (kind->slash && site_has(variant, SITE_INDEX)
        && !site_has(variant, SITE_MOVED))
    {
        site_put(form, "/index.html");

    } else if (kind->slash && site_has(variant, SITE_SLASH)) {
        site_put(form, "/");
    }

    if (site_has(variant, SITE_MATRIX)) {
        site_put(form, ";jsessionid=");
        site_hex(variant->session, text);
        site_put(form, text);
    }
}


static void
site_query(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, site_form_t *form)
{
    char                text[160], name[24];
    size_t              i;
    const site_key_t   *key;
    const site_kind_t  *kind;

    kind = &site->kinds[page->kind];

    for (i = 0; i < kind->nkeys; i++) {
        key = &kind->keys[i];

        if (!key->query
            && !((int) i == kind->id && site_has(variant, SITE_MOVED)))
        {
            continue;
        }

        if (key->page && page->values[i] == 0
            && !site_has(variant, SITE_DEFAULT))
        {
            continue;
        }

        site_value(site, page, i, text);
        (void) snprintf(name, sizeof(name), "%s", key->name);

        if (site_has(variant, SITE_CASE)) {
            name[0] &= ~0x20;
        }

        if (site_has(variant, SITE_TABLE) && i > 0 && key->words
            && key->pool <= 64)
        {
            (void) snprintf(text, sizeof(text), "%u",
                            page->values[i] * 7 % 64 + 100);
        }

        site_param(form, name, text);
    }

    if (page->view > 0) {
        (void) site_word(600 + page->view, text);
        site_param(form, site->trackers[0], text);
    }

    if (page->print > 0) {
        site_param(form, "print", "1");
    }
}


/* what is not part of the page's identity */

static void
site_noise(const site_t *site, const site_page_t *page,
    const site_variant_t *variant, site_form_t *form)
{
    int     tells;
    char    text[64];
    size_t  i;

    /* where the first tracker tells the page, it is none */

    tells = (site->traps >> SITE_TRAP_DIRECTORY & 1)
            && (int) page->kind == site->trap_kind;

    if (site_has(variant, SITE_SESSION)) {
        site_hex(variant->session, text);
        site_param(form, site->sid, text);
    }

    for (i = 0; site_has(variant, SITE_TRACKER) && i < site->ntrackers; i++) {
        if (variant->tracker[i] == 0 || (i == 0 && tells)) {
            continue;
        }

        if (site->sources[i] > 0) {
            (void) site_word(600 + variant->tracker[i], text);

        } else {
            site_hex(variant->tracker[i], text);
        }

        site_param(form, site->trackers[i], text);
    }

    if (site_has(variant, SITE_PRINT) && !site->amp && page->print == 0
        && !((site->traps >> SITE_TRAP_PRINT & 1)
             && (int) page->kind == site->trap_kind))
    {
        site_param(form, "print", "1");
    }
}


static void
site_join(const site_variant_t *variant, site_form_t *form)
{
    size_t  i, j, swap, order[SITE_MAX_PARAMS];
    dice_t  dice;

    for (i = 0; i < form->nparams; i++) {
        order[i] = i;
    }

    if (site_has(variant, SITE_ORDER)) {
        dice_init(&dice, 99, variant->order);

        for (i = form->nparams; i > 1; i--) {
            j = dice_below(&dice, i);
            swap = order[j];
            order[j] = order[i - 1];
            order[i - 1] = swap;
        }
    }

    for (i = 0; i < form->nparams; i++) {
        site_put(form, (i == 0) ? "?" : "&");
        site_put(form, form->params[order[i]]);
    }
}


static void
site_hex(uint64_t number, char *out)
{
    (void) snprintf(out, 24, "%016llx", (unsigned long long) number);
}


static int
site_has(const site_variant_t *variant, site_operation_e o)
{
    return variant->applied >> o & 1;
}
