import type { ComponentChildren } from 'preact';

import type { Query } from './query.ts';

interface FilterProps {
  path: string;
  /** The query of the page: its fields in `keep` stay. */
  query?: Query;
  keep?: readonly string[];
  /** Its fields. */
  children: ComponentChildren;
  /** Content beside its button. */
  after?: ComponentChildren;
}

/** The form that selects some rows of a list. */
export const Filter = ({ path, query = {}, keep = [], children, after }: FilterProps) => (
  <form class="filters" method="get" action={path}>
    {keep.map((name) => query[name] && <input type="hidden" name={name} value={query[name]} />)}
    {children}
    <p class="buttons">
      <button class="button">Show</button>
      {after}
    </p>
  </form>
);

/** A field with a few values. A space before a name of digits keeps the order of an object. */
export const FilterChoice = ({ name, label, value = '', choices }: ChoiceProps) => (
  <p class="field">
    <label for={`filter-${name}`}>{label}</label>
    <select id={`filter-${name}`} name={name}>
      {Object.entries(choices).map(([one, words]) => (
        <option value={one.trim()} selected={one.trim() === value}>
          {words}
        </option>
      ))}
    </select>
  </p>
);

interface ChoiceProps {
  name: string;
  label: string;
  value?: string | undefined;
  choices: Readonly<Record<string, string>>;
}

/** A field for a text, a number or a day. */
export const FilterText = ({ name, label, value, ...input }: TextProps) => (
  <p class="field">
    <label for={`filter-${name}`}>{label}</label>
    <input id={`filter-${name}`} name={name} value={value ?? ''} {...input} />
  </p>
);

interface TextProps {
  name: string;
  label: string;
  value: string | undefined;
  type?: 'date';
  inputMode?: 'numeric';
  maxLength?: number;
}

interface StateFilterProps extends Omit<FilterProps, 'children'> {
  query: Query;
  /** The query field. */
  name?: string;
  /** Its values with their labels, after "any". */
  states: Readonly<Record<string, string>>;
  /** Fields before that of the state. */
  children?: ComponentChildren;
}

/** Selects the rows of a list by their state. */
export const StateFilter = ({
  name = 'status',
  states,
  keep = ['sort'],
  children,
  ...form
}: StateFilterProps) => (
  <Filter {...form} keep={keep}>
    {children}
    <FilterChoice
      name={name}
      label="State"
      value={form.query[name]}
      choices={{ '': 'any', ...states }}
    />
  </Filter>
);
