import { expect } from 'chai';

import { circleIn, code, isIn, under } from './sources.ts';

/** The layers of shared, the lowest first: each is a folder, and imports from itself and below. */
const LAYERS = ['platform', 'kernel', 'jobs', 'performing', 'domains', 'composition'];

/** Types that every layer above the platform may name: what a transaction and a process have. */
const NAMED = ['config', 'context', 'gateways'].map((name) => `shared/composition/${name}.ts`);

/** Other domains that a domain imports. */
const DOMAINS: { readonly [domain: string]: readonly string[] } = {
  agents: ['events', 'ledger', 'mail'],
  approvals: ['agents', 'events', 'ledger'],
  closing: ['connections', 'deposits', 'ledger', 'policies'],
  connections: ['agents', 'approvals', 'ledger', 'policies'],
  datasets: ['agents', 'events', 'ledger', 'orders', 'products'],
  deals: [],
  deposits: ['agents', 'events', 'ledger'],
  digests: ['inbox', 'ledger', 'mail'],
  email: ['agents', 'ledger', 'wallet'],
  events: [],
  inbox: [
    'agents',
    'approvals',
    'datasets',
    'deposits',
    'labor',
    'messages',
    'orders',
    'policies',
    'tasks',
    'wallet',
  ],
  jobs: [],
  labor: ['agents', 'deals', 'events', 'ledger', 'verification', 'wallet'],
  ledger: ['events'],
  mail: ['events'],
  market: ['products', 'wallet'],
  messages: ['deals', 'events', 'labor', 'ledger', 'orders', 'tasks'],
  operators: [
    'deals',
    'deposits',
    'events',
    'jobs',
    'ledger',
    'tasks',
    'tokens',
    'webhooks',
    'withdrawals',
    'x402',
  ],
  orders: ['agents', 'deals', 'events', 'ledger', 'products', 'verification', 'wallet'],
  policies: ['agents', 'approvals', 'events', 'ledger', 'products'],
  products: ['agents', 'events', 'ledger'],
  proxies: ['agents', 'ledger', 'wallet'],
  receipts: ['agents', 'ledger', 'products'],
  records: ['agents', 'ledger'],
  requests: ['agents', 'events'],
  sandbox: [],
  reviews: ['ledger', 'orders'],
  tasks: ['agents', 'deals', 'events', 'ledger', 'verification', 'wallet'],
  tokens: ['deposits', 'events', 'ledger', 'wallet'],
  verification: [],
  wallet: ['agents', 'approvals', 'deposits', 'events', 'ledger'],
  webhooks: ['agents', 'events', 'ledger'],
  withdrawals: ['approvals', 'deposits', 'events', 'ledger', 'wallet'],
  x402: ['deposits', 'ledger'],
};

const shared = under('shared');
const layerOf = (path: string): number => LAYERS.indexOf(path.split('/')[1]!);
const domainOf = (path: string) => /^shared\/domains\/(\w+)\//.exec(path)?.[1];

describe('the layers of shared', () => {
  it('contain every file', () => {
    const outside = shared.filter(({ path }) => layerOf(path) < 0);
    expect(outside.map(({ path }) => path)).to.deep.equal([]);
  });

  it('import nothing from a higher layer, types included', () => {
    const upward = shared.flatMap(({ path, imports, valueImports }) =>
      imports
        .filter((name) => isIn(name, 'shared') && layerOf(name) > layerOf(path))
        .filter(
          (name) => !NAMED.includes(name) || valueImports.includes(name) || layerOf(path) === 0,
        )
        .map((name) => `${path} imports ${name}`),
    );
    expect(upward).to.deep.equal([]);
  });

  it('have domains that import only the domains they build on', () => {
    const others = shared.flatMap(({ path, imports }) => {
      const [domain, known] = [domainOf(path), DOMAINS[domainOf(path) ?? ''] ?? []];
      if (domain === undefined) return [];
      return imports
        .filter((name) => ![undefined, domain, ...known].includes(domainOf(name)))
        .map((name) => `${path} imports ${name}`);
    });
    expect(others).to.deep.equal([]);
  });

  it('have a table of domains that names each of them and has no circle', () => {
    const found = new Set(shared.map(({ path }) => domainOf(path)).filter(Boolean));
    expect(Object.keys(DOMAINS)).to.have.members([...found]);
    expect(circleIn(new Map(Object.entries(DOMAINS)))).to.equal(undefined);
  });
});

describe('imports', () => {
  it('form no circle, not even of types', () => {
    expect(circleIn(new Map(code.map(({ path, imports }) => [path, imports])))).to.equal(undefined);
  });
});
