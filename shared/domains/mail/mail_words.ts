/** The words of a mail: a subject, paragraphs, and the label of its link. */
export interface MailWords {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly label: string;
}
