-- A signed document in its compact form (RFC 7515, section 7.1): header.payload.signature.
create or replace function jws_of(p_header text, p_document text, p_signature bytea) returns text
language sql immutable strict as $$
  select p_header || '.' || translate(encode(convert_to(p_document, 'UTF8'), 'base64'),
                                      E'+/=\n', '-_')
         || '.' || translate(encode(p_signature, 'base64'), E'+/=\n', '-_')
$$;
