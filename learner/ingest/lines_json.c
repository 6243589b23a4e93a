
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "lines.h"


typedef struct {
    const char     *name;
    learn_field_e   field;
} learn_json_name_t;


static void  learn_json_member(cJSON *item, learn_record_t *record);
static void  learn_json_value(cJSON *item, miqps_str_t *value);


/* besides those of nginx's variables */

static const learn_json_name_t  learn_json_names[] = {
    { "client",         LEARN_FIELD_CLIENT },
    { "client_ip",      LEARN_FIELD_CLIENT },
    { "clientip",       LEARN_FIELD_CLIENT },
    { "remote_ip",      LEARN_FIELD_CLIENT },
    { "ip",             LEARN_FIELD_CLIENT },
    { "user",           LEARN_FIELD_USER },
    { "time",           LEARN_FIELD_TIME },
    { "timestamp",      LEARN_FIELD_TIME },
    { "@timestamp",     LEARN_FIELD_TIME },
    { "method",         LEARN_FIELD_METHOD },
    { "url",            LEARN_FIELD_TARGET },
    { "target",         LEARN_FIELD_TARGET },
    { "request_url",    LEARN_FIELD_TARGET },
    { "status_code",    LEARN_FIELD_STATUS },
    { "vhost",          LEARN_FIELD_HOST },
    { "domain",         LEARN_FIELD_HOST },
    { "content_type",   LEARN_FIELD_TYPE },
    { "mime",           LEARN_FIELD_TYPE }
};


int
learn_line_json(const miqps_str_t *line, learn_record_t *record, cJSON **json)
{
    cJSON  *item;

    memset(record, 0, sizeof(learn_record_t));

    *json = cJSON_ParseWithLength((const char *) line->data, line->len);

    if (!cJSON_IsObject(*json)) {
        return 0;
    }

    cJSON_ArrayForEach(item, *json) {
        learn_json_member(item, record);
    }

    return 1;
}


/* the first of several with one meaning counts */

static void
learn_json_member(cJSON *item, learn_record_t *record)
{
    size_t         i, n;
    learn_field_e  field;

    n = sizeof(learn_json_names) / sizeof(learn_json_names[0]);

    field = learn_record_variable((const uint8_t *) item->string,
                                  strlen(item->string));

    for (i = 0; i < n && field == LEARN_FIELD_OTHER; i++) {
        if (strcmp(item->string, learn_json_names[i].name) == 0) {
            field = learn_json_names[i].field;
        }
    }

    if (field != LEARN_FIELD_OTHER && record->field[field].len == 0) {
        learn_json_value(item, &record->field[field]);
    }
}


/* a number gets its text, which goes with it */

static void
learn_json_value(cJSON *item, miqps_str_t *value)
{
    if (cJSON_IsNumber(item) && item->valuestring == NULL) {
        item->valuestring = cJSON_PrintUnformatted(item);
    }

    if ((cJSON_IsString(item) || cJSON_IsNumber(item))
        && item->valuestring != NULL)
    {
        value->data = (const uint8_t *) item->valuestring;
        value->len = strlen(item->valuestring);
    }
}
