# The fake Discord is trusted by every other suite; here its own parts are
# held to Discord's documentation, each by the cases in test_PART.py.
load helper

part() {
  /usr/bin/python3 -W ignore -B "$top/tests/peers/discord/test_$1.py"
}

@test "the fake Discord computes permissions as the documentation does" {
  run -0 part permissions
}

@test "the fake Discord refuses the messages that Discord refuses, as it does" {
  run -0 part limits_body
}

@test "the fake Discord refuses the commands that Discord refuses" {
  run -0 part limits_commands
}

@test "requests and answers are judged as Discord's OpenAPI file says" {
  run part openapi
  [ $status -ne 77 ] || skip "Discord's OpenAPI file is not there"
  [ $status -eq 0 ]
}
