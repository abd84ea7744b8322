import { ProgramRejected } from '../../program.ts';
import type { Instruction, Machine } from '../machine.ts';
import { partOf, replaced } from './byte_strings.ts';

const NAME_BYTES_MAX = 64;
const BOX_BYTES_MAX = 32_768;
/** Bytes of boxes that may be written for each reference to a box. */
const WRITTEN_BYTES_MAX = 1_024;

/** Takes the name of a box off the stack. The transaction must refer to the box. */
function nameOf({ stack, call }: Machine): string {
  const name = stack.bytes();
  if (name.length === 0 || name.length > NAME_BYTES_MAX) {
    throw new ProgramRejected(`a box has a name of ${name.length} bytes; it may have 1 to 64`);
  }
  const hex = Buffer.from(name).toString('hex');
  if (!call.boxNames.has(hex))
    throw new ProgramRejected(`no transaction refers to the box 0x${hex}`);
  return hex;
}

const find = ({ boxes, call }: Machine, name: string): Uint8Array | undefined =>
  boxes.has(name) ? boxes.get(name) : call.boxes.get(name);

function boxOf(machine: Machine, name: string): Uint8Array {
  const box = find(machine, name);
  if (!box) throw new ProgramRejected(`there is no box 0x${name}`);
  return box;
}

function write({ boxes, call }: Machine, name: string, value: Uint8Array): void {
  if (value.length > BOX_BYTES_MAX) throw new ProgramRejected(`a box has ${value.length} bytes`);
  boxes.set(name, value);
  const bytes = [...boxes.values()].reduce((sum, box) => sum + (box?.length ?? 0), 0);
  const references = call.group[call.index]!.applicationCall!.boxes.length;
  if (bytes > references * WRITTEN_BYTES_MAX) {
    throw new ProgramRejected(`${references} references are too few to write ${bytes} bytes`);
  }
}

function assertSize(box: Uint8Array | undefined, bytes: number): void {
  if (box && box.length !== bytes) throw new ProgramRejected(`the box has ${box.length} bytes`);
}

export const BOXES: Readonly<Record<string, Instruction>> = {
  box_create(machine) {
    const bytes = machine.stack.size();
    const name = nameOf(machine);
    const box = find(machine, name);
    assertSize(box, bytes);
    if (bytes > BOX_BYTES_MAX) throw new ProgramRejected(`a box has ${bytes} bytes`);
    if (!box) write(machine, name, new Uint8Array(bytes));
    machine.stack.push(!box);
  },
  box_put(machine) {
    const value = machine.stack.bytes();
    const name = nameOf(machine);
    assertSize(find(machine, name), value.length);
    write(machine, name, value);
  },
  box_get(machine) {
    const box = find(machine, nameOf(machine));
    machine.stack.push(box ?? new Uint8Array());
    machine.stack.push(box !== undefined);
  },
  box_len(machine) {
    const box = find(machine, nameOf(machine));
    machine.stack.push(box?.length ?? 0);
    machine.stack.push(box !== undefined);
  },
  box_del(machine) {
    const name = nameOf(machine);
    machine.stack.push(find(machine, name) !== undefined);
    machine.boxes.set(name, undefined);
  },
  box_extract(machine) {
    const [length, start] = [machine.stack.size(), machine.stack.size()];
    machine.stack.push(partOf(boxOf(machine, nameOf(machine)), start, length));
  },
  box_replace(machine) {
    const by = machine.stack.bytes();
    const start = machine.stack.size();
    const name = nameOf(machine);
    write(machine, name, replaced(boxOf(machine, name), start, by));
  },
  box_splice(machine) {
    const by = machine.stack.bytes();
    const [length, start] = [machine.stack.size(), machine.stack.size()];
    const name = nameOf(machine);
    const box = boxOf(machine, name);
    if (start > box.length) throw new ProgramRejected(`the box has ${box.length} bytes`);
    // The box keeps its length: extra bytes are cut off, missing ones are zeros.
    const joined = Buffer.concat([box.slice(0, start), by, box.slice(start + length)]);
    const spliced = new Uint8Array(box.length);
    spliced.set(joined.subarray(0, box.length));
    write(machine, name, spliced);
  },
  box_resize(machine) {
    const bytes = machine.stack.size();
    const name = nameOf(machine);
    const box = boxOf(machine, name);
    if (bytes > BOX_BYTES_MAX) throw new ProgramRejected(`a box has ${bytes} bytes`);
    const resized = new Uint8Array(bytes);
    resized.set(box.slice(0, bytes));
    write(machine, name, resized);
  },
};
