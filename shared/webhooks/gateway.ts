/** Our side of the receivers of webhooks; workers/gateways/webhooks implements it. */
export interface WebhookGateway {
  /** Sends one message. What goes wrong is an answer too: it never rejects. */
  send(message: WebhookMessage): Promise<WebhookAnswer>;
}

export interface WebhookMessage {
  /** Messages of one webhook may follow each other on a connection. */
  readonly webhookId: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The status that came back, or why none did, as its owner may read it. */
export type WebhookAnswer = { readonly status: number } | { readonly fault: string };

export const hasArrived = (answer: WebhookAnswer): boolean =>
  'status' in answer && answer.status >= 200 && answer.status < 300;

export const faultOf = (answer: WebhookAnswer): string =>
  'status' in answer ? `answered ${answer.status}` : answer.fault;
