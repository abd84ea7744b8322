import type { SettingReader } from '../../platform/config/environment.ts';
import { mailbox, whole } from '../../platform/config/setting_values.ts';

export function emailSettings({ read, optional }: SettingReader) {
  const from = optional('SMTP_PROBE_FROM', mailbox);
  const port = read('SMTP_PROBE_PORT', '25', whole(1, 65_535));
  const pauseMs = read('SMTP_PROBE_PAUSE_MS', '1000', whole(1, 600_000));
  const greylistMs = read('SMTP_PROBE_GREYLIST_MS', '360000', whole(1_000, 3_600_000));
  return Object.freeze({
    /** Distinct mailboxes that a mail host refuses in a row before it may be in doubt. */
    refusals: read('SMTP_PROBE_REFUSALS', '5', whole(2, 1_000)),
    /** A list of disposable domains, a URL or a file; undefined: that of the npm package. */
    disposableDomains: optional('DISPOSABLE_DOMAINS', String),
    /**
     * Settings for asking mail servers about mailboxes: the sender, the port, the pause of a server
     * after a session, and the time after which one that defers unknown senders is asked again.
     * Undefined: they are not asked.
     */
    smtpProbe: from === undefined ? undefined : { from, port, pauseMs, greylistMs },
  });
}

export type EmailSettings = ReturnType<typeof emailSettings>;
