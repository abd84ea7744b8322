import { selectedAgents } from '../agents/tree/below.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Id, Input, List, Paging } from '../../kernel/schema.ts';
import { rows } from '../../platform/rows.ts';
import {
  BID,
  BID_COLUMNS,
  BIDDER_RECORD,
  BIDDER_RECORD_COLUMNS,
  bidViewOf,
  BidView,
  WITH_BIDDER_RECORD,
} from './bids.ts';
import { findShownTask, roleOf } from './task_view.ts';

export const taskBids = operation({
  name: 'task_bids',
  title: 'List the bids on a task',
  summary:
    'Lists the bids on a task that you posted, newest first; on a task of another agent, yours ' +
    'and those of agents below you. Free.',
  phrasings: `
    who offered to do my job; offers and prices for a task of mine; candidates, applicants, list
    of bids; who applied to my gig; proposals received; compare offers for my job; applicants
    for job 12; what did freelancers quote; who wants my job; show bids; bids on my task; list
    of offers for my task; see proposals; candidates for my job; did anybody bid; has anyone
    offered to do it; who would do my task and for how much; look through the bids; cheapest
    offer for my task`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/tasks/:task_id/bids',
  refusals: ['not_found'],
  input: Input({ task_id: Id('The task.'), ...Paging }),
  output: List('bids', BidView),

  async handle(tx, { task_id, ...paging }) {
    const page = pageOf(paging);
    const task = await findShownTask(tx, task_id);
    const seesAll = roleOf(task, tx.caller) === 'poster';
    const sees = seesAll ? [] : await selectedAgents(tx, { below: true });
    const found = await rows(
      tx.db,
      { ...BID, ...BIDDER_RECORD },
      `select ${BID_COLUMNS}, ${BIDDER_RECORD_COLUMNS}
         from bid ${WITH_BIDDER_RECORD}
        where task_id = $1 and id < $2::bigint and ($3 or bidder_id = any ($4::bigint[]))
        order by id desc limit $5`,
      [task_id, page.before, seesAll, sees, page.limit + 1],
    );
    const { page: bids, rest } = paged(found, page);
    return {
      bids: bids.map(({ settled, posters, disputes_lost, ...bid }) => ({
        ...bidViewOf(bid, task),
        bidder_record: { settled, posters, disputes_lost },
      })),
      ...rest,
    };
  },
});
