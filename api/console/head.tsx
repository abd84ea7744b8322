import { NAME } from '../docs/llms.ts';
import { pathOfPicture, SHARE_SIZE } from './front/share_pictures.ts';
import { useShown } from './page_state.ts';

/** The head of a document: its title, style and script, and what search engines are told. */
export function Head() {
  const { page, head, publicUrl, assets } = useShown();
  const title = page.path === '/' ? NAME : `${head?.title ?? page.title} · ${NAME}`;
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      {head && (
        <>
          <meta name="description" content={head.description} />
          <meta property="og:title" content={title} />
          <meta property="og:description" content={head.description} />
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content={NAME} />
          <meta property="og:image" content={publicUrl + pathOfPicture(head.picture ?? 'market')} />
          <meta property="og:image:width" content={String(SHARE_SIZE.width)} />
          <meta property="og:image:height" content={String(SHARE_SIZE.height)} />
          <meta name="twitter:card" content="summary_large_image" />
          {head.canonical === undefined ? (
            <meta name="robots" content="noindex" />
          ) : (
            <>
              <link rel="canonical" href={publicUrl + head.canonical} />
              <meta property="og:url" content={publicUrl + head.canonical} />
            </>
          )}
        </>
      )}
      <link rel="icon" href="/api-docs/favicon-32x32.png" />
      <link rel="preload" as="font" type="font/woff2" href={assets.font} crossorigin="anonymous" />
      <link rel="stylesheet" href={assets.style} />
      <script type="module" src={assets.script} />
      {page.uses === 'passkeys' && <script type="module" src={assets.passkeys} />}
    </head>
  );
}
