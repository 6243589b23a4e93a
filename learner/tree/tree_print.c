
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdlib.h>

#include <cjson/cJSON.h>

#include "learn.h"
#include "tree_print.h"


typedef struct {
    const learn_rules_t   *rules;
    uint32_t               source;
    uint32_t               target;
    const learn_op_t      *ops;
    const learn_rule_t    *rule;        /* the first one; NULL for URLs that
                                           are where rules end */
    uint32_t               nrules;
    const char            *state;
} learn_print_t;


static int  learn_print_rule(const learn_print_t *print, int json, FILE *out);
static void  learn_print_text(const learn_print_t *print, FILE *out);
static void  learn_print_target(const learn_print_t *print, FILE *out);
static int  learn_print_json(const learn_print_t *print, FILE *out);
static cJSON  *learn_print_ops(const learn_print_t *print);
static cJSON  *learn_print_op(const learn_set_t *set, const learn_op_t *op);
static char  *learn_print_string(const learn_print_t *print, int target);
static int  learn_print_node(const learn_tree_t *tree, uint32_t n, int json,
    FILE *out);
static int  learn_print_line(cJSON *object, FILE *out);
static const char  *learn_print_key(const learn_set_t *set, uint32_t key,
    char *buf, size_t size);


/* names of keys in messages are cut off here */

#define LEARN_PRINT_NAME  256


int
learn_print_plan(const learn_plan_t *plan, int json, FILE *out)
{
    uint32_t               i;
    learn_print_t          print;
    const learn_action_t  *action;

    memset(&print, 0, sizeof(learn_print_t));

    print.rules = plan->rules;
    print.state = "deployed";

    for (i = 0; i < plan->qualified; i++) {
        if (!plan->arrows[i].keep) {
            continue;
        }

        action = plan->actions[plan->arrows[i].source];

        print.source = action->node;
        print.target = action->target;
        print.ops = action->ops;
        print.rule = &plan->rules->rules[plan->numbers[i]];
        print.nrules = action->nrules;

        if (!learn_print_rule(&print, json, out)) {
            return 0;
        }
    }

    return 1;
}


int
learn_print_candidates(const learn_plan_t *plan, int json, FILE *out)
{
    size_t               i, q;
    learn_print_t        print;
    const learn_rule_t  *rule;

    q = 0;
    memset(&print, 0, sizeof(learn_print_t));

    print.rules = plan->rules;
    print.nrules = 1;

    for (i = 0; i < plan->rules->nrules; i++) {
        rule = &plan->rules->rules[i];

        print.source = rule->source;
        print.target = rule->target;
        print.ops = rule->ops;
        print.rule = rule;

        if (q < plan->qualified && plan->numbers[q] == i) {
            print.state = plan->arrows[q].keep ? "deployed" : "qualified";
            q++;

        } else {
            print.state = "unqualified";
        }

        if (!learn_print_rule(&print, json, out)) {
            return 0;
        }
    }

    return 1;
}


static int
learn_print_rule(const learn_print_t *print, int json, FILE *out)
{
    if (json) {
        return learn_print_json(print, out);
    }

    learn_print_text(print, out);

    return 1;
}


static void
learn_print_text(const learn_print_t *print, FILE *out)
{
    const learn_set_t   *set;
    const learn_node_t  *node;

    set = print->rules->tree->set;
    node = &print->rules->tree->nodes[print->source];

    (void) fprintf(out, "%s: %u URLs, fpr %.4f, overlap %.2f", print->state,
                   learn_node_volume(node), print->rule->fpr,
                   print->rule->overlap);

    if (print->nrules > 1) {
        (void) fprintf(out, ", %u rules in one", print->nrules);
    }

    (void) fputs("\n    ", out);
    learn_pattern_print(set, &print->rules->tree->patterns[print->source], out);
    (void) fputs("\n -> ", out);
    learn_print_target(print, out);
    (void) fputc('\n', out);
}


/* a URL: what is copied as the name of the source's key, in braces */

static void
learn_print_target(const learn_print_t *print, FILE *out)
{
    int                    last;
    char                   name[LEARN_PRINT_NAME];
    uint32_t               i;
    const learn_op_t      *op;
    const learn_set_t     *set;
    const learn_key_t     *key;
    const learn_value_t   *value;

    last = -1;
    set = print->rules->tree->set;

    for (i = 0; i < print->rules->tree->patterns[print->target].n; i++) {
        op = &print->ops[i];
        key = &set->keys[op->key].key;

        if (op->kind == LEARN_OP_DROP) {
            continue;
        }

        (void) fputs(learn_key_lead(key->kind, last), out);
        learn_put_safe(key->name.data, key->name.len, out);

        if (key->kind == LEARN_KEY_PARAM) {
            (void) fputc('=', out);
        }

        last = (int) key->kind;

        if (op->kind == LEARN_OP_REPLACE) {
            (void) fputc('{', out);
            (void) learn_print_key(set, op->from, name, sizeof(name));
            learn_put_safe((const uint8_t *) name, strlen(name), out);
            (void) fputc('}', out);

        } else if (op->kind == LEARN_OP_IGNORE) {
            (void) fputc('*', out);

        } else if (key->kind != LEARN_KEY_SLASH
                   && key->kind != LEARN_KEY_WORD)
        {
            value = &set->values[op->from];
            learn_put_safe(value->text, value->len, out);
        }

        if (key->kind == LEARN_KEY_SCHEME) {
            (void) fputc(':', out);
        }
    }
}


static int
learn_print_json(const learn_print_t *print, FILE *out)
{
    char                *from, *to;
    cJSON               *object;
    const learn_rule_t  *rule;

    rule = print->rule;
    object = cJSON_CreateObject();
    from = learn_print_string(print, 0);
    to = learn_print_string(print, 1);

    if (object == NULL || from == NULL || to == NULL
        || cJSON_AddStringToObject(object, "from", from) == NULL
        || cJSON_AddStringToObject(object, "to", to) == NULL
        || cJSON_AddStringToObject(object, "state", print->state) == NULL
        || cJSON_AddNumberToObject(object, "urls",
               learn_node_volume(&print->rules->tree->nodes[print->source]))
           == NULL
        || cJSON_AddNumberToObject(object, "fpr", rule->fpr) == NULL
        || cJSON_AddNumberToObject(object, "supports",
                                   (double) rule->supports) == NULL
        || cJSON_AddNumberToObject(object, "wrong",
                                   (double) rule->wrong) == NULL
        || cJSON_AddNumberToObject(object, "overlap", rule->overlap) == NULL
        || cJSON_AddNumberToObject(object, "rules", print->nrules) == NULL
        || !cJSON_AddItemToObject(object, "operations",
                                  learn_print_ops(print)))
    {
        cJSON_Delete(object);
        object = NULL;
    }

    free(from);
    free(to);

    return learn_print_line(object, out);
}


static cJSON *
learn_print_ops(const learn_print_t *print)
{
    cJSON     *list, *op;
    uint32_t   i;

    list = cJSON_CreateArray();

    for (i = 0; i < print->rules->tree->patterns[print->target].n; i++) {
        if (print->ops[i].kind == LEARN_OP_DROP) {
            continue;
        }

        op = learn_print_op(print->rules->tree->set, &print->ops[i]);

        if (list == NULL || op == NULL || !cJSON_AddItemToArray(list, op)) {
            cJSON_Delete(op);
            cJSON_Delete(list);
            return NULL;
        }
    }

    return list;
}


static cJSON *
learn_print_op(const learn_set_t *set, const learn_op_t *op)
{
    int      ok;
    char     name[LEARN_PRINT_NAME];
    cJSON   *object;

    static const char  *kinds[] = { "keep", "replace", "ignore" };

    object = cJSON_CreateObject();

    ok = (object != NULL
          && cJSON_AddStringToObject(object, "key",
                 learn_print_key(set, op->key, name, sizeof(name))) != NULL
          && cJSON_AddStringToObject(object, "operation", kinds[op->kind])
             != NULL);

    if (ok && op->kind == LEARN_OP_REPLACE) {
        ok = (cJSON_AddStringToObject(object, "from",
                  learn_print_key(set, op->from, name, sizeof(name)))
              != NULL);
    }

    if (!ok) {
        cJSON_Delete(object);
        return NULL;
    }

    return object;
}


/* what is printed as text, in memory to be freed; NULL without it */

static char *
learn_print_string(const learn_print_t *print, int target)
{
    int      ok;
    char    *text;
    size_t   size;
    FILE    *out;

    text = NULL;
    out = open_memstream(&text, &size);

    if (out == NULL) {
        return NULL;
    }

    if (target) {
        learn_print_target(print, out);

    } else {
        learn_pattern_print(print->rules->tree->set,
                            &print->rules->tree->patterns[print->source], out);
    }

    ok = !ferror(out);

    if (fclose(out) != 0 || !ok) {
        free(text);
        return NULL;
    }

    return text;
}


int
learn_print_tree(const learn_tree_t *tree, int json, FILE *out)
{
    uint32_t  n, next;

    n = 0;

    /* down to the first child, else on to the next of the same parent */

    while (n != LEARN_NONE) {
        if (!learn_print_node(tree, n, json, out)) {
            return 0;
        }

        if (tree->nodes[n].nchildren > 0) {
            n = tree->nodes[n].children;
            continue;
        }

        next = LEARN_NONE;

        while (next == LEARN_NONE && tree->nodes[n].parent != LEARN_NONE) {
            next = n + 1;
            n = tree->nodes[n].parent;

            if (next == tree->nodes[n].children + tree->nodes[n].nchildren) {
                next = LEARN_NONE;
            }
        }

        n = next;
    }

    return 1;
}


static int
learn_print_node(const learn_tree_t *tree, uint32_t n, int json, FILE *out)
{
    char                *text;
    cJSON               *object;
    size_t               size;
    FILE                *memory;
    const learn_node_t  *node;

    node = &tree->nodes[n];

    if (!json) {
        (void) fprintf(out, "%*s%u  ", (int) (2 * node->depth), "",
                       learn_node_volume(node));
        learn_pattern_print(tree->set, &tree->patterns[n], out);
        (void) fputc('\n', out);
        return 1;
    }

    text = NULL;
    memory = open_memstream(&text, &size);

    if (memory == NULL) {
        return 0;
    }

    learn_pattern_print(tree->set, &tree->patterns[n], memory);
    (void) fclose(memory);

    object = cJSON_CreateObject();

    if (object == NULL || text == NULL
        || cJSON_AddNumberToObject(object, "node", n) == NULL
        || (node->parent != LEARN_NONE
            && cJSON_AddNumberToObject(object, "parent", node->parent) == NULL)
        || cJSON_AddNumberToObject(object, "urls", learn_node_volume(node))
           == NULL
        || cJSON_AddStringToObject(object, "pattern", text) == NULL)
    {
        cJSON_Delete(object);
        object = NULL;
    }

    free(text);

    return learn_print_line(object, out);
}


static int
learn_print_line(cJSON *object, FILE *out)
{
    char  *text;

    if (object == NULL) {
        return 0;
    }

    text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);

    if (text == NULL) {
        return 0;
    }

    (void) fprintf(out, "%s\n", text);
    cJSON_free(text);

    return 1;
}


static const char *
learn_print_key(const learn_set_t *set, uint32_t key, char *buf, size_t size)
{
    size_t  n;

    n = learn_key_name(&set->keys[key].key, buf, size - 1);
    buf[n] = '\0';

    return buf;
}
