import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect } from 'chai';

import { appsTo } from '../../api/docs/apps.ts';
import { connectionsTo } from '../../api/docs/connect.ts';
import { TestPlatform } from '../harness.ts';
import { snippetsOf } from '../snippets.ts';
import { ROOT } from '../sources.ts';
import { HERE, textOf } from './marketplace.ts';
import { SHOWN_CALLS } from './shown_calls.ts';

const DOCUMENTS = [
  'README.md',
  'client/README.md',
  ...(readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

/** Blocks of pages whose commands are not run as they stand, and what shows that they work. */
const SHOWN_ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'test/readme.test.ts',
  'client/README.md': 'test/client/programs.test.ts',
  'docs/architecture.md': 'a list of folders',
  'docs/backup.md': 'test/local',
  'docs/connect/clients.md': 'below: they are what /connect shows',
  'docs/deployment.md': 'test/deployment.test.ts',
  'docs/events.md': 'test/events',
  'docs/master_keys.md': 'test/local',
  'docs/operations.md': 'test/operators',
  'docs/rails/algorand.md': 'test/local',
  'docs/rails/evm.md': 'test/local',
  'docs/receipts.md': 'test/client/receipts.test.ts',
  'docs/socks5.md': 'test/api/socks',
  'docs/speed.md': 'what a command has printed',
};

/** Paths served beside the operations of the catalog; and an alias that is not documented. */
const OTHERS =
  'healthz|readyz|metrics|oauth/.+|console/.+|sandbox/.+|feeds/.+|api/v1/mcp.*|' +
  'api/v1/email/validate/|';
const OTHER_ROUTES = new RegExp(` /(${OTHERS})$`);
/** Names in capitals that are no settings. */
const NO_SETTINGS = [
  'NODE_EXTRA_CA_CERTS',
  'UPDATE_EXAMPLES',
  'SPENDING_REFUSALS',
  'REF_KINDS',
  'TCP_USER_TIMEOUT',
  'WAIT_FOR_CHILD_JOBS',
  'TASK_STATE',
  // Variables of commands that pages show.
  'OWNER_KEY',
  'SIGN_IN',
  'REFRESH_1',
  'MARKET_KEY',
  'OPENAI_BASE_URL',
];

/** Matches of `pattern` in each document, as `document: found`, unless it is true. */
const wrongIn = (pattern: RegExp, isTrue: (found: string, document: string) => boolean): string[] =>
  DOCUMENTS.flatMap((document) =>
    [...textOf(document).matchAll(pattern)]
      .filter(([, found]) => !isTrue(found!, document))
      .map(([, found]) => `${document}: ${found}`),
  );

describe('what the documents say', () => {
  it('links to what is there', () => {
    const anchors = (file: string) =>
      [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title!));
    const isThere = (link: string, page: string) => {
      const [path, anchor] = link.split('#') as [string, string?];
      const file = path ? join(dirname(page), path) : page;
      return existsSync(join(ROOT, file)) && (!anchor || anchors(file).includes(anchor));
    };
    expect(wrongIn(/\]\((?!https?:)([^)\s]+)\)/g, isThere)).to.deep.equal([]);
    expect(wrongIn(/\]\((http:[^)\s]+)\)/g, (link) => link.startsWith(HERE))).to.deep.equal([]);
    expect(anchorOf('A `key` & more')).to.equal('a-key--more');
  });

  it('names files, commands and settings that there are', () => {
    const folders = 'api|bench|client|console|docs|local|migrations|sandbox|shared|test|workers';
    const paths = new RegExp(`\`((?:${folders})/[\\w./-]+)\``, 'g');
    expect(wrongIn(paths, (path) => existsSync(join(ROOT, path)))).to.deep.equal([]);
    const scripts = ['package.json', 'client/package.json'].flatMap((name) =>
      Object.keys(JSON.parse(textOf(name)).scripts),
    );
    expect(wrongIn(/npm run ([\w:]+)/g, (name) => scripts.includes(name))).to.deep.equal([]);
    const settings = new Set(
      [...textOf('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!),
    );
    const isSetting = (name: string) => settings.has(name) || NO_SETTINGS.includes(name);
    expect(wrongIn(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g, isSetting)).to.deep.equal([]);
  });

  it('names routes that there are, and links to pages that answer', async () => {
    const platform = await TestPlatform.open({ workers: false });
    try {
      const { body } = await platform.request('GET /openapi.json');
      const routes = Object.entries(body.paths as Record<string, object>).flatMap(
        ([path, methods]) =>
          Object.keys(methods).map(
            (method) => new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`, 'i'),
          ),
      );
      // Each operation that is sold by x402 is below /x402 too.
      const isRoute = (route: string) => {
        const bare = route.split('?')[0]!.replace(' /x402/', ' /');
        return OTHER_ROUTES.test(bare) || routes.some((one) => one.test(bare));
      };
      const named = /`((?:GET|POST|PUT|PATCH|DELETE) \/[^`\s]*)`/g;
      expect(wrongIn(named, isRoute)).to.deep.equal([]);
      for (const document of DOCUMENTS) {
        for (const [, path] of textOf(document).matchAll(/\]\(http:\/\/localhost:3000([^)]*)\)/g)) {
          const { status } = await platform.request(`GET ${path}`);
          expect(status, `${document}: ${path}`).to.equal(200);
        }
      }
    } finally {
      await platform.close();
    }
  });

  it('shows no command that nothing runs', () => {
    const isShell = ({ language }: { language: string }) => ['', 'sh'].includes(language);
    const shown = DOCUMENTS.filter((name) => snippetsOf(textOf(name)).some(isShell));
    const known = [...SHOWN_CALLS, ...Object.keys(SHOWN_ELSEWHERE)];
    expect(shown.filter((name) => !known.includes(name))).to.deep.equal([]);
    expect(known.filter((name) => !shown.includes(name))).to.deep.equal([]);
    for (const name of DOCUMENTS) {
      for (const { language, text } of snippetsOf(textOf(name))) {
        if (language === 'json') expect(() => JSON.parse(text), name).not.to.throw();
      }
    }
  });

  it('connects each client by the words of /connect', () => {
    const shown = snippetsOf(textOf('docs/connect/clients.md')).map(({ text }) => text);
    const words = [...appsTo(HERE), ...connectionsTo(HERE)].map(({ text }) => text);
    expect(shown).to.deep.equal(words);
  });

  it('names the clients that are tested as they are, with their versions', () => {
    const row = /^\| `([@\w/-]+)` ([\d.]+) \| `npm/gm;
    const rows = [...textOf('docs/connect/clients.md').matchAll(row)];
    expect(rows).to.have.length.greaterThan(3);
    const { devDependencies } = JSON.parse(textOf('package.json'));
    const dependenciesOf = (folder: string) =>
      JSON.parse(textOf(`${folder}/package.json`)).dependencies;
    const tested = {
      ...devDependencies,
      ...dependenciesOf('test/api/oauth/mcpc'),
      ...dependenciesOf('test/coding_agents/packages'),
    };
    const wrong = rows.filter(([, name, version]) => tested[name!] !== version);
    expect(wrong.map(([text]) => text)).to.deep.equal([]);
  });
});

/** The anchor that GitHub makes of a title. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
