#include "tui/render/cited_print.h"

#include <string.h>
#include "model/reasoning/citation.h"
#include "model/json/json.h"
#include "model/base/utf8.h"
#include "tui/cli/typed.h"

static void write_one(struct json_object *list, const struct cited *c)
{
    struct strbuf formatted = STRBUF_INIT;
    citation_format(&formatted, c->name, c->page, c->section);
    json_item(list);
    struct json_object o = json_begin(list->out, '{');
    json_pair_int(&o, "at", (int64_t)c->at);
    json_pair_int(&o, "length", (int64_t)c->len);
    json_pair(&o, "name", c->name);
    if (c->page)
        json_pair_int(&o, "page", c->page);
    if (c->section)
        json_pair(&o, "section", c->section);
    json_pair(&o, "formatted", formatted.buf);
    json_end(&o);
    list->out->failed |= formatted.failed;
    strbuf_release(&formatted);
}

static void write_all(struct strbuf *out, const struct cited *cited, size_t count)
{
    struct json_object o = json_begin(out, '{');
    json_key(&o, "cited");
    struct json_object list = json_begin(out, '[');
    for (size_t i = 0; i < count; i++)
        write_one(&list, &cited[i]);
    json_end(&list);
    json_pair_int(&o, "total", (int64_t)count);
    json_end(&o);
    strbuf_addch(out, '\n');
}

/* "  812  (Q3_Report.pdf, page 12)": where it stands is what an editor's cursor is sent to, so from 1. */
static void print_one(struct output *out, const struct cited *c)
{
    struct strbuf line = STRBUF_INIT;
    strbuf_addf(&line, "%6zu  ", c->at + 1);
    citation_format(&line, c->name, c->page, c->section);
    output_flow(out, line.buf, 10);
    out->text.failed |= line.failed;
    strbuf_release(&line);
}

/* What is cut at a NUL, or is no text, would be answered for in part alone. */
static int check(const struct strbuf *text, const char *path, struct error *e)
{
    if (memchr(text->buf, '\0', text->len) || !utf8_valid(text->buf, text->len))
        return error_set(e, ERROR_INVALID, "Give a text file in UTF-8.", "%s is no text", path);
    return 0;
}

int cited_print(struct invocation *i, const char *path, bool json, struct error *e)
{
    struct strbuf text = STRBUF_INIT;
    struct cited *cited;
    size_t count = 0;
    int result = typed_file(path, &text, e) || check(&text, path, e) ||
                 citations_in_text(text.buf, &i->arena, &cited, &count, e);
    if (!result && json)
        write_all(&i->out.text, cited, count);
    for (size_t k = 0; !result && !json && k < count; k++)
        print_one(&i->out, &cited[k]);
    strbuf_release(&text);
    return result ? -1 : count == 0;
}
