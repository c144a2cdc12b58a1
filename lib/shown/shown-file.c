/* shown-file.c: a project has one ledger on this machine, by its id. */
#include "shown/shown-file.h"

#include "base/hash.h"
#include "repo/settings.h"

#include <inttypes.h>

void shown_file_add(struct buf *name, const struct root *r)
{
	struct project project;

	if (r->scope == SCOPE_GLOBAL || r->fd < 0)
		buf_adds(name, "user");
	else if (project_read(&project, r->fd, r->path) && *project.id)
		buf_adds(name, project.id);
	else
		buf_addf(name, "path-%016" PRIx64,
			 hash_bytes(r->path, strlen(r->path), 0));
	buf_adds(name, ".jsonl");
}

struct log_file shown_file_here(struct buf *name)
{
	struct root root;

	if (root_find(&root, SCOPE_PROJECT, NULL) < 0) {
		buf_adds(name, "user.jsonl");
	} else {
		shown_file_add(name, &root);
		root_release(&root);
	}
	return (struct log_file){SHOWN_FILE_FOLDER, name->p, SHOWN_FILE_MAX};
}
