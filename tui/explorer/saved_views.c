/* The files of saved views, of watched queries, and of the columns that a person chose. */
#include "tui/explorer/saved_views.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "tui/config/config_rules.h"
#include "tui/explorer/changes.h"
#include "tui/widget/ui.h"

#define COLUMNS "columns" /* a file of the state: no person writes it */

static int find_path(const char *name, struct strbuf *path, struct error *e)
{
    bool state = !strcmp(name, COLUMNS);
    const char *base = getenv(state ? "XDG_STATE_HOME" : "XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (base && *base == '/')
        strbuf_addf(path, "%s/stemma/%s", base, name);
    else if (home && *home == '/')
        strbuf_addf(path, "%s/%s/stemma/%s", home, state ? ".local/state" : ".config", name);
    else
        return error_set(e, ERROR_STORE, "Set HOME.", "there is no place for %s", name);
    return 0;
}

/* Parses "NAME: VIEW QUERY". */
static bool parse(const char *line, size_t len, struct arena *arena, struct saved_view *out)
{
    const char *text = arena_strndup(arena, line, len), *colon = strstr(text, ": ");
    if (*text == '#' || !colon || colon == text)
        return false;
    const char *view = colon + 2 + strspn(colon + 2, " "), *query = view + strcspn(view, " ");
    *out = (struct saved_view){.name = arena_strndup(arena, text, (size_t)(colon - text)),
                               .view = arena_strndup(arena, view, (size_t)(query - view)),
                               .query = query + strspn(query, " ")};
    return *out->view != '\0';
}

static const char *next_line(const char *at, size_t *len)
{
    *len = strcspn(at, "\n");
    return at + *len + (at[*len] == '\n');
}

static int read_file(const char *name, struct strbuf *path, struct strbuf *out, struct error *e)
{
    struct file_state state;
    return find_path(name, path, e) || config_file_read(path->buf, out, &state, e) < 0 ? -1 : 0;
}

int saved_views_read(struct arena *arena, struct saved_view **out, size_t *count, struct error *e)
{
    AUTO_STRBUF path = STRBUF_INIT, text = STRBUF_INIT;
    struct saved_view one;
    size_t alloc = 0, len;
    *out = NULL;
    *count = 0;
    if (read_file("views", &path, &text, e))
        return -1;
    for (const char *at = text.buf, *next; *at; at = next) {
        next = next_line(at, &len);
        if (parse(at, len, arena, &one))
            *ARENA_ADD(arena, *out, *count, alloc) = one;
    }
    return 0;
}

static int write_file(const char *path, const char *text, struct error *e)
{
    return file_replace(path, text)
               ? 0
               : error_set(e, ERROR_STORE, "Is its folder writable?", "%s cannot be written", path);
}

int saved_views_put(const struct saved_view *view, struct error *e)
{
    AUTO_STRBUF path = STRBUF_INIT, text = STRBUF_INIT, kept = STRBUF_INIT;
    AUTO_ARENA arena = ARENA_INIT;
    struct saved_view one;
    size_t len;
    bool found = false;
    if (read_file("views", &path, &text, e))
        return -1;
    for (const char *at = text.buf, *next; *at; at = next) {
        next = next_line(at, &len);
        if (parse(at, len, &arena, &one) && !strcmp(one.name, view->name))
            found = true;
        else
            strbuf_addf(&kept, "%.*s\n", (int)len, at);
    }
    if (!view->view && !found)
        return error_set(e, ERROR_NOT_FOUND, ":views lists them.", "no view is saved as '%.80s'",
                         view->name);
    if (view->view)
        strbuf_addf(&kept, "%s: %s %s\n", view->name, view->view, view->query);
    return write_file(path.buf, kept.buf, e);
}

/* ---- watched queries ---- */

int watches_read(struct arena *arena, const char ***out, size_t *count, struct error *e)
{
    AUTO_STRBUF path = STRBUF_INIT, text = STRBUF_INIT;
    size_t alloc = 0, len;
    *out = NULL;
    *count = 0;
    if (read_file("watches", &path, &text, e))
        return -1;
    for (const char *at = text.buf, *next; *at; at = next) {
        next = next_line(at, &len);
        if (len && *at != '#')
            *ARENA_ADD(arena, *out, *count, alloc) = arena_strndup(arena, at, len);
    }
    return 0;
}

int watches_put(const char *query, bool watched, struct error *e)
{
    AUTO_STRBUF path = STRBUF_INIT, text = STRBUF_INIT, kept = STRBUF_INIT;
    size_t len;
    bool found = false;
    if (read_file("watches", &path, &text, e))
        return -1;
    for (const char *at = text.buf, *next; *at; at = next) {
        next = next_line(at, &len);
        bool same = len == strlen(query) && !memcmp(at, query, len);
        found |= same;
        if (!same)
            strbuf_addf(&kept, "%.*s\n", (int)len, at);
    }
    if (!watched && !found)
        return error_set(e, ERROR_NOT_FOUND, ":watch lists them.", "nothing watches '%.80s'",
                         query);
    if (watched)
        strbuf_addf(&kept, "%s\n", query);
    return write_file(path.buf, kept.buf, e);
}

/* ---- columns ---- */

/* Parses "LIST: COLUMN: shown 12 @3", in which a width, a place or a word may be missing. */
static bool parse_column(const char *line, size_t len, struct column_choice *out)
{
    char text[3 * COLUMN_NAME + 64];
    snprintf(text, sizeof(text), "%.*s", len < sizeof(text) ? (int)len : 0, line);
    char *column = strstr(text, ": "), *choice = column ? strstr(column + 2, ": ") : NULL;
    if (!choice)
        return false;
    *column = *choice = '\0';
    char *place = strchr(choice + 2, '@');
    if (place)
        *place++ = '\0';
    const char *width = strpbrk(choice + 2, "0123456789");
    *out = (struct column_choice){.hidden = strstr(choice + 2, "hidden"),
                                  .shown = strstr(choice + 2, "shown"),
                                  .width = width ? (int)strtol(width, NULL, 10) : 0,
                                  .place = place ? (int)strtol(place, NULL, 10) : 0};
    snprintf(out->list, sizeof(out->list), "%.*s", COLUMN_NAME - 1, text);
    snprintf(out->column, sizeof(out->column), "%.*s", COLUMN_NAME - 1, column + 2);
    return out->width >= 0 && out->width <= COLUMN_WIDTH_MAX && out->place >= 0 &&
           out->place <= HEADERS_MAX && !(out->hidden && out->shown);
}

int column_choices_read(struct prefs *prefs, struct error *e)
{
    AUTO_STRBUF path = STRBUF_INIT, text = STRBUF_INIT;
    struct column_choice one;
    size_t len;
    if (read_file(COLUMNS, &path, &text, e))
        return -1;
    for (const char *at = text.buf, *next; *at; at = next) {
        next = next_line(at, &len);
        if (parse_column(at, len, &one) && prefs->column_count < COLUMN_CHOICES_MAX)
            *ARRAY_ADD(prefs->columns, prefs->column_count, prefs->column_alloc) = one;
    }
    return 0;
}

int column_choices_write(const struct prefs *prefs, struct error *e)
{
    AUTO_STRBUF path = STRBUF_INIT, text = STRBUF_INIT;
    if (find_path(COLUMNS, &path, e))
        return -1;
    for (size_t i = 0; i < prefs->column_count; i++) {
        const struct column_choice *c = &prefs->columns[i];
        strbuf_addf(&text, "%s: %s: %s", c->list, c->column,
                    c->hidden  ? "hidden"
                    : c->shown ? "shown"
                               : "");
        strbuf_addf(&text, c->width ? " %d" : "", c->width);
        strbuf_addf(&text, c->place ? " @%d\n" : "\n", c->place);
    }
    return write_file(path.buf, text.buf, e);
}
