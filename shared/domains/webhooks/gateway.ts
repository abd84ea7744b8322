/** Our side of the receivers of webhooks; workers/gateways/webhooks implements it. */
export interface WebhookGateway {
  /** Sends one message. Never rejects: a failure is an answer too. */
  send(message: WebhookMessage): Promise<WebhookAnswer>;
}

interface WebhookMessage {
  /** Messages of one webhook may follow each other on a connection. */
  readonly webhookId: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The status of the response, or the reason there was none, in words for the owner. */
export type WebhookAnswer = { readonly status: number } | { readonly fault: string };

export const hasArrived = (answer: WebhookAnswer): boolean =>
  'status' in answer && answer.status >= 200 && answer.status < 300;

export const faultOf = (answer: WebhookAnswer): string =>
  'status' in answer ? `answered ${answer.status}` : answer.fault;
