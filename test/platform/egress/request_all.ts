/** Requests each URL by the guard, and writes what became of it: a process, for its trusted CAs. */
import { exceptionOf } from '../../../shared/platform/egress/addresses.ts';
import { openEgress } from '../../../shared/platform/egress/egress.ts';
import { patience } from '../pace.ts';

const [nameServer, ...urls] = process.argv.slice(2);
const egress = openEgress({
  egressAllow: [exceptionOf('127.0.0.0/8')],
  dnsServers: [nameServer!],
});
const limits = { timeoutMs: patience(15_000), bytesMax: 1_000, redirectsMax: 3 };
const outcomes = urls.map((url) =>
  egress.request(url, limits).then(
    ({ status, url: end, body }) => `${status} ${body.toString()} ${end}`,
    ({ code, message }: NodeJS.ErrnoException) => code ?? message,
  ),
);
process.stdout.write(JSON.stringify(await Promise.all(outcomes)));
