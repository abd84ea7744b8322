import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';

import type { Caller } from '../../shared/agents/caller.ts';
import { CATEGORIES } from '../../shared/products/products.ts';
import { NEXT_ACTIONS } from '../../shared/composition/error_body.ts';
import { CODES, type RefusalCode } from '../../shared/kernel/refusal.ts';
import type { ToolAnswer, ToolCall } from './call.ts';
import { tools } from './tool_names.ts';
import { allows } from './tools.ts';

const mimeType = 'application/json';

export const resources = [
  {
    uri: 'marketplace://wallet',
    name: 'wallet',
    title: 'Your wallet',
    description: 'What you can spend and what you spent today.',
    mimeType,
  },
  {
    uri: 'marketplace://categories',
    name: 'categories',
    title: 'Categories',
    description: 'The kinds of product there are.',
    mimeType,
  },
  {
    uri: 'marketplace://errors',
    name: 'errors',
    title: 'Errors',
    description: 'Every code an error may have, whether to try again, and what helps.',
    mimeType,
  },
];

export const resourceTemplates = [
  {
    uriTemplate: 'marketplace://products/{id}',
    name: 'product',
    title: 'A product',
    description: 'A product on sale, by its product_id.',
    mimeType,
  },
];

/** The tools that read the others, for callers that may use them. */
const READ_BY: Readonly<Record<string, string>> = {
  'marketplace://wallet': 'get_wallet',
  'marketplace://products/{id}': 'get_product',
};

/** Those of these that this caller can read. */
export const readableBy = <R extends { uri: string } | { uriTemplate: string }>(
  caller: Caller,
  all: readonly R[],
): R[] =>
  all.filter((one) => {
    const op = tools.get(READ_BY['uri' in one ? one.uri : one.uriTemplate] ?? '');
    return !op || allows(caller, op);
  });

/** The contents of those that are the same for everybody. */
export const TEXTS = new Map([
  ['marketplace://categories', JSON.stringify({ categories: CATEGORIES })],
  ['marketplace://errors', JSON.stringify({ errors: errorTable() })],
]);

/** Reads a resource by calling its tool: with the same rights and the same answer. */
export async function readResource(uri: string, call: (call: ToolCall) => Promise<ToolAnswer>) {
  const text = TEXTS.get(uri) ?? (await textOf(uri, call));
  return { contents: [{ uri, mimeType, text }] };
}

async function textOf(uri: string, call: (call: ToolCall) => Promise<ToolAnswer>): Promise<string> {
  const [, id] = /^marketplace:\/\/products\/(\d{1,15})$/.exec(uri) ?? [];
  const [name, args] = id ? ['get_product', { product_id: Number(id) }] : ['get_wallet', {}];
  if (!id && uri !== 'marketplace://wallet') throw new ResourceNotFoundError(uri);

  const { answer, result } = await call({ op: tools.get(name)!, args, key: undefined });
  if (!result.isError) return answer.body;
  const refusal = JSON.parse(answer.body) as { message: string };
  if (answer.status === 404) throw new ResourceNotFoundError(uri);
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, refusal.message, refusal);
}

function errorTable() {
  return Object.entries(CODES).map(([error, { status, retryable }]) => ({
    error,
    status,
    retryable,
    next_actions: NEXT_ACTIONS[error as RefusalCode],
  }));
}
