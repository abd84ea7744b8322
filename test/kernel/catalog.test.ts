import { basename } from 'node:path';

import { expect } from 'chai';

import { catalog, domainOf, published } from '../../shared/composition/catalog.ts';
import { openApiReply } from '../api/openapi_reply.ts';
import { TestPlatform } from '../harness.ts';
import { under } from '../sources.ts';

/** Rules that hold for all operations. Which caller may call which operation is in test/access. */

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

describe('every operation', () => {
  let platform: TestPlatform;
  let documented: Map<string, { operationId: string; security?: object[] }>;
  let tools: Map<string, { title: string; description: string; annotations: object }>;

  before(async () => {
    platform = await TestPlatform.open({ workers: false });
    const { body } = await openApiReply(platform);
    documented = new Map(
      Object.entries(body.paths).flatMap(([path, methods]) =>
        Object.entries(methods as Record<string, { operationId: string }>).map(
          ([method, op]) =>
            [`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`, op] as const,
        ),
      ),
    );
    const byName = published.filter(({ bindings }) => bindings?.tool === 'by_name');
    const lists = ['', `?tools=${byName.map(({ name }) => name).join()}`];
    const found = await Promise.all(
      lists.map(async (query) => {
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
        const listed = await platform.request(`POST /api/v1/mcp${query}`, { body });
        return listed.body.result.tools as { name: string }[];
      }),
    );
    tools = new Map(found.flat().map((tool) => [tool.name, tool as never] as const));
  });
  after(() => platform.close());

  it('is in the catalog, and has the name of its folder of shared/domains as its domain', () => {
    const wrong = under('shared').flatMap(({ path, text }) => {
      if (!/= (operation|timer|sweepTimer)\(\{/.test(text)) return [];
      const [, , folder] = path.split('/');
      const op = catalog.get(basename(path, '.ts'));
      if (!op) return `${path}: add it to operations.ts of its domain`;
      return domainOf(op) === folder ? [] : `${path}: its domain is ${domainOf(op)}`;
    });
    expect(wrong).to.deep.equal([]);
  });

  it('that REST offers is documented, and nothing else', () => {
    const found = [...documented].map(([route, { operationId }]) => `${operationId} ${route}`);
    const offered = published.map(({ name, rest }) => `${name} ${rest}`);
    const operations = new Set(published.map(({ name }) => name));
    const documentedOperations = found.filter((line) => operations.has(line.split(' ')[0]!));
    expect(documentedOperations).to.include.members(offered);
    const aliases = published.flatMap(({ name, bindings }) =>
      bindings?.alias ? `${name} ${bindings.alias}` : [],
    );
    expect([...offered, ...aliases]).to.include.members(documentedOperations);
  });

  it('is a tool unless it is for operators or holds keys', () => {
    const wanted = published.filter(
      ({ bindings, access }) => bindings?.tool !== false && access !== 'operator',
    );
    expect([...tools.keys()]).to.have.members(wanted.map(({ name }) => name));
  });

  it('needs a key in its document unless it is public', () => {
    for (const { name, rest, access } of published) {
      const { security = [] } = documented.get(rest!)!;
      const wanted = access === 'public' ? [] : [{ bearer: [] }];
      expect(security.length > 0, name).to.equal(wanted.length > 0);
    }
  });

  it('that is a list takes any cursor that could be its own, and refuses every other', async () => {
    const { key } = await platform.agent();
    const lists = published.filter(({ input }) => 'cursor' in input.properties);
    expect(lists.length).to.be.greaterThan(5);
    for (const { name, rest, access, input } of lists) {
      const token = access === 'operator' ? 'operator-token-of-the-tests' : key;
      const query = 'query' in input.properties ? '&query=serial' : '';
      const ask = (cursor: string) => {
        const sent = `${Buffer.from(cursor).toString('base64url')}=${name}`;
        return platform.request(`${rest}?cursor=${sent}${query}`, { key: token });
      };
      for (const own of ['0', '2147483648', '999999999999999999']) {
        expect([200, 422], `${name} after ${own}`).to.include((await ask(own)).status);
      }
      for (const other of ['-1', '1 or 1=1', '9'.repeat(30), 'x']) {
        expect((await ask(other)).status, `${name} after ${other}`).to.equal(422);
      }
    }
  });

  for (const { name, title, summary, mode, input, output, ...op } of catalog.values()) {
    describe(name, () => {
      it('says in a sentence what it does and what it costs', () => {
        expect(title).to.match(/^[A-Z].{2,40}$/);
        expect(summary).to.match(/^[A-Z][^]{20,400}\.$/);
        // Owners and operators know the price; an agent that chooses a tool must read it.
        if (op.rest && op.bindings?.tool !== false)
          expect(summary).to.match(/\bfree\b|\$|\bprice\b|fee/i);
      });

      it('describes every field, and bounds what it takes', () => {
        expect(problemsOf(input, '/input')).to.deep.equal([]);
        expect(undescribed(output, '/output')).to.deep.equal([]);
      });

      it('names each field it may answer, and has no default that would be read as a promise', () => {
        expect(open(output, '/output')).to.deep.equal([]);
        expect(JSON.stringify([input, output])).not.to.include('"default"');
      });

      if (!op.rest || op.bindings?.tool === false || op.access === 'operator') return;

      it('has annotations that are true', () => {
        const { annotations } = tools.get(name)!;
        // Opening a vault is recorded, so it is no read either, though it is a GET.
        expect(annotations).to.include({ readOnlyHint: mode === 'read' });
        if (/\btakes? .*(wallet|fee)|\$0\.\d+ (each|a )/i.test(summary)) {
          expect(annotations).to.include({ readOnlyHint: false });
        }
        if (/\b(final|buys|for good)\b/i.test(summary)) {
          expect(annotations).to.include({ destructiveHint: true });
        }
      });
    });
  }
});

/** Every field is described; every string, list and number of an input is bounded. */
function problemsOf(schema: Schema, at: string): string[] {
  const problems: string[] = [];
  forEachNode(schema, at, (node, where) => {
    const { type } = node;
    if (type === 'string' && node.maxLength === undefined && !node.enum && node.const === undefined)
      problems.push(`${where} has no maxLength`);
    if (type === 'array' && node.maxItems === undefined) problems.push(`${where} has no maxItems`);
    if (type === 'integer' || type === 'number') {
      if (node.minimum === undefined) problems.push(`${where} has no minimum`);
      if (node.maximum === undefined) problems.push(`${where} has no maximum`);
    }
  });
  return [...problems, ...undescribed(schema, at)];
}

function undescribed(schema: Schema, at: string): string[] {
  const problems: string[] = [];
  forEachNode(schema, at, ({ properties = {} }, where) => {
    for (const [name, field] of Object.entries(properties)) {
      const forms = [field, ...(field.anyOf ?? [])];
      const isDescribed = forms.some(({ description, properties: inner, items, const: value }) => {
        // Its fields describe an object, its value a constant.
        return description ?? inner ?? items?.properties ?? value !== undefined;
      });
      if (!isDescribed) problems.push(`${where}/${name} has no description`);
    }
  });
  return problems;
}

/** Objects that may have unnamed fields: in an answer, a secret could leak that way. */
function open(schema: Schema, at: string): string[] {
  const problems: string[] = [];
  forEachNode(schema, at, ({ type, additionalProperties }, where) => {
    if (type === 'object' && additionalProperties !== false) problems.push(where);
  });
  return problems;
}

function forEachNode(schema: Schema, at: string, check: (node: Schema, at: string) => void): void {
  check(schema, at);
  const { properties = {}, items, anyOf = [] } = schema;
  for (const [name, field] of Object.entries(properties))
    forEachNode(field, `${at}/${name}`, check);
  if (items) forEachNode(items, `${at}/*`, check);
  anyOf.forEach((each) => forEachNode(each, at, check));
}
