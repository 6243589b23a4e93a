
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <arpa/inet.h>

#include "day.h"
#include "record.h"


#define LEARN_CLIENT_BITS   48         /* of a hash under the store's key */
#define LEARN_CLIENT_HEX    16         /* digits of a client with a key */


typedef struct {
    const char     *name;
    learn_field_e   field;
} learn_variable_t;


static learn_line_e  learn_record_request(const learn_record_t *record,
    miqps_str_t *method, miqps_str_t *target);
static int  learn_record_html(const miqps_str_t *type);
static int  learn_record_text(const learn_record_t *record,
    const miqps_str_t *text, uint8_t *buf, size_t room, miqps_str_t *out);
static int  learn_record_escape(const miqps_str_t *text, size_t *i,
    uint8_t *byte);
static int  learn_record_hex(const miqps_str_t *text, size_t at, size_t n,
    uint64_t *value);
static void  learn_record_port(miqps_str_t *host);
static uint64_t  learn_record_client(const learn_record_t *record,
    const learn_store_t *store);
static uint64_t  learn_record_address(const learn_store_t *store,
    const miqps_str_t *text);


static const learn_variable_t  learn_record_variables[] = {
    { "remote_addr",             LEARN_FIELD_CLIENT },
    { "remote_user",             LEARN_FIELD_USER },
    { "time_local",              LEARN_FIELD_TIME },
    { "time_iso8601",            LEARN_FIELD_TIME },
    { "msec",                    LEARN_FIELD_TIME },
    { "request",                 LEARN_FIELD_REQUEST },
    { "request_method",          LEARN_FIELD_METHOD },
    { "request_uri",             LEARN_FIELD_TARGET },
    { "miqps_original",          LEARN_FIELD_TARGET },
    { "status",                  LEARN_FIELD_STATUS },
    { "scheme",                  LEARN_FIELD_SCHEME },
    { "host",                    LEARN_FIELD_HOST },
    { "http_host",               LEARN_FIELD_HOST },
    { "server_name",             LEARN_FIELD_HOST },
    { "sent_http_content_type",  LEARN_FIELD_TYPE },
    { "upstream_http_content_type", LEARN_FIELD_TYPE }
};


#define learn_record_is(part, text)                                           \
    ((part).len == sizeof(text) - 1                                           \
     && memcmp((part).data, text, sizeof(text) - 1) == 0)


learn_field_e
learn_record_variable(const uint8_t *name, size_t len)
{
    size_t       i, n;
    const char  *text;

    n = sizeof(learn_record_variables) / sizeof(learn_record_variables[0]);

    for (i = 0; i < n; i++) {
        text = learn_record_variables[i].name;

        if (strlen(text) == len && memcmp(text, name, len) == 0) {
            return learn_record_variables[i].field;
        }
    }

    return LEARN_FIELD_OTHER;
}


learn_line_e
learn_record_entry(const learn_record_t *record, const learn_store_t *store,
    learn_record_work_t *work, learn_entry_t *entry)
{
    miqps_str_t         method, target, host;
    learn_line_e        what;
    const miqps_str_t  *field;

    field = record->field;

    what = learn_record_request(record, &method, &target);

    if (what != LEARN_LINE_TAKEN) {
        return what;
    }

    if (field[LEARN_FIELD_USER].len > 0
        && !learn_record_is(field[LEARN_FIELD_USER], "-"))
    {
        return LEARN_LINE_USER;
    }

    if ((method.len > 0 && !learn_record_is(method, "GET"))
        || (field[LEARN_FIELD_STATUS].len > 0
            && !learn_record_is(field[LEARN_FIELD_STATUS], "200")))
    {
        return LEARN_LINE_REQUEST;
    }

    if (!learn_record_html(&field[LEARN_FIELD_TYPE])) {
        return LEARN_LINE_TYPE;
    }

    if (target.len > 4 * sizeof(work->target)
        || field[LEARN_FIELD_HOST].len > sizeof(work->host))
    {
        return LEARN_LINE_TOO_LONG;
    }

    if (!learn_record_text(record, &target, work->target,
                           sizeof(work->target), &entry->target)
        || !learn_record_text(record, &field[LEARN_FIELD_HOST], work->host,
                              sizeof(work->host), &host))
    {
        return LEARN_LINE_FORM;
    }

    learn_record_port(&host);

    entry->host = host;
    entry->http = learn_record_is(field[LEARN_FIELD_SCHEME], "http");
    entry->listed = record->listed;
    entry->day = learn_day(&field[LEARN_FIELD_TIME]);
    entry->client = learn_record_client(record, store);

    return (entry->day == 0 && field[LEARN_FIELD_TIME].len > 0)
           ? LEARN_LINE_FORM : LEARN_LINE_TAKEN;
}


/* of "GET /p?id=7 HTTP/1.1", unless there are fields of their own */

static learn_line_e
learn_record_request(const learn_record_t *record, miqps_str_t *method,
    miqps_str_t *target)
{
    miqps_str_t     request;
    const uint8_t  *p, *end, *last;

    *method = record->field[LEARN_FIELD_METHOD];
    *target = record->field[LEARN_FIELD_TARGET];

    if (target->len > 0) {
        return LEARN_LINE_TAKEN;
    }

    request = record->field[LEARN_FIELD_REQUEST];

    if (request.len == 0) {
        return LEARN_LINE_FORM;
    }

    p = request.data;
    last = p + request.len;
    end = memchr(p, ' ', request.len);

    if (end == NULL) {
        return LEARN_LINE_FORM;
    }

    method->data = p;
    method->len = (size_t) (end - p);

    p = end + 1;
    end = memchr(p, ' ', (size_t) (last - p));

    if (end == NULL || end == p || last - end < 7
        || memcmp(end + 1, "HTTP/", 5) != 0)
    {
        return LEARN_LINE_FORM;
    }

    target->data = p;
    target->len = (size_t) (end - p);

    return LEARN_LINE_TAKEN;
}


/* also for a log that does not tell */

static int
learn_record_html(const miqps_str_t *type)
{
    size_t       i, k, n;
    const char  *text;

    static const char *const  types[] = {
        "text/html", "application/xhtml+xml"
    };

    if (type->len == 0 || learn_record_is(*type, "-")) {
        return 1;
    }

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        text = types[i];
        n = strlen(text);

        for (k = 0; k < n && k < type->len; k++) {
            if ((type->data[k] | 0x20) != (text[k] | 0x20)) {
                break;
            }
        }

        if (k == n && (type->len == n || type->data[n] == ';'
                       || type->data[n] == ' '))
        {
            return 1;
        }
    }

    return 0;
}


/* without the escapes of nginx or JSON; 0 if they are none, or too long */

static int
learn_record_text(const learn_record_t *record, const miqps_str_t *text,
    uint8_t *buf, size_t room, miqps_str_t *out)
{
    size_t    i;
    uint8_t  *p;

    *out = *text;

    if (!record->escaped || text->len == 0
        || memchr(text->data, '\\', text->len) == NULL)
    {
        return 1;
    }

    p = buf;

    for (i = 0; i < text->len; i++, p++) {

        if ((size_t) (p - buf) == room) {
            return 0;
        }

        *p = text->data[i];

        if (*p == '\\' && !learn_record_escape(text, &i, p)) {
            return 0;
        }
    }

    out->data = buf;
    out->len = (size_t) (p - buf);

    return 1;
}


/* "\xHH" as nginx writes it, or with "escape=json" */

static int
learn_record_escape(const miqps_str_t *text, size_t *i, uint8_t *byte)
{
    uint64_t  value;

    if (text->len - *i < 2) {
        return 0;
    }

    switch (text->data[++*i]) {

    case 'x':
        if (!learn_record_hex(text, *i + 1, 2, &value)) {
            return 0;
        }

        *i += 2;
        break;

    case 'u':
        if (!learn_record_hex(text, *i + 1, 4, &value) || value > 0x7f) {
            return 0;
        }

        *i += 4;
        break;

    case '"':
    case '\\':
    case '/':
        value = text->data[*i];
        break;

    default:
        return 0;
    }

    *byte = (uint8_t) value;

    return 1;
}


static int
learn_record_hex(const miqps_str_t *text, size_t at, size_t n, uint64_t *value)
{
    size_t   i;
    uint8_t  c;

    *value = 0;

    for (i = at; i < at + n; i++) {

        if (i >= text->len) {
            return 0;
        }

        c = text->data[i];

        if (c >= '0' && c <= '9') {
            *value = *value << 4 | (c - '0');
            continue;
        }

        c |= 0x20;

        if (c < 'a' || c > 'f') {
            return 0;
        }

        *value = *value << 4 | (c - 'a' + 10);
    }

    return 1;
}


static void
learn_record_port(miqps_str_t *host)
{
    size_t  n;

    for (n = host->len; n > 0; n--) {

        if (host->data[n - 1] == ':') {
            host->len = n - 1;
            return;
        }

        if (host->data[n - 1] < '0' || host->data[n - 1] > '9') {
            return;
        }
    }
}


static uint64_t
learn_record_client(const learn_record_t *record, const learn_store_t *store)
{
    uint64_t            client;
    const miqps_str_t  *text;

    text = &record->field[LEARN_FIELD_CLIENT];

    if (record->keyed) {
        return (text->len == LEARN_CLIENT_HEX
                && learn_record_hex(text, 0, LEARN_CLIENT_HEX, &client))
               ? client : 0;
    }

    if (text->len == 0 || learn_record_is(*text, "-")
        || learn_record_is(*text, "unix:"))
    {
        return 0;
    }

    client = learn_record_address(store, text)
             & ((UINT64_C(1) << LEARN_CLIENT_BITS) - 1);

    return client + (client == 0);
}


/* one network of IPv6 is one client, as it is for nginx */

static uint64_t
learn_record_address(const learn_store_t *store, const miqps_str_t *text)
{
    char             name[INET6_ADDRSTRLEN];
    struct in_addr   four;
    struct in6_addr  six;

    if (text->len < sizeof(name)) {
        memcpy(name, text->data, text->len);
        name[text->len] = '\0';

        if (inet_pton(AF_INET, name, &four) == 1) {
            return learn_store_hash(store, &four, 4);
        }

        if (inet_pton(AF_INET6, name, &six) == 1) {
            return IN6_IS_ADDR_V4MAPPED(&six)
                   ? learn_store_hash(store, six.s6_addr + 12, 4)
                   : learn_store_hash(store, six.s6_addr, 8);
        }
    }

    return learn_store_hash(store, text->data, text->len);
}
