import { isBytes } from '../value_stack.ts';
import { ProgramRejected, type StateValue } from '../../program.ts';
import type { Instruction, Machine } from '../machine.ts';

const LOGS_MAX = 32;
const LOG_BYTES_MAX = 1_024;
const KEY_BYTES_MAX = 64;
const PAIR_BYTES_MAX = 128;

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const isThere = (value: StateValue | undefined) => value !== undefined;

/** Refuses a state with more values of a kind than were declared at its creation. */
function assertSchema({ global, call }: Machine): void {
  const values = [...new Map([...call.global, ...global]).values()].filter(isThere);
  const byteSlices = values.filter(isBytes).length;
  const { application } = call;
  if (byteSlices > application.byteSlices || values.length - byteSlices > application.ints) {
    throw new ProgramRejected('its global state has more values than its schema says');
  }
}

export const STATE: Readonly<Record<string, Instruction>> = {
  app_global_get({ stack, global, call }) {
    const key = hexOf(stack.bytes());
    stack.push((global.has(key) ? global.get(key) : call.global.get(key)) ?? 0n);
  },
  app_global_put(machine) {
    const { stack, global } = machine;
    const value = stack.pop();
    const key = stack.bytes();
    const size = key.length + (isBytes(value) ? value.length : 8);
    if (key.length > KEY_BYTES_MAX || size > PAIR_BYTES_MAX) {
      throw new ProgramRejected(`a key and its value have ${size} bytes`);
    }
    global.set(hexOf(key), value);
    assertSchema(machine);
  },
  app_global_del: ({ stack, global }) => void global.set(hexOf(stack.bytes()), undefined),
  log({ stack, logs }) {
    logs.push(stack.bytes());
    const bytes = logs.reduce((sum, line) => sum + line.length, 0);
    if (logs.length > LOGS_MAX || bytes > LOG_BYTES_MAX)
      throw new ProgramRejected('it logs too much');
  },
};
