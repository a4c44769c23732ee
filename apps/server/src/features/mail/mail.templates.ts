/**
 * Every mail template with its parameters.
 *
 * Amounts are whole micro-USDT as decimal text (`"50000000"` is 50 USDT), instants are dates, a device is the user agent
 * as it was sent; they are formatted when the mail is rendered. To add a mail, add its template here, its sentences to
 * `locales/`, and its content to `letters.presenter.ts`; the compiler asks for the last.
 */
import { OPERATOR_ROLES } from '@aval/contract'
import { micro } from '@aval/money'
import { z } from 'zod'

const amount = z
  .string()
  .regex(/^\d{1,18}$/, 'is no amount of whole micro-USDT')
  .transform((text) => micro(BigInt(text)))
/** A date, or the text that the database stores for it. */
const instant = z.union([z.date(), z.iso.datetime({ offset: true }).transform((text) => new Date(text))])
const url = z.url({ protocol: /^https?$/ }).max(2000)
/** Cut rather than refused: a long text must not prevent the event that the mail is about. */
const cut = (most: number) => z.string().transform((words) => words.slice(0, most))
const text = cut(2000)
const number = z.union([text, z.int()]).transform(String)

/** Where the event came from, and the link to say "this was not me". */
const traces = { at: instant, device: text.optional(), ip: text.optional(), notMeUrl: url.optional() }
/** A change of what protects the account: until when money cools. */
const change = { coolsUntil: instant.optional(), ...traces }
const code = z.string().regex(/^\d{4,10}$/)
/** The username of the account that this address was given to; absent once it is proven. */
const unprovenFor = text.optional()
const withdrawal = { amount, number }
const transfer = { ...withdrawal, fee: amount, arrives: amount, wallet: text, at: instant }

export const templates = {
  /** Without an amount the code is good for any. */
  withdrawal_code: z.strictObject({
    code,
    amount: amount.optional(),
    fee: amount.optional(),
    arrives: amount.optional(),
    wallet: text,
    unprovenFor,
    ...traces,
  }),
  /** Sent to a mailbox that nobody has proven yet. */
  welcome: z.strictObject({ username: text, link: url, at: instant }),
  /** `missing`: it is a part of an investment, of which this much may still come until then. `late`: that had ended. */
  deposit_received: z.strictObject({
    amount,
    at: instant,
    missing: amount.optional(),
    until: instant.optional(),
    late: z.boolean().optional(),
    txid: text,
    link: url.optional(),
  }),
  /** `surplus`: what came on top of it and went to the balance. Without `txid` it was paid from the balance. */
  investment_credited: z.strictObject({
    amount,
    fee: amount.optional(),
    surplus: amount.optional(),
    /** All that is invested now. */
    principal: amount,
    at: instant,
    unlocksAt: instant,
    txid: text.optional(),
    link: url.optional(),
    /** Where it was more than one: each transfer, and what the balance added. */
    payments: z.array(z.strictObject({ amount, txid: text })).optional(),
    fromBalance: amount.optional(),
  }),
  /** Its time ended before all of it had come; what had come is in the balance. */
  investment_expired: z.strictObject({ amount, toBalance: amount, at: instant }),
  /** `due`: by when it is to have arrived; mails of before it was sent have none. */
  withdrawal_requested: z.strictObject({ ...transfer, due: instant.optional(), ...traces }),
  /** Approved, and not on its way yet. */
  withdrawal_approved: z.strictObject(transfer),
  withdrawal_sent: z.strictObject(transfer),
  withdrawal_completed: z.strictObject({ ...transfer, txid: text, link: url.optional() }),
  withdrawal_refused: z.strictObject({ ...withdrawal, reason: text }),
  withdrawal_failed: z.strictObject({ ...withdrawal, reason: text }),
  withdrawal_cancelled: z.strictObject(withdrawal),
  profile_code: z.strictObject({
    code,
    change: z.enum(['email', 'wallet', 'both']),
    newEmail: text.optional(),
    newWallet: text.optional(),
    unprovenFor,
    ...traces,
  }),
  /** Proves the address, and does nothing else. */
  email_code: z.strictObject({ code, unprovenFor: text, ...traces }),
  /** `previous` is empty where there was none. */
  wallet_changed: z.strictObject({ wallet: text, previous: text, ...change }),
  /** Sent to the former address. */
  email_changed: z.strictObject({ email: text, previous: text, ...change }),
  password_changed: z.strictObject(change),
  /** `resetUrl` works by itself, like the code. */
  password_reset_code: z.strictObject({ code, resetUrl: url.optional(), ...traces }),
  /** `byOperator`: it was turned off by the installation's operator, as the member asked. */
  two_factor_changed: z.strictObject({ on: z.boolean(), byOperator: z.boolean().optional(), ...change }),
  recovery_codes_renewed: z.strictObject(traces),
  /** Without its name: a thief may have written it, and a mail about a theft has no text of the thief. */
  passkey_changed: z.strictObject({ added: z.boolean(), ...change }),
  /** What was asked for: the signer, or operators, decide about it. */
  member_key_changed: z.strictObject({
    kind: z.enum(['passkey_only_on', 'passkey_only_off', 'passkey_only_replaced', 'passkey_only_lost']),
    ...change,
  }),
  /** What became of it; `usableFrom` where it moves nothing before. */
  member_key_decided: z.strictObject({
    outcome: z.enum(['in_force', 'replaced', 'off', 'waits', 'refused', 'not_approved']),
    usableFrom: instant.optional(),
    ...traces,
  }),
  signed_in_new: z.strictObject(traces),
  /** Of all of them, by the company. */
  sessions_ended: z.strictObject(traces),
  data_downloaded: z.strictObject(traces),
  account_frozen: z.strictObject({ reason: text, at: instant }),
  account_unfrozen: z.strictObject({ at: instant }),
  /** What an operator changed for the member; `percent` of extra points. */
  terms_changed: z.strictObject({
    change: z.enum(['fundator_on', 'fundator_off', 'extra_points']),
    percent: text.optional(),
    at: instant,
  }),
  phone_corrected: z.strictObject({ phone: text, ...traces }),
  /** Sent to the mailbox that an operator is to correct the e-mail to. */
  correction_code: z.strictObject({ code, unprovenFor: text, at: instant }),
  /** Sent to the present mailbox; the new one is masked. */
  correction_asked: z.strictObject({ email: text, ...traces }),
  /** One operator asked to release the second factor; another one decides until then. */
  release_asked: z.strictObject({ until: instant, ...traces }),
  /** What is kept, until when, and whom to write to: nobody signs in any more. */
  account_closed: z.strictObject({
    username: text,
    years: z.int(),
    keptUntil: instant,
    contact: text,
    ...traces,
  }),
  /** `withPassword`: some of the tries came with the right password, and failed at the second step. */
  account_attacked: z.strictObject({ count: z.int(), withPassword: z.boolean(), at: instant, link: url }),
  /** `question` is the member's message; absent when the operator writes a second time. */
  support_answer: z.strictObject({ answer: text, question: text.optional(), link: url }),
  /** `invitationUrl` is good for a week, for this member alone. */
  operator_invited: z.strictObject({
    by: text,
    role: z.enum(OPERATOR_ROLES),
    username: text,
    expiresAt: instant,
    invitationUrl: url.optional(),
  }),
  operator_alert: z.strictObject({ subject: text, text: cut(10_000) }),
} as const

export type TemplateName = keyof typeof templates
export type TemplateParams<Name extends TemplateName> = z.output<(typeof templates)[Name]>

/** A template with its parameters. */
export type MailTemplate = {
  [Name in TemplateName]: { readonly template: Name; readonly params: z.input<(typeof templates)[Name]> }
}[TemplateName]

/** The same, parsed: amounts are amounts, instants are dates. */
export type MailContent = {
  [Name in TemplateName]: { readonly template: Name; readonly params: TemplateParams<Name> }
}[TemplateName]

/** @throws when there is no such template, or its parameters are others */
export function readContent(template: string, params: unknown): MailContent {
  if (!isTemplate(template)) throw new Error(`there is no message ${template}`)
  return { template, params: templates[template].parse(params) } as MailContent
}

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name)
