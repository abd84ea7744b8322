import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

import type { OwnerSettings } from '../../shared/domains/agents/sessions/settings.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import type { AssetNames } from './assets.ts';
import type { PageQuery, Page, PageHead } from './page.ts';

/** A refusal, and the fields of the form. */
export interface Refused {
  readonly operation: string;
  readonly message: string;
  readonly code: string;
  /** It failed on our side, so it is not known whether it was done. */
  readonly isUnknown: boolean;
  /** Faults of fields, by their names. */
  readonly fields: Readonly<Record<string, string>>;
  /** The fields as they were sent: the form is filled in with them again. */
  readonly given: FormFields;
  /** Pages that help, with their labels. */
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** The fields of a form, each with all its values. */
export type FormFields = Readonly<Record<string, readonly string[]>>;

/** The facts of a request that every part of its page may use. */
export interface PageState extends PageQuery {
  readonly page: Page;
  /** URL of the page, with its query. */
  readonly url: string;
  readonly publicUrl: string;
  /** Whether time can be moved here, because all money is play money. */
  readonly isSandbox: boolean;
  readonly head: PageHead | undefined;
  readonly requestId: string;
  readonly now: Date;
  /** The signed-in person. */
  readonly person?:
    | {
        readonly name: string;
        readonly isFresh: boolean;
        /** Time at which its password is reset by a key; null: no reset waits. */
        readonly resetDueAt: Date | null;
      }
    | undefined;
  /** The owner's settings, or the defaults. */
  readonly settings: OwnerSettings;
  readonly refused?: Refused | undefined;
  /** The operation that was just done; with its answer, if that is shown once. */
  readonly done?: { readonly operation: string; readonly answer?: unknown } | undefined;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly assets: AssetNames;
  readonly nav: readonly Page[];
  /** Number of waiting items, for the navigation. */
  readonly waiting?: number | undefined;
}

export const ShownContext = createContext<PageState | undefined>(undefined);

export function useShown(): PageState {
  const shown = useContext(ShownContext);
  if (!shown) throw new Error('a part of a page was rendered outside of one');
  return shown;
}
