
/*
 * Copyright (C) the ngx_miqps authors
 */


#ifndef _LEARN_WATCH_H_INCLUDED_
#define _LEARN_WATCH_H_INCLUDED_


#include "publish.h"
#include "worse.h"


/*
 * AFTER A MAP WAS PUBLISHED, it is looked for a while at what the hosts answer
 * of which it says something new, as miqps_status counts it:
 *
 *     maps that say the same of the host  | the new map, watched    |
 *     ------------------------------------+-------------------------+--> time
 *                                      status               status of
 *                                      of then            each second
 *        |--------- before ---------------|--------- after ---------|
 *
 * Maps may follow each other quickly: what a host answered before is what it
 * answered with all of them that have the same entry for it.
 *
 * A host that has become worse gets back what it had, in a map that is
 * published at once, and what it had in between is held: the same is not
 * published for it again.
 *
 * While it is looked, others may publish, or go back: then there is nothing to
 * watch any more.
 *
 * What is needed is in the store, so that a watch that was interrupted is gone
 * on with by the next command.
 */

typedef struct {
    learn_ask_t          ask;          /* of miqps_status; url NULL: none */
    unsigned             seconds;
    learn_worse_t        limits;
    learn_status_t       status;
    char                *text;         /* of the status, or NULL */
} learn_watch_t;


#define LEARN_WATCH_SECONDS  300


#define learn_watch_long                                                     \
    { "status",      required_argument,  NULL,  'U' },                       \
    { "watch",       required_argument,  NULL,  'V' },                       \
    { "worse",       required_argument,  NULL,  'X' },                       \
    { "slower",      required_argument,  NULL,  'Y' }

#define learn_watch_usage                                                    \
    "  --status URL       nginx's miqps_status, as --control: what hosts\n"  \
    "                     answer is looked at for a while, and who has\n"    \
    "                     become worse gets back the map from before\n"      \
    "  --watch N          for so many seconds; 300\n"                        \
    "  --worse N          percent of requests more that are errors or\n"     \
    "                     redirects; 5\n"                                    \
    "  --slower N         times that upstreams take as long; 3\n"


void learn_watch_init(learn_watch_t *watch, const char *command);
void learn_watch_release(learn_watch_t *watch);

/* as learn_publish_option() */

int learn_watch_option(learn_watch_t *watch, int c, const char *value);

/*
 * Before a map is published, whose image is "data": asks for the status, and
 * has it noted with the map.  LEARN_EXIT_OK, or LEARN_EXIT_FAILED after a
 * complaint.
 */
int learn_watch_prepare(learn_watch_t *watch, learn_publish_t *publish,
    const uint8_t *data);

/*
 * Watches what is published, if that is not over; also what somebody else has
 * published who was interrupted.
 *
 * LEARN_EXIT_OK       there was nothing to watch, or nothing became worse
 * LEARN_EXIT_REFUSED  something did, and is as it was before: complained
 * LEARN_EXIT_LOCKED   somebody else has published meanwhile: complained
 * LEARN_EXIT_FAILED   after a complaint
 */
int learn_watch(learn_watch_t *watch, learn_publish_t *publish);


#endif /* _LEARN_WATCH_H_INCLUDED_ */
