/** The options in a client's user name: SOCKS5 has no other field for them. */
export interface Preferences {
  /** In capitals. Absent: any country, from the hot pool. */
  readonly country?: string;
  /** Connections with the same session name leave by one proxy. */
  readonly session?: string;
}

const COUNTRY = '-country-(?<country>[a-z]{2})';
const SESSION = '-session-(?<session>\\w{1,64})';
const FORMS = [
  new RegExp(`^agent(?:${COUNTRY})?(?:${SESSION})?$`, 'i'),
  new RegExp(`^agent${SESSION}${COUNTRY}$`, 'i'),
];

/**
 * Reads `agent`, `agent-country-us`, `agent-session-abc` or both, in either order. Undefined:
 * anything else, because an option that is not understood must not lead to just any proxy.
 */
export function preferencesOf(name: string): Preferences | undefined {
  const match = FORMS.map((form) => form.exec(name)).find(Boolean);
  if (!match) return undefined;
  const { country, session } = match.groups!;
  return { ...(country && { country: country.toUpperCase() }), ...(session && { session }) };
}
