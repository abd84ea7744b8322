/** The page of all lists; a list's own is below it, by its id. */
export const EMAIL_LISTS = '/console/emails';
export const UPLOAD = `${EMAIL_LISTS}/upload`;

export const csvOf = (fileId: number): string => `${EMAIL_LISTS}/${fileId}/results.csv`;
