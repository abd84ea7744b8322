import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { OwnerSettings } from '../shared/agents/sessions/settings.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import type { AssetNames } from './assets.ts';
import type { Asked, Page } from './page.ts';

/** What was refused, and what had been filled in. */
export interface Refused {
  readonly operation: string;
  readonly message: string;
  readonly code: string;
  /** It failed on our side, so it is not known whether it was done. */
  readonly isUnknown: boolean;
  /** What is wrong with a field, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  /** As it was sent: the form is filled in with it again. */
  readonly given: Given;
  /** Pages that help, by their labels. */
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** The fields of a form, each with all its values. */
export type Given = Readonly<Record<string, readonly string[]>>;

/** What of a request every part of its page may know. */
export interface Shown extends Asked {
  readonly page: Page;
  /** Where the page is found, with its query. */
  readonly url: string;
  readonly publicUrl: string;
  readonly requestId: string;
  readonly now: Date;
  /** Who is signed in. */
  readonly person?:
    | {
        readonly name: string;
        readonly isFresh: boolean;
        /** When its password is reset by a key; null: no reset waits. */
        readonly resetDueAt: Date | null;
      }
    | undefined;
  /** What its owner has chosen; without one, what holds for everybody. */
  readonly settings: OwnerSettings;
  readonly refused?: Refused | undefined;
  /** What was done just now; with its answer, where that is shown once. */
  readonly done?: { readonly operation: string; readonly answer?: unknown } | undefined;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly assets: AssetNames;
  readonly nav: readonly Page[];
  /** How many things wait, for the navigation. */
  readonly waiting?: number | undefined;
}

export const ShownContext = createContext<Shown | undefined>(undefined);

export function useShown(): Shown {
  const shown = useContext(ShownContext);
  if (!shown) throw new Error('a part of a page was rendered outside of one');
  return shown;
}
