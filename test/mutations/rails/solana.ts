import type { Mutation } from '../mutation.ts';

const CHECKED = 'workers/gateways/solana/checked.ts';
const SIGNATURES = 'workers/gateways/solana/signatures.ts';
const TRANSFERS = 'workers/gateways/solana/transfers.ts';
const read = ['test/deposits/solana/read.test.ts'];

/** Fields of a payment by Solana. */
export const SOLANA: readonly Mutation[] = [
  {
    name: 'solana_provider_of_another_network_is_asked',
    file: CHECKED,
    from: 'if (found !== genesis)',
    to: "if (found === '')",
    tests: read,
  },
  {
    name: 'solana_pays_the_account_that_paid_the_fee',
    file: TRANSFERS,
    from: 'payer?.index === 0 && payer.change > 0n',
    to: 'payer?.index === 0 && payer.change > 10n ** 18n',
    tests: read,
  },
  {
    name: 'solana_answer_about_another_transaction_is_taken',
    file: TRANSFERS,
    from: 'signatures[0] !== txId || !meta',
    to: '!meta',
    tests: read,
  },
  {
    name: 'solana_provider_that_is_behind_is_searched',
    file: SIGNATURES,
    from: 'minContextSlot: to',
    to: 'minContextSlot: from',
    tests: read,
  },
  {
    name: 'solana_signatures_after_the_first_page_are_left_out',
    file: SIGNATURES,
    from: 'if (!oldest || page.length < PAGE || oldest.slot < from) return found;',
    to: 'if (oldest || page.length < PAGE) return found;',
    tests: ['test/deposits/solana/search.test.ts'],
  },
];
