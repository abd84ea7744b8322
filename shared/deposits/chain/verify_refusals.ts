import { Refusal, type RefusalCode } from '../../kernel/refusal.ts';
import type { Family } from './networks.ts';

export const CODES_OF_VERIFICATION: readonly RefusalCode[] = [
  'transaction_unknown',
  'deposit_invalid',
  'deposit_unbound',
  'already_credited',
];

/** So long a network may need until all of its nodes know a transaction. */
const RETRY_SECONDS = 15;

export const unknown = () =>
  new Refusal(
    'transaction_unknown',
    'No provider knows this transaction yet. If it was sent, repeat the call in some seconds.',
    { retry_after_seconds: RETRY_SECONDS },
  );

export const failed = () =>
  new Refusal('deposit_invalid', 'The transaction failed on its network: it moved nothing.');

export const toOthers = (notes: readonly string[]) =>
  new Refusal(
    'deposit_invalid',
    ['The transaction pays nothing to us in an asset that is taken.', ...notes].join(' '),
  );

export const tooSmall = (min: number) =>
  new Refusal('deposit_invalid', `It is worth less than $${min}, the least that is credited.`, {
    min,
  });

export const credited = () =>
  new Refusal('already_credited', 'It is bound to another agent, and was credited to that one.');

export const unbound = (family: Family) =>
  new Refusal('deposit_unbound', `Nothing says that the payment is yours. ${PROOFS[family]}`);

const LINKED =
  'If it came from a wallet of your own, sign with it what link_wallet gives you; then repeat ' +
  'this call. A payment from before your account existed belongs to nobody.';
const PROOFS: { readonly [family in Family]: string } = {
  algorand: `Pay with the note that algo_deposit gives you. ${LINKED}`,
  solana: `Pay with the memo that solana_info gives you. ${LINKED}`,
  evm: `Pay by the router, with the reference that evm_info gives you. ${LINKED}`,
  tron: `Pay to the address of your own that tron_info gives you. ${LINKED}`,
};
