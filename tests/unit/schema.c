#include <stdlib.h>

#include "core/err.h"
#include "ext/json.h"
#include "tap.h"
#include "tool/fault.h"
#include "tool/schema.h"

static struct json *
read(const char *text)
{
	struct json *root = NULL;
	struct err e = {0};

	if (json_read(&root, text, strlen(text), &e) < 0)
		printf("Bail out! %s: %s\n", text, e.text);
	return root;
}

/* What is wrong with a schema, "" for nothing. */
static const char *
check(const char *schema)
{
	static struct err e;
	struct faults f = {0};
	struct json *root = read(schema);

	e = (struct err){0};
	schema_check(&f, &(struct fault_place){NULL, "s", 0}, root);
	fault_end(&f, ERR_CONFIG, &e);
	fault_release(&f);
	json_free(root);
	return e.text;
}

static const char *
validate(const char *schema, const char *arguments)
{
	static struct err e;
	struct json *s = read(schema), *a = read(arguments);

	e = (struct err){0};
	schema_validate(s, a, &e);
	json_free(s);
	json_free(a);
	return e.text;
}

static void
test_check(void)
{
	same(check("{\"type\":\"object\",\"properties\":{},\"required\":[]}"),
	    "", "the smallest object is a schema");
	same(check("{\"type\":\"object\"}"),
	    "s: an object needs properties, even if empty;"
	    "s: an object needs required, even if empty",
	    "an object has properties and required");
	same(check("{\"type\":\"array\"}"), "s.items: is no schema (an object)",
	    "an array has items");
	same(check("{\"type\":[\"string\",\"null\"]}"),
	    "s: needs a type: object, array, string, integer, number or "
	    "boolean",
	    "there is no list of types");
	same(check("{\"type\":\"null\"}"),
	    "s: needs a type: object, array, string, integer, number or "
	    "boolean",
	    "there is no null type");
	same(check("{\"type\":\"integer\",\"enum\":[1,2]}"),
	    "s.enum: means nothing for the type integer",
	    "there is no enum of numbers");
	same(check("{\"type\":\"string\",\"enum\":[\"a\",2]}"),
	    "s.enum[1]: is no text", "an enum holds texts");
	same(check("{\"type\":\"object\",\"properties\":{},\"required\":[],"
		   "\"additionalProperties\":false}"),
	    "s.additionalProperties: is not a keyword that providers agree on",
	    "additionalProperties is not stored");
	same(check("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":"
		   "\"array\",\"items\":{\"type\":\"string\",\"pattern\":\"x\""
		   "}}},\"required\":[\"b\"]}"),
	    "s.properties.a.items.pattern: is not a keyword that providers "
	    "agree on;s.required: b is not one of the properties",
	    "every fault is named with its place");
	same(check("{\"type\":\"integer\",\"minimum\":\"1\"}"),
	    "s.minimum: is of the wrong kind", "a limit is a number");
	same(check("7"), "s: is no schema (an object)",
	    "a schema is an object");
}

#define ARGS                                                                   \
	"{\"type\":\"object\",\"required\":[\"text\"],\"properties\":{"        \
	"\"text\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":3},"      \
	"\"mode\":{\"type\":\"string\",\"enum\":[\"all\",\"any\"]},"           \
	"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100},"      \
	"\"part\":{\"type\":\"number\",\"minimum\":0.5},"                      \
	"\"deep\":{\"type\":\"boolean\"},"                                     \
	"\"in\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":2,"            \
	"\"items\":{\"type\":\"string\"}}}}"

static void
test_validate(void)
{
	same(validate(ARGS, "{\"text\":\"a\",\"mode\":\"any\",\"limit\":100,"
			    "\"part\":0.5,\"deep\":true,\"in\":[\"x\"]}"),
	    "", "good arguments are accepted");
	same(validate(ARGS, "{\"text\":\"a\",\"limit\":500}"),
	    "arguments.limit: 500 is more than 100", "too much is named");
	same(validate(ARGS, "{\"text\":\"a\",\"limit\":0,\"part\":0.25}"),
	    "arguments.limit: 0 is less than 1;"
	    "arguments.part: 0.25 is less than 0.5",
	    "all faults come at once");
	same(validate(ARGS, "{}"), "arguments.text: is missing",
	    "what is required is missed");
	same(validate(ARGS, "{\"text\":null}"), "arguments.text: is no text",
	    "null is no text");
	same(validate(ARGS, "{\"text\":\"a\",\"mode\":null}"), "",
	    "null is nothing where nothing is allowed");
	same(validate(ARGS, "{\"text\":\"a\",\"mode\":\"some\"}"),
	    "arguments.mode: 'some' is none of all, any",
	    "a word must be one of the words");
	same(validate(ARGS, "{\"text\":\"a\",\"limit\":\"5\"}"),
	    "arguments.limit: is no whole number", "\"5\" is no number");
	same(validate(ARGS, "{\"text\":\"a\",\"limit\":1.5}"),
	    "arguments.limit: 1.5 is not a whole number", "nor is 1.5 whole");
	same(validate(ARGS, "{\"text\":\"a\",\"limit\":1e9}"),
	    "arguments.limit: 1e9 is not a whole number;"
	    "arguments.limit: 1e9 is more than 100",
	    "nor is 1e9 written as one");
	same(validate(ARGS, "{\"text\":\"\xc3\xa4\xc3\xb6\xc3\xbc\"}"), "",
	    "lengths count characters");
	same(validate(ARGS, "{\"text\":\"abcd\"}"),
	    "arguments.text: has 4 characters, more than 3",
	    "a text may be too long");
	same(validate(ARGS, "{\"text\":\"\"}"),
	    "arguments.text: has 0 characters, fewer than 1", "or too short");
	same(validate(ARGS, "{\"text\":\"a\",\"in\":[]}"),
	    "arguments.in: has 0 items, fewer than 1", "so may a list");
	same(validate(ARGS, "{\"text\":\"a\",\"in\":[\"x\",3]}"),
	    "arguments.in[1]: is no text", "an item is named by its number");
	same(validate(ARGS, "{\"text\":\"a\",\"deep\":1}"),
	    "arguments.deep: is neither true nor false", "1 is not true");
	same(validate(ARGS, "{\"text\":\"a\",\"query\":1}"),
	    "arguments.query: is not known here; there is text, mode, limit, "
	    "part, deep, in",
	    "an invented argument is refused, with those there are");
	same(validate(ARGS, "[]"), "arguments: is no object",
	    "arguments are an object");
}

/* Many faults cost bounded memory, and the text says as many as fit. */
static void
test_many(void)
{
	static char text[20000];
	size_t n = 0;

	n += (size_t)snprintf(text, sizeof(text), "{\"text\":\"a\"");
	for (int i = 0; i < 1000; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, ",\"x%d\":1",
		    i);
	snprintf(text + n, sizeof(text) - n, "}");
	ok(strlen(validate(ARGS, text)) == 511, "a thousand faults fit");
}

int
main(void)
{
	test_check();
	test_validate();
	test_many();
	return tap_done();
}
