#ifndef TOOL_SCHEMA_H
#define TOOL_SCHEMA_H
/*
 * schema - the part of JSON Schema that every model provider takes: is a schema
 * within it, and do arguments obey a schema.
 *
 * A schema has a "type": object, array, string, integer, number or boolean. An
 * object has "properties" and "required", an array has "items". Besides there
 * may be description, enum (of texts), minimum, maximum, minLength, maxLength
 * (in characters), minItems and maxItems. Nothing else: one provider or another
 * refuses null types, additionalProperties, default, format, pattern, $ref and
 * the combinators with the whole request.
 *
 * Stricter than JSON Schema: a member that the schema doesn't name is a fault,
 * since a model that invents one expects it to work. Laxer: null counts as
 * missing where a member is not required, since some models write it so.
 */

struct err;
struct faults;
struct json;
struct fault_place;

/* Add what is wrong with a schema, which is found at that place. */
void schema_check(struct faults *f, const struct fault_place *at,
    const struct json *schema);

/*
 * 0, or ERR_INPUT with every fault in words that a model can act on, such as
 * "arguments.limit: 500 is more than 100". The schema has been checked.
 */
int schema_validate(const struct json *schema, const struct json *arguments,
    struct err *e);

#endif
