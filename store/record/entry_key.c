#include "store/record/entry_key.h"

#include <string.h>
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/db/reader.h"

#define SECRET_SIZE 32
#define DIGITS      13 /* of base 32 for 64 bits */
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

static int read_secret(struct db *db, uint8_t secret[SECRET_SIZE], struct error *e)
{
    sqlite3_stmt *stmt = db_prepare(db, "SELECT bytes FROM secret WHERE id = 1", e);
    int found = db_step(db, stmt, e);
    if (found < 0)
        return -1;
    bool whole = found && sqlite3_column_bytes(stmt, 0) == SECRET_SIZE;
    if (whole)
        memcpy(secret, sqlite3_column_blob(stmt, 0), SECRET_SIZE);
    sqlite3_reset(stmt);
    return whole ? 0
                 : error_set(e, ERROR_STORE, "Run stemma fsck on the store.",
                             "the store is damaged: its secret is gone");
}

int entry_secret_for(struct db *db, const char *use, struct digest *out, struct error *e)
{
    uint8_t secret[SECRET_SIZE];
    struct digest d;
    if (read_secret(db, secret, e))
        return -1;
    digest_bytes(&d, use, strlen(use));
    digest_hmac(out, secret, SECRET_SIZE, &d);
    return 0;
}

int entry_shown(struct db *db, const char *name, const char *key, int64_t *out, struct error *e)
{
    uint8_t secret[SECRET_SIZE];
    struct strbuf text = STRBUF_INIT;
    struct digest plain, keyed;
    uint64_t bits = 0;
    if (read_secret(db, secret, e))
        return -1;
    strbuf_addstr(&text, name);
    strbuf_addch(&text, '\0');
    strbuf_addstr(&text, key);
    digest_bytes(&plain, text.buf, text.len);
    strbuf_release(&text);
    digest_hmac(&keyed, secret, SECRET_SIZE, &plain);
    for (size_t i = 0; i < sizeof(bits); i++)
        bits = bits << 8 | keyed.bytes[i];
    *out = (int64_t)bits;
    return 0;
}

void entry_shown_write(char out[ENTRY_SHOWN_SIZE], int64_t shown)
{
    size_t at = sizeof(ENTRY_SHOWN) - 1;
    uint64_t bits = (uint64_t)shown;
    memcpy(out, ENTRY_SHOWN, at);
    for (size_t i = 0; i < DIGITS; i++) /* the last digit holds four bits and a 0 */
        out[at + i] = digits[i < DIGITS - 1 ? bits >> (59 - 5 * i) & 31 : bits << 1 & 31];
    out[at + DIGITS] = '\0';
}

bool entry_shown_read(const char *text, int64_t *out)
{
    const size_t at = sizeof(ENTRY_SHOWN) - 1;
    uint64_t bits = 0;
    if (strncmp(text, ENTRY_SHOWN, at) != 0 || strlen(text) != at + DIGITS)
        return false;
    for (size_t i = 0; i < DIGITS; i++) {
        const char *digit = strchr(digits, text[at + i]);
        if (!digit || (i == DIGITS - 1 && (digit - digits) & 1))
            return false;
        uint64_t value = (uint64_t)(digit - digits);
        bits = i < DIGITS - 1 ? bits << 5 | value : bits << 4 | value >> 1;
    }
    *out = (int64_t)bits;
    return true;
}

int entry_shown_key(struct reader *r, struct arena *arena, const char *name, const char *key,
                    const char **out, struct error *e)
{
    char text[ENTRY_SHOWN_SIZE];
    int64_t shown;
    if (entry_shown(reader_db(r), name, key, &shown, e))
        return -1;
    entry_shown_write(text, shown);
    *out = arena_strdup(arena, text);
    return 0;
}

int entry_namespace(struct reader *r, struct arena *arena, int64_t node, const char **name,
                    struct error *e)
{
    static const char now[] = "SELECT n.name FROM entry e JOIN namespace n ON n.id = e.namespace"
                              " WHERE e.memory = ?";
    static const char then[] =
        "SELECT name FROM main.namespace WHERE id = coalesce((SELECT namespace FROM"
        " temp.then_entry WHERE memory = ?1), (SELECT namespace FROM main.entry WHERE memory = "
        "?1))";
    sqlite3_stmt *stmt = db_prepare(reader_db(r), reader_past(r) < 0 ? now : then, e);
    int found = stmt ? db_bind(reader_db(r), stmt, e, "i", node) : -1;
    *name = found > 0 ? db_text(arena, stmt, 0) : NULL;
    if (stmt)
        sqlite3_reset(stmt);
    return found < 0 ? -1 : 0;
}
