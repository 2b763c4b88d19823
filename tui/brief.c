/* One line for one memory, the same wherever it is named within something else. */
#include "brief.h"

#include <string.h>
#include "../model/json.h"
#include "text.h"

#define LEAST_TEXT 16 /* columns that the text keeps however long the note is */

const char *short_ref(struct reader *r, struct arena *arena, struct ref ref)
{
    struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text, "%s:", kind_name(ref.kind));
    strbuf_add(&text, ref.id, ref_short_length(r, ref));
    const char *made = text.failed ? NULL : arena_strdup(arena, text.buf);
    strbuf_release(&text);
    return made ? made : "";
}

const char *short_source(struct reader *r, struct arena *arena, const char *text)
{
    struct ref ref;
    return ref_parse(text, &ref) == REF_MEMORY ? short_ref(r, arena, ref) : text;
}

void output_ref(struct output *out, enum tone tone, struct ref ref)
{
    struct strbuf text = STRBUF_INIT;
    ref_add(&text, ref);
    if (tone != TONE_PLAIN)
        output_tone(out, tone);
    text_clean(&out->text, text.buf, text.len, out->flags | TEXT_EXACT);
    if (tone != TONE_PLAIN)
        output_tone(out, TONE_PLAIN);
    strbuf_release(&text);
}

void json_add_ref(struct strbuf *out, struct ref ref)
{
    struct strbuf text = STRBUF_INIT;
    ref_add(&text, ref);
    json_add_string_len(out, text.buf, text.len);
    strbuf_release(&text);
}

int brief_read(struct reader *r, struct arena *arena, int64_t node, enum label label,
               struct brief *b, struct error *e)
{
    if (memory_row_read(r, arena, node, &b->row, e))
        return -1;
    b->ref = short_ref(r, arena, b->row.ref);
    b->label = label;
    return 0;
}

/* Status and owner, where they are worth a word, before the caller's note. */
static void add_notes(struct strbuf *all, const struct brief *b, const char *agent,
                      const char *note)
{
    if (b->row.status != STATUS_ACTIVE)
        strbuf_addf(all, "  %s", status_name(b->row.status));
    if (agent && b->row.agent_id && strcmp(agent, b->row.agent_id) != 0)
        strbuf_addf(all, "  of %s", b->row.agent_id);
    if (note && *note)
        strbuf_addf(all, "  %s", note);
}

void brief_print(struct output *out, const struct brief *b, const char *agent, size_t used,
                 const char *note)
{
    struct strbuf notes = STRBUF_INIT;
    const char *text = b->row.text ? b->row.text : "";
    size_t ref_width = text_width(b->ref, strlen(b->ref), SIZE_MAX - 1, TEXT_EXACT | out->flags);
    if (b->label == LABEL_COUNT)
        strbuf_addstr(&out->text, "  ");
    else
        output_printf(out, tone_of_label(b->label), "%s ", output_mark(out, b->label));
    output_tone(out, TONE_DIM);
    text_add(&out->text, b->ref, TEXT_EXACT | out->flags);
    output_tone(out, TONE_PLAIN);
    strbuf_addstr(&out->text, "  ");
    add_notes(&notes, b, agent, note);
    size_t before = used + 2 + ref_width + 2;
    size_t note_width = text_width(notes.buf, notes.len, SIZE_MAX - 1, out->flags);
    size_t left = out->columns > before + note_width + LEAST_TEXT
                      ? out->columns - before - note_width
                      : LEAST_TEXT;
    before += text_fit(&out->text, text, strlen(text), left, out->flags);
    output_rest(out, TONE_DIM, notes.buf, before);
    out->text.failed |= notes.failed;
    strbuf_release(&notes);
}
