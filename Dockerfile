# The console: one image for web, intake, poster, worker and beat.
FROM python:3.11-slim-bookworm AS packages
# PARQUET=1: reports as Parquet files, too, by a large library that few houses need.
ARG PARQUET=
COPY requirements.txt requirements-parquet.txt ./
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt \
        ${PARQUET:+-r requirements-parquet.txt}

FROM python:3.11-slim-bookworm
ARG VERSION=latest
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Jackpot Management Console" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$REVISION"
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin console \
    && install --directory --owner console /exports /delivery /devices \
    && install --directory --owner console --mode 700 /authority
COPY --from=packages /venv /venv
WORKDIR /console
COPY manage.py ./
COPY rules rules
COPY config config
COPY tables tables
COPY jackpot jackpot
COPY settlement settlement
COPY templates templates
COPY locale locale
RUN pybabel --quiet compile --directory locale --domain django
# What the page "Help" shows.
COPY docs/glossary.md docs/domain.md docs/
# Settings are read at build time too, and connect to nothing.
RUN SECRET_KEY=build DATABASE_URL=postgresql://build@127.0.0.1:1/build \
    CELERY_BROKER_URL=amqp://build python manage.py collectstatic --no-input
USER console
EXPOSE 8000
# Whose word on the client's address counts is named in FORWARDED_ALLOW_IPS: the proxy's alone,
# since log-ins are locked by that address.
# Requests and streams have limits of their own (WEB_REQUESTS_AT_ONCE, STREAMS_AT_ONCE); the server's
# is behind both, for lines on which nothing is said. Streams last ten minutes: none is waited for.
# Requests are logged by the proxy in front, if at all: links that open something are in paths.
CMD ["uvicorn", "config.asgi:application", "--host", "0.0.0.0", "--port", "8000", \
    "--no-access-log", "--limit-concurrency", "1500", "--timeout-graceful-shutdown", "10"]
