import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

import { Marked } from 'marked';

import { Refusal } from '../../shared/kernel/refusal.ts';
import { page, type Asked } from '../page.ts';
import { CHAPTERS, type Chapter } from './chapters.ts';

/** Where the program runs is where its documents are. */
const FOLDER = 'docs';

const find = (name: string): Chapter | undefined =>
  CHAPTERS.flatMap(({ chapters }) => chapters).find((one) => one.name === name);

/** The documents of `docs/`, as pages. */
const view = (_answers: unknown, { params }: Asked) => {
  const name = [params.folder, params.name].filter(Boolean).join('/');
  const chapter = find(name || CHAPTERS[0]!.chapters[0]!.name);
  if (!chapter) throw new Refusal('not_found', 'There is no such document.');
  return (
    <div class="manual">
      <nav aria-label="Chapters">
        {CHAPTERS.map(({ title, chapters }) => (
          <div>
            <h2>{title}</h2>
            {chapters.map((one) => (
              <a href={`/docs/${one.name}`} aria-current={one === chapter ? 'page' : undefined}>
                {one.title}
              </a>
            ))}
          </div>
        ))}
      </nav>
      {/* Written by us, in this repository: nothing of it is anybody else's. */}
      <article dangerouslySetInnerHTML={{ __html: htmlOf(chapter.name) }} />
    </div>
  );
};

const manual = (path: string) => page({ path, title: 'Documentation', access: 'public', view });

export const MANUAL_PAGES = [manual('/docs'), manual('/docs/:name'), manual('/docs/:folder/:name')];

const read = new Map<string, string>();

/** A document as HTML, read once. */
export function htmlOf(name: string): string {
  const known = read.get(name);
  if (known !== undefined) return known;
  const html = openMarked(name).parse(readFileSync(`${FOLDER}/${name}.md`, 'utf8'), {
    async: false,
  });
  read.set(name, html);
  return html;
}

/** A parser whose links lead to pages, where there are any, and else are words. */
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
        // A heading without words is none.
        const head = cells(token.header, 'th')
          .replaceAll('<th></th>', '<td></td>')
          .replaceAll('<th>', '<th scope="col">');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
        return (
          `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead>` +
          `<tbody>${rows}</tbody></table></div>`
        );
      },
      code({ text, lang = '' }) {
        // Diagrams are drawn where the repository is read; here stands what they say.
        const language = escaped(lang);
        return `<pre tabindex="0"><code data-language="${language}">${escaped(text)}</code></pre>`;
      },
    },
  });
}

/** Where a link of a document leads on this site: other documents do, files of the code do not. */
export function targetOf(name: string, href: string): string | undefined {
  if (/^https?:/.test(href)) return escaped(href);
  const [path = '', anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (path === '') return hash;
  const to = posix.join(posix.dirname(name), path).replace(/\.md$/, '');
  return find(to) ? `/docs/${to}${hash}` : undefined;
}

/** As GitHub names headings, so that the same links hold. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
