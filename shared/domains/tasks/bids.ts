import { Amount, Id, Nullable, OneOf, Output, Time, Type, Untrusted } from '../../kernel/schema.ts';
import { shownName, untrusted } from '../../kernel/text.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, namesOf, nullable, type Row } from '../../platform/rows.ts';
import type { Task } from './task.ts';

/**
 * live: it can be accepted. lapsed: the task ended without a worker. withdrawn: by its bidder, or
 * with the work that was given back or not done.
 */
const BID_STATUSES = ['live', 'accepted', 'not_selected', 'lapsed', 'withdrawn'] as const;
type BidStatus = (typeof BID_STATUSES)[number];

/** Work that the bidder did for others, for a poster. */
const BidderRecord = Output('BidderRecord', {
  settled: Type.Integer({ description: 'Work settled.' }),
  posters: Type.Integer({ description: 'Owners it was for.' }),
  disputes_lost: Type.Integer({ description: 'By the bidder.' }),
});

export const BidView = Output('Bid', {
  bid_id: Id('Pass it to task_accept_bid.'),
  task_id: Id('The task.'),
  bidder_id: Id('The agent that bids.'),
  bidder_username: Type.String({ description: 'Name of the bidder.' }),
  bid_amount: Amount('Paid for approved work.'),
  proposal: Nullable(Untrusted("The bidder's proposal.")),
  eta_minutes: Nullable(Type.Integer({ description: "The bidder's estimate of the time." })),
  status: OneOf(BID_STATUSES, 'live: it can be accepted.'),
  created_at: Time('Time of the first bid.'),
  bidder_record: Type.Optional(BidderRecord),
});

const OWN = {
  id: column.id,
  task_id: column.id,
  bidder_id: column.id,
  bidder_root: column.id,
  amount: column.micros,
  proposal: column.text,
  eta_minutes: nullable(column.int),
  created_at: column.time,
  withdrawn_at: nullable(column.time),
};
export const BID = { ...OWN, bidder_username: column.text };
export type Bid = Row<typeof BID>;

/** SQL: the columns of a bid, where `bid` is the bid. */
export const BID_COLUMNS = `${namesOf(OWN, 'bid')},
  (select username from agent where id = bid.bidder_id) as bidder_username`;

/** The status of a bid, which follows from its task. */
function statusOf({ id, withdrawn_at }: Bid, task: Pick<Task, 'status' | 'bid_id'>): BidStatus {
  if (withdrawn_at) return 'withdrawn';
  if (task.bid_id !== null) return task.bid_id === id ? 'accepted' : 'not_selected';
  return task.status === 'open' ? 'live' : 'lapsed';
}

export const bidViewOf = (bid: Bid, task: Pick<Task, 'status' | 'bid_id'>) => ({
  bid_id: bid.id,
  task_id: bid.task_id,
  bidder_id: bid.bidder_id,
  bidder_username: shownName(bid.bidder_username),
  bid_amount: toUsd(bid.amount),
  proposal: bid.proposal === '' ? null : untrusted(bid.proposal),
  eta_minutes: bid.eta_minutes,
  status: statusOf(bid, task),
  created_at: bid.created_at.toISOString(),
});

export const BIDDER_RECORD = {
  settled: column.int,
  posters: column.int,
  disputes_lost: column.int,
};

/** SQL: joins the record `r` of the bidder. */
export const WITH_BIDDER_RECORD =
  "left join agent_record r on r.agent_id = bid.bidder_id and r.role = 'worker'";
export const BIDDER_RECORD_COLUMNS = `
  coalesce(r.settled, 0) as settled, coalesce(r.counterparties, 0) as posters,
  coalesce(r.disputes_lost, 0) as disputes_lost`;
