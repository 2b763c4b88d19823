/* stemma add: the store does the work; here words become a request. */
#include "tui/cli/cmd.h"

#include <math.h>
#include <string.h>
#include "model/format/exchange_parts.h"
#include "model/json/json.h"
#include "store/ops/add.h"
#include "tui/render/brief.h"
#include "tui/text/suggest.h"
#include "tui/render/kind_fields.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"

static const struct option_spec options[] = {
    {.name = "from",
     .type = OPTION_LIST,
     .argument = "REF",
     .about = "what it was made from, or an annotation such as context:TEXT"},
    {.name = "evidence", .type = OPTION_LIST, .argument = "REF", .about = "what backs it up"},
    {.name = "all", .about = "it needs all of --from, not any"},
    {.name = "agent",
     .type = OPTION_TEXT,
     .argument = "A",
     .about = "whose memory it is; you, if left out"},
    {.name = "confidence",
     .type = OPTION_NUMBER,
     .argument = "C",
     .min = 0,
     .max = 1,
     .about = "from 0 to 1"},
    {.name = "source",
     .type = OPTION_TEXT,
     .argument = "TEXT",
     .about = "where it is from, in words"},
    {.name = "source-entity",
     .type = OPTION_TEXT,
     .argument = "NAME",
     .about = "who told it; a human when it begins human:"},
    {.name = "source-type",
     .type = OPTION_TEXT,
     .argument = "T",
     .about = "how it came about; inferred from --source, if left out"},
    {.name = "tag", .type = OPTION_LIST, .argument = "T", .about = "a tag"},
    {.name = "field",
     .type = OPTION_LIST,
     .argument = "NAME=VALUE",
     .about = "a field of its kind, as JSON or as plain words"},
    OPTION_END,
};

static void print_json(struct output *out, const struct added *added)
{
    struct json_object o = json_begin(&out->text, '{');
    json_key(&o, "ref");
    exchange_add_ref(&out->text, added->ref);
    json_key(&o, "version");
    json_add_int(&out->text, added->version);
    if (added->unresolved_count) {
        json_key(&o, "unresolved");
        struct json_object list = json_begin(&out->text, '[');
        for (size_t n = 0; n < added->unresolved_count; n++) {
            json_item(&list);
            json_add_string(&out->text, added->unresolved[n]);
        }
        json_end(&list);
    }
    json_end(&o);
    strbuf_addch(&out->text, '\n');
}

static void print_added(struct output *out, const struct added *added)
{
    output_ref(out, STYLE_TEXT, added->ref);
    strbuf_addch(&out->text, '\n');
    for (size_t n = 0; n < added->unresolved_count; n++)
        output_note("%s names nothing here yet; the link is kept as given", added->unresolved[n]);
}

/* Adds to a store that is made where there is none. */
static int add(struct invocation *i, struct add_request *request, size_t len, struct error *e)
{
    struct opened o;
    struct added added;
    struct actor person = opening_person(i);
    request->agent_id = option_text(i, "agent") ? option_text(i, "agent") : person.name;
    if (opening_open(i, NULL, true, &o, e))
        return -1;
    int result = store_add(o.store, &person, request, len, &i->arena, &added, e);
    /* What is invalid here is a word that was typed, not an input. */
    if (result && e->code == ERROR_INVALID)
        e->code = ERROR_USAGE;
    if (!result && i->out.json)
        print_json(&i->out, &added);
    else if (!result)
        print_added(&i->out, &added);
    opening_close(&o);
    return result;
}

static int run_add(struct invocation *i, struct error *e)
{
    struct add_request request = {
        .confidence = option_number(i, "confidence", NAN),
        .source = option_text(i, "source"),
        .source_type = option_text(i, "source-type"),
        .source_entity = option_text(i, "source-entity"),
        .derivation = option_given(i, "all") ? READING_ALL : READING_ANY,
    };
    struct strbuf text = STRBUF_INIT;
    request.tags = option_list(i, "tag", &request.tag_count);
    request.derived_from = option_list(i, "from", &request.derived_count);
    request.relates_to = option_list(i, "evidence", &request.relates_count);
    if (option_given(i, "all") && request.derived_count == 0)
        return error_set(e, ERROR_USAGE, "Give --from as well, or leave --all out.",
                         "--all says that all of --from are needed, and there is none");
    int result = -1, kind = choice_kind_typed(i->words[0], NULL, e);
    if (kind >= 0 && !field_words(i, (enum kind)kind, &request.detail, e) &&
        !typed_text(i->words[1], &text, e)) {
        request.kind = (enum kind)kind;
        request.text = text.buf;
        result = add(i, &request, text.len, e);
    }
    strbuf_release(&text);
    return result;
}

const struct command cmd_add = {
    .name = "add",
    .words = "KIND TEXT",
    .about = "add a memory, with where it came from",
    .details =
        "Prints its ref. TEXT - is standard input. A REF may be the beginning of a UUID, of 8 "
        "characters or more. One that names nothing yet is kept as given, and told.\n\n"
        "The TEXT of an entry is its key; it has a --field namespace= and value=, and where it "
        "expires expires_at= (10m, in 3 days, 2026-02-01).",
    .options = options,
    .min_words = 2,
    .max_words = 2,
    .run = run_add,
};
