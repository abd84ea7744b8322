import { expect } from 'chai';

import { code, operations, under } from './sources.ts';

/** The layers of shared, the lowest first. A file imports from its own layer and lower ones. */
const LAYERS = [
  { layer: 'platform', files: /^shared\/platform\// },
  {
    layer: 'terms of an operation',
    files: new RegExp(
      '^shared/kernel/' +
        '(terms/\\w+|limits/\\w+|operation|schema|oversize|refusal|paging|rate_limit|text|storable|call)\\.ts$',
    ),
  },
  { layer: 'jobs', files: /^shared\/jobs\// },
  {
    // Before an operation is performed, its caller is checked to be an owner; an operator's is
    // recorded.
    layer: 'performing',
    files: /^shared\/(kernel\/(perform|transaction)|agents\/assert_owns|operators\/audit_log)\.ts$/,
  },
  { layer: 'domains', files: /^shared\/(?!kernel\/|jobs\/|platform\/|composition\/)\w+\// },
  {
    layer: 'composition',
    files: new RegExp(
      '^shared/(composition/(\\w+/)?\\w+|kernel/(catalog|context|gateways|invoke|operation_index))\\.ts$',
    ),
  },
] as const;

/** What a domain imports of other domains. */
const DOMAINS: { readonly [domain: string]: readonly string[] } = {
  agents: ['events', 'ledger'],
  approvals: ['agents', 'events', 'inbox', 'ledger'],
  connections: ['agents', 'approvals', 'events', 'ledger', 'policies'],
  datasets: ['agents', 'events', 'ledger', 'orders', 'products'],
  deposits: ['agents', 'events', 'ledger'],
  email: ['ledger', 'wallet'],
  events: [],
  inbox: ['agents', 'approvals', 'labor', 'ledger', 'messages', 'orders', 'tasks', 'wallet'],
  ledger: ['events'],
  labor: ['agents', 'events', 'inbox', 'ledger', 'verification', 'wallet'],
  market: ['ledger', 'products', 'wallet'],
  messages: ['events', 'inbox', 'labor', 'ledger', 'orders', 'tasks'],
  operators: ['deposits', 'events', 'ledger', 'tokens', 'webhooks', 'withdrawals'],
  orders: ['agents', 'events', 'inbox', 'ledger', 'products', 'wallet'],
  policies: ['agents', 'approvals', 'events', 'ledger', 'products'],
  products: ['agents', 'datasets', 'events', 'ledger'],
  proxies: ['agents', 'ledger', 'wallet'],
  tasks: ['agents', 'events', 'inbox', 'ledger', 'verification', 'wallet'],
  tokens: ['deposits', 'events', 'ledger', 'wallet'],
  verification: [],
  webhooks: ['events', 'ledger'],
  x402: ['agents', 'deposits', 'ledger', 'wallet'],
  wallet: ['agents', 'approvals', 'deposits', 'events', 'inbox', 'ledger'],
  withdrawals: ['agents', 'approvals', 'deposits', 'events', 'ledger', 'wallet'],
};

const shared = under('shared');

/** An operation of shared/jobs is one of a domain: it is written with the terms of an operation. */
const levelOf = (path: string): number =>
  LAYERS.findIndex(({ layer, files }) =>
    operations.has(path) ? layer === 'domains' : files.test(path),
  );

const domainOf = (path: string) => /^shared\/(\w+)\//.exec(path)?.[1] ?? '';

describe('the layers of shared', () => {
  it('contain every file', () => {
    const outside = shared.filter(({ path }) => levelOf(path) < 0);
    expect(outside.map(({ path }) => path)).to.deep.equal([]);
  });

  it('import no value from a higher layer', () => {
    // A type may come from a higher layer: the type of a call names what the layers above provide,
    // and does not exist at run time.
    const upward = shared.flatMap(({ path, valueImports }) =>
      valueImports
        .filter((name) => name.startsWith('shared/') && levelOf(name) > levelOf(path))
        .map((name) => `${path} imports ${name}`),
    );
    expect(upward).to.deep.equal([]);
  });

  it('know nothing of the marketplace in the platform, not even a type', () => {
    const upward = under('shared/platform').flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('shared/') && levelOf(name) > 0)
        .map((name) => `${path} imports ${name}`),
    );
    expect(upward).to.deep.equal([]);
  });

  it('have domains that import only the domains they build on', () => {
    const others = shared.flatMap(({ path, imports }) => {
      const known = DOMAINS[domainOf(path)];
      if (!known) return [];
      return imports
        .filter((name) => domainOf(name) in DOMAINS && domainOf(name) !== domainOf(path))
        .filter((name) => !known.includes(domainOf(name)))
        .map((name) => `${path} imports ${name}`);
    });
    expect(others).to.deep.equal([]);
  });

  it('list every domain with what it imports', () => {
    const found = new Set(
      shared.filter(({ path }) => LAYERS[4].files.test(path)).map(({ path }) => domainOf(path)),
    );
    expect(Object.keys(DOMAINS)).to.have.members([...found]);
  });
});

describe('imports', () => {
  it('form no circle, not even of types', () => {
    expect(circleIn(new Map(code.map(({ path, imports }) => [path, imports])))).to.equal(undefined);
  });
});

/** A circle of imports, as `a → b → a`, if there is one. */
function circleIn(imports: ReadonlyMap<string, readonly string[]>): string | undefined {
  const done = new Set<string>();
  const stack: string[] = [];
  function search(path: string): string | undefined {
    if (stack.includes(path)) return [...stack.slice(stack.indexOf(path)), path].join(' → ');
    if (done.has(path)) return undefined;
    stack.push(path);
    for (const name of imports.get(path) ?? []) {
      const circle = search(name);
      if (circle) return circle;
    }
    stack.pop();
    done.add(path);
    return undefined;
  }
  for (const path of imports.keys()) {
    const circle = search(path);
    if (circle) return circle;
  }
  return undefined;
}
