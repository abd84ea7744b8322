/** Code of an unknown country. ISO 3166 leaves it to users. */
export const UNKNOWN = 'ZZ';

/** Required by the licence of the country database (CC BY 4.0) wherever its results are shown. */
export const ATTRIBUTION = 'IP Geolocation by DB-IP (https://db-ip.com)';

const names = new Intl.DisplayNames('en', { type: 'region' });

/** The English name of a country. */
export const countryNameOf = (code: string): string =>
  code === UNKNOWN ? 'Unknown' : (names.of(code) ?? code);
