/**
 * Whether no program reads a file of a package: source maps, type declarations, sources in
 * TypeScript and texts. Licences stay, because they say so themselves.
 */
export const isUnread = (name) => UNREAD.test(name) && !LICENCE.test(name);

const UNREAD = /\.(map|[cm]?ts|md|markdown|flow)$/i;
const LICENCE = /^(licen[cs]e|copying|notice)/i;
