import type { AnyOperation } from '../operation.ts';
import { Amount, Nullable, OneOf, Output, Type, type Static } from '../schema.ts';

/** Whether a call of it takes money from the wallet, so that it can be tried without that. */
export const canDryRun = ({ effects }: Pick<AnyOperation, 'effects'>): boolean =>
  effects?.takes !== undefined;

/** Answer of a call with `dry_run`, of any operation that spends. */
export const DryRun = Output('DryRun', {
  dry_run: Type.Literal(true),
  would: OneOf(
    ['succeed', 'wait_for_approval', 'be_refused'],
    'Outcome that the same call would have now without dry_run.',
  ),
  takes: Nullable(Amount('Taken from the wallet, at most; null: nothing is.')),
  balance_after: Amount('Left to spend then.'),
  refusal: Nullable(
    Output('DryRunRefusal', {
      error: Type.String({ description: 'Code of the refusal, or of the rule that asks.' }),
      message: Type.String({ description: 'Explanation for a person.' }),
      details: Type.Object({}, { additionalProperties: true, description: 'As policy_trace.' }),
    }),
  ),
});
export type DryRun = Static<typeof DryRun>;
