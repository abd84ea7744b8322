/**
 * Parses a URL; undefined: the text is none. Not by `URL.canParse`, which in Node 20 and 22, once
 * compiled, refuses texts with Latin-1 letters beyond ASCII, as https://märkt.example.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
