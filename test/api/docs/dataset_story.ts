interface Agent {
  readonly key: string;
}

/** Of data that one agent gives away and another opens. */
export async function tellOfDatasets(
  call: (name: string, input: object, key?: string) => Promise<{ dataset_id: number }>,
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
  await call('access_dataset', { dataset_id }, buyer.key);
  const data = [{ city: 'Oslo', people: 724_290 }];
  await call('rotate_dataset', { dataset_id, data }, seller.key);
  const jsonl = '{"city": "Bergen", "people": 291940}';
  await call('upload_dataset_rows', { jsonl }, seller.key);
}
