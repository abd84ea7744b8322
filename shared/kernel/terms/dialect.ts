import type { Static, TObject } from '../schema.ts';

/** The REST form of an operation's input. Made by `dialect`. */
export interface Dialect<I extends TObject> {
  readonly input: TObject;
  toInput(restInput: object): Static<I>;
}

/**
 * REST parses and documents `input`, and `toInput` translates it. Values that `input` accepts
 * should be valid for the operation too, or a refusal would name fields that REST does not have.
 */
export const dialect = <R extends TObject, I extends TObject>(
  input: R,
  toInput: (restInput: Static<R>) => Static<I>,
): Dialect<I> => ({ input, toInput });
