import { Refusal, type RefusalCode } from '../../../kernel/refusal.ts';
import type { Family } from './networks.ts';

export const CODES_OF_VERIFICATION: readonly RefusalCode[] = [
  'transaction_unknown',
  'deposit_invalid',
  'deposit_unbound',
  'already_credited',
];

/** Seconds until all nodes of a network should know a transaction. */
const RETRY_SECONDS = 15;

export const unknown = () =>
  new Refusal(
    'transaction_unknown',
    'No provider knows this transaction yet. If it was sent, retry in some seconds.',
    { retry_after_seconds: RETRY_SECONDS },
  );

export const failed = () =>
  new Refusal('deposit_invalid', 'The transaction failed on its network: it moved nothing.');

export const toOthers = (notes: readonly string[]) =>
  new Refusal(
    'deposit_invalid',
    ['The transaction pays us nothing in an accepted asset.', ...notes].join(' '),
  );

export const tooSmall = (min: number) =>
  new Refusal(
    'deposit_invalid',
    `The payment is worth less than the minimum of $${min}. It is kept, and credited when your ` +
      'small payments together reach that.',
    { min },
  );

export const returned = () =>
  new Refusal('deposit_invalid', 'The payment was paid back to its sender.');

export const credited = () =>
  new Refusal('already_credited', 'The payment names another agent and was credited to it.');

export const unbound = (family: Family) =>
  new Refusal('deposit_unbound', `The payment does not name you. ${PROOFS[family]}`);

const LINKED =
  'If it came from your own wallet, sign the message of link_wallet with it, and it is credited. ' +
  'If an exchange sent it, or it is older than your account, use claim_deposit.';
const PROOFS: { readonly [family in Family]: string } = {
  algorand: `Pay with the note from algo_deposit. ${LINKED}`,
  solana: `Pay with the memo from solana_info. ${LINKED}`,
  evm: `Pay through the router with the reference from evm_info. ${LINKED}`,
  tron: `Pay to your own address from tron_info. ${LINKED}`,
};
