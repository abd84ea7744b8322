import type { Transaction } from 'algosdk';

import { ProgramRejected, type ProgramCall, type StateValue } from '../../program.ts';
import type { Instruction, Machine } from '../machine.ts';

const NOBODY = new Uint8Array(32);
const TYPES: readonly string[] = ['unknown', 'pay', 'keyreg', 'acfg', 'axfer', 'afrz', 'appl'];

type Fact = (transaction: Transaction, call: ProgramCall) => StateValue | number;

const FIELDS: Readonly<Record<string, Fact>> = {
  Sender: ({ sender }) => sender.publicKey,
  Fee: ({ fee }) => fee,
  FirstValid: ({ firstValid }) => firstValid,
  LastValid: ({ lastValid }) => lastValid,
  Note: ({ note }) => note,
  Lease: ({ lease }) => lease ?? NOBODY,
  Receiver: ({ payment }) => payment?.receiver.publicKey ?? NOBODY,
  Amount: ({ payment }) => payment?.amount ?? 0n,
  CloseRemainderTo: ({ payment }) => payment?.closeRemainderTo?.publicKey ?? NOBODY,
  Type: ({ type }) => new TextEncoder().encode(type),
  TypeEnum: ({ type }) => TYPES.indexOf(type),
  XferAsset: ({ assetTransfer }) => assetTransfer?.assetIndex ?? 0n,
  AssetAmount: ({ assetTransfer }) => assetTransfer?.amount ?? 0n,
  AssetReceiver: ({ assetTransfer }) => assetTransfer?.receiver.publicKey ?? NOBODY,
  AssetSender: ({ assetTransfer }) => assetTransfer?.assetSender?.publicKey ?? NOBODY,
  GroupIndex: (transaction, { group }) => group.indexOf(transaction),
  TxID: (transaction) => transaction.rawTxID(),
  // 0 in the call that creates the application.
  ApplicationID: ({ applicationCall }) => applicationCall?.appIndex ?? 0n,
  OnCompletion: ({ applicationCall }) => applicationCall?.onComplete ?? 0,
  NumAppArgs: ({ applicationCall }) => applicationCall?.appArgs.length ?? 0,
  RekeyTo: ({ rekeyTo }) => rekeyTo?.publicKey ?? NOBODY,
};

function fieldOf({ call }: Machine, field: string, index = call.index): StateValue | number {
  const transaction = call.group[index];
  if (!transaction) throw new ProgramRejected(`its group has no transaction ${index}`);
  const fact = FIELDS[field];
  if (!fact) throw new ProgramRejected(`this machine has no field ${field} of a transaction`);
  return fact(transaction, call);
}

function itemOf({ call }: Machine, field: string, item: number, index = call.index): Uint8Array {
  if (field !== 'ApplicationArgs') throw new ProgramRejected(`this machine has no list ${field}`);
  const args = call.group[index]?.applicationCall?.appArgs;
  const arg = args?.[item];
  if (!arg) throw new ProgramRejected(`there is no argument ${item}`);
  return arg;
}

const GLOBALS: Readonly<Record<string, (call: ProgramCall) => StateValue | number>> = {
  MinTxnFee: () => 1_000,
  MinBalance: () => 100_000,
  MaxTxnLife: () => 1_000,
  ZeroAddress: () => NOBODY,
  GroupSize: ({ group }) => group.length,
  Round: ({ round }) => round,
  LatestTimestamp: ({ timestamp }) => timestamp,
  CurrentApplicationID: ({ application }) => application.id,
  CreatorAddress: ({ application }) => application.creator.publicKey,
  CurrentApplicationAddress: ({ application }) => application.address.publicKey,
  GroupID: ({ group, index }) => group[index]!.group ?? NOBODY,
  OpcodeBudget: ({ budget }) => budget.left,
  CallerApplicationID: () => 0,
  CallerApplicationAddress: () => NOBODY,
  AssetCreateMinBalance: () => 100_000,
  AssetOptInMinBalance: () => 100_000,
  GenesisHash: ({ genesisHash }) => genesisHash,
};

/** Instructions for facts about the group, the chain and the application. */
export const FACTS: Readonly<Record<string, Instruction>> = {
  txn: (machine) => machine.stack.push(fieldOf(machine, machine.reader.txnField())),
  gtxn(machine) {
    const index = machine.reader.u8();
    machine.stack.push(fieldOf(machine, machine.reader.txnField(), index));
  },
  gtxns(machine) {
    const field = machine.reader.txnField();
    machine.stack.push(fieldOf(machine, field, machine.stack.size()));
  },
  txna(machine) {
    const field = machine.reader.txnField();
    machine.stack.push(itemOf(machine, field, machine.reader.u8()));
  },
  txnas(machine) {
    const field = machine.reader.txnField();
    machine.stack.push(itemOf(machine, field, machine.stack.size()));
  },
  gtxna(machine) {
    const index = machine.reader.u8();
    const field = machine.reader.txnField();
    machine.stack.push(itemOf(machine, field, machine.reader.u8(), index));
  },
  gtxnas(machine) {
    const index = machine.reader.u8();
    const field = machine.reader.txnField();
    machine.stack.push(itemOf(machine, field, machine.stack.size(), index));
  },
  gtxnsa(machine) {
    const field = machine.reader.txnField();
    const item = machine.reader.u8();
    machine.stack.push(itemOf(machine, field, item, machine.stack.size()));
  },
  gtxnsas(machine) {
    const field = machine.reader.txnField();
    const item = machine.stack.size();
    machine.stack.push(itemOf(machine, field, item, machine.stack.size()));
  },
  global(machine) {
    const field = machine.reader.globalField();
    const fact = GLOBALS[field];
    if (!fact) throw new ProgramRejected(`this machine has no global ${field}`);
    machine.stack.push(fact(machine.call));
  },
};
