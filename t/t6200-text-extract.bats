#!/usr/bin/env bats
# Test co-text-extract, which extracts the text of pages and documents and does
# not trust them.
load lib
# shellcheck disable=SC2119,SC2120

# page: print the Markdown of the page on standard input.
page() {
	co-text-extract --type=text/html "$@"
}

# frame TEXT: print a page with TEXT as content between the usual other parts.
frame() {
	cat <<-END
		<!doctype html><html lang="en"><head><title>Long title of it | The site</title>
		<meta name="description" content="What it is about.">
		<link rel="canonical" href="/it"><script>var hidden = "no text";</script></head>
		<body><div id="header"><ul class="menu"><li><a href="/">Home</a></li>
		<li><a href="/all">All</a></li></ul></div>
		<div class="content">$1</div>
		<div class="sidebar"><h3>Related</h3><ul><li><a href="/1">One other page</a></li>
		<li><a href="/2">Two other pages</a></li></ul></div>
		<div id="footer">Imprint, <a href="/privacy">privacy</a></div></body></html>
	END
}

long='A paragraph that is long enough to count, with commas, and with words, as those of articles are, so that it speaks for what it stands in.'

@test "the main content is extracted without the parts around it" {
	frame "<h2>One</h2><p>$long</p><p>$long</p><p>Short end.</p>" >page.html
	run -0 co-text-extract page.html
	expect <<-END
		## One

		$long

		$long

		Short end.
	END
	run -0 co-text-extract --whole page.html
	[[ $output == *Home*Related*Imprint* && $output != *'no text'* ]]
	run -0 --separate-stderr co-text-extract --explain page.html
	[[ $stderr == *"'page.html': text/html, its main content in pass "* ]]
}

@test "a short block of links in the main content is left out, a list stays" {
	frame "<p>$long $long</p><div><p><a href='/2'>One more page</a></p></div>
		<div><ul><li><a href='/3'>A source</a></li></ul></div><p>$long $long</p>" >page.html
	run -0 co-text-extract page.html
	expect <<-END
		$long $long

		- [A source](/3)

		$long $long
	END
}

@test "a block of comments is left out if its class contains 'comment'" {
	frame "<p>$long $long</p><div class='blogcomments'><p>$long</p></div>
		<p>$long $long</p>" >page.html
	run -0 co-text-extract page.html
	expect <<-END
		$long $long

		$long $long
	END
}

@test "a section with only a heading stays in the main content" {
	frame "<p>$long $long</p><section><h2>Usage</h2></section>
		<p>$long $long</p>" >page.html
	run -0 co-text-extract page.html
	expect <<-END
		$long $long

		## Usage

		$long $long
	END
}

@test "a list item stays one item if two line breaks divide it" {
	frame "<p>$long $long</p><ul><li>First part.<br><br>Second part.</li></ul>
		<p>$long $long</p>" >page.html
	run -0 co-text-extract page.html
	expect <<-END
		$long $long

		- First part.

		    Second part.

		$long $long
	END
}

@test "a small table of links is dropped as layout, a larger one is kept" {
	local row='<tr><td><a href="/a">Alpha</a></td><td><a href="/b">Beta</a></td></tr>'
	frame "<p>$long $long</p><table>$row$row$row$row$row</table>
		<p>$long $long</p>" >page.html
	run -0 co-text-extract page.html
	[[ $output != *Alpha* ]]
	frame "<p>$long $long</p><table>$row$row$row$row$row$row</table>
		<p>$long $long</p>" >page.html
	run -0 co-text-extract page.html
	[ "$(grep -c Alpha <<<"$output")" = 6 ]
}

@test "a hidden element adds no text" {
	run -0 page <<<'<p>Shown.</p><p hidden>Hidden.</p><div style="display: none">Gone.</div>'
	expect <<<'Shown.'
}

@test "--whole leaves out the text of buttons and fields" {
	run -0 page --whole <<<'<p>Text.</p><button>Press</button><textarea>Type</textarea>'
	expect <<<'Text.'
}

@test "a short page is extracted as a whole" {
	run -0 page <<<'<p>Hello, <b>you</b>.</p>'
	expect <<<'Hello, **you**.'
}

@test "HTML blocks become Markdown blocks" {
	run -0 page --whole --base=https://example.org/a/b <<-'END'
		<h1>Title <a name="x"></a></h1>
		<ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>
		<ol start="9"><li>nine</li><li><p>ten</p><p>and more</p></li></ol>
		<blockquote><p>said</p><p>again</p></blockquote>
		<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td>x<br>y</td></tr></table>
		<p>line<br>break, <em>so</em> <a href="../c?d=1&amp;e">there</a>
		<img src="i.png" alt="a picture"></p><hr>
		<dl><dt>term</dt><dd>what it is</dd></dl>
	END
	expect <<-'END'
		# Title

		- one
		    - deep
		- two

		9. nine

		10. ten

		    and more

		> said
		>
		> again

		| a | b |
		| --- | --- |
		| 1\|2 | x y |

		line  
		break, *so* [there](https://example.org/c?d=1&e) ![a picture](https://example.org/a/i.png)

		---

		term

		what it is
	END
}

@test "text with a meaning in Markdown is escaped" {
	run -0 page <<-'END'
		<p># no heading</p><p>1. no item</p><p>- nor this</p><p>&gt; no quote</p>
		<p>-5 degrees</p><p>+</p><p>12. no item<br>here</p>
		<p>2*3*4 `x` [y] &lt;b> &amp;amp; snake_case _so_</p>
	END
	expect <<-'END'
		\# no heading

		1\. no item

		\- nor this

		\> no quote

		-5 degrees

		\+

		12\. no item  
		here

		2\*3\*4 \`x\` \[y\] \<b> \&amp; snake_case \_so\_
	END
}

@test "text cannot break out of its Markdown element" {
	run -0 page --whole <<-'END'
		<p>&lt;<i></i>b onclick=x> &amp;<i></i>amp; a &lt; b &amp; c</p>
		<p>Now!<a href="https://example.org/|`">x</a> <code>a</code><code>`&lt;b></code></p>
		<p>a<br>--</p><p>a<br>=</p><p>a|b<br>:-:|:-:</p><p>__init__ (_x_) a_b</p>
		<blockquote><pre class="language-x&#13;#y">a&#13;# no heading</pre></blockquote>
		<h2><code>a|b</code> c|d</h2>
	END
	expect <<-'END'
		\<b onclick=x> \&amp; a < b & c

		Now\![x](https://example.org/%7C%60) `a` `` `<b>``

		a  
		\--

		a  
		\=

		a|b  
		\:-:|:-:

		\_\_init\_\_ (\_x\_) a_b

		> ```x
		> a
		> # no heading
		> ```

		## `a|b` c|d
	END
	run -0 page --base=https://example.org/a/ \
		<<<'<base href="javascript:x"><p><a href="b">c</a></p>'
	expect <<<'[c](https://example.org/a/b)'
}

@test "adjacent emphasis and heading signs keep their meaning" {
	run -0 page --whole <<-'END'
		<p><b>a</b><b>b</b> <i>c</i><i> d</i> <em>e</em><b>f</b> <b>g</b>*<b>h</b></p>
		<h2>C #</h2><h2>a ##</h2><h2>#</h2><h2>F#</h2>
		<ul><li><hr>rule</li><li>a<hr></li></ul><hr>
	END
	expect <<-'END'
		**ab** *c* *d* *e***f** **g**\***h**

		## C \#

		## a #\#

		## \#

		## F#

		- ***

		    rule
		- a

		    ---

		---
	END
}

@test "co-text-extract waits for a pipe and ends if its output is closed" {
	mkfifo pipe
	{ exec >pipe; sleep 0.1; echo '<p>late</p>'; } &
	run -0 timeout 60 co-text-extract pipe
	expect <<<late
	perl -e 'print "<p>word $_</p>\n" x 50000' >big
	co-text-extract --type=text/html --whole big 2>err | true
	diff /dev/null err
	[ ! -w /dev/full ] || {
		run -4 sh -c 'co-text-extract --type=text/html big >/dev/full'
	}
}

@test "code keeps every byte in a fence that names its language" {
	printf '%s' '<p>Text.</p><pre><code class="language-c">if (a &lt; b)
  x	= "```";   

  return;</code></pre><div class="highlight highlight-source-sh"><pre>
echo  "a"<br>b</pre></div><table><tr><td class="gutter"><pre><span
class="lineno">1</span></pre></td><td><pre>one	tab</pre></td></tr></table>' >page.html
	run -0 co-text-extract --type=text/html page.html
	expect <<-'END'
		Text.

		````c
		if (a < b)
		  x	= "```";   

		  return;
		````

		```sh
		echo  "a"
		b
		```

		```
		one	tab
		```
	END
}

@test "--json prints the metadata of a page" {
	frame "<p>$long $long $long $long</p>" >page.html
	co-text-extract --json --base=https://example.org/x page.html >out
	jq -e --arg sum "$(sha256sum <page.html | cut -d ' ' -f 1)" \
		--argjson n "$(wc -c <page.html)" '
		.type == "text/html" and .charset == "utf-8" and
		.title == "Long title of it" and .language == "en" and
		.description == "What it is about." and
		.canonical == "https://example.org/it" and
		.bytes == $n and .sha256 == $sum and
		(has("author") | not)' out
	[ "$(jq -r .markdown out)" = "$long $long $long $long" ]
	run -0 page --json <<-END
		<script type="application/ld+json">{"@graph": [{"@type": "Article",
		"headline": "From data", "datePublished": "2026-01-02",
		"author": [{"name": "Ada"}, {"name": "Bob"}]}]}</script><p>$long</p>
	END
	jq -e '.title == "From data" and .author == "Ada, Bob" and
		.published == "2026-01-02"' <<<"$output"
	for mark in rel itemprop; do
		run -0 page --json <<-END
			<p><a $mark="author">$long</a> By <b $mark="author">Ada</b>,
			<i $mark="author">Bob</i>, on <time datetime="2026-03-04">Wednesday</time>
			and <time datetime="2026-03-05">Thursday</time></p><p>$long</p>
		END
		jq -e '.author == "Ada" and .published == "2026-03-04"' <<<"$output"
	done
}

@test "the charset is taken from the byte order mark, --type or the page" {
	local charset text='Привет, 世界'
	for charset in utf-16le utf-16be utf-8; do
		printf '\xef\xbb\xbf<p>%s</p>' "$text" | iconv -f utf-8 -t $charset |
			page >out
		[ "$(cat out)" = "$text" ]
	done
	while read -r charset text; do
		printf '<p>%s</p>' "$text" | iconv -f utf-8 -t "$charset" >page.html
		[ "$(co-text-extract --type="text/html; charset=$charset" page.html)" = "$text" ]
		{ printf '<meta charset="%s">' "$charset"; cat page.html; } >named.html
		[ "$(co-text-extract named.html)" = "$text" ]
	done <<-'END'
		shift_jis 日本語のテキスト
		gbk 中文网页
		big5 繁體中文
		euc-kr 한국어
		windows-1251 Привет
		koi8-r Привет
		iso-8859-15 10 €
	END
	[ "$(printf 'caf\xe9' | co-text-extract)" = café ]
	# UTF-8 is recognized even if the page declares another charset.
	[ "$(page <<<'<meta charset=gb2312><p>中文网页</p>')" = 中文网页 ]
}

@test "the charset parameter of --type is read in every notation" {
	local type
	for type in 'text/html; charset=windows-1251' 'text/html;CHARSET="Windows-1251"' \
		"text/html; a=b;	charset='windows-1251'; c=d" \
		'text/html; x-charset=utf-8; charset=windows-1251,'; do
		[ "$(printf '<p>\xef\xf0</p>' | co-text-extract --type="$type")" = пр ]
	done
	[ "$(printf '<p>\xe9</p>' | co-text-extract --type='text/html; charset=')" = é ]
}

@test "plain text and Markdown are printed unchanged" {
	printf '# A\r\n\r\n*b*  \r\n' >a.md
	run -0 co-text-extract a.md
	expect <<<$'# A\n\n*b*  '
	run -0 co-text-extract --json --type=text/markdown a.md
	[ "$(jq -r .type <<<"$output")" = text/markdown ]
}

# docx, odt, epub: make a document of that format.
docx() {
	mkdir -p word
	cat >word/document.xml <<-'END'
		<w:document xmlns:w="w" xmlns:r="r"><w:body>
		<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p>
		<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:t> and </w:t></w:r><w:hyperlink r:id="l1"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>
		<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
		<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>deep</w:t></w:r></w:p>
		<w:p><w:pPr><w:pStyle w:val="SourceCode"/></w:pPr><w:r><w:t>a = 1</w:t><w:br/><w:t>  b</w:t></w:r></w:p>
		<w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
		</w:body></w:document>
	END
	mkdir -p word/_rels docProps
	echo '<R xmlns="x"><Relationship Id="l1" Target="https://example.org/"/></R>' \
		>word/_rels/document.xml.rels
	echo '<c xmlns:d="d"><d:title>Paper</d:title><d:creator>Ada</d:creator></c>' \
		>docProps/core.xml
	"$CO_SOURCE/t/zip.pl" a.docx word/document.xml word/_rels/document.xml.rels \
		docProps/core.xml
}

odt() {
	printf application/vnd.oasis.opendocument.text >mimetype
	cat >content.xml <<-'END'
		<o:d xmlns:o="o" xmlns:text="t" xmlns:table="b" xmlns:x="x"><o:text>
		<text:h text:outline-level="2">Head</text:h>
		<text:p>two<text:s text:c="2"/>blanks, a <text:a x:href="https://example.org/">link</text:a></text:p>
		<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list></text:list-item></text:list>
		<text:p text:style-name="Preformatted_20_Text">a<text:s text:c="3"/>b</text:p>
		<table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>
		</o:text></o:d>
	END
	"$CO_SOURCE/t/zip.pl" a.odt -0 mimetype content.xml
}

epub() {
	printf application/epub+zip >mimetype
	mkdir -p META-INF text
	echo '<c><rootfile full-path="text/b.opf"/></c>' >META-INF/container.xml
	echo '<p><title>Book</title><item id="b" href="two.xhtml"/><item id="a" href="one%20.xhtml"/>
		<itemref idref="a"/><itemref idref="b"/></p>' >text/b.opf
	echo '<html><body><h1>First</h1><p>Its text.</p></body></html>' >'text/one .xhtml'
	echo '<html><body><h1>Second</h1></body></html>' >text/two.xhtml
	"$CO_SOURCE/t/zip.pl" a.epub -0 mimetype META-INF/container.xml text/b.opf \
		'text/one .xhtml' text/two.xhtml
}

@test "formulas become words, and alternative texts are left out" {
	frame "<p>$long Where <math><mi>a</mi><msup><mi>x</mi><mn>2</mn></msup>
		<mo>=</mo><mn>0</mn><annotation>ax^2</annotation></math>, there is one.</p>" >page.html
	run -0 co-text-extract page.html
	[[ $output == *'Where a x 2 = 0, there is one.'* ]]
	mkdir -p word
	cat >word/document.xml <<-'END'
		<w:document xmlns:w="w" xmlns:m="m"><w:body><w:p><w:r><w:t>So </w:t></w:r><m:oMath>
		<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:e><m:r><m:t>k</m:t></m:r></m:e></m:nary>
		<m:d><m:dPr><m:endChr m:val="]"/></m:dPr><m:e><m:r><m:t>y</m:t></m:r><m:r><m:t>x</m:t></m:r></m:e></m:d>
		</m:oMath></w:p></w:body></w:document>
	END
	"$CO_SOURCE/t/zip.pl" formula.docx word/document.xml
	run -0 co-text-extract formula.docx
	expect <<<'So ∑ k ( y x \]'
	mkdir Formula-0
	echo '<math><mi>a</mi><mo>=</mo><mn>0</mn><annotation>a=0</annotation></math>' \
		>Formula-0/content.xml
	printf application/vnd.oasis.opendocument.text >mimetype
	echo '<o:d xmlns:o="o" xmlns:text="t" xmlns:draw="d" xmlns:x="x"><o:text><text:p>So
		<draw:object x:href="./Formula-0"/></text:p></o:text></o:d>' >content.xml
	"$CO_SOURCE/t/zip.pl" formula.odt -0 mimetype content.xml Formula-0/content.xml
	run -0 co-text-extract formula.odt
	expect <<<'So a = 0'
}

@test "DOCX, ODT and EPUB documents are extracted" {
	perl -MIO::Compress::Zip -e 1
	docx
	run -0 co-text-extract a.docx
	expect <<-'END'
		## Head

		**bold** and [link](https://example.org/)

		- one
		    - deep

		```
		a = 1
		  b
		```

		| x | y |
		| --- | --- |
	END
	[ "$(co-text-extract --json a.docx | jq -r '.title + " " + .author')" = 'Paper Ada' ]
	odt
	run -0 co-text-extract a.odt
	expect <<-'END'
		## Head

		two blanks, a [link](https://example.org/)

		- one
		    - deep

		```
		a   b
		```

		| x | y |
		| --- | --- |
	END
	epub
	cp a.epub without-a-name
	run -0 co-text-extract without-a-name
	expect <<<$'# First\n\nIts text.\n\n# Second'
}

@test "files of an archive can have names in any script" {
	epub
	sed -i s/two.xhtml/два.xhtml/ text/b.opf
	mv text/two.xhtml text/два.xhtml
	perl -MIO::Compress::Zip=:constants,zip -e 'zip([@ARGV], "a.epub",
		Efs => 1, Method => ZIP_CM_STORE)' \
		mimetype META-INF/container.xml text/b.opf text/два.xhtml
	LC_ALL=C run -0 co-text-extract a.epub
	expect <<<'# Second'
}

@test "an archive that unpacks beyond the limits is refused" {
	docx
	{
		echo '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>'
		head -c 70000000 /dev/zero | tr '\0' x
		echo '</w:t></w:r></w:p></w:body></w:document>'
	} >word/document.xml
	"$CO_SOURCE/t/zip.pl" bomb.docx word/document.xml
	run -4 co-text-extract bomb.docx
	expect <<<"co-text-extract: 'bomb.docx': its archive has more than the limit"
	cat >word/document.xml <<-'END'
		<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]>
		<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>
	END
	"$CO_SOURCE/t/zip.pl" entities.docx word/document.xml
	run -4 co-text-extract entities.docx
	expect <<<"co-text-extract: 'entities.docx': it has entities of its own"
	head -c 200 a.docx >cut.docx
	run -3 co-text-extract --type=application/epub+zip cut.docx
}

@test "hostile pages are extracted or refused with a message" {
	perl -e 'print "<div>" x 200000, "the end"' >deep
	perl -e 'print "<div>" x 5000, "the end", "</div>" x 5000' >closed
	perl -e 'print "<p ", (map "a$_=1 ", 1..50000), ">x</p>"' >attributes
	perl -e 'print "<table><tr><td>" x 3000, "cell"' >tables
	perl -e 'print "<b><i><p>" x 20000, "text"' >unclosed
	perl -e 'print "<p>", "&amp;&copy;" x 500000' >entities
	perl -e 'print "<p>", "word " x 4000000' >long
	perl -e 'print "<ul><li>" x 3000, "item"' >lists
	perl -e 'print "<div>a<br><br>" x 100000' >breaks
	local name
	for name in deep closed tables unclosed lists breaks; do
		timeout 600 co-text-extract --type=text/html $name >out
		[ -s out ]
	done
	run -4 co-text-extract --type=text/html attributes
	expect <<<"co-text-extract: 'attributes': it has an element of more than 4096 attributes"
	run -4 co-text-extract --type=text/html entities
	expect <<<"co-text-extract: 'entities': its text is longer than 1 MiB"
	run -4 co-text-extract --type=text/html long
	expect <<<"co-text-extract: 'long' is larger than 8388608 bytes"
	[ "$(printf '<p>a\0b</p>' | page)" = 'a b' ]
	run -1 page <<<'<script>only()</script>'
	expect <<<"co-text-extract: 'standard input': there is no text in it"
	run -3 co-text-extract "$CO_BIN/co-text-extract"
	expect <<<"co-text-extract: '$CO_BIN/co-text-extract': it is not a kind of text: application/octet-stream"
	run -4 co-text-extract absent
}

@test "text of scripts and comments does not count as attributes" {
	local words
	words=$(perl -e 'print join " ", map "\"w$_\",", 1..5000')
	run -0 page <<<"<script>for (i = 0; i<n; i++) f([$words])</script><!-- a<b $words --><p>Text.</p>"
	expect <<<Text.
	run -0 page <<<"<script type='text/x'>f(i<n, [$words])</script><STYLE a>b<c $words</style><p>Text.</p>"
	expect <<<Text.
	# Attributes of a script element itself count, and those after an empty
	# one.
	run -4 page <<<"<script $words>x</script><p>Text.</p>"
	run -4 page <<<"<script/><p $words>x</p><script></script>"
	run -4 page <<<"<scripts><p $words>x</p>"
}

@test "links that run code or contain data are left out" {
	run -0 page <<-'END'
		<p><a href="javascript:alert(1)">a</a> <a href="JaVa	Script:x">b</a>
		<a href="data:text/html,x">c</a> <img src="data:image/png;base64,xx" alt="d">
		<a href="vbscript:x">e</a> <a href="mailto:a@example.org">f</a></p>
	END
	expect <<<'a b c e [f](mailto:a@example.org)'
}

@test "soft hyphens are removed from text and kept in code" {
	printf '<body><h2>Docu&shy;men\xc2\xadta&shy;tion</h2><p>in&shy;side</p><pre>a&shy;b</pre>' >page.html
	run -0 co-text-extract --whole page.html
	expect <<<$'## Documentation\n\ninside\n\n```\na\xc2\xadb\n```'
}

@test "co-text-extract opens no file or socket after it reads its input" {
	need_strace
	frame "<p>$long</p><img src=https://example.org/x.png>" >page.html
	strace -f -o trace co-text-extract page.html >out
	awk '/ read\(.*<!doctype/ { reads = 1; next }
		reads && /(open|openat|socket|connect|execve|clone|fork)\(/' trace >opened
	diff /dev/null opened
	grep -q 'doctype' trace
}

@test "helper programs read PDF and the types of the user's settings" {
	mkdir bin
	PATH=$PWD/bin:$PATH
	printf '%%PDF-1.4 rest' >a.pdf
	cat >bin/pdftotext <<-'END'
		#!/bin/sh
		echo "$@"
		cat
	END
	chmod +x bin/pdftotext
	run -0 co-text-extract a.pdf
	expect <<<$'-enc UTF-8 -bbox -raw - -\n%PDF-1.4 rest'
	run -0 co-text-extract --json a.pdf
	[ "$(jq -r '.sha256, .bytes' <<<"$output")" = "$(sha256sum a.pdf | cut -c1-64)
13" ]
	[ "$(co-text-extract --json a.pdf | jq -r .type)" = application/pdf ]
	# The helper has a limit of processor time, in case co-text-extract is
	# killed.
	printf '#!/bin/sh\ncat >/dev/null\nulimit -t\n' >bin/pdftotext
	[ "$(co-text-extract a.pdf)" -le 600 ]
	# The helper's output is plain text, whatever it looks like.
	printf '#!/bin/sh\ncat >/dev/null\nprintf "PK\\003\\004word/document.xml"\n' \
		>bin/pdftotext
	run -0 co-text-extract a.pdf
	expect <<<$'PK\003\004word/document.xml'
	printf '#!/bin/sh\ncat >/dev/null\necho no such page >&2\nexit 2\n' >bin/pdftotext
	run -6 co-text-extract a.pdf
	[[ $output == *"no such page (poppler-utils has it)" ]]
	epub
	mkdir -p "$global"
	echo '{"extract": {"application/epub+zip": ["sh", "-c", "cat >/dev/null; echo mine"]}}' \
		>"$global/settings.json"
	run -0 co-text-extract a.epub
	expect <<<mine
	mkdir -p .co-cli
	mv "$global/settings.json" .co-cli
	[ "$(co-text-extract a.epub | head -n 1)" = '# First' ]
}

# printed TEXT: extract a PDF whose helper prints TEXT, with \f between pages.
printed() {
	printf '%b' "$1" >pages
	mkdir -p bin
	printf '#!/bin/sh\ncat >/dev/null\ncat %q\n' "$PWD/pages" >bin/pdftotext
	chmod +x bin/pdftotext
	printf '%%PDF-1.4 rest' >a.pdf
	PATH=$PWD/bin:$PATH run -0 co-text-extract a.pdf
}

@test "the headers and footers of a PDF's pages are left out" {
	command -v pdftotext >/dev/null || skip 'pdftotext is not there'
	"$CO_SOURCE/t/pdf.pl" >book.pdf <<<$'My book\nChapter (One)\n\nIt is long, and goes\n\nA press, page 9 of 11
\fMy book\non here.\n\nAll is well.\n\nA press, page 10 of 11
\fMy book\nThe end.\n\nA press, page 11 of 11'
	run -0 co-text-extract book.pdf
	expect <<-'END'
		My book
		Chapter (One)

		It is long, and goes
		on here.

		All is well.

		The end.
	END
}

@test "headers on alternate pages, without the first one, are left out" {
	printed 'Title\n\nOne.\n\n1\n\fleft\n\nTwo.\n\n2\n\fright\n\nThree.\n\n3\n\fleft\n\nFour.\n\n4\n\fright\n\nFive.\n\n5\n\f'
	expect <<<$'Title\n\nOne.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.'
}

@test "lines repeated inside pages or by chance are kept" {
	printed 'a 1\nb 7\n}\n\fc 3\nb 9\n}\n'
	expect <<<$'a 1\nb 7\n}\n\nc 3\nb 9\n}'
	printed 'The one.\nsame\nTwo.\n\fThe other.\nsame\nThree.\n'
	expect <<<$'The one.\nsame\nTwo.\n\nThe other.\nsame\nThree.'
	printed '    code first\n\n'
	expect <<<'    code first'
	# A heading equals the header.
	printed 'Head\n\nHead\nOne.\n\fHead\n\nTwo.\n'
	expect <<<$'Head\n\nHead\nOne.\n\nTwo.'
}

@test "a sentence continues across pages, and a new one starts a paragraph" {
	printed 'It is long, and goes\n\fon here.\n\fThe end.\n'
	expect <<<$'It is long, and goes\non here.\n\nThe end.'
	printed '文章はここで終わります。\n\f次の段落はこれで\n\fまだ続きます！\n\f終わり\n'
	expect <<<$'文章はここで終わります。\n\n次の段落はこれで\nまだ続きます！\n\n終わり'
}

@test "numbered headings are not taken for page numbers" {
	printed '# 1\n\nOne.\n\f# 2\n\nTwo.\n\f# 3\n\nThree.\n'
	expect <<<$'# 1\n\nOne.\n\n# 2\n\nTwo.\n\n# 3\n\nThree.'
	printed '1\n\nOne.\n\f2\n\nTwo.\n\f3\n\nThree.\n'
	expect <<<$'One.\n\nTwo.\n\nThree.'
}

@test "text repeated on each page is kept once" {
	printed 'Prices\n\nName  Price\nA 1\n\fPrices\n\nName  Price\nB 2\n'
	expect <<<$'Prices\n\nName  Price\nA 1\n\nB 2'
	printed 'Dear all\nSame\n\f\fDear all\nSame\n\f\f'
	expect <<<$'Dear all\nSame'
	printed 'a\nb\nc\nd\ne\nf\n\fa\nb\nc\nd\ne\nf\n\fa\nb\nc\nd\ne\nf'
	expect <<<$'a\nb\nc\nd\ne\nf'
	printed 'Text\n\nSecret\nPage 1\n\fMore\n\nSecret\nPage 2\n'
	expect <<<$'Text\n\nMore\n\nSecret'
}

@test "hyphenated words at line ends are joined" {
	printed 'An in\xc2\xadter\xc2\xadna\xc2\xad\xe2\x80\x90\ntion\xc2\xadal well\xe2\x80\x90known word, bro\xe2\x80\x90\n\fken by a page; A\xe2\x80\x90\nB.\n'
	expect <<<$'An international well\xe2\x80\x90known word, broken by a page; A\xe2\x80\x90\nB.'
}

@test "the content decides the type if it contradicts --type" {
	mkdir bin
	PATH=$PWD/bin:$PATH
	printf '#!/bin/sh\ncat >/dev/null\necho by the helper\n' >bin/pdftotext
	chmod +x bin/pdftotext
	printf '%%PDF-1.4 rest' >a.pdf
	run -0 co-text-extract --type=text/html a.pdf
	expect <<<'by the helper'
	docx
	run -0 co-text-extract --type=text/html a.docx
	[[ $output == '## Head'* ]]
}

@test "each chapter of an EPUB can have its own charset" {
	epub
	echo '<html><head><meta charset="gb2312"></head><body><p>中文</p></body></html>' |
		iconv -f utf-8 -t gb2312 >text/two.xhtml
	"$CO_SOURCE/t/zip.pl" b.epub -0 mimetype META-INF/container.xml \
		text/b.opf 'text/one .xhtml' text/two.xhtml
	run -0 co-text-extract b.epub
	[[ $output == *$'Its text.\n\n中文' ]]
}

@test "a table wider than the limit of text is refused" {
	perl -e 'print "<table><tr>", "<td>x" x 20000, "</tr>",
		"<tr><td>y</tr>" x 20000, "</table>"' >wide.html
	run -4 co-text-extract --whole --type=text/html wide.html
	expect <<<"co-text-extract: 'wide.html': its text is longer than 1 MiB"
}

@test "nested tables and blocks are extracted within the time limit" {
	perl -e 'print "<body>", "<table><tr><td>some words, and more " x 18000' >deep.html
	run -0 co-text-extract --type=text/html deep.html
	[[ $output == 'some words, and more'*' some words, and more' ]]
	perl -e 'print "<body>", "<div>" x 250, "<a href=x>link</a> words, " x 30000' >links.html
	run -0 co-text-extract --type=text/html links.html
	[[ $output == '[link](x) words,'* ]]
}
