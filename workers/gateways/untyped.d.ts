declare module 'role-based-email-addresses' {
  /** Mailbox names of functions, in lower case. */
  const names: readonly string[];
  export default names;
}
