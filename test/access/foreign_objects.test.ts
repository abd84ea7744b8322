import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { DOORS, knock } from './interfaces.ts';
import { RIGHTS, type Right } from './rights.ts';
import { setScene, type Scene } from './scene.ts';

const NOBODYS_ID = 2 ** 31 - 1;
const NOBODYS_JOB = '01890000-0000-7000-8000-000000000000';

describe("another's object", () => {
  let platform: TestPlatform;
  let scene: Scene;
  before(async function () {
    this.timeout(60_000);
    platform = await TestPlatform.open();
    scene = await setScene(platform);
  });
  after(() => platform.close());

  const withObjects = Object.entries(RIGHTS).flatMap(([tool, right]) =>
    right.object === undefined ? [] : [{ tool, ...right, object: right.object }],
  );

  for (const { tool, route, object, ...right } of withObjects) {
    it(`cannot be told by ${tool} from one that does not exist`, async () => {
      for (const door of right.isTool === false ? (['REST'] as const) : DOORS) {
        const input = (await inputOf(right)) as Record<string, string | number>;
        const missing = object === 'job_id' ? NOBODYS_JOB : NOBODYS_ID;
        const ask = async (id: string | number) => {
          const called = { tool, route, input: { ...input, [object]: id } };
          const { status, body } = await knock(platform, door, called, bearer(scene.stranger));
          const told = JSON.stringify({ ...body, request_id: 'any' });
          return { status, told: told.replaceAll(String(id), 'the id') };
        };
        const foreign = await ask(input[object]!);
        expect(foreign, door).to.deep.equal(await ask(missing));
        expect(JSON.parse(foreign.told), door).to.include({ success: false, error: 'not_found' });
      }
    });
  }

  it('is of every kind among these', () => {
    const kinds = new Set(withObjects.map(({ object }) => object));
    expect([...kinds]).to.include.members(['order_id', 'job_id', 'key_id', 'product_id']);
  });

  it('is changed by no stranger who asks for it', async () => {
    const before = await objects();
    for (const { tool, route, ...right } of withObjects) {
      const input = (await inputOf(right)) as Record<string, unknown>;
      await knock(platform, 'REST', { tool, route, input }, bearer(scene.stranger));
    }
    expect(await objects()).to.deep.equal(before);
  });

  it('is in none of the lists of a stranger, and its words are in no answer', async () => {
    const words = [scene.buyer.username, 'A hidden thing', 'CANARY', scene.job];
    const lists = Object.entries(RIGHTS).filter(([, { access, input, route }]) => {
      return route.startsWith('GET') && !input && access !== 'operator';
    });
    expect(lists.length).to.be.at.least(5);
    for (const [tool, { route }] of lists) {
      const { body } = await knock(
        platform,
        'REST',
        { tool, route, input: {} },
        bearer(scene.stranger),
      );
      const told = JSON.stringify(body);
      for (const word of words) expect(told, `${tool} says ${word}`).not.to.include(word);
      const { orders, keys, entries } = body as Record<string, { [id: string]: unknown }[]>;
      expect(orders ?? []).to.deep.equal([]);
      expect((keys ?? []).map(({ key_id }) => key_id)).not.to.include(scene.keyId);
      const refs = (entries ?? []).map(({ kind }) => kind);
      expect(refs).not.to.include('order.hold');
    }
  });

  const inputOf = async (right: Pick<Right, 'input'>) => right.input!(scene, 'stranger');
  const bearer = ({ key }: { key: string }) => `Bearer ${key}`;
  const objects = () =>
    Promise.all(
      [
        'product',
        'product_version',
        'stock',
        'orders',
        'opening',
        'api_key',
        'event',
        'ledger.transfer',
      ].map((table) => platform.query(`select t::text from ${table} t order by 1`)),
    );
});
