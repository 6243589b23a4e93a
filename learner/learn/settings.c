
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "adapt/sequential.h"
#include "honor/honor.h"
#include "settings.h"


static int  learn_settings_read(const char *const *words, const char *text,
    unsigned *bits);
static int  learn_settings_list(cJSON *object, const char *name,
    const char *const *words, unsigned bits);


/* by their bits */

static const char *const  learn_settings_honor[] = {
    "no-vary-search", "clean-param", NULL
};


static const char *const  learn_settings_without[] = {
    "control", "time", "viewers", "groups", "joint", "kinds", "defaults",
    "general", "paths", "mirrors", "sequential", "tables", "share", NULL
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
    settings->error = 0.05;
    settings->values = learn_sequential_need(settings->error);
    settings->adaptive = 1;

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
                                            settings->values) != NULL
                 && (settings->error == 0
                     || cJSON_AddNumberToObject(object, "error",
                                                settings->error) != NULL)))
         && learn_settings_list(object, "honor", learn_settings_honor,
                                settings->honor)
         && learn_settings_list(object, "without", learn_settings_without,
                                settings->without)
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


/* if there are any; 0 without memory */

static int
learn_settings_list(cJSON *object, const char *name, const char *const *words,
    unsigned bits)
{
    size_t  i;
    cJSON  *list;

    if (bits == 0) {
        return 1;
    }

    list = cJSON_AddArrayToObject(object, name);

    for (i = 0; words[i] != NULL; i++) {

        if ((bits & 1u << i)
            && !cJSON_AddItemToArray(list, cJSON_CreateString(words[i])))
        {
            return 0;
        }
    }

    return list != NULL;
}


int
learn_settings_honors(learn_settings_t *settings, const char *text)
{
    return learn_settings_read(learn_settings_honor, text, &settings->honor);
}


int
learn_settings_leaves(learn_settings_t *settings, const char *text)
{
    return learn_settings_read(learn_settings_without, text,
                               &settings->without);
}


static int
learn_settings_read(const char *const *words, const char *text,
    unsigned *bits)
{
    size_t  i, len;

    *bits = 0;

    for ( ;; ) {
        len = strcspn(text, ",");

        for (i = 0; words[i] != NULL; i++) {
            if (strlen(words[i]) == len && memcmp(text, words[i], len) == 0) {
                break;
            }
        }

        if (words[i] == NULL) {
            return 0;
        }

        *bits |= 1u << i;

        if (text[len] == '\0') {
            return 1;
        }

        text += len + 1;
    }
}
