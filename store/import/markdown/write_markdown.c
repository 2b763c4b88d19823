/*
 * Writes decisions back into files of markdown. A note is its file: the body becomes the text, the frontmatter stays.
 * An observation is a part of a line; it is changed only if the file then reads as it should.
 */
#include <string.h>
#include "model/base/strbuf.h"
#include "model/base/utf8.h"
#include "store/import/import_run.h"
#include "store/import/markdown/markdown.h"
#include "store/import/markdown/notes.h"
#include "store/import/write_back.h"

bool markdown_write(struct write_back *w, struct decision *d, struct write_file *f,
                    const char *place)
{
    struct markdown m;
    size_t len;
    const char *text = write_back_text(f, &len);
    markdown_read(&m, w->arena, text, len);
    const char *body = utf8_repaired(w->arena, m.body, m.body_len);
    /* The memory of a file without text has its name as text. */
    const char *base = m.body_len == 0 ? body : d->base ? d->base->text : NULL;
    if (!write_back_decides(w, d, place, f->at, base, body, d->will ? d->will->text : NULL))
        return false;
    if (!d->will) {
        f->removed = true;
        while (len && text[len - 1] == '\n')
            len--;
        write_back_change(w, d, place, utf8_repaired(w->arena, text, len), NULL);
        return true;
    }
    write_back_name(w, d->now->ref, d->will);
    write_back_change_lines(w, d, place, body, d->will->text);
    write_back_splice(w, f, (size_t)(m.body - text), (size_t)(m.body - text) + m.body_len,
                      d->will->text);
    return true;
}

/* ---- observations ---- */

struct noting {
    struct write_back *w;
    const struct note *note;
    struct write_file *file;
};

static const char *belief_id(struct noting *k, const struct markdown_observation *b,
                             const char *text)
{
    return import_make_id(k->w->arena, "markdown", k->note->id, b->category ? b->category : "note",
                          text, b->context ? b->context : "", NULL);
}

static struct decision *decision_about(struct noting *k, const struct markdown_observation *b)
{
    struct ref ref = {KIND_BELIEF, belief_id(k, b, b->text)};
    return write_back_find(k->w, import_names_find(k->w->names, ref));
}

/* The line with that number, from 1, with its line end. */
static struct bytes line_of(const char *text, size_t len, size_t number)
{
    struct bytes b = {text, len};
    for (size_t n = 1;; n++) {
        size_t own = bytes_find(b, 0, "\n");
        own += own < b.len;
        if (n == number || own == 0)
            return bytes_part(b, 0, own);
        b = bytes_part(b, own, b.len);
    }
}

/* Whether the text reads as it did, with another text of that observation, or without it if `text` is NULL. */
static bool reads_as(struct noting *k, const struct markdown *was, size_t at, const char *text)
{
    struct markdown now;
    size_t len;
    const char *content = write_back_text(k->file, &len);
    markdown_read(&now, k->w->arena, content, len);
    if (now.observation_count + !text != was->observation_count ||
        (!text && now.link_count > was->link_count))
        return false;
    const struct markdown_observation *a = &was->observations[at], *b = &now.observations[at];
    return !text || (strcmp(b->text, text) == 0 && same_text(a->category, b->category) &&
                     same_text(a->context, b->context) && now.link_count == was->link_count);
}

/* Changes the observation in its line, if all of it stands there. */
static bool write_line(struct noting *k, const struct markdown *m, size_t at, const char *text)
{
    size_t len;
    const char *content = write_back_text(k->file, &len);
    struct bytes line = line_of(content, len, m->observations[at].line);
    size_t from = (size_t)(line.at - content), own = strlen(m->observations[at].text),
           found = bytes_find(line, 0, m->observations[at].text);
    const char *fresh = k->file->fresh;
    size_t fresh_len = k->file->fresh_len;
    if (found == line.len)
        return false;
    if (text)
        write_back_splice(k->w, k->file, from + found, from + found + own, text);
    else
        write_back_splice(k->w, k->file, from, from + line.len, "");
    if (reads_as(k, m, at, text))
        return true;
    k->file->fresh = fresh;
    k->file->fresh_len = fresh_len;
    return false;
}

static void write_observation(struct noting *k, const struct markdown *m, size_t at)
{
    const struct markdown_observation *b = &m->observations[at];
    struct decision *d = decision_about(k, b);
    const struct memory *will = d ? d->will : NULL;
    if (will)
        write_back_left(k->w, d, false);
    if (!d || (will && strcmp(will->text, b->text) == 0))
        return;
    if (!write_line(k, m, at, will ? will->text : NULL)) {
        write_back_cannot(k->w, d, "line %zu of %s would no longer read as one observation",
                          b->line, k->note->name);
        return;
    }
    write_back_change(k->w, d, arena_format(k->w->arena, "%s:%zu", k->note->name, b->line), b->text,
                      will ? will->text : NULL);
    if (will)
        write_back_name(k->w, (struct ref){KIND_BELIEF, belief_id(k, b, will->text)}, will);
}

/* From the last one on, so that the lines before it stay where they are. */
static void write_observations(struct noting *k)
{
    struct markdown m;
    size_t len;
    const char *text = write_back_text(k->file, &len);
    markdown_read(&m, k->w->arena, text, len);
    for (size_t at = m.observation_count; at-- > 0;) {
        text = write_back_text(k->file, &len);
        markdown_read(&m, k->w->arena, text, len);
        write_observation(k, &m, at);
    }
}

/* ---- notes ---- */

/* Was any memory of that file decided about? What replaced one was made here and has no source. */
static bool concerns(const struct write_back *w, const struct note *note)
{
    for (size_t i = 0; i < w->count; i++)
        if (!w->decision[i].now->source || same_text(w->decision[i].now->source, note->name))
            return true;
    return false;
}

static int write_note(struct write_back *w, const struct notes *n, const struct note *note,
                      struct error *e)
{
    struct noting k = {.w = w, .note = note};
    struct decision *d = write_back_find(w, (struct ref){KIND_NOTE, note->id});
    if (!concerns(w, note))
        return 0;
    if (!(k.file = write_back_read(w, note->path, e)))
        return -1;
    if (d && d->will)
        write_back_left(w, d, false);
    bool whole = d && markdown_write(w, d, k.file, note->name);
    if (!whole && n->has_permalinks)
        write_observations(&k);
    return 0;
}

static int plan(struct write_back *w, struct error *e)
{
    AUTO(notes) n = {.count = 0};
    int result = notes_read(&n, w->path, "markdown", e);
    for (size_t i = 0; i < n.count && result == 0; i++)
        result = write_note(w, &n, &n.note[i], e);
    return result;
}

const struct write_back_rules markdown_write_back = {.plan = plan};
