/** A schema whose check has no end: each level looks at the next one twice. */
export const ENDLESS = {
  $defs: Object.fromEntries(
    Array.from({ length: 26 }, (_, n) => {
      const next = { $ref: `#/$defs/d${n + 1}` };
      return [`d${n}`, n === 25 ? { type: 'array', minItems: 1 } : { anyOf: [next, next] }];
    }),
  ),
  $ref: '#/$defs/d0',
};
