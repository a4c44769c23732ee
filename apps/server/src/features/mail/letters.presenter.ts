/** The content of every mail, part by part, from its parameters. */

import { readLocale, withdrawalDue } from '@aval/contract'
import type { Micro } from '@aval/money'
import { readerOf } from '../../core/messages.ts'
import { oneLine } from './mail.rules.ts'
import { type MailContent, readContent, type TemplateName, type TemplateParams } from './mail.templates.ts'
import { type TextKey, type Writer, writerFor } from './writer.presenter.ts'

interface Fact {
  readonly label: string
  readonly value: string
}

interface Link {
  readonly label: string
  readonly url: string
}

/** A mail before it is rendered as text and as HTML, in the order of its parts. */
export interface Letter {
  readonly subject: string
  readonly title: string
  readonly paragraphs: readonly string[]
  /** The message that this answers, line by line. */
  readonly quoted?: { readonly label: string; readonly lines: readonly string[] } | undefined
  readonly code?: { readonly value: string; readonly label: string; readonly terms: string }
  readonly facts?: readonly Fact[]
  readonly link?: Link | undefined
  /** What to do when the member did not do this. */
  readonly notMe?: { readonly question: string; readonly text: string; readonly link?: Link }
}

/** One line of the table, or none where there is no value. */
function fact<Value>(
  writer: Writer,
  label: TextKey,
  value: Value | undefined,
  format: (value: Value) => string,
): Fact[] {
  const text = value === undefined ? '' : format(value)
  return text === '' ? [] : [{ label: writer.say(label), value: text }]
}

interface Origin {
  readonly at: Date
  readonly device?: string | undefined
  readonly ip?: string | undefined
  readonly notMeUrl?: string | undefined
}

const originFacts = (writer: Writer, { at, device, ip }: Origin): Fact[] => [
  ...fact(writer, 'fact_at', at, writer.instant),
  ...fact(writer, 'fact_device', device, writer.device),
  ...fact(writer, 'fact_ip', ip, writer.quote),
]

/** @param otherwise what to do where there is no link */
function notMe(
  { say }: Writer,
  { notMeUrl: url }: Origin,
  otherwise: TextKey,
  text = say('not_me_text'),
): NonNullable<Letter['notMe']> {
  const question = say('not_me')
  if (url === undefined) return { question, text: say(otherwise) }
  return { question, text, link: { label: say('not_me_link'), url } }
}

/** To a mailbox that may be a stranger's. */
const unproven = ({ say, quote }: Writer, username: string | undefined): string[] =>
  username === undefined ? [] : [say('unproven', { username: quote(username) })]

const linkTo = ({ say }: Writer, label: TextKey, url: string | undefined): Link | undefined =>
  url === undefined ? undefined : { label: say(label), url }

const codeBlock = ({ say }: Writer, value: string, terms: TextKey) => ({
  value,
  label: say('code_label'),
  terms: say(terms),
})

interface Money {
  readonly number?: string
  readonly amount?: Micro | undefined
  readonly fee?: Micro | undefined
  readonly arrives?: Micro | undefined
  readonly wallet?: string | undefined
}

const moneyFacts = (writer: Writer, { number, amount, fee, arrives, wallet }: Money): Fact[] => [
  ...fact(writer, 'fact_number', number, writer.quote),
  ...fact(writer, 'fact_amount', amount, writer.amount),
  ...fact(writer, 'fact_fee', fee, writer.amount),
  ...fact(writer, 'fact_arrives', arrives, writer.amount),
  ...fact(writer, 'fact_wallet', wallet, writer.wallet),
]

/** A withdrawal that was not paid: the money is back. */
function returned(
  writer: Writer,
  end: 'refused' | 'failed' | 'cancelled',
  params: TemplateParams<'withdrawal_cancelled'> & { readonly reason?: string },
): Letter {
  const amount = writer.amount(params.amount)
  return {
    subject: writer.say(`withdrawal_${end}_subject`, { amount }),
    title: writer.say(`withdrawal_${end}_title`),
    paragraphs: [writer.say(`withdrawal_${end}_text`, { amount })],
    facts: [...moneyFacts(writer, params), ...fact(writer, 'fact_reason', params.reason, writer.quote)],
  }
}

/** A withdrawal that is not in the wallet yet. */
function underWay(
  writer: Writer,
  stage: 'approved' | 'sent',
  params: TemplateParams<'withdrawal_approved'>,
): Letter {
  const words = { amount: writer.amount(params.amount), arrives: writer.amount(params.arrives) }
  return {
    subject: writer.say(`withdrawal_${stage}_subject`, words),
    title: writer.say(`withdrawal_${stage}_title`),
    paragraphs: [writer.say(`withdrawal_${stage}_text`, words)],
    facts: [...moneyFacts(writer, params), ...fact(writer, 'fact_at', params.at, writer.instant)],
  }
}

type SecurityChange =
  | `wallet_${'changed' | 'registered'}`
  | 'email_changed'
  | 'password_changed'
  | 'two_factor_on'
  | 'two_factor_off'
  | 'two_factor_released'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_only_on'
  | 'passkey_only_off'
  | 'passkey_only_replaced'
  | 'passkey_only_lost'
  | 'signed_in_new'
  | 'sessions_ended'
  | 'data_downloaded'
  | 'release_asked'
  | 'phone_corrected'
  | 'correction_asked'

/** A change of what protects the account. */
function changed(
  writer: Writer,
  change: SecurityChange,
  params: Origin & { readonly coolsUntil?: Date | undefined },
  about: readonly Fact[] = [],
  words: Readonly<Record<string, string>> = {},
): Letter {
  const { coolsUntil } = params
  const cools = coolsUntil && writer.say('cools', { date: writer.instant(coolsUntil) })
  return {
    subject: writer.say(`${change}_subject`),
    title: writer.say(`${change}_title`),
    paragraphs: [writer.say(`${change}_text`, words), ...(cools === undefined ? [] : [cools])],
    facts: [...about, ...originFacts(writer, params)],
    notMe: notMe(writer, params, 'not_me_password'),
  }
}

/** A line of a message is never longer than the message may be. */
const LONGEST_LINE = 2000
const linesOf = (text: string) => text.split('\n').map((line) => oneLine(line, LONGEST_LINE))

const LETTERS: {
  readonly [Name in TemplateName]: (writer: Writer, params: TemplateParams<Name>) => Letter
} = {
  withdrawal_code(writer, params) {
    const { say } = writer
    const amount = params.amount === undefined ? undefined : writer.amount(params.amount)
    const isBound = amount !== undefined
    return {
      subject: isBound
        ? say('withdrawal_code_subject_amount', { amount })
        : say('withdrawal_code_subject_any'),
      title: say('withdrawal_code_title'),
      paragraphs: [
        say('withdrawal_code_text'),
        ...(isBound ? [] : [say('withdrawal_code_any')]),
        say('withdrawal_code_check'),
        ...unproven(writer, params.unprovenFor),
      ],
      code: codeBlock(writer, params.code, isBound ? 'code_terms_pair' : 'code_terms_any'),
      facts: [...moneyFacts(writer, params), ...originFacts(writer, params)],
      notMe: notMe(writer, params, 'not_me_ignore'),
    }
  },
  welcome(writer, { username, link, at }) {
    const { say } = writer
    const words = { username: writer.quote(username) }
    return {
      subject: say('welcome_subject'),
      title: say('welcome_title'),
      paragraphs: [say('welcome_text', words), say('welcome_confirm'), say('welcome_next')],
      facts: [
        { label: say('fact_username'), value: words.username },
        ...fact(writer, 'fact_at', at, writer.instant),
      ],
      link: linkTo(writer, 'welcome_link', link),
      notMe: { question: say('not_me'), text: say('welcome_not_me') },
    }
  },
  deposit_received(writer, { amount: value, at, missing, until, late, txid, link }) {
    const { say } = writer
    const amount = writer.amount(value)
    const became =
      missing === undefined
        ? [say('deposit_received_balance', { amount }), ...(late ? [say('deposit_received_late')] : [])]
        : [
            say('deposit_received_part', { amount, missing: writer.amount(missing) }),
            ...(until === undefined ? [] : [say('deposit_received_until', { at: writer.instant(until) })]),
          ]
    return {
      subject: say('deposit_received_subject', { amount }),
      title: say('deposit_received_title'),
      paragraphs: became,
      facts: [
        ...moneyFacts(writer, { amount: value }),
        ...fact(writer, 'fact_missing', missing, writer.amount),
        ...fact(writer, 'fact_at', at, writer.instant),
        ...fact(writer, 'fact_txid', txid, writer.quote),
      ],
      link: linkTo(writer, 'withdrawal_completed_link', link),
    }
  },
  investment_credited(writer, params) {
    const { say } = writer
    const { surplus, principal, at, unlocksAt, txid, link, payments = [], fromBalance } = params
    const words = { amount: writer.amount(params.amount), day: writer.day(unlocksAt) }
    return {
      subject: say('investment_credited_subject', words),
      title: say('investment_credited_title'),
      paragraphs: [
        say('investment_credited_text', words),
        ...(surplus ? [say('investment_credited_surplus', { surplus: writer.amount(surplus) })] : []),
      ],
      facts: [
        ...moneyFacts(writer, { amount: params.amount }),
        ...fact(writer, 'fact_invest_fee', params.fee, writer.amount),
        ...payments.map((payment, index) => ({
          label: say('fact_payment', { number: String(index + 1) }),
          value: `${writer.amount(payment.amount)} · ${writer.quote(payment.txid)}`,
        })),
        ...fact(writer, 'fact_from_balance', fromBalance, writer.amount),
        ...fact(writer, 'fact_principal', principal, writer.amount),
        ...fact(writer, 'fact_unlocks', unlocksAt, writer.day),
        ...fact(writer, 'fact_at', at, writer.instant),
        ...fact(writer, 'fact_txid', payments.length > 0 ? undefined : txid, writer.quote),
      ],
      link: linkTo(writer, 'withdrawal_completed_link', link),
    }
  },
  investment_expired(writer, { amount, toBalance, at }) {
    const words = { amount: writer.amount(amount), toBalance: writer.amount(toBalance) }
    return {
      subject: writer.say('investment_expired_subject', words),
      title: writer.say('investment_expired_title'),
      paragraphs: [writer.say('investment_expired_text', words), writer.say('investment_expired_next')],
      facts: fact(writer, 'fact_until', at, writer.instant),
    }
  },
  withdrawal_requested(writer, params) {
    const { say } = writer
    const [amount, arrives] = [writer.amount(params.amount), writer.amount(params.arrives)]
    const due = writer.instant(params.due ?? withdrawalDue(params.at, params.at).at)
    return {
      subject: say('withdrawal_requested_subject', { amount }),
      title: say('withdrawal_requested_title'),
      paragraphs: [
        say('withdrawal_requested_text', { amount, arrives, due }),
        say('withdrawal_requested_cancel'),
      ],
      facts: [...moneyFacts(writer, params), ...originFacts(writer, params)],
      notMe: notMe(writer, params, 'not_me_password'),
    }
  },
  withdrawal_approved: (writer, params) => underWay(writer, 'approved', params),
  withdrawal_sent: (writer, params) => underWay(writer, 'sent', params),
  withdrawal_completed(writer, params) {
    const { say } = writer
    return {
      subject: say('withdrawal_completed_subject', { amount: writer.amount(params.amount) }),
      title: say('withdrawal_completed_title'),
      paragraphs: [say('withdrawal_completed_text', { arrives: writer.amount(params.arrives) })],
      facts: [
        ...moneyFacts(writer, params),
        ...fact(writer, 'fact_at', params.at, writer.instant),
        ...fact(writer, 'fact_txid', params.txid, writer.quote),
      ],
      link: linkTo(writer, 'withdrawal_completed_link', params.link),
    }
  },
  withdrawal_refused: (writer, params) => returned(writer, 'refused', params),
  withdrawal_failed: (writer, params) => returned(writer, 'failed', params),
  withdrawal_cancelled: (writer, params) => returned(writer, 'cancelled', params),

  profile_code: (writer, params) => ({
    subject: writer.say(`profile_code_subject_${params.change}`),
    title: writer.say('profile_code_title'),
    paragraphs: [writer.say(`profile_code_text_${params.change}`), ...unproven(writer, params.unprovenFor)],
    code: codeBlock(writer, params.code, 'code_terms_change'),
    facts: [
      ...fact(writer, 'fact_new_email', params.newEmail, writer.quote),
      ...fact(writer, 'fact_new_wallet', params.newWallet, writer.wallet),
      ...originFacts(writer, params),
    ],
    notMe: notMe(writer, params, 'not_me_ignore'),
  }),
  email_code: (writer, params) => ({
    subject: writer.say('email_code_subject'),
    title: writer.say('email_code_title'),
    paragraphs: [writer.say('email_code_text'), ...unproven(writer, params.unprovenFor)],
    code: codeBlock(writer, params.code, 'code_terms'),
    facts: originFacts(writer, params),
    notMe: notMe(writer, params, 'not_me_ignore'),
  }),
  password_reset_code: (writer, params) => ({
    subject: writer.say('password_reset_code_subject'),
    title: writer.say('password_reset_code_title'),
    paragraphs: [writer.say('password_reset_code_text')],
    code: codeBlock(writer, params.code, 'code_terms'),
    facts: originFacts(writer, params),
    link: linkTo(writer, 'password_reset_code_link', params.resetUrl),
    notMe: notMe(writer, params, 'not_me_ignore'),
  }),
  wallet_changed: (writer, params) =>
    changed(writer, params.previous === '' ? 'wallet_registered' : 'wallet_changed', params, [
      ...fact(writer, 'fact_new_wallet', params.wallet, writer.wallet),
      ...fact(writer, 'fact_previous_wallet', params.previous, writer.wallet),
    ]),
  email_changed(writer, params) {
    const facts = [
      ...fact(writer, 'fact_new_email', params.email, writer.quote),
      ...fact(writer, 'fact_previous_email', params.previous, writer.quote),
    ]
    const words = { previous: writer.quote(params.previous) }
    const letter = changed(writer, 'email_changed', params, facts, words)
    if (params.notMeUrl === undefined) return letter
    // Only what was taken back has no link; every other change waits for the new mailbox.
    const paragraphs = [...letter.paragraphs, writer.say('email_changed_waits')]
    const text = writer.say('not_me_email', words)
    return { ...letter, paragraphs, notMe: notMe(writer, params, 'not_me_password', text) }
  },
  password_changed: (writer, params) => changed(writer, 'password_changed', params),
  two_factor_changed(writer, params) {
    const change = params.on ? 'two_factor_on' : 'two_factor_off'
    return changed(writer, params.byOperator ? 'two_factor_released' : change, params)
  },
  recovery_codes_renewed: (writer, params) => changed(writer, 'recovery_codes_renewed', params),
  passkey_changed: (writer, params) =>
    changed(writer, params.added ? 'passkey_added' : 'passkey_removed', params),
  member_key_changed: (writer, params) => changed(writer, params.kind, params),
  member_key_decided(writer, params) {
    const { outcome, usableFrom } = params
    const words = usableFrom && { date: writer.instant(usableFrom) }
    return {
      subject: writer.say(`member_key_${outcome}_subject`),
      title: writer.say(`member_key_${outcome}_title`),
      paragraphs: [writer.say(`member_key_${outcome}_text`, words)],
      facts: originFacts(writer, params),
      notMe: notMe(writer, params, 'not_me_password'),
    }
  },
  signed_in_new: (writer, params) => changed(writer, 'signed_in_new', params),
  sessions_ended: (writer, params) => changed(writer, 'sessions_ended', params),
  data_downloaded: (writer, params) => changed(writer, 'data_downloaded', params),
  account_frozen: (writer, { reason, at }) => ({
    subject: writer.say('account_frozen_subject'),
    title: writer.say('account_frozen_title'),
    paragraphs: [writer.say('account_frozen_text'), writer.say('account_frozen_next')],
    facts: [
      ...fact(writer, 'fact_reason', reason, writer.quote),
      ...fact(writer, 'fact_at', at, writer.instant),
    ],
  }),
  account_unfrozen: (writer, { at }) => ({
    subject: writer.say('account_unfrozen_subject'),
    title: writer.say('account_unfrozen_title'),
    paragraphs: [writer.say('account_unfrozen_text')],
    facts: fact(writer, 'fact_at', at, writer.instant),
  }),
  terms_changed: (writer, { change, percent, at }) => ({
    subject: writer.say(`terms_${change}_subject`),
    title: writer.say(`terms_${change}_subject`),
    paragraphs: [writer.say(`terms_${change}_text`)],
    facts: [
      ...fact(writer, 'fact_points', percent, writer.decimal),
      ...fact(writer, 'fact_at', at, writer.instant),
    ],
  }),
  release_asked: (writer, params) =>
    changed(writer, 'release_asked', params, [], { until: writer.instant(params.until) }),
  phone_corrected: (writer, params) =>
    changed(writer, 'phone_corrected', params, fact(writer, 'fact_phone', params.phone, writer.quote)),
  correction_code: (writer, { code: value, unprovenFor, at }) => ({
    subject: writer.say('correction_code_subject'),
    title: writer.say('correction_code_subject'),
    paragraphs: [writer.say('correction_code_text'), ...unproven(writer, unprovenFor)],
    code: codeBlock(writer, value, 'code_terms_change'),
    facts: fact(writer, 'fact_at', at, writer.instant),
    notMe: notMe(writer, { at }, 'not_me_ignore'),
  }),
  correction_asked: (writer, params) =>
    changed(writer, 'correction_asked', params, fact(writer, 'fact_new_email', params.email, writer.quote)),
  account_closed(writer, params) {
    const { say } = writer
    const words = {
      username: writer.quote(params.username),
      years: String(params.years),
      until: writer.instant(params.keptUntil),
      contact: writer.quote(params.contact),
    }
    const kept = params.years === 1 ? 'account_closed_kept_one' : 'account_closed_kept'
    const texts = ['account_closed_text', kept, 'account_closed_traces'] as const
    return {
      subject: say('account_closed_subject'),
      title: say('account_closed_title'),
      paragraphs: texts.map((key) => say(key, words)),
      facts: originFacts(writer, params),
      notMe: { question: say('not_me'), text: say('account_closed_not_me', words) },
    }
  },

  account_attacked(writer, { count, withPassword, at, link }) {
    const { say } = writer
    const texts = [
      'account_attacked_text',
      withPassword ? 'account_attacked_password' : 'account_attacked_safe',
    ] as const
    return {
      subject: say('account_attacked_subject'),
      title: say('account_attacked_title'),
      paragraphs: [...texts, 'account_attacked_advice' as const].map((key) =>
        say(key, { count: String(count) }),
      ),
      facts: fact(writer, 'fact_at', at, writer.instant),
      link: linkTo(writer, 'account_attacked_link', link),
    }
  },

  /** The whole answer: the member can read it without signing in. */
  support_answer: ({ say }, { answer, question, link }) => ({
    subject: say('support_answer_subject'),
    title: say('support_answer_title'),
    paragraphs: linesOf(answer).filter((line) => line !== ''),
    ...(question !== undefined && {
      quoted: { label: say('support_answer_question'), lines: linesOf(question) },
    }),
    link: { label: say('support_answer_link'), url: link },
  }),
  /** For operators; every line of the text is a paragraph. */
  operator_invited: ({ say, quote, instant }, { by, role, username, expiresAt, invitationUrl }) => {
    const words = { by: quote(by), role: say(`role_${role}`), username: quote(username) }
    return {
      subject: say('operator_invited_subject'),
      title: say('operator_invited_title'),
      paragraphs: [
        say('operator_invited_text', words),
        say('operator_invited_what'),
        say('operator_invited_until', { date: instant(expiresAt) }),
      ],
      link:
        invitationUrl === undefined ? undefined : { label: say('operator_invited_link'), url: invitationUrl },
      notMe: { question: say('operator_invited_unknown'), text: say('operator_invited_ignore') },
    }
  },
  operator_alert: ({ say, quote }, { subject, text }) => ({
    subject: quote(subject),
    title: say('operator_alert_title'),
    paragraphs: [subject, ...text.split(/\r?\n/)].map(quote).filter((line) => line !== ''),
  }),
}

export function letterOf(content: MailContent, writer: Writer): Letter {
  // Template and parameters of one entry belong together; the compiler sees two unions.
  const write = LETTERS[content.template] as (writer: Writer, params: MailContent['params']) => Letter
  return write(writer, content.params)
}

/** The subject of a stored mail, without the secrets that are gone from it; empty where it cannot be said any more. */
export function subjectOf(template: unknown, params: unknown, locale: unknown): string {
  if (typeof template !== 'string' || typeof params !== 'object' || params === null) return ''
  for (const secret of [{}, { code: '0000000' }]) {
    try {
      const content = readContent(template, { ...params, ...secret })
      return letterOf(content, writerFor(readerOf(readLocale(String(locale)), null), 'UTC')).subject
    } catch {
      // Without a code it is another template's, or of an earlier release.
    }
  }
  return ''
}
