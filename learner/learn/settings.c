
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "honor/honor.h"
#include "settings.h"


static cJSON  *learn_settings_honor(unsigned honor);


/* by their bits */

static const char *const  learn_settings_words[] = {
    "no-vary-search", "clean-param"
};


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
         && (settings->honor == 0
             || cJSON_AddItemToObject(object, "honor",
                                      learn_settings_honor(settings->honor)))
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


/* NULL without memory */

static cJSON *
learn_settings_honor(unsigned honor)
{
    size_t  i;
    cJSON  *list;

    list = cJSON_CreateArray();

    for (i = 0; i < sizeof(learn_settings_words) / sizeof(char *); i++) {

        if ((honor & 1u << i)
            && !cJSON_AddItemToArray(list, cJSON_CreateString(
                                               learn_settings_words[i])))
        {
            cJSON_Delete(list);
            return NULL;
        }
    }

    return list;
}


int
learn_settings_honors(learn_settings_t *settings, const char *text)
{
    size_t  i, len;

    settings->honor = 0;

    for ( ;; ) {
        len = strcspn(text, ",");

        for (i = 0; i < sizeof(learn_settings_words) / sizeof(char *); i++) {
            if (strlen(learn_settings_words[i]) == len
                && memcmp(text, learn_settings_words[i], len) == 0)
            {
                break;
            }
        }

        if (i == sizeof(learn_settings_words) / sizeof(char *)) {
            return 0;
        }

        settings->honor |= 1u << i;

        if (text[len] == '\0') {
            return 1;
        }

        text += len + 1;
    }
}
