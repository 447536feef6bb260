"""What all tests of eyes share."""

from __future__ import annotations

import os

# before numpy is imported, as the commands do it: threads for small matrices cost ten times what they give
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
