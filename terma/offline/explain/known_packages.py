"""Packages of the registries that are well known: only these are ever offered, for a name alone may be anybody's.

A missing import may be a private module, a misspelling, or the name that somebody registered for the misspelt."""

from __future__ import annotations

from functools import cache

# Python: what is imported, and its distribution where that has another name.
_PYPI = (
    "requests numpy pandas flask django matplotlib scipy pytest black mypy ruff tensorflow torch torchvision torchaudio keras"
    " selenium fastapi uvicorn sqlalchemy jinja2 click rich httpx aiohttp boto3 botocore celery redis pydantic jupyter notebook"
    " ipython virtualenv poetry setuptools wheel cryptography paramiko pymongo lxml openpyxl tqdm transformers datasets"
    " tokenizers accelerate seaborn plotly bokeh altair streamlit gradio dash scrapy networkx sympy statsmodels xgboost lightgbm"
    " catboost nltk spacy gensim numba cython dask polars pyarrow h5py tables xarray zarr joblib tabulate colorama termcolor"
    " pyperclip psutil watchdog schedule arrow pendulum pytz tzdata tzlocal six future attrs cattrs marshmallow cerberus"
    " jsonschema orjson ujson simplejson toml tomli tomlkit tox nox hypothesis coverage faker factory_boy freezegun responses"
    " mock flake8 pylint isort bandit pre_commit gunicorn hypercorn daphne starlette sanic tornado bottle falcon pyramid"
    " werkzeug itsdangerous markupsafe alembic peewee asyncpg aiomysql aiosqlite motor mongoengine elasticsearch kafka pika"
    " docker kubernetes ansible fabric invoke typer fire docopt prompt_toolkit textual urwid blessed pexpect ptyprocess sh"
    " pygments mistune sphinx mkdocs nbconvert nbformat ipykernel ipywidgets pillow_heif imageio cv2 pygame pyglet kivy"
    " pyqt5 pyside6 wx pyautogui pynput keyboard mouse pyaudio sounddevice soundfile librosa pydub moviepy yt_dlp mutagen"
    " tweepy praw telethon slack_sdk openai anthropic langchain tiktoken stripe twilio sendgrid boto google gspread"
    " feedparser html5lib cssselect parsel chardet charset_normalizer idna certifi urllib3 httplib2 websockets zeep suds"
    " bcrypt passlib argon2 itsdangerous authlib oauthlib nacl rsa pyasn1 ldap3 dnspython scapy netaddr netifaces"
    " pymysql psycopg asyncssh tenacity retrying backoff cachetools diskcache more_itertools toolz sortedcontainers"
    " pyparsing lark ply regex unidecode babel humanize phonenumbers shapely geopandas folium geopy rasterio pyproj"
    " astropy pint uncertainties deap pulp cvxpy ortools gurobipy simpy mesa gym gymnasium shap optuna mlflow wandb"
    " evaluate peft timm einops onnx onnxruntime sentence_transformers pypdf reportlab pdfplumber xlrd xlwt xlsxwriter"
    " whitenoise channels cffi pycparser packaging platformdirs filelock distlib pip_tools build twine structlog loguru"
)
_RENAMED = (
    "PyYAML: yaml;opencv-python: cv2;Pillow: PIL;scikit-learn: sklearn;scikit-image: skimage;beautifulsoup4: bs4;python-dotenv:"
    " dotenv;python-dateutil: dateutil;pyserial: serial;pycryptodome: Crypto;PyJWT: jwt;psycopg2-binary: psycopg2;mysqlclient:"
    " MySQLdb;attrs: attr;protobuf: google.protobuf;PyGObject: gi;python-docx: docx;python-pptx: pptx;python-magic: magic;pyOpenSSL:"
    " OpenSSL;setuptools: pkg_resources setuptools;pywin32: win32api win32com;discord.py: discord;python-telegram-bot: telegram;pyzmq: zmq;Markdown:"
    " markdown;django-environ: environ;djangorestframework: rest_framework;typing-extensions: typing_extensions;faiss-cpu:"
    " faiss;umap-learn: umap;grpcio: grpc;pymupdf: fitz pymupdf;python-Levenshtein: Levenshtein;paho-mqtt: paho;websocket-client:"
    " websocket;kafka-python: kafka;slack-sdk: slack_sdk;yt-dlp: yt_dlp;PyNaCl: nacl;argon2-cffi: argon2;wxPython: wx;PyQt5:"
    " PyQt5;PySide6: PySide6;python-multipart: multipart;Flask-SQLAlchemy: flask_sqlalchemy;Flask-Cors: flask_cors;Flask-Login:"
    " flask_login;Flask-Migrate: flask_migrate;Flask-WTF: flask_wtf;django-cors-headers: corsheaders;django-filter: django_filters;"
    "pytest-asyncio: pytest_asyncio;pytest-cov: pytest_cov;pytest-mock: pytest_mock;sentence-transformers: sentence_transformers;"
    "factory-boy: factory factory_boy;more-itertools: more_itertools;prompt-toolkit: prompt_toolkit;mysql-connector-python:"
    " mysql.connector;google-cloud-storage: google.cloud.storage;google-cloud-bigquery: google.cloud.bigquery;google-auth: google.auth;"
    "google-api-python-client: googleapiclient;azure-storage-blob: azure.storage.blob;azure-identity: azure.identity;GitPython: git;"
    "pyusb: usb;RPi.GPIO: RPi;smbus2: smbus2;python-slugify: slugify;python-json-logger: pythonjsonlogger;tables: tables;"
    "charset-normalizer: charset_normalizer;pycairo: cairo;dnspython: dns;gitdb: gitdb;ruamel.yaml: ruamel.yaml;Unidecode:"
    " unidecode;Babel: babel;mpi4py: mpi4py;jupyter-core: jupyter_core;pydantic-settings: pydantic_settings;pip-tools: piptools"
)
_NPM = (
    "express react react-dom lodash axios chalk commander moment request async debug dotenv typescript webpack vite jest mocha"
    " eslint prettier next vue svelte mongoose mongodb mysql mysql2 sequelize prisma socket.io socket.io-client cors body-parser"
    " uuid yargs rxjs nodemon ts-node tailwindcss postcss babel jquery bluebird underscore fs-extra glob rimraf semver"
    " minimist redis ioredis pg ws puppeteer playwright cheerio passport jsonwebtoken bcrypt bcryptjs multer nodemailer winston helmet ejs"
    " pug inquirer ora zod date-fns dayjs luxon ramda immer redux react-redux @reduxjs/toolkit react-router react-router-dom"
    " styled-components @emotion/react @mui/material antd bootstrap sass less autoprefixer rollup esbuild parcel gulp grunt"
    " chai sinon supertest cypress vitest ava nock husky lint-staged concurrently cross-env npm-run-all serve http-server"
    " live-server pm2 nanoid validator joi yup ajv knex typeorm sqlite3 better-sqlite3 mssql fastify koa hapi @nestjs/core"
    " @nestjs/common graphql apollo-server @apollo/client node-fetch got superagent form-data qs cookie-parser express-session"
    " morgan compression express-validator dotenv-expand config yaml js-yaml xml2js csv-parse csv-parser papaparse xlsx pdfkit"
    " sharp jimp canvas three d3 chart.js highcharts leaflet electron discord.js telegraf openai stripe aws-sdk firebase"
    " firebase-admin @types/node @types/react @babel/core @babel/preset-env ts-jest tsx prompts kleur colors figlet boxen"
    " execa shelljs chokidar mkdirp archiver tar unzipper bull amqplib kafkajs mqtt rxjs zone.js @angular/core @angular/cli"
    " nuxt gatsby astro solid-js preact htmx.org alpinejs handlebars mustache nunjucks marked markdown-it highlight.js"
    " prismjs classnames clsx lucide-react swiper framer-motion formik react-hook-form swr @tanstack/react-query zustand mobx"
)
_GEMS = (
    "rails rake bundler rspec rspec-rails minitest pry byebug nokogiri sinatra puma unicorn thin rack sidekiq redis pg mysql2 sqlite3"
    " devise pundit cancancan kaminari will_paginate carrierwave paperclip faraday httparty rest-client json oj faker factory_bot"
    " capybara selenium-webdriver rubocop simplecov jekyll webrick thor slop tty-prompt colorize rainbow awesome_print dotenv"
    " activerecord activesupport sequel haml slim sass bootsnap spring listen guard foreman capistrano chef fluentd prawn"
    " mini_magick image_processing aws-sdk-s3 stripe jwt bcrypt concurrent-ruby eventmachine"
)
_CRATES = (
    "serde serde_json serde_yaml toml rand regex clap tokio async-std futures reqwest hyper axum actix-web rocket warp tower"
    " tracing tracing-subscriber log env_logger anyhow thiserror chrono time uuid lazy_static once_cell rayon crossbeam"
    " itertools num num-traits libc nix bytes base64 hex sha2 md5 url http diesel sqlx rusqlite redis mongodb tonic prost"
    " image ndarray nalgebra bincode csv walkdir tempfile dirs structopt indicatif colored crossterm ratatui bitflags syn quote"
    " proc-macro2 criterion proptest mockall wasm-bindgen parking_lot dashmap smallvec indexmap ahash flate2 zip tar notify"
)
_GO = (
    "github.com/gin-gonic/gin github.com/gorilla/mux github.com/spf13/cobra github.com/spf13/viper github.com/stretchr/testify"
    " github.com/sirupsen/logrus go.uber.org/zap gorm.io/gorm github.com/google/uuid github.com/labstack/echo"
    " github.com/gofiber/fiber github.com/go-chi/chi github.com/jackc/pgx github.com/lib/pq github.com/go-sql-driver/mysql"
    " github.com/mattn/go-sqlite3 github.com/redis/go-redis google.golang.org/grpc google.golang.org/protobuf"
    " golang.org/x/net golang.org/x/sync golang.org/x/text golang.org/x/crypto golang.org/x/sys github.com/pkg/errors"
    " github.com/prometheus/client_golang github.com/gorilla/websocket github.com/joho/godotenv gopkg.in/yaml.v3"
    " github.com/fatih/color github.com/urfave/cli github.com/aws/aws-sdk-go"
)
# Perl modules, and the Debian package that carries each.
_PERL = (
    "JSON JSON::XS LWP::UserAgent DBI DBD::SQLite DBD::Pg DBD::mysql Moose Moo Try::Tiny DateTime YAML YAML::XS XML::LibXML"
    " XML::Simple HTML::Parser HTML::TreeBuilder Mojolicious Dancer2 Template Text::CSV Text::CSV_XS Path::Tiny File::Slurp"
    " Log::Log4perl Data::Printer Test::More Test::Exception Class::Accessor Date::Manip Date::Calc Net::SSH2 IO::Socket::SSL"
    " Crypt::SSLeay Digest::SHA1 Spreadsheet::WriteExcel GD Image::Magick Perl::Tidy Perl::Critic IPC::Run Term::ReadKey"
)
LISTS = {"npm": _NPM, "gem": _GEMS, "cargo": _CRATES, "go": _GO, "perl": _PERL}


@cache
def well_known(registry: str) -> frozenset[str]:
    """The names of the well-known packages of "pip", "npm", "gem", "cargo", "go" or "perl"."""
    if registry == "pip":
        return frozenset(
            name.lower().replace("_", "-") for name in (*_PYPI.split(), *_distributions().values())
        )
    return frozenset(LISTS[registry].split())


@cache
def _distributions() -> dict[str, str]:
    table = {name: name.replace("_", "-") for name in _PYPI.split()}
    for row in _RENAMED.split(";"):
        package, _, names = row.strip().partition(":")
        table |= dict.fromkeys(names.split(), package)
    return table


def distribution(module: str) -> str:
    """The distribution that carries the Python module `module`, "" when it is none that is well known."""
    table = _distributions()
    steps = module.split(".")
    heads = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
    return next((table[head] for head in heads if head in table), "")


def modules() -> tuple[str, ...]:
    """The well-known Python modules, as they are imported."""
    return tuple(_distributions())
