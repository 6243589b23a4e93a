
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "settings.h"


void
learn_settings_init(learn_settings_t *settings)
{
    memset(settings, 0, sizeof(learn_settings_t));

    settings->id = LEARN_ID_TEXT;
    settings->patterns = 50;
    settings->samples = 10;
    settings->tests = 5;
    settings->threshold = 10;
    settings->seed = 1;
    settings->fetches = 300;
    settings->values = 14;
    settings->adaptive = 1;
    settings->paths = 1;

    settings->rate = 10;
    settings->wide = 4;
    settings->hosts = 16;
    settings->body = 4 * 1024 * 1024;
    settings->timeout = 30000;
}


void
learn_settings_text(const learn_settings_t *settings, char *text, size_t size)
{
    int     ok;
    char   *json;
    cJSON  *object;

    json = NULL;
    object = cJSON_CreateObject();

    ok = object != NULL
         && cJSON_AddStringToObject(object, "algorithm",
                                    settings->adaptive ? "adaptive" : "paper")
            != NULL
         && cJSON_AddStringToObject(object, "content_id",
                                    learn_id_name(settings->id)) != NULL
         && (settings->command == NULL
             || cJSON_AddStringToObject(object, "command", settings->command)
                != NULL)
         && (!settings->adaptive
             || (cJSON_AddNumberToObject(object, "fetches", settings->fetches)
                 != NULL
                 && cJSON_AddNumberToObject(object, "values",
                                            settings->values) != NULL))
         && cJSON_AddNumberToObject(object, "patterns", settings->patterns)
            != NULL
         && cJSON_AddNumberToObject(object, "samples", settings->samples)
            != NULL
         && cJSON_AddNumberToObject(object, "tests", settings->tests) != NULL
         && cJSON_AddNumberToObject(object, "threshold", settings->threshold)
            != NULL
         && cJSON_AddNumberToObject(object, "seed", (double) settings->seed)
            != NULL;

    if (ok) {
        json = cJSON_PrintUnformatted(object);
    }

    (void) snprintf(text, size, "%s", (json != NULL) ? json : "{}");

    cJSON_Delete(object);
    free(json);
}
