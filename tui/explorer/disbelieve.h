/*
 * Disbelieving memories for the moment: all views show the store as it would be without them, and nothing is written.
 * So a person tries which combinations of sources a belief needs. Meanwhile nothing can be changed.
 *
 * The readers do the work (store/lineage/loaded.h). ui->disbelieved has the memories; ui->unsupported what lost all
 * support by that, which the worker finds.
 */
#ifndef STEMMA_DISBELIEVE_H
#define STEMMA_DISBELIEVE_H

#include <stddef.h>
#include <stdint.h>

struct app;
struct reader;
struct strbuf;

/* Disbelieves these memories too, or if it does so already of all of them, believes them again. */
void disbelieve_toggle(struct app *x, const int64_t *nodes, size_t count);
/* Believes everything again. */
void disbelieve_end(struct app *x);
/* The store changed, or another state of it is shown: finds again what lost its support. */
void disbelieve_changed(struct app *x);
/* Call before the readers are closed. */
void disbelieve_release(struct app *x);

/* Appends the lasting message "2 disbelieved, 5 others lose all support · …"; nothing if all is believed. */
void disbelieve_add_status(struct app *x, struct strbuf *out);
/* The reason why nothing can be changed, or NULL. */
const char *disbelieve_blocked(const struct app *x);

#endif
