// By its parts: its index does nothing else than to warn, at each start on Node 20, of a runtime
// that its authors do not test. Ours do: every test of OAuth runs on Node 20.
export * as errors from 'oidc-provider/lib/helpers/errors.js';
export { Provider } from 'oidc-provider/lib/provider.js';
