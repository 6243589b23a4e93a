
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <string.h>

#include "learn.h"
#include "miqps_core.h"


typedef struct {
    const char   *name;
    const char   *summary;
    int         (*run)(int argc, char **argv);
} learn_command_t;


static const learn_command_t  learn_commands[] = {
    { "normalize", "turns the many URLs of a page into one",
      learn_cmd_normalize },
    { "import", "makes a rules file of a ClearURLs or AdGuard list",
      learn_cmd_import },
    { "compile", "makes an image of map source",
      learn_cmd_compile },
    { "check", "tells whether an image is whole",
      learn_cmd_check },
    { "show", "prints an image as map source",
      learn_cmd_show },
    { "diff", "tells in what two images differ",
      learn_cmd_diff },
    { "ingest", "reads URLs that a site is asked for into a store",
      learn_cmd_ingest },
    { "corpus", "tells what a store has",
      learn_cmd_corpus },
    { "forget", "removes hosts from a store",
      learn_cmd_forget },
    { "learn", "finds out which parameters of a site matter",
      learn_cmd_learn },
    { "map", "prints what was learned as map source",
      learn_cmd_map },
    { "explain", "tells why a parameter is kept or not",
      learn_cmd_explain },
    { "publish", "makes what was learned the map that nginx serves",
      learn_cmd_publish },
    { "history", "lists the maps that were published",
      learn_cmd_history },
    { "rollback", "publishes a map from before",
      learn_cmd_rollback },
    { "cycle", "reads, learns what is due, and publishes",
      learn_cmd_cycle },
    { "rules", "learns rules from URLs that show the same pages",
      learn_cmd_rules },
    { "eval", "tells how right a normalization or a method is",
      learn_cmd_eval }
};

#define LEARN_NCOMMANDS  (sizeof(learn_commands) / sizeof(learn_commands[0]))


static const learn_command_t  *learn_find(const char *name);
static int  learn_help(const char *name);


int
main(int argc, char **argv)
{
    const learn_command_t  *command;

    if (argc < 2) {
        learn_complain("a command is missing; 'miqps help' lists them");
        return LEARN_EXIT_USAGE;
    }

    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        (void) printf("miqps %s\n", MIQPS_VERSION);
        return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
    }

    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0
        || strcmp(argv[1], "-h") == 0)
    {
        return learn_help((argc > 2) ? argv[2] : NULL);
    }

    command = learn_find(argv[1]);

    if (command == NULL) {
        return LEARN_EXIT_USAGE;
    }

    return command->run(argc - 1, argv + 1);
}


/* complains if there is no such command */

static const learn_command_t *
learn_find(const char *name)
{
    size_t  i;

    for (i = 0; i < LEARN_NCOMMANDS; i++) {
        if (strcmp(learn_commands[i].name, name) == 0) {
            return &learn_commands[i];
        }
    }

    learn_complain("there is no command '%s'; 'miqps help' lists them", name);

    return NULL;
}


static int
learn_help(const char *name)
{
    char                    help[] = "--help";
    char                   *argv[3];
    size_t                  i;
    const learn_command_t  *command;

    if (name != NULL) {
        command = learn_find(name);

        if (command == NULL) {
            return LEARN_EXIT_USAGE;
        }

        argv[0] = (char *) command->name;
        argv[1] = help;
        argv[2] = NULL;

        return command->run(2, argv);
    }

    (void) fputs("usage: miqps COMMAND [option...] [argument...]\n\n", stdout);

    for (i = 0; i < LEARN_NCOMMANDS; i++) {
        (void) printf("  %-10s  %s\n", learn_commands[i].name,
                      learn_commands[i].summary);
    }

    (void) fputs("\n"
                 "'miqps help COMMAND' tells more, and so does the manual, "
                 "miqps(1).\n", stdout);

    return learn_output_ok() ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}
