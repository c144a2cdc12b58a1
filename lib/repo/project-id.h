/* project-id.h: what names a project wherever it stands: `"project": {"id": ...}`
 * in its settings.json, 20 characters of a to z and 2 to 7.
 *
 * It is drawn once, with the store, and goes along with every clone, fork, work
 * tree and move.  A root commit would be another in a shallow clone, and a URL
 * is another by protocol.
 *
 * It proves nothing, since anybody can copy it: see identity.h.  If several
 * directories have one id, known-projects.h decides.
 */
#ifndef CO_REPO_PROJECT_ID_H
#define CO_REPO_PROJECT_ID_H

#include "base/err.h"

#define PROJECT_ID "project.id"
#define PROJECT_SHARE "project.share"
#define PROJECT_ID_LENGTH 20

struct project {
	char id[PROJECT_ID_LENGTH + 1]; /* "": none, or what can be none */
	bool closed; /* `"project": {"share": false}`: others do not ask it */
};

/* Draw an id; returns ID. */
char *project_id_draw(char id[PROJECT_ID_LENGTH + 1]);

/* True if TEXT can be one. */
bool project_id_is(const char *text);

/* Fill P from the settings of the project's root, the folder DIR, called ROOT:
 * false, and P has no id, where there is none, or it cannot be read. */
bool project_read(struct project *p, int dir, const char *root);

/* The same for who tells what cannot be read, a FIFO say, from what is none: 1, 0,
 * -1, ERR_DATA where it is no JSON object. */
int project_look(struct project *p, int dir, const char *root, struct err *e);

#endif
