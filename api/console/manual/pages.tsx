import { Refusal } from '../../../shared/kernel/refusal.ts';
import { page, type PageQuery } from '../page.ts';
import { useShown } from '../page_state.ts';
import { Empty } from '../parts/card.tsx';
import { CHAPTERS, chapterOf, type Chapter, type ChapterGroup } from './chapters.ts';
import { documentOf, type Section } from './document.ts';
import { searchManual } from './search.ts';

const QUERY_MAX = 200;
const FIRST = CHAPTERS[0]!.chapters[0]!;

/** The chapters of a group that are listed beside this one: of a folded group the first, or all. */
const listed = ({ isFolded, chapters }: ChapterGroup, current?: Chapter): readonly Chapter[] =>
  isFolded && !(current && chapters.includes(current)) ? chapters.slice(0, 1) : chapters;

interface GuideProps {
  current?: Chapter | undefined;
  sections?: readonly Section[] | undefined;
  query?: string | undefined;
}

/** The search, and the chapters: for those who use the marketplace, or for those who run it. */
function Guide({ current, sections = [], query }: GuideProps) {
  const isForOperators = current ? chapterOf(current.name)!.isForOperators : false;
  const isShown = (group: ChapterGroup) => Boolean(group.isForOperators) === isForOperators;
  const shown = CHAPTERS.filter(isShown);
  const other = CHAPTERS.find((group) => !isShown(group))!;
  return (
    <div class="guide">
      <form role="search" aria-label="Documentation" method="get" action="/docs">
        <label class="hidden" for="manual-query">
          Search the documentation
        </label>
        <input
          id="manual-query"
          type="search"
          name="query"
          maxLength={QUERY_MAX}
          required
          placeholder="Search"
          value={query}
        />
        <button class="button">Search</button>
      </form>
      <nav aria-label="Chapters">
        {shown.map((group) => (
          <div>
            <h2>{group.title}</h2>
            {listed(group, current).map((one) => (
              <>
                <a href={`/docs/${one.name}`} aria-current={one === current ? 'page' : undefined}>
                  {one.title}
                </a>
                {one === current && <Contents sections={sections} />}
              </>
            ))}
          </div>
        ))}
        <div>
          <h2>{isForOperators ? 'For those who use it' : 'For those who run it'}</h2>
          <a href={`/docs/${other.chapters[0]!.name}`}>{other.chapters[0]!.title}</a>
        </div>
      </nav>
    </div>
  );
}

/** The mark by which the style sheet knows that the whole document has come. */
const End = () => <span class="end" hidden />;

/** The headings of the document that is shown. */
const Contents = ({ sections }: { sections: readonly Section[] }) => (
  <ul class="contents">
    {sections
      .filter(({ depth }) => depth === 2)
      .map(({ heading, id }) => (
        <li>
          <a href={`#${id}`}>{heading}</a>
        </li>
      ))}
  </ul>
);

/** One document of `docs/`, or what a search finds in all of them. */
function Manual({ asked: { params, query } }: { asked: PageQuery }) {
  const { publicUrl } = useShown();
  const name = [params.part, params.folder, params.name].filter(Boolean).join('/');
  const words = query.query?.trim().slice(0, QUERY_MAX);
  if (name === '' && words) return <Search words={words} />;
  const chapter = name === '' ? FIRST : chapterOf(name)?.chapter;
  if (!chapter) throw new Refusal('not_found', 'There is no such document.');
  const { html, sections } = documentOf(chapter.name, publicUrl);
  return (
    <div class="manual">
      <Guide current={chapter} sections={sections} />
      {/* Our own text from this repository, so it is not escaped. */}
      <article dangerouslySetInnerHTML={{ __html: html }} />
      <End />
    </div>
  );
}

function Search({ words }: { words: string }) {
  const found = searchManual(words, useShown().publicUrl);
  return (
    <div class="manual">
      <Guide query={words} />
      <article>
        <h1>Search</h1>
        {found.length === 0 && <Empty>No section has these words. Try others, or fewer.</Empty>}
        {found.map(({ chapter, section, excerpt }) => (
          <section class="found">
            <h2>
              <a href={`/docs/${chapter.name}#${section.id}`}>
                {section.depth === 1 ? chapter.title : `${chapter.title}: ${section.heading}`}
              </a>
            </h2>
            <p>{excerpt}</p>
          </section>
        ))}
      </article>
      <End />
    </div>
  );
}

const manual = (path: string) =>
  page({
    path,
    title: 'Documentation',
    access: 'public',
    view: (_answers, asked) => <Manual asked={asked} />,
  });

/** A page for each document of `docs/`. */
export const MANUAL_PAGES = [
  manual('/docs'),
  manual('/docs/:name'),
  manual('/docs/:folder/:name'),
  manual('/docs/:part/:folder/:name'),
];
