import { expect } from 'chai';
import pg from 'pg';

import { audit } from '../../../shared/composition/audit.ts';
import { KnownAddresses } from '../../../shared/domains/deposits/wallets/known_addresses.ts';
import { TestPlatform } from '../../harness.ts';
import { newAddress } from '../evm/payer.ts';

describe('addresses that a process knows', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await TestPlatform.open();
  });
  after(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
    await platform.close();
  });

  const INSERT = `insert into deposit_address (family, index, address, agent_id, root_id)
                  values ('evm', $1, $2, $1, $1)`;

  it('are those of its family, each once, also when two searches read at once', async () => {
    const agents = [await platform.agent(), await platform.agent()];
    const [mine, other] = [newAddress(), newAddress()];
    await platform.query(INSERT, [agents[0]!.id, mine]);
    const known = new KnownAddresses();
    const read = () => known.read(platform.context.database, 'evm');
    await Promise.all([read(), read(), read()]);
    expect([...known]).to.deep.equal([mine]);
    await platform.query(INSERT, [agents[1]!.id, other]);
    expect(known.has(other)).to.equal(false);
    await Promise.all([read(), read()]);
    expect([...known]).to.deep.equal([mine, other]);
    const ofTron = new KnownAddresses();
    await ofTron.read(platform.context.database, 'tron');
    expect(ofTron.size).to.equal(0);
  });

  it('miss none that was committed late', async () => {
    const [late, soon] = [await platform.agent(), await platform.agent()];
    const [lateAddress, soonAddress] = [newAddress(), newAddress()];
    const slow = new pg.Client({ connectionString: platform.config.databaseUrl });
    await slow.connect();
    try {
      await slow.query('begin');
      await slow.query(INSERT, [late.id, lateAddress]);
      await platform.query(INSERT, [soon.id, soonAddress]);
      const known = new KnownAddresses();
      for (let time = 0; time < 2; time += 1) {
        await known.read(platform.context.database, 'evm');
        expect([known.has(soonAddress), known.has(lateAddress)]).to.deep.equal([true, false]);
      }
      await slow.query('commit');
      await known.read(platform.context.database, 'evm');
      expect(known.has(lateAddress)).to.equal(true);
    } finally {
      await slow.end();
    }
  });

  it('are read again where the database did not answer', async () => {
    const known = new KnownAddresses();
    const broken = { query: () => Promise.reject(new Error('it is away')) };
    const fault = await known.read(broken, 'evm').catch(String);
    expect(fault).to.contain('it is away');
    await known.read(platform.context.database, 'evm');
    expect(known.size).to.be.greaterThan(0);
  });
});
