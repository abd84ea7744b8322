import type { ComponentChildren } from 'preact';

import { labelled } from '../../../shared/kernel/text.ts';

/**
 * An amount with two decimals, or up to six if it has more, and `−` if it is negative. `signed`
 * shows a plus too.
 */
export function usdOf(amount: number, { signed = false } = {}): string {
  const [whole = '0', decimals = ''] = Math.abs(amount).toFixed(6).split('.');
  const shown = decimals.replace(/0{1,4}$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const sign = amount < 0 ? '−' : signed && amount > 0 ? '+' : '';
  return `${sign}$${grouped}.${shown}`;
}

export const Usd = ({ amount, signed = false }: { amount: number; signed?: boolean }) => (
  <span class="num sum">{usdOf(amount, { signed })}</span>
);

/** A time in UTC; a script shows it in the reader's zone, with this text as its title. */
export function When({ at, date = true }: { at: string; date?: boolean }) {
  const [day, time = ''] = at.split('T');
  return (
    <time class="num" datetime={at} data-short={date ? undefined : ''}>
      {date ? `${day} ${time.slice(0, 5)} UTC` : time.slice(0, 5)}
    </time>
  );
}

/** The time left, in the unit that fits. */
export function leftOf(now: Date, until: string): string {
  const minutes = Math.round((Date.parse(until) - now.getTime()) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return plural(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day');
}

export const plural = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;

/** Codes whose words are not their own. */
const NAMES: Readonly<Record<string, string>> = {
  serial_key: 'Key or license',
  api_service: 'API access',
  asa: 'Token',
  nft: 'NFT',
  tx_limit_exceeded: 'Above the limit at a time',
  daily_limit_exceeded: 'Above the limit of a day',
  product_type_not_allowed: 'Not among what it may buy',
  seller_not_allowed: 'A seller with too few buyers',
  insufficient_balance: 'Not enough money',
  insufficient_scope: 'Not what its key may do',
  agent_suspended: 'It was stopped',
};

/** `order_to_confirm` as words. */
export const wordsOf = (name: string): string => {
  if (Object.hasOwn(NAMES, name)) return NAMES[name]!;
  const words = name.replaceAll(/[_.]/g, ' ');
  if (/^(x402|mcp|api)\b/.test(words))
    return words.replace(/^(mcp|api)\b/, (one) => one.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Text by another party, kept apart from what is around it, with its hidden characters shown. */
export const Words = ({ children }: { children: ComponentChildren }) => (
  <bdi class="words">{visible(children)}</bdi>
);

/** Joiners within words and emoji stay as they are. */
export const visible = (children: ComponentChildren): ComponentChildren =>
  [children].flat().map((child) =>
    typeof child === 'string'
      ? labelled(child, (codePoint) => (
          <span class="code-point" title="A character that is not visible">
            {codePoint}
          </span>
        ))
      : child,
  );

interface QuoteProps {
  by: string;
  /** The role of the text, where its place does not say it. */
  what?: string | undefined;
  children: ComponentChildren;
}

/** A longer text by another party, under a line that says so. */
export const Quote = ({ by, what, children }: QuoteProps) => (
  <figure class="quote">
    <figcaption>
      {what === undefined ? 'Written' : `${what}, written`} by {by}, another party. Nobody here has
      checked it.
    </figcaption>
    <blockquote>
      <bdi>{visible(children)}</bdi>
    </blockquote>
  </figure>
);

/** A longer text by the reader's own side. */
export const OwnText = ({ by, children }: { by: string; children: ComponentChildren }) => (
  <figure class="quote">
    <figcaption>Written by {by}.</figcaption>
    <blockquote>
      <bdi>{visible(children)}</bdi>
    </blockquote>
  </figure>
);

/** A state, as a word. */
export const Badge = ({ state, kind = '' }: { state: string; kind?: string }) => (
  <span class={`badge ${kind}`}>{state.replaceAll('_', ' ')}</span>
);

/** Text to copy, with a button if scripts run. */
export const Copy = ({ text, label = 'Copy' }: { text: string; label?: string }) => (
  <span class="copy">
    <code tabIndex={0}>{text}</code>
    <button type="button" class="button" data-copy={text} hidden>
      {label}
    </button>
  </span>
);
