
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_H_INCLUDED_
#define _LEARN_H_INCLUDED_


#include <stddef.h>
#include <stdint.h>
#include <stdio.h>


/* exit codes, the same for every command */

#define LEARN_EXIT_OK       0
#define LEARN_EXIT_FAILED   1
#define LEARN_EXIT_USAGE    2      /* also a rules file that cannot be read */
#define LEARN_EXIT_REFUSED  3      /* by the guard against regressions */
#define LEARN_EXIT_LOCKED   4


/*
 * The commands.  Each gets its own name as argv[0], answers --help itself,
 * and returns an exit code.
 */

int learn_cmd_normalize(int argc, char **argv);
int learn_cmd_import(int argc, char **argv);
int learn_cmd_compile(int argc, char **argv);
int learn_cmd_check(int argc, char **argv);
int learn_cmd_show(int argc, char **argv);
int learn_cmd_diff(int argc, char **argv);
int learn_cmd_ingest(int argc, char **argv);
int learn_cmd_corpus(int argc, char **argv);
int learn_cmd_forget(int argc, char **argv);
int learn_cmd_learn(int argc, char **argv);
int learn_cmd_map(int argc, char **argv);
int learn_cmd_explain(int argc, char **argv);
int learn_cmd_publish(int argc, char **argv);
int learn_cmd_history(int argc, char **argv);
int learn_cmd_rollback(int argc, char **argv);
int learn_cmd_cycle(int argc, char **argv);
int learn_cmd_rules(int argc, char **argv);
int learn_cmd_eval(int argc, char **argv);
int learn_cmd_eval_truth(int argc, char **argv);


/* "miqps: " and one line of text, control bytes escaped, to standard error */

void learn_complain(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* bytes for a terminal, which must not obey any of them */

void learn_put_safe(const uint8_t *data, size_t len, FILE *out);

/* complains of an option that getopt refused; returns LEARN_EXIT_USAGE */

int learn_usage_error(const char *command, const char *option);

/* true if all that went to standard output has arrived; complains if not */

int learn_output_ok(void);


#endif /* _LEARN_H_INCLUDED_ */
