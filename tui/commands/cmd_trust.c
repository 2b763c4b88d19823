/* stemma trust: what became of what each source told, next to the trust that is configured. */
#include "model/json/json.h"
#include "store/lineage/trust.h"
#include "tui/commands/commands.h"
#include "tui/render/listing.h"
#include "tui/text/text.h"

static void put_json(struct output *out, const struct trust_record *t)
{
    struct json_object o = json_begin(&out->text, '{');
    json_pair(&o, t->source ? "source_uri" : "source_entity", t->name);
    json_pair_int(&o, "memories", t->memories);
    json_pair_int(&o, "confirmed", t->confirmed);
    json_pair_int(&o, "contradicted", t->contradicted);
    json_pair_double(&o, "trust", t->trust);
    json_pair_double(&o, "calibrated", t->calibrated);
    json_end_line(&o);
}

static void put_number(struct table *table, double number)
{
    if (isnan(number))
        table_put(table, STYLE_DIM, "-");
    else
        table_format(table, STYLE_NUMBER, "%.2f", number);
}

static void put_row(struct table *table, const struct trust_record *t)
{
    table_format(table, STYLE_TEXT, "%lld", (long long)t->memories);
    table_format(table, STYLE_TEXT, "%lld", (long long)t->confirmed);
    table_format(table, STYLE_TEXT, "%lld", (long long)t->contradicted);
    put_number(table, t->calibrated);
    put_number(table, t->trust);
    table_end(table, NULL, STYLE_TEXT, t->name);
}

static int read_trust(struct invocation *i, struct reader *r, struct error *e)
{
    static const struct table_column columns[] = {
        {"memories", 0, 12, TEXT_RIGHT, 0},     {"confirmed", 0, 12, TEXT_RIGHT, 0},
        {"contradicted", 0, 12, TEXT_RIGHT, 0}, {"calibrated", 0, 10, TEXT_RIGHT, 0},
        {"trust", 0, 6, TEXT_RIGHT, 0},
    };
    struct trust_record *all;
    size_t count;
    if (trust_records(r, &i->arena, &all, &count, e))
        return -1;
    struct table table =
        table_open(&i->out, columns, sizeof(columns) / sizeof(columns[0]), "source", 10);
    for (size_t n = 0; n < count; n++) {
        if (i->out.json)
            put_json(&i->out, &all[n]);
        else
            put_row(&table, &all[n]);
    }
    int result = i->out.json ? 0 : table_print(&table, e);
    table_close(&table);
    if (count == 0)
        output_note("no memory says who told it (source_entity) or what page it is based on");
    return result ? -1 : count == 0;
}

const struct command cmd_trust = {
    .name = "trust",
    .words = "",
    .about = "list the sources, whom to trust least first",
    .examples = "stemma trust",
    .details =
        "A line for each person or agent that told something (source_entity), and for the address "
        "of each page or document that memories are directly based on. `stemma search claire` also "
        "finds what claire told. Confirmed: approved by a person, or reinforced by a memory that "
        "still has support. Contradicted: retracted, flagged as poisoned by a person, or "
        "contradicted by a memory that was not retracted. CALIBRATED is (confirmed + 1) / "
        "(confirmed + contradicted + 2). TRUST is the weight that counts now: what the "
        "configuration says under trust: source_entities, else the least of the source_types of "
        "these memories. It is yours to set; nothing changes by itself. Lines are in the order of "
        "the lower of the two. --json: {source_entity or source_uri, memories, confirmed, "
        "contradicted, trust, calibrated}, null for what is not known.",
    .options = as_of_options,
    .read = read_trust,
};
