#!/usr/bin/env python3
"""t/perf/manuals.py BIN [PAGES [QUESTIONS]]: how well co recall finds articles.

Saves PAGES (650) of the manual pages of this machine as articles, each converted to
HTML by mandoc, in a separate store, and makes QUESTIONS (362) queries: the line below
NAME, without the name. Prints the number of pages and sections, and Recall@5 and MRR
of the results; then both for pages without that line, so that no page contains the
query. The names of the pages decide which are used.
"""
import collections
import gzip
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path('/usr/share/man')
FAMILY = 4  # pages at most whose names begin with the same word
SIZES = range(1500, 200000)  # in bytes of source


LINE = re.compile(r'^#+ NAME\n+(.+(?:\n.+)*)', re.M)


def run(words, given=b''):
    return subprocess.run(words, input=given, stdout=subprocess.PIPE,
                          check=True).stdout


def by_sum(path):
    return hashlib.sha256(path.name.encode()).digest()


def sources():
    """Return the pages in a random order that is the same every day."""
    families = collections.Counter()
    for path in sorted(FOLDER.glob('man[1-8]/*.gz'), key=by_sum):
        family = re.split(r'[-_.:]', path.name.lower())[0]
        if path.is_symlink() or families[family] == FAMILY:
            continue
        text = gzip.decompress(path.read_bytes())
        if len(text) not in SIZES or text.startswith(b'.so '):
            continue
        families[family] += 1
        yield path, text


def question(page, markdown):
    """Return the purpose that the page states, without its name, or None."""
    line = LINE.search(markdown)
    parts = re.split(r'\s[-–—]+\s', line[1] if line else '', maxsplit=1)
    if len(parts) < 2:
        return None
    text = re.sub(r'\]\([^)]*\)|[^\w\s\'-]', ' ', parts[1]).split()
    names = {name.lower() for name in re.findall(r'\w[\w-]*', parts[0])}
    names.add(page.name.split('.')[0].lower())
    text = [word for word in text if word.lower() not in names]
    return ' '.join(text) if len(text) >= 3 else None


def fill(bin_dir, wanted, whole):
    """Save the pages. Return {query: the article that answers it}."""
    asked, doubles, kept = {}, set(), 0
    for path, text in sources():
        if kept == wanted:
            break
        html = subprocess.run(['mandoc', '-Thtml', '-Ostyle=x.css'],
                              input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False).stdout
        article = json.loads(run([bin_dir / 'co-text-extract', '--json'], html))
        text = question(path, article['markdown'])
        if not whole:
            article['markdown'] = LINE.sub('', article['markdown'], count=1)
        # A duplicate page is reported and not saved.
        saved = subprocess.run(
            [bin_dir / 'co-article-save', '--extracted', '--allow-secret',
             f'--source=https://example.org/man/{path.name}',
             f'--title={path.name[:-3]}'],
            input=json.dumps(article).encode(), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, check=False)
        if saved.returncode:
            continue
        kept += 1
        if text and text.lower() in doubles:
            asked.pop(text, None)
        elif text:
            asked[text] = saved.stdout.decode().strip()
            doubles.add(text.lower())
    return asked, kept


def places_of(answers, articles):
    """Return the rank of each article among its results, 0 if absent."""
    places, found = [], []
    for line in answers.splitlines():
        if line.startswith('{'):
            found.append(json.loads(line)['path'])
            continue
        article = articles[len(places)]
        places.append(found.index(article) + 1 if article in found else 0)
        found = []
    return places


def measure(bin_dir, pages, questions, whole):
    with tempfile.TemporaryDirectory() as work:
        os.environ['HOME'] = work
        os.mkdir(work + '/project')
        os.chdir(work + '/project')
        run([bin_dir / 'co', 'init'])
        asked, kept = fill(bin_dir, pages, whole)
        asked = dict(list(asked.items())[:questions])
        index = json.loads(run([bin_dir / 'co-index-update', '--json']))
        answers = run([bin_dir / 'co-recall', '--batch', '--json', '-n10'],
                      ''.join(json.dumps({'query': text}) + '\n'
                              for text in asked).encode()).decode()
        os.chdir('/')
    places = places_of(answers, list(asked.values()))
    n = len(places)
    print(f'{kept} pages {"as they are" if whole else "without the line"}, '
          f'{index["documents"]} sections, {n} questions: '
          f'Recall@5 {sum(0 < at <= 5 for at in places) / n:.3f}, '
          f'MRR {sum(1 / at for at in places if at) / n:.3f}')


def main(bin_dir, pages=650, questions=362):
    for name in [name for name in os.environ if name.startswith('XDG_')]:
        del os.environ[name]
    bin_dir = pathlib.Path(bin_dir).resolve()
    for whole in True, False:
        measure(bin_dir, int(pages), int(questions), whole)


if __name__ == '__main__':
    if len(sys.argv) not in range(2, 5):
        sys.exit(__doc__.splitlines()[0])
    main(*sys.argv[1:])
