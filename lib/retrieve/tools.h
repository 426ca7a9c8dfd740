#ifndef RETRIEVE_TOOLS_H
#define RETRIEVE_TOOLS_H
/*
 * tools - the tools that sophia-retrieve serves: retrieve_messages,
 * search_messages, random_channel_message, resolve_member_identity,
 * resolve_channel_targets, list_guild_structure and index_channel. share/tools
 * says what each takes and gives. Messages are given as sources, so that an answer can cite
 * them; data holds the rest.
 */

struct err;
struct lookup;

enum { TOOLS_LIMIT = 12, TOOLS_CONTEXT = 2 }; /* as the manifests say */

/* Answer calls until the end of in, as in tool/serve. */
int tools_serve(struct lookup *l, int in, struct err *e);

#endif
