/* The status line and the end of a run, for whoever has the app. */
#include "tui/explorer/acting_said.h"
#include "tui/explorer/app.h"
#include "tui/term/signals.h"

void app_say(struct app *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ui_vsay(&x->ui, format, args);
    va_end(args);
}

void app_fail(struct app *x, const struct error *e)
{
    ui_fail(&x->ui, e);
}

void app_wake(struct app *x, int64_t ms)
{
    ui_wake(&x->ui, ms);
}

void app_rest(struct app *x)
{
    x->ui.status.text[0] = '\0';
    x->ui.status.style = STYLE_STATUS;
    if (x->remote.lost.code != ERROR_NONE)
        app_fail(x, &x->remote.lost);
    else if (!x->ui.prompt.ops)
        acting_say_waiting(x);
    x->ui.status.fresh = false;
}

bool app_is_ended(struct app *x)
{
    if (!signals_end())
        return false;
    x->ui.quit = true;
    x->ui.ended_by = signals_end();
    return true;
}
