# git.bash: what tests of stores in git repositories share.

# git_world: a world whose working directory is a repository without a commit.
git_world() {
	world
	command -v git >/dev/null || skip "git is missing"
	cat >"$HOME/.gitconfig" <<-'END'
		[user]
			name = A
			email = a@example.org
		[init]
			defaultBranch = main
		[commit]
			gpgsign = false
		[advice]
			skippedCherryPicks = false
		[maintenance]
			auto = false
	END
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
