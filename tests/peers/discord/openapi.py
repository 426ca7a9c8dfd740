"""The judge of what goes over the wire: Discord's own OpenAPI file.

    spec = openapi.load()      # None where the file is absent
    spec.request(method, path, query, body, content_type)
    spec.response(method, path, status, body)

Both return a list of (place, reason), empty if all is as the file says. path
is what comes after /api/v10, query a list of (name, value), body the parsed
JSON (of a multipart request, the parsed payload_json), or None for no body.

The file is third-party: it is looked for in $SOPHIA_FIXTURES, else in
../shared/fixtures beside the checkout. Where the documentation says otherwise
than the file, or reality is known to, DIFFERENT tells of it.
"""

import json
import os
import pathlib
import re
import urllib.parse

import schema

PLACE = "discord/openapi/openapi.json"

# routes that exist, though the file has none of them
UNLISTED = {("POST", "/attachments/refresh-urls")}


def _permissions(components):
    """Sets of permissions are decimal strings in the documentation; the file
    has them as integers. Discord takes both."""
    for name in ("ApplicationCommandCreateRequest",
                 "ApplicationCommandUpdateRequest",
                 "ApplicationCommandPatchRequestPartial",
                 "ChannelPermissionOverwriteRequest", "CreateRoleRequest",
                 "UpdateRoleRequestPartial"):
        _decimal(components.get(name, {}).get("properties", {}))


def _decimal(fields):
    for key in ("default_member_permissions", "allow", "deny", "permissions"):
        if key in fields:
            fields[key] = {"oneOf": [fields[key], {
                "type": "string", "pattern": "^[0-9]+$"}]}


def _overwrite(paths):
    """So are they where one overwrite is put, a schema without a name."""
    put = paths["/channels/{channel_id}/permissions/{overwrite_id}"]["put"]
    _decimal(put["requestBody"]["content"]["application/json"]["schema"]
             ["properties"])


def _errors(components):
    """The code of a complaint is a word, as every example shows."""
    components["InnerErrors"]["properties"]["_errors"]["items"] = {
        "type": "object", "required": ["code", "message"],
        "properties": {"code": {"type": "string"},
                       "message": {"type": "string"}}}


def _ids(components):
    """The id of an attachment to come is the number of its part; the
    documentation's examples have it as an integer."""
    components["MessageAttachmentRequest"]["properties"]["id"] = {
        "oneOf": [{"$ref": "#/components/schemas/SnowflakeType"},
                  {"type": "integer", "minimum": 0}]}


def _forwards(components):
    """A message may be forwarded, which is another type of reference."""
    components["MessageReferenceType"]["oneOf"].append({"const": 1})


def _limited(components):
    """429 need not have a code of its own."""
    error = components["Error"]
    components["RatelimitedResponse"]["allOf"][0] = {
        **error, "required": ["message"]}


DIFFERENT = (_permissions, _errors, _ids, _forwards, _limited)


def find():
    places = [pathlib.Path(__file__).resolve().parents[4]
              / "shared/fixtures"]
    if "SOPHIA_FIXTURES" in os.environ:
        places = [pathlib.Path(os.environ["SOPHIA_FIXTURES"])]
    for place in places:
        if (place / PLACE).is_file():
            return place / PLACE
    return None


def load(path=None):
    path = path or find()
    return Spec(json.loads(path.read_text())) if path else None


class Operation:
    """What the file says of one method of one path."""

    def __init__(self, spec, template, method, item):
        self.spec, self.template, self.method = spec, template, method
        self.about = item[method.lower()]
        self.checks = {}
        self.query, self.places = {}, {}
        for p in item.get("parameters", []) + \
                self.about.get("parameters", []):
            if p["in"] == "query":
                self.query[p["name"]] = p
            elif p["in"] == "path":
                self.places[p["name"]] = p["schema"]

    def check(self, key, value, part, where, strict):
        """Hold a value to a schema, compiled when it is first met."""
        wrong = []
        if key not in self.checks:
            self.checks[key] = self.spec.compile(part, strict)
        self.checks[key](value, where, wrong)
        return wrong

    def body(self, body, content_type):
        about = self.about.get("requestBody")
        if about is None:
            return [("body", "there should be none")] if body else []
        if body is None:
            return [("body", "is missing")] if about.get("required") else []
        kinds = about["content"]
        kind = (content_type or "").partition(";")[0].strip().lower()
        if kind not in kinds:
            return [("content-type", f"{kind or 'none'} is not one of "
                     + ", ".join(kinds))]
        part = kinds.get("application/json", kinds[kind])["schema"]
        return self.check("body", body, part, "body", True)

    def asked(self, query):
        wrong, values = [], {}
        for name, value in query:
            values.setdefault(name, []).append(value)
        for name, found in values.items():
            about = self.query.get(name)
            if about is None:
                wrong.append((f"query.{name}", "no such parameter"))
                continue
            part = self.spec.resolve(about["schema"])
            if part.get("type") == "array":
                item = self.spec.resolve(part["items"])
                value = [_typed(v, item) for v in found]
            elif len(found) > 1:
                wrong.append((f"query.{name}", "given twice"))
                continue
            else:
                value = _typed(found[0], part)
            wrong += self.check(("query", name), value, part,
                                f"query.{name}", True)
        wrong += [(f"query.{name}", "is missing")
                  for name, about in self.query.items()
                  if about.get("required") and name not in values]
        return wrong

    def steps(self, found):
        wrong = []
        for name, value in found.items():
            part = self.places.get(name)
            if part:
                value = _typed(urllib.parse.unquote(value),
                               self.spec.resolve(part))
                wrong += self.check(("path", name), value, part,
                                    f"path.{name}", True)
        return wrong

    def answered(self, status, body):
        answers = self.about["responses"]
        about = answers.get(str(status)) or \
            answers.get(f"{str(status)[0]}XX")
        if about is None:
            return [("status", f"{status} is not one of "
                     + ", ".join(answers))]
        about = self.spec.resolve(about)
        part = about.get("content", {}).get("application/json")
        if part is None:
            return [("body", "there should be none")] if body else []
        if body is None:
            return [("body", "is missing")]
        return self.check(("answer", str(status)), body, part["schema"],
                          "body", False)


def _typed(text, part):
    """A parameter of a query or a path, as the type its schema asks for."""
    kinds = part.get("type")
    kinds = [kinds] if isinstance(kinds, str) else kinds or []
    if "integer" in kinds and re.fullmatch(r"-?[0-9]{1,19}", text):
        return int(text)
    if "boolean" in kinds and text.lower() in ("true", "false"):
        return text.lower() == "true"
    return text


class Spec:
    def __init__(self, document):
        for change in DIFFERENT:
            change(document["components"]["schemas"])
        _overwrite(document["paths"])
        self.document = document
        self.compilers = {strict: schema.Compiler(document, strict)
                          for strict in (True, False)}
        self.routes, self.operations = {}, {}
        for template, item in document["paths"].items():
            at = self.routes
            for step in template.strip("/").split("/"):
                at = at.setdefault("*" if step[0] == "{" else step, {})
            at[""] = template, item

    def compile(self, part, strict):
        return self.compilers[strict].schema(part)

    def resolve(self, part):
        return self.compilers[True].resolve(part)

    def _find(self, at, steps):
        """The way to a template; a literal step goes before a free one."""
        if not steps:
            return at.get("")
        for step in (steps[0], "*"):
            if step and step in at:
                found = self._find(at[step], steps[1:])
                if found:
                    return found
        return None

    def operation(self, method, path):
        """(operation, {name: step}), or (None, why there is none)."""
        steps = path.strip("/").split("/")
        found = self._find(self.routes, steps)
        if not found:
            return None, "no such path"
        template, item = found
        if method.lower() not in item:
            return None, f"no {method} there"
        key = method.upper(), template
        if key not in self.operations:
            self.operations[key] = Operation(self, template, key[0], item)
        names = template.strip("/").split("/")
        return self.operations[key], {
            name[1:-1]: step for name, step in zip(names, steps)
            if name[0] == "{"}

    def request(self, method, path, query=(), body=None, content_type=None):
        if (method.upper(), path) in UNLISTED:
            return []
        operation, found = self.operation(method, path)
        if operation is None:
            return [("path", found)]
        return operation.steps(found) + operation.asked(query) + \
            operation.body(body, content_type)

    def response(self, method, path, status, body=None):
        if (method.upper(), path) in UNLISTED or status >= 500:
            return []
        operation, found = self.operation(method, path)
        if operation is None:
            return [] if status in (404, 405) else [("path", found)]
        return operation.answered(status, body)

    def named(self, name, value, strict=False):
        """Hold a value to the schema of that name."""
        wrong = []
        self.compile({"$ref": f"#/components/schemas/{name}"},
                     strict)(value, "", wrong)
        return wrong
