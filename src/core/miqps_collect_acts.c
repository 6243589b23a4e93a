
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
#define MIQPS_ACTS_LETTERS 11        /* of the longest of them */
#define MIQPS_ACTS_SUFFIX  5         /* letters of ".php" and others */


/*
 * By their length, one behind the other.  Two words are also looked up as one:
 * "log-out", "add-to".
 */

static const char *const  miqps_acts[] = {
    [3] = "pay" "api",
    [4] = "cart" "vote" "like" "cron",
    [5] = "login" "erase" "addto" "reset" "admin" "purge" "flush",
    [6] = "logout" "logoff" "signin" "delete" "remove" "basket" "upvote"
          "unlike" "follow" "optout" "verify" "revoke" "cancel" "invite"
          "wpcron" "export" "import" "upload",
    [7] = "signout" "signoff" "destroy" "payment" "confirm" "wpadmin"
          "install",
    [8] = "checkout" "purchase" "downvote" "unfollow" "activate" "download",
    [9] = "subscribe" "uninstall",
    [10] = "deactivate",
    [11] = "unsubscribe"
};


/* as values, behind one of the names below */

static const char *const  miqps_acts_values[] = {
    [3] = "add" "ban" "buy" "new" "put" "run" "set",
    [4] = "edit" "mark" "move" "post" "rate" "save" "send" "stop",
    [5] = "clear" "empty" "order" "patch" "reply" "start" "trash" "write",
    [6] = "create" "enable" "insert" "rename" "report" "submit" "toggle"
          "update",
    [7] = "approve" "disable" "publish" "restore",
    [8] = "register"
};


static const char *const  miqps_acts_names[] = {
    [2] = "do" "op",
    [3] = "act" "cmd" "job",
    [4] = "task" "func",
    [5] = "event",
    [6] = "action" "method",
    [7] = "command" "process",
    [8] = "function",
    [9] = "operation"
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
static int  miqps_acts_in(const miqps_str_t *word, const char *const *table,
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


miqps_collect_verb_e
miqps_collect_name_acts(const miqps_str_t *name)
{
    miqps_acts_words_t  words;

    miqps_acts_split(&words, name->data, name->len);

    if (miqps_acts_found(&words)) {
        return MIQPS_COLLECT_VERB_ACT;
    }

    if (words.n == 0 || words.n > MIQPS_ACTS_WORDS) {
        return MIQPS_COLLECT_VERB_NONE;
    }

    return miqps_acts_has(&words.word[words.n - 1], miqps_acts_names)
           ? MIQPS_COLLECT_VERB_VALUE : MIQPS_COLLECT_VERB_NONE;
}


int
miqps_collect_value_acts(const miqps_str_t *value)
{
    miqps_acts_words_t  words;

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

    if (one->len + two->len > sizeof(buf)) {
        return 0;
    }

    memcpy(buf, one->data, one->len);
    memcpy(buf + one->len, two->data, two->len);

    both.data = buf;
    both.len = one->len + two->len;

    return miqps_acts_has(&both, miqps_acts);
}


static int
miqps_acts_in(const miqps_str_t *word, const char *const *table, size_t n)
{
    size_t       k;
    uint8_t      first;
    const char  *p;

    if (word->len >= n || table[word->len] == NULL) {
        return 0;
    }

    first = word->data[0] | 0x20;

    for (p = table[word->len]; *p != '\0'; p += word->len) {

        if ((uint8_t) *p != first) {
            continue;
        }

        for (k = 1; k < word->len; k++) {
            if ((word->data[k] | 0x20) != (uint8_t) p[k]) {
                break;
            }
        }

        if (k == word->len) {
            return 1;
        }
    }

    return 0;
}
