import { createHash } from 'node:crypto';

import algosdk, { type ABIValue, type Address } from 'algosdk';

import { run } from '../../sandbox/algorand/avm/run.ts';
import type { StateValue } from '../../sandbox/algorand/program.ts';
import { ARC72 } from '../../shared/domains/tokens/arc72/arc72_program.ts';

/** Facts of the network that a call is told; nothing that it looks at. */
const PARAMS = {
  fee: 1_000n,
  flatFee: true,
  minFee: 1_000n,
  firstValid: 1n,
  lastValid: 1_000n,
  genesisID: 'a test',
  genesisHash: new Uint8Array(32).fill(1),
};
const APP = 1_005n;

interface Answer {
  readonly value: ABIValue | undefined;
  /** The other logs, in hex. */
  readonly events: readonly string[];
  /** Used part of its budget of 700. */
  readonly cost: number;
}

/** Our contract on the machine, with what it keeps between calls. */
export interface Contract {
  readonly creator: Address;
  readonly boxes: ReadonlyMap<string, Uint8Array>;
  call(sender: Address, signature: string, ...args: ABIValue[]): Answer;
  /** A call whose arguments nothing has encoded. */
  callRaw(sender: Address, args: readonly Uint8Array[], onComplete?: number): Answer;
}

export const newAddress = (): Address => algosdk.generateAccount().addr;
export const ZERO = algosdk.Address.zeroAddress();

export function openContract(): Contract {
  const creator = newAddress();
  let global: ReadonlyMap<string, StateValue> = new Map();
  let boxes: ReadonlyMap<string, Uint8Array> = new Map();

  const people = new Map<string, Uint8Array>();

  function perform(sender: Address, appArgs: readonly Uint8Array[], onComplete = 0, isNew = false) {
    for (const key of [sender.publicKey, ...wordsOf(appArgs)]) people.set(String(key), key);
    const names = boxesOf(wordsOf(appArgs), [...people.values()]);
    const call = algosdk.makeApplicationCallTxnFromObject({
      sender,
      appIndex: isNew ? 0n : APP,
      onComplete,
      appArgs: [...appArgs],
      boxes: names.map((name) => ({ appIndex: 0, name })),
      suggestedParams: PARAMS,
      ...(isNew && {
        approvalProgram: bytesOf(ARC72.approval),
        clearProgram: bytesOf(ARC72.clear),
      }),
    });
    const budget = { left: 700 };
    const effects = run({
      program: bytesOf(ARC72.approval),
      group: [call],
      index: 0,
      application: {
        id: APP,
        address: algosdk.getApplicationAddress(APP),
        creator,
        ints: 1,
        byteSlices: 0,
      },
      isCreation: isNew,
      round: 1n,
      timestamp: 1n,
      genesisHash: PARAMS.genesisHash,
      budget,
      global,
      boxes,
      boxNames: new Set(names.map((name) => Buffer.from(name).toString('hex'))),
    });
    global = withChanges(global, effects.global);
    boxes = withChanges(boxes, effects.boxes);
    return { logs: effects.logs, cost: 700 - budget.left };
  }

  const callRaw: Contract['callRaw'] = (sender, args, onComplete) => {
    const { logs, cost } = perform(sender, args, onComplete);
    return { value: undefined, events: logs.map((log) => Buffer.from(log).toString('hex')), cost };
  };

  perform(creator, [], 0, true);
  return {
    creator,
    get boxes() {
      return boxes;
    },
    callRaw,
    call(sender, signature, ...args) {
      const method = algosdk.ABIMethod.fromSignature(signature);
      const encoded = method.args.map(({ type }, n) => (type as algosdk.ABIType).encode(args[n]!));
      const { events, cost } = callRaw(sender, [method.getSelector(), ...encoded]);
      const { type } = method.returns;
      if (type === 'void') return { value: undefined, events, cost };
      const answer = events.at(-1)!;
      if (!answer.startsWith('151f7c75')) throw new Error(`it answered ${answer}`);
      const value = type.decode(new Uint8Array(Buffer.from(answer.slice(8), 'hex')));
      return { value, events: events.slice(0, -1), cost };
    },
  };
}

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

function withChanges<V>(
  before: ReadonlyMap<string, V>,
  changes: ReadonlyMap<string, V | undefined>,
): ReadonlyMap<string, V> {
  const after = new Map([...before, ...changes]);
  return new Map([...after].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

const wordsOf = ([, ...args]: readonly Uint8Array[]): Uint8Array[] =>
  args.filter(({ length }) => length === 32);

/** All that a call could touch: of each word, as a number and as an address; and of each pair. */
function boxesOf(words: readonly Uint8Array[], people: readonly Uint8Array[]): Uint8Array[] {
  const pairs = people.flatMap((owner) => people.map((operator) => [owner, operator]));
  return [
    ...words.map((word) => named('t', word)),
    ...words.map((word) => named('b', word)),
    ...pairs.map((pair) => named('o', createHash('sha256').update(Buffer.concat(pair)).digest())),
  ];
}

const named = (letter: string, name: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from(letter), name]));
