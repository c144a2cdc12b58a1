#!/usr/bin/env bats
# Test how text becomes terms: words, stems, scripts and joined words.
load lib

terms() {
	run -0 "$CO_BIN/../t/tool/rank/terms"
}

# words TEXT: print its terms on one line; a slash joins terms of one position.
words() {
	"$CO_BIN/../t/tool/rank/terms" "${@:2}" <<<"$1" | awk '{
		printf "%s%s", NR == 1 ? "" : $3 ~ /^\[/ ? " " : "/", $2
	} END { print "" }'
}

# meet A B: check that both texts give the same terms.
meet() {
	diff -u <(words "$1") <(words "$2")
}

@test "a stem begins with the letter predicted for each irregular form" {
	sed -nE '/^\t"/ { s/[";\t]//g; s/\\0/\n/g; p; }' \
		"$CO_SOURCE/lib/rank/irregular.c" |
		sed -n 's/[0-9].*//p' >forms
	[ "$(wc -l <forms)" -gt 1000 ]
	"$CO_BIN/../t/tool/rank/terms" --stems <forms >stems
	[ "$(wc -l <stems)" -eq "$(wc -l <forms)" ]
	run ! grep missed stems
}

@test "words are stemmed by Porter's algorithm" {
	run -0 "$CO_BIN/../t/tool/rank/terms" --stems <<-'END'
		caresses
		ponies
		cats
		agreed
		plastered
		motoring
		sing
		conflated
		troubling
		sized
		hopping
		falling
		filing
		happy
		sky
		relational
		conditional
		digitizer
		operator
		feudalism
		hopefulness
		formaliti
		triplicate
		electrical
		goodness
		revival
		adjustable
		replacement
		adoption
		irritant
		probate
		rate
		cease
		controlling
		roll
		is
		abc1
	END
	expect <<-'END'
		caress
		poni
		cat
		agre
		plaster
		motor
		sing
		conflat
		troubl
		size
		hop
		fall
		file
		happi
		ski
		relat
		condit
		digit
		oper
		feudal
		hope
		formal
		triplic
		electr
		good
		reviv
		adjust
		replac
		adopt
		irrit
		probat
		rate
		ceas
		control
		roll
		is
		abc1
	END
}

@test "all forms of a verb have one stem where Porter's algorithm differs" {
	meet "try tries tried trying" "try try try try"
	meet "tie ties tied" "tie tie tie"
	meet "play plays played" "play play play"
	meet "apology apologies" "apology apology"
}

@test "irregular forms have the stem of their base form" {
	meet "went gone" "go go"
	meet "mice geese children" "mouse goose child"
	meet "bought wrote taught" "buy write teach"
	meet "aardwolves zoosporangia" "aardwolf zoosporangium"
	meet "ran running runs" "run run run"
}

@test "a form shared by a verb and a noun has the stem of the verb" {
	meet "lives leaves" "live leave"
	meet "wives shelves" "wife shelf"
}

@test "British and American spelling have one stem" {
	meet "optimisation optimised optimising optimiser" \
		"optimization optimized optimizing optimizer"
	meet "organisational customisable realised" \
		"organizational customizable realized"
	meet "analyse analysed analysing" "analyze analyzed analyzing"
	meet "catalogue catalogues catalogued" "catalog catalogs cataloged"
	meet "colour behavioural favourites" "color behavioral favorites"
	meet "centre centres centred kilometres fibre" \
		"center centers centered kilometers fiber"
	meet "licence defence artefacts programme judgement grey" \
		"license defense artifacts program judgment gray"
	# What is never spelled with z keeps its relatives.
	meet "supervise precise revise advertise" \
		"supervision precision revision advertisement"
	run -0 "$CO_BIN/../t/tool/rank/terms" --stems <<<$'advise\npromise\nnoise\notherwise\nexercise\nexpertise\nhour\nfour\nleague\nparameter'
	expect <<<$'advis\npromis\nnois\notherwis\nexercis\nexpertis\nhour\nfour\nleagu\nparamet'
}

@test "letter case and accents make no difference" {
	meet "CRÈME Brûlée STRASSE" "creme brulee straße"
	meet "ПРИВЕТ Ёлка" "привет елка"
	meet "Ὀδυσσεύς" "οδυσσευσ"
	meet "Ørsted Łódź ＦＵＬＬ" "orsted lodz full"
	meet "שָׁלוֹם" "שלום"
	meet $'cafe\u0301' "café"
	meet $'soft\u00adware' "software"
}

@test "possessives and contractions lose their endings" {
	meet "Ann's the dogs' we've I'll" "Ann the dogs we I"
	meet "Ann’s" "Ann"
	[ "$(words "don't won’t")" = "dont wont" ]
}

@test "a joined word gives terms for its parts and for the whole" {
	[ "$(words "e-mail")" = "e/email mail" ]
	[ "$(words "snake_case_name")" = "snake/snakecasenam case name" ]
	[ "$(words "parseHTTPRequest")" = "pars/parsehttprequest http request" ]
	[ "$(words "Ann@Example.org")" = "ann/annexampleorg exampl org" ]
	[ "$(words "O'Brien AT&T")" = "o/obrien brien at/att t" ]
	[ "$(words "URLs IDs")" = "url id" ]
	[ "$(words "lib/terms.c")" = "lib term/termsc c" ]
}

@test "a word gives the same term next to a space and next to a sign" {
	local word beside
	for word in deploys Deploys a A I x7 7 2026 7th ponies THE Went HTTPServer \
		camelCase URLs C foo_bar abc1 \
		"$(printf '%0.sLong' {1..40})" "$(printf '%0.slong' {1..40})"; do
		for beside in '' ' next' '. Next' ', next' '.' ','; do
			meet "$word$beside" "$word!$beside"
			meet "one $word$beside" "one ($word)$beside"
		done
	done
	[ "$(words 'Deploys ran, in v2.')" = 'deploy run in v2' ]
	terms <<<'On. a7, x'
	expect <<-'END'
		1 on [0-2 of 0]
		2 a7 [4-6 of 4]
		3 x [8-9 of 8]
	END
}

@test "numbers keep the separators between their digits" {
	[ "$(words "3.14 v1.2.3")" = "3/3.14 14 v1/v1.2.3 2 3" ]
	[ "$(words "2026-02-09")" = "2026/2026-02-09 02 09" ]
	[ "$(words "1,000")" = "1/1000 000" ]
}

@test "C++ and C# keep their signs" {
	[ "$(words "C++ or C#, F#. a+b i #tag")" = \
		"c/c++ or c/c# f/f# a b i tag" ]
	[ "$(words "C++17")" = "c/c++ 17" ]
}

@test "scripts without spaces give pairs of characters and single characters" {
	[ "$(words "全文検索")" = "全文/全 文検/文 検索/検/索" ]
	[ "$(words "東")" = "東" ]
	[ "$(words "한국어 ภาษา")" = "한국/한 국어/국/어 ภา/ภ าษ/า ษา/ษ/า" ]
	[ "$(words "Python入門")" = "python 入門/入/門" ]
	meet $'か\u3099き' "がき"
	meet $'\u1112\u1161\u11AB국' "한국"
}

@test "a query of several such characters gives pairs only" {
	[ "$(words "全文検索" -q)" = "全文 文検 検索" ]
	[ "$(words "東" -q)" = "東" ]
}

@test "vowel marks that are letters of a script are kept" {
	[ "$(words "हिन्दी")" = "हिन्दी" ]
	meet $'क्‍ष' $'क्ष'
	meet "می‌خواهم" "میخواهم"
}

@test "each term has its position and its byte range in the text" {
	terms <<<"the e-mails of Zoë's"
	expect <<-'END'
		1 the [0-3 of 0]
		2 e [4-5 of 4]
		2 email whole [4-11 of 4]
		3 mail [6-11 of 4]
		4 of [12-14 of 12]
		5 zoe [15-19 of 15]
	END
}

@test "invalid bytes separate words, and long words are cut" {
	run -0 bash -c "printf 'a\xff\xfeb\xc3 c\n' | '$CO_BIN/../t/tool/rank/terms'"
	expect <<-'END'
		1 a [0-1 of 0]
		2 b [3-4 of 3]
		3 c [6-7 of 6]
	END
	[ "$(words "$(printf 'x%.0s' {1..500})" | tr -d '\n' | wc -c)" = 64 ]
	[ "$(words "$(printf 'é%.0s' {1..500})" | tr -d '\n' | wc -c)" = 64 ]
	run -0 words "$(printf 'a.%.0s' {1..40})"
	[ "$(tr -cd ' ' <<<"$output" | wc -c)" = 39 ]
}

@test "the stop words are exactly those of the list" {
	local stops="$CO_BIN/../t/tool/rank/terms"
	tr -s ' \t' '\n' >all <<-'END'
		about after again all also although am an and any are arent as at be
		because been before being both but by can cannot cant could couldnt
		did didnt do does doesnt doing dont during each either every few for
		from further had hadnt has hasnt have havent having he her here hers
		herself him himself his how if in into is isnt it its itself just many
		me might more most much must my myself neither no nor not of off on
		once only or other ought our ours ourselves out own please same
		several shall she should since so some such than that the their theirs
		them themselves then there these they this those though through to too
		unless until us very was wasnt we were werent what when where whether
		which while who whom whose why will with wont would wouldnt you your
		yours yourself yourselves
	END
	[ "$(wc -l <all)" = 149 ]
	run -0 "$stops" --stops <all
	[ -z "$output" ]
	printf '%s\n' aa abou aboutt up down may need yourselv yourselvess \
		themselvesx zz '' 7 é >words
	run -0 "$stops" --stops <words
	expect <words
}
