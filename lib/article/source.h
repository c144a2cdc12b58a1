/* source.h: fetch and convert a source with the programs of co that handle
 * untrusted data: co-fetch, the only one that uses the network, and
 * co-text-extract, which runs in a sandbox. */
#ifndef CO_ARTICLE_SOURCE_H
#define CO_ARTICLE_SOURCE_H

#include "article/article-new.h"

/* Zero it, then set the request. Do not move it after that: `article` points
 * into it. */
struct source {
	/* The request. */
	const char *etag, *modified; /* from the last response, or NULL */
	bool allow_private;	     /* fetch from private addresses too */

	/* The result. */
	struct article_new article; /* its texts live in the arena */
	long status;		    /* of HTTP, as 304 or 404; 0: no response */
	const char *type;	    /* a media type */
	size_t bytes;
	/* The bytes that were read; the attachment of the article unless they
	 * are text or HTML. */
	struct buf original;
};

/* Return true if SOURCE is a URL that co-fetch can fetch. */
bool source_is_url(const char *source);

/* Fetch URL, or read the file PATH, and set B's result. SOURCE becomes the
 * source of the file's article; like PATH it is borrowed. Returns 0, or -1
 * with the code and message of the program that failed: ERR_NO if the page has
 * not changed, is not found or has no text; ERR_HELPER if there is no such
 * program; ERR_SYSTEM if it takes too long. Release B in any case. */
int source_fetch(struct source *b, const char *url, struct arena *a,
		 struct err *e);
int source_read(struct source *b, const char *path, const char *source,
		struct arena *a, struct err *e);
void source_release(struct source *b);

/* Return the source that S uses for the file PATH, allocated in A:
 * "./docs/a.pdf" if it is below the directory that contains the `.co-cli` of S,
 * so that all clones agree, else its absolute path. NULL with E set if PATH
 * cannot be resolved. */
const char *source_name_of(const struct store *s, const char *path,
			   struct arena *a, struct err *e);

/* Return true if SOURCE is a path that can be read again: for a project "./..."
 * without "/../", for the user's store an absolute path. */
bool source_is_path(const struct store *s, const char *source, struct arena *a);

/* Return the path of the file SOURCE, for which source_is_path() is true,
 * allocated in A or borrowed from SOURCE. The file need not exist. Returns
 * NULL with ERR_DATA if a link, which a clone may have brought, leads out of
 * the project. */
const char *source_path_of(const struct store *s, const char *source,
			   struct arena *a, struct err *e);

#endif
