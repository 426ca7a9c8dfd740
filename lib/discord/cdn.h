#ifndef DISCORD_CDN_H
#define DISCORD_CDN_H
/*
 * cdn - the addresses at which Discord keeps files. Pure.
 *
 * Hosts    https, at cdn.discordapp.com or media.discordapp.net, spelled just
 *          so: no user, no port, no other case, and below /attachments/ or
 *          /ephemeral-attachments/. Anything else is none of Discord's, however
 *          much it looks like it. Where Discord itself is on this machine (see
 *          api: http is for that alone), its files are there as well, at the
 *          same host and port, and nowhere else.
 * Signed   Such an address holds for about a day: ?ex= and ?is= are its end and
 *          its begin, hex seconds since 1970, ?hm= the signature ("Signed
 *          Attachment CDN URLs" in Discord's documentation). An address that is
 *          over says nothing about the file; its message has a new one.
 */

#include <stdbool.h>
#include <stdint.h>

/* base is the address of the interface, as in struct api. */
bool cdn_is(const char *url, const char *base);

/* Until when, in ms since 1970: 0 for an address that doesn't say. */
int64_t cdn_until_ms(const char *url);

#endif
