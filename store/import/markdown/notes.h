/* The files of markdown of a source, a folder or one file, and which of them a link means. Only for
 * store/import/markdown. */
#ifndef STEMMA_NOTES_H
#define STEMMA_NOTES_H

#include "model/base/map.h"
#include "store/import/folder.h"
#include "store/import/markdown/markdown.h"

struct import_format;
struct import_run;
struct write_back_rules;

struct commit {
    int64_t at; /* ms since the epoch */
    const char *hash, *author, *subject;
    const char *
        agent; /* its e-mail address, if that is an agent's of Letta: without "@letta.com"; NULL otherwise */
};

/* A change of a note, the latest first. */
struct change {
    const struct commit *commit;
    struct change *next;
};

struct note {
    const char *path;       /* absolute */
    const char *name;       /* below the root: "design/search.md" */
    const char *id;         /* of its memory */
    int64_t size, written;  /* bytes; ms since the epoch */
    struct change *changes; /* the latest, at most CHANGES_MAX */
    size_t change_count;
    const struct commit *first; /* the oldest of all; NULL if none is known */
};

struct notes {
    struct arena arena; /* of all that is here */
    struct folder folder;
    const char *root; /* real path of the folder, or of the folder that has the file */
    struct note *note;
    size_t count;
    struct key_index names; /* what links may say; see notes_find */
    struct name_use *use;   /* [names.count] */
    struct key_index paths; /* the names of notes, in their order */
    bool has_permalinks;    /* basic-memory wrote it */
    bool changes_cut;       /* a note has more commits than are kept */
    const char *agent;      /* the last agent of Letta who committed; NULL if none did */
    void (*report)(void *arg, const char *line);
    void *arg;
    int64_t reports;
};

extern const struct write_back_rules markdown_write_back; /* write_markdown.c */

#define NOTE_BYTES_MAX (64u << 20)
#define CHANGES_MAX    200

/*
 * Finds the files *.md and *.markdown, without those in hidden folders, and reads their names. A file that cannot
 * be read or is longer than 64 MiB is reported and left out. `format` is a part of the ids; NULL: the files are
 * only listed. Returns -1 if the path
 * cannot be read.
 */
int notes_read(struct notes *n, const char *path, const char *format, struct error *e);
void notes_release(struct notes *n);

/* Reads the text of a note. Returns -1 if it cannot be read, which was reported. */
int note_text(struct notes *n, const struct note *note, struct strbuf *out);

/*
 * The id of the note that a link in `from` means: by its permalink, title, or path, without regard to case, blanks and
 * signs. If there are several, one in the folder of `from`, else the first; if there is none, the id that such a note
 * would have, in `arena`.
 */
const char *notes_find(const struct notes *n, const struct note *from,
                       const struct markdown_link *link, struct arena *arena);

/* Reports a line about a note, and counts it. */
void note_report(struct notes *n, const char *name, const char *what);

/* Reads the commits of the repository that has the folder, if there is one: changes of the notes, and `agent`. What
 * cannot be read is said in `remarks`, of `size` bytes. Returns -1 with `e` if the import is interrupted. */
int notes_read_commits(struct notes *n, struct import_run *run, char *remarks, size_t size,
                       struct error *e);

extern const struct import_format markdown_format, memfs_format;

#endif
