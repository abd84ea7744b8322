import type { SettingReader } from '../platform/config/environment.ts';
import { mailbox, whole } from '../platform/config/setting_values.ts';

export function emailSettings({ read, optional }: SettingReader) {
  const from = optional('SMTP_PROBE_FROM', mailbox);
  const port = read('SMTP_PROBE_PORT', '25', whole(1, 65_535));
  const pauseMs = read('SMTP_PROBE_PAUSE_MS', '1000', whole(1, 600_000));
  return Object.freeze({
    /**
     * Whether mail servers are asked for mailboxes: as which sender, at which port, and for how
     * long each is left alone after a session.
     */
    smtpProbe: from === undefined ? undefined : { from, port, pauseMs },
  });
}

export type EmailSettings = ReturnType<typeof emailSettings>;
