"""Cases of openapi.py, and its verdicts beside those of jsonschema."""

import copy
import json
import random
import sys
import unittest

import jsonschema

import openapi

SPEC = openapi.load()
JSON = "application/json"
MESSAGES = "/channels/1/messages"
BUTTON = {"type": 2, "style": 1, "label": "Go", "custom_id": "a"}
MODAL = {"type": 9, "data": {
    "custom_id": "m", "title": "T", "components": [
        {"type": 18, "label": "L",
         "component": {"type": 4, "custom_id": "f", "style": 1}}]}}

# method, path, query, body
GOOD = [
    ("POST", MESSAGES, (), {"content": "x", "nonce": "1",
                            "enforce_nonce": True,
                            "allowed_mentions": {"parse": []}}),
    ("POST", MESSAGES, (), {"content": None, "embeds": [
        {"title": "t", "timestamp": "2026-01-01T00:00:00Z"}]}),
    ("POST", MESSAGES, (), {"components": [
        {"type": 1, "components": [BUTTON]}]}),
    ("POST", MESSAGES, (), {"attachments": [{"id": 0}, {"id": "1"}]}),
    ("PATCH", MESSAGES + "/2", (), {"content": "y"}),
    ("GET", MESSAGES, (("limit", "100"), ("before", "1")), None),
    ("GET", MESSAGES + "/pins", (("limit", "50"),), None),
    ("POST", MESSAGES + "/bulk-delete", (), {"messages": ["1", "2"]}),
    ("PUT", MESSAGES + "/2/reactions/%F0%9F%91%8D/@me", (), None),
    ("GET", "/guilds/1/messages/search",
     (("channel_id", "1"), ("channel_id", "2"), ("limit", "25")), None),
    ("POST", "/interactions/1/token/callback", (), {"type": 5}),
    ("POST", "/interactions/1/token/callback",
     (("with_response", "true"),), MODAL),
    ("POST", "/interactions/1/token/callback", (),
     {"type": 8, "data": {"choices": [{"name": "n", "value": "v"}]}}),
    ("PATCH", "/webhooks/1/token/messages/@original", (),
     {"content": "x"}),
    ("PUT", "/applications/1/guilds/2/commands", (),
     [{"name": "talk", "description": "d",
       "default_member_permissions": "8"}]),
    ("GET", "/gateway/bot", (), None),
    ("POST", "/attachments/refresh-urls", (), {"attachment_urls": ["x"]}),
]

# ... and the place of the one complaint
BAD = [
    ("POST", MESSAGES, (), {"contents": "x"}, "body.contents"),
    ("POST", MESSAGES, (), {"content": 5}, "body.content"),
    ("POST", MESSAGES, (), {"content": "x" * 4001}, "body.content"),
    ("POST", MESSAGES, (), None, "body"),
    ("POST", MESSAGES, (), {"nonce": "n" * 26}, "body.nonce"),
    ("POST", MESSAGES, (), {"embeds": [{"title": "x" * 257}]},
     "body.embeds[0].title"),
    ("POST", MESSAGES, (), {"embeds": [{"timestamp": "yesterday"}]},
     "body.embeds[0].timestamp"),
    ("POST", MESSAGES, (), {"components": [
        {"type": 1, "components": [dict(BUTTON, style=9)]}]},
     "body.components[0].components[0].style"),
    ("POST", MESSAGES, (), {"allowed_mentions": {"parse": ["here"]}},
     "body.allowed_mentions.parse[0]"),
    ("POST", MESSAGES, (), {"message_reference": {"channel_id": "1"}},
     "body.message_reference"),
    ("POST", MESSAGES + "/bulk-delete", (), {"messages": ["1"]},
     "body.messages"),
    ("GET", MESSAGES, (("limit", "101"),), None, "query.limit"),
    ("GET", MESSAGES, (("limit", "many"),), None, "query.limit"),
    ("GET", MESSAGES, (("untill", "1"),), None, "query.untill"),
    ("GET", MESSAGES, (("limit", "1"), ("limit", "2")), None,
     "query.limit"),
    ("GET", MESSAGES, (), {"content": "x"}, "body"),
    ("GET", "/channels/ada/messages/1", (), None, "path.channel_id"),
    ("GET", "/channels/1/message", (), None, "path"),
    ("DELETE", "/gateway/bot", (), None, "path"),
    ("POST", "/interactions/1/token/callback", (),
     {"type": 9, "data": dict(MODAL["data"], title="x" * 46)},
     "body.data.title"),
    ("POST", "/interactions/1/token/callback", (), {"type": 3},
     "body.type"),
]

USER = {"id": "1", "username": "ada", "avatar": None, "discriminator": "0",
        "public_flags": 0, "flags": 0, "global_name": None,
        "primary_guild": None}
LIMIT = {"total": 1000, "remaining": 1, "reset_after": 0,
         "max_concurrency": 1}


@unittest.skipUnless(SPEC, "Discord's OpenAPI file is not there")
class OpenAPI(unittest.TestCase):
    def test_good(self):
        for method, path, query, body in GOOD:
            with self.subTest(f"{method} {path}", body=body):
                self.assertEqual(
                    SPEC.request(method, path, query, body, JSON), [])

    def test_bad(self):
        for method, path, query, body, place in BAD:
            with self.subTest(f"{method} {path}", body=body):
                wrong = SPEC.request(method, path, query, body, JSON)
                self.assertEqual({at for at, _ in wrong}, {place})

    def test_content_type(self):
        body = {"content": "x"}
        for kind in ("multipart/form-data; boundary=x",
                     "application/json; charset=utf-8"):
            self.assertEqual(
                SPEC.request("POST", MESSAGES, (), body, kind), [])
        for kind in ("text/plain", None):
            self.assertEqual(
                SPEC.request("POST", MESSAGES, (), body, kind)[0][0],
                "content-type")

    def test_answers(self):
        self.assertEqual(SPEC.response("GET", "/users/1", 200, USER), [])
        self.assertEqual(
            SPEC.response("GET", "/users/1", 200,
                          {k: v for k, v in USER.items() if k != "id"}),
            [("body", "id is missing")])
        self.assertEqual(
            SPEC.response("GET", "/gateway/bot", 200,
                          {"url": "wss://gateway.example", "shards": 1,
                           "session_start_limit": LIMIT}), [])
        self.assertEqual(SPEC.response("DELETE", MESSAGES + "/2", 204), [])
        self.assertEqual(
            SPEC.response("DELETE", MESSAGES + "/2", 200, {})[0][0],
            "status")
        self.assertEqual(
            SPEC.response("POST", MESSAGES, 400, {
                "message": "Invalid Form Body", "code": 50035, "errors": {
                    "embeds": {"0": {"title": {"_errors": [
                        {"code": "BASE_TYPE_REQUIRED",
                         "message": "This field is required"}]}}}}}), [])
        self.assertEqual(
            SPEC.response("POST", MESSAGES, 429, {
                "message": "You are being rate limited.",
                "retry_after": 0.5, "global": False}), [])
        self.assertEqual(
            SPEC.response("POST", MESSAGES, 429, {
                "message": "You are being rate limited."}),
            [("body", "retry_after is missing"),
             ("body", "global is missing")])


def changed(body, rng):
    """A copy of a body with one thing in it made another."""
    body = copy.deepcopy(body)
    at = body
    while True:
        key = rng.choice(list(at) if isinstance(at, dict)
                         else range(len(at)))
        if isinstance(at[key], (dict, list)) and at[key] \
                and rng.random() < 0.7:
            at = at[key]
            continue
        if rng.random() < 0.3:
            del at[key]
        else:
            at[key] = rng.choice(
                [None, True, 7, -1, "x" * 5000, "", [], {}, "1", 2.5,
                 1 << 70, ["1", "1"], [{}], {"type": 2}])
        return body


@unittest.skipUnless(SPEC, "Discord's OpenAPI file is not there")
class Beside(unittest.TestCase):
    """What fits is decided as jsonschema decides it."""

    NAMES = {"MessageCreateActionTest": "MessageCreateRequest",
             "CommandDataTest": "ApplicationCommandCreateRequest"}

    def bodies(self):
        folder = openapi.find().parents[1] / "jda"
        for part, name in self.NAMES.items():
            for path in sorted(folder.rglob(f"{part}/*.json")):
                yield name, json.loads(path.read_text())
        yield "MessageCreateRequest", GOOD[0][3]
        yield "ModalInteractionCallbackRequest", MODAL

    def test_verdicts(self):
        document = copy.deepcopy(SPEC.document)

        def loosen(part):  # one that fits is enough, as in openapi.py
            if isinstance(part, dict):
                if isinstance(part.get("oneOf"), list):
                    part["anyOf"] = part.pop("oneOf")
                part = list(part.values())
            if isinstance(part, list):
                for item in part:
                    loosen(item)

        loosen(document["components"])
        resolver = jsonschema.RefResolver("", document)
        rng = random.Random(1)
        verdicts = {True: 0, False: 0}
        for name, body in self.bodies():
            judge = jsonschema.Draft202012Validator(
                {"$ref": f"#/components/schemas/{name}"}, resolver=resolver)
            for _ in range(25):
                body_now = changed(body, rng)
                ours = [w for w in SPEC.named(name, body_now)
                        if " is no " not in w[1]]  # formats: not its affair
                fits = judge.is_valid(body_now)
                verdicts[fits] += 1
                with self.subTest(name, body=body_now):
                    self.assertEqual(not ours, fits, ours)
        self.assertGreater(min(verdicts.values()), 30, verdicts)


if __name__ == "__main__":
    if SPEC is None:
        print("Discord's OpenAPI file is not there")
        sys.exit(77)
    unittest.main()
