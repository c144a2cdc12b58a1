/* remote-document.h: a document of a remote index: its JSON, its hash, and the digest of
 * many.
 *
 * The client and the program that speaks to the server compute hashes and digests with
 * these functions, so that both have the same ones. The canonical JSON of a document has
 * all of its members, always in the same order; the hash is the SHA-256 of that text. The
 * digest of a set is the sum of its hashes modulo 2^256. It does not depend on the order,
 * and so it is equal in every clone of a commit.
 */
#ifndef CO_REMOTE_REMOTE_DOCUMENT_H
#define CO_REMOTE_REMOTE_DOCUMENT_H

#include "base/sha256.h"
#include "format/json-read.h"
#include "repo/record.h"

#define REMOTE_DOCUMENT_MAX ((size_t)1024 * 1024) /* bytes of its JSON */

struct view_doc;

struct remote_document {
	enum record_kind kind; /* RECORD_MEMORY, RECORD_ITEM, RECORD_ARTICLE */
	int64_t id;	       /* of a memory; else 0 */
	const char *path;      /* of its file, below `.co-cli` */
	int64_t order;	       /* of a section in its article, from 0; else 0 */
	const char *created;   /* as the file has it; "": not known */
	const char *expires;   /* as the file has it; "": never */
	const char *source;    /* NULL: none */
	const char *title;     /* "Title > Heading"; "" for a memory */
	const char **tags;
	size_t ntags;
	const char *text;
	size_t len;
};

/* Return the name of KIND in a document: "memory", "item" or "section"; or the kind that
 * is named NAME, RECORD_KINDS if there is none. */
const char *remote_document_kind(enum record_kind kind);
enum record_kind remote_document_kind_of(const char *name);

/* Fill OUT from D, a document of the store in the directory ROOT. OUT borrows from D, or
 * has its tags and `expires` in A. An `expires` that is not a date is left out. */
void remote_document_of(struct remote_document *out, const struct view_doc *d,
			const char *root, struct arena *a);

/* Append the canonical JSON of D, without a newline, and write its hash to HASH. A NUL in
 * the text becomes U+FFFD. */
void remote_document_write(struct buf *out, const struct remote_document *d,
			   char hash[SHA256_HEX]);

/* Fill D from V, an object as remote_document_write() wrote it. D borrows from V, or has
 * its tags in A. Return 0, or -1 with ERR_DATA. The caller checks the hash. */
int remote_document_read(struct remote_document *d, const struct value *v,
			 struct arena *a, struct err *e);

/* The sum of the hashes of a set of documents. A zeroed one is that of no document. */
struct remote_digest {
	unsigned char bytes[32]; /* the highest first */
};

/* Add HASH to D, or subtract it. Return false, and leave D as it is, if HASH is not 64
 * lower-case hexadecimal digits. */
bool remote_digest_add(struct remote_digest *d, const char *hash);
bool remote_digest_subtract(struct remote_digest *d, const char *hash);

/* Write D to HEX as 64 hexadecimal digits. Return HEX. */
char *remote_digest_text(const struct remote_digest *d, char hex[SHA256_HEX]);

#endif
