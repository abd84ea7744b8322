import {
  computeGroupID,
  decodeSignedTransaction,
  decodeUnsignedTransaction,
  encodeMsgpack,
  encodeUnsignedTransaction,
  type SignedTransaction,
  type Transaction,
} from 'algosdk';

import { msgpackEnd } from './msgpack_end.ts';
import { rejected, Rejected } from './rejected.ts';

const GROUP_MAX = 16;

/** The transactions of a request, which must be one group in the canonical encoding. */
export function readGroup(bytes: Uint8Array): SignedTransaction[] {
  const group: SignedTransaction[] = [];
  const buffer = Buffer.from(bytes);
  for (let start = 0; start < buffer.length;) {
    const end = msgpackEnd(buffer, start);
    group.push(readOne(buffer.subarray(start, end)));
    start = end;
  }
  assertGroup(group.map(({ txn }) => txn));
  return group;
}

function readOne(bytes: Buffer): SignedTransaction {
  try {
    const signed = decodeSignedTransaction(bytes);
    if (bytes.equals(encodeMsgpack(signed))) return signed;
  } catch (error) {
    throw new Rejected(`msgpack decode error: ${(error as Error).message}`);
  }
  throw new Rejected('msgpack decode error: not the canonical encoding');
}

function assertGroup(group: readonly Transaction[]): void {
  if (group.length === 0 || group.length > GROUP_MAX) {
    throw rejected(`group size ${group.length} is not of 1 to ${GROUP_MAX}`);
  }
  if (group.length === 1 && !group[0]!.group) return;
  if (group.some((txn) => !txn.group)) throw rejected('transactionGroup: incomplete group');
  const id = Buffer.from(computeGroupID(group.map(ungrouped)));
  if (group.some((txn) => !id.equals(txn.group!))) {
    throw rejected('transactionGroup: inconsistent group values');
  }
}

function ungrouped(txn: Transaction): Transaction {
  const copy = decodeUnsignedTransaction(encodeUnsignedTransaction(txn));
  delete copy.group;
  return copy;
}
