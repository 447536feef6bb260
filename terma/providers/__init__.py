"""What turns a sentence into a command: one engine a file, each exporting PLUGIN (terma.types.Provider)."""
