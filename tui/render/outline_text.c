#include "tui/render/outline_text.h"

#include <string.h>

/* By the direction in which the outline goes: against the edges, along them. */
static const char *const roles[STROKE_COUNT][2] = {
    [STROKE_GUESSED] = {"guessed for", "guessed"},
    [STROKE_EVIDENCE] = {"evidence for", "evidence"},
    [STROKE_REINFORCED] = {"reinforces", "reinforced by"},
    [STROKE_DERIVED] = {"", ""},
    [STROKE_ALL] = {"all for", "all of"},
    [STROKE_SUPERSEDES] = {"superseded by", "supersedes"},
};

static size_t digits_of(size_t number)
{
    size_t digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/*
 * "│  ├─ ": three columns for each level but the root's. What decides is gathered from the line
 * outwards and written from the root inwards.
 */
static size_t add_tree(struct strbuf *out, const struct outline_text *t,
                       const struct picture_line *line)
{
    struct strbuf lasts = STRBUF_INIT; /* for each level, from the line outwards */
    uint32_t depth = line->depth;
    if (t->levels && depth > t->levels) {
        strbuf_addf(out, t->ascii ? "... %u > " : "… %u › ", (unsigned)depth);
        return (t->ascii ? 7 : 5) + digits_of(depth);
    }
    for (const struct picture_line *l = line; l->parent != PICTURE_NONE;
         l = &t->outline->line[l->parent])
        strbuf_addch(&lasts, l->last ? 'y' : 'n');
    for (size_t level = lasts.len; level-- > 0;) {
        bool last = lasts.buf[level] == 'y';
        if (level == 0)
            strbuf_addstr(out, t->ascii ? (last ? "`- " : "|- ") : last ? "└─ " : "├─ ");
        else
            strbuf_addstr(out, last ? "   " : t->ascii ? "|  " : "│  ");
    }
    strbuf_release(&lasts);
    return 3 * (size_t)depth;
}

/* What follows the label; all of it is one column wide each character. */
static size_t add_note(struct strbuf *out, const struct outline_text *t,
                       const struct picture_line *line)
{
    size_t first = (size_t)line->first + 1;
    if (line->circle) {
        strbuf_addstr(out, t->ascii ? "  C cycle" : "  ↻ cycle");
        return 9;
    }
    if (line->again) {
        strbuf_addf(out, t->ascii ? "  ^%zu" : "  ↑%zu", first);
        if (line->below == 0)
            return 3 + digits_of(first);
        strbuf_addf(out, " (%u below)", (unsigned)line->below);
        return 3 + digits_of(first) + 9 + digits_of(line->below);
    }
    if (line->parents < 2)
        return 0;
    strbuf_addf(out, t->ascii ? "  x%u" : "  ×%u", (unsigned)line->parents);
    return 3 + digits_of(line->parents);
}

/* How many columns there are for the label, where so many are taken up by all else. */
static size_t label_room(const struct outline_text *t, size_t taken)
{
    if (t->columns == 0)
        return SIZE_MAX;
    return t->columns < taken + OUTLINE_LABEL ? OUTLINE_LABEL : t->columns - taken;
}

void outline_text_add(struct strbuf *out, const struct outline_text *t, size_t line,
                      struct outline_place *place)
{
    const struct picture_line *l = &t->outline->line[line];
    struct strbuf note = STRBUF_INIT;
    size_t digits = digits_of(t->outline->count), column = digits + 1;
    const char *role =
        l->edge == PICTURE_NONE ? "" : roles[t->picture->edge[l->edge].stroke][t->down];
    size_t note_columns = add_note(&note, t, l);
    strbuf_addf(out, "%*zu ", (int)digits, line + 1);
    column += add_tree(out, t, l);
    strbuf_addstr(out, role);
    if (*role) {
        strbuf_addch(out, ' ');
        column += strlen(role) + 1;
    }
    size_t columns = t->label(t->of, l->node, label_room(t, column + note_columns), out);
    strbuf_add(out, note.buf, note.len);
    strbuf_release(&note);
    if (place)
        *place = (struct outline_place){column, columns};
}
