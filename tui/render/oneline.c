/* One line for a memory, in the same form wherever another output mentions it. */
#include "tui/render/oneline.h"

#include <string.h>
#include "model/base/clock.h"
#include "store/query/list.h"
#include "store/query/ref.h"
#include "tui/render/facts.h"
#include "tui/text/text.h"
#include "tui/text/times.h"

#define LEAST_TEXT 16 /* columns that the text keeps, however long the note is */

const char *short_ref(struct reader *r, struct arena *arena, struct ref ref)
{
    AUTO_STRBUF text = STRBUF_INIT;
    strbuf_addf(&text, "%s:", kind_name(ref.kind));
    strbuf_add(&text, ref.id, ref_short_length(r, ref));
    return arena_strdup(arena, text.buf);
}

void output_ref(struct output *out, enum style style, struct ref ref)
{
    AUTO_STRBUF text = STRBUF_INIT;
    ref_add(&text, ref);
    if (style != STYLE_TEXT)
        output_style(out, style);
    text_clean(&out->text, text.buf, text.len, out->flags | TEXT_EXACT);
    if (style != STYLE_TEXT)
        output_style(out, STYLE_TEXT);
}

int oneline_read(struct reader *r, struct arena *arena, int64_t node, enum label label,
                 struct oneline *b, struct error *e)
{
    if (memory_row_read(r, arena, node, &b->row, e))
        return -1;
    b->ref = short_ref(r, arena, b->row.ref);
    b->label = label;
    return 0;
}

void oneline_print(struct output *out, const struct oneline *b, const char *agent, size_t used,
                   const char *note)
{
    const char *text = b->row.text ? b->row.text : "";
    AUTO_STRBUF notes = STRBUF_INIT;
    bool fell = b->label < LABEL_COUNT && !label_stands(b->label);
    /* Status and agent, if they are worth showing, come before the caller's note. */
    if (b->row.status != STATUS_ACTIVE)
        strbuf_addf(&notes, "  %s", status_word(b->row.status));
    if (agent && b->row.agent && strcmp(agent, b->row.agent) != 0)
        strbuf_addstr(&notes, "  of "), text_add(&notes, b->row.agent, TEXT_EXACT);
    if (note && *note)
        strbuf_addf(&notes, "  %s", note);
    if (b->label == LABEL_COUNT)
        strbuf_addstr(&out->text, "  ");
    else
        output_printf(out, STYLE_OF_LABEL(b->label), "%s ", mark_of_label(b->label, out->ascii));
    output_style(out, STYLE_DIM);
    text_add(&out->text, b->ref, TEXT_EXACT | out->flags);
    output_style(out, fell ? STYLE_DIM : STYLE_TEXT);
    strbuf_addstr(&out->text, "  ");
    used += 2 + text_width(b->ref, strlen(b->ref), SIZE_MAX - 1, TEXT_EXACT | out->flags) + 2;
    /* The text gets the room next to the note, at least LEAST_TEXT columns if the line has them. */
    size_t room = out->columns > used ? out->columns - used : 0;
    size_t note_width = text_width(notes.buf, notes.len, SIZE_MAX - 1, out->flags);
    size_t least = room < LEAST_TEXT ? room : LEAST_TEXT;
    size_t left = room > note_width + least ? room - note_width : least;
    used += left ? text_fit(&out->text, text, strlen(text), left, out->flags) : 0;
    if (fell)
        output_style(out, STYLE_TEXT);
    if (notes.len > 0 && out->columns > used)
        output_rest(out, STYLE_DIM, notes.buf, used);
    else
        strbuf_addch(&out->text, '\n');
}

void add_time(struct strbuf *out, int64_t ms, int64_t now)
{
    char when[40], age[32];
    times_format(when, sizeof(when), ms);
    clock_format_age(age, sizeof(age), ms, now);
    strbuf_addstr(out, when);
    if (ms)
        strbuf_addf(out, "%s (%s)", times_zone(), age);
}

void add_confidence(struct strbuf *out, double confidence)
{
    size_t start = out->len;
    strbuf_addf(out, "%.3f", confidence);
    if (out->len > start && out->buf[out->len - 1] == '0')
        strbuf_cut(out, out->len - 1);
}
