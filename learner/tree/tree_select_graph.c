
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree_select.h"


/* steps of the walk, and the change, as a share of all, that ends it */

#define LEARN_WALK_STEPS   10000
#define LEARN_WALK_STILL   1e-10

/* energies are compared as whole numbers of this share of all */

#define LEARN_WALK_UNIT    1e-7


typedef struct {
    uint32_t        from;          /* numbers of vertices */
    uint32_t        to;
    double          weight;
} learn_edge_t;


typedef struct {
    uint32_t        place;
    uint32_t        volume;
    uint32_t        rank;          /* by energy, the largest is 0 */
    uint64_t        energy;        /* in units */
    learn_arrow_t  *act;           /* that it keeps, or NULL */
    unsigned        reached:1;     /* leads to a destination within the limit */
} learn_vertex_t;


typedef struct {
    learn_arrow_t         *arrows;
    size_t                 n;
    const learn_cover_t   *cover;
    learn_vertex_t        *vertices;
    uint32_t               nvertices;
    uint32_t              *number;     /* of each place, its vertex */
    learn_edge_t          *edges;
    size_t                 nedges;
    size_t                 max_edges;
    double                *energy;
    double                *flow;
    learn_vertex_t       **order;      /* by rank */
} learn_walk_t;


static int  learn_walk_vertices(learn_walk_t *walk, uint32_t nplaces);
static void  learn_walk_vertex(learn_walk_t *walk, uint32_t place,
    uint32_t volume);
static int  learn_walk_edges(learn_walk_t *walk);
static int  learn_walk_edge(learn_walk_t *walk, uint32_t from, uint32_t to,
    double weight);
static int  learn_walk_has(const learn_walk_t *walk, uint32_t from,
    uint32_t to);
static size_t  learn_walk_find(const learn_walk_t *walk, uint32_t source,
    uint32_t target);
static void  learn_walk_run(learn_walk_t *walk);
static double  learn_walk_step(learn_walk_t *walk);
static void  learn_walk_rank(learn_walk_t *walk, double total);
static void  learn_walk_uphill(learn_walk_t *walk);
static int  learn_walk_redundant(const learn_walk_t *walk,
    const learn_arrow_t *arrow);
static void  learn_walk_limit(learn_walk_t *walk, size_t most);
static int  learn_vertex_by_place(const void *one, const void *two);
static int  learn_vertex_by_energy(const void *one, const void *two);


int
learn_select_graph(learn_arrow_t *arrows, size_t n,
    const learn_cover_t *cover, size_t most, uint32_t nplaces,
    learn_energy_t *energy)
{
    int           ok;
    uint32_t      i;
    learn_walk_t  walk;

    for (i = 0; i < nplaces; i++) {
        energy[i].energy = 0;
        energy[i].rank = UINT32_MAX;
    }

    if (n == 0) {
        return 1;
    }

    memset(&walk, 0, sizeof(learn_walk_t));

    walk.arrows = arrows;
    walk.n = n;
    walk.cover = cover;

    ok = learn_walk_vertices(&walk, nplaces) && learn_walk_edges(&walk);

    if (ok) {
        learn_walk_run(&walk);
        learn_walk_uphill(&walk);
        learn_walk_limit(&walk, most);

        for (i = 0; i < walk.nvertices; i++) {
            energy[walk.vertices[i].place].energy = walk.energy[i];
            energy[walk.vertices[i].place].rank = walk.vertices[i].rank;
        }
    }

    free(walk.vertices);
    free(walk.number);
    free(walk.edges);
    free(walk.energy);
    free(walk.flow);
    free(walk.order);

    return ok;
}


static int
learn_walk_vertices(learn_walk_t *walk, uint32_t nplaces)
{
    size_t    i;
    uint32_t  v;

    walk->vertices = calloc(2 * walk->n, sizeof(learn_vertex_t));
    walk->number = malloc((nplaces + (size_t) 1) * sizeof(uint32_t));
    walk->energy = malloc(2 * walk->n * sizeof(double));
    walk->flow = malloc(2 * walk->n * sizeof(double));
    walk->order = malloc(2 * walk->n * sizeof(learn_vertex_t *));

    if (walk->vertices == NULL || walk->number == NULL || walk->energy == NULL
        || walk->flow == NULL || walk->order == NULL)
    {
        return 0;
    }

    memset(walk->number, 0xff, (nplaces + (size_t) 1) * sizeof(uint32_t));

    for (i = 0; i < walk->n; i++) {
        walk->arrows[i].keep = 0;

        learn_walk_vertex(walk, walk->arrows[i].source,
                          walk->arrows[i].volume);
        learn_walk_vertex(walk, walk->arrows[i].target,
                          walk->arrows[i].target_volume);
    }

    qsort(walk->vertices, walk->nvertices, sizeof(learn_vertex_t),
          learn_vertex_by_place);

    for (v = 0; v < walk->nvertices; v++) {
        walk->number[walk->vertices[v].place] = v;
    }

    return 1;
}


static void
learn_walk_vertex(learn_walk_t *walk, uint32_t place, uint32_t volume)
{
    if (walk->number[place] == UINT32_MAX) {
        walk->vertices[walk->nvertices].place = place;
        walk->vertices[walk->nvertices].volume = volume;
        walk->number[place] = walk->nvertices++;
    }
}


static int
learn_walk_edges(learn_walk_t *walk)
{
    size_t                i;
    uint32_t              from, to;
    const learn_arrow_t  *arrow;

    for (i = 0; i < walk->n; i++) {
        arrow = &walk->arrows[i];

        if (!learn_walk_edge(walk, walk->number[arrow->source],
                             walk->number[arrow->target], 1 - arrow->fpr))
        {
            return 0;
        }
    }

    for (from = 0; from < walk->nvertices; from++) {
        for (to = 0; to < walk->nvertices; to++) {
            if (to == from
                || !walk->cover->covers(walk->cover->data,
                                        walk->vertices[to].place,
                                        walk->vertices[from].place)
                || learn_walk_has(walk, from, to))
            {
                continue;
            }

            if (!learn_walk_edge(walk, from, to, 1)) {
                return 0;
            }
        }
    }

    return 1;
}


static int
learn_walk_edge(learn_walk_t *walk, uint32_t from, uint32_t to, double weight)
{
    size_t         more;
    learn_edge_t  *edges;

    if (walk->nedges == walk->max_edges) {
        more = 2 * walk->max_edges + 64;
        edges = realloc(walk->edges, more * sizeof(learn_edge_t));

        if (edges == NULL) {
            return 0;
        }

        walk->edges = edges;
        walk->max_edges = more;
    }

    walk->edges[walk->nedges].from = from;
    walk->edges[walk->nedges].to = to;
    walk->edges[walk->nedges++].weight = weight;

    return 1;
}


static int
learn_walk_has(const learn_walk_t *walk, uint32_t from, uint32_t to)
{
    size_t    i;
    uint32_t  source, target;

    source = walk->vertices[from].place;
    target = walk->vertices[to].place;
    i = learn_walk_find(walk, source, target);

    return i < walk->n && walk->arrows[i].source == source
           && walk->arrows[i].target == target;
}


/* where arrows of this source begin that lead to the target or beyond */

static size_t
learn_walk_find(const learn_walk_t *walk, uint32_t source, uint32_t target)
{
    size_t                low, high, middle;
    const learn_arrow_t  *arrow;

    low = 0;
    high = walk->n;

    while (low < high) {
        middle = low + (high - low) / 2;
        arrow = &walk->arrows[middle];

        if (arrow->source < source
            || (arrow->source == source && arrow->target < target))
        {
            low = middle + 1;

        } else {
            high = middle;
        }
    }

    return low;
}


/*
 * Weights divided by the number of ways out, and rows that add up to one:
 * together, that is each weight divided by the sum of its row.
 */

static void
learn_walk_run(learn_walk_t *walk)
{
    size_t    i;
    double    total;
    uint32_t  v;

    total = 0;

    for (v = 0; v < walk->nvertices; v++) {
        walk->energy[v] = walk->vertices[v].volume;
        walk->flow[v] = 0;
        total += walk->energy[v];
    }

    for (i = 0; i < walk->nedges; i++) {
        walk->flow[walk->edges[i].from] += walk->edges[i].weight;
    }

    for (i = 0; i < walk->nedges; i++) {
        if (walk->flow[walk->edges[i].from] > 0) {
            walk->edges[i].weight /= walk->flow[walk->edges[i].from];
        }
    }

    for (i = 0; i < LEARN_WALK_STEPS; i++) {
        if (learn_walk_step(walk) <= LEARN_WALK_STILL * total) {
            break;
        }
    }

    learn_walk_rank(walk, total);
}


/* returns how much has moved */

static double
learn_walk_step(learn_walk_t *walk)
{
    size_t               i;
    double               part, moved;
    uint32_t             v;
    const learn_edge_t  *edge;

    moved = 0;

    for (v = 0; v < walk->nvertices; v++) {
        walk->flow[v] = 0;
    }

    for (i = 0; i < walk->nedges; i++) {
        edge = &walk->edges[i];
        part = walk->energy[edge->from] * edge->weight / 2;

        walk->flow[edge->from] -= part;
        walk->flow[edge->to] += part;
    }

    for (v = 0; v < walk->nvertices; v++) {
        walk->energy[v] += walk->flow[v];
        moved += fabs(walk->flow[v]);
    }

    return moved;
}


static void
learn_walk_rank(learn_walk_t *walk, double total)
{
    uint32_t  v;

    for (v = 0; v < walk->nvertices; v++) {
        walk->vertices[v].energy = (uint64_t) llround(walk->energy[v]
                                               / (total * LEARN_WALK_UNIT));
        walk->order[v] = &walk->vertices[v];
    }

    qsort(walk->order, walk->nvertices, sizeof(learn_vertex_t *),
          learn_vertex_by_energy);

    for (v = 0; v < walk->nvertices; v++) {
        walk->order[v]->rank = v;
    }
}


/* from the most energy down, since what covers a source decides first */

static void
learn_walk_uphill(learn_walk_t *walk)
{
    uint32_t         v, rank;
    learn_arrow_t   *arrow, *last, *best;
    learn_vertex_t  *vertex, *target;

    last = walk->arrows + walk->n;

    for (v = 0; v < walk->nvertices; v++) {
        vertex = walk->order[v];
        best = NULL;
        rank = vertex->rank + 1;

        for (arrow = walk->arrows + learn_walk_find(walk, vertex->place, 0);
             arrow < last && arrow->source == vertex->place; arrow++)
        {
            target = &walk->vertices[walk->number[arrow->target]];

            if (target->rank < rank && !learn_walk_redundant(walk, arrow)) {
                best = arrow;
                rank = target->rank;
            }
        }

        if (best != NULL) {
            best->keep = 1;
            vertex->act = best;
        }
    }
}


/*
 * True if a place that covers the source, and has more energy, keeps an arrow
 * that leads to what covers the target, or covers the target itself.
 */

static int
learn_walk_redundant(const learn_walk_t *walk, const learn_arrow_t *arrow)
{
    uint32_t               v;
    const learn_cover_t   *cover;
    const learn_vertex_t  *general;

    cover = walk->cover;

    for (v = 0; v < walk->vertices[walk->number[arrow->source]].rank; v++) {
        general = walk->order[v];

        if (general->act != NULL
            && cover->covers(cover->data, general->place, arrow->source)
            && (cover->covers(cover->data, general->place, arrow->target)
                || cover->covers(cover->data, general->act->target,
                                 arrow->target)))
        {
            return 1;
        }
    }

    return 0;
}


static void
learn_walk_limit(learn_walk_t *walk, size_t most)
{
    int       changed;
    size_t    i, n;
    uint32_t  v, source, target;

    if (most == 0) {
        return;
    }

    /* destinations beyond the limit lose what leads to them, and so on */

    for (v = 0, n = 0; v < walk->nvertices; v++) {
        walk->order[v]->reached = 0;

        for (i = 0; i < walk->n; i++) {
            if (walk->arrows[i].keep
                && walk->arrows[i].source == walk->order[v]->place
                && walk->arrows[i].target != walk->order[v]->place)
            {
                break;
            }
        }

        if (i == walk->n && n < most) {
            walk->order[v]->reached = 1;
            n++;
        }
    }

    do {
        changed = 0;

        for (i = 0; i < walk->n; i++) {
            source = walk->number[walk->arrows[i].source];
            target = walk->number[walk->arrows[i].target];

            if (walk->arrows[i].keep && walk->vertices[target].reached
                && !walk->vertices[source].reached)
            {
                walk->vertices[source].reached = 1;
                changed = 1;
            }
        }

    } while (changed);

    for (i = 0; i < walk->n; i++) {
        if (!walk->vertices[walk->number[walk->arrows[i].target]].reached) {
            walk->arrows[i].keep = 0;
        }
    }
}


static int
learn_vertex_by_place(const void *one, const void *two)
{
    const learn_vertex_t  *a, *b;

    a = one;
    b = two;

    return (a->place > b->place) - (a->place < b->place);
}


static int
learn_vertex_by_energy(const void *one, const void *two)
{
    const learn_vertex_t  *a, *b;

    a = *(learn_vertex_t *const *) one;
    b = *(learn_vertex_t *const *) two;

    if (a->energy != b->energy) {
        return (a->energy > b->energy) ? -1 : 1;
    }

    if (a->volume != b->volume) {
        return (a->volume > b->volume) ? -1 : 1;
    }

    return (a->place > b->place) - (a->place < b->place);
}
