import type { FormWords } from './form_words.ts';

const WHOLE_ID = 'Copy the whole id of the transaction.';
const TRANSACTION = {
  label: 'Transaction',
  note: 'As your wallet shows it.',
  wrong: WHOLE_ID,
  short: WHOLE_ID,
} as const;

/** The forms about payments by chain. */
export const PAYMENT_WORDS: Readonly<Record<string, FormWords>> = {
  algo_verify_deposit: { tx_id: TRANSACTION },
  solana_verify: { tx_id: TRANSACTION },
  tron_verify: { tx_id: TRANSACTION },
  evm_verify: { tx_hash: TRANSACTION },
  decide_unclaimed_payment: {
    decision: {
      label: 'Decision',
      choices: {
        credit: 'Credit it to an account',
        return: 'It was paid back',
        refuse: 'Refuse the claims on it',
      },
    },
    agent_id: { label: 'Account', note: 'Its number, to credit it.' },
    return_tx_id: { ...TRANSACTION, note: 'That paid it back.' },
    return_address: { label: 'Paid back to', note: 'Empty: its sender.' },
    evidence: {
      label: 'Evidence',
      note: 'Read by those whose claims are refused.',
      isLong: true,
    },
  },
  claim_deposit: {
    rail: { label: 'Network' },
    tx_id: { ...TRANSACTION, label: 'Id of the payment' },
    statement: {
      label: 'Why it is yours',
      note: 'From where you sent it, when, how much, and the number of it there.',
      isLong: true,
    },
  },
};
