#include "explorer.h"

int explorer_run(struct store *s, const struct config *config,
                 const struct explorer_options *options, struct error *e)
{
    (void)s;
    (void)config;
    (void)options;
    return error_set(e, ERROR_STORE, "Use `stemma list` until then.",
                     "the explorer is not built in");
}
