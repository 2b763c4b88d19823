/* stemma namespaces and permissions: entries of shared memory, and what agents may do with them. */
#include <stdio.h>
#include <string.h>
#include "model/base/clock.h"
#include "model/json/json.h"
#include "tui/commands/commands.h"
#include "tui/render/listing.h"
#include "tui/render/permission_table.h"
#include "tui/text/text.h"

/* stemma namespaces: shared memory by namespace, or the entries of one. */

#define NAME_COLUMNS 28
#define ROWS_AT_ONCE 500
#define VALUE_SHOWN  400 /* bytes of a value shown in a line */

static int64_t quota_percent(int64_t used, int64_t most)
{
    return most > 0 ? (int64_t)((double)used / (double)most * 100) : 0;
}

static enum style tone_of_use(int64_t used, int64_t most)
{
    if (most <= 0)
        return STYLE_TEXT;
    return used >= most                      ? STYLE_ERROR
           : quota_percent(used, most) >= 80 ? STYLE_WEAKENED
                                             : STYLE_TEXT;
}

/* ---- namespaces ---- */

static const struct table_column namespace_columns[] = {{"namespace", 12, 28, TEXT_EXACT, 0},
                                                        {"items", 0, 0, TEXT_RIGHT, 0},
                                                        {"bytes", 0, 0, TEXT_RIGHT, 2},
                                                        {"put", 0, 0, TEXT_RIGHT, 1}};

/* "3/10 30%" with a limit, otherwise only the number. */
static void put_use(struct table *t, const char *used, const char *most, int64_t use, int64_t limit)
{
    if (limit > 0)
        table_format(t, tone_of_use(use, limit), "%s/%s %lld%%", used, most,
                     (long long)quota_percent(use, limit));
    else
        table_put(t, STYLE_TEXT, used);
}

static void put_namespace(struct table *t, const struct namespace_row *n,
                          const struct namespace_policy *policy)
{
    char used[32], most[32];
    AUTO_STRBUF rest = STRBUF_INIT;
    table_put(t, STYLE_TEXT, n->name);
    snprintf(used, sizeof(used), "%lld", (long long)n->items);
    snprintf(most, sizeof(most), "%lld", (long long)policy->max_items);
    put_use(t, used, most, n->items, policy->max_items);
    format_bytes(used, sizeof(used), n->bytes);
    format_bytes(most, sizeof(most), policy->max_bytes);
    put_use(t, used, most, n->bytes, policy->max_bytes);
    clock_format_age(used, sizeof(used), n->updated_at, t->out->now);
    table_put(t, STYLE_DIM, n->updated_at > 0 ? used : "-");
    strbuf_addf(&rest, "%s", pii_policy_name(policy->pii));
    if (n->expired > 0)
        strbuf_addf(&rest, ", %lld expired", (long long)n->expired);
    table_end(t, NULL, STYLE_DIM, rest.buf);
}

static void add_policy(struct json_object *o, const struct namespace_policy *policy)
{
    json_pair(o, "pii", pii_policy_name(policy->pii));
    json_pair_int(o, "max_items", policy->max_items);
    json_pair_int(o, "max_bytes", policy->max_bytes);
    json_pair(o, "evict", policy->evict_oldest ? "oldest" : NULL);
    json_pair(o, "consistency", policy->strong ? "strong" : "eventual");
    json_pair(o, "policy_of", policy->pattern);
}

/* {"namespace","items","bytes","expired","updated_at",
 * "pii","max_items","max_bytes","evict","consistency","policy_of"} */
static void write_namespace(struct output *out, const struct namespace_row *n,
                            const struct namespace_policy *policy)
{
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, "namespace", n->name);
    json_pair_int(&o, "items", n->items);
    json_pair_int(&o, "bytes", n->bytes);
    json_pair_int(&o, "expired", n->expired);
    json_pair_int(&o, "updated_at", n->updated_at);
    add_policy(&o, policy);
    json_end_line(&o);
}

static int tell_all(struct invocation *i, struct reader *r, struct error *e)
{
    struct output *out = &i->out;
    struct namespace_row *row;
    size_t count;
    if (namespace_list(r, &i->arena, &row, &count, e))
        return -1;
    namespace_add_quotas(&i->config.permissions, &i->arena, &row, &count);
    struct table t =
        table_open(out, namespace_columns, sizeof(namespace_columns) / sizeof(namespace_columns[0]),
                   "personal data", strlen("personal data"));
    int result = 0;
    for (size_t k = 0; k < count && !result; k++) {
        const struct namespace_policy *policy =
            permission_policy(&i->config.permissions, row[k].name);
        if (out->json) {
            write_namespace(out, &row[k], policy);
            result = output_row(out, e);
        } else {
            put_namespace(&t, &row[k], policy);
        }
    }
    if (!result)
        result = table_print(&t, e);
    table_close(&t);
    if (count == 0)
        output_note("there are no entries in this store");
    return result ? -1 : count == 0;
}

/* ---- the entries of a namespace ---- */

static void print_entry(struct output *out, const struct entry *entry)
{
    char left[16] = "-", version[24];
    size_t used = output_column(out, STYLE_TEXT, entry->key, NAME_COLUMNS, TEXT_EXACT);
    snprintf(version, sizeof(version), "v%lld", (long long)entry->version);
    output_column(out, STYLE_DIM, version, 5, TEXT_RIGHT);
    if (entry->expires_at > 0)
        format_seconds(left, sizeof(left), (entry->expires_at - out->now) / 1000);
    output_column(out, STYLE_DIM, left, 5, TEXT_RIGHT);
    output_rest(out, STYLE_TEXT, entry->value, used + 14);
}

/* {"namespace","key","value","ref","version","bytes","updated_at","expires_at"} */
static void write_entry(struct output *out, const struct entry *entry)
{
    AUTO_STRBUF ref = STRBUF_INIT;
    struct json_object o = json_begin(&out->text, '{');
    ref_add(&ref, entry->ref);
    json_pair(&o, "namespace", entry->namespace_);
    json_pair(&o, "key", entry->key);
    json_key(&o, "value");
    json_add_value(&out->text, entry->value, strlen(entry->value));
    json_pair(&o, "ref", ref.buf);
    json_pair_int(&o, "version", entry->version);
    json_pair_int(&o, "bytes", entry->bytes);
    json_pair_int(&o, "updated_at", entry->updated_at);
    if (entry->expires_at > 0)
        json_pair_int(&o, "expires_at", entry->expires_at);
    json_end_line(&o);
}

/* Prints the page of entries after the key `after` ("" for the first page), and sets *count. Each page has its own
 * arena, because values may be large. Sets `after` to the last key, or to "" if no page follows. */
static int print_page(struct invocation *i, struct reader *r, const char *name,
                      struct strbuf *after, size_t *count, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct entry *entry;
    bool json = i->out.json;
    size_t most = json ? 16 : ROWS_AT_ONCE;
    int result = entry_rows(r, &arena, name, after->len ? after->buf : NULL, most,
                            json ? ENTRY_VALUE_MAX : VALUE_SHOWN, &entry, count, e);
    for (size_t k = 0; !result && k < *count; k++) {
        if (json)
            write_entry(&i->out, &entry[k]);
        else
            print_entry(&i->out, &entry[k]);
        result = output_row(&i->out, e);
    }
    strbuf_clear(after);
    if (!result && *count == most)
        strbuf_addstr(after, entry[*count - 1].key);
    return result;
}

static int tell_entries(struct invocation *i, struct reader *r, const char *name, struct error *e)
{
    AUTO_STRBUF after = STRBUF_INIT;
    size_t count = 0, all = 0;
    int result = reader_begin(r, e);
    if (result)
        return -1;
    do {
        result = print_page(i, r, name, &after, &count, e);
        all += count;
    } while (!result && after.len > 0 && !i->out.closed);
    reader_end(r);
    if (!result && all == 0)
        output_note("there is no entry in the namespace %s", name);
    return result ? -1 : all == 0;
}

static int check_namespace(const struct invocation *i, struct error *e)
{
    const char *name = i->word_count > 0 ? i->words[0] : NULL;
    if (name && !namespace_is_valid(name, strlen(name)))
        return error_set(e, ERROR_USAGE,
                         "Namespaces are made of letters, digits, _ and -, with single dots "
                         "between: session.a1.",
                         "`%.100s` is not a namespace", name);
    return 0;
}

static int read_namespaces(struct invocation *i, struct reader *r, struct error *e)
{
    return i->word_count ? tell_entries(i, r, i->words[0], e) : tell_all(i, r, e);
}

const struct command cmd_namespaces = {
    .name = "namespaces",
    .words = "[NAMESPACE]",
    .about = "list namespaces, or the entries of one",
    .examples = "stemma namespaces\n"
                "stemma namespaces deploy",
    .details = "For each namespace: the number and size of its entries next to its quota, the time "
               "of the last write, how personal data is treated, and how many entries have "
               "expired. A quota in the configuration under which nothing was put yet is listed by "
               "its pattern. For a named namespace, its entries: key, version, remaining time to "
               "live, and the value, with --json in full. Nothing is masked, since `stemma` is "
               "used by a person. `stemma show entry:REF` shows all of one entry.",
    .options = as_of_options,
    .check = check_namespace,
    .read = read_namespaces,
};

/* stemma permissions: what an agent may do with entries, derived from the configuration. */

struct printing {
    struct output *out;
    const struct permissions *p;
    const struct permission_row *row;
    const char *agent;
};

/* ---- for people ---- */

/* Prints below a row which rule decided. */
static void print_why(void *arg, size_t index)
{
    const struct printing *w = arg;
    const struct permission_row *row = &w->row[index];
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < PERMISSION_TOOLS; i++) {
        char lead[40];
        snprintf(lead, sizeof(lead), "    %s: ", memory_tool_name(permission_tool[i]));
        strbuf_clear(&text);
        permission_rule_describe(&row->rule[i], &text);
        output_flow_after(w->out, STYLE_DIM, lead, text.buf, 6);
    }
    strbuf_clear(&text);
    namespace_limits_describe(w->p, row, &text);
    output_flow_after(w->out, STYLE_DIM, "    limits: ", text.buf, 13);
}

static void put_row(struct table *t, const struct printing *w, const struct permission_row *row)
{
    AUTO_STRBUF text = STRBUF_INIT;
    table_put(t, row->pattern ? STYLE_DIM : STYLE_TEXT, row->name);
    for (size_t i = 0; i < PERMISSION_TOOLS; i++) {
        strbuf_clear(&text);
        permission_cell_describe(row, i, &text);
        table_put(t, row->rule[i].allowed ? STYLE_SUPPORTED : STYLE_ERROR, text.buf);
    }
    strbuf_clear(&text);
    namespace_limits_describe(w->p, row, &text);
    table_end(t, NULL, STYLE_DIM, text.buf);
}

static void print_head(const struct printing *w)
{
    AUTO_STRBUF parts = STRBUF_INIT;
    permission_context_describe(w->p, w->agent, &parts);
    strbuf_addf(&parts,
                "; of other agents' memories it sees %s; personal data outside entries is %s",
                w->p->share ? "all" : "only ref and owner", w->p->mask ? "masked" : "not masked");
    output_style(w->out, STYLE_STRONG);
    text_add(&w->out->text, w->agent ? w->agent : "any agent", TEXT_EXACT | w->out->flags);
    output_style(w->out, STYLE_TEXT);
    strbuf_addstr(&w->out->text, "\n");
    output_flow_after(w->out, STYLE_DIM, "getContext  ", parts.buf, 12);
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

/* Uses the names of the configuration; an empty object is no limit. */
static void add_rate(struct json_object *in, const char *name, const struct rate_limit *limit)
{
    struct json_object o = json_open(in, name, '{');
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

/* {"agent","tool","namespace" or "pattern",
 * "access","allowed","rule","because","max_ttl_seconds"?,"policy","rate_limit"} */
static void write_rule(const struct printing *w, const struct permission_row *row, size_t tool)
{
    const struct permission_rule *rule = &row->rule[tool];
    AUTO_STRBUF why = STRBUF_INIT;
    struct json_object o = json_begin(&w->out->text, '{');
    permission_rule_describe(rule, &why);
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
    struct json_object policy = json_open(&o, "policy", '{');
    add_policy(&policy, permission_policy(w->p, row->name));
    json_end(&policy);
    add_rate(&o, "rate_limit", permission_rate(w->p, permission_tool[tool], row->name));
    json_end_line(&o);
}

/* {"agent","tool","contexts","rate_limit","search_rate_limit","share","mask"} */
static void write_context(const struct printing *w)
{
    AUTO_STRBUF parts = STRBUF_INIT;
    struct json_object o = json_begin(&w->out->text, '{');
    permission_contexts_describe(w->p, w->agent, &parts);
    json_pair(&o, "agent", w->agent);
    json_pair(&o, "tool", memory_tool_name(MEMORY_TOOL_CONTEXT));
    json_pair(&o, "contexts", parts.buf);
    add_rate(&o, "rate_limit", permission_rate(w->p, MEMORY_TOOL_CONTEXT, NULL));
    add_rate(&o, "search_rate_limit", permission_rate(w->p, MEMORY_TOOL_SEARCH, NULL));
    json_pair_bool(&o, "share", w->p->share);
    json_pair_bool(&o, "mask", w->p->mask);
    json_end_line(&o);
}

/* ---- the command ---- */

static int print_permissions(struct invocation *i, struct reader *r, struct error *e)
{
    struct printing w = {
        .out = &i->out, .p = &i->config.permissions, .agent = option_text(i, "agent")};
    struct namespace_row *names;
    struct permission_row *row;
    size_t count, rows;
    if (namespace_list(r, &i->arena, &names, &count, e))
        return -1;
    permission_table(w.p, w.agent, names, count, &i->arena, &row, &rows);
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
        return error_set(e, ERROR_USAGE, "Omit --agent for an agent that has no grants of its own.",
                         "--agent needs a name");
    return 0;
}

static const struct option_spec permissions_options[] = {
    OPT_TEXT("agent", "A", "of this agent; default: of an agent that has no grants of its own"),
    OPT_FLAG("why", "below each line, which rule decides, and all its limits"),
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_permissions = {
    .name = "permissions",
    .words = "",
    .about = "show what an agent may do in each namespace",
    .examples = "stemma permissions --agent ash",
    .details =
        "A line for each namespace in the store and for each pattern in the configuration: whether "
        "listMemory, getMemory, putMemory and deleteMemory are allowed there, the longest time to "
        "live that putMemory accepts, and the limits of the namespace: its policy, and how often "
        "each tool may be called. It is computed from the configuration, as a server does. --as-of "
        "chooses the namespaces of that time; the rules are always the current ones.",
    .options = permissions_options,
    .check = check_agent,
    .read = print_permissions,
};
