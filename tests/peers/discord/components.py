"""components - the limits of message and modal components, old and new.

Old: five action rows. New (the flag IS_COMPONENTS_V2): 40 components, nested
ones counted, and 4000 characters over all text displays.
"""
(ROW, BUTTON, STRING_SELECT, TEXT_INPUT, USER_SELECT, ROLE_SELECT,
 MENTIONABLE_SELECT, CHANNEL_SELECT, SECTION, TEXT, THUMBNAIL, GALLERY, FILE,
 SEPARATOR) = range(1, 15)
CONTAINER, LABEL, UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 17, 18, 19, 21, 22, 23
SELECTS = (STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT,
           CHANNEL_SELECT)
TOP_V2 = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER)
IN_CONTAINER = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR)
INPUTS = SELECTS + (TEXT_INPUT, UPLOAD, RADIO, CHECKBOXES, CHECKBOX)
COMPONENTS_MAX, TEXT_MAX, ROWS_MAX = 40, 4000, 5


def walk(items):
    """Every component, nested ones after what holds them."""
    for item in items:
        if not isinstance(item, dict):
            continue
        yield item
        yield from walk(item.get("components") or [])
        if isinstance(item.get("accessory"), dict):
            yield from walk([item["accessory"]])
        if isinstance(item.get("component"), dict):
            yield from walk([item["component"]])


def bad_type(faults, where, allowed):
    faults.add(where + ["type"], "BASE_TYPE_CHOICES", "Value of field \"type\""
               f" must be one of ({', '.join(map(str, allowed))}).")


def check(faults, items, v2, where=("components",)):
    where = list(where)
    if not faults.size(where, items, 0, COMPONENTS_MAX if v2 else ROWS_MAX):
        return
    allowed = TOP_V2 if v2 else (ROW,)
    for at, item in enumerate(items):
        check_one(faults, item, where + [at], allowed)
    if v2:
        check_totals(faults, items, where)
    check_unique(faults, items, where)


def check_totals(faults, items, where):
    if sum(1 for _ in walk(items)) > COMPONENTS_MAX:
        faults.add(where, "COMPONENTS_V2_TOO_MANY", "The total number of"
                   f" components must be {COMPONENTS_MAX} or fewer.")
    text = sum(len(c.get("content") or "") for c in walk(items)
               if c.get("type") == TEXT)
    if text > TEXT_MAX:
        faults.add(where, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
                   f"The text of all components must be {TEXT_MAX} or fewer"
                   " in length.")


def check_unique(faults, items, where):
    seen = {}
    for item in walk(items):
        name = item.get("custom_id")
        if name is not None and name in seen:
            faults.add(where, "COMPONENT_CUSTOM_ID_DUPLICATED",
                       "Component custom id cannot be duplicated")
        seen[name] = True
    ids = [i["id"] for i in walk(items) if i.get("id")]
    if len(set(ids)) < len(ids):
        faults.add(where, "COMPONENT_ID_DUPLICATED",
                   "Component ids cannot be duplicated")


def check_one(faults, item, where, allowed):
    if not isinstance(item, dict) or item.get("type") not in allowed:
        bad_type(faults, where, allowed)
        return
    kind = item["type"]
    if kind == ROW:
        check_row(faults, item, where)
    elif kind == BUTTON:
        check_button(faults, item, where)
    elif kind in SELECTS:
        check_select(faults, item, where)
    elif kind == SECTION:
        check_section(faults, item, where)
    elif kind == TEXT:
        faults.length(where + ["content"], item.get("content"), 1, TEXT_MAX)
    elif kind in (THUMBNAIL, FILE):
        check_media(faults, item, where, kind)
    elif kind == GALLERY:
        faults.size(where + ["items"], item.get("items"), 1, 10)
    elif kind == CONTAINER:
        for at, inner in enumerate(item.get("components") or []):
            check_one(faults, inner, where + ["components", at], IN_CONTAINER)
        if not item.get("components"):
            faults.required(where + ["components"])
    elif kind == TEXT_INPUT:
        check_input(faults, item, where)


def check_media(faults, item, where, kind):
    name = "file" if kind == FILE else "media"
    if not (item.get(name) or {}).get("url"):
        faults.required(where + [name, "url"])


def check_row(faults, row, where):
    inner = row.get("components")
    if not inner:
        faults.required(where + ["components"])
        return
    if not faults.size(where + ["components"], inner, 1, 5):
        return
    kinds = {c.get("type") for c in inner if isinstance(c, dict)}
    if kinds & set(SELECTS + (TEXT_INPUT,)) and len(inner) > 1:
        faults.add(where + ["components"], "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                   "The specified component exceeds the maximum width")
    for at, item in enumerate(inner):
        check_one(faults, item, where + ["components", at],
                  (BUTTON,) + SELECTS + (TEXT_INPUT,))


def check_section(faults, section, where):
    if faults.size(where + ["components"], section.get("components"), 1, 3):
        for at, item in enumerate(section["components"]):
            check_one(faults, item, where + ["components", at], (TEXT,))
    if not section.get("accessory"):
        faults.required(where + ["accessory"])
    else:
        check_one(faults, section["accessory"], where + ["accessory"],
                  (BUTTON, THUMBNAIL))


def check_button(faults, button, where):
    style = button.get("style")
    if style not in range(1, 7):
        faults.add(where + ["style"], "BASE_TYPE_CHOICES",
                   "Value of field \"style\" must be one of"
                   " (1, 2, 3, 4, 5, 6).")
        return
    if button.get("label") is not None:
        faults.length(where + ["label"], button["label"], 0, 80)
    if style == 5:
        if not button.get("url"):
            faults.required(where + ["url"])
        else:
            faults.length(where + ["url"], button["url"], 1, 512)
        if "custom_id" in button:
            faults.add(where, "BUTTON_COMPONENT_CUSTOM_ID_AND_URL",
                       "A custom id and url cannot both be specified")
    elif style < 5:
        if not button.get("label") and not button.get("emoji"):
            faults.add(where, "BUTTON_COMPONENT_INVALID",
                       "A button must have a label or emoji")
        check_custom_id(faults, button, where)


def check_custom_id(faults, item, where):
    if not item.get("custom_id"):
        faults.required(where + ["custom_id"])
    else:
        faults.length(where + ["custom_id"], item["custom_id"], 1, 100)


def check_select(faults, select, where):
    check_custom_id(faults, select, where)
    if select.get("placeholder") is not None:
        faults.length(where + ["placeholder"], select["placeholder"], 0, 150)
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    if not 0 <= low <= 25 or not 1 <= high <= 25 or low > high:
        faults.add(where + ["max_values"], "NUMBER_TYPE_MAX",
                   "int value should be less than or equal to 25.")
    if select["type"] != STRING_SELECT:
        return
    if not faults.size(where + ["options"], select.get("options"), 1, 25):
        return
    for at, option in enumerate(select["options"]):
        for name in ("label", "value"):
            faults.length(where + ["options", at, name], option.get(name), 1,
                          100)
        if option.get("description") is not None:
            faults.length(where + ["options", at, "description"],
                          option["description"], 0, 100)
    values = [o.get("value") for o in select["options"]]
    if len(set(values)) < len(values):
        faults.add(where + ["options"], "SELECT_COMPONENT_OPTION_VALUE_"
                   "DUPLICATED", "The specified option value is already used")


def check_input(faults, item, where):
    check_custom_id(faults, item, where)
    if item.get("style") not in (1, 2):
        faults.add(where + ["style"], "BASE_TYPE_CHOICES",
                   "Value of field \"style\" must be one of (1, 2).")
    if item.get("label") is not None:
        faults.length(where + ["label"], item["label"], 1, 45)
    for name, most in (("value", 4000), ("placeholder", 100)):
        if item.get(name) is not None:
            faults.length(where + [name], item[name], 0, most)


def check_modal(faults, modal):
    where = ["data"]
    faults.length(where + ["title"], modal.get("title"), 1, 45)
    check_custom_id(faults, modal, where)
    items = modal.get("components")
    if not faults.size(where + ["components"], items, 1, 5):
        return
    for at, item in enumerate(items):
        here = where + ["components", at]
        kind = item.get("type")
        if kind == LABEL:
            faults.length(here + ["label"], item.get("label"), 1, 45)
            inner = item.get("component") or {}
            check_one(faults, inner, here + ["component"], INPUTS)
        elif kind == ROW:
            for n, inner in enumerate(item.get("components") or []):
                check_one(faults, inner, here + ["components", n],
                          (TEXT_INPUT,))
                if not inner.get("label"):
                    faults.required(here + ["components", n, "label"])
        elif kind != TEXT:
            bad_type(faults, here, (ROW, TEXT, LABEL))
    check_unique(faults, items, where + ["components"])


def stored(items):
    """A copy in which every component has its id, numbered from 1."""
    import copy
    items = copy.deepcopy(items)
    used = {i["id"] for i in walk(items) if i.get("id")}
    number = 0
    for item in walk(items):
        if not item.get("id"):
            number += 1
            while number in used:
                number += 1
            item["id"] = number
        if item.get("type") == BUTTON:
            item.setdefault("disabled", False)
    return items
