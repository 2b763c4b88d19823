#include "tui/view/columns.h"

#include "model/base/strbuf.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/render/facts.h"
#include "tui/explorer/news.h"
#include "tui/text/style.h"
#include "tui/text/text.h"

#define TEXT_LEAST  40
#define ANSWER_FROM 56 /* a text with so many columns gives some to the answer */

/* ---- which kind has which ---- */

struct set {
    uint8_t column[10]; /* in the order of the screen, END after the last */
    uint8_t drop[10];   /* those of them that give way, in their order: */
    int soft;           /* the first so many of them to an answer beside the text, */
    int least;          /* all of them to so many columns of text */
    const char *aspect; /* what the column of that name is called; NULL: there is none */
};

#define END COLUMN_COUNT
/* What stands by itself has no justifications, and what it is sure of is all alike. */
#define PLAIN COLUMN_CONFIDENCE, COLUMN_HISTORY, COLUMN_HOLDS
#define TAIL  COLUMN_SOURCE, COLUMN_AGENT, COLUMN_AGE, END
#define FIRST COLUMN_HISTORY, COLUMN_AGENT, COLUMN_SOURCE, COLUMN_HOLDS, COLUMN_AGE

static const struct set any_kind = {
    {PLAIN, COLUMN_KIND, TAIL}, {FIRST, COLUMN_KIND, COLUMN_CONFIDENCE, END}, .least = TEXT_LEAST};
static const struct set most_kinds = {
    {PLAIN, TAIL}, {FIRST, COLUMN_CONFIDENCE, END}, .least = TEXT_LEAST};

static const struct set sets[KIND_COUNT] = {
    [KIND_RAW] = {{TAIL}, {COLUMN_AGENT, COLUMN_SOURCE, COLUMN_AGE, END}, .least = TEXT_LEAST},
    [KIND_ENTRY] = {{TAIL}, {COLUMN_AGENT, COLUMN_SOURCE, COLUMN_AGE, END}, .least = TEXT_LEAST},
    [KIND_EPISODE] = {{PLAIN, COLUMN_ASPECT, TAIL},
                      {COLUMN_ASPECT, FIRST, COLUMN_CONFIDENCE, END},
                      .least = TEXT_LEAST,
                      .aspect = "outcome"},
    [KIND_NOTE] = {{PLAIN, COLUMN_ASPECT, TAIL},
                   {COLUMN_ASPECT, FIRST, COLUMN_CONFIDENCE, END},
                   .least = TEXT_LEAST,
                   .aspect = "type"},
    [KIND_ATTRIBUTION] = {{COLUMN_ORIGIN, COLUMN_RETRIEVED, COLUMN_AGENT, COLUMN_URI, END},
                          {COLUMN_AGENT, COLUMN_URI, COLUMN_RETRIEVED, COLUMN_ORIGIN, END},
                          .least = 24},
    [KIND_DOCUMENT] = {{COLUMN_USES, COLUMN_SOURCE, COLUMN_AGENT, COLUMN_AGE, END},
                       {COLUMN_SOURCE, COLUMN_AGENT, COLUMN_AGE, COLUMN_USES, END},
                       .least = TEXT_LEAST},
    [KIND_CHAIN] = {{COLUMN_STATE, COLUMN_CONFIDENCE, COLUMN_STEPS, COLUMN_SOURCES, COLUMN_TIME,
                     COLUMN_ASPECT, COLUMN_AGENT, COLUMN_AGE, END},
                    {COLUMN_ASPECT, COLUMN_AGENT, COLUMN_TIME, COLUMN_SOURCES, COLUMN_AGE,
                     COLUMN_STEPS, COLUMN_STATE, COLUMN_CONFIDENCE, END},
                    .soft = 2,
                    .least = TEXT_LEAST,
                    .aspect = "strategy"},
    [KIND_STEP] = {{COLUMN_NUMBER, COLUMN_CONFIDENCE, COLUMN_SOURCES, COLUMN_CHAIN, COLUMN_AGENT,
                    COLUMN_AGE, END},
                   {COLUMN_AGENT, COLUMN_SOURCES, COLUMN_AGE, COLUMN_CHAIN, COLUMN_CONFIDENCE,
                    COLUMN_NUMBER, END},
                   .soft = 1,
                   .least = TEXT_LEAST},
    [KIND_CITATION] = {{COLUMN_SCORE, COLUMN_AGENT, COLUMN_AGE, COLUMN_PLACE, END},
                       {COLUMN_AGENT, COLUMN_AGE, COLUMN_PLACE, COLUMN_SCORE, END},
                       .least = 24},
};

static const struct set *set_of(int root)
{
    if (root < 0 || root >= KIND_COUNT)
        return &any_kind;
    return sets[root].least ? &sets[root] : &most_kinds;
}

/* ---- where they stand ---- */

struct row;

/* A column: what it is called, how wide it is, on which side it stands, and what draws it. */
static const struct column_spec {
    const char *name;
    uint8_t width;
    bool right;
    void (*draw)(const struct row *row);
} specs[COLUMN_COUNT];

/* Some have more room where there is more. */
static int width_of(const struct columns *c, enum column column, int width)
{
    if (column == COLUMN_AGE)
        return c->age_width;
    if (column == COLUMN_RETRIEVED)
        return c->age_width < 9 ? 9 : c->age_width;
    if ((column == COLUMN_URI || column == COLUMN_PLACE) && width / 4 > specs[column].width)
        return width / 4;
    return specs[column].width;
}

static bool wanted(const struct app *x, enum column column)
{
    return column != COLUMN_AGENT || (!x->prefs.agent && x->prefs.agents > 1);
}

struct columns columns_fit(const struct app *x, int width, int root)
{
    const struct set *set = set_of(root);
    struct columns c = {.mark = 2, .label = 3, .age_width = x->prefs.exact_times ? 19 : 4};
    bool on[COLUMN_COUNT] = {false};
    int taken = 6, at = c.label + 3;
    for (size_t i = 0; set->column[i] != END; i++) {
        on[set->column[i]] = wanted(x, set->column[i]);
        taken += on[set->column[i]] ? width_of(&c, set->column[i], width) + 2 : 0;
    }
    for (size_t i = 0; set->drop[i] != END; i++) {
        if (width - taken >= ((int)i < set->soft ? ANSWER_FROM : set->least))
            continue;
        taken -= on[set->drop[i]] ? width_of(&c, set->drop[i], width) + 2 : 0;
        on[set->drop[i]] = false;
    }
    for (size_t i = 0; set->column[i] != END; i++) {
        if (!on[set->column[i]])
            continue;
        c.at[set->column[i]] = at;
        at += width_of(&c, set->column[i], width) + 2;
    }
    c.text = at;
    c.width = width;
    if (set->soft && width - at >= ANSWER_FROM)
        c.answer = at + (width - at) * 5 / 9;
    return c;
}

static const char *name_of(const struct app *x, enum column column, int root)
{
    if (column == COLUMN_ASPECT)
        return set_of(root)->aspect;
    if (column == COLUMN_AGE)
        return x->prefs.exact_times ? "created" : "age";
    return specs[column].name;
}

void columns_draw_header(const struct app *x, const struct columns *c, const struct pane *p,
                         int root)
{
    const char *text = root < 0 || root >= KIND_COUNT ? "text" : kind_spec((enum kind)root)->text;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        enum column column = (enum column)i;
        int width = width_of(c, column, c->width);
        const char *name = c->at[i] ? name_of(x, column, root) : NULL;
        if (name && specs[column].right)
            paint_right(p, 0, c->at[i], width, STYLE_HEADER, name);
        else if (name)
            paint_text(p, 0, c->at[i], width + 1, STYLE_HEADER, name);
    }
    int end = c->answer ? c->answer - 1 : c->width;
    paint_text(p, 0, c->text, end - c->text, STYLE_HEADER, text);
    if (c->answer)
        paint_text(p, 0, c->answer, c->width - c->answer, STYLE_HEADER, "answer");
}

/* ---- a row ---- */

struct row {
    struct app *app;
    const struct columns *columns;
    const struct pane *pane;
    const struct memory_row *memory;
    const struct detail *detail; /* NULL: not known yet */
};

static const struct kind_detail *more_of(const struct row *row)
{
    return row->detail && row->detail->more.known ? &row->detail->more : NULL;
}

static void put(const struct row *row, enum column column, enum style style, const char *text)
{
    int at = row->columns->at[column], width = width_of(row->columns, column, row->columns->width);
    if (specs[column].right)
        paint_right(row->pane, 0, at, width, style, text);
    else
        paint_text(row->pane, 0, at, width, style, text);
}

static void put_count(const struct row *row, enum column column, size_t count, bool more)
{
    char number[32];
    snprintf(number, sizeof(number), "%zu%s", count, more ? "+" : "");
    put(row, column, STYLE_NUMBER, number);
}

static void draw_confidence(const struct row *row)
{
    char number[32];
    bool chain = row->memory->ref.kind == KIND_CHAIN;
    const struct kind_detail *k = chain ? more_of(row) : NULL;
    double confidence = k ? k->chain.confidence : chain ? NAN : row->memory->confidence;
    snprintf(number, sizeof(number), "%.2f", confidence);
    if (row->memory->status != STATUS_MISSING && confidence == confidence)
        put(row, COLUMN_CONFIDENCE, STYLE_NUMBER, number);
}

static void draw_history(const struct row *row)
{
    const struct detail *d = row->detail;
    char levels[DETAIL_LEVELS * 4 + 1] = "";
    size_t len = 0;
    if (!d || d->level_count == 0)
        return; /* it never changed */
    for (int i = 0; i < DETAIL_LEVELS; i++) {
        int from_end = DETAIL_LEVELS - 1 - i;
        int at = from_end < d->level_count ? d->level_count - 1 - from_end : 0;
        len += (size_t)snprintf(levels + len, sizeof(levels) - len, "%s",
                                level_glyph(&row->app->ui.screen, (double)d->level[at]));
    }
    put(row, COLUMN_HISTORY, STYLE_NUMBER, levels);
}

static void draw_holds(const struct row *row)
{
    const struct detail *d = row->detail;
    char holds[32];
    if (!d || d->label.label >= LABEL_COUNT)
        return;
    if (d->label.justs == 0)
        snprintf(holds, sizeof(holds), "%s", row->pane->screen->utf8 ? "–" : "-");
    else
        snprintf(holds, sizeof(holds), "%u/%u", d->label.holds, d->label.justs);
    put(row, COLUMN_HOLDS, STYLE_NUMBER, holds);
}

static void draw_kind(const struct row *row)
{
    put(row, COLUMN_KIND, STYLE_SOURCE, kind_name(row->memory->ref.kind));
}

/* An outcome, or a type. */
static void draw_aspect(const struct row *row)
{
    bool typed = row->columns->at[COLUMN_ORIGIN];
    if (row->detail)
        put(row, typed ? COLUMN_ORIGIN : COLUMN_ASPECT, STYLE_SOURCE, row->detail->aspect);
}

static void draw_source(const struct row *row)
{
    if (row->memory->source_type)
        put(row, COLUMN_SOURCE, STYLE_SOURCE, source_type_label(row->memory->source_type));
}

static void draw_agent(const struct row *row)
{
    put(row, COLUMN_AGENT, STYLE_SOURCE, row->memory->agent_id);
}

static void draw_age(const struct row *row)
{
    char age[32];
    struct facts_look look = ages_look(&row->app->ui);
    int64_t at =
        row->app->prefs.order == ORDER_UPDATED ? row->memory->updated_at : row->memory->created_at;
    facts_when(age, sizeof(age), at, &look);
    if (at > 0)
        put(row, COLUMN_AGE, STYLE_AGE, age);
}

static void draw_state(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    static const enum style styles[] = {[CHAIN_RUNNING] = STYLE_CHIP,
                                        [CHAIN_FINISHED] = STYLE_SOURCE,
                                        [CHAIN_ABANDONED] = STYLE_WEAKENED};
    if (k)
        put(row, COLUMN_STATE, styles[k->chain.state], chain_state_name(k->chain.state));
}

static void draw_steps(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    if (k)
        put_count(row, COLUMN_STEPS, k->chain.steps, false);
}

static void draw_sources(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    if (k)
        put_count(row, COLUMN_SOURCES,
                  row->memory->ref.kind == KIND_STEP ? k->step.sources : k->chain.sources, false);
}

static void draw_time(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    char time[24] = "";
    if (!k)
        return;
    seconds_text(time, k->chain.time);
    put(row, COLUMN_TIME, STYLE_NUMBER, time);
}

static void draw_number(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    if (k && k->step.number > 0)
        put_count(row, COLUMN_NUMBER, (size_t)k->step.number, false);
}

static void draw_chain(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    const struct memory_row *chain = k ? details_row(row->app, k->step.chain) : NULL;
    struct strbuf ref = STRBUF_INIT;
    if (chain)
        details_ref(row->app, chain, &ref);
    put(row, COLUMN_CHAIN, STYLE_REF, ref.buf);
    strbuf_release(&ref);
}

static void draw_score(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    struct strbuf score = STRBUF_INIT;
    if (!k)
        return;
    score_add(&score, k->citation.relevance, k->citation.origin);
    put(row, COLUMN_SCORE, score_style(k->citation.relevance, k->citation.origin), score.buf);
    strbuf_release(&score);
}

static void draw_uses(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    if (k)
        put_count(row, COLUMN_USES, k->document.uses, k->document.bounded);
}

static void draw_retrieved(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    char when[32];
    struct facts_look look = ages_look(&row->app->ui);
    if (!k)
        return;
    bool suspect = facts_when_retrieved(when, sizeof(when), k->attribution.at, &look);
    put(row, COLUMN_RETRIEVED, suspect ? STYLE_UNGROUNDED : STYLE_AGE, when);
}

static void draw_uri(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    if (k)
        put(row, COLUMN_URI, STYLE_SOURCE, k->text);
}

/* A name that is too long gives way, and where in it does not: "Incident rep…, page 3". */
static void draw_place(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    int at = row->columns->at[COLUMN_PLACE], name;
    int width = width_of(row->columns, COLUMN_PLACE, row->columns->width);
    if (!k)
        return;
    int place = (int)text_width(k->place, strlen(k->place), (size_t)width * 2 / 3, 0);
    place = place < width * 2 / 3 ? place : width * 2 / 3;
    name = paint_text(row->pane, 0, at, width - (place ? place + 2 : 0), STYLE_SOURCE, k->text);
    if (place && paint_text(row->pane, 0, at + name, 1, STYLE_SOURCE, ","))
        paint_text(row->pane, 0, at + name + 2, place, STYLE_SOURCE, k->place);
}

static const struct column_spec specs[COLUMN_COUNT] = {
    [COLUMN_STATE] = {"state", 9, false, draw_state},
    [COLUMN_NUMBER] = {"step", 4, true, draw_number},
    [COLUMN_CHAIN] = {"chain", 14, false, draw_chain},
    [COLUMN_SCORE] = {"score", 5, true, draw_score},
    [COLUMN_USES] = {"uses", 5, true, draw_uses},
    [COLUMN_ORIGIN] = {"type", 13, false, draw_aspect},
    [COLUMN_RETRIEVED] = {"retrieved", 9, true, draw_retrieved},
    [COLUMN_URI] = {"URI", 20, false, draw_uri},
    [COLUMN_PLACE] = {"cites", 26, false, draw_place},
    [COLUMN_CONFIDENCE] = {"conf", 4, true, draw_confidence},
    [COLUMN_HISTORY] = {"history", 7, false, draw_history},
    [COLUMN_HOLDS] = {"holds", 5, true, draw_holds},
    [COLUMN_KIND] = {"kind", 12, false, draw_kind},
    [COLUMN_ASPECT] = {NULL, 12, false, draw_aspect},
    [COLUMN_STEPS] = {"steps", 5, true, draw_steps},
    [COLUMN_SOURCES] = {"sources", 7, true, draw_sources},
    [COLUMN_TIME] = {"time", SECONDS_WIDTH, true, draw_time},
    [COLUMN_SOURCE] = {"source", 13, false, draw_source},
    [COLUMN_AGENT] = {"agent", 10, false, draw_agent},
    [COLUMN_AGE] = {"age", 4, true, draw_age},
};

static void draw_label(const struct row *row)
{
    const struct detail *d = row->detail;
    if (!STATUS_LIVES(row->memory->status))
        paint_label(row->pane, 0, row->columns->label, LABEL_GONE);
    else if (d && d->label.label < LABEL_COUNT)
        paint_label(row->pane, 0, row->columns->label, d->label.label);
}

static void draw_missing(const struct row *row, int room)
{
    struct strbuf ref = STRBUF_INIT;
    details_ref(row->app, row->memory, &ref);
    strbuf_addstr(&ref, " is not in this store");
    paint_text(row->pane, 0, row->columns->text, room, STYLE_DIM, ref.buf);
    strbuf_release(&ref);
}

static void draw_text(const struct row *row, const char *pattern, int pan)
{
    const struct memory_row *m = row->memory;
    int at = row->columns->text;
    int room = (row->columns->answer ? row->columns->answer - 1 : row->columns->width) - at - 1;
    if (m->status == STATUS_MISSING) {
        draw_missing(row, room);
        return;
    }
    if (m->status != STATUS_ACTIVE) {
        int taken = paint_format(row->pane, 0, at, room, STYLE_DIM, "%s %s", status_name(m->status),
                                 glyph_text(&row->app->ui.screen, GLYPH_DOT));
        at += taken + 1;
        room -= taken + 1;
    }
    const struct kind_detail *k = more_of(row);
    if (k && m->ref.kind == KIND_DOCUMENT && k->document.changed) {
        int taken = paint_format(row->pane, 0, at, room, STYLE_CHIP, "changed %s",
                                 glyph_text(&row->app->ui.screen, GLYPH_DOT));
        at += taken + 1;
        room -= taken + 1;
    }
    if (!m->text)
        return;
    size_t len = strlen(m->text), from = paint_skip(row->pane, m->text, len, pan);
    int taken =
        paint_matched(row->pane, 0, at, room, STATUS_LIVES(m->status) ? STYLE_TEXT : STYLE_DIM,
                      m->text + from, len - from, pattern);
    if (m->text_cut && taken < room) /* few columns for many bytes, and there are more */
        paint_text(row->pane, 0, at + taken, 1, STYLE_TEXT,
                   glyph_text(&row->app->ui.screen, GLYPH_ELLIPSIS));
}

static void draw_answer(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    int at = row->columns->answer;
    if (k)
        paint_text(row->pane, 0, at, row->columns->width - at - 1, STYLE_DIM, k->text);
}

void columns_draw_row(struct app *x, const struct columns *c, const struct pane *pane, int64_t node,
                      const char *pattern, int pan)
{
    struct row row = {x, c, pane, details_row(x, node), details_of(x, node)};
    if (marks_has(&x->ui.marks, node))
        paint_text(pane, 0, c->mark, 1, STYLE_MARK, "*");
    if (!row.memory) {
        paint_text(pane, 0, c->text, c->width - c->text, STYLE_ERROR, "cannot be read");
        return;
    }
    news_draw(x, pane, c->label + 1, row.memory);
    draw_label(&row);
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (c->at[i])
            specs[i].draw(&row);
    draw_text(&row, pattern, pan);
    if (c->answer)
        draw_answer(&row);
}
