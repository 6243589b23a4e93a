
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base64.h"
#include "tab.h"


/* what is done with an answer, the last bits of a command's number */

#define LEARN_REPLY_NONE      0
#define LEARN_REPLY_CONTEXT   1
#define LEARN_REPLY_TARGET    2
#define LEARN_REPLY_SESSION   3
#define LEARN_REPLY_NAVIGATE  4
#define LEARN_REPLY_SHOT      5


static void  learn_tab_send(learn_tab_t *tab, learn_wire_t *wire,
    const char *method, cJSON *params, unsigned reply);
static void  learn_tab_ready(learn_tab_t *tab, learn_wire_t *wire);
static learn_tab_news_e  learn_tab_reply(learn_tab_t *tab,
    learn_wire_t *wire, const cJSON *message, const char **data);
static learn_tab_news_e  learn_tab_paused(learn_tab_t *tab,
    learn_wire_t *wire, const cJSON *params, learn_want_t **want);
static int  learn_tab_idle_kind(const char *kind);
static learn_want_t  *learn_tab_want(const learn_tab_t *tab,
    const char *id, const cJSON *request);
static const char  *learn_tab_text(const cJSON *object, const char *name);
static int  learn_tab_keep(char *to, size_t room, const cJSON *object,
    const char *name);


/*
 * What every page finds: a clock that stands still, numbers that are random in
 * the same way, and less time to wait.
 */

static const char  learn_tab_script[] =
    "(function () {"
    "  var seed = 1, now = Date.UTC(2024, 0, 15, 12), Clock = Date,"
    "      later = window.setTimeout;"
    "  Math.random = function () {"
    "    seed = seed * 16807 % 2147483647;"
    "    return (seed - 1) / 2147483646;"
    "  };"
    "  window.Date = new Proxy(Clock, {"
    "    construct: function (target, list, made) {"
    "      return Reflect.construct(target, list.length ? list : [now], made);"
    "    },"
    "    apply: function () { return new Clock(now).toString(); },"
    "    get: function (target, name) {"
    "      return name === 'now' ? function () { return now; }"
    "                            : target[name];"
    "    }"
    "  });"
    "  window.setTimeout = function (call, ms) {"
    "    var list = Array.prototype.slice.call(arguments);"
    "    list[1] = (ms || 0) / 8;"
    "    return later.apply(window, list);"
    "  };"
    "})();"
    "document.addEventListener('DOMContentLoaded', function () {"
    "  var style = document.createElement('style');"
    "  style.textContent = '*, *::before, *::after {"
    "    animation-duration: 0s !important;"
    "    animation-delay: 0s !important;"
    "    animation-iteration-count: 1 !important;"
    "    transition: none !important; caret-color: transparent !important;"
    "    scroll-behavior: auto !important }';"
    "  document.documentElement.appendChild(style);"
    "});";

/* what it leaves behind */

static const char  learn_tab_forget[] =
    "try { sessionStorage.clear(); window.name = ''; window.stop(); }"
    " catch (e) { }";


void
learn_tab_open(learn_tab_t *tab, learn_wire_t *wire)
{
    cJSON  *params;

    tab->state = LEARN_TAB_CONTEXT;
    tab->session[0] = '\0';

    params = cJSON_CreateObject();
    (void) cJSON_AddTrueToObject(params, "disposeOnDetach");

    learn_tab_send(tab, wire, "Target.createBrowserContext", params,
                   LEARN_REPLY_CONTEXT);
}


/* what holds for all pages of the tab */

static void
learn_tab_ready(learn_tab_t *tab, learn_wire_t *wire)
{
    cJSON  *params, *item;

    learn_tab_send(tab, wire, "Page.enable", NULL, LEARN_REPLY_NONE);

    params = cJSON_CreateObject();
    item = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(item, "urlPattern", "*");
    (void) cJSON_AddItemToArray(cJSON_AddArrayToObject(params, "patterns"),
                                item);
    learn_tab_send(tab, wire, "Fetch.enable", params, LEARN_REPLY_NONE);

    params = cJSON_CreateObject();
    (void) cJSON_AddTrueToObject(params, "bypass");
    learn_tab_send(tab, wire, "Network.setBypassServiceWorker", params,
                   LEARN_REPLY_NONE);

    params = cJSON_CreateObject();
    (void) cJSON_AddNumberToObject(params, "width", LEARN_SHOT_PAGE_W);
    (void) cJSON_AddNumberToObject(params, "height", LEARN_SHOT_PAGE_H);
    (void) cJSON_AddNumberToObject(params, "deviceScaleFactor", 1);
    (void) cJSON_AddFalseToObject(params, "mobile");
    learn_tab_send(tab, wire, "Emulation.setDeviceMetricsOverride", params,
                   LEARN_REPLY_NONE);

    params = cJSON_CreateObject();
    item = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(item, "name", "prefers-reduced-motion");
    (void) cJSON_AddStringToObject(item, "value", "reduce");
    (void) cJSON_AddItemToArray(cJSON_AddArrayToObject(params, "features"),
                                item);
    learn_tab_send(tab, wire, "Emulation.setEmulatedMedia", params,
                   LEARN_REPLY_NONE);

    params = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(params, "timezoneId", "UTC");
    learn_tab_send(tab, wire, "Emulation.setTimezoneOverride", params,
                   LEARN_REPLY_NONE);

    params = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(params, "source", learn_tab_script);
    learn_tab_send(tab, wire, "Page.addScriptToEvaluateOnNewDocument", params,
                   LEARN_REPLY_NONE);

    tab->state = LEARN_TAB_IDLE;
}


void
learn_tab_show(learn_tab_t *tab, learn_wire_t *wire)
{
    char    *url;
    size_t   len;
    cJSON   *params;

    tab->state = LEARN_TAB_LOADING;
    tab->serial = (tab->serial + 1) & LEARN_TAB_SERIALS;
    tab->moves = 0;
    tab->loaded = 0;
    tab->wants = 0;
    tab->nmissing = 0;

    params = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(params, "userAgent", tab->paint->agent);
    (void) cJSON_AddStringToObject(params, "acceptLanguage",
                                   tab->paint->language);
    learn_tab_send(tab, wire, "Emulation.setUserAgentOverride", params,
                   LEARN_REPLY_NONE);

    len = tab->paint->url.len;
    url = malloc(len + 1);

    if (url == NULL) {
        wire->failed = 1;
        return;
    }

    memcpy(url, tab->paint->url.data, len);
    url[len] = '\0';

    params = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(params, "url", url);
    learn_tab_send(tab, wire, "Page.navigate", params, LEARN_REPLY_NAVIGATE);

    free(url);
}


void
learn_tab_shoot(learn_tab_t *tab, learn_wire_t *wire)
{
    cJSON  *params, *clip;

    tab->state = LEARN_TAB_SHOT;

    params = cJSON_CreateObject();
    clip = cJSON_AddObjectToObject(params, "clip");

    (void) cJSON_AddStringToObject(params, "format", "png");
    (void) cJSON_AddTrueToObject(params, "optimizeForSpeed");
    (void) cJSON_AddNumberToObject(clip, "x", 0);
    (void) cJSON_AddNumberToObject(clip, "y", 0);
    (void) cJSON_AddNumberToObject(clip, "width", LEARN_SHOT_PAGE_W);
    (void) cJSON_AddNumberToObject(clip, "height", LEARN_SHOT_PAGE_H);
    (void) cJSON_AddNumberToObject(clip, "scale", LEARN_SHOT_SCALE);

    learn_tab_send(tab, wire, "Page.captureScreenshot", params,
                   LEARN_REPLY_SHOT);
}


/* nothing of a page is left for the next one, wherever that is from */

void
learn_tab_clear(learn_tab_t *tab, learn_wire_t *wire)
{
    char     origin[512];
    cJSON   *params;
    size_t   len;

    const miqps_str_t  *url;

    url = &tab->paint->url;

    for (len = 8; len < url->len && url->data[len] != '/'
                  && url->data[len] != '?'; len++)
    {
        /* void */
    }

    len = (len < url->len) ? len : url->len;
    (void) snprintf(origin, sizeof(origin), "%.*s", (int) len,
                    (const char *) url->data);

    params = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(params, "expression", learn_tab_forget);
    learn_tab_send(tab, wire, "Runtime.evaluate", params, LEARN_REPLY_NONE);

    learn_tab_send(tab, wire, "Network.clearBrowserCookies", NULL,
                   LEARN_REPLY_NONE);

    params = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(params, "origin", origin);
    (void) cJSON_AddStringToObject(params, "storageTypes", "all");
    learn_tab_send(tab, wire, "Storage.clearDataForOrigin", params,
                   LEARN_REPLY_NONE);

    tab->serial = (tab->serial + 1) & LEARN_TAB_SERIALS;
    tab->paint = NULL;
    tab->state = LEARN_TAB_IDLE;
}


/* takes the parameters */

static void
learn_tab_send(learn_tab_t *tab, learn_wire_t *wire, const char *method,
    cJSON *params, unsigned reply)
{
    char   *text;
    cJSON  *message;

    message = cJSON_CreateObject();

    (void) cJSON_AddNumberToObject(message, "id",
                                   tab->serial << 8 | tab->number << 4
                                   | reply);
    (void) cJSON_AddStringToObject(message, "method", method);

    if (tab->session[0] != '\0') {
        (void) cJSON_AddStringToObject(message, "sessionId", tab->session);
    }

    if (params != NULL) {
        (void) cJSON_AddItemToObject(message, "params", params);
    }

    text = cJSON_PrintUnformatted(message);

    if (text == NULL || !learn_pipe_send(wire->pipe, text, strlen(text))) {
        wire->failed = 1;
    }

    cJSON_Delete(message);
    free(text);
}


learn_tab_t *
learn_tab_of(learn_tab_t *tabs, const cJSON *message)
{
    size_t        i;
    cJSON        *id;
    unsigned      number;
    const char   *session;

    id = cJSON_GetObjectItemCaseSensitive(message, "id");

    if (cJSON_IsNumber(id)) {
        number = (unsigned) id->valueint;
        i = number >> 4 & 0xf;

        return (i < LEARN_TABS && tabs[i].serial == number >> 8) ? &tabs[i]
                                                                 : NULL;
    }

    session = learn_tab_text(message, "sessionId");

    for (i = 0; session[0] != '\0' && i < LEARN_TABS; i++) {
        if (strcmp(tabs[i].session, session) == 0) {
            return &tabs[i];
        }
    }

    return NULL;
}


learn_tab_news_e
learn_tab_hear(learn_tab_t *tab, learn_wire_t *wire, const cJSON *message,
    learn_want_t **want, const char **data)
{
    cJSON        *params;
    const char   *method;

    method = learn_tab_text(message, "method");
    params = cJSON_GetObjectItemCaseSensitive(message, "params");

    if (method[0] == '\0') {
        return learn_tab_reply(tab, wire, message, data);
    }

    if (strcmp(method, "Fetch.requestPaused") == 0) {
        return learn_tab_paused(tab, wire, params, want);
    }

    if (strcmp(method, "Page.loadEventFired") == 0) {
        tab->loaded = (tab->state == LEARN_TAB_LOADING && tab->moves > 0);
        return LEARN_TAB_ON;
    }

    if (strcmp(method, "Page.javascriptDialogOpening") == 0) {
        params = cJSON_CreateObject();
        (void) cJSON_AddFalseToObject(params, "accept");
        learn_tab_send(tab, wire, "Page.handleJavaScriptDialog", params,
                       LEARN_REPLY_NONE);
        return LEARN_TAB_ON;
    }

    if (strcmp(method, "Inspector.targetCrashed") == 0
        || strcmp(method, "Target.detachedFromTarget") == 0)
    {
        return LEARN_TAB_BROKEN;
    }

    return LEARN_TAB_ON;
}


static learn_tab_news_e
learn_tab_reply(learn_tab_t *tab, learn_wire_t *wire, const cJSON *message,
    const char **data)
{
    cJSON     *id, *result, *params;
    unsigned   reply;

    id = cJSON_GetObjectItemCaseSensitive(message, "id");
    result = cJSON_GetObjectItemCaseSensitive(message, "result");
    reply = cJSON_IsNumber(id) ? (unsigned) id->valueint & 0xf
                               : LEARN_REPLY_NONE;

    switch (reply) {

    case LEARN_REPLY_CONTEXT:
        if (!learn_tab_keep(tab->context, sizeof(tab->context), result,
                            "browserContextId"))
        {
            return LEARN_TAB_BROKEN;
        }

        params = cJSON_CreateObject();
        (void) cJSON_AddStringToObject(params, "url", "about:blank");
        (void) cJSON_AddStringToObject(params, "browserContextId",
                                       tab->context);
        learn_tab_send(tab, wire, "Target.createTarget", params,
                       LEARN_REPLY_TARGET);
        tab->state = LEARN_TAB_TARGET;
        break;

    case LEARN_REPLY_TARGET:
        if (!learn_tab_keep(tab->target, sizeof(tab->target), result,
                            "targetId"))
        {
            return LEARN_TAB_BROKEN;
        }

        params = cJSON_CreateObject();
        (void) cJSON_AddStringToObject(params, "targetId", tab->target);
        (void) cJSON_AddTrueToObject(params, "flatten");
        learn_tab_send(tab, wire, "Target.attachToTarget", params,
                       LEARN_REPLY_SESSION);
        tab->state = LEARN_TAB_SESSION;
        break;

    case LEARN_REPLY_SESSION:
        if (!learn_tab_keep(tab->session, sizeof(tab->session), result,
                            "sessionId"))
        {
            return LEARN_TAB_BROKEN;
        }

        learn_tab_ready(tab, wire);
        break;

    case LEARN_REPLY_NAVIGATE:
        if (learn_tab_text(result, "errorText")[0] != '\0' || result == NULL) {
            return LEARN_TAB_BROKEN;
        }
        break;

    case LEARN_REPLY_SHOT:
        *data = learn_tab_text(result, "data");
        return LEARN_TAB_PICTURE;

    default:
        break;
    }

    return LEARN_TAB_ON;
}


/* a request is held up until it is answered */

static learn_tab_news_e
learn_tab_paused(learn_tab_t *tab, learn_wire_t *wire, const cJSON *params,
    learn_want_t **want)
{
    cJSON        *request;
    const char   *id, *kind;

    id = learn_tab_text(params, "requestId");
    kind = learn_tab_text(params, "resourceType");
    request = cJSON_GetObjectItemCaseSensitive(params, "request");

    if (tab->state != LEARN_TAB_LOADING || learn_tab_idle_kind(kind)) {
        learn_tab_fail(tab, wire, id);
        return LEARN_TAB_ON;
    }

    if (strcmp(kind, "Document") == 0
        && strcmp(learn_tab_text(params, "frameId"), tab->target) == 0)
    {
        if (tab->moves++ == 0) {
            learn_tab_fulfil(tab, wire, id, 200, tab->paint->type,
                             tab->paint->body, tab->paint->len);
            return LEARN_TAB_ON;
        }

        if (tab->moves > LEARN_TAB_MOVES) {
            learn_tab_fail(tab, wire, id);
            return LEARN_TAB_BROKEN;
        }

        tab->loaded = 0;
    }

    *want = learn_tab_want(tab, id, request);

    return LEARN_TAB_ASKS;
}


/* nothing that is to be seen comes of these */

static int
learn_tab_idle_kind(const char *kind)
{
    size_t  i;

    static const char *const  kinds[] = {
        "Ping", "Prefetch", "CSPViolationReport", "Media", "TextTrack",
        "EventSource", "WebSocket", "Manifest", "Preflight"
    };

    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kind, kinds[i]) == 0) {
            return 1;
        }
    }

    return 0;
}


static learn_want_t *
learn_tab_want(const learn_tab_t *tab, const char *id, const cJSON *request)
{
    size_t         len;
    const char    *url, *body;
    learn_want_t  *want;

    url = learn_tab_text(request, "url");
    body = learn_tab_text(request, "postData");

    /* what is behind "#" is the page's own affair */

    len = strcspn(url, "#");
    want = calloc(1, sizeof(learn_want_t) + len + 1);

    if (want == NULL || strlen(id) >= sizeof(want->id)) {
        free(want);
        return NULL;
    }

    memcpy(want + 1, url, len);
    memcpy(want->id, id, strlen(id) + 1);

    want->url.data = (const uint8_t *) (want + 1);
    want->url.len = len;
    want->get = (strcmp(learn_tab_text(request, "method"), "GET") == 0);
    want->tab = tab->number;
    want->serial = tab->serial;
    want->hash = XXH3_64bits_withSeed(body, strlen(body),
                                      XXH3_64bits(url, len));

    return want;
}


void
learn_tab_fulfil(learn_tab_t *tab, learn_wire_t *wire, const char *id,
    unsigned status, const char *type, const uint8_t *body, size_t len)
{
    char    *text;
    cJSON   *params, *headers, *header;

    text = malloc(learn_base64_room(len));

    if (text == NULL) {
        wire->failed = 1;
        return;
    }

    learn_base64_write(body, len, text);

    params = cJSON_CreateObject();

    (void) cJSON_AddStringToObject(params, "requestId", id);
    (void) cJSON_AddNumberToObject(params, "responseCode", status);
    headers = cJSON_AddArrayToObject(params, "responseHeaders");

    header = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(header, "name", "Content-Type");
    (void) cJSON_AddStringToObject(header, "value", type);
    (void) cJSON_AddItemToArray(headers, header);

    header = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(header, "name",
                                   "Access-Control-Allow-Origin");
    (void) cJSON_AddStringToObject(header, "value", "*");
    (void) cJSON_AddItemToArray(headers, header);

    (void) cJSON_AddItemToObject(params, "body",
                                 cJSON_CreateStringReference(text));

    learn_tab_send(tab, wire, "Fetch.fulfillRequest", params,
                   LEARN_REPLY_NONE);
    free(text);
}


void
learn_tab_fail(learn_tab_t *tab, learn_wire_t *wire, const char *id)
{
    cJSON  *params;

    params = cJSON_CreateObject();
    (void) cJSON_AddStringToObject(params, "requestId", id);
    (void) cJSON_AddStringToObject(params, "errorReason", "BlockedByClient");

    learn_tab_send(tab, wire, "Fetch.failRequest", params, LEARN_REPLY_NONE);
}


/* once, however often it was asked for */

void
learn_tab_miss(learn_tab_t *tab, uint64_t hash)
{
    size_t  i;

    for (i = 0; i < tab->nmissing; i++) {
        if (tab->missing[i] == hash) {
            return;
        }
    }

    if (i < LEARN_TAB_MISSING) {
        tab->missing[tab->nmissing++] = hash;
    }
}


/* "" if there is none */

static const char *
learn_tab_text(const cJSON *object, const char *name)
{
    const char  *text;

    text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object,
                                                                 name));

    return (text != NULL) ? text : "";
}


static int
learn_tab_keep(char *to, size_t room, const cJSON *object, const char *name)
{
    const char  *text;

    text = learn_tab_text(object, name);

    if (text[0] == '\0' || strlen(text) >= room) {
        return 0;
    }

    memcpy(to, text, strlen(text) + 1);

    return 1;
}
