# t/git.bash: helpers for tests of stores in git repositories.

# git_world: make a world whose working directory is a repository without a commit.
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

# save_one TAGS BODY: write memory 1 to $file.
save_one() {
	mkdir -p "$(dirname "$file")"
	printf -- '---\nid: 1\ncreated: 2026-02-09T14:30:00Z\ntags: %s\nsource: user-told\n---\n\n%s\n' \
		"$1" "$2" >"$file"
}

# driver: set up co as the merge driver of this clone, without the git hooks.
driver() {
	co setup git -y -q 2>/dev/null
	git config core.hooksPath /dev/null
	commit 'set up'
}
