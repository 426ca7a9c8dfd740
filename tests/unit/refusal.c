/* Every shape of an error that was seen, and what it means. */
#include "model/refusal.h"

#include <inttypes.h>
#include <string.h>

#include "tap.h"

static void
check(int status, const char *body, const char *want, const char *name)
{
	struct refusal r = {0};
	char got[600];

	refusal_read(&r, status, body, strlen(body));
	snprintf(got, sizeof(got), "%s %s: %s", err_word(r.kind), r.code,
	    r.text);
	same(got, want, name);
}

static void
check_context(const char *body, int64_t limit, int64_t over, const char *name)
{
	struct refusal r = {0};

	refusal_read(&r, 400, body, strlen(body));
	if (!tap_ok(r.kind == ERR_INPUT &&
			strcmp(r.code, "context_length") == 0 &&
			r.limit == limit && r.over == over,
		__FILE__, __LINE__, name))
		printf("# %s %" PRId64 " %" PRId64 "\n", r.code, r.limit,
		    r.over);
}

static void
shapes(void)
{
	check(400,
	    "{\"error\":{\"message\":\"m\",\"type\":\"invalid\","
	    "\"param\":null,\"code\":null}}",
	    "refused bad_request: the provider (HTTP 400): m", "OpenAI's");
	check(429,
	    "{\"error\":{\"message\":\"Provider returned error\","
	    "\"code\":429,\"metadata\":{\"provider_name\":\"Google\","
	    "\"raw\":\"slow down\"}},\"user_id\":\"u\"}",
	    "again rate_limit: Google (HTTP 429): slow down", "OpenRouter's");
	check(400,
	    "{\"error\":{\"message\":\"Provider returned error\","
	    "\"code\":400,\"metadata\":{\"raw\":\"{\\\"error\\\":{"
	    "\\\"message\\\":\\\"inner\\\"}}\"}}}",
	    "refused bad_request: the provider (HTTP 400): inner",
	    "OpenRouter's with an error in its error");
	check(404, "{\"error\":\"Specified model not found: x\"}",
	    "config model: the provider (HTTP 404): Specified model not found: "
	    "x",
	    "Venice's");
	check(400,
	    "{\"code\":\"invalid-argument\",\"error\":\"Incorrect API "
	    "key provided.\"}",
	    "config key: the provider (HTTP 400): Incorrect API key provided.",
	    "xAI's, a bad key with 400");
	check(401, "{\"detail\":\"Invalid API Key\"}",
	    "config key: the provider (HTTP 401): Invalid API Key",
	    "Mistral's");
	check(422, "{\"detail\":[{\"msg\":\"field required\"}]}",
	    "refused bad_request: the provider (HTTP 422): field required",
	    "FastAPI's");
	check(400,
	    "{\"object\":\"error\",\"message\":\"m\",\"type\":"
	    "\"BadRequestError\",\"code\":400}",
	    "refused bad_request: the provider (HTTP 400): m", "vLLM's");
	check(400,
	    "{\"type\":\"error\",\"error\":{\"type\":"
	    "\"invalid_request_error\",\"message\":\"m\"}}",
	    "refused bad_request: the provider (HTTP 400): m", "Anthropic's");
	check(502, "<html>Bad gateway</html>",
	    "again provider: the provider (HTTP 502): it answered with a page "
	    "that is not JSON",
	    "a page");
	check(503, "",
	    "again overloaded: the provider (HTTP 503): it gave no "
	    "reason",
	    "nothing");
	check(500, "{\"message\":\"m\"}",
	    "again provider: the provider (HTTP 500): m", "a bare message");
}

static void
meanings(void)
{
	check(402, "",
	    "config credit: the provider (HTTP 402): it gave no "
	    "reason",
	    "no credit");
	check(429,
	    "{\"error\":{\"message\":\"m\",\"code\":"
	    "\"insufficient_quota\"}}",
	    "config credit: the provider (HTTP 429): m", "nor quota");
	check(403,
	    "{\"error\":{\"code\":\"forbidden\",\"message\":"
	    "\"Forbidden\"}}",
	    "config key: the provider (HTTP 403): Forbidden", "a wrong key");
	check(403,
	    "{\"error\":{\"code\":403,\"message\":\"Request blocked: "
	    "x\"}}",
	    "refused policy: the provider (HTTP 403): Request blocked: x",
	    "a guardrail is none");
	check(413, "",
	    "input too_large: the provider (HTTP 413): it gave no "
	    "reason",
	    "too large");
	check(529, "",
	    "again overloaded: the provider (HTTP 529): it gave no "
	    "reason",
	    "overloaded");
	check(400,
	    "{\"object\":\"error\",\"message\":\"auto tool choice "
	    "requires --enable-auto-tool-choice\",\"code\":400}",
	    "config server: start vLLM with --enable-auto-tool-choice and "
	    "--tool-call-parser; the provider (HTTP 400): auto tool choice "
	    "requires --enable-auto-tool-choice",
	    "27: a hint for vLLM");
	check(500,
	    "{\"error\":{\"code\":500,\"message\":\"tools param requires "
	    "--jinja flag\"}}",
	    "config server: start llama-server with --jinja, so that it can "
	    "call tools; the provider (HTTP 500): tools param requires --jinja "
	    "flag",
	    "a hint for llama.cpp, which is no reason to try again");
	check(400,
	    "{\"error\":{\"message\":\"Unsupported parameter: "
	    "'max_tokens'. Use 'max_completion_tokens' instead.\"}}",
	    "config profile: set token_parameter to max_completion_tokens in "
	    "the profile; the provider (HTTP 400): Unsupported parameter: "
	    "'max_tokens'. Use 'max_completion_tokens' instead.",
	    "22: a hint for the profile");
}

static void
contexts(void)
{
	check_context("{\"error\":{\"code\":\"context_length_exceeded\","
		      "\"message\":\"This model's maximum context length is "
		      "8192 tokens. However, your messages resulted in 9000 "
		      "tokens.\"}}",
	    8192, 808, "OpenAI");
	check_context("{\"error\":{\"message\":\"This endpoint's maximum "
		      "context length is 200000 tokens. However, you requested "
		      "about 2500021 tokens (2500021 of text input).\"}}",
	    200000, 2300021, "OpenRouter and DeepSeek");
	check_context("{\"error\":{\"code\":400,\"message\":\"x\",\"n_ctx\":"
		      "512,\"n_prompt_tokens\":2009,\"type\":"
		      "\"exceed_context_size_error\"}}",
	    512, 1497, "llama.cpp");
	check_context("{\"error\":{\"message\":\"request (2009 tokens) exceeds "
		      "the available context size (512 tokens), try it\"}}",
	    512, 1497, "llama.cpp in words");
	check_context("{\"error\":{\"message\":\"prompt too long; exceeded max "
		      "context length by 1119046 tokens\"}}",
	    0, 1119046, "Ollama");
	check_context("{\"error\":{\"message\":\"The total is too long.\","
		      "\"type\":\"too_many_prompt_tokens\",\"code\":400}}",
	    0, 0, "Perplexity");
	check_context("{\"type\":\"error\",\"error\":{\"message\":\"prompt is "
		      "too long: 210,000 tokens > 200,000 maximum\"}}",
	    200000, 10000, "Anthropic");
	check_context("{\"error\":{\"code\":400,\"message\":\"m\",\"metadata\":"
		      "{\"error_type\":\"context_length_exceeded\"}}}",
	    0, 0, "OpenRouter's stable word");
}

int
main(void)
{
	shapes();
	meanings();
	contexts();
	return tap_done();
}
