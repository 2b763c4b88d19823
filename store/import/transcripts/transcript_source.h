/* The bytes of a transcript: a file, or one that is compressed with zstd; offsets are those of what it contains. Only
 * for store/import/transcripts and store/formats. */
#ifndef STEMMA_TRANSCRIPT_SOURCE_H
#define STEMMA_TRANSCRIPT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct transcript_source {
    int fd;
    struct transcript_zstd *zstd; /* NULL if it is not compressed */
    int64_t at;                   /* offset of the next byte */
};

/* Opens a regular file for reading at `offset`, not a link to one. Returns -1 with errno. */
int transcript_source_open(struct transcript_source *s, const char *path, int64_t offset);
/* Moves to an offset; a compressed file is read from its beginning to go back. Returns -1 with errno. */
int transcript_source_seek(struct transcript_source *s, int64_t offset);
/* At most `len` bytes; 0 at the end. A compressed file that is cut ends where it is cut. Returns -1 with errno. */
ssize_t transcript_source_read(struct transcript_source *s, char *out, size_t len);
void transcript_source_close(struct transcript_source *s);

/* The beginning of what an archive of zstd contains, at most `most` bytes, from the beginning of the archive. Returns
 * its length; 0 if the bytes begin no archive. */
size_t transcript_decompress(const char *bytes, size_t len, char *out, size_t most);

#endif
