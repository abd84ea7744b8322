// Builds the files for browsers: a script and a style, with the fonts that it names. Each file
// name has a hash of its content, so that a browser may cache it for a year.
import { build } from 'esbuild';

/**
 * Files as {path, contents}: console-<hash>.js, passkeys-<hash>.js, console-<hash>.css,
 * <font>-<hash>.woff2.
 */
export async function bundleBrowser(root) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: {
      console: 'api/console/browser/main.ts',
      passkeys: 'api/console/browser/passkeys.ts',
    },
    outdir: 'dist',
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    entryNames: '[name]-[hash]',
    logLevel: 'warning',
  });
  const styles = await build({
    absWorkingDir: root,
    entryPoints: { console: 'api/console/style/console.css' },
    outdir: 'dist',
    write: false,
    bundle: true,
    minify: true,
    // Kept as written: light-dark() and nesting must not be translated.
    target: 'esnext',
    loader: { '.woff2': 'file' },
    publicPath: '/assets',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    logLevel: 'warning',
  });
  return [...outputFiles, ...styles.outputFiles];
}
