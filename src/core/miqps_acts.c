
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_acts.h"


#define MIQPS_ACT_WORD   0x01    /* an act wherever it is a word of a path */
#define MIQPS_ACT_WHOLE  0x02    /* ... where it is all of a segment */
#define MIQPS_ACT_VALUE  0x04    /* ... where it is the value of "action" */
#define MIQPS_ACT_NAME   0x08    /* a name whose value may be an act */

#define MIQPS_ACT_MAX    16      /* bytes; a longer word is none of these */


typedef struct {
    uint8_t         len;
    uint8_t         kind;
    char            text[MIQPS_ACT_MAX];
} miqps_act_t;


#define miqps_act(text, kind)  { sizeof(text) - 1, kind, text }


static unsigned  miqps_acts_find(const uint8_t *word, size_t len);
static unsigned  miqps_acts_words(const uint8_t *p, const uint8_t *last);


/* without what stands between their parts: "add-to-cart", "add_to_cart" */

static const miqps_act_t  miqps_acts[] = {
    miqps_act("do", MIQPS_ACT_NAME),
    miqps_act("op", MIQPS_ACT_NAME),
    miqps_act("act", MIQPS_ACT_NAME),
    miqps_act("add", MIQPS_ACT_VALUE),
    miqps_act("api", MIQPS_ACT_WHOLE),
    miqps_act("buy", MIQPS_ACT_VALUE),
    miqps_act("cmd", MIQPS_ACT_NAME),
    miqps_act("pay", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("put", MIQPS_ACT_VALUE),
    miqps_act("cart", MIQPS_ACT_WHOLE),
    miqps_act("cron", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("drop", MIQPS_ACT_VALUE),
    miqps_act("edit", MIQPS_ACT_VALUE),
    miqps_act("like", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("mode", MIQPS_ACT_NAME),
    miqps_act("post", MIQPS_ACT_VALUE),
    miqps_act("save", MIQPS_ACT_VALUE),
    miqps_act("send", MIQPS_ACT_VALUE),
    miqps_act("task", MIQPS_ACT_NAME),
    miqps_act("vote", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("admin", MIQPS_ACT_WHOLE),
    miqps_act("event", MIQPS_ACT_NAME),
    miqps_act("login", MIQPS_ACT_VALUE),
    miqps_act("patch", MIQPS_ACT_VALUE),
    miqps_act("purge", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("reset", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("action", MIQPS_ACT_NAME),
    miqps_act("cancel", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("create", MIQPS_ACT_VALUE),
    miqps_act("delete", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("export", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("insert", MIQPS_ACT_VALUE),
    miqps_act("logoff", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("logout", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("method", MIQPS_ACT_NAME),
    miqps_act("remove", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("submit", MIQPS_ACT_VALUE),
    miqps_act("update", MIQPS_ACT_VALUE),
    miqps_act("upload", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("wpcron", MIQPS_ACT_WHOLE),
    miqps_act("approve", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("confirm", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("destroy", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("publish", MIQPS_ACT_VALUE),
    miqps_act("signoff", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("signout", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("wpadmin", MIQPS_ACT_WHOLE),
    miqps_act("wplogin", MIQPS_ACT_WHOLE),
    miqps_act("activate", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("checkout", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("download", MIQPS_ACT_WHOLE|MIQPS_ACT_VALUE),
    miqps_act("addtocart", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("operation", MIQPS_ACT_NAME),
    miqps_act("subscribe", MIQPS_ACT_VALUE),
    miqps_act("addtobasket", MIQPS_ACT_WORD|MIQPS_ACT_VALUE),
    miqps_act("unsubscribe", MIQPS_ACT_WORD|MIQPS_ACT_VALUE)
};

#define MIQPS_NACTS  (sizeof(miqps_acts) / sizeof(miqps_acts[0]))


int
miqps_acts_path(const miqps_str_t *path)
{
    unsigned        kinds;
    const uint8_t  *p, *end, *last;

    p = path->data;
    last = p + path->len;

    while (p < last) {

        if (*p == '/') {
            p++;
            continue;
        }

        end = memchr(p, '/', (size_t) (last - p));

        if (end == NULL) {
            end = last;
        }

        kinds = miqps_acts_words(p, end);

        if (kinds & (MIQPS_ACT_WORD|MIQPS_ACT_WHOLE)) {
            return 1;
        }

        p = end;
    }

    return 0;
}


int
miqps_acts_param(const miqps_str_t *name, const miqps_str_t *value)
{
    unsigned        kinds;
    const uint8_t  *p;

    p = name->data;
    kinds = miqps_acts_words(p, p + name->len);

    if (kinds & MIQPS_ACT_WORD) {
        return 1;
    }

    if (!(kinds & MIQPS_ACT_NAME) || value->len == 0) {
        return 0;
    }

    /* the first word, as in "edit_item", or one of those that are always */

    p = value->data;
    kinds = miqps_acts_words(p, p + value->len);

    return (kinds & (MIQPS_ACT_VALUE|MIQPS_ACT_WORD)) != 0;
}


/*
 * What the words between the two say: the kinds that hold for any of them,
 * and those of all of them taken for one, without what is behind the first
 * dot.  A value counts if its first word does.
 */

static unsigned
miqps_acts_words(const uint8_t *p, const uint8_t *last)
{
    size_t    len, all;
    uint8_t   c, word[MIQPS_ACT_MAX], whole[MIQPS_ACT_MAX];
    unsigned  kinds, found, dot, first;

    len = 0;
    all = 0;
    dot = 0;
    first = 1;
    kinds = 0;

    for (/* void */ ; p <= last; p++) {
        c = (p < last) ? *p : '-';

        if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
            c |= 0x20;

            if (len < MIQPS_ACT_MAX) {
                word[len] = c;
            }

            if (!dot && all < MIQPS_ACT_MAX) {
                whole[all] = c;
            }

            len++;
            all += !dot;
            continue;
        }

        if (len > 0) {
            found = miqps_acts_find(word, len);
            kinds |= found & (first ? MIQPS_ACT_WORD|MIQPS_ACT_VALUE
                                    : MIQPS_ACT_WORD);
            first = 0;
            len = 0;
        }

        dot |= (c == '.');

        /* a digit makes it another word: "cart2" may do what it likes */

        if (c >= '0' && c <= '9' && !dot) {
            all = MIQPS_ACT_MAX + 1;
        }
    }

    return kinds | miqps_acts_find(whole, all);
}


static unsigned
miqps_acts_find(const uint8_t *word, size_t len)
{
    size_t  i;

    if (len < 2 || len > MIQPS_ACT_MAX) {
        return 0;
    }

    for (i = 0; i < MIQPS_NACTS && miqps_acts[i].len <= len; i++) {
        if (miqps_acts[i].len == len
            && memcmp(miqps_acts[i].text, word, len) == 0)
        {
            return miqps_acts[i].kind;
        }
    }

    return 0;
}
