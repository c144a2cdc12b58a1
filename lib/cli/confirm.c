/* confirm.c: as review shows what is alike. */
#include "cli/confirm.h"

#include "base/utf8.h"
#include "cli/cli.h"
#include "porcelain/similar.h"
#include "sys/io.h"
#include "sys/terminal.h"

#include <sys/stat.h>
#include <unistd.h>

static const struct coloring *colors(void)
{
	static const struct coloring coloring;

	return terminal_has_colors(STDERR_FILENO) ? &coloring : NULL;
}

/* Say by which option those of the N HITS are replaced that say otherwise. */
static void say_replaces(const struct similar_hit *hits, size_t n)
{
	struct buf ids = {0};
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (hits[i].otherwise)
			buf_addf(&ids, "%s%s%lld", count++ ? "," : "",
				 hits[i].record->scope == SCOPE_GLOBAL ? "g"
								       : "",
				 (long long)hits[i].record->id);
	}
	if (count)
		cli_note("'co learn --replaces=%s' puts this in %s place",
			 ids.p, count > 1 ? "their" : "its");
	buf_release(&ids);
}

void confirm_saved(struct store *s, struct record *r, struct arena *a)
{
	struct err e;
	struct similar *all = cli_quiet
				      ? NULL
				      : similar_to_memories(s, r->content,
							    r->content_len, &e);
	struct similar_hit hits[SIMILAR_SHOWN];
	size_t n = 0,
	       found = all ? similar_find(all, r, hits, SIMILAR_SHOWN) : 0;
	struct buf text = {0};
	int64_t *ids = arena_alloc(a, sizeof(*ids) * SIMILAR_SHOWN);

	for (size_t i = 0; i < found; i++) {
		if (!hits[i].otherwise)
			continue;
		ids[n] = hits[i].record->id;
		hits[n++] = hits[i];
	}
	similar_show(&text, hits, n, colors());
	cli_flush();
	io_write(STDERR_FILENO, buf_str(&text), text.len);
	say_replaces(hits, n);
	r->otherwise = n ? ids : NULL;
	r->notherwise = n;
	buf_release(&text);
	similar_free(all);
}
