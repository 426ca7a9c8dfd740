"""Cases of limits_commands.py."""

import unittest

import limits_commands as limits
from form import complaints


def command(name="talk", **more):
    return {"name": name, "description": "d", **more}


def option(name="o", kind=3, **more):
    return {"name": name, "type": kind, "description": "d", **more}


class Commands(unittest.TestCase):
    def test_good(self):
        self.assertIsNone(limits.commands([
            command(options=[option("m", required=True), option(),
                             option("a", 11)]),
            command("g", options=[option("x", 2, options=[
                option("y", 1, options=[option()])])]),
            {"name": "Look at this", "type": 3},
            command("日本語")]))

    def test_bad(self):
        cases = [
            ([command("Talk")], "0.name",
             "APPLICATION_COMMAND_INVALID_NAME"),
            ([command("two words")], "0.name",
             "APPLICATION_COMMAND_INVALID_NAME"),
            ([{"name": "a"}], "0.description", "BASE_TYPE_REQUIRED"),
            ([command(), command()], "1.name",
             "APPLICATION_COMMANDS_DUPLICATE_NAME"),
            ([command(options=[option(str(i)) for i in range(26)])],
             "0.options", "BASE_TYPE_MAX_LENGTH"),
            ([command(options=[option(), option("b", required=True)])],
             "0.options.1", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID"),
            ([command(options=[option(), option()])], "0.options.1.name",
             "APPLICATION_COMMAND_OPTIONS_NAME_INVALID"),
            ([command(options=[option("x", 1, options=[
                option("y", 1)])])], "0.options.0.options.0.type",
             "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
            ([command(options=[option("x", 2, options=[option()])])],
             "0.options.0.options.0.type",
             "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID"),
            ([command(options=[option(autocomplete=True, choices=[
                {"name": "c", "value": "c"}])])], "0.options.0.choices",
             "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES"),
            ([{"name": "a", "type": 2, "description": "d"}],
             "0.description", "APPLICATION_COMMAND_INVALID"),
            ([command(options=[option(str(i), choices=[
                {"name": "x" * 50, "value": "y" * 50}] * 20)
                for i in range(4)])], "0", "APPLICATION_COMMAND_TOO_LARGE"),
            (["x"], "0", "MODEL_TYPE_CONVERT"),
        ]
        for bodies, path, code in cases:
            with self.subTest(code):
                _, answer = limits.commands(bodies)
                self.assertEqual(list(complaints(answer["errors"])),
                                 [(path, code)])

    def test_how_many(self):
        hundred = [command(f"c{i}") for i in range(100)]
        self.assertIsNone(limits.commands(hundred))
        self.assertEqual(
            limits.commands(hundred + [command("x")])[1]["code"], 30032)


if __name__ == "__main__":
    unittest.main()
