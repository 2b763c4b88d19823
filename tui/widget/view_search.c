/* What is looked for in a view, and what is waited for: lines that are found or read later. */
#include "tui/widget/view.h"

#include "model/base/alloc.h"
#include "model/base/strbuf.h"
#include "tui/explorer/app.h"
#include "tui/text/match.h"
#include "tui/widget/scan.h"

#define READING "reading on to " /* the status line begins so while something is waited for */

static bool is_partial(struct view *v)
{
    return v->ops->partial && v->ops->partial(v);
}

/* ---- searching ---- */

static void found_line(struct search *s, size_t line)
{
    if (array_grow((void **)&s->line, &s->alloc, s->count, sizeof(*s->line)))
        s->line[s->count++] = line;
}

/* The first match at or after `line`, as an index; s->count where there is none. */
static size_t match_after(const struct search *s, size_t line)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->line[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A match that no cursor can stand on is shown all the same. */
static void go_to(struct view *v, size_t line)
{
    view_show_line(v, line);
    v->search.shown = line;
    v->search.top = v->top;
}

/* From where the next one is looked for: the cursor, else the match that is shown. */
static size_t place_of(const struct view *v)
{
    const struct search *s = &v->search;
    if (v->selected != LINE_NONE)
        return v->selected;
    return s->top == v->top && s->shown >= v->top ? s->shown : v->top;
}

static void jump_wanted(struct view *v)
{
    struct search *s = &v->search;
    size_t index = match_after(s, s->origin);
    bool asked = !v->app->ui.prompt.ops; /* by a key; a prompt says by itself what it finds */
    if (!s->wanted || (index == s->count && !s->complete))
        return;
    s->wanted = false;
    if (s->count == 0) {
        if (asked)
            app_say(v->app, "nothing here matches \"%s\"", s->pattern);
        return;
    }
    bool wrapped = index == s->count;
    index = wrapped ? 0 : index;
    go_to(v, s->line[index]);
    if (asked)
        app_say(v->app, "match %zu of %zu%s%s", index + 1, s->count, s->complete ? "" : " so far",
                wrapped ? ", from the top again" : "");
}

static void search_found(void *arg, const uint32_t *lines, size_t count, bool complete)
{
    struct view *v = arg;
    for (size_t i = 0; i < count; i++)
        found_line(&v->search, lines[i]);
    v->search.complete = complete;
    jump_wanted(v);
}

static void search_here(struct view *v)
{
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < v->count; i++) {
        struct match found;
        strbuf_clear(&text);
        v->ops->text(v, i, &text);
        if (match_find(text.buf, text.len, 0, v->search.pattern, &found))
            found_line(&v->search, i);
    }
    strbuf_release(&text);
    v->search.complete = !is_partial(v);
    jump_wanted(v);
}

static void search_rows(struct view *v)
{
    struct search *s = &v->search;
    int64_t *nodes = xmalloc((v->count ? v->count : 1) * sizeof(*nodes));
    if (!nodes)
        return;
    for (size_t i = 0; i < v->count; i++)
        nodes[i] = view_node_at(v, i);
    scan_start(v->app, s, nodes, v->count, s->pattern, search_found, v);
}

void view_search_again(struct view *v)
{
    struct search *s = &v->search;
    worker_cancel_owner(&v->app->data.worker, s);
    s->count = 0;
    s->complete = !*s->pattern;
    if (!*s->pattern)
        return;
    if (v->ops->text)
        search_here(v);
    else if (v->ops->node)
        search_rows(v);
}

void view_search_begin(struct view *v)
{
    v->search.origin = v->selected == LINE_NONE ? v->top : v->selected;
}

void view_search(struct view *v, const char *pattern)
{
    snprintf(v->search.pattern, sizeof(v->search.pattern), "%s", pattern);
    v->search.wanted = *pattern != '\0';
    view_search_again(v);
}

void view_search_abandon(struct view *v)
{
    size_t origin = v->search.origin;
    view_search(v, "");
    view_select(v, origin);
}

/* Where a line stands once those were taken out and these put in. */
static size_t moved_line(size_t line, const size_t *out, size_t out_count, const size_t *in,
                         size_t in_count)
{
    size_t gone = 0, come = 0;
    while (gone < out_count && out[gone] < line)
        gone++;
    line -= gone;
    while (come < in_count && in[come] <= line + come)
        come++;
    return line + come;
}

void view_search_move(struct view *v, const size_t *out, size_t out_count, const size_t *in,
                      size_t in_count)
{
    struct search *s = &v->search;
    size_t kept = 0, gone = 0, come = 0;
    for (size_t i = 0; i < s->count; i++) {
        size_t line = s->line[i];
        while (gone < out_count && out[gone] < line)
            gone++;
        if (gone < out_count && out[gone] == line)
            continue;
        line -= gone;
        while (come < in_count && in[come] <= line + come)
            come++;
        s->line[kept++] = line + come;
    }
    s->count = kept;
    s->origin = moved_line(s->origin, out, out_count, in, in_count);
}

void view_search_add(struct view *v, size_t line)
{
    struct search *s = &v->search;
    size_t at = match_after(s, line);
    if ((at < s->count && s->line[at] == line) ||
        !array_grow((void **)&s->line, &s->alloc, s->count, sizeof(*s->line)))
        return;
    memmove(s->line + at + 1, s->line + at, (s->count - at) * sizeof(*s->line));
    s->line[at] = line;
    s->count++;
}

void view_search_next(struct view *v, int direction)
{
    struct search *s = &v->search;
    size_t from = place_of(v);
    size_t index = match_after(s, direction > 0 ? from + 1 : from);
    if (s->count == 0 && s->complete) {
        app_say(v->app, "nothing here matches \"%s\"", s->pattern);
        return;
    }
    if (!s->complete && (s->count == 0 || (direction > 0 && index == s->count))) {
        s->origin = direction > 0 ? from + 1 : s->origin;
        s->wanted = true;
        app_say(v->app, "looking on for \"%s\"; any key stops it", s->pattern);
        return;
    }
    bool wrapped = direction > 0 ? index == s->count : index == 0;
    index = direction > 0 ? (wrapped ? 0 : index) : (wrapped ? s->count : index) - 1;
    go_to(v, s->line[index]);
    app_say(v->app, "match %zu of %zu%s%s", index + 1, s->count, s->complete ? "" : " so far",
            !wrapped        ? ""
            : direction > 0 ? ", from the top again"
                            : ", from the bottom again");
}

/* ---- what is still to come ---- */

bool view_moves_on(const struct view *v)
{
    return v->end_wanted || v->line_wanted > 0 || (v->search.wanted && !v->search.complete);
}

bool view_wants_more(const struct view *v)
{
    return view_moves_on(v) || v->line_sought;
}

void view_want_nothing(struct view *v)
{
    v->end_wanted = false;
    v->line_wanted = 0;
    v->line_sought = false;
    v->search.wanted = false;
}

bool view_go_to_end(struct view *v)
{
    if (!is_partial(v))
        return false;
    v->end_wanted = true;
    app_say(v->app, READING "the end; any key stops it");
    view_grown(v);
    return true;
}

void view_go_to_line(struct view *v, size_t number)
{
    if (number > v->count && is_partial(v)) {
        v->line_wanted = number;
        app_say(v->app, READING "line %zu; any key stops it", number);
        return;
    }
    if (number > v->count)
        app_say(v->app, "there is no line %zu: this is the last one", number);
    view_select(v, number > 0 ? number - 1 : 0);
}

/* What was read for is there: the status line no longer says that it is waited for. */
static void stop_saying(struct view *v)
{
    if (!strncmp(v->app->ui.status.text, READING, strlen(READING)))
        v->app->ui.status.text[0] = '\0';
}

void view_grown(struct view *v)
{
    bool partial = is_partial(v);
    size_t line = v->line_wanted;
    if (v->end_wanted && v->count > 0)
        view_select(v, v->count - 1);
    if (line > 0 && (v->count >= line || !partial)) {
        v->line_wanted = 0;
        stop_saying(v);
        view_go_to_line(v, line);
    }
    if (v->end_wanted && !partial) {
        v->end_wanted = false;
        stop_saying(v);
    }
    if (*v->search.pattern && v->ops->text) {
        v->search.complete = !partial;
        jump_wanted(v);
    }
}
