
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_image_check_steps.h"


/* hosts that are looked for at the same time */

#define MIQPS_IMAGE_AHEAD      16


typedef struct {
    const uint8_t    *record;
    uint64_t          hash;
} miqps_ahead_t;


static const char  *miqps_check_host(miqps_image_check_t *check,
    const uint8_t *p, size_t left);
static uint64_t  miqps_check_hash(const miqps_image_t *image,
    const uint8_t *record);
static int  miqps_check_found(const miqps_image_t *image,
    const uint8_t *record, uint64_t hash);
static int  miqps_check_mirror(const miqps_image_t *image,
    const uint8_t *record);


/*
 * (5), and (8) of hosts.  A host is looked for as soon as its record is sound;
 * slots are all over the memory, which is asked for some of them at once.
 *
 * Records have places of their own, so that once each is found at its place,
 * and places are no more than records, every place is that of a record.
 */

const char *
miqps_check_hosts(miqps_image_check_t *check, size_t *budget, int *done)
{
    size_t                  i, n, last;
    const char             *why;
    miqps_ahead_t           ahead[MIQPS_IMAGE_AHEAD];
    const miqps_image_t    *image;
    const miqps_section_t  *hosts;

    image = &check->image;
    hosts = &image->section[MIQPS_SECTION_HOSTS];

    last = check->at
           + miqps_check_share(hosts->size - check->at, 1, budget);

    while (check->at < last) {

        for (n = 0; n < MIQPS_IMAGE_AHEAD && check->at < hosts->size; n++) {
            ahead[n].record = hosts->data + check->at;

            why = miqps_check_host(check, ahead[n].record,
                                   hosts->size - check->at);

            if (why != NULL) {
                return why;
            }

            ahead[n].hash = miqps_check_hash(image, ahead[n].record);

            __builtin_prefetch(image->section[MIQPS_SECTION_SLOTS].data
                               + MIQPS_SLOT_SIZE
                                 * (size_t) miqps_image_slot(ahead[n].hash,
                                                             image->nslots));
        }

        for (i = 0; i < n; i++) {
            if (!miqps_check_found(image, ahead[i].record, ahead[i].hash)) {
                return "a host is not where it is looked for";
            }
        }
    }

    if (check->at < hosts->size) {
        return NULL;
    }

    *done = 1;

    if (check->hosts != image->nhosts || check->patterns != image->npatterns
        || check->wildcards != image->nwildcards)
    {
        return "it has a wrong number of hosts or patterns";
    }

    return NULL;
}


static const char *
miqps_check_host(miqps_image_check_t *check, const uint8_t *p, size_t left)
{
    size_t  size;

    if (left < MIQPS_HOST_HEAD) {
        return "a host is cut off";
    }

    size = miqps_get_u32(p);

    if (size < MIQPS_HOST_HEAD || size > left || size % 4 != 0
        || !miqps_image_check_record(&check->image, p, size, &check->patterns))
    {
        return "a host is damaged";
    }

    check->hosts++;
    check->wildcards += p[5] & MIQPS_HOST_WILDCARD;
    check->mirrors += (p[5] & MIQPS_HOST_MIRROR) != 0;
    check->at += size;

    return NULL;
}


/* (8) of slots */

const char *
miqps_check_places(miqps_image_check_t *check, size_t *budget, int *done)
{
    size_t          last;
    const uint8_t  *p;

    p = check->image.section[MIQPS_SECTION_SLOTS].data;

    last = check->at + miqps_check_share(check->image.nslots - check->at,
                                         MIQPS_SLOT_SIZE, budget);

    for (/* void */ ; check->at < last; check->at++) {
        check->places += (miqps_get_u32(p + MIQPS_SLOT_SIZE * check->at + 4)
                          != 0);
    }

    if (check->at < check->image.nslots) {
        return NULL;
    }

    *done = 1;

    return (check->places == check->image.nhosts)
           ? NULL : "it has a wrong number of places of hosts";
}


static uint64_t
miqps_check_hash(const miqps_image_t *image, const uint8_t *record)
{
    return miqps_image_hash_host(image->seed, record + MIQPS_HOST_HEAD,
                                 record[4], record[5] & MIQPS_HOST_WILDCARD);
}


/* whether looking for the host of a record leads to its place */

static int
miqps_check_found(const miqps_image_t *image, const uint8_t *record,
    uint64_t hash)
{
    uint32_t        i, n, place;
    const uint8_t  *slot;

    place = (uint32_t) ((record - image->section[MIQPS_SECTION_HOSTS].data) / 4)
            + 1;

    i = miqps_image_slot(hash, image->nslots);

    for (n = 0; n < MIQPS_MAX_PROBES; n++) {
        slot = image->section[MIQPS_SECTION_SLOTS].data
               + (size_t) i * MIQPS_SLOT_SIZE;

        if (miqps_get_u32(slot + 4) == 0) {
            return 0;
        }

        if (miqps_get_u32(slot + 4) == place) {
            return miqps_get_u32(slot) == (uint32_t) hash;
        }

        i = (i + 1 < image->nslots) ? i + 1 : 0;
    }

    return 0;
}


/* (7) of mirrors */

const char *
miqps_check_mirrors(miqps_image_check_t *check, size_t *budget, int *done)
{
    size_t                  last;
    const uint8_t          *p;
    const miqps_section_t  *hosts;

    hosts = &check->image.section[MIQPS_SECTION_HOSTS];

    if (check->mirrors == 0) {
        *done = 1;
        return NULL;
    }

    last = check->at
           + miqps_check_share(hosts->size - check->at, 1, budget);

    while (check->at < last) {
        p = hosts->data + check->at;

        if ((p[5] & MIQPS_HOST_MIRROR)
            && !miqps_check_mirror(&check->image, p))
        {
            return "a mirror is one of nothing";
        }

        check->at += miqps_get_u32(p);
    }

    *done = (check->at == hosts->size);

    return NULL;
}


/* bytes that are no record have no place, whatever they look like */

static int
miqps_check_mirror(const miqps_image_t *image, const uint8_t *record)
{
    uint64_t                offset;
    const miqps_section_t  *hosts;

    hosts = &image->section[MIQPS_SECTION_HOSTS];
    offset = 4 * ((uint64_t) miqps_get_u32(record + 8) - 1);

    return miqps_get_u32(record + 8) != 0 && offset < hosts->size
           && hosts->size - offset >= MIQPS_HOST_HEAD
           && hosts->size - offset - MIQPS_HOST_HEAD >= hosts->data[offset + 4]
           && !(hosts->data[offset + 5] & MIQPS_HOST_MIRROR)
           && miqps_check_found(image, hosts->data + offset,
                                miqps_check_hash(image,
                                                 hosts->data + offset));
}
