
/*
 * Copyright (C) the ngx_miqps authors
 */


#include "map_print.h"
#include "map_rules_print.h"
#include "miqps_utf8.h"


static void  learn_print_pattern(const learn_view_pattern_t *pattern,
    FILE *out);
static void  learn_print_defaults(const learn_view_pattern_t *pattern,
    FILE *out);
static int  learn_print_has(const learn_view_pattern_t *pattern,
    learn_map_verdict_e verdict);
static size_t  learn_print_plain(const miqps_str_t *text, size_t at);


void
learn_print_host(const learn_index_t *index, const learn_index_host_t *host,
    const learn_view_t *view, uint64_t time, FILE *out)
{
    size_t                     i, n;
    const learn_index_host_t  *mirrors;

    (void) fputs("{\"host\":", out);
    learn_print_host_name(host, out);

    mirrors = learn_index_mirrors(index, host->record, &n);

    for (i = 0; i < n; i++) {
        (void) fputs((i == 0) ? ",\"hosts\":[" : ",", out);
        learn_print_host_name(&mirrors[i], out);
    }

    if (n > 0) {
        (void) fputc(']', out);
    }

    (void) fputs(",\"patterns\":[", out);

    for (i = 0; i < view->npatterns; i++) {
        if (i > 0) {
            (void) fputc(',', out);
        }

        learn_print_pattern(&view->patterns[i], out);
    }

    (void) fputc(']', out);

    learn_print_rules(index->image, host->record, out);

    if (time != 0) {
        (void) fprintf(out, ",\"time\":%llu", (unsigned long long) time);
    }

    (void) fputs("}\n", out);
}


static void
learn_print_pattern(const learn_view_pattern_t *pattern, FILE *out)
{
    (void) fputs("{\"params\":", out);
    learn_print_names(pattern, LEARN_PRINT_ALL, out);

    (void) fputs(",\"keep\":", out);
    learn_print_names(pattern, LEARN_MAP_KEEP, out);

    if (learn_print_has(pattern, LEARN_MAP_CLIENT)) {
        (void) fputs(",\"client\":", out);
        learn_print_names(pattern, LEARN_MAP_CLIENT, out);
    }

    learn_print_defaults(pattern, out);

    if (pattern->path.len > 0) {
        (void) fputs(",\"path\":", out);
        learn_print_string(&pattern->path, out);
    }

    (void) fputc('}', out);
}


static void
learn_print_defaults(const learn_view_pattern_t *pattern, FILE *out)
{
    size_t                     n;
    uint32_t                   i;
    const learn_view_param_t  *param;

    n = 0;

    for (i = 0; i < pattern->nparams; i++) {
        param = &pattern->params[i];

        if (param->value.data == NULL) {
            continue;
        }

        (void) fputs((n++ == 0) ? ",\"defaults\":{" : ",", out);
        learn_print_string(&param->name, out);
        (void) fputc(':', out);
        learn_print_string(&param->value, out);
    }

    if (n > 0) {
        (void) fputc('}', out);
    }
}


static int
learn_print_has(const learn_view_pattern_t *pattern,
    learn_map_verdict_e verdict)
{
    uint32_t  i;

    for (i = 0; i < pattern->nparams; i++) {
        if (pattern->params[i].verdict == verdict) {
            return 1;
        }
    }

    return 0;
}


void
learn_print_names(const learn_view_pattern_t *pattern, int verdict, FILE *out)
{
    size_t    n;
    uint32_t  i;

    n = 0;

    (void) fputc('[', out);

    for (i = 0; i < pattern->nparams; i++) {
        if (verdict != LEARN_PRINT_ALL
            && (int) pattern->params[i].verdict != verdict)
        {
            continue;
        }

        if (n++ > 0) {
            (void) fputc(',', out);
        }

        learn_print_string(&pattern->params[i].name, out);
    }

    (void) fputc(']', out);
}


void
learn_print_host_name(const learn_index_host_t *host, FILE *out)
{
    char         text[MIQPS_MAX_HOST + 2];
    miqps_str_t  str;

    memcpy(text, "*.", 2);
    memcpy(text + 2, host->host.data, host->host.len);

    str.data = (const uint8_t *) text + (host->wildcard ? 0 : 2);
    str.len = host->host.len + (host->wildcard ? 2 : 0);

    learn_print_string(&str, out);
}


void
learn_print_string(const miqps_str_t *text, FILE *out)
{
    size_t   i, n;
    uint8_t  c;

    (void) fputc('"', out);

    for (i = 0; i < text->len; i += n) {
        n = learn_print_plain(text, i);

        if (n > 0) {
            (void) fwrite(text->data + i, 1, n, out);
            continue;
        }

        c = text->data[i];
        n = 1;

        if (c == '"' || c == '\\') {
            (void) fprintf(out, "\\%c", c);

        } else if (c < 0x80) {
            (void) fprintf(out, "\\u%04x", c);

        } else {
            (void) fputs("\\ufffd", out);
        }
    }

    (void) fputc('"', out);
}


/* how many bytes can be printed as they are */

static size_t
learn_print_plain(const miqps_str_t *text, size_t at)
{
    size_t   n, len;
    uint8_t  c;

    for (n = 0; at + n < text->len; n += len) {
        c = text->data[at + n];
        len = 1;

        if (c < ' ' || c == '"' || c == '\\' || c == 0x7f) {
            break;
        }

        if (c >= 0x80) {
            len = miqps_utf8_char(text->data + at + n, text->len - at - n);

            if (len == 0) {
                break;
            }
        }
    }

    return n;
}
