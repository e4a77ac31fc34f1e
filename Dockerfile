# syntax=docker/dockerfile:1
# The server with everything: pages, the offline app, PDFs, PostgreSQL and NATS. See docs/installation.md.
#
#   docker build --tag meldroom .
#   docker run --publish 8000:8000 --volume meldroom:/data meldroom

FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
# Everything that lasts is in /data: games, accounts, championships, and compiled kernels.
ENV MELDROOM_HOST=0.0.0.0 \
    MELDROOM_PORT=8000 \
    MELDROOM_DATA=/data \
    NUMBA_CACHE_DIR=/data/kernels \
    PYTHONUNBUFFERED=1
COPY requirements/papers.txt requirements/cluster.txt /tmp/requirements/
COPY --from=build /wheels /tmp/wheels
RUN pip install --no-cache-dir --require-hashes \
      --requirement /tmp/requirements/papers.txt --requirement /tmp/requirements/cluster.txt \
 && pip install --no-cache-dir --no-deps --no-index /tmp/wheels/*.whl \
 && rm -r /tmp/wheels /tmp/requirements \
 && useradd --create-home --uid 1000 meldroom \
 && install --directory --owner meldroom /data
USER meldroom
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["meldroom", "serve"]
