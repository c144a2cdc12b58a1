/* llm.c: see llm.h. */
#include "model/llm.h"

#include "model/chat.h"
#include "sys/dirs.h"
#include "sys/execpath.h"
#include "sys/file.h"
#include "sys/process.h"

#include <unistd.h>

#define PROGRAM "co-model-http"
#define CHECK_MS 2000
#define GRACE_MS 10000 /* so that its own message comes first */
#define WORDS_MAX 12
#define WORK_DIR "model" /* in the user's state directory; empty */

struct llm {
	struct helper helper;
	const char *name;
	const char **words;
	size_t n;
	bool http;
	char *work_dir; /* working directory of a command; or NULL */
	struct arena arena;
};

static void add_option(struct llm *l, const char *option, const char *value)
{
	if (*value)
		l->words[l->n++] =
			arena_printf(&l->arena, "--%s=%s", option, value);
}

static int open_http(struct llm *l, const struct settings *s, const char *argv0,
		     struct err *e)
{
	const char *model = settings_str(s, "llm.model");
	const char *url = settings_str(s, "llm.url");
	const char *file = settings_str(s, "llm.key_file");
	struct buf path = {0};
	const bool found = execpath_find(&path, PROGRAM, argv0);

	buf_release(&path);
	if (!found)
		return err_set(e, ERR_HELPER,
			       "no program '" PROGRAM "': this co was built "
			       "without libcurl");
	if (!*model)
		return err_set(e, ERR_HELPER,
			       "the setting 'llm.model' names no model");
	l->words = arena_alloc(&l->arena, WORDS_MAX * sizeof(*l->words));
	l->words[l->n++] = PROGRAM;
	l->words[l->n++] = "--api=chat";
	add_option(l, "protocol", settings_str(s, "llm.api"));
	add_option(l, "url", url);
	add_option(l, "model", model);
	if (*file)
		add_option(l, "key-file", file);
	else
		add_option(l, "key-env", settings_str(s, "llm.key_env"));
	add_option(l, "timeout-ms", settings_str(s, "llm.timeout_ms"));
	l->helper.timeout_ms += GRACE_MS;
	l->http = true;
	l->name = arena_printf(&l->arena, "%s at %s", model, url);
	return 0;
}

static int open_command(struct llm *l, const struct settings *s, struct err *e)
{
	const char *const *words = settings_words(s, "llm.command", &l->arena);
	struct buf name = {0};

	if (!words[0])
		return err_set(e, ERR_HELPER,
			       "the setting 'llm.command' names no program");
	while (words[l->n])
		l->n++;
	l->words = arena_alloc(&l->arena, (l->n + 2) * sizeof(*l->words));
	memcpy(l->words, words, l->n * sizeof(*words));
	for (size_t i = 0; i < l->n; i++)
		buf_addf(&name, "%s%s", i ? " " : "", words[i]);
	l->name = arena_strdup(&l->arena, buf_str(&name));
	buf_release(&name);
	return 0;
}

int llm_open(const struct settings *s, const char *argv0, struct llm **out,
	     struct err *e)
{
	const char *provider = settings_str(s, "llm.provider");
	struct llm *l;
	int r;

	if (!strcmp(provider, "none"))
		return 0;
	l = mem_alloc(sizeof(*l));
	l->helper.argv0 = argv0;
	l->helper.timeout_ms = (int)settings_int(s, "llm.timeout_ms");
	l->helper.max = CHAT_REPLY_MAX + 1;
	r = strcmp(provider, "http") ? open_command(l, s, e)
				     : open_http(l, s, argv0, e);
	l->helper.words = l->words;
	if (r < 0) {
		llm_close(l);
		return -1;
	}
	*out = l;
	return 1;
}

void llm_close(struct llm *l)
{
	if (!l)
		return;
	free(l->work_dir);
	arena_release(&l->arena);
	free(l);
}

const char *llm_name(const struct llm *l)
{
	return l->name;
}

/* Make the working directory of a command. In the project's directory, an agent
 * would record the request as a conversation of the project, and read its
 * files. */
static void make_work_dir(struct llm *l)
{
	struct buf path = {0};
	char *state;
	int dir;

	if (dirs_state(&state, NULL) == 0) {
		buf_addf(&path, "%s/" WORK_DIR, state);
		free(state);
	}
	if (path.len && file_make_path(path.p, 0700, &dir, NULL) == 0) {
		close(dir);
		l->work_dir = buf_take(&path);
	}
	buf_release(&path);
	l->helper.dir = l->work_dir ? l->work_dir : "/";
}

int llm_ask(struct llm *l, const struct buf *prompt, struct buf *reply,
	    struct err *e)
{
	if (!l->http && !l->helper.dir)
		make_work_dir(l);
	if (process_run_helper(&l->helper, prompt, reply, e) < 0)
		return -1;
	if (!reply->len)
		return err_set(e, ERR_HELPER, "'%s' gave no reply",
			       l->words[0]);
	return 0;
}

static int check_command(const struct llm *l, struct err *e)
{
	const char *name = l->words[0];
	struct buf path = {0};
	const bool found =
		*name == '/'
			? access(name, X_OK) == 0
			: !strchr(name, '/') &&
				  execpath_find(&path, name, l->helper.argv0);

	buf_release(&path);
	return found ? 0 : err_set(e, ERR_HELPER, "no program '%s'", name);
}

int llm_check(struct llm *l, struct err *e)
{
	const struct buf nothing = {0};
	struct buf out = {0};
	struct helper helper = l->helper;
	int r;

	if (!l->http)
		return check_command(l, e);
	l->words[l->n] = "--check";
	l->words[l->n + 1] =
		arena_printf(&l->arena, "--timeout-ms=%d", CHECK_MS);
	l->words[l->n + 2] = NULL;
	helper.timeout_ms = CHECK_MS + GRACE_MS;
	r = process_run_helper(&helper, &nothing, &out, e);
	l->words[l->n] = NULL;
	buf_release(&out);
	return r;
}

const char **llm_words(struct llm *l)
{
	return l->words;
}

bool llm_is_http(const struct llm *l)
{
	return l->http;
}
