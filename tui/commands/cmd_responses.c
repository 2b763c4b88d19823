/* stemma responses: what each response cited, and checks of it. */
#include "tui/cli/opening.h"
#include "tui/commands/commands.h"
#include "tui/render/chain_page.h"

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
        page_release(&page);
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
        "citation.\n\nThe "
        "uncertainty follows from the mean of the scores. The exit status is 1 if there is nothing "
        "to show.",
    .options = as_of_options,
    .max_words = 1,
    .read = read_responses,
};
