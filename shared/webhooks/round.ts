import type { EventRow } from '../events/find_events.ts';
import { column, nullable, type Row } from '../platform/rows.ts';

/** For so long no other round of a webhook begins: longer than one takes, whose end ends it. */
export const CLAIM = '1 minute';

/** What is to be sent to a webhook now. It holds secrets, which are sealed. */
export interface Round {
  readonly webhook: Row<typeof SENT_TO_COLUMNS>;
  /** In the order of their ids. */
  readonly events: readonly DueEvent[];
  /** The webhook's position when every new event of the round is recorded. */
  readonly until: number;
  /** More may be due. */
  readonly more: boolean;
}

export interface DueEvent {
  readonly event: EventRow;
  /** Attempts before. */
  readonly attempts: number;
}

export const SENT_TO_COLUMNS = {
  id: column.id,
  root_id: column.id,
  url: column.text,
  /** By which its new events were chosen. */
  types: column.texts,
  secret: column.bytes,
  /** The secret before, while it signs too. */
  previous: nullable(column.bytes),
};

/** What came of a round. An event that was not attempted is not in it. */
export interface EndedRound {
  readonly round: Round;
  readonly attempts: readonly Attempt[];
}

/** One attempt of one event, which arrived or did not. */
export interface Attempt {
  readonly eventId: number;
  /** What was answered; null: nothing. */
  readonly httpStatus: number | null;
  /** Null: it arrived. */
  readonly fault: string | null;
}

/** SQL: a type of events is among those of a webhook. Tests are sent to the one that is tested. */
export const isOfTypes = (type: string, types: string): string =>
  `(${type} <> 'webhook.test' and (${types} = '{}' or ${type} = any (${types})
     or split_part(${type}, '.', 1) || '.*' = any (${types})))`;
