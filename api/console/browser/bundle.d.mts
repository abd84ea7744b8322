export function bundleBrowser(
  root: string,
): Promise<{ readonly path: string; readonly contents: Uint8Array }[]>;
