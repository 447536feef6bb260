"""Which package carries a program, a Python module or a C header: data, and the system's own way to install."""

from __future__ import annotations

from terma.machine import packages
from terma.offline.explain.case import Case
from terma.offline.explain.known_packages import distribution


def _table(rows: str) -> dict[str, str]:
    """`package: name name` lines; a bare word carries itself."""
    table: dict[str, str] = {}
    for row in rows.split(";"):
        package, _, names = row.strip().partition(":")
        for name in names.split() or [package]:
            table[name] = package
    return table


HEADERS = _table(
    "libssl-dev: openssl/ssl.h openssl/evp.h openssl/sha.h openssl/md5.h;python3-dev: Python.h;zlib1g-dev: zlib.h;"
    "libcurl4-openssl-dev: curl/curl.h;libncurses-dev: ncurses.h curses.h;libreadline-dev: readline/readline.h"
    " readline/history.h;libsqlite3-dev: sqlite3.h;libpq-dev: libpq-fe.h;libxml2-dev: libxml/parser.h libxml/tree.h;"
    "libffi-dev: ffi.h;libbz2-dev: bzlib.h;liblzma-dev: lzma.h;libjpeg-dev: jpeglib.h;libpng-dev: png.h;libx11-dev:"
    " X11/Xlib.h;libgl1-mesa-dev: GL/gl.h;libglib2.0-dev: glib.h;libgtk-3-dev: gtk/gtk.h;libboost-all-dev:"
    " boost/shared_ptr.hpp;libeigen3-dev: Eigen/Dense;libusb-1.0-0-dev: libusb.h;libevent-dev: event.h;libpcap-dev:"
    " pcap.h;libsdl2-dev: SDL2/SDL.h SDL.h;libmysqlclient-dev: mysql.h mysql/mysql.h;libgmp-dev: gmp.h;libjson-c-dev:"
    " json-c/json.h;libcjson-dev: cjson/cJSON.h;libyaml-dev: yaml.h;libasound2-dev: alsa/asoundlib.h;libudev-dev:"
    " libudev.h;libsystemd-dev: systemd/sd-bus.h systemd/sd-daemon.h;uuid-dev: uuid/uuid.h;libpcre2-dev: pcre2.h;"
    "libxslt1-dev: libxslt/xslt.h;libfreetype-dev: ft2build.h;libuv1-dev: uv.h;libgit2-dev: git2.h;libzmq3-dev: zmq.h"
)
LIBRARIES = {
    "m": "sqrt pow sin cos tan atan atan2 exp log log10 log2 floor ceil fabs fmod round sinf cosf sqrtf powf cbrt"
         " asin acos sinh cosh tanh hypot exp2 lround trunc",
    "pthread": "pthread_create pthread_join pthread_mutex_lock pthread_mutex_init sem_init sem_wait sem_post",
    "dl": "dlopen dlsym dlclose dlerror", "rt": "clock_gettime shm_open shm_unlink timer_create mq_open",
    "z": "deflate inflate compress uncompress crc32 gzopen deflateInit_ inflateInit_",
    "curl": "curl_easy_init curl_easy_perform curl_easy_setopt curl_global_init curl_easy_cleanup",
    "ssl -lcrypto": "SSL_new SSL_connect SSL_CTX_new SSL_library_init OPENSSL_init_ssl",
    "crypto": "EVP_DigestInit_ex SHA256_Init SHA256 MD5 MD5_Init RAND_bytes EVP_MD_CTX_new SHA1",
    "ncurses": "initscr endwin printw wrefresh stdscr newwin cbreak noecho getmaxyx wgetch",
    "readline": "readline add_history", "sqlite3": "sqlite3_open sqlite3_exec sqlite3_close sqlite3_prepare_v2",
    "stdc++": "std::cout std::ios_base::Init::Init() std::string __gxx_personality_v0", "crypt": "crypt",
    "X11": "XOpenDisplay XCreateSimpleWindow", "gmp": "__gmpz_init __gmpz_add __gmpz_mul __gmpz_clear",
}  # fmt: skip
# What the names in a library begin with.
PREFIXES = {
    "zlib": "z", "deflate": "z", "inflate": "z", "gz": "z", "curl_": "curl", "sqlite3_": "sqlite3", "SSL_": "ssl -lcrypto", "EVP_": "crypto",
    "pthread_": "pthread", "SDL_": "SDL2", "png_": "png", "jpeg_": "jpeg", "pcap_": "pcap", "PQ": "pq", "mysql_": "mysqlclient",
    "uuid_": "uuid", "BZ2_": "bz2", "lzma_": "lzma", "ZSTD_": "zstd", "cJSON_": "cjson", "yaml_": "yaml", "uv_": "uv", "git_": "git2",
    "zmq_": "zmq", "cap_": "cap", "snd_": "asound", "FT_": "freetype", "cairo_": "cairo", "lua_": "lua5.4", "luaL_": "lua5.4",
    "rl_": "readline", "mpz_": "gmp", "__gmp": "gmp", "xml": "xml2", "usb_": "usb", "libusb_": "usb-1.0", "ncurses": "ncurses", "dlt_": "dlt",
    "glfw": "glfw", "glut": "glut", "avcodec_": "avcodec", "avformat_": "avformat", "event_": "event", "sd_": "systemd", "fftw_": "fftw3",
    "cblas_": "cblas", "MPI_": "mpi", "omp_": "gomp", "numa_": "numa", "boost::filesystem": "boost_filesystem", "boost::system": "boost_system",
}  # fmt: skip


def install_package(case: Case, package: str) -> str:
    """The line that installs the system package `package` with the manager that is here (apt's names)."""
    return packages.package_line(package, case.installed)


def package_for(case: Case, program: str) -> str:
    """The package that carries `program`, by the system's own data or ours; "" when neither knows."""
    return packages.package_for(program, case.installed)


def install_command(case: Case, program: str) -> str:
    """The line that installs `program` with what this machine has, "" when no package is known to carry it."""
    return packages.install_line(program, case.installed)


def pip_install(case: Case, module: str) -> str:
    """The line that installs what `import module` wants (or a distribution's name), for the Python that failed."""
    package = distribution(module) or module
    python = case.program if case.program.startswith("python") else "python3"
    if case.exists("uv.lock") and case.installed("uv"):
        return f"uv add {package}"
    return f"pip install {package}" if python == "python" else f"{python} -m pip install {package}"
