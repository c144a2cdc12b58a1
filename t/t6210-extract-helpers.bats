#!/usr/bin/env bats
# Test that co-text-extract and its helpers fetch no pictures that a document
# names.
load lib
load web

setup() {
	web_world
	[ -x "$CO_BIN/co-text-extract" ] || skip 'made without libxml2 or libarchive'
	unshare -rn true 2>/dev/null || skip 'no network can be made here'
	start_web
	local picture="<p>Some text of it, and a picture:
		<img src=\"$url/file?x.png\"></p>"
	echo "<html><body>$picture</body></html>" >page.html
	mkdir -p word/_rels META-INF text
	cat >word/document.xml <<-'END'
		<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
		xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"
		xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><w:body>
		<w:p><w:r><w:t>Some text.</w:t></w:r><w:r><w:drawing><a:blip r:link="p"/></w:drawing></w:r></w:p>
		</w:body></w:document>
	END
	echo "<R xmlns=\"x\"><Relationship Id=\"p\" TargetMode=\"External\"
		Target=\"$url/file?x.png\"/></R>" >word/_rels/document.xml.rels
	"$CO_SOURCE/t/zip.pl" page.docx word/document.xml \
		word/_rels/document.xml.rels
	printf application/vnd.oasis.opendocument.text >mimetype
	echo "<o:d xmlns:o=\"o\" xmlns:text=\"t\" xmlns:draw=\"d\" xmlns:x=\"x\"><o:text>
		<text:p>Some text.<draw:image x:href=\"$url/file?x.png\"/></text:p>
		</o:text></o:d>" >content.xml
	"$CO_SOURCE/t/zip.pl" page.odt -0 mimetype content.xml
	printf application/epub+zip >mimetype
	echo '<c><rootfile full-path="text/b.opf"/></c>' >META-INF/container.xml
	echo '<p><item id="a" href="one.xhtml"/><itemref idref="a"/></p>' >text/b.opf
	echo "<html><body>$picture</body></html>" >text/one.xhtml
	"$CO_SOURCE/t/zip.pl" page.epub -0 mimetype META-INF/container.xml \
		text/b.opf text/one.xhtml
	printf '%%PDF-1.4\n%% %s/file?x.png\n' "$url" >page.pdf
	printf '\211PNG\r\n\032\n%s/file?x.png' "$url" >page.png
	# This helper connects to each address in its input, and to the port of
	# $1.
	cat >fetcher <<-'END'
		#!/bin/bash
		text=$(tr -d '\0')
		for port in $(grep -ao '127.0.0.1:[0-9]*' <<<"$text" | cut -d: -f2) $1; do
			exec 9<>"/dev/tcp/127.0.0.1/$port" && printf 'GET / HTTP/1.0\r\n\r\n' >&9
		done 2>/dev/null
		echo "read ${#text} bytes"
	END
	chmod +x fetcher
	mkdir -p "$global" helpers
}

teardown() {
	stop_web
}

# helper TYPE WORD...: set the command that reads files of TYPE.
helper() {
	local type=$1
	shift
	jq -n --arg type "$type" '{extract: {($type): $ARGS.positional}}' \
		--args -- "$@" >"$global/settings.json"
}

@test "co-text-extract fetches no pictures of the formats that it reads itself" {
	for page in page.html page.docx page.odt page.epub; do
		run -0 co-text-extract --whole --base="$url/" "$page"
		[[ $output == *'Some text'* ]]
	done
	[ ! -s log ]
}

@test "no helper program can reach the network" {
	port=${url##*:}
	run -0 ./fetcher "$port" </dev/null
	# Without co-text-extract it reaches the server.
	for _ in {1..1200}; do
		[ -s log ] && break
		sleep 0.1
	done
	[ -s log ]
	: >log
	for kind in html=text/html pdf=application/pdf png=image/png \
		docx=application/vnd.openxmlformats-officedocument.wordprocessingml.document \
		odt=application/vnd.oasis.opendocument.text epub=application/epub+zip; do
		helper "${kind#*=}" "$PWD/fetcher" "$port"
		run -0 co-text-extract "page.${kind%%=*}"
		[[ $output == 'read '*' bytes' || $output == *'Some text'* ]]
	done
	ln -s "$PWD/fetcher" helpers/pdftotext
	ln -s "$PWD/fetcher" helpers/tesseract
	rm "$global/settings.json"
	for page in page.pdf page.png; do
		PATH=$PWD/helpers:$PATH run -0 co-text-extract "$page"
		[[ $output == 'read '*' bytes' ]]
	done
	[ ! -s log ]
}

@test "pandoc fetches nothing, with or without its sandbox" {
	command -v pandoc >/dev/null || skip 'pandoc is not there'
	for kind in docx=application/vnd.openxmlformats-officedocument.wordprocessingml.document \
		odt=application/vnd.oasis.opendocument.text epub=application/epub+zip; do
		for option in --sandbox --self-contained; do
			helper "${kind#*=}" pandoc "$option" -f "${kind%%=*}" -t html
			co-text-extract "page.${kind%%=*}" >out 2>&1 || :
		done
	done
	[ ! -s log ]
}

@test "strace shows no connected socket of a helper" {
	need_strace
	helper application/epub+zip "$PWD/fetcher" "${url##*:}"
	run -0 strace -f --seccomp-bpf -o trace -e trace=connect co-text-extract page.epub
	run -1 grep -E 'connect\(.*AF_INET.* = 0$' trace
	[ ! -s log ]
}
