/** Milliseconds for which an e-mail code can be used. The mail that carries it says ten minutes. */
export const EMAIL_CODE_LIFETIME = 10 * 60_000
