// Imported by its parts, because its index only adds a warning at each start on Node 20: its
// authors do not test that runtime. We do: every test of OAuth runs on Node 20.
export * as errors from 'oidc-provider/lib/helpers/errors.js';
export { Provider } from 'oidc-provider/lib/provider.js';
