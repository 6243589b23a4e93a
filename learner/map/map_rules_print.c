
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "map_rules_print.h"


/*
 * What literals may hold needs no escapes in JSON.
 */

typedef struct {
    const miqps_paths_t  *rules;
    miqps_rewrite_t       rewrite;
    uint8_t               names[MIQPS_PATHS_MAX_CAPTURE];   /* or 0 */
    uint8_t               tables[MIQPS_PATHS_MAX_TABLES];   /* or 0 */
    uint8_t               ntables;
    uint8_t               stars;        /* "*" of the path are in order */
    uint8_t               next;         /* capture of the source */
    FILE                 *out;
} learn_printer_t;


static void  learn_print_init(learn_printer_t *printer,
    const miqps_paths_t *rules, uint32_t i, FILE *out);
static void  learn_print_uses(learn_printer_t *printer, const uint8_t *text,
    int path, uint8_t *n);
static void  learn_print_stars(learn_printer_t *printer);
static void  learn_print_form(learn_printer_t *printer,
    const miqps_form_t *form, int target);
static void  learn_print_path(learn_printer_t *printer,
    const miqps_form_t *form);
static void  learn_print_params(learn_printer_t *printer,
    const miqps_form_t *form, int target);
static void  learn_print_text(learn_printer_t *printer, const uint8_t *text,
    int path);
static void  learn_print_piece(learn_printer_t *printer,
    const miqps_piece_t *piece, int path);
static void  learn_print_name(learn_printer_t *printer, uint8_t name);
static void  learn_print_bytes(learn_printer_t *printer,
    const miqps_str_t *text);
static void  learn_print_tables(learn_printer_t *printer);
static void  learn_print_table(learn_printer_t *printer, uint32_t table);
static void  learn_print_url(learn_printer_t *printer,
    const miqps_form_t *form, int params, int rest);


static const char *const  learn_print_kinds[] = {
    [MIQPS_PIECE_DIGITS] = ":digits",
    [MIQPS_PIECE_HEX] = ":hex",
    [MIQPS_PIECE_UUID] = ":uuid",
    [MIQPS_PIECE_WORD] = ":word",
    [MIQPS_PIECE_ANY] = "",
    [MIQPS_PIECE_RAW] = ":raw"
};


void
learn_print_rules(const miqps_image_t *image, const uint8_t *record, FILE *out)
{
    uint32_t       i;
    miqps_paths_t  rules;

    if (!miqps_paths_of(image, record, &rules)) {
        return;
    }

    for (i = 0; i < rules.n; i++) {
        (void) fputs((i == 0) ? ",\"rules\":[" : ",", out);
        learn_print_rule(&rules, i, 1, out);
    }

    (void) fputs(rules.careful ? "],\"careful\":true" : "]", out);
}


void
learn_print_rule(const miqps_paths_t *rules, uint32_t i, int whole, FILE *out)
{
    learn_printer_t  printer;

    learn_print_init(&printer, rules, i, out);

    if (!whole) {
        learn_print_form(&printer, &printer.rewrite.from, 0);
        return;
    }

    (void) fputs("{\"from\":", out);
    learn_print_form(&printer, &printer.rewrite.from, 0);

    (void) fputs(",\"to\":", out);
    learn_print_form(&printer, &printer.rewrite.to, 1);

    learn_print_tables(&printer);
    (void) fputc('}', out);
}


/* captures that are used have names, and so have tables */

static void
learn_print_init(learn_printer_t *printer, const miqps_paths_t *rules,
    uint32_t i, FILE *out)
{
    uint8_t              n, k, *table;
    const miqps_form_t  *to;

    memset(printer, 0, sizeof(learn_printer_t));

    printer->rules = rules;
    printer->out = out;

    miqps_paths_read(rules, i, &printer->rewrite);

    to = &printer->rewrite.to;
    n = 0;

    learn_print_stars(printer);

    for (k = 0; k < to->nsegments; k++) {
        learn_print_uses(printer, to->segments[k], 1, &n);
    }

    for (k = 0; k < to->nparams; k++) {
        learn_print_uses(printer, to->params[k] + MIQPS_PATHS_STRING, 0, &n);
    }

    for (k = 0; k < printer->rewrite.ncaptures; k++) {

        if (printer->rewrite.kinds[k] != MIQPS_PIECE_TABLE) {
            continue;
        }

        table = &printer->tables[printer->rewrite.tables[k]];

        if (*table == 0) {
            *table = ++printer->ntables;
        }
    }
}


/* what is raw has a name only where "*" would not do */

static void
learn_print_uses(learn_printer_t *printer, const uint8_t *text, int path,
    uint8_t *n)
{
    uint32_t       k;
    miqps_piece_t  piece;

    for (k = *text++; k > 0; k--) {
        text = miqps_piece_next(printer->rules, text, &piece);

        if (piece.kind == MIQPS_PIECE_CAPTURE
            && (printer->rewrite.kinds[piece.number] != MIQPS_PIECE_RAW
                || (path && !printer->stars)))
        {
            printer->names[piece.number] = ++*n;
        }
    }
}


/* whether the path of the target has none or all "*" of the source in order */

static void
learn_print_stars(learn_printer_t *printer)
{
    uint8_t              prev;
    uint32_t             i, all, used;
    miqps_piece_t        piece;
    const miqps_form_t  *from, *to;

    from = &printer->rewrite.from;
    to = &printer->rewrite.to;

    printer->stars = 1;
    all = 0;
    used = 0;
    prev = 0;

    for (i = 0; i < from->nsegments; i++) {
        all += (from->segments[i][0] == 1
                && from->segments[i][1] == MIQPS_PIECE_RAW);
    }

    for (i = 0; i < to->nsegments; i++) {

        if (to->segments[i][0] != 1
            || to->segments[i][1] != MIQPS_PIECE_CAPTURE)
        {
            continue;
        }

        (void) miqps_piece_next(printer->rules, to->segments[i] + 1, &piece);

        if (printer->rewrite.kinds[piece.number] == MIQPS_PIECE_RAW) {
            printer->stars &= (used == 0 || piece.number > prev);
            prev = piece.number;
            used++;
        }
    }

    printer->stars &= (used == 0 || used == all);
}


static void
learn_print_form(learn_printer_t *printer, const miqps_form_t *form,
    int target)
{
    size_t  n;

    n = 0;

    (void) fputc('{', printer->out);

    if (form->host != NULL) {
        (void) fputs("\"host\":\"", printer->out);
        learn_print_text(printer, form->host, 0);
        (void) fputc('"', printer->out);
        n++;
    }

    if (form->path) {
        (void) fputs((n++ > 0) ? ",\"path\":\"" : "\"path\":\"", printer->out);
        learn_print_path(printer, form);
        (void) fputc('"', printer->out);
    }

    if (target ? printer->rewrite.flags & MIQPS_PATHS_TO_PARAMS
               : form->nparams > 0
                 || !(printer->rewrite.flags & MIQPS_PATHS_REST))
    {
        (void) fputs((n > 0) ? ",\"params\":{" : "\"params\":{", printer->out);
        learn_print_params(printer, form, target);
        (void) fputc('}', printer->out);
    }

    (void) fputc('}', printer->out);
}


static void
learn_print_path(learn_printer_t *printer, const miqps_form_t *form)
{
    uint32_t  i;

    for (i = 0; i <= form->nsegments; i++) {

        if (form->deep == i) {
            (void) fputs("/**", printer->out);
        }

        if (i < form->nsegments) {
            (void) fputc('/', printer->out);
            learn_print_text(printer, form->segments[i], 1);
        }
    }
}


static void
learn_print_params(learn_printer_t *printer, const miqps_form_t *form,
    int target)
{
    uint32_t     i;
    miqps_str_t  name;

    for (i = 0; i < form->nparams; i++) {
        name = miqps_paths_string(printer->rules, form->params[i]);

        (void) fputs((i > 0) ? ",\"" : "\"", printer->out);
        learn_print_bytes(printer, &name);
        (void) fputs("\":\"", printer->out);
        learn_print_text(printer, form->params[i] + MIQPS_PATHS_STRING, 0);
        (void) fputc('"', printer->out);
    }

    if (!target && (printer->rewrite.flags & MIQPS_PATHS_REST)) {
        (void) fputs(",\"*\":\"*\"", printer->out);
    }
}


static void
learn_print_text(learn_printer_t *printer, const uint8_t *text, int path)
{
    uint32_t       n;
    miqps_piece_t  piece;

    for (n = *text++; n > 0; n--) {
        text = miqps_piece_next(printer->rules, text, &piece);

        if (piece.kind == MIQPS_PIECE_LITERAL) {
            learn_print_bytes(printer, &piece.literal);

        } else {
            learn_print_piece(printer, &piece, path);
        }
    }
}


static void
learn_print_piece(learn_printer_t *printer, const miqps_piece_t *piece,
    int path)
{
    uint8_t  capture, kind;

    capture = (piece->kind == MIQPS_PIECE_CAPTURE) ? piece->number
                                                   : printer->next++;
    kind = printer->rewrite.kinds[capture];

    if (kind == MIQPS_PIECE_RAW
        && (!path || printer->stars || printer->names[capture] == 0))
    {
        (void) fputc('*', printer->out);
        return;
    }

    (void) fputc('{', printer->out);
    learn_print_name(printer, printer->names[capture]);

    if (piece->kind == MIQPS_PIECE_TABLE) {
        (void) fprintf(printer->out, ":t%d", printer->tables[piece->number]);

    } else if (piece->kind != MIQPS_PIECE_CAPTURE) {
        (void) fputs(learn_print_kinds[kind], printer->out);
    }

    (void) fputc('}', printer->out);
}


/* a to z, then a1 and so on */

static void
learn_print_name(learn_printer_t *printer, uint8_t name)
{
    if (name == 0) {
        return;
    }

    (void) fputc('a' + (name - 1) % 26, printer->out);

    if (name > 26) {
        (void) fprintf(printer->out, "%d", (name - 1) / 26);
    }
}


static void
learn_print_bytes(learn_printer_t *printer, const miqps_str_t *text)
{
    (void) fwrite(text->data, 1, text->len, printer->out);
}


static void
learn_print_tables(learn_printer_t *printer)
{
    uint8_t   number;
    uint32_t  i;

    for (number = 1; number <= printer->ntables; number++) {
        for (i = 0; printer->tables[i] != number; i++) {
            /* void */
        }

        (void) fprintf(printer->out, "%s\"t%d\":{",
                       (number == 1) ? ",\"tables\":{" : ",", number);
        learn_print_table(printer, i);
        (void) fputc('}', printer->out);
    }

    if (printer->ntables > 0) {
        (void) fputc('}', printer->out);
    }
}


static void
learn_print_table(learn_printer_t *printer, uint32_t table)
{
    uint32_t        i, n;
    miqps_str_t     text;
    const uint8_t  *p;

    p = miqps_paths_table(printer->rules, table);
    n = miqps_get_u16(p);

    for (p += 2, i = 0; i < 2 * n; i++, p += MIQPS_PATHS_STRING) {
        text = miqps_paths_string(printer->rules, p);

        (void) fputs((i == 0) ? "\"" : (i % 2 == 0) ? ",\"" : ":\"",
                     printer->out);
        learn_print_bytes(printer, &text);
        (void) fputc('"', printer->out);
    }
}


void
learn_print_rule_text(const miqps_paths_t *rules, uint32_t i, FILE *out)
{
    uint8_t          flags;
    learn_printer_t  printer;

    learn_print_init(&printer, rules, i, out);

    flags = printer.rewrite.flags;

    learn_print_url(&printer, &printer.rewrite.from, 1,
                    flags & MIQPS_PATHS_REST);
    (void) fputs(" -> ", out);
    learn_print_url(&printer, &printer.rewrite.to,
                    flags & MIQPS_PATHS_TO_PARAMS, 0);
}


/* what is not there is not said */

static void
learn_print_url(learn_printer_t *printer, const miqps_form_t *form, int params,
    int rest)
{
    uint32_t     i;
    miqps_str_t  name;

    if (form->host != NULL) {
        (void) fputs("//", printer->out);
        learn_print_text(printer, form->host, 0);
    }

    if (form->path) {
        learn_print_path(printer, form);
    }

    for (i = 0; i < form->nparams; i++) {
        name = miqps_paths_string(printer->rules, form->params[i]);

        (void) fputc((i > 0) ? '&' : '?', printer->out);
        learn_print_bytes(printer, &name);
        (void) fputc('=', printer->out);
        learn_print_text(printer, form->params[i] + MIQPS_PATHS_STRING, 0);
    }

    if (rest) {
        (void) fputs((i > 0) ? "&*" : "?*", printer->out);

    } else if (params && i == 0) {
        (void) fputc('?', printer->out);
    }
}
