export { default as Provider, errors } from 'oidc-provider';
