import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { storedValue, storeValue } from '../../local/stored_values.ts';

describe('a secret that npm start keeps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stored-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Stores a value in a process that may write no byte into a file, as where the disk is full. */
  const storeOnFullDisk = (name: string) =>
    spawnSync('bash', [
      '-c',
      `trap '' XFSZ; ulimit -f 0; exec ${process.execPath} --import tsx -e "$0"`,
      `import { storeValue } from './local/stored_values.ts';
       storeValue(${JSON.stringify(folder)}, '${name}', 'new');`,
    ]);

  it('is made once, and readable by its owner only', () => {
    const first = storedValue(folder, 'one', () => 'first');
    expect([first, storedValue(folder, 'one', () => 'second')]).to.deep.equal(['first', 'first']);
    expect(statSync(join(folder, 'one')).mode & 0o777).to.equal(0o600);
  });

  it('is as it was, or not there, when it could not be written', () => {
    storeValue(folder, 'kept', 'old');
    const before = readdirSync(folder);
    for (const name of ['kept', 'new']) {
      const { status, stderr } = storeOnFullDisk(name);
      expect(status).to.equal(1);
      expect(String(stderr)).to.include('EFBIG');
    }
    expect(readFileSync(join(folder, 'kept'), 'utf8')).to.equal('old\n');
    expect(readdirSync(folder)).to.deep.equal(before);
  });
});
