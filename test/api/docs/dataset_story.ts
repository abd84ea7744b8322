import { OPERATOR_TOKEN } from '../../access/scene.ts';

interface Agent {
  readonly key: string;
}

/** One agent offers data, and another opens it. */
export async function tellOfDatasets(
  call: (
    name: string,
    input: object,
    key?: string,
  ) => Promise<{ dataset_id: number; product_id: number; order_id: number }>,
  { seller, buyer }: { seller: Agent; buyer: Agent },
): Promise<void> {
  const cities = {
    title: 'Cities of Norway',
    description: 'Their names and how many people live there.',
    type: 'json',
    data: [{ city: 'Oslo', people: 717_710 }],
  };
  const { dataset_id } = await call('create_dataset', cities, seller.key);
  await call('list_datasets', {}, buyer.key);
  await call('get_dataset', { dataset_id }, buyer.key);
  await call('access_dataset', { dataset_id }, buyer.key);
  const data = [{ city: 'Oslo', people: 724_290 }];
  await call('rotate_dataset', { dataset_id, data }, seller.key);
  const sold = await call('create_dataset', { ...cities, price: 0.05 }, seller.key);
  const { product_id } = sold;
  const review = { product_id, decision: 'approve', version: 1 };
  await call('review_product', review, OPERATOR_TOKEN);
  const { order_id } = await call('purchase_product', { product_id }, buyer.key);
  await call('rotate_dataset', { dataset_id: sold.dataset_id, data }, seller.key);
  await call('access_dataset', { dataset_id: sold.dataset_id }, buyer.key);
  await call('dataset_rows', { dataset_id: sold.dataset_id }, buyer.key);
  await call('get_order', { order_id }, buyer.key);
  const reason = 'Oslo has more people.';
  await call('dispute_order', { order_id, reason }, buyer.key);
  await call('disputed_dataset', { order_id }, OPERATOR_TOKEN);
  const jsonl = '{"city": "Bergen", "people": 291940}';
  await call('upload_dataset_rows', { jsonl }, seller.key);
}
