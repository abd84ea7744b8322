import type { Context } from '../../../shared/composition/context.ts';
import type { CallBody } from '../../../shared/kernel/call.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { readArguments, type SentArguments } from '../../arguments/call_arguments.ts';
import { NAMED_MAX } from '../../arguments/ignored.ts';
import { waitPreferenceOf } from '../../http/wait_preference.ts';

/** The arguments of a tool call, as they were sent. */
export interface ToolArguments extends Pick<SentArguments, 'op' | 'args' | 'keys'> {
  /** Unknown names beside the arguments, which nothing reads. */
  readonly strays?: readonly string[];
}

/**
 * Arguments that clients add to a tool call by themselves: all but the last by n8n (its issues
 * 21500, 21716 and 37308), the last by Cursor for a tool without fields. None of them can be a
 * misspelt field that sets a limit.
 */
export const OF_CLIENTS = ['toolCallId', 'sessionId', 'action', 'chatInput', 'random_string'];

/** Reads the arguments of a tool call as those of its operation. */
export function bodyOf(context: Context, { strays = [], ...sent }: ToolArguments): CallBody {
  if (sent.op.mode !== 'read' && strays.length > 0) {
    const message = 'is not read here: fields of the tool belong in params';
    throw invalid(strays.slice(0, NAMED_MAX).map((name) => ({ pointer: `/${name}`, message })));
  }
  const { input, key, wait, isDryRun } = readArguments({ ...sent, addedByClients: OF_CLIENTS });
  const { waitMs } = waitPreferenceOf(sent.op, wait, undefined, context.config.api.waitMs);
  return { input, key, waitMs, isDryRun };
}
