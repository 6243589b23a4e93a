
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "import_line.h"


typedef enum {
    LEARN_IMPORT_BY_PARAM = 0,
    LEARN_IMPORT_BY_DOMAIN,
    LEARN_IMPORT_BY_TO,
    LEARN_IMPORT_BY_DENYALLOW,
    LEARN_IMPORT_BY_PAGE,
    LEARN_IMPORT_BY_TYPE,
    LEARN_IMPORT_BY_PARTY,
    LEARN_IMPORT_BY_APP,
    LEARN_IMPORT_BY_BADFILTER,
    LEARN_IMPORT_BY_NOTHING,    /* changes nothing for us */
    LEARN_IMPORT_BY_UNKNOWN
} learn_import_modifier_e;


typedef struct {
    const char                *name;
    learn_import_modifier_e    what;
} learn_import_modifier_t;


static learn_import_kind_e  learn_import_line_other(const char *text);
static const char  *learn_import_line_dollar(const char *text);
static void  learn_import_line_unescape(char *text, char what);
static char  *learn_import_line_comma(char *text);
static learn_import_rc_e  learn_import_line_modifier(learn_arena_t *mem,
    char *text, learn_import_line_t *line);
static learn_import_modifier_e  learn_import_line_find(const char *name);
static learn_import_rc_e  learn_import_line_limit(learn_import_modifier_e what,
    int negated, learn_import_line_t *line);
static learn_import_rc_e  learn_import_line_set(const char **field,
    const char *value, int negated);


static const learn_import_modifier_t  learn_import_modifiers[] = {
    { "removeparam",        LEARN_IMPORT_BY_PARAM },
    { "queryprune",         LEARN_IMPORT_BY_PARAM },
    { "domain",             LEARN_IMPORT_BY_DOMAIN },
    { "from",               LEARN_IMPORT_BY_DOMAIN },
    { "to",                 LEARN_IMPORT_BY_TO },
    { "denyallow",          LEARN_IMPORT_BY_DENYALLOW },
    { "document",           LEARN_IMPORT_BY_PAGE },
    { "doc",                LEARN_IMPORT_BY_PAGE },
    { "all",                LEARN_IMPORT_BY_PAGE },
    { "xmlhttprequest",     LEARN_IMPORT_BY_TYPE },
    { "xhr",                LEARN_IMPORT_BY_TYPE },
    { "script",             LEARN_IMPORT_BY_TYPE },
    { "image",              LEARN_IMPORT_BY_TYPE },
    { "subdocument",        LEARN_IMPORT_BY_TYPE },
    { "frame",              LEARN_IMPORT_BY_TYPE },
    { "media",              LEARN_IMPORT_BY_TYPE },
    { "font",               LEARN_IMPORT_BY_TYPE },
    { "stylesheet",         LEARN_IMPORT_BY_TYPE },
    { "css",                LEARN_IMPORT_BY_TYPE },
    { "websocket",          LEARN_IMPORT_BY_TYPE },
    { "ping",               LEARN_IMPORT_BY_TYPE },
    { "beacon",             LEARN_IMPORT_BY_TYPE },
    { "object",             LEARN_IMPORT_BY_TYPE },
    { "webrtc",             LEARN_IMPORT_BY_TYPE },
    { "popup",              LEARN_IMPORT_BY_TYPE },
    { "other",              LEARN_IMPORT_BY_TYPE },
    { "third-party",        LEARN_IMPORT_BY_PARTY },
    { "3p",                 LEARN_IMPORT_BY_PARTY },
    { "first-party",        LEARN_IMPORT_BY_PARTY },
    { "1p",                 LEARN_IMPORT_BY_PARTY },
    { "strict-third-party", LEARN_IMPORT_BY_PARTY },
    { "strict3p",           LEARN_IMPORT_BY_PARTY },
    { "strict-first-party", LEARN_IMPORT_BY_PARTY },
    { "strict1p",           LEARN_IMPORT_BY_PARTY },
    { "app",                LEARN_IMPORT_BY_APP },
    { "badfilter",          LEARN_IMPORT_BY_BADFILTER },
    { "important",          LEARN_IMPORT_BY_NOTHING },
    { "match-case",         LEARN_IMPORT_BY_NOTHING },
    { "_",                  LEARN_IMPORT_BY_NOTHING },
    { NULL,                 LEARN_IMPORT_BY_UNKNOWN }
};


learn_import_rc_e
learn_import_line(learn_arena_t *mem, const char *text,
    learn_import_line_t *line, learn_import_kind_e *kind)
{
    char              *p, *next;
    const char        *dollar;
    learn_import_rc_e  rc;

    memset(line, 0, sizeof(learn_import_line_t));

    *kind = learn_import_line_other(text);

    if (*kind != LEARN_IMPORT_BLOCKING) {
        return LEARN_IMPORT_DECLINED;
    }

    dollar = learn_import_line_dollar(text);

    if (dollar == NULL) {
        return LEARN_IMPORT_DECLINED;
    }

    if (strncmp(text, "@@", 2) == 0) {
        line->exception = 1;
        text += 2;
    }

    line->pattern = learn_import_copy(mem, text, (size_t) (dollar - text));
    p = learn_import_copy(mem, dollar + 1, strlen(dollar + 1));

    if (line->pattern == NULL || p == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    learn_import_line_unescape(p, '$');

    *kind = LEARN_IMPORT_SYNTAX;
    rc = LEARN_IMPORT_OK;

    for ( /* void */ ; p != NULL && rc == LEARN_IMPORT_OK; p = next) {
        next = learn_import_line_comma(p);
        learn_import_line_unescape(p, ',');
        rc = learn_import_line_modifier(mem, p, line);
    }

    return rc;
}


/* what a line is, LEARN_IMPORT_BLOCKING for a rule over URLs */

static learn_import_kind_e
learn_import_line_other(const char *text)
{
    size_t       len;
    const char  *p;

    if (strncmp(text, "!#include", 9) == 0) {
        return LEARN_IMPORT_INCLUDE;
    }

    len = strlen(text);

    if (*text == '!' || (*text == '[' && text[len - 1] == ']')
        || strcmp(text, "#") == 0 || strncmp(text, "# ", 2) == 0)
    {
        return LEARN_IMPORT_NONE;
    }

    for (p = text; *p != '\0'; p++) {
        if ((unsigned char) *p < ' ' || *p == 0x7f) {
            return LEARN_IMPORT_SYNTAX;
        }
    }

    /* ##, #@#, #?#, #$#, #%# and their combinations */

    for (p = strchr(text, '#'); p != NULL; p = strchr(p + 1, '#')) {
        if (p[1 + strspn(p + 1, "@?$%")] == '#') {
            return LEARN_IMPORT_COSMETIC;
        }
    }

    return LEARN_IMPORT_BLOCKING;
}


/*
 * The dollar sign before the modifiers: the last one that has removeparam
 * behind it and is not escaped.
 */

static const char *
learn_import_line_dollar(const char *text)
{
    const char  *p, *s;

    for (p = text + strlen(text); p > text; /* void */ ) {
        p--;

        if (*p != '$' || (p > text && p[-1] == '\\')) {
            continue;
        }

        for (s = p; s != NULL; s = strchr(s + 1, ',')) {

            if ((strncmp(s + 1, "removeparam", 11) == 0
                 && (s[12] == '\0' || s[12] == ',' || s[12] == '='))
                || (strncmp(s + 1, "queryprune", 10) == 0
                    && (s[11] == '\0' || s[11] == ',' || s[11] == '=')))
            {
                return p;
            }
        }
    }

    return NULL;
}


/* takes the backslashes before "what" away */

static void
learn_import_line_unescape(char *text, char what)
{
    char  *p;

    for (p = text; *text != '\0'; text++) {

        if (*text == '\\' && text[1] == what) {
            text++;
        }

        *p++ = *text;
    }

    *p = '\0';
}


/* ends "text" at its first comma; returns what follows, or NULL */

static char *
learn_import_line_comma(char *text)
{
    for ( /* void */ ; *text != '\0'; text++) {

        if (*text == '\\' && text[1] != '\0') {
            text++;

        } else if (*text == ',') {
            *text = '\0';
            return text + 1;
        }
    }

    return NULL;
}


/* DECLINED if the line makes no sense */

static learn_import_rc_e
learn_import_line_modifier(learn_arena_t *mem, char *text,
    learn_import_line_t *line)
{
    int                      negated;
    char                    *value;
    learn_import_modifier_e  what;

    if (strcmp(text, "badfilter") != 0
        && learn_import_list_add(mem, &line->modifiers,
                                 learn_import_copy(mem, text, strlen(text)))
           != LEARN_IMPORT_OK)
    {
        return LEARN_IMPORT_ERROR;
    }

    value = strchr(text, '=');

    if (value != NULL) {
        *value++ = '\0';
    }

    negated = (*text == '~');
    what = learn_import_line_find(text + negated);

    switch (what) {

    case LEARN_IMPORT_BY_PARAM:
        return learn_import_line_set(&line->value,
                                     (value != NULL) ? value : "", negated);

    case LEARN_IMPORT_BY_DOMAIN:
        return learn_import_line_set(&line->domain, value, negated);

    case LEARN_IMPORT_BY_TO:
        return learn_import_line_set(&line->to, value, negated);

    case LEARN_IMPORT_BY_DENYALLOW:
        return learn_import_line_set(&line->denyallow, value, negated);

    default:
        return learn_import_line_limit(what, negated, line);
    }
}


static learn_import_modifier_e
learn_import_line_find(const char *name)
{
    const learn_import_modifier_t  *modifier;

    /* any number of underscores keeps a dollar sign apart from the rest */

    if (*name == '_' && strspn(name, "_") == strlen(name)) {
        name = "_";
    }

    for (modifier = learn_import_modifiers; modifier->name != NULL;
         modifier++)
    {
        if (strcmp(modifier->name, name) == 0) {
            break;
        }
    }

    return modifier->what;
}


/* a value that must be there, once */

static learn_import_rc_e
learn_import_line_set(const char **field, const char *value, int negated)
{
    if (*field != NULL || value == NULL || negated) {
        return LEARN_IMPORT_DECLINED;
    }

    *field = value;

    return LEARN_IMPORT_OK;
}


/* what limits a rule to some requests */

static learn_import_rc_e
learn_import_line_limit(learn_import_modifier_e what, int negated,
    learn_import_line_t *line)
{
    switch (what) {

    case LEARN_IMPORT_BY_PAGE:
        if (negated) {
            line->limit = LEARN_IMPORT_TYPE;

        } else {
            line->page = 1;
        }

        break;

    case LEARN_IMPORT_BY_TYPE:
        line->type |= !negated;
        break;

    case LEARN_IMPORT_BY_PARTY:
        line->limit = LEARN_IMPORT_PARTY;
        break;

    case LEARN_IMPORT_BY_APP:
        line->limit = LEARN_IMPORT_APP;
        break;

    case LEARN_IMPORT_BY_BADFILTER:
        line->badfilter = 1;
        break;

    case LEARN_IMPORT_BY_NOTHING:
        break;

    default:
        line->limit = LEARN_IMPORT_MODIFIER;
    }

    return LEARN_IMPORT_OK;
}


const char *
learn_import_line_key(learn_arena_t *mem, learn_import_line_t *line)
{
    size_t       i;
    const char  *key;

    learn_import_list_sort(&line->modifiers);

    key = learn_import_join(mem, line->exception ? "@@" : "", line->pattern,
                            NULL);

    for (i = 0; i < line->modifiers.n && key != NULL; i++) {
        key = learn_import_join(mem, key, "\n", line->modifiers.item[i], NULL);
    }

    return key;
}
