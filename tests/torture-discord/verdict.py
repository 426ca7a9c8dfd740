"""verdict - whether everybody was answered once, and Discord treated well."""

INVALID_MAX = 100   # one percent of what bans
STOPS = "Stop"      # the button of a message that only shows progress


def messages(state):
    """What the bot said that is still there and no mere progress."""
    return [s for s in state["sent"]
            if not s["deleted"] and STOPS not in s["buttons"] and
            (s["content"] or s["flags"] & 1 << 15)]


def interaction(asked, state):
    return next((i for i in state["interactions"] if i["id"] == asked["id"]),
                None)


def outcome(asked, state, said):
    """(answers, notices) for one question."""
    command = interaction(asked, state)
    own = {m["id"] for m in command["messages"]} if command else set()
    steers = asked["kind"] == "reply"   # the next one may be answered with it
    answers = [s for s in said if ("re: " + asked["word"]) in s["content"] or
               (steers and s["reference"] == asked["id"] and
                s["content"].startswith("re: "))]
    notices = [s for s in said if s not in answers and
               (s["reference"] == asked["id"] or s["id"] in own) and
               not s["content"].startswith("re: ")]
    return answers, notices


def answered(asked, state, said):
    """Also if Discord itself told its user that a command failed."""
    answers, notices = outcome(asked, state, said)
    command = interaction(asked, state)
    return bool(answers or notices or (command and not command["answers"]))


def open_questions(round_, state):
    said = messages(state)
    return [a for a in round_.asked if not answered(a, state, said)]


def questions(round_, state):
    """What is wrong with the answers."""
    said = messages(state)
    for asked in round_.asked:
        what = f"{asked['kind']} {asked['word']} ({asked['id']})"
        answers, notices = outcome(asked, state, said)
        if len(answers) > 1:
            yield f"{what}: answered {len(answers)} times"
        if len(notices) > 1:
            yield f"{what}: told {len(notices)} times that it did not work"
        if answers and notices:
            yield f"{what}: answered, and told that it did not work"
        if not answered(asked, state, said):
            yield f"{what}: lost"
    for entry in said:
        if "q0robot" in entry["content"]:
            yield f"answered a bot: {entry['content']}"
    for nonce in state["doubled"]:
        yield f"sent twice with one nonce: {nonce}"


def manners(round_, state):
    """What is wrong with how Discord was treated."""
    count = state["count"]
    for violation in state["violations"]:
        yield f"against the rules: {violation}"
    for problem in state["problems"]["requests"]:
        yield f"against the OpenAPI file: {problem}"
    if count.get("invalid_in_10_min", 0) >= INVALID_MAX:
        yield f"{count['invalid_in_10_min']} invalid requests"
    if count.get("bad_user_agent"):
        yield "requests without the User-Agent that Discord asks for"
    # Who is killed, or never hears READY, knows nothing of its session.
    spare = sum(count.get("faults." + f, 0) for f in ("mute", "hello_delay"))
    spare += round_.killed["sophia-gateway"] + round_.killed["sophia-up"]
    most = 1 + count.get("sessions_ended", 0) + spare
    if count.get("identifies", 0) > most:
        yield f"{count['identifies']} identifies, where {most} are the most"
    if count.get("identifies_needless", 0) > spare:
        yield (f"{count['identifies_needless']} identifies where a session "
               f"could be resumed; {spare} would be understood")


def judge(round_, state, late):
    found = list(questions(round_, state)) + list(manners(round_, state))
    found += [f"{name} does not end by SIGTERM" for name in late]
    return found
