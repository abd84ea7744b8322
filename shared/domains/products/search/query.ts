/** A word of a query, or words in quotes. */
export interface Token {
  readonly text: string;
  readonly isPhrase: boolean;
}

interface Query {
  readonly wanted: readonly Token[];
  /** -word, -"two words": words that a product may not have. */
  readonly unwanted: readonly Token[];
}

/** Maximum tokens read; the rest of the query is ignored. */
const TOKENS_MAX = 20;

export function parseQuery(text: string): Query {
  const found = [...text.matchAll(/(-?)(?:"([^"]*)"|([^\s"]+))/g)].slice(0, TOKENS_MAX);
  const tokens = found.map(([, minus, phrase, word]) => ({
    isUnwanted: minus === '-',
    text: phrase ?? word!,
    isPhrase: phrase !== undefined,
  }));
  return {
    wanted: tokens.filter(({ isUnwanted }) => !isUnwanted),
    unwanted: tokens.filter(({ isUnwanted }) => isUnwanted),
  };
}

/** A token as it is written in a query. */
export const written = ({ text, isPhrase }: Token): string => (isPhrase ? `"${text}"` : text);
