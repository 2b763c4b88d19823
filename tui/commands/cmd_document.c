/* stemma document: who used a document and how, its versions, where it was retrieved, what rests on it. */
#include "tui/cli/cmd.h"

#include "tui/cli/operating.h"
#include "tui/render/brief.h"
#include "tui/render/document.h"
#include "tui/cli/opening.h"

#define SHOWN 100 /* rows of each list, unless --limit says otherwise */

/* The row of a document, written or only named by what used it. */
static int64_t resolve(struct reader *r, struct arena *arena, const char *word, struct error *e)
{
    struct memory_row row;
    int64_t node = opening_resolve(r, word, e);
    if (node < 0 || memory_row_read(r, arena, node, &row, e))
        return -1;
    if (row.ref.kind == KIND_DOCUMENT)
        return node;
    return error_set(e, ERROR_USAGE,
                     "`stemma list document` lists the documents; `stemma show` shows anything.",
                     "%.80s is no document but a memory of kind %s", word, kind_name(row.ref.kind));
}

/* To its last stage: one moment for all of it. */
static int gather(struct reader *r, int64_t node, size_t most, struct document_facts **facts,
                  struct document_reach *reach, struct error *e)
{
    size_t limit[DOCUMENT_SECTIONS];
    for (size_t i = 0; i < DOCUMENT_SECTIONS; i++)
        limit[i] = most;
    *facts = document_facts_read(r, node, limit, e);
    while (*facts && reach->stage < STAGE_DONE)
        if (document_reach_read(r, reach, node, limit, e))
            return -1;
    return *facts ? 0 : -1;
}

static void print(struct invocation *i, const struct document_told *d)
{
    struct sheet sheet;
    sheet_for_output(&sheet, &i->out);
    document_sheet(&sheet, d->facts, d->reach,
                   &(struct facts_look){.ascii = i->out.ascii,
                                        .width = sheet.width,
                                        .now = i->out.now,
                                        .text_lines = d->excerpts ? INT_MAX : 0,
                                        .command = true});
    output_ref(&i->out, STYLE_STRONG, d->facts->memory.ref);
    strbuf_addch(&i->out.text, '\n');
    output_sheet(&i->out, &sheet, 1);
    sheet_release(&sheet);
}

static int tell(struct invocation *i, struct reader *r, int64_t node, struct error *e)
{
    struct document_facts *facts = NULL;
    struct document_reach *reach = document_reach_new();
    size_t most = (size_t)option_number(i, "limit", SHOWN);
    if (reader_begin(r, e)) {
        document_reach_free(reach);
        return -1;
    }
    int result = gather(r, node, most, &facts, reach, e);
    const struct document_told told = {facts, reach, option_given(i, "excerpts")};
    if (!result && i->out.json) {
        document_write(&i->out.text, &told);
        strbuf_addch(&i->out.text, '\n');
    } else if (!result) {
        print(i, &told);
    }
    reader_end(r);
    document_facts_free(facts);
    document_reach_free(reach);
    return result;
}

static int run_document(struct invocation *i, struct error *e)
{
    struct opened o;
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    int64_t node = resolve(o.reader, &i->arena, i->words[0], e);
    int result = node < 0 ? -1 : tell(i, o.reader, node, e);
    opening_close(&o);
    return result;
}

static const struct option_spec options[] = {
    {.name = "excerpts", .about = "with the passage of each use"},
    {.name = "limit",
     .type = OPTION_INT,
     .argument = "N",
     .min = 1,
     .max = 1e6,
     .about = "no more than so many rows of each list (100)"},
    OPTION_AS_OF,
    OPTION_END,
};

const struct command cmd_document = {
    .name = "document",
    .words = "REF",
    .about = "who used a document, its versions, and where it was retrieved",
    .details =
        "The steps that used it by their chains, the responses that cited it, the versions of each "
        "passage by its hash, the logged retrievals, and the beliefs that rest on it now. "
        "\"changed "
        "since\": the same passage was recorded later with another content. What is marked as "
        "guessed or matched was not recorded as a link but found by a uri or a hash.",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_document,
};
