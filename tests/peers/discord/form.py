"""The complaints about one request body, in the shape Discord gives them.

    f = Form()
    f.text(body, "content", most=2000)
    with f.inside("embeds", 0): ...
    f.answer()      # None, or {"message": "Invalid Form Body", "code": 50035,
                    #           "errors": {"content": {"_errors": [...]}}}

Each check reads one field of an object, notes what is wrong with it under the
path it is at, and returns the value, or None if it is absent, null or of the
wrong kind: so that what is wrong is told once, and all of it at once.
Lengths are counted in code points, after white space at both ends is trimmed.
"""

import contextlib

MISSING = "BASE_TYPE_REQUIRED", "This field is required"


def complaints(tree, path=()):
    """Every (path, code) in the errors of an answer."""
    for key, value in tree.items():
        if key == "_errors":
            yield from ((".".join(path), e["code"]) for e in value)
        else:
            yield from complaints(value, path + (key,))


class Form:
    def __init__(self):
        self.errors = {}
        self.path = []

    @contextlib.contextmanager
    def inside(self, *steps):
        self.path += [str(step) for step in steps]
        try:
            yield
        finally:
            del self.path[-len(steps):]

    def wrong(self, steps, code, message):
        """Complain of the place that steps lead to from here."""
        at = self.errors
        for step in self.path + [str(s) for s in steps]:
            at = at.setdefault(step, {})
        at.setdefault("_errors", []).append({"code": code,
                                             "message": message})

    def answer(self):
        if not self.errors:
            return None
        return {"message": "Invalid Form Body", "code": 50035,
                "errors": self.errors}

    def value(self, obj, key, required=False):
        value = obj.get(key)
        if value is None and required:
            self.wrong([key], *MISSING)
        return value

    def text(self, obj, key, most, least=0, required=False):
        value = self.value(obj, key, required)
        if value is None:
            return None
        if not isinstance(value, str):
            self.wrong([key], "STRING_TYPE_CONVERT",
                       "Could not interpret value as string.")
            return None
        length = len(value.strip())
        if least and length == 0:
            self.wrong([key], *MISSING)
        elif length > most or length < least:
            self.length([key], length, least, most)
        return value

    def length(self, steps, length, least, most):
        if least > 0:
            self.wrong(steps, "BASE_TYPE_BAD_LENGTH",
                       f"Must be between {least} and {most} in length.")
        else:
            self.wrong(steps, "BASE_TYPE_MAX_LENGTH",
                       f"Must be {most} or fewer in length.")

    def number(self, obj, key, least, most, required=False):
        value = self.value(obj, key, required)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong([key], "NUMBER_TYPE_COERCE",
                       f'Value "{value}" is not int.')
            return None
        if value < least:
            self.wrong([key], "NUMBER_TYPE_MIN",
                       "int value should be greater than or equal to "
                       f"{least}.")
        elif value > most:
            self.wrong([key], "NUMBER_TYPE_MAX",
                       f"int value should be less than or equal to {most}.")
        return value

    def choice(self, obj, key, of, required=False):
        value = self.value(obj, key, required)
        if value is not None and (isinstance(value, bool)
                                  or value not in of):
            self.wrong([key], "BASE_TYPE_CHOICES",
                       f"Value must be one of {tuple(of)}.")
            return None
        return value

    def flag(self, obj, key):
        value = obj.get(key)
        if value is not None and not isinstance(value, bool):
            self.wrong([key], "BOOLEAN_TYPE_CONVERT",
                       "Must be either true or false.")
        return value is True

    def snowflake(self, obj, key, required=False):
        value = self.value(obj, key, required)
        if value is None:
            return None
        if isinstance(value, bool) or not (isinstance(value, (str, int))
                                           and str(value).isascii()
                                           and str(value).isdigit()
                                           and int(value) < 1 << 63):
            self.wrong([key], "NUMBER_TYPE_COERCE",
                       f'Value "{value}" is not snowflake.')
            return None
        return str(value)

    def url(self, obj, key, most=2048, schemes=("http", "https"),
            required=False):
        value = self.text(obj, key, most, required=required)
        if not value:
            return None
        scheme, colon, rest = value.partition("://")
        if scheme not in schemes:
            self.wrong([key], "URL_TYPE_INVALID_SCHEME",
                       f'Scheme "{scheme if colon else ""}" is not '
                       f"supported. Scheme must be one of {schemes}.")
        elif not rest or any(c.isspace() for c in rest):
            self.wrong([key], "URL_TYPE_INVALID_URL",
                       "Not a well formed URL.")
        return value

    def record(self, obj, key, required=False):
        """An object in a field; {} if there is none."""
        value = self.value(obj, key, required)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong([key], "DICT_TYPE_CONVERT",
                       "Only dictionaries may be used in a DictType")
            return {}
        return value

    def items(self, obj, key, most, least=0, required=False):
        """The elements of a list, one after the other; each is visited with
        the path leading to it. Elements that should be objects, but are not,
        are told of and passed over."""
        value = self.value(obj, key, required)
        if value is None:
            return
        if not isinstance(value, list):
            self.wrong([key], "LIST_TYPE_CONVERT",
                       "Only iterables may be used in a ListType")
            return
        if len(value) > most or len(value) < least:
            self.length([key], len(value), least, most)
        for i, item in enumerate(value):
            with self.inside(key, i):
                if isinstance(item, dict):
                    yield item
                else:
                    self.wrong([], "MODEL_TYPE_CONVERT",
                               "Only dictionaries may be used in a "
                               "ModelType")

    def ids(self, obj, key, most):
        """A list of snowflakes, each at most once."""
        value = self.value(obj, key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.wrong([key], "LIST_TYPE_CONVERT",
                       "Only iterables may be used in a ListType")
            return []
        if len(value) > most:
            self.length([key], len(value), 0, most)
        with self.inside(key):
            found = [self.snowflake({str(i): v}, str(i))
                     for i, v in enumerate(value)]
        if len(set(found)) < len(found):
            self.wrong([key], "SET_TYPE_ALREADY_CONTAINS_VALUE",
                       "The set already contains this value")
        return [v for v in found if v]
