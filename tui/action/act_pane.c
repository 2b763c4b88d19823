/* Actions: the preview's place and size; two panes. */
#include "tui/action/action.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store/guard/guard.h"
#include "store/query/ref.h"
#include "store/record/get.h"
#include "tui/explorer/app.h"
#include "tui/text/times.h"
#include "tui/view/views.h"

/* ---- the preview ---- */

#define STEP 10 /* percent that + and - add and take */

enum preview_choice {
    CHOICE_BIGGER = PREVIEW_OFF + 1,
    CHOICE_SMALLER,
    CHOICE_DEFAULT,
};

/* The first PREVIEW_OFF + 1 are the places, in the order of the enum. */
static const struct choice choices[] = {
    {'a', "auto", "right or below, by the width of the terminal", PREVIEW_AUTO},
    {'r', "right", "next to the list", PREVIEW_RIGHT},
    {'b', "below", "under the list", PREVIEW_BELOW},
    {'h', "off", "hides it; again: shows it", PREVIEW_OFF},
    {'+', "+", "bigger", CHOICE_BIGGER},
    {'-', "-", "smaller", CHOICE_SMALLER},
    {'=', "default", "the place and size of config.yaml", CHOICE_DEFAULT},
};
#define CHOICES (sizeof(choices) / sizeof(choices[0]))

const char *preview_name(int place)
{
    return choices[place].text;
}

int preview_named(const char *word, size_t len)
{
    int place = PREVIEW_OFF;
    while (place >= 0 &&
           (strlen(choices[place].text) != len || memcmp(choices[place].text, word, len)))
        place--;
    return place;
}

const char *blocked_preview(struct app *x)
{
    return x->nav.top->ops->preview ? NULL : "this view has no preview";
}

static void report(struct app *x)
{
    const char *place = preview_name(x->prefs.preview);
    if (x->prefs.preview == PREVIEW_OFF)
        ui_message(&x->ui, "the preview is hidden");
    else if (x->prefs.preview_size)
        ui_message(&x->ui, "preview: %s, %d %%", place, x->prefs.preview_size);
    else
        ui_message(&x->ui, "preview: %s", place);
}

static void resize(struct app *x, int size)
{
    if (x->prefs.preview == PREVIEW_OFF)
        x->prefs.preview = PREVIEW_AUTO;
    x->prefs.preview_size = size < PREVIEW_SIZE_MIN   ? PREVIEW_SIZE_MIN
                            : size > PREVIEW_SIZE_MAX ? PREVIEW_SIZE_MAX
                                                      : size;
}

static void chosen(struct app *x, const struct popup_item *item)
{
    struct prefs *p = &x->prefs;
    bool step = item->value == CHOICE_BIGGER || item->value == CHOICE_SMALLER;
    if (step)
        resize(x, app_preview_size(x) + (item->value == CHOICE_BIGGER ? STEP : -STEP));
    else if (item->value == CHOICE_DEFAULT)
        p->preview = x->config->preview, p->preview_size = x->config->preview_size;
    else if (item->value == PREVIEW_OFF && p->preview == PREVIEW_OFF)
        p->preview = x->config->preview == PREVIEW_OFF ? PREVIEW_AUTO : x->config->preview;
    else
        p->preview = (int)item->value;
    x->ui.preview_focus &= p->preview != PREVIEW_OFF;
    report(x);
}

void act_preview(struct app *x, const char *argument)
{
    char *end;
    long percent = strtol(argument, &end, 10);
    if (*argument >= '0' && *argument <= '9' && (!*end || !strcmp(end, "%"))) {
        resize(x, percent < PREVIEW_SIZE_MAX ? (int)percent : PREVIEW_SIZE_MAX);
        report(x);
        return;
    }
    popup_by_name(&x->ui.popup, argument, "preview", choices, CHOICES, x->prefs.preview, chosen);
    x->ui.drop_typed = false; /* its key may be typed ahead: it changes no store */
}

/* ---- two panes ---- */

static void name_side(struct app *x, struct compare_side *side, const struct point_in_time *m)
{
    AUTO_STRBUF name = STRBUF_INIT;
    const struct memory_row *row = side->node ? details_row(x, side->node) : NULL;
    char when[32];
    if (row && !m)
        details_ref(x, row, &name);
    if (m) {
        times_format(when, sizeof(when), m->until);
        strbuf_addf(&name, "%s @%lld", when, (long long)m->seq);
    }
    snprintf(side->name, sizeof(side->name), "%s", name.buf);
}

static void compare_memories(struct app *x, int64_t first, int64_t second)
{
    struct compare_side side[2] = {{.node = first}, {.node = second}};
    name_side(x, &side[0], NULL);
    name_side(x, &side[1], NULL);
    if (first == second)
        ui_message(&x->ui, "%s is one memory: give a time to compare it with, or another memory",
                   side[0].name);
    else
        app_push(x, compare_view_new(&x->ui, side, NULL));
}

/* The memory, or without one the list on top, as of two times. */
static void compare_times(struct app *x, int64_t node, const struct point_in_time *from,
                          const struct point_in_time *to)
{
    struct view *list = node ? NULL : x->nav.top;
    struct compare_side side[2] = {{.node = node, .seq = from->seq},
                                   {.node = node, .seq = to->seq}};
    name_side(x, &side[0], from);
    name_side(x, &side[1], to);
    if (!from->seq || !to->seq)
        ui_message(&x->ui, "the store was empty at the first of these times");
    else if (from->seq == to->seq)
        ui_message(&x->ui, "nothing was written between these times");
    else
        app_push(x, compare_view_new(&x->ui, side, list));
}

/* A memory by its ref, or 'a for the memory of a bookmark; 0 if it is neither. */
static int64_t named(struct app *x, const char *word)
{
    struct error e;
    for (size_t i = 0; i < BOOKMARKS && word[0] == '\'' && word[1] && !word[2]; i++)
        if (x->nav.back_list.bookmark[i].letter == (unsigned char)word[1])
            return x->nav.back_list.bookmark[i].node;
    int64_t node = ref_resolve(x->data.reader, word, &e);
    return node > 0 ? node : 0;
}

/* Two refs or bookmarks, or one that is compared with the memory here. Returns false if they are none. */
static bool take_refs(struct app *x, const char *argument)
{
    char first[256], second[256] = "";
    int count = sscanf(argument, "%255s %255s", first, second);
    int64_t a = named(x, first), b = count == 2 ? named(x, second) : 0;
    if (!a || (count == 2 && !b))
        return false;
    if (count == 1)
        b = a, a = view_memory(x->nav.top);
    if (a)
        compare_memories(x, a, b);
    else
        ui_message(&x->ui, "there is no memory here: name two");
    return true;
}

/* The first memory that it is based on; 0 for none. */
static int64_t source_of(struct app *x, int64_t node)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory m;
    struct error e;
    if (memory_read(x->data.reader, &arena, node, &m, &e))
        return 0;
    for (size_t i = 0; i < m.justification_count; i++)
        for (size_t k = 0; k < m.justifications[i].count; k++)
            if (m.justifications[i].antecedents[k].node > 0)
                return m.justifications[i].antecedents[k].node;
    return 0;
}

/* What the place suggests: the selected two, a version and what it was before, a page and the row under its cursor,
 * a memory and its source. */
static void compare_here(struct app *x)
{
    const struct selection *selected = &x->ui.selection;
    struct line_subject line = view_subject(x->nav.top);
    int64_t node = view_memory(x->nav.top), about = view_about(x->nav.top), source;
    int64_t one = selection_next(selected, 0);
    if (selected->count > 0 && selected->count != 2) {
        ui_message(&x->ui, "%zu memories are selected; select two", selected->count);
    } else if (selected->count == 2) {
        compare_memories(x, one, selection_next(selected, one));
    } else if (view_is(x->nav.top, "wordings")) {
        int64_t before = view_node_at(x->nav.top, x->nav.top->cursor + 1);
        compare_memories(x, before > 0 ? before : node, node);
    } else if (line.event && node) {
        char before[32];
        snprintf(before, sizeof(before), "@%lld @%lld", (long long)line.event - 1,
                 (long long)line.event);
        act_compare(x, before);
    } else if (node && about && node != about) {
        compare_memories(x, about, node);
    } else if (node && (source = source_of(x, node))) {
        compare_memories(x, node, source);
    } else {
        ui_message(&x->ui, node ? "it has no source: select two memories, or give a ref or a time"
                                : "select two memories, or give refs or times");
    }
}

void act_compare(struct app *x, const char *argument)
{
    struct point_in_time from, to;
    bool list = x->nav.top->ops->has & HAS_MEMORY_LIST && !list_view_own_order(x->nav.top);
    if (!*argument)
        compare_here(x);
    else if (take_refs(x, argument))
        return;
    else if (!two_times_read(x, argument, &from, &to))
        ui_message(&x->ui, "'%s' is neither a memory, a bookmark ('a) nor a time (yesterday, @123)",
                   argument);
    else if (list || view_memory(x->nav.top))
        compare_times(x, list ? 0 : view_memory(x->nav.top), &from, &to);
    else
        ui_message(&x->ui, "there is no memory here: go to one, or to a list");
}
