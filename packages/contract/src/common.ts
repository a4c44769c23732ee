import { parseMicro } from '@aval/money'
import { z } from 'zod'
import { spelt } from './spelt.ts'
import { plainTyped, typedTogether } from './typed.ts'

/** Languages of the product; the first is the default. */
export const LOCALES = ['es', 'en'] as const
export type Locale = (typeof LOCALES)[number]
/** A stored language; the default for any other text. */
export const readLocale = (text: string): Locale => LOCALES.find((locale) => locale === text) ?? LOCALES[0]

/** A field that is compared or computed with, as plain keys would have typed it: an e-mail, an amount, a search. */
export const typedText = () => z.string().overwrite(plainTyped)
/** The same without spaces: a code, a wallet. */
export const typedMark = () => z.string().overwrite(typedTogether)

/** Control characters, and half of a pair of surrogates, which no database takes. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
/** What somebody calls themselves, or a thing of theirs. */
export const nameText = (most: number) =>
  z
    .string()
    .overwrite(spelt)
    .max(most, 'name_invalid')
    .refine((text) => !UNPRINTABLE.test(text), 'name_invalid')

/** An amount in an answer: a decimal string with 2 to 6 decimals. */
export const amountText = z.string().regex(/^-?\d+\.\d{2,6}$/)

/** An amount in a request: a number or a plain decimal string, above zero, at most 6 decimals. Parses to micro-USDT. */
export const amountInput = z
  .union([typedText().max(32), z.number()])
  .transform((value, context) => {
    const parsed = parseMicro(value)
    if (parsed === null || parsed === 0n) {
      context.addIssue({ code: 'custom', message: 'amount_invalid' })
      return z.NEVER
    }
    return parsed
  })
  .meta({ description: 'Decimal above zero with at most 6 decimals, as a string or a number.' })

/** The fresh code that confirms a decision, or money that leaves, where one is asked for: six digits, each good once. */
export const otpField = typedMark().max(32).optional()

/** A password that a member has: whatever was once taken as one. */
export const currentPassword = z.string().min(1).max(1024)

/** ISO 8601 in UTC with `Z`. */
export const instant = z.iso.datetime()

/** Past every last page there is. */
const FARTHEST_PAGE = 999_999_999

/** `?page=` from 1 and `?page_size=` 1..100, as they arrive in a query string. */
export const pageQuery = z.object({
  page: z
    .string()
    .regex(/^[1-9]\d*$/, 'page_invalid')
    .transform((text) => Math.min(Number(text), FARTHEST_PAGE))
    .optional(),
  page_size: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'page_size_invalid')
    .transform(Number)
    .optional(),
})
export type PageQuery = z.output<typeof pageQuery>
export const DEFAULT_PAGE_SIZE = 10

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    links: z.object({ next: z.string().nullable(), previous: z.string().nullable() }),
    total_pages: z.int().min(1),
    count: z.int(),
    results: z.array(item),
  })

export interface Page<Item> {
  links: { next: string | null; previous: string | null }
  total_pages: number
  count: number
  results: Item[]
}

/** A sentence for the member, in the language of the request. */
export const messageText = z.string()
export const messageObject = z.object({ message: z.string() })

/** Of the last e-mail with a code: for how many seconds it has been tried to be sent; null where it was, or there is none. */
export const codeMail = z.object({ waiting_seconds: z.number().int().nullable() })
export type CodeMail = z.infer<typeof codeMail>
