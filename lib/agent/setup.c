/* setup.c: plan the new text of each configuration file, then replace the
 * files. */
#include "agent/setup.h"

#include "base/utf8.h"
#include "format/jsonc.h"
#include "sys/execpath.h"
#include "sys/file-write.h"
#include "sys/lock.h"
#include "text/diff.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define SETUP_FILE_MAX ((size_t)16 * 1024 * 1024)

/* Set *REAL to PATH with links resolved, which the caller frees; NULL if PATH
 * does not exist. Return 0, or -1: ERR_DATA if it is a broken link. */
static int real_path(char **real, const char *path, struct err *e)
{
	struct stat st;

	*real = realpath(path, NULL);
	if (!*real && errno != ENOENT)
		return err_sys(e, "cannot look at '%s'", path);
	if (!*real && lstat(path, &st) == 0)
		return err_set(e, ERR_DATA, "'%s' is a link that leads nowhere",
			       path);
	return 0;
}

static bool lies_below(const char *path, const char *top)
{
	const size_t n = strlen(top);

	return !strncmp(path, top, n) &&
	       (path[n] == '/' || !path[n] || !strcmp(top, "/"));
}

/* Set *FOLDER and *NAME to the directory and file name of F with links
 * resolved; the caller frees them. If F is absent, its directory need not
 * exist. A link in a project, which others may have made, must not lead out of
 * it. */
static int resolve(const struct setup *s, const struct setup_file *f,
		   char **folder, char **name, struct err *e)
{
	char *path = mem_strdup(f->path), *real;
	int r = real_path(&real, path, e);

	*folder = *name = NULL;
	if (!r) {
		char *slash = strrchr(real ? real : path, '/');

		*name = mem_strdup(slash + 1);
		slash[slash == (real ? real : path)] = '\0';
		*folder = real;
	}
	if (!r && !*folder)
		r = real_path(folder, path, e);
	if (!r && s->where.top && *folder && !lies_below(*folder, s->where.top))
		r = err_set(e, ERR_DATA,
			    "refusing '%s': a link leads out of the project",
			    f->path);
	if (!r && !*folder)
		*folder = mem_strdup(path);
	free(path);
	return r;
}

/* Append the file NAME of FOLDER to TEXT. Return 1, 0 if it is absent, or
 * -1. */
static int read_in(const char *folder, const char *name, struct buf *text,
		   struct err *e)
{
	struct buf path = {0};
	int r, fd = file_open(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0);

	if (fd < 0)
		return errno == ENOENT ? 0
				       : err_sys(e, "cannot open '%s'", folder);
	buf_addf(&path, "%s/%s", folder, name);
	r = file_read(fd, name, path.p, SETUP_FILE_MAX, text, e);
	buf_release(&path);
	close(fd);
	return r;
}

static void copy(struct buf *to, const struct buf *from)
{
	buf_cut(to, 0);
	buf_add(to, buf_str(from), from->len);
}

/* Return true if adding our entries to FROM gives the same as adding them to F.
 * Then F has only FROM and our entries, complete or not, for any program. */
static bool is_made_of(const struct setup_file *f, const struct buf *from)
{
	struct buf one = {0}, other = {0};
	struct err none;
	bool equal;

	copy(&one, from);
	copy(&other, &f->was);
	config_forget(&other, from, &f->config);
	equal = config_put(&one, &f->config, &none) == 0 &&
		config_put(&other, &f->config, &none) == 0 &&
		buf_equal(&one, &other);
	buf_release(&one);
	buf_release(&other);
	return equal;
}

/* Return true if TEXT is blank or an empty object. */
static bool is_nothing(const struct buf *text)
{
	size_t len = text->len, bom;
	const char *p = buf_str(text);

	if (jsonc_is_blank(p, len, &bom))
		return true;
	p += bom;
	len -= bom;
	utf8_strip(&p, &len);
	return len > 1 && p[0] == '{' && p[len - 1] == '}' &&
	       jsonc_is_blank(p + 1, len - 2, &bom) && !bom;
}

static int plan_put(struct setup_file *f, const char *folder, const char *name,
		    struct err *e)
{
	struct buf without = {0}, backup = {0}, old = {0};
	struct err none;
	int r = 0;

	if (config_put(&f->now, &f->config, e) < 0)
		return -1;
	/* A file that already has our entries is not one to restore. */
	copy(&without, &f->was);
	f->backup = f->existed && !buf_equal(&f->was, &f->now) &&
		    config_drop(&without, &f->config, &none) == 0 &&
		    buf_equal(&without, &f->was);
	/* No file is written if one of the backups cannot be. */
	buf_addf(&backup, "%s" SETUP_BACKUP, name);
	if (f->backup)
		r = read_in(folder, backup.p, &old, e);
	buf_release(&without);
	buf_release(&backup);
	buf_release(&old);
	return r < 0 ? -1 : 0;
}

static int plan_drop(struct setup_file *f, const char *folder, const char *name,
		     struct err *e)
{
	struct buf old = {0}, backup = {0}, left = {0};
	bool ours;
	int r;

	if (!f->existed)
		return 0;
	buf_addf(&backup, "%s" SETUP_BACKUP, name);
	r = read_in(folder, backup.p, &old, e);
	if (r < 0 || config_drop(&f->now, &f->config, e) < 0) {
		r = -1;
		goto out;
	}
	ours = !buf_equal(&f->was, &f->now);
	if (ours && is_made_of(f, &old)) {
		copy(&f->now, &old);
		f->gone = r == 0;
	}
	copy(&left, &f->now);
	config_forget(&left, &old, &f->config);
	f->gone = f->gone || (ours && r == 0 && is_nothing(&left));
	f->unbackup = r > 0 && buf_equal(&f->now, &old);
	f->stale = r > 0 && ours && !f->unbackup;
	r = 0;
out:
	buf_release(&old);
	buf_release(&backup);
	buf_release(&left);
	return r;
}

static int plan_file(const struct setup *s, struct setup_file *f,
		     enum setup_what what, struct err *e)
{
	char *folder, *name;
	struct err why;
	int r = resolve(s, f, &folder, &name, e);

	if (!r)
		r = read_in(folder, name, &f->was, e);
	if (r < 0)
		goto out;
	f->existed = r > 0;
	copy(&f->now, &f->was);
	r = what == SETUP_PUT ? plan_put(f, folder, name, &why)
			      : plan_drop(f, folder, name, &why);
	if (r < 0 && why.code == ERR_DATA)
		err_set(e, ERR_DATA, "'%s':%s%s", f->path,
			*why.text >= '0' && *why.text <= '9' ? "" : " ",
			why.text);
	else if (r < 0)
		*e = why;
out:
	free(folder);
	free(name);
	return r;
}

bool setup_program(struct buf *out, const char *argv0)
{
	const char *path = getenv("PATH");
	struct buf self = {0};
	char here[PATH_MAX], there[PATH_MAX];
	bool found = false;

	if (execpath_find(&self, "co", argv0) && realpath(self.p, here)) {
		while (path && *path && !found) {
			const size_t len = strcspn(path, ":"), start = out->len;

			buf_addf(out, "%.*s/co", (int)len, path);
			path += len + (path[len] == ':');
			found = out->p[start] == '/' && len &&
				realpath(out->p + start, there) &&
				!strcmp(here, there);
			if (!found)
				buf_cut(out, start);
		}
		/* Not HERE: a link decides which program of the suite runs. */
		if (!found)
			buf_adds(out, self.p);
		found = true;
	}
	buf_release(&self);
	return found;
}

static int name_program(struct setup *s, const char *argv0, struct err *e)
{
	struct buf program = {0};
	int r = 0;

	if (s->project)
		buf_adds(&program, "co");
	else if (!setup_program(&program, argv0))
		r = err_set(e, ERR_SYSTEM, "cannot find the program 'co'");
	else if (utf8_check(program.p, program.len) < program.len)
		r = err_set(e, ERR_DATA, "the path of 'co' is not UTF-8: '%s'",
			    program.p);
	s->program = buf_take(&program);
	return r;
}

int setup_find(struct setup *s, const struct agent *agent, bool project,
	       const char *argv0, struct err *e)
{
	*s = (struct setup){.project = project};
	if (config_files_find(&s->where, agent, project, e) < 0 ||
	    name_program(s, argv0, e) < 0)
		return -1;
	for (; s->n < s->where.n; s->n++)
		s->files[s->n] = (struct setup_file){
			.config = {agent, s->where.items[s->n].holds,
				   s->program},
			.path = s->where.items[s->n].path,
			.base = s->where.items[s->n].base,
		};
	return 0;
}

int setup_plan(struct setup *s, enum setup_what what, struct err *e)
{
	for (size_t i = 0; i < s->n; i++) {
		if (plan_file(s, &s->files[i], what, e) < 0)
			return -1;
	}
	return 0;
}

void setup_release(struct setup *s)
{
	for (size_t i = 0; i < s->n; i++) {
		buf_release(&s->files[i].was);
		buf_release(&s->files[i].now);
	}
	config_files_release(&s->where);
	free(s->program);
}

bool setup_rewrites(const struct setup_file *f)
{
	return f->gone || !buf_equal(&f->was, &f->now);
}

bool setup_changes(const struct setup_file *f)
{
	return f->unbackup || setup_rewrites(f);
}

size_t setup_show(const struct setup *s, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct setup_file *f = &s->files[i];

		n += setup_changes(f);
		if (!setup_rewrites(f))
			continue;
		buf_addf(out, "--- %s\n+++ %s\n",
			 f->existed ? f->path : "/dev/null",
			 f->gone ? "/dev/null" : f->path);
		diff_lines(out, &f->was, &f->now);
	}
	return n;
}

int setup_print(const struct setup *s, struct buf *out, struct err *e)
{
	for (size_t i = 0; i < s->n; i++) {
		struct buf text = {0};
		const int r = config_put(&text, &s->files[i].config, e);

		buf_addf(out, "%s==> %s <==\n", i ? "\n" : "",
			 s->files[i].path);
		buf_add(out, buf_str(&text), text.len);
		buf_release(&text);
		if (r < 0)
			return -1;
	}
	return 0;
}

/* Save the old contents of F, the file FILE of DIR, as NAME with the same mode.
 * PATH is for messages. */
static int save_backup(const struct setup_file *f, int dir, const char *file,
		       const char *name, const char *path, struct err *e)
{
	struct stat st;
	int r;

	if (fstatat(dir, file, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_sys(e, "cannot look at '%s'", f->path);
	r = file_create(dir, name, path, st.st_mode & 0777, buf_str(&f->was),
			f->was.len, e);
	return r ? (r < 0 ? -1 : 0)
		 : file_replace(dir, name, path, buf_str(&f->was), f->was.len,
				e);
}

/* Do setup_apply() in the directory DIR. The caller holds its lock. */
static int apply_in(const struct setup *s, const struct setup_file *f, int dir,
		    const char *name, struct err *e)
{
	struct buf is = {0}, backup = {0}, path = {0};
	int r = file_read(dir, name, f->path, SETUP_FILE_MAX, &is, e);

	buf_addf(&backup, "%s" SETUP_BACKUP, name);
	buf_addf(&path, "%s" SETUP_BACKUP, f->path);
	if (r >= 0 &&
	    ((r > 0) != f->existed || (r && !buf_equal(&is, &f->was))))
		r = err_set(e, ERR_BUSY,
			    "'%s' was changed meanwhile: run this again",
			    f->path);
	if (r >= 0 && f->backup)
		r = save_backup(f, dir, name, backup.p, path.p, e);
	if (r >= 0 && f->gone)
		r = file_remove(dir, name, f->path, e);
	else if (r >= 0 && f->existed && setup_rewrites(f))
		r = file_replace(dir, name, f->path, buf_str(&f->now),
				 f->now.len, e);
	else if (r >= 0 && !f->existed)
		r = file_create(dir, name, f->path, s->project ? 0666 : 0600,
				buf_str(&f->now), f->now.len, e);
	if (r >= 0 && f->unbackup)
		r = file_remove(dir, backup.p, path.p, e);
	buf_release(&is);
	buf_release(&backup);
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

/* Remove the agent's directories above F that are empty and not links. */
static void remove_folders(const struct setup_file *f)
{
	char *path = mem_strdup(f->path), *slash = strrchr(path, '/');

	while ((size_t)(slash - path) >= f->base) {
		*slash = '\0';
		if (rmdir(path) < 0)
			break;
		slash = strrchr(path, '/');
	}
	free(path);
}

/* Refuse to write as root into the home of another user: that user's agent
 * could not change the file later. */
static int check_owner(const struct setup_file *f, struct err *e)
{
	char *home = mem_strdup(f->path);
	struct stat st;
	int r = 0;

	home[f->base] = '\0';
	if (geteuid() == 0 && stat(home, &st) == 0 && st.st_uid != 0)
		r = err_set(e, ERR_DATA,
			    "refusing '%s': its owner is another user; run "
			    "this as that user",
			    f->path);
	free(home);
	return r;
}

int setup_apply(const struct setup *s, const struct setup_file *f,
		struct err *e)
{
	char *folder, *name;
	int dir, lock, r = resolve(s, f, &folder, &name, e);

	if (!r && !s->project)
		r = check_owner(f, e);
	if (!r)
		r = file_make_path(folder, s->project ? 0777 : 0700, &dir, e);
	if (!r) {
		r = lock_take(dir, folder, &lock, e);
		if (!r) {
			r = apply_in(s, f, dir, name, e);
			lock_release(dir, lock);
		}
		close(dir);
	}
	if (!r && f->gone)
		remove_folders(f);
	free(folder);
	free(name);
	return r;
}

enum setup_state setup_look(const struct agent *agent, bool project,
			    const char *argv0, struct err *why)
{
	enum setup_state state = SETUP_WHOLE;
	struct setup s;
	struct err none;
	bool any = false;

	if (setup_find(&s, agent, project, argv0, why) < 0 ||
	    setup_plan(&s, SETUP_PUT, why) < 0)
		state = SETUP_UNKNOWN;
	for (size_t i = 0; i < s.n && state != SETUP_UNKNOWN; i++) {
		struct setup_file *f = &s.files[i];
		struct buf without = {0};

		if (setup_changes(f))
			state = SETUP_OTHER;
		copy(&without, &f->was);
		if (config_drop(&without, &f->config, &none) == 0 &&
		    !buf_equal(&without, &f->was))
			any = true;
		buf_release(&without);
	}
	setup_release(&s);
	return state == SETUP_OTHER && !any ? SETUP_NONE : state;
}
