#include "config_rules.h"

#include <pthread.h>
#include <string.h>
#include "../model/alloc.h"
#include "config_file.h"
#include "output.h"

/* Times of files go in steps: what is written twice within one, at the same length, looks the same. */
#define STEP_NS (20 * (int64_t)1000000)
/* An editor empties a file before it writes it; one that stays empty so long is meant. */
#define EMPTY_NS (1000 * (int64_t)1000000)

struct config_rules {
    pthread_mutex_t lock;
    struct guard_rules *held;
    char *place;              /* NULL: there is no file to look at */
    struct config_stamp seen; /* of what was read last */
    bool again;               /* it may have changed since without looking so */
    bool hushed;
    struct error wrong; /* ERROR_NONE: what is in the file holds */
};

/* ---- open and closed ---- */

struct config_rules *config_rules_open(const struct config *c, struct error *e)
{
    struct permissions copy;
    if (config_check_patterns(c, e))
        return NULL;
    if (permissions_copy(&copy, &c->permissions)) {
        error_set(e, ERROR_MEMORY, "Ask for less, or free some memory.",
                  "there is no memory for what the configuration says");
        return NULL;
    }
    struct guard_rules *held = guard_rules_new(&copy, e);
    if (!held)
        return NULL;
    struct config_rules *rules = xcalloc(1, sizeof(*rules));
    pthread_mutex_init(&rules->lock, NULL);
    rules->held = held;
    rules->seen = c->stamp;
    if (c->place && (!c->path || c->stamp.regular))
        rules->place = xstrdup(c->place);
    return rules;
}

void config_rules_close(struct config_rules *rules)
{
    if (!rules)
        return;
    guard_rules_release(rules->held);
    pthread_mutex_destroy(&rules->lock);
    free(rules->place);
    free(rules);
}

void config_rules_hush(struct config_rules *rules)
{
    rules->hushed = true;
}

/* ---- the file ---- */

/* Each reason is told once, however often it is found. */
static void refuse(struct config_rules *rules, const struct error *why)
{
    if (rules->wrong.code == why->code && strcmp(rules->wrong.what, why->what) == 0)
        return;
    rules->wrong = *why;
    if (!rules->hushed)
        output_note("%s; what the configuration said before goes on to hold", why->what);
}

static void accept(struct config_rules *rules, struct guard_rules *now)
{
    guard_rules_release(rules->held);
    rules->held = now;
    if (rules->wrong.code && !rules->hushed)
        output_note("%s is right again, and holds from here on", rules->place);
    rules->wrong.code = ERROR_NONE;
}

static void read_again(struct config_rules *rules)
{
    struct config c;
    struct error e = {0};
    struct guard_rules *now = NULL;
    int failed = config_load(&c, rules->place, &e) || config_check_patterns(&c, &e);
    int64_t age = config_stamp_age(&c.stamp);
    bool emptied = c.stamp.size == 0 && age >= 0 && age < EMPTY_NS;
    rules->seen = c.stamp;
    rules->again = emptied || (age >= 0 && age < STEP_NS) || (failed && e.code == ERROR_MEMORY);
    if (!failed && !emptied) {
        now = guard_rules_new(&c.permissions, &e);
        failed = !now;
    }
    if (now)
        accept(rules, now);
    else if (failed)
        refuse(rules, &e);
    config_release(&c);
}

static void look(struct config_rules *rules)
{
    struct config_stamp stamp;
    config_stamp_of(rules->place, &stamp);
    if (stamp.there && !stamp.regular) { /* to read a pipe would be to wait */
        struct error e;
        error_set(&e, ERROR_STORE, "Put a file there.", "%s is no file any more", rules->place);
        refuse(rules, &e);
    } else if (rules->again || !config_stamp_same(&stamp, &rules->seen))
        read_again(rules);
}

struct guard_rules *config_rules_now(void *arg)
{
    struct config_rules *rules = arg;
    pthread_mutex_lock(&rules->lock);
    if (rules->place)
        look(rules);
    struct guard_rules *held = guard_rules_hold(rules->held);
    pthread_mutex_unlock(&rules->lock);
    return held;
}

bool config_rules_wrong(struct config_rules *rules, struct error *why)
{
    pthread_mutex_lock(&rules->lock);
    *why = rules->wrong;
    pthread_mutex_unlock(&rules->lock);
    return why->code != ERROR_NONE;
}
