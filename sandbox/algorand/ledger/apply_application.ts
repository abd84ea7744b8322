import { decodeAddress, getApplicationAddress, type Transaction } from 'algosdk';

import { ProgramRejected, type ProgramCall, type ProgramEffects } from '../program.ts';
import type { Block, Effects } from './effects.ts';
import { rejected } from './rejected.ts';
import { changeAccount, type Application, type State } from './state.ts';

const NO_OP = 0;
const PAGE_BYTES = 2048;
/** Balance that an account must keep for its applications and the values of their state. */
const KEPT = { page: 100_000n, int: 28_500n, byteSlice: 50_000n, box: 2_500n, boxByte: 400n };
const BOX_READ_BYTES = 1024;

/** Creates or calls an application. Its program decides, and may change its state and boxes. */
export function applyApplicationCall(state: State, txn: Transaction, block: Block): Effects {
  const { runProgram } = block;
  const { appIndex, onComplete } = txn.applicationCall!;
  if (onComplete !== NO_OP) throw rejected('this sandbox takes calls with NoOp only');
  const isCreation = !appIndex;
  const id = isCreation ? block.nextId : appIndex;
  const application = isCreation ? create(state, txn) : state.applications.get(id);
  if (!application) throw rejected(`application ${id} does not exist`);

  const boxNames = boxNamesOf(txn, id);
  assertReadable(application, boxNames, txn.applicationCall!.boxes.length);
  const call = callOf(application, { id, isCreation, block, boxNames });
  try {
    const effects = runProgram({ ...call, group: block.group, index: block.index });
    store(state, id, application, effects);
    return { ...(isCreation && { applicationIndex: id }), logs: effects.logs };
  } catch (error) {
    if (!(error instanceof ProgramRejected)) throw error;
    throw rejected(
      `transaction ${txn.txID()}: logic eval error: ${error.message}. Details: app=${id}`,
    );
  }
}

function create(state: State, txn: Transaction): Application {
  const fields = txn.applicationCall!;
  const { approvalProgram, clearProgram, extraPages, numGlobalInts, numGlobalByteSlices } = fields;
  const pages = 1 + extraPages;
  if (approvalProgram.length + clearProgram.length > PAGE_BYTES * pages) {
    throw rejected(`app programs too long. max total len ${PAGE_BYTES * pages}`);
  }
  if (fields.numLocalInts + fields.numLocalByteSlices > 0) {
    throw rejected('this sandbox keeps no local state');
  }
  const creator = txn.sender.toString();
  const kept =
    KEPT.page * BigInt(pages) +
    KEPT.int * BigInt(numGlobalInts) +
    KEPT.byteSlice * BigInt(numGlobalByteSlices);
  changeAccount(state, creator, ({ reserved }) => ({ reserved: reserved + kept }));
  return {
    creator,
    approvalProgram,
    clearProgram,
    extraPages,
    ints: numGlobalInts,
    byteSlices: numGlobalByteSlices,
    global: new Map(),
    boxes: new Map(),
  };
}

const boxNamesOf = (txn: Transaction, id: bigint): ReadonlySet<string> =>
  new Set(
    txn
      .applicationCall!.boxes.filter(({ appIndex }) => !appIndex || appIndex === id)
      .map(({ name }) => Buffer.from(name).toString('hex')),
  );

/** Refuses more bytes of boxes than the named boxes allow to read. */
function assertReadable({ boxes }: Application, names: ReadonlySet<string>, named: number): void {
  const bytes = [...names].reduce((sum, name) => sum + (boxes.get(name)?.length ?? 0), 0);
  if (bytes <= named * BOX_READ_BYTES) return;
  throw rejected(`box read budget (${named * BOX_READ_BYTES}) exceeded`);
}

function callOf(
  application: Application,
  about: Pick<ProgramCall, 'isCreation' | 'boxNames'> & { id: bigint; block: Block },
): Omit<ProgramCall, 'group' | 'index'> {
  const { id, isCreation, boxNames, block } = about;
  const { approvalProgram, creator, ints, byteSlices, global, boxes } = application;
  const { round, timestamp, genesisHash, budget } = block;
  return {
    program: approvalProgram,
    application: {
      id,
      address: getApplicationAddress(id),
      creator: decodeAddress(creator),
      ints,
      byteSlices,
    },
    isCreation,
    round,
    timestamp,
    genesisHash,
    budget,
    global,
    boxes,
    boxNames,
  };
}

function store(state: State, id: bigint, before: Application, effects: ProgramEffects): void {
  const global = changed(before.global, effects.global);
  const boxes = changed(before.boxes, effects.boxes);
  state.applications.set(id, { ...before, global, boxes });
  const kept = [...effects.boxes].reduce(
    (sum, [name, value]) => sum + keptFor(name, value) - keptFor(name, before.boxes.get(name)),
    0n,
  );
  const address = getApplicationAddress(id).toString();
  if (kept !== 0n) changeAccount(state, address, ({ reserved }) => ({ reserved: reserved + kept }));
}

const keptFor = (name: string, value: Uint8Array | undefined): bigint =>
  value ? KEPT.box + KEPT.boxByte * BigInt(name.length / 2 + value.length) : 0n;

function changed<V>(
  before: ReadonlyMap<string, V>,
  changes: ReadonlyMap<string, V | undefined>,
): ReadonlyMap<string, V> {
  if (changes.size === 0) return before;
  const after = new Map(before);
  for (const [name, value] of changes) {
    if (value === undefined) after.delete(name);
    else after.set(name, value);
  }
  return after;
}
