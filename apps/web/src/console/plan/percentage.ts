import type { Ratio } from '@aval/money'

const PLAIN = /^(0|[1-9]\d{0,2})(\.\d{1,6})?$/

/**
 * Turns what a person typed into a plain percentage: `0,25`, `.25` and `0.25 %` all become `0.25`. Nothing groups
 * thousands in a percentage, so comma and point mean the same. Null for what is none.
 */
export function plainPercent(typed: string): string | null {
  const text = typed.replace(/[\s\u00a0]|%$/g, '').replace(',', '.')
  const whole = text.startsWith('.') ? `0${text}` : text
  const plain = whole.replace(/^0+(?=\d)/, '')
  return PLAIN.test(plain) ? plain : null
}

export function isAbove(left: Ratio, right: Ratio): boolean {
  return left.numerator * right.denominator > right.numerator * left.denominator
}

/** Decimal text without what says nothing: `10.50` and `010.5` are `10.5`. */
export function trimmedDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.split('.')
  const kept = fraction.replace(/0+$/, '')
  const digits = whole.replace(/^0+(?=\d)/, '')
  return kept === '' ? digits : `${digits}.${kept}`
}
