#!/usr/bin/env python3
"""Do the work of co as a Python script with PyYAML would.

usage: reference.py context | recall QUERY

Works on the store of the working directory and, for the context, of the home.
"""
import re
import sys
from pathlib import Path

import yaml

PROJECT = Path(".co-cli/knowledge")
GLOBAL = Path.home() / ".config/co-cli/knowledge"
DOCUMENT = re.compile(r"^---\s*\n(.*?)\n---\s*\n(.*)$", re.DOTALL)


def load(path):
    """Return the frontmatter and the body of the file at PATH."""
    text = path.read_text(encoding="utf-8")
    parts = DOCUMENT.match(text)
    if not parts:
        return {}, text
    return yaml.safe_load(parts[1]), parts[2]


def context():
    print("## Internal Knowledge")
    for title, root in ("Global", GLOBAL), ("Project", PROJECT):
        path = root / "context.md"
        if path.exists():
            data, body = load(path)
            if data.get("version") != 1:
                raise ValueError("Unsupported version")
            print(f"\n### {title} Context\n\n{body.strip()}")


def recall(query):
    query = query.lower()
    found = []
    for path in (PROJECT / "memories").glob("*.md"):
        data, body = load(path)
        tags = data.get("tags") or []
        if query in body.lower() or any(query in tag for tag in tags):
            found.append((str(data["created"]), data["id"], tags, body))
    for created, number, tags, body in sorted(found, reverse=True)[:5]:
        print(f"**Memory {number}** (created {created[:10]})")
        if tags:
            print("Tags:", ", ".join(tags))
        print(f"{body.strip()}\n")


{"context": context, "recall": recall}[sys.argv[1]](*sys.argv[2:])
