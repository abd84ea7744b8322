import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import type { Route } from '../http/routes.ts';
import { documentRoute } from './document.ts';

const PATH = '/api-docs';

const { resolve } = createRequire(import.meta.url);

/** Files of the page, by their names in swagger-ui-dist. */
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
    <script src="${PATH}/page.js"></script>
  </head>
  <body>
    <div id="docs"></div>
    <noscript>The same as JSON: <a href="/openapi.json">/openapi.json</a>, and for language models:
      <a href="/llms.txt">/llms.txt</a>.</noscript>
    <script src="${PATH}/swagger-ui-bundle.js"></script>
  </body>
</html>
`;

// A file of its own, so that the policy below need not allow inline scripts.
const SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
addEventListener('DOMContentLoaded', () => SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  // The document names the server by PUBLIC_URL, but the page may have been opened by another of
  // its names, such as localhost. So calls go to the origin of the page.
  requestInterceptor(request) {
    const { pathname, search } = new URL(request.url, location.href);
    return Object.assign(request, { url: location.origin + pathname + search });
  },
}));
`;

const STYLE = `body { margin: 0; }\nhtml:not(.dark-mode) { background: #fafafa; }\n`;

const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  // Swagger UI writes styles into its elements.
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** `GET /api-docs`: /openapi.json for people. The page loads nothing from other hosts. */
export function docsRoutes(): Route[] {
  const page = (name: string, type: string, text: string): Route =>
    documentRoute(PATH + name, {
      type: `${type}; charset=utf-8`,
      read: () => text,
      headers: { 'Content-Security-Policy': POLICY },
    });
  return [
    page('', 'text/html', PAGE),
    page('/page.js', 'text/javascript', SCRIPT),
    page('/page.css', 'text/css', STYLE),
    ...Object.entries(ASSETS).map(([name, type]) =>
      documentRoute(`${PATH}/${name}`, {
        type,
        read: () => readFile(resolve(`swagger-ui-dist/${name}`)),
        headers: { 'Cache-Control': 'public, max-age=86400' },
      }),
    ),
  ];
}
