#include "tui/render/chain_page.h"

#include <math.h>
#include "tui/render/oneline.h"

#define NUMBER 5 /* column of a citation, after its number */

static const char *count_of(struct page *s, size_t count, const char *what)
{
    return page_printf(s, "%zu %s%s", count, what, count == 1 ? "" : "s");
}

/* ---- a citation ---- */

static const char *when_of(struct page *s, int64_t at)
{
    struct strbuf *text = page_buffer(s);
    add_time(text, at, s->options.now);
    return page_printf(s, "%s", text->buf);
}

static void put_retrieval(struct page *s, const struct response_citation *c)
{
    static const char *const matches[] = {[MATCH_GUESSED] = "guessed",
                                          [MATCH_URI] = "by URI",
                                          [MATCH_HASH] = "by hash",
                                          [MATCH_RECORDED] = "recorded"};
    int64_t given = c->work.citation.retrieved_at;
    if (!c->retrieval && given != INT64_MIN && page_line(s))
        page_format(s, NUMBER, 0, STYLE_DIM, "retrieved %s, not logged", when_of(s, given));
    if (!c->retrieval)
        return;
    page_opens(s, c->retrieval);
    page_format(s, NUMBER, 0, STYLE_DIM, "retrieved %s, %s:%.8s, %s%s%s",
                when_of(s, c->retrieved_at), kind_name(c->retrieval_ref.kind), c->retrieval_ref.id,
                matches[c->match], STATUS_LIVES(c->retrieval_status) ? "" : ", ",
                STATUS_LIVES(c->retrieval_status) ? "" : status_word(c->retrieval_status));
    if (STATUS_LIVES(c->retrieval_status) && !STATUS_LIVES(c->linked_status) && page_line(s))
        page_format(s, NUMBER, 0, STYLE_UNSUPPORTED,
                    "the retrieval that the document is linked to is %s",
                    status_word(c->linked_status));
}

/* Contents may be parts of a document, so one without the passage says little by itself. */
static void put_passage(struct page *s, const struct response_citation *c)
{
    if (c->passage == PASSAGE_OUTDATED && page_line(s))
        page_format(s, NUMBER, 0, STYLE_UNSUPPORTED,
                    "not in the content that was logged last; that of %s%s%s has this passage",
                    when_of(s, c->passage_at), STATUS_LIVES(c->passage_status) ? "" : ", ",
                    STATUS_LIVES(c->passage_status)
                        ? ""
                        : page_printf(s, "%s,", status_word(c->passage_status)));
    else if (c->passage == PASSAGE_NEVER && page_line(s))
        page_put(s, NUMBER, 0, STYLE_WEAKENED,
                 "no logged content of the document has this passage");
}

static void put_citation(struct page *s, const struct response_citation *c, size_t number)
{
    const struct citation *cited = &c->work.citation;
    struct strbuf *text;
    page_opens(s, c->node);
    page_format(s, 1, 3, STYLE_NUMBER, "%2zu", number);
    text = page_buffer(s);
    if (!isnan(cited->relevance))
        strbuf_addf(text, "%.2f %s  ", cited->relevance, score_word(cited->origin));
    citation_format(text, cited->name, cited->page, cited->section);
    if (c->document && (cited->invented || cited->unnamed))
        strbuf_addf(text, "  %s%sdocument:%.15s", cited->invented ? cited->document_id : "",
                    cited->invented ? " is " : "", c->document_ref.id);
    page_put(s, NUMBER, 0, STYLE_TEXT, text->buf);
    if (cited->snippet && *cited->snippet)
        page_wrap(s, NUMBER, page_prose(s, NUMBER), STYLE_STRONG,
                  page_printf(s, "\"%s\"", cited->snippet), 4, false);
    put_retrieval(s, c);
    if (c->document) {
        page_opens(s, c->document);
        text = page_buffer(s);
        strbuf_addstr(text, "source ");
        source_quality_add(text, &c->quality);
        page_put(s, NUMBER, 0, STATUS_LIVES(c->quality.status) ? STYLE_DIM : STYLE_UNSUPPORTED,
                 text->buf);
    }
    put_passage(s, c);
}

/* ---- a response ---- */

/* "3 citations · 1 sentence without one:", and that sentence. */
static void put_uncited(struct page *s, const struct response *of)
{
    size_t count = of->uncited_count;
    page_line(s);
    page_format(s, NUMBER, 0, count ? STYLE_WEAKENED : STYLE_DIM, "%s %s %s",
                count_of(s, of->count, "citation"), glyph_of(GLYPH_DOT, s->options.ascii),
                !of->has_text ? "its text was not recorded: no sentence is checked"
                : count       ? page_printf(s, "%s without one:", count_of(s, count, "sentence"))
                              : "every sentence has one");
    for (size_t i = 0; i < count; i++)
        page_wrap(s, NUMBER + 2, page_prose(s, NUMBER + 2), STYLE_TEXT, of->uncited[i], 4, false);
}

static void put_conflicts(struct page *s, const struct response *of)
{
    for (size_t i = 0; i < of->conflict_count; i++) {
        const struct response_conflict *c = &of->conflict[i];
        page_line(s);
        page_format(s, NUMBER, 0, STYLE_UNSUPPORTED, "%zu and %zu contradict each other: %s",
                    c->a + 1, c->b + 1,
                    c->recorded ? "a relation of their documents says so"
                                : "the same words with other numbers");
    }
}

static void put_response(struct page *s, const struct response *of)
{
    page_line(s);
    page_line(s);
    page_format(s, 1, 0, STYLE_TITLE, "%s%s", *of->message ? "message " : "without a message id",
                of->message);
    page_line(s);
    page_format(s, NUMBER, 0, STYLE_DIM, "by %s, %s, uncertainty %s", of->agent, when_of(s, of->at),
                uncertainty_name(of->uncertainty));
    put_uncited(s, of);
    for (size_t i = 0; i < of->count; i++)
        put_citation(s, &of->citation[i], i + 1);
    put_conflicts(s, of);
}

void responses_page(struct page *s, const struct responses *all, const struct page_options *options)
{
    page_begin(s, options);
    for (size_t i = 0, end; i < all->count; i = end) {
        const char *conversation = all->response[i].conversation;
        for (end = i; end < all->count && !strcmp(all->response[end].conversation, conversation);)
            end++;
        page_section(s,
                     *conversation ? page_printf(s, "conversation %s", conversation)
                                   : "without a conversation id",
                     count_of(s, end - i, "response"));
        for (size_t k = i; k < end; k++)
            put_response(s, &all->response[k]);
    }
    if (all->more)
        page_note(s, 1, "Older responses are not shown: name a conversation or a message.");
}
