# The build needs all packages of the product. What runs needs dist, which has the few that the
# bundles leave outside, and the files that programs read: migrations and the manual.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --workspaces=false --no-audit --no-fund
COPY api api
COPY local local
COPY migrations migrations
COPY shared shared
COPY workers workers
RUN npm run build && rm migrations/*.ts

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY package.json ./
COPY docs docs
COPY --from=build /app/migrations migrations
COPY --from=build /app/dist dist
USER node
# Each program answers at one of these ports; docker-compose.yml asks more of the API.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "const { WORKER_HEALTH_PORT, SOCKS_HEALTH_PORT, PORT } = process.env; fetch(`http://127.0.0.1:${WORKER_HEALTH_PORT || SOCKS_HEALTH_PORT || PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/api.js"]
