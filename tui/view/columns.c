#include "tui/view/columns.h"

#include "model/base/strbuf.h"
#include "store/lineage/effective.h"
#include "store/search/search.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/text/match.h"
#include "tui/render/facts.h"
#include "tui/text/style.h"
#include "tui/text/text.h"
#include "tui/view/memory/list_line.h"

#define TEXT_MIN    40
#define ANSWER_FROM 56 /* a wider text shares its columns with the answer */

/* ---- columns of each kind ---- */

struct set {
    uint8_t column[12];  /* in the order on the screen; END after the last */
    uint8_t drop[12];    /* columns to drop, in this order */
    int soft;            /* the first `soft` of them are dropped for an answer next to the text */
    int least;           /* all may be dropped to give the text `least` columns */
    const char *subtype; /* header of the subtype column; NULL if there is none */
};

#define END COLUMN_COUNT
/* Columns of kinds that have justifications and varying confidence. */
#define PLAIN COLUMN_CONFIDENCE, COLUMN_HISTORY, COLUMN_SUPPORT
#define TAIL  COLUMN_FLAGS, COLUMN_SOURCE, COLUMN_AGENT, COLUMN_AGE, END
#define COSTS COLUMN_TOKENS, COLUMN_OPENED
#define FIRST                                                                                      \
    COLUMN_HISTORY, COSTS, COLUMN_AGENT, COLUMN_SOURCE, COLUMN_SUPPORT, COLUMN_AGE, COLUMN_FLAGS

static const struct set any_kind = {
    {PLAIN, COLUMN_KIND, TAIL}, {FIRST, COLUMN_KIND, COLUMN_CONFIDENCE, END}, .least = TEXT_MIN};
static const struct set most_kinds = {
    {PLAIN, COSTS, TAIL}, {FIRST, COLUMN_CONFIDENCE, END}, .least = TEXT_MIN};

static const struct set sets[KIND_COUNT] = {
    [KIND_RAW] = {{TAIL},
                  {COLUMN_AGENT, COLUMN_SOURCE, COLUMN_AGE, COLUMN_FLAGS, END},
                  .least = TEXT_MIN},
    [KIND_ENTRY] = {{TAIL},
                    {COLUMN_AGENT, COLUMN_SOURCE, COLUMN_AGE, COLUMN_FLAGS, END},
                    .least = TEXT_MIN},
    [KIND_EPISODE] = {{PLAIN, COLUMN_SUBTYPE, TAIL},
                      {COLUMN_SUBTYPE, FIRST, COLUMN_CONFIDENCE, END},
                      .least = TEXT_MIN,
                      .subtype = "outcome"},
    [KIND_NOTE] = {{PLAIN, COSTS, COLUMN_SUBTYPE, TAIL},
                   {COLUMN_SUBTYPE, FIRST, COLUMN_CONFIDENCE, END},
                   .least = TEXT_MIN,
                   .subtype = "type"},
    [KIND_ATTRIBUTION] = {{COLUMN_ORIGIN, COLUMN_RETRIEVED, COLUMN_FLAGS, COLUMN_AGENT, COLUMN_URI,
                           END},
                          {COLUMN_AGENT, COLUMN_FLAGS, COLUMN_URI, COLUMN_RETRIEVED, COLUMN_ORIGIN,
                           END},
                          .least = 24},
    [KIND_DOCUMENT] = {{COLUMN_USES, COLUMN_FLAGS, COLUMN_SOURCE, COLUMN_AGENT, COLUMN_AGE, END},
                       {COLUMN_SOURCE, COLUMN_AGENT, COLUMN_AGE, COLUMN_FLAGS, COLUMN_USES, END},
                       .least = TEXT_MIN},
    [KIND_CHAIN] = {{COLUMN_STATE, COLUMN_CONFIDENCE, COLUMN_STEPS, COLUMN_SOURCES, COLUMN_TIME,
                     COLUMN_FLAGS, COLUMN_SUBTYPE, COLUMN_AGENT, COLUMN_AGE, END},
                    {COLUMN_SUBTYPE, COLUMN_AGENT, COLUMN_TIME, COLUMN_SOURCES, COLUMN_AGE,
                     COLUMN_FLAGS, COLUMN_STEPS, COLUMN_STATE, COLUMN_CONFIDENCE, END},
                    .soft = 2,
                    .least = TEXT_MIN,
                    .subtype = "strategy"},
    [KIND_STEP] = {{COLUMN_NUMBER, COLUMN_CONFIDENCE, COLUMN_SOURCES, COLUMN_FLAGS, COLUMN_CHAIN,
                    COLUMN_AGENT, COLUMN_AGE, END},
                   {COLUMN_AGENT, COLUMN_SOURCES, COLUMN_AGE, COLUMN_FLAGS, COLUMN_CHAIN,
                    COLUMN_CONFIDENCE, COLUMN_NUMBER, END},
                   .soft = 1,
                   .least = TEXT_MIN},
    [KIND_CITATION] = {{COLUMN_SCORE, COLUMN_FLAGS, COLUMN_AGENT, COLUMN_AGE, COLUMN_PLACE, END},
                       {COLUMN_AGENT, COLUMN_AGE, COLUMN_FLAGS, COLUMN_PLACE, COLUMN_SCORE, END},
                       .least = 24},
};

static const struct set *set_of(int root)
{
    if (root < 0 || root >= KIND_COUNT)
        return &any_kind;
    return sets[root].least ? &sets[root] : &most_kinds;
}

/* ---- positions ---- */

/* A column: header, width, and side. */
static const struct column_spec {
    const char *name;
    uint8_t width;
    bool right;
} specs[COLUMN_COUNT] = {
    [COLUMN_STATE] = {"state", 9, false},
    [COLUMN_NUMBER] = {"step", 4, true},
    [COLUMN_CHAIN] = {"chain", 14, false},
    [COLUMN_SCORE] = {"score", 5, true},
    [COLUMN_USES] = {"uses", 5, true},
    [COLUMN_ORIGIN] = {"type", 13, false},
    [COLUMN_RETRIEVED] = {"retrieved", 9, true},
    [COLUMN_URI] = {"URI", 20, false},
    [COLUMN_PLACE] = {"cites", 26, false},
    [COLUMN_CONFIDENCE] = {"conf", 4, true},
    [COLUMN_HISTORY] = {"history", 7, false},
    [COLUMN_SUPPORT] = {"support", 7, true},
    [COLUMN_FLAGS] = {"flags", 5, false},
    [COLUMN_KIND] = {"kind", 12, false},
    [COLUMN_SUBTYPE] = {NULL, 12, false},
    [COLUMN_STEPS] = {"steps", 5, true},
    [COLUMN_SOURCES] = {"sources", 7, true},
    [COLUMN_TIME] = {"time", SECONDS_WIDTH, true},
    [COLUMN_TOKENS] = {"tokens", 6, true},
    [COLUMN_OPENED] = {"opened", 6, true},
    [COLUMN_SOURCE] = {"source", 13, false},
    [COLUMN_AGENT] = {"agent", 10, false},
    [COLUMN_AGE] = {"age", 4, true},
    [COLUMN_LOSES] = {"loses", 7, true},
};

/* Some columns are wider if there is room. */
static int width_of(const struct columns *c, enum column column, int width)
{
    if (column == COLUMN_AGE)
        return c->age_width;
    if (column == COLUMN_CONFIDENCE && c->by_trust)
        return 5;
    if (column == COLUMN_RETRIEVED)
        return c->age_width < 9 ? 9 : c->age_width;
    if (column == COLUMN_OPENED)
        return c->age_width < 6 ? 6 : c->age_width;
    if ((column == COLUMN_URI || column == COLUMN_PLACE) && width / 4 > specs[column].width)
        return width / 4;
    return specs[column].width;
}

/* Only memory files, of which transcripts tell, have these. */
static bool is_cost(enum column column)
{
    return column == COLUMN_TOKENS || column == COLUMN_OPENED;
}

/* Starts with all columns of the kind, drops them in the kind's order until the text has room, and places the rest. */
struct columns columns_fit(const struct prefs *prefs, int width, int root)
{
    const struct set *set = set_of(root);
    struct columns c = {.label = 3,
                        .age_width = prefs->exact_times ? 19 : 4,
                        .by_trust = prefs->order == ORDER_TRUST};
    bool on[COLUMN_COUNT] = {false};
    int at = c.label + 3;
    if (prefs->order == ORDER_KEYSTONES) {
        c.at[COLUMN_LOSES] = at;
        at += specs[COLUMN_LOSES].width + 2;
    }
    int taken = at;
    bool agents = !prefs->agent && prefs->agents > 1;
    for (size_t i = 0; set->column[i] != END; i++) {
        on[set->column[i]] = is_cost(set->column[i]) ? prefs->has_transcripts
                                                     : agents || set->column[i] != COLUMN_AGENT;
        taken += on[set->column[i]] ? width_of(&c, set->column[i], width) + 2 : 0;
    }
    for (size_t i = 0; set->drop[i] != END; i++) {
        bool stays = prefs->costs_stay && is_cost(set->drop[i]);
        if (stays || width - taken >= ((int)i < set->soft ? ANSWER_FROM : set->least))
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

static const char *name_of(const struct prefs *prefs, enum column column, int root)
{
    if (column == COLUMN_SUBTYPE)
        return set_of(root)->subtype;
    if (column == COLUMN_AGE)
        return prefs->exact_times ? "created" : "age";
    if (column == COLUMN_CONFIDENCE && prefs->order == ORDER_TRUST)
        return "trust";
    return specs[column].name;
}

void columns_draw_header(const struct prefs *prefs, const struct columns *c, const struct pane *p,
                         int root)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        enum column column = (enum column)i;
        int width = width_of(c, column, c->width);
        const char *name = c->at[i] ? name_of(prefs, column, root) : NULL;
        if (name && specs[column].right)
            paint_right(p, 0, c->at[i], width, STYLE_HEADER, name);
        else if (name)
            paint_text(p, 0, c->at[i], width + 1, STYLE_HEADER, name);
    }
    int end = c->answer ? c->answer - 1 : c->width;
    paint_text(p, 0, c->text, end - c->text, STYLE_HEADER, "text");
    if (c->answer)
        paint_text(p, 0, c->answer, c->width - c->answer, STYLE_HEADER, "answer");
}

/* ---- a row ---- */

struct row {
    struct app *app;
    const struct columns *columns;
    const struct pane *pane;
    const struct memory_row *memory;
    const struct detail *detail; /* NULL if not read yet */
};

static const struct kind_detail *more_of(const struct row *row)
{
    return row->detail && row->detail->more.known ? &row->detail->more : NULL;
}

static void add_confidence(const struct row *row, struct strbuf *out)
{
    enum kind kind = row->memory->ref.kind;
    const struct kind_detail *k = more_of(row);
    const struct row_label *label = details_label(row->detail);
    if (!label || (kind == KIND_CHAIN && !k) || row->memory->status == STATUS_MISSING)
        return;
    if (row->columns->by_trust) {
        strbuf_addf(out, "%.2f", label->trust);
        return;
    }
    double confidence = k ? kind_confidence(k, kind, label) : effective_shown(label);
    if (confidence == confidence)
        strbuf_addf(out, "%s%.2f", row->memory->has_default ? "=" : "", confidence);
}

static void add_history(const struct row *row, const struct detail *d, struct strbuf *out)
{
    if (d->level_count == 0)
        return; /* no change to show */
    for (int i = 0; i < DETAIL_LEVELS; i++) {
        int from_end = DETAIL_LEVELS - 1 - i;
        int at = from_end < d->level_count ? d->level_count - 1 - from_end : 0;
        strbuf_addstr(out, level_glyph(&row->app->ui.screen, (double)d->level[at]));
    }
}

static enum style add_when(const struct row *row, enum column column, int64_t at,
                           struct strbuf *out)
{
    char when[40];
    struct page_options options = ages_options(&row->app->ui);
    bool suspect = false;
    if (column == COLUMN_RETRIEVED)
        suspect = facts_when_retrieved(when, sizeof(when), at, &options);
    else
        facts_when(when, sizeof(when), at, &options);
    if (at > 0 || column == COLUMN_RETRIEVED)
        strbuf_addstr(out, when);
    return suspect ? STYLE_UNSUPPORTED : STYLE_AGE;
}

/* Appends the cell of a common column and returns its style. */
static enum style add_cell(const struct row *row, enum column column, struct strbuf *out)
{
    const struct memory_row *m = row->memory;
    const struct detail *d = row->detail;
    bool updated = row->app->prefs.order == ORDER_UPDATED;
    switch (column) {
    case COLUMN_CONFIDENCE:
        add_confidence(row, out);
        return STYLE_NUMBER;
    case COLUMN_HISTORY:
        if (d)
            add_history(row, d, out);
        return STYLE_DIM;
    case COLUMN_SUPPORT:
        if (details_label(d) && d->label.justs == 0)
            strbuf_addstr(out, row->pane->screen->speaks ? "none"
                               : row->pane->screen->utf8 ? "–"
                                                         : "-");
        else if (details_label(d))
            facts_add_support(out, &d->label, &d->independent, !row->pane->screen->utf8);
        return d && facts_is_echo(&d->label, &d->independent) ? STYLE_WEAKENED : STYLE_NUMBER;
    case COLUMN_LOSES:
        if (details_label(d) && d->label.has_loses)
            strbuf_addf(out, "%u", d->label.loses);
        return STYLE_NUMBER;
    case COLUMN_KIND:
        strbuf_addstr(out, kind_name(m->ref.kind));
        break;
    case COLUMN_SUBTYPE:
    case COLUMN_ORIGIN:
        strbuf_addstr(out, d ? d->subtype : "");
        break;
    case COLUMN_TOKENS:
        if (d && d->tokens > 0)
            strbuf_addf(out, "%lld", (long long)d->tokens);
        return STYLE_NUMBER;
    case COLUMN_OPENED:
        return d ? add_when(row, column, d->opened_at, out) : STYLE_AGE;
    case COLUMN_SOURCE:
        strbuf_addstr(out, m->source_type ? source_type_label(m->source_type) : "");
        break;
    case COLUMN_AGENT:
        strbuf_addstr(out, m->agent ? m->agent : "");
        break;
    default:
        return add_when(row, column, updated ? m->updated_at : m->created_at, out);
    }
    return STYLE_SOURCE;
}

static void add_chain(struct app *x, int64_t node, struct strbuf *out)
{
    const struct memory_row *chain = details_row(x, node);
    if (chain)
        details_ref(x, chain, out);
}

/* Appends the cell of a column of one kind, if it is read, and returns its style. */
static enum style add_kind_cell(const struct row *row, enum column column,
                                const struct kind_detail *k, struct strbuf *out)
{
    static const enum style states[] = {[CHAIN_RUNNING] = STYLE_CHIP,
                                        [CHAIN_FINISHED] = STYLE_SOURCE,
                                        [CHAIN_ABANDONED] = STYLE_WEAKENED};
    bool step = row->memory->ref.kind == KIND_STEP;
    char time[24] = "";
    switch (column) {
    case COLUMN_STATE:
        strbuf_addstr(out, chain_state_name(k->chain.state));
        return states[k->chain.state];
    case COLUMN_STEPS:
        strbuf_addf(out, "%zu", k->chain.steps);
        break;
    case COLUMN_SOURCES:
        strbuf_addf(out, "%zu", step ? k->step.sources : k->chain.sources);
        break;
    case COLUMN_TIME:
        seconds_text(time, k->chain.time);
        strbuf_addstr(out, time);
        break;
    case COLUMN_NUMBER:
        if (k->step.number > 0)
            strbuf_addf(out, "%lld", (long long)k->step.number);
        break;
    case COLUMN_CHAIN:
        add_chain(row->app, k->step.chain, out);
        return STYLE_REF;
    case COLUMN_SCORE:
        if (k->citation.relevance == k->citation.relevance)
            strbuf_addf(out, "%c%.2f", score_sign(k->citation.origin), k->citation.relevance);
        return score_style(k->citation.relevance, k->citation.origin);
    case COLUMN_USES:
        strbuf_addf(out, "%zu%s", k->document.uses, k->document.bounded ? "+" : "");
        break;
    case COLUMN_RETRIEVED:
        return add_when(row, column, k->attribution.at, out);
    default:
        strbuf_addstr(out, k->text);
        return STYLE_SOURCE;
    }
    return STYLE_NUMBER;
}

/* Cuts the document's name, but not the place in it: "Incident rep…, page 3". */
static void draw_place(const struct row *row, const struct kind_detail *k, int at, int width)
{
    int place = (int)text_width(k->place, strlen(k->place), (size_t)width * 2 / 3, 0);
    place = place < width * 2 / 3 ? place : width * 2 / 3;
    int name = paint_text(row->pane, 0, at, width - (place ? place + 2 : 0), STYLE_SOURCE, k->text);
    if (place && paint_text(row->pane, 0, at + name, 1, STYLE_SOURCE, ","))
        paint_text(row->pane, 0, at + name + 2, place, STYLE_SOURCE, k->place);
}

static bool is_of_kind(enum column column)
{
    return column < COLUMN_CONFIDENCE ? column != COLUMN_ORIGIN
                                      : column >= COLUMN_STEPS && column <= COLUMN_TIME;
}

static void draw_cell(const struct row *row, enum column column)
{
    const struct kind_detail *k = is_of_kind(column) ? more_of(row) : NULL;
    int at = row->columns->at[column], width = width_of(row->columns, column, row->columns->width);
    AUTO_STRBUF text = STRBUF_INIT;
    if (is_of_kind(column) && !k)
        return;
    if (column == COLUMN_FLAGS) {
        paint_flags(row->pane, 0, at, row->memory->flags);
        return;
    }
    if (column == COLUMN_PLACE) {
        draw_place(row, k, at, width);
        return;
    }
    enum style style = k ? add_kind_cell(row, column, k, &text) : add_cell(row, column, &text);
    if (details_style(row->memory, row->detail) == STYLE_DIM)
        style = STYLE_DIM; /* the row does not stand */
    bool wide = column == COLUMN_CONFIDENCE &&
                text.len > (size_t)width; /* "=0.80" takes a blank before it */
    if (row->pane->screen->speaks)
        paint_spoken_as(row->pane, 0, at, width, style, text.buf);
    else if (specs[column].right)
        paint_right(row->pane, 0, at - wide, width + wide, style, text.buf);
    else
        paint_text(row->pane, 0, at, width, style, text.buf);
}

static void draw_missing(const struct row *row, int room)
{
    AUTO_STRBUF ref = STRBUF_INIT;
    details_ref(row->app, row->memory, &ref);
    strbuf_addstr(&ref, " is not in this store");
    paint_text(row->pane, 0, row->columns->text, room, STYLE_DIM, ref.buf);
}

/* Draws the excerpt around a word of a search, unless the first bytes of the text have it. */
static bool draw_excerpt(const struct row *row, const char *pattern, const char *words, int at,
                         int end)
{
    const struct memory_row *m = row->memory;
    AUTO_ARENA arena = ARENA_INIT;
    AUTO_STRBUF excerpt = STRBUF_INIT;
    struct snippet_match match;
    struct match_place place;
    struct error e;
    size_t width = end > at ? (size_t)(end - at) : 0, len = strlen(m->text);
    if (!words || match_find(m->text, len < width ? len : width, 0, pattern, &place) ||
        search_snippet_of_row(row->app->data.reader, &arena, m->node, words, width, &excerpt,
                              &match, &e) ||
        !match.len)
        return false;
    paint_matched(row->pane, 0, at, end - at, details_style(m, row->detail), excerpt.buf,
                  excerpt.len, arena_strndup(&arena, excerpt.buf + match.at, match.len));
    return true;
}

static void draw_text(const struct row *row, const char *pattern, const char *words, int pan)
{
    const struct memory_row *m = row->memory;
    const struct kind_detail *k = m->ref.kind == KIND_DOCUMENT ? more_of(row) : NULL;
    const char *dot = glyph_text(&row->app->ui.screen, GLYPH_DOT);
    int at = row->columns->text;
    int end = row->columns->answer ? row->columns->answer - 2 : row->columns->width - 1;
    if (m->status == STATUS_MISSING) {
        draw_missing(row, end - at);
        return;
    }
    if (m->status != STATUS_ACTIVE)
        at += paint_format(row->pane, 0, at, end - at, STYLE_DIM, "%s %s", status_word(m->status),
                           dot) +
              1;
    if (k && k->document.changed)
        at += paint_format(row->pane, 0, at, end - at, STYLE_CHIP, "changed %s", dot) + 1;
    if (!m->text || (!pan && draw_excerpt(row, pattern, words, at, end)))
        return;
    size_t len = strlen(m->text), from = paint_skip(row->pane, m->text, len, pan);
    at += paint_matched(row->pane, 0, at, end - at, details_style(m, row->detail), m->text + from,
                        len - from, pattern);
    if (m->text_cut && at < end) /* the row has only the start of the text */
        paint_text(row->pane, 0, at, 1, STYLE_TEXT,
                   glyph_text(&row->app->ui.screen, GLYPH_ELLIPSIS));
}

static void draw_answer(const struct row *row)
{
    const struct kind_detail *k = more_of(row);
    int at = row->columns->answer;
    if (k)
        paint_text(row->pane, 0, at, row->columns->width - at - 1, STYLE_DIM, k->text);
}

void columns_draw_row(struct view *v, const struct columns *c, const struct pane *pane,
                      int64_t node, const char *pattern, const char *words)
{
    /* The selection covers the text alone: what stands before it keeps its colours, and is not sent again. */
    struct pane cells = pane_part(pane, 0, 0, 1, c->text - 1);
    cells.over = STYLE_NONE;
    paint_clear(&cells);
    struct list_line l = line_begin(v, &cells, false, c->label, pattern);
    struct row row = {v->app, c, &cells, line_memory(&l, node, c->label),
                      details_of(&v->app->details, node)};
    if (!row.memory) {
        paint_text(pane, 0, c->text, c->width - c->text, STYLE_ERROR, "cannot be read");
        return;
    }
    line_change_sign(&l, c->label + 1, row.memory);
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (c->at[i])
            draw_cell(&row, (enum column)i);
    row.pane = pane;
    draw_text(&row, pattern, words, v->pan);
    if (c->answer)
        draw_answer(&row);
}
