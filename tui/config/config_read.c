#include "tui/config/config_read.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "tui/text/suggest.h"

#define TODO "Correct that line or remove it; `stemma help config` shows every setting."

const char *const config_bools[] = {"no", "yes", "false", "true", "off", "on", NULL};

/* ---- what is wrong ---- */

int config_fail(struct config_reading *r, size_t line, const char *format, ...)
{
    struct strbuf what = STRBUF_INIT;
    va_list args;
    va_start(args, format);
    strbuf_vaddf(&what, format, args);
    va_end(args);
    error_set(r->e, ERROR_INVALID, TODO, "%s", what.buf);
    strbuf_release(&what);
    return error_prefix(r->e, "%s line %zu", r->name, line);
}

int config_no_memory(struct config_reading *r, const char *what)
{
    return error_set(r->e, ERROR_MEMORY, "Ask for less, or free some memory.",
                     "there is no memory for %.80s", what);
}

int config_unknown(struct config_reading *r, const char *what, const char *name,
                   const char *const *names, size_t count, size_t stride)
{
    struct suggestion near = SUGGESTION_INIT(name);
    for (size_t i = 0; i < count; i++)
        suggest_consider(&near, *(const char *const *)((const char *)names + i * stride));
    if (!near.name)
        return config_fail(r, config_line(r), "there is no %s '%.80s'", what, name);
    return config_fail(r, config_line(r), "there is no %s '%.80s'; did you mean '%s'?", what, name,
                       near.name);
}

size_t config_line(const struct config_reading *r)
{
    return r->event.start_mark.line + 1;
}

/* A broken character is reported by its byte, so its line is counted here. */
static size_t broken_line(const yaml_parser_t *p)
{
    size_t line = p->problem_mark.line;
    if (p->error == YAML_READER_ERROR) {
        const char *end = (const char *)p->input.string.start + p->problem_offset;
        line = 0;
        for (const char *s = (const char *)p->input.string.start; s < end; s++)
            line += *s == '\n';
    }
    return line + 1;
}

int config_advance(struct config_reading *r)
{
    yaml_event_delete(&r->event);
    if (yaml_parser_parse(&r->parser, &r->event))
        return 0;
    memset(&r->event, 0, sizeof(r->event));
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return config_no_memory(r, r->name);
    return config_fail(r, broken_line(p), "this is not YAML: %s",
                       p->problem ? p->problem : "no reason given");
}

/* ---- single values ---- */

static bool is_plain(const struct config_reading *r)
{
    return r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

bool config_is_empty(const struct config_reading *r)
{
    if (r->event.type != YAML_SCALAR_EVENT)
        return false;
    const char *value = (const char *)r->event.data.scalar.value;
    return !*value || (is_plain(r) && (strcmp(value, "null") == 0 || strcmp(value, "~") == 0));
}

const char *config_scalar(struct config_reading *r, const char *of)
{
    if (r->event.type == YAML_ALIAS_EVENT) {
        config_fail(r, config_line(r),
                    "%s takes a single value, no alias; quote what begins with *", of);
        return NULL;
    }
    if (r->event.type != YAML_SCALAR_EVENT) {
        config_fail(r, config_line(r), "%s takes a single value", of);
        return NULL;
    }
    const char *value = (const char *)r->event.data.scalar.value;
    if (strlen(value) != r->event.data.scalar.length) {
        config_fail(r, config_line(r), "%s has a NUL in it", of);
        return NULL;
    }
    return config_is_empty(r) ? "" : value;
}

int config_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcasecmp(words[i], word) == 0)
            return i;
    return -1;
}

void config_add_words(struct strbuf *out, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        strbuf_addf(out, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

int config_choice(struct config_reading *r, const char *of, const char *const *words, int *out)
{
    struct strbuf all = STRBUF_INIT;
    const char *value = config_scalar(r, of);
    if (!value)
        return -1;
    *out = config_word(words, value);
    if (*out >= 0)
        return 0;
    config_add_words(&all, words);
    config_fail(r, config_line(r), "'%s' takes %s, not '%.80s'", of, all.buf, value);
    strbuf_release(&all);
    return -1;
}

int config_yes(struct config_reading *r, const char *of, bool *out)
{
    int index;
    if (config_choice(r, of, config_bools, &index))
        return -1;
    *out = index % 2;
    return 0;
}

int config_whole(struct config_reading *r, const char *of, int64_t min, int64_t max, int64_t *out)
{
    const char *value = config_scalar(r, of);
    if (!value)
        return -1;
    errno = 0;
    bool digits = *value && !value[strspn(value, "0123456789")];
    *out = digits ? strtoll(value, NULL, 10) : -1;
    if (digits && !errno && *out >= min && *out <= max)
        return 0;
    return config_fail(r, config_line(r),
                       "'%s' takes a whole number from %" PRId64 " to %" PRId64 ", not '%.80s'", of,
                       min, max, value);
}

/* Digits and a point: what strtod reads besides (0x1p3, nan, inf, 1e9) nobody means here. */
int config_real(struct config_reading *r, const char *of, double max, double *out)
{
    char *end = NULL;
    const char *value = config_scalar(r, of);
    if (!value)
        return -1;
    bool decimal = *value && !value[strspn(value, "0123456789.")];
    *out = decimal ? strtod(value, &end) : 0;
    if (decimal && !*end && *out > 0 && *out <= max)
        return 0;
    return config_fail(r, config_line(r), "'%s' takes a number above 0 and up to %.0f, not '%.80s'",
                       of, max, value);
}

/* ---- lists and mappings ---- */

void *config_append(struct config_reading *r, struct arena *arena, struct config_array *a)
{
    if (*a->count == a->room) {
        size_t wanted = a->room ? a->room * 2 : 4;
        char *grown = arena_array(arena, wanted, a->size);
        if (!grown) {
            config_no_memory(r, r->name);
            return NULL;
        }
        if (*a->count)
            memcpy(grown, *a->elements, *a->count * a->size);
        *a->elements = grown;
        a->room = wanted;
    }
    return (char *)*a->elements + (*a->count)++ * a->size;
}

int config_list(struct config_reading *r, const char *of, const char *takes, config_entry *entry,
                void *into)
{
    if (r->event.type != YAML_SEQUENCE_START_EVENT)
        return config_fail(r, config_line(r), "'%.80s' takes %s", of, takes);
    while (!config_advance(r)) {
        if (r->event.type == YAML_SEQUENCE_END_EVENT)
            return 0;
        const char *value = config_scalar(r, of);
        if (!value || entry(r, value, into))
            return -1;
    }
    return -1;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Nothing is freed with the tree: names are the arena's. */
static void keep(void *name)
{
    (void)name;
}

/* The name that is the event, kept, and new among those seen. */
static const char *new_name(struct config_reading *r, const char *of, void **seen)
{
    const char *name = config_scalar(r, of);
    if (!name)
        return NULL;
    if (!*name) {
        config_fail(r, config_line(r), "a name in '%.80s' is empty", of);
        return NULL;
    }
    char *kept = arena_strdup(&r->c->arena, name);
    char **found = kept ? tsearch(kept, seen, compare) : NULL;
    if (!found)
        config_no_memory(r, r->name);
    else if (*found != kept)
        config_fail(r, config_line(r), "'%.80s' stands here a second time", name);
    return found && *found == kept ? kept : NULL;
}

int config_each(struct config_reading *r, const char *of, const char *takes, config_entry *entry,
                void *into)
{
    void *seen = NULL;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return config_fail(r, config_line(r), "'%.80s' takes %s", of, takes);
    int result = -1;
    while (!config_advance(r)) {
        if (r->event.type == YAML_MAPPING_END_EVENT) {
            result = 0;
            break;
        }
        const char *name = new_name(r, of, &seen);
        if (!name || entry(r, name, into))
            break;
    }
    tdestroy(seen, keep);
    return result;
}

int config_read_document(struct config_reading *r, config_entry *entry)
{
    if (config_advance(r) || config_advance(r)) /* the stream, the document */
        return -1;
    if (r->event.type == YAML_STREAM_END_EVENT)
        return 0; /* comments alone */
    if (config_advance(r))
        return -1;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return config_fail(r, config_line(r), "settings are lines of 'name: value'");
    if (config_each(r, "the configuration", "settings", entry, NULL))
        return -1;
    if (config_advance(r) || config_advance(r)) /* the document's end, the stream's */
        return -1;
    if (r->event.type != YAML_STREAM_END_EVENT)
        return config_fail(r, config_line(r), "a second document begins here");
    return 0;
}
