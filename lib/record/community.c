#include "record/community.h"

bool
channel_is_thread(int64_t kind)
{
	return kind >= CHANNEL_NEWS_THREAD && kind <= CHANNEL_PRIVATE_THREAD;
}

const char *
channel_kind_word(int64_t kind)
{
	switch (kind) {
	case CHANNEL_TEXT: return "GuildTextChat";
	case CHANNEL_DM: return "DirectTextChat";
	case CHANNEL_VOICE: return "GuildVoiceChat";
	case CHANNEL_GROUP_DM: return "DirectGroupTextChat";
	case CHANNEL_CATEGORY: return "GuildCategory";
	case CHANNEL_NEWS: return "GuildNews";
	case CHANNEL_NEWS_THREAD: return "GuildNewsThread";
	case CHANNEL_PUBLIC_THREAD: return "GuildPublicThread";
	case CHANNEL_PRIVATE_THREAD: return "GuildPrivateThread";
	case CHANNEL_STAGE: return "GuildStageVoice";
	case CHANNEL_DIRECTORY: return "GuildDirectory";
	case CHANNEL_FORUM: return "GuildForum";
	case CHANNEL_MEDIA: return "GuildMedia";
	default: return "";
	}
}
