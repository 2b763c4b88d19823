#include "tui/view/events/happening_typed.h"

#include <stdio.h>
#include <string.h>
#include "tui/explorer/app.h"
#include "tui/view/events/audit_filter.h"
#include "tui/view/events/happening_list.h"

static struct happening_list *list_of(struct view *v)
{
    return (struct happening_list *)v;
}

/* What is shown of one session alone stays that. */
static bool read_line(struct happening_list *l, const char *text, struct happening_filter *out)
{
    struct app *x = l->view.app;
    char why[160];
    if (!audit_filter_read(x, text, out, why, sizeof(why))) {
        app_say(x, "%s", why);
        return false;
    }
    if (l->session && out->session && out->session != l->session) {
        app_say(x, "here stands one session alone; 9 shows all");
        return false;
    }
    if (l->session)
        out->session = l->session;
    return true;
}

void happening_typed_begin(struct happening_list *l, const char *text)
{
    if (!read_line(l, text, &l->filter)) {
        l->filter = (struct happening_filter){.session = l->session};
        return;
    }
    snprintf(l->typed, sizeof(l->typed), "%s", text);
    happening_return_taken(l);
}

const char *happening_typed_filter(const struct view *v)
{
    return ((const struct happening_list *)v)->typed;
}

void happening_typed_set(struct view *v, const char *text)
{
    struct happening_list *l = list_of(v);
    struct happening_filter filter;
    bool was = *l->typed != '\0';
    if (!strcmp(l->typed, text)) {
        happening_return_taken(l);
        return;
    }
    if (!read_line(l, text, &filter))
        return;
    snprintf(l->typed, sizeof(l->typed), "%s", text);
    l->filter = filter;
    happening_list_refilter(l, was, *text != '\0');
}
