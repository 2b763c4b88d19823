/* What config.c cannot know: themes and the registry of actions know their own names. No curses. */
#include "action.h"
#include "config.h"
#include "theme.h"

int config_check(const struct config *c, struct error *e)
{
    struct theme theme;
    struct keymap keys;
    if (!c->path)
        return 0; /* all is default */
    if (c->theme_line && theme_load(&theme, c->theme, e))
        return error_prefix(e, "%s line %d", c->path, c->theme_line);
    return keymap_open(&keys, c, e);
}
