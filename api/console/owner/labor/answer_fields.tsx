import { choicesOf, type Template } from '../../../../shared/domains/labor/templates/template.ts';
import { LabelledField } from '../../parts/fields.tsx';
import { useShown, type FormFields } from '../../page_state.ts';
import { NONE, type ListForm } from './sent_answer.ts';

/** Keys of a keyboard for the first choices. */
const KEYS = '1234567890';

interface AnswerProps {
  template: Template | null;
  payload: string;
  /** Whether an answer must be JSON by the schema of the task. */
  isJson: boolean;
}

/** The fields for an answer, in the form that the template of its task has. */
export function AnswerFields({ template, payload, isJson }: AnswerProps) {
  const { refused } = useShown();
  const isBack = refused?.operation === 'deliver_labor_task';
  const given: FormFields = isBack ? refused.given : {};
  // A refused form keeps the focus on what was wrong with it.
  const focus = refused ? {} : { 'data-focus': 'first' };
  if (template === null || choicesOf(template).length === 0) {
    return <TextAnswer {...{ focus, isJson }} text={given.submission?.[0] ?? ''} />;
  }
  const choices = choicesOf(template);
  if (template.form === 'ner') {
    return (
      <LinesAnswer
        {...{ choices, focus }}
        form="spans"
        text={given._lines?.[0] ?? ''}
        payload={payload}
        example={`${choices[0]}: words of the text`}
        isNone={given._none !== undefined}
        note="One a line: a label, a colon, and words as they stand in the text. Words that stand in
          it twice are found in this order."
      />
    );
  }
  if (template.form === 'boxes') {
    return (
      <LinesAnswer
        {...{ choices, focus }}
        form="boxes"
        text={given._lines?.[0] ?? ''}
        payload={payload}
        example={`${choices[0]}: 10 20 30 40`}
        isNone={given._none !== undefined}
        note="One a line: a label, a colon, then left, top, width and height in percent of the
          picture."
      />
    );
  }
  const isSeveral = template.several === true;
  const name = isSeveral ? '_label' : 'submission';
  return (
    <fieldset class="field options">
      <legend>{isSeveral ? 'Labels that fit' : 'Answer'}</legend>
      {isSeveral && <input type="hidden" name="_form" value="several" />}
      {choices.map((choice, n) => (
        <label>
          <input
            type={isSeveral ? 'checkbox' : 'radio'}
            name={name}
            value={choice}
            required={!isSeveral}
            checked={given[name]?.includes(choice)}
            data-number={KEYS[n]}
            {...(n === 0 && focus)}
          />
          <bdi>{choice}</bdi>
          {KEYS[n] && <kbd aria-hidden="true">{KEYS[n]}</kbd>}
        </label>
      ))}
      {isSeveral && <None form="several" isChosen={given._none !== undefined} among={choices} />}
    </fieldset>
  );
}

interface NoneProps {
  form: ListForm;
  isChosen: boolean;
  /** The choices, of which the tenth has the last key. */
  among: readonly string[];
}

/** The choice of nothing, which an empty answer needs. */
const None = ({ form, isChosen, among }: NoneProps) => {
  const key = among.length < KEYS.length ? KEYS.at(-1) : undefined;
  return (
    <label>
      <input type="checkbox" name="_none" value="true" checked={isChosen} data-number={key} />
      <span>{NONE[form]}</span>
      {key && <kbd aria-hidden="true">{key}</kbd>}
    </label>
  );
};

interface TextProps {
  focus: object;
  isJson: boolean;
  text: string;
}

const TextAnswer = ({ focus, isJson, text }: TextProps) => (
  <LabelledField
    id="answer"
    label="Answer"
    note={
      <span class="note">
        {isJson ? 'As JSON, by the schema of the task. ' : ''}Ctrl+Enter delivers it.
      </span>
    }
  >
    <textarea
      id="answer"
      name="submission"
      rows={4}
      required
      maxLength={4_000}
      dir="auto"
      aria-describedby="answer-note"
      {...focus}
    >
      {text}
    </textarea>
  </LabelledField>
);

interface LinesProps {
  form: 'spans' | 'boxes';
  choices: readonly string[];
  focus: object;
  payload: string;
  text: string;
  isNone: boolean;
  example: string;
  note: string;
}

/** Parts of a text or a picture, a line each. A script writes the lines of what is marked. */
const LinesAnswer = ({ form, choices, focus, payload, text, ...rest }: LinesProps) => (
  <>
    <input type="hidden" name="_form" value={form} />
    {/* As JSON, because forms change line breaks. */}
    {form === 'spans' && <input type="hidden" name="_payload" value={JSON.stringify(payload)} />}
    {choices.map((choice) => (
      <input type="hidden" name="_choice" value={choice} />
    ))}
    <fieldset class="field">
      <legend>Labels</legend>
      <span class="buttons" data-marks={form}>
        {choices.map((choice, n) => (
          <button
            type="button"
            class="button"
            data-number={KEYS[n]}
            data-mark={choice}
            {...(n === 0 && focus)}
          >
            <bdi>{choice}</bdi>
            {KEYS[n] && <kbd aria-hidden="true">{KEYS[n]}</kbd>}
          </button>
        ))}
      </span>
      <span class="note" role="status" data-mark-note />
    </fieldset>
    <LabelledField
      id="lines"
      label="Answer"
      note={<span class="note">{rest.note} Ctrl+Enter delivers it.</span>}
    >
      <textarea
        id="lines"
        name="_lines"
        rows={4}
        dir="auto"
        placeholder={rest.example}
        aria-describedby="lines-note"
      >
        {text}
      </textarea>
    </LabelledField>
    <div class="field options">
      <None form={form} isChosen={rest.isNone} among={choices} />
    </div>
  </>
);
