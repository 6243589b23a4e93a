
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>


/*
 * Load for maps that change:
 *
 *     zone_load SOCKET STOP keep|close|killed LEAST
 *
 * asks until the file STOP exists, LEAST times at least; prints a line then,
 * and a line of JSON in the end.  "keep" sends batches over a connection, and
 * goes on with another one after MANY requests, as nginx holds some bytes for
 * each until then; "close" opens one for each request; and "killed" is "keep"
 * for workers that may be killed.
 *
 * Answers are "PID GENERATION URI STRIPPED KEPT", as the body, or in a header
 * while the body is the URI that an upstream saw.  What they have to be is
 * known: one map, A, strips "b" and the other one, B, strips "a".  All answers
 * of a generation have to be of one map.
 */

#define BATCH        50
#define MANY         10000
#define TIMEOUT      60
#define SIZE         (256 * 1024)
#define GENERATIONS  1000000
#define COMPLAINTS   3
#define HOPELESS     1000

#define HOST  " HTTP/1.1\r\nHost: localhost\r\n"
#define ARGS  "?a=1&b=2&id=3"


typedef struct {
    const char  *data;
    size_t       len;
} text_t;


typedef struct {
    unsigned     status;
    text_t       told;
    text_t       body;
} answer_t;


static const char  *path;
static unsigned     killed;         /* workers may be */
static int          fd = -1;

static char         buf[SIZE];
static size_t       used, have;     /* bytes of it */

static size_t       asked, broken, wrong;
static char         first[COMPLAINTS][160];
static char         seen[GENERATIONS];


static void
complain(const char *what, const char *data, size_t len)
{
    size_t  i;
    char   *p;

    if (wrong < COMPLAINTS) {
        p = first[wrong];
        (void) snprintf(p, sizeof(first[0]), "%s: %.*s", what, (int) len,
                        data);

        /* as JSON wants it */

        for (i = 0; p[i] != '\0'; i++) {
            if (p[i] < ' ' || p[i] == '"' || p[i] == '\\') {
                p[i] = '.';
            }
        }
    }

    wrong++;
}


static int
open_connection(void)
{
    struct timeval      limit = { TIMEOUT, 0 };
    struct sockaddr_un  sun;

    memset(&sun, 0, sizeof(sun));
    sun.sun_family = AF_UNIX;
    (void) snprintf(sun.sun_path, sizeof(sun.sun_path), "%s", path);

    used = 0;
    have = 0;
    buf[0] = '\0';
    fd = socket(AF_UNIX, SOCK_STREAM, 0);

    if (fd == -1) {
        perror("zone_load: socket");
        exit(2);
    }

    return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)) == 0
           && connect(fd, (struct sockaddr *) &sun, sizeof(sun)) == 0;
}


static void
close_connection(void)
{
    (void) close(fd);
    fd = -1;
}


static int
send_all(const char *data, size_t len)
{
    ssize_t  n;

    while (len > 0) {
        n = send(fd, data, len, MSG_NOSIGNAL);

        if (n <= 0) {
            return 0;
        }

        data += n;
        len -= (size_t) n;
    }

    return 1;
}


/* more bytes after those that are there */

static int
receive(void)
{
    ssize_t  n;

    if (used > 0) {
        memmove(buf, buf + used, have - used);
        have -= used;
        used = 0;
    }

    if (have == SIZE - 1) {
        return 0;
    }

    n = recv(fd, buf + have, SIZE - 1 - have, 0);

    if (n <= 0) {
        return 0;
    }

    have += (size_t) n;
    buf[have] = '\0';

    return 1;
}


/* 1, 0 if it has not come as a whole, or -1 if it is none */

static int
parse(answer_t *answer, size_t *size)
{
    size_t       length, head;
    const char  *p, *end, *line, *next;

    p = buf + used;
    end = strstr(p, "\r\n\r\n");

    if (end == NULL) {
        return 0;
    }

    if (strncmp(p, "HTTP/1.1 ", 9) != 0) {
        return -1;
    }

    answer->status = (unsigned) strtoul(p + 9, NULL, 10);
    length = SIZE;
    answer->told.data = NULL;
    answer->told.len = 0;

    for (line = strstr(p, "\r\n") + 2; line < end + 2; line = next + 2) {
        next = strstr(line, "\r\n");

        if (strncasecmp(line, "Content-Length: ", 16) == 0) {
            length = strtoul(line + 16, NULL, 10);

        } else if (strncasecmp(line, "X-Told: ", 8) == 0) {
            answer->told.data = line + 8;
            answer->told.len = (size_t) (next - line) - 8;
        }
    }

    head = (size_t) (end - p) + 4;

    if (length >= SIZE - head) {
        return -1;
    }

    answer->body.data = p + head;
    answer->body.len = length;
    *size = head + length;

    return *size <= have - used;
}


/* the map that an answer is of, "A" or "B", or 0 */

static char
map_of(const text_t *told, const char **uri, size_t *len,
    size_t *generation)
{
    size_t       i;
    char         copy[256];
    const char  *rest;

    static const char *const  right[] = {
        "a=1&id=3 b a&id", "b=2&id=3 a b&id"
    };

    if (told->len >= sizeof(copy)) {
        return 0;
    }

    memcpy(copy, told->data, told->len);
    copy[told->len] = '\0';

    rest = strchr(copy, ' ');

    if (rest == NULL) {
        return 0;
    }

    *generation = strtoul(rest + 1, (char **) &rest, 10);

    if (*rest != ' ') {
        return 0;
    }

    *uri = told->data + (rest + 1 - copy);
    *len = strcspn(rest + 1, " ");

    if (strncmp(rest, " /p?", 4) == 0) {
        rest += 4;

    } else if (strncmp(rest, " /proxied?", 10) == 0) {
        rest += 10;

    } else {
        return 0;
    }

    for (i = 0; i < 2; i++) {
        if (strcmp(rest, right[i]) == 0) {
            return (char) ('A' + i);
        }
    }

    return 0;
}


static void
check(const answer_t *answer)
{
    char           map;
    size_t         len, generation;
    const char    *uri;
    const text_t  *told;

    asked++;

    /* the upstream is a worker, too */

    if (killed && answer->status == 502) {
        broken++;
        return;
    }

    told = (answer->told.data != NULL) ? &answer->told : &answer->body;
    map = map_of(told, &uri, &len, &generation);

    if (answer->status != 200 || map == 0 || generation == 0
        || generation >= GENERATIONS)
    {
        complain("not an answer", told->data, told->len);
        return;
    }

    if (told == &answer->told
        && (len != answer->body.len || memcmp(uri, answer->body.data, len)))
    {
        complain("the upstream saw another", told->data, told->len);
    }

    if (seen[generation] == 0) {
        seen[generation] = map;

    } else if (seen[generation] != map) {
        complain("of another map before", told->data, told->len);
    }
}


static int
exchange(const char *requests, size_t n)
{
    int       rc;
    size_t    size;
    answer_t  answer;

    if ((fd == -1 && !open_connection())
        || !send_all(requests, strlen(requests)))
    {
        return 0;
    }

    while (n > 0) {
        rc = parse(&answer, &size);

        if (rc < 0 || (rc == 0 && !receive())) {
            return 0;
        }

        if (rc > 0) {
            check(&answer);
            used += size;
            n--;
        }
    }

    return 1;
}


static void
ask(const char *requests, size_t n, unsigned closing)
{
    int  rc;

    rc = exchange(requests, n);

    if (closing || !rc || asked / MANY != (asked - n) / MANY) {
        close_connection();
    }

    if (rc) {
        return;
    }

    broken++;

    if (!killed) {
        complain("a connection broke", buf + used, have - used);
    }
}


static void
run(const char *stop, size_t least, unsigned closing)
{
    size_t       i, n;
    unsigned     enough;
    const char  *requests;

    static char        batch[BATCH * 128];
    static const char  two[] = "GET /p" ARGS HOST "\r\n"
                               "GET /proxied" ARGS HOST "\r\n";

    if (closing) {
        n = 1;
        requests = "GET /p" ARGS HOST "Connection: close\r\n\r\n";

    } else {
        n = BATCH;
        requests = batch;

        for (i = 0; i < n / 2; i++) {
            memcpy(batch + i * (sizeof(two) - 1), two, sizeof(two));
        }
    }

    for (enough = 0; !enough || access(stop, F_OK) != 0; /* void */) {

        ask(requests, n, closing);

        if (!enough && (asked >= least || wrong >= HOPELESS)) {
            (void) puts("enough");
            (void) fflush(stdout);
            enough = 1;
        }
    }
}


static void
report(void)
{
    size_t       i;
    const char  *comma;

    (void) printf("{\"asked\": %zu, \"broken\": %zu, \"wrong\": %zu, "
                  "\"first\": [", asked, broken, wrong);

    for (i = 0; i < wrong && i < COMPLAINTS; i++) {
        (void) printf("%s\"%s\"", (i > 0) ? ", " : "", first[i]);
    }

    (void) fputs("], \"seen\": {", stdout);
    comma = "";

    for (i = 0; i < GENERATIONS; i++) {
        if (seen[i] != 0) {
            (void) printf("%s\"%zu\": \"%c\"", comma, i, seen[i]);
            comma = ", ";
        }
    }

    (void) puts("}}");
}


int
main(int argc, char **argv)
{
    if (argc != 5) {
        (void) fputs("usage: zone_load SOCKET STOP keep|close|killed LEAST\n",
                     stderr);
        return 2;
    }

    path = argv[1];
    killed = (strcmp(argv[3], "killed") == 0);

    run(argv[2], strtoul(argv[4], NULL, 10), strcmp(argv[3], "close") == 0);
    report();

    return 0;
}
