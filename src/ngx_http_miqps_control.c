
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "ngx_http_miqps.h"


/*
 * Requests that change zones.
 *
 *     POST ?action=reload|check|rollback|off|on[&zone=name][&force=1]
 *     GET  [?zone=name]
 *
 * Answers have the state of the zone as it then is, whatever became of the
 * request.
 */

typedef enum {
    NGX_HTTP_MIQPS_ARG_ACTION = 0,
    NGX_HTTP_MIQPS_ARG_ZONE,
    NGX_HTTP_MIQPS_ARG_FORCE,
    NGX_HTTP_MIQPS_NARGS
} ngx_http_miqps_arg_e;


/* a request that waits for a file; in its pool */

typedef struct {
    ngx_http_request_t          *request;
    ngx_http_miqps_load_t       *load;        /* NULL at its end */
} ngx_http_miqps_control_wait_t;


typedef ngx_int_t (*ngx_http_miqps_action_pt)(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags);


typedef struct {
    ngx_str_t                    name;
    ngx_http_miqps_action_pt     handler;
    ngx_uint_t                   flags;
} ngx_http_miqps_action_t;


static const char *ngx_http_miqps_control_parse(ngx_http_request_t *r,
    ngx_str_t *args);
static ngx_int_t ngx_http_miqps_control_value(ngx_http_request_t *r,
    u_char *p, u_char *last, ngx_str_t *value);
static ngx_http_miqps_zone_t *ngx_http_miqps_control_zone(ngx_array_t *zones,
    ngx_str_t *name, const char **why);
static ngx_int_t ngx_http_miqps_control_act(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_str_t *args);

static ngx_int_t ngx_http_miqps_control_load(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags);
static void ngx_http_miqps_control_cleanup(void *data);
static void ngx_http_miqps_control_loaded(ngx_http_miqps_load_t *load);
static ngx_int_t ngx_http_miqps_control_rollback(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags);
static ngx_int_t ngx_http_miqps_control_switch(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags);


static ngx_http_miqps_action_t  ngx_http_miqps_actions[] = {
    { ngx_string("reload"), ngx_http_miqps_control_load,
      NGX_HTTP_MIQPS_LOAD_ANYWAY|NGX_HTTP_MIQPS_LOAD_WAIT },
    { ngx_string("check"), ngx_http_miqps_control_load,
      NGX_HTTP_MIQPS_LOAD_CHECK },
    { ngx_string("rollback"), ngx_http_miqps_control_rollback, 0 },
    { ngx_string("off"), ngx_http_miqps_control_switch, 1 },
    { ngx_string("on"), ngx_http_miqps_control_switch, 0 },
    { ngx_null_string, NULL, 0 }
};


ngx_int_t
ngx_http_miqps_control_handler(ngx_http_request_t *r)
{
    ngx_int_t                   rc;
    ngx_str_t                   args[NGX_HTTP_MIQPS_NARGS], *name;
    const char                 *why;
    ngx_http_miqps_zone_t      *zone;
    ngx_http_miqps_loc_conf_t  *mlcf;

    mlcf = ngx_http_get_module_loc_conf(r, ngx_http_miqps_module);

    /* another request, which somebody else sent, may have led to this one */

    if (r != r->main || mlcf->control == NULL) {
        return NGX_HTTP_FORBIDDEN;
    }

    rc = ngx_http_discard_request_body(r);

    if (rc != NGX_OK) {
        return rc;
    }

    why = ngx_http_miqps_control_refuse(r, mlcf->control);

    if (why != NULL) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                      "miqps control: the client is refused, %s", why);

        return ngx_http_miqps_control_answer(r, NULL, NGX_HTTP_FORBIDDEN,
                                             "forbidden");
    }

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD|NGX_HTTP_POST))) {
        return ngx_http_miqps_control_not_allowed(r, "GET, HEAD, POST",
                                                  "use GET or POST");
    }

    why = ngx_http_miqps_control_parse(r, args);

    if (why != NULL) {
        return ngx_http_miqps_control_answer(r, NULL, NGX_HTTP_BAD_REQUEST,
                                             why);
    }

    if (r->method != NGX_HTTP_POST
        && args[NGX_HTTP_MIQPS_ARG_ACTION].data != NULL)
    {
        return ngx_http_miqps_control_not_allowed(r, "POST",
                                                  "an action needs POST");
    }

    name = &args[NGX_HTTP_MIQPS_ARG_ZONE];

    zone = ngx_http_miqps_control_zone(mlcf->main->zones, name, &why);

    if (zone == NULL) {
        return ngx_http_miqps_control_answer(r, NULL,
                                             (name->data != NULL)
                                             ? NGX_HTTP_NOT_FOUND
                                             : NGX_HTTP_BAD_REQUEST, why);
    }

    if (r->method != NGX_HTTP_POST) {
        return ngx_http_miqps_control_answer(r, zone, NGX_HTTP_OK, NULL);
    }

    return ngx_http_miqps_control_act(r, zone, args);
}


/*
 * Not the arguments as $arg_... has them, which would let pass what is not
 * understood: NULL, or what is wrong.
 */

static const char *
ngx_http_miqps_control_parse(ngx_http_request_t *r,
    ngx_str_t *args)
{
    ngx_uint_t  i;
    u_char     *p, *equals, *end, *last;
    ngx_str_t  *value;

    static ngx_str_t  names[] = {
        ngx_string("action"),
        ngx_string("zone"),
        ngx_string("force")
    };

    ngx_memzero(args, NGX_HTTP_MIQPS_NARGS * sizeof(ngx_str_t));

    if (r->args.len == 0) {
        return NULL;
    }

    last = r->args.data + r->args.len;

    for (p = r->args.data; p < last; p = end + 1) {
        value = NULL;

        for (end = p; end < last && *end != '&'; end++) {
            /* void */
        }

        equals = ngx_strlchr(p, end, '=');

        for (i = 0; equals != NULL && i < NGX_HTTP_MIQPS_NARGS; i++) {
            if (names[i].len == (size_t) (equals - p)
                && ngx_strncmp(names[i].data, p, names[i].len) == 0)
            {
                value = &args[i];
            }
        }

        if (value == NULL) {
            return "only \"action\", \"zone\" and \"force\" are arguments";
        }

        if (value->data != NULL) {
            return "an argument comes twice";
        }

        if (ngx_http_miqps_control_value(r, equals + 1, end, value) != NGX_OK)
        {
            return "there is no memory";
        }
    }

    return NULL;
}


static ngx_int_t
ngx_http_miqps_control_value(ngx_http_request_t *r, u_char *p, u_char *last,
    ngx_str_t *value)
{
    u_char  *to;

    to = ngx_pnalloc(r->pool, last - p + 1);
    if (to == NULL) {
        return NGX_ERROR;
    }

    value->data = to;

    ngx_unescape_uri(&to, &p, last - p, 0);

    value->len = to - value->data;

    return NGX_OK;
}


static ngx_http_miqps_zone_t *
ngx_http_miqps_control_zone(ngx_array_t *zones, ngx_str_t *name,
    const char **why)
{
    ngx_http_miqps_zone_t  *zone;

    if (zones == NULL) {
        *why = "there are no zones";
        return NULL;
    }

    if (name->data == NULL) {
        *why = "there are several zones, say which one: \"zone=NAME\"";
        return (zones->nelts == 1)
               ? ((ngx_http_miqps_zone_t **) zones->elts)[0] : NULL;
    }

    zone = ngx_http_miqps_zone_find(zones, name);

    if (zone == NULL) {
        *why = "there is no zone of that name";
    }

    return zone;
}


static ngx_int_t
ngx_http_miqps_control_act(ngx_http_request_t *r, ngx_http_miqps_zone_t *zone,
    ngx_str_t *args)
{
    ngx_str_t                *name, *force;
    ngx_uint_t                flags;
    ngx_http_miqps_action_t  *action;

    name = &args[NGX_HTTP_MIQPS_ARG_ACTION];
    force = &args[NGX_HTTP_MIQPS_ARG_FORCE];

    for (action = ngx_http_miqps_actions; action->name.len; action++) {
        if (action->name.len == name->len
            && ngx_strncmp(action->name.data, name->data, name->len) == 0)
        {
            break;
        }
    }

    if (action->name.len == 0) {
        return ngx_http_miqps_control_answer(r, zone, NGX_HTTP_BAD_REQUEST,
                                             "\"action\" must be reload, "
                                             "check, rollback, off or on");
    }

    flags = action->flags;

    if (force->data != NULL) {

        if (force->len != 1 || force->data[0] != '1'
            || action->handler != ngx_http_miqps_control_load)
        {
            return ngx_http_miqps_control_answer(r, zone,
                                                 NGX_HTTP_BAD_REQUEST,
                                                 "\"force=1\" is for reload "
                                                 "and check");
        }

        flags |= NGX_HTTP_MIQPS_LOAD_FORCE;
    }

    /* what this worker changes would not count any more */

    if (ngx_exiting || zone->reload != zone->sh->reload) {
        return ngx_http_miqps_control_answer(r, zone, NGX_HTTP_CONFLICT,
                                             "nginx was reloaded, ask again");
    }

    return action->handler(r, zone, flags);
}


/* --- files */

/*
 * The job may outlive the request, which can be ended at any time, and so has
 * memory of its own.
 */

static ngx_int_t
ngx_http_miqps_control_load(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags)
{
    ngx_http_cleanup_t             *cln;
    ngx_http_miqps_load_t          *load;
    ngx_http_miqps_control_wait_t  *wait;

    if (zone->map.len == 0) {
        return ngx_http_miqps_control_answer(r, zone, NGX_HTTP_CONFLICT,
                                             "the zone has no \"map\"");
    }

    wait = ngx_palloc(r->pool, sizeof(ngx_http_miqps_control_wait_t));
    if (wait == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    cln = ngx_http_cleanup_add(r, 0);
    if (cln == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    load = ngx_calloc(sizeof(ngx_http_miqps_load_t), r->connection->log);
    if (load == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    wait->request = r;
    wait->load = load;

    cln->handler = ngx_http_miqps_control_cleanup;
    cln->data = wait;

    load->zone = zone;
    load->flags = flags;
    load->data = wait;

    ngx_http_miqps_job_add(load, ngx_http_miqps_control_loaded,
                           ngx_cycle->log, 1);

    r->main->count++;

    return NGX_DONE;
}


static void
ngx_http_miqps_control_cleanup(void *data)
{
    ngx_http_miqps_control_wait_t  *wait = data;

    if (wait->load != NULL) {
        wait->load->data = NULL;
        wait->load = NULL;
    }
}


static void
ngx_http_miqps_control_loaded(ngx_http_miqps_load_t *load)
{
    ngx_connection_t               *c;
    ngx_http_request_t             *r;
    ngx_http_miqps_control_wait_t  *wait;

    if (!(load->flags & NGX_HTTP_MIQPS_LOAD_CHECK)) {
        ngx_http_miqps_load_report(load, load->log);
    }

    wait = load->data;

    if (wait != NULL) {
        r = wait->request;
        c = r->connection;

        wait->load = NULL;

        ngx_http_set_log_request(c->log, r);

        ngx_http_finalize_request(r, ngx_http_miqps_control_told(r, load));
        ngx_http_run_posted_requests(c);
    }

    ngx_free(load);
}


/* --- what takes no time */

static ngx_int_t
ngx_http_miqps_control_rollback(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags)
{
    switch (ngx_http_miqps_zone_rollback(zone)) {

    case NGX_OK:
        ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                      "miqps zone \"%V\": rolled back, the map before is "
                      "generation %uL", &zone->name, zone->sh->generation);

        return ngx_http_miqps_control_answer(r, zone, NGX_HTTP_OK, NULL);

    case NGX_BUSY:
        return ngx_http_miqps_control_answer(r, zone, NGX_HTTP_CONFLICT,
                                             "a map is being loaded, ask "
                                             "again");

    default: /* NGX_DECLINED */
        return ngx_http_miqps_control_answer(r, zone, NGX_HTTP_CONFLICT,
                                             "there is no map to go back to");
    }
}


static ngx_int_t
ngx_http_miqps_control_switch(ngx_http_request_t *r,
    ngx_http_miqps_zone_t *zone, ngx_uint_t flags)
{
    zone->sh->off = flags;

    ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0,
                  "miqps zone \"%V\" is switched %s", &zone->name,
                  flags ? "off" : "on");

    return ngx_http_miqps_control_answer(r, zone, NGX_HTTP_OK, NULL);
}
