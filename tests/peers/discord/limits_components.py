"""The rules for components: of a message (old and V2) and of a modal.

Source: "Component Reference" in the developer documentation of Discord; the
limit of 4000 characters over all text displays is told by its tracker.
"""

ROW, BUTTON, STRING, INPUT, USER, ROLE, MENTIONABLE, CHANNEL = range(1, 9)
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = range(9, 15)
CONTAINER, LABEL, UPLOAD = 17, 18, 19
RADIO, CHECKS, CHECK = 21, 22, 23

SELECTS = (STRING, USER, ROLE, MENTIONABLE, CHANNEL)
IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
IN_LABEL = SELECTS + (INPUT, UPLOAD, RADIO, CHECKS, CHECK)
MOST, MOST_TEXT = 40, 4000


class Tree:
    """One tree of components, walked once."""

    def __init__(self, form, v2, files=()):
        self.form, self.v2, self.files = form, v2, set(files)
        self.count = self.text = 0
        self.custom_ids, self.numbers = set(), set()

    def message(self, body):
        of = IN_CONTAINER + (CONTAINER,) if self.v2 else (ROW,)
        for c in self.form.items(body, "components",
                                 MOST if self.v2 else 5):
            self.component(c, of)
        self._totals()

    def modal(self, data):
        self.form.text(data, "custom_id", 100, 1, required=True)
        self.form.text(data, "title", 45, 1, required=True)
        for c in self.form.items(data, "components", MOST, 1,
                                 required=True):
            self.component(c, (ROW, LABEL, TEXT), modal=True)
        self._totals()

    def _totals(self):
        if self.v2 and self.count > MOST:
            self.form.wrong(["components"], "COMPONENT_MAX_TOTAL",
                            "The total number of components exceeds the "
                            f"maximum of {MOST}")
        if self.v2 and self.text > MOST_TEXT:
            self.form.wrong(["components"],
                            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                            "Component displayable text size exceeds "
                            f"maximum size of {MOST_TEXT}")

    def component(self, c, of, modal=False):
        kind = c.get("type")
        if isinstance(kind, bool) or kind not in of:
            self.form.wrong(["type"], "UNION_TYPE_CHOICES",
                            f'Value of field "type" must be one of {of}.')
            return
        self.count += 1
        number = self.form.number(c, "id", 0, (1 << 31) - 1)
        if number:
            if number in self.numbers:
                self.form.wrong(["id"], "COMPONENT_ID_DUPLICATED",
                                "Component id cannot be duplicated")
            self.numbers.add(number)
        if kind == ROW:
            self._row(c, modal)
        elif kind in SELECTS:
            self._select(c, kind)
        else:
            getattr(self, self.RULES[kind])(c)

    RULES = {BUTTON: "_button", INPUT: "_input", SECTION: "_section",
             TEXT: "_text", THUMBNAIL: "_thumbnail", GALLERY: "_gallery",
             FILE: "_file", SEPARATOR: "_separator",
             CONTAINER: "_container", LABEL: "_label", UPLOAD: "_upload",
             RADIO: "_radio", CHECKS: "_checks", CHECK: "_custom_id"}

    def _custom_id(self, c):
        value = self.form.text(c, "custom_id", 100, 1, required=True)
        if value in self.custom_ids:
            self.form.wrong(["custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED",
                            "Component custom id cannot be duplicated")
        if value:
            self.custom_ids.add(value)

    def _row(self, c, modal):
        of = (INPUT,) if modal else (BUTTON,) + SELECTS
        count = width = 0
        for child in self.form.items(c, "components", 5, 1, required=True):
            self.component(child, of, modal)
            count += 1
            width += 1 if child.get("type") == BUTTON else 5
        if count <= 5 < width:
            self.form.wrong(["components"],
                            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                            "The specified component exceeds the maximum "
                            "width")

    def _button(self, c):
        f = self.form
        style = f.choice(c, "style", (1, 2, 3, 4, 5, 6), required=True)
        f.text(c, "label", 80)
        f.flag(c, "disabled")
        emoji = f.record(c, "emoji")
        if style in (1, 2, 3, 4):
            self._custom_id(c)
        elif style == 5:
            f.url(c, "url", 512, ("http", "https", "discord"),
                  required=True)
        elif style == 6:
            f.snowflake(c, "sku_id", required=True)
        if style in (5, 6) and c.get("custom_id"):
            f.wrong([], "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                    "A custom id and url cannot both be specified")
        if style in (1, 2, 3, 4, 5) and not c.get("label") and not emoji:
            f.wrong([], "BUTTON_COMPONENT_INVALID",
                    "A button must have a label or an emoji")

    def _select(self, c, kind):
        f = self.form
        self._custom_id(c)
        f.text(c, "placeholder", 150)
        f.flag(c, "disabled")
        options = 25
        if kind == STRING:
            options = self._options(c, 25, 1)
        self._range(c, 25)
        most = c.get("max_values")
        if kind == STRING and isinstance(most, int) and most > options:
            f.wrong(["max_values"], "NUMBER_TYPE_MAX",
                    "int value should be less than or equal to "
                    f"{options}.")

    def _range(self, c, most):
        low = self.form.number(c, "min_values", 0, most)
        high = self.form.number(c, "max_values", 1, most)
        if low is not None and high is not None and low > high:
            self.form.wrong(["min_values"], "NUMBER_TYPE_MAX",
                            "int value should be less than or equal to "
                            f"{high}.")

    def _options(self, c, most, least):
        seen = set()
        for option in self.form.items(c, "options", most, least,
                                      required=True):
            self.form.text(option, "label", 100, 1, required=True)
            value = self.form.text(option, "value", 100, 1, required=True)
            self.form.text(option, "description", 100)
            self.form.flag(option, "default")
            if value in seen:
                self.form.wrong(["value"],
                                "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                                "The specified option value is already used")
            seen.add(value)
        return len(c.get("options") or ())

    def _input(self, c):
        f = self.form
        self._custom_id(c)
        f.choice(c, "style", (1, 2), required=True)
        f.text(c, "label", 45)
        f.text(c, "placeholder", 100)
        f.text(c, "value", 4000)
        f.number(c, "min_length", 0, 4000)
        f.number(c, "max_length", 1, 4000)
        f.flag(c, "required")

    def _section(self, c):
        f = self.form
        for child in f.items(c, "components", 3, 1, required=True):
            self.component(child, (TEXT,))
        accessory = f.record(c, "accessory", required=True)
        if accessory:
            with f.inside("accessory"):
                self.component(accessory, (BUTTON, THUMBNAIL))

    def _text(self, c):
        content = self.form.text(c, "content", MOST_TEXT, 1, required=True)
        self.text += len(content or "")

    def _media(self, holder, key, attached_only=False):
        media = self.form.record(holder, key, required=True)
        schemes = ("attachment",) if attached_only \
            else ("http", "https", "attachment")
        with self.form.inside(key):
            url = self.form.url(media, "url", 2048, schemes,
                                required=bool(media))
            self._attached(url)

    def _attached(self, url):
        if not url or not url.startswith("attachment://"):
            return
        name = url[len("attachment://"):]
        if name not in self.files:
            self.form.wrong(["url"],
                            "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT"
                            "_FOUND",
                            f"The referenced attachment {name!r} was not "
                            "found in the list of attachments")

    def _thumbnail(self, c):
        self._media(c, "media")
        self.form.text(c, "description", 1024)

    def _gallery(self, c):
        for item in self.form.items(c, "items", 10, 1, required=True):
            self._media(item, "media")
            self.form.text(item, "description", 1024)

    def _file(self, c):
        self._media(c, "file", attached_only=True)

    def _separator(self, c):
        self.form.flag(c, "divider")
        self.form.choice(c, "spacing", (1, 2))

    def _container(self, c):
        self.form.number(c, "accent_color", 0, 0xffffff)
        for child in self.form.items(c, "components", MOST, 1,
                                     required=True):
            self.component(child, IN_CONTAINER)

    def _label(self, c):
        self.form.text(c, "label", 45, 1, required=True)
        self.form.text(c, "description", 100)
        child = self.form.record(c, "component", required=True)
        if child:
            with self.form.inside("component"):
                self.component(child, IN_LABEL, modal=True)

    def _upload(self, c):
        self._custom_id(c)
        self._range(c, 10)

    def _radio(self, c):
        self._custom_id(c)
        self._options(c, 10, 2)

    def _checks(self, c):
        self._custom_id(c)
        self._options(c, 10, 1)
        self._range(c, 10)
