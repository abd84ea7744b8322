import type { Micros } from '../../../kernel/money.ts';
import { column, execute, nullable, oneOf, type Database } from '../../../platform/rows.ts';

/** Time zones for shown times: the viewer's own, or UTC. */
export const TIMES = ['mine', 'utc'] as const;
export const THEMES = ['system', 'light', 'dark'] as const;

/** Settings of an owner for its console. */
export interface OwnerSettings {
  /** Amount above which a dialog asks to confirm. */
  readonly askAbove: Micros;
  /** Whether single-key shortcuts are on (WCAG 2.1.4). */
  readonly shortcuts: boolean;
  readonly times: (typeof TIMES)[number];
  readonly theme: (typeof THEMES)[number];
}

/** Settings of an owner that has changed none. */
export const DEFAULT_SETTINGS: OwnerSettings = Object.freeze({
  askAbove: 25_000_000n,
  shortcuts: true,
  times: 'mine',
  theme: 'system',
});

/** Columns that `live_session` returns beside a session. */
export const SETTING_COLUMNS = {
  ask_above: nullable(column.micros),
  shortcuts: nullable(column.boolean),
  times: nullable(oneOf<OwnerSettings['times']>()),
  theme: nullable(oneOf<OwnerSettings['theme']>()),
};

interface SettingsRow {
  readonly ask_above: Micros | null;
  readonly shortcuts: boolean | null;
  readonly times: OwnerSettings['times'] | null;
  readonly theme: OwnerSettings['theme'] | null;
}

export const settingsOf = (found: SettingsRow): OwnerSettings => ({
  askAbove: found.ask_above ?? DEFAULT_SETTINGS.askAbove,
  shortcuts: found.shortcuts ?? DEFAULT_SETTINGS.shortcuts,
  times: found.times ?? DEFAULT_SETTINGS.times,
  theme: found.theme ?? DEFAULT_SETTINGS.theme,
});

/** Replaces the settings of an owner. */
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
