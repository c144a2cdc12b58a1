/* conversation-index.c: a row for each turn, under the number of its document;
 * above them one for each conversation, one for the whole, and one with the
 * ranges of turns of all conversations, for a short look.
 *
 * A writer holds the lock of the directory. It commits after each few MiB, so
 * that a killed one loses little, and the next one continues. Documents are
 * never changed: those of a turn that is gone lose their row and belong to no
 * conversation. If most documents are such, the index is made anew.
 *
 * A record that must be read anew, such as one that its agent rewrites, is
 * compared with the stored turns. These stay up to the first one that differs.
 */
#include "conversation/conversation-index.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define DIR_NAME "conversations"
#define NAME "conversations" /* of the database, see fts-file.h */
#define STAMP_NAME "conversations.stamp"
#define SEED UINT64_C(0xc0c0c0a71d3c5eed) /* of page checksums */

#define VERSION 1
#define ENTRIES ((int64_t)1 << 40) /* rows of conversations */
#define WHOLE ((int64_t)1 << 41)   /* the row of the whole */
#define RANGES (WHOLE + 1)	   /* the row of all ranges */
#define WAIT_MS 30000
#define COMMIT_BYTES ((size_t)8 * 1024 * 1024)
#define SETTLE_TURNS 2000 /* after so many new ones, the terms are merged */
#define DEAD_MIN 20000
#define CHECKED \
	((size_t)1024) /* bytes that are hashed, before the place and
				* at the start */

/* The row of the whole: this, and the databases. */
struct whole_row {
	uint32_t version, ndatabases;
};

/* The row of a conversation: this, its ranges, and five strings. */
struct entry_row {
	struct filestat st;
	struct transcript_place place;
	uint64_t head, tail;
	int64_t start, end;
	uint64_t turns, skipped, bytes;
	uint32_t nranges;
	uint8_t agent, state, has_start, indexed, request, unsure, unused[2];
};

enum role { ROLE_UNKNOWN, ROLE_USER, ROLE_ASSISTANT, ROLE_TOOL, ROLE_COMMAND };

static const char *const roles[] = {
	[ROLE_UNKNOWN] = NULL,
	[ROLE_USER] = TURN_USER,
	[ROLE_ASSISTANT] = TURN_ASSISTANT,
	[ROLE_TOOL] = TURN_TOOL,
	[ROLE_COMMAND] = TURN_ASSISTANT,
};

/* The row of a turn: this, and its text. */
struct turn_row {
	int64_t at; /* seconds; INT64_MIN: unknown */
	uint32_t entry, turn;
	uint8_t role, unused[7];
};

static int set_damage(struct err *e)
{
	return err_set(e, ERR_DATA, "the index of conversations is damaged");
}

/* Return what changes with the session S of a database. */
static struct filestat stat_stored(const struct session *s)
{
	return (struct filestat){.size = s->bytes,
				 .mtime = s->end.sec * INT64_C(1000000000) +
					  s->end.nsec};
}

/* Read the next string of a row. Return NULL at the end; "" is a string. */
static const char *next_string(const char **at, const char *end)
{
	const char *p = *at;
	const char *nul = p < end ? memchr(p, '\0', (size_t)(end - p)) : NULL;

	if (!nul)
		return NULL;
	*at = nul + 1;
	return p;
}

/* Return a copy of P in A, or NULL if it is "". */
static const char *copy_string(const char *p, struct arena *a)
{
	return *p ? arena_strdup(a, p) : NULL;
}

/* Fill ENTRY from its row, with strings in A; its ranges are malloced. Return
 * false if the row is malformed. */
static bool unpack_entry(struct conversation_entry *entry, const char *p,
			 size_t len, struct arena *a)
{
	const char *strings[5], *end = p + len;
	struct session *s = &entry->c.session;
	struct entry_row row;
	size_t bytes;

	*entry = (struct conversation_entry){.number = 0};
	if (len < sizeof(row))
		return false;
	memcpy(&row, p, sizeof(row));
	p += sizeof(row);
	bytes = row.nranges * sizeof(*entry->ranges);
	if (bytes > (size_t)(end - p) || row.agent >= TRANSCRIPT_TEXT ||
	    row.state > CONVERSATION_UNREADABLE)
		return false;
	entry->ranges = mem_alloc(bytes + 1);
	memcpy(entry->ranges, p, bytes);
	entry->nranges = entry->cap = row.nranges;
	p += bytes;
	for (size_t i = 0; i < ARRAY_LEN(strings); i++) {
		strings[i] = next_string(&p, end);
		if (!strings[i])
			return false;
	}
	s->path = arena_strdup(a, strings[0]);
	s->id = copy_string(strings[1], a);
	s->project = copy_string(strings[2], a);
	entry->c.first = copy_string(strings[3], a);
	entry->c.why = copy_string(strings[4], a);
	s->agent = (enum transcript_format)row.agent;
	s->start.sec = row.start;
	s->end.sec = row.end;
	s->has_start = row.has_start;
	s->bytes = row.bytes;
	entry->c.state = (enum conversation_state)row.state;
	entry->c.turns = (size_t)row.turns;
	entry->c.skipped = (size_t)row.skipped;
	entry->indexed = row.indexed;
	entry->request = row.request;
	entry->unsure = row.unsure;
	entry->st = row.st;
	entry->place = row.place;
	entry->place.state[PLACE_STATE - 1] = '\0';
	entry->head = row.head;
	entry->tail = row.tail;
	return true;
}

static int put_entry(struct conversation_index *ix,
		     struct conversation_entry *entry, struct err *e)
{
	const struct session *s = &entry->c.session;
	const char *const strings[] = {s->path, s->id, s->project,
				       entry->c.first, entry->c.why};
	const struct entry_row row = {
		.st = entry->st,
		.place = entry->place,
		.head = entry->head,
		.tail = entry->tail,
		.start = s->start.sec,
		.end = s->end.sec,
		.turns = entry->c.turns,
		.skipped = entry->c.skipped,
		.bytes = s->bytes,
		.nranges = (uint32_t)entry->nranges,
		.agent = (uint8_t)s->agent,
		.state = (uint8_t)entry->c.state,
		.has_start = s->has_start,
		.indexed = entry->indexed,
		.request = entry->request,
		.unsure = entry->unsure,
	};
	struct buf out = {0};
	int r;

	buf_add(&out, &row, sizeof(row));
	buf_add(&out, entry->ranges, entry->nranges * sizeof(*entry->ranges));
	for (size_t i = 0; i < ARRAY_LEN(strings); i++) {
		const char *p = strings[i] ? strings[i] : "";

		buf_add(&out, p, strlen(p) + 1);
	}
	r = fts_put(ix->db, ENTRIES + entry->number, out.p, out.len, e);
	buf_release(&out);
	return r;
}

static int put_whole(struct conversation_index *ix, struct fts *db,
		     struct err *e)
{
	const struct whole_row row = {.version = VERSION,
				      .ndatabases = (uint32_t)ix->ndatabases};
	struct buf out = {0};
	int r;

	buf_add(&out, &row, sizeof(row));
	buf_add(&out, ix->databases, ix->ndatabases * sizeof(*ix->databases));
	r = fts_put(db, WHOLE, out.p, out.len, e);
	buf_release(&out);
	return r;
}

/* Write the ranges of all conversations that can be found. */
static int put_ranges(struct conversation_index *ix, struct err *e)
{
	struct buf out = {0};
	int r;

	for (size_t i = 0; i < ix->n; i++) {
		const struct conversation_entry *entry = &ix->entries[i];
		const char *project = entry->c.session.project;
		const uint32_t head[] = {entry->number,
					 (uint32_t)entry->nranges};

		if (entry->request || !entry->nranges)
			continue;
		project = project ? project : "";
		buf_add(&out, project, strlen(project) + 1);
		buf_add(&out, head, sizeof(head));
		buf_add(&out, entry->ranges,
			entry->nranges * sizeof(*entry->ranges));
	}
	r = fts_put(ix->db, RANGES, buf_str(&out), out.len, e);
	buf_release(&out);
	return r;
}

static struct conversation_entry *find_entry(struct conversation_index *ix,
					     const char *path)
{
	struct table_look k = table_look(&ix->by_path, path, strlen(path), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(ix->entries[i].c.session.path, path))
			return &ix->entries[i];
	}
	return NULL;
}

static void add_entry(struct conversation_index *ix,
		      const struct conversation_entry *entry)
{
	const char *path = entry->c.session.path;

	table_put(&ix->by_path, path, strlen(path), 0, ix->n);
	*MEM_ADD(ix->entries, ix->n, ix->cap) = *entry;
}

static int load_entry(void *ctx, int64_t number, const void *p, size_t len)
{
	struct conversation_index *ix = ctx;
	struct conversation_entry entry;

	if (!unpack_entry(&entry, p, len, &ix->arena)) {
		free(entry.ranges);
		return 1;
	}
	entry.number = (uint32_t)(number - ENTRIES);
	add_entry(ix, &entry);
	return 0;
}

static void release_entries(struct conversation_index *ix)
{
	for (size_t i = 0; i < ix->n; i++)
		free(ix->entries[i].ranges);
	free(ix->entries);
	table_release(&ix->by_path);
	ix->entries = NULL;
	ix->n = ix->cap = 0;
	ix->by_path = (struct table){0};
}

static void forget_databases(struct conversation_index *ix)
{
	free(ix->databases);
	ix->databases = NULL;
	ix->ndatabases = 0;
}

/* Set the databases of IX from the LEN bytes of P, the row of the whole. Return
 * false if it is malformed. */
static bool unpack_whole(struct conversation_index *ix, const char *p,
			 size_t len)
{
	struct whole_row row;
	size_t bytes;

	if (len < sizeof(row))
		return false;
	memcpy(&row, p, sizeof(row));
	bytes = row.ndatabases * sizeof(*ix->databases);
	if (row.version != VERSION || len - sizeof(row) != bytes)
		return false;
	forget_databases(ix);
	ix->databases = mem_alloc(bytes + 1);
	memcpy(ix->databases, p + sizeof(row), bytes);
	ix->ndatabases = row.ndatabases;
	return true;
}

/* Load the rows of all conversations. Return 0, or -1. */
static int load_entries(struct conversation_index *ix, struct err *e)
{
	struct buf room = {0};
	int r = fts_get(ix->db, WHOLE, &room, e);

	release_entries(ix);
	if (r >= 0)
		r = r && unpack_whole(ix, buf_str(&room), room.len)
			    ? 0
			    : set_damage(e);
	buf_release(&room);
	if (r < 0)
		return -1;
	r = fts_each(ix->db, ENTRIES, WHOLE - 1, load_entry, ix, e);
	return r > 0 ? set_damage(e) : r;
}

/* Files. */

static struct fts_file file_of(const struct conversation_index *ix)
{
	return (struct fts_file){ix->dir.fd, ix->dir.path, NAME, SEED};
}

static void store_stamp(struct conversation_index *ix,
			const struct fts_stamp *stamp)
{
	const int fd = cache_dir_new(&ix->dir);

	if (fd < 0)
		return;
	cache_dir_put(&ix->dir, write(fd, stamp, sizeof(*stamp)) ==
						(ssize_t)sizeof(*stamp)
					? STAMP_NAME
					: NULL);
	close(fd);
}

/* Store the stamp of the current database. */
static void write_stamp(struct conversation_index *ix)
{
	const struct fts_file f = file_of(ix);
	struct fts_stamp stamp;

	if (f.dir >= 0 && ix->dir.locked &&
	    fts_file_stamp(&f, ix->total, &stamp) == 0)
		store_stamp(ix, &stamp);
}

static void read_stamp(const struct conversation_index *ix,
		       struct fts_stamp *stamp)
{
	struct stat st;
	int fd;

	*stamp = (struct fts_stamp){.boot = 0};
	if (!cache_dir_file(&ix->dir, STAMP_NAME, false, &fd, &st))
		return;
	if (read(fd, stamp, sizeof(*stamp)) != (ssize_t)sizeof(*stamp))
		*stamp = (struct fts_stamp){.boot = 0};
	close(fd);
}

/* Return true if the database is as a writer left it. Without the lock, one may
 * be writing: then each page is checked when it is read. */
static bool is_trusted(struct conversation_index *ix)
{
	const struct fts_file f = file_of(ix);
	enum fts_file_state state;
	struct fts_stamp left;

	read_stamp(ix, &left);
	if (ix->dir.locked)
		fts_file_roll_back(&f);
	state = fts_file_check(&f, &left, !ix->dir.locked, &ix->total);
	if (state == FTS_FILE_SOUND)
		write_stamp(ix);
	return state == FTS_FILE_SOUND || state == FTS_FILE_AS_LEFT;
}

/* Open the database if there is one that can be trusted. Return 1, 0 or -1. */
static int open_existing(struct conversation_index *ix, struct err *e)
{
	const struct fts_file f = file_of(ix);
	struct err why;
	int r;

	if (!is_trusted(ix))
		return 0;
	r = fts_file_open(&f, FTS_OPEN, &ix->db, &why);
	if (!r)
		r = load_entries(ix, &why);
	if (r < 0 && why.code != ERR_DATA)
		*e = why;
	else
		r = r < 0 ? 0 : 1;
	if (r != 1) {
		fts_close(ix->db);
		ix->db = NULL;
		release_entries(ix);
	}
	return r;
}

/* Write the first rows of a new database DB. */
static int fill_new(void *ctx, struct fts *db, struct err *e)
{
	struct conversation_index *ix = ctx;

	return fts_make_rows(db, e) < 0 || fts_begin(db, e) < 0 ||
			       put_whole(ix, db, e) < 0 || fts_commit(db, e) < 0
		       ? -1
		       : 0;
}

/* Close the database and forget what was read from it. */
static void drop_database(struct conversation_index *ix)
{
	fts_close(ix->db);
	ix->db = NULL;
	release_entries(ix);
	forget_databases(ix);
}

/* Make an empty database, in place of an old one. The caller holds the lock. */
static int make_database(struct conversation_index *ix, struct err *e)
{
	const struct fts_file f = file_of(ix);
	struct fts_stamp stamp;

	drop_database(ix);
	if (fts_file_make(&f, fill_new, ix, &stamp, e) < 0)
		return -1;
	ix->total = stamp.total;
	store_stamp(ix, &stamp);
	return fts_file_open(&f, FTS_OPEN, &ix->db, e);
}

static int open_in_memory(struct conversation_index *ix, struct err *e)
{
	if (fts_open(&ix->db, FTS_MEMORY, NULL, SEED, e) < 0)
		return -1;
	return fill_new(ix, ix->db, e);
}

/* Bringing it up to date. */

struct update {
	struct conversation_index *ix;
	const struct conversation_index_ask *ask;
	struct listing_dirs dirs;
	struct terms terms;
	struct fts_made made;
	struct buf row, old;
	size_t pending;	      /* bytes of text since the last commit */
	size_t added;	      /* turns */
	uint64_t done, to_do; /* bytes of records */
	struct conversation_database *databases; /* found now */
	size_t ndatabases, database_cap;
	bool listed; /* one of them was read for its sessions */

	/* The conversation that is read. */
	struct conversation_entry *entry;
	size_t range, in_range; /* the next stored turn to compare */
	bool comparing;
};

static uint32_t role_of(const struct conversation_turn *t)
{
	if (t->tool)
		return ROLE_COMMAND;
	for (uint32_t i = ROLE_USER; i <= ROLE_TOOL; i++) {
		if (t->role && !strcmp(t->role, roles[i]))
			return i;
	}
	return ROLE_UNKNOWN;
}

static void pack_turn(struct update *u, const struct conversation_turn *t)
{
	struct turn_row row = {.at = INT64_MIN,
			       .entry = u->entry->number,
			       .turn = (uint32_t)t->number,
			       .role = (uint8_t)role_of(t)};
	struct instant at;

	if (t->at && instant_parse(t->at, strlen(t->at), &at))
		row.at = at.sec;
	buf_cut(&u->row, 0);
	buf_add(&u->row, &row, sizeof(row));
	buf_add(&u->row, t->text,
		utf8_cut(t->text, t->len, CONVERSATION_TEXT_MAX));
}

/* Remove the stored turns of the conversation from the next one on. */
static int drop_rest(struct update *u, struct err *e)
{
	struct conversation_entry *entry = u->entry;
	int r = 0;

	u->comparing = false;
	for (size_t i = u->range; i < entry->nranges && !r; i++) {
		const size_t from = i == u->range ? u->in_range : 0;
		const struct conversation_range *g = &entry->ranges[i];

		r = fts_drop(u->ix->db, (int64_t)g->first + (int64_t)from,
			     (int64_t)g->first + g->n - 1, e);
	}
	if (u->range < entry->nranges && u->in_range) {
		entry->ranges[u->range].n = (uint32_t)u->in_range;
		u->range++;
	}
	if (u->range < entry->nranges)
		entry->nranges = u->range;
	return r;
}

/* Return 1 if the packed turn is the next one that is stored, 0 or -1. */
static int is_stored(struct update *u, struct err *e)
{
	const struct conversation_entry *entry = u->entry;
	int r;

	if (!u->comparing || u->range == entry->nranges)
		return 0;
	r = fts_get(u->ix->db,
		    (int64_t)entry->ranges[u->range].first +
			    (int64_t)u->in_range,
		    &u->old, e);
	if (r <= 0)
		return r;
	if (u->old.len != u->row.len ||
	    memcmp(u->old.p, u->row.p, u->row.len) != 0)
		return 0;
	if (++u->in_range == entry->ranges[u->range].n) {
		u->range++;
		u->in_range = 0;
	}
	return 1;
}

static void add_number(struct conversation_entry *entry, uint32_t number)
{
	struct conversation_range *last =
		entry->nranges ? &entry->ranges[entry->nranges - 1] : NULL;

	if (last && last->first + last->n == number) {
		last->n++;
		return;
	}
	*MEM_ADD(entry->ranges, entry->nranges, entry->cap) =
		(struct conversation_range){number, 1};
}

static int index_turn(void *ctx, const struct conversation_turn *t,
		      struct err *e)
{
	struct update *u = ctx;
	struct fts *db = u->ix->db;
	const uint32_t number = (uint32_t)fts_lengths(db)->n + 1;
	struct fts_doc doc = {.ntags = 0};
	int r;

	if (!t->len)
		return 0;
	pack_turn(u, t);
	r = is_stored(u, e);
	if (r)
		return r < 0 ? -1 : 0;
	if (u->comparing && drop_rest(u, e) < 0)
		return -1;
	doc.text = u->row.p + sizeof(struct turn_row);
	doc.text_len = u->row.len - sizeof(struct turn_row);
	fts_make(&u->made, &u->terms, &doc);
	if (fts_add(db, number, &u->made, e) < 0 ||
	    fts_put(db, number, u->row.p, u->row.len, e) < 0)
		return -1;
	add_number(u->entry, number);
	u->pending += u->row.len;
	u->added++;
	progress_step(u->ask->progress, "MiB of conversations",
		      (size_t)(u->done >> 20), (size_t)(u->to_do >> 20));
	return 0;
}

static int commit(struct update *u, struct err *e)
{
	u->pending = 0;
	if (fts_commit(u->ix->db, e) < 0)
		return -1;
	return fts_begin(u->ix->db, e);
}

/* Hash up to CHECKED bytes at the start of the record of ENTRY, and before its
 * place. Return false if it cannot be read. */
static bool hash_record(const struct conversation_entry *entry, uint64_t *head,
			uint64_t *tail)
{
	const uint64_t at = entry->place.offset;
	const size_t n = at < CHECKED ? (size_t)at : CHECKED;
	char bytes[CHECKED];
	bool good;
	const int fd = file_open(AT_FDCWD, entry->c.session.path,
				 O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);

	good = fd >= 0 && pread(fd, bytes, n, 0) == (ssize_t)n;
	*head = good ? hash_bytes(bytes, n, at) : 0;
	good = good && pread(fd, bytes, n, (off_t)(at - n)) == (ssize_t)n;
	*tail = good ? hash_bytes(bytes, n, at) : 0;
	file_close(fd);
	return good;
}

/* Return true if the record of ENTRY, whose stat is ST, only grew. */
static bool only_grew(const struct conversation_entry *entry,
		      const struct filestat *st)
{
	uint64_t head, tail;

	return entry->place.offset && entry->st.ino == st->ino &&
	       st->size >= entry->place.offset &&
	       hash_record(entry, &head, &tail) && head == entry->head &&
	       tail == entry->tail;
}

/* Read the turns of u->entry: the new ones if GROWN, else all. Return as
 * conversation_each(). */
static int read_turns(struct update *u, bool grown, struct err *e)
{
	struct conversation_entry *entry = u->entry;
	struct conversation_reading how = {.secrets = u->ix->secrets,
					   .place = &entry->place,
					   .fn = index_turn,
					   .ctx = u};

	u->range = u->in_range = 0;
	u->comparing = !grown;
	if (grown)
		how.counted = entry->c.turns;
	else
		entry->place = (struct transcript_place){0};
	return conversation_each(&entry->c, &how, &u->ix->arena, e);
}

/* Bring the turns of u->entry up to date. */
static int read_entry(struct update *u, struct err *e)
{
	struct conversation_entry *entry = u->entry;
	const struct conversation was = entry->c;
	const int64_t sure = filestat_sure(AT_FDCWD);
	const bool database = listing_mark(&entry->c.session);
	struct filestat now = entry->st;
	bool grown = false;
	struct stat st;
	struct err why;
	int r = 2;

	if (!database && stat(entry->c.session.path, &st) == 0) {
		now = filestat_of(&st);
		grown = entry->indexed && only_grew(entry, &now);
	}
	if (grown)
		r = read_turns(u, true, e);
	if (r == 2)
		r = read_turns(u, grown = false, e);
	if (r < 0)
		return -1;
	entry->changed = true;
	if (conversation_fault(&entry->c, &why))
		err_report(u->ask->report, &why);
	if (entry->c.state == CONVERSATION_UNREADABLE) {
		/* Its turns stay, and it is tried again. */
		entry->c.turns = was.turns;
		entry->c.first = was.first;
		entry->place = (struct transcript_place){0};
		entry->st = (struct filestat){.ino = 0};
		return 0;
	}
	if (u->comparing && drop_rest(u, e) < 0)
		return -1;
	entry->st = now;
	entry->unsure = !database && !filestat_is_sure(&now, sure);
	entry->indexed = true;
	if (entry->place.offset &&
	    !hash_record(entry, &entry->head, &entry->tail))
		entry->place = (struct transcript_place){0};
	return 0;
}

static bool is_wanted(const struct update *u, const struct session *s)
{
	return u->ask->all || listing_is_ours(s, &u->dirs);
}

/* Set the stats of D, at PATH, from ST. */
static void stat_database(struct conversation_database *d, const char *path,
			  const struct stat *st)
{
	struct buf log = {0};
	struct stat wal;

	*d = (struct conversation_database){
		.key = hash_bytes(path, strlen(path), 0),
		.st = {filestat_of(st)}};
	buf_addf(&log, "%s-wal", path);
	if (stat(log.p, &wal) == 0)
		d->st[1] = filestat_of(&wal);
	buf_release(&log);
}

/* Return true if the N databases of ALL have D as it is. */
static bool has_database(const struct conversation_database *all, size_t n,
			 const struct conversation_database *d)
{
	for (size_t i = 0; i < n; i++) {
		if (all[i].key == d->key &&
		    filestat_same(&all[i].st[0], &d->st[0]) &&
		    filestat_same(&all[i].st[1], &d->st[1]))
			return true;
	}
	return false;
}

/* Return true if the session of ENTRY is in the database at PATH. */
static bool is_stored_in(const struct conversation_entry *entry,
			 const char *path)
{
	const size_t len = strlen(path);
	const char *own = entry->c.session.path;

	return !strncmp(own, path, len) &&
	       listing_mark(&entry->c.session) == own + len;
}

/* Return true if the database at PATH, whose stat is ST, did not change since all
 * its wanted sessions were read. */
static bool is_database_known(void *ctx, const char *path,
			      const struct stat *st)
{
	struct update *u = ctx;
	struct conversation_index *ix = u->ix;
	struct conversation_database d;
	bool known;

	stat_database(&d, path, st);
	known = has_database(ix->databases, ix->ndatabases, &d);
	for (size_t i = 0; i < ix->n && known; i++) {
		const struct conversation_entry *entry = &ix->entries[i];

		known = entry->indexed || !is_stored_in(entry, path) ||
			!is_wanted(u, &entry->c.session);
	}
	for (size_t i = 0; i < ix->n && known; i++) {
		if (is_stored_in(&ix->entries[i], path))
			ix->entries[i].seen = true;
	}
	d.all = !known;
	u->listed = u->listed || !known;
	*MEM_ADD(u->databases, u->ndatabases, u->database_cap) = d;
	return known;
}

/* See struct sessions. A record of another project need not be looked at. */
static bool is_known(void *ctx, const char *path, const struct stat *st)
{
	struct update *u = ctx;
	struct conversation_entry *entry;
	struct filestat now;

	entry = find_entry(u->ix, path);
	if (!entry)
		return false;
	if (!is_wanted(u, &entry->c.session) && entry->c.session.project)
		return true;
	now = filestat_of(st);
	return entry->indexed && !entry->unsure &&
	       filestat_same(&now, &entry->st);
}

/* Add the session S to the index, or update its row. Return its entry. */
static struct conversation_entry *note_session(struct update *u,
					       const struct session *s)
{
	struct conversation_index *ix = u->ix;
	struct conversation_entry *entry = find_entry(ix, s->path), new;
	const struct filestat now = stat_stored(s);
	struct stat st;

	if (entry && s->known)
		return entry;
	if (!entry) {
		new = (struct conversation_entry){.c.session = *s};
		new.number = ix->n ? ix->entries[ix->n - 1].number + 1 : 1;
		add_entry(ix, &new);
		entry = &ix->entries[ix->n - 1];
		entry->changed = true;
	} else {
		entry->c.session = *s;
	}
	entry->request = s->maybe_request && listing_is_request(s);
	if (entry->request) {
		entry->indexed = entry->changed = true;
		if (stat(s->path, &st) == 0)
			entry->st = filestat_of(&st);
	}
	if (listing_mark(s) && !entry->request &&
	    !filestat_same(&now, &entry->st)) {
		entry->st = now;
		entry->indexed = false;
	}
	return entry;
}

/* Return the number of bytes of ENTRY that must be read. */
static uint64_t bytes_to_read(const struct conversation_entry *entry)
{
	const uint64_t had = entry->indexed ? entry->place.offset : 0;

	return entry->c.session.bytes > had ? entry->c.session.bytes - had : 0;
}

/* Return true if the record of ENTRY, which was not found, is gone. */
static bool is_gone(const struct update *u,
		    const struct conversation_entry *entry)
{
	const char *path = entry->c.session.path;
	const char *mark = listing_mark(&entry->c.session);
	struct arena a = {0};
	uint64_t key;
	size_t len;
	bool gone;

	if (!mark)
		return file_is_gone(AT_FDCWD, path, true);
	len = (size_t)(mark - path);
	key = hash_bytes(path, len, 0);
	for (size_t i = 0; i < u->ndatabases; i++) {
		if (u->databases[i].key == key && u->databases[i].all)
			return true;
	}
	gone = file_is_gone(AT_FDCWD, arena_copy(&a, path, len), true);
	arena_release(&a);
	return gone;
}

/* Note all sessions. Set `wanted` and `gone` of all entries, and TO_READ, by
 * position. */
static void note_sessions(struct update *u, const struct sessions *found,
			  bool **to_read)
{
	struct conversation_index *ix = u->ix;

	for (size_t i = 0; i < found->n; i++)
		note_session(u, &found->items[i])->seen = true;
	*to_read = mem_alloc(ix->n + 1);
	for (size_t i = 0; i < found->n; i++) {
		const struct session *s = &found->items[i];
		struct conversation_entry *entry = find_entry(ix, s->path);

		if (s->known || entry->request ||
		    !is_wanted(u, &entry->c.session) ||
		    (listing_mark(s) && entry->indexed))
			continue;
		(*to_read)[entry - ix->entries] = true;
		u->to_do += bytes_to_read(entry);
	}
	for (size_t i = 0; i < ix->n; i++) {
		struct conversation_entry *entry = &ix->entries[i];

		entry->wanted = is_wanted(u, &entry->c.session);
		entry->gone = !entry->seen && is_gone(u, entry);
	}
}

/* Remove ENTRY from the database. */
static int drop_entry(struct update *u, struct conversation_entry *entry,
		      struct err *e)
{
	u->entry = entry;
	u->range = u->in_range = 0;
	entry->wanted = entry->changed = false;
	if (drop_rest(u, e) < 0)
		return -1;
	entry->nranges = 0;
	return fts_drop(u->ix->db, ENTRIES + entry->number,
			ENTRIES + entry->number, e);
}

/* Read the conversations that TO_READ names, and remove those that are gone. */
static int update_entries(struct update *u, const bool *to_read, struct err *e)
{
	struct conversation_index *ix = u->ix;
	int r = 0;

	for (size_t i = 0; i < ix->n && !r; i++) {
		struct conversation_entry *entry = &ix->entries[i];
		const uint64_t bytes = bytes_to_read(entry);

		u->entry = entry;
		if (entry->gone) {
			r = drop_entry(u, entry, e);
			continue;
		}
		if (to_read[i]) {
			r = read_entry(u, e);
			u->done += bytes;
		}
		if (!r && entry->changed)
			r = put_entry(ix, entry, e);
		if (!r && u->pending >= COMMIT_BYTES)
			r = commit(u, e);
	}
	return r;
}

/* Find the sessions of all agents. */
static void find_sessions(struct update *u, struct sessions *found)
{
	const struct report *report = u->ask->report;
	struct err e;

	found->a = &u->ix->arena;
	found->report = report;
	found->is_known = is_known;
	found->is_known_database = is_database_known;
	found->ctx = u;
	for (enum transcript_format f = 0; f < TRANSCRIPT_TEXT; f++) {
		const size_t n = u->ndatabases;

		if (listing_add(found, f, u->dirs.path[0], &e) == 0)
			continue;
		err_report(report, &e);
		/* Some may lack: read them again, and drop none. */
		for (size_t i = n; i < u->ndatabases; i++)
			u->databases[i] = (struct conversation_database){0};
	}
}

/* Return true if something must be written. */
static bool has_changes(const struct update *u, const bool *to_read)
{
	const struct conversation_index *ix = u->ix;

	if (u->listed)
		return true;
	for (size_t i = 0; i < ix->n; i++) {
		if (to_read[i] || ix->entries[i].changed || ix->entries[i].gone)
			return true;
	}
	return false;
}

static int write_changes(struct update *u, const bool *to_read, struct err *e)
{
	struct conversation_index *ix = u->ix;

	if (fts_begin(ix->db, e) < 0 || update_entries(u, to_read, e) < 0)
		return -1;
	forget_databases(ix);
	ix->databases = u->databases;
	ix->ndatabases = u->ndatabases;
	u->databases = NULL;
	if (put_whole(ix, ix->db, e) < 0 || put_ranges(ix, e) < 0 ||
	    fts_commit(ix->db, e) < 0)
		return -1;
	return u->added >= SETTLE_TURNS ? fts_settle(ix->db, false, e) : 0;
}

/* Bring IX up to date. */
static int update(struct conversation_index *ix,
		  const struct conversation_index_ask *ask, struct err *e)
{
	struct update u = {.ix = ix, .ask = ask};
	struct sessions found = {.n = 0};
	bool *to_read = NULL;
	int r = listing_dirs(&u.dirs, NULL, &ix->arena, e);

	u.terms.index = true;
	if (!r) {
		find_sessions(&u, &found);
		note_sessions(&u, &found, &to_read);
		if (has_changes(&u, to_read)) {
			r = write_changes(&u, to_read, e);
			ix->total += fts_change(ix->db);
			if (!r)
				write_stamp(ix);
		}
	}
	free(to_read);
	free(u.databases);
	listing_release(&found);
	terms_release(&u.terms);
	fts_made_release(&u.made);
	buf_release(&u.row);
	buf_release(&u.old);
	return r;
}

/* Return true if most documents belong to no conversation. */
static bool is_mostly_dead(const struct conversation_index *ix)
{
	size_t live = 0, all = fts_lengths(ix->db)->n;

	for (size_t i = 0; i < ix->n; i++) {
		for (size_t k = 0; k < ix->entries[i].nranges; k++)
			live += ix->entries[i].ranges[k].n;
	}
	return all > 2 * live + DEAD_MIN;
}

/* Only mark which conversations are wanted. */
static int mark_wanted(struct conversation_index *ix,
		       const struct conversation_index_ask *ask, struct err *e)
{
	struct update u = {.ix = ix, .ask = ask};

	if (listing_dirs(&u.dirs, NULL, &ix->arena, e) < 0)
		return -1;
	for (size_t i = 0; i < ix->n; i++)
		ix->entries[i].wanted =
			is_wanted(&u, &ix->entries[i].c.session);
	return 0;
}

/* Open or make the database with the lock, and bring it up to date. */
static int open_locked(struct conversation_index *ix,
		       const struct conversation_index_ask *ask, struct err *e)
{
	int r = open_existing(ix, e);

	if (r < 0)
		return -1;
	if (!r || is_mostly_dead(ix)) {
		if (make_database(ix, e) < 0)
			return -1;
	}
	r = update(ix, ask, e);
	if (r < 0 && e->code == ERR_DATA) {
		/* It turned out to be damaged. */
		r = make_database(ix, e) < 0 ? -1 : update(ix, ask, e);
	}
	return r;
}

/* Read all conversations into a database in memory. */
static int read_into_memory(struct conversation_index *ix,
			    const struct conversation_index_ask *ask,
			    struct err *e)
{
	drop_database(ix);
	ix->in_memory = true;
	return open_in_memory(ix, e) < 0 ? -1 : update(ix, ask, e);
}

int conversation_index_open(struct conversation_index *ix,
			    const struct conversation_index_ask *ask,
			    struct err *e)
{
	int r;

	*ix = (struct conversation_index){.secrets = secrets_new()};
	if (!cache_dir_open(&ix->dir, DIR_NAME, true)) {
		r = read_into_memory(ix, ask, e);
	} else if (cache_dir_lock(&ix->dir, WAIT_MS)) {
		r = open_locked(ix, ask, e);
		cache_dir_unlock(&ix->dir);
		if (r < 0 && e->code == ERR_SYSTEM) /* as on a full disk */
			r = read_into_memory(ix, ask, e);
	} else {
		ix->behind = true;
		r = open_existing(ix, e);
		if (!r)
			r = err_set(e, ERR_BUSY,
				    "the index of conversations is locked by "
				    "another process");
		else if (r == 1)
			r = mark_wanted(ix, ask, e);
	}
	if (r < 0)
		conversation_index_close(ix);
	return r;
}

int conversation_index_look(struct conversation_index *ix)
{
	struct fts_file f;

	*ix = (struct conversation_index){.db = NULL};
	if (!cache_dir_open(&ix->dir, DIR_NAME, false))
		return 0;
	f = file_of(ix);
	if (fts_file_is_quiet(&f) &&
	    fts_file_open(&f, FTS_LOOK, &ix->db, NULL) == 0)
		return 1;
	conversation_index_close(ix);
	return 0;
}

int conversation_index_turn(struct conversation_index *ix, uint32_t number,
			    struct buf *room, struct conversation_stored *out,
			    struct err *e)
{
	struct turn_row row;
	const int r = fts_get(ix->db, number, room, e);

	if (r <= 0)
		return r;
	if (room->len < sizeof(row))
		return set_damage(e);
	memcpy(&row, room->p, sizeof(row));
	if (row.role >= ARRAY_LEN(roles))
		return set_damage(e);
	*out = (struct conversation_stored){
		.turn = row.turn,
		.role = roles[row.role],
		.command = row.role == ROLE_COMMAND,
		.has_at = row.at != INT64_MIN,
		.text = room->p + sizeof(row),
		.len = room->len - sizeof(row),
	};
	out->at.sec = out->has_at ? row.at : 0;
	return 1;
}

void conversation_index_load(struct conversation_index *ix)
{
	struct err e;

	if (conversation_index_look(ix) && load_entries(ix, &e) < 0)
		release_entries(ix);
}

bool conversation_index_knows(void *ctx, struct conversation *c)
{
	struct conversation_index *ix = ctx;
	const struct session *s = &c->session;
	const struct conversation_entry *entry = find_entry(ix, s->path);
	struct filestat now = stat_stored(s);
	struct stat st;

	if (!entry || !entry->indexed || entry->unsure)
		return false;
	if (!listing_mark(s)) {
		if (stat(s->path, &st) < 0)
			return false;
		now = filestat_of(&st);
	}
	if (!filestat_same(&now, &entry->st))
		return false;
	c->state = entry->c.state;
	c->why = entry->c.why;
	c->turns = entry->c.turns;
	c->skipped = entry->c.skipped;
	c->first = entry->c.first;
	return true;
}

int conversation_index_ranges(struct conversation_index *ix,
			      conversation_range_fn *fn, void *ctx,
			      struct err *e)
{
	struct conversation_range range;
	struct buf row = {0};
	uint32_t head[2]; /* the conversation, and its number of ranges */
	const char *at, *end, *project;
	int r = fts_get(ix->db, RANGES, &row, e);

	at = buf_str(&row);
	end = at + row.len;
	while (r == 1 && at < end) {
		project = next_string(&at, end);
		if (!project || (size_t)(end - at) < sizeof(head)) {
			r = set_damage(e);
			break;
		}
		memcpy(head, at, sizeof(head));
		at += sizeof(head);
		for (uint32_t i = 0; i < head[1] && at < end;
		     i++, at += sizeof(range)) {
			if ((size_t)(end - at) < sizeof(range)) {
				r = set_damage(e);
				break;
			}
			memcpy(&range, at, sizeof(range));
			fn(ctx, head[0], project, &range);
		}
	}
	buf_release(&row);
	return r < 0 ? -1 : 0;
}

void conversation_index_close(struct conversation_index *ix)
{
	drop_database(ix);
	cache_dir_close(&ix->dir);
	arena_release(&ix->arena);
	if (ix->secrets)
		secrets_free(ix->secrets);
	*ix = (struct conversation_index){.dir.fd = -1};
}

char *conversation_index_dir(void)
{
	struct cache_dir d;
	char *path;

	if (!cache_dir_open(&d, DIR_NAME, false))
		return NULL;
	path = mem_strdup(d.path);
	cache_dir_close(&d);
	return path;
}

int conversation_index_forget(struct err *e)
{
	return cache_dir_remove(DIR_NAME, e);
}
