#include "model/reasoning/reasoning.h"

#include <math.h>

static void write_sources(struct strbuf *out, const struct source *list, size_t count)
{
    struct json_object a = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&a);
        source_write(out, &list[i]);
    }
    json_end(&a);
}

static void write_ids(struct strbuf *out, const struct step_sources *step)
{
    struct json_object a = json_begin(out, '[');
    for (size_t i = 0; i < step->count; i++) {
        json_item(&a);
        json_add_string(out, step->source[i].document_id);
    }
    json_end(&a);
}

static void step_key(struct json_object *o, const char *prefix, int64_t number)
{
    char key[40];
    snprintf(key, sizeof(key), "%s%lld", prefix, (long long)number);
    json_key(o, key);
}

void source_summary_write(struct strbuf *out, const struct source_summary *s)
{
    struct json_object o = json_begin(out, '{');
    json_key(&o, "all_sources");
    write_sources(out, s->all, s->count);
    json_key(&o, "primary_sources");
    write_sources(out, s->primary, s->primary_count);
    json_key(&o, "source_usage_by_step");
    struct json_object usage = json_begin(out, '{');
    for (size_t i = 0; i < s->step_count; i++) {
        step_key(&usage, "", s->step[i].number);
        write_ids(out, &s->step[i]);
    }
    json_end(&usage);
    json_end(&o);
}

/* As printf rounds the double, but written as a number: 0.9, not 0.90. */
static void write_rounded(struct strbuf *out, double value)
{
    char text[32];
    snprintf(text, sizeof(text), "%.2f", value);
    json_add_double(out, strtod(text, NULL));
}

static void display_source(struct strbuf *out, const struct source *s, bool rank, bool excerpt)
{
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "document_id", s->document_id);
    json_pair(&o, "title", s->title && *s->title ? s->title : s->document_id);
    json_key(&o, "relevance");
    write_rounded(out, s->relevance);
    if (rank && s->rank >= 1)
        json_pair_int(&o, "rank", s->rank);
    if (excerpt && s->excerpt && *s->excerpt)
        json_pair(&o, "excerpt", s->excerpt);
    json_end(&o);
}

static void display_sources(struct strbuf *out, const struct source *list, size_t count, bool rank,
                            bool excerpts)
{
    struct json_object a = json_begin(out, '[');
    for (size_t i = 0; i < count; i++) {
        json_item(&a);
        display_source(out, &list[i], rank, excerpts);
    }
    json_end(&a);
}

static void display_step(struct strbuf *out, const struct step_sources *step)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "step_number", step->number);
    json_pair_int(&o, "sources_used", (int64_t)step->count);
    json_key(&o, "document_ids");
    write_ids(out, step);
    json_end(&o);
}

void source_summary_display(struct strbuf *out, const struct source_summary *s, bool excerpts)
{
    struct json_object o = json_begin(out, '{');
    json_pair_int(&o, "total_sources", (int64_t)s->count);
    json_key(&o, "primary_sources");
    display_sources(out, s->primary, s->primary_count, true, excerpts);
    json_key(&o, "all_sources");
    display_sources(out, s->all, s->count, false, excerpts);
    json_key(&o, "step_breakdown");
    struct json_object steps = json_begin(out, '{');
    for (size_t i = 0; i < s->step_count; i++) {
        step_key(&steps, "step_", s->step[i].number);
        display_step(out, &s->step[i]);
    }
    json_end(&steps);
    json_end(&o);
}
