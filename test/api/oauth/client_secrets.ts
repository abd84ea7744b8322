/** The form and the headers by which a client with a secret shows it, in the way it said. */
export function authenticated(
  form: URLSearchParams,
  known: Readonly<Record<string, unknown>>,
): [URLSearchParams, object] {
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = known;
  if (typeof secret !== 'string') return [form, {}];
  if (method === 'client_secret_post') form.set('client_secret', secret);
  const basic = Buffer.from(`${String(id)}:${secret}`).toString('base64');
  return [form, method === 'client_secret_basic' ? { authorization: `Basic ${basic}` } : {}];
}
