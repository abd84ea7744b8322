/** Chain id of Tron in wallets of EVM networks: the end of the hash of its first block. */
export const TRON_CHAIN_ID = 728_126_428;
/** The contract of Tether's dollar. */
export const TRON_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
