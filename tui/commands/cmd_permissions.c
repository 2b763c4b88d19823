/* stemma permissions: what an agent may do with entries, worked out from the configuration. */
#include "tui/cli/cmd.h"

#include <string.h>
#include "model/json/json.h"
#include "tui/cli/opening.h"
#include "tui/render/permission_table.h"
#include "tui/render/table.h"
#include "tui/text/text.h"

struct printing {
    struct output *out;
    const struct permissions *p;
    const struct permission_row *row;
    const char *agent;
};

/* ---- for people ---- */

/* Below a row, which rule decides. */
static void print_why(void *arg, size_t index)
{
    const struct printing *w = arg;
    const struct permission_row *row = &w->row[index];
    struct strbuf text = STRBUF_INIT;
    for (size_t i = 0; i < PERMISSION_TOOLS; i++) {
        strbuf_clear(&text);
        strbuf_addf(&text, "%s: ", memory_tool_name(permission_tool[i]));
        permission_rule_say(&row->rule[i], &text);
        strbuf_addstr(&w->out->text, "    ");
        output_rest(w->out, STYLE_DIM, text.buf, 4);
    }
    strbuf_clear(&text);
    namespace_held_to_say(w->p, row, &text);
    output_led(w->out, STYLE_DIM, "    held to: ", text.buf, 13);
    strbuf_release(&text);
}

static void put_row(struct table *t, const struct printing *w, const struct permission_row *row)
{
    struct strbuf text = STRBUF_INIT;
    table_put(t, row->pattern ? STYLE_DIM : STYLE_TEXT, row->name);
    for (size_t i = 0; i < PERMISSION_TOOLS; i++) {
        strbuf_clear(&text);
        permission_cell_say(row, i, &text);
        table_put(t, row->rule[i].allowed ? STYLE_GROUNDED : STYLE_ERROR, text.buf);
    }
    strbuf_clear(&text);
    namespace_held_to_say(w->p, row, &text);
    table_end(t, NULL, STYLE_DIM, text.buf);
    strbuf_release(&text);
}

static void print_head(const struct printing *w)
{
    struct strbuf parts = STRBUF_INIT;
    permission_context_say(w->p, w->agent, &parts);
    strbuf_addf(&parts,
                "; of other agents' memories it sees %s; personal data outside entries is %s",
                w->p->share ? "all" : "ref and owner", w->p->mask ? "masked" : "not masked");
    output_style(w->out, STYLE_STRONG);
    text_add(&w->out->text, w->agent ? w->agent : "any agent", TEXT_EXACT | w->out->flags);
    output_style(w->out, STYLE_TEXT);
    strbuf_addstr(&w->out->text, "\n");
    output_led(w->out, STYLE_DIM, "getContext  ", parts.buf, 12);
    strbuf_release(&parts);
}

static int print_table(struct printing *w, size_t rows, bool why, struct error *e)
{
    struct table_column columns[PERMISSION_TOOLS + 1] = {{"namespace", 9, 30, TEXT_EXACT, 0}};
    for (size_t i = 0; i < PERMISSION_TOOLS; i++)
        columns[i + 1] =
            (struct table_column){memory_tool_name(permission_tool[i]), 9, 0, 0, TABLE_CUTS};
    struct table t = table_open(w->out, columns, PERMISSION_TOOLS + 1, "policy", strlen("policy"));
    t.below = why ? print_why : NULL;
    t.arg = w;
    print_head(w);
    for (size_t k = 0; k < rows; k++)
        put_row(&t, w, &w->row[k]);
    int result = table_print(&t, e);
    table_close(&t);
    return result;
}

/* ---- for programs ---- */

/* What a configuration calls them; an object without members is no limit. */
static void add_rate(struct json_object *in, const struct rate_limit *limit)
{
    struct json_object o = json_open(in, "rate_limit", '{');
    if (limit->window_calls > 0) {
        json_key(&o, "window_seconds");
        json_add_double(o.out, limit->window_seconds);
        json_pair_int(&o, "window_calls", limit->window_calls);
    }
    if (limit->burst > 0) {
        json_key(&o, "per_second");
        json_add_double(o.out, limit->per_second);
        json_pair_int(&o, "burst", limit->burst);
    }
    json_end(&o);
}

/* As `namespaces` says them. */
static void add_policy(struct json_object *in, const struct namespace_policy *policy)
{
    struct json_object o = json_open(in, "policy", '{');
    json_pair(&o, "pii", pii_policy_name(policy->pii));
    json_pair_int(&o, "max_items", policy->max_items);
    json_pair_int(&o, "max_bytes", policy->max_bytes);
    json_pair(&o, "evict", policy->evict_oldest ? "oldest" : NULL);
    json_pair(&o, "consistency", policy->strong ? "strong" : "eventual");
    json_pair(&o, "policy_of", policy->pattern);
    json_end(&o);
}

/* {"agent","tool","namespace" or "pattern","access","allowed","rule","because","max_ttl_seconds"?,"policy","rate_limit"} */
static void write_rule(const struct printing *w, const struct permission_row *row, size_t tool)
{
    const struct permission_rule *rule = &row->rule[tool];
    struct strbuf why = STRBUF_INIT;
    struct json_object o = json_begin(&w->out->text, '{');
    permission_rule_say(rule, &why);
    json_pair(&o, "agent", w->agent);
    json_pair(&o, "tool", memory_tool_name(permission_tool[tool]));
    json_pair(&o, row->pattern ? "pattern" : "namespace", row->name);
    json_pair(&o, "access", access_name(memory_tool_access(permission_tool[tool])));
    json_pair_bool(&o, "allowed", rule->allowed);
    json_pair(&o, "rule", rule->allowed ? rule->pattern : NULL);
    json_pair(&o, "because", why.buf);
    if (rule->allowed && permission_tool[tool] == MEMORY_TOOL_PUT &&
        rule->grant->max_ttl_seconds >= 0)
        json_pair_int(&o, "max_ttl_seconds", rule->grant->max_ttl_seconds);
    add_policy(&o, permission_policy(w->p, row->name));
    add_rate(&o, permission_rate(w->p, permission_tool[tool], row->name));
    json_end(&o);
    strbuf_addch(&w->out->text, '\n');
    strbuf_release(&why);
}

/* {"agent","tool","contexts","rate_limit","share","mask"} */
static void write_context(const struct printing *w)
{
    struct strbuf parts = STRBUF_INIT;
    struct json_object o = json_begin(&w->out->text, '{');
    permission_contexts_say(w->p, w->agent, &parts);
    json_pair(&o, "agent", w->agent);
    json_pair(&o, "tool", memory_tool_name(MEMORY_TOOL_CONTEXT));
    json_pair(&o, "contexts", parts.buf);
    add_rate(&o, permission_rate(w->p, MEMORY_TOOL_CONTEXT, NULL));
    json_pair_bool(&o, "share", w->p->share);
    json_pair_bool(&o, "mask", w->p->mask);
    json_end(&o);
    strbuf_addch(&w->out->text, '\n');
    strbuf_release(&parts);
}

/* ---- the command ---- */

static int tell(struct invocation *i, struct reader *r, struct error *e)
{
    struct printing w = {
        .out = &i->out, .p = &i->config.permissions, .agent = option_text(i, "agent")};
    struct namespace_row *names;
    struct permission_row *row;
    size_t count, rows;
    if (namespace_list(r, &i->arena, &names, &count, e) ||
        permission_table(w.p, w.agent, names, count, &i->arena, &row, &rows))
        return -1;
    w.row = row;
    if (!w.out->json)
        return print_table(&w, rows, option_given(i, "why"), e);
    write_context(&w);
    for (size_t k = 0; k < rows; k++) {
        for (size_t tool = 0; tool < PERMISSION_TOOLS; tool++)
            write_rule(&w, &row[k], tool);
        if (output_row(w.out, e))
            return -1;
    }
    return 0;
}

static int check_agent(const struct invocation *i, struct error *e)
{
    const char *agent = option_text(i, "agent");
    if (agent && !*agent)
        return error_set(e, ERROR_USAGE, "Leave --agent out for one that has no grants of its own.",
                         "an agent has a name, and --agent gives none");
    return 0;
}

static const struct option_spec options[] = {
    OPT_TEXT("agent", "A", "of this agent; without it, of one that has no grants of its own"),
    OPT_FLAG("why", "under each line, which rule decides, and all that it is held to"),
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_permissions = {
    .name = "permissions",
    .words = "",
    .about = "what an agent may do in each namespace",
    .details = "A line for each namespace that the store has and for each pattern that the "
               "configuration names: whether listMemory, getMemory, putMemory and deleteMemory are "
               "allowed there, with the longest time to live that putMemory takes, and what the "
               "namespace is held to: its policy, and how often each may be called. It is worked "
               "out from the configuration, as a server decides it. --as-of chooses the namespaces "
               "of that time; the rules are always those of now.",
    .options = options,
    .check = check_agent,
    .read = tell,
};
