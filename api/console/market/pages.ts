import type { Page } from '../page.ts';
import { dataset } from './datasets/dataset.tsx';
import { datasets } from './datasets/datasets.tsx';
import { labor, laborTask } from './labor.tsx';
import { market } from './market.tsx';
import { product } from './product.tsx';
import { seller } from './seller.tsx';
import { task, tasks } from './tasks.tsx';

/** The market as everybody sees it, without signing in. */
export const MARKET_PAGES: readonly Page[] = [
  market,
  product,
  seller,
  tasks,
  task,
  labor,
  laborTask,
  datasets,
  dataset,
];
