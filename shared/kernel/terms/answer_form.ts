/** A form of a successful answer beside JSON. */
export interface AnswerForm {
  /** Its media type: a caller gets it by that, or by the name of the form. */
  readonly type: string;
  render(answer: object): string;
}
