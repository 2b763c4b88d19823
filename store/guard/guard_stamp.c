/* For whom an answer was found. */
#include "store/guard/guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/base/alloc.h"
#include "store/guard/guard_rules.h"
#include "store/db/reader.h"

/* Callers of whom the rules say nothing of their own, and who see all memories, are answered alike. */
static bool is_told_apart(const struct guard *g)
{
    const struct permissions *p = &g->rules->permissions;
    bool named = g->bound && !p->share;
    for (size_t i = 0; g->agent && i < p->agent_count && !named; i++)
        named = strcmp(p->agents[i].agent, g->agent) == 0;
    return named;
}

/* For whom the reader reads. */
static struct guard_stamp stamp_now(const struct reader *r, const struct guard_rules *rules)
{
    const struct guard *g = reader_guarded(r);
    bool apart = g && is_told_apart(g);
    return (struct guard_stamp){
        .rules = rules->serial,
        .person = !g, /* who finds only what is shown */
        .bound = apart && g->bound,
        .named = apart && g->agent,
        .agent = apart && g->agent ? g->agent : "",
    };
}

static bool is_same_stamp(const struct guard_stamp *s, const struct guard_stamp *now)
{
    return s->text && s->rules == now->rules && s->person == now->person &&
           s->bound == now->bound && s->named == now->named && strcmp(s->agent, now->agent) == 0;
}

static void write_stamp(struct guard_stamp *s)
{
    size_t size = 40 + strlen(s->agent);
    s->text = xmalloc(size);
    int name = snprintf(s->text, size, "%llu %d%d%d ", (unsigned long long)s->rules, s->person,
                        s->bound, s->named);
    snprintf(s->text + name, size - (size_t)name, "%s", s->agent);
    s->agent = s->text + name;
}

const char *guard_stamp(const struct reader *r)
{
    const struct guard_rules *rules = guard_rules_of(r);
    struct guard_stamp *s = &reader_guard_known(r)->stamp;
    if (!rules)
        return "";
    if (!s->asked) {
        struct guard_stamp now = stamp_now(r, rules);
        if (!is_same_stamp(s, &now)) {
            free(s->text);
            now.number = s->number + 1;
            *s = now;
            write_stamp(s);
        }
        s->asked = true;
    }
    return s->text;
}
