import { useShown } from '../../page_state.ts';
import { LabelledField } from '../../parts/fields.tsx';
import { fieldWords } from '../../words/field_words.ts';
import { amountOf } from '../../words/texts.ts';

/** Dollars a day that an agent may spend until its owner says otherwise. */
export const DAILY_LIMIT = 5;

const NAME = 'daily_spend_limit';

/** The limit of an agent that a form makes: set by `set_policy` once the agent is there. */
export function DailyLimit() {
  const { refused } = useShown();
  const { label, note } = fieldWords('spawn_agent', NAME);
  const isOurs = refused?.operation === 'spawn_agent';
  const problem = isOurs ? refused.fields[NAME] : undefined;
  const id = `spawn_agent-${NAME}`;
  return (
    <LabelledField
      id={id}
      label={label}
      note={
        <>
          <span class="note">{note}</span>
          {problem && <strong class="problem">{problem}</strong>}
        </>
      }
    >
      <input
        id={id}
        name={`_then.${NAME}`}
        inputMode="decimal"
        value={(isOurs ? refused.given[`_then.${NAME}`]?.[0] : undefined) ?? amountOf(DAILY_LIMIT)}
        aria-describedby={`${id}-note`}
        {...(problem && { 'aria-invalid': 'true' as const })}
      />
    </LabelledField>
  );
}
