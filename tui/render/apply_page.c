#include "tui/render/apply_page.h"

#include <string.h>

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

static void put_heading(struct page *s, const struct decision *d)
{
    if (s->count)
        page_line(s);
    page_opens(s, d->now.node);
    page_put(s, CHANGE, 0, STYLE_STRONG, apply_heading(&s->arena, d));
}

void apply_page(struct page *s, const struct apply *a)
{
    const struct decision *last = NULL;
    for (size_t i = 0; i < a->w.change_count; i++) {
        const struct write_change *c = &a->w.change[i];
        if (c->decision != last)
            put_heading(s, c->decision);
        last = c->decision;
        page_line(s);
        page_put(s, SIGN, 0, STYLE_DIM, c->place);
        put_value(s, "-", STYLE_ENDED, c->old);
        put_value(s, "+", STYLE_SUPPORTED, c->new_);
    }
    if (a->w.left_count)
        (s->count ? page_section : page_rule)(s, "cannot be written", "");
    for (size_t i = 0; i < a->w.left_count; i++) {
        const struct write_left *left = &a->w.left[i];
        page_opens(s, left->decision->now.node);
        page_wrap(s, CHANGE, s->width - CHANGE - 1, STYLE_TEXT,
                  page_printf(s, "%s:%.8s: %s", REF_ARGS(left->decision->now.ref), left->what),
                  SIZE_MAX, true);
    }
}

const char *apply_summary(struct arena *arena, const struct apply *a)
{
    const char *name = strrchr(a->w.path, '/') + 1;
    if (a->w.change_count == 0)
        return arena_format(arena, "nothing to write: %s says what was decided here%s", name,
                            a->w.left_count ? ", as far as it can" : "");
    return arena_format(arena, "%zu %s to %s", a->w.change_count,
                        a->w.change_count == 1 ? "change" : "changes", a->w.path);
}
