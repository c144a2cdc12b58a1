/* secret-gate.c: a map is checked as lines of `key: value`, since rules recognize a
 * password by its key.
 */
#include "store/secret-gate.h"

#include "store/change.h"
#include "text/secrets.h"

/* Return the rules of S, which are loaded at the first call. */
static struct secrets *secrets_of(struct store *s)
{
	struct change *c = change_of(s);

	if (!c->secrets)
		c->secrets = secrets_new();
	c->free_secrets = secrets_free;
	return c->secrets;
}

int secret_gate_text(struct store *s, const char *p, size_t len,
		     const char *was, size_t was_len, const char *where,
		     struct err *e)
{
	const struct change *c = change_of(s);
	struct err why;

	if (c->allow_secret || secrets_refuse(secrets_of(s), p, len, was,
					      was_len, where, &why) == 0)
		return 0;
	if (why.code != ERR_DATA || !c->has_allow_option)
		return err_take(e, &why);
	return err_set(e, ERR_DATA, "%s: use --allow-secret if it is not one",
		       why.text);
}

bool secret_gate_overruled(struct store *s, const char *p, size_t len)
{
	return change_of(s)->allow_secret &&
	       secrets_refuse(secrets_of(s), p, len, NULL, 0, NULL, NULL) < 0;
}

/* Append V, the value of KEY, as lines of `key: value`. */
static void add_lines(struct buf *out, const struct value *key,
		      const struct value *v)
{
	for (size_t i = 0; v->kind == VALUE_LIST && i < v->u.list.n; i++)
		add_lines(out, key, &v->u.list.items[i]);
	for (size_t i = 0; v->kind == VALUE_MAP && i < v->u.map.n; i++)
		add_lines(out, &v->u.map.pairs[i].key, &v->u.map.pairs[i].val);
	buf_add(out, key->u.s.p, key->u.s.len);
	if (v->kind == VALUE_STR || v->kind == VALUE_BIGINT) {
		buf_adds(out, ": ");
		buf_add(out, v->u.s.p, v->u.s.len);
	}
	buf_addc(out, '\n');
}

int secret_gate_map(struct store *s, const struct value *map, struct err *e)
{
	struct buf lines = {0};
	int r;

	for (size_t i = 0; i < map->u.map.n; i++)
		add_lines(&lines, &map->u.map.pairs[i].key,
			  &map->u.map.pairs[i].val);
	r = secret_gate_text(s, buf_str(&lines), lines.len, NULL, 0,
			     "frontmatter", e);
	buf_release(&lines);
	return r;
}
