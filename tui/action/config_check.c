/* What config.c cannot know: themes and the registry of actions know their own names. No curses. */
#include "tui/action/action.h"
#include "tui/config/config.h"
#include "tui/term/theme.h"

int config_check_patterns(const struct config *c, struct error *e)
{
    const struct permissions *p = &c->permissions;
    for (size_t i = 0; i < p->pattern_count; i++) {
        struct pii *one = pii_new(&p->patterns[i], 1, e);
        if (!one && e->code == ERROR_INVALID)
            return error_prefix(e, "%s line %d", c->path, c->pattern_line[i]);
        if (!one)
            return -1;
        pii_free(one);
    }
    return 0;
}

int config_check(const struct config *c, struct error *e)
{
    struct theme theme;
    struct keymap keys;
    if (!c->path)
        return 0; /* all is default */
    if (c->theme_line && theme_load(&theme, c->theme, e))
        return error_prefix(e, "%s line %d", c->path, c->theme_line);
    return keymap_open(&keys, c, e) ? -1 : config_check_patterns(c, e);
}
