import { walletOfBuyer } from '../fresh_objects.ts';
import type { Right } from './right.ts';

/** The platform of these tests takes no cards, and no payments on any network. */
const nobody = {
  buyer: 'rail_unavailable',
  seller: 'rail_unavailable',
  outsider: 'rail_unavailable',
};
/** The platform of these tests takes nothing by chains either. */
const HASH = `0x${'1'.repeat(64)}`;
const SIGNATURE = '1'.repeat(64);

/** Rights to payments that come in. */
export const DEPOSIT_RIGHTS: Readonly<Record<string, Right>> = {
  stripe_topup: {
    route: 'POST /api/v1/wallet/topup',
    access: 'buy',
    input: () => ({ amount: 5 }),
    answers: nobody,
  },
  set_auto_recharge: {
    route: 'PUT /api/v1/wallet/auto-recharge',
    access: 'buy',
    input: () => ({ threshold: 5 }),
    answers: nobody,
  },
  algo_info: { route: 'GET /api/v1/algo/info', access: 'read', answers: nobody },
  algo_deposit: { route: 'POST /api/v1/algo/deposit', access: 'buy', answers: nobody },
  algo_verify_deposit: {
    route: 'POST /api/v1/algo/verify',
    access: 'buy',
    input: () => ({ tx_id: 'A'.repeat(52) }),
    answers: nobody,
  },
  get_auto_recharge: {
    route: 'GET /api/v1/wallet/auto-recharge',
    access: 'read',
    isTool: false,
  },
  list_deposits: { route: 'GET /api/v1/wallet/deposits', access: 'read' },
  claim_deposit: {
    route: 'POST /api/v1/wallet/deposits/claims',
    access: 'buy',
    input: () => ({ rail: 'base', tx_id: HASH, statement: 'I sent it from my exchange.' }),
    answers: { buyer: 'not_found', seller: 'not_found', outsider: 'not_found' },
  },
  list_deposit_claims: { route: 'GET /api/v1/wallet/deposits/claims', access: 'read' },
  link_wallet: {
    route: 'POST /api/v1/wallets/link',
    access: 'buy',
    input: () => ({ network: 'evm', address: `0x${'ab'.repeat(20)}` }),
  },
  unlink_wallet: {
    route: 'POST /api/v1/wallets/unlink',
    access: 'owner',
    input: walletOfBuyer,
    answers: { seller: 'not_found', outsider: 'not_found' },
    object: 'address',
  },
  evm_info: { route: 'GET /api/v1/evm/info', access: 'read' },
  evm_abi: { route: 'GET /api/v1/evm/abi', access: 'read' },
  evm_verify: {
    route: 'POST /api/v1/evm/verify',
    access: 'buy',
    input: () => ({ tx_hash: HASH }),
    answers: nobody,
  },
  solana_info: { route: 'GET /api/v1/solana/info', access: 'read', answers: nobody },
  solana_verify: {
    route: 'POST /api/v1/solana/verify',
    access: 'buy',
    input: () => ({ tx_id: SIGNATURE }),
    answers: nobody,
  },
  tron_info: { route: 'GET /api/v1/tron/info', access: 'read' },
  tron_verify: {
    route: 'POST /api/v1/tron/verify',
    access: 'buy',
    input: () => ({ tx_id: HASH }),
    answers: nobody,
  },
};
