/* An outline as text: the tree, roles, references, and labels on narrow terminals. */
#include "tests/support/test.h"
#include "tui/render/trace.h"
#include "tui/text/text.h"

struct subject {
    struct picture picture;
    struct picture_outline outline;
    const char *const *label;
};

static const char *const names[] = {"b1 ship Thu", "b2 ship Fri", "b3 QA owns", "e1 standup",
                                    "e2 planning", "r1 chat",     "r2 mail"};

/* Edges, by index in `names`. */
static const struct {
    uint32_t from, to;
    enum stroke stroke;
} rests[] = {
    {1, 0, STROKE_SUPERSEDES}, {1, 4, STROKE_REINFORCED}, {0, 3, STROKE_DERIVED},
    {0, 4, STROKE_DERIVED},    {3, 5, STROKE_ALL},        {3, 6, STROKE_ALL},
    {4, 6, STROKE_EVIDENCE},   {6, 0, STROKE_GUESSED},    {2, 3, STROKE_DERIVED},
};

static void subject_make(struct subject *s, const char *const *labels, bool down)
{
    *s = (struct subject){.picture = PICTURE_INIT, .label = labels};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_int_equal(
            picture_add_node(&s->picture, (struct picture_node){.id = names[i], .columns = 1}), 0);
    for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++)
        assert_int_equal(picture_add_edge(&s->picture, rests[i].from, rests[i].to, rests[i].stroke),
                         0);
    picture_finish(&s->picture);
    assert_int_equal(picture_outline_make(&s->outline, &s->picture, PICTURE_NONE, down), 0);
}

static void subject_release(struct subject *s)
{
    picture_outline_release(&s->outline);
    picture_release(&s->picture);
}

static size_t add_label(void *of, uint32_t node, size_t columns, struct strbuf *out)
{
    const struct subject *s = of;
    const char *label = s->label[s->picture.node[node].added];
    return text_fit(out, label, strlen(label), columns, 0);
}

static void expect_text(struct subject *s, bool down, bool ascii, size_t columns,
                        const char *expected)
{
    struct outline_text t = {.picture = &s->picture,
                             .outline = &s->outline,
                             .down = down,
                             .ascii = ascii,
                             .columns = columns,
                             .label = add_label,
                             .of = s};
    AUTO_STRBUF text = STRBUF_INIT;
    for (size_t i = 0; i < s->outline.count; i++) {
        struct outline_place place;
        size_t start = text.len;
        outline_text_add(&text, &t, i, &place);
        assert_true(text_width(text.buf + start, text.len - start, SIZE_MAX - 1, 0) >=
                    place.column + place.columns);
        strbuf_addch(&text, '\n');
    }
    assert_string_equal(text.buf, expected);
}

TEST(a_tree_with_references)
{
    struct subject s;
    subject_make(&s, names, true);
    expect_text(&s, true, false, 0,
                " 1 b2 ship Fri\n"
                " 2 ├─ replaces b1 ship Thu  ×2\n"
                " 3 │  ├─ e1 standup  ×2\n"
                " 4 │  │  ├─ all of r1 chat\n"
                " 5 │  │  └─ all of r2 mail  ×2\n"
                " 6 │  │     └─ guessed b1 ship Thu  ↻ cycle\n"
                " 7 │  └─ e2 planning  ×2\n"
                " 8 │     └─ evidence r2 mail  ↑5 (1 below)\n"
                " 9 └─ reinforced by e2 planning  ↑7 (1 below)\n"
                "10 b3 QA owns\n"
                "11 └─ e1 standup  ↑3 (3 below)\n");
    subject_release(&s);
}

TEST(against_the_edges_in_ascii)
{
    struct subject s;
    subject_make(&s, names, false);
    expect_text(&s, false, true, 0,
                " 1 r1 chat\n"
                " 2 `- all for e1 standup  x2\n"
                " 3    |- b1 ship Thu  x2\n"
                " 4    |  |- replaced by b2 ship Fri  x2\n"
                " 5    |  `- guessed for r2 mail\n"
                " 6    |     |- all for e1 standup  C cycle\n"
                " 7    |     `- evidence for e2 planning\n"
                " 8    |        |- b1 ship Thu  C cycle\n"
                " 9    |        `- reinforces b2 ship Fri  ^4\n"
                "10    `- b3 QA owns\n");
    subject_release(&s);
}

/* Only labels are cut, between characters, and never below OUTLINE_LABEL columns. */
TEST(labels_give_way)
{
    static const char *const labels[] = {"ship Thursday, said Ann",
                                         "出荷は金曜日と決めました",
                                         "QA",
                                         "standup of Monday",
                                         "planning of Tuesday",
                                         "a chat",
                                         "mail"};
    struct subject s;
    subject_make(&s, labels, true);
    expect_text(&s, true, false, 24,
                " 1 出荷は金曜日と決めま…\n"
                " 2 ├─ replaces ship Th…  ×2\n"
                " 3 │  ├─ standup of…  ×2\n"
                " 4 │  │  ├─ all of a chat\n"
                " 5 │  │  └─ all of mail  ×2\n"
                " 6 │  │     └─ guessed ship Th…  ↻ cycle\n"
                " 7 │  └─ planning o…  ×2\n"
                " 8 │     └─ evidence mail  ↑5 (1 below)\n"
                " 9 └─ reinforced by plannin…  ↑7 (1 below)\n"
                "10 QA\n"
                "11 └─ standup…  ↑3 (3 below)\n");
    subject_release(&s);
}
