"""JSON Schema, as much of it as Discord's OpenAPI file uses, made fast.

    compile(schema, root, strict) -> check
    check(value, path, wrong)     appends (path, reason) to the list wrong

Each schema becomes a closure once. strict also complains of fields that no
schema of an object names: a misspelt field is no error in JSON Schema, but
Discord would ignore it in silence. Of several alternatives one has to fit;
where none does, the complaints are those of the nearest.
"""

import datetime
import re

TYPES = {
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool)
    or isinstance(v, float) and v.is_integer(),
    "number": lambda v: isinstance(v, (int, float))
    and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
}
RANGES = {"int32": (-1 << 31, (1 << 31) - 1),
          "int64": (-1 << 63, (1 << 63) - 1)}
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s]*")
LIMITS = (("maxLength", str, len, lambda n, m: n <= m),
          ("minLength", str, len, lambda n, m: n >= m),
          ("maxItems", list, len, lambda n, m: n <= m),
          ("minItems", list, len, lambda n, m: n >= m),
          ("maxProperties", dict, len, lambda n, m: n <= m),
          ("maximum", (int, float), lambda v: v, lambda n, m: n <= m),
          ("minimum", (int, float), lambda v: v, lambda n, m: n >= m))


def _is_time(value):
    if "T" not in value:
        return False
    try:
        datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
        return True
    except ValueError:
        return False


def _short(value):
    text = repr(value)
    return text if len(text) < 80 else text[:77] + "..."


def _same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Compiler:
    def __init__(self, root, strict):
        self.root, self.strict, self.known = root, strict, {}

    def resolve(self, schema):
        while "$ref" in schema:
            at = self.root
            for step in schema["$ref"].removeprefix("#/").split("/"):
                at = at[step]
            schema = at
        return schema

    def schema(self, schema):
        """The check of a schema; one by reference is compiled once, when it
        is first used: they refer to each other in circles."""
        ref = schema.get("$ref")
        if not ref:
            return self._made(schema)

        def check(value, path, wrong):
            made = self.known.get(ref)
            if made is None:
                made = self.known[ref] = self._made(self.resolve(schema))
            made(value, path, wrong)
        return check

    def _made(self, schema):
        checks = [make(schema) for key, make in (
            ("type", self._type), ("enum", self._enum),
            ("const", self._const), ("format", self._format),
            ("pattern", self._pattern), ("oneOf", self._union),
            ("anyOf", self._union), ("allOf", self._all),
            ("uniqueItems", self._unique), ("items", self._items))
            if key in schema]
        checks += [self._limit(schema[key], key, kind, measure, fits)
                   for key, kind, measure, fits in LIMITS if key in schema]
        if {"properties", "required", "additionalProperties"} & set(schema):
            checks.append(self._object(schema))

        def check(value, path, wrong):
            before = len(wrong)
            for one in checks:
                one(value, path, wrong)
                if len(wrong) > before and one is checks[0]:
                    return  # of the wrong type: the rest says nothing new
        return check

    def _type(self, schema):
        names = schema["type"]
        names = [names] if isinstance(names, str) else names
        tests = [TYPES[name] for name in names]

        def check(value, path, wrong):
            if not any(test(value) for test in tests):
                wrong.append((path, f"{_short(value)} is not of type "
                              + " or ".join(names)))
        return check

    def _among(self, values):
        def check(value, path, wrong):
            if not any(_same(value, v) for v in values):
                wrong.append((path, f"{_short(value)} is not one of "
                              + _short(values)))
        return check

    def _enum(self, schema):
        return self._among(schema["enum"])

    def _const(self, schema):
        return self._among([schema["const"]])

    def _format(self, schema):
        name = schema["format"]

        def check(value, path, wrong):
            bad = False
            if isinstance(value, str):
                bad = name == "date-time" and not _is_time(value) or \
                    name == "uri" and not SCHEME.fullmatch(value) or \
                    name == "snowflake" and not (value.isascii()
                                                 and value.isdigit()
                                                 and int(value) < 1 << 64)
            elif name in RANGES and TYPES["integer"](value):
                least, most = RANGES[name]
                bad = not least <= value <= most
            if bad:
                wrong.append((path, f"{_short(value)} is no {name}"))
        return check

    def _pattern(self, schema):
        pattern = re.compile(schema["pattern"])

        def check(value, path, wrong):
            if isinstance(value, str) and not pattern.search(value):
                wrong.append((path, f"{_short(value)} does not match "
                              + schema["pattern"]))
        return check

    def _limit(self, limit, key, kind, measure, fits):
        def check(value, path, wrong):
            if isinstance(value, kind) and not isinstance(value, bool) \
                    and not fits(measure(value), limit):
                wrong.append((path, f"{measure(value)} breaks {key} "
                              f"{limit}"))
        return check

    def _unique(self, schema):
        def check(value, path, wrong):
            if isinstance(value, list) and \
                    len({repr(v) for v in value}) < len(value):
                wrong.append((path, "the same value twice"))
        return check if schema["uniqueItems"] else lambda *_: None

    def _items(self, schema):
        one = self.schema(schema["items"])

        def check(value, path, wrong):
            if isinstance(value, list):
                for i, item in enumerate(value):
                    one(item, f"{path}[{i}]", wrong)
        return check

    def _all(self, schema):
        parts = [self.schema(part) for part in schema["allOf"]]

        def check(value, path, wrong):
            for part in parts:
                part(value, path, wrong)
        return check

    def _union(self, schema):
        parts = schema.get("oneOf") or schema["anyOf"]
        resolved = [self.resolve(part) for part in parts]
        if all("const" in part for part in resolved):
            return self._among([part["const"] for part in resolved])
        checks = [(self.schema(part), self._discriminator(r),
                   self._type(r) if "type" in r else None)
                  for part, r in zip(parts, resolved)]

        def check(value, path, wrong):
            nearest = None
            for one, kind, typed in checks:
                found, other = [], []
                one(value, path, found)
                if not found:
                    return
                # the alternative for this very "type" is the one meant
                if typed:
                    typed(value, path, other)
                far = (bool(other),
                       not (kind and isinstance(value, dict)
                            and value.get("type") in kind), len(found))
                if nearest is None or far < nearest[0]:
                    nearest = far, found
            wrong += nearest[1]
        return check

    def _discriminator(self, schema):
        kind = schema.get("properties", {}).get("type", {})
        return kind.get("enum", ()) + [kind["const"]] \
            if "const" in kind else kind.get("enum")

    def _object(self, schema):
        fields = {name: self.schema(part) for name, part
                  in schema.get("properties", {}).items()}
        required = schema.get("required", ())
        others = schema.get("additionalProperties")
        closed = others is False or self.strict and fields \
            and others is None
        other = self.schema(others) if isinstance(others, dict) else None

        def check(value, path, wrong):
            if not isinstance(value, dict):
                return
            for name in required:
                if name not in value:
                    wrong.append((path, f"{name} is missing"))
            for name, item in value.items():
                one = fields.get(name) or other
                if one:
                    one(item, f"{path}.{name}", wrong)
                elif closed and name not in fields:
                    wrong.append((f"{path}.{name}", "no such field"))
        return check


def compile(schema, root, strict=False):
    return Compiler(root, strict).schema(schema)
