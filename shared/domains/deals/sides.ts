import { column, nullable, type Row } from '../../platform/rows.ts';

/** The two parties of a deal, as one of them sees it. */
export interface Sides {
  /** The agent for whom the caller acts: itself, or one below it. */
  readonly mine: number;
  readonly theirs: number;
  /** The end of the deal; null: it is open. */
  readonly endedAt: Date | null;
}

/** Columns of a deal: who pays, who is paid, and whether the caller is on the side that pays. */
export const DEAL = {
  payer_id: column.id,
  payee_id: column.id,
  pays: column.boolean,
  ended_at: nullable(column.time),
};

export const sidesOf = ({
  payer_id,
  payee_id,
  pays,
  ended_at: endedAt,
}: Row<typeof DEAL>): Sides =>
  pays
    ? { mine: payer_id, theirs: payee_id, endedAt }
    : { mine: payee_id, theirs: payer_id, endedAt };
