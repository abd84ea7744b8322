import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { documentRoute } from '../docs/document.ts';
import type { Route } from '../http/routes.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
};

const ASSET = /^(?:console|passkeys|inter|jetbrains)[\w-]*-[A-Z0-9]{8}\.(?:js|css|woff2)$/;
const HERE = dirname(fileURLToPath(import.meta.url));
/** Run from its sources, the console builds its files; a build has them beside the program. */
const IS_SOURCE = basename(HERE) === 'console';

let files: ReadonlyMap<string, Uint8Array> | undefined;
let loading: Promise<void> | undefined;

/** Loads the files of the browser, once. */
export const loadAssets = (): Promise<void> => (loading ??= load());

async function load(): Promise<void> {
  const built = IS_SOURCE ? [] : readdirSync(HERE).filter((name) => ASSET.test(name));
  if (built.length > 0) {
    files = new Map(built.map((name) => [name, readFileSync(join(HERE, name))]));
    return;
  }
  const { bundleBrowser } = await import('./browser/bundle.mjs');
  // A program that was built alone runs in the checkout.
  const root = IS_SOURCE ? dirname(dirname(HERE)) : process.cwd();
  const made = await bundleBrowser(root);
  files = new Map(made.map(({ path, contents }) => [basename(path), contents]));
}

/** Paths of the files that pages name. */
export interface AssetNames {
  readonly script: string;
  readonly style: string;
  readonly passkeys: string;
  /** The font of nearly all text. */
  readonly font: string;
}

export function assetNames(): AssetNames {
  const names = [...files!.keys()];
  const find = (entry: string, ending: string) =>
    `/assets/${names.find((name) => name.startsWith(`${entry}-`) && name.endsWith(ending))!}`;
  return {
    script: find('console', '.js'),
    style: find('console', '.css'),
    passkeys: find('passkeys', '.js'),
    font: find('inter-latin-wght', '.woff2'),
  };
}

/** `GET /assets/:name`, cached for a year: other content gets another name. */
export function assetRoutes(): Route[] {
  const sent = new Map<string, Route>();
  return [
    {
      route: 'GET /assets/:name',
      async handle(ctx) {
        await loadAssets();
        const name = ctx.params?.name ?? '';
        const contents = files!.get(name);
        if (!contents) throw new Refusal('not_found', 'There is no such file.');
        let route = sent.get(name);
        if (!route) {
          const headers = {
            'Cache-Control': 'public, max-age=31536000, immutable',
            'Cross-Origin-Resource-Policy': 'same-origin',
          };
          const type = TYPES[extname(name)]!;
          route = documentRoute(name, { type, read: () => Buffer.from(contents), headers });
          sent.set(name, route);
        }
        await route.handle(ctx);
      },
    },
  ];
}
