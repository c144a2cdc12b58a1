# t/copy.bash: a copy of the source tree, for tests that change and build it.

# copy_tree: copy the sources and the build to tree/, and change to it.
copy_tree() {
	forget_make
	mkdir tree
	cp -Rp "$CO_SOURCE"/{Makefile,cmd,lib,t,Documentation,contrib} tree/
	cp "$CO_SOURCE"/.gitignore tree/
	if [ "$(cd "$CO_BIN/.." && pwd)" = "$CO_SOURCE/build" ]; then
		mkdir tree/build
		cp -Rp "$CO_SOURCE"/build/{bin,cmd,lib,t,share,flags,libco.a} \
			tree/build/
		! grep -q Werror tree/build/flags || export DEV=1
	fi
	cd tree || return 1
}
