"""Django's admin on a free loopback port, for the end-to-end tests.

`serve.py prepare DATABASE` makes a database with one administrator; `serve.py run DATABASE PRELUDE ERRORS` serves it,
with PRELUDE's script first in each page's head and what the pages report appended to ERRORS. Prints the port when it
is ready.
"""

import os
import sys
import types

import django
from django.conf import settings
from django.http import HttpResponse

COMMAND, DATABASE, *FILES = sys.argv[1:]


def prelude_middleware(get_response):
    with open(FILES[0], encoding="utf-8") as file:
        prelude = f"<head><script>{file.read()}</script>".encode()

    def answer(request):
        if request.path == "/~/errors":
            with open(FILES[1], "ab") as errors:
                errors.write(request.body.replace(b"\n", b" ") + b"\n")
            return HttpResponse()
        response = get_response(request)
        if response.get("Content-Type", "").startswith("text/html") and not response.streaming:
            response.content = response.content.replace(b"<head>", prelude, 1)
            response["Content-Length"] = str(len(response.content))
        return response

    return answer


urls = types.ModuleType("serve_urls")
urls.prelude_middleware = prelude_middleware
sys.modules["serve_urls"] = urls

settings.configure(
    SECRET_KEY="the same each time, on loopback only",
    DEBUG=True,
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF="serve_urls",
    USE_TZ=True,
    STATIC_URL="/static/",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATABASE}},
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    INSTALLED_APPS=[
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
    ],
    MIDDLEWARE=["serve_urls.prelude_middleware"] * (COMMAND == "run") + [
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
    LOGGING_CONFIG=None,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
)
django.setup()

from django.contrib import admin  # noqa: E402  (needs the settings)
from django.urls import path  # noqa: E402

urls.urlpatterns = [path("admin/", admin.site.urls)]

if COMMAND == "prepare":
    from django.core.management import call_command

    os.environ["DJANGO_SUPERUSER_PASSWORD"] = "secret"
    call_command("migrate", verbosity=0)
    call_command("createsuperuser", interactive=False, username="admin", email="admin@example.com")
else:
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    server = ThreadedWSGIServer(("127.0.0.1", 0), WSGIRequestHandler, ipv6=False)
    server.daemon_threads = True
    server.set_app(StaticFilesHandler(get_wsgi_application()))
    print(server.server_port, flush=True)
    server.serve_forever()
