import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

import { Marked, type Token, type Tokens } from 'marked';

import { chapterOf } from './chapters.ts';

/** The documents are in the working folder of the program. */
const FOLDER = 'docs';
/** The address of a marketplace in the documents. */
const HERE = 'http://localhost:3000';

/** A heading of a document with the text below it. */
export interface Section {
  readonly heading: string;
  /** Anchor of the heading. */
  readonly id: string;
  readonly depth: number;
  /** Plain text, in one line. */
  readonly text: string;
}

/** A document of `docs/` as a page shows it. */
interface ManualDocument {
  readonly html: string;
  readonly sections: readonly Section[];
}

const read = new Map<string, ManualDocument>();

/** A part between such lines is for who runs the marketplace on the machine of its browser. */
const LOCAL_PART = /^<!-- local -->\n([^]*?)^<!-- end of local -->\n/gm;

/**
 * A document, read once for each address. It names that of this marketplace, except where its
 * readers run one on their own machine.
 */
export function documentOf(name: string, publicUrl: string): ManualDocument {
  const key = `${name} ${publicUrl}`;
  let document = read.get(key);
  if (!document) {
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(publicUrl).hostname);
    const text = readFileSync(`${FOLDER}/${name}.md`, 'utf8');
    const local = text.replaceAll(LOCAL_PART, isLocal ? '$1' : '');
    const shown = chapterOf(name)?.isForOperators ? local : local.replaceAll(HERE, publicUrl);
    const marked = openMarked(name);
    const tokens = marked.lexer(shown);
    document = { html: marked.parser(withTabs(tokens)), sections: sectionsOf(tokens) };
    read.set(key, document);
  }
  return document;
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { heading: string; id: string; depth: number; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { text, depth } = token as Tokens.Heading;
      sections.push({ heading: plain(text), id: slugOf(text), depth, text: '' });
    } else if (sections.length > 0) {
      sections.at(-1)!.text += `${plain(token.raw)} `;
    }
  }
  return sections;
}

/** Markdown without its marks. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#>]+|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Neighbouring examples with a title (```` ```python title=Python ````) become tabs. */
function withTabs(tokens: readonly Token[]): Token[] {
  const shown: Token[] = [];
  let tabs: Tokens.Code[] = [];
  const close = () => {
    if (tabs.length > 0) shown.push({ type: 'html', raw: '', text: tabsOf(tabs) } as Tokens.HTML);
    tabs = [];
  };
  for (const token of tokens) {
    if (token.type === 'code' && titleOf(token as Tokens.Code)) tabs.push(token as Tokens.Code);
    else if (token.type !== 'space' || tabs.length === 0) {
      close();
      shown.push(token);
    }
  }
  close();
  return shown;
}

const titleOf = ({ lang = '' }: Tokens.Code): string | undefined => /title=(\S+)/.exec(lang)?.[1];

let groups = 0;

/** One of them is open, also without a script: they are details of one name. */
function tabsOf(tabs: readonly Tokens.Code[]): string {
  groups += 1;
  const parts = tabs.map(
    (tab, n) =>
      `<details name="tabs-${groups}"${n === 0 ? ' open' : ''}>` +
      `<summary>${escaped(titleOf(tab)!)}</summary>${exampleOf(tab)}</details>`,
  );
  return `<div class="tabs">${parts.join('')}</div>`;
}

function exampleOf({ text, lang = '' }: Tokens.Code): string {
  // Diagrams are drawn where the repository is read; this shows their source.
  const language = escaped(lang.split(' ')[0]!);
  return (
    `<div class="example"><pre tabindex="0"><code data-language="${language}">${escaped(text)}` +
    `</code></pre><button type="button" class="button" data-copy="${escaped(copied(text))}" ` +
    'hidden>Copy</button></div>'
  );
}

/** An example as it is copied: of a session in a terminal, what was typed. */
function copied(text: string): string {
  // A command goes on while its lines end in a backslash.
  const commands = [...text.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm)].map(([, command]) => command);
  return commands.length > 0 ? commands.join('\n') : text;
}

/** A parser whose links lead to pages; a link without a page becomes text. */
function openMarked(name: string): Marked {
  return new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const to = targetOf(name, href);
        return to === undefined ? words : `<a href="${to}">${words}</a>`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        // A heading without words is left out.
        const head = cells(token.header, 'th')
          .replaceAll('<th></th>', '<td></td>')
          .replaceAll('<th>', '<th scope="col">');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        return (
          `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead>` +
          `<tbody>${rows}</tbody></table></div>`
        );
      },
      code: exampleOf,
    },
  });
}

/** The target of a link of a document on this site: only other documents have one. */
export function targetOf(name: string, href: string): string | undefined {
  if (/^https?:/.test(href)) return escaped(href);
  const [path = '', anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (path === '') return hash;
  const to = posix.join(posix.dirname(name), path).replace(/\.md$/, '');
  return chapterOf(to) ? `/docs/${to}${hash}` : undefined;
}

/** The anchor of a heading as GitHub makes it, so that the same links work. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
