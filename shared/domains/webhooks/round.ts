import type { EventRow } from '../events/find_events.ts';
import { column, nullable, type Row } from '../../platform/rows.ts';

/** Time of a claim, in which no other round of the webhook begins: longer than a round takes. */
export const CLAIM = '1 minute';

/** The events to be sent to a webhook now. Its secrets are sealed. */
export interface Round {
  readonly webhook: Row<typeof SENT_TO_COLUMNS>;
  /** The due events, in the order of their ids. */
  readonly events: readonly DueEvent[];
  /** The webhook's position when every new event of the round is recorded. */
  readonly until: number;
  /** Whether more may be due. */
  readonly more: boolean;
}

interface DueEvent {
  readonly event: EventRow;
  /** Earlier attempts. */
  readonly attempts: number;
}

export const SENT_TO_COLUMNS = {
  id: column.id,
  root_id: column.id,
  url: column.text,
  /** The types by which its new events were chosen. */
  types: column.texts,
  secret: column.bytes,
  /** The old secret, while it signs too. */
  previous: nullable(column.bytes),
};

/** The result of a round. Events that were not attempted are left out. */
export interface RoundResult {
  readonly round: Round;
  readonly attempts: readonly Attempt[];
}

/** One attempt to deliver one event. */
export interface Attempt {
  readonly eventId: number;
  /** The HTTP status received; null: none. */
  readonly httpStatus: number | null;
  /** The fault; null: it arrived. */
  readonly fault: string | null;
}

/** SQL: whether a type of event is one of a webhook's. Tests go only to the tested webhook. */
export const isOfTypes = (type: string, types: string): string =>
  `(${type} <> 'webhook.test' and (${types} = '{}' or ${type} = any (${types})
     or split_part(${type}, '.', 1) || '.*' = any (${types})))`;
