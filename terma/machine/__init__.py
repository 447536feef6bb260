"""What this machine has: programs, the options they take, the packages that carry them. Read, never changed."""
