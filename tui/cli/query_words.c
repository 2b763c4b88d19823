/* Queries on the command line. */
#include "tui/cli/query_words.h"

#include <string.h>
#include "model/base/strbuf.h"

const char *joined_words(struct invocation *i, size_t first)
{
    AUTO_STRBUF all = STRBUF_INIT;
    for (size_t w = first; w < i->word_count; w++)
        strbuf_addf(&all, "%s%s", w > first ? " " : "", i->words[w]);
    return arena_strdup(&i->arena, all.buf);
}

int query_words_read(struct invocation *i, const char *query, enum query_on on,
                     struct query_terms *out, struct error *e)
{
    if (!query_parse(query, on, i->out.now, &i->arena, out, e))
        return 0;
    if (i->word_count)
        output_point(query, out->bad_from, out->bad_to);
    e->code = ERROR_USAGE;
    return -1;
}

void query_words_help(struct strbuf *out, unsigned on)
{
    const struct query_spec *s;
    for (int n = 0; (s = query_spec(n)); n++)
        if (s->on & on) {
            AUTO_STRBUF name = STRBUF_INIT;
            strbuf_addf(&name, "%s:%s", s->name, s->value);
            strbuf_addf(out, "  %-24s %s", name.buf, s->about);
            if (s->also)
                strbuf_addf(out, " (also %s)", s->also);
            strbuf_addch(out, '\n');
        }
}
