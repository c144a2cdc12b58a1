/* cache.c: the numbers of documents, and damaged catalogs: with every seventh
 * byte flipped, and cut at every seventh length. With CO_MANY in the
 * environment: every byte and every length. */
#include "../expect.h"

#include "cache/cache.h"
#include "cache/write-hints.h"
#include "store/ids.h"
#include "store/save.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KNOWLEDGE ".co-cli/knowledge/"

static struct store store;
static struct err e;

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	expect(f && fputs(text, f) >= 0 && fclose(f) == 0, path);
}

static void write_memory(int id, const char *tag, const char *body)
{
	struct buf path = {0}, text = {0};

	buf_addf(&path, KNOWLEDGE "memories/%03d-m.md", id);
	buf_addf(&text,
		 "---\nid: %d\ncreated: 2026-02-09T14:30:00Z\ntags: [%s]\n"
		 "source: s\n---\n\n%s\n",
		 id, tag, body);
	write_file(path.p, text.p);
	buf_release(&path);
	buf_release(&text);
}

static void make_store(void)
{
	static const char *const folders[] = {
		".co-cli", KNOWLEDGE, KNOWLEDGE "memories", KNOWLEDGE "drafts",
		KNOWLEDGE "articles"};

	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		mkdir(folders[i], 0700);
	write_memory(1, "a, b", "the first");
	write_memory(2, "", "the second\n\nhas two paragraphs");
	write_file(KNOWLEDGE "memories/003-broken.md", "---\nid: 3\n---\nx\n");
	write_file(KNOWLEDGE "drafts/007-d.md",
		   "---\nid: 7\ncreated: 2026-02-09T14:30:00Z\n---\ndraft\n");
	write_file(KNOWLEDGE "articles/a.md",
		   "---\nsource: https://example.org/a\n"
		   "fetched: 2026-01-01T00:00:00Z\ntitle: A\n---\n"
		   "Before.\n\n# One\n\nFirst.\n\n## Two\n\nSecond.\n\n"
		   "```\n# no heading\n```\n");
	write_file(KNOWLEDGE "facts.md", "# Facts\n\n## Water\n\nIt is wet.\n");
}

static void open_store(void)
{
	if (store_open(&store, SCOPE_PROJECT, NULL, &e) < 0)
		expect(false, e.text);
}

static int say_doc(void *ctx, const struct view_doc *d)
{
	buf_addf(ctx, "%s|%s|%lld|%s|%zu|%s|%s|%u|%s\n",
		 strrchr(d->path, '/') + 1, d->title, (long long)d->id,
		 d->created, d->ntags, d->ntags ? d->tags : "",
		 d->source ? d->source : "-", (unsigned)d->order, d->text);
	return 0;
}

/* Append KEYS to OUT, and the values of three keys. */
static void say_keys(struct buf *out, const struct record_keys *keys)
{
	static const char *const names[] = {"expires", "scope", "late"};
	struct arena a = {0};
	struct value v;

	buf_addf(out, "%s%s", keys->json ? keys->json : "-",
		 keys->cut ? " and more" : "");
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const int r = record_keys_find(keys, names[i], &a, &v);

		buf_addf(out, " %s=", names[i]);
		if (r == 1)
			json_write_value(out, &v, NULL);
		else
			buf_adds(out, r ? "?" : "none");
	}
	buf_addc(out, '\n');
	arena_release(&a);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sort the lines of TEXT, since numbers may have changed. */
static void sort_lines(struct buf *text)
{
	struct buf sorted = {0};
	char *lines[64], *copy = buf_take(text), *p = copy;
	size_t n = 0;

	while (*p && n < ARRAY_LEN(lines)) {
		lines[n++] = p;
		p += strcspn(p, "\n");
		if (*p)
			*p++ = '\0';
	}
	qsort(lines, n, sizeof(*lines), by_text);
	for (size_t i = 0; i < n; i++)
		buf_addf(&sorted, "%s\n", lines[i]);
	free(copy);
	*text = sorted;
}

static int say_record(void *ctx, const struct record *r)
{
	buf_addf(ctx, "%lld %s %s ", (long long)r->id, r->created,
		 r->ntags ? r->tags[0] : "");
	say_keys(ctx, &r->keys);
	buf_add(ctx, r->content, r->content_len);
	buf_addc(ctx, '\n');
	return 0;
}

/* Append everything that a newly opened store returns. */
static void say_all(struct buf *out)
{
	struct buf docs = {0}, records = {0};
	int64_t id;
	int r;

	open_store();
	expect(store_each(&store, AREA_MEMORIES, say_record, &records, &e) == 0,
	       "memories are read");
	sort_lines(&records);
	expect(store_next_id(&store, &id, &e) == 0, "an id is found");
	buf_addf(&records, "next %lld\n", (long long)id);
	do {
		buf_cut(&docs, 0);
		r = cache_refresh(store.cache, REFRESH_DOCUMENTS | REFRESH_MAKE,
				  &e);
		expect(r == 1, "a refresh succeeds");
		if (r == 1)
			view_each(store.cache, 0, say_doc, &docs);
	} while (r == 1 && view_damaged(store.cache));
	sort_lines(&docs);
	buf_add(out, buf_str(&records), records.len);
	buf_add(out, buf_str(&docs), docs.len);
	buf_release(&records);
	buf_release(&docs);
	store_close(&store);
}

/* Return what say_all() must give, read without a cache. */
static char *all(void)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	char *was = cache ? mem_strdup(cache) : NULL;
	struct buf said = {0};

	setenv("XDG_CACHE_HOME", "/dev/null", 1);
	say_all(&said);
	if (was)
		setenv("XDG_CACHE_HOME", was, 1);
	else
		unsetenv("XDG_CACHE_HOME");
	free(was);
	expect(strstr(buf_str(&said), "next 8\n") &&
		       strstr(said.p, "\n001-m.md||1|2026-02-09T14:30:00Z|2|a|"
				      "s|0|the first\n") &&
		       strstr(said.p, "\na.md|A > One > Two|0|"
				      "2026-01-01T00:00:00Z|0||"
				      "https://example.org/a|2|Second.\n") &&
		       strstr(said.p, "\nfacts.md|Facts > Water|0||0||-|0|"
				      "It is wet.\n"),
	       "all documents are found");
	return buf_take(&said);
}

static char *catalog_path(void)
{
	struct buf path = {0};

	open_store();
	expect(cache_refresh(store.cache,
			     REFRESH_DOCUMENTS | REFRESH_IDS | REFRESH_MAKE,
			     &e) == 1 &&
		       view_kept(store.cache),
	       "a catalog is made");
	buf_addf(&path, "%s/files", view_folder_path(store.cache));
	store_close(&store);
	return buf_take(&path);
}

/* Wait some clock ticks, so that files just written are trusted without another
 * read. */
static void wait_ticks(void)
{
	nanosleep(&(struct timespec){0, 30000000}, NULL);
}

/* Make a catalog with commits, and wait until it trusts the files. */
static char *make_catalog(void)
{
	make_store();
	wait_ticks();
	free(catalog_path());
	write_memory(2, "", "the second\n\nhas two paragraphs");
	unlink(KNOWLEDGE "articles/b.md");
	free(catalog_path());
	wait_ticks();
	return catalog_path();
}

static void put(const char *path, const char *p, size_t len)
{
	FILE *f;

	unlink(path);
	umask(077);
	f = fopen(path, "w");
	expect(f && fwrite(p, 1, len, f) == len && fclose(f) == 0, path);
}

/* Check that documents that are returned without a look at the files are right:
 * WANT has a line for each. */
static void test_taken(const char *want, const char *what)
{
	struct buf said = {0};
	struct view_doc d;
	const char *source;

	open_store();
	if (cache_take(store.cache, 1)) {
		for (size_t i = 0; i < view_count(store.cache); i++) {
			if (view_head(store.cache, i, &d) != 1 ||
			    !view_source(store.cache, i, &source) ||
			    !view_find(store.cache, d.number, &d))
				continue;
			buf_cut(&said, 0);
			say_doc(&said, &d);
			/* Only first lines are compared, since WANT is
			 * sorted. */
			buf_cut(&said, strcspn(said.p, "\n"));
			expect(strstr(want, said.p), what);
		}
	}
	store_close(&store);
	buf_release(&said);
}

static size_t step(void)
{
	return getenv("CO_MANY") ? 1 : 7;
}

static void test_flips(void)
{
	char *path = make_catalog(), *want = all();
	struct buf was = {0}, said = {0};

	expect(file_read_path(path, 1 << 20, &was, &e) == 1, path);
	expect(was.len > 1000, "a catalog has some bytes");
	for (size_t i = 0; i < was.len && failures < 5; i += step()) {
		struct buf what = {0};

		was.p[i] = (char)(was.p[i] ^ (1 << i % 8));
		put(path, was.p, was.len);
		was.p[i] = (char)(was.p[i] ^ (1 << i % 8));
		buf_addf(&what, "byte %zu", i);
		test_taken(want, what.p);
		say_all(&said);
		expect_buf(&said, what.p, want);
		buf_release(&what);
	}
	buf_release(&was);
	buf_release(&said);
	free(path);
	free(want);
}

static void test_cuts(void)
{
	char *path = make_catalog(), *want = all();
	struct buf was = {0}, said = {0};

	expect(file_read_path(path, 1 << 20, &was, &e) == 1, path);
	for (size_t i = 0; i <= was.len && failures < 5; i += step()) {
		put(path, was.p, i);
		say_all(&said);
		expect_buf(&said, "a cut catalog", want);
	}
	/* Try a catalog with bytes after its end, too. */
	buf_add(&was, "comt, and what is no commit at all", 34);
	put(path, was.p, was.len);
	say_all(&said);
	expect_buf(&said, "a long catalog", want);
	buf_release(&was);
	buf_release(&said);
	free(path);
	free(want);
}

/* The numbers of the documents, in the order of their texts. */
struct numbers {
	uint32_t of[8];
	uint32_t last;
	uint64_t identity;
};

static int take_number(void *ctx, const struct view_doc *d)
{
	static const char *const texts[] = {"the first", "the second",
					    "Before.",	 "First.",
					    "Second.",	 "It is wet."};
	struct numbers *n = ctx;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (!strncmp(d->text, texts[i], strlen(texts[i])))
			n->of[i] = d->number;
	}
	return 0;
}

static struct numbers numbers(void)
{
	struct numbers n = {{0}, 0, 0};
	struct view_doc d;

	open_store();
	expect(cache_refresh(store.cache, REFRESH_DOCUMENTS | REFRESH_MAKE,
			     &e) == 1,
	       "a refresh succeeds");
	expect(view_kept(store.cache),
	       "the documents are written to the catalog");
	view_each(store.cache, 0, take_number, &n);
	for (size_t i = 0; i < 6; i++)
		n.last = n.of[i] > n.last ? n.of[i] : n.last;
	n.identity = view_identity(store.cache);
	for (size_t i = 0; i < 6; i++)
		expect(!n.of[i] || (view_find(store.cache, n.of[i], &d) &&
				    d.number == n.of[i]),
		       "a document is found by its number");
	expect(!view_find(store.cache, n.last + 1, &d),
	       "no document has another number");
	store_close(&store);
	return n;
}

static void test_numbers(void)
{
	struct numbers was, now;

	make_store();
	was = numbers();
	for (size_t i = 0; i < 6; i++)
		expect(was.of[i], "all documents are numbered");
	now = numbers();
	expect(!memcmp(&was, &now, sizeof(was)), "the numbers stay");

	/* Write the same text again, and another text. */
	write_memory(1, "a, b", "the first");
	write_memory(2, "tag", "the second\n\nhas two paragraphs");
	now = numbers();
	expect(now.of[0] == was.of[0],
	       "an unchanged document keeps its number");
	expect(now.of[1] > was.last, "a new tag makes a new document");

	was = now;
	write_file(KNOWLEDGE "articles/a.md",
		   "---\nsource: https://example.org/a\n"
		   "fetched: 2026-01-01T00:00:00Z\ntitle: A\n---\n"
		   "# New\n\nNew.\n\n# One\n\nFirst.\n\n## Two\n\n"
		   "Second. More.\n\n```\n# no heading\n```\n");
	now = numbers();
	expect(!now.of[2], "a removed section is not found");
	expect(now.of[3] == was.of[3], "a moved section keeps its number");
	expect(now.of[4] > was.last, "a changed section has a new number");

	was = now;
	unlink(KNOWLEDGE "articles/a.md");
	unlink(KNOWLEDGE "facts.md");
	now = numbers();
	expect(!now.of[3] && !now.of[4] && !now.of[5],
	       "sections go with their files");
	write_memory(3, "", "Second.");
	now = numbers();
	expect(now.of[4] > was.last && now.identity == was.identity,
	       "numbers are not used again");
}

/* Without the lock or without a directory, documents get temporary numbers. */
static void test_unkept(void)
{
	struct cache_dir other;
	struct buf said = {0};
	char *real;

	make_store();
	free(catalog_path());
	write_memory(9, "", "a new one");
	real = realpath(".co-cli/knowledge", NULL);
	expect(cache_dir_open(&other, real, false) == 1 &&
		       cache_dir_lock(&other, 0) == 1,
	       "another process has the lock");
	open_store();
	expect(!cache_lock(store.cache, 1), "the lock is refused");
	expect(cache_refresh(store.cache, REFRESH_DOCUMENTS, &e) == 1 &&
		       !view_kept(store.cache),
	       "nothing is written while another writer has the lock");
	expect(view_count(store.cache) == 7, "all documents are found");
	expect(view_each(store.cache, VIEW_GUESS - 1, say_doc, &said) == 0 &&
		       strstr(buf_str(&said), "009-m.md"),
	       "new documents are last");
	buf_release(&said);
	store_close(&store);
	cache_dir_close(&other);
	free(real);

	setenv("XDG_CACHE_HOME", "/dev/null", 1);
	open_store();
	expect(cache_refresh(store.cache, REFRESH_DOCUMENTS, &e) == 0,
	       "without a directory there is no cache");
	expect(cache_refresh(store.cache, REFRESH_DOCUMENTS | REFRESH_MAKE,
			     &e) == 1 &&
		       !view_kept(store.cache) && view_count(store.cache) == 7,
	       "REFRESH_MAKE makes a catalog in memory");
	store_close(&store);
}

static void test_notes(void)
{

	make_store();
	open_store();
	expect(cache_lock(store.cache, 100) == 1, "the lock is free");
	expect(cache_refresh(store.cache, REFRESH_DOCUMENTS | REFRESH_MAKE,
			     &e) == 1,
	       "a refresh succeeds");
	expect(cache_set_note(store.cache, VIEW_NOTE_INDEX, "abc", 3) == 0,
	       "a note is left");
	cache_unlock(store.cache);
	store_close(&store);
	open_store();
	expect(cache_refresh(store.cache, REFRESH_DOCUMENTS, &e) == 1 &&
		       !memcmp(view_note(store.cache, VIEW_NOTE_INDEX), "abc\0",
			       4),
	       "the note is found");
	expect(cache_set_note(store.cache, VIEW_NOTE_INDEX, "x", 1) < 0,
	       "no note is written without the lock");
	store_close(&store);
}

static int say_found(void *ctx, const struct record *r)
{
	return say_record(((void **)ctx)[0], r);
}

static int count_file(void *ctx, const struct layout_file *f, struct err *why)
{
	(void)f;
	(void)why;
	++*(size_t *)((void **)ctx)[1];
	return 0;
}

static void write_keyed(const char *name, int id, const char *keys)
{
	struct buf path = {0}, text = {0};

	buf_addf(&path, KNOWLEDGE "%s", name);
	buf_addf(&text,
		 "---\nid: %d\ncreated: 2026-02-09T14:30:00Z\n%s---\n# "
		 "H\n\n%s\n",
		 id, keys, name);
	write_file(path.p, text.p);
	buf_release(&path);
	buf_release(&text);
}

static int say_doc_keys(void *ctx, const struct view_doc *d)
{
	if (d->kind != VIEW_MEMORY) {
		buf_addf(ctx, "%s ", strrchr(d->path, '/') + 1);
		say_keys(ctx, &d->keys);
	}
	return 0;
}

/* Return the keys of each memory and section. */
static char *keys_now(void)
{
	struct buf said = {0};

	open_store();
	expect(store_each(&store, AREA_MEMORIES, say_record, &said, &e) == 0,
	       "memories are read");
	expect(cache_refresh(store.cache, REFRESH_DOCUMENTS | REFRESH_MAKE,
			     &e) == 1,
	       "a refresh succeeds");
	view_each(store.cache, 0, say_doc_keys, &said);
	store_close(&store);
	sort_lines(&said);
	return buf_take(&said);
}

static void write_all_keyed(void)
{
	struct buf large = {0};

	write_keyed("memories/021-x.md", 21,
		    "expires: 2027-01-01\nscope: [src/**, \"a \\\"b\"]\n"
		    "deep: {a: [1, {b: null}]}\n");
	buf_adds(&large, "expires: 2027-01-02\nbig: ");
	for (int i = 0; i < 1020; i++)
		buf_addc(&large, 'x');
	buf_adds(&large, "\nlate: true\n");
	write_keyed("memories/022-x.md", 22, large.p);
	write_keyed("memories/023-x.md", 23, "scope: .nan\ntitle: T\n");
	write_keyed("facts.md", 24, "late: 3\n");
	buf_release(&large);
}

/* Check the lines of SAID about the keyed documents. */
static void expect_keys(const char *said)
{
	static const char want[] =
		"21 2026-02-09T14:30:00Z  {\"expires\":\"2027-01-01\","
		"\"scope\":[\"src/**\",\"a \\\"b\"],"
		"\"deep\":{\"a\":[1,{\"b\":null}]}} expires=\"2027-01-01\" "
		"scope=[\"src/**\",\"a \\\"b\"] late=none\n"
		"22 2026-02-09T14:30:00Z  {\"expires\":\"2027-01-02\","
		"\"late\":true} and more expires=\"2027-01-02\" scope=? "
		"late=true\n"
		"23 2026-02-09T14:30:00Z  {\"title\":\"T\"} and more "
		"expires=? scope=? late=?\n"
		"24 2026-02-09T14:30:00Z  {\"expires\":\"2027-01-03\"} "
		"expires=\"2027-01-03\" scope=none late=none\n"
		"facts.md {\"id\":24,\"created\":\"2026-02-09T14:30:00Z\","
		"\"late\":3} expires=none scope=none late=3\n";
	struct buf got = {0};

	while (*said) {
		const size_t len = strcspn(said, "\n");

		if ((said[0] == '2' && said[1] >= '0' && said[1] <= '9') ||
		    !strncmp(said, "facts", 5)) {
			buf_add(&got, said, len);
			buf_addc(&got, '\n');
		}
		said += len + (said[len] == '\n');
	}
	expect_buf(&got, "the keys", want);
	buf_release(&got);
}

/* Keys of records read from files equal those from the catalog, also for a
 * memory that was just saved. */
static void test_keys(void)
{
	struct value_pair pairs[] = {
		{value_str("expires"), value_str("2027-01-03")}};
	struct value extra = {.kind = VALUE_MAP};
	const struct store_new new = {
		.content = "saved", .len = 5, .extra = &extra};
	const char *cache = getenv("XDG_CACHE_HOME");
	char *was = cache ? mem_strdup(cache) : NULL, *files, *made, *kept;
	struct record saved;
	struct arena a = {0};

	extra.u.map.pairs = pairs;
	extra.u.map.n = 1;
	make_store();
	write_all_keyed();
	wait_ticks();
	free(catalog_path());
	wait_ticks();
	free(catalog_path());
	open_store();
	expect(save_memory(&store, &new, &a, &saved, &e) == 0,
	       "a memory is saved");
	store_close(&store);
	made = keys_now();
	kept = keys_now();
	setenv("XDG_CACHE_HOME", "/dev/null", 1);
	files = keys_now();
	if (was)
		setenv("XDG_CACHE_HOME", was, 1);
	else
		unsetenv("XDG_CACHE_HOME");
	expect(!strcmp(made, files), "keys just read equal those of the files");
	expect(!strcmp(kept, files),
	       "keys from the catalog equal those of the files");
	expect_keys(files);
	free(was);
	free(files);
	free(made);
	free(kept);
	arena_release(&a);
}

/* Open a cache over a repository without a store, and append the memories to
 * SAID. MADE: the catalog must be new. */
static void say_repo(struct buf *said, bool made)
{
	size_t broken = 0;
	void *ctx[] = {said, &broken};
	struct repo repo;
	struct cache *cache;

	expect(repo_open(&repo, SCOPE_PROJECT, &e) == 0,
	       "a repository is opened");
	cache = cache_open(&repo);
	expect(cache_refresh(cache, REFRESH_MEMORIES | REFRESH_MAKE, &e) == 1,
	       "a cache needs no store");
	expect(view_news(cache)->made == made, "the catalog is made once");
	expect(view_each_record(cache, NULL, say_found, count_file, ctx, &e) ==
			       0 &&
		       broken == 1,
	       "broken files are passed to the other callback");
	cache_close(cache);
	repo_close(&repo);
	sort_lines(said);
}

static void test_repo(void)
{
	struct buf first = {0}, again = {0}, empty = {0};
	struct repo absent = {.fd = -1};
	struct cache *none = cache_open(&absent);

	expect(cache_refresh(none, REFRESH_MEMORIES | REFRESH_MAKE, &e) == 0,
	       "an absent repository has no catalog");
	cache_close(none);
	make_store();
	say_repo(&first, true);
	say_repo(&again, false);
	expect(strstr(first.p, "the first") && strstr(first.p, "the second"),
	       "memories are returned");
	expect_buf(&again, "read from the catalog", first.p);
	unlink(KNOWLEDGE "memories/001-m.md");
	unlink(KNOWLEDGE "memories/002-m.md");
	say_repo(&empty, false);
	expect(empty.len == 0, "removed memories are not returned");
	buf_release(&first);
	buf_release(&again);
	buf_release(&empty);
}

/* A reader that began before a save may have seen the new file and recorded it
 * with the old state of the directory. The save must then add nothing. */
static void test_seen(void)
{
	struct write_hints_slip slip;
	struct arena a = {0};
	struct buf text = {0}, was = {0}, now = {0};
	struct record r;
	int dir;

	make_store();
	wait_ticks();
	free(catalog_path());
	say_all(&was);
	open_store();
	dir = open(KNOWLEDGE "memories", O_RDONLY | O_DIRECTORY);
	write_hints_before(&slip, dir);
	expect(file_read(dir, "001-m.md", "", LAYOUT_FILE_MAX, &text, &e) ==
			       1 &&
		       store_find(&store, AREA_MEMORIES, "1", &a, &r, &e) == 1,
	       "the file is there");
	write_hints_after(store.cache, &slip, "memories", dir, "001-m.md", &r,
			  text.p, text.len);
	close(dir);
	store_close(&store);
	say_all(&now);
	expect_buf(&now, "a file that was already seen is recorded once",
		   was.p);
	buf_release(&text);
	buf_release(&was);
	buf_release(&now);
	arena_release(&a);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"a catalog with a flipped byte gives the right documents",
		 test_flips},
		{"a truncated catalog gives the right documents", test_cuts},
		{"documents are numbered once, and new ones above the old",
		 test_numbers},
		{"without the lock or a directory, documents are found, not "
		 "kept",
		 test_unkept},
		{"a note in the catalog persists", test_notes},
		{"a cache without a store returns what the files hold",
		 test_repo},
		{"a file that a reader saw during its save is recorded once",
		 test_seen},
		{"free keys from the catalog equal those from the file",
		 test_keys},
	};

	return unit_run_between(tests, ARRAY_LEN(tests), unit_enter_home, NULL);
}
