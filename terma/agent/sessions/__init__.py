"""What programs ask of sessions that live on, answered: one file for each kind of operation."""
