import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { findDatabaseUrl, findMasterKeys } from '../../local/found_settings.ts';
import { BadSettings } from '../../shared/platform/config/environment.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';

describe('what npm run audit and npm run reseal find', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'data-'));
  const own = newMasterKey('own');
  const local = newMasterKey('local');
  writeFileSync(join(DATA_DIR, 'master_keys'), local);
  const servers = { databaseUrl: 'postgres://localhost/local' };
  writeFileSync(join(DATA_DIR, 'servers.json'), JSON.stringify(servers));

  it('is what is set, or else what npm start made', () => {
    expect(findMasterKeys({ DATA_DIR }).map(({ id }) => id)).to.deep.equal(['local']);
    expect(findMasterKeys({ DATA_DIR, MASTER_KEYS: own }).map(({ id }) => id)).to.deep.equal([
      'own',
    ]);
    expect(findDatabaseUrl({ DATA_DIR })).to.equal('postgres://localhost/local');
    const DATABASE_URL = 'postgres://elsewhere/own';
    expect(findDatabaseUrl({ DATA_DIR, DATABASE_URL })).to.equal(DATABASE_URL);
  });

  it('is in production only what is set, by its right name', () => {
    const env = {
      DATA_DIR,
      NODE_ENV: 'production',
      MASTER_KEY: own,
      DATABASE_UR: 'postgres://a/b',
    };
    expect(() => findMasterKeys(env)).to.throw(BadSettings, 'MASTER_KEYS is not set');
    expect(() => findDatabaseUrl(env)).to.throw(BadSettings, 'DATABASE_URL is not set');
  });
});
