
/*
 * Copyright (C) the ngx_miqps authors
 */


#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

#include <libpsl.h>

#include "eval_site.h"
#include "miqps_url.h"
#include "tree/tree_set.h"


/* clusters of the smaller of two domains that make one site of them */

#define LEARN_DOMAIN_SHARE  0.01

/* pairs of domains that are looked at */

#define LEARN_MAX_BONDS     4096


typedef struct {
    char             *name;
    uint32_t          joined;      /* with this one, or itself */
    uint32_t          clusters;
    uint32_t          number;      /* of the site */
} learn_domain_t;


/* two domains, the smaller number first, and the clusters of both */

typedef struct {
    uint32_t          one;
    uint32_t          two;
    uint32_t          clusters;
} learn_bond_t;


typedef struct {
    psl_ctx_t        *psl;
    learn_domain_t   *domains;
    uint32_t          ndomains;
    uint32_t          max_domains;
    uint32_t         *table;       /* of domains */
    uint32_t          mask;
    learn_bond_t     *bonds;
    size_t            nbonds;
    size_t            max_bonds;

    char              host[MIQPS_MAX_HOST + 1];    /* the last one, ... */
    uint32_t          last;                        /* ... and its domain */
} learn_domains_t;


static int  learn_domains_find(learn_domains_t *domains,
    const learn_line_t *line, uint32_t *number);
static int  learn_domains_add(learn_domains_t *domains, const char *name,
    uint32_t *number);
static int  learn_domains_grow(learn_domains_t *domains);
static int  learn_domains_join(learn_domains_t *domains,
    const learn_clusters_t *clusters, const uint32_t *sites);
static int  learn_domains_bond(learn_domains_t *domains, uint32_t one,
    uint32_t two);
static uint32_t  learn_domains_root(learn_domains_t *domains, uint32_t n);
static int  learn_domains_number(learn_domains_t *domains,
    learn_eval_sites_t *sites, size_t nlines);
static int  learn_domain_address(const char *host);


int
learn_eval_sites(learn_eval_sites_t *sites, const learn_clusters_t *clusters,
    int one)
{
    int               ok;
    size_t            i;
    uint32_t          d;
    learn_line_t      none;
    learn_domains_t   domains;

    memset(sites, 0, sizeof(learn_eval_sites_t));
    memset(&domains, 0, sizeof(learn_domains_t));
    memset(&none, 0, sizeof(learn_line_t));

    sites->sites = malloc((clusters->nlines + 1) * sizeof(uint32_t));
    domains.psl = psl_latest(NULL);

    ok = (sites->sites != NULL && domains.psl != NULL
          && learn_domains_grow(&domains));

    for (i = 0; ok && i < clusters->nlines; i++) {
        ok = learn_domains_find(&domains, one ? &none : &clusters->lines[i],
                                &sites->sites[i]);
    }

    ok = ok && learn_domains_join(&domains, clusters, sites->sites)
         && learn_domains_number(&domains, sites, clusters->nlines);

    for (d = 0; d < domains.ndomains; d++) {
        free(domains.domains[d].name);
    }

    free(domains.domains);
    free(domains.table);
    free(domains.bonds);

    if (domains.psl != NULL) {
        psl_free(domains.psl);
    }

    return ok;
}


void
learn_eval_sites_release(learn_eval_sites_t *sites)
{
    uint32_t  i;

    for (i = 0; sites->names != NULL && i < sites->nsites; i++) {
        free(sites->names[i]);
    }

    free(sites->names);
    free(sites->sites);
}


static int
learn_domains_find(learn_domains_t *domains, const learn_line_t *line,
    uint32_t *number)
{
    char          host[MIQPS_MAX_HOST + 1];
    const char   *name;
    miqps_str_t   text, canon;
    miqps_url_t   url;

    text.data = line->url;
    text.len = line->len;
    canon.len = 0;

    if (line->url != NULL && miqps_url_split(&url, &text) == MIQPS_OK
        && miqps_url_host(&url.host, (uint8_t *) host, &canon) != MIQPS_OK)
    {
        canon.len = 0;
    }

    host[canon.len] = '\0';

    if (domains->ndomains > 0 && strcmp(host, domains->host) == 0) {
        *number = domains->last;
        return 1;
    }

    name = (canon.len > 0 && !learn_domain_address(host))
           ? psl_registrable_domain(domains->psl, host) : NULL;

    if (!learn_domains_add(domains, (name != NULL) ? name : host, number)) {
        return 0;
    }

    memcpy(domains->host, host, canon.len + 1);
    domains->last = *number;

    return 1;
}


static int
learn_domain_address(const char *host)
{
    return host[0] == '[' || host[strspn(host, "0123456789.")] == '\0';
}


static int
learn_domains_add(learn_domains_t *domains, const char *name,
    uint32_t *number)
{
    size_t           len;
    uint32_t         i, n;
    learn_domain_t  *domain;

    len = strlen(name);
    i = (uint32_t) XXH3_64bits(name, len) & domains->mask;

    while ((n = domains->table[i]) != LEARN_NONE) {
        if (strcmp(domains->domains[n].name, name) == 0) {
            *number = n;
            return 1;
        }

        i = (i + 1) & domains->mask;
    }

    if (domains->ndomains == domains->max_domains) {
        return learn_domains_grow(domains)
               && learn_domains_add(domains, name, number);
    }

    n = domains->ndomains;
    domain = &domains->domains[n];
    memset(domain, 0, sizeof(learn_domain_t));

    domain->joined = n;
    domain->name = malloc(len + 1);

    if (domain->name == NULL) {
        return 0;
    }

    memcpy(domain->name, name, len + 1);

    domains->table[i] = n;
    domains->ndomains++;
    *number = n;

    return 1;
}


static int
learn_domains_grow(learn_domains_t *domains)
{
    uint32_t         i, n, max;
    learn_domain_t  *list;

    max = (domains->max_domains > 0) ? 2 * domains->max_domains : 64;
    list = realloc(domains->domains, max * sizeof(learn_domain_t));

    if (list == NULL) {
        return 0;
    }

    domains->domains = list;
    domains->max_domains = max;

    free(domains->table);

    domains->mask = 2 * max - 1;
    domains->table = malloc((domains->mask + (size_t) 1) * sizeof(uint32_t));

    if (domains->table == NULL) {
        return 0;
    }

    memset(domains->table, 0xff,
           (domains->mask + (size_t) 1) * sizeof(uint32_t));

    for (n = 0; n < domains->ndomains; n++) {
        i = (uint32_t) XXH3_64bits(list[n].name, strlen(list[n].name))
            & domains->mask;

        while (domains->table[i] != LEARN_NONE) {
            i = (i + 1) & domains->mask;
        }

        domains->table[i] = n;
    }

    return 1;
}


/* a cluster is noted for its first domain and for each other one it comes to */

static int
learn_domains_join(learn_domains_t *domains, const learn_clusters_t *clusters,
    const uint32_t *sites)
{
    int              ok;
    size_t           i;
    uint32_t         c, a, b, *first, *latest;
    learn_bond_t    *bond;

    first = malloc((clusters->nclusters + (size_t) 1) * sizeof(uint32_t));
    latest = malloc((clusters->nclusters + (size_t) 1) * sizeof(uint32_t));
    ok = (first != NULL && latest != NULL);

    if (ok) {
        memset(first, 0xff, clusters->nclusters * sizeof(uint32_t));
    }

    for (i = 0; ok && i < clusters->nlines; i++) {
        c = clusters->lines[i].cluster;

        if (first[c] == LEARN_NONE) {
            first[c] = sites[i];
            latest[c] = sites[i];
            domains->domains[sites[i]].clusters++;

        } else if (sites[i] != first[c] && sites[i] != latest[c]) {
            latest[c] = sites[i];
            domains->domains[sites[i]].clusters++;
            ok = learn_domains_bond(domains, first[c], sites[i]);
        }
    }

    for (i = 0; ok && i < domains->nbonds; i++) {
        bond = &domains->bonds[i];
        a = domains->domains[bond->one].clusters;
        b = domains->domains[bond->two].clusters;

        if (bond->clusters >= LEARN_DOMAIN_SHARE * ((a < b) ? a : b)) {
            a = learn_domains_root(domains, bond->one);
            b = learn_domains_root(domains, bond->two);
            domains->domains[(a < b) ? b : a].joined = (a < b) ? a : b;
        }
    }

    free(first);
    free(latest);

    return ok;
}


static int
learn_domains_bond(learn_domains_t *domains, uint32_t one, uint32_t two)
{
    size_t         i, more;
    learn_bond_t  *bonds;

    for (i = 0; i < domains->nbonds; i++) {
        if (domains->bonds[i].one == one && domains->bonds[i].two == two) {
            domains->bonds[i].clusters++;
            return 1;
        }
    }

    if (domains->nbonds == LEARN_MAX_BONDS) {
        return 1;
    }

    if (domains->nbonds == domains->max_bonds) {
        more = 2 * domains->max_bonds + 16;
        bonds = realloc(domains->bonds, more * sizeof(learn_bond_t));

        if (bonds == NULL) {
            return 0;
        }

        domains->bonds = bonds;
        domains->max_bonds = more;
    }

    domains->bonds[domains->nbonds].one = one;
    domains->bonds[domains->nbonds].two = two;
    domains->bonds[domains->nbonds++].clusters = 1;

    return 1;
}


static uint32_t
learn_domains_root(learn_domains_t *domains, uint32_t n)
{
    while (domains->domains[n].joined != n) {
        n = domains->domains[n].joined;
    }

    return n;
}


/* the name of a site is that of its first domain */

static int
learn_domains_number(learn_domains_t *domains, learn_eval_sites_t *sites,
    size_t nlines)
{
    size_t    i;
    uint32_t  d;

    sites->names = calloc(domains->ndomains + (size_t) 1, sizeof(char *));

    if (sites->names == NULL) {
        return 0;
    }

    for (d = 0; d < domains->ndomains; d++) {
        if (domains->domains[d].joined == d) {
            domains->domains[d].number = sites->nsites;
            sites->names[sites->nsites++] = domains->domains[d].name;
            domains->domains[d].name = NULL;
        }
    }

    for (i = 0; i < nlines; i++) {
        d = learn_domains_root(domains, sites->sites[i]);
        sites->sites[i] = domains->domains[d].number;
    }

    return 1;
}
