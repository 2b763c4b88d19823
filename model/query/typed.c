/* Queries while a person types them: what the last term may become, and replacing the value of a field. */
#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "model/query/query.h"

static void add_term(struct strbuf *out, const char *name, const char *value)
{
    bool quoted = !*value || strpbrk(value, " \t\"\\") != NULL;
    strbuf_addf(out, "%s%s:%s", out->len ? " " : "", name, quoted ? "\"" : "");
    for (; *value; value++) {
        if (*value == '"' || (quoted && *value == '\\'))
            strbuf_addch(out, '\\');
        strbuf_addch(out, *value);
    }
    if (quoted)
        strbuf_addch(out, '"');
}

void query_put(struct strbuf *out, const char *query, const char *name, const char *value)
{
    const struct query_spec *of = query_spec_named(name, strlen(name));
    struct token k;
    while (query_token(&query, &k)) {
        if (k.spec && k.spec == of)
            continue;
        strbuf_addstr(out, out->len ? " " : "");
        strbuf_add(out, k.from, (size_t)(k.to - k.from));
    }
    add_term(out, name, value);
}

/* The last token, if nothing follows it. */
static bool last_token(const char *query, struct token *last)
{
    const char *at = query;
    struct token k;
    *last = (struct token){.from = query + strlen(query)};
    while (query_token(&at, &k))
        *last = k;
    return last->to && !*last->to;
}

size_t query_whole(const char *query)
{
    struct token k;
    bool typed = last_token(query, &k) && (k.name || k.open || *k.value == '/');
    return typed ? (size_t)(k.from - query) : strlen(query);
}

/* Appends "label:circular" if the word is a value of a field. */
static void add_field_of(const struct token *k, enum query_on on, struct strbuf *out)
{
    const struct query_spec *s;
    size_t len = (size_t)(k->to - k->value);
    for (int i = 0; (s = query_spec(i)); i++)
        for (int n = 0;
             s->on & on && s->field != QUERY_KIND && s->choice && s->choice(n) && !out->len; n++)
            if (strlen(s->choice(n)) == len && !memcmp(s->choice(n), k->value, len) &&
                strcmp(s->choice(n), "all"))
                strbuf_addf(out, "did you mean %s:%s?", s->name, s->choice(n));
}

bool query_unknown_field(const char *query, size_t *from, size_t *to)
{
    const char *at = query;
    struct token k = {0};
    while (query_token(&at, &k))
        if (k.name && !k.spec) {
            *from = (size_t)(k.name - query);
            *to = *from + k.name_len;
            return true;
        }
    return false;
}

void query_hint(const char *query, enum query_on on, struct strbuf *out)
{
    size_t before = out->len;
    struct token k;
    while (out->len == before && query_token(&query, &k))
        if (k.name && !k.spec)
            strbuf_addf(out, "there is no field \"%.*s:\"; Tab lists the fields", (int)k.name_len,
                        k.name);
        else if (!k.spec && !k.quoted && !k.pattern)
            add_field_of(&k, on, out);
}

struct query_offering {
    const struct query_offers *offers;
    const char *minus; /* "-" if the term is negated */
    const char *name, *typed;
};

void query_offer_value(struct query_offering *to, const char *value, const char *about)
{
    AUTO_STRBUF word = STRBUF_INIT, term = STRBUF_INIT;
    AUTO_STRBUF has = STRBUF_INIT, typed = STRBUF_INIT;
    fold_text(&has, value, strlen(value));
    fold_text(&typed, to->typed, strlen(to->typed));
    const char *found = strstr(has.buf, typed.buf);
    if (!found)
        return;
    add_term(&term, to->name, value);
    strbuf_addf(&word, "%s%s", to->minus, term.buf);
    to->offers->offer(to->offers->arg, word.buf, about, found == has.buf ? 0 : 1);
}

static void offer_times(struct query_offering *to)
{
    static const char *const times[] = {"today", "yesterday", "1h", "1d", "1w", "1mo"};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        query_offer_value(to, times[i], i < 2 ? "" : "ago");
}

/* After a comma another choice begins: what stands before it is kept. */
static void offer_choices(struct query_offering *to, const struct query_spec *s)
{
    const char *comma = strrchr(to->typed, ',');
    AUTO_STRBUF value = STRBUF_INIT;
    for (int i = 0; s->choice(i); i++) {
        strbuf_clear(&value);
        if (comma)
            strbuf_add(&value, to->typed, (size_t)(comma + 1 - to->typed));
        strbuf_addstr(&value, s->choice(i));
        query_offer_value(to, value.buf, "");
    }
}

static void offer_values(struct query_offering *to, const struct query_spec *s)
{
    const struct query_offers *o = to->offers;
    if (s->choice)
        offer_choices(to, s);
    if (s->type == QUERY_IS_TIME)
        offer_times(to);
    if (s->type == QUERY_IS_NUMBER)
        query_offer_value(to, s->value, "an example");
    if (o->names && s->type == QUERY_IS_TEXT)
        o->names(o->arg, to, s->field, to->typed);
    if (s->field == QUERY_FLAG || s->field == QUERY_TAG)
        query_offer_value(to, QUERY_NONE, "");
}

static void offer_fields(const struct query_offers *o, enum query_on on, const char *minus,
                         const char *typed)
{
    AUTO_STRBUF word = STRBUF_INIT;
    size_t len = strlen(typed);
    const struct query_spec *s;
    for (int i = 0; (s = query_spec(i)); i++) {
        if (!(s->on & on) || strncmp(s->name, typed, len) != 0)
            continue;
        strbuf_clear(&word);
        strbuf_addf(&word, "%s%s:", minus, s->name);
        o->offer(o->arg, word.buf, s->about, 0);
    }
}

size_t query_complete(const char *query, enum query_on on, const struct query_offers *o)
{
    AUTO_STRBUF typed = STRBUF_INIT, name = STRBUF_INIT;
    struct token k;
    bool has = last_token(query, &k);
    const char *minus = k.negated ? "-" : "",
               *from = has && k.spec ? k.value + k.quoted : k.from + k.negated;
    if (has)
        strbuf_addstr(&typed, from);
    if (typed.len && k.quoted && !k.open)
        strbuf_cut(&typed, typed.len - 1);
    if (has && k.spec && k.spec->on & on) {
        strbuf_add(&name, k.name, k.name_len);
        offer_values(&(struct query_offering){o, minus, name.buf, typed.buf}, k.spec);
    } else if (!has || (!k.spec && !k.quoted && !k.pattern)) {
        offer_fields(o, on, minus, typed.buf);
    }
    return (size_t)(k.from - query);
}
