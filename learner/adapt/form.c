
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "adapt.h"


#define LEARN_FORM_APART  100            /* of 1000, of a URL */


static uint32_t  learn_form_trait(const learn_kind_t *kind, uint32_t name);
static int  learn_form_before(const learn_trait_t *one,
    const learn_trait_t *two);
static miqps_str_t  learn_form_check(learn_adapt_t *adapt, miqps_str_t url);


miqps_str_t
learn_form_less(learn_adapt_t *adapt, const learn_kind_t *kind, uint32_t url,
    const learn_traits_t *less)
{
    size_t               len;
    uint8_t             *out, *p, sign;
    uint32_t             i, t;
    miqps_str_t          made = miqps_null_str;
    const learn_seen_t  *seen;

    seen = &adapt->urls[url];
    len = seen->base.len;

    for (i = 0; i < seen->npieces; i++) {
        len += 1 + seen->pieces[i].text.len;
    }

    out = learn_arena_alloc(&adapt->scratch, len + 1);

    if (out == NULL) {
        adapt->failed = 1;
        return made;
    }

    memcpy(out, seen->base.data, seen->base.len);
    p = out + seen->base.len;
    sign = '?';

    for (i = 0; i < seen->npieces; i++) {
        t = learn_form_trait(kind, seen->pieces[i].name);

        if (t == UINT32_MAX || learn_traits_has(less, t)) {
            continue;
        }

        *p++ = sign;
        memcpy(p, seen->pieces[i].text.data, seen->pieces[i].text.len);
        p += seen->pieces[i].text.len;
        sign = '&';
    }

    made.data = out;
    made.len = (size_t) (p - out);

    return learn_form_check(adapt, made);
}


int
learn_seen_has(const learn_seen_t *seen, uint32_t name,
    const miqps_str_t *piece)
{
    uint32_t  i, found, same;

    found = 0;
    same = 0;

    for (i = 0; i < seen->npieces; i++) {
        if (seen->pieces[i].name == name) {
            found++;
            same += miqps_str_eq(&seen->pieces[i].text, piece);
        }
    }

    return found == 1 && same == 1;
}


static uint32_t
learn_form_trait(const learn_kind_t *kind, uint32_t name)
{
    uint32_t  i;

    for (i = 0; i < kind->ntraits; i++) {
        if (kind->traits[i].name == name) {
            return i;
        }
    }

    return UINT32_MAX;
}


miqps_str_t
learn_form_more(learn_adapt_t *adapt, const learn_kind_t *kind,
    const miqps_str_t *url, const learn_traits_t *more, uint32_t turn)
{
    uint32_t              i, k, n, list[LEARN_ADAPT_TRAITS];
    miqps_str_t           made;
    const learn_trait_t  *trait;

    n = 0;

    for (i = 0; i < kind->ntraits; i++) {

        if (!learn_traits_has(more, i) || kind->traits[i].nvalues == 0) {
            continue;
        }

        for (k = n++; k > 0 && learn_form_before(&kind->traits[i],
                                                 &kind->traits[list[k - 1]]);
             k--)
        {
            list[k] = list[k - 1];
        }

        list[k] = i;
    }

    made = *url;

    for (i = 0; i < n && made.len > 0; i++) {
        trait = &kind->traits[list[i]];
        made = learn_form_with(adapt, &made,
                               &trait->values[turn % trait->nvalues]);
    }

    return made;
}


miqps_str_t
learn_form_home(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_home_t *home, const learn_traits_t *group)
{
    size_t          i;
    miqps_str_t     made;
    learn_traits_t  less, more;

    for (i = 0; i < sizeof(less.bits) / sizeof(less.bits[0]); i++) {
        more.bits[i] = group->bits[i] & home->more.bits[i];
        less.bits[i] = home->less.bits[i]
                       & ~(group->bits[i] & ~home->more.bits[i]);
    }

    made = learn_form_less(adapt, kind, home->url, &less);

    return (made.len > 0) ? learn_form_more(adapt, kind, &made, &more,
                                            home->turn)
                          : made;
}


/* by their mean place, if that is not by chance */

static int
learn_form_before(const learn_trait_t *one, const learn_trait_t *two)
{
    return one->place / (one->urls + 1) + LEARN_FORM_APART
           < two->place / (two->urls + 1);
}


miqps_str_t
learn_form_with(learn_adapt_t *adapt, const miqps_str_t *url,
    const miqps_str_t *piece)
{
    uint8_t      *out;
    miqps_str_t   made = miqps_null_str;

    out = learn_arena_alloc(&adapt->scratch, url->len + piece->len + 2);

    if (out == NULL) {
        adapt->failed = 1;
        return made;
    }

    memcpy(out, url->data, url->len);
    out[url->len] = (memchr(url->data, '?', url->len) != NULL) ? '&' : '?';
    memcpy(out + url->len + 1, piece->data, piece->len);

    made.data = out;
    made.len = url->len + 1 + piece->len;

    return learn_form_check(adapt, made);
}


static miqps_str_t
learn_form_check(learn_adapt_t *adapt, miqps_str_t url)
{
    learn_target_t  target;

    if (url.len > LEARN_TARGET_MAX
        || learn_target_check(&url, adapt->study->allowed, adapt->study->memo,
                              &target)
           != LEARN_TARGET_OK)
    {
        url.len = 0;
    }

    return url;
}


void
learn_form_traits(const learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t url, learn_traits_t *traits)
{
    uint32_t             i, t;
    const learn_seen_t  *seen;

    seen = &adapt->urls[url];
    memset(traits, 0, sizeof(learn_traits_t));

    for (i = 0; i < seen->npieces; i++) {
        t = learn_form_trait(kind, seen->pieces[i].name);

        if (t != UINT32_MAX) {
            learn_traits_add(traits, t);
        }
    }
}


const uint32_t *
learn_form_names(learn_adapt_t *adapt, const learn_kind_t *kind,
    const learn_traits_t *traits)
{
    uint32_t   i, n, *names;

    static const uint32_t  none[] = { UINT32_MAX };

    names = learn_arena_alloc(&adapt->scratch,
                              (LEARN_ADAPT_TRAITS + 1) * sizeof(uint32_t));

    if (names == NULL) {
        adapt->failed = 1;
        return none;
    }

    n = 0;

    for (i = 0; i < kind->ntraits; i++) {
        if (learn_traits_has(traits, i)) {
            names[n++] = kind->traits[i].name;
        }
    }

    names[n] = UINT32_MAX;

    return names;
}
