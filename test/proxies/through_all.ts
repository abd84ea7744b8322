import { hostPortOf } from '../../shared/platform/egress/addresses.ts';
import { targetOf, textThrough } from '../../workers/gateways/proxies/text_through.ts';
import { patience } from '../platform/pace.ts';

// Prints what comes from each URL through a proxy, or why nothing does.
const [address, ...urls] = process.argv.slice(2);
const proxy = hostPortOf(address!)!;
const limits = { timeoutMs: patience(10_000), charsMax: 1_000 };
const found = urls.map((url) =>
  textThrough(proxy, { target: targetOf(url) }, limits).catch(
    ({ code, message }: NodeJS.ErrnoException) => code ?? message,
  ),
);
console.log(JSON.stringify(await Promise.all(found)));
