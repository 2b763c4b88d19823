/* Citation styles. Text of a document is escaped as the format of the style needs it. */
#include "model/reasoning/citation.h"

#include <string.h>
#include <time.h>

/* ---- parts ---- */

static bool is_given(const char *text)
{
    return text && *text;
}

/* "Report, page 5, Chapter 1" */
static void add_place(struct strbuf *out, const struct cited_work *w)
{
    const struct citation *c = &w->citation;
    if (c->page > 0)
        strbuf_addf(out, ", page %lld", (long long)c->page);
    if (is_given(c->section))
        strbuf_addf(out, ", %s", c->section);
}

static bool date_of(const struct cited_work *w, struct tm *out)
{
    time_t seconds = (time_t)(w->citation.retrieved_at / 1000);
    return w->citation.retrieved_at != INT64_MIN && gmtime_r(&seconds, out);
}

static void add_date(struct strbuf *out, const struct tm *date)
{
    strbuf_addf(out, "%04d-%02d-%02d", date->tm_year + 1900, date->tm_mon + 1, date->tm_mday);
}

/* "Smith. Report, page 5. https://…, retrieved 2026-01-11" */
static void add_reference(struct strbuf *out, const struct cited_work *w)
{
    struct tm date;
    if (is_given(w->author))
        strbuf_addf(out, w->author[strlen(w->author) - 1] == '.' ? "%s " : "%s. ", w->author);
    strbuf_addstr(out, w->citation.name);
    if (w->year)
        strbuf_addf(out, " (%lld)", (long long)w->year);
    add_place(out, w);
    if (is_given(w->uri))
        strbuf_addf(out, ". %s", w->uri);
    if (date_of(w, &date))
        strbuf_addstr(out, is_given(w->uri) ? ", retrieved " : ". Retrieved "),
            add_date(out, &date);
    strbuf_addch(out, '.');
}

/* ---- the styles ---- */

static void write_plain(struct strbuf *out, const struct cited_work *w, size_t number)
{
    (void)number;
    citation_format(out, w->citation.name, w->citation.page, w->citation.section);
}

static void write_numbered(struct strbuf *out, const struct cited_work *w, size_t number)
{
    strbuf_addf(out, "[%zu] ", number);
    add_reference(out, w);
}

/* "(Smith, 2024, p. 5)"; a document without an author goes by its name, without a year by "n.d." */
static void write_author_year(struct strbuf *out, const struct cited_work *w, size_t number)
{
    (void)number;
    strbuf_addf(out, "(%s, ", is_given(w->author) ? w->author : w->citation.name);
    if (w->year)
        strbuf_addf(out, "%lld", (long long)w->year);
    else
        strbuf_addstr(out, "n.d.");
    if (w->citation.page > 0)
        strbuf_addf(out, ", p. %lld", (long long)w->citation.page);
    if (is_given(w->citation.section))
        strbuf_addf(out, ", %s", w->citation.section);
    strbuf_addch(out, ')');
}

static void add_escaped(struct strbuf *out, const char *text, const char *special)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            strbuf_addch(out, '\\');
        strbuf_addch(out, *text);
    }
}

static const char markdown[] = "\\`*_{}[]()<>#+-!|"; /* what it gives a meaning */

static void write_footnote(struct strbuf *out, const struct cited_work *w, size_t number)
{
    AUTO_STRBUF reference = STRBUF_INIT;
    add_reference(&reference, w);
    strbuf_addf(out, "[^%zu]: ", number);
    for (const char *at = reference.buf; *at; at++)
        strbuf_addf(out, strchr("\\`*[]<>", *at) ? "\\%c" : "%c", *at);
}

/* "1. [Report](https://…), page 5" */
static void write_markdown(struct strbuf *out, const struct cited_work *w, size_t number)
{
    AUTO_STRBUF place = STRBUF_INIT;
    bool web =
        is_given(w->uri) && (!strncmp(w->uri, "http://", 7) || !strncmp(w->uri, "https://", 8));
    bool linked = web && !strpbrk(w->uri, " <>\t\r\n");
    strbuf_addf(out, linked ? "%zu. [" : "%zu. ", number);
    add_escaped(out, w->citation.name, markdown);
    if (linked)
        strbuf_addf(out, "](<%s>)", w->uri);
    add_place(&place, w);
    if (is_given(w->uri) && !linked)
        strbuf_addf(&place, ", %s", w->uri);
    add_escaped(out, place.buf, markdown);
}

/* A member of a BibTeX entry. Braces are dropped: a lone one would end the entry. */
static void add_member(struct strbuf *out, const char *name, const char *text)
{
    static const struct {
        char of;
        const char *as;
    } special[] = {
        {'\\', "\\textbackslash{}"}, {'~', "\\textasciitilde{}"}, {'^', "\\textasciicircum{}"}};
    strbuf_addf(out, ",\n  %s = {", name);
    for (; *text; text++) {
        const char *as = NULL;
        for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
            as = special[i].of == *text ? special[i].as : as;
        if (as)
            strbuf_addstr(out, as);
        else if (strchr("#$%&_", *text))
            strbuf_addf(out, "\\%c", *text);
        else if (*text != '{' && *text != '}')
            strbuf_addch(out, *text);
    }
    strbuf_addch(out, '}');
}

static void write_bibtex(struct strbuf *out, const struct cited_work *w, size_t number)
{
    AUTO_STRBUF text = STRBUF_INIT;
    struct tm date;
    strbuf_addf(out, "@misc{stemma%zu", number);
    if (is_given(w->author))
        add_member(out, "author", w->author);
    add_member(out, "title", w->citation.name);
    if (w->year) {
        strbuf_addf(&text, "%lld", (long long)w->year);
        add_member(out, "year", text.buf);
    }
    if (is_given(w->uri)) { /* verbatim, as \url takes it */
        strbuf_addstr(out, ",\n  url = {");
        for (const char *at = w->uri; *at; at++)
            strbuf_addf(out, strchr("{}\\", *at) ? "%%%02X" : "%c", (unsigned char)*at);
        strbuf_addch(out, '}');
    }
    strbuf_clear(&text);
    add_place(&text, w);
    if (text.len)
        add_member(out, "note", text.buf + 2);
    strbuf_clear(&text);
    if (date_of(w, &date)) {
        add_date(&text, &date);
        add_member(out, "urldate", text.buf);
    }
    strbuf_addstr(out, "\n}");
}

/* A date of CSL: {"date-parts":[[2026,1,11]]} */
static void add_csl_date(struct json_object *o, const char *key, int year, const struct tm *date)
{
    json_key(o, key);
    strbuf_addf(o->out, "{\"date-parts\":[[%d", year);
    if (date)
        strbuf_addf(o->out, ",%d,%d", date->tm_mon + 1, date->tm_mday);
    strbuf_addstr(o->out, "]]}");
}

static void write_csl(struct strbuf *out, const struct cited_work *w, size_t number)
{
    char page[24];
    struct tm date;
    snprintf(page, sizeof(page), "stemma%zu", number); /* two pages of a document are two items */
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "id", page);
    json_pair(&o, "type", "document");
    json_pair(&o, "title", w->citation.name);
    if (is_given(w->author)) {
        struct json_object authors = json_open(&o, "author", '[');
        struct json_object author = json_item_open(&authors, '{');
        json_pair(&author, "literal", w->author);
        json_end(&author);
        json_end(&authors);
    }
    if (w->year)
        add_csl_date(&o, "issued", (int)w->year, NULL);
    if (is_given(w->uri))
        json_pair(&o, "URL", w->uri);
    if (w->citation.page > 0) {
        snprintf(page, sizeof(page), "%lld", (long long)w->citation.page);
        json_pair(&o, "locator", page);
        json_pair(&o, "label", "page");
    }
    if (is_given(w->citation.section))
        json_pair(&o, "section", w->citation.section);
    if (date_of(w, &date))
        add_csl_date(&o, "accessed", date.tm_year + 1900, &date);
    if (is_given(w->citation.snippet))
        json_pair(&o, "note", w->citation.snippet);
    json_end(&o);
}

const struct citation_style citation_styles[] = {
    {"plain", "", "\n", "\n", write_plain},
    {"numbered", "", "\n", "\n", write_numbered},
    {"author-year", "", "\n", "\n", write_author_year},
    {"footnote", "", "\n", "\n", write_footnote},
    {"markdown", "", "\n", "\n", write_markdown},
    {"bibtex", "", "\n\n", "\n", write_bibtex},
    {"csl-json", "[", ",\n ", "]\n", write_csl},
    {NULL, NULL, NULL, NULL, NULL},
};

void citation_style_write(struct strbuf *out, const struct citation_style *style,
                          const struct cited_work *works, size_t count)
{
    strbuf_addstr(out, style->before);
    for (size_t i = 0; i < count; i++) {
        strbuf_addstr(out, i ? style->between : "");
        style->write(out, &works[i], i + 1);
    }
    if (count > 0 || *style->before)
        strbuf_addstr(out, style->after);
}
