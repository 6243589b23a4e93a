
/*
 * Copyright (C) the ngx_miqps authors
 */


#define PCRE2_CODE_UNIT_WIDTH  8

#include <pcre2.h>

#include "miqps_regex.h"


/*
 * A name is some ten bytes long and takes some ten steps.  The limits leave
 * room for a thousand times that, about 0.1 ms, where PCRE2's own would
 * allow ten million steps.
 */

#define MIQPS_REGEX_MATCH_LIMIT  20000
#define MIQPS_REGEX_DEPTH_LIMIT  2000
#define MIQPS_REGEX_HEAP_LIMIT   1024      /* KiB */
#define MIQPS_REGEX_STACK_MIN    (32 * 1024)
#define MIQPS_REGEX_STACK_MAX    (256 * 1024)


/* a trial subject: so many bytes, and one that fits nothing */

#define MIQPS_REGEX_TRIAL        64

/* how many kinds of bytes are tried in pairs */

#define MIQPS_REGEX_KINDS        16


static miqps_rc_e  miqps_regex_compile(miqps_regex_t *regex,
    const miqps_str_t *pattern, uint32_t options, miqps_fault_t *fault);
static int  miqps_regex_costly(const miqps_regex_t *regex,
    const miqps_str_t *text, miqps_regex_work_t *work);
static int  miqps_regex_plain(uint8_t c);
static miqps_str_t  miqps_regex_word(const miqps_str_t *text, size_t i);
static int  miqps_regex_trial(const miqps_regex_t *regex,
    miqps_regex_work_t *work, const miqps_str_t *word,
    const miqps_str_t *unit);


miqps_regex_rc_e
miqps_regex_exec(const miqps_regex_t *regex, miqps_regex_work_t *work,
    const miqps_str_t *subject)
{
    int  rc;

    if (subject->len > MIQPS_REGEX_MAX_SUBJECT) {
        return MIQPS_REGEX_GAVE_UP;
    }

    rc = pcre2_match(regex->code,
                     (subject->len > 0) ? subject->data : (PCRE2_SPTR) "",
                     subject->len, 0, 0, work->data, work->context);

    if (rc >= 0) {
        return MIQPS_REGEX_HIT;
    }

    return (rc == PCRE2_ERROR_NOMATCH) ? MIQPS_REGEX_MISS
                                       : MIQPS_REGEX_GAVE_UP;
}


miqps_rc_e
miqps_regex_init(miqps_regex_t *regex, const miqps_str_t *text,
    miqps_regex_work_t *work, miqps_fault_t *fault)
{
    size_t         skip;
    uint32_t       options;
    miqps_rc_e     rc;
    miqps_str_t    pattern;
    miqps_regex_t  trial;

    options = PCRE2_NO_AUTO_CAPTURE|PCRE2_DOLLAR_ENDONLY|PCRE2_NEVER_UTF
              |PCRE2_NEVER_BACKSLASH_C;
    skip = 1;

    if (text->len > 1 && text->data[1] == '*') {
        options |= PCRE2_CASELESS;
        skip = 2;
    }

    pattern.data = text->data + skip;
    pattern.len = text->len - skip;

    /*
     * PCRE2 does not begin to match where a byte that must follow is missing.
     * An attacker would not forget it, so that the trial goes without.
     */

    rc = miqps_regex_compile(&trial, &pattern,
                             options|PCRE2_NO_START_OPTIMIZE, fault);

    if (rc != MIQPS_OK) {
        fault->text = *text;
        fault->offset += skip;
        return rc;
    }

    if (miqps_regex_costly(&trial, &pattern, work)) {
        miqps_regex_release(&trial);
        miqps_fault_set(fault, text, 0, "takes too many steps on a short "
                        "name; is a repetition repeated?");
        return MIQPS_COSTLY_REGEX;
    }

    miqps_regex_release(&trial);

    return miqps_regex_compile(regex, &pattern, options, fault);
}


static miqps_rc_e
miqps_regex_compile(miqps_regex_t *regex, const miqps_str_t *pattern,
    uint32_t options, miqps_fault_t *fault)
{
    int         code;
    PCRE2_SIZE  offset;

    regex->code = pcre2_compile(pattern->data, pattern->len, options, &code,
                                &offset, NULL);

    if (regex->code == NULL && code == PCRE2_ERROR_HEAP_FAILED) {
        return MIQPS_NO_MEMORY;
    }

    if (regex->code == NULL) {
        miqps_fault_set(fault, pattern, offset, "");
        (void) pcre2_get_error_message(code, (PCRE2_UCHAR *) fault->message,
                                       sizeof(fault->message));
        return MIQPS_BAD_REGEX;
    }

    /* without machine code the interpreter runs it, under the same limits */

    (void) pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE);

    return MIQPS_OK;
}


void
miqps_regex_release(miqps_regex_t *regex)
{
    pcre2_code_free(regex->code);
    regex->code = NULL;
}


miqps_rc_e
miqps_regex_work_init(miqps_regex_work_t *work)
{
    work->data = pcre2_match_data_create(1, NULL);
    work->context = pcre2_match_context_create(NULL);
    work->stack = pcre2_jit_stack_create(MIQPS_REGEX_STACK_MIN,
                                         MIQPS_REGEX_STACK_MAX, NULL);

    if (work->data == NULL || work->context == NULL) {
        miqps_regex_work_release(work);
        return MIQPS_NO_MEMORY;
    }

    (void) pcre2_set_match_limit(work->context, MIQPS_REGEX_MATCH_LIMIT);
    (void) pcre2_set_depth_limit(work->context, MIQPS_REGEX_DEPTH_LIMIT);
    (void) pcre2_set_heap_limit(work->context, MIQPS_REGEX_HEAP_LIMIT);

    if (work->stack != NULL) {
        pcre2_jit_stack_assign(work->context, NULL, work->stack);
    }

    return MIQPS_OK;
}


void
miqps_regex_work_release(miqps_regex_work_t *work)
{
    pcre2_match_data_free(work->data);
    pcre2_match_context_free(work->context);
    pcre2_jit_stack_free(work->stack);

    work->data = NULL;
    work->context = NULL;
    work->stack = NULL;
}


/*
 * A pattern that backtracks without end does so on a repetition of what it
 * repeats, followed by something it cannot match.  Tried are all pairs of the
 * bytes that it names, with one of each common kind, and its words; each from
 * the start, and behind the first word of the pattern.
 */

static int
miqps_regex_costly(const miqps_regex_t *regex, const miqps_str_t *text,
    miqps_regex_work_t *work)
{
    size_t       i, j, n;
    uint8_t      kinds[MIQPS_REGEX_KINDS], pair[2];
    miqps_str_t  unit, word;

    memcpy(kinds, "aA0_-.", 6);
    n = 6;

    for (i = 0; i < text->len && n < MIQPS_REGEX_KINDS; i++) {
        if (text->data[i] > ' ' && memchr(kinds, text->data[i], n) == NULL
            && memchr("()[]{}*+?|^$\\:", text->data[i], 14) == NULL)
        {
            kinds[n++] = text->data[i];
        }
    }

    word = miqps_regex_word(text, 0);

    unit.data = pair;
    unit.len = 2;

    for (i = 0; i < n; i++) {
        for (j = i; j < n; j++) {
            pair[0] = kinds[i];
            pair[1] = kinds[j];

            if (miqps_regex_trial(regex, work, &word, &unit)) {
                return 1;
            }
        }
    }

    for (i = 0; i < text->len; i = (size_t) (unit.data - text->data)
                                   + unit.len + 1)
    {
        unit = miqps_regex_word(text, i);

        if (unit.len > 2 && miqps_regex_trial(regex, work, &word, &unit)) {
            return 1;
        }
    }

    return 0;
}


/* the first run of bytes that mean themselves, from an offset on */

static miqps_str_t
miqps_regex_word(const miqps_str_t *text, size_t i)
{
    size_t       start;
    miqps_str_t  word;

    while (i < text->len && !miqps_regex_plain(text->data[i])) {
        i++;
    }

    for (start = i; i < text->len && miqps_regex_plain(text->data[i]); i++) {
        /* void */
    }

    word.data = text->data + start;
    word.len = i - start;

    return word;
}


static int
miqps_regex_plain(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '/'
           || c == '%' || c == '=';
}


/*
 * True if the pattern gives up on a repetition of "unit": with or without
 * "word" before it, with or without a byte behind it that fits nothing.
 */

static int
miqps_regex_trial(const miqps_regex_t *regex, miqps_regex_work_t *work,
    const miqps_str_t *word, const miqps_str_t *unit)
{
    size_t       i, skip;
    uint8_t      buf[2 * MIQPS_REGEX_TRIAL + 1];
    miqps_str_t  subject;

    skip = (word->len < MIQPS_REGEX_TRIAL) ? word->len : 0;

    if (skip > 0) {
        memcpy(buf, word->data, skip);
    }

    for (i = 0; i < MIQPS_REGEX_TRIAL; i++) {
        buf[skip + i] = unit->data[i % unit->len];
    }

    buf[skip + MIQPS_REGEX_TRIAL] = 0x01;

    for (i = 0; i < 4; i++) {
        subject.data = (i & 1) ? buf : buf + skip;
        subject.len = (size_t) (buf + skip - subject.data) + MIQPS_REGEX_TRIAL
                      + (i >> 1);

        if (miqps_regex_exec(regex, work, &subject) == MIQPS_REGEX_GAVE_UP) {
            return 1;
        }
    }

    return 0;
}
