import { algoDeposit } from './algorand/algo_deposit.ts';
import { algoInfo } from './algorand/algo_info.ts';
import { algoVerifyDeposit } from './algorand/algo_verify_deposit.ts';
import { chargeSavedCard } from './card/charge_saved_card.ts';
import { forgetCards } from './card/forget_cards.ts';
import { getAutoRecharge } from './card/get_auto_recharge.ts';
import { readCardPayment } from './card/read_card_payment.ts';
import { rechargeWallets } from './card/recharge_wallets.ts';
import { reconcileCardPayments } from './card/reconcile_card_payments.ts';
import { recordStripeEvent } from './card/record_stripe_event.ts';
import { setAutoRecharge } from './card/set_auto_recharge.ts';
import { stripeTopup } from './card/stripe_topup.ts';
import { readBalances } from './balances/read_balances.ts';
import { watchBalances } from './balances/watch_balances.ts';
import { confirmDeposit } from './chain/confirm_deposit.ts';
import { searchChain } from './chain/search_chain.ts';
import { watchChains } from './chain/watch_chains.ts';
import { collectOwed } from './collect_owed.ts';
import { evmAbi } from './evm/evm_abi.ts';
import { evmInfo } from './evm/evm_info.ts';
import { evmVerify } from './evm/evm_verify.ts';
import { listDeposits } from './list_deposits.ts';
import { notePrices } from './prices/note_prices.ts';
import { noteProviders } from './providers/note_providers.ts';
import { searchAgain } from './providers/search_again.ts';
import { solanaInfo } from './solana/solana_info.ts';
import { solanaVerify } from './solana/solana_verify.ts';
import { tronInfo } from './tron/tron_info.ts';
import { tronVerify } from './tron/tron_verify.ts';
import { claimDeposit } from './unclaimed/claim_deposit.ts';
import { decideUnclaimedPayment } from './unclaimed/decide_unclaimed_payment.ts';
import { listDepositClaims } from './unclaimed/list_deposit_claims.ts';
import { listUnclaimedPayments } from './unclaimed/list_unclaimed_payments.ts';
import { valueUnclaimed } from './unclaimed/value_unclaimed.ts';
import { linkWallet } from './wallets/link_wallet.ts';
import { unlinkWallet } from './wallets/unlink_wallet.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  stripeTopup,
  setAutoRecharge,
  algoInfo,
  algoDeposit,
  algoVerifyDeposit,
  solanaInfo,
  solanaVerify,
  evmInfo,
  evmAbi,
  evmVerify,
  getAutoRecharge,
  listDeposits,
  claimDeposit,
  listDepositClaims,
  linkWallet,
  unlinkWallet,
  tronInfo,
  tronVerify,
  listUnclaimedPayments,
  decideUnclaimedPayment,
  // Started by timers and by other operations.
  collectOwed,
  rechargeWallets,
  reconcileCardPayments,
  chargeSavedCard,
  forgetCards,
  readCardPayment,
  recordStripeEvent,
  watchChains,
  searchChain,
  searchAgain,
  confirmDeposit,
  notePrices,
  valueUnclaimed,
  noteProviders,
  watchBalances,
  readBalances,
] as const;
