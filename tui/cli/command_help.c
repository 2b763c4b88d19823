/* Help, made from the table that the parser reads: it cannot say what is not so. */
#include "tui/cli/command.h"

#include <string.h>
#include "tui/text/text.h"

#define HELP_WIDTH 100

/* Lines beyond a hundred columns are hard to read, however wide the terminal is. */
static size_t help_width(const struct output *out)
{
    return out->columns < HELP_WIDTH ? out->columns : HELP_WIDTH;
}

/* "term   what it means", the meaning wrapped beside the term or, where that is narrow, below it. */
static void help_line(struct output *out, const char *term, const char *about, size_t column)
{
    size_t width = help_width(out);
    size_t len = text_width(term, strlen(term), SIZE_MAX - 1, out->flags);
    if (width < column + 20 || len + 3 > column) {
        strbuf_addstr(&out->text, "  ");
        output_text(out, STYLE_STRONG, term);
        strbuf_addch(&out->text, '\n');
        output_paragraph(out, about, width < column + 20 ? 6 : column, width);
        return;
    }
    strbuf_addstr(&out->text, "  ");
    output_text(out, STYLE_STRONG, term);
    strbuf_addchars(&out->text, ' ', column - len - 2);
    output_hanging(out, about, column, width);
}

/* "●  grounded   stands, and nothing that it rests on is lost" for each mark. */
static void help_marks(struct output *out)
{
    static const char *const meanings[LABEL_COUNT] = {
        [LABEL_GROUNDED] = "stands, and has lost nothing",
        [LABEL_WEAKENED] = "stands, though one of its justifications does not hold",
        [LABEL_UNGROUNDED] = "none of its justifications holds",
        [LABEL_CIRCULAR] = "none holds but by resting on itself",
        [LABEL_UNSOURCED] = "has none, and is no source by its kind",
        [LABEL_GONE] = "retracted, forgotten, deleted, purged, or named and never written",
    };
    output_printf(out, STYLE_STRONG, "\nMarks:\n");
    for (int l = 0; l < LABEL_COUNT; l++) {
        output_printf(out, STYLE_OF_LABEL((enum label)l), "  %s",
                      mark_of_label((enum label)l, out->ascii));
        strbuf_addf(&out->text, "  %-10s  %s\n", label_name((enum label)l), meanings[l]);
    }
}

/* "-o, --output FILE" */
static void option_term(struct strbuf *term, const struct option_spec *o)
{
    if (o->letter)
        strbuf_addf(term, "-%c, ", o->letter);
    strbuf_addf(term, "--%s", o->name);
    if (o->argument)
        strbuf_addf(term, " %s", o->argument);
}

/* What it does, and the words that it takes. */
static void option_about(struct strbuf *about, const struct option_spec *o)
{
    strbuf_addstr(about, o->about);
    for (int i = 0; o->choice && o->choice(i); i++)
        strbuf_addf(about, "%s%s", i == 0 ? " " : o->choice(i + 1) ? ", " : " or ", o->choice(i));
    if (o->words)
        strbuf_addstr(about, "; one or several");
    else if (o->type == OPTION_LIST)
        strbuf_addstr(about, "; may be given several times");
}

static void help_options(struct output *out, const struct option_spec *options, size_t column)
{
    struct strbuf term = STRBUF_INIT, about = STRBUF_INIT;
    for (const struct option_spec *o = options; o && o->name; o++) {
        strbuf_clear(&term);
        strbuf_clear(&about);
        option_term(&term, o);
        option_about(&about, o);
        help_line(out, term.buf, about.buf, column);
    }
    strbuf_release(&term);
    strbuf_release(&about);
}

/* "stemma list KIND|all" */
static void command_term(struct strbuf *term, const struct command *c)
{
    strbuf_addf(term, "stemma%s%s%s%s", *c->name ? " " : "", c->name, *c->words ? " " : "",
                c->words);
}

void command_help(struct output *out, const struct command *command)
{
    struct strbuf term = STRBUF_INIT;
    command_term(&term, command);
    output_printf(out, STYLE_STRONG, "stemma%s%s", *command->name ? " " : "", command->name);
    strbuf_addf(&out->text, " - %s\n\nUsage: ", command->about);
    output_text(out, STYLE_TEXT, term.buf);
    strbuf_addstr(&out->text, " [options]\n");
    strbuf_release(&term);
    if (command->details) {
        strbuf_addch(&out->text, '\n');
        output_paragraph(out, command->details, 0, help_width(out));
    }
    if (command->marks)
        help_marks(out);
    if (command->options && command->options->name) {
        output_printf(out, STYLE_STRONG, "\nOptions:\n");
        help_options(out, command->options, 26);
    }
    output_printf(out, STYLE_STRONG, "\nOptions of every command:\n");
    help_options(out, command_common_options(), 26);
}

void command_help_all(struct output *out)
{
    size_t count;
    const struct command *const *table = command_table(&count);
    struct strbuf term = STRBUF_INIT;
    output_printf(out, STYLE_STRONG, "stemma");
    strbuf_addstr(&out->text,
                  " - what an agent believes, where each belief came from, and what falls "
                  "if a source is wrong\n\n");
    for (size_t i = 0; i < count; i++) {
        strbuf_clear(&term);
        command_term(&term, table[i]);
        help_line(out, term.buf, table[i]->about, 30);
    }
    output_printf(out, STYLE_STRONG, "\nOptions of every command:\n");
    help_options(out, command_common_options(), 30);
    strbuf_addch(&out->text, '\n');
    output_paragraph(
        out,
        "`stemma COMMAND --help` tells more of each, `stemma help config` every setting. "
        "A REF is kind:id, or the beginning of an id that only one memory has. Options "
        "may stand before or after the words they go with; -- ends them.\n"
        "Exit status: 0 done; 1 a problem was found, or nothing matched; 2 wrong usage; "
        "3 the store or an input cannot be read; 4 refused.",
        0, help_width(out));
    strbuf_release(&term);
}
