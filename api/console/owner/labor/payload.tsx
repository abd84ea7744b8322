import {
  httpsUrl,
  isPublicHost,
  pictureOf,
} from '../../../../shared/domains/labor/templates/picture.ts';
import type { Template } from '../../../../shared/domains/labor/templates/template.ts';
import { pairOf } from '../../../../shared/domains/labor/templates/unit_check.ts';
import { invalidFilter } from '../../match.ts';
import type { PageQuery } from '../../page.ts';
import { visible } from '../../parts/text.tsx';
import { useShown } from '../../page_state.ts';
import { formattedJson } from './formatted_json.ts';

/** The query field of a page that names the host whose pictures its person wants to see. */
const PICTURES = 'pictures';

/** The host whose pictures a page shows: one that a person was asked about, and no other. */
export const pictureHostIn = ({ query }: Pick<PageQuery, 'query'>): string | undefined => {
  const host = query[PICTURES];
  const url = httpsUrl(`https://${host ?? ''}`);
  return url && url.host === host && isPublicHost(url) ? host : undefined;
};

/** Refuses a query that names no host. */
export function assertPictureHost(asked: Pick<PageQuery, 'query'>): void {
  if (asked.query[PICTURES] !== undefined && pictureHostIn(asked) === undefined)
    throw invalidFilter(PICTURES);
}

interface PayloadProps {
  template: Template | null;
  id?: string;
  children: string;
}

/**
 * A unit as others wrote it: a pair side by side, a picture, a link, JSON with line breaks, or a
 * text. A picture is loaded only by a person who asks for it: its host learns who looks.
 */
export function Payload({ template, id, children: payload }: PayloadProps) {
  const { query, page } = useShown();
  // Only some pages may load pictures: the policy of the others forbids it.
  const shownHost = page.pictures?.({ query, params: {} });
  const pair = template?.form === 'preference' ? pairOf(payload) : undefined;
  if (pair) {
    return (
      <div class="stack">
        {pair.prompt !== undefined && <Foreign>{pair.prompt}</Foreign>}
        <div class="pair">
          {(['a', 'b'] as const).map((side) => (
            <div>
              <h3>{side}</h3>
              <Foreign>{pair[side]}</Foreign>
            </div>
          ))}
        </div>
      </div>
    );
  }
  // Words of it are marked by their place, so it is shown as it is.
  if (template?.form === 'ner') return <Foreign id={id}>{payload}</Foreign>;
  const picture = pictureOf(payload, template?.form === 'boxes');
  if (picture) {
    const url = new URL(picture.url);
    if (!isPublicHost(url)) return <Foreign id={id}>{payload}</Foreign>;
    const isShown = url.host === shownHost;
    return (
      <div class="stack">
        {isShown && (
          <span class="picture" data-picture>
            <img src={picture.url} alt="The unit to be answered" referrerpolicy="no-referrer" />
            <svg aria-hidden="true" viewBox="0 0 100 100" preserveAspectRatio="none" />
          </span>
        )}
        <Foreign href={picture.url}>{payload}</Foreign>
        {page.pictures && <PicturesLink isOn={isShown} host={url.host} />}
      </div>
    );
  }
  const link = httpsUrl(payload.trim());
  if (link && isPublicHost(link)) return <Foreign href={link.href}>{payload}</Foreign>;
  const json = formattedJson(payload);
  if (json === undefined) return <Foreign id={id}>{payload}</Foreign>;
  return (
    <pre class="code" tabIndex={0} aria-label="The unit, as JSON">
      <bdi>{visible(json)}</bdi>
    </pre>
  );
}

const PicturesLink = ({ isOn, host }: { isOn: boolean; host: string }) => {
  const { url } = useShown();
  const { pathname, searchParams } = new URL(url, 'http://here');
  if (isOn) searchParams.delete(PICTURES);
  else searchParams.set(PICTURES, host);
  const query = searchParams.size > 0 ? `?${searchParams.toString()}` : '';
  return (
    <p class="small">
      <a href={pathname + query}>
        {isOn ? 'Show no pictures' : 'Show pictures of '}
        {!isOn && <bdi>{host}</bdi>}
      </a>
      {!isOn && <span class="dim">, in this task: this host then sees your address</span>}
    </p>
  );
};

interface ForeignProps {
  id?: string | undefined;
  /** Present: the text is a link to it, which opens elsewhere. */
  href?: string;
  children: string;
}

/** A text of another party, in the direction of its own letters. */
const Foreign = ({ id, href, children }: ForeignProps) => (
  <blockquote class="foreign">
    <bdi id={id}>
      {href ? (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow">
          {visible(children)}
        </a>
      ) : (
        visible(children)
      )}
    </bdi>
  </blockquote>
);
