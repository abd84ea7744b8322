import { operation } from '../../../kernel/operation.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Input, invalid, OneOf, Type, Usd } from '../../../kernel/schema.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { fromUsd, toUsd, type Micros } from '../../../kernel/money.ts';
import { execute } from '../../../platform/rows.ts';
import { cardSettings } from '../rails.ts';
import { AutoRecharge, autoRechargeOf, findTerms } from './auto_recharge.ts';
import { wholeCents } from './cents.ts';
import { findSavedCard } from './saved_card.ts';

/** Initial values, in dollars. */
const DEFAULTS = { threshold: 5, amount: 20, monthlyLimit: 200 };

const optional = <T extends ReturnType<typeof Usd>>(schema: T) => Type.Optional(schema);

export const setAutoRecharge = operation({
  name: 'set_auto_recharge',
  title: 'Set auto-recharge',
  summary:
    'Charges your saved card when the balance falls below a threshold: one charge at a time, up ' +
    'to a monthly limit; off after three failures. Absent fields keep their value. To save a ' +
    'card, pay once by stripe_topup with save_card. Free to set.',
  phrasings: `
    refill automatically when the balance is low; automatic top-up of the wallet; charge my
    saved card by itself; switch auto recharge on or off, stop automatic card charges; never let
    my account run dry; whenever I drop below 5 dollars refill with 20; raise the low-funds
    trigger; stop charging my card by itself; monthly cap for automatic reloads; turn on auto
    top-up, keep the wallet full; threshold at which the card is billed; automatic refill; keep
    my balance above a minimum; recurring top-up; enable or disable autoload; reload when low;
    auto-pay from card; change the amount of automatic payment; use saved card when funds run
    low; do not let it fall to zero; auto-billing; make sure there is always money; stop the
    automatic payments; reload me when I am short; standing order for my balance; top me up
    without asking; auto-reload settings`,
  access: 'buy',
  mode: 'write',
  rest: 'PUT /api/v1/wallet/auto-recharge',
  effects: { idempotent: true },
  refusals: ['rail_unavailable', 'forbidden', 'invalid_transition'],
  input: Input({
    enabled: Type.Optional(Type.Boolean({ description: 'true needs a saved card.' })),
    threshold: optional(Usd('Balance that triggers a charge; initially 5.')),
    amount: optional(Usd('Amount of a charge in whole cents; initially 20.', 0.5)),
    method: Type.Optional(OneOf(['card', 'stripe'], 'Card only; both names mean it.')),
    monthly_limit: optional(Usd('Maximum per month; initially 200.', 0.5)),
  }),
  output: AutoRecharge,

  async handle(tx, input) {
    cardSettings(tx.config);
    const { agentId, rootId } = tx.caller;
    if (agentId !== rootId) {
      const message = 'Only the owner of the card may set auto-recharge.';
      throw new Refusal('forbidden', message);
    }
    await lockTreasuries(tx.db, [rootId]);
    const known = await findTerms(tx.db, rootId);
    const usd = (given: number | undefined, before: Micros | undefined, first: number): Micros =>
      given === undefined ? (before ?? fromUsd(first)) : fromUsd(given);
    const terms = {
      threshold: usd(input.threshold, known?.threshold, DEFAULTS.threshold),
      amount: usd(input.amount, known?.amount, DEFAULTS.amount),
      monthlyLimit: usd(input.monthly_limit, known?.monthly_limit, DEFAULTS.monthlyLimit),
    };
    wholeCents(toUsd(terms.amount), '/amount');
    if (terms.amount > terms.monthlyLimit) {
      const most = `must not exceed monthly_limit, which is ${toUsd(terms.monthlyLimit)}`;
      throw invalid([{ pointer: '/amount', message: `${most}: send a higher one with it` }]);
    }
    if (input.enabled && !(await findSavedCard(tx.db, rootId))) {
      throw new Refusal(
        'invalid_transition',
        'You have no saved card. Pay once with stripe_topup and save_card: true.',
        {},
        {},
        ['stripe_topup'],
      );
    }
    await store(tx, { ...terms, enabled: input.enabled });
    return autoRechargeOf(tx.db, rootId);
  },
});

interface Terms {
  readonly threshold: Micros;
  readonly amount: Micros;
  readonly monthlyLimit: Micros;
  /** Undefined: unchanged. Turning it on resets the count of failures. */
  readonly enabled: boolean | undefined;
}

async function store(
  { db, caller }: Tx,
  { threshold, amount, monthlyLimit, enabled }: Terms,
): Promise<void> {
  await execute(
    db,
    `insert into auto_recharge as known (root_id, enabled, threshold, amount, monthly_limit)
     values ($1, coalesce($2::boolean, false), $3, $4, $5)
     on conflict (root_id) do update
       set enabled = coalesce($2::boolean, known.enabled), threshold = excluded.threshold,
           amount = excluded.amount, monthly_limit = excluded.monthly_limit,
           failures = case when $2 then 0 else known.failures end,
           not_before = case when $2 then now() else known.not_before end,
           off_because = case when $2 is null then known.off_because end`,
    [caller.rootId, enabled ?? null, threshold, amount, monthlyLimit],
  );
}
