/* Each citation style, on a citation with everything and on one with nothing. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "model/reasoning/citation.h"
#include "tests/support/test.h"

static const struct cited_work works[] = {
    {{.document_id = "d1",
      .name = "R&D {report} [1]",
      .page = 5,
      .section = "Chapter_1",
      .paragraph = -1,
      .snippet = "words",
      .relevance = 0.9,
      .retrieved_at = INT64_C(1768125000000)}, /* 2026-01-11 */
     "Smith, J.",
     "https://x.example/a_b",
     2024},
    {{.document_id = "d2", .name = "Plain", .paragraph = -1, .retrieved_at = INT64_MIN},
     NULL,
     NULL,
     0},
};

static const struct {
    const char *style, *text;
} expected[] = {
    {"plain", "(R&D {report} [1], page 5, Chapter_1)\n(Plain, document)\n"},
    {"numbered", "[1] Smith, J. R&D {report} [1] (2024), page 5, Chapter_1. https://x.example/a_b,"
                 " retrieved 2026-01-11.\n[2] Plain.\n"},
    {"author-year", "(Smith, J., 2024, p. 5, Chapter_1)\n(Plain, n.d.)\n"},
    {"footnote", "[^1]: Smith, J. R&D {report} \\[1\\] (2024), page 5, Chapter_1."
                 " https://x.example/a_b, retrieved 2026-01-11.\n[^2]: Plain.\n"},
    {"markdown", "1. [R&D \\{report\\} \\[1\\]](<https://x.example/a_b>), page 5, Chapter\\_1\n"
                 "2. Plain\n"},
    {"bibtex", "@misc{stemma1,\n  author = {Smith, J.},\n  title = {R\\&D report [1]},\n"
               "  year = {2024},\n  url = {https://x.example/a_b},\n"
               "  note = {page 5, Chapter\\_1},\n  urldate = {2026-01-11}\n}\n\n"
               "@misc{stemma2,\n  title = {Plain}\n}\n"},
    {"csl-json",
     "[{\"id\":\"stemma1\",\"type\":\"document\",\"title\":\"R&D {report} [1]\","
     "\"author\":[{\"literal\":\"Smith, J.\"}],\"issued\":{\"date-parts\":[[2024]]},"
     "\"URL\":\"https://x.example/a_b\",\"locator\":\"5\",\"label\":\"page\","
     "\"section\":\"Chapter_1\",\"accessed\":{\"date-parts\":[[2026,1,11]]},\"note\":\"words\"},\n"
     " {\"id\":\"stemma2\",\"type\":\"document\",\"title\":\"Plain\"}]\n"},
};

TEST(each_style_writes_its_form)
{
    size_t count = 0;
    for (const struct citation_style *s = citation_styles; s->name; s++, count++) {
        AUTO_STRBUF out = STRBUF_INIT;
        assert_string_equal(s->name, expected[count].style);
        citation_style_write(&out, s, works, 2);
        assert_string_equal(out.buf, expected[count].text);
        strbuf_clear(&out);
        citation_style_write(&out, s, works, 0);
        assert_string_equal(out.buf, *s->before ? "[]\n" : "");
    }
    assert_int_equal(count, sizeof(expected) / sizeof(*expected));
}
