
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "import_regex.h"
#include "import_url.h"
#include "miqps_policy.h"


/* so many hosts or paths are written out */

#define LEARN_IMPORT_HOSTS  32
#define LEARN_IMPORT_PATHS  8


typedef enum {
    LEARN_IMPORT_BOTH = 0,     /* http and https */
    LEARN_IMPORT_UNANCHORED,   /* the same, anywhere in the URL */
    LEARN_IMPORT_ONE,          /* one of them */
    LEARN_IMPORT_OTHER,        /* none of them */
    LEARN_IMPORT_UNKNOWN
} learn_import_scheme_e;


typedef enum {
    LEARN_IMPORT_ITSELF = 0,   /* the host and no other */
    LEARN_IMPORT_BELOW,        /* and any host below it */
    LEARN_IMPORT_ONLY_BELOW,
    LEARN_IMPORT_GLUED         /* anything may stand before it */
} learn_import_below_e;


typedef struct {
    const char             *text;
    unsigned                what;
} learn_import_form_t;


/* a path that is being read; "out" ends with a zero byte when done */

typedef struct {
    char                   *out;
    size_t                  len;
    size_t                  solid;      /* the rest of "out" may be left off */
    const char             *plain;      /* where a "?" ended the path */
    unsigned                except:1;
    unsigned                ended:1;    /* a "?" was seen */
    unsigned                cut:1;      /* more followed, and is left off */
} learn_import_walk_t;


static learn_import_rc_e  learn_import_url_except_path(learn_arena_t *mem,
    const char *p, const char *end, learn_import_url_t *url);
static char  *learn_import_url_slashes(learn_arena_t *mem,
    const char *regex);
static int  learn_import_url_form(const char **p,
    const learn_import_form_t *forms);
static learn_import_rc_e  learn_import_url_hosts(learn_arena_t *mem,
    const char **p, const char *end, int except, learn_import_url_t *url);
static const char  *learn_import_url_host_end(learn_arena_t *mem,
    const char *p, const char *end);
static learn_import_rc_e  learn_import_url_host(learn_arena_t *mem,
    const char *text, unsigned below, int except, learn_import_url_t *url);
static learn_import_rc_e  learn_import_url_add_host(learn_arena_t *mem,
    const char *before, const char *host, const char *after,
    learn_import_url_t *url);
static int  learn_import_url_walk(learn_import_walk_t *walk, const char *p,
    const char *end);
static int  learn_import_url_atom(learn_import_walk_t *walk,
    const learn_import_atom_t *atom);
static int  learn_import_url_anchored(const char *p, const char *end);
static int  learn_import_url_question(learn_import_walk_t *walk,
    const learn_import_atom_t *atom);
static int  learn_import_url_choice(learn_import_walk_t *walk,
    const learn_import_atom_t *atom);
static void  learn_import_url_keep(learn_import_walk_t *walk,
    const char *p, const char *end);
static int  learn_import_url_optional(const char *p, const char *end);
static learn_import_rc_e  learn_import_url_paths(learn_arena_t *mem,
    const char *p, const learn_import_walk_t *walk, const char *end,
    learn_import_url_t *url);
static learn_import_rc_e  learn_import_url_named(learn_arena_t *mem,
    const char *p, learn_import_url_t *url);


/* with "\/" written as "/" */

static const learn_import_form_t  learn_import_schemes[] = {
    { "^https?://",       LEARN_IMPORT_BOTH },
    { "^https?:[/]{2}",   LEARN_IMPORT_BOTH },
    { "^(?:https?:)?//",  LEARN_IMPORT_BOTH },
    { "https?://",        LEARN_IMPORT_UNANCHORED },
    { "^https://",        LEARN_IMPORT_ONE },
    { "^http://",         LEARN_IMPORT_ONE },
    { "^wss?://",         LEARN_IMPORT_OTHER },
    { NULL,               LEARN_IMPORT_UNKNOWN }
};


static const learn_import_form_t  learn_import_belows[] = {
    { "(?:[a-z0-9-]+\\.)*?",  LEARN_IMPORT_BELOW },
    { "(?:[a-z0-9-]+\\.)*",   LEARN_IMPORT_BELOW },
    { "([a-z0-9-]+\\.)*?",    LEARN_IMPORT_BELOW },
    { "([a-z0-9-]+\\.)*",     LEARN_IMPORT_BELOW },
    { "(?:[a-z0-9-]+\\.)+",   LEARN_IMPORT_ONLY_BELOW },
    { "([a-z0-9-]+\\.)+",     LEARN_IMPORT_ONLY_BELOW },
    { "([a-z0-9-.]*\\.)",     LEARN_IMPORT_ONLY_BELOW },
    { "(?:[a-z0-9-.]*\\.)",   LEARN_IMPORT_ONLY_BELOW },
    { "([a-z0-9-\\.])*",      LEARN_IMPORT_GLUED },
    { "[a-z0-9-\\.]*",        LEARN_IMPORT_GLUED },
    { "[a-z0-9-.]*",          LEARN_IMPORT_GLUED },
    { NULL,                   LEARN_IMPORT_ITSELF }
};


learn_import_rc_e
learn_import_url_strip(learn_arena_t *mem, const char *regex,
    learn_import_url_t *url, learn_import_kind_e *kind)
{
    const char          *p, *end;
    learn_import_rc_e    rc;
    learn_import_walk_t  walk;

    memset(url, 0, sizeof(learn_import_url_t));

    *kind = LEARN_IMPORT_PATTERN;

    if (strcmp(regex, ".*") == 0) {
        return LEARN_IMPORT_OK;
    }

    p = learn_import_url_slashes(mem, regex);

    if (p == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    end = p + strlen(p);

    switch (learn_import_url_form(&p, learn_import_schemes)) {

    case LEARN_IMPORT_BOTH:
    case LEARN_IMPORT_UNANCHORED:
        break;

    case LEARN_IMPORT_ONE:
        *kind = LEARN_IMPORT_SCHEME;
        return LEARN_IMPORT_DECLINED;

    default:
        return LEARN_IMPORT_DECLINED;
    }

    rc = learn_import_url_hosts(mem, &p, end, 0, url);

    if (rc != LEARN_IMPORT_OK || learn_import_url_optional(p, end)) {
        return rc;
    }

    memset(&walk, 0, sizeof(learn_import_walk_t));
    walk.out = learn_arena_alloc(mem, strlen(p) + 1);

    if (walk.out == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    if (!learn_import_url_walk(&walk, p, end)) {
        *kind = LEARN_IMPORT_QUERY;
        return LEARN_IMPORT_DECLINED;
    }

    return learn_import_url_paths(mem, p, &walk, end, url);
}


learn_import_rc_e
learn_import_url_except(learn_arena_t *mem, const char *regex,
    learn_import_url_t *url)
{
    const char        *p, *end, *bar;
    learn_import_rc_e  rc;

    memset(url, 0, sizeof(learn_import_url_t));

    p = learn_import_url_slashes(mem, regex);

    if (p == NULL || learn_import_url_named(mem, p, url) != LEARN_IMPORT_OK) {
        return LEARN_IMPORT_ERROR;
    }

    end = p + strlen(p);

    /* a choice between whole URLs, or what may be one */

    bar = learn_import_regex_bar(p, end);

    if (bar != end && (bar != NULL || strchr(p, '|') != NULL)) {
        url->unplaced = 1;
        return LEARN_IMPORT_OK;
    }

    switch (learn_import_url_form(&p, learn_import_schemes)) {

    case LEARN_IMPORT_BOTH:
        break;

    case LEARN_IMPORT_ONE:
        url->widened = 1;
        break;

    case LEARN_IMPORT_OTHER:
        url->never = 1;
        return LEARN_IMPORT_OK;

    default:
        url->unplaced = 1;
        return LEARN_IMPORT_OK;
    }

    rc = learn_import_url_hosts(mem, &p, end, 1, url);

    if (rc == LEARN_IMPORT_DECLINED) {
        url->unplaced = 1;
        url->hosts.n = 0;
        return LEARN_IMPORT_OK;
    }

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    return learn_import_url_except_path(mem, p, end, url);
}


static learn_import_rc_e
learn_import_url_except_path(learn_arena_t *mem, const char *p,
    const char *end, learn_import_url_t *url)
{
    learn_import_walk_t  walk;

    memset(&walk, 0, sizeof(learn_import_walk_t));
    walk.except = 1;
    walk.out = learn_arena_alloc(mem, strlen(p) + 1);

    if (walk.out == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    (void) learn_import_url_walk(&walk, p, end);

    if (walk.cut) {
        url->widened = 1;
    }

    if (*walk.out == '(' || (*walk.out == '/' && walk.out[1] != '\0')) {
        url->path = walk.out;
    }

    if (url->hosts.n == 0 && url->path == NULL) {
        url->unplaced = 1;
    }

    return LEARN_IMPORT_OK;
}


static char *
learn_import_url_slashes(learn_arena_t *mem, const char *regex)
{
    char        *copy, *p;
    const char  *s;

    copy = learn_import_copy(mem, regex, strlen(regex));

    if (copy == NULL) {
        return NULL;
    }

    for (p = copy, s = copy; *s != '\0'; /* void */ ) {

        if (*s == '\\' && s[1] == '/') {
            s++;

        } else if (*s == '\\' && s[1] != '\0') {
            *p++ = *s++;
        }

        *p++ = *s++;
    }

    *p = '\0';

    return copy;
}


/* which of "forms" stands at "*p", which is moved behind it; or the last */

static int
learn_import_url_form(const char **p, const learn_import_form_t *forms)
{
    size_t  len;

    for ( /* void */ ; forms->text != NULL; forms++) {
        len = strlen(forms->text);

        if (strncmp(*p, forms->text, len) == 0) {
            *p += len;
            return (int) forms->what;
        }
    }

    return (int) forms->what;
}


/* reads the hosts at "*p" and moves it to the path */

static learn_import_rc_e
learn_import_url_hosts(learn_arena_t *mem, const char **p,
    const char *end, int except, learn_import_url_t *url)
{
    int                  below, open;
    size_t               i, len;
    const char          *last;
    learn_import_rc_e    rc;
    learn_import_atom_t  atom;
    learn_import_list_t  texts;

    if (strncmp(*p, "[^/]+/", 6) == 0) {
        *p += 5;
        return LEARN_IMPORT_OK;
    }

    below = learn_import_url_form(p, learn_import_belows);
    last = learn_import_url_host_end(mem, *p, end);

    memset(&texts, 0, sizeof(learn_import_list_t));

    rc = learn_import_regex_expand(mem, *p, last, LEARN_IMPORT_AS_HOST,
                                   LEARN_IMPORT_HOSTS, &texts);

    *p = last;

    if (rc != LEARN_IMPORT_OK) {
        return rc;
    }

    /* what goes on with anything but a slash has an open end */

    open = (last < end && *last != '/' && *last != '('
            && learn_import_regex_next(&last, end, &atom) == 1);

    if (open && !except) {
        return LEARN_IMPORT_DECLINED;
    }

    for (i = 0; i < texts.n && rc == LEARN_IMPORT_OK; i++) {
        len = strlen(texts.item[i]);

        if (open && len > 0 && texts.item[i][len - 1] == '.') {
            /* "git.", then anything: known for the usual suffixes only */

            texts.item[i] = learn_import_join(mem, texts.item[i],
                                              LEARN_IMPORT_SUFFIX, NULL);
            url->unplaced = 1;
            *p = last;
        }

        rc = learn_import_url_host(mem, texts.item[i], (unsigned) below,
                                   except, url);
    }

    return rc;
}


/* the end of what is a choice of hosts, and has no slash in it */

static const char *
learn_import_url_host_end(learn_arena_t *mem, const char *p,
    const char *end)
{
    const char          *last;
    learn_import_atom_t  atom;
    learn_import_list_t  texts;

    for (last = p; p < end; last = p) {

        if (learn_import_regex_next(&p, end, &atom) != 1
            || memchr(atom.start, '/', (size_t) (p - atom.start)) != NULL)
        {
            return last;
        }

        memset(&texts, 0, sizeof(learn_import_list_t));

        if (learn_import_regex_expand(mem, atom.start, p,
                                      LEARN_IMPORT_AS_HOST,
                                      LEARN_IMPORT_HOSTS, &texts)
            != LEARN_IMPORT_OK)
        {
            return last;
        }
    }

    return last;
}


static learn_import_rc_e
learn_import_url_host(learn_arena_t *mem, const char *text,
    unsigned below, int except, learn_import_url_t *url)
{
    char              *host, *p;
    size_t             len;
    const char        *after;
    learn_import_rc_e  rc;

    if (text == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    len = strlen(text);
    host = learn_import_copy(mem, text, len);

    if (host == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    for (p = host; *p != '\0'; p++) {
        if (*p >= 'A' && *p <= 'Z') {
            *p += 'a' - 'A';
        }
    }

    after = "";

    if (len > 0 && host[len - 1] == *LEARN_IMPORT_SUFFIX) {
        host[--len] = '\0';
        after = ".*";
    }

    if (len > 0 && *after != '\0' && host[len - 1] == '.') {
        host[--len] = '\0';
    }

    if (below == LEARN_IMPORT_GLUED && except) {

        /* "xmail.example.com" for "[a-z]*mail.example.com": what is above */

        host = strchr(host, '.');

        if (host == NULL || strchr(host + 1, '.') == NULL) {
            return LEARN_IMPORT_DECLINED;
        }

        host++;
        url->widened = 1;
        below = LEARN_IMPORT_ONLY_BELOW;
    }

    rc = LEARN_IMPORT_OK;

    if (below != LEARN_IMPORT_ONLY_BELOW) {
        rc = learn_import_url_add_host(mem, "", host, after, url);
    }

    if (below != LEARN_IMPORT_ITSELF && rc == LEARN_IMPORT_OK) {
        rc = learn_import_url_add_host(mem, "*.", host, after, url);
    }

    return rc;
}


static learn_import_rc_e
learn_import_url_add_host(learn_arena_t *mem, const char *before,
    const char *host, const char *after, learn_import_url_t *url)
{
    const char    *text;
    miqps_str_t    str;
    miqps_fault_t  fault;

    text = learn_import_join(mem, before, host, after, NULL);

    if (text == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    str.data = (const uint8_t *) text;
    str.len = strlen(text);

    if (*host == '\0' || *host == '*'
        || miqps_policy_check_host(&str, &fault) != MIQPS_OK)
    {
        return LEARN_IMPORT_DECLINED;
    }

    return learn_import_list_add(mem, &url->hosts, text);
}


/*
 * Copies a path to walk->out: the "?" that ends it as "$", and for an
 * exception no more than what cannot reach into the query.  The text must not
 * be all of it, since nothing here needs the end of the URL.  Returns 0 if it
 * cannot be told from the path alone.
 */

static int
learn_import_url_walk(learn_import_walk_t *walk, const char *p,
    const char *end)
{
    learn_import_atom_t  atom;

    /* a choice between whole URLs is no path */

    if (learn_import_regex_bar(p, end) != end) {
        walk->cut = 1;
        walk->out[0] = '\0';
        return walk->except;
    }

    while (p < end) {

        if (learn_import_url_optional(p, end)) {
            break;
        }

        (void) learn_import_regex_next(&p, end, &atom);

        if (walk->ended || !learn_import_url_atom(walk, &atom)) {
            walk->cut = 1;
            break;
        }
    }

    if (walk->except) {
        walk->len = walk->solid;
    }

    walk->out[walk->len] = '\0';

    return walk->except || !walk->cut;
}


/* one atom of a path; 0 if it and what follows is to be left off */

static int
learn_import_url_atom(learn_import_walk_t *walk,
    const learn_import_atom_t *atom)
{
    int  query;

    query = learn_import_atom_matches(atom, '?');

    switch (atom->kind) {

    case LEARN_IMPORT_CHAR:
        if (query) {
            return learn_import_url_question(walk, atom);
        }

        break;

    case LEARN_IMPORT_START:
    case LEARN_IMPORT_FINISH:
        return 0;

    case LEARN_IMPORT_GROUP:
        if (learn_import_url_anchored(atom->from, atom->to)) {
            return 0;
        }

        if (query) {
            return learn_import_url_choice(walk, atom);
        }

        break;

    case LEARN_IMPORT_CLASS:
    case LEARN_IMPORT_TYPE_OF:
    case LEARN_IMPORT_DOT:
        if (query && walk->except) {
            return 0;
        }

        break;

    default:
        break;
    }

    learn_import_url_keep(walk, atom->start, atom->end);

    if (!(atom->kind == LEARN_IMPORT_CLASS && atom->endless)) {
        walk->solid = walk->len;
    }

    return 1;
}


/* true if a group has anchors of its own, or something that looks so */

static int
learn_import_url_anchored(const char *p, const char *end)
{
    for ( /* void */ ; p < end; p++) {
        if (*p == '$' || (*p == '^' && p[-1] != '[')) {
            return 1;
        }
    }

    return 0;
}


/* the question mark that ends the path */

static int
learn_import_url_question(learn_import_walk_t *walk,
    const learn_import_atom_t *atom)
{
    if (!atom->once) {
        return 0;
    }

    walk->plain = atom->start;
    walk->ended = 1;

    /* "[^?]*\?" is no condition */

    if (walk->except && walk->solid < walk->len) {
        return 1;
    }

    walk->out[walk->len++] = '$';
    walk->solid = walk->len;

    return 1;
}


/*
 * A group that matches "?", which then must be the last of an alternative.
 * What follows the group would be in the path for one alternative and in the
 * query for another.
 */

static int
learn_import_url_choice(learn_import_walk_t *walk,
    const learn_import_atom_t *atom)
{
    int                  ended;
    size_t               len;
    const char          *p;
    learn_import_atom_t  inner;

    if (!atom->once) {
        return 0;
    }

    len = walk->len;
    ended = 0;

    learn_import_url_keep(walk, atom->start, atom->from);

    for (p = atom->from; p < atom->to; /* void */ ) {

        if (*p == '|') {
            learn_import_url_keep(walk, p, p + 1);
            p++;
            continue;
        }

        if (learn_import_regex_next(&p, atom->to, &inner) != 1) {
            walk->len = len;
            return 0;
        }

        if (inner.kind == LEARN_IMPORT_CHAR && inner.byte == '?' && inner.once
            && (p == atom->to || *p == '|'))
        {
            walk->out[walk->len++] = '$';
            ended = 1;
            continue;
        }

        if (learn_import_atom_matches(&inner, '?')
            && (walk->except || inner.kind == LEARN_IMPORT_CHAR
                || inner.kind == LEARN_IMPORT_GROUP))
        {
            walk->len = len;
            return 0;
        }

        learn_import_url_keep(walk, inner.start, inner.end);
    }

    learn_import_url_keep(walk, atom->to, atom->end);

    walk->solid = walk->len;
    walk->ended = ended;

    return 1;
}


static void
learn_import_url_keep(learn_import_walk_t *walk, const char *p,
    const char *end)
{
    memcpy(walk->out + walk->len, p, (size_t) (end - p));
    walk->len += (size_t) (end - p);
}


/* true if all that follows may as well not be there */

static int
learn_import_url_optional(const char *p, const char *end)
{
    learn_import_atom_t  atom;

    while (p < end) {
        if (learn_import_regex_next(&p, end, &atom) != 1 || !atom.empty) {
            return 0;
        }
    }

    return 1;
}


/* the paths of a strip: literal ones where there are but a few */

static learn_import_rc_e
learn_import_url_paths(learn_arena_t *mem, const char *p,
    const learn_import_walk_t *walk, const char *end, learn_import_url_t *url)
{
    size_t               i;
    const char          *text;
    learn_import_rc_e    rc;
    learn_import_list_t  paths;

    memset(&paths, 0, sizeof(learn_import_list_t));

    rc = LEARN_IMPORT_DECLINED;

    if (walk->plain != NULL) {
        end = walk->plain;
    }

    if (walk->plain != NULL || !walk->ended) {
        rc = learn_import_regex_expand(mem, p, end, 0, LEARN_IMPORT_PATHS,
                                       &paths);
    }

    if (rc == LEARN_IMPORT_ERROR) {
        return rc;
    }

    for (i = 0; i < paths.n && rc == LEARN_IMPORT_OK; i++) {
        if (*paths.item[i] != '/' || strchr(paths.item[i], '*') != NULL) {
            rc = LEARN_IMPORT_DECLINED;
        }
    }

    if (rc == LEARN_IMPORT_DECLINED) {
        return learn_import_list_add(mem, &url->paths,
                                     learn_import_join(mem, "~(?i)^",
                                                       walk->out, NULL));
    }

    for (i = 0; i < paths.n && rc == LEARN_IMPORT_OK; i++) {
        text = paths.item[i];

        if (walk->plain == NULL) {

            if (strcmp(text, "/") == 0) {
                url->paths.n = 0;
                return LEARN_IMPORT_OK;
            }

            text = learn_import_join(mem, text, "*", NULL);
        }

        rc = learn_import_list_add(mem, &url->paths, text);
    }

    return rc;
}


/* the names before equals signs: "\?.*?&?ref_?=." asks for "ref" or "ref_" */

static learn_import_rc_e
learn_import_url_named(learn_arena_t *mem, const char *p,
    learn_import_url_t *url)
{
    const char        *name, *end;
    learn_import_rc_e  rc;

    static const char   word[] = "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

    for (end = strchr(p, '='); end != NULL; end = strchr(end + 1, '=')) {

        for (name = end; name > p; name--) {

            if (strchr(word, name[-1]) != NULL) {
                continue;
            }

            if (name[-1] != '?' || name - p < 2
                || strchr(word, name[-2]) == NULL)
            {
                break;
            }
        }

        if (name == end) {
            continue;
        }

        rc = learn_import_regex_expand(mem, name, end, 0, LEARN_IMPORT_PATHS,
                                       &url->named);

        if (rc == LEARN_IMPORT_ERROR) {
            return rc;
        }
    }

    return LEARN_IMPORT_OK;
}
