/* scenarios.c: each scenario changes a store in one way, or reads it. */
#include "scenarios.h"

#define TWO                                                            \
	"echo 'alpha is the first' | co-memory-save -t one;"           \
	"echo 'beta is the second' | co-memory-save -t two --created=" \
	"2026-01-01T00:00:00Z;"
#define TEAM "echo '{\"format\":2,\"team\":true}' >.co-cli/settings.json;"
#define CONTEXT                                                       \
	"printf -- '---\\nversion: 1\\nupdated: 2026-01-01T00:00:00Z" \
	"\\n---\\n\\n# Learned\\n\\n- old\\n'"                        \
	" >.co-cli/knowledge/context.md;"
#define DOUBLE                                          \
	"cd .co-cli/knowledge/memories;"                \
	"sed 's/^alpha/gamma/' 001-*.md >001-gamma.md;" \
	"echo plain >plain.md; touch -d 2026-02-02 plain.md; cd ../../..;"
/* Three memories with one id, and a file that a person wrote. */
#define TRIPLE                                                         \
	"cd .co-cli/knowledge/memories;"                               \
	"for i in gamma delta; do sed -e \"s/^alpha/$i/\""             \
	" -e '/^created/s/2026/2027/' 001-alpha*.md >001-$i.md; done;" \
	"echo plain >plain.md; touch -d 2025-02-02 plain.md; cd ../../..;"
#define RICH                                                            \
	TWO CONTEXT "echo 'draft text' | co-memory-save --draft;"       \
		    "echo 'gone' | co-memory-save; co-memory-remove 4;" \
		    "echo 'everywhere' | co-memory-save --global;"      \
		    "echo 'Every session.' "                            \
		    ">~/.config/co-cli/knowledge/context.md;"           \
		    "echo '{\"recall\":{\"max_results\":3}}' "          \
		    ">.co-cli/settings.json;"

/* Settings of agents in a project, where the program is the same for all; and
 * these settings after a setup. */
#define AGENTS                                                    \
	TWO "echo '{\"a\": 1}' >.mcp.json; mkdir .claude .codex;" \
	    "echo '{\"hooks\": {}}' >.claude/settings.json;"      \
	    "printf 'model = 1' >.codex/config.toml;"
#define SET_UP                                                 \
	AGENTS "co-setup claude --project -y >/dev/null 2>&1;" \
	       "co-setup codex --project -y >/dev/null 2>&1;"  \
	       "printf '[x]\\n' >>.codex/config.toml;"
/* A session with two lines to remember. */
#define SESSION                                                           \
	RICH "echo '{\"hook.timeout_ms\": 60000}' "                       \
	     ">~/.config/co-cli/settings.json;"                           \
	     "for i in one two; do echo '{\"type\":\"user\",\"message\":" \
	     "{\"role\":\"user\",\"content\":\"remember: fact '$i'\"}}';" \
	     "done >session.jsonl;"

/* An expired memory, and one that is valid. */
#define PAST                                                       \
	TWO "sed -i '/^id/a archive: true\\nexpires: 2020-01-01' " \
	    ".co-cli/knowledge/memories/001-*.md;"                 \
	    "sed -i '/^id/a review-after: 2020-01-01' "            \
	    ".co-cli/knowledge/memories/00*.md;"

#define ITEMS                                                                \
	"echo '{\"facts\":[\"f1\",\"f2\"],\"tasks_open\":[\"t1\",\"t2\"]}' " \
	"| co-item-add --from=c;"

/* A model's answer to every question; and files of the first layout. */
#define UUID "-01234567-89ab-cdef-0123-456789abcdef"
#define MODEL                                                            \
	"mkdir -p ~/.config/co-cli/knowledge/prompts;"                   \
	"echo Take >~/.config/co-cli/knowledge/prompts/"                 \
	"harvest-conversation.md;"                                       \
	"for p in summarize-conversation merge-memories; do"             \
	" cp ~/.config/co-cli/knowledge/prompts/harvest-conversation.md" \
	" ~/.config/co-cli/knowledge/prompts/$p.md; done;"               \
	"echo '{\"llm.provider\": \"command\", \"llm.command\": "        \
	"[\"sh\", \"-c\", \"cat >/dev/null; cat ~/reply\"]}' "           \
	">~/.config/co-cli/settings.json;"                               \
	"echo '{\"facts\":[\"f1\",\"f2\"],\"tasks_open\":[\"t\"]}' >~/reply;"
#define CONVERSATION                                      \
	"mkdir -p first/conversations first/splits/gone;" \
	"echo one >first/conversations/a" UUID ";"        \
	"echo '{\"source_path\":\"/no/such\"}' "          \
	">first/splits/gone/index.json;"
/* A conversation with an agent; and more turns, after it was indexed. */
#define SAID(role, uuid, parent, text)                    \
	"printf '{\"type\":\"" role "\",\"uuid\":\"" uuid \
	"\",\"parentUuid\":\"" parent                     \
	"\",\"cwd\":\"%s\",\"message\":{\"role\":\"" role \
	"\",\"content\":\"" text "\"}}\\n' \"$PWD\""      \
	" >>~/.claude/projects/p/s.jsonl;"
#define SAID_FIRST                                                    \
	TWO "mkdir -p ~/.claude/projects/p;" SAID("user", "u1", "",   \
						  "which port is it") \
		SAID("assistant", "u2", "u1", "omega listens on 6380")
#define SAID_MORE                                                          \
	SAID_FIRST "co-recall --kind=conversation omega >/dev/null;" SAID( \
		"user", "u3", "u2", "and sigma")
#define LONG_LEDGER                                                       \
	"mkdir -p .co-cli/knowledge; x=$(printf %5000d 1 | tr ' ' x);"    \
	"for i in 1 2 3 4 5 6 7 8 9 a b c d e f; do echo \"\\\"$i\\\": "  \
	"{\\\"path\\\": \\\"/$x\\\", \\\"status\\\": \\\"too-large\\\", " \
	"\\\"deleted\\\": false},\"; done | "                             \
	"sed '1s/^/{\"entries\": {/; $s/,$/}}/' "                         \
	">.co-cli/knowledge/ledger.json;"
#define RECORD                                                      \
	"echo '{\"type\":\"user\",\"sessionId\":\"s\",\"message\":" \
	"{\"role\":\"user\",\"content\":\"hello\"}}' >session.jsonl;"
#define OTHERS                                                    \
	"echo '[{\"memory\":\"m1\"},{\"memory\":\"m2\"}]' >mem0;" \
	"co-item-add --from=c <~/reply; co-learn one >/dev/null;" \
	"co-export >../set; rm -r .co-cli; mv ../set set;"
/* Files of an older co. */
#define OLD                                                                  \
	"mkdir -p old/internal old/memories;"                                \
	"echo '{\"version\":\"1.0\",\"user\":{\"name\":\"Ada\"},"            \
	"\"project\":{\"patterns\":[\"Arenas\"]}}' "                         \
	">old/internal/context.json;"                                        \
	"echo '{\"a\":{\"value\":\"Arenas\",\"ttl\":\"2w\",\"pin\":true}}' " \
	">old/memories/project_insights.json;"
/* A page in a file, which is already an article if co-text-extract is built,
 * and its new text. */
#define PAGE "printf '# A page\\n\\nold text\\n' >page.md;"
/* A page that is too large for one article, and is stored as two. */
#define BOOK                                                              \
	"book() { for i in 1 2; do printf '# %s\\n\\n' $i; yes \"$1 "     \
	"$(printf %01000d 0)\" | head -c 600000; echo; done >book.md; };" \
	"book old;"
#define LEARNED                             \
	PAGE "CO_NOW=2026-01-01T00:00:00Z " \
	     "co-learn -y ./page.md >/dev/null 2>&1 || :;"
#define NEWER LEARNED "printf '# A page\\n\\nnew text\\n' >page.md;"

/* Web pages, if co-fetch and co-text-extract are built. web.c serves them, as
 * the user's proxy. */
#define WEB                                     \
	"mkdir -p ~/.config/co-cli;"            \
	"echo '{\"fetch.proxy\": \"'$WEB'\"}' " \
	">~/.config/co-cli/settings.json;"
#define FETCHED(url)                                         \
	WEB "printf '# A page\\n\\nold\\n' | "               \
	    "co-article-save --source=http://page.test/" url \
	    " --fetched=2026-01-01T00:00:00Z -t kept;"       \
	    "sed -i '/^sha256/d; /^tags/a etag: \"1\"' "     \
	    ".co-cli/knowledge/articles/*;"

/* An article. Its id has no meaning. */
#define ARTICLE                                                       \
	"echo text | co-article-save --source=https://example.org/a " \
	"--fetched=2026-01-01T00:00:00Z --title=A;"                   \
	"sed -i '/^title/a id: 700' .co-cli/knowledge/articles/a.md;"

/* A draft that was saved in the work tree before there was a git directory. The
 * next change moves it to the git directory. */
#define WAITING \
	"echo waiting | co-memory-save --draft; git init -q --template= "

/* A history that gives two drafts, and a guide that gives one. They go to the
 * work tree, where ids are counted, since the place in the git directory is
 * occupied. */
#define TOLD                                                                   \
	"git init -q --template= .; touch .git/co-cli;"                        \
	"git config user.name A; git config user.email a@example.org;"         \
	"printf '## Tests\\n\\n    make test\\n' >CONTRIBUTING.md; git add .;" \
	"export GIT_COMMITTER_DATE='1700000000 +0000';"                        \
	"export GIT_AUTHOR_DATE=\"$GIT_COMMITTER_DATE\";"                      \
	"printf 'x\\n\\nLearned: the socket stays open until its worker "      \
	"ends\\n"                                                              \
	"Decision: one queue for all, since it keeps the order\\n' |"          \
	" git commit -q -F -;"

/* A merge of two branches that stopped with a conflict. Git's own files differ
 * from run to run, so they are in a directory that is not compared. */
#define MERGING(ours, theirs)                                                  \
	TWO "mkdir ~/.cache; git init -q --separate-git-dir=$HOME/.cache/git;" \
	    "git config user.name A; git config user.email a@example.org;"     \
	    "git add .; git commit -qm base; git switch -qc side;"             \
	    "cd .co-cli/knowledge/memories;" theirs                            \
	    "git add .; git commit -qm side; git switch -q -;" ours            \
	    "git add .; git commit -qm main; git merge -q side >/dev/null "    \
	    "2>&1 || :; cd ../../..;"
/* A commit, and a server that stores the documents pushed to it. */
#define PROJECT "k3vq7m2xwz5rbd6hyn4t"
#define REMOTE                                                                 \
	TWO "echo '{\"format\":1,\"project\":{\"id\":\"" PROJECT "\"}}' "      \
	    ">.co-cli/settings.json; git init -q --template= .;"               \
	    "git config user.name A; git config user.email a@example.org;"     \
	    "export GIT_COMMITTER_DATE='1700000000 +0000';"                    \
	    "export GIT_AUTHOR_DATE=\"$GIT_COMMITTER_DATE\";"                  \
	    "git add .; git commit -qm a; mkdir -p ~/.config/co-cli ~/server;" \
	    "echo '{\"remote.command\": [\"sh\", \"'$HOME'/engine\"], "        \
	    "\"remote.projects\": [\"" PROJECT "=web\"]}' "                    \
	    ">~/.config/co-cli/settings.json;"                                 \
	    "echo 'cd ~/server && read -r line && cat >new || exit 6;"         \
	    "case $(tail -n 1 new) in *end*) mv new pushed;; *) rm new;; "     \
	    "esac;"                                                            \
	    "case $line in *push*) [ -e pushed ] || exit 6;; esac;"            \
	    "digest=${line#*digest\\\":\\\"}; digest=${digest%%\\\"*};"        \
	    "case $line in *push*) ;; *) digest=;; esac;"                      \
	    "printf \"{\\\"digest\\\":\\\"%s\\\",\\\"documents\\\":0}\\n\" "   \
	    "\"$digest\"; echo \"{\\\"ok\\\":true}\"' >~/engine;"
#define THIRD(text)                                                 \
	"printf -- '---\\nid: 3\\ncreated: 2026-01-01T00:00:00Z\\n" \
	"---\\n\\n" text "\\n' >003-third.md;"

/* The other side's memory of this number, replaced. */
#define REPLACED(number)                                              \
	"mkdir -p ../archive; git mv 00" number "-*.md ../archive;"   \
	"sed -i '/^id/a superseded: 9' ../archive/00" number "-*.md;" \
	"git add ..;"
/* A rule of the context, and a task. */
#define LISTS(text)                                                    \
	"printf -- '---\\nversion: 1\\n---\\n\\n- " text "\\n'"        \
	" >../context.md; printf -- '- [ ] " text "\\n' >../tasks.md;" \
	"git add ..;"

const struct scenario scenarios[] = {
	{"save, into a new store",
	 "",
	 {"co-memory-save"},
	 "hello there\n",
	 0,
	 ANSWER_LINES},
	{"article-save, into a new store",
	 "",
	 {"co-article-save", "--source=x"},
	 "# Title\n\nhello\n",
	 0,
	 ANSWER_LINES},
	{"article-save, replacing another",
	 "echo old | co-article-save --source=x --title=T; echo bin >file;",
	 {"co-article-save", "--source=x", "--attach=file"},
	 "new\n",
	 8,
	 ANSWER_KEPT},
	{"article-save, the same text",
	 "echo old | co-article-save --source=x "
	 "--fetched=2026-01-01T00:00:00Z",
	 {"co-article-save", "--source=x"},
	 "old\n",
	 0,
	 ANSWER_LINES},
	/* co learn URL runs this with the fetched page. */
	{"article-save of a page that was fetched",
	 "echo '{\"url\":\"https://example.org/a\",\"etag\":\"1\"}' >meta;"
	 "echo old | co-article-save --meta=meta --title=T -t kept;"
	 "echo '{\"url\":\"https://example.org/a\",\"etag\":\"2\"}' >meta;"
	 "echo '%PDF' >page",
	 {"co-article-save", "--extracted", "--split", "--meta=meta",
	  "--attach=page"},
	 "{\"title\":\"T\",\"sha256\":\"ab\",\"markdown\":\"new\\n\"}\n",
	 8,
	 ANSWER_KEPT},
	{"learn a file",
	 TWO PAGE,
	 {"co-learn", "-y", "./page.md"},
	 "",
	 0,
	 ANSWER_LINES},
	{"learn a file, replacing its old text",
	 NEWER,
	 {"co-learn", "-y", "./page.md"},
	 "",
	 8,
	 ANSWER_KEPT},
	/* Once the journal has it, the next command finishes it. */
	{"learn a file in parts",
	 BOOK,
	 {"co-learn", "-y", "./book.md"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"learn a file in parts, replacing the old ones",
	 BOOK "co-learn -y ./book.md >/dev/null 2>&1 || :; book new;",
	 {"co-learn", "-y", "./book.md"},
	 "",
	 8,
	 ANSWER_KEPT_HEALED},
	{"learn a page",
	 TWO WEB,
	 {"co-learn", "-y", "-t", "shell", "http://page.test/"},
	 "",
	 0,
	 ANSWER_LINES},
	{"learn a page, replacing its old text",
	 FETCHED(""),
	 {"co-learn", "-y", "http://page.test/"},
	 "",
	 8,
	 ANSWER_KEPT},
	{"learn an absent page",
	 TWO WEB,
	 {"co-learn", "-y", "http://page.test/gone"},
	 "",
	 0,
	 ANSWER_LINES},
	{"refresh of a page",
	 FETCHED(""),
	 {"co-refresh", "-y"},
	 "",
	 8,
	 ANSWER_KEPT},
	{"refresh of a page that did not change",
	 FETCHED("same"),
	 {"co-refresh"},
	 "",
	 0,
	 ANSWER_LINES},
	{"refresh of a removed page",
	 FETCHED("gone"),
	 {"co-refresh"},
	 "",
	 0,
	 ANSWER_LINES},
	{"refresh", NEWER, {"co-refresh", "-y"}, "", 8, ANSWER_KEPT},
	{"refresh of an unchanged file",
	 LEARNED,
	 {"co-refresh"},
	 "",
	 0,
	 ANSWER_LINES},
	{"refresh of a removed file",
	 LEARNED "rm page.md;",
	 {"co-refresh"},
	 "",
	 0,
	 ANSWER_LINES},
	{"save, into a new store in git",
	 "mkdir -p .git/info",
	 {"co-memory-save"},
	 "hello there\n",
	 0,
	 ANSWER_LINES},
	{"save, a third memory",
	 TWO,
	 {"co-memory-save", "-t", "x"},
	 "hello\n",
	 0,
	 ANSWER_LINES},
	{"save --json",
	 TWO,
	 {"co-memory-save", "--json"},
	 "hello\n",
	 0,
	 ANSWER_LINES},
	{"save --global",
	 "",
	 {"co-memory-save", "--global"},
	 "hello\n",
	 0,
	 ANSWER_LINES},
	{"save --draft",
	 TWO,
	 {"co-memory-save", "--draft"},
	 "hello\n",
	 0,
	 ANSWER_LINES},
	{"save --batch",
	 TWO,
	 {"co-memory-save", "--batch"},
	 "{\"content\":\"three\"}\n{\"content\":\"four\",\"tags\":[\"x\"]}\n"
	 "{\"content\":\"five\"}\n",
	 2,
	 ANSWER_LINES},
	/* The new memory is written before the old one is removed. */
	{"save --replaces",
	 TWO,
	 {"co-memory-save", "--replaces=1"},
	 "hello\n",
	 8,
	 ANSWER_HEALED},
	{"learn --replaces",
	 RICH,
	 {"co-learn", "--replaces=2", "hello", "there"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"learn --replaces, a known text",
	 TWO,
	 {"co-learn", "--replaces=1", "beta is the second"},
	 "",
	 8,
	 ANSWER_HEALED},
	/* In a team's store the old memory stays, and is marked. */
	{"accept a replacing draft, in a team",
	 TWO "echo gamma | co-memory-save --draft --replaces=1;" TEAM,
	 {"co-review", "--accept", "3"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"undo of a replacement, in a team",
	 TWO "echo gamma | co-memory-save --draft --replaces=1;" TEAM
	     "co-review --accept 3;",
	 {"co-undo"},
	 "",
	 8,
	 ANSWER_KEPT_HEALED},
	{"save --unless-known",
	 RICH,
	 {"co-memory-save", "--draft", "--unless-known"},
	 "hello\n",
	 0,
	 ANSWER_LINES},
	{"save a known text",
	 RICH,
	 {"co-memory-save", "--draft", "--unless-known"},
	 "DRAFT  text\n",
	 0,
	 ANSWER_LINES},
	{"save --draft --replaces",
	 TWO,
	 {"co-memory-save", "--draft", "--replaces=1"},
	 "hello\n",
	 0,
	 ANSWER_LINES},
	{"accept", RICH, {"co-review", "--accept", "3"}, "", 0, ANSWER_LINES},
	{"accept, with its id in use",
	 RICH "sed 's/draft/other/' .co-cli/knowledge/drafts/003-*.md "
	      ">.co-cli/knowledge/memories/003-other.md;",
	 {"co-review", "--accept", "3"},
	 "",
	 8,
	 ANSWER_HEALED},
	/* The new memory is written before the old one is removed. */
	{"accept a replacing draft",
	 TWO "echo 'gamma' | co-memory-save --draft --replaces=1;",
	 {"co-review", "--accept", "3"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"accept a replacing draft, with its id in use",
	 TWO "echo 'gamma' | co-memory-save --draft --replaces=1;"
	     "sed 's/gamma/other/' .co-cli/knowledge/drafts/003-*.md "
	     ">.co-cli/knowledge/memories/003-other.md;",
	 {"co-review", "--accept", "3"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"accept a replacing draft, seen by a review",
	 TWO "echo 'gamma' | co-memory-save --draft --replaces=1;",
	 {"co-review", "--accept", "3"},
	 "",
	 8,
	 ANSWER_HEALED_SEEN},
	/* Each draft is accepted completely or not at all. */
	{"accept two replacing drafts",
	 TWO "echo 'gamma' | co-memory-save --draft --replaces=1;"
	     "echo 'delta' | co-memory-save --draft --replaces=2;",
	 {"co-review", "--accept", "3", "4"},
	 "",
	 24,
	 ANSWER_HEALED},
	/* Each file is replaced separately. */
	{"items, the first of a store",
	 "",
	 {"co-item-add", "--from=c"},
	 "{\"facts\":[\"f\"],\"tasks_open\":[\"t\"]}",
	 1,
	 ANSWER_LINES},
	{"items, more",
	 ITEMS,
	 {"co-item-add", "--from=d"},
	 "{\"facts\":[\"f3\",\"f1\"],\"tasks_done\":[\"d\"]}",
	 1,
	 ANSWER_LINES},
	/* The item is in the trash before it is removed from its file. */
	{"item-remove",
	 ITEMS,
	 {"co-item-remove", "--category=facts", "f1"},
	 "",
	 1,
	 ANSWER_LINES},
	{"undo of an item",
	 ITEMS "co-item-remove --category=facts f1;",
	 {"co-forget", "--undo"},
	 "",
	 1,
	 ANSWER_LINES},
	{"tasks --done", ITEMS, {"co-tasks", "--done=1"}, "", 0, ANSWER_LINES},
	/* The note of the build is written after it. */
	{"digest-build", ITEMS, {"co-digest-build"}, "", 1, ANSWER_LINES},
	{"digest-build, without items",
	 ITEMS "co-digest-build; echo >.co-cli/knowledge/facts.md;"
	       "echo >.co-cli/knowledge/tasks.md;",
	 {"co-digest-build"},
	 "",
	 1,
	 ANSWER_LINES},
	{"harvest",
	 MODEL CONVERSATION,
	 {"co-harvest", "--apply", "first"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"harvest, into a store with items",
	 TWO ITEMS "co-digest-build;" MODEL CONVERSATION,
	 {"co-harvest", "--apply", "first"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"harvest, with the log of a long ledger",
	 MODEL CONVERSATION LONG_LEDGER,
	 {"co-harvest", "--apply", "first"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"harvest --no-harvest",
	 CONVERSATION,
	 {"co-harvest", "--apply", "--no-harvest", "first"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"harvest --drafts",
	 MODEL RECORD,
	 {"co-harvest", "--apply", "--drafts", "session.jsonl"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"harvest --from=git",
	 TOLD,
	 {"co-harvest", "--from=git", "--apply"},
	 "",
	 2,
	 ANSWER_AGAIN},
	{"co-history-read", TOLD, {"co-history-read"}, "", 0, ANSWER_LINES},
	{"harvest --reclaim",
	 MODEL RECORD,
	 {"co-harvest", "--apply", "--reclaim", "session.jsonl"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"harvest --reclaim, below lines of a person's own",
	 MODEL RECORD
	 "mkdir -p .co-cli/knowledge;"
	 "printf -- '# F\\n\\n- mine' >.co-cli/knowledge/facts.md;",
	 {"co-harvest", "--apply", "--reclaim", "session.jsonl"},
	 "",
	 0,
	 ANSWER_AGAIN},
	/* The line is written before the draft is removed. */
	{"accept an item",
	 MODEL RECORD "co-harvest --apply --drafts session.jsonl;",
	 {"co-review", "--accept", "1"},
	 "",
	 1,
	 ANSWER_LINES},
	{"accept items",
	 MODEL RECORD "co-harvest --apply --drafts session.jsonl;",
	 {"co-review", "--accept", "2", "3"},
	 "",
	 8,
	 ANSWER_LOOSE},
	{"reject items",
	 MODEL RECORD "co-harvest --apply --drafts session.jsonl;",
	 {"co-review", "--reject", "1", "2"},
	 "",
	 4,
	 ANSWER_LOOSE},
	/* The memory is in the other store before it is removed from this
	 * one. */
	{"move --to=global",
	 TWO "echo everywhere | co-memory-save --global;",
	 {"co-move", "2", "--to=global"},
	 "",
	 8,
	 ANSWER_AGAIN},
	{"move a draft to a new store",
	 "echo 'a draft' | co-memory-save --draft;",
	 {"co-move", "1", "--to=global"},
	 "",
	 8,
	 ANSWER_AGAIN},
	{"undo of a move",
	 TWO "echo everywhere | co-memory-save --global;"
	     "co-move 2 --to=global;",
	 {"co-undo"},
	 "",
	 8,
	 ANSWER_LOOSE},
	{"import into drafts",
	 MODEL OTHERS,
	 {"co-import", "mem0", "mem0"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"import --accept",
	 MODEL OTHERS,
	 {"co-import", "--accept", "json", "set"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"import files of an older co",
	 OLD,
	 {"co-import", "--accept", "json", "old"},
	 "",
	 0,
	 ANSWER_AGAIN},
	/* The export is complete or absent. */
	{"export of files into a directory",
	 RICH,
	 {"co-export", "--format=markdown", "out"},
	 "",
	 0,
	 ANSWER_LINES},
	{"export of files of an older co into a directory",
	 RICH "mkdir out;",
	 {"co-export", "--format=json", "out"},
	 "",
	 0,
	 ANSWER_LINES},
	{"export of lines into a directory",
	 RICH ITEMS,
	 {"co-export", "out"},
	 "",
	 0,
	 ANSWER_LINES},
	{"export into a directory with other files",
	 RICH "mkdir out; echo x >out/x;",
	 {"co-export", "out"},
	 "",
	 0,
	 ANSWER_LINES},
	{"export into a directory, with an unreadable file",
	 RICH "echo plain >.co-cli/knowledge/memories/plain.md;",
	 {"co-export", "--format=markdown", "out"},
	 "",
	 0,
	 ANSWER_LINES},
	/* If git cannot be run, both sides are written. */
	{"memory-merge",
	 TWO "printf -- '---\\nid: 1\\ntags: [a]\\n---\\none\\n2\\n3\\n4\\n' "
	     ">base; sed 's/a]/a, b]/; s/one/ours/' base >ours;"
	     "sed 's/a]/a, c]/; s/4/theirs/' base >theirs;",
	 {"co-memory-merge", "-o", "merged", "base", "ours", "theirs"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"resolve",
	 MERGING("sed -i 's/two/two, x/' 002-*.md;"
		 "sed -i 's/first/1st/' 001-*.md;",
		 "sed -i 's/two/two, y/' 002-*.md;"
		 "sed -i 's/first/one/' 001-*.md;"),
	 {"co-resolve"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"resolve a duplicate id",
	 MERGING(THIRD("ours"), THIRD("theirs")),
	 {"co-resolve"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"resolve a memory that one side replaced",
	 MERGING("sed -i '/^id/a kind: decision' 002-*.md;", REPLACED("2")),
	 {"co-resolve"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"resolve a memory that git moved to the archive",
	 MERGING(THIRD("ours"), REPLACED("1") REPLACED("2")),
	 {"co-resolve"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"resolve a forgotten memory, an item and the context",
	 MERGING("sed -i 's/first/1st/' 001-*.md; git rm -q 002-*.md;" LISTS(
			 "ours"),
		 "sed -i 's/second/2nd/' 002-*.md; git rm -q 001-*.md;" LISTS(
			 "theirs")),
	 {"co-resolve"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"resolve with one side",
	 MERGING("sed -i 's/first/1st/' 001-*.md;" THIRD("ours"),
		 "sed -i 's/first/one/' 001-*.md;" THIRD("theirs")),
	 {"co-resolve", "--theirs"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"undo of a resolve",
	 MERGING("sed -i 's/two/two, x/' 002-*.md;" THIRD("ours"),
		 "sed -i 's/two/two, y/' 002-*.md;" THIRD(
			 "theirs")) "co-resolve >/dev/null;",
	 {"co-undo"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"push to a remote index",
	 REMOTE,
	 {"co-index-push"},
	 "",
	 0,
	 ANSWER_LINES},
	{"item-list", ITEMS, {"co-item-list"}, "", 0, ANSWER_LINES},
	/* Either acceptance may fail. */
	{"accept two",
	 RICH "echo 'more text' | co-memory-save --draft;",
	 {"co-review", "--accept", "3", "5"},
	 "",
	 2,
	 ANSWER_LINES},
	{"reject", RICH, {"co-review", "--reject", "3"}, "", 0, ANSWER_LINES},
	{"reject two",
	 RICH "echo 'more text' | co-memory-save --draft;",
	 {"co-review", "--reject", "3", "5"},
	 "",
	 4,
	 ANSWER_LOOSE},
	{"undo of a reject",
	 RICH "co-review --reject 3;",
	 {"co-forget", "--undo"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"remove", TWO, {"co-memory-remove", "1"}, "", 0, ANSWER_LINES},
	{"remove, with a cache",
	 TWO "co-recall alpha >/dev/null; co-memory-next-id >/dev/null;",
	 {"co-memory-remove", "1"},
	 "",
	 0,
	 ANSWER_LINES},
	{"remove two",
	 TWO,
	 {"co-memory-remove", "1", "2"},
	 "",
	 4,
	 ANSWER_LOOSE},
	{"remove a draft",
	 RICH,
	 {"co-memory-remove", ".co-cli/knowledge/drafts/003-draft-text.md"},
	 "",
	 0,
	 ANSWER_LINES},
	{"purge",
	 TWO,
	 {"co-memory-remove", "--purge", "1"},
	 "",
	 1,
	 ANSWER_LINES},
	/* The number of a purged memory is not used again. */
	{"purge the newest",
	 TWO,
	 {"co-memory-remove", "--purge", "2"},
	 "",
	 1,
	 ANSWER_LINES},
	{"purge from the trash",
	 TWO "co-memory-remove 1;",
	 {"co-memory-remove", "--purge", "1"},
	 "",
	 1,
	 ANSWER_LINES},
	{"forget --purge",
	 TWO,
	 {"co-forget", "--purge", "-y", "1"},
	 "",
	 1,
	 ANSWER_LOOSE},
	{"restore",
	 TWO "co-memory-remove 1;",
	 {"co-memory-restore", "1"},
	 "",
	 0,
	 ANSWER_LINES},
	{"restore of a replaced memory",
	 TWO "echo gamma | co-memory-save --replaces=1;",
	 {"co-memory-restore", "1"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"restore of a replaced memory, in a team",
	 TWO TEAM "echo gamma | co-memory-save --replaces=1;",
	 {"co-memory-restore", "1"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"restore, with its id in use",
	 TWO "co-memory-remove 1; cp .co-cli/knowledge/trash/*-1/001-*.md "
	     "x.md; sed 's/alpha/other/' x.md "
	     ">.co-cli/knowledge/memories/001-other.md; rm x.md;",
	 {"co-memory-restore", "1"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"forget", TWO, {"co-forget", "-y", "alpha"}, "", 0, ANSWER_LINES},
	{"forget an article",
	 TWO ARTICLE,
	 {"co-forget", "-y", ".co-cli/knowledge/articles/a.md"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"undo of a forgotten article",
	 TWO ARTICLE "co-memory-remove .co-cli/knowledge/articles/a.md;",
	 {"co-forget", "--undo"},
	 "",
	 0,
	 ANSWER_LINES},
	{"forget --undo",
	 RICH "co-memory-remove 1 2 3;",
	 {"co-forget", "--undo"},
	 "",
	 2,
	 ANSWER_LOOSE},
	/* Once the journal has it, the next command finishes it. */
	{"undo of a save", TWO, {"co-undo"}, "", 8, ANSWER_HEALED},
	{"undo of an article",
	 TWO "echo text | co-article-save --source=x --title=A;",
	 {"co-undo"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"undo of a removal of two",
	 TWO "co-memory-remove 1 2;",
	 {"co-undo"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"undo of an edit",
	 TWO "co-tag +x 1;",
	 {"co-undo"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"undo under later edits",
	 TWO "co-tag +x 1; echo more >>.co-cli/knowledge/memories/001-*.md;",
	 {"co-undo", "3"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"undo of a replacement",
	 TWO "echo gamma | co-memory-save --replaces=1;",
	 {"co-undo"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"undo of an acceptance",
	 RICH "co-review --accept 3;",
	 {"co-undo"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"redo",
	 TWO "co-memory-remove 1 2; co-undo;",
	 {"co-redo"},
	 "",
	 8,
	 ANSWER_HEALED},
	{"edit", TWO, {"co-edit", "1"}, "", 0, ANSWER_LINES},
	{"tag",
	 TWO,
	 {"co-memory-tag", "--add=new", "1", "2"},
	 "",
	 2,
	 ANSWER_LINES},
	{"archive", TWO, {"co-archive", "1"}, "", 0, ANSWER_LINES},
	{"archive --restore",
	 PAST,
	 {"co-archive", "--restore", "1"},
	 "",
	 0,
	 ANSWER_LINES},
	{"review --due --keep",
	 PAST,
	 {"co-review", "--due", "--keep=3m", "1"},
	 "",
	 0,
	 ANSWER_LINES},
	{"write",
	 TWO,
	 {"co-memory-write",
	  "--expect="
	  "15061409c3792ee0d147f567804b0bb9425cf543a3fb4c0b50f6216b6266a865",
	  "2"},
	 "---\nid: 2\ncreated: 2026-01-01T00:00:00Z\ntags: [two]\n---\n\n"
	 "beta is another\n",
	 0,
	 ANSWER_LINES},
	{"check --fix",
	 TWO DOUBLE,
	 {"co-knowledge-check", "--fix"},
	 "",
	 1,
	 ANSWER_LENIENT},
	{"check --fix, after an interrupted one",
	 TWO TRIPLE,
	 {"co-knowledge-check", "--fix"},
	 "",
	 0,
	 ANSWER_LENIENT_AGAIN},
	{"check --fix, of a memory archived by mistake",
	 TWO "mkdir .co-cli/knowledge/archive;"
	     "mv .co-cli/knowledge/memories/002-* .co-cli/knowledge/archive;",
	 {"co-knowledge-check", "--fix"},
	 "",
	 0,
	 ANSWER_LENIENT},
	{"learn", TWO, {"co-learn", "hello", "there"}, "", 0, ANSWER_LINES},
	{"learn, and a draft moves to the git dir",
	 WAITING ".;",
	 {"co-learn", "hello", "there"},
	 "",
	 0,
	 ANSWER_TIDY_AGAIN},
	{"learn, and a draft moves to a git dir elsewhere",
	 WAITING "--separate-git-dir=$HOME/git .;",
	 {"co-learn", "hello", "there"},
	 "",
	 0,
	 ANSWER_TIDY_AGAIN},
	{"learn, into a new store",
	 "",
	 {"co-learn", "hello", "there"},
	 "",
	 0,
	 ANSWER_LINES},
	{"learn a known text",
	 TWO,
	 {"co-learn", "alpha is the first"},
	 "",
	 0,
	 ANSWER_LINES},
	{"learn --always, into a new store",
	 "",
	 {"co-learn", "--always", "hello"},
	 "",
	 0,
	 ANSWER_LINES},
	{"learn --always",
	 TWO CONTEXT,
	 {"co-learn", "--always", "hello"},
	 "",
	 0,
	 ANSWER_LINES},
	{"context --edit",
	 TWO CONTEXT,
	 {"co-context", "--edit"},
	 "",
	 0,
	 ANSWER_LINES},
	{"init", "", {"co-init"}, "", 0, ANSWER_LINES},
	{"init, completed by the next init",
	 "",
	 {"co-init"},
	 "",
	 0,
	 ANSWER_AGAIN},
	{"init --private",
	 "mkdir -p .git/info; echo x >.git/info/exclude",
	 {"co-init", "--private"},
	 "",
	 1,
	 ANSWER_LINES},

	/* Each file is replaced after its backup was written. One may be
	 * written if the other cannot be. */
	{"setup",
	 AGENTS,
	 {"co-setup", "claude", "--project", "-y"},
	 "",
	 7,
	 ANSWER_LINES},
	{"setup, with an existing and an absent file",
	 AGENTS,
	 {"co-setup", "codex", "--project", "-y"},
	 "",
	 4,
	 ANSWER_LINES},
	{"setup, with a file that co wrote",
	 AGENTS,
	 {"co-setup", "continue", "--project", "-y"},
	 "",
	 7,
	 ANSWER_LINES},
	{"setup, twice",
	 SET_UP,
	 {"co-setup", "claude", "--project", "-y"},
	 "",
	 0,
	 ANSWER_LINES},
	{"setup --remove",
	 SET_UP,
	 {"co-setup", "claude", "--project", "-y", "--remove"},
	 "",
	 7,
	 ANSWER_LINES},
	{"setup --remove, with a changed and a created file",
	 SET_UP,
	 {"co-setup", "codex", "--project", "-y", "--remove"},
	 "",
	 2,
	 ANSWER_LINES},
	{"hook, the end of a session",
	 SESSION,
	 {"co-hook", "claude"},
	 "{\"hook_event_name\":\"SessionEnd\",\"session_id\":\"s\","
	 "\"transcript_path\":\"session.jsonl\"}",
	 2,
	 ANSWER_ALWAYS},

	{"hook, an edit of a file without memories",
	 TWO "mkdir -p ~/.config/co-cli;"
	     "echo '{\"hook.timeout_ms\": 60000, \"hook.recall\": \"both\"}' "
	     ">~/.config/co-cli/settings.json;",
	 {"co-hook", "claude"},
	 "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s\","
	 "\"tool_input\":{\"file_path\":\"x.c\",\"new_string\":\"y\"}}",
	 0,
	 ANSWER_ALWAYS},

	{"list", RICH, {"co-memory-list"}, "", 0, ANSWER_LINES},
	{"list --json",
	 RICH,
	 {"co-memory-list", "--json"},
	 "",
	 0,
	 ANSWER_LINES},
	{"list --trash",
	 RICH,
	 {"co-memory-list", "--trash"},
	 "",
	 0,
	 ANSWER_LINES},
	{"grep", RICH, {"co-memory-grep", "alpha"}, "", 0, ANSWER_LINES},
	{"grep without a match",
	 RICH,
	 {"co-memory-grep", "omega"},
	 "",
	 0,
	 ANSWER_LINES},
	{"grep -c", RICH, {"co-memory-grep", "-c", "is"}, "", 0, ANSWER_LOOSE},
	{"show", RICH, {"co-memory-show", "1"}, "", 0, ANSWER_LINES},
	{"show an absent memory",
	 RICH,
	 {"co-memory-show", "77"},
	 "",
	 0,
	 ANSWER_LINES},
	{"show by paths",
	 RICH,
	 {"co-memory-show", "--json"},
	 ".co-cli/knowledge/memories/001-alpha-is-the-first.md\n"
	 ".co-cli/knowledge/memories/002-beta-is-the-second.md\n",
	 0,
	 ANSWER_LINES},
	{"next-id", RICH, {"co-memory-next-id"}, "", 0, ANSWER_LINES},
	{"next-id without a store",
	 "",
	 {"co-memory-next-id"},
	 "",
	 0,
	 ANSWER_LINES},
	{"next-id after a purge",
	 TWO "co-memory-remove --purge 2;",
	 {"co-memory-next-id"},
	 "",
	 0,
	 ANSWER_LINES},
	{"context-load", RICH, {"co-context-load"}, "", 0, ANSWER_LENIENT},
	{"context-load --wrap",
	 RICH,
	 {"co-context-load", "--wrap"},
	 "",
	 0,
	 ANSWER_LENIENT},
	{"context-load --for",
	 RICH,
	 {"co-context-load", "--for=claude"},
	 "",
	 0,
	 ANSWER_LENIENT},
	{"review --list", RICH, {"co-review", "--list"}, "", 0, ANSWER_LOOSE},
	{"check", RICH, {"co-knowledge-check"}, "", 0, ANSWER_LENIENT},
	{"check of duplicate ids",
	 TWO DOUBLE,
	 {"co-knowledge-check", "--json"},
	 "",
	 0,
	 ANSWER_LENIENT},
	{"recall", RICH, {"co-recall", "alpha"}, "", 0, ANSWER_LINES},
	/* Without the encoder it finds fewer, and counts them. */
	{"recall by words",
	 RICH,
	 {"co-recall", "beta omega"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"recall without a match",
	 RICH,
	 {"co-recall", "omega"},
	 "",
	 0,
	 ANSWER_LINES},
	{"recall of conversations, without an index",
	 SAID_FIRST,
	 {"co-recall", "--kind=conversation", "omega"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"recall of conversations that grew",
	 SAID_MORE,
	 {"co-recall", "--kind=conversation", "sigma"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"recall, and a hint at conversations",
	 SAID_MORE,
	 {"co-recall", "omega"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"conversations",
	 SAID_FIRST,
	 {"co-conversations"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"conversations show",
	 SAID_FIRST,
	 {"co-conversations", "show", "s"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"conversations --forget",
	 SAID_MORE,
	 {"co-conversations", "--forget"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"knowledge --list",
	 RICH,
	 {"co-knowledge", "--list"},
	 "",
	 0,
	 ANSWER_LOOSE},
	{"knowledge --show",
	 RICH,
	 {"co-knowledge", "--show", "1"},
	 "",
	 0,
	 ANSWER_LINES},
	{"stats", RICH, {"co-knowledge-stats"}, "", 0, ANSWER_LOOSE},
	{"status", RICH, {"co-status"}, "", 0, ANSWER_LOOSE},
	{"browse", RICH, {"co-browse"}, "", 0, ANSWER_LOOSE},
	{"parse",
	 RICH,
	 {"co-frontmatter-parse",
	  ".co-cli/knowledge/memories/001-alpha-is-the-first.md"},
	 "",
	 0,
	 ANSWER_LINES},
	{"write",
	 "",
	 {"co-frontmatter-write"},
	 "{\"frontmatter\":{\"id\":1,\"tags\":[\"a\"]},\"body\":\"b\\n\"}\n",
	 0,
	 ANSWER_LINES},
};

const size_t nscenarios = ARRAY_LEN(scenarios);
