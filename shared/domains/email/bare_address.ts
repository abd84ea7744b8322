/** The address in `Ada <ada@example.com>` (RFC 5322) or `mailto:ada@example.com` (RFC 6068). */
export function bareAddress(text: string): string {
  const [, inBrackets] = /<([^<>]+@[^<>]+)>$/.exec(text) ?? [];
  return (inBrackets ?? text.replace(/^mailto:/i, '')).trim();
}
