import type { Question } from './question.ts';

/** The blocks of a question about logs. */
interface LogRange {
  readonly blocks: number;
  /** The same question about at most so many blocks each, oldest first. */
  split(blocksMax: number): readonly Question[];
}

/** Undefined: it is another question, or one without numbers of blocks. */
export function openLogRange([method, params]: Question): LogRange | undefined {
  if (method !== 'eth_getLogs') return undefined;
  const [filter] = params as [{ readonly fromBlock?: unknown; readonly toBlock?: unknown }];
  const [from, to] = [numberIn(filter?.fromBlock), numberIn(filter?.toBlock)];
  if (from === undefined || to === undefined || from > to) return undefined;
  return {
    blocks: to - from + 1,
    split: (blocksMax) =>
      Array.from({ length: Math.ceil((to - from + 1) / blocksMax) }, (_, piece): Question => {
        const first = from + piece * blocksMax;
        const last = Math.min(first + blocksMax - 1, to);
        return [method, [{ ...filter, fromBlock: hexOf(first), toBlock: hexOf(last) }]];
      }),
  };
}

const numberIn = (block: unknown): number | undefined =>
  typeof block === 'string' && /^0x[\da-f]{1,13}$/i.test(block) ? Number(block) : undefined;

const hexOf = (number: number) => `0x${number.toString(16)}`;
