#include "rules.h"

#include "../store/guard_mask.h"
#include "actions.h"
#include "app.h"
#include "config_rules.h"

struct guard_rules *rules_now(struct app *x)
{
    struct error e;
    if (!x->rules) {
        x->rules = config_rules_open(x->config, &e);
        if (!x->rules) {
            app_fail(x, &e);
            return NULL;
        }
        config_rules_hush(x->rules);
    }
    return config_rules_now(x->rules);
}

const struct permissions *rules_say(const struct app *x, const struct guard_rules *rules)
{
    return rules ? guard_permissions(rules) : &x->config->permissions;
}

/* ---- :mask ---- */

bool rules_mask_is_on(const struct app *x)
{
    return x->mask != NULL;
}

const char *rules_mask_blocks(const struct app *x)
{
    return x->mask
               ? "what is shown is masked: nothing is changed here until :mask shows it as it is"
               : NULL;
}

void act_mask(struct app *x, const char *argument)
{
    (void)argument;
    struct guard_rules *rules = x->mask ? NULL : rules_now(x);
    if (!x->mask && !rules)
        return;
    worker_mask(&x->worker, rules);
    reader_mask(x->reader, rules);
    reader_mask(x->asof.present, rules);
    guard_rules_release(x->mask);
    x->mask = rules;
    asof_read_again(x);
    app_say(x, rules ? "masked, in copies and searches as well; :mask ends it"
                     : "personal data is shown as it is");
}

void rules_release(struct app *x)
{
    guard_rules_release(x->mask);
    x->mask = NULL;
}
