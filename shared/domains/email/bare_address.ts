/** The address in a text of mail programs: `Ada <ada@example.com>` (RFC 5322), `mailto:` (RFC 6068). */
export function bareAddress(text: string): string {
  const [, inBrackets] = /<([^<>]+@[^<>]+)>$/.exec(text) ?? [];
  return (inBrackets ?? text.replace(/^mailto:/i, '')).trim();
}
