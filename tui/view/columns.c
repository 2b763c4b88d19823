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
#define TEXT_LEAST  12 /* of this the person's own columns take nothing */
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
    [COLUMN_MEMORY] = {"memory", 17, false},
    [COLUMN_UPDATED] = {"updated", 7, true},
};

/* Some columns are wider if there is room, or as the person chose. */
static int width_of(struct view *v, int column, int width, int root)
{
    const struct column_choice *chosen = column_choice(v, column_name(column, root));
    int age = v->ui->prefs->exact_times ? 19 : 4;
    if (chosen && chosen->width)
        return chosen->width;
    if (column == COLUMN_AGE)
        return age;
    if (column == COLUMN_CONFIDENCE && v->ui->prefs->order == ORDER_TRUST)
        return 5;
    if (column == COLUMN_RETRIEVED || column == COLUMN_OPENED || column == COLUMN_UPDATED)
        return age < specs[column].width ? specs[column].width : age;
    if ((column == COLUMN_URI || column == COLUMN_PLACE) && width / 4 > specs[column].width)
        return width / 4;
    return specs[column].width;
}

/* Only memory files, of which transcripts tell, have these. */
static bool is_cost(int column)
{
    return column == COLUMN_TOKENS || column == COLUMN_OPENED;
}

const char *column_name(int column, int root)
{
    static const char *const others[] = {"sign", "text", "answer"};
    return column == COLUMN_SUBTYPE ? set_of(root)->subtype ? set_of(root)->subtype : ""
           : column < COLUMN_COUNT  ? specs[column].name
                                    : others[column - COLUMN_COUNT];
}

static bool is_of(int column, int root)
{
    const uint8_t *of = set_of(root)->column;
    while (*of != END && *of != column)
        of++;
    return *of != END ||
           (column >= COLUMN_LOSES && (column != COLUMN_ANSWER || set_of(root)->soft));
}

int columns_find(const char *name, int root)
{
    int column = 0;
    while (column < COLUMN_NONE &&
           (!is_of(column, root) || strcmp(column_name(column, root), name) != 0))
        column++;
    return column;
}

/* ---- orders ---- */

enum list_order column_order(const struct prefs *prefs, int column)
{
    return column == COLUMN_CONFIDENCE
               ? prefs->order == ORDER_TRUST ? ORDER_TRUST : ORDER_CONFIDENCE
           : column == COLUMN_AGE ? prefs->order == ORDER_UPDATED ? ORDER_UPDATED : ORDER_CREATED
           : column == COLUMN_UPDATED   ? ORDER_UPDATED
           : column == COLUMN_RETRIEVED ? ORDER_RETRIEVED
           : column == COLUMN_LOSES     ? ORDER_KEYSTONES
           : column == COLUMN_TEXT      ? ORDER_TEXT
                                        : ORDER_COUNT;
}

int column_of_order(enum list_order order)
{
    static const uint8_t columns[ORDER_COUNT] = {
        [ORDER_RECORDED] = COLUMN_NONE,       [ORDER_CREATED] = COLUMN_AGE,
        [ORDER_UPDATED] = COLUMN_AGE,         [ORDER_CONFIDENCE] = COLUMN_CONFIDENCE,
        [ORDER_TEXT] = COLUMN_TEXT,           [ORDER_TRUST] = COLUMN_CONFIDENCE,
        [ORDER_RETRIEVED] = COLUMN_RETRIEVED, [ORDER_KEYSTONES] = COLUMN_LOSES,
    };
    return columns[order];
}

bool column_is_text(int column)
{
    return column == COLUMN_ORIGIN || column == COLUMN_URI || column == COLUMN_PLACE ||
           column == COLUMN_KIND || column == COLUMN_SUBTYPE || column == COLUMN_SOURCE ||
           column == COLUMN_AGENT || column == COLUMN_MEMORY || column == COLUMN_TEXT ||
           column == COLUMN_ANSWER;
}

/* ---- the columns that fit ---- */

struct fitting {
    struct view *v;
    int root, width, taken;
    bool on[COLUMN_COUNT];
    struct columns *c;
};

static bool is_chosen(const struct fitting *f, int column)
{
    const struct column_choice *chosen = column_choice(f->v, column_name(column, f->root));
    return chosen && !chosen->hidden && (chosen->shown || chosen->width);
}

/* Whether the list has it if there is room. */
static bool is_wanted(const struct fitting *f, int column)
{
    const struct prefs *prefs = f->v->ui->prefs;
    const struct column_choice *chosen = column_choice(f->v, column_name(column, f->root));
    if (chosen && (chosen->shown || chosen->hidden))
        return chosen->shown;
    return column == COLUMN_LOSES   ? prefs->order == ORDER_KEYSTONES
           : column > COLUMN_LOSES  ? false
           : is_cost(column)        ? prefs->has_transcripts
           : column == COLUMN_AGENT ? !prefs->agent && prefs->agents > 1
                                    : true;
}

static void fit(struct fitting *f, int column, bool on)
{
    if (on != f->on[column])
        f->taken += (on ? 1 : -1) * (f->c->width_of[column] + 2);
    f->on[column] = on;
}

static void place(struct fitting *f, int column, int *at)
{
    if (!f->on[column])
        return;
    f->c->at[column] = *at;
    *at += f->c->width_of[column] + 2;
}

/* All columns in the order of the screen: that of the kind, or as the person moved them. Returns their number. */
static size_t put_in_order(struct view *v, int root, uint8_t out[COLUMN_COUNT])
{
    const uint8_t *of = set_of(root)->column;
    int place[COLUMN_COUNT];
    size_t count = 0;
    out[count++] = COLUMN_LOSES;
    while (*of != END)
        out[count++] = *of++;
    out[count++] = COLUMN_UPDATED;
    out[count++] = COLUMN_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const struct column_choice *chosen = column_choice(v, column_name(out[i], root));
        uint8_t column = out[i];
        int at = chosen && chosen->place ? chosen->place : (int)i + 1;
        size_t k = i;
        for (; k > 0 && place[k - 1] > at; k--) {
            place[k] = place[k - 1];
            out[k] = out[k - 1];
        }
        place[k] = at;
        out[k] = column;
    }
    return count;
}

/* Starts with all columns that are wanted, drops those of the kind in its order until the text has room, then others if
 * it has none, and places the rest. */
struct columns columns_fit(struct view *v, int width, int root)
{
    const struct set *set = set_of(root);
    struct columns c = {.label = 3, .by_trust = v->ui->prefs->order == ORDER_TRUST, .width = width};
    struct fitting f = {.v = v, .root = root, .width = width, .taken = c.label + 3, .c = &c};
    int at = c.label + 3;
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (is_of(i, root)) {
            c.width_of[i] = width_of(v, i, width, root);
            fit(&f, i, is_wanted(&f, i));
        }
    for (size_t i = 0; set->drop[i] != END; i++)
        if (!is_chosen(&f, set->drop[i]) &&
            width - f.taken < ((int)i < set->soft ? ANSWER_FROM : set->least))
            fit(&f, set->drop[i], false);
    for (int i = COLUMN_COUNT - 1; i >= 0 && width - f.taken < TEXT_LEAST; i--)
        if (is_chosen(&f, i))
            fit(&f, i, false);
    uint8_t order[COLUMN_COUNT];
    size_t count = put_in_order(v, root, order);
    for (size_t i = 0; i < count; i++)
        place(&f, order[i], &at);
    c.text = at;
    if (set->soft && width - at >= ANSWER_FROM)
        c.answer = at + (width - at) * 5 / 9;
    return c;
}

static void draw_name(struct view *v, const struct columns *c, const struct pane *p, int root,
                      int column)
{
    const struct prefs *prefs = v->ui->prefs;
    const char *shown = column == COLUMN_AGE && prefs->order == ORDER_UPDATED ? "updated"
                        : column == COLUMN_AGE && prefs->exact_times          ? "created"
                        : column == COLUMN_CONFIDENCE && c->by_trust          ? "trust"
                                                                              : NULL;
    bool wide = shown && (int)strlen(shown) > c->width_of[column];
    heading_draw(v, p, column_name(column, root), wide ? NULL : shown, c->at[column],
                 c->at[column] ? c->width_of[column] : 0, specs[column].right);
}

void columns_draw_header(struct view *v, const struct columns *c, const struct pane *p, int root)
{
    uint8_t order[COLUMN_COUNT];
    size_t count = put_in_order(v, root, order);
    int end = c->answer ? c->answer - 1 : c->width;
    heading_draw_last(v, p, "sign", c->label - 2, 4);
    for (size_t i = 0; i < count; i++)
        if (order[i] != COLUMN_LOSES || c->at[COLUMN_LOSES])
            draw_name(v, c, p, root, order[i]);
    heading_draw_last(v, p, "text", c->text, end - c->text);
    if (c->answer)
        heading_draw_last(v, p, "answer", c->answer, c->width - c->answer);
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
    case COLUMN_MEMORY:
        details_ref(row->app, m, out);
        return STYLE_REF;
    case COLUMN_UPDATED:
        return add_when(row, column, m->updated_at, out);
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
    int at = row->columns->at[column], width = row->columns->width_of[column];
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
