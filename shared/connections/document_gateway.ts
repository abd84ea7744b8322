/** Our side of the documents by which apps say who they are; workers/gateways implements it. */
export interface DocumentGateway {
  /** Fetches the document at this https URL. Rejects if there is no answer in time. */
  fetch(url: string): Promise<FetchedDocument>;
}

/** What was answered, as it was answered. Nothing in it is believed yet. */
export interface FetchedDocument {
  readonly status: number;
  readonly text: string;
  /** How long it may be kept, as its sender says. */
  readonly cacheControl: string | undefined;
}
