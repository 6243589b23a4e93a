
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_status.h"


static void ngx_http_miqps_status_json_counts(ngx_http_miqps_json_t *json,
    ngx_http_miqps_counts_t *counts);
static void ngx_http_miqps_status_json_corpus(ngx_http_miqps_json_t *json,
    ngx_http_miqps_counts_t *counts);
static void ngx_http_miqps_status_json_zone(ngx_http_miqps_json_t *json,
    ngx_http_miqps_zone_status_t *zone);
static void ngx_http_miqps_status_json_workers(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status);
static void ngx_http_miqps_status_json_hosts(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status);
static void ngx_http_miqps_status_json_numbers(ngx_http_miqps_json_t *json,
    const ngx_http_miqps_number_t *number, void *of);


#define ngx_http_miqps_json_text(json, key, text)                             \
    ngx_http_miqps_json_string(json, key, (const u_char *) (text),            \
                               ngx_strlen(text))


void
ngx_http_miqps_status_json(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status)
{
    ngx_uint_t                     i;
    ngx_http_miqps_zone_status_t  *zone;

    ngx_http_miqps_json_open(json, NULL, '{');

    ngx_http_miqps_json_text(json, "version", MIQPS_VERSION);
    ngx_http_miqps_json_text(json, "nginx", NGINX_VERSION);
    ngx_http_miqps_json_number(json, "pid", ngx_pid);
    ngx_http_miqps_json_number(json, "time", status->time);
    ngx_http_miqps_json_number(json, "since", status->since);

    ngx_http_miqps_status_json_counts(json, &status->counts);
    ngx_http_miqps_status_json_corpus(json, &status->counts);

    ngx_http_miqps_json_open(json, "map", '{');
    ngx_http_miqps_status_json_numbers(json, ngx_http_miqps_map_numbers,
                                       &status->map);
    ngx_http_miqps_json_close(json, '}');

    ngx_http_miqps_json_open(json, "zones", '[');

    zone = status->zones.elts;

    for (i = 0; i < status->zones.nelts; i++) {
        ngx_http_miqps_status_json_zone(json, &zone[i]);
    }

    ngx_http_miqps_json_close(json, ']');

    ngx_http_miqps_status_json_workers(json, status);
    ngx_http_miqps_status_json_hosts(json, status);

    ngx_http_miqps_json_close(json, '}');
}


static void
ngx_http_miqps_status_json_counts(ngx_http_miqps_json_t *json,
    ngx_http_miqps_counts_t *counts)
{
    ngx_uint_t  i;

    ngx_http_miqps_json_number(json, "requests",
                               ngx_http_miqps_counts_requests(counts));
    ngx_http_miqps_json_number(json, "redirects", counts->redirects);

    ngx_http_miqps_json_open(json, "verdicts", '{');

    for (i = 0; i < NGX_HTTP_MIQPS_VERDICTS; i++) {
        ngx_http_miqps_json_number(json, ngx_http_miqps_verdict_name(i),
                                   counts->verdicts[i]);
    }

    ngx_http_miqps_json_close(json, '}');
    ngx_http_miqps_json_open(json, "guard", '{');

    for (i = MIQPS_GUARD_PASS + 1; i < MIQPS_GUARD_MAX; i++) {
        ngx_http_miqps_json_number(json, miqps_guard_name(i),
                                   counts->guards[i]);
    }

    ngx_http_miqps_json_close(json, '}');
    ngx_http_miqps_json_open(json, "layers", '{');

    for (i = 0; i < MIQPS_LAYER_MAX; i++) {
        if (ngx_http_miqps_layer_strips(i)) {
            ngx_http_miqps_json_open(json, miqps_layer_name(i), '{');
            ngx_http_miqps_json_number(json, "hits", counts->hits[i]);
            ngx_http_miqps_json_number(json, "strips", counts->strips[i]);
            ngx_http_miqps_json_close(json, '}');
        }
    }

    ngx_http_miqps_json_close(json, '}');
}


static void
ngx_http_miqps_status_json_corpus(ngx_http_miqps_json_t *json,
    ngx_http_miqps_counts_t *counts)
{
    ngx_uint_t  i;

    ngx_http_miqps_json_open(json, "corpus", '{');

    for (i = 0; i < NGX_HTTP_MIQPS_CORPUS_MAX; i++) {

        if (i == NGX_HTTP_MIQPS_CORPUS_INELIGIBLE) {
            ngx_http_miqps_json_open(json, "ineligible", '{');
        }

        ngx_http_miqps_json_number(json, ngx_http_miqps_corpus_name(i),
                                   counts->corpus[i]);
    }

    ngx_http_miqps_json_close(json, '}');
    ngx_http_miqps_json_close(json, '}');
}


static void
ngx_http_miqps_status_json_zone(ngx_http_miqps_json_t *json,
    ngx_http_miqps_zone_status_t *zone)
{
    ngx_uint_t                     i;
    ngx_http_miqps_rule_status_t  *rule;

    ngx_http_miqps_json_open(json, NULL, '{');

    ngx_http_miqps_json_string(json, "name", zone->name.data, zone->name.len);
    ngx_http_miqps_json_string(json, "map", zone->map.data, zone->map.len);
    ngx_http_miqps_json_hex(json, "image", zone->checksum,
                            (zone->generation != 0) ? MIQPS_IMAGE_CHECKSUM
                                                    : 0);
    ngx_http_miqps_json_true(json, "off", zone->off);

    ngx_http_miqps_status_json_numbers(json, ngx_http_miqps_zone_numbers,
                                       zone);

    ngx_http_miqps_json_text(json, "reason", zone->reason);

    ngx_http_miqps_status_json_numbers(json, ngx_http_miqps_map_numbers,
                                       &zone->counts);

    ngx_http_miqps_json_open(json, "rules", '[');

    rule = zone->rules.elts;

    for (i = 0; i < zone->rules.nelts; i++) {
        ngx_http_miqps_json_open(json, NULL, '{');
        ngx_http_miqps_json_string(json, "host", rule[i].host.data,
                                   rule[i].host.len);
        ngx_http_miqps_json_number(json, "rule", rule[i].number);
        ngx_http_miqps_json_number(json, "requests", rule[i].requests);
        ngx_http_miqps_json_close(json, '}');
    }

    ngx_http_miqps_json_close(json, ']');
    ngx_http_miqps_json_close(json, '}');
}


static void
ngx_http_miqps_status_json_workers(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status)
{
    ngx_uint_t                       i, k;
    ngx_http_miqps_worker_status_t  *worker;

    worker = status->workers.elts;

    ngx_http_miqps_json_open(json, "workers", '[');

    for (i = 0; i < status->workers.nelts; i++) {
        ngx_http_miqps_json_open(json, NULL, '{');
        ngx_http_miqps_json_number(json, "pid", worker[i].pid);
        ngx_http_miqps_json_number(json, "since", worker[i].since);
        ngx_http_miqps_json_number(json, "requests", worker[i].requests);
        ngx_http_miqps_json_open(json, "generations", '[');

        for (k = 0; k < status->zones.nelts; k++) {
            ngx_http_miqps_json_number(json, NULL, worker[i].generations[k]);
        }

        ngx_http_miqps_json_close(json, ']');
        ngx_http_miqps_json_close(json, '}');
    }

    ngx_http_miqps_json_close(json, ']');
}


static void
ngx_http_miqps_status_json_hosts(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status)
{
    ngx_uint_t                     i;
    ngx_http_miqps_host_status_t  *host;

    host = status->hosts.elts;

    ngx_http_miqps_json_number(json, "max_hosts", status->max_hosts);
    ngx_http_miqps_json_open(json, "hosts", '[');

    for (i = 0; i < status->hosts.nelts; i++) {
        ngx_http_miqps_json_open(json, NULL, '{');
        ngx_http_miqps_json_string(json, "host", host[i].name.data,
                                   host[i].name.len);
        ngx_http_miqps_status_json_numbers(json, ngx_http_miqps_host_numbers,
                                           &host[i].counts);
        ngx_http_miqps_json_close(json, '}');
    }

    ngx_http_miqps_json_close(json, ']');

    ngx_http_miqps_json_open(json, "other_hosts", '{');
    ngx_http_miqps_status_json_numbers(json, ngx_http_miqps_host_numbers,
                                       &status->other);
    ngx_http_miqps_json_close(json, '}');
}


static void
ngx_http_miqps_status_json_numbers(ngx_http_miqps_json_t *json,
    const ngx_http_miqps_number_t *number, void *of)
{
    for ( /* void */ ; number->key != NULL; number++) {
        ngx_http_miqps_json_number(json, number->key,
                                   ngx_http_miqps_number(of, number));
    }
}
