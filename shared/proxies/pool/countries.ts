/** ISO 3166 keeps it free for "not known". */
export const UNKNOWN = 'ZZ';

/** The licence of the country database (CC BY 4.0) asks for it wherever its results are shown. */
export const ATTRIBUTION = 'IP Geolocation by DB-IP (https://db-ip.com)';

const names = new Intl.DisplayNames('en', { type: 'region' });

/** The English name of a country. */
export const countryNameOf = (code: string): string =>
  code === UNKNOWN ? 'Unknown' : (names.of(code) ?? code);
