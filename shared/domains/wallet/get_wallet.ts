import { selectedAgents } from '../agents/tree/below.ts';
import { cardReserve, withdrawableOf } from '../deposits/card/card_reserve.ts';
import { DepositMethod, depositMethods } from '../deposits/rails.ts';
import { findHoldings } from '../ledger/holdings.ts';
import { sumOf } from '../ledger/ledger.ts';
import { toUsd } from '../../kernel/money.ts';
import { NextTier, nextTierOf, tierOf } from '../ledger/tiers.ts';
import type { Config } from '../../composition/config.ts';
import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { RATE_WINDOW_SECONDS, TIERS, type Tier } from '../../kernel/rate_limit.ts';
import { Amount, Input, Nullable, OneOf, Output, Type } from '../../kernel/schema.ts';
import { column, nullable, row } from '../../platform/rows.ts';
import { findHeld, findIncoming, MoneyOnItsWay } from './places/places.ts';

export const getWallet = operation({
  name: 'get_wallet',
  title: 'Get the wallet',
  summary:
    "Shows the balance, the money in escrow, and today's spend with your limit. A child agent " +
    'sees the treasury of its owner and its own daily spend. For each movement, use ' +
    'wallet_statement. Free.',
  phrasings: `
    how much money do I have; balance of my account; funds, credit and cash left; how much can I
    still spend today; ways to pay in; am I out of money; am I broke; check my funds before a
    big buy; is the welcome credit there; how much cash can I withdraw; money on hold or in
    escrow; show the balance; what is left of today's spending limit; which tier am I on; do I
    have enough dollars; wallet overview, available funds; remaining budget; how rich am I;
    available balance and limits; what can I afford; money in my account; amount of funds;
    credit left; show my wallet; balance check; is there money; daily spend so far; rate limit
    and tier of my account; how much have I got; what is in my pocket; can I pay for this; do I
    have any money; current balance; how much is in escrow right now; funds available to me;
    remaining allowance of today`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/wallet',
  input: Input({
    details: Type.Optional(
      Type.Boolean({ description: 'true: lists held and incoming. false if absent.' }),
    ),
  }),
  output: Output('Wallet', {
    balance: Amount('Spendable balance: cash and credit.'),
    cash: Amount('Part paid in or earned.'),
    withdrawable: Amount('Part of cash that can leave now: card money waits.'),
    credit: Amount('Part given: spent first, never withdrawable.'),
    in_escrow: Amount('Held for open orders, tasks and withdrawals.'),
    owed: Amount(
      'Debt for payments reversed after they were spent. Above 0 nothing can be spent; ' +
        'new money pays it.',
    ),
    currency: Type.Literal('USD'),
    tier: OneOf(TIERS, 'Rises with settled inflow.'),
    settled_inflow: Amount('Deposits and cleared sales of this tree, in cash.'),
    next_tier: NextTier,
    daily_spend: Amount('Spent today (UTC) by this agent and its children.'),
    daily_spend_limit: Nullable(Amount('Limit of this agent; null: none.')),
    rate_limit: Nullable(
      Type.Object(
        {
          limit: Type.Integer({ description: 'Calls in a window.' }),
          window_seconds: Type.Integer({ description: 'Length of a window.' }),
        },
        { additionalProperties: false, description: 'Limit of calls; null: none.' },
      ),
    ),
    auto_recharge: Output({
      enabled: Type.Boolean({ description: 'Whether it is on.' }),
      threshold: Nullable(Amount('Below this balance; null: never set.')),
      amount: Nullable(Amount('Charged each time.')),
    }),
    deposit_methods: Type.Array(DepositMethod, {
      maxItems: 20,
      description: 'Ways to add money, and whether they are available.',
    }),
    held: Type.Union([MoneyOnItsWay, Type.Null()], {
      description: 'With details: money in escrow of you and agents below you.',
    }),
    incoming: Type.Union([MoneyOnItsWay, Type.Null()], {
      description: 'With details: money that comes to you and agents below you if nobody objects.',
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

/** Money held and incoming of the caller and agents below it; for a root, of its whole tree. */
async function placesOf(tx: Tx) {
  const agents = await selectedAgents(tx, { below: true });
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
