/* Queries on the command line. */
#include "tui/cli/query_words.h"

#include <string.h>
#include "model/base/strbuf.h"
#include "tui/text/times.h"

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
    if (!query_parse(query, on, times_clock(i->out.now), &i->arena, out, e))
        return 0;
    if (i->word_count)
        output_point(query, out->bad_from, out->bad_to);
    e->code = ERROR_USAGE;
    return -1;
}

void query_words_unmatched(const char *query, enum query_on on)
{
    AUTO_STRBUF fields = STRBUF_INIT;
    const struct query_spec *s;
    size_t from, to;
    if (!query_unknown_field(query, &from, &to))
        return;
    for (int n = 0; (s = query_spec(n)); n++)
        if (s->on & on)
            strbuf_addf(&fields, "%s%s", fields.len ? ", " : "", s->name);
    output_point(query, from, to);
    output_note("there is no field '%.*s', so this is a text to look for. The fields are %s.",
                (int)(to - from), query + from, fields.buf);
}

static void help_fields(struct strbuf *out, const char *title, enum query_on on)
{
    const struct query_spec *s;
    strbuf_addf(out, "\nFields of %s:\n", title);
    for (int n = 0; (s = query_spec(n)); n++) {
        AUTO_STRBUF term = STRBUF_INIT;
        strbuf_addf(&term, "%s:%s", s->name, s->value);
        if (s->on & on)
            strbuf_addf(out, "  %-21s %s%s%s%s\n", term.buf, s->about, s->also ? " (also " : "",
                        s->also ? s->also : "", s->also ? ")" : "");
    }
}

void query_words_help(struct strbuf *out)
{
    strbuf_addstr(
        out,
        "A query is terms, and all must match:\n"
        "  word           anywhere in a text, a name or a ref; case does not matter\n"
        "  \"exact words\"  these words, one after the other\n"
        "  /regex/        a regular expression (PCRE2); with case if it has a capital letter\n"
        "  FIELD:VALUE    a value with spaces is in quotes; choices may be several: "
        "kind:belief,note\n"
        "  FIELD:<VALUE   numbers and times: also <=, >, >=, and a range 0.3..0.7\n"
        "  -TERM          not that\n"
        "Put a query in quotes for the shell: stemma list 'agent:ash confidence:<0.7 -kind:raw'\n");
    help_fields(out, "memories: stemma list and search, \\ in a list, memory_list", QUERY_MEMORIES);
    help_fields(out, "events: stemma log, \\ in the live view, the audit and a history",
                QUERY_EVENTS);
    help_fields(out, "sessions: \\ in the list of sessions", QUERY_SESSIONS);
}
