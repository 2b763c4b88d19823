/* Help and the manual page. Both are generated from the tables that the parser uses, so they are always correct. */
#include "tui/cli/command.h"

#include <string.h>
#include "tui/text/text.h"
#include "tui/text/match.h"

static const char about_words[] =
    "`stemma COMMAND --help` explains a command, `stemma help config` every setting, `stemma help "
    "signs` the signs. A REF is kind:id, or the unique beginning of an id. Options may come before "
    "or after the arguments; -- ends them.";
static const char about_status[] =
    "0 done; 1 a problem was found, or nothing matched; 2 wrong usage; 3 cannot read the store or "
    "an input; 4 refused; 5 out of memory.";

#define HELP_WIDTH 100

/* Lines of more than a hundred columns are hard to read, however wide the terminal is. */
static size_t help_width(const struct output *out)
{
    return out->columns < HELP_WIDTH ? out->columns : HELP_WIDTH;
}

/* "term   about", with `about` wrapped next to the term or, if there is no room, below it. */
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

void command_help_signs(struct output *out, int count)
{
    output_printf(out, STYLE_STRONG, "%sSigns:\n", count < SIGN_COUNT ? "\n" : "");
    for (int i = 0; i < count; i++) {
        enum style style = i < LABEL_COUNT ? STYLE_OF_LABEL(i) : STYLE_STRONG;
        output_printf(out, style, "  %s", out->ascii ? legend_rows[i].ascii : legend_rows[i].sign);
        strbuf_addf(&out->text, "%s%-11s  %s\n", i == SIGN_SUPPORT ? "  " : "    ", legend_word(i),
                    legend_rows[i].meaning);
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

/* What the option does, and the values that it takes. */
static void option_about(struct strbuf *about, const struct option_spec *o)
{
    strbuf_addstr(about, o->about);
    for (int i = 0; o->type == OPTION_CHOICE && choice_of(o, i); i++)
        strbuf_addf(about, "%s%s",
                    i == 0                ? o->kinds ? ": " : " "
                    : choice_of(o, i + 1) ? ", "
                                          : " or ",
                    choice_of(o, i));
    if (o->input)
        strbuf_addstr(about, "; - is standard input");
    if (o->words)
        strbuf_addstr(about, "; one or more");
    else if (o->type == OPTION_LIST)
        strbuf_addstr(about, "; may be given several times");
}

static void help_options(struct output *out, const struct option_spec *options, size_t column)
{
    AUTO_STRBUF term = STRBUF_INIT, about = STRBUF_INIT;
    for (const struct option_spec *o = options; o && o->name; o++) {
        if (!o->about)
            continue;
        strbuf_clear(&term);
        strbuf_clear(&about);
        option_term(&term, o);
        option_about(&about, o);
        help_line(out, term.buf, about.buf, column);
    }
}

static void help_examples(struct output *out, const char *lines)
{
    output_printf(out, STYLE_STRONG, "\nExamples:\n");
    for (size_t len; *lines; lines += len + (lines[len] == '\n')) {
        len = strcspn(lines, "\n");
        strbuf_addf(&out->text, "  %.*s\n", (int)len, lines);
    }
}

/* The paragraphs of its help: its own, and those that it makes from a table. */
static void add_details(struct strbuf *out, const struct command *command)
{
    strbuf_addstr(out, command->details ? command->details : "");
    if (command->add_details)
        command->add_details(out);
}

void command_help(struct output *out, const struct command *command)
{
    AUTO_STRBUF term = STRBUF_INIT;
    command_term(&term, command);
    output_printf(out, STYLE_STRONG, "stemma%s%s", *command->name ? " " : "", command->name);
    strbuf_addf(&out->text, " - %s\n\nUsage: ", command->about);
    output_text(out, STYLE_TEXT, term.buf);
    strbuf_addstr(&out->text, " [options]\n");
    AUTO_STRBUF details = STRBUF_INIT;
    add_details(&details, command);
    if (details.len) {
        strbuf_addch(&out->text, '\n');
        output_paragraph(out, details.buf, 0, help_width(out));
    }
    if (command->signs)
        command_help_signs(out, LABEL_COUNT);
    help_examples(out, command->examples);
    const struct option_spec *own = command_options(command);
    if (own && own->name) {
        output_printf(out, STYLE_STRONG, "\nOptions:\n");
        help_options(out, own, 26);
    }
    output_printf(out, STYLE_STRONG, "\nOptions of every command:\n");
    help_options(out, common_options, 26);
}

/* Whether its line, or all of its help, has the word. */
static bool speaks_of(const struct command *c, const char *word, bool anywhere)
{
    if (!anywhere)
        return match_text(c->about, word);
    AUTO_STRBUF details = STRBUF_INIT;
    add_details(&details, c);
    return match_text(details.buf, word) || match_text(c->examples, word);
}

bool command_help_word(struct output *out, const struct command_table *t, const char *word)
{
    bool found = false;
    for (int anywhere = 0; anywhere < 2 && !found; anywhere++)
        for (size_t i = 0; i < t->count; i++) {
            AUTO_STRBUF term = STRBUF_INIT;
            if (!*word || !speaks_of(t->commands[i], word, anywhere))
                continue;
            if (!found)
                strbuf_addstr(&out->text,
                              "These commands speak of it; `stemma help COMMAND` explains one:\n");
            found = true;
            command_term(&term, t->commands[i]);
            help_line(out, term.buf, t->commands[i]->about, 30);
        }
    return found;
}

void command_help_all(struct output *out, const struct command_table *t)
{
    AUTO_STRBUF term = STRBUF_INIT;
    output_printf(out, STYLE_STRONG, "stemma");
    strbuf_addstr(&out->text, " - what agents believe, where each belief came from, and what loses "
                              "its support if a source is wrong\n");
    const struct command_group *group = t->groups;
    for (size_t i = 0; i < t->count; i++) {
        if (t->commands[i]->is_alias)
            continue;
        if (t->commands[i] == group->first)
            output_printf(out, STYLE_STRONG, "\n%s\n", group++->title);
        strbuf_clear(&term);
        command_term(&term, t->commands[i]);
        help_line(out, term.buf, t->commands[i]->about, 30);
    }
    output_printf(out, STYLE_STRONG, "\nOptions of every command:\n");
    help_options(out, common_options, 30);
    strbuf_addch(&out->text, '\n');
    AUTO_STRBUF about = STRBUF_INIT;
    strbuf_addf(&about, "%s\nExit status: %s", about_words, about_status);
    output_paragraph(out, about.buf, 0, help_width(out));
}

/* ---- the manual page ---- */

/* Appends text for roff, in which some characters would be drawn as others, and a point may begin a request. */
static void roff_text(struct strbuf *out, const char *s)
{
    static const struct {
        char c;
        const char *roff;
    } escapes[] = {{'\\', "\\e"},  {'-', "\\-"},   {'`', "\\(ga"}, {'\'', "\\(aq"},
                   {'^', "\\(ha"}, {'~', "\\(ti"}, {'"', "\\(dq"}};
    for (; *s; s++) {
        const char *roff = NULL;
        for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
            roff = escapes[i].c == *s ? escapes[i].roff : roff;
        bool begins = out->len == 0 || out->buf[out->len - 1] == '\n';
        if (begins && *s == '.')
            strbuf_addstr(out, "\\&");
        if (roff)
            strbuf_addstr(out, roff);
        else
            strbuf_addch(out, *s);
    }
}

/* A request with its text: ".SH EXIT STATUS". */
static void roff_line(struct strbuf *out, const char *request, const char *s)
{
    strbuf_addf(out, "%s ", request);
    roff_text(out, s);
    strbuf_addch(out, '\n');
}

/* Paragraphs, which have an empty line between them. Lines that begin with a blank stay lines. */
static void roff_paragraphs(struct strbuf *out, const char *s)
{
    while (*s) {
        size_t len = strcspn(s, "\n");
        AUTO_STRBUF line = STRBUF_INIT;
        strbuf_add(&line, s, len);
        roff_text(out, line.buf);
        strbuf_addch(out, '\n');
        s += len;
        if (strncmp(s, "\n\n", 2) == 0)
            strbuf_addstr(out, ".PP\n");
        else if (*s && s[1] != ' ')
            strbuf_addstr(out, ".br\n");
        s += strspn(s, "\n");
    }
}

static void roff_options(struct strbuf *out, const struct option_spec *options)
{
    for (const struct option_spec *o = options; o && o->name; o++) {
        AUTO_STRBUF term = STRBUF_INIT, about = STRBUF_INIT;
        if (!o->about)
            continue;
        option_term(&term, o);
        option_about(&about, o);
        strbuf_addstr(out, ".TP\n");
        roff_line(out, ".B", term.buf);
        roff_text(out, about.buf);
        strbuf_addch(out, '\n');
    }
}

static void roff_lines(struct strbuf *out, const char *lines)
{
    strbuf_addstr(out, ".PP\n.nf\n");
    roff_text(out, lines);
    strbuf_addstr(out, "\n.fi\n");
}

static void roff_command(struct strbuf *out, const struct command *command)
{
    AUTO_STRBUF term = STRBUF_INIT;
    command_term(&term, command);
    roff_line(out, ".SS", term.buf);
    roff_text(out, command->about);
    strbuf_addstr(out, ".\n");
    AUTO_STRBUF details = STRBUF_INIT;
    add_details(&details, command);
    if (details.len) {
        strbuf_addstr(out, ".PP\n");
        roff_paragraphs(out, details.buf);
    }
    roff_options(out, command_options(command));
    strbuf_addstr(out, ".PP\nExamples:\n");
    roff_lines(out, command->examples);
}

void command_manual(struct output *out, const struct command_table *t)
{
    struct strbuf *text = &out->text;
    const struct command_group *group = t->groups;
    strbuf_addstr(text, ".TH STEMMA 1 \"\" \"stemma " STEMMA_VERSION "\"\n"
                        ".SH NAME\nstemma \\- explore and correct the memory of AI agents\n"
                        ".SH SYNOPSIS\n.B stemma\n.RI [ STORE ]\n.br\n.B stemma\n"
                        ".IR COMMAND \" [\" options ]\n.SH DESCRIPTION\n"
                        "stemma shows what agents believe, where each belief came from, and what "
                        "loses its support if a source is wrong.\n");
    roff_paragraphs(text, about_words);
    for (size_t i = 0; i < t->count; i++) {
        if (t->commands[i]->is_alias)
            continue;
        if (t->commands[i] == group->first)
            roff_line(text, ".SH", group++->title);
        roff_command(text, t->commands[i]);
    }
    strbuf_addstr(text, ".SH OPTIONS OF EVERY COMMAND\n");
    roff_options(text, common_options);
    strbuf_addstr(text, ".SH EXIT STATUS\n");
    roff_paragraphs(text, about_status);
    strbuf_addstr(text, ".SH SEE ALSO\n.BR stemma\\-tutorial (7),\n.BR stemma\\-config (5)\n");
}

void command_manual_config(struct output *out, const char *config)
{
    strbuf_addstr(&out->text, ".TH STEMMA\\-CONFIG 5 \"\" \"stemma " STEMMA_VERSION "\"\n"
                              ".SH NAME\nstemma\\-config \\- the settings of stemma\n"
                              ".SH DESCRIPTION\n");
    roff_lines(&out->text, config);
    strbuf_addstr(&out->text, ".SH SEE ALSO\n.BR stemma (1)\n");
}

/* A line that begins with "# " is a heading, and one with four blanks a command; others are paragraphs. */
void command_manual_tutorial(struct output *out, const char *tutorial)
{
    strbuf_addstr(&out->text,
                  ".TH STEMMA\\-TUTORIAL 7 \"\" \"stemma " STEMMA_VERSION "\"\n"
                  ".SH NAME\nstemma\\-tutorial \\- the memory of an agent in ten minutes\n");
    for (const char *line = tutorial, *end; *line; line = end + 1) {
        AUTO_STRBUF text = STRBUF_INIT;
        end = line + strcspn(line, "\n");
        while (*line == ' ' && end[1] == ' ') /* commands that follow each other stand together */
            end += 1 + strcspn(end + 1, "\n");
        strbuf_add(&text, line, (size_t)(end - line));
        if (*line == '#')
            roff_line(&out->text, ".SH", text.buf + 2);
        else if (*line == ' ')
            roff_lines(&out->text, text.buf);
        else if (end > line)
            roff_paragraphs(&out->text, text.buf);
        else if (end[1] && end[1] != '#' && end[1] != ' ')
            strbuf_addstr(&out->text, ".PP\n");
    }
    strbuf_addstr(&out->text, ".SH SEE ALSO\n.BR stemma (1),\n.BR stemma\\-config (5)\n");
}
