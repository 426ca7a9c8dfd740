/*
 * What must come out of recordings of each kind: bytes of text, calls, usage
 * (input/output/cached/reasoning), verdict. An independent reader in another
 * language agreed on text, arguments and counts. The recordings are looked for
 * where tests/unit/chat_replay.c does.
 */
#include <limits.h>

#include "core/file.h"
#include "reply.h"
#include "tap.h"

struct known {
	const char *file, *want;
};

static const struct known table[] = {
    {"vercel-chunks/alibaba-tool-call.chunks.txt",
	"0[call_eee11723464a4b9eb8cee71d weather {\"location\": \"San Franc"
	"isco\"}](295/22/0/-)<calls>"},
    {"vercel-chunks/anthropic-fallback-tool-call.sse",
	"11[toolu_sanitized read_file {\"path\": \"a.txt\"}]<calls>"},
    {"reported/arguments-object.json",
	"0[xxx hello_world {}](255/13/-/-)<calls>"},
    {"chat-json/azure__ollm__content_filtering.01.json",
	"0(15/19/-/-)<filter>"},
    {"chat-sse/azure__ollm__streaming.01.sse", "120<stop>"},
    {"chat-json/azure__rubyllm__function_calling_azure_grok-4-1-fast-non"
     "-reasoning_can_handle_multiple_tool_call.01.json",
	"0[call_85781429 dice_roll {}][call_23021056 dice_roll {}][call_940"
	"91108 dice_roll {}](219/45/159/0)<calls>"},
    {"reported/continuation-on-wrong-index.sse",
	"0[call_0 get_weather {\"city\":\"Paris\"}]<calls>"},
    {"chat-sse/copilot__rig__streaming_tools-raw_stream_surfaces_two_dis"
     "tinct_tool_calls_before_text.01.sse",
	"0[call_REDACTED_1 lookup_harbor_label {}][call_REDACTED_2 lookup_o"
	"rchard_label {}](157/46/0/-)<calls>"},
    {"reported/crlf-multibyte.sse", "13[c f {\"city\":\"杭州\"}]<calls>"},
    {"reported/dashscope-empty-id-name.sse",
	"0[call_8c1f calculator {\"expression\": \"2+2\"}]<calls>"},
    {"vercel-chunks/deepseek-tool-call.chunks.txt",
	"0[call_00_ioIn7yN9p1ZOMNpDLwd4MgAF weather {\"location\": \"San Fr"
	"ancisco\"}](339/83/320/39)<calls>"},
    {"chat-sse/deepseek__rig__truncation_matrix-agent_streaming_empty_ar"
     "guments_on_length_are_not_invoked.01.sse",
	"0(355/16/256/-)<length>"},
    {"chat-sse/deepseek__rig__truncation_matrix-streaming_parallel_calls"
     "_keep_the_complete_one.01.sse",
	"0[call_REDACTED_1 page_oncall {\"team\": \"platform\"}](434/56/384"
	"/-)<length>"},
    {"chat-sse/deepseek__rig__truncation_matrix-streaming_text_before_a_"
     "truncated_call_survives.01.sse",
	"39(377/40/256/-)<length>"},
    {"chat-json/deepseek__rig__truncation_matrix-blocking_reasoner_trunc"
     "ated_call_keeps_the_reasoning_block.01.json",
	"0(505/112/384/20)<length>"},
    {"chat-sse/doubleword__rig__finish_reason_matrix-streaming_token_lim"
     "it.01.sse",
	"0(24/1/0/1)<length>"},
    {"chat-json/gemini__pyd__compatible_api_with_tool_calls_without_id.0"
     "1.json",
	"0[call_0 get_current_time {}](35/12/-/-)<calls>"},
    {"chat-sse/groq__pyd__tool_use_failed_error_streaming_with_text.01.s"
     "se",
	"5<again tool_use_failed>"},
    {"chat-sse/groq__rig__agent_tool_sessions-parallel_tool_calls_single"
     "_turn_streaming.01.sse",
	"0[call_REDACTED_1 lookup_harbor_label {}][call_REDACTED_2 lookup_o"
	"rchard_label {}](359/35/-/-)<calls>"},
    {"chat-sse/groq__rig__raw_stream_capture_matrix-stream_raw_exposes_t"
     "erminal_queue_time.01.sse",
	"5(15/4/-/-)<stop>"},
    {"chat-json/huggingface__pyd__tool_choice_matrix_tools_plus_output-h"
     "uggingface_.01.json",
	"0[call_c67bb6b901354ca19bd1b70d get_weather {\"city\": \"Paris\"}]"
	"[call_1113747bb7de47ce8bffe3e9 final_result {\"city\": \"Paris\", "
	"\"summary\": \"Weather in Paris\"}](720/65/-/-)<calls>"},
    {"reported/index-but-no-id.sse",
	"0[call_0 get_weather {\"city\":\"Paris\"}]<calls>"},
    {"reported/interleaved-parallel-indexes.sse",
	"0[call_0 get_weather {\"city\":\"Paris\"}][call_1 get_time {\"tz\""
	":\"JST\"}]<calls>"},
    {"chat-sse/llamacpp__rig__content_matrix-unicode_across_chunks.01.ss"
     "e",
	"76(60/20/59/-)<stop>"},
    {"chat-json/llamacpp__rig__truncation_matrix-tool_call_cut_mid_argum"
     "ents.01.json",
	"0(165/20/164/-)<length>"},
    {"chat-sse/local__ollm__streaming.01.sse", "573(10/50/0/-)<stop>"},
    {"reported/missing-index.sse",
	"0[call_0 get_weather {\"city\":\"Paris\"}][call_1 get_time {\"tz\""
	":\"JST\"}]<calls>"},
    {"vercel-chunks/mistral-reasoning.chunks.txt", "9(10/46/-/-)<stop>"},
    {"vercel-chunks/mistral-tool-call.chunks.txt",
	"0[gSIMJiOkT weather {\"location\": \"San Francisco\"}](124/22/-/-)"
	"<calls>"},
    {"chat-json/mistral__rubyllm__mistral_hybrid_reasoning_separates_thi"
     "nking_from_final_content.01.json",
	"3(31/66/0/-)<stop>"},
    {"vercel-chunks/moonshotai-stream.chunks.txt", "6(9/12/-/7)<stop>"},
    {"reported/name-arrives-late.sse",
	"0[call_0 get_weather {\"city\":\"Paris\"}]<calls>"},
    {"reported/ollama-same-index-distinct-ids.sse",
	"0[call_a read_file {\"path\":\"a\"}][call_b read_file {\"path\":\""
	"b\"}]<calls>"},
    {"chat-sse/openai__llm__tools_streaming_variant_a.01.sse",
	"0[0 llm_version {}](57/17/0/0)<calls>"},
    {"chat-json/openai__ollm__async_parsed_refused_completion.01.json",
	"53(65/13/0/0)<stop>"},
    {"chat-sse/openai__ollm__open_ai_function_calls_tools_streaming_para"
     "llel.01.sse",
	"0[call_cCPjAyfwTzboEKjVlqFrArNF get_current_weather {\"location\":"
	" \"San Francisco\"}][call_Zi4He1Ns0mozwT6f85nW1BOW get_current_wea"
	"ther {\"location\": \"Boston\"}]<calls>"},
    {"chat-json/openai__pyd__openai_chat_prompt_cache_e2e.02.json",
	"2(4020/4/4012/0)<stop>"},
    {"chat-json/openai__rig__terminal_metadata_matrix-blocking_gpt_4o_mi"
     "ni_tiny_tool.01.json",
	"0(80/16/0/0)<length>"},
    {"chat-sse/openai__rig__truncated_turn_matrix-chat_streaming_reasoni"
     "ng_budget_exhausted.01.sse",
	"0(16/16/0/16)<length>"},
    {"reported/openrouter-gemini-malformed-function-call.json",
	"0<again provider>"},
    {"docs-examples/openrouter-midstream-error-429.sse", "0<again rate_limit>"},
    {"chat-sse/openrouter__pyd__openrouter_stream_error.01.sse",
	"0(43/10/0/10)<refused bad_request>"},
    {"chat-sse/openrouter__rig__agent_tool_sessions-sequential_complex_t"
     "ool_calls_streaming.04.sse",
	"0[call_REDACTED_4 escape_echo {\"text\":\"Line 1\\nLine \\\"2\\\" "
	"with backslash \\\\ and unicode snowman ☃\"}](519/31/0/0)<calls>"},
    {"chat-sse/openrouter__rig__reasoning_tool_order_matrix-streaming_si"
     "ngle.01.sse",
	"0[toolu_REDACTED_1 lookup {\"value\": \"cobalt\"}](419/146/0/101)<"
	"calls>"},
    {"chat-json/openrouter__rig__refusal_matrix-blocking_gpt_4_1_refusal"
     ".01.json",
	"48(43/13/0/0)<filter>"},
    {"chat-sse/openrouter__rig__tool_truncation_contract_matrix-streamin"
     "g_gpt4o_low_model.01.sse",
	"0(101/16/0/0)<length>"},
    {"chat-json/openrouter__rubyllm__multimodal_tool_attachments_openrou"
     "ter_gemini-2_5-flash_reads_pdfs_returned_from.01.txt",
	"0[tool_pdf_fetch_XagvS9fqs7fxu0n75wlH pdf_fetch {}](27/3/0/0)<call"
	"s>"},
    {"vercel-chunks/perplexity-citations.chunks.txt", "34(10/336/-/-)<stop>"},
    {"chat-json/snowflake__pyd__snowflake_tool_calling.01.json",
	"0[toolu_bdrk_015BgHUFs4HS1TVWWwNRNxip get_weather {\"city\":\"Mexi"
	"co City\"}](568/55/0/0)<calls>"},
    {"chat-sse/snowflake__pyd__snowflake_thinking_streaming.01.sse",
	"96(45/73/0/0)<stop>"},
    {"reported/trailing-whitespace-args-delta.sse",
	"0[call_0 get_weather {\"city\":\"Paris\"} ]<calls>"},
    {"reported/truncated-mid-event.sse", "3<again truncated>"},
    {"chat-json/unk__rubyllm__function_calling_ollama_qwen3_can_handle_m"
     "ultiple_tool_calls_in_a_single_respons.01.json",
	"0[call_2qwy5kxj dice_roll {}][call_bpkrefyu dice_roll {}][call_7t3"
	"hvz5k dice_roll {}](152/134/-/-)<calls>"},
    {"chat-sse/unk__rubyllm__streaming_responses_gpustack_qwen3_supports"
     "_streaming_responses.01.sse",
	"10(15/171/0/160)<stop>"},
    {"chat-sse/venice__rig__streaming_tools-streaming_tools_smoke.01.sse",
	"0[call_REDACTED_1 subtract {\"x\": 2, \"y\": 5}](1163/17/-/-)<call"
	"s>"},
    {"vercel-chunks/xai-tool-call.chunks.txt",
	"0[call_55117580 weather {\"location\":\"San Francisco\"}](291/26/2"
	"90/26)<calls>"},
    {"reported/vllm-midstream-error.sse", "2<again provider>"},
    {"chat-sse/zai__pyd__zai_thinking_stream.01.sse", "1(13/564/0/561)<stop>"},
};

static void
add_count(struct buf *b, const struct json *r, const char *key)
{
	const struct json *v = json_get(r, key);

	buf_str(b, v ? json_text(v) : "-");
}

static void
add(struct buf *b, const struct json *r, size_t *text)
{
	const char *type = json_string(r, "type");

	if (strcmp(type, "delta") == 0) {
		*text += strlen(json_string(r, "text"));
	} else if (strcmp(type, "tool_call") == 0) {
		buf_fmt(b, "[%s %s %s]", json_string(r, "call"),
		    json_string(r, "name"), json_string(r, "arguments"));
	} else if (strcmp(type, "usage") == 0) {
		buf_char(b, '(');
		add_count(b, r, "input");
		buf_char(b, '/');
		add_count(b, r, "output");
		buf_char(b, '/');
		add_count(b, r, "cached");
		buf_char(b, '/');
		add_count(b, r, "reasoning");
		buf_char(b, ')');
	} else if (strcmp(type, "finish") == 0) {
		buf_fmt(b, "<%s>", json_string(r, "reason"));
	} else if (strcmp(type, "error") == 0) {
		buf_fmt(b, "<%s %s>", json_string(r, "kind"),
		    json_string(r, "code"));
	}
}

static char *
in_short(const char *records)
{
	struct buf b = {0}, all = {0};
	size_t text = 0;

	while (*records) {
		size_t len = strcspn(records, "\n");
		struct json *r = NULL;
		struct err e = {0};

		if (json_read(&r, records, len, &e) == 0)
			add(&b, r, &text);
		json_free(r);
		records += len + 1;
	}
	buf_fmt(&all, "%zu%s", text, buf_text(&b));
	buf_release(&b);
	return buf_take(&all);
}

/* A payload a line, as a stream. */
static void
wrap_lines(struct buf *bytes)
{
	struct buf out = {0};

	for (const char *at = buf_text(bytes); *at;) {
		size_t len = strcspn(at, "\n");

		if (len)
			buf_fmt(&out, "data: %.*s\n\n", (int)len, at);
		at += len + (at[len] == '\n');
	}
	buf_str(&out, "data: [DONE]\n\n");
	buf_release(bytes);
	*bytes = out;
}

static bool
check(const char *top, const struct known *k)
{
	char path[PATH_MAX];
	struct buf bytes = {0};
	struct err e = {0};
	char *records, *got;

	snprintf(path, sizeof(path), "%s/model/%s", top, k->file);
	if (file_read(&bytes, path, &e) < 0)
		return false;
	if (strstr(k->file, ".chunks.txt"))
		wrap_lines(&bytes);
	records = reply_whole(buf_text(&bytes), bytes.len);
	got = in_short(records);
	same(got, k->want, k->file);
	free(got);
	free(records);
	buf_release(&bytes);
	return true;
}

int
main(void)
{
	const char *top = getenv("SOPHIA_FIXTURES");
	int found = 0;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		found += check(top ? top : "../shared/fixtures", &table[i]);
	if (!found)
		tap_skip("no recordings of providers are here");
	return tap_done();
}
