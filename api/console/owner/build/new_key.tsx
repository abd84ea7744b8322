import { connectionsTo } from '../../../docs/connect.ts';
import { Copy } from '../../parts/text.tsx';
import { useShown } from '../../page_state.ts';

/** The key that one of these operations has just made: it is shown once. */
export function NewKey({ op }: { op: string | readonly string[] }) {
  const { done, publicUrl } = useShown();
  if (!done?.answer || ![op].flat().includes(done.operation)) return null;
  const { api_key: made } = done.answer as { api_key?: { key: string | null; warning: string } };
  if (!made?.key) {
    return (
      <section class="message held" aria-label="The key">
        <p>The key was shown when it was made. It is not kept, so it cannot be shown again.</p>
      </section>
    );
  }
  const { key } = made;
  return (
    <section class="card" aria-labelledby="new-key">
      <header>
        <h2 id="new-key">The new key, shown once</h2>
      </header>
      <div class="inside stack">
        <p>Keep it now: it cannot be shown again. The lines below contain it already.</p>
        <Copy text={key} label="Copy the key" />
        {connectionsTo(publicUrl).map(({ client, where, text }) => (
          <details name="client">
            <summary>{client}</summary>
            <p class="small">{where}</p>
            <pre tabIndex={0}>
              <code>{text.replaceAll('vnx_…', key)}</code>
            </pre>
          </details>
        ))}
      </div>
    </section>
  );
}
