import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { publicKeys } from './signing_keys.ts';

export const getReceiptKeys = operation({
  name: 'get_receipt_keys',
  title: 'Get the keys of receipts',
  summary:
    'Shows the public keys that receipts were ever signed with, as a JWK set (RFC 7517). Needs ' +
    'no key. Free.',
  access: 'public',
  mode: 'read',
  rest: 'GET /.well-known/jwks.json',
  bindings: { tool: false },
  input: Input({}),
  output: Output('ReceiptKeys', {
    keys: Type.Array(
      Output({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ description: 'The public key, in base64url.' }),
        kid: Type.String({ description: 'Its thumbprint (RFC 7638). A receipt names it.' }),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
      }),
    ),
  }),

  async handle({ db }) {
    return { keys: await publicKeys(db) };
  },
});
