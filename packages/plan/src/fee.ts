/** What an investment costs on top. The web app reckons with this file too: it imports nothing but amounts. */
import { applyRatio, type Micro, micro, percent } from '@aval/money'

const CENT_MICRO = 10_000n

const upToCent = (amount: Micro): Micro => micro(((amount + CENT_MICRO - 1n) / CENT_MICRO) * CENT_MICRO)

/**
 * What is to be sent is rounded up to the cent, and the fee is what that is more than the amount: three decimals would be read as
 * thousands by half of the people who send them.
 *
 * @param feePercent of the plan, as decimal text
 */
export const feeFor = (amount: Micro, feePercent: string): Micro =>
  micro(upToCent(micro(amount + applyRatio(amount, percent(feePercent)))) - amount)

/**
 * What to send for what is still missing. Somebody may have sent a part that is no whole cents; what the rest is rounded up by goes to
 * the balance. An invoice from before fees were rounded keeps what it asks for.
 */
export const toSend = (due: Micro, missing: Micro): Micro =>
  due % CENT_MICRO === 0n ? upToCent(missing) : missing
