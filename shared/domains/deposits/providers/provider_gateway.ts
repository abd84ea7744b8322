/** The limits that were learned of the providers of chains, and counts of questions to them. */
export interface ProviderGateway {
  /** Each provider of the settings on each day that is still counted, of all processes. */
  report(): Promise<readonly ProviderDay[]>;
}

/** Questions to one provider on one day, and the limits that it takes now. */
export interface ProviderDay {
  /** The rail whose settings name it. */
  readonly rail: string;
  /** Its host, with a number if several have the same. */
  readonly provider: string;
  /** By UTC, as 2026-01-31. */
  readonly day: string;
  /** Questions: providers bill these, of which one request may have many. */
  readonly calls: number;
  readonly requests: number;
  /** Requests and questions that it refused because of their size or rate. */
  readonly refused: number;
  /** Blocks that were read whole. */
  readonly blocks: number;
  /** Questions that it takes in one request. */
  readonly batch: number;
  /** Blocks whose logs it tells in one question. */
  readonly logBlocks: number;
  /** Time between two requests in ms that it wants. */
  readonly gapMs: number;
  /** Why it did not answer last, redacted; null: it answered. */
  readonly fault: string | null;
}
