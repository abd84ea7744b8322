import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ProgressToken,
  type RequestId,
} from '@modelcontextprotocol/server';

import type { Caller } from '../../../shared/kernel/caller.ts';
import type { Invoke } from '../../../shared/kernel/call.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { PAYMENT_META } from '../../x402/tool_payments.ts';
import { keysInMeta } from '../../arguments/idempotency_keys.ts';
import type { Progress } from '../progress.ts';
import { callGeneric, isGeneric, type CallNamed } from '../sets/generic_tools.ts';
import { noSuch, tools } from '../tool_names.ts';
import type { ToolList } from '../tools.ts';
import { callTool, toolRefusal, type MessageSource } from './call.ts';

/** The caller, and the tools it is offered. */
export interface ToolOffer {
  readonly source: MessageSource;
  readonly list: () => ToolList;
  /** Undefined: there was no key. */
  readonly caller: Caller | undefined;
  /** Whether the list has the generic tools, which call every operation. */
  readonly hasGeneric?: boolean | undefined;
}

/** The `params` of a `tools/call`. */
interface CallParams {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The JSON-RPC request of a call. */
interface CallRequest {
  readonly id: RequestId;
  /** Sends the `params` of `notifications/progress` before the answer. */
  readonly notify: (report: Progress & { readonly progressToken: ProgressToken }) => void;
}

/** Rejects with a `ProtocolError` if there is no tool of this name: everything else is a result. */
export type ToolCaller = (params: CallParams, request: CallRequest) => Promise<CallToolResult>;

/** Calls tools by their names, as `tools/call` of every transport does. */
export function toolCaller(context: Context, invoke: Invoke, offer: ToolOffer): ToolCaller {
  const { source, list, caller, hasGeneric } = offer;

  async function call({ name, arguments: sent, _meta = {} }: CallParams, request: CallRequest) {
    const { progressToken, [PAYMENT_META]: paid } = _meta;
    const payment = paid === undefined ? undefined : () => paid;
    const token = progressToken as ProgressToken;
    const onProgress = (progress: Progress) =>
      request.notify({ progressToken: token, ...progress });
    const told = progressToken !== undefined && source.takesProgress ? { onProgress } : {};
    const run: CallNamed = async (op, args, inner = []) => {
      const keys = [...inner, ...(source.keys ?? []), ...keysInMeta(_meta)];
      const { id } = request;
      return (await callTool(context, invoke, source, { op, args, keys, payment, id, ...told }))
        .result;
    };
    if (hasGeneric && isGeneric(name)) return callGeneric(name, sent, caller, run);
    const op = tools.get(name);
    if (!op) throw noSuchTool(name, list());
    return run(op, sent);
  }

  return (params, request) =>
    call(params, request).catch((error: unknown) => {
      if (error instanceof ProtocolError) throw error;
      return toolRefusal(context, source.state, error).result;
    });
}

const noSuchTool = (name: string, list: ToolList) =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    noSuch('tool', name, [...list.tools.map((tool) => tool.name), ...tools.keys()], NAMED),
  );
const NAMED = 'tools/list names them all.';
