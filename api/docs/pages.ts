import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { Context } from '../../shared/kernel/context.ts';
import type { HttpContext, Route } from '../http/routes.ts';

const PATH = '/api-docs';

const { resolve } = createRequire(import.meta.url);

/** The files of the page, by their names in swagger-ui-dist. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Agent Marketplace: the API</title>
    <link rel="icon" href="${PATH}/favicon-32x32.png">
    <link rel="stylesheet" href="${PATH}/swagger-ui.css">
    <link rel="stylesheet" href="${PATH}/page.css">
  </head>
  <body>
    <div id="docs"></div>
    <noscript>The same as JSON: <a href="/openapi.json">/openapi.json</a>, and for language models:
      <a href="/llms.txt">/llms.txt</a>.</noscript>
    <script src="${PATH}/swagger-ui-bundle.js"></script>
    <script src="${PATH}/page.js"></script>
  </body>
</html>
`;

// A file of its own, so that the policy below need not allow inline scripts.
const SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const STYLE = 'body { margin: 0; background: #fafafa; }\n';

/** `GET /api-docs`: /openapi.json for people. The page loads nothing from other hosts. */
export function docsRoutes({ config }: Context): Route[] {
  const policy = [
    `default-src 'none'`,
    `script-src 'self'`,
    // Swagger UI writes styles into its elements.
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    // Calls go to the server that the document names, which may not be the host of this page.
    `connect-src 'self' ${new URL(config.api.publicUrl).origin}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');

  const text = (name: string, type: string, body: string): Route => ({
    route: `GET ${PATH}${name}`,
    handle(ctx) {
      ctx.set({ 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy });
      ctx.body = body;
    },
  });
  return [
    text('', 'text/html', PAGE),
    text('/page.js', 'text/javascript', SCRIPT),
    text('/page.css', 'text/css', STYLE),
    ...Object.entries(ASSETS).map(([name, type]) => ({
      route: `GET ${PATH}/${name}`,
      handle: (ctx: HttpContext) => sendAsset(ctx, name, type),
    })),
  ];
}

async function sendAsset(ctx: HttpContext, name: string, type: string): Promise<void> {
  const path = resolve(`swagger-ui-dist/${name}`);
  const { size } = await stat(path);
  ctx.set({ 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' });
  ctx.body = ctx.method === 'HEAD' ? '' : createReadStream(path);
  ctx.length = size;
}
