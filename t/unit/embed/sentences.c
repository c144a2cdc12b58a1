/* sentences.c: the sentence encoder gives equal vectors on every machine, and
 * refuses a damaged file. */
#include "embed/sentences.h"

#include "../expect.h"
#include "base/compat.h"
#include "base/hash.h"
#include "embed/wordpiece.h"

#define TEXTS 16 /* for each script */
#define WORDS 8

struct script {
	const char *name;
	const char *words[WORDS];
	uint64_t hash; /* of the vectors of all texts */
};

/* The hashes are valid for every kernel and machine. If the model changes, copy
 * the hashes that this program prints. */
static const struct script scripts[] = {
	{"Latin",
	 {"Remember", "the nightly", "backup", "café's", "doesn't", "v1.2-rc3",
	  "foo_bar(x)", "Übergrößenträger"},
	 UINT64_C(0x219AF8925D197183)},
	{"Cyrillic",
	 {"Запомни", "ночную", "копию", "данных", "ёлка", "и", "сервер",
	  "«базы»"},
	 UINT64_C(0x38B7C4644E20AF8F)},
	{"Greek",
	 {"Θυμήσου", "το", "αντίγραφο", "ασφαλείας", "της", "ΝΎΧΤΑΣ", "και",
	  "ἀρχή"},
	 UINT64_C(0xD5E2995ACDB81382)},
	{"Han",
	 {"記住", "夜间备份", "数据库", "服务器。", "的", "北京", "𠀀", "队列"},
	 UINT64_C(0x333BF6520FB5254C)},
	{"Kana",
	 {"バックアップ", "を", "おぼえて", "ガ", "が", "ください。",
	  "サーバー", "ー"},
	 UINT64_C(0x9A566AFC3CF23248)},
	{"Hangul",
	 {"기억해", "야간", "백업", "서버의", "데이터베이스", "와", "큐", "한"},
	 UINT64_C(0x9DD84B44770015FA)},
	{"Arabic",
	 {"تذكر", "النسخة", "الاحتياطية", "لَيْل", "قاعدة", "البيانات،", "و",
	  "خادم"},
	 UINT64_C(0x1D0C35AADB205B0A)},
	{"Hebrew",
	 {"זכור", "את", "הגיבוי", "הלילי", "של", "מסד", "הנתונים", "שָׁלוֹם"},
	 UINT64_C(0x3F118B63A73EA538)},
	{"Devanagari",
	 {"याद", "रखें", "रात", "का", "बैकअप", "सर्वर", "और", "डेटाबेस।"},
	 UINT64_C(0x0EA6B1F3EC194266)},
	{"Bengali",
	 {"মনে", "রেখো", "রাতের", "ব্যাকআপ", "সার্ভার", "ও", "তথ্য", "ভাণ্ডার"},
	 UINT64_C(0x9CDCCABC767D7DDB)},
	{"Tamil",
	 {"நினைவில்", "கொள்", "இரவு", "காப்பு", "சேவையகம்", "மற்றும்", "தரவு", "தளம்"},
	 UINT64_C(0x215052D7297D9CD6)},
	{"Thai",
	 {"จำไว้", "การสำรอง", "ข้อมูล", "ตอนกลางคืน", "เซิร์ฟเวอร์", "และ", "ฐาน",
	  "คิว"},
	 UINT64_C(0x51744BC45E654FD0)},
	{"Georgian",
	 {"დაიმახსოვრე", "ღამის", "ასლი", "სერვერის", "და", "მონაცემთა", "ბაზა",
	  "Ⴀ"},
	 UINT64_C(0xE8199C4C62CF9966)},
};

static struct buf path;
static struct buf text;

/* Set `text` to text I of the script S. */
static void make_text(const struct script *s, size_t i)
{
	buf_cut(&text, 0);
	for (size_t k = 0; k <= i % 4; k++)
		buf_addf(&text, "%s%s", k ? " " : "",
			 s->words[(i * 3 + k * k + k) % WORDS]);
}

static struct sentences *open_model(void)
{
	struct sentences *m;
	struct err e;

	if (sentences_open(path.p, &m, &e) < 1)
		unit_stop("cannot open the encoder", path.p);
	return m;
}

/* Return HASH with the vector of `text` added. */
static uint64_t hash_vector(struct sentences *m, uint64_t hash)
{
	float v[SENTENCES_DIMENSION];
	uint32_t b[SENTENCES_DIMENSION];
	struct err e;

	if (sentences_encode(m, buf_str(&text), text.len, v, &e) < 0)
		unit_stop("cannot encode", e.text);
	memcpy(b, v, sizeof(b));
	for (size_t i = 0; i < SENTENCES_DIMENSION; i++)
		b[i] = compat_le32(b[i]);
	return hash_bytes(b, sizeof(b), hash);
}

static void test_kernels(void)
{
	struct sentences *m = open_model();
	const struct transformer_kernel *k;

	for (size_t n = 0; (k = transformer_kernel(n)); n++) {
		sentences_set_kernel(m, k);
		for (size_t s = 0; s < ARRAY_LEN(scripts); s++) {
			uint64_t hash = 0;

			for (size_t i = 0; i < TEXTS; i++) {
				make_text(&scripts[s], i);
				hash = hash_vector(m, hash);
			}
			if (hash != scripts[s].hash)
				expect_failed("%s, %s: 0x%016llX",
					      sentences_kernel(m),
					      scripts[s].name,
					      (unsigned long long)hash);
		}
	}
	sentences_close(m);
}

static void repeat(const char *word, size_t n)
{
	buf_cut(&text, 0);
	for (size_t i = 0; i < n; i++)
		buf_adds(&text, word);
}

static void test_first_pieces(void)
{
	struct sentences *m = open_model();
	uint64_t long_one;

	repeat("memory ", 1000);
	long_one = hash_vector(m, 0);
	repeat("memory ", SENTENCES_PIECES);
	expect(hash_vector(m, 0) == long_one, "later pieces do not count");
	repeat("memory ", SENTENCES_PIECES - 1);
	expect(hash_vector(m, 0) != long_one, "the last allowed piece counts");
	sentences_close(m);
}

static void test_no_words(void)
{
	static const char *const none[] = {"", "  \n\t", "\x01\x02", "\xFF\xFE",
					   "\u200B\uFFFD"};
	struct sentences *m = open_model();
	float v[SENTENCES_DIMENSION];
	struct err e;

	for (size_t i = 0; i < ARRAY_LEN(none); i++) {
		v[0] = 1;
		expect(sentences_encode(m, none[i], strlen(none[i]), v, &e) ==
				       0 &&
			       v[0] == 0,
		       none[i]);
	}
	sentences_close(m);
}

/* Check that TEXT is split into the same pieces as by the reference. */
static void split(const struct wordpiece *w, const char *of, const char *want)
{
	uint16_t pieces[64];
	const size_t n = wordpiece_split(w, of, strlen(of), pieces, 64);
	struct buf got = {0};

	for (size_t i = 0; i < n; i++)
		buf_addf(&got, "%s%d", i ? " " : "", pieces[i]);
	expect_buf(&got, of, want);
	buf_release(&got);
}

static void test_pieces(void)
{
	struct buf file = {0};
	struct wordpiece w;
	uint32_t pieces, bytes;
	const size_t lines = 64;
	size_t at;
	FILE *f = fopen(path.p, "rb");

	buf_grow(&file, (size_t)1 << 20);
	if (!f || fread(file.p, 1, (size_t)1 << 20, f) < (size_t)1 << 20)
		unit_stop("cannot read", path.p);
	fclose(f);
	memcpy(&pieces, file.p + 12, 4);
	memcpy(&bytes, file.p + 16, 4);
	pieces = compat_le32(pieces);
	at = lines + (8 + (pieces + 63) / 64) * 8;
	wordpiece_init(&w,
		       (const unsigned char *)file.p +
			       (at + lines - 1) / lines * lines,
		       pieces, compat_le32(bytes));
	split(&w, "Remember the café's nightly back-ups!",
	      "3342 1996 7668 1005 1055 22390 2067 1011 11139 999");
	split(&w, "unbelievable foo_bar(x)",
	      "23653 29379 1035 3347 1006 1060 1007");
	split(&w, "ÉCOLE İstanbul straße ΑΣΣΟΣ",
	      "12431 9960 2358 27807 1155 29733 29733 29730 29733");
	split(&w, "記憶 が ガ 한국",
	      "100 100 1651 1700 1469 30006 30021 29991 30014 30020");
	split(&w, "«Привет», мир",
	      "1077 1194 16856 10325 25529 15290 22919 1090 1010 1191 10325 "
	      "16856");
	split(&w, "a​b\011c\001d", "11113 3729");
	repeat("x", 100);
	split(&w, text.p,
	      "22038 20348 20348 20348 20348 20348 20348 20348 20348 20348 "
	      "20348 20348 20348 20348 20348 20348 20348 20348 20348 20348 "
	      "20348 20348 20348 20348 20348 20348 20348 20348 20348 20348 "
	      "20348 20348 20348 20348 20348 20348 20348 20348 20348 20348 "
	      "20348 20348 20348 20348 20348 20348 20348 20348 20348 20348");
	repeat("x", 101);
	split(&w, text.p, "100");
	split(&w, "back back☃ backᚠ", "2067 100 100");
	split(&w, "日本語text", "1864 1876 1950 3793");
	split(&w, "[CLS] [UNK] ##ing # ##",
	      "1031 18856 2015 1033 1031 4895 2243 1033 1001 1001 13749 1001 "
	      "1001 1001");
	split(&w, "2026-02-09T14:30:00Z",
	      "16798 2575 1011 6185 1011 5641 2102 16932 1024 2382 1024 4002 "
	      "2480");
	split(&w, "שָׁלוֹם नमस्ते", "1266 29799 29792 29800 1327 29867 29874 29859");
	split(&w, "q̣̇uux 🙂 €5", "24209 5602 100 1574 2629");
	buf_release(&file);
}

/* Write the first LEN bytes of the file, with the byte at AT changed. */
static void damage(const char *bytes, size_t len, size_t at)
{
	FILE *f = fopen("damaged", "wb");

	if (!f || fwrite(bytes, 1, len, f) != len)
		unit_stop("cannot write", "damaged");
	if (at < len) {
		fseek(f, (long)at, SEEK_SET);
		fputc(bytes[at] ^ 0x55, f);
	}
	fclose(f);
}

/* Return the error of opening the damaged file and encoding a text, or "". */
static const char *complaint(void)
{
	static struct err e;
	struct sentences *m;
	float v[SENTENCES_DIMENSION];
	int r = sentences_open("damaged", &m, &e);

	if (r <= 0)
		return r ? e.text : "absent";
	r = sentences_encode(m, "cat", 3, v, &e);
	sentences_close(m);
	return r < 0 ? e.text : "";
}

static void test_damage(void)
{
	static const size_t places[] = {12,   24,      40,	60,	 64,
					5000, 200000,  500000,	600000,	 900000,
					0,    6000000, 1300000, 2600000, 0};
	FILE *f = fopen(path.p, "rb");
	struct buf b = {0};
	size_t n;

	buf_grow(&b, (size_t)16 << 20);
	n = f ? fread(b.p, 1, (size_t)16 << 20, f) : 0;
	if (!n)
		unit_stop("cannot read", path.p);
	fclose(f);
	damage(b.p, n, n);
	expect(!*complaint(), "an undamaged copy is accepted");
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		if (!places[i])
			continue;
		damage(b.p, n, places[i]);
		if (strcmp(complaint(), "'damaged' is damaged") != 0)
			expect_failed("byte %zu: %s", places[i], complaint());
	}
	damage(b.p, n, 0);
	expect(!strcmp(complaint(), "'damaged' has no encoder"), "magic");
	damage(b.p, n, 8);
	expect(!strcmp(complaint(), "'damaged' is of version 84, not 1"),
	       "version");
	for (size_t len = 0; len < n; len = len * 3 + 32) {
		damage(b.p, len, len);
		if (strcmp(complaint(), "'damaged' is damaged") != 0)
			expect_failed("%zu bytes: %s", len, complaint());
	}
	unlink("damaged");
	expect(!strcmp(complaint(), "absent"), "an absent file");
	buf_release(&b);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"texts in 13 scripts have equal vectors on every kernel",
		 test_kernels},
		{"only the first 254 pieces of a text count",
		 test_first_pieces},
		{"a text without words has no vector", test_no_words},
		{"texts are split into the pieces of the model's training",
		 test_pieces},
		{"a damaged file is an error and gives no vector", test_damage},
	};
	const char *source = getenv("CO_SOURCE");

	buf_addf(&path, "%s/contrib/models/minilm.bin", source ? source : ".");
	return unit_run(tests, ARRAY_LEN(tests));
}
