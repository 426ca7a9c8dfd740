#include "core/media.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "core/utf8.h"

enum { TEXT_LOOKED_AT = 4096 };

static const char none[] = "application/octet-stream";
static const char zip[] = "application/zip";

/* A mark, and where there is a second one, that too. */
static const struct {
	const char *mark;
	size_t len, second_at;
	const char *second, *type;
} marks[] = {
    {"\x89PNG\r\n\x1a\n", 8, 0, "", "image/png"},
    {"\xff\xd8\xff", 3, 0, "", "image/jpeg"},
    {"GIF87a", 6, 0, "", "image/gif"},
    {"GIF89a", 6, 0, "", "image/gif"},
    {"RIFF", 4, 8, "WEBP", "image/webp"},
    {"RIFF", 4, 8, "WAVE", "audio/wav"},
    {"RIFF", 4, 8, "AVI ", "video/x-msvideo"},
    {"BM", 2, 6, "\0\0\0\0", "image/bmp"},
    {"II*\0", 4, 0, "", "image/tiff"},
    {"MM\0*", 4, 0, "", "image/tiff"},
    {"ID3", 3, 0, "", "audio/mpeg"},
    {"\xff\xfb", 2, 0, "", "audio/mpeg"},
    {"fLaC", 4, 0, "", "audio/flac"},
    {"OggS", 4, 0, "", "audio/ogg"},
    {"\x1a\x45\xdf\xa3", 4, 0, "", "video/webm"},
    {"%PDF-", 5, 0, "", "application/pdf"},
    {"\x1f\x8b", 2, 0, "", "application/gzip"},
    {"SQLite format 3", 16, 0, "", "application/vnd.sqlite3"},
    {"PK\3\4", 4, 0, "", zip},
};

static const struct {
	const char *end, *type;
} packed[] =
    {
	{".xlsx", "application/"
		  "vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
	{".docx",
	    "application/"
	    "vnd.openxmlformats-officedocument.wordprocessingml.document"},
	{".pptx",
	    "application/"
	    "vnd.openxmlformats-officedocument.presentationml.presentation"},
	{".odt", "application/vnd.oasis.opendocument.text"},
	{".ods", "application/vnd.oasis.opendocument.spreadsheet"},
	{".epub", "application/epub+zip"},
},
  texts[] = {
      {".csv", "text/csv"},
      {".tsv", "text/tab-separated-values"},
      {".html", "text/html"},
      {".md", "text/markdown"},
      {".json", "application/json"},
      {".svg", "image/svg+xml"},
};

static bool
ends_in(const char *name, const char *end)
{
	const size_t len = strlen(name), tail = strlen(end);

	return len >= tail && strcasecmp(name + len - tail, end) == 0;
}

static bool
is_text(const char *bytes, size_t len)
{
	const size_t most = len < TEXT_LOOKED_AT
				? len
				: utf8_cut(bytes, len, TEXT_LOOKED_AT);
	uint32_t cp;

	for (size_t i = 0; i < most;) {
		i += utf8_next(bytes + i, most - i, &cp);
		if (cp == UTF8_BAD ||
		    (cp < ' ' && !strchr("\t\n\r\f", (int)cp)) || cp == 0)
			return false;
	}
	return true;
}

static const char *
by_mark(const char *bytes, size_t len)
{
	/* An MP4 begins with the length of its first box. */
	if (len >= 12 && memcmp(bytes + 4, "ftyp", 4) == 0)
		return memcmp(bytes + 8, "M4A ", 4) == 0 ? "audio/mp4"
							 : "video/mp4";
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (len >= marks[i].len &&
		    memcmp(bytes, marks[i].mark, marks[i].len) == 0 &&
		    (!marks[i].second_at ||
			(len >= marks[i].second_at + 4 &&
			    memcmp(bytes + marks[i].second_at, marks[i].second,
				4) == 0)))
			return marks[i].type;
	return NULL;
}

const char *
media_type(const char *bytes, size_t len, const char *name)
{
	const char *type = by_mark(bytes, len);

	if (type == zip)
		for (size_t i = 0; i < sizeof(packed) / sizeof(*packed); i++)
			if (ends_in(name, packed[i].end))
				return packed[i].type;
	if (type)
		return type;
	if (!is_text(bytes, len))
		return none;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (ends_in(name, texts[i].end))
			return texts[i].type;
	return "text/plain";
}

const char *
media_kind(const char *type)
{
	if (strncmp(type, "image/", 6) == 0)
		return strcmp(type, "image/svg+xml") == 0 ? "document"
							  : "image";
	if (strncmp(type, "audio/", 6) == 0)
		return "audio";
	if (strncmp(type, "video/", 6) == 0)
		return "video";
	if (strncmp(type, "text/", 5) == 0 ||
	    strcmp(type, "application/json") == 0)
		return "text";
	return strcmp(type, "application/pdf") == 0 ||
		       strstr(type, "document") || strstr(type, "epub")
		   ? "document"
		   : "other";
}
