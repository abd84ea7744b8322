import type { Micros } from '../../ledger/money.ts';
import { column, execute, nullable, oneOf, type Database } from '../../platform/rows.ts';

/** How times are shown: in the zone of who looks, or as they are kept. */
export const TIMES = ['mine', 'utc'] as const;
export const THEMES = ['system', 'light', 'dark'] as const;

/** What an owner has chosen for its console. */
export interface OwnerSettings {
  /** Above it a dialog repeats what will happen. */
  readonly askAbove: Micros;
  /** Whether single keys do something (WCAG 2.1.4). */
  readonly shortcuts: boolean;
  readonly times: (typeof TIMES)[number];
  readonly theme: (typeof THEMES)[number];
}

/** Of whoever has chosen nothing. */
export const DEFAULT_SETTINGS: OwnerSettings = Object.freeze({
  askAbove: 25_000_000n,
  shortcuts: true,
  times: 'mine',
  theme: 'system',
});

/** As `live_session` finds them beside a session. */
export const SETTING_COLUMNS = {
  ask_above: nullable(column.micros),
  shortcuts: nullable(column.boolean),
  times: nullable(oneOf<OwnerSettings['times']>()),
  theme: nullable(oneOf<OwnerSettings['theme']>()),
};

interface Found {
  readonly ask_above: Micros | null;
  readonly shortcuts: boolean | null;
  readonly times: OwnerSettings['times'] | null;
  readonly theme: OwnerSettings['theme'] | null;
}

export const settingsOf = (found: Found): OwnerSettings => ({
  askAbove: found.ask_above ?? DEFAULT_SETTINGS.askAbove,
  shortcuts: found.shortcuts ?? DEFAULT_SETTINGS.shortcuts,
  times: found.times ?? DEFAULT_SETTINGS.times,
  theme: found.theme ?? DEFAULT_SETTINGS.theme,
});

/** Keeps what an owner has chosen, in place of what it had. */
export async function saveSettings(
  db: Database,
  agentId: number,
  { askAbove, shortcuts, times, theme }: OwnerSettings,
): Promise<void> {
  await execute(
    db,
    `insert into owner_setting (agent_id, ask_above, shortcuts, times, theme)
     values ($1, $2, $3, $4, $5)
     on conflict (agent_id) do update
        set ask_above = excluded.ask_above, shortcuts = excluded.shortcuts,
            times = excluded.times, theme = excluded.theme`,
    [agentId, askAbove, shortcuts, times, theme],
  );
}
