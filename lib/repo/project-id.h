/* project-id.h: the id of a project, `"project": {"id": ...}` in its settings.json:
 * 20 characters of a to z and 2 to 7.
 *
 * It is drawn once, with the store, and is the same in every clone, fork, work tree
 * and after a move. A root commit would differ in a shallow clone, and a URL by
 * protocol.
 *
 * It proves nothing, since anybody can copy it: see identity.h. If several
 * directories have one id, known-projects.h decides.
 */
#ifndef CO_REPO_PROJECT_ID_H
#define CO_REPO_PROJECT_ID_H

#include "base/err.h"

#define PROJECT_ID "project.id"
#define PROJECT_ID_LENGTH 20

struct project {
	char id[PROJECT_ID_LENGTH + 1]; /* "": none, or a malformed one */
	bool closed; /* `"project": {"share": false}`: other projects do not
		      * search it */
};

/* Draw an id into ID, and return it. */
char *project_id_draw(char id[PROJECT_ID_LENGTH + 1]);

/* Return true if TEXT has the form of an id. */
bool project_id_is(const char *text);

/* Set P from the settings of the project root DIR at the path ROOT. Return false,
 * with no id in P, if there is no id or it cannot be read. */
bool project_read(struct project *p, int dir, const char *root);

/* Set P like project_read(), but distinguish an unreadable file from an absent id.
 * Return 1; 0 if there is no id; or -1, with ERR_DATA if the file is not a JSON
 * object. */
int project_look(struct project *p, int dir, const char *root, struct err *e);

/* Set P like project_look(), from TEXT, the LEN bytes of a settings.json. NAME is its
 * path for messages. */
int project_parse(struct project *p, const char *name, const char *text,
		  size_t len, struct err *e);

#endif
