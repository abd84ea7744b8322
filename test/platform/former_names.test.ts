import { expect } from 'chai';

import { readConfig } from '../../shared/composition/config.ts';
import { FORMER_NAMES } from '../../shared/platform/config/former_names.ts';
import { faultsOf, GOOD } from './production_settings.ts';

/** Settings by their former and present names, with a value that each takes. */
const RENAMED = [
  ['WITHDRAWAL_KEY_FILE', 'BASE_KEY_FILE', '/run/secrets/base_key'],
  ['WITHDRAWAL_SIGNER_URL', 'BASE_SIGNER_URL', 'https://signer.example.com/base'],
  ['WITHDRAWAL_GWEI_MAX', 'BASE_GWEI_MAX', '7'],
  ['INDEXER_URL', 'ALGO_INDEXER_URLS', 'https://indexer.example.com'],
  ['INDEXER_TOKEN', 'ALGO_INDEXER_TOKEN', 'a-token-of-the-indexer'],
  ['ALGOD_URL', 'ALGO_NODE_URL', 'https://node.example.com'],
  ['ALGOD_TOKEN', 'ALGO_NODE_TOKEN', 'a-token-of-the-node'],
] as const;
const BY_FORMER = Object.fromEntries(RENAMED.map(([former, , value]) => [former, value]));
const BY_PRESENT = Object.fromEntries(RENAMED.map(([, present, value]) => [present, value]));
const SIGNED = { ALGO_KEY_FILE: '/run/secrets/algorand_words' };

describe('a setting by its former name', () => {
  const namesOf = ({ selfChecks }: ReturnType<typeof readConfig>) =>
    selfChecks.find(({ name }) => name === 'setting_names')!;

  it('is read as by its present one, also in production', () => {
    expect(RENAMED.map(([former, present]) => [former, present])).to.deep.equal(
      Object.entries(FORMER_NAMES),
    );
    const former = readConfig({ ...GOOD, ...SIGNED, ...BY_FORMER });
    const present = readConfig({ ...GOOD, ...SIGNED, ...BY_PRESENT });
    expect(former.withdrawals).to.deep.equal(present.withdrawals);
    expect(former.tokens).to.deep.equal(present.tokens);
    expect(former.withdrawals.base).to.include({
      walletKeyFile: '/run/secrets/base_key',
      signerUrl: 'https://signer.example.com/base',
      gweiMax: 7,
    });
    expect(former.tokens.algorand).to.include({
      algodUrl: 'https://node.example.com',
      algodToken: 'a-token-of-the-node',
    });
    expect(namesOf(present).status).to.equal('ok');
  });

  it('is a warning that says the present one', () => {
    for (const [former, present, value] of RENAMED) {
      expect(namesOf(readConfig({ ...GOOD, ...BY_PRESENT, [former]: value }))).to.deep.equal({
        name: 'setting_names',
        status: 'warning',
        message: `${former} is now called ${present}: rename it before the next release`,
      });
    }
  });

  it('refuses the start beside another value of its present one', () => {
    for (const [former, present, value] of RENAMED) {
      const both = { ...BY_PRESENT, [former]: `${value}0` };
      const fault = `  ${former} is the former name of ${present}, and they differ: leave one out`;
      expect(faultsOf(both), former).to.include(fault);
      expect(faultsOf({ ...BY_PRESENT, [former]: value })).to.deep.equal([]);
      expect(faultsOf({ ...BY_PRESENT, [former]: ' ' })).to.deep.equal([]);
    }
  });

  it('is named beside a fault of its value, which says the present name', () => {
    expect(faultsOf({ WITHDRAWAL_GWEI_MAX: 'much' })).to.deep.equal([
      '  BASE_GWEI_MAX must be a whole number from 1 to 10000, not much',
      '  WITHDRAWAL_GWEI_MAX is now called BASE_GWEI_MAX: rename it before the next release',
    ]);
  });
});
