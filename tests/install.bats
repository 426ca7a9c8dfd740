load helper

# The tree as `make install` lays it out; -o all keeps it from building again.
lay_out() {
  root=$BATS_TEST_TMPDIR/root
  make -C "$top" -s install DESTDIR="$root" PREFIX=/usr >"$BATS_TEST_TMPDIR/log" 2>&1 ||
    { cat "$BATS_TEST_TMPDIR/log"; return 1; }
  unset SOPHIA_SHARE
  PATH=$root/usr/bin:$PATH
}

@test "an installed tree works from where it is, with no variable set" {
  lay_out
  run -0 sophia --version
  run -0 sophia index import "$root/usr/share/sophia/samples"
  run -0 --separate-stderr sophia ask --text 'when did the evening session move?'
  [[ "$output" == *https://discord.com/channels/* ]]
  run -0 sophia tool check
}

@test "manuals and completions are installed for every command" {
  lay_out
  for cmd in "$root"/usr/bin/sophia*; do
    [ -f "$root/usr/share/man/man1/${cmd##*/}.1" ]
  done
  [ -s "$root/usr/share/bash-completion/completions/sophia" ]
  [ -s "$root/usr/share/zsh/site-functions/_sophia" ]
  [ -s "$root/usr/share/fish/vendor_completions.d/sophia.fish" ]
}

@test "what the sandbox's image is made of is installed" {
  lay_out
  [ -x "$root/usr/libexec/sophia/runner" ]
  [ -x "$root/usr/share/sophia/sandbox/build" ]
  [ -s "$root/usr/share/sophia/sandbox/guest/python/attachments.py" ]
}

@test "uninstall leaves no file of ours" {
  lay_out
  make -C "$top" -s uninstall DESTDIR="$root" PREFIX=/usr
  run find "$root" -type f
  [ -z "$output" ]
}

@test "without XDG_STATE_HOME the state folder is below HOME" {
  lay_out
  unset SOPHIA_HOME XDG_STATE_HOME
  HOME=$BATS_TEST_TMPDIR run -0 sophia settings set voice casual
  [ -f "$BATS_TEST_TMPDIR/.local/state/sophia/settings.json" ]
}
