/* bring.h: what is to be kept, brought by the programs of the suite that may
 * meet a stranger: co-fetch, which alone goes to the network, and
 * co-text-extract, which reads behind closed doors.
 */
#ifndef CO_ARTICLE_BRING_H
#define CO_ARTICLE_BRING_H

#include "article/article.h"

struct bring {
	/* What is wanted. */
	const char *etag, *modified; /* of the last time; or NULL */
	bool allow_private;	     /* from any address */
	/* What came. */
	struct article_new article; /* its texts live in the arena */
	long status;		    /* of HTTP: 304, 404; 0: nobody answered */
	const char *type;	    /* a media type */
	size_t bytes;
	struct buf original; /* attached unless it is text */
};

/* True if SOURCE is fetched: it begins as URLs of the web do. */
bool bring_is_url(const char *source);

/* Bring what is at URL, or in the file PATH, of which SOURCE is to be told.  -1
 * with the code and the sentence of the program that failed; ERR_NO: it is not
 * modified, not there, or holds no text.  Release B either way. */
int bring_url(struct bring *b, const char *url, struct arena *a, struct err *e);
int bring_file(struct bring *b, const char *path, const char *source,
	       struct arena *a, struct err *e);
void bring_release(struct bring *b);

/* What S calls the file PATH that a person gave, in A: "./docs/a.pdf" where it
 * lies beside S's root, which clones share, else its absolute path. */
const char *bring_source_of(const struct store *s, const char *path,
			    struct arena *a, struct err *e);

/* True if SOURCE is such a path, and of a project none that leads out of it. */
bool bring_is_path(const struct store *s, const char *source, struct arena *a);

/* The path of that file, in A; NULL with E where a link, which a stranger may have
 * put there, leads out of the project. */
const char *bring_path_of(const struct store *s, const char *source,
			  struct arena *a, struct err *e);

#endif
