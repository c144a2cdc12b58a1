/* model-file.h: the file of a model, mapped.
 *
 * It begins with a header: 8 bytes that name its kind; numbers of 32 bits, of
 * which the first is the version; and a hash of 64 bits. The hash is of the header
 * before it and of the index after the header. The index has checksums of the rest,
 * which the caller verifies. All numbers are little-endian.
 */
#ifndef CO_EMBED_MODEL_FILE_H
#define CO_EMBED_MODEL_FILE_H

#include "base/err.h"

/* What a caller accepts. */
struct model_file_kind {
	const char *magic; /* 8 bytes */
	uint32_t version;
	size_t header;	      /* its bytes */
	size_t most;	      /* bytes of the file */
	const char *contents; /* for messages, as "word vectors" */
};

/* A mapped file; zeroed: none. */
struct model_file {
	const unsigned char *map;
	size_t size; /* at least that of the header */
	const char *path;
	const struct model_file_kind *kind;
};

/* Map PATH, a file of KIND. Return 1, with F to be released by
 * model_file_close(); 0 if the file is absent; -1 (ERR_DATA if it is of another
 * kind, version or size). F is zeroed unless the result is 1. KIND must outlive
 * F. */
int model_file_open(struct model_file *f, const char *path,
		    const struct model_file_kind *kind, struct err *e);
void model_file_close(struct model_file *f);

/* Return number I of the header; 0 is the version. */
uint32_t model_file_number(const struct model_file *f, size_t i);

/* Return the hash in the header, which identifies the whole file. */
uint64_t model_file_hash(const struct model_file *f);

/* Return true if that hash is right, with an index of INDEX bytes. */
bool model_file_is_sound(const struct model_file *f, size_t index);

/* Set E to ERR_DATA: the file is damaged. Return -1. */
int model_file_set_damaged(const struct model_file *f, struct err *e);

#endif
