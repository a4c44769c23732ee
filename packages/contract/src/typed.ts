/**
 * Text as people type and paste it. Chats, web pages and phone books put characters between that nobody sees, and other signs in the
 * place of plain ones; fields that are compared or computed with take none of them.
 */

/** Not drawn at all: soft hyphens, zero-width spaces, direction marks, variation selectors. Joiners among them. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
const SPACE = /[\p{Z}\t\n\r]/gu
const DASH = /[\p{Pd}\u2212]/gu
/** Wide forms of ASCII, which keyboards for Chinese, Japanese and Korean type. */
const WIDE = /[\uff01-\uff5e]/g
const WIDE_FROM = 0xfee0
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu
const IS_DIGIT = /\p{Nd}/u
const IS_PLAIN = /^[\x21-\x7e]*$/

/** 0 to 9 of any script. Unicode keeps the ten digits of each in their order, side by side. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (IS_DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1
  return String(before % 10)
}

/**
 * What a keyboard with plain keys would have typed: nothing invisible, spaces and dashes of one kind, no wide letters, 0 to 9 for the digits of
 * any script, nothing around it. For e-mails, phones, wallets, codes, amounts and searches; never for names, texts and passwords.
 */
export function plainTyped(text: string): string {
  if (IS_PLAIN.test(text)) return text
  return text
    .replace(INVISIBLE, '')
    .replace(SPACE, ' ')
    .replace(DASH, '-')
    .replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDE_FROM))
    .replace(OTHER_DIGIT, plainDigit)
    .trim()
}

/** The same without spaces: a wallet is copied in groups of four, a code in two halves. */
export const typedTogether = (text: string): string => plainTyped(text).replaceAll(' ', '')

/** A phone number as it is kept: written with spaces, dashes, dots and brackets. */
export const plainPhone = (text: string): string => plainTyped(text).replace(/[\s().-]/g, '')

/** The code of a registration link with what stood behind it in a chat: a space, a full stop, a bracket. */
export const linkCode = (text: string): string =>
  plainTyped(text).replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '')
