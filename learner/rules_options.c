
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "learn.h"
#include "rules_file.h"
#include "rules_options.h"


static int  learn_rules_options_apply(miqps_rules_t *book,
    const learn_rules_option_t *option);
static int  learn_rules_options_list(miqps_rules_t *book,
    const learn_rules_option_t *option);
static int  learn_rules_options_item(miqps_rules_t *book, char kind,
    const miqps_str_t *item);
static int  learn_rules_options_no_memory(void);


void
learn_rules_options_init(learn_rules_options_t *options)
{
    memset(options, 0, sizeof(learn_rules_options_t));

    learn_arena_init(&options->arena);
}


int
learn_rules_options_add(learn_rules_options_t *options, char kind,
    const char *value)
{
    size_t                 max;
    learn_rules_option_t  *list;

    if (options->noptions == options->max_options) {
        max = 2 * options->max_options + 8;

        list = learn_arena_alloc(&options->arena,
                                 max * sizeof(learn_rules_option_t));

        if (list == NULL) {
            return learn_rules_options_no_memory();
        }

        if (options->noptions > 0) {
            memcpy(list, options->options,
                   options->noptions * sizeof(learn_rules_option_t));
        }

        options->options = list;
        options->max_options = max;
    }

    options->options[options->noptions].kind = kind;
    options->options[options->noptions].value = value;
    options->noptions++;

    return LEARN_EXIT_OK;
}


int
learn_rules_options_compile(learn_rules_options_t *options)
{
    int                          rc;
    size_t                       i;
    miqps_fault_t                fault;
    miqps_rules_t               *book;
    miqps_rules_error_t          error;
    const learn_rules_option_t  *option;

    book = learn_arena_alloc(&options->arena, sizeof(miqps_rules_t));

    if (book == NULL) {
        return learn_rules_options_no_memory();
    }

    switch (miqps_rules_init(book, &options->arena.mem, options->tracking,
                             &error))
    {

    case MIQPS_OK:
        break;

    case MIQPS_NO_MEMORY:
        return learn_rules_options_no_memory();

    default:
        learn_complain("the built-in rules are broken: line %zu: %s",
                       error.line, error.text);
        return LEARN_EXIT_FAILED;
    }

    /* files first: they may define the platforms that options name */

    for (i = 0; i < 2 * options->noptions; i++) {
        option = &options->options[i % options->noptions];

        if ((option->kind == 'r') != (i < options->noptions)) {
            continue;
        }

        rc = learn_rules_options_apply(book, option);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (book->scopes[MIQPS_SCOPE_ANY].strict
        && book->scopes[MIQPS_SCOPE_ANY].nplatforms == 0)
    {
        learn_complain("--platform: \"strict\" needs a platform beside it, "
                       "or nothing would be left");
        return LEARN_EXIT_USAGE;
    }

    switch (miqps_policy_init(&options->policy, book->rules, book->nrules,
                              book->scopes, book->nscopes,
                              &options->arena.mem, &fault))
    {

    case MIQPS_OK:
        return LEARN_EXIT_OK;

    case MIQPS_NO_MEMORY:
        return learn_rules_options_no_memory();

    default:
        learn_complain("\"%.*s\" %s", (int) fault.text.len,
                       (const char *) fault.text.data, fault.message);
        return LEARN_EXIT_USAGE;
    }
}


void
learn_rules_options_release(learn_rules_options_t *options)
{
    if (options->policy != NULL) {
        miqps_policy_release(options->policy);
    }

    learn_arena_release(&options->arena);
}


static int
learn_rules_options_apply(miqps_rules_t *book,
    const learn_rules_option_t *option)
{
    if (option->kind == 'r') {
        return learn_rules_file_read(book, option->value);
    }

    return learn_rules_options_list(book, option);
}


/*
 * A list of names, separated by commas; an item that begins with "~" is a
 * regular expression and goes on to the end.
 */

static int
learn_rules_options_list(miqps_rules_t *book,
    const learn_rules_option_t *option)
{
    int          rc;
    const char  *p, *comma;
    miqps_str_t  item;

    p = option->value;

    for ( ;; ) {
        comma = (*p == '~') ? NULL : strchr(p, ',');

        item.data = (const uint8_t *) p;
        item.len = (comma != NULL) ? (size_t) (comma - p) : strlen(p);

        rc = learn_rules_options_item(book, option->kind, &item);

        if (rc != LEARN_EXIT_OK || comma == NULL) {
            return rc;
        }

        p = comma + 1;
    }
}


static int
learn_rules_options_item(miqps_rules_t *book, char kind,
    const miqps_str_t *item)
{
    miqps_rc_e                rc;
    miqps_rules_error_t       error;
    static const miqps_str_t  strict = miqps_string("strict");

    if (kind == 'p' && miqps_str_eq(item, &strict)) {
        miqps_rules_strict(book);
        return LEARN_EXIT_OK;
    }

    if (kind == 'p') {
        rc = miqps_rules_platform(book, item, &error);

    } else {
        rc = miqps_rules_operator(book,
                                  (kind == 'k') ? MIQPS_KEEP : MIQPS_STRIP,
                                  item, &error);
    }

    switch (rc) {

    case MIQPS_OK:
        return LEARN_EXIT_OK;

    case MIQPS_NO_MEMORY:
        return learn_rules_options_no_memory();

    default:
        learn_complain("--%s: %s",
                       (kind == 'p') ? "platform"
                       : (kind == 'k') ? "keep" : "strip", error.text);
        return LEARN_EXIT_USAGE;
    }
}


static int
learn_rules_options_no_memory(void)
{
    learn_complain("out of memory");

    return LEARN_EXIT_FAILED;
}
