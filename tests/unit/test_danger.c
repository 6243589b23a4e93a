
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "adapt/ways.h"


typedef struct {
    const char  *sentence;
    const char  *one;
    const char  *two;
    int          apart;
} danger_row_t;


static const danger_row_t  danger_rows[] = {
    { "two languages are apart", "en", "de", 1 },
    { "so are two countries of them", "en-us", "de-de", 1 },
    { "capital letters do not count", "EN", "de_AT", 1 },
    { "a language is not a word", "en", "english", 0 },
    { "two letters need not be one", "xx", "qq", 0 },
    { "nor need five", "en-us", "extra", 0 },
    { "versions are none", "v1", "v2", 0 },
    { "nothing is none", "", "de", 0 }
};


static void
tells_languages(void **state)
{
    learn_site_t         site;
    learn_step_t         step;
    const danger_row_t  *row;

    row = *state;

    learn_site_init(&site);
    memset(&step, 0, sizeof(learn_step_t));

    step.kind = LEARN_STEP_WORD;
    step.one = learn_site_token(&site, (const uint8_t *) row->one,
                                strlen(row->one));
    step.two = learn_site_token(&site, (const uint8_t *) row->two,
                                strlen(row->two));

    assert_int_equal(learn_danger_tongues_apart(&site, &step), row->apart);

    step.kind = LEARN_STEP_ENDING;
    assert_false(learn_danger_tongues_apart(&site, &step));

    learn_site_release(&site);
}


static void
wants_most_of_words(void **state)
{
    unsigned      level;
    learn_step_t  word, session, section;

    (void) state;

    memset(&word, 0, sizeof(learn_step_t));
    word.kind = LEARN_STEP_WORD;

    session = word;
    session.kind = LEARN_STEP_FRONT;
    session.n = 2;
    session.atoms[1] = LEARN_ATOM_HEX;

    section = session;
    section.n = 1;

    assert_true(learn_danger_words(&word));
    assert_true(learn_danger_words(&section));
    assert_false(learn_danger_words(&session));

    assert_int_equal(learn_danger_pairs(&word, 0), 14);
    assert_int_equal(learn_danger_pairs(&session, 0), 8);
    assert_int_equal(learn_danger_pairs(&word, LEARN_DANGER_LEVELS - 1), 120);

    for (level = 1; level < LEARN_DANGER_LEVELS; level++) {
        assert_true(learn_danger_pairs(&word, level)
                    >= learn_danger_pairs(&word, level - 1));
        assert_true(learn_danger_pairs(&session, level)
                    >= learn_danger_pairs(&session, level - 1));
    }
}


int
main(void)
{
    size_t         i;
    static unit_t  unit;

    for (i = 0; i < sizeof(danger_rows) / sizeof(danger_rows[0]); i++) {
        unit_add(&unit, danger_rows[i].sentence, tells_languages,
                 &danger_rows[i]);
    }

    unit_add(&unit, "wants most of words", wants_most_of_words, NULL);

    return unit_run(&unit, "danger");
}
