"""A model on this machine in one command: a private environment with llama.cpp, a model file, a server on demand."""
