import { agentsAsked } from '../agents/tree/below.ts';
import { cardReserve, withdrawableOf } from '../deposits/card/card_reserve.ts';
import { DepositMethod, depositMethods } from '../deposits/rails.ts';
import { findHoldings } from '../ledger/holdings.ts';
import { sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { NextTier, nextTierOf, tierOf } from '../ledger/tiers.ts';
import type { Config } from '../composition/config.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { RATE_WINDOW_SECONDS, TIERS, type Tier } from '../kernel/rate_limit.ts';
import { Amount, Input, Nullable, OneOf, Output, Type } from '../kernel/schema.ts';
import { column, nullable, row } from '../platform/rows.ts';
import { findHeld, findIncoming, MoneyOnItsWay } from './places/places.ts';

export const getWallet = operation({
  name: 'get_wallet',
  title: 'Get the wallet',
  summary:
    'Shows what you can spend, what is held in escrow, and what you spent today against your ' +
    'limit. A child agent sees the treasury of its owner and its own daily spend. Free.',
  access: 'read',
  mode: 'read',
  domain: 'wallet',
  rest: 'GET /api/v1/wallet',
  core: true,
  input: Input({
    details: Type.Optional(
      Type.Boolean({ description: 'With held and incoming, listed; false if absent.' }),
    ),
  }),
  output: Output('Wallet', {
    balance: Amount('What can be spent: cash and credit.'),
    cash: Amount('The part that was paid in or earned.'),
    withdrawable: Amount('Of the cash, now: money by card waits.'),
    credit: Amount('The part that was given: spendable, spent first, never withdrawable.'),
    in_escrow: Amount('Held for what this tree has open, and for withdrawals.'),
    owed: Amount(
      'For payments taken back after they were spent. Above 0, nothing can be spent; what comes ' +
        'in pays it.',
    ),
    currency: Type.Literal('USD'),
    tier: OneOf(TIERS, 'Rises with settled inflow.'),
    settled_inflow: Amount('Deposits and cleared sales of this tree so far, in cash.'),
    next_tier: NextTier,
    daily_spend: Amount('Spent today (UTC) by this agent and its children.'),
    daily_spend_limit: Nullable(Amount('Of this agent; null: none.')),
    rate_limit: Nullable(
      Type.Object(
        {
          limit: Type.Integer({ description: 'Calls in a window.' }),
          window_seconds: Type.Integer({ description: 'Its length.' }),
        },
        { additionalProperties: false, description: 'Of calls; null: they are not limited.' },
      ),
    ),
    auto_recharge: Output({
      enabled: Type.Boolean({ description: 'Whether it is on.' }),
      threshold: Nullable(Amount('Below this balance; null: never set.')),
      amount: Nullable(Amount('How much is charged each time.')),
    }),
    deposit_methods: Type.Array(DepositMethod, {
      maxItems: 20,
      description: 'The ways to add money, and whether this platform has them.',
    }),
    held: Type.Union([MoneyOnItsWay, Type.Null()], {
      description: 'With details: what in_escrow holds, of you and of those below you.',
    }),
    incoming: Type.Union([MoneyOnItsWay, Type.Null()], {
      description: 'With details: what comes to you and to those below you if nobody objects.',
    }),
  }),

  async handle(tx, { details = false }) {
    const { agentId, rootId } = tx.caller;
    const { funds, escrows, inflow, owed } = (await findHoldings(tx.db, [rootId])).get(rootId)!;
    const own = await row(
      tx.db,
      OWN,
      `select policy.daily_spend_limit,
              case when spend.day >= (now() at time zone 'UTC')::date then spend.amount else 0
              end as spent,
              coalesce(r.enabled, false) as recharges, r.threshold, r.amount
         from spend left join policy on policy.agent_id = spend.agent_id
         left join auto_recharge r on r.root_id = spend.root_id
        where spend.agent_id = $1`,
      [agentId],
    );
    const { daily_spend_limit: spendMax } = own;
    const levels = tx.config.api.tiers;
    const reserve = await cardReserve(tx.db, tx.config, rootId);
    const tier = tierOf(levels, inflow);
    return {
      balance: toUsd(sumOf(funds)),
      cash: toUsd(funds.cash),
      withdrawable: toUsd(owed > 0n ? 0n : withdrawableOf(funds.cash, reserve)),
      credit: toUsd(funds.credit),
      in_escrow: toUsd(sumOf(escrows)),
      owed: toUsd(owed),
      currency: 'USD' as const,
      tier,
      settled_inflow: toUsd(inflow),
      next_tier: nextTierOf(levels, inflow),
      daily_spend: toUsd(own.spent),
      daily_spend_limit: spendMax === null ? null : toUsd(spendMax),
      rate_limit: limitOf(tx.config, tier),
      auto_recharge: {
        enabled: own.recharges,
        threshold: own.threshold === null ? null : toUsd(own.threshold),
        amount: own.amount === null ? null : toUsd(own.amount),
      },
      deposit_methods: await depositMethods(tx.db, tx.config, agentId),
      ...(details ? await placesOf(tx) : { held: null, incoming: null }),
    };
  },
});

/** Of the caller and of those below it: of a root it is all that its tree has. */
async function placesOf(tx: Tx) {
  const agents = await agentsAsked(tx, { below: true });
  return { held: await findHeld(tx.db, agents), incoming: await findIncoming(tx.db, agents) };
}

const OWN = {
  daily_spend_limit: nullable(column.micros),
  spent: column.micros,
  recharges: column.boolean,
  threshold: nullable(column.micros),
  amount: nullable(column.micros),
};

function limitOf({ api }: Config, tier: Tier) {
  const limit = api.rateLimits[tier];
  return limit === null ? null : { limit, window_seconds: RATE_WINDOW_SECONDS };
}
