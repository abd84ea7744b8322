import { facilitatorStates } from '../x402/facilitators/states.ts';
import { settingsOf } from '../deposits/rails.ts';
import { CHAIN_RAILS, networkOf } from '../deposits/chain/networks.ts';
import { railOf } from '../deposits/chain/recipients.ts';
import { comparedBalances } from '../deposits/balances/gaps.ts';
import { PriceView, priceStatus } from '../deposits/prices/price_status.ts';
import { ProviderView, providerStatus } from '../deposits/providers/provider_status.ts';
import { sumsOfUnclaimed } from '../deposits/unclaimed/unclaimed_sums.ts';
import type { Config } from '../../composition/config.ts';
import { RAILS, type Rail } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Amount, Input, Nullable, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import { column, nullable, oneOf, rows } from '../../platform/rows.ts';

export const railsStatus = operation({
  name: 'rails_status',
  title: 'Show the state of payment rails',
  summary:
    'Operators: shows for each way for money to come in whether it is on, the settings it lacks, ' +
    'and how far its network was searched; the providers of networks, what they take and are ' +
    'asked; the last prices; and the wallets that pay out.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/rails',
  bindings: { tool: false },
  input: Input({}),
  output: Output('RailsStatus', {
    rails: Type.Array(
      Output({
        rail: OneOf(RAILS, 'A way for money to come in.'),
        network: Nullable(Type.String({ description: 'Its network; null: the rail is off.' })),
        needs: Type.Array(Type.String(), {
          maxItems: 5,
          description: 'Settings that turn it on, if it is off.',
        }),
        searched_to: Nullable(Type.Integer({ description: 'Last block searched.' })),
        caught_up_at: Nullable(Time('Last time when all blocks were searched.')),
        fault: Nullable(Type.String({ description: 'The fault that stopped the search.' })),
        looked_again_to: Nullable(Type.Integer({ description: 'Last block looked at again.' })),
        found_again: Nullable(
          Type.Integer({ description: 'Payments that only the second look has found.' }),
        ),
        unbound: Nullable(Type.Integer({ description: 'Payments that are credited to nobody.' })),
        unbound_usd: Nullable(
          Amount('Their value. x402: received outside any payment. null: the rail is off.'),
        ),
        balances_at: Nullable(
          Time('Oldest comparison of our addresses with the books; null: not all were, or cannot.'),
        ),
        balance_gaps: Nullable(
          Type.Integer({ description: 'Addresses that hold another amount than the books say.' }),
        ),
        balances_fault: Nullable(
          Type.String({ description: 'Why balances cannot be read; null: they can.' }),
        ),
        waiting: Type.Integer({ description: 'Payments seen and not credited yet.' }),
        last_credited_at: Nullable(Time('Last credit of a payment within seven days.')),
      }),
      { maxItems: RAILS.length, description: 'All rails.' },
    ),
    providers: Type.Array(ProviderView.schema, {
      maxItems: 200,
      description: 'Providers of chains that were asked in the last two days.',
    }),
    prices: Type.Array(PriceView, {
      maxItems: 20,
      description: 'Last prices of the assets that are taken.',
    }),
    wallets: Type.Array(
      Output({
        address: Type.String({ description: 'Address of the wallet.' }),
        usdc: Nullable(Amount('Its USDC at looked_at.')),
        payments: Nullable(Type.Integer({ description: 'Payments its gas suffices for.' })),
        looked_at: Nullable(Time('Last look at the wallet.')),
        fault: Nullable(Type.String({ description: 'The fault that stops payments.' })),
      }),
      { maxItems: 20, description: 'Wallets that pay out, newest first.' },
    ),
    facilitators: Type.Array(
      Output({
        facilitator: Type.String({ description: 'Its host.' }),
        access: OneOf(['none', 'token', 'jwt'], 'How our requests to it are authorized.'),
        asked_at: Nullable(Time('Last request to it within an hour; null: none.')),
        failing_since: Nullable(Time('Start of its faults; null: it answers.')),
        fault: Nullable(Type.String({ description: 'Its faults, by path.' })),
      }),
      { maxItems: 10, description: 'Facilitators of payments by x402, in their order.' },
    ),
  }),

  async handle({ db, config }) {
    const cursors = await rows(
      db,
      CURSOR,
      `select network, position, caught_up_at, fault, looked_again, found_again
         from chain_cursor`,
    );
    const unclaimed = await sumsOfUnclaimed(db);
    const { network: chain, asset, payTo } = config.x402 ?? {};
    const [compared] = await rows(db, COMPARED, COMPARED_SQL, [chain, asset, payTo]);
    const deposits = await rows(db, DEPOSITS, SEEN);
    const wallets = await rows(
      db,
      WALLET,
      `select address, usdc, gas_payments, looked_at, coalesce(unanswered, fault) as fault
         from hot_wallet
        order by id desc limit 20`,
    );
    const facilitators = await facilitatorStates(db, config.x402);
    const balances = await comparedBalances(db, config);
    return {
      facilitators: facilitators.map(({ name, access, askedAt, faults }) => ({
        facilitator: name,
        access,
        asked_at: askedAt?.toISOString() ?? null,
        failing_since: faults[0]?.failing_since?.toISOString() ?? null,
        fault: faults.map(({ endpoint, fault }) => `${endpoint}: ${fault}`).join('; ') || null,
      })),
      rails: RAILS.map((rail) => {
        const network = networkFor(config, rail);
        const cursor = rail === 'x402' ? compared : cursors.find((one) => one.network === network);
        const unbound =
          cursor && (unclaimed.find((one) => one.rail === rail) ?? { count: 0, usd: 0 });
        const seen = deposits.find((one) => one.rail === rail);
        const balance = balances.find((one) => one.rail === rail);
        return {
          rail,
          network,
          needs: network === null ? [...settingsOf(rail)] : [],
          searched_to: cursor?.position ?? null,
          caught_up_at: cursor?.caught_up_at?.toISOString() ?? null,
          fault: cursor?.fault ?? null,
          looked_again_to: cursor?.looked_again ?? null,
          found_again: cursor?.found_again ?? null,
          unbound: unbound?.count ?? null,
          unbound_usd: unbound?.usd ?? null,
          balances_at: balance?.readAt?.toISOString() ?? null,
          balance_gaps: balance?.gaps ?? null,
          balances_fault: balance?.fault ?? null,
          waiting: seen?.waiting ?? 0,
          last_credited_at: seen?.last_credited_at?.toISOString() ?? null,
        };
      }),
      providers: await providerStatus(db),
      prices: await priceStatus(db, config),
      wallets: wallets.map(({ usdc, gas_payments, looked_at, ...wallet }) => ({
        ...wallet,
        usdc: usdc === null ? null : toUsd(usdc),
        payments: gas_payments,
        looked_at: looked_at?.toISOString() ?? null,
      })),
    };
  },
});

/** The network where a rail takes money, as deposits name it; null: the rail is off. */
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
  looked_again: nullable(column.int),
  found_again: nullable(column.int),
};
const COMPARED = {
  position: nullable(column.int),
  caught_up_at: nullable(column.time),
  fault: nullable(column.text),
  looked_again: nullable(column.int),
  found_again: nullable(column.int),
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

/** SQL: waiting deposits by their index, and of the others the newest, by id. */
const SEEN = `
  select rail, sum(waiting)::int as waiting, max(credited_at) as last_credited_at
    from (select rail, 1 as waiting, null::timestamptz as credited_at from deposit
           where look_at is not null
          union all
          select rail, 0, credited_at
            from (select rail, credited_at, created_at from deposit order by id desc limit 1000) d
           where created_at > now() - interval '7 days') seen
   group by rail`;

/** How far the address that is paid by x402 was read. */
const COMPARED_SQL = `
  select compared_to as position, caught_up_at, fault,
         null::bigint as looked_again, null::bigint as found_again
    from x402_cursor where (network, asset, pay_to) = ($1, $2, lower($3))`;
