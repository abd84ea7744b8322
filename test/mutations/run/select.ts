import type { Mutation } from '../mutation.ts';
import { MUTATIONS } from '../mutations.ts';

export interface Chosen {
  readonly area: string;
  readonly mutation: Mutation;
}

/** By area or by the beginning of a name; without names all. Throws when a name matches nothing. */
export function select(names: readonly string[]): readonly Chosen[] {
  const all = Object.entries(MUTATIONS).flatMap(([area, mutations]) =>
    mutations.map((mutation) => ({ area, mutation })),
  );
  const isNamed = (name: string, { area, mutation }: Chosen) =>
    area === name || mutation.name.startsWith(name);
  const unknown = names.filter((name) => !all.some((one) => isNamed(name, one)));
  if (unknown.length > 0) {
    const areas = Object.keys(MUTATIONS).join(', ');
    throw new Error(`No mutation and no area begins with ${unknown.join(', ')}. Areas: ${areas}.`);
  }
  return all.filter((one) => names.length === 0 || names.some((name) => isNamed(name, one)));
}
