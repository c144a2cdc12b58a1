# git.bash: what tests of stores in git repositories share.

# git_world: a world whose working directory is a repository without a commit.
git_world() {
	world
	command -v git >/dev/null || skip "git is missing"
	git config --global user.name A
	git config --global user.email a@example.org
	git config --global init.defaultBranch main
	git config --global commit.gpgsign false
	git config --global advice.skippedCherryPicks false
	git init -q .
}

# save_one TAGS BODY: what memory 1, $file, is.
save_one() {
	mkdir -p "$(dirname "$file")"
	printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\ntags: %s\nsource: user-told\n---\n\n%s\n' \
		"$1" "$2" >"$file"
}

# driver: this clone merges what is known by what it means; the hooks are another
# test's.
driver() {
	co setup git -y -q 2>/dev/null
	git config core.hooksPath /dev/null
	commit 'set up'
}
