#!/usr/bin/env python3
"""t/perf/pages.py BIN FOLDER: how well co-text-extract finds the main content.

Each directory in FOLDER holds source.html, a page as it was sent, and
expected.html, its main content, as in test/test-pages of Mozilla's
Readability. Prints the result of each page below F1 .9; then the mean F1 of
the words, how many pages reach .9, and how many blocks of code are equal.
"""
import collections
import html.parser
import pathlib
import re
import subprocess
import sys

INLINE = set('a b code em font i small span strong sub sup u'.split())
MUTE = {'script', 'style'}


class Page(html.parser.HTMLParser):
    """Collects the text of a page, and its blocks of code."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.text, self.blocks = [], []
        self.mute = self.pre = 0
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.mute += tag in MUTE
        if tag not in INLINE:
            self.text.append(' ')
        if tag == 'pre':
            if not self.pre:
                self.blocks.append('')
            self.pre += 1
        elif tag == 'br' and self.pre:
            self.blocks[-1] += '\n'

    def handle_endtag(self, tag):
        self.mute -= tag in MUTE and self.mute > 0
        self.pre -= tag == 'pre' and self.pre > 0
        if tag not in INLINE:
            self.text.append(' ')

    def handle_data(self, data):
        if not self.mute:
            self.text.append(data)
        if self.pre:
            self.blocks[-1] += data


def plain(markdown):
    """Return the words of Markdown, without images and the targets of links."""
    markdown = re.sub(r'!\[((?:\\.|[^\]\\])*)\]\([^)]*\)', ' ', markdown)
    markdown = re.sub(r'\]\([^)\s]*\)', ']', markdown)
    return re.sub(r'\\([^\w\s])', r'\1', markdown).replace('*', '')


def words(text):
    return collections.Counter(re.findall(r'\w+', text.lower()))


def fenced(markdown):
    """Return the blocks of code, without the indentation of their lines."""
    fence = re.compile(r'^([ >]*)(`{3,})[^\n`]*\n(.*?)^\1\2$', re.S | re.M)
    return {''.join(line.removeprefix(found[1])
                    for line in found[3].splitlines(True)).strip()
            for found in fence.finditer(markdown)}


def main(program, folder):
    scores, blocks, same = [], 0, 0
    for page in sorted(pathlib.Path(folder).iterdir()):
        expected = Page((page / 'expected.html').read_text())
        run = subprocess.run(
            [program, page / 'source.html',
             '--base=http://fakehost/test/page.html'],
            capture_output=True, check=False)
        markdown = run.stdout.decode()
        got, want = words(plain(markdown)), words(''.join(expected.text))
        common = (got & want).total()
        score = 2 * common / ((got.total() + want.total()) or 1)
        scores.append(1.0 if got == want else score)
        if scores[-1] < .9:
            print(f'{scores[-1]:.3f} {page.name} (exit {run.returncode})')
        code = fenced(markdown)
        blocks += len(expected.blocks)
        same += sum(block.strip() in code for block in expected.blocks)
    print(f'F1 {sum(scores) / len(scores):.4f} of {len(scores)} pages, '
          f'{sum(s >= .9 for s in scores)} of .9 and above; '
          f'blocks of code: {same} of {blocks} the same')


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1] + '/co-text-extract', sys.argv[2])
