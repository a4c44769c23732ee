import { type Micro, micro } from './micro.ts'

/** An exact fraction, denominator above zero. */
export interface Ratio {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** @throws RangeError when the denominator is not above zero. */
export function ratio(numerator: bigint, denominator: bigint): Ratio {
  if (denominator <= 0n) throw new RangeError('a ratio needs a denominator above zero')
  return { numerator, denominator }
}

const PERCENT = /^(0|[1-9]\d{0,5})(?:\.(\d{1,6}))?$/

/**
 * Reads a percentage written as a plain decimal, `"0.5"` for one half percent.
 *
 * @throws RangeError on anything else; percentages come from plans that a schema has already checked.
 */
export function percent(text: string): Ratio {
  const match = PERCENT.exec(text)
  if (match === null) throw new RangeError(`not a percentage: ${text}`)
  const fraction = match[2] ?? ''
  return ratio(BigInt(`${match[1]}${fraction}`), 100n * 10n ** BigInt(fraction.length))
}

/** The share of an amount, truncated toward zero. The remainder is the caller's to keep where it was. */
export function applyRatio(amount: Micro, share: Ratio): Micro {
  return micro((amount * share.numerator) / share.denominator)
}

/** A ratio as percent with at most `decimals` digits, truncated: 1/300 → `"0.3333"`. */
export function ratioToPercentText(share: Ratio, decimals = 4): string {
  const scale = 10n ** BigInt(decimals)
  const scaled = (share.numerator * 100n * scale) / share.denominator
  const fraction = (scaled % scale).toString().padStart(decimals, '0').replace(/0+$/, '')
  return fraction === '' ? `${scaled / scale}` : `${scaled / scale}.${fraction}`
}
