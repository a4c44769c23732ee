import { hasDecimalPoint, type Region } from '@aval/contract/regions'
import { plainTyped } from '@aval/contract/typed'
import { type Micro, micro, parseMicro } from '@aval/money'
import { region as regionNow } from '../api/region.ts'

/** The reading of a typed amount. `unclear` has two readings a thousand times apart; the member has to choose. */
export type AmountReading =
  | { kind: 'plain'; plain: string }
  | { kind: 'invalid' }
  /** Both readings as plain decimals. */
  | { kind: 'unclear'; large: string; small: string }

const INVALID: AmountReading = { kind: 'invalid' }
/** What people and web pages put between groups of thousands, besides dot and comma. */
const GAP = /[\s'’]/
const GAPS = /[\s'’]/g
const GROUPED = /^\d{1,3}(?<sign>[.,])\d{3}(\k<sign>\d{3})*$/
const ONE_GROUP = /^[1-9]\d{0,2}[.,]\d{3}$/

/**
 * Reads what a person typed or pasted: `1.000,50`, `1 000,50` and `$1,000.50` are one amount in every region, because
 * the last of two signs can only be the decimal one. A sign that repeats groups thousands; one that is not followed by
 * exactly three digits is the decimal sign. What is left is `1.000` and `1,000`: of these only the comma has a single
 * meaning, and only where a region's decimals begin with a point. Nothing is rounded.
 */
export function readAmount(typed: string, region: Region = regionNow()): AmountReading {
  const text = plainTyped(typed)
    .replace(/^(US\$|USDT?|\$)\s*/i, '')
    .replace(/\s*(USDT?|\$)$/i, '')
  if (!/^[\d.,\s'’]+$/.test(text) || !/\d/.test(text)) return INVALID
  const closed = withoutGaps(text)
  if (closed === null) return INVALID
  const signs = closed.replace(/\d/g, '')
  if (signs === '') return plainOf(closed)
  if (signs.length === 1) return oneSign(closed, signs, GAP.test(text), region)
  if (GROUPED.test(closed)) return plainOf(closed.replace(/[.,]/g, ''))
  const [whole = '', fraction = '', ...rest] = closed.split(signs.at(-1) ?? '')
  return rest.length === 0 && GROUPED.test(whole) ? plainOf(whole.replace(/[.,]/g, ''), fraction) : INVALID
}

/** Spaces may only separate groups of three before the decimal sign: `1 5` is not fifteen. */
function withoutGaps(text: string): string | null {
  if (!GAP.test(text)) return text
  return /^\d{1,3}([\s'’]\d{3})+([.,]\d*)?$/.test(text) ? text.replace(GAPS, '') : null
}

function oneSign(text: string, sign: string, hasGaps: boolean, region: Region): AmountReading {
  const [whole = '', fraction = ''] = text.split(sign)
  if (hasGaps || !ONE_GROUP.test(text)) return plainOf(whole, fraction)
  if (sign === ',' && hasDecimalPoint(region)) return plainOf(whole + fraction)
  return { kind: 'unclear', large: whole + fraction, small: `${whole}.${fraction}` }
}

function plainOf(whole: string, fraction = ''): AmountReading {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return { kind: 'plain', plain: fraction === '' ? digits : `${digits}.${fraction}` }
}

/** What was typed as a plain decimal; null for what is none, and for what has two readings. */
export function plainAmount(typed: string, region?: Region): string | null {
  const reading = readAmount(typed, region)
  return reading.kind === 'plain' ? reading.plain : null
}

/**
 * How an amount is written into a field: without groups, two to six decimals and never three, which could be read as a
 * group.
 * @param plain decimal text, with a point
 */
export function fieldAmount(plain: string, region: Region = regionNow()): string {
  const [whole = '0', fraction = ''] = plain.split('.')
  const needed = fraction.replace(/0+$/, '').padEnd(2, '0')
  return `${whole}${hasDecimalPoint(region) ? '.' : ','}${needed.length === 3 ? `${needed}0` : needed}`
}

/** Whether an amount on the wire is anything at all. */
export function isSome(amount: string): boolean {
  return /[1-9]/.test(amount)
}

/** An amount on the wire as a figure to reckon with. It may be below zero after a reversal. */
export function microOf(amount: string): Micro {
  const size = parseMicro(amount.replace('-', '')) ?? micro(0n)
  return amount.startsWith('-') ? micro(-size) : size
}
