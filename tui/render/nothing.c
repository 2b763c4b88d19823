#include "tui/render/nothing.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "store/query/list.h"
#include "tui/text/output.h"
#include "tui/text/suggest.h"

#define NAMES_TOLD 12 /* the rest are counted */

/* "there is no agent 'nobdy'; did you mean nobody?", or all there are. */
static void tell(const char *what, const char *word, const char *const *names, size_t count)
{
    struct suggestion near = SUGGESTION_INIT(word);
    struct strbuf all = STRBUF_INIT;
    for (size_t i = 0; i < count; i++) {
        suggest_consider(&near, names[i]);
        if (i < NAMES_TOLD)
            strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    if (count > NAMES_TOLD)
        strbuf_addf(&all, " and %zu more", count - NAMES_TOLD);
    if (near.name)
        output_note("nothing matched: there is no %s '%.80s'. Did you mean %s?", what, word,
                    near.name);
    else if (count)
        output_note("nothing matched: there is no %s '%.80s'. There %s %s.", what, word,
                    count == 1 ? "is" : "are", all.buf);
    else
        output_note("nothing matched: there is no %s '%.80s', nor any other.", what, word);
    strbuf_release(&all);
}

static int agent_known(struct reader *r, struct arena *arena, const char *agent, struct error *e)
{
    struct agent_count *agents;
    size_t count;
    bool known;
    if (list_has_agent(r, agent, &known, e))
        return -1;
    if (known)
        return 1;
    if (list_agents(r, arena, &agents, &count, e))
        return -1;
    const char **names = arena_array(arena, count + 1, sizeof(*names));
    for (size_t i = 0; names && i < count; i++)
        names[i] = agents[i].name;
    tell("agent", agent, names, names ? count : 0);
    return 0;
}

static int source_type_known(struct reader *r, struct arena *arena, const char *type,
                             struct error *e)
{
    const char **names;
    size_t count;
    if (list_source_types(r, arena, &names, &count, e))
        return -1;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], type) == 0)
            return 1;
    tell("source type", type, names, count);
    return 0;
}

int nothing_known(struct reader *r, const struct wanted *wanted, struct error *e)
{
    struct arena arena = ARENA_INIT;
    int known = wanted->agent ? agent_known(r, &arena, wanted->agent, e) : 1;
    if (known > 0 && wanted->source_type)
        known = source_type_known(r, &arena, wanted->source_type, e);
    arena_release(&arena);
    return known;
}
