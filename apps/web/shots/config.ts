/** Where the pictures are taken, and as whom. */
const { env } = process

export const BASE_URL = (env['BASE_URL'] ?? 'http://localhost:3000').replace(/\/$/, '')
export const USER = env['SHOTS_USER'] ?? 'ana'
export const PASSWORD = env['SHOTS_PASSWORD'] ?? env['DEMO_PASSWORD'] ?? ''
/** The two-factor secret of an operator, base32, as `npm start` prints it. */
export const TOTP = env['SHOTS_TOTP'] ?? ''
/** Windows by their widths in px, separated by commas; all of them without it. */
export const WIDTHS = env['SHOTS_WIDTHS'] ?? ''
/** One language; both without it. */
export const SPOKEN = env['SHOTS_LANGUAGE'] ?? ''
