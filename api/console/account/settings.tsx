import { plainAmount } from '../words/texts.ts';
import {
  THEMES,
  TIMES,
  type OwnerSettings,
} from '../../../shared/domains/agents/sessions/settings.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';
import { fromUsd, toUsd } from '../../../shared/kernel/money.ts';
import { invalid } from '../../../shared/kernel/schema.ts';
import { Card } from '../parts/card.tsx';
import { PostForm } from '../parts/do.tsx';
import { oneOf } from '../session/form.ts';
import { TypedField } from '../session/typed_field.tsx';
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
        <TypedField
          of={SETTINGS}
          name="ask_above"
          inputMode="decimal"
          maxLength={12}
          value={toUsd(settings.askAbove).toFixed(2)}
        />
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
  const amount = plainAmount(oneOf(given, 'ask_above'));
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(amount) || Number(amount) > ASK_ABOVE_MAX) {
    throw invalid([{ pointer: '/ask_above', message: 'is invalid' }]);
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
