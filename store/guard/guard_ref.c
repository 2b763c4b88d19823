/* Opaque ids: encrypted replacements for ids with personal data. */
#include <nettle/aes.h>
#include <stdio.h>
#include <string.h>
#include "model/base/digest.h"
#include "store/db/db.h"
#include "store/record/entry_row.h"
#include "store/guard/guard_internal.h"
#include "store/db/reader.h"
#include "store/record/get.h"

#define BLOCK AES_BLOCK_SIZE

_Static_assert(sizeof(ENTRY_MASKED_PREFIX) - 1 + BASE32_LEN(BLOCK) < GUARD_OPAQUE_SIZE,
               "a shown id has its room");

/* ---- the encrypted block ---- */

/* The memory's row and 8 bytes of the hash of its ref, so that a forged id decodes to nothing. */
static void fill_block(uint8_t block[BLOCK], int64_t node, struct ref ref)
{
    char text[REF_ID_MAX + 40];
    struct digest d;
    int len = snprintf(text, sizeof(text), "%s:%s", REF_ARGS(ref));
    digest_bytes(&d, text, (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1);
    for (int i = 0; i < 8; i++)
        block[i] = (uint8_t)((uint64_t)node >> (56 - 8 * i));
    memcpy(block + 8, d.bytes, 8);
}

static int64_t row_in(const uint8_t block[BLOCK])
{
    uint64_t row = 0;
    for (int i = 0; i < 8; i++)
        row = row << 8 | block[i];
    return (int64_t)row;
}

/* ---- encoding ---- */

static bool show(struct reader *r, struct ref ref, char out[GUARD_OPAQUE_SIZE], struct error *e)
{
    struct aes128_ctx aes;
    struct digest key;
    uint8_t block[BLOCK];
    enum visibility visibility = VISIBLE_NONE;
    const size_t at = sizeof(ENTRY_MASKED_PREFIX) - 1;
    int64_t node = ref_find(reader_db(r), ref, e);
    if (node <= 0 || guard_visibility(r, node, &visibility, e) || visibility == VISIBLE_NONE ||
        guard_secret_for(reader_db(r), guard_rules_of(r), "refs", &key))
        return false;
    fill_block(block, node, ref);
    aes128_set_encrypt_key(&aes, key.bytes);
    aes128_encrypt(&aes, BLOCK, block, block);
    memcpy(out, ENTRY_MASKED_PREFIX, at);
    base32_write(out + at, block, BLOCK);
    return true;
}

bool guard_opaque_id(struct reader *r, struct ref ref, char out[GUARD_OPAQUE_SIZE])
{
    struct error ignored;
    if (reader_begin(r, &ignored))
        return false;
    bool shown = show(r, ref, out, &ignored);
    reader_guard_known(r)->masked += shown;
    reader_end(r);
    return shown;
}

const char *guard_ref_id(struct reader *r, struct arena *arena, struct ref ref)
{
    char shown[GUARD_OPAQUE_SIZE];
    AUTO_STRBUF text = STRBUF_INIT;
    ref_add(&text, ref);
    const char *seen = guard_text(r, arena, text.buf, text.len);
    return seen == text.buf                 ? ref.id
           : !seen                          ? NULL
           : guard_opaque_id(r, ref, shown) ? arena_strdup(arena, shown)
           : !guard_masks_name(r, ref.id)   ? seen
                                            : guard_text(r, arena, ref.id, strlen(ref.id));
}

/* ---- decoding ---- */

int guard_resolve_opaque_id(struct db *db, const struct guard_rules *rules, struct arena *arena,
                            const char *id, struct ref *out, struct error *e)
{
    struct aes128_ctx aes;
    struct digest key;
    uint8_t block[BLOCK], whole[BLOCK];
    const size_t at = sizeof(ENTRY_MASKED_PREFIX) - 1;
    if (strncmp(id, ENTRY_MASKED_PREFIX, at) != 0 || !base32_read(id + at, block, BLOCK) ||
        guard_secret_for(db, rules, "refs", &key))
        return 0;
    aes128_set_decrypt_key(&aes, key.bytes);
    aes128_decrypt(&aes, BLOCK, block, block);
    struct query row =
        db_query(db, e, "SELECT kind, name FROM memory WHERE id = ?", "i", row_in(block));
    if (!db_next(&row))
        return db_end(&row);
    int kind = column_enum(row.stmt, 0, KIND_COUNT);
    out->id = db_text(arena, row.stmt, 1);
    out->kind = (enum kind)kind;
    db_end(&row);
    if (kind < 0)
        return 0;
    fill_block(whole, row_in(block), *out);
    return memcmp(whole, block, BLOCK) == 0;
}

/* ---- recognising ---- */

static bool is_shown_id(struct reader *r, const char *text, struct error *e)
{
    AUTO_ARENA arena = ARENA_INIT;
    struct ref ref = {.id = NULL};
    char again[GUARD_OPAQUE_SIZE];
    return guard_resolve_opaque_id(reader_db(r), guard_rules_of(r), &arena, text, &ref, e) > 0 &&
           show(r, ref, again, e) && strcmp(again, text) == 0;
}

static bool is_shown_key(struct reader *r, int64_t shown, struct error *e)
{
    int64_t node = 0;
    enum visibility visibility = VISIBLE_NONE;
    return db_int(reader_db(r), &node, 0, e,
                  "SELECT memory FROM entry WHERE shown = ? AND state < 2", "i", shown) == 0 &&
           node && guard_visibility(r, node, &visibility, e) == 0 && visibility != VISIBLE_NONE;
}

bool guard_is_opaque(struct reader *r, const char *text)
{
    struct error ignored;
    int64_t key;
    if (strncmp(text, ENTRY_MASKED_PREFIX, sizeof(ENTRY_MASKED_PREFIX) - 1) != 0 ||
        reader_begin(r, &ignored))
        return false;
    bool shown = entry_key_hash_read(text, &key) ? is_shown_key(r, key, &ignored)
                                                 : is_shown_id(r, text, &ignored);
    reader_end(r);
    return shown;
}

/* ---- placeholders of masked data ---- */

/* A card number is masked as one star for each hidden digit and the last four digits. */
#define STARS_LEAST 9

/* Returns true if a placeholder begins at `at`. Otherwise none begins in the first *looked bytes
 * (at least one), so that a run of stars is read only once. */
static bool placeholder_at(const char *at, size_t len, size_t *looked)
{
    static const char mask[] = "[redacted", shown[] = ENTRY_MASKED_PREFIX;
    *looked = sizeof(mask) - 1;
    if (len >= *looked && memcmp(at, mask, *looked) == 0)
        return true;
    *looked = sizeof(shown) - 1;
    if (len >= *looked && memcmp(at, shown, *looked) == 0)
        return true;
    size_t stars = 0, last = 0;
    while (stars < len && at[stars] == '*')
        stars++;
    while (stars >= STARS_LEAST && stars + last < len && at[stars + last] >= '0' &&
           at[stars + last] <= '9')
        last++;
    *looked = stars > 0 ? stars + last : 1;
    return last >= 4;
}

int64_t guard_count_placeholders(const char *text, size_t len)
{
    int64_t count = 0;
    for (size_t i = 0, looked; i < len; i += looked)
        count += placeholder_at(text + i, len - i, &looked);
    return count;
}

/* Returns the length of a placeholder made of words or base 32 digits, with the number that follows
 * it if several keys are masked alike; 0 if none begins there. */
static size_t placeholder_length(const char *at)
{
    static const char mask[] = "[redacted";
    static const char name[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    if (strncmp(at, ENTRY_MASKED_PREFIX, sizeof(ENTRY_MASKED_PREFIX) - 1) == 0)
        return sizeof(ENTRY_MASKED_PREFIX) - 1 +
               strspn(at + sizeof(ENTRY_MASKED_PREFIX) - 1, BASE32_DIGITS);
    if (strncmp(at, mask, sizeof(mask) - 1) != 0)
        return 0;
    size_t end = sizeof(mask) - 1 + strspn(at + sizeof(mask) - 1, name);
    if (at[end] != ']')
        return 0;
    size_t number = at[++end] == ' ' ? 1 + strspn(at + end + 1, "0123456789") : 0;
    bool is_key = number > 1 && (at[end + number] == '"' || at[end + number] == '\\');
    return is_key ? end + number : end;
}

void guard_blank_placeholders(char *text)
{
    for (char *at = text; (at = strchr(at, '[')); at++) {
        size_t len = placeholder_length(at);
        memset(at, ' ', len);
    }
}

bool guard_has_placeholder(const char *id)
{
    return guard_count_placeholders(id, strlen(id)) > 0;
}
