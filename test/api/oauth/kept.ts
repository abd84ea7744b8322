const CALLBACK = 'http://localhost:3118/callback';

/** The state that a program keeps which connects by an SDK; its browser is `sentTo`. */
export class Kept<KeptClient, KeptTokens> {
  /** Each address to which it sent its owner. */
  readonly asked: string[] = [];
  #client: KeptClient | undefined;
  #tokens: KeptTokens | undefined;
  #verifier = '';
  #found: unknown;

  readonly redirectUrl: string;
  constructor(redirectUrl = CALLBACK) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return {
      client_name: 'Claude Code (market)',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation = () => this.#client;
  saveClientInformation = (client: KeptClient) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: KeptTokens) => void (this.#tokens = tokens);
  redirectToAuthorization = (url: URL) => void this.asked.push(url.href);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  /** Forgets credentials that turned out to work no more. */
  invalidateCredentials = (what: string) => {
    if (what === 'all' || what === 'tokens') this.#tokens = undefined;
    if (what === 'all' || what === 'client') this.#client = undefined;
  };
  /** Which authorization server it went to: the second SDK then takes an answer of no other. */
  // oxlint-disable-next-line typescript/no-explicit-any -- it is the SDK's own, and only kept
  discoveryState = () => this.#found as any;
  saveDiscoveryState = (found: unknown) => void (this.#found = found);

  get sentTo(): string {
    return this.asked.at(-1) ?? '';
  }
}
