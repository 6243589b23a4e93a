
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _GNU_SOURCE

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "learn.h"
#include "learn/mapping.h"
#include "map/map_make.h"
#include "publish/guard.h"
#include "publish/watch.h"


typedef struct {
    learn_publish_t    publish;
    learn_guard_t      guard;
    learn_watch_t      watch;
    const char        *source;       /* a file, or NULL: what was learned */
    char              *text;         /* map source */
    size_t             len;
    uint8_t           *data;         /* the image of it */
    size_t             size;
    const char        *reason;       /* for passing the guard */
    unsigned           dry:1;
    unsigned           resume:1;     /* nothing new */
} learn_cmd_publish_t;


static int  learn_cmd_publish_options(learn_cmd_publish_t *ctx, int argc,
    char **argv);
static int  learn_cmd_publish_option(learn_cmd_publish_t *ctx, int c);
static int  learn_cmd_publish_number(const char *option, double most,
    double *value);
static int  learn_cmd_publish_run(learn_cmd_publish_t *ctx);
static int  learn_cmd_publish_left(const learn_cmd_publish_t *ctx);
static int  learn_cmd_publish_resume(learn_cmd_publish_t *ctx);
static int  learn_cmd_publish_free(learn_store_t *store);
static int  learn_cmd_publish_text(learn_cmd_publish_t *ctx);
static int  learn_cmd_publish_learned(learn_cmd_publish_t *ctx, FILE *out);
static int  learn_cmd_publish_file(learn_cmd_publish_t *ctx, FILE *out);
static int  learn_cmd_publish_guard(learn_cmd_publish_t *ctx);
static int  learn_cmd_publish_stop(learn_cmd_publish_t *ctx,
    const char *why);
static int  learn_cmd_publish_same(const learn_cmd_publish_t *ctx);
static void  learn_cmd_publish_note(const learn_cmd_publish_t *ctx, char *note,
    size_t size);


static const char  learn_cmd_publish_usage[] =
    "usage: miqps publish --store sqlite:PATH --map IMAGE [option...]\n"
    "\n"
    "Compares what was learned with the map that is published, host by host,\n"
    "and makes it the map that nginx serves, unless it would strip what\n"
    "mattered.\n"
    "\n"
    learn_publish_usage
    learn_watch_usage
    "  --source FILE      map source, instead of what was learned\n"
    "  --anomalies N      percent of a host's patterns that may be in doubt;\n"
    "                     10\n"
    "  --vanish N         percent of a host's patterns that may be gone; 60\n"
    "  --max-change N     percent of the store's URLs that may become others;\n"
    "                     hosts beyond that wait for the next time; 25\n"
    "  --shrink N         percent of hosts or patterns that may be gone; 40\n"
    "  --grow N           percent of them that may be new; 80\n"
    "  --max-size N       megabytes of an image, at most; 1024\n"
    "  --force REASON     publishes it whatever it would strip; the reason is\n"
    "                     archived\n"
    "  --resume           only goes on with what was interrupted\n"
    "  --dry-run          tells what would be done\n"
    "  --help             this text\n"
    "\n"
    "Exit codes: 0 published, or there is nothing new, 1 failed, 2 wrong\n"
    "usage, 3 refused or rolled back, be it some hosts only, 4 somebody else\n"
    "publishes.\n";


static const struct option  learn_cmd_publish_long[] = {
    learn_publish_long,
    learn_watch_long,
    { "source",      required_argument,  NULL,  's' },
    { "anomalies",   required_argument,  NULL,  'a' },
    { "vanish",      required_argument,  NULL,  'v' },
    { "max-change",  required_argument,  NULL,  'c' },
    { "shrink",      required_argument,  NULL,  'd' },
    { "grow",        required_argument,  NULL,  'g' },
    { "max-size",    required_argument,  NULL,  'm' },
    { "force",       required_argument,  NULL,  'f' },
    { "resume",      no_argument,        NULL,  'r' },
    { "dry-run",     no_argument,        NULL,  'n' },
    { "help",        no_argument,        NULL,  'h' },
    { NULL,          0,                  NULL,  0 }
};


int
learn_cmd_publish(int argc, char **argv)
{
    int                   rc;
    learn_cmd_publish_t  *ctx;

    ctx = calloc(1, sizeof(learn_cmd_publish_t));

    if (ctx == NULL) {
        learn_complain("publish: out of memory");
        return LEARN_EXIT_FAILED;
    }

    ctx->publish.command = "publish";
    ctx->publish.notify.wait = LEARN_PUBLISH_WAIT;
    learn_guard_init(&ctx->guard, "publish");
    learn_watch_init(&ctx->watch, "publish");

    rc = learn_cmd_publish_options(ctx, argc, argv);

    if (rc < 0) {
        rc = learn_publish_open(&ctx->publish);

        if (rc == LEARN_EXIT_OK) {
            rc = learn_cmd_publish_run(ctx);
        }

        learn_publish_close(&ctx->publish);
    }

    learn_guard_release(&ctx->guard);
    learn_watch_release(&ctx->watch);
    free(ctx->text);
    free(ctx->data);
    free(ctx);

    return learn_output_ok() ? rc : LEARN_EXIT_FAILED;
}


/* an exit status, or -1 to go on */

static int
learn_cmd_publish_options(learn_cmd_publish_t *ctx, int argc, char **argv)
{
    int  c, rc;

    opterr = 0;
    optind = 0;

    while ((c = getopt_long(argc, argv, ":", learn_cmd_publish_long, NULL))
           != -1)
    {
        if (c == 'h') {
            (void) fputs(learn_cmd_publish_usage, stdout);
            return LEARN_EXIT_OK;
        }

        rc = learn_cmd_publish_option(ctx, c);

        if (rc < 0) {
            return learn_usage_error("publish", argv[optind - 1]);
        }

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }
    }

    if (optind < argc) {
        learn_complain("publish: '%s' is no option; all hosts are published",
                       argv[optind]);
        return LEARN_EXIT_USAGE;
    }

    return -1;
}


static int
learn_cmd_publish_option(learn_cmd_publish_t *ctx, int c)
{
    int     rc;
    double  size;

    switch (c) {

    case 's':
        ctx->source = optarg;
        return LEARN_EXIT_OK;

    case 'a':
        return learn_cmd_publish_number("anomalies", 100.0,
                                        &ctx->guard.limits.anomalies);

    case 'v':
        return learn_cmd_publish_number("vanish", 100.0,
                                        &ctx->guard.limits.vanish);

    case 'c':
        return learn_cmd_publish_number("max-change", 100.0,
                                        &ctx->guard.limits.change);

    case 'd':
        return learn_cmd_publish_number("shrink", 100.0,
                                        &ctx->guard.limits.shrink);

    case 'g':
        return learn_cmd_publish_number("grow", 1e9, &ctx->guard.limits.grow);

    case 'm':
        size = 0.0;
        rc = learn_cmd_publish_number("max-size", 1e6, &size);
        ctx->guard.limits.size = (uint64_t) (size * 1024 * 1024);
        return rc;

    case 'f':
        ctx->reason = optarg;
        ctx->guard.force = 1;
        ctx->publish.mend = 1;
        return LEARN_EXIT_OK;

    case 'r':
        ctx->resume = 1;
        return LEARN_EXIT_OK;

    case 'n':
        ctx->dry = 1;
        return LEARN_EXIT_OK;
    }

    rc = learn_watch_option(&ctx->watch, c, optarg);

    return (rc < 0) ? learn_publish_option(&ctx->publish, c, optarg) : rc;
}


static int
learn_cmd_publish_number(const char *option, double most, double *value)
{
    char  *end;

    *value = strtod(optarg, &end);

    if (end == optarg || *end != '\0' || !(*value >= 0.0 && *value <= most)) {
        learn_complain("publish: '%s' is no number for --%s", optarg, option);
        return LEARN_EXIT_USAGE;
    }

    return LEARN_EXIT_OK;
}


static int
learn_cmd_publish_run(learn_cmd_publish_t *ctx)
{
    int          rc;
    char         note[1024];
    miqps_str_t  source;

    rc = ctx->dry ? LEARN_EXIT_OK : learn_cmd_publish_resume(ctx);

    if (rc != LEARN_EXIT_OK || ctx->resume) {
        return rc;
    }

    rc = learn_cmd_publish_text(ctx);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_map_make("publish", (ctx->source != NULL)
                                       ? ctx->source : "what was learned",
                            ctx->text, ctx->len, &ctx->data, &ctx->size);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_cmd_publish_guard(ctx);
    }

    if (rc == LEARN_EXIT_REFUSED) {
        return learn_cmd_publish_stop(ctx, ctx->guard.why);
    }

    if (rc != LEARN_EXIT_OK) {
        return rc;
    }

    learn_cmd_publish_note(ctx, note, sizeof(note));

    if (learn_cmd_publish_same(ctx)) {
        (void) printf("nothing to publish\n");
        rc = ctx->dry ? LEARN_EXIT_OK : learn_publish_confirm(&ctx->publish);

        if (rc != LEARN_EXIT_OK) {
            return rc;
        }

        return (learn_cmd_publish_left(ctx) == LEARN_EXIT_OK)
               ? LEARN_EXIT_OK : learn_cmd_publish_stop(ctx, note);
    }

    if (ctx->dry) {
        (void) printf("would be published\n");
        return learn_cmd_publish_left(ctx);
    }

    source.data = (const uint8_t *) ctx->text;
    source.len = ctx->len;

    rc = learn_watch_prepare(&ctx->watch, &ctx->publish, ctx->guard.data);

    if (rc == LEARN_EXIT_OK) {
        rc = learn_publish(&ctx->publish, ctx->guard.data, ctx->guard.size,
                           &source, note);
    }

    if (rc == LEARN_EXIT_OK && ctx->guard.force) {
        rc = learn_cmd_publish_free(ctx->publish.store);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_watch(&ctx->watch, &ctx->publish);
    }

    return (rc == LEARN_EXIT_OK) ? learn_cmd_publish_left(ctx) : rc;
}


/* somebody has to look after hosts that stay behind, if others do not, too */

static int
learn_cmd_publish_left(const learn_cmd_publish_t *ctx)
{
    const learn_guard_t  *guard;

    guard = &ctx->guard;

    if (guard->force || guard->refused + guard->held == 0) {
        return LEARN_EXIT_OK;
    }

    learn_complain("publish: %llu hosts are refused and %llu held, and stay as "
                   "they are published; --force publishes them all the same",
                   (unsigned long long) guard->refused,
                   (unsigned long long) guard->held);

    return LEARN_EXIT_REFUSED;
}


/* somebody was killed before nginx was told, or while he watched */

static int
learn_cmd_publish_resume(learn_cmd_publish_t *ctx)
{
    int               rc;
    learn_publish_t  *publish;

    publish = &ctx->publish;
    rc = learn_publish_interrupted(publish);

    if (rc == LEARN_EXIT_OK && publish->begun.data != NULL) {
        rc = learn_watch_prepare(&ctx->watch, publish, publish->begun.data);

        if (rc == LEARN_EXIT_OK) {
            rc = learn_publish_resume(publish);
        }
    }

    return (rc == LEARN_EXIT_OK) ? learn_watch(&ctx->watch, publish) : rc;
}


/* who forces a map wants what was rolled back, too */

static int
learn_cmd_publish_free(learn_store_t *store)
{
    int  rc;

    rc = store->ops->begin(store);

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->holds_drop(store);
    }

    if (rc == LEARN_EXIT_OK) {
        rc = store->ops->commit(store);
    }

    if (rc != LEARN_EXIT_OK) {
        store->ops->rollback(store);
    }

    return rc;
}


static int
learn_cmd_publish_text(learn_cmd_publish_t *ctx)
{
    int    rc;
    FILE  *out;

    out = open_memstream(&ctx->text, &ctx->len);

    if (out == NULL) {
        learn_complain("publish: out of memory");
        return LEARN_EXIT_FAILED;
    }

    rc = (ctx->source != NULL) ? learn_cmd_publish_file(ctx, out)
                               : learn_cmd_publish_learned(ctx, out);

    if (fclose(out) != 0 && rc == LEARN_EXIT_OK) {
        learn_complain("publish: out of memory");
        rc = LEARN_EXIT_FAILED;
    }

    return rc;
}


static int
learn_cmd_publish_learned(learn_cmd_publish_t *ctx, FILE *out)
{
    int              rc;
    learn_latest_t   latest;
    learn_store_t   *store;
    miqps_str_t      all = miqps_null_str;

    store = ctx->publish.store;
    memset(&latest, 0, sizeof(learn_latest_t));
    latest.command = "publish";

    rc = learn_latest_add(&latest, store, &all);

    if (rc == LEARN_EXIT_OK && latest.n == 0) {
        learn_complain("publish: nothing was learned yet; 'miqps learn' does");
        rc = LEARN_EXIT_FAILED;
    }

    if (rc == LEARN_EXIT_OK) {
        rc = learn_mapping_print(store, &latest, out);
    }

    learn_latest_release(&latest);

    return rc;
}


static int
learn_cmd_publish_file(learn_cmd_publish_t *ctx, FILE *out)
{
    FILE   *in;
    char    buf[BUFSIZ];
    size_t  n;

    in = (strcmp(ctx->source, "-") == 0) ? stdin : fopen(ctx->source, "r");

    if (in == NULL) {
        learn_complain("publish: cannot open '%s': %s", ctx->source,
                       strerror(errno));
        return LEARN_EXIT_FAILED;
    }

    while ((n = fread(buf, 1, sizeof(buf), in)) > 0) {
        (void) fwrite(buf, 1, n, out);
    }

    n = (size_t) ferror(in);

    if (n != 0) {
        learn_complain("publish: cannot read '%s': %s", ctx->source,
                       strerror(errno));
    }

    if (in != stdin) {
        (void) fclose(in);
    }

    return (n == 0) ? LEARN_EXIT_OK : LEARN_EXIT_FAILED;
}


static int
learn_cmd_publish_guard(learn_cmd_publish_t *ctx)
{
    int             rc;
    const char     *why;
    miqps_image_t   image;

    if (miqps_image_open(&image, ctx->data, ctx->size, &why) != MIQPS_OK) {
        learn_complain("publish: the image that was made is none: %s", why);
        return LEARN_EXIT_FAILED;
    }

    ctx->guard.store = ctx->publish.store;
    ctx->guard.source = ctx->text;
    ctx->guard.len = ctx->len;

    rc = learn_guard(&ctx->guard, (ctx->publish.now.data != NULL)
                                  ? &ctx->publish.now.image : NULL,
                     &image, stdout);

    if (rc == LEARN_EXIT_REFUSED) {
        learn_complain("publish: the map is refused: %s; --force publishes it "
                       "all the same", ctx->guard.why);
    }

    return rc;
}


/* nobody may have been there to read it: it is in the archive, too */

static int
learn_cmd_publish_stop(learn_cmd_publish_t *ctx, const char *why)
{
    int          rc;
    miqps_str_t  source;

    source.data = (const uint8_t *) ctx->text;
    source.len = ctx->len;

    rc = ctx->dry ? LEARN_EXIT_OK
                  : learn_publish_stop(&ctx->publish, ctx->data, ctx->size,
                                       &source, why);

    return (rc == LEARN_EXIT_OK) ? LEARN_EXIT_REFUSED : rc;
}


/*
 * The same map may have another generation and time.  If the file is not it, it
 * has to get there.
 */

static int
learn_cmd_publish_same(const learn_cmd_publish_t *ctx)
{
    const uint8_t           *old;
    const learn_map_file_t  *now;

    now = &ctx->publish.now;
    old = now->data;

    return old != NULL && !ctx->publish.lost && now->size == ctx->guard.size
           && memcmp(old + MIQPS_IMAGE_HEAD, ctx->guard.data
                                             + MIQPS_IMAGE_HEAD,
                     now->size - MIQPS_IMAGE_HEAD) == 0;
}


static void
learn_cmd_publish_note(const learn_cmd_publish_t *ctx, char *note,
    size_t size)
{
    const learn_guard_t  *guard;

    guard = &ctx->guard;

    if (guard->force) {
        (void) snprintf(note, size, "forced: %s%s%s", ctx->reason,
                        (guard->why[0] != '\0') ? "; " : "", guard->why);
        return;
    }

    (void) snprintf(note, size, "%llu new, %llu gone, %llu merged, %llu "
                    "refused, %llu wait, %s%llu held; %.1f %% of the URLs "
                    "change",
                    (unsigned long long) guard->fresh,
                    (unsigned long long) guard->gone,
                    (unsigned long long) guard->merged,
                    (unsigned long long) guard->refused,
                    (unsigned long long) guard->later,
                    (guard->parts > 0) ? "1 in part, " : "",
                    (unsigned long long) guard->held, guard->changed);
}
