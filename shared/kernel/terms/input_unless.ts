import { Type, type TProperties } from '../schema.ts';

/** An input in which a field may be left out only where another is sent. */
export const InputUnless = <P extends TProperties>(
  unless: { readonly [field: string]: string },
  properties: P,
) => {
  const [[needed, other]] = Object.entries(unless) as [[string, string]];
  return Type.Object(properties, {
    additionalProperties: false,
    if: { required: [other] },
    else: { required: [needed] },
  });
};
