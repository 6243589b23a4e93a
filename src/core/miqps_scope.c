
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_hash.h"
#include "miqps_scope.h"


/* kinds of host patterns, and bits of a set of them */

#define MIQPS_HOST_EXACT   0      /* x */
#define MIQPS_HOST_UNDER   1      /* *.x */
#define MIQPS_HOST_BEFORE  2      /* x.* */
#define MIQPS_HOST_AMID    3      /* *.x.* */

#define miqps_host_bit(kind)  (1u << (kind))


/* what miqps_scope_find() is about to answer */

typedef struct {
    const miqps_scope_table_t    *table;
    miqps_regex_work_t           *work;
    const miqps_str_t            *path;
    uint32_t                     *active;
    size_t                        n;
    const miqps_scope_t          *strict;
} miqps_scope_search_t;


static inline miqps_guard_e  miqps_scope_find_plain(
    const miqps_scope_table_t *table, const miqps_str_t *host,
    uint32_t *active, size_t *n, const miqps_scope_t **strict);
static miqps_noinline miqps_guard_e  miqps_scope_find_any(
    const miqps_scope_table_t *table, miqps_regex_work_t *work,
    const miqps_str_t *host, const miqps_str_t *path, uint32_t *active,
    size_t *n, const miqps_scope_t **strict);
static inline uint32_t  miqps_scope_lookup(const miqps_scope_table_t *table,
    const uint8_t *host, size_t len, uint32_t kind);
static miqps_guard_e  miqps_scope_tails(miqps_scope_search_t *search,
    const uint8_t *host, size_t len, uint32_t whole, uint32_t under);
static miqps_guard_e  miqps_scope_probe(miqps_scope_search_t *search,
    const uint8_t *host, size_t len, uint32_t kind);
static miqps_guard_e  miqps_scope_try(miqps_scope_search_t *search,
    uint32_t index);
static inline miqps_guard_e  miqps_scope_add(miqps_scope_search_t *search,
    uint32_t index);
static inline miqps_guard_e  miqps_scope_add_one(miqps_scope_search_t *search,
    uint32_t index);
static size_t  miqps_scope_cut(const uint8_t *host, size_t len);
static miqps_rc_e  miqps_scope_add_hosts(miqps_scope_table_t *table,
    const miqps_mem_t *mem, miqps_fault_t *fault);
static void  miqps_scope_insert(miqps_scope_table_t *table,
    const miqps_scope_host_t *host);
static miqps_rc_e  miqps_scope_add_paths(miqps_scope_table_t *table,
    const miqps_mem_t *mem, miqps_regex_work_t *work, miqps_fault_t *fault);
static miqps_rc_e  miqps_scope_parse_path(const miqps_str_t *text,
    miqps_scope_path_t *path, miqps_regex_work_t *work, miqps_fault_t *fault);
static miqps_rc_e  miqps_scope_parse_host(const miqps_str_t *text,
    miqps_str_t *host, uint32_t *kind, miqps_fault_t *fault);


miqps_guard_e
miqps_scope_find(const miqps_scope_table_t *table, miqps_regex_work_t *work,
    const miqps_str_t *host, const miqps_str_t *path, uint32_t *active,
    size_t *n, const miqps_scope_t **strict)
{
    if (table->plain) {
        return miqps_scope_find_plain(table, host, active, n, strict);
    }

    return miqps_scope_find_any(table, work, host, path, active, n, strict);
}


/* where no scope has a wildcard, path or platform: looks up the host */

static inline miqps_guard_e
miqps_scope_find_plain(const miqps_scope_table_t *table,
    const miqps_str_t *host, uint32_t *active, size_t *n,
    const miqps_scope_t **strict)
{
    uint32_t                   i;
    size_t                     count;
    const miqps_scope_host_t  *entry;

    active[0] = MIQPS_SCOPE_ANY;
    count = 1;

    *strict = table->scopes->strict ? table->scopes : NULL;

    i = (table->nhosts > 0 && host->len > 0)
        ? miqps_scope_lookup(table, host->data, host->len, MIQPS_HOST_EXACT)
        : 0;

    while (i != 0) {
        entry = &table->hosts[i - 1];

        if (count == MIQPS_MAX_ACTIVE) {
            return MIQPS_GUARD_SCOPES;
        }

        active[count++] = entry->scope;

        if (*strict == NULL && table->scopes[entry->scope].strict) {
            *strict = &table->scopes[entry->scope];
        }

        i = entry->next;
    }

    *n = count;

    return MIQPS_GUARD_PASS;
}


static miqps_noinline miqps_guard_e
miqps_scope_find_any(const miqps_scope_table_t *table,
    miqps_regex_work_t *work, const miqps_str_t *host,
    const miqps_str_t *path, uint32_t *active, size_t *n,
    const miqps_scope_t **strict)
{
    size_t                i, len;
    miqps_guard_e         guard;
    miqps_scope_search_t  search;

    search.table = table;
    search.work = work;
    search.path = path;
    search.active = active;
    search.n = 0;
    search.strict = NULL;

    guard = miqps_scope_add(&search, MIQPS_SCOPE_ANY);

    for (i = 0; i < table->nanywhere && guard == MIQPS_GUARD_PASS; i++) {
        guard = miqps_scope_try(&search, table->anywhere[i]);
    }

    /* no rule is for a longer one, and all its labels would take long */

    len = (host->len <= MIQPS_MAX_HOST) ? host->len : 0;

    if (guard == MIQPS_GUARD_PASS && table->nhosts > 0 && len > 0) {
        guard = miqps_scope_tails(&search, host->data, len,
                                  MIQPS_HOST_EXACT, MIQPS_HOST_UNDER);
    }

    if (table->kinds & (miqps_host_bit(MIQPS_HOST_BEFORE)
                        |miqps_host_bit(MIQPS_HOST_AMID)))
    {
        /* the suffix is one label, or two as in "co.uk" */

        for (i = 0; i < 2 && guard == MIQPS_GUARD_PASS; i++) {
            len = miqps_scope_cut(host->data, len);

            if (len == 0) {
                break;
            }

            guard = miqps_scope_tails(&search, host->data, len,
                                      MIQPS_HOST_BEFORE, MIQPS_HOST_AMID);
        }
    }

    *n = search.n;
    *strict = search.strict;

    return guard;
}


/* the first pattern of a kind for a host, counted from 1, or 0 */

static inline uint32_t
miqps_scope_lookup(const miqps_scope_table_t *table, const uint8_t *host,
    size_t len, uint32_t kind)
{
    uint32_t                   slot, i;
    uint64_t                   hash;
    const miqps_scope_host_t  *entry;

    hash = miqps_hash_host(host, len, kind);

    for (slot = (uint32_t) (hash >> table->shift); /* void */ ;
         slot = (slot + 1) & table->mask)
    {
        i = table->table[slot];

        if (i == 0) {
            return 0;
        }

        entry = &table->hosts[i - 1];

        if (entry->hash == hash && entry->kind == kind
            && entry->host.len == len
            && memcmp(entry->host.data, host, len) == 0)
        {
            return i;
        }
    }
}


/* looks up a host as a whole, then each of what is behind its dots */

static miqps_guard_e
miqps_scope_tails(miqps_scope_search_t *search, const uint8_t *host,
    size_t len, uint32_t whole, uint32_t under)
{
    uint32_t        kinds;
    miqps_guard_e   guard;
    const uint8_t  *p, *last;

    kinds = search->table->kinds;

    if (kinds & miqps_host_bit(whole)) {
        guard = miqps_scope_probe(search, host, len, whole);

        if (guard != MIQPS_GUARD_PASS) {
            return guard;
        }
    }

    if (!(kinds & miqps_host_bit(under))) {
        return MIQPS_GUARD_PASS;
    }

    last = host + len;

    for (p = host; p < last; p++) {

        if (*p != '.') {
            continue;
        }

        guard = miqps_scope_probe(search, p + 1, (size_t) (last - p - 1),
                                  under);

        if (guard != MIQPS_GUARD_PASS) {
            return guard;
        }
    }

    return MIQPS_GUARD_PASS;
}


static miqps_guard_e
miqps_scope_probe(miqps_scope_search_t *search, const uint8_t *host,
    size_t len, uint32_t kind)
{
    uint32_t                    i;
    miqps_guard_e               guard;
    const miqps_scope_table_t  *table;

    table = search->table;

    for (i = miqps_scope_lookup(table, host, len, kind); i != 0;
         i = table->hosts[i - 1].next)
    {
        guard = miqps_scope_try(search, table->hosts[i - 1].scope);

        if (guard != MIQPS_GUARD_PASS) {
            return guard;
        }
    }

    return MIQPS_GUARD_PASS;
}


/* adds a scope whose host fits, if its paths do */

static miqps_guard_e
miqps_scope_try(miqps_scope_search_t *search, uint32_t index)
{
    uint32_t                   i;
    const miqps_scope_t       *scope;
    const miqps_scope_path_t  *path;

    scope = &search->table->scopes[index];

    if (scope->npaths == 0) {
        return miqps_scope_add(search, index);
    }

    for (i = 0; i < scope->npaths; i++) {
        path = &search->table->paths[index][i];

        if (path->regex.code == NULL) {

            if (miqps_glob_match(&path->glob, search->path->data,
                                 search->path->len))
            {
                return miqps_scope_add(search, index);
            }

            continue;
        }

        switch (miqps_regex_exec(&path->regex, search->work, search->path)) {

        case MIQPS_REGEX_HIT:
            return miqps_scope_add(search, index);

        case MIQPS_REGEX_GAVE_UP:
            return MIQPS_GUARD_SCOPES;

        case MIQPS_REGEX_MISS:
            break;
        }
    }

    return MIQPS_GUARD_PASS;
}


/* adds a scope and the platforms it brings along */

static inline miqps_guard_e
miqps_scope_add(miqps_scope_search_t *search, uint32_t index)
{
    uint32_t              k;
    miqps_guard_e         guard;
    const miqps_scope_t  *scope;

    scope = &search->table->scopes[index];

    guard = miqps_scope_add_one(search, index);

    for (k = 0; k < scope->nplatforms && guard == MIQPS_GUARD_PASS; k++) {
        guard = miqps_scope_add_one(search, scope->platforms[k]);
    }

    return guard;
}


static inline miqps_guard_e
miqps_scope_add_one(miqps_scope_search_t *search, uint32_t index)
{
    size_t  i;

    for (i = 0; i < search->n; i++) {
        if (search->active[i] == index) {
            return MIQPS_GUARD_PASS;
        }
    }

    if (search->n == MIQPS_MAX_ACTIVE) {
        return MIQPS_GUARD_SCOPES;
    }

    search->active[search->n++] = index;

    if (search->table->scopes[index].strict && search->strict == NULL) {
        search->strict = &search->table->scopes[index];
    }

    return MIQPS_GUARD_PASS;
}


/* the length of a host without its last label, or 0 if it has but one */

static size_t
miqps_scope_cut(const uint8_t *host, size_t len)
{
    while (len > 0) {
        if (host[--len] == '.') {
            return len;
        }
    }

    return 0;
}


miqps_rc_e
miqps_scope_table_init(miqps_scope_table_t *table, const miqps_scope_t *scopes,
    size_t nscopes, const miqps_mem_t *mem, miqps_regex_work_t *work,
    miqps_fault_t *fault)
{
    size_t      i;
    miqps_rc_e  rc;

    memset(table, 0, sizeof(miqps_scope_table_t));

    table->scopes = scopes;
    table->nscopes = nscopes;

    table->anywhere = mem->alloc(mem->data, nscopes * sizeof(uint32_t));

    if (table->anywhere == NULL) {
        return MIQPS_NO_MEMORY;
    }

    for (i = 1; i < nscopes; i++) {
        if (scopes[i].nhosts == 0 && !scopes[i].platform) {
            table->anywhere[table->nanywhere++] = (uint32_t) i;
        }
    }

    rc = miqps_scope_add_hosts(table, mem, fault);

    if (rc != MIQPS_OK) {
        return rc;
    }

    rc = miqps_scope_add_paths(table, mem, work, fault);

    if (rc != MIQPS_OK) {
        miqps_scope_table_release(table);
        return rc;
    }

    table->plain = (table->nanywhere == 0
                    && !(table->kinds & ~miqps_host_bit(MIQPS_HOST_EXACT)));

    for (i = 0; i < nscopes; i++) {
        table->plain &= (scopes[i].npaths == 0 && scopes[i].nplatforms == 0);
    }

    return MIQPS_OK;
}


void
miqps_scope_table_release(miqps_scope_table_t *table)
{
    size_t    i;
    uint32_t  k;

    for (i = 0; table->paths != NULL && i < table->nscopes; i++) {

        for (k = 0; table->paths[i] != NULL && k < table->scopes[i].npaths;
             k++)
        {
            if (table->paths[i][k].regex.code != NULL) {
                miqps_regex_release(&table->paths[i][k].regex);
            }
        }
    }

    table->paths = NULL;
}


static miqps_rc_e
miqps_scope_add_hosts(miqps_scope_table_t *table, const miqps_mem_t *mem,
    miqps_fault_t *fault)
{
    size_t               i, n, size;
    uint32_t             k;
    miqps_rc_e           rc;
    miqps_scope_host_t   host;

    n = 0;

    for (i = 0; i < table->nscopes; i++) {
        n += table->scopes[i].nhosts;
    }

    if (n == 0) {
        return MIQPS_OK;
    }

    table->shift = miqps_hash_shift(n);
    table->mask = miqps_hash_size(table->shift) - 1;

    size = miqps_hash_size(table->shift) * sizeof(uint32_t);

    table->table = mem->alloc(mem->data, size);
    table->hosts = mem->alloc(mem->data, n * sizeof(miqps_scope_host_t));

    if (table->table == NULL || table->hosts == NULL) {
        return MIQPS_NO_MEMORY;
    }

    memset(table->table, 0, size);

    for (i = 0; i < table->nscopes; i++) {

        for (k = 0; k < table->scopes[i].nhosts; k++) {
            rc = miqps_scope_parse_host(&table->scopes[i].hosts[k],
                                        &host.host, &host.kind, fault);

            if (rc != MIQPS_OK) {
                return rc;
            }

            host.scope = (uint32_t) i;
            host.hash = miqps_hash_host(host.host.data, host.host.len,
                                        host.kind);

            miqps_scope_insert(table, &host);
        }
    }

    return MIQPS_OK;
}


static void
miqps_scope_insert(miqps_scope_table_t *table, const miqps_scope_host_t *host)
{
    uint32_t             slot, i;
    miqps_scope_host_t  *entry;

    entry = &table->hosts[table->nhosts++];

    *entry = *host;
    entry->next = 0;

    table->kinds |= miqps_host_bit(host->kind);

    for (slot = (uint32_t) (host->hash >> table->shift);
         table->table[slot] != 0;
         slot = (slot + 1) & table->mask)
    {
        i = table->table[slot];

        if (table->hosts[i - 1].kind == host->kind
            && miqps_str_eq(&table->hosts[i - 1].host, &host->host))
        {
            entry->next = i;
            break;
        }
    }

    table->table[slot] = (uint32_t) table->nhosts;
}


static miqps_rc_e
miqps_scope_add_paths(miqps_scope_table_t *table, const miqps_mem_t *mem,
    miqps_regex_work_t *work, miqps_fault_t *fault)
{
    size_t               i;
    uint32_t             k;
    miqps_rc_e           rc;
    miqps_scope_path_t  *paths;

    table->paths = mem->alloc(mem->data,
                              table->nscopes * sizeof(miqps_scope_path_t *));

    if (table->paths == NULL) {
        return MIQPS_NO_MEMORY;
    }

    memset(table->paths, 0, table->nscopes * sizeof(miqps_scope_path_t *));

    for (i = 0; i < table->nscopes; i++) {

        if (table->scopes[i].npaths == 0) {
            continue;
        }

        paths = mem->alloc(mem->data, table->scopes[i].npaths
                                      * sizeof(miqps_scope_path_t));
        if (paths == NULL) {
            return MIQPS_NO_MEMORY;
        }

        memset(paths, 0, table->scopes[i].npaths * sizeof(miqps_scope_path_t));
        table->paths[i] = paths;

        for (k = 0; k < table->scopes[i].npaths; k++) {
            rc = miqps_scope_parse_path(&table->scopes[i].paths[k], &paths[k],
                                        work, fault);

            if (rc != MIQPS_OK) {
                return rc;
            }
        }
    }

    return MIQPS_OK;
}


static miqps_rc_e
miqps_scope_parse_path(const miqps_str_t *text, miqps_scope_path_t *path,
    miqps_regex_work_t *work, miqps_fault_t *fault)
{
    if (text->len > 1 && text->data[0] == '~') {
        return miqps_regex_init(&path->regex, text, work, fault);
    }

    if (text->len == 0 || (text->data[0] != '/' && text->data[0] != '*')) {
        miqps_fault_set(fault, text, 0, "is neither a path from \"/\" or \"*\" "
                        "on nor a regular expression, \"~...\"");
        return MIQPS_SYNTAX;
    }

    if (miqps_glob_init(&path->glob, text) != MIQPS_OK) {
        miqps_fault_set(fault, text, 0, "has more than one \"*\"; "
                        "write a regular expression, \"~...\"");
        return MIQPS_SYNTAX;
    }

    return MIQPS_OK;
}


miqps_rc_e
miqps_scope_check_path(const miqps_str_t *path, miqps_regex_work_t *work,
    miqps_fault_t *fault)
{
    miqps_rc_e          rc;
    miqps_scope_path_t  compiled;

    memset(&compiled, 0, sizeof(miqps_scope_path_t));

    rc = miqps_scope_parse_path(path, &compiled, work, fault);

    if (compiled.regex.code != NULL) {
        miqps_regex_release(&compiled.regex);
    }

    return rc;
}


miqps_rc_e
miqps_scope_check_host(const miqps_str_t *host, miqps_fault_t *fault)
{
    uint32_t     kind;
    miqps_str_t  literal;

    return miqps_scope_parse_host(host, &literal, &kind, fault);
}


/* takes "*." and ".*" off; what is left is a plain lower-case name */

static miqps_rc_e
miqps_scope_parse_host(const miqps_str_t *text, miqps_str_t *host,
    uint32_t *kind, miqps_fault_t *fault)
{
    size_t   i;
    uint8_t  c;

    *host = *text;
    *kind = MIQPS_HOST_EXACT;

    if (host->len > 2 && memcmp(host->data, "*.", 2) == 0) {
        host->data += 2;
        host->len -= 2;
        *kind |= MIQPS_HOST_UNDER;
    }

    if (host->len > 2 && memcmp(host->data + host->len - 2, ".*", 2) == 0) {
        host->len -= 2;
        *kind |= MIQPS_HOST_BEFORE;
    }

    for (i = 0; i < host->len; i++) {
        c = host->data[i];

        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
              || c == '-' || c == '_' || c == ':' || c == '[' || c == ']'
              || (c == '.' && i > 0 && host->data[i - 1] != '.')))
        {
            break;
        }
    }

    if (host->len > 0 && host->len <= MIQPS_MAX_HOST && i == host->len
        && host->data[host->len - 1] != '.')
    {
        return MIQPS_OK;
    }

    miqps_fault_set(fault, text, 0, "is not a lower-case host name, with "
                    "\"*.\" before or \".*\" behind it perhaps");

    return MIQPS_SYNTAX;
}
