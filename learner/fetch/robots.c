
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>
#include <strings.h>

#include "robots.h"


/* whom the group that is being read is for */

#define LEARN_ROBOTS_OTHERS  0
#define LEARN_ROBOTS_ALL     1
#define LEARN_ROBOTS_US      2


typedef struct {
    learn_robots_rule_t  *rules[3];      /* by whom they are for */
    uint64_t              delay[3];
    unsigned              seen[3];
    unsigned              whom;
    unsigned              head:1;        /* names of agents are being read */
} learn_robots_groups_t;


static int  learn_robots_line(learn_robots_groups_t *groups,
    const miqps_str_t *line, const char *agent, learn_arena_t *arena);
static void  learn_robots_agent(learn_robots_groups_t *groups,
    const miqps_str_t *value, const char *agent);
static int  learn_robots_rule(learn_robots_groups_t *groups,
    const miqps_str_t *value, unsigned allow, learn_arena_t *arena);
static int  learn_robots_match(const miqps_str_t *path,
    const miqps_str_t *target);
static void  learn_robots_trim(miqps_str_t *text);
static int  learn_robots_is(const miqps_str_t *text, const char *word);


int
learn_robots_read(learn_robots_t *robots, const uint8_t *data, size_t len,
    const char *agent, learn_arena_t *arena)
{
    miqps_str_t             line;
    const uint8_t          *p, *last, *end;
    learn_robots_groups_t   groups;

    memset(robots, 0, sizeof(learn_robots_t));
    memset(&groups, 0, sizeof(learn_robots_groups_t));

    p = data;
    last = p + ((len < LEARN_ROBOTS_MAX) ? len : LEARN_ROBOTS_MAX);

    if (last - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        p += 3;
    }

    for (/* void */ ; p < last; p = end + 1) {

        for (end = p; end < last && *end != '\n' && *end != '\r'; end++) {
            /* void */
        }

        line.data = p;
        line.len = (size_t) (end - p);

        if (!learn_robots_line(&groups, &line, agent, arena)) {
            return 0;
        }
    }

    groups.whom = groups.seen[LEARN_ROBOTS_US] ? LEARN_ROBOTS_US
                                               : LEARN_ROBOTS_ALL;

    robots->rules = groups.rules[groups.whom];
    robots->delay = groups.delay[groups.whom];

    return 1;
}


static int
learn_robots_line(learn_robots_groups_t *groups, const miqps_str_t *line,
    const char *agent, learn_arena_t *arena)
{
    char            number[16];
    miqps_str_t     name, value;
    const uint8_t  *colon, *hash;

    value = *line;
    hash = (value.len > 0) ? memchr(value.data, '#', value.len) : NULL;

    if (hash != NULL) {
        value.len = (size_t) (hash - value.data);
    }

    colon = (value.len > 0) ? memchr(value.data, ':', value.len) : NULL;

    if (colon == NULL) {
        return 1;
    }

    name.data = value.data;
    name.len = (size_t) (colon - name.data);
    value.len -= name.len + 1;
    value.data = colon + 1;

    learn_robots_trim(&name);
    learn_robots_trim(&value);

    if (learn_robots_is(&name, "user-agent")) {
        learn_robots_agent(groups, &value, agent);
        return 1;
    }

    groups->head = 0;

    if (learn_robots_is(&name, "allow")) {
        return learn_robots_rule(groups, &value, 1, arena);
    }

    if (learn_robots_is(&name, "disallow")) {
        return learn_robots_rule(groups, &value, 0, arena);
    }

    if (learn_robots_is(&name, "crawl-delay") && value.len < sizeof(number)) {
        memcpy(number, value.data, value.len);
        number[value.len] = '\0';
        groups->delay[groups->whom] = strtoul(number, NULL, 10);
    }

    return 1;
}


/* several lines in a row are for one group */

static void
learn_robots_agent(learn_robots_groups_t *groups, const miqps_str_t *value,
    const char *agent)
{
    unsigned  whom;

    whom = learn_robots_is(value, "*") ? LEARN_ROBOTS_ALL
           : learn_robots_is(value, agent) ? LEARN_ROBOTS_US
           : LEARN_ROBOTS_OTHERS;

    if (!groups->head || whom > groups->whom) {
        groups->whom = whom;
    }

    groups->head = 1;
    groups->seen[whom] = 1;
}


/* an empty one says nothing */

static int
learn_robots_rule(learn_robots_groups_t *groups, const miqps_str_t *value,
    unsigned allow, learn_arena_t *arena)
{
    uint8_t              *copy;
    learn_robots_rule_t  *rule;

    if (value->len == 0 || groups->whom == LEARN_ROBOTS_OTHERS) {
        return 1;
    }

    rule = learn_arena_alloc(arena, sizeof(learn_robots_rule_t));
    copy = learn_arena_alloc(arena, value->len);

    if (rule == NULL || copy == NULL) {
        return 0;
    }

    memcpy(copy, value->data, value->len);

    rule->path.data = copy;
    rule->path.len = value->len;
    rule->allow = allow;
    rule->next = groups->rules[groups->whom];

    groups->rules[groups->whom] = rule;

    return 1;
}


void
learn_robots_state(learn_robots_t *robots, unsigned status)
{
    memset(robots, 0, sizeof(learn_robots_t));

    /* 2.3.1.3 and 2.3.1.4: what is not there forbids nothing */

    robots->none = !(status >= 400 && status < 500 && status != 429);
}


int
learn_robots_allow(const learn_robots_t *robots, const miqps_str_t *target)
{
    int                         allow;
    size_t                      longest;
    const learn_robots_rule_t  *rule;

    if (robots->none) {
        return 0;
    }

    allow = 1;
    longest = 0;

    for (rule = robots->rules; rule != NULL; rule = rule->next) {

        if (rule->path.len < longest
            || (rule->path.len == longest && !rule->allow && longest > 0)
            || !learn_robots_match(&rule->path, target))
        {
            continue;
        }

        longest = rule->path.len;
        allow = rule->allow;
    }

    return allow;
}


/* from the left, each "*" as short as it can be; linear but for "*" */

static int
learn_robots_match(const miqps_str_t *path, const miqps_str_t *target)
{
    size_t  i, k, star, mark;

    star = SIZE_MAX;
    mark = 0;

    for (i = 0, k = 0; /* void */ ; /* void */) {

        if (i == path->len) {
            return 1;
        }

        if (path->data[i] == '$' && i == path->len - 1 && k == target->len) {
            return 1;
        }

        if (path->data[i] == '*') {
            star = i++;
            mark = k;
            continue;
        }

        if (k < target->len && path->data[i] == target->data[k]) {
            i++;
            k++;
            continue;
        }

        if (star == SIZE_MAX || mark == target->len) {
            return 0;
        }

        i = star + 1;
        k = ++mark;
    }
}


static void
learn_robots_trim(miqps_str_t *text)
{
    while (text->len > 0 && text->data[0] <= ' ') {
        text->data++;
        text->len--;
    }

    while (text->len > 0 && text->data[text->len - 1] <= ' ') {
        text->len--;
    }
}


static int
learn_robots_is(const miqps_str_t *text, const char *word)
{
    return text->len == strlen(word)
           && strncasecmp((const char *) text->data, word, text->len) == 0;
}
