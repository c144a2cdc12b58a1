#!/usr/bin/perl
# zip.pl ARCHIVE FILE...: pack files as document programs do. '-0' before a file stores it
# without compression.
use strict;
use warnings;
use IO::Compress::Zip qw(:all);

my $archive = shift;
my ($zip, $store);
for my $file (@ARGV) {
	if ($file eq '-0') { $store = 1; next }
	open my $in, '<:raw', $file or die "$file: $!";
	my @how = (Name => $file,
		Method => $store ? ZIP_CM_STORE : ZIP_CM_DEFLATE);
	if ($zip) { $zip->newStream(@how) }
	else { $zip = IO::Compress::Zip->new($archive, @how) or die }
	local $/;
	$zip->print(scalar <$in> // '');
	$store = 0;
}
$zip->close;
