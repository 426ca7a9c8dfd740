"""What Discord refuses in the definitions of application commands.

    commands(bodies)   all commands that an application would have in a scope

returns None, or (status, body) as Discord would answer.
"""

import re

from form import Form

CHAT_NAME = re.compile(r"[-_'\w]{1,32}")
SUBCOMMAND, GROUP = 1, 2
TAKES_CHOICES = (3, 4, 10)
MOST_COMMANDS = {"1": 100, "2": 15, "3": 15}


def commands(bodies):
    """Check the commands that an application would then have in a scope."""
    f = Form()
    seen, counts = set(), {}
    for i, body in enumerate(bodies):
        if not isinstance(body, dict):
            f.wrong([i], "MODEL_TYPE_CONVERT",
                    "Only dictionaries may be used in a ModelType")
            continue
        kind = str(body.get("type") or 1)
        counts[kind] = counts.get(kind, 0) + 1
        with f.inside(i):
            name = command(f, body)
            if (kind, name) in seen:
                f.wrong(["name"],
                        "APPLICATION_COMMANDS_DUPLICATE_NAME",
                        "Application command names must be unique")
        seen.add((kind, name))
    for kind, count in counts.items():
        if count > MOST_COMMANDS.get(kind, 1):
            return 400, {"message": "Maximum number of application commands "
                         f"reached ({MOST_COMMANDS.get(kind, 1)}).",
                         "code": 30032}
    return (400, f.answer()) if f.errors else None


def command(f, body):
    """Note in the form f what is wrong with one command; its name."""
    kind = f.choice(body, "type", (1, 2, 3, 4)) or 1
    name = _name(f, body, kind == 1)
    if kind == 1:
        f.text(body, "description", 100, 1, required=True)
        _options(f, body)
    else:
        for key in ("description", "options"):
            if body.get(key):
                f.wrong([key], "APPLICATION_COMMAND_INVALID",
                        f"{key} cannot be set for this type of command")
    if not f.errors and _characters(body) > 8000:
        f.wrong([], "APPLICATION_COMMAND_TOO_LARGE",
                "Command exceeds maximum size (8000)")
    return name


def _name(f, body, chat):
    name = f.text(body, "name", 32, 1, required=True)
    if chat and name and (not CHAT_NAME.fullmatch(name)
                          or name != name.lower()):
        f.wrong(["name"], "APPLICATION_COMMAND_INVALID_NAME",
                "Command name is invalid")
    return name


def _options(f, holder, inside=None):
    """The options of a command, a group or a subcommand."""
    nested = {None: (SUBCOMMAND, GROUP), GROUP: (SUBCOMMAND,)}
    seen, optional = set(), False
    for option in f.items(holder, "options", 25):
        kind = f.choice(option, "type", range(1, 12), required=True)
        name = _name(f, option, True)
        f.text(option, "description", 100, 1, required=True)
        if name in seen:
            f.wrong(["name"], "APPLICATION_COMMAND_OPTIONS_NAME_INVALID",
                    "Option name is not unique")
        seen.add(name)
        if kind in (SUBCOMMAND, GROUP):
            if kind not in nested.get(inside, ()):
                f.wrong(["type"], "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
                        "Sub-command option type is not allowed here")
            else:
                _options(f, option, kind)
            continue
        if inside == GROUP:
            f.wrong(["type"], "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
                    "A group holds sub-commands only")
        if f.flag(option, "required") and optional:
            f.wrong([], "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required "
                    "options")
        optional = optional or not option.get("required")
        _choices(f, option, kind)


def _choices(f, option, kind):
    if option.get("choices") and option.get("autocomplete"):
        f.wrong(["choices"], "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
                "Choices and autocomplete are mutually exclusive")
    for choice in f.items(option, "choices", 25):
        f.text(choice, "name", 100, 1, required=True)
        if kind not in TAKES_CHOICES:
            f.wrong([], "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
                    "This type of option takes no choices")


def _characters(holder):
    total = len(holder.get("name") or "") + \
        len(holder.get("description") or "")
    for choice in holder.get("choices") or ():
        total += len(choice.get("name") or "") + \
            len(str(choice.get("value", "")))
    return total + sum(_characters(o) for o in holder.get("options") or ())
