#include "store/entries/entry_cursor.h"

#include <nettle/base64.h>
#include <nettle/siv-cmac.h>
#include <string.h>
#include "model/base/digest.h"
#include "model/base/strbuf.h"
#include "store/record/entry_key.h"

#define PLAIN                                                                                      \
    (3 + ENTRY_KEY_MAX) /* the key's length, the key, zeroes: with the seal a multiple of 3 */
#define SEALED (PLAIN + SIV_DIGEST_SIZE)
#define TEXT   BASE64_ENCODE_RAW_LENGTH(SEALED)

static const uint8_t nonce[] = "entries";

static int set_key(struct siv_cmac_aes128_ctx *ctx, struct db *db, struct error *e)
{
    struct digest key;
    if (entry_secret_for(db, "cursor", &key, e))
        return -1;
    siv_cmac_aes128_set_key(ctx, key.bytes);
    return 0;
}

/* What it is bound to. */
static void add_question(struct strbuf *out, const struct entry_query *q)
{
    strbuf_addstr(out, q->namespace_);
    strbuf_addch(out, '\0');
    strbuf_addstr(out, q->prefix ? q->prefix : "");
}

/* base64url (RFC 4648), which needs no padding here. */
static void encode(char text[TEXT], const uint8_t sealed[SEALED])
{
    struct base64_encode_ctx ctx;
    base64url_encode_init(&ctx);
    size_t len = base64_encode_update(&ctx, text, SEALED, sealed);
    base64_encode_final(&ctx, text + len);
}

int entry_cursor_write(struct db *db, struct arena *arena, const struct entry_query *query,
                       const char *last, const char **out, struct error *e)
{
    struct siv_cmac_aes128_ctx ctx;
    struct strbuf question = STRBUF_INIT;
    uint8_t plain[PLAIN] = {0}, sealed[SEALED];
    char text[TEXT];
    if (set_key(&ctx, db, e))
        return -1;
    plain[0] = (uint8_t)strlen(last);
    memcpy(plain + 1, last, plain[0]);
    add_question(&question, query);
    siv_cmac_aes128_encrypt_message(&ctx, sizeof(nonce), nonce, question.len,
                                    (const uint8_t *)question.buf, SEALED, sealed, plain);
    strbuf_release(&question);
    encode(text, sealed);
    *out = arena_strndup(arena, text, TEXT);
    return 0;
}

static bool decode(const char *text, uint8_t sealed[SEALED])
{
    struct base64_decode_ctx ctx;
    uint8_t bytes[BASE64_DECODE_LENGTH(TEXT)];
    size_t len = sizeof(bytes);
    char again[TEXT];
    if (strlen(text) != TEXT)
        return false;
    base64url_decode_init(&ctx);
    if (!base64_decode_update(&ctx, &len, bytes, TEXT, text) || !base64_decode_final(&ctx) ||
        len != SEALED)
        return false;
    memcpy(sealed, bytes, SEALED);
    encode(again, sealed);
    return memcmp(again, text, TEXT) == 0;
}

static int bad_cursor(struct error *e)
{
    return error_set(e, ERROR_INVALID, "Leave it out to begin again.",
                     "the cursor is none, or of another list");
}

int entry_cursor_read(struct db *db, struct arena *arena, const struct entry_query *query,
                      const char **last, struct error *e)
{
    struct siv_cmac_aes128_ctx ctx;
    struct strbuf question = STRBUF_INIT;
    uint8_t sealed[SEALED], plain[PLAIN];
    if (!decode(query->cursor, sealed))
        return bad_cursor(e);
    if (set_key(&ctx, db, e))
        return -1;
    add_question(&question, query);
    bool right =
        siv_cmac_aes128_decrypt_message(&ctx, sizeof(nonce), nonce, question.len,
                                        (const uint8_t *)question.buf, PLAIN, plain, sealed);
    strbuf_release(&question);
    if (!right || plain[0] == 0 || plain[0] > ENTRY_KEY_MAX)
        return bad_cursor(e);
    *last = arena_strndup(arena, (const char *)plain + 1, plain[0]);
    return 0;
}
