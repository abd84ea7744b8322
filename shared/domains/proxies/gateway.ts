import type { Anonymity } from './checks/forwarding.ts';
import type { Listing } from './sources/listing.ts';

/** Our side of proxies and their sources; workers/gateways/proxies implements it. */
export interface ProxyGateway {
  /** Reads all sources of PROXY_SOURCES in parallel. A failing source does not affect others. */
  list(): Promise<SourceResult[]>;
  /**
   * Calls a judge of ours and fetches a page of another host, and one by TLS, through each proxy
   * (`address:port`), in parallel, and returns the results in the same order. Undefined: no judge
   * answers us directly, so nothing is known about any proxy.
   */
  check(addresses: readonly string[]): Promise<CheckResult[] | undefined>;
}

/** The answer of one source, or the fault. */
export type SourceResult = { readonly source: string } & (
  { readonly listing: Listing } | { readonly fault: string }
);

/**
 * The result of the other page. same: equal to the page without the proxy. different: with other
 * content. none: it did not come. unknown: we cannot get it ourselves, or it changes.
 */
export type PageResult = 'same' | 'different' | 'none' | 'unknown';

/** The response through a proxy. Nothing of it is trusted before the judge's proof is checked. */
export type CheckResult =
  | {
      readonly answered: true;
      readonly latencyMs: number;
      /** The nonce of our request. */
      readonly nonce: string;
      /** The source address of the request, as the judge saw it. */
      readonly address: string;
      readonly proof: string;
      /** The forwarding headers that the judge saw. */
      readonly seen: string;
      readonly anonymity: Anonymity;
      readonly page: PageResult;
      /** Whether TLS passes under a valid certificate; undefined: not known. */
      readonly https?: boolean | undefined;
      /** The country of that address; undefined: the database does not know it. */
      readonly country: string | undefined;
      /** The city of that address, if the operator has such a database. */
      readonly city?: string | undefined;
      /** The number of the network that announces it (RFC 6793). */
      readonly asn?: number | undefined;
    }
  /** malformed: something answered in the judge's place, in another form. */
  | { readonly answered: false; readonly malformed: boolean };
