# The fake Discord is trusted by every other suite; here its own parts are
# held to Discord's documentation, each by the cases in test_PART.py.
load helper

part() {
  /usr/bin/python3 -B "$top/tests/peers/discord/test_$1.py"
}

@test "the fake Discord computes permissions as the documentation does" {
  run -0 part permissions
}
