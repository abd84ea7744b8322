/** What a client asks for by its user name, which is all that SOCKS5 lets it say. */
export interface Wish {
  /** In capitals. Absent: any, from the hot pool. */
  readonly country?: string;
  /** Connections that name one session leave by one proxy. */
  readonly session?: string;
}

const COUNTRY = '-country-(?<country>[a-z]{2})';
const SESSION = '-session-(?<session>\\w{1,64})';
const FORMS = [
  new RegExp(`^agent(?:${COUNTRY})?(?:${SESSION})?$`, 'i'),
  new RegExp(`^agent${SESSION}${COUNTRY}$`, 'i'),
];

/**
 * `agent`, `agent-country-us`, `agent-session-abc` or both, in either order. Undefined: anything
 * else, because a wish that is not understood must not end at a proxy anywhere.
 */
export function wishOf(name: string): Wish | undefined {
  const said = FORMS.map((form) => form.exec(name)).find(Boolean);
  if (!said) return undefined;
  const { country, session } = said.groups!;
  return { ...(country && { country: country.toUpperCase() }), ...(session && { session }) };
}
