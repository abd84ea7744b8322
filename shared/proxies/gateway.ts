import type { Anonymity } from './checks/forwarding.ts';
import type { Listing } from './sources/listing.ts';

/** Our side of proxies and their sources; workers/gateways/proxies implements it. */
export interface ProxyGateway {
  /** Reads every source of PROXY_SOURCES, side by side. None of them can fail the others. */
  list(): Promise<SourceResult[]>;
  /**
   * Asks a judge of ours, and for a page that is not the judge's, through each proxy
   * (`address:port`), all at once, and answers in their order. Undefined: no judge answers us
   * directly, so nothing can be said about any proxy.
   */
  check(addresses: readonly string[]): Promise<CheckResult[] | undefined>;
}

/** The answer of one source, or why there is none. */
export type SourceResult = { readonly source: string } & (
  { readonly listing: Listing } | { readonly fault: string }
);

/**
 * Another page through the proxy. same: as we get it without one. different: with other content.
 * none: it did not come. unknown: we do not get it ourselves, or it changes.
 */
export type PageResult = 'same' | 'different' | 'none' | 'unknown';

/** What came back through a proxy. None of it is believed before the judge's proof is checked. */
export type CheckResult =
  | {
      readonly answered: true;
      readonly latencyMs: number;
      /** What we sent along. */
      readonly nonce: string;
      /** Where the judge says that the request came from. */
      readonly address: string;
      readonly proof: string;
      /** What it saw of forwarding headers. */
      readonly seen: string;
      readonly anonymity: Anonymity;
      readonly page: PageResult;
      /** Of that address; undefined: the database does not know it. */
      readonly country: string | undefined;
      /** The same, where the operator has such a database. */
      readonly city?: string | undefined;
      /** The number of the network that announces it (RFC 6793). */
      readonly asn?: number | undefined;
    }
  /** malformed: something answered in the judge's name, and not as the judge does. */
  | { readonly answered: false; readonly malformed: boolean };
