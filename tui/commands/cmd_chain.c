/* stemma chain, sources, cite and responses: chains of thought, the documents they are based on, and citations. */
#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/utf8.h"
#include "model/format/memory_json.h"
#include "model/json/json.h"
#include "model/reasoning/citation.h"
#include "store/guard/guard.h"
#include "store/history/past.h"
#include "store/query/list.h"
#include "store/reasoning/chain.h"
#include "store/reasoning/cite.h"
#include "store/reasoning/document.h"
#include "store/reasoning/responses.h"
#include "store/record/get.h"
#include "tui/cli/opening.h"
#include "tui/cli/operating.h"
#include "tui/commands/commands.h"
#include "tui/render/chain_page.h"

/* ---- stemma responses: what each response cited, and checks of it ---- */

#define NEWEST 500 /* citations that are read without an id */

static int read_responses(struct invocation *i, struct reader *r, struct error *e)
{
    const char *of = i->word_count ? i->words[0] : NULL;
    struct ref ref;
    int64_t node = of && ref_parse(of, &ref) == REF_MEMORY ? opening_resolve(r, of, e) : 0;
    if (node < 0)
        return -1;
    struct responses *all = node ? responses_of(r, node, e) : responses_read(r, of, NEWEST, e);
    if (!all)
        return -1;
    size_t count = all->count;
    if (i->out.json) {
        responses_write(&i->out.text, all);
        strbuf_addch(&i->out.text, '\n');
    } else {
        struct page page;
        page_for_output(&page, &i->out);
        responses_page(&page, all, &page.options);
        output_page(&i->out, &page, count ? 1 : 0); /* without the empty line above it */
    }
    responses_free(all);
    if (!count && of)
        return error_set(e, ERROR_NOT_FOUND, "`stemma responses` lists the newest.",
                         "there is no conversation or message '%.80s'", of);
    return count == 0;
}

const struct command cmd_responses = {
    .name = "responses",
    .words = "[ID]",
    .about = "show what each response cited, in order, and check it",
    .examples = "stemma responses m-1",
    .details =
        "ID is the id of a conversation or of a message, or the ref of a citation; without it, the "
        "newest responses are shown. Under each response stand its citations in order: the score "
        "and who says so, the place, the passage, the newest logged retrieval of the document, and "
        "how good the source turned out to be.\n\nChecks: a passage that no logged content of the "
        "document has, or only an older one; two passages with the same words and other numbers, "
        "or two documents that a relation says contradict each other; and where the text of the "
        "response was recorded (cite_sources with `text`), its sentences without a "
        "citation.\n\nThe uncertainty follows from the mean of the scores. The exit status is 1 if "
        "there is nothing to show.",
    .options = as_of_options,
    .read = read_responses,
};

/* ---- reading and checking ---- */

/* Fails if the memory was never written, or not yet at the time of --as-of. */
static int check_written(struct reader *r, const struct memory_row *row, const char *word,
                         struct error *e)
{
    return row->status == STATUS_MISSING ? not_written(r, word, row->event, e) : 0;
}

static int check_kind(struct reader *r, const struct memory_row *row, const char *word,
                      struct error *e)
{
    if (row->ref.kind == KIND_CHAIN)
        return 0;
    if (row->ref.kind != KIND_STEP)
        return error_set(
            e, ERROR_USAGE, "`stemma list chain` lists the chains; `stemma show` shows any memory.",
            "%.80s is a memory of kind %s, not a chain or step", word, kind_name(row->ref.kind));
    int64_t chain = chain_of_step(r, row->node, e);
    if (chain == 0)
        return error_set(e, ERROR_NOT_FOUND, "`stemma show` shows what it is based on.",
                         "the step %.80s is not part of a chain", word);
    return chain < 0 ? -1 : 0;
}

/* Returns the row of a chain, or of a step of one. Fails if the step is part of no chain. */
static int64_t chain_typed(struct reader *r, const char *word, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct memory_row row;
    int64_t node = opening_resolve(r, word, e);
    if (node < 0)
        return -1;
    bool failed = memory_row_read(r, &arena, node, &row, e) || check_written(r, &row, word, e) ||
                  check_kind(r, &row, word, e);
    return failed ? -1 : node;
}

/* stemma chain: a chain of thought as a page or as JSON; stemma sources: the documents that it is based on. */

static int read_chain(struct invocation *i, struct reader *r, struct error *e)
{
    bool sources = i->command == &cmd_sources, excerpts = option_given(i, "excerpts");
    int64_t node = chain_typed(r, i->words[0], e);
    if (node < 0)
        return -1;
    if (!i->out.json)
        return sources ? sources_print(&i->out, r, node, excerpts, e)
                       : chain_print(&i->out, r, node, e);
    int result = sources ? chain_write_sources(r, node, excerpts, &i->out.text, e)
                         : chain_write(r, node, true, &i->out.text, e);
    strbuf_addstr(&i->out.text, result ? "" : "\n");
    return result;
}

const struct command cmd_chain = {
    .name = "chain",
    .is_alias = true,
    .words = "ID",
    .about = "show a chain of thought: its steps and what each of them used",
    .examples = "stemma chain chain:c6120492",
    .details =
        "ID is the ref of a chain or a step; a step shows its chain, with the step marked. Each "
        "step shows its number, confidence, time and question, then its answer, its trace and its "
        "sources, the most relevant first: the rank in the retrieval, the relevance, and a star if "
        "the document is a primary source of the chain.\n\nThe sign before a relevance says where "
        "the number comes from: none if a retrieval measured it, ~ if it was computed from the "
        "rank, = if it is a default, ? if a model asserted it. \"changed since\": the same passage "
        "was recorded later with different content.",
    .options = as_of_options,
    .read = read_chain,
};

static const struct option_spec sources_options[] = {
    OPT_FLAG("excerpts", "with the passage of each"),
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_sources = {
    .name = "sources",
    .words = "ID",
    .about = "list the documents a chain is based on, and which step used which",
    .examples = "stemma sources chain:c6120492",
    .details = "ID is the ref of a chain or a step; a step shows its chain. Each document is "
               "listed once, with the highest relevance that a step gave it. Primary sources are "
               "those above 0.7, at most three; if there are none, the first three. By step, every "
               "use is counted.\n\nWith --json: total_sources, primary_sources, all_sources and "
               "step_breakdown, as cot_sources answers.",
    .options = sources_options,
    .read = read_chain,
};

/*
 * stemma cite: formatted citations, "(NAME, page 12)": those recorded for a response or a document, or those that the
 * sources of a chain or a step would give.
 */

/* The rows of citation_styles, then json. */
static const char *choose_form(int i)
{
    int styles = 0;
    while (citation_styles[styles].name)
        styles++;
    return i < styles ? citation_styles[i].name : i == styles ? "json" : NULL;
}

static int form_json(void)
{
    int i = 0;
    while (choose_form(i + 1))
        i++;
    return i;
}

struct made {
    struct citation citation;
    struct ref document;
    const char *retrieval; /* what became of the retrieval of the document; NULL if it stands */
    int64_t node;          /* its row */
};

/* The citations to print: rows of recorded citations, or citations made from sources. */
struct citing {
    struct output *out;
    struct reader *r;
    struct arena *arena;
    const char *word; /* as typed */
    int form;         /* of choose_form */
    int64_t *rows;
    size_t row_count;
    struct made *made;
    size_t made_count;
};

static bool is_found(const struct citing *c)
{
    return c->row_count + c->made_count > 0;
}

/* ---- citations made from the sources of a chain ---- */

static struct made make(struct arena *arena, const struct chain *chain,
                        const struct chain_source *s)
{
    const struct chain_document *d = &chain->document[s->column];
    const char *title = s->source.title && *s->source.title ? s->source.title : d->title;
    const char *section = s->section && *s->section ? s->section : NULL;
    /* A made-up id is valid only for this use; use the document's own id. */
    const char *id = s->source.invented ? arena_format(arena, "%s is document:%.15s",
                                                       s->source.document_id, d->ref.id)
                                        : s->source.document_id;
    return (struct made){
        .citation = {.document_id = s->source.invented ? d->ref.id : s->source.document_id,
                     .name = title && *title ? title : id,
                     .page = s->page > 0 ? s->page : 0,
                     .section = section,
                     .paragraph = -1,
                     .snippet = s->source.excerpt,
                     .relevance = s->source.relevance,
                     .origin = s->source.origin,
                     .retrieved_at = INT64_MIN},
        .document = d->ref,
        .retrieval = s->source.retrieval,
        .node = d->node};
}

/* Keeps each place once, most relevant first. These citations have no paragraph, so the member holds the index into
 * `all` meanwhile. */
static void choose(struct citing *c, struct made *all, size_t count)
{
    struct citation *in = arena_array(c->arena, count + 1, sizeof(*in)),
                    *each = arena_array(c->arena, count + 1, sizeof(*each)),
                    *ranked = arena_array(c->arena, count + 1, sizeof(*ranked));
    c->made = arena_array(c->arena, count + 1, sizeof(*c->made));
    for (size_t i = 0; i < count; i++) {
        in[i] = all[i].citation;
        in[i].paragraph = (int64_t)i;
    }
    size_t kept = citations_deduplicate(each, in, count);
    kept = citations_rank(ranked, each, kept, kept);
    for (size_t i = 0; i < kept; i++)
        c->made[i] = all[ranked[i].paragraph];
    c->made_count = kept;
}

/* Makes citations from the sources of all steps of a chain, or of one step. */
static int make_all(struct citing *c, int64_t node, struct error *e)
{
    struct chain chain;
    size_t most = 0, count = 0;
    if (chain_read(c->r, c->arena, node, &chain, e))
        return -1;
    for (size_t i = 0; i < chain.step_count; i++)
        most += chain.step[i].source_count;
    struct made *all = arena_array(c->arena, most + 1, sizeof(*all));
    for (size_t i = 0; i < chain.step_count; i++)
        for (size_t k = 0; k < chain.step[i].source_count; k++)
            if (node == chain.node || node == chain.step[i].node)
                all[count++] = make(c->arena, &chain, &chain.step[i].source[k]);
    choose(c, all, count);
    return 0;
}

/* ---- recorded citations ---- */

/* Finds the active citations of the document, oldest first. */
static int find_uses(struct citing *c, int64_t document, struct error *e)
{
    struct document_use *use;
    size_t used;
    bool more;
    if (document_uses(c->r, c->arena, document, KIND_BIT(KIND_CITATION), SIZE_MAX, &use, &used,
                      &more, e))
        return -1;
    c->rows = arena_array(c->arena, used + 1, sizeof(*c->rows));
    while (used-- > 0)
        if (use[used].status == STATUS_ACTIVE)
            c->rows[c->row_count++] = use[used].node;
    return 0;
}

/* A document without citations is cited as a whole. */
static int cite_document(struct citing *c, const struct memory_row *row, struct error *e)
{
    if (find_uses(c, row->node, e) || c->row_count)
        return c->row_count ? 0 : -1;
    c->made = arena_alloc(c->arena, sizeof(*c->made));
    c->made[0] =
        (struct made){.citation = {.document_id = row->ref.id,
                                   .name = row->text && *row->text ? row->text : row->ref.id,
                                   .paragraph = -1,
                                   .relevance = NAN,
                                   .retrieved_at = INT64_MIN},
                      .document = row->ref,
                      .node = row->node};
    c->made_count = 1;
    output_note("no response cites it yet");
    return 0;
}

static int refuse_nothing(const struct citing *c, struct error *e)
{
    return error_set(e, ERROR_NOT_FOUND, "`stemma responses` shows its sentences.",
                     "%.80s cites nothing", c->word);
}

static int cite_citation(struct citing *c, const struct memory_row *row, struct error *e)
{
    struct memory m;
    if (memory_read(c->r, c->arena, row->node, &m, e))
        return -1;
    if (cites_nothing(&m))
        return refuse_nothing(c, e);
    if (row->status == STATUS_PURGED)
        return error_set(e, ERROR_NOT_FOUND, "`stemma history` shows when, and by whom.",
                         "%.80s was purged: nothing of its text is left", c->word);
    c->rows = arena_alloc(c->arena, sizeof(*c->rows));
    c->rows[c->row_count++] = row->node;
    if (row->status != STATUS_ACTIVE)
        output_note("it is %s%s", status_word(row->status),
                    row->status == STATUS_SUPERSEDED ? ": its message has cited again since" : "");
    return 0;
}

/* Finds the citations of the conversation, else the message, with exactly that id. */
static int find_response(struct citing *c, struct error *e)
{
    const struct citation_query conversation = {.conversation_id = c->word},
                                message = {.message_id = c->word};
    size_t nothing;
    if (citations_find(c->r, c->arena, &conversation, &c->rows, &c->row_count, &nothing, e) ||
        (c->row_count + nothing == 0 &&
         citations_find(c->r, c->arena, &message, &c->rows, &c->row_count, &nothing, e)))
        return -1;
    return c->row_count == 0 && nothing ? refuse_nothing(c, e) : 0;
}

/* ---- resolving the argument ---- */

static int cite_memory(struct citing *c, int64_t node, struct error *e)
{
    struct memory_row row;
    if (memory_row_read(c->r, c->arena, node, &row, e) || check_written(c->r, &row, c->word, e))
        return -1;
    switch (row.ref.kind) {
    case KIND_CHAIN:
    case KIND_STEP:
        node = chain_typed(c->r, c->word, e);
        return node < 0 ? -1 : make_all(c, node, e);
    case KIND_DOCUMENT:
        return cite_document(c, &row, e);
    case KIND_CITATION:
        return cite_citation(c, &row, e);
    default:
        return error_set(e, ERROR_USAGE, "`stemma show` shows what it is based on.",
                         "%.80s is a memory of kind %s, not a citation, chain, step or document",
                         c->word, kind_name(row.ref.kind));
    }
}

/* A ref names a memory. Any other word is the id of a conversation or message if there is one, else the beginning of
 * a memory's id. A ref that names no memory is looked up as such an id, too. */
static int find_cited(struct citing *c, struct error *e)
{
    struct ref ref;
    bool is_ref = ref_parse(c->word, &ref) == REF_MEMORY;
    if (!is_ref && (find_response(c, e) || is_found(c)))
        return is_found(c) ? 0 : -1;
    int64_t node = opening_resolve(c->r, c->word, e);
    if (node >= 0)
        return cite_memory(c, node, e);
    bool unknown = e->code == ERROR_NOT_FOUND || ref_parse(c->word, &ref) == REF_ANNOTATION;
    if (!unknown || (is_ref && (find_response(c, e) || is_found(c))))
        return is_found(c) ? 0 : -1;
    return error_set(e, ERROR_NOT_FOUND,
                     "`stemma list citation` and `stemma list chain` list them.",
                     "there is no memory, conversation or message %.80s", c->word);
}

/* ---- printing ---- */

/* A note on standard error, so that the lines can be copied. */
static void note(const struct citation *c, const char *whose, const char *what)
{
    AUTO_STRBUF line = STRBUF_INIT;
    citation_format(&line, c->name, c->page, c->section);
    output_note("%s: its %s was %s", line.buf, whose, what);
}

/* JSON is written as it is: the writer escapes it. Any other style is lines of text. */
static void print_style(struct output *out, const struct citation_style *style,
                        const struct cited_work *works, size_t count)
{
    AUTO_STRBUF text = STRBUF_INIT;
    citation_style_write(&text, style, works, count);
    if (*style->before)
        strbuf_add(&out->text, text.buf, text.len);
    for (char *line = text.buf, *end; !*style->before && *line; line = end) {
        end = strchr(line, '\n');
        *end++ = '\0';
        if (style == citation_styles) /* plain */
            output_flow(out, line, 2);
        else
            output_text(out, STYLE_TEXT, line), strbuf_addch(&out->text, '\n');
    }
}

static int print_citations(struct citing *c, struct error *e)
{
    size_t count = c->row_count + c->made_count;
    struct cited_work *works = arena_array(c->arena, count + 1, sizeof(*works));
    for (size_t i = 0; i < count; i++) {
        struct memory m;
        const struct made *made = i < c->row_count ? NULL : &c->made[i - c->row_count];
        const char *retrieval = made ? made->retrieval : NULL;
        struct cited_standing standing;
        if (made) {
            works[i].citation = made->citation;
            if (cited_work_of_document(c->r, c->arena, made->node, &works[i], e) ||
                cited_standing_of(c->r, made->node, &standing, e))
                return -1;
        } else if (memory_read(c->r, c->arena, c->rows[i], &m, e) ||
                   cited_standing_read(c->r, &m, &standing, e) ||
                   cited_work_read(c->r, c->arena, &m, &works[i], e)) {
            return -1;
        } else if (standing.retrieval != STATUS_ACTIVE) {
            retrieval = status_word(standing.retrieval);
        }
        if (standing.document != STATUS_ACTIVE)
            note(&works[i].citation, "document", status_word(standing.document));
        if (retrieval)
            note(&works[i].citation, "retrieval", retrieval);
    }
    if (count)
        print_style(c->out, &citation_styles[c->form], works, count);
    return 0;
}

/* Writes the citation as get_citations does, without the members that only recorded citations have. */
static void write_made(struct strbuf *out, const struct made *made)
{
    AUTO_STRBUF formatted = STRBUF_INIT;
    size_t start = out->len;
    citation_write(out, &made->citation);
    if (out->len <= start + 2)
        return;
    strbuf_cut(out, out->len - 1);
    struct json_object o = {out, '}', true};
    citation_format(&formatted, made->citation.name, made->citation.page, made->citation.section);
    json_pair(&o, "formatted", formatted.buf);
    memory_json_pair_ref(&o, "document", made->document);
    json_pair_if(&o, "retrieval", made->retrieval);
    json_end(&o);
}

static int write(struct citing *c, struct error *e)
{
    struct strbuf *out = &c->out->text;
    struct citation *all = arena_array(c->arena, c->made_count + 1, sizeof(*all));
    if (c->row_count)
        return citations_write(c->r, c->rows, c->row_count, out, e);
    struct json_object o = json_begin(out, '{');
    struct json_object list = json_open(&o, "citations", '[');
    for (size_t i = 0; i < c->made_count; i++) {
        json_item(&list);
        write_made(out, &c->made[i]);
        all[i] = c->made[i].citation;
    }
    json_end(&list);
    json_pair_int(&o, "total", (int64_t)c->made_count);
    json_pair(&o, "uncertainty", uncertainty_name(citations_uncertainty(all, c->made_count)));
    json_end(&o);
    return 0;
}

/* Finds and prints in one transaction. */
static int cite(struct citing *c, struct error *e)
{
    if (reader_begin(c->r, e))
        return -1;
    int result =
        find_cited(c, e) || (c->form == form_json() ? write(c, e) : print_citations(c, e)) ? -1 : 0;
    reader_end(c->r);
    if (!result && c->form == form_json())
        strbuf_addch(&c->out->text, '\n');
    if (!result && !is_found(c))
        output_note("%s has no sources to cite", c->word);
    return result ? -1 : !is_found(c);
}

static void write_cited(struct json_object *list, const struct cited *c)
{
    AUTO_STRBUF formatted = STRBUF_INIT;
    citation_format(&formatted, c->name, c->page, c->section);
    struct json_object o = json_item_open(list, '{');
    json_pair_int(&o, "at", (int64_t)c->at);
    json_pair_int(&o, "length", (int64_t)c->len);
    json_pair(&o, "name", c->name);
    if (c->page)
        json_pair_int(&o, "page", c->page);
    if (c->section)
        json_pair(&o, "section", c->section);
    json_pair(&o, "formatted", formatted.buf);
    json_end(&o);
}

static void write_all_cited(struct strbuf *out, const struct cited *cited, size_t count)
{
    struct json_object o = json_begin(out, '{');
    struct json_object list = json_open(&o, "cited", '[');
    for (size_t i = 0; i < count; i++)
        write_cited(&list, &cited[i]);
    json_end(&list);
    json_pair_int(&o, "total", (int64_t)count);
    json_end_line(&o);
}

/*
 * Prints the citations in a file (`-` is standard input), one a line, with their position in code points, counted
 * from 1; or as JSON {"cited":[{at, length, name, page?, section?, formatted}], "total"}. Returns 1 if there are
 * none.
 */
static int print_cited(struct invocation *i, const char *path, bool json, struct error *e)
{
    AUTO_STRBUF text = STRBUF_INIT, line = STRBUF_INIT;
    struct cited *cited;
    size_t count = 0;
    int result = typed_file(path, &text, e);
    /* Text with NUL, or not in UTF-8, would be searched only in part. */
    if (!result && (memchr(text.buf, '\0', text.len) || !utf8_valid(text.buf, text.len)))
        result = error_set(e, ERROR_INVALID, "Give a text file in UTF-8.", "%s is not a text file",
                           path);
    if (!result)
        citations_in_text(text.buf, &i->arena, &cited, &count);
    if (!result && json)
        write_all_cited(&i->out.text, cited, count);
    /* "  812  (Q3_Report.pdf, page 12)": the position is counted from 1, as editors do. */
    for (size_t k = 0; !result && !json && k < count; k++) {
        strbuf_clear(&line);
        strbuf_addf(&line, "%6zu  ", cited[k].at + 1);
        citation_format(&line, cited[k].name, cited[k].page, cited[k].section);
        output_flow(&i->out, line.buf, 10);
    }
    return result ? -1 : count == 0;
}

static int cite_stored(struct invocation *i, int form, struct error *e)
{
    struct opened o;
    struct citing c = {.out = &i->out, .arena = &i->arena, .word = i->words[0], .form = form};
    if (opening_open(i, NULL, false, &o, e))
        return -1;
    c.r = o.reader;
    int result = cite(&c, e);
    opening_close(&o);
    return result;
}

static int run_cite(struct invocation *i, struct error *e)
{
    int form = option_choice(i, "format", i->out.json ? form_json() : 0);
    /* --in needs no store. */
    if (option_given(i, "in") && i->word_count)
        return error_set(e, ERROR_USAGE, "Give one of them.",
                         "--in searches a text file, but %.80s is in the store", i->words[0]);
    if (option_given(i, "in"))
        return print_cited(i, option_text(i, "in"), form == form_json(), e);
    if (i->word_count == 0)
        return error_set(e, ERROR_USAGE,
                         "`stemma list citation` lists them; --in FILE searches a text.",
                         "nothing to cite was given");
    return cite_stored(i, form, e);
}

static const struct option_spec cite_options[] = {
    OPT_CHOICE("format", "STYLE", choose_form, "style of the citations:"),
    OPT_TEXT("in", "FILE", "find the citations in a text, and where; - is standard input"),
    OPT_AS_OF,
    OPTION_END,
};

const struct command cmd_cite = {
    .name = "cite",
    .words = "[ID]",
    .about = "list citations, or write new ones, in one of several styles",
    .examples = "stemma cite chain:c6120492\n"
                "stemma cite m-1 --format bibtex",
    .details =
        "ID is a citation, the id of a conversation or a message, or a document: then the recorded "
        "citations are listed, by the time they were cited. For a chain or a step, citations are "
        "made from its sources: each document, page and section once, the most relevant first. A "
        "source without page and section is cited as \"(NAME, document)\", and so is a document "
        "that no response cites.\n\nAuthor and year come from the document, if they were set: "
        "`stemma edit document:ID --field author=Smith --field year=2024`.\n\n--format json, or "
        "--json, writes {\"citations\", \"total\", \"uncertainty\"} as get_citations answers. The "
        "exit status is 1 if there is nothing to cite.\n\n--in FILE finds the citations in a text, "
        "such as \"(source: Q3_Report.pdf, p.12)\", and the character at which each begins.",
    .options = cite_options,
    .run = run_cite,
};
