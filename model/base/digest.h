/* SHA-256, HMAC, the hash chain of the journal, base32 and base64, based on nettle. */
#ifndef STEMMA_DIGEST_H
#define STEMMA_DIGEST_H

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct strbuf;

#define DIGEST_SIZE 32
#define SALT_SIZE   16

struct digest {
    uint8_t bytes[DIGEST_SIZE];
};

void digest_bytes(struct digest *out, const void *bytes, size_t len);
/* SHA-256(salt ‖ bytes): a commitment. Once the salt is deleted, it reveals nothing about
 * `bytes`. */
void digest_commit(struct digest *out, const uint8_t salt[SALT_SIZE], const void *bytes,
                   size_t len);
/* SHA-256(prev ‖ canonical). `prev` is NULL for the first event, and may be the same as `out`. */
void digest_chain(struct digest *out, const struct digest *prev, const void *canonical, size_t len);
/* HMAC-SHA-256 of the 32 raw bytes of `hash`. */
void digest_hmac(struct digest *out, const void *key, size_t key_len, const struct digest *hash);
static inline bool digest_equal(const struct digest *a, const struct digest *b)
{
    return memcmp(a->bytes, b->bytes, DIGEST_SIZE) == 0;
}
/* 64 lower-case hex digits and a NUL. */
void digest_hex(char out[2 * DIGEST_SIZE + 1], const struct digest *d);
/* A UUID made from the first 16 bytes (version 8 of RFC 9562), and a NUL. */
void digest_uuid(char out[37], const struct digest *d);
/* Returns -1 if `hex` is not exactly 64 hex digits. */
int digest_from_hex(struct digest *out, const char *hex);

/* SHA-256 of bytes that arrive in chunks, for a file that is too large to load. */
struct digest_run {
    struct sha256_ctx ctx;
};
void digest_run_begin(struct digest_run *run);
void digest_run_add(struct digest_run *run, const void *bytes, size_t len);
void digest_run_end(struct digest_run *run, struct digest *out);

/* The bytes in base 32 (RFC 4648) without padding, and a NUL. */
#define BASE32_DIGITS    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
#define BASE32_LEN(size) ((8 * (size) + 4) / 5)
void base32_write(char *out, const uint8_t *bytes, size_t size);
/* Decodes exactly `size` bytes. Returns false if the text is not what base32_write gives for
 * that size. */
bool base32_read(const char *text, uint8_t *bytes, size_t size);

/* Appends the bytes in base64, padded. */
void base64_add(struct strbuf *out, const void *bytes, size_t len);

#endif
