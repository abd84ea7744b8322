import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';

import { BadSource, itemOfFields, itemOfWords, type Item, type Items } from './items.ts';

/** Maximum tokens of one entry, and of the text before and between lists. */
const TOKENS_MAX = 1_000;
/** Maximum bytes of a value: a longer one is no part of a list of proxies. */
const VALUE_BYTES_MAX = 256 * 1024;

/**
 * Reads the entries of a JSON list, or of the first list in a JSON object, as they come. Each is
 * dropped once read, so a list of any length and shape takes no more memory than the piece written
 * last.
 */
export function jsonItems(isList: boolean, onItem: (item: Item) => void): Items {
  const tokenizer = new Tokenizer();
  const parser = new TokenParser({ paths: [isList ? '$.*' : '$.*.*'], keepStack: false });
  let hasList = isList;
  let chosen: string | number | undefined;
  let depth = 0;
  let tokens = 0;
  let silentBytes = 0;

  tokenizer.onToken = (found) => {
    const { token } = found;
    if (token === TokenType.LEFT_BRACKET && depth === 1) hasList = true;
    if (token === TokenType.LEFT_BRACE || token === TokenType.LEFT_BRACKET) depth += 1;
    if (token === TokenType.RIGHT_BRACE || token === TokenType.RIGHT_BRACKET) depth -= 1;
    tokens += 1;
    silentBytes = 0;
    if (tokens > TOKENS_MAX) throw new BadSource('has an entry that is too large');
    parser.write(found);
  };
  parser.onValue = ({ value, parent, stack }) => {
    tokens = 0;
    if (!Array.isArray(parent)) return;
    const list = isList ? '' : stack[1]!.key!;
    chosen ??= list;
    if (chosen === list) onItem(itemOf(value));
  };
  parser.onEnd = () => tokenizer.end();

  return {
    write(bytes) {
      try {
        silentBytes += bytes.length;
        tokenizer.write(bytes);
      } catch (error) {
        if (error instanceof BadSource) throw error;
        throw notJson();
      }
      if (silentBytes > VALUE_BYTES_MAX + bytes.length) throw notJson();
    },
    end() {
      if (!parser.isEnded) throw notJson();
      if (!hasList) throw new BadSource('is JSON without a list in it');
    },
  };
}

const notJson = () => new BadSource('is not JSON, though it begins so');

function itemOf(value: unknown): Item {
  if (typeof value !== 'object' || value === null) return itemOfWords([String(value)]);
  const fields = new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));
  return itemOfFields((name) => {
    const field: unknown = fields.get(name);
    const one: unknown = Array.isArray(field)
      ? (field.find((f) => /^socks5/i.test(String(f))) ?? field[0])
      : field;
    return typeof one === 'string' || typeof one === 'number' ? String(one) : undefined;
  });
}
