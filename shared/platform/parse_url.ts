/**
 * The URL that a text is, or undefined. Not `URL.canParse`: that of Node 20 and 22, once it is
 * compiled, refuses texts with a letter of Latin-1 that is not ASCII, as https://märkt.example.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
