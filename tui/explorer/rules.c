#include "tui/explorer/rules.h"

#include <stdlib.h>
#include <string.h>
#include "store/guard/guard.h"
#include "tui/explorer/app.h"
#include "tui/config/config_rules.h"
#include "store/platform/platform.h"

bool rules_open(struct app *x, struct error *e)
{
    if (!x->home->rules) {
        x->home->rules = config_rules_open(x->config, e);
        if (x->home->rules)
            config_rules_whole(x->home->rules, x->above->check);
    }
    x->rules.config = x->home->rules;
    return x->rules.config;
}

struct guard_rules *rules_now(struct app *x)
{
    struct error e;
    if (rules_open(x, &e))
        return config_rules_now(x->rules.config);
    ui_error(&x->ui, &e);
    return NULL;
}

const struct permissions *rules_permissions(const struct config *config,
                                            const struct guard_rules *rules)
{
    return rules ? guard_permissions(rules) : &config->permissions;
}

/* ---- :mask ---- */

const char *rules_mask_blocks(const struct data *data)
{
    return data->mask ? "personal data is masked: nothing can be changed here until :mask shows it"
                      : NULL;
}

/* Masks by these rules and takes the reference; NULL to stop masking. */
static void mask_by(struct app *x, struct guard_rules *rules)
{
    worker_set_mask(&x->data.worker, rules);
    reader_mask(x->data.reader, rules);
    reader_mask(x->asof.present, rules);
    guard_rules_release(x->data.mask);
    x->data.mask = rules;
}

void rules_toggle_mask(struct app *x)
{
    struct guard_rules *rules = x->data.mask ? NULL : rules_now(x);
    if (!x->data.mask && !rules)
        return;
    mask_by(x, rules);
    asof_read_again(x);
    ui_message(&x->ui, rules ? "masked, also in copies and searches; :mask shows it"
                             : "personal data is shown");
}

/* ---- changes of the file ---- */

#define STANDS_MS 3000 /* least time that the answer to a key stays in the status line */

void rules_watch(struct app *x)
{
    struct error e;
    if (!x->config->place || !rules_open(x, &e))
        return;
    x->rules.watcher = watcher_new(&x->config->place, 1);
    x->rules.fd = watcher_fd(x->rules.watcher);
    x->rules.shown = config_rules_now(x->rules.config);
    x->ui.permissions = rules_permissions(x->config, x->rules.shown);
}

/* Takes what differs from the configuration before: what the person changed by a key since then stays. */
static void take_config(struct app *x, struct config *c)
{
    const struct config *before = x->config;
    struct screen *screen = &x->ui.screen;
    struct error e;
    x->config = c;
    if (screen->colours && strcmp(before->theme, c->theme) != 0 &&
        screen_set_theme(screen, c->theme, &e))
        ui_error(&x->ui, &e); /* checked before, so it changed since */
    if (before->mouse != c->mouse)
        screen_set_mouse(screen, c->mouse);
    if (before->order != c->order)
        x->prefs.order = (enum list_order)c->order;
    if (before->graph_style != c->graph_style)
        x->prefs.graph_style = c->graph_style;
    if (before->preview != c->preview)
        x->prefs.preview = c->preview;
    if (before->preview_size != c->preview_size)
        x->prefs.preview_size = c->preview_size;
    screen_set_ascii(screen, c->ascii);
    screen_set_links(screen, c->links);
    screen->escape_delay = c->escape_delay;
    x->above->take_keys(x);
    stores_take_name(x);
    memset(x->ui.bar_state, 0, sizeof(x->ui.bar_state));
    if (x->home->config)
        config_release(x->home->config);
    free(x->home->config);
    x->home->config = c;
}

/* Reads the configuration again; if it changed, updates everything that shows it or is masked by it. */
static bool read_again(struct app *x)
{
    struct guard_rules *rules = config_rules_now(x->rules.config);
    struct config *fresh = config_rules_take(x->rules.config);
    bool others = rules != x->rules.shown || fresh;
    if (fresh)
        take_config(x, fresh);
    guard_rules_release(x->rules.shown);
    x->rules.shown = rules;
    x->ui.permissions = rules_permissions(x->config, rules);
    if (others && x->data.mask)
        mask_by(x, guard_rules_hold(rules));
    if (others)
        asof_read_again(x);
    return others;
}

/* Shows the message, but not while the person types or reads an answer. */
static bool show_note(struct app *x)
{
    struct error wrong;
    int64_t left = x->ui.status.fresh ? x->ui.status.shown_since + STANDS_MS - monotonic_ms() : 0;
    if (!x->rules.note)
        x->rules.note = config_rules_take_note(x->rules.config);
    if (!x->rules.note)
        return false;
    bool other_error = ui_shows_error(&x->ui) && x->ui.status.shown_since != x->rules.noted_at;
    if (x->ui.modal || other_error || (left > 0 && !x->options->script)) {
        ui_wake(&x->ui, left > 0 ? left : STANDS_MS);
        return false;
    }
    ui_message(&x->ui, "%s", x->rules.note);
    x->rules.noted_at = x->ui.status.shown_since;
    if (config_rules_wrong(x->rules.config, &wrong))
        x->ui.status.style = STYLE_ERROR;
    free(x->rules.note);
    x->rules.note = NULL;
    return true;
}

void rules_reload(struct app *x)
{
    struct error e;
    if (!x->config->place) {
        ui_message(&x->ui, "no configuration file is known: HOME is not set");
    } else if (!rules_open(x, &e)) {
        ui_error(&x->ui, &e);
    } else {
        config_rules_reload(x->rules.config);
        read_again(x);
        if (!show_note(x) && !x->rules.note)
            ui_message(&x->ui, "nothing has changed in %s", x->config->place);
    }
}

int rules_fd(const struct app *x)
{
    return x->rules.fd;
}

bool rules_ready(struct app *x)
{
    if (!x->rules.shown || !watcher_take(x->rules.watcher))
        return false;
    bool changed = read_again(x);
    return show_note(x) || changed;
}

/* A script does not wait for file events. */
bool rules_due(struct app *x)
{
    if (!x->rules.shown)
        return false;
    bool changed = x->options->script && read_again(x);
    return show_note(x) || changed;
}

void rules_release(struct app *x)
{
    guard_rules_release(x->data.mask);
    guard_rules_release(x->rules.shown);
    x->data.mask = x->rules.shown = NULL;
    free(x->rules.note);
    x->rules.note = NULL;
    watcher_free(x->rules.watcher);
    x->rules.watcher = NULL;
    x->rules.fd = -1;
}
