FROM node:20-slim
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN npm run build
USER node
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/api.js"]
