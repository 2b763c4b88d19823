#include "stale.h"

#include "../model/exchange.h"
#include "../model/json.h"
#include "../store/version.h"
#include "difference_print.h"
#include "opening.h"

static int write_json(struct invocation *i, struct reader *r, int64_t row, int64_t expected,
                      const struct error *refusal, struct error *e)
{
    struct strbuf *out = &i->out.text;
    size_t start = out->len;
    struct json_object o = json_begin(out, '{');
    json_pair(&o, "error", error_name(refusal->code));
    json_pair(&o, "message", refusal->what);
    strbuf_addch(out, ',');
    int result = version_both(r, &i->arena, row, expected, out, e);
    json_end(&o);
    strbuf_addch(out, '\n');
    if (result)
        strbuf_cut(out, start);
    return result;
}

static int print_both(struct invocation *i, struct reader *r, int64_t row, int64_t expected,
                      struct error *e)
{
    struct strbuf form = STRBUF_INIT;
    struct memory was, now;
    int found = version_form(r, row, expected, &form, e);
    if (found < 0 || memory_read(r, &i->arena, row, &now, e) ||
        (found &&
         exchange_read(&was, &i->arena, form.buf, form.len, "", now.created_at, NULL, e))) {
        strbuf_release(&form);
        return -1;
    }
    strbuf_release(&form);
    if (!found) {
        strbuf_addf(&i->out.text, "Version %lld is not known; it is at %lld.\n",
                    (long long)expected, (long long)now.version);
        return 0;
    }
    output_printf(&i->out, TONE_STRONG, "From version %lld to %lld, which is stored:\n",
                  (long long)expected, (long long)now.version);
    return difference_print(&i->out, &was, &now, 2, NULL, e);
}

void stale_print(struct invocation *i, const char *ref, int64_t expected, const struct error *e)
{
    struct opened o;
    struct error ignored; /* the refusal is what matters */
    if (opening_open(i, NULL, false, &o, &ignored))
        return;
    int64_t row = opening_resolve(o.reader, ref, &ignored);
    if (row > 0 && i->out.json)
        write_json(i, o.reader, row, expected, e, &ignored);
    else if (row > 0)
        print_both(i, o.reader, row, expected, &ignored);
    opening_close(&o);
}
