"""embeds - their limits, and what Discord makes of one."""

TOTAL_MAX, EMBEDS_MAX, FIELDS_MAX = 6000, 10, 25
LENGTHS = {"title": 256, "description": 4096}
NAMED = {"footer": ("text", 2048), "author": ("name", 256)}


def check(faults, embeds, where=("embeds",)):
    where = list(where)
    if not faults.size(where, embeds, 0, EMBEDS_MAX):
        return
    total = 0
    for at, embed in enumerate(embeds):
        total += check_one(faults, embed, where + [at])
    if total > TOTAL_MAX:
        faults.add(where, "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds"
                   f" maximum size of {TOTAL_MAX}")


def check_one(faults, embed, where):
    """Answers how many characters count."""
    total = 0
    for name, most in LENGTHS.items():
        if embed.get(name) is not None and \
                faults.length(where + [name], embed[name], 0, most):
            total += len(embed[name])
    for name, (part, most) in NAMED.items():
        text = (embed.get(name) or {}).get(part)
        if text is not None and \
                faults.length(where + [name, part], text, 0, most):
            total += len(text)
    fields = embed.get("fields") or []
    if faults.size(where + ["fields"], fields, 0, FIELDS_MAX):
        for n, field in enumerate(fields):
            for name, most in (("name", 256), ("value", 1024)):
                if not field.get(name):
                    faults.required(where + ["fields", n, name])
                elif faults.length(where + ["fields", n, name], field[name],
                                   1, most):
                    total += len(field[name])
    if not any(embed.get(k) for k in ("title", "description", "fields",
                                      "footer", "author", "image",
                                      "thumbnail", "url")):
        faults.required(where + ["description"])
    return total


def stored(embed):
    out = dict({"type": "rich"}, **embed)
    for field in out.get("fields") or []:
        field.setdefault("inline", False)
    return {k: v for k, v in out.items() if v is not None}
