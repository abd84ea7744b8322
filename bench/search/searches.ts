import { join } from 'node:path';

import { QUERIES } from '../../test/products/search_queries.ts';
import { searching } from '../measure/callers.ts';
import { measureHttp } from '../measure/http_callers.ts';
import type { Deployments } from '../setup/deployments.ts';
import { builtFolder } from '../setup/platform.ts';
import { makeBuyers } from '../setup/populate.ts';
import { addListings } from './listings.ts';

/** Queries of the tests, each of which finds something. */
const SEARCHES = Object.keys(QUERIES).slice(0, 60);

/** One caller that searches among this many products, with the same queries again and again. */
export async function openSearches(deployments: Deployments, products: number) {
  const deployment = await deployments.open(`search_${products}`);
  const owner = await deployment.admin();
  const buyers = await makeBuyers(deployment, owner, 1);
  await addListings(owner, buyers[0]!.id, products);
  await owner.destroy();
  const api = await deployment.start(join(await builtFolder(), 'api.js'));
  const pids = { api: api.pid, postgres: deployment.pids.postgres };
  const newCaller = searching({ buyers }, SEARCHES);
  return () => measureHttp({ port: api.ready.port, pids, callers: 1, ms: 3_000, newCaller });
}
