"""
python3 generate.py [URL or file of openapi.json]: writes agent_marketplace/operations.py, with a
method for each operation and a type for each object, from the marketplace's OpenAPI document.
"""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
Schema = dict[str, Any]
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Call(NamedTuple):
    """An operation for agents, by its first route."""

    method: str
    path: str
    operation: dict[str, Any]


def calls_of(document: dict[str, Any]) -> list[Call]:
    """Without second routes (alias, x402) and without the operations of operators."""
    found = [
        Call(method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    names = {call.operation["operationId"] for call in found}

    def is_first(call: Call) -> bool:
        name = call.operation["operationId"]
        first = re.sub(r"_(alias|by_x402)$", "", name)
        return first == name or first not in names

    def is_for_agents(call: Call) -> bool:
        return not any("operator" in one for one in call.operation["security"])

    return [call for call in found if is_first(call) and is_for_agents(call)]


class Types:
    """The Python types of schemas. Objects become a `TypedDict` each, in `lines`."""

    def __init__(self, schemas: dict[str, Schema]) -> None:
        self.schemas = schemas
        self.lines: list[str] = []
        self.known: set[str] = set()

    def of(self, schema: Schema, name: str) -> str:
        """The type of a value; `name` is for the objects in it that have no name of their own."""
        if "$ref" in schema:
            return self.named(schema["$ref"].rsplit("/", 1)[-1])
        if "const" in schema or "enum" in schema:
            values = schema.get("enum", [schema.get("const")])
            return f"Literal[{', '.join(repr(value) for value in values)}]"
        for parts in ("anyOf", "oneOf"):
            if parts in schema:
                types = [self.of(part, f"{name}{n}") for n, part in enumerate(schema[parts], 1)]
                return " | ".join(dict.fromkeys(types))
        if "allOf" in schema:
            return self.of(self.merged(schema), name)
        types = schema.get("type")
        if isinstance(types, list):
            return " | ".join(self.of({**schema, "type": one}, name) for one in types)
        if types == "array":
            return f"list[{self.of(schema.get('items', {}), name)}]"
        if types == "object":
            return self.object(schema, name)
        return SIMPLE.get(str(types), "Any")

    def merged(self, schema: Schema) -> Schema:
        """One schema for all of `allOf`."""
        parts = [self.resolved(part) for part in schema["allOf"]]
        if len(parts) == 1 and "$ref" in schema["allOf"][0] and "properties" not in schema:
            return schema["allOf"][0]
        parts.append({key: value for key, value in schema.items() if key != "allOf"})
        whole: Schema = {}
        for part in parts:
            whole.update(part)
        whole["properties"] = {k: v for part in parts for k, v in part.get("properties", {}).items()}
        whole["required"] = [name for part in parts for name in part.get("required", [])]
        return whole

    def resolved(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            return self.resolved(self.schemas[schema["$ref"].rsplit("/", 1)[-1]])
        return self.merged(schema) if "allOf" in schema else schema

    def named(self, name: str) -> str:
        if name not in self.known:
            self.known.add(name)
            kind = self.of(self.schemas[name], name)
            if kind != name:
                self.lines.append(f"{name}: TypeAlias = {kind!r}\n")
        return name

    def object(self, schema: Schema, name: str) -> str:
        properties = schema.get("properties", {})
        if not properties:
            inner = schema.get("additionalProperties")
            value = self.of(inner, f"{name}Value") if isinstance(inner, dict) else "Any"
            return f"dict[str, {value}]"
        required = schema.get("required", [])
        fields: dict[str, str] = {}
        for field, value in properties.items():
            kind = self.of(value, name + field.title().replace("_", ""))
            fields[field] = kind if field in required else f"NotRequired[{kind}]"
        self.known.add(name)
        if all(field.isidentifier() and not keyword.iskeyword(field) for field in fields):
            lines = [f"class {name}(TypedDict):", *doc(schema.get("description"), 4)]
            lines += [f"    {field}: {kind}" for field, kind in fields.items()]
        else:
            lines = [f"{name} = TypedDict({name!r}, {{"]
            lines += [f"    {field!r}: {kind!r}," for field, kind in fields.items()] + ["})"]
        self.lines.append("\n".join(lines) + "\n")
        return name


def doc(text: str | None, indent: int) -> list[str]:
    if not text:
        return []
    safe = text.replace("\\", "\\\\").replace('"""', "'''")
    spaces = " " * indent
    wrapped = textwrap.fill(safe, 96 - indent, initial_indent=spaces, subsequent_indent=spaces)
    return [f'{spaces}"""', wrapped, f'{spaces}"""']


def content_of(response: dict[str, Any]) -> Schema:
    schema: Schema = response["content"]["application/json"]["schema"]
    return schema


def fields_of(operation: dict[str, Any], types: Types) -> Iterator[tuple[str, str, bool, str]]:
    """Name, type, whether it is required, and meaning: of path, query and body alike."""
    prefix = "".join(part.title() for part in operation["operationId"].split("_"))
    for one in operation.get("parameters", []):
        if one.get("in") in ("path", "query"):
            kind = types.of(one["schema"], prefix + one["name"].title())
            yield one["name"], kind, one.get("required", False), one.get("description", "")
    if "requestBody" in operation:
        body = types.resolved(content_of(operation["requestBody"]))
        for name, schema in body.get("properties", {}).items():
            kind = types.of(schema, prefix + name.title().replace("_", ""))
            yield name, kind, name in body.get("required", []), schema.get("description", "")


def method_of(call: Call, types: Types) -> str:
    name = call.operation["operationId"]
    fields = sorted(fields_of(call.operation, types), key=lambda field: not field[2])
    safe = {field: f"{field}_" if keyword.iskeyword(field) else field for field, *_ in fields}
    if {"self", "options"} & set(safe):
        raise SystemExit(f"{name} has a field of a name that the client uses itself")
    asked = [
        f"        {safe[field]}: {kind}{'' if required else ' = ABSENT'},"
        for field, kind, required, _ in fields
    ]
    about = [call.operation["description"], *meanings(fields, safe)]
    lines = [
        f"    def {name}(",
        "        self,",
        *(["        *,"] if fields else []),
        *asked,
        "        options: CallOptions = DEFAULTS,",
        f"    ) -> {types.of(content_of(call.operation['responses']['200']), 'Answer')}:",
        '        """',
        *[textwrap.indent(textwrap.fill(escaped(one), 88), " " * 8) for one in about],
        '        """',
        f"        fields: dict[str, Any] = {{{', '.join(f'{field!r}: {safe[field]}' for field in safe)}}}",
        f"        return self._call({name!r}, fields, options)",
    ]
    return "\n".join(lines)


def meanings(fields: list[tuple[str, str, bool, str]], safe: dict[str, str]) -> Iterator[str]:
    for field, _, _, meaning in fields:
        if meaning:
            yield f"`{safe[field]}`: {meaning}"


def escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def route_of(call: Call, types: Types) -> dict[str, Any]:
    parameters = [one.get("$ref", one.get("name")) for one in call.operation.get("parameters", [])]
    takes_key = any(one.endswith("/IdempotencyKey") for one in parameters)
    waits = takes_key and any(one.endswith("/Prefer") for one in parameters)
    answer = types.resolved(content_of(call.operation["responses"]["200"])).get("properties", {})
    lists = [name for name, schema in answer.items() if schema.get("type") == "array"]
    return {
        "method": call.method,
        "path": call.path,
        **({"takes_key": True} if takes_key else {}),
        **({"waits": True} if waits else {}),
        **({"list": lists[0]} if lists and "has_more" in answer else {}),
    }


def program_of(document: dict[str, Any], version: str) -> tuple[str, int]:
    calls = calls_of(document)
    types = Types(document["components"]["schemas"])
    methods = [method_of(call, types) for call in calls]
    routes = [f"    {c.operation['operationId']!r}: {route_of(c, types)!r}," for c in calls]
    alias = "TypeAlias, " if any(": TypeAlias" in lines for lines in types.lines) else ""
    parts = [
        '"""Generated by generate.py from the marketplace\'s OpenAPI document."""\n',
        "from __future__ import annotations\n",
        f"from typing import Any, Literal, NotRequired, {alias}TypedDict\n",
        "from .transport import ABSENT, DEFAULTS, CallOptions, Route\n",
        f"VERSION = {version!r}\n",
        *types.lines,
        "class Operations:",
        '    """Each operation as a method, named as its tool."""\n',
        "    def _call(self, operation: str, fields: dict[str, Any], options: CallOptions) -> Any:",
        "        raise NotImplementedError\n",
        "\n\n".join(methods),
        "\n\nROUTES: dict[str, Route] = {",
        *routes,
        "}",
    ]
    return "\n".join(parts) + "\n", len(calls)


def document_at(source: str) -> dict[str, Any]:
    try:
        if source.startswith(("http:", "https:")):
            with urllib.request.urlopen(source, timeout=30) as response:
                document = json.load(response)
        else:
            document = json.loads(Path(source).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"{source} cannot be read: {error}")
    if not isinstance(document, dict) or "paths" not in document:
        sys.exit(f"{source} is no OpenAPI document: name the /openapi.json of a marketplace")
    return document


def main() -> None:
    source = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:3000/openapi.json"
    document = document_at(source)
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    program, count = program_of(document, project["version"])
    target = FOLDER / "agent_marketplace/operations.py"
    target.write_text(program, encoding="utf-8")
    print(f"{count} operations of {source}")


if __name__ == "__main__":
    main()
