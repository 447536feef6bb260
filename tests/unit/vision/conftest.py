"""These tests need extras: where one of their packages is missing, they are not collected."""

from importlib.util import find_spec

NEEDED = "numpy cv2 PIL fontpkg_jetbrains_mono fastapi uvicorn".split()
collect_ignore_glob = [] if all(find_spec(name) for name in NEEDED) else ["test_*.py"]
