/* co-learn: remember a text */
#include "agent/learned.h"
#include "base/utf8.h"
#include "cli/out.h"
#include "cli/stores.h"
#include "store/save.h"
#include "sys/editor.h"

static struct strings tags;
static bool global, always, force, json, allow_secret;
static const char *replaces, *source;

static const struct opt opts[] = {
	{OPT_LIST, 't', "tag", &tags, "TAG", NULL,
	 "give the memory TAG; may be given again"},
	{OPT_STR, 0, "source", &source, "SOURCE", NULL,
	 "where it comes from, instead of user-told"},
	{OPT_FLAG, 0, "global", &global, NULL, NULL,
	 "remember it in the user's store, for every project"},
	{OPT_FLAG, 0, "always", &always, NULL, NULL,
	 "add it to the context that every session loads"},
	{OPT_STR, 0, "replaces", &replaces, "ID", NULL,
	 "move the memory ID to the trash once this one is safe"},
	{OPT_FLAG, 0, "force", &force, NULL, NULL,
	 "save even what is remembered already"},
	{OPT_FLAG, 0, "allow-secret", &allow_secret, NULL, NULL,
	 "save even what looks like a secret"},
	{OPT_FLAG, 0, "json", &json, NULL, NULL,
	 "print the display text, path and id as JSON"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"[-t TAG]... [--source=SOURCE] [--global] [--replaces=ID] [--force] "
	"[--allow-secret] [--json] [TEXT...|-]",
	"--always [--global] [--allow-secret] [TEXT...|-]",
	NULL,
};

static const struct cmd cmd = {
	.name = "co-learn",
	.summary = "remember a text",
	.synopsis = synopsis,
	.operands = "[TEXT...|-]",
	.input = "the text, where no TEXT is given or it is -",
	.opts = opts,
};

static struct store store;

static int add_to_context(const struct buf *text, struct err *e)
{
	struct buf where = {0};
	int r = learned_add(&store, buf_str(text), text->len, &where, e);

	if (r < 0)
		return -1;
	cli_make_store(&store);
	cli_outf("%s\nLocation: %s\n",
		 r ? "✓ Every session will know it" : "Known already", where.p);
	return 0;
}

static int add_memory(const struct buf *text, struct err *e)
{
	const struct store_new new = {.content = buf_str(text),
				      .len = text->len,
				      .tags = tags.items,
				      .ntags = tags.n,
				      .source = source,
				      .replaces = replaces};
	struct arena a = {0};
	struct record r;
	int known = force ? save_memory(&store, &new, &a, &r, e)
			  : save_new(&store, &new, &a, &r, e);

	if (known >= 0) {
		cli_make_store(&store);
		out_saved(&r,
			  known ? "Already saved as memory" : "✓ Saved memory",
			  json);
		if (known == 1 && replaces)
			cli_note("nothing was replaced");
	}
	arena_release(&a);
	return known < 0 ? -1 : 0;
}

static int learn(const struct buf *text, struct err *e)
{
	return always ? add_to_context(text, e) : add_memory(text, e);
}

/* What was written in the editor; CTX, a bool, tells that it was something. */
static int learn_written(void *ctx, const struct buf *text, const char *path,
			 struct err *e)
{
	const char *p = buf_str(text);
	size_t len = text->len;

	(void)path;
	utf8_strip(&p, &len);
	*(bool *)ctx = len > 0;
	return len ? learn(text, e) : 0;
}

/* On a terminal, what the user writes in the editor is the text; it stays in
 * its file unless it is saved. */
static int learn_from_editor(void)
{
	struct buf nothing = {0};
	bool written = false;
	const struct editor ed = {.path = "memory.md",
				  .was = &nothing,
				  .max = STORE_FILE_MAX,
				  .use = learn_written,
				  .ctx = &written,
				  .note = cli_note};
	char *kept;
	struct err e;

	if (editor_edit(&ed, &kept, &e) < 0)
		cli_complain(&e);
	else if (!written)
		cli_note("nothing was written, nothing is saved");
	if (kept)
		cli_note("your text is kept in '%s'", kept);
	free(kept);
	return written ? ERR_NONE : ERR_NO;
}

static int learn_given(char **operands, int n)
{
	const bool input = !n || (n == 1 && !strcmp(operands[0], "-"));
	struct buf text = {0};
	struct err e;

	if (!input)
		cli_join(&text, operands);
	else if (file_read_path("-", STORE_FILE_MAX, &text, &e) < 0)
		cli_die(&e);
	if (learn(&text, &e) < 0)
		cli_die(&e);
	buf_release(&text);
	return ERR_NONE;
}

int main(int argc, char **argv)
{
	int n, status;
	char **operands = cli_start(&cmd, argc, argv, &n);

	if (always && (tags.n || replaces || source || force || json))
		cli_usage("--always goes with --global and "
			  "--allow-secret alone");
	/* What replaces a memory of the user's is one. */
	cli_open_store(&store,
		       global || cli_is_global(replaces, AREA_MEMORIES));
	store_allow_secret(&store, allow_secret);
	status = !n && cli_on_terminal() ? learn_from_editor()
					 : learn_given(operands, n);
	store_close(&store);
	return cli_finish(status);
}
