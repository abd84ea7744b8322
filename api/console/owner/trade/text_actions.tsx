import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';

/** A text that a person writes with an action: its field, and the label of the button. */
export interface TextAction {
  readonly field: string;
  readonly label: string;
}

interface WithWordsProps {
  actions: readonly string[];
  input: Readonly<Record<string, unknown>>;
  written: Readonly<Record<string, TextAction>>;
}

/** A form for each action that needs a text. */
export const WithWords = ({ actions, input, written }: WithWordsProps) => (
  <>
    {actions.flatMap((tool) => {
      const { field, label } = written[tool] ?? {};
      if (field === undefined || label === undefined) return [];
      return (
        <details>
          <summary>{label}</summary>
          <Do op={tool} input={input} label={label}>
            <Fields op={tool} only={[field]} />
          </Do>
        </details>
      );
    })}
  </>
);
