/* Completion of a command line: the program answers, from its tables, what the script of a shell asks. */
#include <stdint.h>
#include <string.h>
#include "model/memory/memory.h"
#include "model/query/query.h"
#include "tui/cli/command.h"

/* The line up to the word that is completed. */
struct completing {
    struct output *out;
    const struct command_table *t;
    const struct command *command;
    const struct option_spec *pending; /* the option whose value is completed; NULL if none */
    size_t words;                      /* of the command, before this one */
    const char *prefix;
    size_t kept;       /* bytes of it before the last term of a query */
    const char *store; /* the value of --store; NULL if not given */
};

/* A line for the shell, if the candidate begins as the word does. */
static void offer(const struct completing *c, const char *dashes, const char *candidate, size_t len,
                  const char *about)
{
    AUTO_STRBUF line = STRBUF_INIT;
    strbuf_addf(&line, "%s%.*s", dashes, (int)len, candidate);
    if (len > 0 && strncmp(line.buf, c->prefix, strlen(c->prefix)) == 0)
        strbuf_addf(&c->out->text, "%s%s%s\n", line.buf, about ? "\t" : "", about ? about : "");
}

static void offer_options(const struct completing *c, const struct option_spec *options)
{
    for (const struct option_spec *o = options; o && o->name; o++)
        if (o->about)
            offer(c, "--", o->name, strlen(o->name), o->about);
}

static void offer_commands(const struct completing *c)
{
    for (size_t i = 0; i < c->t->count; i++)
        if (!c->t->commands[i]->is_alias)
            offer(c, "", c->t->commands[i]->name, strlen(c->t->commands[i]->name),
                  c->t->commands[i]->about);
}

static void offer_name(void *arg, const char *name, const char *about)
{
    offer(arg, "", name, strlen(name), about);
}

static void offer_term(void *arg, const char *word, const char *about, int score)
{
    const struct completing *c = arg;
    AUTO_STRBUF query = STRBUF_INIT;
    (void)score;
    strbuf_add(&query, c->prefix, c->kept);
    strbuf_addstr(&query, word);
    offer(c, "", query.buf, query.len, about && *about ? about : NULL);
}

static void offer_nothing(void *arg, const char *word, const char *about, int score)
{
    (void)arg, (void)word, (void)about, (void)score;
}

static void offer_agent(void *to, const char *name, const char *about)
{
    query_offer_value(to, name, about ? about : "");
}

static void offer_names(void *arg, struct query_offering *to, enum query_field field,
                        const char *typed)
{
    const struct completing *c = arg;
    if (field == QUERY_AGENT)
        c->t->agents(c->store, typed, offer_agent, to);
}

/* The fields of a query, and their values; of those that the store knows, the agents. A quoted word may have several
 * terms, of which the last is completed. */
static void offer_query(struct completing *c)
{
    const struct query_offers nothing = {.offer = offer_nothing},
                              offers = {.offer = offer_term, .names = offer_names, .arg = c};
    enum query_on on = strcmp(c->command->name, "log") ? QUERY_MEMORIES : QUERY_EVENTS;
    c->kept = query_complete(c->prefix, on, &nothing);
    query_complete(c->prefix, on, &offers);
}

static bool takes_query(const struct completing *c)
{
    return c->command->words && strstr(c->command->words, "QUERY");
}

/* What may stand for one alternative of a usage: "all" itself, each kind for KIND. */
static void offer_alternative(const struct completing *c, const char *word, size_t len)
{
    if (len == 4 && memcmp(word, "KIND", 4) == 0) {
        for (int kind = 0; kind < KIND_COUNT; kind++)
            offer(c, "", kind_name((enum kind)kind), strlen(kind_name((enum kind)kind)), NULL);
    } else if (len == 7 && memcmp(word, "COMMAND", 7) == 0) {
        offer_commands(c);
    } else if (len == 3 && memcmp(word, "REF", 3) == 0) {
        c->t->refs(c->store, c->prefix, offer_name, (void *)(uintptr_t)c);
    } else if (strspn(word, "abcdefghijklmnopqrstuvwxyz-") >= len) {
        offer(c, "", word, len, NULL);
    }
}

/* The alternatives of the next word in the usage: "stemma list KIND|all". The last word may repeat: "REF…". */
static void offer_words(const struct completing *c)
{
    AUTO_STRBUF term = STRBUF_INIT;
    command_term(&term, c->command);
    const char *at = strchr(term.buf, ' '), *next;
    for (size_t skip = c->words + (*c->command->name != '\0'); at && skip > 0; skip--) {
        next = strchr(at + 1, ' ');
        at = next || !strstr(at, "…") ? next : at;
    }
    for (size_t len; at && *at && (*at != ' ' || at[1]); at += len) {
        at += *at == ' ' || *at == '|' || *at == '[';
        at += *at == '[';
        len = strcspn(at, " |]");
        len -= len > 3 && memcmp(at + len - 3, "…", 3) == 0 ? 3 : 0;
        offer_alternative(c, at, len);
        if (at[len] != '|')
            break;
    }
}

/* Reads the words before the one that is completed. */
static void read_words(struct completing *c, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct option_word w;
        const struct command *found = NULL;
        if (c->pending) {
            c->store = strcmp(c->pending->name, "store") == 0 ? words[i] : c->store;
            c->pending = NULL;
        } else if (read_option_word(words[i], &w)) {
            c->pending = w.value ? NULL : find_option(c->command, w.name, w.len);
            if (c->pending && c->pending->type == OPTION_FLAG)
                c->pending = NULL;
        } else if (c->command == c->t->commands[0] && (found = command_find(c->t, words[i]))) {
            c->command = found;
        } else {
            c->words++;
        }
    }
}

void command_complete(struct output *out, const struct command_table *t, const char *const *words,
                      size_t count)
{
    struct completing c = {.out = out, .t = t, .command = t->commands[0]};
    c.prefix = count ? words[count - 1] : "";
    read_words(&c, words, count ? count - 1 : 0);
    if (c.pending) {
        for (int i = 0; c.pending->type == OPTION_CHOICE && choice_of(c.pending, i); i++)
            offer(&c, "", choice_of(c.pending, i), strlen(choice_of(c.pending, i)), NULL);
        if (c.pending->argument && strcmp(c.pending->argument, "REF") == 0)
            offer_alternative(&c, "REF", 3);
        if (strcmp(c.pending->name, "agent") == 0)
            c.t->agents(c.store, c.prefix, offer_name, &c);
    } else if (*c.prefix == '-') {
        offer_options(&c, command_options(c.command));
        offer_options(&c, common_options);
        if (takes_query(&c)) /* a term may be negated */
            offer_query(&c);
    } else if (c.command == t->commands[0] && c.words == 0) {
        offer_commands(&c);
    } else {
        offer_words(&c);
        if (takes_query(&c))
            offer_query(&c);
    }
}

/* Without a candidate a shell offers files. What it reads is this program's own. */
static const struct {
    const char *shell, *script;
} scripts[] = {
    {"bash", /* bash divides words at colons, refs have one */
     "_stemma() {\n"
     "    local IFS=$' \\t\\n' line=${COMP_LINE:0:COMP_POINT} cur= quoted=\n"
     "    local open=$'^(([^\"\\']|\"[^\"]*\"|\\'[^\\']*\\')*)[\"\\']([^\"\\']*)$'\n"
     "    local -a words\n"
     "    [[ $line =~ $open ]] && quoted=yes line=${BASH_REMATCH[1]} cur=${BASH_REMATCH[3]}\n"
     "    read -ra words <<<\"$line\"\n"
     "    [[ $quoted || $line == *[[:space:]] ]] && words+=(\"$cur\")\n"
     "    cur=${words[-1]}\n"
     "    IFS=$'\\n'\n"
     "    COMPREPLY=($(\"$1\" help complete -- \"${words[@]:1}\" 2>/dev/null | cut -f 1))\n"
     "    [[ ! $quoted && $cur == *:* && $COMP_WORDBREAKS == *:* ]] &&\n"
     "        COMPREPLY=(\"${COMPREPLY[@]#\"${cur%\"${cur##*:}\"}\"}\")\n"
     "    [[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null\n" /* a value follows */
     "}\n"
     "complete -o default -F _stemma stemma\n"},
    {"zsh", "#compdef stemma\n"
            "local -a found\n"
            "found=(\"${(@f)$($words[1] help complete -- \"${(@)words[2,CURRENT-1]}\" "
            "\"${(Q)PREFIX}\" 2>/dev/null |"
            " sed 's/:/\\\\:/g; s/\\t/:/')}\")\n"
            "if [[ -n $found ]]; then _describe stemma found; else _files; fi\n"},
    {"fish", "function __stemma\n"
             "    set -l line (commandline -opc) (commandline -ct | string trim -l -c '\"\\'')\n"
             "    $line[1] help complete -- $line[2..-1] 2>/dev/null\n"
             "end\n"
             "complete -c stemma -a '(__stemma)'\n"},
};

bool command_completion(struct output *out, const char *shell)
{
    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
        if (strcmp(shell, scripts[i].shell) == 0) {
            strbuf_addstr(&out->text, scripts[i].script);
            return true;
        }
    return false;
}
