import { expect } from 'chai';

import { catalog } from '../../shared/composition/catalog.ts';
import { OPERATOR_TOKEN } from '../access/scene.ts';
import type { TestPlatform } from '../harness.ts';

export { OPERATOR_TOKEN };

/** The interface by which a call is made. Operators have no tools. */
export const INTERFACES = ['REST', 'MCP'] as const;
export type Interface = (typeof INTERFACES)[number];

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any answer
export type Made = any;

/** Makes a call that must succeed, and gives its answer. */
type Call = (operation: string, input: object, key: string) => Promise<Made>;

/** An answer in which another party must find the text of a field. */
export interface Reading {
  /** `operation/field` of the text. */
  readonly field: string;
  readonly operation: string;
  readonly input: object;
  readonly key: string;
  /** Whether the text is only a part of the text that is read. */
  readonly isPart?: boolean;
}

/** Parties that hand texts to each other. */
interface Market {
  readonly platform: TestPlatform;
  readonly call: Call;
  /** The text of this field. */
  readonly text: (field: string) => string;
  /** Reads an answer now, because what is read will change. */
  readonly read: (reading: Reading) => Promise<void>;
}

/** A way of texts from one party to another. Reads each field of `fields` at least once. */
export interface Story {
  readonly fields: readonly string[];
  readonly tell: (market: Market) => Promise<void>;
}

/** Calls of this platform by an interface. */
export function callsOf(platform: TestPlatform, by: Interface): Call {
  return async (name, input, key) => {
    const op = catalog.get(name)!;
    const isTool = by === 'MCP' && op.access !== 'operator';
    return isTool ? callTool(platform, name, input, key) : callRest(platform, name, input, key);
  };
}

async function callTool(platform: TestPlatform, name: string, input: object, key: string) {
  const wait = catalog.get(name)!.mode === 'job' ? { wait: 20 } : {};
  const params = { name, arguments: { ...input, ...wait } };
  const { body, text } = await platform.request('POST /api/v1/mcp', {
    key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  expect(body.result?.isError, text).to.equal(undefined);
  const { structuredContent, content } = body.result;
  expect(JSON.parse(content[0].text)).to.deep.equal(structuredContent);
  return structuredContent;
}

async function callRest(platform: TestPlatform, name: string, input: object, key: string) {
  const { rest, mode } = catalog.get(name)!;
  const fields = new Map(Object.entries(input));
  const path = rest!.replaceAll(/:(\w+)/g, (_, field: string) => {
    const value = String(fields.get(field));
    fields.delete(field);
    return encodeURIComponent(value);
  });
  const isGet = path.startsWith('GET ');
  const query = new URLSearchParams(mode === 'job' ? { wait: '20' } : {});
  if (isGet) for (const [field, value] of fields) query.set(field, String(value));
  const route = query.size > 0 ? `${path}?${query}` : path;
  const reply = await platform.request(route, {
    key,
    ...(!isGet && { body: Object.fromEntries(fields) }),
  });
  expect(reply.status, `${name} ${reply.text}`).to.be.oneOf([200, 201]);
  return reply.body;
}

/** All texts in an answer, also those in its lines of JSON. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...linesIn(value).flatMap(textsIn)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function linesIn(text: string): object[] {
  if (!text.startsWith('{')) return [];
  try {
    return text.split('\n').flatMap((line) => (line ? (JSON.parse(line) as object) : []));
  } catch {
    return [];
  }
}
