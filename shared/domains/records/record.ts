import { Type } from '../../kernel/schema.ts';
import { field } from '../../kernel/view.ts';
import { column } from '../../platform/rows.ts';

export const ROLES = ['seller', 'buyer', 'worker', 'poster'] as const;
export type Role = (typeof ROLES)[number];

/** Highest level: a hundred million dollars of fees. */
const LEVEL_MAX = 9;

export const count = (description: string) =>
  field.asIs(Type.Integer({ minimum: 0, description }), column.int);

export const level = field.asIs(
  Type.Integer({
    minimum: 0,
    maximum: LEVEL_MAX,
    description:
      'Weight of the record: fees in cash that deals with established buyers have paid, halved ' +
      'for each 180 days of age, less those of deals lost in disputes. 1: $0.10 or more, 2: $1, ' +
      '3: $10, and so on.',
  }),
  column.int,
);

/** SQL: the level of a score, as it is stored. */
export const levelOf = (score: string): string =>
  `least(${LEVEL_MAX}, greatest(0, 1 + floor(log(greatest(${score} / record_weight(now()), 1)
     / 100000))))::int`;
