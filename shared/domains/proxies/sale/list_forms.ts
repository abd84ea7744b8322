import type { AnswerForm } from '../../../kernel/terms/answer_form.ts';
import { csvLine } from '../../../kernel/terms/csv.ts';
import { hostPortOf } from '../../../platform/egress/addresses.ts';
import type { SoldProxy } from '../proxies.ts';

type Line = (proxy: SoldProxy) => string;

/** `head`: the text before the lines; `empty`: that of a list without any, if it is another. */
const form = (type: string, line: Line, head = '', empty = head): AnswerForm => ({
  type,
  render(answer) {
    const { proxies } = answer as { proxies: readonly SoldProxy[] };
    return proxies.length === 0 ? empty : head + proxies.map((proxy) => line(proxy)).join('');
  },
});

const COLUMNS = [
  'ip_port',
  'exit_ip',
  'country_code',
  'city',
  'asn',
  'protocol',
  'anonymity',
  'https',
  'latency_ms',
  'success_rate',
  'uptime',
  'last_checked_at',
  'id',
] as const;

/** The forms of a list over REST beside JSON: for files of programs that use proxies. */
export const LIST_FORMS = {
  text: form('text/plain', ({ ip_port: address }) => `${address}\n`),
  csv: form(
    'text/csv',
    (proxy) =>
      csvLine(
        COLUMNS.map((name) => {
          const value = proxy[name];
          return typeof value === 'boolean' ? String(value) : value;
        }),
      ),
    csvLine(COLUMNS),
  ),
  clash: form('application/yaml', clashEntry, 'proxies:\n', 'proxies: []\n'),
  curl: form(
    'text/x-shellscript',
    ({ ip_port: address }) => `curl -x 'socks5h://${address}' https://example.com/\n`,
  ),
} as const;

/** An entry of Clash's configuration, in which JSON is valid. */
function clashEntry({ id, ip_port: address, country_code: country }: SoldProxy): string {
  const { host, port } = hostPortOf(address)!;
  const fields = { name: `${country} ${id}`, type: 'socks5', server: host, port, udp: false };
  return `  - ${JSON.stringify(fields)}\n`;
}
