#include "tui/render/apply_page.h"

#include <string.h>
#include "tui/render/facts.h"

#define CHANGE 2
#define SIGN   4
#define VALUE  6

/* Each line of a value with its sign, as in a diff. */
static void put_value(struct page *s, const char *sign, enum style style, const char *text)
{
    while (text) {
        const char *end = strchr(text, '\n');
        page_line(s);
        page_put(s, SIGN, 1, style, sign);
        page_wrap(s, VALUE, s->width - VALUE - 1, style,
                  page_printf(s, "%.*s", (int)(end ? end - text : (ptrdiff_t)strlen(text)), text),
                  SIZE_MAX, true);
        text = end ? end + 1 : NULL;
    }
}

static void put_change(struct page *s, const struct write_change *c, const struct decision *last)
{
    char there[40], here[40];
    if (c->decision && c->decision != last) {
        if (s->count && s->line[s->count - 1].kind != PAGE_RULE)
            page_line(s);
        page_opens(s, c->decision->now->node);
        page_put(s, CHANGE, 0, STYLE_STRONG, apply_heading(&s->arena, c->decision));
    }
    page_line(s);
    page_put(s, SIGN, 0, STYLE_DIM, c->place);
    if (c->at) {
        facts_exact(there, sizeof(there), c->at);
        facts_exact(here, sizeof(here), c->decision->at);
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
        page_wrap(s, CHANGE, s->width - CHANGE - 1, STYLE_TEXT,
                  page_printf(s, "%s:%.8s: %s", REF_ARGS(left->decision->now->ref), left->what),
                  SIZE_MAX, true);
    }
}

const char *apply_summary(struct arena *arena, const struct apply *a)
{
    const struct write_back *w = &a->w;
    const char *name = strrchr(w->path, '/') + 1;
    char at[40];
    if (a->undoes) {
        facts_exact(at, sizeof(at), a->undone_at);
        return arena_format(arena, "undoes what was written %s to %s", at, w->path);
    }
    if (w->change_count == 0 && w->conflict_count)
        return arena_format(arena, "nothing to write: %s changed, too", name);
    if (w->change_count == 0)
        return arena_format(arena, "nothing to write: %s says what was decided here%s", name,
                            w->left_count ? ", as far as it can" : "");
    return arena_format(arena, "%zu %s to %s", w->change_count,
                        w->change_count == 1 ? "change" : "changes", w->path);
}
