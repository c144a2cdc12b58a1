# bats file_tags=rights
load lib

# A tree with a few programs and pages, which are installed like the full set.
setup_file() {
	mkdir -p "$BATS_FILE_TMPDIR/tree/build/"{bin,share/man/man1}
	cd "$BATS_FILE_TMPDIR/tree"
	cp -R "$CO_SOURCE/contrib" .
	mkdir -p Documentation
	cp -R "$CO_SOURCE"/Documentation/{guide,tutorial.md} Documentation/
	for model in words minilm; do
		echo model >contrib/models/$model.bin
	done
	cp -P "$CO_BIN"/{co,co-help,co-learn} build/bin/
	[ ! -L build/bin/co ] || cp "$CO_BIN/co-suite" build/bin/
	printf '#!/bin/sh\n' >build/bin/co-fetch
	chmod 755 build/bin/co-fetch
	cp "$CO_BIN"/../share/man/man1/{co,co-help,co-learn}.1 build/share/man/man1/
}

setup() {
	world
	cp -R "$BATS_FILE_TMPDIR/tree" .
	root=$PWD
}

install_to() {
	(cd tree && contrib/install build "$@")
}

remove_from() {
	(cd tree && contrib/install --remove "$@")
}

@test "install puts programs, manuals and completions under the prefix" {
	rm -r tree/build
	mkdir -p tree/build/share
	cp -R "$CO_BIN" tree/build/bin
	cp -R "$CO_BIN/../share/man" tree/build/share/
	run -0 install_to '' "$root/a stage"
	cd "a stage"
	run -0 env -i HOME="$HOME" "$PWD/bin/co" --version
	[[ $output == 'co '* ]]
	[ -f share/man/man1/co.1 ]
	[ -f share/man/man1/co-help.1 ]
	for page in tutorial guide; do
		run -0 bin/co help $page
		[[ $output == '# '* ]]
	done
	diff share/bash-completion/completions/co \
		"$root/tree/contrib/completion/co.bash"
	[ -f share/zsh/site-functions/_co ]
	[ -f share/fish/vendor_completions.d/co.fish ]
	[ -e share/bash-completion/completions/co-help ]
	diff <(ls bin) <(ls "$root/tree/build/bin")
	[ "$(find . -name '*.new')" = '' ]
	[ "$(find bin -type f ! -perm 755)" = '' ]
}

@test "the installed programs find their manuals" {
	install_to '' "$root/stage" 2>/dev/null
	mkdir path
	printf '#!/bin/sh\necho "man $*"\n' >path/man
	chmod +x path/man
	ln -s stage/bin/co linked
	PATH=$PWD/path:$PATH
	run -0 ./linked help help
	file=${output#man }
	[ "$(cd "${file%/*}" && pwd)/${file##*/}" = \
		"$root/stage/share/man/man1/co-help.1" ]
	[ -f "$file" ]
}

@test "install copies only the models that MODELS names" {
	install_to '' "$root/stage" 2>/dev/null
	diff - <(ls stage/share/co-cli/models) <<-'END'
		LICENSE
		minilm.bin
		words.bin
	END
	MODELS=words install_to '' "$root/stage" 2>/dev/null
	diff - <(ls stage/share/co-cli/models) <<-'END'
		LICENSE
		words.bin
	END
}

@test "install copies the git hooks, whose installer sets up a repository" {
	command -v git >/dev/null || skip 'git is not there'
	install_to '' "$root/stage" 2>/dev/null
	git init -q repo && cd repo
	run -0 "$root/stage/share/co-cli/hooks/install"
	grep -qF "'$root/stage/share/co-cli/hooks/pre-commit' \"\$@\"" \
		.git/hooks/pre-commit
	[ -x .git/hooks/pre-commit ]
	[ -x .git/hooks/post-commit ]
	cd .. && remove_from '' "$root/stage"
	git -C repo -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
}

@test "uninstall removes the files of co and keeps all others" {
	mkdir -p stage/bin stage/share/man/man1
	echo theirs >stage/bin/theirs
	echo theirs >stage/share/man/man1/theirs.1
	find stage | sort >before
	for _ in 1 2; do
		install_to '' "$root/stage" 2>/dev/null
	done
	echo late >stage/share/co-cli/late
	run -0 remove_from '' "$root/stage"
	[ -e stage/share/co-cli/late ]
	rm -r stage/share/co-cli
	diff -u before <(find stage | sort)
	run -1 remove_from '' "$root/stage"
	expect <<<"install: nothing of ours is installed below $root/stage"
}

@test "install with DESTDIR puts files below it and prints no PATH hint" {
	run -0 install_to "$root/pack" /usr
	expect </dev/null
	[ -x pack/usr/bin/co ]
	remove_from "$root/pack" /usr
	[ "$(find pack -mindepth 1)" = pack/usr ]
}

@test "make install accepts prefix and PREFIX alike" {
	forget_make
	for given in prefix=/some/where PREFIX=/some/where; do
		run -0 make -s -n -o all -C "$CO_SOURCE" install "$given"
		[[ $output == *"contrib/install "*" '/some/where'" ]]
	done
}

@test "installed files are readable to all users despite a narrow umask" {
	(umask 077 && install_to '' "$root/s" 2>/dev/null)
	[ "$(find s ! -type l ! -perm -444)" = '' ]
	[ "$(find s -type d ! -perm -555)" = '' ]
}

@test "a reinstall removes files that only the older version had" {
	echo old >tree/build/bin/co-older
	chmod +x tree/build/bin/co-older
	install_to "$root/s" '' && [ -x s/bin/co-older ]
	rm tree/build/bin/co-older
	install_to "$root/s" ''
	[ ! -e s/bin/co-older ]
	[ -x s/bin/co ]
	run -1 grep older s/share/co-cli/installed
	remove_from "$root/s" ''
	[ "$(find s -mindepth 1)" = '' ]
}

@test "uninstall removes everything after an interrupted install" {
	printf '#!/bin/sh\ncase $* in */co-help.1*) exit 1; esac\nexec %s "$@"\n' \
		"$(command -v install)" >./install
	chmod +x install
	run ! env PATH="$PWD:$PATH" tree/contrib/install tree/build "$root/s" ''
	[ -x s/bin/co ]
	remove_from "$root/s" ''
	[ "$(find s -mindepth 1)" = '' ]
}

@test "install reports another co in PATH" {
	mkdir rcs
	printf '#!/bin/sh\n' >rcs/co
	chmod +x rcs/co
	PATH=$root/rcs:$root/stage/bin:/usr/bin:/bin run -0 \
		install_to '' "$root/stage"
	expect <<<"install: another 'co' comes first in PATH: $root/rcs/co"
	PATH=$root/stage/bin:$root/rcs:/usr/bin:/bin run -0 \
		install_to '' "$root/stage"
	expect <<<"install: there is another 'co': $root/rcs/co"
	PATH=/usr/bin:/bin run -0 install_to '' "$root/stage"
	[ "${lines[0]}" = "install: $root/stage/bin is not in PATH" ]
}

@test "uninstall removes nothing outside if its list was tampered with" {
	install_to "$root/s" ''
	echo precious >precious
	printf '%s\n' ../precious "/$root/precious" share/../../precious \
		>>s/share/co-cli/installed
	run -0 remove_from "$root/s" ''
	[ -e precious ]
	[ "${#lines[@]}" = 3 ]
}

# A system without the needed libraries. Its apt-get only logs its arguments.
fake_system() {
	mkdir path
	for program in sh bash cut tr id uname cat env; do
		ln -s "$(command -v "$program")" path/
	done
	printf '#!/bin/sh\nexit 1\n' >path/cc
	printf '#!/bin/sh\necho "apt-get $*" >>"%s/log"\n' "$PWD" >path/apt-get
	printf '#!/bin/sh\necho "sudo $*" >>"%s/log"; "$@"\n' "$PWD" >path/sudo
	chmod +x path/cc path/apt-get path/sudo
}

@test "install-deps prints what it runs, and fails if a library stays missing" {
	fake_system
	rm path/id
	printf '#!/bin/sh\necho 0\n' >path/id
	chmod +x path/id
	run -1 env PATH="$PWD/path" CC=cc sh "$CO_SOURCE/contrib/install-deps" -n
	[[ $output == 'install-deps: missing: '*libyaml-dev* ]]
	[ ! -e log ]
	run -4 env PATH="$PWD/path" CC=cc sh "$CO_SOURCE/contrib/install-deps"
	[ "${lines[0]}" = 'install-deps: running: apt-get -q update' ]
	[[ ${lines[-1]} == 'install-deps: still missing: '*libyaml-dev* ]]
	grep -q 'install -y .*libpcre2-dev' log
	run -1 grep sudo log
}

@test "install-deps does nothing if nothing is missing" {
	"$CO_SOURCE/contrib/install-deps" -n 2>/dev/null || skip 'something lacks'
	run -0 "$CO_SOURCE/contrib/install-deps"
	expect </dev/null
}
