/** A field of a form, in words for people. Schemas describe the same fields to programs. */
export interface FieldWords {
  readonly label: string;
  /** Line below the field. */
  readonly note?: string;
  /** Labels of the choices, by their values. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Sentence for a value that is not written as it has to be. */
  readonly wrong?: string;
  /** Sentence for a text that is too short, where the number of characters says little. */
  readonly short?: string;
  /** Sentence for a field without a value. */
  readonly empty?: string;
  /** The field has several lines. */
  readonly isLong?: true;
}

/** The fields of a form, by their names. */
export type FormWords = Readonly<Record<string, FieldWords>>;
