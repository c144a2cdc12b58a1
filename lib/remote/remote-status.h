/* remote-status.h: what a server has of the user's projects. */
#ifndef CO_REMOTE_REMOTE_STATUS_H
#define CO_REMOTE_REMOTE_STATUS_H

#include "remote/remote.h"
#include "store/store.h"

struct remote_state {
	const char *name;
	const char *commit; /* NULL: nothing was pushed, or nothing is shown */
	const char *at;	    /* when COMMIT was made */
	int64_t documents;
	bool write;	/* the user may push */
	bool own;	/* of the project of the working directory */
	int64_t behind; /* of the own one: later commits that change knowledge/; -1:
			 * not known */
};

/* All strings are in an arena. */
struct remote_status {
	const char *server, *role; /* as the program reports them; or NULL */
	int64_t schema;
	struct remote_state
		*projects; /* those of the settings, in their order */
	size_t n;
};

/* Fill S with what the server of R says of the projects of the settings. OWN is the
 * store of the project. Return 0, or -1 as remote_ask(). */
int remote_status_get(struct remote_status *s, const struct remote *r,
		      const struct store *own, struct arena *a, struct err *e);

/* Append S as a JSON object and a newline, or as lines of text for people. */
void remote_status_json(struct buf *out, const struct remote_status *s,
			const struct remote *r);
void remote_status_text(struct buf *out, const struct remote_status *s,
			const struct remote *r);

#endif
