import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { newPassword } from '../../local/stored_values.ts';
import { readConfig } from '../../shared/composition/config.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { faultsOf, GOOD } from './production_settings.ts';

describe('a setting in quotes', () => {
  it('is refused, as the quotes of a file of Docker are a part of it', () => {
    const faults = faultsOf({ OPERATOR_TOKEN: `"${newPassword()}"` });
    expect(faults.join()).to.contain('OPERATOR_TOKEN is in quotes: leave them out');
  });
});

describe('a setting that is an address', () => {
  it('is refused with a password that would be read as another', () => {
    for (const password of ['100%', 'a/b', 'a#b', 'a?b', '%zz']) {
      for (const [name, scheme] of [
        ['DATABASE_URL', 'postgres'],
        ['REDIS_URL', 'redis'],
      ] as const) {
        const [fault, ...more] = faultsOf({ [name]: `${scheme}://market:${password}@10.0.0.5/1` });
        expect(fault).to.match(
          new RegExp(`^  ${name} cannot be read: in a password, write % as %25`),
        );
        expect(more).to.deep.equal([]);
      }
    }
    expect(faultsOf({ DATABASE_URL: 'postgres://market:100%25@10.0.0.5/1' })).to.deep.equal([]);
  });

  it('is refused as a port, where Kubernetes has set it', () => {
    expect(faultsOf({ SOCKS_PORT: 'tcp://10.0.0.1:1080' })).to.deep.equal([
      '  SOCKS_PORT was set by Kubernetes: set enableServiceLinks to false in the pod',
    ]);
  });
});

describe('settings that may be in files', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'settings-'))));
  after(() => rmSync(folder, { recursive: true }));

  const fileOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('are read from there, without the end of the line', () => {
    const [keys, token, tokens] = [newMasterKey('k7'), newPassword(), `ada:${newPassword()}`];
    const config = readConfig({
      ...GOOD,
      MASTER_KEYS: undefined,
      OPERATOR_TOKEN: undefined,
      MASTER_KEYS_FILE: fileOf('keys', `${keys}\n`),
      OPERATOR_TOKEN_FILE: fileOf('token', `${token}\r\n`),
      OPERATOR_TOKENS_FILE: fileOf('tokens', tokens),
    });
    expect(config.masterKeys.map(({ id }) => id)).to.deep.equal(['k7']);
    expect(config.agents.operators.map((one) => one.token)).to.deep.equal([token, tokens.slice(4)]);
  });

  it('may have one entry a line, and the mark that some editors begin a file with', () => {
    const [first, second] = [newMasterKey('k8'), newMasterKey('k7')];
    const path = fileOf('lines', `\uFEFF${first},\r\n${second}\r\n`);
    const config = readConfig({ ...GOOD, MASTER_KEYS: undefined, MASTER_KEYS_FILE: path });
    expect(config.masterKeys.map(({ id }) => id)).to.deep.equal(['k8', 'k7']);
  });

  it('are refused where they are set twice, not there, empty or weak, each by one fault', () => {
    const both = faultsOf({ MASTER_KEYS_FILE: fileOf('both', newMasterKey('k1')) });
    expect(both).to.deep.equal([
      '  MASTER_KEYS_FILE is set beside MASTER_KEYS: leave out one of the two',
    ]);
    const broken = (path: string) => faultsOf({ OPERATOR_TOKEN: '', OPERATOR_TOKEN_FILE: path });
    expect(broken(join(folder, 'none'))).to.deep.equal([
      '  OPERATOR_TOKEN_FILE is a file that cannot be read (ENOENT)',
    ]);
    expect(broken(fileOf('empty', '\n'))).to.deep.equal([
      '  OPERATOR_TOKEN_FILE is a file with nothing in it',
    ]);
    expect(broken(fileOf('weak', 'a'.repeat(40))).join()).to.contain('OPERATOR_TOKEN repeats');
  });
});
