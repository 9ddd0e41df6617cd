# xcheck with the engines and fonts it replays in.
#
#   docker build -t xcheck .
#   docker run --rm --shm-size=1g -v "$PWD:/work" xcheck check shop.trace
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo install --locked --path cli --root /out

FROM debian:bookworm-slim
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
        chromium firefox-esr webkit2gtk-driver xvfb fonts-liberation fonts-dejavu-core ca-certificates procps \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /out/bin/xcheck /usr/local/bin/xcheck
# Chromium has no sandbox as root: what it opens comes from traces, and the container is the fence.
WORKDIR /work
ENTRYPOINT ["xcheck"]
