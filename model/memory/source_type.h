/*
 * How a memory came about. The ten known ones are numbered as they are stored; an import keeps
 * others by name.
 */
#ifndef STEMMA_SOURCE_TYPE_H
#define STEMMA_SOURCE_TYPE_H

enum source_type {
    SOURCE_DIRECT_EXPERIENCE = 0,
    SOURCE_INFERENCE,
    SOURCE_CONSOLIDATION,
    SOURCE_PROCESSING,
    SOURCE_SEED,
    SOURCE_TOLD_BY_AGENT,
    SOURCE_TOLD_BY_HUMAN,
    SOURCE_OBSERVATION,
    SOURCE_EXTERNAL,
    SOURCE_UNKNOWN,
    SOURCE_TYPE_COUNT
};

/* "direct_experience", … A constant. */
const char *source_type_name(enum source_type type);
/* For people: "direct", "told by agent", … A name that is not known comes back as it is. */
const char *source_type_label(const char *name);
/* -1 where the name is not one of the ten. */
int source_type_from_name(const char *name);

/*
 * From a free source text, case folded, the first that is found: told, said,
 * heard → told_by_agent (told_by_human when `source_entity` begins `human:`); infer, deduce,
 * conclude → inference; consolidat → consolidation; seed → seed; else, and for NULL or "",
 * direct_experience.
 */
enum source_type source_type_infer(const char *source, const char *source_entity);

#endif
