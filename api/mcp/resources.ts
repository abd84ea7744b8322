import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';

import type { Caller } from '../../shared/kernel/caller.ts';
import { CATEGORIES } from '../../shared/domains/products/products.ts';
import { NEXT_ACTIONS } from '../../shared/composition/error_body.ts';
import { CODES, type RefusalCode } from '../../shared/kernel/refusal.ts';
import type { ToolAnswer, ToolCall } from './calls/call.ts';
import { tools } from './tool_names.ts';
import { allows } from './tools.ts';

const mimeType = 'application/json';

/** Resources whose every change is an event, so that clients can subscribe to them. */
const EVENTS = /^marketplace:\/\/events$/;
const ORDER = /^marketplace:\/\/orders\/(\d{1,15})$/;

/** An event, with the fields that subscriptions need. */
export interface ResourceEvent {
  readonly object: { readonly kind: string; readonly id: number };
}

/** Whether this event changes this resource. */
export function changes(uri: string, { object }: ResourceEvent): boolean {
  const [, orderId] = ORDER.exec(uri) ?? [];
  return EVENTS.test(uri) || (object.kind === 'order' && object.id === Number(orderId));
}

export const canSubscribeTo = (uri: string): boolean => EVENTS.test(uri) || ORDER.test(uri);

export const resources = [
  {
    uri: 'marketplace://wallet',
    name: 'wallet',
    title: 'Your wallet',
    description: 'Spendable balance, and spending today.',
    mimeType,
  },
  {
    uri: 'marketplace://events',
    name: 'events',
    title: 'Events',
    description: 'Events of your orders and other objects, oldest first.',
    mimeType,
  },
  {
    uri: 'marketplace://categories',
    name: 'categories',
    title: 'Categories',
    description: 'Product categories.',
    mimeType,
  },
  {
    uri: 'marketplace://errors',
    name: 'errors',
    title: 'Errors',
    description: 'Every error code, whether to retry, and the calls that help.',
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
  {
    uriTemplate: 'marketplace://orders/{id}',
    name: 'order',
    title: 'An order',
    description: 'An order that you bought or sold, by its order_id.',
    mimeType,
  },
  {
    uriTemplate: 'marketplace://events/{cursor}',
    name: 'events-after',
    title: 'Later events',
    description: 'Events after a cursor, which is next_cursor of the page before.',
    mimeType,
  },
];

/** A resource that a tool reads, for callers that may use it. */
interface Reading {
  readonly tool: string;
  /** Pattern of its URI, whose group is the value of `field`. */
  readonly uri: RegExp;
  readonly field?: string;
}

const READ_BY: Readonly<Record<string, Reading>> = {
  'marketplace://wallet': { tool: 'get_wallet', uri: /^marketplace:\/\/wallet$/ },
  'marketplace://events': { tool: 'list_events', uri: EVENTS },
  'marketplace://events/{cursor}': {
    tool: 'list_events',
    uri: /^marketplace:\/\/events\/([\w=-]{1,60})$/,
    field: 'cursor',
  },
  'marketplace://products/{id}': {
    tool: 'get_product',
    uri: /^marketplace:\/\/products\/(\d{1,15})$/,
    field: 'product_id',
  },
  'marketplace://orders/{id}': { tool: 'get_order', uri: ORDER, field: 'order_id' },
};

/** The ones that this caller can read. */
export const readableBy = <R extends { uri: string } | { uriTemplate: string }>(
  caller: Caller,
  all: readonly R[],
): R[] =>
  all.filter((one) => {
    const op = tools.get(READ_BY['uri' in one ? one.uri : one.uriTemplate]?.tool ?? '');
    return !op || allows(caller, op);
  });

/** Contents of the resources that are the same for everybody. */
export const TEXTS = new Map([
  ['marketplace://categories', JSON.stringify({ categories: CATEGORIES })],
  ['marketplace://errors', JSON.stringify({ errors: errorTable() })],
]);

/** Reads a resource by calling its tool, with the same rights and the same answer. */
export async function readResource(uri: string, call: (call: ToolCall) => Promise<ToolAnswer>) {
  const text = TEXTS.get(uri) ?? (await textOf(uri, call));
  return { contents: [{ uri, mimeType, text }] };
}

async function textOf(uri: string, call: (call: ToolCall) => Promise<ToolAnswer>): Promise<string> {
  const reading = Object.values(READ_BY).find((one) => one.uri.test(uri));
  if (!reading) throw new ResourceNotFoundError(uri);
  const { tool, field } = reading;
  const [, value = ''] = reading.uri.exec(uri)!;
  const args = field ? { [field]: field === 'cursor' ? value : Number(value) } : {};
  const { answer, result } = await call({ op: tools.get(tool)!, args, keys: [] });
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
