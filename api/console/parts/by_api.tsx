import type { AnyOperation } from '../../../shared/kernel/operation.ts';
import { inputFor, readingsOf } from '../readings.ts';
import { useShown } from '../page_state.ts';

/** The API calls that return the numbers of this page. */
export function ByApi() {
  const { page, operations, params, query } = useShown();
  const calls = readingsOf(page).flatMap(({ name, reading }) => {
    const op = operations.get(name);
    const input = inputFor(reading, { params, query });
    return op?.rest && input ? [curlOf(op, input)] : [];
  });
  if (calls.length === 0) return null;
  return (
    <details class="api">
      <summary>This page by API</summary>
      <pre tabIndex={0}>
        <code>{[...new Set(calls)].join('\n')}</code>
      </pre>
    </details>
  );
}

/** A call as a curl command: `$MARKET` is the marketplace, `$KEY` a key. */
function curlOf(op: AnyOperation, input: Readonly<Record<string, unknown>>): string {
  const [method, route] = op.rest!.split(' ') as [string, string];
  const rest = { ...input };
  const path = route.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString();
  const key = op.access === 'public' ? '' : ' -H "Authorization: Bearer $KEY"';
  const verb = method === 'GET' ? '' : `-X ${method} `;
  return `curl ${verb}"$MARKET${path}${query && `?${query}`}"${key}`;
}
