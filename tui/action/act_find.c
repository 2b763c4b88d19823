/* Actions: search, filter, the `:` line and its completion. */
#include "tui/action/action.h"

#include "model/base/strbuf.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/chart/chart.h"
#include "tui/explorer/app.h"
#include "tui/text/match.h"
#include "tui/text/times.h"
#include "tui/view/views.h"

/* ---- searching in the view ---- */

static void search_typed(struct app *x, const char *text)
{
    view_search(x->nav.top, text);
}

static void search_note(struct app *x, struct strbuf *out)
{
    const struct search *s = &x->nav.top->search;
    const char *more = glyph_text(&x->ui.screen, GLYPH_ELLIPSIS);
    if (s->count == 0)
        strbuf_addf(out, s->complete ? "no match" : "looking%s", more);
    else
        strbuf_addf(out, "%zu%s match%s", s->count, s->complete ? "" : more,
                    s->count == 1 ? "" : "es");
}

static void search_taken(struct app *x, const char *text)
{
    struct search *s = &x->nav.top->search;
    if (!*text || !s->complete)
        return;
    if (s->count == 0)
        ui_message(&x->ui, "no match here for \"%s\"; S searches all texts", text);
    else if (s->count == 1)
        ui_message(&x->ui, "1 match for \"%s\"", text);
    else
        ui_message(&x->ui, "%zu matches here for \"%s\"; n and N go to the others, S searches all",
                   s->count, text);
}

static void search_left(struct app *x)
{
    view_search_abandon(x->nav.top);
}

static const struct prompt_ops search_prompt = {
    .prefix = "/",
    .type_ahead = true,
    .hint = "text to find in this view",
    .enter = "search",
    .history = HISTORY_SEARCH,
    .changed = search_typed,
    .accepted = search_taken,
    .abandoned = search_left,
    .note = search_note,
};

void act_search(struct app *x, const char *argument)
{
    if (view_is(x->nav.top, "help")) { /* there a search is a filter */
        help_view_filter(x, argument);
        return;
    }
    view_search_begin(x->nav.top);
    if (*argument)
        view_search(x->nav.top, argument);
    else
        prompt_open(&x->ui, &search_prompt, "");
}

void act_search_step(struct app *x, const char *argument, int direction)
{
    (void)argument;
    view_search_next(x->nav.top, direction);
}

/* ---- filtering ---- */

static void filter_typed(struct app *x, const char *text)
{
    if (x->nav.top->ops->has & HAS_FILTER)
        view_filter(x->nav.top, text);
}

static void filter_left(struct app *x)
{
    filter_typed(x, "");
}

static const struct prompt_ops filter_prompt = {
    .prefix = "\\",
    .type_ahead = true,
    .hint = "text that the lines must contain",
    .enter = "filter",
    .history = HISTORY_FILTER,
    .moves = app_move_key,
    .changed = filter_typed,
    .accepted = filter_typed,
    .abandoned = filter_left,
};

void act_filter(struct app *x, const char *argument)
{
    if (*argument)
        filter_typed(x, argument);
    else if (x->nav.top->ops->query)
        query_prompt_open(x->nav.top);
    else
        prompt_open(&x->ui, &filter_prompt, x->nav.top->filter);
}

/* ---- the whole store ---- */

static void words_taken(struct app *x, const char *text)
{
    if (*text)
        app_push(x, list_view_search(&x->ui, text, 0));
}

static const struct prompt_ops words_prompt = {
    .prefix = "search all texts: ",
    .type_ahead = true,
    .hint = "words that must all occur, and terms such as kind:belief",
    .enter = "search",
    .history = HISTORY_SEARCH,
    .offers = true,
    .changed = query_search_changed,
    .accepted = words_taken,
    .key = query_search_key,
};

void act_search_store(struct app *x, const char *argument)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct query_terms terms;
    struct error e;
    if (!*argument)
        prompt_open(&x->ui, &words_prompt, x->nav.top->search.pattern);
    else if (query_parse(argument, QUERY_MEMORIES, times_clock(x->ui.now), &arena, &terms, &e))
        ui_error(&x->ui, &e);
    else
        words_taken(x, argument);
}

/* ---- help and completion ---- */

void act_help(struct app *x)
{
    if (view_is(x->nav.top, "help"))
        app_pop(x);
    else
        app_push(x, help_view_new(&x->ui));
}

/* How much of `text` begins the name, where a space stands for "-", too. */
static size_t common_length(const char *name, const char *text)
{
    size_t len = 0;
    while (name[len] && (name[len] == text[len] || (name[len] == '-' && text[len] == ' ')))
        len++;
    return len;
}

/* The length of the action's name, or of a beginning, in front of an argument: "what if", "used b". A first word that
 * is a name by itself is all of it: "search store" looks for "store". */
static size_t name_length(const char *text)
{
    size_t word = strcspn(text, " "), most = word;
    if (!text[word] || action_find(text, word))
        return word;
    for (size_t i = 0; i < action_count(); i++) {
        size_t len = common_length(action_at(i)->name, text);
        bool ends = !text[len] || (text[len] == ' ' && !action_at(i)->name[len]);
        if (ends && len > most)
            most = len;
    }
    return most;
}

static const char *argument_of(const char *text)
{
    text += name_length(text);
    return text + strspn(text, " ");
}

/* The action of a name, of an old one, or of a beginning that only one action in this view has. */
static const struct action *typed_action(const struct app *x, const char *text)
{
    size_t len = name_length(text), count = 0;
    const struct action *named = action_find(text, len), *begun = NULL;
    for (size_t i = 0; i < action_count() && !named && len > 0; i++)
        if (action_applies(action_at(i), x->nav.top->ops->has) &&
            common_length(action_at(i)->name, text) >= len) {
            begun = action_at(i);
            count++;
        }
    return named ? named : count == 1 ? begun : NULL;
}

/* The letters of a name that lie between those of the word, in order: "qrnt" in "quarantine". -1 if they are not. */
static int letters_between(const char *name, const char *word)
{
    int between = 0;
    if (*name != *word || !word[1] || !word[2])
        return -1;
    for (; *word; word++, name++) {
        size_t skip = strcspn(name, (char[]){*word, '\0'});
        if (!name[skip])
            return -1;
        between += (int)skip;
        name += skip;
    }
    return between;
}

/* A word that is nearly the name, or some of its letters in order. */
static int fuzzy_score(const struct action *a, const char *word)
{
    struct suggestion near = SUGGESTION_INIT(word);
    int between = letters_between(a->name, word);
    suggest_consider(&near, a->name);
    return near.name ? 5 + (int)near.distance : between >= 0 ? 10 + between : -1;
}

static int score_of(const struct action *a, const char *typed, size_t len)
{
    char word[64];
    snprintf(word, sizeof(word), "%.*s", (int)len, typed);
    /* "history" comes before "history-back". */
    if (common_length(a->name, word) == strlen(word))
        return len > 0 && strchr(a->name + len, '-') ? 2 : 1;
    return match_text(a->name, word) ? 3 : action_matches(a, word) ? 4 : fuzzy_score(a, word);
}

static void list_actions(struct app *x, const char *text, const struct action *named)
{
    size_t len = name_length(text);
    char word[64];
    bool offered = false;
    snprintf(word, sizeof(word), "%.*s", (int)len, text);
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *a = action_at(i);
        const struct view_ops *ops = x->nav.top->ops;
        int score = !action_applies(a, ops->has) ? -1
                    : len > 0                    ? score_of(a, text, len)
                                                 : ACTIONS_MAX + action_order(a, ops->bar);
        offered |= score >= 0 || a == named;
        if (score >= 0 || a == named)
            prompt_offer(&x->ui, a->name, "", a, a == named ? 0 : score);
    }
    /* A word that nothing here has is looked for among the actions of other views. */
    for (size_t i = 0; i < action_count() && len > 0 && !offered; i++)
        if (action_matches(action_at(i), word))
            prompt_offer(&x->ui, action_at(i)->name, "", action_at(i), 1);
}

static void list_word(struct ui *ui, const char *typed, const char *word)
{
    if (!*typed || !strncmp(word, typed, strlen(typed)) || match_text(word, typed))
        prompt_offer(ui, word, "", NULL, strncmp(word, typed, strlen(typed)) ? 1 : 0);
}

static bool is_masked(const struct ui *ui, const char *text)
{
    AUTO_STRBUF shown = STRBUF_INIT;
    strbuf_addstr(&shown, text);
    ui_mask(ui, &shown);
    return !shown.buf || strcmp(shown.buf, text) != 0;
}

static void list_agents_for(struct app *x, const char *typed)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct agent_count *agents;
    struct error e;
    size_t count;
    list_word(&x->ui, typed, "all");
    if (!list_agents(x->data.reader, &arena, &agents, &count, &e))
        for (size_t i = 0; i < count; i++)
            if (!is_masked(&x->ui, agents[i].name)) /* a masked name would not match */
                list_word(&x->ui, typed, agents[i].name);
}

/* In their order: the last ones first. A path matches by any part. */
static void list_stores(struct app *x, const char *typed)
{
    AUTO_ARENA arena = ARENA_INIT;
    size_t count;
    struct known_store *all = stores_list(x, &arena, &count);
    for (size_t i = 0; i < count; i++)
        if (!*typed || match_text(all[i].name, typed) || match_text(all[i].about, typed))
            prompt_offer(&x->ui, all[i].name, all[i].about, NULL, (int)i);
}

static void list_arguments(struct app *x, enum argument argument, const char *typed)
{
    char name[64];
    if (argument == ARGUMENT_ORDER && x->nav.top->ops->has & HAS_MEMORY_LIST)
        for (int i = 0; i < ORDER_COUNT; i++)
            list_word(&x->ui, typed, order_name((enum list_order)i));
    if (argument == ARGUMENT_ORDER || argument == ARGUMENT_COLUMN)
        for (size_t i = 0; i < headers_of(x->nav.top)->count; i++)
            list_word(&x->ui, typed, headers_of(x->nav.top)->at[i].name);
    if (argument == ARGUMENT_THEME)
        list_word(&x->ui, typed, "auto");
    if (argument == ARGUMENT_THEME)
        for (size_t i = 0; theme_shipped(i, name, sizeof(name)); i++)
            list_word(&x->ui, typed, name);
    if (argument == ARGUMENT_AGENT)
        list_agents_for(x, typed);
    for (int i = 0; i <= PREVIEW_OFF && argument == ARGUMENT_PREVIEW; i++)
        list_word(&x->ui, typed, preview_name(i));
    if (argument == ARGUMENT_STYLE)
        for (int i = 0; i < CHART_STYLES; i++)
            list_word(&x->ui, typed, chart_style_name((enum chart_style)i));
    if (argument == ARGUMENT_STORE)
        list_stores(x, typed);
    if (argument == ARGUMENT_COPY) {
        static const char *const words[] = {"text", "ref", "json", "path"};
        for (size_t i = 0; i < 4; i++)
            list_word(&x->ui, typed, words[i]);
    }
}

static void list_names(struct app *x, const char *text, const struct action *action)
{
    if (!strchr(text, ':')) /* a ref is no misspelt name: "belief:8" */
        list_actions(x, text, action);
    saved_views_offer(x, text);
}

/* While :theme is typed, the screen has the selected theme. */
static void try_theme(struct app *x)
{
    const char *text = x->ui.prompt.line.text;
    const struct action *action = typed_action(x, text);
    const struct offers *p = &x->ui.prompt.offers;
    bool shown = action && action->argument == ARGUMENT_THEME && text[name_length(text)] &&
                 p->count > 0 && (p->moved || p->named);
    screen_try_theme(&x->ui.screen, shown ? p->item[p->selected].word : NULL);
}

static void abandoned(struct app *x)
{
    screen_try_theme(&x->ui.screen, NULL);
}

static void changed(struct app *x, const char *text)
{
    bool argued = text[name_length(text)];
    const struct action *action = typed_action(x, text);
    prompt_offer_none(&x->ui);
    if (*text == '!') /* a command, of which nothing is known */
        return;
    if (!argued)
        list_names(x, text, action);
    else if (action && action->argument != ARGUMENT_NONE)
        list_arguments(x, action->argument, argument_of(text));
    bool exact = action && action->argument == ARGUMENT_STORE;
    x->ui.prompt.offers.named = argued ? !exact && *argument_of(text) : action != NULL;
    try_theme(x);
}

/* ---- going to a memory ---- */

static void chosen_candidate(struct app *x, const struct popup_item *item)
{
    app_open_memory(x, item->value);
}

/* Offers the candidates that the error of an ambiguous ref names. Returns false if it names none. */
static bool offer_candidates(struct app *x, const char *hint)
{
    struct error e;
    char word[REF_ID_MAX];
    popup_open(&x->ui.popup, "which of these?", chosen_candidate);
    while (*hint) {
        size_t len = strcspn(hint, " ,;");
        snprintf(word, sizeof(word), "%.*s", (int)(len < sizeof(word) ? len : sizeof(word) - 1),
                 hint);
        size_t end = strlen(word);
        if (end > 0 && (word[end - 1] == '.' || word[end - 1] == '?'))
            word[end - 1] = '\0';
        struct ref ref;
        if (ref_parse(word, &ref) == REF_MEMORY) {
            int64_t node = ref_resolve(x->data.reader, word, &e);
            const struct memory_row *row = node > 0 ? details_row(x, node) : NULL;
            if (row)
                popup_add(&x->ui.popup, KEY_NONE, word, row->text ? row->text : "")->value = node;
        }
        hint += len + strspn(hint + len, " ,;");
    }
    if (x->ui.popup.count == 0)
        popup_close(&x->ui.popup);
    return x->ui.popup.modal.ops;
}

/* Shows why no memory was found. For a text that is too short the message is short, too. */
static void report_not_found(struct ui *ui, const char *text, const struct error *e)
{
    const char *colon = strchr(text, ':');
    const char *id = colon ? colon + 1 : text;
    if (e->code == ERROR_NOT_FOUND && strlen(id) < REF_PREFIX_MIN)
        ui_message(ui, "%s is too short: give at least %d characters of the id", text,
                   REF_PREFIX_MIN);
    else
        ui_error(ui, e);
}

void palette_open_memory(struct app *x, const char *text)
{
    struct error e;
    int64_t node = ref_resolve(x->data.reader, text, &e);
    if (node > 0)
        app_open_memory(x, node);
    else if (e.code == ERROR_INVALID && offer_candidates(x, e.hint))
        ui_message(&x->ui, "%s", e.what);
    else
        report_not_found(&x->ui, text, &e);
}

/* Opens the memory named by `text`, or goes to the line with that number. */
static void palette_goto(struct app *x, const char *text)
{
    char *end;
    unsigned long long line = strtoull(text, &end, 10);
    if (*text && !*end && strlen(text) < 10) /* a line number; short ids of digits only are rare */
        view_go_to_line(x->nav.top, (size_t)line);
    else
        palette_open_memory(x, text);
}

void act_go(struct app *x, const char *argument)
{
    if (*argument)
        palette_goto(x, argument);
    else
        palette_open(x);
}

int64_t palette_subject(struct app *x, const char *argument)
{
    struct error e;
    if (!*argument)
        return view_memory(x->nav.top);
    int64_t node = ref_resolve(x->data.reader, argument, &e);
    if (node <= 0)
        palette_goto(x, argument); /* shows what is wrong, or offers candidates */
    return node > 0 ? node : 0;
}

/* ---- the `:` line ---- */

static bool names_place(struct app *x, const char *text)
{
    struct error e;
    return strcspn(text, ":0123456789") < name_length(text) ||
           ref_resolve(x->data.reader, text, &e) > 0;
}

void palette_ask(struct app *x, const char *text, const char *message)
{
    palette_open(x);
    prompt_set(&x->ui, text);
    ui_message(&x->ui, "%s", message);
}

/* The line ends with an error that names the nearest action, if one is near. */
static void report_unknown(struct app *x, const char *text)
{
    char word[64], hint[96] = "";
    struct error e;
    snprintf(word, sizeof(word), "%.*s", (int)name_length(text), text);
    struct suggestion near = SUGGESTION_INIT(word);
    for (size_t i = 0; i < action_count(); i++)
        suggest_consider(&near, action_at(i)->name);
    if (near.name)
        snprintf(hint, sizeof(hint), "Did you mean :%s?", near.name);
    error_set(&e, ERROR_INVALID, hint, "no action is named \"%s\"", word);
    ui_error(&x->ui, &e);
}

/* A guess is not run: the person chooses. */
static void ask_again(struct app *x, const char *text)
{
    palette_ask(x, text, "");
    if (x->ui.prompt.offers.count) {
        ui_message(&x->ui, "no action is named \"%.*s\": Down and Enter run one of these",
                   (int)name_length(text), text);
    } else {
        prompt_close(&x->ui);
        report_unknown(x, text);
    }
}

static void accepted(struct app *x, const char *text)
{
    struct offers *p = &x->ui.prompt.offers;
    size_t len = name_length(text);
    screen_try_theme(&x->ui.screen, NULL);
    if (*text == '!') {
        action_run(x, action_find("run", 3), text + 1);
        return;
    }
    const struct action *action = typed_action(x, text);
    const struct offered *item = p->count ? &p->item[p->selected] : NULL;
    if (!*text && !p->moved)
        return;
    if (action && action->argument == ARGUMENT_NONE && *argument_of(text)) {
        ui_message(&x->ui, "%s takes no argument: \"%s\" was given", action->name,
                   argument_of(text));
    } else if (action && (!p->moved || text[len])) {
        /* While an argument is completed, the highlighted suggestion counts. */
        char argument[PROMPT_MAX]; /* a copy, since the action may change the suggestions */
        snprintf(argument, sizeof(argument), "%s", argument_of(text));
        /* A path may be the beginning of another one. */
        bool exact = action->argument == ARGUMENT_STORE;
        if (item && !item->tag && (p->moved || (*argument && !exact)))
            snprintf(argument, sizeof(argument), "%s", item->word);
        action_run(x, action, argument);
    } else if (item && item->tag && p->moved) {
        action_run(x, item->tag, "");
    } else if (saved_view_open(x, item && p->moved ? item->word : text)) {
        return;
    } else if (names_place(x, text)) {
        palette_goto(x, text);
    } else {
        ask_again(x, text);
    }
}

/* Completes a ref that names one memory; else offers the candidates, or shows why there are none. With `bare`, an id
 * without its kind counts as well. */
static void complete_ref(struct app *x, bool bare)
{
    struct error e;
    AUTO_STRBUF ref = STRBUF_INIT;
    size_t word = strcspn(x->ui.prompt.line.text, ":") < name_length(x->ui.prompt.line.text)
                      ? 0
                      : (size_t)(argument_of(x->ui.prompt.line.text) - x->ui.prompt.line.text);
    const char *text = x->ui.prompt.line.text + word;
    if (!strchr(text, ':') && (!bare || !*text))
        return;
    int64_t node = ref_resolve(x->data.reader, text, &e);
    const struct memory_row *row = node > 0 ? details_row(x, node) : NULL;
    if (row) {
        strbuf_addf(&ref, "%.*s%s:%s", (int)word, x->ui.prompt.line.text, kind_name(row->ref.kind),
                    row->ref.id);
        prompt_set(&x->ui, ref.buf);
    } else if (node <= 0 && e.code == ERROR_INVALID && offer_candidates(x, e.hint)) {
        prompt_close(&x->ui);
    } else if (node <= 0) {
        report_not_found(&x->ui, text, &e);
    }
}

void palette_complete_ref(struct app *x)
{
    complete_ref(x, false);
}

/* Whether the word after the action's name is a ref. */
static bool takes_ref(const struct ui *ui)
{
    const char *text = ui->prompt.line.text;
    const struct action *action = typed_action(ui->app, text);
    return action && action->argument == ARGUMENT_REF && *argument_of(text);
}

static void complete(struct app *x)
{
    struct offers *p = &x->ui.prompt.offers;
    char text[PROMPT_MAX];
    if (p->count == 0) {
        complete_ref(x, takes_ref(&x->ui));
        return;
    }
    const struct offered *item = &p->item[p->selected];
    if (item->tag)
        snprintf(text, sizeof(text), "%s%s", item->word,
                 ((const struct action *)item->tag)->argument != ARGUMENT_NONE ? " " : "");
    else
        snprintf(text, sizeof(text), "%.*s %s", (int)name_length(x->ui.prompt.line.text),
                 x->ui.prompt.line.text, item->word);
    prompt_set(&x->ui, text);
}

static bool key(struct app *x, const struct input_event *event)
{
    struct offers *p = &x->ui.prompt.offers;
    if (event->key == KEY_TABULATOR) {
        complete(x);
        return true;
    }
    if (event->key == KEY_ARROW_UP && p->selected == 0 &&
        (x->ui.prompt.line.len == 0 || x->ui.prompt.recalled))
        return prompt_recall(&x->ui, -1);
    bool chosen = prompt_choose(&x->ui, event->key);
    if (chosen)
        try_theme(x);
    return chosen;
}

static void draw_action(struct app *x, const struct pane *line, const struct offered *offer)
{
    const struct action *a = offer->tag;
    unsigned has = x->nav.top->ops->has;
    bool elsewhere = !action_applies(a, has);
    const char *blocked = elsewhere ? action_place(a, has) : action_missing(x, a, "");
    AUTO_STRBUF keys = STRBUF_INIT, help = STRBUF_INIT;
    strbuf_addf(&help, "%s%s",
                elsewhere ? "not here: it works in "
                : blocked ? "not now: "
                          : "",
                blocked ? blocked : a->help);
    keymap_keys(x->keymap, a, 2, &keys);
    paint_text(line, 0, 3, 18, blocked ? STYLE_DIM : STYLE_TEXT, offer->word);
    paint_text(line, 0, 22, 10, STYLE_KEY, keys.buf);
    paint_text(line, 0, 33, line->width - 34, STYLE_DIM, help.buf);
}

static bool completes(struct app *x)
{
    return strchr(x->ui.prompt.line.text, ':') || takes_ref(&x->ui);
}

/* A ref or a line number has no suggestion. */
static void say_no_match(struct app *x, struct strbuf *out)
{
    const char *text = x->ui.prompt.line.text;
    if (!x->ui.prompt.offers.count && !text[name_length(text)] && !strpbrk(text, ":0123456789!"))
        strbuf_addstr(out, "no match");
}

static const struct prompt_ops ops = {
    .prefix = ":",
    .type_ahead = true,
    .hint = "an action, a ref such as belief:54c5, or a line",
    .enter = "run",
    .history = HISTORY_COMMAND,
    .offers = true,
    .draw_offer = draw_action,
    .completes = completes,
    .changed = changed,
    .accepted = accepted,
    .abandoned = abandoned,
    .key = key,
    .note = say_no_match,
};

void palette_open(struct app *x)
{
    prompt_open(&x->ui, &ops, "");
    changed(x, "");
}
