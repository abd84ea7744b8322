/** The end of the hash of the first block, by which wallets of EVM networks know Tron. */
export const TRON_CHAIN_ID = 728_126_428;
/** The contract of Tether's dollar. */
export const TRON_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
