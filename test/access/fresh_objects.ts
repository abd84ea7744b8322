import { freshKeyOf, lostProxyOf, type Party, type Scene } from './scene.ts';

/** Rotating and revoking use a key up, so its owner needs a new one each time. */
export async function keyOfBuyer({ house, buyer, keyId }: Scene, party: Party): Promise<object> {
  return { key_id: party === 'buyer' ? await freshKeyOf(house, buyer) : keyId };
}

/** An order in escrow: a new one for its parties, who may end it. */
export async function orderOf({ house, buyer, product, order }: Scene, party: Party) {
  if (party === 'stranger') return { order_id: order };
  const body = { product_id: product };
  const bought = await house.request('POST /api/v1/orders', { key: buyer.key, body });
  return { order_id: bought.body.order_id as number };
}

export async function disputeOf(scene: Scene, party: Party) {
  const input = await orderOf(scene, party);
  if (party !== 'stranger') {
    const { house, buyer } = scene;
    const route = `POST /api/v1/orders/${input.order_id}/dispute`;
    await house.request(route, { key: buyer.key, body: { reason: 'It is empty.' } });
  }
  return input;
}

/** A proxy is reported once, so its buyer needs a new one each time. */
export async function proxyOfBuyer({ house, buyer, lostProxy }: Scene, party: Party) {
  return { proxy_id: party === 'buyer' ? await lostProxyOf(house, buyer) : lostProxy };
}
