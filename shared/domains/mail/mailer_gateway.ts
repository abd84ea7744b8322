/** Our side of the server that mails are handed to; workers/gateways/mailer implements it. */
export interface MailerGateway {
  /** Hands over one mail. Never rejects: a failure is an answer too. */
  send(mail: OutgoingMail): Promise<MailResult>;
}

export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same in each attempt, so that a mail that arrives twice is shown once. */
  readonly messageId: string;
  /** URL that turns off this kind of mail by one POST (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined;
}

/**
 * sent: the server took it. refused: it never will take this mail. failed: it did not take it now.
 * The fault is for the operator.
 */
export type MailResult =
  | { readonly outcome: 'sent' | 'shown' }
  | { readonly outcome: 'refused' | 'failed'; readonly fault: string };
