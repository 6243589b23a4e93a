
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "import_name.h"
#include "import_regex.h"
#include "miqps_escape.h"
#include "miqps_policy.h"


/* so many names are better than one regular expression */

#define LEARN_IMPORT_NAMES  16


/* an alternative of a regular expression that is searched in "name=value" */

typedef struct {
    const char             *from;       /* without the anchors */
    const char             *to;
    unsigned                head:1;     /* begins with the name */
    unsigned                tail:1;     /* ends with the name */
    unsigned                caseless:1;
} learn_import_part_t;


static char  *learn_import_name_escape(learn_arena_t *mem,
    const char *name);
static char  *learn_import_name_encode(learn_arena_t *mem,
    const char *name);
static int  learn_import_name_plain(const char *text);
static learn_import_rc_e  learn_import_name_prefix(learn_arena_t *mem,
    const char *regex, learn_import_list_t *texts, learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_name_regex(learn_arena_t *mem,
    const char *text, learn_import_list_t *texts, learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_name_other(learn_arena_t *mem,
    const char *name, learn_import_list_t *texts, learn_import_kind_e *kind);
static learn_import_rc_e  learn_import_name_part(const char *p,
    const char *end, learn_import_part_t *part, learn_import_kind_e *kind);
static int  learn_import_name_beyond(const learn_import_atom_t *atom);
static learn_import_rc_e  learn_import_name_add_part(learn_arena_t *mem,
    const learn_import_part_t *part, learn_import_list_t *texts,
    learn_import_kind_e *kind);
static int  learn_import_name_ascii(const char *text);


learn_import_rc_e
learn_import_name(learn_arena_t *mem, const char *name,
    learn_import_list_t *texts, learn_import_kind_e *kind)
{
    char        *text;
    const char  *p;

    *kind = LEARN_IMPORT_NAME;

    if (*name == '\0' || strpbrk(name, "=&#\\") != NULL) {
        return LEARN_IMPORT_DECLINED;
    }

    for (p = name; *p != '\0'; p++) {
        if ((unsigned char) *p <= ' ' || *p == 0x7f) {
            return LEARN_IMPORT_DECLINED;
        }
    }

    text = learn_import_name_escape(mem, name);

    if (text == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    if (*text == '\0') {
        return LEARN_IMPORT_DECLINED;
    }

    if (strchr(text, '*') != NULL) {
        text = learn_import_regex_quote(mem, text);

        if (text == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        return learn_import_name_regex(mem,
                                       learn_import_join(mem, "~^", text, "$",
                                                         NULL),
                                       texts, kind);
    }

    if (*text == '~') {
        text = learn_import_join(mem, "%7E", text + 1, NULL);
    }

    return learn_import_list_add(mem, texts, text);
}


/* the name with its escapes normalized; empty if that cannot be done */

static char *
learn_import_name_escape(learn_arena_t *mem, const char *name)
{
    size_t       i, len;
    uint8_t     *p;
    miqps_str_t  in, out;

    len = strlen(name);
    p = learn_arena_alloc(mem, 6 * len + 1);

    if (p == NULL) {
        return NULL;
    }

    in.data = p;

    /* browsers escape what is not ASCII */

    for (i = 0; i < len; i++) {

        if ((unsigned char) name[i] < 0x80) {
            *p++ = (uint8_t) name[i];
            continue;
        }

        *p++ = '%';
        *p++ = (uint8_t) "0123456789ABCDEF"[(unsigned char) name[i] >> 4];
        *p++ = (uint8_t) "0123456789ABCDEF"[name[i] & 0x0f];
    }

    in.len = (size_t) (p - in.data);

    if (miqps_escape_normalize(&in, p, &out) != MIQPS_GUARD_PASS) {
        return learn_import_copy(mem, "", 0);
    }

    return learn_import_copy(mem, (const char *) out.data, out.len);
}


/* a name that was decoded, as form encoders write it */

static char *
learn_import_name_encode(learn_arena_t *mem, const char *name)
{
    char  *text, *p;

    text = learn_arena_alloc(mem, 3 * strlen(name) + 1);

    if (text == NULL) {
        return NULL;
    }

    for (p = text; *name != '\0'; name++) {

        if (learn_import_name_plain(name)) {
            *p++ = *name;
            continue;
        }

        *p++ = '%';
        *p++ = "0123456789ABCDEF"[(unsigned char) *name >> 4];
        *p++ = "0123456789ABCDEF"[*name & 0x0f];
    }

    *p = '\0';

    return text;
}


/* true for a byte that encoders leave alone, and for one that is an escape */

static int
learn_import_name_plain(const char *text)
{
    return strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                  "0123456789-._~%", *text) != NULL;
}


learn_import_rc_e
learn_import_name_clearurls(learn_arena_t *mem, const char *regex,
    learn_import_list_t *texts, learn_import_kind_e *kind)
{
    size_t               i;
    const char          *encoded;
    learn_import_rc_e    rc;
    learn_import_list_t  names;

    static const char    question[] = "(?:%3F)?";

    *kind = LEARN_IMPORT_REGEX;

    if (!learn_import_name_ascii(regex)) {
        return LEARN_IMPORT_DECLINED;
    }

    /* names that begin with a question mark are never touched */

    if (strncmp(regex, question, sizeof(question) - 1) == 0
        && learn_import_regex_bar(regex, regex + strlen(regex))
           == regex + strlen(regex))
    {
        regex += sizeof(question) - 1;
    }

    memset(&names, 0, sizeof(learn_import_list_t));

    rc = learn_import_regex_expand(mem, regex, regex + strlen(regex), 0,
                                   LEARN_IMPORT_NAMES, &names);

    if (rc == LEARN_IMPORT_DECLINED) {
        return learn_import_name_prefix(mem, regex, texts, kind);
    }

    for (i = 0; i < names.n && rc == LEARN_IMPORT_OK; i++) {
        rc = learn_import_name(mem, names.item[i], texts, kind);

        if (rc != LEARN_IMPORT_OK) {
            break;
        }

        encoded = learn_import_name_encode(mem, names.item[i]);

        if (encoded == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        if (strcmp(encoded, names.item[i]) != 0) {
            rc = learn_import_name(mem, encoded, texts, kind);
        }
    }

    return rc;
}


/* a literal with ".*" behind it is a wildcard, all else stays as it is */

static learn_import_rc_e
learn_import_name_prefix(learn_arena_t *mem, const char *regex,
    learn_import_list_t *texts, learn_import_kind_e *kind)
{
    size_t               len;
    const char          *text;
    learn_import_rc_e    rc;
    learn_import_list_t  names;

    len = strlen(regex);

    if (len > 2 && strcmp(regex + len - 2, ".*") == 0) {
        memset(&names, 0, sizeof(learn_import_list_t));

        rc = learn_import_regex_expand(mem, regex, regex + len - 2, 0, 1,
                                       &names);

        if (rc == LEARN_IMPORT_ERROR) {
            return rc;
        }

        if (rc == LEARN_IMPORT_OK && strpbrk(names.item[0], "*=&%~") == NULL) {
            text = learn_import_join(mem, names.item[0], "*", NULL);
            return learn_import_list_add(mem, texts, text);
        }
    }

    if (learn_import_regex_bar(regex, regex + len) == regex + len) {
        text = learn_import_join(mem, "~*^", regex, "$", NULL);

    } else {
        text = learn_import_join(mem, "~*^(?:", regex, ")$", NULL);
    }

    return learn_import_name_regex(mem, text, texts, kind);
}


/* a text "~...", if the policy would take it */

static learn_import_rc_e
learn_import_name_regex(learn_arena_t *mem, const char *text,
    learn_import_list_t *texts, learn_import_kind_e *kind)
{
    miqps_str_t    str;
    miqps_fault_t  fault;

    if (text == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    str.data = (const uint8_t *) text;
    str.len = strlen(text);

    /* in JSON this looks like an escaped zero byte, which is refused */

    if (strstr(text, "\\u0000") != NULL) {
        *kind = LEARN_IMPORT_REGEX;
        return LEARN_IMPORT_DECLINED;
    }

    switch (miqps_policy_check_rule(&str, &fault)) {

    case MIQPS_OK:
        return learn_import_list_add(mem, texts, text);

    case MIQPS_NO_MEMORY:
        return LEARN_IMPORT_ERROR;

    default:
        *kind = LEARN_IMPORT_REGEX;
        return LEARN_IMPORT_DECLINED;
    }
}


learn_import_rc_e
learn_import_name_adguard(learn_arena_t *mem, const char *value,
    learn_import_list_t *texts, learn_import_kind_e *kind)
{
    const char          *p, *end, *bar, *flags;
    learn_import_rc_e    rc;
    learn_import_part_t  part;

    if (*value == '\0') {
        return learn_import_list_add(mem, texts, "*");
    }

    if (*value == '~') {
        return learn_import_name_other(mem, value + 1, texts, kind);
    }

    if (*value != '/') {

        if (strchr(value, '=') != NULL) {
            *kind = LEARN_IMPORT_VALUE;
            return LEARN_IMPORT_DECLINED;
        }

        return learn_import_name(mem, value, texts, kind);
    }

    *kind = LEARN_IMPORT_REGEX;

    end = strrchr(value, '/');
    flags = end + 1;

    if (end == value || (*flags != '\0' && strcmp(flags, "i") != 0)
        || !learn_import_name_ascii(value))
    {
        return LEARN_IMPORT_DECLINED;
    }

    for (p = value + 1; /* void */ ; p = bar + 1) {
        bar = learn_import_regex_bar(p, end);

        if (bar == NULL) {
            return LEARN_IMPORT_DECLINED;
        }

        memset(&part, 0, sizeof(learn_import_part_t));
        part.caseless = (*flags == 'i');

        rc = learn_import_name_part(p, bar, &part, kind);

        if (rc == LEARN_IMPORT_OK) {
            rc = learn_import_name_add_part(mem, &part, texts, kind);
        }

        if (rc != LEARN_IMPORT_OK || bar == end) {
            return rc;
        }
    }
}


/* any name but this one */

static learn_import_rc_e
learn_import_name_other(learn_arena_t *mem, const char *name,
    learn_import_list_t *texts, learn_import_kind_e *kind)
{
    const char  *p;

    *kind = LEARN_IMPORT_INVERSE;

    for (p = name; *p != '\0' && learn_import_name_plain(p); p++) {
        if (*p == '.' || *p == '%') {
            return LEARN_IMPORT_DECLINED;
        }
    }

    if (p == name || *p != '\0') {
        return LEARN_IMPORT_DECLINED;
    }

    return learn_import_name_regex(mem,
                                   learn_import_join(mem, "~^(?!", name, "$)",
                                                     NULL),
                                   texts, kind);
}


/*
 * What is found in "name" is found in "name=value", as long as the expression
 * does not look at what follows; so "$" and look-arounds are out.  An equals
 * sign is the end of the name if it is the last atom; elsewhere it reaches
 * into the value.
 */

static learn_import_rc_e
learn_import_name_part(const char *p, const char *end,
    learn_import_part_t *part, learn_import_kind_e *kind)
{
    learn_import_atom_t  atom;

    part->from = p;
    part->to = p;

    while (p < end) {

        if (learn_import_regex_next(&p, end, &atom) != 1) {
            return LEARN_IMPORT_DECLINED;
        }

        if (atom.kind == LEARN_IMPORT_START && atom.start == part->from
            && !part->head)
        {
            part->head = 1;
            part->from = p;
            part->to = p;
            continue;
        }

        if (atom.kind == LEARN_IMPORT_CHAR && atom.byte == '=' && atom.once
            && p == end)
        {
            part->tail = 1;
            break;
        }

        if (learn_import_name_beyond(&atom)) {
            *kind = LEARN_IMPORT_VALUE;
            return LEARN_IMPORT_DECLINED;
        }

        /* anything may follow anyway */

        if (atom.kind == LEARN_IMPORT_DOT && atom.empty && atom.endless
            && p == end)
        {
            break;
        }

        part->to = p;
    }

    if (part->from == part->to) {
        *kind = LEARN_IMPORT_ALL;
        return LEARN_IMPORT_DECLINED;
    }

    return LEARN_IMPORT_OK;
}


/* true if the atom needs a byte behind the name, or looks whether there is */

static int
learn_import_name_beyond(const learn_import_atom_t *atom)
{
    const char  *p;

    switch (atom->kind) {

    case LEARN_IMPORT_CHAR:
        return atom->byte == '=' && !atom->empty;

    case LEARN_IMPORT_START:
    case LEARN_IMPORT_FINISH:
        return 1;

    case LEARN_IMPORT_GROUP:
        for (p = atom->from; p < atom->to; p++) {
            if (*p == '=' || *p == '^' || *p == '$') {
                return 1;
            }
        }

        return 0;

    default:
        return 0;
    }
}


static learn_import_rc_e
learn_import_name_add_part(learn_arena_t *mem,
    const learn_import_part_t *part, learn_import_list_t *texts,
    learn_import_kind_e *kind)
{
    size_t               i;
    const char          *text;
    learn_import_rc_e    rc;
    learn_import_list_t  names;

    memset(&names, 0, sizeof(learn_import_list_t));

    rc = LEARN_IMPORT_DECLINED;

    if (!part->caseless && (part->head || part->tail)) {
        rc = learn_import_regex_expand(mem, part->from, part->to, 0,
                                       LEARN_IMPORT_NAMES, &names);
    }

    for (i = 0; i < names.n && rc == LEARN_IMPORT_OK; i++) {
        if (!(part->head && part->tail)
            && strpbrk(names.item[i], "*=&%~# ") != NULL)
        {
            rc = LEARN_IMPORT_DECLINED;
        }
    }

    if (rc == LEARN_IMPORT_ERROR) {
        return rc;
    }

    if (rc == LEARN_IMPORT_DECLINED) {
        text = learn_import_copy(mem, part->from,
                                 (size_t) (part->to - part->from));

        if (text == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        return learn_import_name_regex(mem,
                        learn_import_join(mem, part->caseless ? "~*" : "~",
                                          part->head ? "^" : "", text,
                                          part->tail ? "$" : "", NULL),
                        texts, kind);
    }

    for (i = 0; i < names.n && rc == LEARN_IMPORT_OK; i++) {

        if (part->head && part->tail) {
            rc = learn_import_name(mem, names.item[i], texts, kind);
            continue;
        }

        text = learn_import_join(mem, part->head ? "" : "*", names.item[i],
                                 part->tail ? "" : "*", NULL);

        rc = learn_import_list_add(mem, texts, text);
    }

    return rc;
}


static int
learn_import_name_ascii(const char *text)
{
    for ( /* void */ ; *text != '\0'; text++) {
        if (*text <= ' ' || *text > '~') {
            return 0;
        }
    }

    return 1;
}
