# Measuring and projecting stored views reads and counts; it calls nobody, writes nothing into the archive, prices nothing.
import json
import zipfile
from pathlib import Path

from openai import OpenAI

client = OpenAI()
PRICE_PER_TOKEN = 0.000003


def measure_with_the_model(archive: Path) -> int:
    view = json.loads(archive.read_text())
    reply = client.chat.completions.create(model="gpt-4o", messages=view["messages"])  # expect: RL606
    return reply.usage.prompt_tokens


def ask(view: dict) -> str:
    reply = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": json.dumps(view)}])  # expect: RL606
    return reply.choices[0].message.content


def project_stored_views(archive: Path) -> list:
    return [ask(json.loads(member.read_text())) for member in archive.glob("*.json")]


def measure_and_mark(archive: Path) -> int:
    view = json.loads(archive.read_text())
    view["measured"] = True
    archive.write_text(json.dumps(view))  # expect: RL606
    return len(json.dumps(view))


def measure_into_the_zip(package: Path) -> int:
    with zipfile.ZipFile(package) as stored:
        size = len(stored.read("view.json"))
    with zipfile.ZipFile(package, "a") as stored:  # expect: RL606
        stored.writestr("size.txt", str(size))  # expect: RL606
    return size


def project_and_replace(archive: Path) -> None:
    for member in archive.glob("*.json"):
        view = json.loads(member.read_text())
        member.write_text(json.dumps({"context": view}))  # expect: RL606


def measure_money(archive: Path) -> float:
    view = json.loads(archive.read_text())
    tokens = len(json.dumps(view)) / 4
    return tokens * PRICE_PER_TOKEN  # expect: RL606


def measure_characters(archive: Path, report: Path) -> dict:
    view = json.loads(archive.read_text())
    figures = {"characters": len(json.dumps(view))}
    report.write_text(json.dumps(figures))
    return figures


def measure_beside_the_archive(archive: Path) -> None:
    view = json.loads(archive.read_text())
    archive.with_suffix(".report.json").write_text(str(len(json.dumps(view))))


def measure_billed(archive: Path) -> float:
    stored = json.loads(archive.read_text())
    return stored["usage"]["prompt_tokens"] * PRICE_PER_TOKEN


def measure_latency(prompt: str) -> str:
    reply = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": prompt}])
    return reply.choices[0].message.content
