import { settingsOf } from '../deposits/rails.ts';
import { CHAIN_RAILS, networkOf } from '../deposits/chain/networks.ts';
import { railOf } from '../deposits/chain/recipients.ts';
import type { Config } from '../composition/config.ts';
import { RAILS, type Rail } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { Amount, Input, Nullable, OneOf, Output, Time, Type } from '../kernel/schema.ts';
import { column, nullable, oneOf, rows } from '../platform/rows.ts';

export const railsStatus = operation({
  name: 'rails_status',
  title: 'Show whether money can come in and go out',
  summary:
    'Operators: shows each way for money to come in, whether it is on and what is missing where ' +
    'it is not, how far its network was searched, and the wallets that pay out.',
  access: 'operator',
  mode: 'read',
  domain: 'operators',
  rest: 'GET /api/v1/admin/rails',
  tool: false,
  input: Input({}),
  output: Output('RailsStatus', {
    rails: Type.Array(
      Output({
        rail: OneOf(RAILS, 'A way for money to come in.'),
        network: Nullable(Type.String({ description: 'Where; null: it is off.' })),
        needs: Type.Array(Type.String(), {
          maxItems: 5,
          description: 'Settings that turn it on, where it is off.',
        }),
        searched_to: Nullable(Type.Integer({ description: 'The last block that was searched.' })),
        caught_up_at: Nullable(Time('When nothing was left to be searched.')),
        fault: Nullable(Type.String({ description: 'Why it was not searched further.' })),
        unbound: Nullable(
          Type.Integer({ description: 'Payments of nobody, or worth too little, so far.' }),
        ),
        waiting: Type.Integer({ description: 'Payments that are seen and not credited yet.' }),
        last_credited_at: Nullable(Time('When a payment was last credited, of seven days.')),
      }),
      { maxItems: RAILS.length, description: 'All rails.' },
    ),
    wallets: Type.Array(
      Output({
        address: Type.String({ description: 'Of the wallet that pays out.' }),
        usdc: Nullable(Amount('In it, when it was last looked at.')),
        payments: Nullable(Type.Integer({ description: 'For how many its gas suffices.' })),
        looked_at: Nullable(Time('When that was so.')),
        fault: Nullable(Type.String({ description: 'Why no payment begins; null: they do.' })),
      }),
      { maxItems: 20, description: 'The newest first.' },
    ),
  }),

  async handle({ db, config }) {
    const cursors = await rows(
      db,
      CURSOR,
      'select network, position, caught_up_at, fault, unbound from chain_cursor',
    );
    const deposits = await rows(db, DEPOSITS, SEEN);
    const wallets = await rows(
      db,
      WALLET,
      `select address, usdc, gas_payments, looked_at, fault from hot_wallet
        order by id desc limit 20`,
    );
    return {
      rails: RAILS.map((rail) => {
        const network = networkFor(config, rail);
        const cursor = cursors.find((one) => one.network === network);
        const seen = deposits.find((one) => one.rail === rail);
        return {
          rail,
          network,
          needs: network === null ? [...settingsOf(rail)] : [],
          searched_to: cursor?.position ?? null,
          caught_up_at: cursor?.caught_up_at.toISOString() ?? null,
          fault: cursor?.fault ?? null,
          unbound: cursor?.unbound ?? null,
          waiting: seen?.waiting ?? 0,
          last_credited_at: seen?.last_credited_at?.toISOString() ?? null,
        };
      }),
      wallets: wallets.map(({ usdc, gas_payments, looked_at, ...wallet }) => ({
        ...wallet,
        usdc: usdc === null ? null : toUsd(usdc),
        payments: gas_payments,
        looked_at: looked_at?.toISOString() ?? null,
      })),
    };
  },
});

/** Where a rail takes money, as deposits name it; null: it is off. */
function networkFor(config: Config, rail: Rail): string | null {
  if (rail === 'card') return config.deposits.card?.network ?? null;
  if (rail === 'x402') return config.x402?.networkV1 ?? null;
  const settings = CHAIN_RAILS.includes(rail) ? railOf(config, rail) : undefined;
  return settings ? networkOf(rail, settings) : null;
}

const CURSOR = {
  network: column.text,
  position: nullable(column.int),
  caught_up_at: column.time,
  fault: nullable(column.text),
  unbound: column.int,
};
const DEPOSITS = {
  rail: oneOf<Rail>(),
  waiting: column.int,
  last_credited_at: nullable(column.time),
};
const WALLET = {
  address: column.text,
  usdc: nullable(column.micros),
  gas_payments: nullable(column.int),
  looked_at: nullable(column.time),
  fault: nullable(column.text),
};

/** What waits has an index; of the rest the newest are looked at, which ids are the order of. */
const SEEN = `
  select rail, sum(waiting)::int as waiting, max(credited_at) as last_credited_at
    from (select rail, 1 as waiting, null::timestamptz as credited_at from deposit
           where look_at is not null
          union all
          select rail, 0, credited_at
            from (select rail, credited_at, created_at from deposit order by id desc limit 1000) d
           where created_at > now() - interval '7 days') seen
   group by rail`;
