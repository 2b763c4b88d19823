#include "tui/render/apply_page.h"

#include <string.h>
#include "tui/render/facts.h"
#include "tui/text/times.h"

#define CHANGE 2
#define SIGN   4
#define VALUE  6

static void put_wrapped(struct page *s, int column, enum style style, const char *text, bool here)
{
    page_wrap(s, column, s->width - column - 1, style, text, SIZE_MAX, here);
}

/* Each line of a value with its sign, as in a diff. */
static void put_value(struct page *s, const char *sign, enum style style, const char *text)
{
    while (text) {
        const char *end = strchr(text, '\n');
        page_line(s);
        page_put(s, SIGN, 1, style, sign);
        put_wrapped(s, VALUE, style,
                    page_printf(s, "%.*s", (int)(end ? end - text : (ptrdiff_t)strlen(text)), text),
                    true);
        text = end ? end + 1 : NULL;
    }
}

/* "belief:1a2b3c4d edited by sean: it was seen twice" */
static const char *heading(struct page *s, const struct decision *d)
{
    return page_printf(s, "%s:%.8s %s%s%s%s%s", REF_ARGS(d->now->ref), d->verb,
                       d->who ? " by " : "", d->who ? d->who : "", d->why ? ": " : "",
                       d->why ? d->why : "");
}

static void put_change(struct page *s, const struct write_change *c, const struct decision *last)
{
    char there[40], here[40];
    if (c->decision && c->decision != last) {
        if (s->count && s->line[s->count - 1].kind != PAGE_RULE)
            page_line(s);
        page_opens(s, c->decision->now->node);
        put_wrapped(s, CHANGE, STYLE_STRONG, heading(s, c->decision), true);
    }
    put_wrapped(s, SIGN, c->decision ? STYLE_DIM : STYLE_STRONG, c->place, false);
    if (c->at) {
        times_format(there, sizeof(there), c->at);
        times_format(here, sizeof(here), c->decision->at);
        page_line(s);
        page_format(s, SIGN, 0, STYLE_WEAKENED, "changed there %s, %s here %s", there,
                    c->decision->verb, here);
    }
    put_value(s, "-", STYLE_ENDED, c->old);
    put_value(s, "+", STYLE_SUPPORTED, c->new_);
}

static void put_title(struct page *s, const char *title)
{
    (s->count ? page_section : page_rule)(s, title, "");
}

void apply_page(struct page *s, const struct apply *a)
{
    const struct write_back *w = &a->w;
    for (size_t i = 0; i < w->change_count; i++)
        put_change(s, &w->change[i], i ? w->change[i - 1].decision : NULL);
    if (w->conflict_count)
        put_title(s, s->options.command
                         ? "left out: changed on both sides; --overwrite writes it"
                         : "left out: changed on both sides; :apply --overwrite writes it");
    for (size_t i = 0; i < w->conflict_count; i++)
        put_change(s, &w->conflict[i], i ? w->conflict[i - 1].decision : NULL);
    if (w->left_count)
        put_title(s, "cannot be written");
    for (size_t i = 0; i < w->left_count; i++) {
        const struct write_left *left = &w->left[i];
        page_opens(s, left->decision->now->node);
        put_wrapped(s, CHANGE, STYLE_TEXT,
                    page_printf(s, "%s:%.8s: %s", REF_ARGS(left->decision->now->ref), left->what),
                    true);
    }
}

const char *apply_summary(struct arena *arena, const struct apply *a)
{
    const struct write_back *w = &a->w;
    const char *name = strrchr(w->path, '/') + 1;
    char at[40];
    if (a->undoes) {
        times_format(at, sizeof(at), a->undone_at);
        return arena_format(arena, "undoes what was written %s to %s", at, w->path);
    }
    if (w->change_count == 0 && w->conflict_count)
        return arena_format(arena, "nothing else to write to %s", name);
    if (w->change_count == 0)
        return arena_format(arena, "nothing to write: %s says what was decided here%s", name,
                            w->left_count ? ", as far as it can" : "");
    return arena_format(arena, "%zu %s to %s%s", w->change_count,
                        w->change_count == 1 ? "change" : "changes", w->path,
                        w->conflict_count ? ", without what is left out" : "");
}
