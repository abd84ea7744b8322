import type { HttpContext } from '../../api/http/routes.ts';
import type { OwnerSettings } from '../../shared/agents/sessions/settings.ts';
import type { WebSession } from '../../shared/agents/sessions/sessions.ts';
import type { Given } from '../shown.ts';

/** A form of the page of the account, sent by the person of this session. */
export interface Sent {
  readonly ctx: HttpContext;
  readonly session: WebSession;
  readonly given: Given;
}

/** What became of it. */
export interface Done {
  /** What the page says first. */
  readonly said: string;
  /** Shown once. */
  readonly recovery?: readonly string[];
  /** What is chosen now. */
  readonly settings?: OwnerSettings;
}

/** What a form of the page changes. */
export interface Change {
  /** Below that of the page. */
  readonly path: string;
  /** What it does, where a proof within ten minutes is needed: it is asked for by these words. */
  readonly proof?: string;
  readonly perform: (sent: Sent) => Promise<Done>;
}
