import type { Right } from './right.ts';

/** Rights to datasets: the seller offers them, and the buyer has bought one. */
export const DATASET_RIGHTS: Readonly<Record<string, Right>> = {
  list_datasets: { route: 'GET /api/v1/datasets', access: 'any' },
  get_dataset: {
    route: 'GET /api/v1/datasets/:dataset_id',
    access: 'any',
    input: ({ dataset }) => ({ dataset_id: dataset }),
  },
  access_dataset: {
    route: 'GET /api/v1/datasets/:dataset_id/access',
    access: 'any',
    input: ({ dataset }) => ({ dataset_id: dataset }),
    // It is on sale: everybody sees it.
    answers: { outsider: 'forbidden' },
  },
  dataset_rows: {
    route: 'GET /api/v1/datasets/:dataset_id/rows',
    access: 'any',
    isTool: false,
    input: ({ dataset }) => ({ dataset_id: dataset }),
    answers: { outsider: 'forbidden' },
  },
  create_dataset: {
    route: 'POST /api/v1/datasets',
    access: 'sell',
    input: () => ({
      title: 'Seas',
      description: 'By depth.',
      type: 'json',
      data: [{ sea: 'Aral' }],
    }),
  },
  upload_dataset_rows: {
    route: 'POST /api/v1/datasets/uploads',
    access: 'sell',
    input: () => ({ jsonl: '{"sea": "Aral"}' }),
  },
  rotate_dataset: {
    route: 'POST /api/v1/datasets/:dataset_id/rotate',
    access: 'sell',
    input: ({ dataset }) => ({ dataset_id: dataset, data: [{ sea: 'Aral' }] }),
    answers: { buyer: 'forbidden', outsider: 'forbidden' },
  },
};
