#include "tui/term/terminfo.h"

#include <stdint.h>
#include "model/base/strbuf.h"

#define ENTRY_MAX 32768 /* ncurses' own bound on a description */

/* The compiled form, term(5): six short numbers, then names, flags, numbers, strings' offsets. */
enum {
    HEADER_MAGIC = 0,
    HEADER_NAMES,
    HEADER_FLAGS,
    HEADER_NUMBERS,
    HEADER_STRINGS,
    HEADER_SIZE = 12
};
#define MAGIC_16 0x011a
#define MAGIC_32 0x021e

/* The places of parm_index, parm_rindex and repeat_char among the strings, fixed by that form. */
static const unsigned unwanted[] = {109, 113, 121};

static unsigned read_short(const unsigned char *bytes, unsigned index)
{
    return bytes[2 * index] | (unsigned)bytes[2 * index + 1] << 8;
}

static size_t read_entry(const char *directory, const char *term, unsigned char *bytes)
{
    char path[4096];
    size_t len = 0;
    for (int hex = 0; hex < 2 && len == 0; hex++) {
        const char *format = hex ? "%s/%02x/%s" : "%s/%c/%s";
        snprintf(path, sizeof(path), format, directory, (unsigned char)*term, term);
        FILE *f = fopen(path, "r");
        if (!f)
            continue;
        len = fread(bytes, 1, ENTRY_MAX, f);
        fclose(f);
    }
    return len;
}

static size_t find_entry(const char *term, unsigned char *bytes)
{
    static const char *const directories[] = {"/etc/terminfo", "/lib/terminfo",
                                              "/usr/share/terminfo", "/usr/lib/terminfo"};
    char own[4096];
    const char *home = getenv("HOME");
    snprintf(own, sizeof(own), "%s/.terminfo", home ? home : "");
    size_t len = home ? read_entry(own, term, bytes) : 0;
    for (size_t i = 0; i < 4 && len == 0; i++)
        len = read_entry(directories[i], term, bytes);
    return len;
}

/* Marks the unwanted strings as absent; false where it is not a description. */
static bool make_plain(unsigned char *bytes, size_t len)
{
    if (len < HEADER_SIZE || len == ENTRY_MAX)
        return false;
    unsigned magic = read_short(bytes, HEADER_MAGIC);
    if (magic != MAGIC_16 && magic != MAGIC_32)
        return false;
    size_t number = magic == MAGIC_32 ? 4 : 2;
    size_t at = HEADER_SIZE + read_short(bytes, HEADER_NAMES) + read_short(bytes, HEADER_FLAGS);
    at += at % 2; /* numbers begin on an even byte */
    at += number * read_short(bytes, HEADER_NUMBERS);
    size_t strings = read_short(bytes, HEADER_STRINGS);
    if (at + 2 * strings > len)
        return false;
    for (size_t i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++)
        if (unwanted[i] < strings)
            bytes[at + 2 * unwanted[i]] = bytes[at + 2 * unwanted[i] + 1] = 0xff;
    return true;
}

bool terminfo_plain(const char *term)
{
    unsigned char bytes[ENTRY_MAX];
    struct strbuf text = STRBUF_INIT;
    if (!term || !*term || strchr(term, '/') || getenv("TERMINFO") || getenv("TERMINFO_DIRS"))
        return false;
    size_t len = find_entry(term, bytes);
    if (!make_plain(bytes, len))
        return false;
    strbuf_addstr(&text, "hex:");
    for (size_t i = 0; i < len; i++)
        strbuf_addf(&text, "%02X", bytes[i]);
    bool set = !text.failed && setenv("TERMINFO", text.buf, 1) == 0;
    strbuf_release(&text);
    return set;
}

void terminfo_restore(void)
{
    unsetenv("TERMINFO");
}
