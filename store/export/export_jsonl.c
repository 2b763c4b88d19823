/* Lines of the JSON of a memory, which `stemma import jsonl` reads. Nothing is left out. */
#include "model/format/memory_json.h"
#include "store/export/export_internal.h"

static int write_line(struct export *x, const struct memory *m, struct error *e)
{
    (void)e;
    memory_json_write(&x->out, m, x->label);
    json_show(&x->out);
    strbuf_addch(&x->out, '\n');
    return 0;
}

const struct export_format export_as_jsonl = {
    .name = "jsonl",
    .about = "a memory on each line, as JSON; everything, for `stemma import jsonl`",
    .parts = PARTS_ALL,
    .kinds = KINDS_ALL,
    .statuses = STATUSES_ALL,
    .memory = write_line,
};

int export_jsonl(struct reader *r, int (*write)(void *arg, const char *line, size_t len), void *arg,
                 int (*progress)(void *arg, int64_t done, int64_t total), struct error *e)
{
    struct export_result result;
    struct export_request request = {
        .format = &export_as_jsonl, .write = write, .progress = progress, .arg = arg};
    return export_run(r, &request, &result, e);
}
