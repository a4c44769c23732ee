/**
 * What an answer must be to be shown, for those that are asked for before anything is on the screen: the contract's schemas
 * weigh 31 kB, so all others wait for them (`conforms.ts`), and these few are looked at by hand.
 */
import { isRecord } from './failure.ts'

export type Check = (value: unknown) => boolean

export const isText: Check = (value) => typeof value === 'string'
export const isNumber: Check = (value) => Number.isFinite(value)
/** Decimal text with 2 to 6 decimals. */
export const isAmount: Check = (value) => typeof value === 'string' && /^-?\d+\.\d{2,6}$/.test(value)
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** An object with each of these fields; there may be more. */
export const shaped =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]))
