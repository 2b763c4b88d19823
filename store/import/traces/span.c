/* Lists of spans, and what their dialects share. */
#include "store/import/traces/span.h"

#include <stdlib.h>
#include <string.h>
#include "model/base/array.h"
#include "model/base/strbuf.h"
#include "model/base/utf8.h"

struct span *span_add(struct span_list *list)
{
    struct span *s = ARENA_ADD(&list->arena, list->span, list->count, list->alloc);
    *s = (struct span){.seconds = NAN, .tokens_in = -1, .tokens_out = -1};
    key_index_release(&list->flat);
    return s;
}

struct found_document *span_add_document(struct span_list *list, struct span *s)
{
    struct found_document *d =
        ARENA_ADD(&list->arena, s->document, s->document_count, s->document_alloc);
    *d = (struct found_document){.score = NAN, .rank = (int64_t)s->document_count};
    return d;
}

struct evaluation *span_add_evaluation(struct span_list *list, struct span *s)
{
    struct evaluation *v =
        ARENA_ADD(&list->arena, s->evaluation, s->evaluation_count, s->evaluation_alloc);
    *v = (struct evaluation){.score = NAN};
    return v;
}

size_t span_place(struct span_list *list, const char *key, size_t len, size_t next)
{
    size_t known = list->flat.count, at = key_index_add(&list->flat, key, len);
    if (at == known) {
        list->place = array_room(list->place, &list->place_alloc, at + 1, sizeof(*list->place));
        list->place[at] = next;
    }
    return list->place[at];
}

void span_list_release(struct span_list *list)
{
    arena_release(&list->arena);
    key_index_release(&list->flat);
    free(list->place);
    *list = (struct span_list){.span = NULL};
}

const char *span_text(struct span_list *list, struct json_slice value)
{
    if (!value.ptr || *value.ptr == 'n')
        return NULL;
    if (*value.ptr == '"')
        return json_text_repaired(&list->arena, value);
    return utf8_repaired(&list->arena, value.ptr, value.len);
}

void span_take_documents(struct span_list *list, struct span *s, struct json_slice documents)
{
    for (struct json_each it = json_each(documents); json_next(&it);) {
        if (*it.value.ptr != '{')
            continue;
        struct found_document *d = span_add_document(list, s);
        struct json_slice one = it.value, meta = json_get(one, "metadata");
        d->id = span_text(list, json_get(one, "id"));
        d->content = span_text(list, json_get(one, "content"));
        d->title = span_text(list, json_get(meta, "title"));
        json_double(json_get(one, "score"), &d->score);
    }
}

/* ---- messages ---- */

/* Appends the text parts of a message: {"role", "content": text} or {"role", "parts": [{"type":
 * "text", "content"}]}. */
static void add_message(struct strbuf *out, struct json_slice message)
{
    struct json_slice parts = json_get(message, "parts"), content = json_get(message, "content");
    if (content.ptr && *content.ptr == '"')
        json_add_plain(out, content);
    for (struct json_each it = json_each(parts); json_next(&it);) {
        struct json_slice type = json_get(it.value, "type");
        struct json_slice text = json_get(it.value, "content");
        if (text.ptr && *text.ptr == '"' && type.len == 6 && memcmp(type.ptr, "\"text\"", 6) == 0) {
            strbuf_addstr(out, out->len ? "\n" : "");
            json_add_plain(out, text);
        }
    }
}

const char *span_last_message(struct span_list *list, const char *text)
{
    struct json_slice all = json_trim(text, strlen(text)), last = {NULL, 0};
    struct error ignored;
    AUTO_STRBUF out = STRBUF_INIT;
    if (!all.len || !strchr("[\"", *all.ptr) ||
        json_check_lax(all.ptr, all.len, JSON_DEPTH_MAX, &ignored))
        return text;
    if (*all.ptr == '"')
        return json_text_repaired(&list->arena, all);
    for (struct json_each it = json_each(all); json_next(&it);)
        last = *it.value.ptr == '{' ? it.value : last;
    if (last.ptr)
        add_message(&out, last);
    return out.len ? utf8_repaired(&list->arena, out.buf, out.len) : text;
}
