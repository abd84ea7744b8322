import { isMisfit } from '../fault.ts';

/**
 * The operations of this process whose last call failed because a statement and the schema are of
 * different versions, as beside a release.
 */
export interface SchemaFit {
  /** Notes an error of an operation; only one that means a misfit counts. */
  noteError(operation: string, error: unknown): void;
  noteSuccess(operation: string): void;
  /** Forgets all, because the schema has changed. */
  clear(): void;
  readonly isMisfit: boolean;
}

export function openSchemaFit(): SchemaFit {
  const misfits = new Set<string>();
  return {
    noteError(operation, error) {
      if (isMisfit(error)) misfits.add(operation);
    },
    noteSuccess(operation) {
      misfits.delete(operation);
    },
    clear() {
      misfits.clear();
    },
    get isMisfit() {
      return misfits.size > 0;
    },
  };
}
