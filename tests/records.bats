load helper

@test "every schema is a schema, and names its own record" {
  /usr/bin/python3 - "$top"/share/schema/records/*.json <<'PY'
import json, pathlib, sys
from jsonschema import Draft7Validator
for p in map(pathlib.Path, sys.argv[1:]):
    s = json.loads(p.read_text())
    Draft7Validator.check_schema(s)
    assert s["title"], p
    assert p.stem == "source" or s["properties"]["type"]["const"] == p.stem, p
PY
}

@test "a good record is valid, with fields nobody knows" {
  run -0 valid_records <<<'{"type":"delta","text":"x","new":[1]}'
  [ -z "$output" ]
}

@test "a record without a field, of the wrong kind or of no type is named" {
  printf '%s\n' '{"type":"delta"}' '{"type":"delta","text":1}' '{"type":"nope"}' \
    '{' >"$BATS_TEST_TMPDIR/bad"
  run -1 valid_records "$BATS_TEST_TMPDIR/bad"
  [ "${#lines[@]}" -eq 8 ]
  [[ ${lines[0]} == *":1: : 'text' is a required property" ]]
  [[ ${lines[2]} == *":2: text: 1 is not of type 'string'" ]]
}

@test "no record at all is not valid either" {
  run -1 valid_records </dev/null
}

@test "sophia-records(5) has a paragraph for each schema" {
  for schema in "$top"/share/schema/records/*.json; do
    type=$(basename "$schema" .json)
    grep -q "^\.It Cm $type\b" "$top/man/sophia-records.5" ||
      { echo "$type is not in the manual"; return 1; }
  done
}

@test "sophia-records(5) names the fields that the schemas have" {
  /usr/bin/python3 - "$top" <<'PY'
import json, pathlib, re, sys
top = pathlib.Path(sys.argv[1])
page = (top / "man/sophia-records.5").read_text()
for name, fields in re.findall(r"^\.It Cm (\w+)\n.*?^Fields: ([^\n]*)\.$", page, re.M | re.S):
    schema = json.loads((top / f"share/schema/records/{name}.json").read_text())
    want = [k if k in schema["required"] else f"[{k}]" for k in schema["properties"] if k != "type"]
    assert fields.split(", ") == (want or ["none"]), (name, want)
PY
}
