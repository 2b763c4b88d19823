/*
 * Finding commands, and the parser of the command line. It reads the line twice: first to find the command, because
 * options may precede it, then with that command's options.
 */
#include "tui/cli/command.h"
#include "model/query/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "model/base/alloc.h"
#include "model/base/error.h"
#include "model/memory/memory.h"
#include "tui/cli/operating.h"

static const char *color_choice(int i)
{
    static const char *const names[] = {"auto", "always", "never", NULL};
    return names[i];
}

const struct option_spec common_options[] = {
    OPT_TEXT("store", "PATH", "the store to use"),
    OPT_TEXT("config", "FILE", "the configuration to use"),
    OPT_FLAG("read-only", "change nothing"),
    OPT_FLAG("json", "write JSON"),
    OPT_CHOICE("color", "WHEN", color_choice, "colours:"),
    {.name = "help", .letter = 'h', .about = "show this help"},
    OPTION_END,
};

const struct option_spec as_of_options[] = {OPT_AS_OF, OPTION_END};

const struct command *command_find(const struct command_table *t, const char *name)
{
    for (size_t i = 0; i < t->count; i++)
        if (*name && is_display_name(name, t->commands[i]->name))
            return t->commands[i];
    return NULL;
}

const struct option_spec *command_options(const struct command *command)
{
    return command->operates ? operating_options(command) : command->options;
}

const char *choice_of(const struct option_spec *o, int i)
{
    if (!o->kinds)
        return o->choice(i);
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if ((o->kinds & KIND_BIT(kind)) && i-- == 0)
            return kind_name((enum kind)kind);
    return NULL;
}

/* ---- finding options ---- */

/* Whether the name is one of those, which are separated by blanks. */
static bool is_name(const char *names, const char *name, size_t len)
{
    for (const char *at = names; at; at = strchr(at, ' '), at += at ? 1 : 0)
        if (strcspn(at, " ") == len && memcmp(at, name, len) == 0)
            return true;
    return false;
}

/* Finds an option by a name or its letter. */
static const struct option_spec *find_in(const struct option_spec *options, const char *name,
                                         size_t len)
{
    for (const struct option_spec *o = options; o && o->name; o++) {
        bool letter = len == 1 && o->letter == *name;
        if (letter || is_name(o->name, name, len) || is_name(o->also, name, len))
            return o;
    }
    return NULL;
}

/* The command's own options come before the common ones. */
const struct option_spec *find_option(const struct command *command, const char *name, size_t len)
{
    const struct option_spec *o = find_in(command_options(command), name, len);
    return o ? o : find_in(common_options, name, len);
}

/* "-kind:raw" is a term of a query. */
static bool is_negated_term(const char *arg)
{
    size_t name = strcspn(arg + 1, ":");
    return arg[1] == '"' || arg[1] == '/' || (arg[name + 1] && query_spec_named(arg + 1, name));
}

bool read_option_word(const char *arg, struct option_word *w)
{
    if (arg[0] != '-' || !arg[1] || is_negated_term(arg))
        return false;
    bool is_long = arg[1] == '-';
    w->name = arg + 1 + is_long;
    w->len = is_long ? strcspn(w->name, "=") : 1;
    w->value = is_long ? (w->name[w->len] ? w->name + w->len + 1 : NULL)
                       : (w->name[1] ? w->name + 1 : NULL);
    return true;
}

/*
 * True if the argument is another option and not a value: anything that looks like a long option, known or not, and
 * `-x` if there is such a letter. Negative numbers and texts that begin with a dash are values. Other values can be
 * given as `--name=value`.
 */
static bool looks_like_option(const struct command *command, const char *arg)
{
    struct option_word w;
    if (strcmp(arg, "--") == 0)
        return true;
    if (!read_option_word(arg, &w))
        return false;
    if (arg[1] == '-')
        return strspn(w.name, "abcdefghijklmnopqrstuvwxyz0123456789-") == w.len;
    return !w.value && find_option(command, w.name, w.len);
}

/* True if the option takes the next argument. An option of the same name takes one in every command or in none. */
static bool takes_argument(const struct command_table *t, const struct option_word *w)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct option_spec *o = find_option(t->commands[i], w->name, w->len);
        if (o && o->type != OPTION_FLAG)
            return true;
    }
    return false;
}

/* The index of the first word; `argc` if there is none. */
static int first_word(const struct command_table *t, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct option_word w;
        if (strcmp(argv[i], "--") == 0)
            return i + 1;
        if (!read_option_word(argv[i], &w))
            return i;
        if (!w.value && takes_argument(t, &w) && i + 1 < argc &&
            !looks_like_option(t->commands[0], argv[i + 1]))
            i++;
    }
    return argc;
}

/* ---- values ---- */

/* "It takes recorded, created, text" */
static void add_choices(const struct option_spec *o, struct strbuf *out)
{
    for (int i = 0; choice_of(o, i); i++)
        strbuf_addf(out, "%s%s", i ? ", " : "It takes ", choice_of(o, i));
}

/* What other programs call an option that the command has; NULL for none. */
static const struct option_spec *option_of_other_name(const struct command *command,
                                                      const char *word)
{
    static const char *const others[][2] = {
        {"n", "limit"},       {"count", "limit"}, {"max", "limit"},   {"sort", "order"},
        {"sort-by", "order"}, {"r", "reverse"},   {"desc", "reverse"}};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (!strcmp(word, others[i][0]))
            return find_option(command, others[i][1], strlen(others[i][1]));
    return NULL;
}

/* Reports an unknown option, and suggests the nearest one, or one that other programs call so. */
static int wrong_option(const struct command *command, const char *name, size_t len,
                        struct error *e)
{
    AUTO_STRBUF hint = STRBUF_INIT;
    const char *of = *command->name ? command->name : "";
    char word[64];
    if (len == 5 && memcmp(name, "as-of", 5) == 0)
        return error_set(e, ERROR_REFUSED, "Omit --as-of.", "'%s' works only on the current store",
                         *of ? of : "stemma");
    snprintf(word, sizeof(word), "%.*s", (int)(len < 60 ? len : 60), name);
    struct suggestion near = SUGGESTION_INIT(word);
    for (const struct option_spec *o = command_options(command); o && o->name; o++)
        if (o->about)
            suggest_consider(&near, o->name);
    for (const struct option_spec *o = common_options; o->name; o++)
        suggest_consider(&near, o->name);
    const struct option_spec *other = option_of_other_name(command, word);
    if (other)
        strbuf_addf(&hint, "Did you mean --%s%s%s? ", other->name, other->argument ? " " : "",
                    other->argument ? other->argument : "");
    if (other && other->type == OPTION_CHOICE)
        add_choices(other, &hint);
    else if (other)
        strbuf_cut(&hint, hint.len - 1);
    else if (near.name)
        strbuf_addf(&hint, "Did you mean --%s?", near.name);
    else
        strbuf_addf(&hint, "`stemma %s%s--help` lists its options.", of, *of ? " " : "");
    const char *dashes = len > 1 ? "--" : "-";
    if (*of)
        return error_set(e, ERROR_USAGE, hint.buf, "'%s' has no option %s%s", of, dashes, word);
    return error_set(e, ERROR_USAGE, hint.buf, "there is no option %s%s", dashes, word);
}

static int wrong_choice(const struct option_spec *o, const char *text, struct error *e)
{
    struct suggestion near = SUGGESTION_INIT(text);
    AUTO_STRBUF hint = STRBUF_INIT;
    for (int i = 0; choice_of(o, i); i++)
        suggest_consider(&near, choice_of(o, i));
    if (near.name)
        strbuf_addf(&hint, "Did you mean %s? ", near.name);
    add_choices(o, &hint);
    error_set(e, ERROR_USAGE, hint.buf, "--%s does not take '%.80s'", o->name, text);
    return -1;
}

/* "`stemma list --help` explains it." */
struct hint {
    char text[100];
};
static struct hint see_help(const struct command *command)
{
    struct hint hint;
    snprintf(hint.text, sizeof(hint.text), "`stemma %s%s--help` explains it.", command->name,
             *command->name ? " " : "");
    return hint;
}

static int check_number(const struct option_spec *o, const char *text, double *number,
                        const char *hint, struct error *e)
{
    char *end;
    double n = strtod(text, &end);
    bool whole = o->type == OPTION_INT;
    /* Only plain numbers: no plus sign, hexadecimals, exponents or infinities. */
    bool plain = *text && text[strspn(text, whole ? "-0123456789" : "-.0123456789")] == '\0';
    if (plain && !*end && end != text && n >= o->min && n <= o->max) {
        *number = n;
        return 0;
    }
    if (whole && o->max >= 1e9)
        return error_set(e, ERROR_USAGE, hint,
                         "--%s takes a whole number, at least %.0f, not '%.80s'", o->name, o->min,
                         text);
    return error_set(e, ERROR_USAGE, hint, "--%s takes a%s number from %.*g to %.*g, not '%.80s'",
                     o->name, whole ? " whole" : "", whole ? 10 : 6, o->min, whole ? 10 : 6, o->max,
                     text);
}

/* Checks the value against the option's type, and sets `number`. */
static int check_value(const struct option_spec *o, struct option_value *v, const char *hint,
                       struct error *e)
{
    if (o->type == OPTION_INT || o->type == OPTION_NUMBER)
        return check_number(o, v->text, &v->number, hint, e);
    if (o->type != OPTION_CHOICE)
        return 0;
    for (int i = 0; choice_of(o, i); i++)
        if (is_display_name(v->text, choice_of(o, i))) {
            v->number = i;
            return 0;
        }
    return wrong_choice(o, v->text, e);
}

static int takes_no_value(const struct option_spec *o, struct error *e)
{
    char hint[100];
    snprintf(hint, sizeof(hint), "Write only --%s.", o->name);
    return error_set(e, ERROR_USAGE, hint, "--%s takes no value", o->name);
}

/* "--confirms A B C": B and C are values as A is. */
static void take_more(struct invocation *i, const struct option_spec *o, int argc, char **argv,
                      int *at)
{
    struct option_word w;
    while (*at + 1 < argc && !read_option_word(argv[*at + 1], &w))
        i->values[i->value_count++] = (struct option_value){.spec = o, .text = argv[++*at]};
}

/* Takes the option at argv[*at]. Moves *at to its value if that is a separate argument. */
static int take_option(struct invocation *i, const struct option_word *w, int argc, char **argv,
                       int *at, struct error *e)
{
    const struct option_spec *o = find_option(i->command, w->name, w->len);
    if (!o)
        return wrong_option(i->command, w->name, w->len, e);
    struct option_value *v = &i->values[i->value_count++];
    *v = (struct option_value){.spec = o, .text = w->value};
    if (o->type == OPTION_FLAG)
        return w->value ? takes_no_value(o, e) : 0;
    if (!w->value) {
        if (*at + 1 >= argc || looks_like_option(i->command, argv[*at + 1]))
            return error_set(e, ERROR_USAGE, see_help(i->command).text, "--%s needs a value",
                             o->name);
        v->text = argv[++*at];
    }
    if (check_value(o, v, see_help(i->command).text, e))
        return -1;
    if (o->words)
        take_more(i, o, argc, argv, at);
    return 0;
}

/* Minimum and maximum number of words of a command. */
struct word_range {
    size_t min, max;
};

/* As `words` shows them, up to the first option: "REF [FILE]", "REF…", "QUERY". */
static void count_shown(const char *words, struct word_range *range)
{
    int depth = 0; /* of brackets */
    while (*words && strncmp(words + (*words == '['), "--", 2) != 0) {
        size_t len = strcspn(words, " ");
        const char *many = strstr(words, "…"), *query = strstr(words, "QUERY");
        bool repeats = (many && many < words + len) || (query && query < words + len);
        depth += *words == '[';
        range->min += depth == 0;
        range->max = repeats ? SIZE_MAX : range->max + 1;
        for (size_t at = len; at > 0 && words[at - 1] == ']'; at--)
            depth--;
        words += len + strspn(words + len, " ");
    }
}

static struct word_range word_range(const struct command *c)
{
    struct word_range range = {0, 0};
    if (!c->operates)
        count_shown(c->words, &range);
    for (const struct param *p = c->operates ? op_spec(c->op)->params : NULL;
         p && p->type != PARAM_END; p++) {
        if (!p->positional)
            continue;
        range.min += p->required;
        range.max = param_takes_all(p) ? SIZE_MAX : range.max + 1;
    }
    range.max = c->max_words < 0 ? SIZE_MAX : range.max;
    return range;
}

void command_term(struct strbuf *term, const struct command *c)
{
    strbuf_addf(term, "stemma%s%s", *c->name ? " " : "", c->name);
    if (c->words) {
        strbuf_addf(term, "%s%s", *c->words ? " " : "", c->words);
        return;
    }
    for (const struct param *p = op_spec(c->op)->params; p->type != PARAM_END; p++)
        if (p->positional)
            strbuf_addf(term, p->required ? " %s" : " [%s]", p->argument);
        else if (p->required)
            strbuf_addf(term, " --%s %s", p->option ? p->option : p->name, p->argument);
}

/* Its name for the word that is missing after `given` ones: the term is "stemma retract REF…". */
static const char *missing_word(const char *term, size_t given, size_t *len)
{
    for (given += 2; given > 0 && *term; given--)
        term += strcspn(term, " "), term += strspn(term, " ");
    *len = strcspn(term, " …");
    return term;
}

/* Checks the number of words. With --help any number is accepted. */
static int count_words(const struct invocation *i, const struct command_table *t, struct error *e)
{
    const struct command *c = i->command;
    struct word_range range = word_range(c);
    char hint[200];
    AUTO_STRBUF term = STRBUF_INIT;
    command_term(&term, c);
    snprintf(hint, sizeof(hint), "Usage: `%s`.", term.buf);
    bool lacks = i->word_count < range.min && !option_given(i, "help");
    size_t len = 0;
    const char *word = missing_word(term.buf, i->word_count, &len);
    if (lacks)
        error_set(e, ERROR_USAGE, hint, "'%s' needs %.*s", c->name, (int)len, word);
    if (lacks || option_given(i, "help"))
        return lacks ? -1 : 0;
    if (c == t->commands[0] && i->word_count == 2 && command_find(t, i->words[1])) {
        snprintf(hint, sizeof(hint), "Write `stemma %s --store %.100s`.", i->words[1], i->words[0]);
        return error_set(e, ERROR_USAGE, hint, "a command comes first, and its store by --store");
    }
    if (i->word_count > range.max)
        return error_set(e, ERROR_USAGE, hint, "'%s' does not know what to do with '%.80s'",
                         *c->name ? c->name : "stemma", i->words[range.max]);
    return 0;
}

/* ---- the command line ---- */

static bool is_removal(const char *word)
{
    return !strcmp(word, "delete") || !strcmp(word, "remove") || !strcmp(word, "rm");
}

static int unknown_command(const struct command_table *t, const char *word, struct error *e)
{
    char hint[160];
    struct suggestion near = SUGGESTION_INIT(word);
    for (size_t i = 0; i < t->count; i++)
        if (*t->commands[i]->name)
            suggest_consider(&near, t->commands[i]->name);
    if (is_removal(word))
        snprintf(hint, sizeof(hint),
                 "`stemma retract` marks as wrong, `stemma forget` hides, `stemma purge` erases.");
    else if (near.name)
        snprintf(hint, sizeof(hint), "Did you mean `stemma %s`?", near.name);
    else
        snprintf(hint, sizeof(hint),
                 "`stemma help` lists the commands; a store is given by a path "
                 "with a '/'.");
    return error_set(e, ERROR_USAGE, hint, "there is no command '%.80s'", word);
}

/* Finds the command. Sets *word to the index of its name, or 0 if it has none. */
static int find_command(struct invocation *i, const struct command_table *t, int argc, char **argv,
                        int *word, struct error *e)
{
    int first = first_word(t, argc, argv);
    *word = 0;
    i->command = t->commands[0];
    if (first >= argc)
        return 0;
    const char *name = argv[first];
    const struct command *found = command_find(t, name);
    if (found) {
        i->command = found;
        *word = first;
        return 0;
    }
    if (strchr(name, '/') || access(name, F_OK) == 0)
        return 0;
    return unknown_command(t, name, e);
}

int command_parse(struct invocation *i, const struct command_table *t, int argc, char **argv,
                  struct error *e)
{
    int name;
    bool only_words = false;
    *i = (struct invocation){
        .arena = ARENA_INIT, .command = t->commands[0], .program = argc ? argv[0] : ""};
    i->values = xcalloc((size_t)argc + 1, sizeof(*i->values));
    i->words = xcalloc((size_t)argc + 1, sizeof(*i->words));
    if (find_command(i, t, argc, argv, &name, e))
        return -1;
    for (int at = 1; at < argc; at++) {
        struct option_word w;
        if (at == name)
            continue;
        if (!only_words && strcmp(argv[at], "--") == 0)
            only_words = true;
        else if (only_words || !read_option_word(argv[at], &w))
            i->words[i->word_count++] = argv[at];
        else if (take_option(i, &w, argc, argv, &at, e))
            return -1;
    }
    return count_words(i, t, e);
}

void command_release(struct invocation *i)
{
    free(i->values);
    free(i->words);
    config_release(&i->config);
    output_release(&i->out);
    arena_release(&i->arena);
}

/* ---- values of options ---- */

/* The last value counts, so that an option in a shell alias can be overridden. */
static const struct option_value *last_value(const struct invocation *i, const char *name)
{
    for (size_t n = i->value_count; n-- > 0;)
        if (strcmp(i->values[n].spec->name, name) == 0)
            return &i->values[n];
    return NULL;
}

bool option_given(const struct invocation *i, const char *name)
{
    return last_value(i, name) != NULL;
}

const char *option_text(const struct invocation *i, const char *name)
{
    const struct option_value *v = last_value(i, name);
    return v ? v->text : NULL;
}

double option_number(const struct invocation *i, const char *name, double otherwise)
{
    const struct option_value *v = last_value(i, name);
    return v ? v->number : otherwise;
}

int option_choice(const struct invocation *i, const char *name, int otherwise)
{
    return (int)option_number(i, name, otherwise);
}

const char **option_list(struct invocation *i, const char *name, size_t *count)
{
    const char **list = arena_array(&i->arena, i->value_count + 1, sizeof(*list));
    *count = 0;
    for (size_t n = 0; n < i->value_count; n++)
        if (strcmp(i->values[n].spec->name, name) == 0)
            list[(*count)++] = i->values[n].text;
    return list;
}
