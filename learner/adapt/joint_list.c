
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "joint.h"


#define LEARN_JOINT_FIRST   512          /* URLs that are looked through, */
#define LEARN_JOINT_EACH    24           /* and so many of each name */
#define LEARN_JOINT_WORD    4            /* URLs of a segment that is a word */


static void  learn_joint_words(learn_joint_t *joint);
static void  learn_joint_page(learn_joining_t *run, learn_candidate_t *one);


/* URLs of a kind; of a large one only some, but some of each name */

int
learn_joint_create(learn_adapt_t *adapt, learn_kind_t *kind)
{
    int                  wanted;
    size_t               len;
    uint32_t             i, k, t, seg, have[LEARN_ADAPT_TRAITS];
    learn_joint_t       *joint;
    const uint8_t       *p, *last;
    learn_traits_t       has;
    learn_candidate_t   *one;
    const learn_seen_t  *seen;

    joint = learn_arena_alloc(adapt->arena, sizeof(learn_joint_t));

    if (joint == NULL) {
        return 0;
    }

    memset(joint, 0, sizeof(learn_joint_t));
    memset(have, 0, sizeof(have));

    k = LEARN_JOINT_FIRST + LEARN_JOINT_EACH * kind->ntraits;
    k = (k > kind->urls) ? kind->urls : k;

    joint->list = learn_arena_alloc(adapt->arena,
                                    (k + 1) * sizeof(learn_candidate_t));

    if (joint->list == NULL) {
        return 0;
    }

    for (i = 0; i < kind->urls; i++) {
        seen = &adapt->urls[kind->list[i]];

        if (seen->set == UINT32_MAX) {
            continue;
        }

        learn_form_traits(adapt, kind, kind->list[i], &has);
        wanted = (i < LEARN_JOINT_FIRST);

        for (t = 0; t < kind->ntraits; t++) {
            if (learn_traits_has(&has, t)) {
                wanted |= (have[t]++ < LEARN_JOINT_EACH);
            }
        }

        for (k = 0; wanted && k < kind->nleads; k++) {
            wanted = (kind->leads[k] != kind->list[i]);
        }

        if (!wanted || learn_traits_count(&has) == 0) {
            continue;
        }

        one = &joint->list[joint->n++];
        memset(one, 0, sizeof(learn_candidate_t));

        one->url = kind->list[i];
        one->has = has;

        p = seen->path.data;
        last = p + seen->path.len;

        for (seg = 0; p < last; seg++) {
            for (len = 1; p + len < last && p[len] != '/'; len++) {
                /* void */
            }

            k = (seg < LEARN_JOINT_SEGS) ? seg : LEARN_JOINT_SEGS - 1;
            one->parts[k] = learn_joint_hash(one->parts[k] + seg + 1, p, len);
            p += len;
        }
    }

    learn_joint_words(joint);
    kind->joint = joint;

    return 1;
}


/*
 * Whether the segments of a kind are words: so few that each of them has some
 * URLs.  All of these are tried, since one of them may well be another program.
 */

static void
learn_joint_words(learn_joint_t *joint)
{
    uint32_t  i, k, n, hash;
    uint64_t  seen[LEARN_JOINT_BITS / 64];

    memset(seen, 0, sizeof(seen));
    n = 0;

    for (i = 0; i < joint->n; i++) {
        for (k = 0; k < LEARN_JOINT_SEGS; k++) {
            hash = joint->list[i].parts[k] % LEARN_JOINT_BITS;

            if (hash != 0 && !(seen[hash / 64] >> (hash % 64) & 1)) {
                seen[hash / 64] |= UINT64_C(1) << (hash % 64);
                n++;
            }
        }
    }

    for (i = 0; i < joint->n; i++) {
        joint->list[i].words = (n * LEARN_JOINT_WORD <= joint->n);
    }
}


/* what goes, by what is known now */

void
learn_joint_fill(learn_joining_t *run)
{
    uint32_t         i, t;
    learn_joint_t   *joint;
    learn_traits_t   loose, values;

    joint = run->joint;
    learn_kind_loose(run->adapt, run->kind, &loose);
    memset(&values, 0, sizeof(learn_traits_t));

    for (t = 0; t < run->kind->ntraits; t++) {
        if (run->kind->traits[t].value.data != NULL) {
            learn_traits_add(&values, t);
        }
    }

    if (joint->filled
        && memcmp(&loose, &joint->loose, sizeof(learn_traits_t)) == 0
        && memcmp(&values, &joint->values, sizeof(learn_traits_t)) == 0)
    {
        return;
    }

    joint->loose = loose;
    joint->values = values;
    joint->filled = 1;

    for (i = 0; i < joint->n; i++) {
        learn_joint_less(run->adapt, run->kind, joint->list[i].url,
                         &joint->list[i].less);
        learn_joint_page(run, &joint->list[i]);
    }
}


/* hashes of what is left, and of the names */

static void
learn_joint_page(learn_joining_t *run, learn_candidate_t *one)
{
    int                   gone;
    uint32_t              i, t;
    const learn_kind_t   *kind;
    const learn_seen_t   *seen;
    const learn_piece_t  *piece;

    kind = run->kind;
    seen = &run->adapt->urls[one->url];
    gone = 0;

    one->page = learn_joint_hash(LEARN_JOINT_OF_PAGE, seen->path.data,
                                 seen->path.len);
    one->set = LEARN_JOINT_OF_SET;
    one->front = 0;

    for (i = 0; i < seen->npieces; i++) {
        piece = &seen->pieces[i];

        for (t = 0; kind->traits[t].name != piece->name; t++) {
            /* void */
        }

        one->set = learn_joint_hash(one->set, &piece->name, sizeof(uint32_t));

        if (learn_traits_has(&one->less, t)) {
            gone = 1;

        } else {
            one->page = learn_joint_hash(one->page, piece->text.data,
                                         piece->text.len);
            one->front |= (gone != 0);
        }
    }
}


/* how many pages there are for a default */

void
learn_joint_homes(learn_joining_t *run)
{
    uint32_t        i, t;
    uint64_t        seen[LEARN_JOINT_BITS / 64];
    learn_joint_t  *joint;

    joint = run->joint;

    for (t = 0; t < run->kind->ntraits; t++) {

        if (run->kind->traits[t].value.data == NULL) {
            continue;
        }

        memset(seen, 0, sizeof(seen));
        run->kind->traits[t].homes = 0;

        for (i = 0; i < joint->n; i++) {
            if (learn_traits_has(&joint->list[i].less, t)
                && !(seen[joint->list[i].page % LEARN_JOINT_BITS / 64]
                     >> (joint->list[i].page % 64) & 1))
            {
                seen[joint->list[i].page % LEARN_JOINT_BITS / 64] |=
                    UINT64_C(1) << (joint->list[i].page % 64);
                run->kind->traits[t].homes++;
            }
        }
    }
}


/* what is stripped: names that seem to be neutral, and defaults */

void
learn_joint_less(const learn_adapt_t *adapt, const learn_kind_t *kind,
    uint32_t url, learn_traits_t *less)
{
    uint32_t              i, t;
    const learn_seen_t   *seen;
    const learn_trait_t  *trait;

    learn_traits_t  loose;

    learn_kind_loose(adapt, kind, &loose);
    memset(less, 0, sizeof(learn_traits_t));

    /* of a kind that nobody has looked at, others tell */

    for (t = 0; !kind->led && t < kind->ntraits; t++) {
        if (learn_adapt_neutral(adapt, kind->traits[t].name)
            && !adapt->names[kind->traits[t].name].brakes)
        {
            learn_traits_add(&loose, t);
        }
    }

    seen = &adapt->urls[url];

    for (i = 0; i < seen->npieces; i++) {

        for (t = 0; t < kind->ntraits; t++) {
            trait = &kind->traits[t];

            if (trait->name == seen->pieces[i].name
                && (learn_traits_has(&loose, t)
                    || (trait->value.data != NULL
                        && learn_seen_has(seen, trait->name, &trait->value))))
            {
                learn_traits_add(less, t);
            }
        }
    }
}
