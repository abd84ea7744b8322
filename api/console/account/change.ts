import type { HttpContext } from '../../http/routes.ts';
import type { OwnerSettings } from '../../../shared/domains/agents/sessions/settings.ts';
import type { WebSession } from '../../../shared/domains/agents/sessions/sessions.ts';
import type { FormFields } from '../page_state.ts';

/** A form of the account page, sent by the person of this session. */
interface AccountForm {
  readonly ctx: HttpContext;
  readonly session: WebSession;
  readonly given: FormFields;
}

/** The result of a change. */
export interface ChangeResult {
  /** The message at the top of the page. */
  readonly said: string;
  /** Recovery codes, shown once. */
  readonly recovery?: readonly string[];
  /** The settings after the change. */
  readonly settings?: OwnerSettings;
  /** A JSON file, sent in place of the page. */
  readonly file?: { readonly name: string; readonly text: string };
}

/** A change that a form of the page makes. */
export interface Change {
  /** Path below that of the page. */
  readonly path: string;
  /** Title of the change, for the question for a proof, if one within ten minutes is needed. */
  readonly proof?: string;
  readonly perform: (sent: AccountForm) => Promise<ChangeResult>;
}
