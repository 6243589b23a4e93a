
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <math.h>
#include <string.h>

#include "site.h"


/* URLs of a site: lognormal, and within these bounds */

#define SITE_MU          12.2
#define SITE_SIGMA       1.1
#define SITE_MIN_URLS    24147
#define SITE_MAX_URLS    3000000

/* URLs of a page: a power law from 2 */

#define SITE_POWER       2.7
#define SITE_MAX_CLUSTER 314465


/* odds of each operation, in percent; those that others bring are 0 */

static const unsigned  site_odds[SITE_OPERATIONS] = {
    60, 8, 70, 25, 10, 20, 25, 20, 40, 50, 50, 10, 30, 10, 20, 5, 0, 0, 0, 0
};


/* the same for sites with other ways to duplicate */

static const unsigned  site_other_odds[SITE_OPERATIONS] = {
    30, 8, 30, 25, 10, 20, 25, 20, 40, 50, 30, 10, 30, 10, 20, 5, 40, 40, 40, 40
};


static const char  *site_files[] = {
    "view.php", "show.asp", "item.jsp", "page.aspx", "detail.cfm", "read.html"
};


static const char  *site_names[] = {
    "id", "item", "cat", "topic", "user", "list", "type", "kind", "tag",
    "group", "area", "part"
};


static const char  *site_sids[] = {
    "sid", "PHPSESSID", "session", "s", "sessionid"
};


static const char  *site_trackers[] = {
    "utm_source", "gclid", "from", "src", "aff", "cmp", "fbclid", "ref_id",
    "utm_medium", "utm_term", "utm_campaign", "utm_content", "ad", "via",
    "partner", "mc_eid"
};


static void  site_draw_operations(site_t *site, dice_t *dice, int others);
static void  site_draw_kind(site_t *site, dice_t *dice, size_t n);
static void  site_draw_keys(const site_t *site, dice_t *dice,
    site_kind_t *kind);
static void  site_draw_parts(const site_t *site, dice_t *dice,
    site_kind_t *kind, size_t n);
static void  site_draw_ways(const site_t *site, dice_t *dice,
    site_kind_t *kind);
static uint32_t  site_possible(const site_kind_t *kind);
static void  site_draw_traps(site_t *site, dice_t *dice);
static uint32_t  site_size(dice_t *dice);
static void  site_copy(char *to, size_t size, const char *from);


#define SITE_NCHOICES(list)  (sizeof(list) / sizeof((list)[0]))


void
site_init(site_t *site, uint64_t seed, uint32_t number, uint32_t scale,
    int others, const site_knobs_t *knobs)
{
    size_t    i, n;
    uint32_t  urls;
    dice_t    dice;

    memset(site, 0, sizeof(site_t));

    dice_init(&dice, seed, number);

    site->seed = seed;
    site->number = number;
    site->knobs = *knobs;

    urls = site_size(&dice);
    site->urls = urls / scale;
    site->max_cluster = (SITE_MAX_CLUSTER < urls / 3) ? SITE_MAX_CLUSTER
                                                      : urls / 3;
    site->max_cluster = site->max_cluster / scale + 2;

    (void) snprintf(site->domain, sizeof(site->domain), "site%03u.example",
                    number);

    site->mirrors = 1 + (uint32_t) dice_below(&dice, 2);
    site->archives = 2 + (uint32_t) dice_below(&dice, 4);
    site->bare = (int) dice_below(&dice, 2);
    site->amp = !dice_once_in(&dice, 4);

    site_copy(site->sid, sizeof(site->sid),
              site_sids[dice_below(&dice, SITE_NCHOICES(site_sids))]);

    site->ntrackers = 1;

    while (site->ntrackers < SITE_MAX_TRACKERS
           && site_chance(&dice) < site->knobs.trackers) {
        site->ntrackers++;
    }

    n = dice_below(&dice, SITE_NCHOICES(site_trackers));

    for (i = 0; i < site->ntrackers; i++) {
        site_copy(site->trackers[i], sizeof(site->trackers[i]),
                  site_trackers[(n + i) % SITE_NCHOICES(site_trackers)]);
        site->sources[i] = (i + 1 < site->ntrackers && dice_once_in(&dice, 3))
                           ? 2 + (uint32_t) dice_below(&dice, 4) : 0;
    }

    site_draw_operations(site, &dice, others);

    site->nkinds = 3 + dice_below(&dice, SITE_MAX_KINDS - 2);

    for (i = 0; i < site->nkinds; i++) {
        site_draw_kind(site, &dice, i);
    }

    site_draw_traps(site, &dice);

    for (i = 0; i < site->nkinds; i++) {
        site_draw_ways(site, &dice, &site->kinds[i]);
    }
}


static uint32_t
site_size(dice_t *dice)
{
    double  one, two, size;

    one = 1 - site_chance(dice);
    two = site_chance(dice);

    size = exp(SITE_MU + SITE_SIGMA * sqrt(-2 * log(one))
                         * cos(6.283185307179586 * two));

    if (size < SITE_MIN_URLS) {
        return SITE_MIN_URLS;
    }

    return (size > SITE_MAX_URLS) ? SITE_MAX_URLS : (uint32_t) size;
}


/* two to five of them, one without a bound */

static void
site_draw_operations(site_t *site, dice_t *dice, int others)
{
    size_t           i, n;
    double           low, high;
    const unsigned  *odds;

    odds = others ? site_other_odds : site_odds;

    do {
        site->operations = 0;

        for (i = 0, n = 0; i < SITE_OPERATIONS; i++) {
            if (dice_below(dice, 100) < odds[i]) {
                site->operations |= 1u << i;
                n++;
            }
        }

    } while (n < 2 || n > 5 || (site->operations & SITE_ENDLESS) == 0);

    for (i = 0; i < SITE_OPERATIONS; i++) {
        low = (SITE_ENDLESS >> i & 1) ? site->knobs.noise_low
                                      : site->knobs.shape_low;
        high = (SITE_ENDLESS >> i & 1) ? site->knobs.noise_high
                                       : site->knobs.shape_high;

        site->rate[i] = low + (high - low) * site_chance(dice);
    }
}


static void
site_draw_kind(site_t *site, dice_t *dice, size_t n)
{
    site_kind_t  *kind;

    kind = &site->kinds[n];

    kind->shares = -1;
    kind->weight = (0.3 + site_chance(dice)) / (1 + (double) n);

    site_draw_keys(site, dice, kind);
    site_draw_parts(site, dice, kind, n);
}


/* the first key is the id; others are directories, categories, pages */

static void
site_draw_keys(const site_t *site, dice_t *dice, site_kind_t *kind)
{
    size_t       i;
    site_key_t  *key;

    kind->nkeys = 1;

    while (kind->nkeys < 5 && site_chance(dice) < site->knobs.keys) {
        kind->nkeys++;
    }

    for (i = 0; i < kind->nkeys; i++) {
        key = &kind->keys[i];

        site_copy(key->name, sizeof(key->name),
                  site_names[2 * i + dice_below(dice, 2)]);

        if (i == 0) {
            key->pool = SITE_IDS;
            key->words = dice_once_in(dice, 4);

            if (kind->nkeys > 1 && site_chance(dice) < site->knobs.local) {
                key->pool = 100 + site->urls / (uint32_t) (40 * site->nkinds);
            }

        } else if (site_chance(dice) < site->knobs.directories) {
            key->pool = 2 + (uint32_t) dice_below(dice, 11);
            key->words = 1;

        } else {
            key->pool = 20 + (uint32_t) dice_below(dice, 480);
            key->words = dice_once_in(dice, 2);
        }

        key->query = (i == 0) ? site_chance(dice) >= site->knobs.in_path
                              : dice_once_in(dice, 2);
        key->sub = (i > 0 && key->query);
    }

    if (site_chance(dice) < site->knobs.paged) {
        key = &kind->keys[kind->nkeys++];

        site_copy(key->name, sizeof(key->name), "page");
        key->pool = 4 + (uint32_t) dice_below(dice, 30);
        key->words = 0;
        key->query = 1;
        key->page = 1;
        key->sub = 1;
    }
}


/* one or two literals, the keys of the path, and a file or none */

static void
site_draw_parts(const site_t *site, dice_t *dice, site_kind_t *kind, size_t n)
{
    size_t        i, literals;
    site_part_t  *part;

    literals = 1 + dice_below(dice, 2);

    for (i = 0; i < literals; i++) {
        part = &kind->parts[kind->nparts++];

        part->key = -1;
        (void) site_word(1000 + 16 * n + dice_below(dice, 8) + 7 * i,
                         part->text);
        (void) site_word(5000 + 16 * n + i, part->alias);
    }

    /* directories before the id */

    for (i = kind->nkeys; i-- > 0; /* void */ ) {
        if (!kind->keys[i].query && kind->nparts < SITE_MAX_PARTS - 1) {
            kind->parts[kind->nparts++].key = (int) i;

        } else {
            kind->keys[i].query = 1;
        }
    }

    kind->id = 0;

    if (kind->keys[0].query) {
        site_copy(kind->file, sizeof(kind->file),
                  site_files[dice_below(dice, SITE_NCHOICES(site_files))]);

    } else if (site_chance(dice) < site->knobs.html) {
        kind->html = 1;

    } else {
        kind->slash = 1;
    }
}


static void
site_draw_traps(site_t *site, dice_t *dice)
{
    size_t        t;
    site_kind_t  *kind;
    site_key_t   *key;

    for (t = 0; t < SITE_TRAPS; t++) {
        if (site_chance(dice) < site->knobs.traps) {
            site->traps |= 1u << t;
        }
    }

    site->trap_kind = (int) dice_below(dice, site->nkinds);
    kind = &site->kinds[site->trap_kind];

    if (site->traps >> SITE_TRAP_HASH & 1 && kind->nkeys < SITE_MAX_KEYS) {
        key = &kind->keys[kind->nkeys++];
        site_copy(key->name, sizeof(key->name), "h");
        key->pool = SITE_IDS;
        key->query = 1;
        key->hash = 1;
    }

    if (site->traps >> SITE_TRAP_FEW & 1 && kind->nkeys < SITE_MAX_KEYS) {
        key = &kind->keys[kind->nkeys++];
        site_copy(key->name, sizeof(key->name), "v");
        key->pool = 2 + (uint32_t) dice_below(dice, 4);
        key->query = 1;
        key->sub = 1;
    }

    if (site->traps >> SITE_TRAP_SHARED & 1) {
        site->kinds[site->nkinds - 1].shares = 0;
    }

    if (site->operations >> SITE_TRACKER & 1 && site->ntrackers > 1) {
        site->sources[0] = (site->traps >> SITE_TRAP_DIRECTORY & 1)
                           ? 3 : site->sources[0];

    } else {
        site->traps &= ~(1u << SITE_TRAP_DIRECTORY);
    }
}


/* which operations a kind has: some of those of the site, one at least */

static void
site_draw_ways(const site_t *site, dice_t *dice, site_kind_t *kind)
{
    size_t    i;
    uint32_t  possible;

    possible = site->operations & site_possible(kind);

    for (i = 0; i < SITE_OPERATIONS; i++) {
        if (possible >> i & 1 && site_chance(dice) < site->knobs.spread) {
            kind->operations |= 1u << i;
        }
    }

    if ((kind->operations & SITE_ENDLESS) == 0) {
        kind->operations |= possible & SITE_ENDLESS;
    }
}


static uint32_t
site_possible(const site_kind_t *kind)
{
    size_t    i;
    uint32_t  possible;

    possible = ~UINT32_C(0);

    if (kind->keys[0].query) {
        possible &= ~(1u << SITE_MOVED);
    }

    if (!kind->html) {
        possible &= ~(1u << SITE_EXTENSION);
    }

    if (!kind->slash) {
        possible &= ~(1u << SITE_SLASH | 1u << SITE_INDEX);
    }

    if (kind->html) {
        possible &= ~(1u << SITE_SLUG | 1u << SITE_MOVED);
    }

    possible &= ~(1u << SITE_DEFAULT | 1u << SITE_TABLE);

    for (i = 1; i < kind->nkeys; i++) {
        if (kind->keys[i].page) {
            possible |= 1u << SITE_DEFAULT;
        }

        if (kind->keys[i].words && kind->keys[i].pool <= 64) {
            possible |= 1u << SITE_TABLE;
        }
    }

    return possible;
}


/* P(k) is proportional to k^-2.7 from 2 on; from SITE_SMOOTH on it is smooth */

#define SITE_SMOOTH  64


uint32_t
site_cluster(const site_t *site, dice_t *dice)
{
    double    left, tail, total, size;
    uint32_t  k;

    tail = pow(SITE_SMOOTH - 0.5, 1 - SITE_POWER) / (SITE_POWER - 1);
    total = tail;

    for (k = 2; k < SITE_SMOOTH; k++) {
        total += pow(k, -SITE_POWER);
    }

    left = site_chance(dice) * total;

    for (k = 2; k < SITE_SMOOTH; k++) {
        left -= pow(k, -SITE_POWER);

        if (left < 0) {
            return k;
        }
    }

    tail = (left < tail) ? tail - left : 0;
    size = pow(tail * (SITE_POWER - 1), 1 / (1 - SITE_POWER));

    return (size < site->max_cluster) ? (uint32_t) size : site->max_cluster;
}


const char *
site_operation(site_operation_e operation)
{
    static const char  *names[SITE_OPERATIONS] = {
        "session", "session-path", "tracker", "mirror", "archive", "alias",
        "moved", "print", "index", "slash", "order", "case", "default",
        "extension", "slug", "table", "matrix", "escape", "double",
        "date"
    };

    return names[operation];
}


double
site_chance(dice_t *dice)
{
    return (double) (dice_next(dice) >> 11) / 9007199254740992.0;
}


size_t
site_word(uint64_t number, char *out)
{
    size_t  n;
    dice_t  dice;

    static const char  consonants[] = "bdfgklmnprstvz";
    static const char  vowels[] = "aeiou";

    dice_init(&dice, 4711, number);

    for (n = 0; n < 4 || (n < 12 && dice_once_in(&dice, 2)); n += 2) {
        out[n] = consonants[dice_below(&dice, sizeof(consonants) - 1)];
        out[n + 1] = vowels[dice_below(&dice, sizeof(vowels) - 1)];
    }

    out[n] = '\0';

    return n;
}


static void
site_copy(char *to, size_t size, const char *from)
{
    (void) snprintf(to, size, "%s", from);
}
