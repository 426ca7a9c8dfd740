#include "ext/form.h"

#include <unistd.h>

#include <curl/curl.h>

#include "core/err.h"
#include "core/mem.h"
#include "ext/http.h"

static int
add(curl_mime *form, const struct http_part *p, struct err *e)
{
	curl_mimepart *part = curl_mime_addpart(form);
	CURLcode code;

	mem_check(part);
	if (!p->bytes && access(p->path, R_OK) < 0)
		return err_sys(e, ERR_CONFIG, "%s", p->path);
	code = p->bytes ? curl_mime_data(part, p->bytes, p->len)
			: curl_mime_filedata(part, p->path);
	if (code == CURLE_OK)
		code = curl_mime_name(part, p->name);
	if (code == CURLE_OK && (p->filename || !p->bytes))
		code = curl_mime_filename(part, p->filename);
	if (code == CURLE_OK && p->type)
		code = curl_mime_type(part, p->type);
	if (code != CURLE_OK)
		return err_set(e, ERR_CONFIG, "the part %s: %s", p->name,
		    curl_easy_strerror(code));
	return 0;
}

void *
form_new(void *easy, const struct http_part *parts, size_t count, struct err *e)
{
	curl_mime *form = curl_mime_init(easy);

	mem_check(form);
	for (size_t i = 0; i < count; i++)
		if (add(form, &parts[i], e) < 0) {
			curl_mime_free(form);
			return NULL;
		}
	return form;
}

void
form_free(void *form)
{
	curl_mime_free(form);
}
