"""components - trees of components: walking them, and storing one."""
import copy

BUTTON, TEXT_INPUT, CONTAINER = 2, 4, 17
SELECTS = (3, 5, 6, 7, 8)


def walk(items):
    """Every component, nested ones after what holds them."""
    for item in items:
        yield item
        yield from walk(item.get("components") or [])
        for name in ("accessory", "component"):
            if item.get(name):
                yield from walk([item[name]])


def stored(items):
    """A copy in which every component has its id, numbered from 1, and what
    was left out is as Discord takes it."""
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
        elif item.get("type") in SELECTS:
            item.setdefault("min_values", 1)
            item.setdefault("max_values", 1)
        elif item.get("type") == CONTAINER:
            item.setdefault("accent_color", None)
            item.setdefault("spoiler", False)
    return items
