"""history - the messages of one channel, by id, cheap to page through."""
import bisect


class History:
    def __init__(self):
        self.ids = []      # ascending
        self.by_id = {}    # int -> message
        self.deleted = set()

    def __len__(self):
        return len(self.ids)

    def add(self, message):
        number = int(message["id"])
        self.by_id[number] = message
        if not self.ids or number > self.ids[-1]:
            self.ids.append(number)
        else:
            bisect.insort(self.ids, number)

    def get(self, message_id):
        return self.by_id.get(int(message_id))

    def remove(self, message_id):
        number = int(message_id)
        message = self.by_id.pop(number, None)
        if message is not None:
            self.ids.pop(bisect.bisect_left(self.ids, number))
            self.deleted.add(number)
        return message

    def last_id(self):
        return str(self.ids[-1]) if self.ids else None

    def page(self, limit, before=None, after=None, around=None):
        """Newest first; before and after exclude their message."""
        if around is not None:
            at = bisect.bisect_left(self.ids, around)
            here = at < len(self.ids) and self.ids[at] == around
            older = max(0, at - limit // 2)
            chosen = self.ids[older:at + (limit - limit // 2)
                              + (1 if here and limit % 2 == 0 else 0)]
            chosen = chosen[:limit] if limit > 1 else \
                self.ids[at:at + 1]
        elif after is not None:
            at = bisect.bisect_right(self.ids, after)
            chosen = self.ids[at:at + limit]
        else:
            at = len(self.ids) if before is None else \
                bisect.bisect_left(self.ids, before)
            chosen = self.ids[max(0, at - limit):at]
        return [self.by_id[number] for number in reversed(chosen)]
