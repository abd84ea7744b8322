import { expect } from 'chai';

import { TestPlatform } from '../harness.ts';
import { callBy, type Interface } from './interfaces.ts';
import { casesOf, type Right } from './rights/right.ts';
import { RIGHTS } from './rights/rights.ts';
import { LONG_WAIT, setScene, type Scene } from './scene.ts';

const NOBODYS_ID = 2 ** 31 - 1;
const NOBODYS_WALLET = `0x${'12'.repeat(20)}`;
const NOBODYS_JOB = '01890000-0000-7000-8000-000000000000';

/** Another's object is to an outsider one that does not exist, by these interfaces. */
export function describeForeignObjects(interfaces: readonly Interface[]): void {
  let platform: TestPlatform;
  let scene: Scene;
  before(async function () {
    this.timeout(60_000);
    platform = await TestPlatform.open({ env: LONG_WAIT });
    scene = await setScene(platform);
  });
  after(() => platform.close());

  const withObjects = casesOf(RIGHTS).flatMap((right) =>
    right.object === undefined ? [] : [{ ...right, object: right.object }],
  );

  for (const { tool, title, route, object, ...right } of withObjects) {
    it(`is answered by ${title} as one that does not exist`, async () => {
      for (const by of right.isTool === false ? (['REST'] as const) : interfaces) {
        const input = (await inputOf(right)) as Record<string, string | number>;
        const missing = { job_id: NOBODYS_JOB, address: NOBODYS_WALLET }[object] ?? NOBODYS_ID;
        const answerFor = async (id: string | number) => {
          const call = { tool, route, input: { ...input, [object]: id } };
          const { status, body } = await callBy(platform, by, call, bearer(scene.outsider));
          const text = JSON.stringify({ ...body, request_id: 'any' });
          return { status, text: text.replaceAll(String(id), 'the id') };
        };
        const foreign = await answerFor(input[object]!);
        expect(foreign, by).to.deep.equal(await answerFor(missing));
        expect(JSON.parse(foreign.text), by).to.include({ success: false, error: 'not_found' });
      }
    });
  }

  it('of every kind is among these', () => {
    const kinds = new Set(withObjects.map(({ object }) => object));
    expect([...kinds]).to.include.members(['order_id', 'job_id', 'key_id', 'product_id']);
  });

  it('is not changed by the calls of an outsider', async () => {
    const before = await objects();
    for (const { tool, route, ...right } of withObjects) {
      const input = (await inputOf(right)) as Record<string, unknown>;
      await callBy(platform, 'REST', { tool, route, input }, bearer(scene.outsider));
    }
    expect(await objects()).to.deep.equal(before);
  });

  it('is in none of the lists of an outsider, and its texts are in no answer', async () => {
    const words = [scene.buyer.username, 'A hidden thing', 'CANARY', scene.job];
    const lists = Object.entries(RIGHTS).filter(([, { access, input, route }]) => {
      return route.startsWith('GET') && !input && access !== 'operator';
    });
    expect(lists.length).to.be.at.least(5);
    for (const [tool, { route }] of lists) {
      const { body } = await callBy(
        platform,
        'REST',
        { tool, route, input: {} },
        bearer(scene.outsider),
      );
      const text = JSON.stringify(body);
      for (const word of words) expect(text, `${tool} shows ${word}`).not.to.include(word);
      const { orders, keys, entries } = body as Record<string, { [id: string]: unknown }[]>;
      expect(orders ?? []).to.deep.equal([]);
      expect((keys ?? []).map(({ key_id }) => key_id)).not.to.include(scene.keyId);
      const kinds = (entries ?? []).map(({ kind }) => kind);
      expect(kinds).not.to.include('order.hold');
    }
  });

  const inputOf = async (right: Pick<Right, 'input'>) => right.input!(scene, 'outsider');
  const bearer = ({ key }: { key: string }) => `Bearer ${key}`;
  const objects = () =>
    Promise.all(
      [
        'product',
        'product_version',
        'stock',
        'orders',
        'task',
        'submission',
        'dataset',
        'dataset_version',
        'dataset_part',
        'message',
        'labor_task',
        'labor_escrow',
        'withdrawal',
        'token',
        'opening',
        'api_key',
        'event',
        'ledger.transfer',
      ].map((table) => platform.query(`select t::text from ${table} t order by 1`)),
    );
}
