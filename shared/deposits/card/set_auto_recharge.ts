import { operation, type Tx } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input, invalid, OneOf, Type, Usd } from '../../kernel/schema.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { fromUsd, toUsd, type Micros } from '../../ledger/money.ts';
import { execute } from '../../platform/rows.ts';
import { cardSettings } from '../rails.ts';
import { AutoRecharge, autoRechargeOf, findTerms } from './auto_recharge.ts';
import { wholeCents } from './cents.ts';
import { findSavedCard } from './saved_card.ts';

/** In dollars. What is not said at first. */
const DEFAULTS = { threshold: 5, amount: 20, monthlyLimit: 200 };

const optional = <T extends ReturnType<typeof Usd>>(schema: T) => Type.Optional(schema);

export const setAutoRecharge = operation({
  name: 'set_auto_recharge',
  title: 'Set auto-recharge',
  summary:
    'Has your saved card charged when the balance falls below a threshold: one charge at a time, ' +
    'up to a limit a month; off after three failures. What is left out stays. Free to set.',
  access: 'buy',
  mode: 'write',
  domain: 'deposits',
  rest: 'PUT /api/v1/wallet/auto-recharge',
  core: true,
  idempotent: true,
  refusals: ['rail_unavailable', 'forbidden', 'invalid_transition'],
  input: Input({
    enabled: Type.Optional(Type.Boolean({ description: 'true needs a saved card.' })),
    threshold: optional(Usd('At first 5.')),
    amount: optional(Usd('In whole cents; at first 20.', 0.5)),
    method: Type.Optional(OneOf(['card'], 'Only card.')),
    monthly_limit: optional(Usd('At first 200.', 0.5)),
  }),
  output: AutoRecharge,

  async handle(tx, input) {
    cardSettings(tx.config);
    const { agentId, rootId } = tx.caller;
    if (agentId !== rootId) {
      const message = 'The card is the owner’s, so only the owner sets when it is charged.';
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
      throw invalid([{ pointer: '/amount', message: 'is more than may be charged in a month' }]);
    }
    if (input.enabled && !(await findSavedCard(tx.db, rootId))) {
      throw new Refusal(
        'invalid_transition',
        'There is no card to charge. Pay once with stripe_topup and save_card: true.',
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
  /** Absent: as it is. To turn it on forgets what has failed. */
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
