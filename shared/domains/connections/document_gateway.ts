/** Fetches documents in which apps describe themselves; workers/gateways implements it. */
export interface DocumentGateway {
  /** Fetches the document at this https URL. Rejects if it is not answered in time. */
  fetch(url: string): Promise<FetchedDocument>;
}

/** The raw answer. Nothing in it has been checked yet. */
export interface FetchedDocument {
  readonly status: number;
  readonly text: string;
  /** Cache-Control as the sender wrote it. */
  readonly cacheControl: string | undefined;
}
