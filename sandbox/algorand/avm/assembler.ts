import { createHash } from 'node:crypto';

import { BY_NAME, GLOBAL_FIELDS, TXN_FIELDS, VERSION_MAX, type Operand } from './opcodes.ts';
import { bytesOf, linesOf, type Line } from './teal_text.ts';

interface Program {
  readonly bytes: Uint8Array;
  /** SHA-512/256 of "Program" and the bytes, which Algorand's compiler answers as an address. */
  readonly hash: Uint8Array;
}

/** A program that cannot be assembled: the line, and the reason. */
export class TealError extends Error {}

/**
 * Assembles TEAL with explicit constants: intcblock, bytecblock, pushint, pushbytes. `int`, `byte`,
 * `addr` and `method` are missing: their bytes are chosen by Algorand's own assembler.
 */
export function assemble(source: string): Program {
  const [pragma, ...lines] = linesOf(source);
  const version = Number(/^#pragma version (\d+)$/.exec(pragma?.words.join(' ') ?? '')?.[1]);
  if (!(version <= VERSION_MAX)) {
    throw new TealError(`line 1: must be "#pragma version" and a number up to ${VERSION_MAX}`);
  }
  const bytes = [...varuint(BigInt(version))];
  const labels = new Map<string, number>();
  const jumps: Jump[] = [];
  for (const line of lines) {
    try {
      const label = /^([^"\s]+):$/.exec(line.words[0]!)?.[1];
      if (label === undefined) emit(line.words, { version, bytes, jumps, line });
      else if (labels.has(label)) throw new TealError(`the label ${label} is there twice`);
      else labels.set(label, bytes.length);
    } catch (error) {
      throw new TealError(`line ${line.number}: ${(error as Error).message}`);
    }
  }
  for (const jump of jumps) resolve(jump, labels, bytes);
  const program = Uint8Array.from(bytes);
  const hash = createHash('sha512-256').update('Program').update(program).digest();
  return { bytes: program, hash: new Uint8Array(hash) };
}

/** Two bytes for the distance from the end of an instruction to a label. */
interface Jump {
  readonly at: number;
  readonly from: number;
  readonly label: string;
  readonly line: Line;
}

interface Output {
  readonly version: number;
  readonly bytes: number[];
  readonly jumps: Jump[];
  readonly line: Line;
}

function emit([written, ...words]: readonly string[], output: Output): void {
  const [name, operands] = shortest(written!, words);
  const op = BY_NAME.get(name);
  if (!op) throw new TealError(`there is no opcode ${name} here`);
  if (op.since > output.version) throw new TealError(`${name} is of version ${op.since}`);
  const { bytes, jumps, line } = output;
  bytes.push(op.code);
  const waiting: { at: number; label: string }[] = [];
  for (const kind of op.operands) {
    const isList = ['uints', 'byteses', 'labels'].includes(kind);
    const taken = operands.splice(0, isList ? operands.length : 1);
    if (taken.length === 0 && !isList) throw new TealError(`${name} lacks an operand`);
    if (isList) bytes.push(...varuint(BigInt(taken.length)));
    for (const word of taken) {
      if (kind === 'label' || kind === 'labels') {
        waiting.push({ at: bytes.length, label: word });
        bytes.push(0, 0);
      } else bytes.push(...encoded(kind, word));
    }
  }
  if (operands.length > 0) throw new TealError(`${name} has an operand too many: ${operands[0]}`);
  jumps.push(...waiting.map((jump) => ({ ...jump, from: bytes.length, line })));
}

/** The first four constants have opcodes of their own. */
function shortest(name: string, words: readonly string[]): [string, string[]] {
  const isShort = (name === 'intc' || name === 'bytec') && /^[0-3]$/.test(words.join(' '));
  return isShort ? [`${name}_${words[0]}`, []] : [name, [...words]];
}

function encoded(kind: Operand, word: string): Iterable<number> {
  switch (kind) {
    case 'u8':
      return [between(0, Number(word), 255)];
    case 'i8':
      return [between(-128, Number(word), 127) & 255];
    case 'txn':
    case 'txna':
      return [fieldNumber(TXN_FIELDS, word)];
    case 'global':
      return [fieldNumber(GLOBAL_FIELDS, word)];
    case 'bytes':
    case 'byteses': {
      const bytes = bytesOf(word);
      return [...varuint(BigInt(bytes.length)), ...bytes];
    }
    default:
      if (!/^\d+$/.test(word) || BigInt(word) >= 2n ** 64n) {
        throw new TealError(`${word} is no number of 64 bits`);
      }
      return varuint(BigInt(word));
  }
}

function between(least: number, number: number, most: number): number {
  if (Number.isInteger(number) && least <= number && number <= most) return number;
  throw new TealError(`an operand is no whole number from ${least} to ${most}`);
}

function fieldNumber(fields: readonly string[], name: string): number {
  const number = fields.indexOf(name);
  if (number < 0) throw new TealError(`there is no field ${name} here`);
  return number;
}

function resolve(
  { at, from, label, line }: Jump,
  labels: ReadonlyMap<string, number>,
  bytes: number[],
): void {
  const target = labels.get(label);
  if (target === undefined) throw new TealError(`line ${line.number}: no label ${label}`);
  const distance = target - from;
  if (Math.abs(distance) > 32_767) throw new TealError(`line ${line.number}: it is too far`);
  bytes[at] = (distance >> 8) & 255;
  bytes[at + 1] = distance & 255;
}

/** Encodes seven bits a byte, lowest first; the highest bit says that more follow. */
function varuint(number: bigint): number[] {
  const bytes: number[] = [];
  let rest = number;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}
