/* How far long work is: its share, its rate and the time left. */
#include "tui/text/progress.h"

#include "model/base/strbuf.h"

#define FEW_SECONDS 3   /* no number below: the end of the work takes time that was not counted */
#define MINUTES     120 /* seconds from which minutes are told */

struct unit {
    const char *name;
    int64_t size;
};

static struct unit unit_of(int64_t bytes)
{
    return bytes < 10 << 20 ? (struct unit){"KiB", 1 << 10} : (struct unit){"MiB", 1 << 20};
}

static void add_left(struct strbuf *out, int64_t seconds)
{
    if (seconds < FEW_SECONDS)
        strbuf_addstr(out, ", a few seconds left");
    else if (seconds < MINUTES)
        strbuf_addf(out, ", %lld s left", (long long)seconds);
    else
        strbuf_addf(out, ", %lld min left", (long long)(seconds / 60));
}

void progress_add(struct strbuf *out, int64_t done, int64_t total, bool is_bytes, int64_t ms)
{
    struct unit unit =
        is_bytes ? unit_of(total > done ? total : done) : (struct unit){.name = "", .size = 1};
    const char *gap = is_bytes ? " " : "";
    strbuf_addf(out, "%lld", (long long)(done / unit.size));
    if (total > 0)
        strbuf_addf(out, " of %lld", (long long)(total / unit.size));
    strbuf_addf(out, "%s%s", gap, unit.name);
    if (total > 0)
        strbuf_addf(out, ", %d %%", (int)((double)done * 100 / (double)total));
    if (done <= 0 || ms <= 0)
        return;
    double rate = (double)done / (double)ms; /* per ms */
    struct unit of_rate = unit_of((int64_t)(rate * 1000));
    if (is_bytes)
        strbuf_addf(out, ", %lld %s/s", (long long)(rate * 1000 / (double)of_rate.size),
                    of_rate.name);
    if (total >= done)
        add_left(out, (int64_t)((double)(total - done) / rate / 1000));
}
