#!/usr/bin/env bats
# Memories in numbered directories: every reader finds both places.
load lib
load cache

# drawn [N]: make N memories with six-digit ids, and two with counted ids.
drawn() {
	local i id
	mkdir -p $memories
	memory 7 2026-01-01T00:00:00Z flat <<<'flat as ever'
	memory 42 2026-01-02T00:00:00Z flat <<<'another xylophone'
	for ((i = 1; i <= ${1:-30}; i++)); do
		id=$((100000 + i * 29989 % 900000))
		memory $id 2026-01-03T00:00:00Z "tag$((i % 3))" \
			$memories/$id-text-$i.md <<<"text $i xylophone $((i % 5))"
	done
}

# into_folders: move the memories with six-digit ids to directories.
into_folders() {
	local file name
	for file in "$memories"/[0-9][0-9][0-9][0-9][0-9][0-9]-*.md; do
		name=${file##*/}
		mkdir -p $memories/"${name:0:2}"
		mv "$file" $memories/"${name:0:2}/"
	done
}

# answers: print the output of every reader, without the numbered directories.
answers() {
	local command
	while read -r command; do
		# shellcheck disable=SC2086
		say $command | sed 's|/memories/[0-9][0-9]/|/memories/|g'
	done <<-'END'
		co-memory-list --json
		co-memory-list -r --sort=created -n 20
		co-memory-list --tag=tag1
		co list -l
		co-memory-grep --json xylophone
		co-memory-grep -c .
		co-memory-show 7 129989
		co-memory-show --json 129989
		co-recall -n 3 xylophone
		co-recall --mode=fts --json text
		co-knowledge --list
		co-knowledge --check
		co-knowledge --stats
		co-export --to=jsonl -
		co-memory-next-id
		co-tag
	END
}

@test "each reader prints the same for directories as for flat files" {
	drawn 150
	XDG_CACHE_HOME=/dev/null answers | grep -v "^index:" >flat
	into_folders
	[ -e $memories/12/129989-text-1.md ]
	XDG_CACHE_HOME=/dev/null answers | grep -v "^index:" >folders
	diff -u flat folders
	grep -q 'text 17 xylophone' folders
	warm
	settle
	answers | grep -v "^index:" >cached
	diff -u flat cached
}

@test "the cache follows files that move into directories and out of them" {
	drawn 160
	into_folders
	warm
	same
	mkdir -p $memories/99
	memory 991234 2026-02-01T00:00:00Z a $memories/99/991234-new.md <<<'quite new'
	[ "$(co-memory-grep 'quite new')" = "$PWD/$memories/99/991234-new.md" ]
	same
	mv $memories/99/991234-new.md $memories/
	[ "$(co-memory-grep 'quite new')" = "$PWD/$memories/991234-new.md" ]
	same
	rm -r $memories/12
	[ "$(co-memory-grep -c .)" = "$(find $memories -name '*.md' | wc -l)" ]
	same
	sed -i 's/text 2 /changed 2 /' $memories/*/*-text-2.md
	co-memory-grep -F 'changed 2'
	settle
	echo 'one more' | co-memory-save
	same
}

@test "a change finds a memory in its directory, and undo restores it there" {
	drawn 3
	into_folders
	id=129989
	file=$memories/12/$id-text-1.md
	run -0 co-tag $id +new
	grep -q '^tags: \[tag1, new\]' $file
	EDITOR='sed -i s/xylophone/zither/' run -0 co edit $id
	grep -q 'text 1 zither' $file
	run -0 co forget -y $id
	[ ! -e $file ]
	run -0 co forget --undo
	[ -e $memories/$id-text-1.md ] || [ -e $file ]
	run -0 co-memory-remove ./$memories/15/*.md
	[ "$(co-memory-list --trash | wc -l)" = 1 ]
	cd $memories/18
	run -0 co-memory-show ./*.md
	run -0 co-memory-remove ./*.md
}

@test "co forget takes memories from several directories, and undo restores all" {
	drawn 6
	into_folders
	co-memory-list | sort >before
	run -0 co forget -y --all xylophone
	[ "$(co-memory-list | wc -l)" = 1 ]
	run -0 co forget --undo
	co-memory-list | sed 's|.*/||' | sort >after
	diff -u <(sed 's|.*/||' before | sort) after
}

@test "a directory of two digits is valid, and any other is a fault" {
	drawn 4
	into_folders
	run -0 co knowledge --check
	mkdir $memories/123 $memories/ab $memories/12/34
	run -3 co knowledge --check
	[[ $output == *memories/123\'* && $output == *memories/ab\'* ]]
	[[ $output == *memories/12/34\'* ]]
}

@test "a duplicate id is found and repaired across directories" {
	drawn 4
	into_folders
	cp $memories/12/129989-text-1.md $memories/129989-text-1.md
	sed -i s/created:.*/created:\ 2026-01-04T00:00:00Z/ $memories/129989-text-1.md
	run -3 co knowledge --check
	[[ $output == *"'$PWD/$memories/129989-text-1.md': id 129989 is also that of '$PWD/$memories/12/129989-text-1.md'"* ]]
	run -0 co knowledge --check --fix
	run -0 co knowledge --check
	sed -i 's/^id: .*/id: 129989/' $memories/15/*.md
	run -0 co knowledge --check --fix
	run -0 co knowledge --check
}

@test "a link in place of a directory is not followed" {
	drawn 4
	into_folders
	mv $memories/15 elsewhere
	ln -s "$PWD/elsewhere" $memories/15
	[ "$(co-memory-grep -c .)" = 5 ]
	run -3 co knowledge --check
	[[ $output == *memories/15* ]]
}
