import { getProxyAccess } from './access/get_proxy_access.ts';
import { setProxyAddresses } from './access/set_proxy_addresses.ts';
import { checkDueProxies } from './checks/check_due_proxies.ts';
import { checkProxies } from './checks/check_proxies.ts';
import { proxyCountries } from './pool/proxy_countries.ts';
import { proxyInfo } from './pool/proxy_info.ts';
import { findProxies } from './sale/find_proxies.ts';
import { proxyFetchOne } from './sale/proxy_fetch_one.ts';
import { proxyList } from './sale/proxy_list.ts';
import { proxyMyKey } from './sale/proxy_my_key.ts';
import { reportProxy } from './sale/report_proxy.ts';
import { rotateProxyKey } from './sale/rotate_proxy_key.ts';
import { sellConnection } from './sale/sell_connection.ts';
import { proxySources } from './sources/proxy_sources.ts';
import { refreshProxies } from './sources/refresh_proxies.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  proxyInfo,
  proxyCountries,
  proxyList,
  proxyFetchOne,
  proxyMyKey,
  reportProxy,
  rotateProxyKey,
  setProxyAddresses,
  getProxyAccess,
  refreshProxies,
  proxySources,
  // Started by timers and by other operations.
  checkDueProxies,
  checkProxies,
  findProxies,
  sellConnection,
] as const;
