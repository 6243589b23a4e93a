
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "map_rules_diff.h"
#include "map_stats.h"


typedef struct {
    uint64_t         mirrors;
    uint64_t         names;             /* of all patterns */
    uint64_t         kept;
    uint64_t         client;
    uint64_t         defaults;
    uint64_t         shaped;
    uint64_t         neutral;
    uint64_t         max_patterns;
    uint64_t         max_names;
    uint64_t         max_probes;
} learn_stats_t;


static void  learn_stats_host(learn_stats_t *stats, const uint8_t *record);
static void  learn_stats_pattern(learn_stats_t *stats,
    const miqps_pattern_t *pattern);
static void  learn_stats_probes(learn_stats_t *stats,
    const miqps_image_t *image);
static void  learn_stats_line(FILE *out, const char *what, uint64_t n);


static const char  *learn_stats_sections[MIQPS_IMAGE_SECTIONS] = {
    "bytes of slots", "bytes of hosts", "bytes of names", "bytes of paths",
    "bytes of texts", "bytes of rules"
};


void
learn_stats_print(const miqps_image_t *image, FILE *out)
{
    size_t          i, left;
    const uint8_t  *p;
    learn_stats_t   stats;

    memset(&stats, 0, sizeof(learn_stats_t));

    p = image->section[MIQPS_SECTION_HOSTS].data;

    for (left = image->section[MIQPS_SECTION_HOSTS].size; left > 0;
         left -= miqps_get_u32(p), p += miqps_get_u32(p))
    {
        learn_stats_host(&stats, p);
    }

    learn_stats_probes(&stats, image);

    learn_stats_line(out, "hosts", image->nhosts);
    learn_stats_line(out, "of them wildcards", image->nwildcards);
    learn_stats_line(out, "of them mirrors", stats.mirrors);
    learn_stats_line(out, "patterns", image->npatterns);
    learn_stats_line(out, "of them with a path", stats.shaped);
    learn_stats_line(out, "patterns of a host, at most", stats.max_patterns);
    learn_stats_line(out, "names of a pattern, at most", stats.max_names);
    learn_stats_line(out, "names of all patterns", stats.names);
    learn_stats_line(out, "of them kept", stats.kept);
    learn_stats_line(out, "of them for clients", stats.client);
    learn_stats_line(out, "defaults", stats.defaults);
    learn_stats_line(out, "different names", image->nnames);
    learn_stats_line(out, "different paths", image->nshapes);
    learn_stats_line(out, "neutral names of hosts", stats.neutral);
    learn_stats_line(out, "path rules", learn_stats_rules(image));
    learn_stats_line(out, "slots looked at for a host, at most",
                     stats.max_probes);

    for (i = 0; i < MIQPS_IMAGE_SECTIONS; i++) {
        learn_stats_line(out, learn_stats_sections[i], image->section[i].size);
    }

    learn_stats_line(out, "bytes", image->size);
}


uint64_t
learn_stats_rules(const miqps_image_t *image)
{
    size_t          left;
    uint64_t        n;
    const uint8_t  *p;

    n = 0;
    p = image->section[MIQPS_SECTION_HOSTS].data;

    for (left = image->section[MIQPS_SECTION_HOSTS].size; left > 0;
         left -= miqps_get_u32(p), p += miqps_get_u32(p))
    {
        n += learn_rules_count(image, p);
    }

    return n;
}


static void
learn_stats_host(learn_stats_t *stats, const uint8_t *record)
{
    uint32_t         i;
    miqps_host_t     host;
    const uint8_t   *p;
    miqps_pattern_t  pattern;

    if (record[5] & MIQPS_HOST_MIRROR) {
        stats->mirrors++;
        return;
    }

    miqps_image_host(&host, record);

    stats->neutral += host.nneutral;

    if (host.npatterns > stats->max_patterns) {
        stats->max_patterns = host.npatterns;
    }

    p = host.patterns;

    for (i = 0; i < host.npatterns; i++) {
        miqps_image_pattern(&pattern, p);
        learn_stats_pattern(stats, &pattern);
        p = pattern.end;
    }
}


static void
learn_stats_pattern(learn_stats_t *stats, const miqps_pattern_t *pattern)
{
    uint32_t  i;

    stats->names += pattern->n;
    stats->defaults += pattern->ndefaults;
    stats->shaped += (pattern->shape != 0);

    if (pattern->n > stats->max_names) {
        stats->max_names = pattern->n;
    }

    for (i = 0; i < pattern->n; i++) {
        stats->kept += pattern->keep[i / 8] >> i % 8 & 1;

        if (pattern->client != NULL) {
            stats->client += pattern->client[i / 8] >> i % 8 & 1;
        }
    }
}


/* a search ends at the host that it is for, or behind those of others */

static void
learn_stats_probes(learn_stats_t *stats, const miqps_image_t *image)
{
    size_t          i, n;
    uint64_t        hash;
    const uint8_t  *slot, *record;

    slot = image->section[MIQPS_SECTION_SLOTS].data;

    for (i = 0; i < image->nslots; i++, slot += MIQPS_SLOT_SIZE) {

        if (miqps_get_u32(slot + 4) == 0) {
            continue;
        }

        record = image->section[MIQPS_SECTION_HOSTS].data
                 + 4 * (size_t) (miqps_get_u32(slot + 4) - 1);
        hash = miqps_image_hash_host(image->seed, record + MIQPS_HOST_HEAD,
                                     record[4],
                                     record[5] & MIQPS_HOST_WILDCARD);

        n = (i + image->nslots - miqps_image_slot(hash, image->nslots))
            % image->nslots + 1;

        if (n > stats->max_probes) {
            stats->max_probes = n;
        }
    }
}


static void
learn_stats_line(FILE *out, const char *what, uint64_t n)
{
    (void) fprintf(out, "%-36s %12llu\n", what, (unsigned long long) n);
}
