import {
  THEMES,
  TIMES,
  type OwnerSettings,
} from '../../../shared/domains/agents/sessions/settings.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { fromUsd, toUsd } from '../../../shared/kernel/money.ts';
import { Card } from '../parts/card.tsx';
import { PostForm } from '../parts/do.tsx';
import { LabelledField } from '../parts/fields.tsx';
import { oneOf } from '../session/form.ts';
import { useShown, type FormFields } from '../page_state.ts';

const BOX = ['off', 'on'] as const;

/** Path below that of the account. */
export const SETTINGS = '/settings';

/** Maximum in dollars. */
const ASK_ABOVE_MAX = 1_000_000;

const LABELS: Readonly<Record<string, string>> = {
  mine: 'in my zone',
  utc: 'UTC',
  system: 'as the system has it',
  light: 'light',
  dark: 'dark',
};

/** An owner's settings of the console. */
export function Settings({ settings }: { settings: OwnerSettings }) {
  const { refused } = useShown();
  // Values that were sent but not saved stay in the form.
  const given = refused?.operation === SETTINGS ? refused.given : {};
  const sent = (name: string) => given[name]?.at(-1);
  return (
    <Card id="settings" title="This console">
      <PostForm action="/console/account/settings" class="form">
        <LabelledField
          id="ask_above"
          label="Ask again above, in dollars"
          note={<span class="note">A dialog repeats what an approval above it will do.</span>}
        >
          <input
            id="ask_above"
            name="ask_above"
            inputMode="decimal"
            required
            maxLength={12}
            value={sent('ask_above') ?? toUsd(settings.askAbove).toFixed(2)}
            aria-describedby="ask_above-note"
          />
        </LabelledField>
        <Choice
          name="times"
          label="Time zone"
          choices={TIMES}
          chosen={sent('times') ?? settings.times}
        />
        <Choice
          name="theme"
          label="Theme"
          choices={THEMES}
          chosen={sent('theme') ?? settings.theme}
        />
        <p class="field check">
          {/* An unchecked box sends nothing; then this value is sent. */}
          <input type="hidden" name="shortcuts" value="off" />
          <input
            id="shortcuts"
            type="checkbox"
            name="shortcuts"
            value="on"
            checked={sent('shortcuts') ? sent('shortcuts') === 'on' : settings.shortcuts}
          />
          <label for="shortcuts">Single keys are shortcuts</label>
        </p>
        <button class="button">Save</button>
      </PostForm>
    </Card>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  choices: readonly string[];
  chosen: string;
}

const Choice = ({ name, label, choices, chosen }: ChoiceProps) => (
  <p class="field">
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      {choices.map((choice) => (
        <option value={choice} selected={choice === chosen}>
          {LABELS[choice]}
        </option>
      ))}
    </select>
  </p>
);

/** Reads the form. Refuses values that no form of ours sends. */
export function settingsIn(given: FormFields): OwnerSettings {
  const amount = oneOf(given, 'ask_above');
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(amount) || Number(amount) > ASK_ABOVE_MAX) {
    throw new Refusal('validation_error', 'Enter an amount in dollars, such as 25.00.');
  }
  return {
    askAbove: fromUsd(Number(amount)),
    shortcuts: chosenOf(BOX, oneOf(given, 'shortcuts')) === 'on',
    times: chosenOf(TIMES, oneOf(given, 'times')),
    theme: chosenOf(THEMES, oneOf(given, 'theme')),
  };
}

function chosenOf<T extends string>(choices: readonly T[], text: string): T {
  const chosen = choices.find((choice) => choice === text);
  if (chosen === undefined) throw new Refusal('validation_error', 'There is no such choice.');
  return chosen;
}
