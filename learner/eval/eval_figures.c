
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <errno.h>
#include <stdlib.h>

#include "eval_report.h"
#include "learn.h"


/* what the lines of a figure are of */

typedef enum {
    LEARN_CURVE_QUALIFIED = 0,
    LEARN_CURVE_MICRO_COMPRESSION,
    LEARN_CURVE_MACRO_COMPRESSION,
    LEARN_CURVE_MICRO_REDUCTION,
    LEARN_CURVE_MACRO_REDUCTION
} learn_curve_e;


/* one picture of a figure: 10, 11 (a), 11 (b), 12 (a), 12 (b) */

typedef struct {
    const char      *title;
    learn_curve_e    curve;
    size_t           npoints;
    const char      *file;         /* of the figure that it begins, or NULL */
} learn_chart_t;


static const learn_chart_t  learn_charts[] = {
    { "Figure 10: qualified rate, %", LEARN_CURVE_QUALIFIED, LEARN_RATES,
      "figure-10.svg" },
    { "Figure 11 (a): compression, micro, %", LEARN_CURVE_MICRO_COMPRESSION,
      LEARN_LIMITS, "figure-11.svg" },
    { "Figure 11 (b): compression, macro, %", LEARN_CURVE_MACRO_COMPRESSION,
      LEARN_LIMITS, NULL },
    { "Figure 12 (a): dup-reduction, micro, %", LEARN_CURVE_MICRO_REDUCTION,
      LEARN_LIMITS, "figure-12.svg" },
    { "Figure 12 (b): dup-reduction, macro, %", LEARN_CURVE_MACRO_REDUCTION,
      LEARN_LIMITS, NULL }
};

#define LEARN_NCHARTS  (sizeof(learn_charts) / sizeof(learn_charts[0]))


/* pixels: a picture, and the part of it that has the curves */

#define LEARN_SVG_WIDTH    480
#define LEARN_SVG_HEIGHT   320
#define LEARN_SVG_LEFT     50
#define LEARN_SVG_TOP      40
#define LEARN_SVG_RIGHT    370
#define LEARN_SVG_BOTTOM   280

#define LEARN_BAR          40          /* characters */


static void  learn_figure_stages(const learn_eval_t *eval, FILE *out);
static void  learn_figure_chart(const learn_eval_t *eval,
    const learn_chart_t *chart, FILE *out);
static double  learn_figure_value(const learn_eval_t *eval,
    learn_method_e method, learn_curve_e curve, size_t limit);
static double  learn_figure_slowest(const learn_eval_t *eval);
static double  learn_figure_seconds(const learn_eval_t *eval,
    learn_method_e method, learn_stage_e stage);
static FILE  *learn_svg_open(const char *folder, const char *name,
    unsigned pictures);
static int  learn_svg_close(FILE *out, const char *folder, const char *name);
static void  learn_svg_stages(const learn_eval_t *eval, FILE *out);
static void  learn_svg_chart(const learn_eval_t *eval,
    const learn_chart_t *chart, unsigned picture, FILE *out);
static void  learn_svg_axes(double left, double most, FILE *out);
static double  learn_svg_x(size_t i, size_t n);


static const char  *learn_svg_colours[LEARN_METHODS] = {
    "#888888", "#d95f02", "#e6ab02", "#7570b3", "#1b9e77"
};


static const char  *learn_svg_shades[LEARN_STAGES] = {
    "#bbbbbb", "#1b9e77", "#7570b3", "#e6ab02", ""
};


void
learn_report_figures(const learn_eval_t *eval, FILE *out)
{
    size_t  i;

    learn_figure_stages(eval, out);

    for (i = 0; eval->sweep && i < LEARN_NCHARTS; i++) {
        learn_figure_chart(eval, &learn_charts[i], out);
    }
}


/* seconds for a site, on the average */

static void
learn_figure_stages(const learn_eval_t *eval, FILE *out)
{
    int             n;
    double          all, slowest;
    learn_stage_e   s;
    learn_method_e  m;

    slowest = learn_figure_slowest(eval);

    (void) fprintf(out, "\n%-11s", "Figure 9");

    for (s = LEARN_STAGE_SET; s < LEARN_STAGES; s++) {
        (void) fprintf(out, " %8s", learn_stage_name(s));
    }

    (void) fputs("  seconds a site, without apply\n", out);

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        if (!(eval->methods >> m & 1)) {
            continue;
        }

        all = 0;
        (void) fprintf(out, "%-11s", learn_method_name(m));

        for (s = LEARN_STAGE_SET; s < LEARN_STAGES; s++) {
            (void) fprintf(out, " %8.3f", learn_figure_seconds(eval, m, s));
            all += (s != LEARN_STAGE_APPLY) ? learn_figure_seconds(eval, m, s)
                                            : 0;
        }

        (void) fputs("  ", out);

        for (n = (slowest > 0) ? (int) (LEARN_BAR * all / slowest) : 0;
             n > 0; n--)
        {
            (void) fputc('#', out);
        }

        (void) fputc('\n', out);
    }
}


static double
learn_figure_slowest(const learn_eval_t *eval)
{
    double          all, slowest;
    learn_stage_e   s;
    learn_method_e  m;

    slowest = 0;

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        all = 0;

        for (s = LEARN_STAGE_SET; s < LEARN_STAGE_APPLY; s++) {
            all += learn_figure_seconds(eval, m, s);
        }

        slowest = (all > slowest) ? all : slowest;
    }

    return slowest;
}


static double
learn_figure_seconds(const learn_eval_t *eval, learn_method_e method,
    learn_stage_e stage)
{
    double  seconds;
    size_t  i;

    seconds = 0;

    for (i = 0; i < eval->nresults; i++) {
        seconds += eval->results[i].outcomes[method].seconds[stage];
    }

    return (eval->nresults > 0) ? seconds / (double) eval->nresults : 0;
}


static void
learn_figure_chart(const learn_eval_t *eval, const learn_chart_t *chart,
    FILE *out)
{
    size_t          i;
    learn_method_e  m;

    (void) fprintf(out, "\n%s\n%-7s", chart->title, "limit");

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        if (eval->methods >> m & 1) {
            (void) fprintf(out, " %10s", learn_method_name(m));
        }
    }

    (void) fputc('\n', out);

    for (i = 0; i < chart->npoints; i++) {
        (void) fprintf(out, "%-7g", learn_limits[i]);

        for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
            if (eval->methods >> m & 1) {
                (void) fprintf(out, " %10.2f",
                               learn_figure_value(eval, m, chart->curve, i));
            }
        }

        (void) fputc('\n', out);
    }
}


/* in percent */

static double
learn_figure_value(const learn_eval_t *eval, learn_method_e method,
    learn_curve_e curve, size_t limit)
{
    learn_sum_t  sum;

    if (curve == LEARN_CURVE_QUALIFIED) {
        return 100 * learn_eval_qualified(eval, method, limit);
    }

    learn_eval_sum(eval, method, limit, &sum);

    switch (curve) {

    case LEARN_CURVE_MICRO_COMPRESSION:
        return 100 * sum.micro.compression;

    case LEARN_CURVE_MACRO_COMPRESSION:
        return 100 * sum.macro.compression;

    case LEARN_CURVE_MICRO_REDUCTION:
        return 100 * sum.micro.reduction;

    default:
        return 100 * sum.macro.reduction;
    }
}


int
learn_report_svg(const learn_eval_t *eval, const char *folder)
{
    size_t       i;
    FILE        *out;
    unsigned     pictures;
    const char  *file;

    out = learn_svg_open(folder, "figure-9.svg", 1);

    if (out == NULL) {
        return 0;
    }

    learn_svg_stages(eval, out);

    if (!learn_svg_close(out, folder, "figure-9.svg")) {
        return 0;
    }

    for (i = 0; i < LEARN_NCHARTS; i += pictures) {
        file = learn_charts[i].file;
        pictures = (i + 1 < LEARN_NCHARTS && learn_charts[i + 1].file == NULL)
                   ? 2 : 1;
        out = learn_svg_open(folder, file, pictures);

        if (out == NULL) {
            return 0;
        }

        learn_svg_chart(eval, &learn_charts[i], 0, out);

        if (pictures > 1) {
            learn_svg_chart(eval, &learn_charts[i + 1], 1, out);
        }

        if (!learn_svg_close(out, folder, file)) {
            return 0;
        }
    }

    return 1;
}


static FILE *
learn_svg_open(const char *folder, const char *name, unsigned pictures)
{
    FILE    *out;
    char    *path;
    size_t   size;

    size = strlen(folder) + strlen(name) + 2;
    path = malloc(size);

    if (path == NULL) {
        learn_complain("eval: out of memory");
        return NULL;
    }

    (void) snprintf(path, size, "%s/%s", folder, name);
    out = fopen(path, "w");

    if (out == NULL) {
        learn_complain("eval: '%s': %s", path, strerror(errno));

    } else {
        (void) fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                       "width=\"%u\" height=\"%u\" font-family=\"sans-serif\""
                       " font-size=\"11\">\n"
                       "<rect width=\"100%%\" height=\"100%%\" "
                       "fill=\"white\"/>\n", pictures * LEARN_SVG_WIDTH,
                       LEARN_SVG_HEIGHT);
    }

    free(path);

    return out;
}


static int
learn_svg_close(FILE *out, const char *folder, const char *name)
{
    int  ok;

    (void) fputs("</svg>\n", out);
    ok = !ferror(out);

    if (fclose(out) != 0 || !ok) {
        learn_complain("eval: '%s/%s': %s", folder, name, strerror(errno));
        return 0;
    }

    return 1;
}


/* a bar for each method, of the stages one above the other */

static void
learn_svg_stages(const learn_eval_t *eval, FILE *out)
{
    double          most, x, y, height;
    unsigned        n, i;
    learn_stage_e   s;
    learn_method_e  m;

    most = learn_figure_slowest(eval);
    most = (most > 0) ? most : 1;
    n = 0;

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        n += eval->methods >> m & 1;
    }

    (void) fprintf(out, "<text x=\"%d\" y=\"20\">Figure 9: seconds a site"
                   "</text>\n", LEARN_SVG_LEFT);
    learn_svg_axes(0, most, out);

    for (m = LEARN_METHOD_DUST, i = 0; m < LEARN_METHODS; m++) {
        if (!(eval->methods >> m & 1)) {
            continue;
        }

        x = LEARN_SVG_LEFT + (LEARN_SVG_RIGHT - LEARN_SVG_LEFT) * (i + 0.2)
                             / n;
        y = LEARN_SVG_BOTTOM;

        for (s = LEARN_STAGE_SET; s < LEARN_STAGE_APPLY; s++) {
            height = (LEARN_SVG_BOTTOM - LEARN_SVG_TOP)
                     * learn_figure_seconds(eval, m, s) / most;
            y -= height;

            (void) fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                           "height=\"%.1f\" fill=\"%s\"/>\n", x, y,
                           (LEARN_SVG_RIGHT - LEARN_SVG_LEFT) * 0.6 / n,
                           height, learn_svg_shades[s]);
        }

        (void) fprintf(out, "<text x=\"%.1f\" y=\"%d\">%s</text>\n", x,
                       LEARN_SVG_BOTTOM + 15, learn_method_name(m));
        i++;
    }

    for (s = LEARN_STAGE_SET; s < LEARN_STAGE_APPLY; s++) {
        (void) fprintf(out, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n",
                       LEARN_SVG_RIGHT + 15, LEARN_SVG_TOP + 15 * (int) s,
                       learn_svg_shades[s], learn_stage_name(s));
    }
}


/* limits are as far apart as they are many: 0.1 and 0.2 as 0 and 0.01 */

static void
learn_svg_chart(const learn_eval_t *eval, const learn_chart_t *chart,
    unsigned picture, FILE *out)
{
    double          most, value, left;
    size_t          i;
    learn_method_e  m;

    most = 1;
    left = picture * LEARN_SVG_WIDTH;

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        for (i = 0; (eval->methods >> m & 1) && i < chart->npoints; i++) {
            value = learn_figure_value(eval, m, chart->curve, i);
            most = (value > most) ? value : most;
        }
    }

    (void) fprintf(out, "<text x=\"%.0f\" y=\"20\">%s</text>\n",
                   left + LEARN_SVG_LEFT, chart->title);
    learn_svg_axes(left, most, out);

    for (i = 0; i < chart->npoints; i += (chart->npoints > 12) ? 3 : 2) {
        (void) fprintf(out, "<text x=\"%.1f\" y=\"%d\" "
                       "text-anchor=\"middle\">%g</text>\n",
                       left + learn_svg_x(i, chart->npoints),
                       LEARN_SVG_BOTTOM + 15, learn_limits[i]);
    }

    for (m = LEARN_METHOD_DUST; m < LEARN_METHODS; m++) {
        if (!(eval->methods >> m & 1)) {
            continue;
        }

        (void) fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" "
                       "stroke-width=\"2\" points=\"", learn_svg_colours[m]);

        for (i = 0; i < chart->npoints; i++) {
            value = learn_figure_value(eval, m, chart->curve, i);

            (void) fprintf(out, "%s%.1f,%.1f", (i > 0) ? " " : "",
                           left + learn_svg_x(i, chart->npoints),
                           LEARN_SVG_BOTTOM
                           - (LEARN_SVG_BOTTOM - LEARN_SVG_TOP) * value
                             / most);
        }

        (void) fprintf(out, "\"/>\n<text x=\"%.0f\" y=\"%d\" fill=\"%s\">%s"
                       "</text>\n", left + LEARN_SVG_RIGHT + 15,
                       LEARN_SVG_TOP + 15 * (int) m, learn_svg_colours[m],
                       learn_method_name(m));
    }
}


static double
learn_svg_x(size_t i, size_t n)
{
    return LEARN_SVG_LEFT + (double) (LEARN_SVG_RIGHT - LEARN_SVG_LEFT)
                            * (double) i / (double) (n - 1);
}


static void
learn_svg_axes(double left, double most, FILE *out)
{
    int  i;

    for (i = 0; i <= 4; i++) {
        (void) fprintf(out, "<path d=\"M%.0f %d H%.0f\" stroke=\"#cccccc\"/>\n"
                       "<text x=\"%.0f\" y=\"%d\" text-anchor=\"end\">%.3g"
                       "</text>\n", left + LEARN_SVG_LEFT,
                       LEARN_SVG_BOTTOM
                       - (LEARN_SVG_BOTTOM - LEARN_SVG_TOP) * i / 4,
                       left + LEARN_SVG_RIGHT, left + LEARN_SVG_LEFT - 5,
                       LEARN_SVG_BOTTOM + 4
                       - (LEARN_SVG_BOTTOM - LEARN_SVG_TOP) * i / 4,
                       most * i / 4);
    }
}
