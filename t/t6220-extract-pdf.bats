#!/usr/bin/env bats
# Test how co-text-extract makes rows, paragraphs, headings and lists of a PDF
# from the positions of its words.
load lib

setup() {
	world
	[ -x "$CO_BIN/co-text-extract" ] || skip 'made without libxml2 or libarchive'
	mkdir bin
	printf '%%PDF-1.4 rest' >a.pdf
}

# boxed: extract a PDF whose helper prints the rows of standard input, each "X Y
# SIZE TEXT", word by word. A line of --- begins another page.
boxed() {
	perl -e '
		print qq(<!DOCTYPE html><html>\n<body>\n<doc>\n  <page width="600" height="800">\n);
		while (<STDIN>) {
			chomp;
			if (/^---$/) { print qq(  </page>\n  <page width="600" height="800">\n); next }
			my ($x, $y, $size, $text) = split / /, $_, 4;
			for (split / /, $text) {
				my $end = $x + length($_) * $size / 2;
				s/&/&amp;/g; s/</&lt;/g; s/>/&gt;/g; s/"/&quot;/g;
				printf qq(    <word xMin="%f" yMin="%f" xMax="%f" yMax="%f">%s</word>\n),
					$x, $y, $end, $y + $size, $_;
				$x = $end + $size / 4;
			}
		}
		print "  </page>\n</doc>\n</body>\n</html>\n"' >pages
	printf '#!/bin/sh\ncat >/dev/null\ncat %q\n' "$PWD/pages" >bin/pdftotext
	chmod +x bin/pdftotext
	PATH=$PWD/bin:$PATH run -0 co-text-extract a.pdf
}

@test "a gap between rows or an indented row begins a paragraph" {
	boxed <<-'END'
		50 50 10 One row of it,
		50 62 10 and another.
		50 92 10 Apart from that.
		50 104 10 It goes on.
		65 116 10 This is indented,
		50 128 10 and this is not.
	END
	expect <<<$'One row of it,\nand another.\n\nApart from that.\nIt goes on.\n\nThis is indented,\nand this is not.'
}

@test "columns are read one after the other, and sentences continue across" {
	boxed <<-'END'
		50 50 10 The left column
		50 62 10 ends in a
		300 50 10 sentence that goes on.
		300 62 10 Here is more.
	END
	expect <<<$'The left column\nends in a\nsentence that goes on.\nHere is more.'
}

@test "a justified row is one row, however wide its spaces are" {
	boxed <<-'END'
		50 50 10 Some
		150 50 10 wide
		270 50 10 words
		50 62 10 and the rest.
	END
	expect <<<$'Some wide words\nand the rest.'
	# Words in two typefaces without a space between them are one word.
	boxed <<<$'50 50 10 half\n70 50 10 way\n50 62 10 done.'
	expect <<<$'halfway\ndone.'
}

@test "larger text is a heading, and heading numbers are not page numbers" {
	boxed <<-'END'
		50 50 20 The title of
		50 74 20 it all
		50 110 14 1
		50 140 10 The text of the first.
		---
		50 50 14 2
		50 80 10 The text of the second.
		---
		50 50 14 3
		50 80 10 The text of the third, with a mark
		299 78 6 9
	END
	expect <<-'END'
		# The title of it all

		## 1

		The text of the first.

		## 2

		The text of the second.

		## 3

		The text of the third, with a mark 9
	END
}

@test "a row with a word in normal size is not a heading" {
	boxed <<-'END'
		50 50 20 Large:
		126 58 10 small
		50 92 10 The text of it,
		50 104 10 and more.
	END
	expect <<<$'Large: small\n\nThe text of it,\nand more.'
}

@test "headers and footers are left out if they are printed last" {
	boxed <<-'END'
		50 100 10 All of the text
		50 112 10 goes on and
		50 20 10 The book
		50 780 10 Page 1
		---
		50 100 10 on, to its end.
		50 20 10 The book
		50 780 10 Page 2
	END
	expect <<<$'The book\n\nAll of the text\ngoes on and\non, to its end.'
}

@test "words broken at line ends are joined, and compounds keep the hyphen" {
	boxed <<-'END'
		50 50 10 A high place, an end of an inter-
		50 62 10 national story, of a high-
		50 74 10 end shop in North-
		50 86 10 East London, seen 1-
		50 98 10 2 times.
	END
	expect <<<$'A high place, an end of an international story, of a high-end shop in North-\nEast London, seen 1-\n2 times.'
}

@test "bullets become list items" {
	boxed <<-'END'
		50 50 10 There are:
		50 62 10 • one thing
		50 74 10 • another, that
		65 86 10 takes two rows
		50 110 10 And that is all.
	END
	expect <<<$'There are:\n- one thing\n- another, that\ntakes two rows\n\nAnd that is all.'
}

@test "printed text with a meaning in Markdown is escaped" {
	boxed <<-'END'
		50 50 10 # make install
		50 62 10 #!/bin/sh
		50 74 10 ```
		50 86 10 A < B & "C"
		50 98 10 ===
		50 110 10 <!-- open
		50 122 10 ----
	END
	expect <<<$'\\# make install\n#!/bin/sh\n\\```\nA < B & "C"\n\\===\n\\<!-- open\n\\----'
}

@test "right-to-left text is extracted without positions" {
	boxed <<<'50 50 10 םולש'
	cat >bin/pdftotext <<-END
		#!/bin/sh
		cat >/dev/null
		case " \$* " in *' -bbox '*) cat '$PWD/pages' ;; *) echo שלום ;; esac
	END
	PATH=$PWD/bin:$PATH run -0 co-text-extract a.pdf
	expect <<<שלום
}

@test "malformed word positions do not make the extraction fail" {
	boxed <<-'END'
		nan inf 10 first
		1e300 -1e300 -10 second
		50 50 0 third
	END
	for word in first second third; do
		[[ $output == *$word* ]]
	done
	printf '<!DOCTYPE html>\n<doc>\n  <page width="1"><word xMin="1">open' >pages
	PATH=$PWD/bin:$PATH run -1 co-text-extract a.pdf
	expect <<<"co-text-extract: 'a.pdf': there is no text in it"
}

@test "the pages of a real PDF are extracted in order" {
	command -v pdftotext >/dev/null || skip 'pdftotext is not there'
	"$CO_SOURCE/t/pdf.pl" >real.pdf <<<$'# not a heading\nand its text\n\nA paragraph,\nin two rows\fOn another page.'
	run -0 co-text-extract real.pdf
	expect <<<$'\\# not a heading\nand its text\n\nA paragraph,\nin two rows\n\nOn another page.'
}

@test "two bottom rows printed first move to the end, a third one stays" {
	boxed <<-'END'
		50 700 10 Third from below.
		50 740 10 Last but one.
		50 780 10 Last.
		50 50 10 The text begins,
		50 62 10 and ends here.
	END
	expect <<-'END'
		Third from below.

		The text begins,
		and ends here.

		Last but one.

		Last.
	END
}
