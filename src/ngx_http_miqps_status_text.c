
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps_status.h"
#include "miqps_utf8.h"


/*
 * The text format of Prometheus: for each name two lines on what it means,
 * then the values, told apart by labels.
 */


static void ngx_http_miqps_status_text_head(ngx_http_miqps_json_t *json,
    const char *name, const char *help, ngx_uint_t gauge);
static void ngx_http_miqps_status_text_label(ngx_http_miqps_json_t *json,
    const char *name, const char *label, const u_char *data, size_t len,
    uint64_t value);
static void ngx_http_miqps_status_text_escape(ngx_http_miqps_json_t *json,
    const u_char *data, size_t len);
static void ngx_http_miqps_status_text_value(ngx_http_miqps_json_t *json,
    uint64_t value);
static void ngx_http_miqps_status_text_counts(ngx_http_miqps_json_t *json,
    ngx_http_miqps_counts_t *counts);
static void ngx_http_miqps_status_text_corpus(ngx_http_miqps_json_t *json,
    ngx_http_miqps_counts_t *counts);
static void ngx_http_miqps_status_text_zones(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status, const ngx_http_miqps_number_t *number,
    size_t at);
static void ngx_http_miqps_status_text_rules(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status);
static void ngx_http_miqps_status_text_infos(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status);
static void ngx_http_miqps_status_text_hosts(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status);


#define ngx_http_miqps_text(json, text)                                       \
    ngx_http_miqps_json_bytes(json, (const u_char *) (text),                  \
                              ngx_strlen(text))

#define ngx_http_miqps_text_word(json, name, label, word, value)              \
    ngx_http_miqps_status_text_label(json, name, label,                       \
                                     (const u_char *) (word),                 \
                                     ngx_strlen(word), value)


void
ngx_http_miqps_status_text(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status)
{
    ngx_http_miqps_status_text_head(json, "info", "Versions.", 1);
    ngx_http_miqps_text(json, "miqps_info{version=\"" MIQPS_VERSION
                              "\",nginx=\"" NGINX_VERSION "\"} 1\n");

    ngx_http_miqps_status_text_head(json, "since_seconds",
                                    "Time since which all is counted.", 1);
    ngx_http_miqps_text(json, "miqps_since_seconds");
    ngx_http_miqps_status_text_value(json, status->since);

    ngx_http_miqps_status_text_head(json, "workers",
                                    "Processes that serve requests.", 1);
    ngx_http_miqps_text(json, "miqps_workers");
    ngx_http_miqps_status_text_value(json, status->workers.nelts);

    ngx_http_miqps_status_text_counts(json, &status->counts);
    ngx_http_miqps_status_text_corpus(json, &status->counts);

    if (status->zones.nelts > 0) {
        ngx_http_miqps_status_text_infos(json, status);
        ngx_http_miqps_status_text_zones(json, status,
                                         ngx_http_miqps_zone_numbers, 0);
        ngx_http_miqps_status_text_zones(json, status,
                               ngx_http_miqps_map_numbers,
                               offsetof(ngx_http_miqps_zone_status_t, counts));
        ngx_http_miqps_status_text_rules(json, status);
    }

    if (status->max_hosts > 0) {
        ngx_http_miqps_status_text_hosts(json, status);
    }
}


static void
ngx_http_miqps_status_text_head(ngx_http_miqps_json_t *json, const char *name,
    const char *help, ngx_uint_t gauge)
{
    ngx_http_miqps_text(json, "# HELP miqps_");
    ngx_http_miqps_text(json, name);
    ngx_http_miqps_text(json, " ");
    ngx_http_miqps_text(json, help);
    ngx_http_miqps_text(json, "\n# TYPE miqps_");
    ngx_http_miqps_text(json, name);
    ngx_http_miqps_text(json, gauge ? " gauge\n" : " counter\n");
}


static void
ngx_http_miqps_status_text_label(ngx_http_miqps_json_t *json, const char *name,
    const char *label, const u_char *data, size_t len, uint64_t value)
{
    ngx_http_miqps_text(json, "miqps_");
    ngx_http_miqps_text(json, name);
    ngx_http_miqps_text(json, "{");
    ngx_http_miqps_text(json, label);
    ngx_http_miqps_text(json, "=\"");
    ngx_http_miqps_status_text_escape(json, data, len);
    ngx_http_miqps_text(json, "\"}");
    ngx_http_miqps_status_text_value(json, value);
}


/* what is not UTF-8 becomes U+FFFD, byte by byte, and so do control bytes */

static void
ngx_http_miqps_status_text_escape(ngx_http_miqps_json_t *json,
    const u_char *data, size_t len)
{
    size_t         n;
    const u_char  *last;

    for (last = data + len; data < last; data += n) {
        n = 1;

        if (*data == '"' || *data == '\\') {
            ngx_http_miqps_text(json, "\\");
            ngx_http_miqps_json_bytes(json, data, 1);
            continue;
        }

        if (*data == '\n') {
            ngx_http_miqps_text(json, "\\n");
            continue;
        }

        n = (*data < 0x80) ? (*data >= 0x20 && *data != 0x7f)
                           : miqps_utf8_char(data, last - data);

        if (n == 0) {
            ngx_http_miqps_text(json, "\xef\xbf\xbd");
            n = 1;
            continue;
        }

        ngx_http_miqps_json_bytes(json, data, n);
    }
}


static void
ngx_http_miqps_status_text_value(ngx_http_miqps_json_t *json, uint64_t value)
{
    u_char  text[NGX_INT64_LEN + sizeof(" \n")], *p;

    p = ngx_sprintf(text, " %uL\n", value);

    ngx_http_miqps_json_bytes(json, text, p - text);
}


static void
ngx_http_miqps_status_text_counts(ngx_http_miqps_json_t *json,
    ngx_http_miqps_counts_t *counts)
{
    ngx_uint_t  i;

    ngx_http_miqps_status_text_head(json, "requests_total",
                                    "Requests by what became of them.", 0);

    for (i = 0; i < NGX_HTTP_MIQPS_VERDICTS; i++) {
        ngx_http_miqps_text_word(json, "requests_total", "verdict",
                                 ngx_http_miqps_verdict_name(i),
                                 counts->verdicts[i]);
    }

    ngx_http_miqps_status_text_head(json, "redirects_total",
                                    "Redirects to clean URLs.", 0);
    ngx_http_miqps_text(json, "miqps_redirects_total");
    ngx_http_miqps_status_text_value(json, counts->redirects);

    ngx_http_miqps_status_text_head(json, "guard_total",
                                    "Requests that must not change, by why.",
                                    0);

    for (i = MIQPS_GUARD_PASS + 1; i < MIQPS_GUARD_MAX; i++) {
        ngx_http_miqps_text_word(json, "guard_total", "reason",
                                 miqps_guard_name(i), counts->guards[i]);
    }

    ngx_http_miqps_status_text_head(json, "layer_hits_total",
                                    "Requests that a layer took something of.",
                                    0);

    for (i = 0; i < MIQPS_LAYER_MAX; i++) {
        if (ngx_http_miqps_layer_strips(i)) {
            ngx_http_miqps_text_word(json, "layer_hits_total", "layer",
                                     miqps_layer_name(i), counts->hits[i]);
        }
    }

    ngx_http_miqps_status_text_head(json, "layer_strips_total",
                                    "Parameters that a layer took.", 0);

    for (i = 0; i < MIQPS_LAYER_MAX; i++) {
        if (ngx_http_miqps_layer_strips(i)) {
            ngx_http_miqps_text_word(json, "layer_strips_total", "layer",
                                     miqps_layer_name(i), counts->strips[i]);
        }
    }
}


static void
ngx_http_miqps_status_text_corpus(ngx_http_miqps_json_t *json,
    ngx_http_miqps_counts_t *counts)
{
    ngx_uint_t  i;

    ngx_http_miqps_status_text_head(json, "corpus_total",
                                    "Eligible requests by what became of "
                                    "their URLs, and lines that were lost.",
                                    0);

    for (i = 0; i < NGX_HTTP_MIQPS_CORPUS_INELIGIBLE; i++) {
        ngx_http_miqps_text_word(json, "corpus_total", "result",
                                 ngx_http_miqps_corpus_name(i),
                                 counts->corpus[i]);
    }

    ngx_http_miqps_status_text_head(json, "corpus_ineligible_total",
                                    "Requests whose URLs are not collected, "
                                    "by why.", 0);

    for (i = NGX_HTTP_MIQPS_CORPUS_INELIGIBLE; i < NGX_HTTP_MIQPS_CORPUS_MAX;
         i++)
    {
        ngx_http_miqps_text_word(json, "corpus_ineligible_total", "reason",
                                 ngx_http_miqps_corpus_name(i),
                                 counts->corpus[i]);
    }
}


static void
ngx_http_miqps_status_text_zones(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status, const ngx_http_miqps_number_t *number,
    size_t at)
{
    ngx_uint_t                     i;
    ngx_http_miqps_zone_status_t  *zone;

    zone = status->zones.elts;

    for ( /* void */ ; number->key != NULL; number++) {
        ngx_http_miqps_status_text_head(json, number->name, number->help,
                                        number->gauge);

        for (i = 0; i < status->zones.nelts; i++) {
            ngx_http_miqps_status_text_label(json, number->name, "zone",
                zone[i].name.data, zone[i].name.len,
                ngx_http_miqps_number((u_char *) &zone[i] + at, number));
        }
    }
}


static void
ngx_http_miqps_status_text_infos(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status)
{
    u_char                         hex[2 * MIQPS_IMAGE_CHECKSUM];
    ngx_uint_t                     i;
    ngx_http_miqps_zone_status_t  *zone;

    zone = status->zones.elts;

    ngx_http_miqps_status_text_head(json, "zone_info",
                                    "File and checksum of the map in use.", 1);

    for (i = 0; i < status->zones.nelts; i++) {
        ngx_http_miqps_text(json, "miqps_zone_info{zone=\"");
        ngx_http_miqps_status_text_escape(json, zone[i].name.data,
                                          zone[i].name.len);
        ngx_http_miqps_text(json, "\",map=\"");
        ngx_http_miqps_status_text_escape(json, zone[i].map.data,
                                          zone[i].map.len);
        ngx_http_miqps_text(json, "\",image=\"");

        if (zone[i].generation != 0) {
            ngx_hex_dump(hex, zone[i].checksum, MIQPS_IMAGE_CHECKSUM);
            ngx_http_miqps_json_bytes(json, hex, sizeof(hex));
        }

        ngx_http_miqps_text(json, "\"} 1\n");
    }

    ngx_http_miqps_status_text_head(json, "zone_off",
                                    "Whether the map is switched off.", 1);

    for (i = 0; i < status->zones.nelts; i++) {
        ngx_http_miqps_status_text_label(json, "zone_off", "zone",
                                         zone[i].name.data, zone[i].name.len,
                                         zone[i].off);
    }
}


/* of the map in use; they begin anew with the next one */

static void
ngx_http_miqps_status_text_rules(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status)
{
    u_char                         text[NGX_INT_T_LEN], *p;
    ngx_uint_t                     i, k;
    ngx_http_miqps_zone_status_t  *zone;
    ngx_http_miqps_rule_status_t  *rule;

    zone = status->zones.elts;

    ngx_http_miqps_status_text_head(json, "rule_requests_total",
                                    "Requests that a path rule of the map in "
                                    "use was applied to.", 0);

    for (i = 0; i < status->zones.nelts; i++) {
        rule = zone[i].rules.elts;

        for (k = 0; k < zone[i].rules.nelts; k++) {
            ngx_http_miqps_text(json, "miqps_rule_requests_total{zone=\"");
            ngx_http_miqps_status_text_escape(json, zone[i].name.data,
                                              zone[i].name.len);
            ngx_http_miqps_text(json, "\",host=\"");
            ngx_http_miqps_status_text_escape(json, rule[k].host.data,
                                              rule[k].host.len);
            ngx_http_miqps_text(json, "\",rule=\"");

            p = ngx_sprintf(text, "%ui", rule[k].number);
            ngx_http_miqps_json_bytes(json, text, p - text);

            ngx_http_miqps_text(json, "\"}");
            ngx_http_miqps_status_text_value(json, rule[k].requests);
        }
    }
}


/* no host has the name "*" */

static void
ngx_http_miqps_status_text_hosts(ngx_http_miqps_json_t *json,
    ngx_http_miqps_status_t *status)
{
    ngx_uint_t                      i;
    ngx_http_miqps_host_status_t   *host;
    const ngx_http_miqps_number_t  *number;

    host = status->hosts.elts;

    for (number = ngx_http_miqps_host_numbers; number->key != NULL; number++) {
        ngx_http_miqps_status_text_head(json, number->name, number->help,
                                        number->gauge);

        for (i = 0; i < status->hosts.nelts; i++) {
            ngx_http_miqps_status_text_label(json, number->name, "host",
                host[i].name.data, host[i].name.len,
                ngx_http_miqps_number(&host[i].counts, number));
        }

        ngx_http_miqps_text_word(json, number->name, "host", "*",
                            ngx_http_miqps_number(&status->other, number));
    }
}
