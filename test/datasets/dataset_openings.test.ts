import { expect } from 'chai';

import { audit, PROOFS } from '../../shared/composition/audit.ts';
import { transact } from '../../shared/platform/database.ts';
import { asOwner } from '../as_owner.ts';
import { TestPlatform } from '../harness.ts';
import { untilWaiting } from '../in_queue.ts';
import { act } from '../orders/deal.ts';
import { buy } from '../orders/trade.ts';
import { access, offer } from './offer.ts';

describe('the openings of a dataset that was bought', () => {
  let platform: TestPlatform;
  let seller: Awaited<ReturnType<TestPlatform['agent']>>;
  let buyer: typeof seller;
  before(async () => {
    platform = await TestPlatform.open();
    seller = await platform.agent();
    buyer = await platform.agent({ usd: 20 });
  });
  afterEach(async () => {
    expect(await audit(platform.context.database)).to.deep.equal([]);
  });
  after(() => platform.close());

  const bought = async () => {
    const { dataset_id, product_id } = await offer(platform, seller, { price: 1 });
    return { id: dataset_id as number, orderId: await buy(platform, buyer, { id: product_id }) };
  };
  const openings = (orderId: number, id: number) =>
    platform.query(
      `select object_kind as of, first, opened_at >= revealed_at as "isLater"
         from opening join orders on orders.id = $1
        where (object_kind, object_id) in (('order', $1), ('dataset', $2)) order by opening.id`,
      [orderId, id],
    );

  it('are later than the first one of its order, whichever of them began first', async () => {
    const { id, orderId } = await bought();
    let early: ReturnType<typeof access> | undefined;
    await asOwner(platform, `begin; select from dataset where id = ${id} for update`, async () => {
      early = access(platform, buyer, id);
      await untilWaiting(platform, 1); // Its transaction has begun.
      const vault = await act(platform, 'get_vault_item', { orderId, key: buyer.key });
      expect(vault.status).to.equal(200);
    });
    expect((await early!).status).to.equal(200);
    expect(await openings(orderId, id)).to.deep.equal([
      { of: 'order', first: true, isLater: true },
      { of: 'dataset', first: false, isLater: true },
    ]);
  });

  it('of an order that is refunded end before an audit sees it, whenever that began', async () => {
    const { id, orderId } = await bought();
    await platform.query(
      `insert into dataset_grant (dataset_id, agent_id, root_id, order_id, username, password)
       values ($1, $2, $2, $3, 'any', '')`,
      [id, buyer.id, orderId],
    );
    const found = await transact(platform.context.database, async (db) => {
      await db.query('select now()');
      const { status } = await act(platform, 'refund_order', { orderId, key: seller.key });
      expect(status).to.equal(200);
      const wrong: string[] = [];
      for (const { name, sql } of PROOFS) {
        if ((await db.query(sql)).length > 0) wrong.push(name);
      }
      return wrong;
    });
    expect(found).to.deep.equal([]);
  });

  it('are one first opening of its order, however many there are at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, orderId } = await bought();
      const answers = await Promise.all([...Array(8)].map(() => access(platform, buyer, id)));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
      const made = await openings(orderId, id);
      expect(made.filter(({ first }: { first: boolean }) => first)).to.have.lengthOf(1);
      expect(made).to.have.lengthOf(9);
      expect(await audit(platform.context.database)).to.deep.equal([]);
    }
  });
});
