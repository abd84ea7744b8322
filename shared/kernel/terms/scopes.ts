import { someOf } from '../../platform/rows.ts';
import { SCOPES, type Scope } from '../caller.ts';
import { OneOf, Type } from '../schema.ts';

/** Scopes in an answer. */
export const Scopes = (description: string) =>
  Type.Array(OneOf(SCOPES, 'A scope.'), { maxItems: SCOPES.length, description });

/** Scopes in an input: one or more, each once. */
export const ChosenScopes = (description: string) =>
  Type.Array(OneOf(SCOPES, 'A scope.'), {
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    description,
  });

/** A field of a view: a column of scopes, shown in the order of `SCOPES`. */
export const scopesField = (description: string) => ({
  schema: Scopes(description),
  column: someOf<Scope>(),
  show: (scopes: readonly Scope[]) => SCOPES.filter((scope) => scopes.includes(scope)),
});
