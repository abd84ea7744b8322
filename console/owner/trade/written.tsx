import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';

/** What a person writes with an action: in which field, under which words. */
export interface Written {
  readonly field: string;
  readonly label: string;
  /** Who reads it; what its schema says, if absent. */
  readonly says?: string;
}

interface WithWordsProps {
  actions: readonly string[];
  input: Readonly<Record<string, unknown>>;
  written: Readonly<Record<string, Written>>;
}

/** A form for each of the actions that want words. */
export const WithWords = ({ actions, input, written }: WithWordsProps) => (
  <>
    {actions.flatMap((tool) => {
      const { field, label, says } = written[tool] ?? {};
      if (field === undefined || label === undefined) return [];
      return (
        <details>
          <summary>{label}</summary>
          <Do op={tool} input={input} label={label}>
            <Fields
              op={tool}
              only={[field]}
              labels={says === undefined ? {} : { [field]: says }}
              long={[field]}
            />
          </Do>
        </details>
      );
    })}
  </>
);
