/** An address as it is typed. Whether its checksum is right, and whose it is, is for the server to say. */

const WALLET = /^T[1-9A-HJ-NP-Za-km-z]{33}$/

/** @param plain without spaces */
export const looksLikeWallet = (plain: string) => WALLET.test(plain)
