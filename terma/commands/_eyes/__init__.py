"""The sub-commands of `terma eyes`, one file each, in the form of terma/commands: HELP, add_arguments, run."""
