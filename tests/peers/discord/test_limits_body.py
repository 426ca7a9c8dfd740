"""Cases of limits_body.py: what is let through, and what is refused how."""

import json
import unittest

import limits_body as limits
import openapi
from form import complaints

V2 = limits.COMPONENTS_V2


def button(custom_id="a", **more):
    return {"type": 2, "style": 1, "label": "Go", "custom_id": custom_id,
            **more}


def row(*components):
    return {"type": 1, "components": list(components)}


def text(content="words"):
    return {"type": 10, "content": content}


def select(options=1, **more):
    return {"type": 3, "custom_id": "s", "options": [
        {"label": str(i), "value": str(i)} for i in range(options)], **more}


def v2(*components, **more):
    return {"flags": V2, "components": list(components), **more}


def embed(**fields):
    return {"embeds": [fields]}


FILE = {0: ("a.png", 10)}

# what it says, the body, the files
GOOD = [
    ("2000 characters", {"content": "x" * 2000}, {}),
    ("2000 characters outside the BMP are 2000",
     {"content": "\U0001f600" * 2000}, {}),
    ("white space at the ends is not counted",
     {"content": " " * 10 + "x" * 2000 + "\n"}, {}),
    ("nulls are as good as absent",
     {"content": "x", "embeds": None, "components": None, "nonce": None,
      "allowed_mentions": None, "message_reference": None, "poll": None,
      "flags": None, "attachments": None, "sticker_ids": None}, {}),
    ("a nonce of 25", {"content": "x", "nonce": "n" * 25,
                       "enforce_nonce": True}, {}),
    ("a nonce that is a number", {"content": "x", "nonce": 1 << 62}, {}),
    ("parse users and name a role",
     {"content": "x", "allowed_mentions": {"parse": ["users"],
                                           "roles": ["1"]}}, {}),
    ("an empty list beside parse",
     {"content": "x", "allowed_mentions": {"parse": ["users"],
                                           "users": []}}, {}),
    ("files alone", {}, FILE),
    ("a described file", {"attachments": [{"id": 0, "description": "d"}]},
     FILE),
    ("ten embeds of 600", {"embeds": [{"description": "x" * 600}] * 10}, {}),
    ("five rows of five buttons",
     {"content": "x", "components": [
         row(*(button(f"{i}{j}") for j in range(5))) for i in range(5)]},
     {}),
    ("a link without custom id",
     {"content": "x", "components": [row(
         {"type": 2, "style": 5, "url": "https://example.org",
          "label": "l"})]}, {}),
    ("40 components of V2", v2(*[text()] * 40), {}),
    ("4000 characters over two texts", v2(text("x" * 2000),
                                          text("x" * 2000)), {}),
    ("a container with a bit of everything",
     v2({"type": 17, "accent_color": 255, "components": [
         text(), row(button()), {"type": 14, "spacing": 2},
         {"type": 9, "components": [text()],
          "accessory": {"type": 11,
                        "media": {"url": "attachment://a.png"}}},
         {"type": 12, "items": [{"media": {"url": "https://e.org/x"}}]},
         {"type": 13, "file": {"url": "attachment://a.png"}}]}), FILE),
    ("a forward has no content",
     {"message_reference": {"type": 1, "message_id": "1",
                            "channel_id": "2"}}, {}),
    ("a poll", {"poll": {"question": {"text": "?"}, "answers": [
        {"poll_media": {"text": "yes"}}], "duration": 768}}, {}),
]

# ... and the path and code of the one complaint
BAD = [
    ("2001 characters", {"content": "x" * 2001}, {},
     "content", "BASE_TYPE_MAX_LENGTH"),
    ("content is no string", {"content": 5}, {},
     "content", "STRING_TYPE_CONVERT"),
    ("a nonce of 26", {"content": "x", "nonce": "n" * 26}, {},
     "nonce", "NONCE_TYPE_TOO_LONG"),
    ("eleven embeds", {"embeds": [{"title": "x"}] * 11}, {},
     "embeds", "BASE_TYPE_MAX_LENGTH"),
    ("a title of 257", embed(title="x" * 257), {},
     "embeds.0.title", "BASE_TYPE_MAX_LENGTH"),
    ("a description of 4097", embed(description="x" * 4097), {},
     "embeds.0.description", "BASE_TYPE_MAX_LENGTH"),
    ("26 fields", embed(fields=[{"name": "n", "value": "v"}] * 26), {},
     "embeds.0.fields", "BASE_TYPE_MAX_LENGTH"),
    ("a field without value", embed(fields=[{"name": "n"}]), {},
     "embeds.0.fields.0.value", "BASE_TYPE_REQUIRED"),
    ("a blank field name", embed(fields=[{"name": " ", "value": "v"}]), {},
     "embeds.0.fields.0.name", "BASE_TYPE_REQUIRED"),
    ("a footer of 2049", embed(footer={"text": "x" * 2049}), {},
     "embeds.0.footer.text", "BASE_TYPE_MAX_LENGTH"),
    ("an author of 257", embed(author={"name": "x" * 257}), {},
     "embeds.0.author.name", "BASE_TYPE_MAX_LENGTH"),
    ("6001 over all embeds",
     {"embeds": [{"description": "x" * 3000}, {"description": "x" * 3001}]},
     {}, "embeds", "MAX_EMBED_SIZE_EXCEEDED"),
    ("an embed's link that runs a script", embed(url="javascript:x"), {},
     "embeds.0.url", "URL_TYPE_INVALID_SCHEME"),
    ("a picture without link", embed(image={"height": 1}), {},
     "embeds.0.image.url", "BASE_TYPE_REQUIRED"),
    ("parse users and name one",
     {"content": "x", "allowed_mentions": {"parse": ["users"],
                                           "users": ["1"]}}, {},
     "allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"),
    ("parse of an unknown word",
     {"content": "x", "allowed_mentions": {"parse": ["here"]}}, {},
     "allowed_mentions.parse.0", "BASE_TYPE_CHOICES"),
    ("101 users", {"content": "x", "allowed_mentions": {
        "users": [str(i) for i in range(101)]}}, {},
     "allowed_mentions.users", "BASE_TYPE_MAX_LENGTH"),
    ("a user twice", {"content": "x", "allowed_mentions": {
        "users": ["1", "1"]}}, {},
     "allowed_mentions.users", "SET_TYPE_ALREADY_CONTAINS_VALUE"),
    ("a user that is no id", {"content": "x", "allowed_mentions": {
        "users": ["ada"]}}, {},
     "allowed_mentions.users.0", "NUMBER_TYPE_COERCE"),
    ("an attachment that is not there",
     {"attachments": [{"id": "1"}]}, FILE,
     "attachments.0.id", "ATTACHMENT_NOT_FOUND"),
    ("a description of 1025",
     {"attachments": [{"id": "0", "description": "x" * 1025}]}, FILE,
     "attachments.0.description", "BASE_TYPE_MAX_LENGTH"),
    ("eleven files", {}, {i: (f"{i}", 1) for i in range(11)},
     "attachments", "BASE_TYPE_MAX_LENGTH"),
    ("a reply to nothing", {"content": "x", "message_reference": {
        "fail_if_not_exists": False}}, {},
     "message_reference.message_id", "BASE_TYPE_REQUIRED"),
    ("a forward from nowhere", {"message_reference": {
        "type": 1, "message_id": "1"}}, {},
     "message_reference.channel_id", "BASE_TYPE_REQUIRED"),
    ("six rows", {"content": "x", "components": [
        row(button(str(i))) for i in range(6)]}, {},
     "components", "BASE_TYPE_MAX_LENGTH"),
    ("six buttons", {"content": "x", "components": [row(*(
        button(str(i)) for i in range(6)))]}, {},
     "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    ("a row of none", {"content": "x", "components": [row()]}, {},
     "components.0.components", "BASE_TYPE_BAD_LENGTH"),
    ("a select beside a button",
     {"content": "x", "components": [row(button(), select())]}, {},
     "components.0.components", "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    ("a custom id twice", {"content": "x", "components": [
        row(button("a"), button("a"))]}, {},
     "components.0.components.1.custom_id",
     "COMPONENT_CUSTOM_ID_DUPLICATED"),
    ("a custom id of 101",
     {"content": "x", "components": [row(button("a" * 101))]}, {},
     "components.0.components.0.custom_id", "BASE_TYPE_BAD_LENGTH"),
    ("a label of 81",
     {"content": "x", "components": [row(button(label="x" * 81))]}, {},
     "components.0.components.0.label", "BASE_TYPE_MAX_LENGTH"),
    ("26 options", {"content": "x", "components": [row(select(26))]}, {},
     "components.0.components.0.options", "BASE_TYPE_BAD_LENGTH"),
    ("more to choose than there is",
     {"content": "x", "components": [row(select(2, max_values=3))]}, {},
     "components.0.components.0.max_values", "NUMBER_TYPE_MAX"),
    ("an option of 101", {"content": "x", "components": [row(
        {"type": 3, "custom_id": "s", "options": [
            {"label": "x" * 101, "value": "v"}]})]}, {},
     "components.0.components.0.options.0.label", "BASE_TYPE_BAD_LENGTH"),
    ("a placeholder of 151", {"content": "x", "components": [
        row(select(placeholder="x" * 151))]}, {},
     "components.0.components.0.placeholder", "BASE_TYPE_MAX_LENGTH"),
    ("a text display without the flag",
     {"content": "x", "components": [text()]}, {},
     "components.0.type", "UNION_TYPE_CHOICES"),
    ("content beside V2", v2(text(), content="x"), {}, "content",
     "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"),
    ("41 components", v2(*[{"type": 17, "components": [
        row(button(str(i)))]} for i in range(13)], text(), text()), {},
     "components", "COMPONENT_MAX_TOTAL"),
    ("4001 characters over two texts",
     v2(text("x" * 2000), text("x" * 2001)), {},
     "components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"),
    ("a container in a container",
     v2({"type": 17, "components": [{"type": 17,
                                     "components": [text()]}]}), {},
     "components.0.components.0.type", "UNION_TYPE_CHOICES"),
    ("a section without accessory",
     v2({"type": 9, "components": [text()]}), {},
     "components.0.accessory", "BASE_TYPE_REQUIRED"),
    ("a file that was not sent",
     v2({"type": 13, "file": {"url": "attachment://b.png"}}), FILE,
     "components.0.file.url",
     "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"),
    ("a file from elsewhere",
     v2({"type": 13, "file": {"url": "https://e.org/b"}}), {},
     "components.0.file.url", "URL_TYPE_INVALID_SCHEME"),
    ("a poll of eleven", {"poll": {"question": {"text": "?"}, "answers": [
        {"poll_media": {"text": str(i)}} for i in range(11)]}}, {},
     "poll.answers", "BASE_TYPE_BAD_LENGTH"),
    ("an answer of 56", {"poll": {"question": {"text": "?"}, "answers": [
        {"poll_media": {"text": "x" * 56}}]}}, {},
     "poll.answers.0.poll_media.text", "BASE_TYPE_BAD_LENGTH"),
    ("a list where an object belongs", {"content": "x", "embeds": ["x"]},
     {}, "embeds.0", "MODEL_TYPE_CONVERT"),
    ("an object where a list belongs", {"content": "x", "embeds": {}}, {},
     "embeds", "LIST_TYPE_CONVERT"),
]

EMPTY = [{}, {"content": ""}, {"content": " \n\t"}, {"embeds": []},
         {"components": []}, {"nonce": "1"}]


class Messages(unittest.TestCase):
    def test_good(self):
        for says, body, files in GOOD:
            with self.subTest(says):
                self.assertIsNone(limits.message(body, files))

    def test_bad(self):
        for says, body, files, path, code in BAD:
            with self.subTest(says):
                status, answer = limits.message(body, files)
                self.assertEqual((status, answer["code"]), (400, 50035))
                self.assertEqual(list(complaints(answer["errors"])),
                                 [(path, code)])

    def test_empty(self):
        for body in EMPTY:
            with self.subTest(body):
                self.assertEqual(limits.message(body), limits.EMPTY)

    def test_too_large(self):
        for files in ({0: ("a", (10 << 20) + 1)},
                      {i: ("a", 9 << 20) for i in range(3)}):
            self.assertEqual(limits.message({}, files), limits.TOO_LARGE)
        self.assertIsNone(limits.message({}, {0: ("a", 20 << 20)},
                                         file_bytes=25 << 20))

    def test_edits(self):
        old = {"content": "x", "flags": 0, "attachments": [
            {"id": "7", "filename": "a.png"}]}
        good = ({"content": "y"}, {"content": ""}, {"components": []},
                {"attachments": [{"id": "7"}], "content": ""})
        for body in good:
            with self.subTest(body):
                self.assertIsNone(limits.message(body, edited=old))
        self.assertEqual(
            limits.message({"content": "", "attachments": []}, edited=old),
            limits.EMPTY)
        was_v2 = {"flags": V2, "components": [text()]}
        self.assertEqual(
            limits.message({"content": "x"}, edited=was_v2)[1]["code"],
            50035)
        self.assertIsNone(
            limits.message({"components": [text("new")]}, edited=was_v2))

    def test_all_at_once(self):
        _, answer = limits.message({"content": "x" * 2001,
                                    "nonce": "n" * 26})
        self.assertEqual(answer, {
            "message": "Invalid Form Body", "code": 50035, "errors": {
                "content": {"_errors": [{
                    "code": "BASE_TYPE_MAX_LENGTH",
                    "message": "Must be 2000 or fewer in length."}]},
                "nonce": {"_errors": [{
                    "code": "NONCE_TYPE_TOO_LONG",
                    "message": "Nonce must be 25 or fewer in length."}]}}})

    def test_no_body_is_too_strange(self):
        odd = (True, 5, -1, 1.5, "x", [], {}, [[]], [None], [{}], {"a": []},
               [{"type": []}], {"parse": [[]]}, "9" * 5000)
        for key in ("content", "embeds", "flags", "nonce", "components",
                    "allowed_mentions", "attachments", "sticker_ids",
                    "message_reference", "poll", "enforce_nonce"):
            for value in odd:
                with self.subTest(key=key, value=value):
                    limits.message({"content": "x", key: value})
                    limits.message(v2(text()) | {key: value})

    @unittest.skipUnless(openapi.find(), "the recorded bodies are absent")
    def test_what_others_send(self):
        folder = openapi.find().parents[1] / "jda"
        seen = 0
        for path in folder.rglob("MessageCreateActionTest/*.json"):
            body = json.loads(path.read_text())
            files = {int(a["id"]): (a.get("filename", "f"), 1)
                     for a in body.get("attachments") or ()}
            with self.subTest(path.name):
                self.assertIsNone(limits.message(body, files))
                seen += 1
        self.assertGreater(seen, 5)


class Modals(unittest.TestCase):
    def modal(self, *components, **more):
        return limits.modal({"custom_id": "m", "title": "T",
                             "components": list(components)} | more)

    FIELD = {"type": 4, "custom_id": "f", "style": 1}

    def test_good(self):
        self.assertIsNone(self.modal(
            {"type": 18, "label": "L", "component": self.FIELD}, text()))
        self.assertIsNone(self.modal(row(dict(self.FIELD, label="L"))))

    def test_bad(self):
        label = {"type": 18, "label": "L", "component": self.FIELD}
        cases = [
            (self.modal(), "components", "BASE_TYPE_BAD_LENGTH"),
            (self.modal(label, title="x" * 46), "title",
             "BASE_TYPE_BAD_LENGTH"),
            (self.modal(dict(label, label="x" * 46)), "components.0.label",
             "BASE_TYPE_BAD_LENGTH"),
            (self.modal(row(button())), "components.0.components.0.type",
             "UNION_TYPE_CHOICES"),
            (self.modal(label, label),
             "components.1.component.custom_id",
             "COMPONENT_CUSTOM_ID_DUPLICATED"),
            (self.modal(dict(label, component=button())),
             "components.0.component.type", "UNION_TYPE_CHOICES"),
        ]
        for (status, answer), path, code in cases:
            with self.subTest(path):
                self.assertEqual(list(complaints(answer["errors"])),
                                 [(path, code)])


if __name__ == "__main__":
    unittest.main()
