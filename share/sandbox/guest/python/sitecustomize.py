"""sitecustomize - what code finds without an import."""

import builtins

import attachments

for name in ("attach", "list_attachments", "get_attachment",
             "read_attachment", "ls", "SandboxError"):
    setattr(builtins, name, getattr(attachments, name))
