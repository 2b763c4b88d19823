/*
 * Views that a person saved under a name: a view and the query of its filter. They are lines of one file,
 * $XDG_CONFIG_HOME/stemma/views or ~/.config/stemma/views, which people may edit: "NAME: VIEW QUERY".
 */
#ifndef STEMMA_SAVED_VIEWS_H
#define STEMMA_SAVED_VIEWS_H

#include <stdbool.h>
#include <stddef.h>
#include "model/base/arena.h"
#include "model/base/error.h"

struct saved_view {
    const char *name;
    const char *view;  /* the name of the action that opens it: "beliefs" */
    const char *query; /* "" for none */
};

/* Reads the file, in its order; without a file there are none. Lines of another form are left out. */
int saved_views_read(struct arena *arena, struct saved_view **out, size_t *count, struct error *e);
/* Writes one, in place of that of its name; with a NULL `view` removes that. Other lines stay as they are. */
int saved_views_put(const struct saved_view *view, struct error *e);

/* The queries that a person watches (app.h), a line each of the file "watches" in the same folder; '#' begins a
 * comment. */
int watches_read(struct arena *arena, const char ***out, size_t *count, struct error *e);
/* Adds one, or removes it. */
int watches_put(const char *query, bool watched, struct error *e);

/* What the person chose for the columns of lists: $XDG_STATE_HOME/stemma/columns or ~/.local/state/stemma/columns. */
#define COLUMN_CHOICES_MAX 1000 /* that are read */
struct prefs;
int column_choices_read(struct prefs *prefs, struct error *e);
int column_choices_write(const struct prefs *prefs, struct error *e);

#endif
