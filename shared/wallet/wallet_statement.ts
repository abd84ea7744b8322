import { balanceOf, sumOf, type Kind } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { statementOf } from '../ledger/statement.ts';
import { operation } from '../kernel/operation.ts';
import { Amount, Input, invalid, List, Output, Paging, Text, Time } from '../kernel/schema.ts';

const LIMIT = 20;

export const walletStatement = operation({
  name: 'wallet_statement',
  title: 'Read the wallet statement',
  summary:
    'Lists every movement of money in or out of the wallet, newest first, each with the balance ' +
    'after it. Free.',
  access: 'read',
  mode: 'read',
  domain: 'wallet',
  rest: 'GET /api/v1/wallet/statement',
  input: Input({ ...Paging }),
  output: List(
    'entries',
    Output('StatementEntry', {
      entry_id: Text(1, 20, 'An integer.'),
      created_at: Time('When the money moved.'),
      kind: Text(1, 40, 'What it was for, e.g. order.hold.'),
      amount: Amount('Positive: into the wallet. Negative: out of it.'),
      balance_after: Amount('The balance that it left.'),
      ref: Output({
        kind: Text(1, 40, 'What it belongs to.'),
        id: Text(1, 20, 'The id of that.'),
      }),
      description: Text(1, 200, 'In words.'),
    }),
  ),

  async handle(tx, { limit = LIMIT, cursor }) {
    const { rootId } = tx.caller;
    const from = cursor === undefined ? undefined : read(cursor);
    const rows = await statementOf(tx.db, rootId, { limit: limit + 1, below: from?.below });
    const page = rows.slice(0, limit);

    let balance = from?.balance ?? sumOf(await balanceOf(tx.db, rootId));
    const entries = page.map(({ id, created_at, kind, ref, amount }) => {
      const after = balance;
      balance -= amount;
      // While an upgrade is rolled out, a kind may be newer than this process.
      return {
        entry_id: id,
        created_at: created_at.toISOString(),
        kind,
        amount: toUsd(amount),
        balance_after: toUsd(after),
        ref: { kind: REF_KINDS[kind] ?? kind, id: ref },
        description: DESCRIPTIONS[kind]?.(ref) ?? kind,
      };
    });
    const more = rows.length > limit;
    const next = more ? write({ below: page.at(-1)!.id, balance }) : null;
    return { entries, count: entries.length, next_cursor: next, has_more: more };
  },
});

/** What the ref of a kind is the id of. */
const REF_KINDS: Readonly<Record<Kind, string>> = {
  welcome: 'agent',
  goodwill: 'goodwill',
  deposit: 'deposit',
  'deposit.reversal': 'deposit_reversal',
  'deposit.owed': 'deposit_reversal',
  'deposit.restoration': 'deposit_reversal',
  'owed.payment': 'owed_payment',
  'order.hold': 'order',
  'order.release': 'order',
  'order.fee': 'order',
  'order.refund': 'order',
  'task.hold': 'task',
  'task.release': 'task',
  'task.refund': 'task',
  'labor.hold': 'labor_escrow',
  'labor.release': 'labor_claim',
  'labor.refund': 'labor_escrow',
  'withdrawal.hold': 'withdrawal',
  'withdrawal.paid': 'withdrawal',
  'withdrawal.refund': 'withdrawal',
  'proxy.charge': 'charge',
  'proxy.refund': 'charge_refund',
  'email.charge': 'charge',
  'token.charge': 'charge',
  'token.refund': 'charge_refund',
};

const DESCRIPTIONS: Readonly<Record<Kind, (ref: string) => string>> = {
  welcome: () => 'Welcome credit',
  goodwill: () => 'Goodwill credit',
  deposit: (ref) => `Deposit ${ref}`,
  'deposit.reversal': (ref) => `A deposit was taken back, reversal ${ref}`,
  'deposit.owed': (ref) => `Owed after reversal ${ref} of a deposit`,
  'deposit.restoration': (ref) => `A reversal of a deposit was undone, restoration ${ref}`,
  'owed.payment': (ref) => `Paid what was owed for a reversed deposit, payment ${ref}`,
  'order.hold': (ref) => `Paid into escrow for order ${ref}`,
  'order.release': (ref) => `Earned by order ${ref}`,
  'order.fee': (ref) => `Fee of order ${ref}`,
  'order.refund': (ref) => `Refund of order ${ref}`,
  'task.hold': (ref) => `Paid into escrow for task ${ref}`,
  'task.release': (ref) => `Earned by task ${ref}`,
  'task.refund': (ref) => `Back from the escrow of task ${ref}`,
  'labor.hold': (ref) => `Paid into escrow ${ref} of a labor task`,
  'labor.release': (ref) => `Earned by labor claim ${ref}`,
  'labor.refund': (ref) => `Back from escrow ${ref} of a labor task`,
  'withdrawal.hold': (ref) => `Held for withdrawal ${ref}`,
  'withdrawal.paid': (ref) => `Paid out by withdrawal ${ref}`,
  'withdrawal.refund': (ref) => `Back from withdrawal ${ref}`,
  'proxy.charge': (ref) => `Proxies, charge ${ref}`,
  'proxy.refund': (ref) => `Refund ${ref} for proxies that did not work`,
  'email.charge': (ref) => `Email validation, charge ${ref}`,
  'token.charge': (ref) => `A token, charge ${ref}`,
  'token.refund': (ref) => `Refund ${ref} for a token that was not issued`,
};

interface Position {
  readonly below: string;
  /** The balance after the first entry below it. */
  readonly balance: bigint;
}

/** The cursor carries the running balance, so a deep page costs no more than the first. */
const write = ({ below, balance }: Position): string =>
  Buffer.from(`${below}:${balance}`).toString('base64url');

function read(cursor: string): Position {
  const match = /^(\d{1,18}):(-?\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (!match) {
    throw invalid([{ pointer: '/cursor', message: 'is not a next_cursor of this list' }]);
  }
  return { below: match[1]!, balance: BigInt(match[2]!) };
}
