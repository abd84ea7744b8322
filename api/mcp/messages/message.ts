import {
  ProtocolErrorCode,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

import { Refusal } from '../../../shared/kernel/refusal.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { refuseUnstorable } from '../../../shared/kernel/storable.ts';
import { argumentsIn } from '../../arguments/call_arguments.ts';
import { moveKeysToMeta } from '../../arguments/idempotency_keys.ts';
import { tools } from '../tool_names.ts';
import { idText, keptId } from './request_ids.ts';

/** A message that cannot be read, with its answer. */
export interface BadMessage {
  readonly bad: {
    readonly code: number;
    readonly message: string;
    /** Id of the request, if one could be read. */
    readonly id: RequestId | null;
    readonly data?: object;
  };
}

export type ReadMessage = JSONRPCMessage | BadMessage;

/** The error of JSON-RPC for it. */
export const errorText = ({ bad: { id, code, message, data } }: BadMessage): string =>
  `{"jsonrpc":"2.0","id":${idText(id)},"error":${JSON.stringify({ code, message, data })}}`;

type Fields = Record<string, unknown>;

/**
 * Reads a message as clients really send it, or says what is wrong with it under its id: the other
 * messages of its batch are answered all the same. `rawId` is its id as it was written.
 */
export function readMessage(sent: unknown, rawId: string | undefined): ReadMessage {
  const { InvalidRequest, InvalidParams } = ProtocolErrorCode;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return bad(null, InvalidRequest, 'This is not a JSON-RPC message.');
  }
  const { jsonrpc, id: sentId, method, params: sentParams } = sent as Fields;
  const hasId = Object.hasOwn(sent, 'id');
  const isId = typeof sentId === 'string' || typeof sentId === 'number';
  const id = isId && isStorable(sentId) ? keptId(sentId, rawId) : null;
  if (jsonrpc !== '2.0') return bad(id, InvalidRequest, 'jsonrpc must be "2.0".');
  if (method === undefined && isResponse(sent)) return sent as JSONRPCMessage;
  if (typeof method !== 'string') return bad(id, InvalidRequest, 'method must be a text.');
  if (hasId && id === null) {
    return bad(null, InvalidRequest, 'id must be a text or a whole number.');
  }
  try {
    refuseUnstorable(sent);
    const params = paramsOf(method, sentParams);
    const message = { jsonrpc, method, ...(params && { params }) };
    return (hasId ? { ...message, id } : message) as JSONRPCMessage;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return bad(id, InvalidParams, error.message);
  }
}

const bad = (id: RequestId | null, code: number, message: string): BadMessage => ({
  bad: { id, code, message },
});

const isStorable = (id: string | number): boolean =>
  typeof id === 'number' || !id.includes('\u0000');

const isResponse = (sent: object) => Object.hasOwn(sent, 'result') || Object.hasOwn(sent, 'error');

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

/** The params of a method, without what stands for nothing. */
function paramsOf(method: string, sent: unknown): Fields | undefined {
  const isInitialize = method === 'initialize';
  const params = { ...at('/params', () => argumentsIn(sent)) };
  if (Object.keys(params).length === 0 && !isInitialize && method !== 'tools/call') {
    return undefined;
  }
  if (params._meta === null) delete params._meta;
  else if (params._meta !== undefined) {
    params._meta = metaOf(params._meta);
  }
  if (isInitialize) return handshake(params);
  if (LISTS.includes(method)) return listParams(params);
  if (method === 'tools/call' || method === 'prompts/get') {
    const read = at('/params/arguments', () => argumentsIn(params.arguments));
    params.arguments = method === 'prompts/get' ? texts(read) : read;
  }
  if (method === 'tools/call') {
    if (typeof params.name !== 'string') {
      throw invalid([{ pointer: '/params/name', message: 'must be the name of a tool' }]);
    }
    refuseMisplaced(params.name, params);
    moveKeysToMeta(params);
  }
  return params;
}

/** Refuses fields of a tool beside its arguments: the SDK drops them and makes the call. */
function refuseMisplaced(tool: string, params: Fields): void {
  const fields: object = tools.get(tool)?.input.properties ?? {};
  const misplaced = Object.keys(params).filter(
    (name) => !OF_CALL.includes(name) && Object.hasOwn(fields, name),
  );
  if (misplaced.length === 0) return;
  const message = 'is a field of the tool: it belongs in /params/arguments';
  throw invalid(misplaced.map((name) => ({ pointer: `/params/${name}`, message })));
}

/** Names of MCP in the params of tools/call. */
const OF_CALL = ['name', 'arguments', '_meta', 'task'];

function metaOf(sent: unknown): Fields {
  const meta = { ...at('/params/_meta', () => argumentsIn(sent)) };
  const { progressToken: token } = meta;
  if (token === null) delete meta.progressToken;
  else if (token !== undefined && typeof token !== 'string' && !Number.isInteger(token)) {
    const message = 'must be a text or a whole number';
    throw invalid([{ pointer: '/params/_meta/progressToken', message }]);
  }
  return meta;
}

/** Names the place where an object of arguments was expected. */
function at<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw invalid([{ pointer, message: 'must be an object' }]);
  }
}

/** A handshake with every part that it must have: clients leave some out, or send null. */
function handshake({ protocolVersion, capabilities, clientInfo, ...rest }: Fields): Fields {
  const text = (value: unknown, absent: string) => (typeof value === 'string' ? value : absent);
  const { name, version, ...about } = objectOr(clientInfo);
  return {
    ...rest,
    protocolVersion: text(protocolVersion, ''),
    capabilities: objectOr(capabilities),
    clientInfo: { ...about, name: text(name, 'unknown'), version: text(version, 'unknown') },
  };
}

const objectOr = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** Every list is one page, so no cursor is known. */
function listParams({ cursor, ...rest }: Fields): Fields {
  if (cursor === undefined || cursor === null || cursor === '') return rest;
  throw invalid([{ pointer: '/params/cursor', message: 'is none of ours: the list is one page' }]);
}

/** The arguments of a prompt, which are texts: a number is its digits. */
const texts = (values: Readonly<Fields>): Fields =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
