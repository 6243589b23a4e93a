
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "site.h"


/* words of a page: those of its kind, of its item, and its own */

#define SITE_KIND_WORDS  24
#define SITE_ITEM_WORDS  40
#define SITE_OWN_WORDS   24
#define SITE_WORDS       (SITE_KIND_WORDS + SITE_ITEM_WORDS + SITE_OWN_WORDS)

#define SITE_SHINGLE     4         /* words */


static void  site_words(uint64_t *words, size_t n, uint64_t seed);


uint64_t
site_shingles(const site_t *site, const site_page_t *page, unsigned most)
{
    size_t              i, j;
    dice_t              dice;
    uint64_t            words[SITE_WORDS], sketch, least, hash;
    unsigned            n;
    site_page_t         item;
    const site_kind_t  *kind;

    kind = &site->kinds[page->kind];
    item = *page;

    for (i = 0; i < kind->nkeys; i++) {
        item.values[i] = kind->keys[i].sub ? 0 : page->values[i];
    }

    site_words(words, SITE_KIND_WORDS, site->seed + page->kind);
    site_words(words + SITE_KIND_WORDS, SITE_ITEM_WORDS,
               site_identity(site, &item));
    site_words(words + SITE_KIND_WORDS + SITE_ITEM_WORDS, SITE_OWN_WORDS,
               site_identity(site, page) + 1);

    sketch = 0;

    for (n = 0; n < most; n++) {
        least = UINT64_MAX;

        for (i = 0; i + SITE_SHINGLE <= SITE_WORDS; i++) {
            hash = n;

            for (j = 0; j < SITE_SHINGLE; j++) {
                dice_init(&dice, hash, words[i + j]);
                hash = dice_next(&dice);
            }

            least = (hash < least) ? hash : least;
        }

        dice_init(&dice, sketch, least);
        sketch = dice_next(&dice);
    }

    return sketch;
}


static void
site_words(uint64_t *words, size_t n, uint64_t seed)
{
    size_t  i;
    dice_t  dice;

    dice_init(&dice, seed, 4712);

    for (i = 0; i < n; i++) {
        words[i] = dice_next(&dice);
    }
}
