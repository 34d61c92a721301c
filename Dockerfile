# The service as an image: compiled in one stage, production dependencies in another, neither's tools in the last.
#
#   docker build -t readback .
#   docker run -p 8086:8086 -v readback-data:/data readback
#
# The base needs `node` (20.20 or later), `npm` and glibc. Behind a private registry, hand in your npm settings
# for the time of the build with --secret id=npmrc,src=$HOME/.npmrc; if these name a certificate authority, let them
# say cafile=/run/secrets/npm-ca, and add --secret id=npm-ca,src=<file>.
ARG BASE_IMAGE=node:20-bookworm-slim

FROM ${BASE_IMAGE} AS manifests
WORKDIR /app
ENV NPM_CONFIG_USERCONFIG=/run/secrets/npmrc NPM_CONFIG_CACHE=/var/cache/npm
COPY package.json package-lock.json .npmrc ./
COPY protocol/package.json protocol/
COPY audio/package.json audio/
COPY bin bin

# No install script is needed: every native part comes compiled in its package.
FROM manifests AS dependencies
RUN --mount=type=secret,id=npmrc \
    --mount=type=secret,id=npm-ca \
    --mount=type=cache,target=/var/cache/npm \
    npm ci --omit=dev --ignore-scripts

FROM manifests AS build
RUN --mount=type=secret,id=npmrc \
    --mount=type=secret,id=npm-ca \
    --mount=type=cache,target=/var/cache/npm \
    npm ci --ignore-scripts
COPY tsconfig.base.json tsconfig.json ./
COPY protocol protocol
COPY audio audio
COPY kiosk kiosk
COPY editor editor
COPY src src
COPY locales locales
COPY scripts/compile-commands.js scripts/
RUN npm run build

FROM ${BASE_IMAGE}
ARG VERSION=0.1.0
LABEL org.opencontainers.image.title="readback" \
      org.opencontainers.image.description="A push-to-talk voice assistant that answers from the company's own documents, and only from those." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
RUN groupadd --gid 10001 readback \
 && useradd --uid 10001 --gid readback --no-log-init --no-create-home --shell /usr/sbin/nologin --home-dir /nonexistent readback \
 && install --directory --owner readback --group readback --mode 0750 /data
WORKDIR /app
COPY --from=dependencies /app/ ./
COPY --from=build /app/protocol/dist protocol/dist
COPY --from=build /app/audio/dist audio/dist
COPY --from=build /app/kiosk/dist kiosk/dist
COPY --from=build /app/editor/dist editor/dist
COPY --from=build /app/dist/src dist/src
COPY prompts prompts
COPY kiosk/page kiosk/page
COPY editor/page editor/page
COPY locales locales
COPY models models
COPY proto proto
COPY src/sites/shell/*.txt src/sites/shell/
COPY deploy/healthcheck.js deploy/
COPY deploy/elasticsearch deploy/elasticsearch
COPY LICENSE ./

# Relays and Prometheus are let in at the container's private address, from private ones: which of the container's ports
# the world sees is for the operator to say. The API listens to nobody outside of it until there are keys: set
# READBACK_HTTP_API_KEYS, and READBACK_HTTP_HOST and READBACK_GRPC_HOST to 0.0.0.0.
ENV NODE_ENV=production \
    READBACK_DATA_DIR=/data \
    READBACK_RELAY_HOST=private \
    READBACK_RELAY_ALLOW=private \
    READBACK_METRICS_HOST=private \
    READBACK_METRICS_ALLOW=private
VOLUME /data
# Relays, HTTP, metrics, gRPC.
EXPOSE 8086 8087 9092 50051
USER 10001:10001
# An image whose command cannot start is none: npm has been seen to fail and to exit with 0.
RUN node /app/bin/readback.js config >/dev/null
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 CMD ["node", "/app/deploy/healthcheck.js"]
# A shell runs as process 1, for Node there could not end itself when its event loop is blocked.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/app/bin/process-1.sh"]
CMD ["serve"]
