/*
 * The shapes of A2A 1.0 on the wire (JSON-RPC binding), as far as they are used here.
 * Source: the specification of the Agent2Agent protocol, 1.0.
 */

export const PROTOCOL_VERSION = '1.0';

/** The states of A2A. A task of the board has all but the last two. */
export const TASK_STATES = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export type Part =
  | { readonly text: string; readonly metadata?: object }
  | { readonly data: unknown; readonly metadata?: object };

export interface Message {
  readonly messageId: string;
  readonly role: 'ROLE_AGENT' | 'ROLE_USER';
  readonly taskId?: string;
  readonly contextId?: string;
  readonly parts: readonly Part[];
}

export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: {
    readonly state: TaskState;
    readonly message: Message;
    readonly timestamp: string;
  };
  readonly artifacts?: readonly object[];
  readonly metadata: object;
}

/** Codes of JSON-RPC 2.0, then those of A2A (its specification, §5.4). */
const CODES = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  refused: -32000,
  task_not_found: -32001,
  task_not_cancelable: -32002,
  push_not_supported: -32003,
  unsupported_operation: -32004,
  version_not_supported: -32009,
} as const;

/** An error of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: readonly object[];

  constructor(code: keyof typeof CODES, message: string, data = [infoOf(code)]) {
    super(message);
    this.code = CODES[code];
    this.data = data;
  }
}

export const invalidParams = (message: string): RpcError => new RpcError('invalid_params', message);

/** The body of a refusal, as every interface sends it. */
export interface RefusalBody {
  readonly error: string;
  readonly message: string;
  readonly details?: object;
}

/** The reason of an error, as google.rpc.ErrorInfo. */
function infoOf(reason: string, details: object = {}) {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: reason.toUpperCase(),
    domain: 'agent-marketplace',
    metadata: { details: JSON.stringify(details) },
  };
}

/** A refusal of the marketplace as an error of JSON-RPC, with its code as google.rpc.ErrorInfo. */
export function refused({ error, message, details }: RefusalBody, isCancel = false): RpcError {
  return new RpcError(codeOf(error, isCancel), message, [infoOf(error, details)]);
}

function codeOf(error: string, isCancel: boolean): keyof typeof CODES {
  if (error === 'not_found') return 'task_not_found';
  if (error === 'validation_error') return 'invalid_params';
  if (error === 'internal_error') return 'internal_error';
  return isCancel && error === 'invalid_transition' ? 'task_not_cancelable' : 'refused';
}
