import { expect } from 'chai';

import { findOperations, phrasingsOf } from '../../../../api/mcp/sets/find.ts';
import { tools } from '../../../../api/mcp/tool_names.ts';
import { TestPlatform } from '../../../harness.ts';
import { CONTRACT } from './contract_intents.ts';
import { INTENTS } from './intents.ts';
import { TUNING } from './tuning_intents.ts';
import { UNFORESEEN } from './unforeseen_intents.ts';
import { VALIDATION } from './validation_intents.ts';

describe('find_operation', () => {
  const tried = (intents: typeof INTENTS) => {
    const known = [...tools.keys()];
    const places = intents.map(([intent, ...wanted]) => {
      expect(known).to.include.members(wanted);
      return findOperations(intent, 5).findIndex(({ name }) => wanted.includes(name));
    });
    const first = places.filter((place) => place === 0).length;
    const amongFive = places.filter((place) => place >= 0).length;
    return { intents: places.length, first, amongFive };
  };

  it('finds the operation for what people want', () => {
    const { intents, first, amongFive } = tried(INTENTS);
    expect(intents).to.equal(100);
    expect(amongFive, 'among five').to.be.at.least(95);
    expect(first, 'first').to.be.at.least(80);
  });

  it('finds it in the words of different people', () => {
    for (const [set, ...floors] of [
      [TUNING, 257, 247],
      [VALIDATION, 252, 231],
    ] as const) {
      const { intents, first, amongFive } = tried(set);
      expect(intents).to.equal(259);
      expect(amongFive, 'among five').to.be.at.least(floors[0]);
      expect(first, 'first').to.be.at.least(floors[1]);
    }
  });

  it('mostly finds it for wording that nobody foresaw', () => {
    for (const [set, ...floors] of [
      [UNFORESEEN, 148, 138, 118],
      [CONTRACT, 160, 155, 140],
    ] as const) {
      const { intents, first, amongFive } = tried(set);
      expect(intents).to.equal(floors[0]);
      expect(amongFive, 'among five').to.be.at.least(floors[1]);
      expect(first, 'first').to.be.at.least(floors[2]);
    }
  });

  it('knows words with typing errors, and those that are written apart', () => {
    const firstOf = (query: string) => findOperations(query, 1)[0]!.name;
    expect(firstOf('purchse a prodct')).to.equal('purchase_product');
    expect(firstOf('withdrawl of my blance')).to.equal('list_withdrawals');
    expect(firstOf('check my pay out')).to.equal('quote_withdrawal');
  });

  it('knows several phrasings of every operation, and finds each by its own', () => {
    for (const op of tools.values()) {
      const phrasings = phrasingsOf(op);
      expect(phrasings.length, `phrasings of ${op.name}`).to.be.at.least(2);
      for (const text of phrasings) {
        const names = findOperations(text, 5).map(({ name }) => name);
        expect(names, text).to.include(op.name);
      }
    }
  });

  it('names the scope that its caller lacks', async () => {
    const platform = await TestPlatform.open({ workers: false });
    try {
      const key = await platform.keyOf(await platform.agent(), ['read']);
      const find = async (query: string) => {
        const params = { name: 'find_operation', arguments: { query, limit: '1' } };
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        const reply = await platform.request('POST /mcp/lean', { key, body });
        return reply.body.result.structuredContent.operations;
      };
      const [sale] = await find('put an item up for sale');
      expect(sale).to.include({ name: 'create_product', called_by: 'run_operation' });
      expect(sale.needs).to.equal('scope sell: ask your owner, or connect again with it');
      expect((await find('balance of my account'))[0]).not.to.have.property('needs');
    } finally {
      await platform.close();
    }
  });
});
