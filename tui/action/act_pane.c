/* Actions: the preview's place and size. */
#include "tui/action/action.h"

#include <stdlib.h>
#include <string.h>
#include "tui/explorer/app.h"

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
