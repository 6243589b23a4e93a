
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "import_pattern.h"
#include "import_regex.h"
#include "miqps_policy.h"


#define LEARN_IMPORT_HOST_BYTES                                               \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

#define LEARN_IMPORT_NAME_BYTES                                               \
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

/* what "^" stands for */

#define LEARN_IMPORT_SEPARATOR  "[^0-9A-Za-z_.%-]"


/* a path that is being read */

typedef struct {
    char                   *text;
    unsigned                lead:1;     /* anything may stand before it */
    unsigned                end:1;      /* nothing may stand behind it */
    unsigned                border:1;   /* a separator or nothing must */
    unsigned                anywhere:1; /* for any host */
} learn_import_path_t;


static char  *learn_import_pattern_ascii(learn_arena_t *mem,
    const char *text);
static int  learn_import_pattern_regex(const char *text);
static learn_import_rc_e  learn_import_pattern_bare(learn_arena_t *mem,
    const char *text, learn_import_pattern_t *pattern,
    learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_pattern_at_host(
    learn_arena_t *mem, const char *text, int below,
    learn_import_pattern_t *pattern, learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_pattern_read_host(
    learn_arena_t *mem, const char *text, size_t *next, int below,
    learn_import_pattern_t *pattern);
static learn_import_rc_e  learn_import_pattern_tail(learn_arena_t *mem,
    const char *text, learn_import_pattern_t *pattern,
    learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_pattern_path(learn_arena_t *mem,
    learn_import_path_t *path, learn_import_pattern_t *pattern,
    learn_import_kind_e *kind);
static int  learn_import_path_ends(learn_import_path_t *path);
static learn_import_rc_e  learn_import_path_glob(learn_arena_t *mem,
    const learn_import_path_t *path, learn_import_pattern_t *pattern);
static learn_import_rc_e  learn_import_path_regex(learn_arena_t *mem,
    const learn_import_path_t *path, learn_import_pattern_t *pattern);
static learn_import_rc_e  learn_import_pattern_except_path(
    learn_arena_t *mem, const char *text,
    learn_import_pattern_t *pattern);


learn_import_rc_e
learn_import_pattern_strip(learn_arena_t *mem, const char *text,
    learn_import_pattern_t *pattern, learn_import_kind_e *kind)
{
    memset(pattern, 0, sizeof(learn_import_pattern_t));

    *kind = LEARN_IMPORT_PATTERN;

    text = learn_import_pattern_ascii(mem, text);

    if (text == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    if (learn_import_pattern_regex(text)) {
        return LEARN_IMPORT_DECLINED;
    }

    if (strncmp(text, "||", 2) == 0) {
        return learn_import_pattern_at_host(mem, text + 2, 1, pattern, kind);
    }

    if (strncmp(text, "://", 3) == 0) {
        return learn_import_pattern_at_host(mem, text + 3, 0, pattern, kind);
    }

    if (strncmp(text, "*://", 4) == 0) {
        return learn_import_pattern_at_host(mem, text + 4, 0, pattern, kind);
    }

    if (*text == '|' || strncmp(text, "http://", 7) == 0
        || strncmp(text, "https://", 8) == 0)
    {
        *kind = LEARN_IMPORT_SCHEME;
        return LEARN_IMPORT_DECLINED;
    }

    return learn_import_pattern_bare(mem, text, pattern, kind);
}


/* bytes that are not ASCII as browsers send them */

static char *
learn_import_pattern_ascii(learn_arena_t *mem, const char *text)
{
    char  *copy, *p;

    copy = learn_arena_alloc(mem, 3 * strlen(text) + 1);

    if (copy == NULL) {
        return NULL;
    }

    for (p = copy; *text != '\0'; text++) {

        if ((unsigned char) *text < 0x80) {
            *p++ = *text;
            continue;
        }

        *p++ = '%';
        *p++ = "0123456789ABCDEF"[(unsigned char) *text >> 4];
        *p++ = "0123456789ABCDEF"[*text & 0x0f];
    }

    *p = '\0';

    return copy;
}


static int
learn_import_pattern_regex(const char *text)
{
    size_t  len;

    len = strlen(text);

    return len > 1 && *text == '/' && text[len - 1] == '/';
}


/* a pattern that may begin anywhere */

static learn_import_rc_e
learn_import_pattern_bare(learn_arena_t *mem, const char *text,
    learn_import_pattern_t *pattern, learn_import_kind_e *kind)
{
    size_t               len, name;
    learn_import_path_t  path;

    while (*text == '*') {
        text++;
    }

    len = strlen(text);
    name = strspn(text, LEARN_IMPORT_NAME_BYTES);

    if (len == 0) {
        return LEARN_IMPORT_OK;
    }

    if (name > 0 && text[name] == '=' && name + 1 < len) {
        len -= (text[len - 1] == '^');

        if (strcspn(text, "*^?&|#/") < len) {
            *kind = LEARN_IMPORT_QUERY;
            return LEARN_IMPORT_DECLINED;
        }

        pattern->pair = learn_import_copy(mem, text, len);
        return (pattern->pair != NULL) ? LEARN_IMPORT_OK : LEARN_IMPORT_ERROR;
    }

    if (*text == '/') {
        memset(&path, 0, sizeof(learn_import_path_t));

        path.lead = 1;
        path.anywhere = 1;
        path.text = learn_import_copy(mem, text, len);

        return learn_import_pattern_path(mem, &path, pattern, kind);
    }

    len = strspn(text, LEARN_IMPORT_HOST_BYTES);

    if (*text == '.' && text[len] == '/') {
        pattern->suffix = learn_import_copy(mem, text, len);

        if (pattern->suffix == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        return learn_import_pattern_tail(mem, text + len, pattern, kind);
    }

    if (len > 0 && memchr(text, '.', len) != NULL && *text != '.'
        && strchr("^/", text[len]) != NULL)
    {
        return learn_import_pattern_at_host(mem, text, 1, pattern, kind);
    }

    if (strpbrk(text, "?&=") != NULL) {
        *kind = LEARN_IMPORT_QUERY;
    }

    return LEARN_IMPORT_DECLINED;
}


static learn_import_rc_e
learn_import_pattern_at_host(learn_arena_t *mem, const char *text,
    int below, learn_import_pattern_t *pattern, learn_import_kind_e *kind)
{
    size_t             next;
    learn_import_rc_e  rc;

    rc = learn_import_pattern_read_host(mem, text, &next, below, pattern);

    if (rc != LEARN_IMPORT_OK) {
        *kind = LEARN_IMPORT_HOST;
        return rc;
    }

    return learn_import_pattern_tail(mem, text + next, pattern, kind);
}


/*
 * Reads the host at "text"; "*next" is where to go on.  "example." with
 * nothing behind it is short for "example.*".
 */

static learn_import_rc_e
learn_import_pattern_read_host(learn_arena_t *mem, const char *text,
    size_t *next, int below, learn_import_pattern_t *pattern)
{
    size_t  len;

    len = strspn(text, LEARN_IMPORT_HOST_BYTES);

    if (len > 0 && text[len - 1] == '.') {

        if (text[len] == '\0') {
            *next = len;
            text = learn_import_join(mem, text, "*", NULL);

            if (text == NULL) {
                return LEARN_IMPORT_ERROR;
            }

            return learn_import_pattern_host(mem, text, len + 1, below,
                                             &pattern->hosts);
        }

        len += (text[len] == '*');
    }

    *next = len;

    /* "ad*.example" is many hosts */

    if (text[len] == '*'
        && (memchr(text, '.', len) == NULL
            || memchr(text + len, '.', strcspn(text + len, "/^?")) != NULL))
    {
        return LEARN_IMPORT_DECLINED;
    }

    return learn_import_pattern_host(mem, text, len, below, &pattern->hosts);
}


learn_import_rc_e
learn_import_pattern_host(learn_arena_t *mem, const char *text,
    size_t len, int below, learn_import_list_t *hosts)
{
    char              *host, *p;
    miqps_str_t        str;
    miqps_fault_t      fault;
    learn_import_rc_e  rc;

    host = learn_import_copy(mem, text, len);

    if (host == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    for (p = host; *p != '\0'; p++) {
        if (*p >= 'A' && *p <= 'Z') {
            *p += 'a' - 'A';
        }
    }

    str.data = (const uint8_t *) host;
    str.len = strlen(host);

    if (*host == '*' || miqps_policy_check_host(&str, &fault) != MIQPS_OK) {
        return LEARN_IMPORT_DECLINED;
    }

    rc = learn_import_list_add(mem, hosts, host);

    /* nothing is below an address */

    if (!below || rc != LEARN_IMPORT_OK
        || strspn(host, "0123456789.") == strlen(host))
    {
        return rc;
    }

    return learn_import_list_add(mem, hosts,
                                 learn_import_join(mem, "*.", host, NULL));
}


/* what follows a host */

static learn_import_rc_e
learn_import_pattern_tail(learn_arena_t *mem, const char *text,
    learn_import_pattern_t *pattern, learn_import_kind_e *kind)
{
    learn_import_path_t  path;

    memset(&path, 0, sizeof(learn_import_path_t));

    switch (*text) {

    case '\0':
        return LEARN_IMPORT_OK;

    case '/':
        path.text = learn_import_copy(mem, text, strlen(text));
        break;

    case '^':
        /* of what may stand here, only the slash begins a path */

        path.text = learn_import_join(mem, "/", text + 1, NULL);
        break;

    case '*':
        path.lead = 1;
        path.text = learn_import_copy(mem, text, strlen(text));
        break;

    default:
        *kind = LEARN_IMPORT_QUERY;
        return LEARN_IMPORT_DECLINED;
    }

    return learn_import_pattern_path(mem, &path, pattern, kind);
}


static learn_import_rc_e
learn_import_pattern_path(learn_arena_t *mem, learn_import_path_t *path,
    learn_import_pattern_t *pattern, learn_import_kind_e *kind)
{
    char   *p;
    size_t  stars;

    if (path->text == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    if (!learn_import_path_ends(path)) {
        *kind = LEARN_IMPORT_QUERY;
        return LEARN_IMPORT_DECLINED;
    }

    /* all paths have a slash */

    if (!path->end && !path->border
        && (*path->text == '\0' || strcmp(path->text, "/") == 0))
    {
        return LEARN_IMPORT_OK;
    }

    /* a regular expression that every URL must pass is too dear */

    if (path->anywhere && *path->text == '/' && !path->end) {
        path->lead = 0;
    }

    stars = path->lead + !path->end;

    for (p = path->text; *p != '\0'; p++) {
        stars += (*p == '*');
    }

    if (stars <= 1 && strchr(path->text, '^') == NULL) {
        return learn_import_path_glob(mem, path, pattern);
    }

    if (path->anywhere) {
        return LEARN_IMPORT_DECLINED;
    }

    return learn_import_path_regex(mem, path, pattern);
}


/*
 * Finds out how a path ends, and takes that off its text.  Returns 0 if it
 * reaches into the query.
 */

static int
learn_import_path_ends(learn_import_path_t *path)
{
    char   *p, *star;
    size_t  len;

    while (*path->text == '*') {
        path->lead = 1;
        path->text++;
    }

    p = strchr(path->text, '?');

    if (p != NULL) {

        if (strspn(p + 1, "*") != strlen(p + 1)) {
            return 0;
        }

        path->end = 1;
        *p = '\0';
    }

    len = strlen(path->text);

    if (!path->end && len > 0 && path->text[len - 1] == '^') {
        path->border = 1;
        path->text[--len] = '\0';
    }

    while (len > 0 && path->text[len - 1] == '*') {
        path->end = 0;
        path->border = 0;
        path->text[--len] = '\0';
    }

    star = strchr(path->text, '*');

    return strpbrk(path->text, "&|#") == NULL
           && (star == NULL || strchr(star, '=') == NULL)
           && (!path->lead || strchr(path->text, '=') == NULL);
}


static learn_import_rc_e
learn_import_path_glob(learn_arena_t *mem,
    const learn_import_path_t *path, learn_import_pattern_t *pattern)
{
    const char        *text;
    learn_import_rc_e  rc;

    text = path->text;

    if (path->border) {

        /* of the separators, the slash and the end of the path */

        rc = learn_import_list_add(mem, &pattern->paths, text);

        if (rc != LEARN_IMPORT_OK) {
            return rc;
        }

        text = learn_import_join(mem, text, "/*", NULL);

    } else if (path->lead) {
        text = learn_import_join(mem, "*", text, NULL);

    } else if (!path->end && strchr(text, '*') == NULL) {
        text = learn_import_join(mem, text, "*", NULL);
    }

    return learn_import_list_add(mem, &pattern->paths, text);
}


static learn_import_rc_e
learn_import_path_regex(learn_arena_t *mem,
    const learn_import_path_t *path, learn_import_pattern_t *pattern)
{
    char        *out, *p;
    const char  *s;

    out = learn_arena_alloc(mem, strlen(path->text)
                                  * sizeof(LEARN_IMPORT_SEPARATOR) + 1);

    if (out == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    for (p = out, s = path->text; *s != '\0'; s++) {

        if (*s == '*') {
            *p++ = '.';
            *p++ = '*';

        } else if (*s == '^') {
            memcpy(p, LEARN_IMPORT_SEPARATOR,
                   sizeof(LEARN_IMPORT_SEPARATOR) - 1);
            p += sizeof(LEARN_IMPORT_SEPARATOR) - 1;

        } else {
            if (strchr("\\$.[]()+{}", *s) != NULL) {
                *p++ = '\\';
            }

            *p++ = *s;
        }
    }

    *p = '\0';

    return learn_import_list_add(mem, &pattern->paths,
                 learn_import_join(mem, path->lead ? "~" : "~^", out,
                                   path->end ? "$"
                                   : path->border
                                     ? "(?:" LEARN_IMPORT_SEPARATOR "|$)"
                                     : "",
                                   NULL));
}


learn_import_rc_e
learn_import_pattern_except(learn_arena_t *mem, const char *text,
    learn_import_pattern_t *pattern)
{
    size_t             next;
    learn_import_rc_e  rc;

    memset(pattern, 0, sizeof(learn_import_pattern_t));

    text = learn_import_pattern_ascii(mem, text);

    if (text == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    if (strspn(text, "*") == strlen(text)) {
        return LEARN_IMPORT_OK;
    }

    /* without an anchor it may be found in the query as well */

    if (strncmp(text, "||", 2) != 0) {
        pattern->unplaced = 1;
        return LEARN_IMPORT_OK;
    }

    text += 2;
    rc = learn_import_pattern_read_host(mem, text, &next, 1, pattern);

    if (rc == LEARN_IMPORT_DECLINED) {
        pattern->unplaced = 1;
        pattern->hosts.n = 0;
        return LEARN_IMPORT_OK;
    }

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    if (text[next] == '/' && text[next - 1] != '*') {
        return learn_import_pattern_except_path(mem, text + next, pattern);
    }

    /* a star reaches as far as it likes */

    pattern->widened = (text[next] != '\0' && strcmp(text + next, "^") != 0);

    return LEARN_IMPORT_OK;
}


/* the part of a path that cannot be in the query, in either case */

static learn_import_rc_e
learn_import_pattern_except_path(learn_arena_t *mem, const char *text,
    learn_import_pattern_t *pattern)
{
    char        *path;
    size_t       len;
    const char  *end, *rest;

    len = strcspn(text, "*?^|");
    rest = text + len;
    end = "";

    switch (*rest) {

    case '?':
        end = "$";
        rest++;
        break;

    case '^':
        end = "(?:" LEARN_IMPORT_SEPARATOR "|$)";
        rest++;
        break;

    default:
        break;
    }

    pattern->widened = (strspn(rest, "*") != strlen(rest));

    path = learn_import_copy(mem, text, len);

    if (path == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    if (*end == '\0' && strcmp(path, "/") == 0) {
        return LEARN_IMPORT_OK;
    }

    path = learn_import_regex_quote(mem, path);

    if (path == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    return learn_import_list_add(mem, &pattern->paths,
                                 learn_import_join(mem, "~(?i)^", path, end,
                                                   NULL));
}
