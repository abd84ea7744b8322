/** An answer of `labor_results`, of which these are needed. */
export interface ResultPage {
  readonly jsonl: { readonly content: string };
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** A unit with its answers, as a line of `labor_results`. */
export interface ResultLine {
  readonly unit_id: number;
  readonly n: number;
  readonly payload: string;
  readonly expected?: string;
  readonly answer: string | null;
  readonly agreement: number | null;
  readonly answers: readonly {
    readonly claim_id: number;
    readonly worker_id: number;
    readonly status: string;
    /** null: its poster may not read it, because it has not paid for it. */
    readonly submission: string | null;
  }[];
}
