#!/usr/bin/perl
# pdf.pl <TEXT: print a PDF of TEXT, one line of Latin-1 per line. A form feed starts a new
# page.
use strict;
use warnings;

local $/;
my @pages = split /\f/, scalar <STDIN>;
my @kids = map { 4 + 2 * $_ . ' 0 R' } 0 .. $#pages;
my @objects = ('<< /Type /Catalog /Pages 2 0 R >>',
	"<< /Type /Pages /Kids [@kids] /Count ${\ scalar @pages} >>",
	'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
for my $i (0 .. $#pages) {
	my $y = 792;
	my $text = "BT /F1 11 Tf\n" . join('', map {
		$y -= 14;
		s/([\\()])/\\$1/gr =~ s/(.*)/1 0 0 1 60 $y Tm ($1) Tj\n/r;
	} split /\n/, $pages[$i]) . "ET\n";
	push @objects, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ' .
		'/Resources << /Font << /F1 3 0 R >> >> ' .
		'/Contents ' . (5 + 2 * $i) . ' 0 R >>',
		'<< /Length ' . length($text) . " >>\nstream\n${text}endstream";
}
my ($pdf, @at) = ("%PDF-1.4\n");
for my $i (0 .. $#objects) {
	push @at, length $pdf;
	$pdf .= $i + 1 . " 0 obj\n$objects[$i]\nendobj\n";
}
my $n = @objects + 1;
print $pdf, "xref\n0 $n\n0000000000 65535 f \n",
	(map { sprintf "%010d 00000 n \n", $_ } @at),
	"trailer\n<< /Size $n /Root 1 0 R >>\nstartxref\n", length $pdf,
	"\n%%EOF\n";
