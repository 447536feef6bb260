# terma: the marks of a session's python (OSC 133 with a nonce), from the prompts, which python asks for anew each
# time. The person's own PYTHONSTARTUP is read as if this were not here.
def _terma_session():
    import os
    import sys

    mark = ";terma=" + os.environ.pop("TERMA_SESSION_MARK", "")
    theirs = os.environ.pop("TERMA_SESSION_STARTUP", "")
    os.environ.pop("TERMA_SESSION_HOOKS", None)
    os.environ.pop("PYTHONSTARTUP", None)
    if theirs:
        os.environ["PYTHONSTARTUP"] = theirs

    def hidden(text):
        return "\001\033]133;" + text + mark + "\007\002"

    class Prompt:
        """The first prompt: D with 1 when an exception ended the statement, then the prompt, then B."""

        def __init__(self, text):
            self.text = text
            self.seen = None

        def __str__(self):
            error = getattr(sys, "last_value", None)
            failed = error is not None and error is not self.seen
            self.seen = error
            return hidden("D;%d" % failed) + str(self.text) + hidden("B")

    class More:
        def __init__(self, text):
            self.text = text

        def __str__(self):
            return hidden("A;k=c") + str(self.text) + hidden("B")

    try:
        import readline

        readline.set_auto_history(False)
        readline.parse_and_bind("tab: self-insert")
        readline.parse_and_bind("set enable-bracketed-paste off")
    except (ImportError, AttributeError):
        pass
    if theirs:
        try:
            with open(theirs, "rb") as file:
                exec(compile(file.read(), theirs, "exec"), globals())
        except Exception:
            sys.excepthook(*sys.exc_info())
    sys.ps1 = Prompt(getattr(sys, "ps1", ">>> "))
    sys.ps2 = More(getattr(sys, "ps2", "... "))


_terma_session()
del _terma_session
