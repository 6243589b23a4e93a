
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "miqps_collect.h"


/*
 * Words that name an act.  GET should do nothing, and often does: these are
 * never fetched by a program, so that they need not be collected either.
 *
 * A name is a few words, "add-to-cart" or "deleteItem"; a title is many, and
 * may have any of them.  So where there are more than MIQPS_ACTS_WORDS words
 * in a segment of a path, only the first one or two count.
 */

#define MIQPS_ACTS_WORDS   3
#define MIQPS_ACTS_LETTERS 24        /* of two words, half of each */
#define MIQPS_ACTS_SUFFIX  5         /* letters of ".php" and others */


/* two words are also looked up as one: "log-out", "add-to" */

static const miqps_str_t  miqps_acts[] = {
    miqps_string("logout"),       miqps_string("logoff"),
    miqps_string("signout"),      miqps_string("signoff"),
    miqps_string("login"),        miqps_string("signin"),
    miqps_string("delete"),       miqps_string("remove"),
    miqps_string("destroy"),      miqps_string("erase"),
    miqps_string("addto"),        miqps_string("cart"),
    miqps_string("basket"),       miqps_string("checkout"),
    miqps_string("pay"),          miqps_string("payment"),
    miqps_string("purchase"),     miqps_string("vote"),
    miqps_string("upvote"),       miqps_string("downvote"),
    miqps_string("like"),         miqps_string("unlike"),
    miqps_string("follow"),       miqps_string("unfollow"),
    miqps_string("subscribe"),    miqps_string("unsubscribe"),
    miqps_string("optout"),       miqps_string("confirm"),
    miqps_string("activate"),     miqps_string("deactivate"),
    miqps_string("verify"),       miqps_string("reset"),
    miqps_string("revoke"),       miqps_string("cancel"),
    miqps_string("invite"),       miqps_string("admin"),
    miqps_string("wpadmin"),      miqps_string("api"),
    miqps_string("cron"),         miqps_string("wpcron"),
    miqps_string("purge"),        miqps_string("flush"),
    miqps_string("download"),     miqps_string("export"),
    miqps_string("import"),       miqps_string("upload"),
    miqps_string("install"),      miqps_string("uninstall")
};


/* as values, behind one of the names below */

static const miqps_str_t  miqps_acts_values[] = {
    miqps_string("add"),          miqps_string("approve"),
    miqps_string("ban"),          miqps_string("buy"),
    miqps_string("clear"),        miqps_string("create"),
    miqps_string("disable"),      miqps_string("edit"),
    miqps_string("empty"),        miqps_string("enable"),
    miqps_string("insert"),       miqps_string("mark"),
    miqps_string("move"),         miqps_string("new"),
    miqps_string("order"),        miqps_string("patch"),
    miqps_string("post"),         miqps_string("publish"),
    miqps_string("put"),          miqps_string("rate"),
    miqps_string("register"),     miqps_string("rename"),
    miqps_string("reply"),        miqps_string("report"),
    miqps_string("restore"),      miqps_string("run"),
    miqps_string("save"),         miqps_string("send"),
    miqps_string("set"),          miqps_string("start"),
    miqps_string("stop"),         miqps_string("submit"),
    miqps_string("toggle"),       miqps_string("trash"),
    miqps_string("update"),       miqps_string("write")
};


static const miqps_str_t  miqps_acts_names[] = {
    miqps_string("do"),           miqps_string("act"),
    miqps_string("action"),       miqps_string("op"),
    miqps_string("operation"),    miqps_string("cmd"),
    miqps_string("command"),      miqps_string("task"),
    miqps_string("method"),       miqps_string("event"),
    miqps_string("func"),         miqps_string("function"),
    miqps_string("job"),          miqps_string("process")
};


/* words of a text, the first ones */

typedef struct {
    miqps_str_t     word[MIQPS_ACTS_WORDS + 1];
    size_t          n;          /* MIQPS_ACTS_WORDS + 1: that or more */
} miqps_acts_words_t;


static void  miqps_acts_split(miqps_acts_words_t *words, const uint8_t *text,
    size_t len);
static int  miqps_acts_letter(uint8_t c);
static int  miqps_acts_found(const miqps_acts_words_t *words);
static int  miqps_acts_joined(const miqps_acts_words_t *words, size_t i);
static int  miqps_acts_in(const miqps_str_t *word, const miqps_str_t *table,
    size_t n);


#define miqps_acts_has(word, table)                                           \
    miqps_acts_in(word, table, sizeof(table) / sizeof((table)[0]))


int
miqps_collect_path_acts(const uint8_t *path, size_t len)
{
    size_t              i, k, start, end;
    miqps_acts_words_t  words;

    start = 0;

    for (i = 0; i <= len; i++) {

        if (i < len && path[i] != '/' && path[i] != ';' && path[i] != '?') {
            continue;
        }

        end = i;

        for (k = i; k > start && i - k <= MIQPS_ACTS_SUFFIX; k--) {
            if (path[k - 1] == '.') {
                end = k - 1;
                break;
            }
        }

        miqps_acts_split(&words, path + start, end - start);

        if (miqps_acts_found(&words)) {
            return 1;
        }

        start = i + 1;
    }

    return 0;
}


int
miqps_collect_param_acts(const miqps_str_t *name, const miqps_str_t *value)
{
    size_t              n;
    miqps_str_t         verb;
    miqps_acts_words_t  words;

    miqps_acts_split(&words, name->data, name->len);

    if (miqps_acts_found(&words)) {
        return 1;
    }

    if (words.n == 0 || words.n > MIQPS_ACTS_WORDS) {
        return 0;
    }

    n = words.n;
    verb = words.word[n - 1];

    if (!miqps_acts_has(&verb, miqps_acts_names)) {
        return 0;
    }

    miqps_acts_split(&words, value->data, value->len);

    if (words.n == 0) {
        return 0;
    }

    return miqps_acts_found(&words)
           || miqps_acts_has(&words.word[0], miqps_acts_values);
}


static void
miqps_acts_split(miqps_acts_words_t *words, const uint8_t *text, size_t len)
{
    size_t        i;
    uint8_t       c, last;
    miqps_str_t  *word;

    words->n = 0;
    word = NULL;
    last = 0;

    for (i = 0; i < len; i++) {
        c = text[i];

        if (!miqps_acts_letter(c)) {
            word = NULL;
            continue;
        }

        /* a capital behind a small letter begins another one */

        if (c >= 'A' && c <= 'Z' && last >= 'a' && last <= 'z') {
            word = NULL;
        }

        last = c;

        if (word == NULL) {

            if (words->n > MIQPS_ACTS_WORDS) {
                return;
            }

            word = &words->word[words->n++];
            word->data = text + i;
            word->len = 0;
        }

        word->len++;
    }
}


/* digits end a word, too: "vote2" is to vote */

static int
miqps_acts_letter(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}


static int
miqps_acts_found(const miqps_acts_words_t *words)
{
    size_t  i, n;

    n = (words->n > MIQPS_ACTS_WORDS) ? 1 : words->n;

    for (i = 0; i < n; i++) {
        if (miqps_acts_has(&words->word[i], miqps_acts)
            || miqps_acts_joined(words, i))
        {
            return 1;
        }
    }

    return 0;
}


static int
miqps_acts_joined(const miqps_acts_words_t *words, size_t i)
{
    uint8_t             buf[MIQPS_ACTS_LETTERS];
    miqps_str_t         both;
    const miqps_str_t  *one, *two;

    if (i + 1 >= words->n) {
        return 0;
    }

    one = &words->word[i];
    two = &words->word[i + 1];

    if (one->len > sizeof(buf) / 2 || two->len > sizeof(buf) / 2) {
        return 0;
    }

    memcpy(buf, one->data, one->len);
    memcpy(buf + one->len, two->data, two->len);

    both.data = buf;
    both.len = one->len + two->len;

    return miqps_acts_has(&both, miqps_acts);
}


static int
miqps_acts_in(const miqps_str_t *word, const miqps_str_t *table, size_t n)
{
    size_t  i, k;

    for (i = 0; i < n; i++) {

        if (table[i].len != word->len) {
            continue;
        }

        for (k = 0; k < word->len; k++) {
            if ((word->data[k] | 0x20) != table[i].data[k]) {
                break;
            }
        }

        if (k == word->len) {
            return 1;
        }
    }

    return 0;
}
