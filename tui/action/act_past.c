/* Other moments: the store as it was, and what differs between two. */
#include "tui/action/actions.h"

#include <string.h>
#include "tui/explorer/app.h"
#include "tui/view/view_diff.h"

/* ---- one ---- */

static void say_where(struct app *x)
{
    struct strbuf text = STRBUF_INIT;
    asof_add_status(x, &text);
    app_say(x, "%s",
            text.len ? text.buf
                     : "write :asof and a time: 2 days ago, 2026-11-13 09:00, or an event, @123");
    strbuf_release(&text);
}

void act_asof(struct app *x, const char *argument)
{
    struct moment m;
    struct error e;
    if (!*argument)
        say_where(x);
    else if (strcmp(argument, "now") == 0)
        asof_return(x);
    else if (moment_read(x->asof.present, argument, x->ui.now, &m, &e))
        app_fail(x, &e);
    else if (m.seq == 0)
        app_say(x, "there was nothing yet at %s", argument);
    else
        asof_go(x, &m);
}

/* ---- two ---- */

/* The first of the two is text[0..len). */
static bool read_first(struct app *x, const char *text, size_t len, struct moment *m)
{
    char first[128];
    struct error e;
    while (len > 0 && text[len - 1] == ' ')
        len--;
    if (len == 0 || len >= sizeof(first))
        return false;
    memcpy(first, text, len);
    first[len] = '\0';
    return moment_read(x->asof.present, first, x->ui.now, m, &e) == 0;
}

/* A time may have spaces in it: the two are parted where both are times. One alone is compared with
 * now. */
static bool read_two(struct app *x, const char *text, struct moment *from, struct moment *to)
{
    struct error e;
    for (const char *at = text; (at = strchr(at, ' ')); at++)
        if (at[1] && read_first(x, text, (size_t)(at - text), from) &&
            moment_read(x->asof.present, at + 1 + strspn(at + 1, " "), x->ui.now, to, &e) == 0)
            return true;
    return read_first(x, text, strlen(text), from) &&
           moment_read(x->asof.present, "now", x->ui.now, to, &e) == 0;
}

void act_diff(struct app *x, const char *argument)
{
    struct moment from, to;
    if (!*argument)
        app_say(x, "write :diff and two times: yesterday now, or events, @120 @123");
    else if (read_two(x, argument, &from, &to))
        app_push(x, diff_view_new(x, &from, &to));
    else
        app_say(x, "'%s' are not two times; write them as 2026-11-13, \"2 days ago\" or @123",
                argument);
}
