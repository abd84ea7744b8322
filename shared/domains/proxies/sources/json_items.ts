import { Tokenizer, TokenType } from '@streamparser/json';

import {
  BadSource,
  isCountry,
  isField,
  isPlace,
  isProtocol,
  itemOfFields,
  itemsOfWords,
  type Item,
  type Items,
} from './items.ts';

/** Maximum tokens of one entry, and of the text before and between lists. */
const TOKENS_MAX = 1_000;
const DEPTH_MAX = 32;
/** Maximum bytes of a value: a longer one is no part of a list of proxies. */
const VALUE_BYTES_MAX = 256 * 1024;
/** Values of a list that may be one entry, as in `["8.8.8.8", 1080]`. */
const ENTRY_VALUES = 8;
const TEXT_CHARS_MAX = 500;

/** An open object or list. */
interface Container {
  readonly isList: boolean;
  /** The names of the lists and objects around it, without numbers, countries and protocols. */
  readonly path: string;
  readonly protocol: string;
  readonly country: string;
  /** Fields of an object that are read. */
  readonly fields: Map<string, string>;
  /** The first values of a list, until it is known whether they are one entry. */
  values: string[] | undefined;
  hasPlace: boolean;
  key: string;
}

/**
 * Reads the entries of JSON as they come, however deep their lists are, and of several JSON values
 * behind each other. An entry is an object with the fields of a proxy, a text, or a list with an
 * address and a port. No more is kept than the open entries, so a list of any length and shape
 * takes no more memory than the piece written last.
 */
export function jsonItems(onItem: (item: Item) => void): Items {
  const tokenizer = openTokenizer();
  const stack: Container[] = [];
  let hasList = false;
  let hasItem = false;
  let tokens = 0;
  let silentBytes = 0;

  /** An entry of an object that is an entry itself does not begin another one. */
  function emit(item: Item, { path, protocol, country }: Container, isSure: boolean): void {
    hasItem = true;
    if (isSure || !stack.slice(1).some((one, n) => !one.isList && stack[n]!.isList)) tokens = 0;
    onItem({
      ...item,
      protocol: item.protocol || protocol,
      country: item.country || country,
      list: path,
    });
  }

  function emitText(text: string, list: Container): void {
    for (const item of itemsOfWords(text.split(/\s+/))) emit(item, list, /[.\]]:?\d/.test(text));
  }

  function flush(list: Container): void {
    const { values } = list;
    list.values = undefined;
    for (const text of values ?? []) emitText(text, list);
  }

  function scalar(text: string): void {
    const inside = stack.at(-1);
    if (!inside) return;
    if (!inside.isList) {
      const name = inside.key.toLowerCase();
      if (isPlace(name)) inside.hasPlace = true;
      if (isField(name) && !inside.fields.has(name)) inside.fields.set(name, text);
      return;
    }
    if (!inside.values) return emitText(text, inside);
    inside.values.push(text);
    if (inside.values.length > ENTRY_VALUES) flush(inside);
  }

  function open(isList: boolean): void {
    const around = stack.at(-1);
    if (stack.length >= DEPTH_MAX) throw tooLarge();
    if (around?.isList) flush(around);
    if (isList) hasList = true;
    const key = around && !around.isList ? around.key : '';
    const isGroup = isCountry(key) || isProtocol(key) || /^\d*$/.test(key);
    stack.push({
      isList,
      path: `${around?.path ?? ''}/${isGroup ? '*' : key}`,
      protocol: isProtocol(key) ? key : (around?.protocol ?? ''),
      country: isCountry(key) ? key : (around?.country ?? ''),
      fields: new Map(),
      values: isList ? [] : undefined,
      hasPlace: false,
      key: '',
    });
  }

  function close(): void {
    const closed = stack.pop()!;
    const around = stack.at(-1);
    if (!closed.isList) {
      const isEntry = closed.hasPlace || around?.isList === true;
      const get = (name: string) => closed.fields.get(name);
      if (isEntry) emit(itemOfFields(get), around ?? closed, closed.hasPlace);
      return;
    }
    const { values = [] } = closed;
    const entry = itemsOfWords(values);
    const isPair = values.length > 1 && entry.length === 1 && isNaN(Number(entry[0]!.address));
    if (isPair && around?.isList !== false && !/:/.test(values[0]!))
      emit(entry[0]!, around ?? closed, true);
    else if (around && !around.isList && !values.some((text) => /[.\]:]/.test(text))) {
      const text = values.find((one) => /^socks5/i.test(one)) ?? values[0];
      // A field of its object, such as its protocols.
      if (text !== undefined && isField(around.key.toLowerCase())) {
        around.fields.set(around.key.toLowerCase(), text);
      } else flush(closed);
    } else flush(closed);
  }

  let isKey = false;
  tokenizer.onToken = ({ token, value }) => {
    tokens += 1;
    silentBytes = 0;
    if (tokens > TOKENS_MAX) throw tooLarge();
    switch (token) {
      case TokenType.LEFT_BRACKET:
        open(true);
        break;
      case TokenType.LEFT_BRACE:
        open(false);
        isKey = true;
        break;
      case TokenType.RIGHT_BRACKET:
      case TokenType.RIGHT_BRACE: {
        const isList = token === TokenType.RIGHT_BRACKET;
        if (stack.at(-1)?.isList !== isList) throw notJson();
        close();
        isKey = false;
        break;
      }
      case TokenType.COMMA:
        if (stack.length === 0) throw notJson();
        isKey = stack.at(-1)!.isList === false;
        break;
      case TokenType.COLON:
        isKey = false;
        break;
      default: {
        const text = String(value).slice(0, TEXT_CHARS_MAX);
        const inside = stack.at(-1);
        if (!inside) throw notJson();
        if (isKey) inside.key = text;
        else scalar(text);
      }
    }
  };

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
      if (stack.length > 0) throw notJson();
      if (!hasList && !hasItem) throw new BadSource('is JSON without a list in it');
    },
  };
}

const openTokenizer = () => new Tokenizer({ separator: '' });

const tooLarge = () => new BadSource('has an entry that is too large');
const notJson = () => new BadSource('is not JSON, though it begins so');
