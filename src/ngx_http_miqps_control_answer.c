
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"
#include "ngx_http_miqps_json.h"


/*
 * What miqps_control answers:
 *
 *     {"ok":true,"zone":"shop","generation":7,"image":"0123...",...}
 *     {"ok":false,"error":"...","zone":"shop","generation":6,...}
 */

#define NGX_HTTP_MIQPS_ANSWER_MAX  65536

#define NGX_HTTP_UNPROCESSABLE     422


static void ngx_http_miqps_control_begin(ngx_http_request_t *r,
    ngx_http_miqps_json_t *json, const char *error);
static void ngx_http_miqps_control_state(ngx_http_miqps_json_t *json,
    ngx_http_miqps_zone_t *zone);


ngx_int_t
ngx_http_miqps_control_not_allowed(ngx_http_request_t *r, char *allow,
    const char *why)
{
    ngx_str_t  name, value;

    ngx_str_set(&name, "Allow");

    value.data = (u_char *) allow;
    value.len = ngx_strlen(allow);

    if (ngx_http_miqps_header_push(r, &r->headers_out.headers, &name, &value)
        != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_miqps_control_answer(r, NULL, NGX_HTTP_NOT_ALLOWED, why);
}


ngx_int_t
ngx_http_miqps_control_answer(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t status, const char *error)
{
    ngx_http_miqps_json_t  json;

    ngx_http_miqps_control_begin(r, &json, error);

    if (zone != NULL) {
        ngx_http_miqps_control_state(&json, zone);
    }

    ngx_http_miqps_json_close(&json, '}');

    return ngx_http_miqps_json_send(r, &json, status);
}


ngx_int_t
ngx_http_miqps_control_told(ngx_http_request_t *r, ngx_http_miqps_load_t *load)
{
    ngx_uint_t              status;
    const char             *error;
    ngx_http_miqps_json_t   json;

    switch (load->rc) {

    case NGX_HTTP_MIQPS_LOAD_OK:
    case NGX_HTTP_MIQPS_LOAD_SAME:
        status = NGX_HTTP_OK;
        error = NULL;
        break;

    case NGX_HTTP_MIQPS_LOAD_BUSY:
    case NGX_HTTP_MIQPS_LOAD_READ:
        status = NGX_HTTP_CONFLICT;
        error = (const char *) load->text;
        break;

    default: /* NGX_HTTP_MIQPS_LOAD_BACK, NGX_HTTP_MIQPS_LOAD_REFUSED */
        status = NGX_HTTP_UNPROCESSABLE;
        error = (const char *) load->text;
        break;
    }

    ngx_http_miqps_control_begin(r, &json, error);
    ngx_http_miqps_control_state(&json, load->zone);

    ngx_http_miqps_json_true(&json, "changed",
                             load->rc == NGX_HTTP_MIQPS_LOAD_OK
                             && !(load->flags & NGX_HTTP_MIQPS_LOAD_CHECK));

    if (load->size != 0) {
        ngx_http_miqps_json_open(&json, "file", '{');
        ngx_http_miqps_json_hex(&json, "image", load->checksum,
                                MIQPS_IMAGE_CHECKSUM);
        ngx_http_miqps_json_number(&json, "size", load->size);
        ngx_http_miqps_json_close(&json, '}');
    }

    ngx_http_miqps_json_close(&json, '}');

    return ngx_http_miqps_json_send(r, &json, status);
}


static void
ngx_http_miqps_control_begin(ngx_http_request_t *r,
    ngx_http_miqps_json_t *json, const char *error)
{
    ngx_http_miqps_json_init(json, r->pool, NGX_HTTP_MIQPS_ANSWER_MAX);

    ngx_http_miqps_json_open(json, NULL, '{');
    ngx_http_miqps_json_true(json, "ok", error == NULL);

    if (error != NULL) {
        ngx_http_miqps_json_string(json, "error", (u_char *) error,
                                   ngx_strlen(error));
    }
}


static void
ngx_http_miqps_control_state(ngx_http_miqps_json_t *json,
    ngx_http_miqps_zone_t *zone)
{
    ngx_uint_t                   i;
    ngx_http_miqps_zone_state_t  state;

    ngx_http_miqps_zone_state(zone, &state);

    ngx_http_miqps_json_string(json, "zone", zone->name.data, zone->name.len);

    ngx_http_miqps_json_number(json, "generation", state.current.generation);
    ngx_http_miqps_json_hex(json, "image", state.current.checksum,
                            state.current.generation
                            ? MIQPS_IMAGE_CHECKSUM : 0);
    ngx_http_miqps_json_number(json, "size", state.current.size);
    ngx_http_miqps_json_number(json, "since", state.current.since);

    ngx_http_miqps_json_true(json, "off", state.off);

    if (state.previous.generation != 0) {
        ngx_http_miqps_json_open(json, "previous", '{');
        ngx_http_miqps_json_number(json, "generation",
                                   state.previous.generation);
        ngx_http_miqps_json_hex(json, "image", state.previous.checksum,
                                MIQPS_IMAGE_CHECKSUM);
        ngx_http_miqps_json_close(json, '}');
    }

    ngx_http_miqps_json_open(json, "rolled_back", '[');

    for (i = 0; i < state.nback; i++) {
        ngx_http_miqps_json_hex(json, NULL, state.back[i],
                                MIQPS_IMAGE_CHECKSUM);
    }

    ngx_http_miqps_json_close(json, ']');

    ngx_http_miqps_json_number(json, "swaps", state.swaps);
    ngx_http_miqps_json_number(json, "refused", state.refused);
    ngx_http_miqps_json_number(json, "skipped", state.skipped);
}
