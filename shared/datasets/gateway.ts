/** Our side of what sellers deliver datasets from; workers/gateways/datasets implements it. */
export interface DatasetGateway {
  /** Fetches the file at this URL once. What goes wrong is an answer too: it never rejects. */
  fetchUrl(url: string): Promise<FileFacts | CheckFault>;
}

export interface FileFacts {
  readonly size_bytes: number;
  readonly sha256: string;
  readonly content_type: string | null;
}

/** Why it could not be checked, or did not pass, as its seller may read it. */
export interface CheckFault {
  readonly fault: string;
}
