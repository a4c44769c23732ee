/** An entry of the trail in words. What has no words yet is shown as it is written, never as the key of a text. */
import type { TFunction } from 'i18next'
import { type ConsolePage, memberLink, placeLink, runLink } from '../shared/place.ts'
import type { AuditEntry } from './api.ts'

type Say = TFunction<'console/audit'>

/** Keys come from what is stored, which may be newer than these texts. */
function sayOr(t: Say, key: string, otherwise: string, words: Record<string, string> = {}): string {
  const say = t as unknown as (key: string, options: Record<string, string>) => string
  return say(key, { ...words, defaultValue: otherwise })
}

/** `withdrawal 17`, `member ana` */
export function thingOf(t: Say, { noun, id, username }: AuditEntry['subject']): string {
  const [, owner = '', number = ''] = (noun === 'list' ? LIST_OF_ONE.exec(id) : null) ?? []
  if (owner !== '') return t(`listOf.${owner as 'run' | 'member'}`, { id: number })
  return sayOr(t, `thing.${noun}`, `${noun}:${id}`, { id: username ?? sayOr(t, `value.${id}`, id) })
}

/** A list of something that was saved: `run-12-items`, `member-7-movements`. */
const LIST_OF_ONE = /^(run|member)-([1-9]\d{0,14})-\w+$/

/** What an action is called where one is chosen. */
export function actionName(t: Say, action: string): string {
  const [noun = ''] = action.split('.')
  const phrase = sayOr(t, `do.${action}`, '', { what: sayOr(t, `any.${noun}`, noun) })
  return phrase === '' ? action : phrase.charAt(0).toUpperCase() + phrase.slice(1)
}

export const actorOf = (t: Say, { actor }: AuditEntry): string => actor?.username ?? t('product')

export function sentenceOf(t: Say, entry: AuditEntry): string {
  const { action, outcome, subject } = entry
  const words = { who: actorOf(t, entry), what: thingOf(t, subject) }
  if (outcome === 'done') {
    const done = sayOr(t, `done.${action}`, '', words)
    if (done === '') return t('unknownDone', { ...words, action })
    // A thing may begin the sentence; a username is written as it is.
    return done.startsWith(words.what) && subject.noun !== 'member'
      ? done.charAt(0).toUpperCase() + done.slice(1)
      : done
  }
  const phrase = sayOr(t, `do.${action}`, '', words)
  return phrase === '' ? t('unknownRefused', { ...words, action }) : t('refused', { ...words, phrase })
}

/** Where what an entry is about is shown; null where no page has it. */
export function placeOf(subject: Pick<AuditEntry['subject'], 'noun' | 'id'>): string | null {
  const { noun, id } = subject
  if (noun === 'list') return listPlace(id)
  const isNumber = /^[1-9]\d{0,14}$/.test(id)
  if (noun === 'member') return isNumber ? memberLink(Number(id)) : null
  if (noun === 'run') return isNumber ? runLink(Number(id)) : null
  if (noun === 'member_key') return isNumber ? memberLink(Number(id), 'security') : null
  if (noun === 'withdrawal') return placeLink('withdrawals', { withdrawal: id })
  if (noun === 'transfer') return placeLink('deposits', { search: id.split(':')[0] ?? '' })
  const PLACES = {
    withdrawals: 'withdrawals',
    deposit: 'deposits',
    investment: 'investments',
    pool: 'treasury',
    payments: 'treasury',
    payments_stop: 'treasury',
    support_template: 'support',
    plan: 'plan',
    rate: 'rates',
    reserve_check: 'reserves',
    integrity_check: 'reserves',
    invitation: 'operators',
  } as const
  const page = Object.entries(PLACES).find(([name]) => name === noun)?.[1]
  return page === undefined ? null : placeLink(page)
}

/** Where a list that was saved is shown. */
function listPlace(name: string): string | null {
  const [, noun = '', id = ''] = LIST_OF_ONE.exec(name) ?? []
  if (noun !== '') return placeOf({ noun, id })
  const page = LISTS[name]
  return page === undefined ? null : placeLink(page)
}
const LISTS: Readonly<Record<string, ConsolePage>> = {
  members: 'members',
  withdrawals: 'withdrawals',
  deposits: 'deposits',
  investments: 'investments',
  conversations: 'support',
  runs: 'runs',
  fundings: 'treasury',
  audit: 'audit',
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '–' : JSON.stringify(value)

/** Its details by their names; before and after stand together, and the code of a refusal is its sentence already. */
export function detailsOf(t: Say, { details }: AuditEntry): readonly (readonly [string, string])[] {
  const { before, after, ...others } = details
  const named = Object.entries(others)
    .filter(([name]) => name !== 'code')
    .map(
      ([name, value]) =>
        [
          sayOr(t, `detail.${name}`, name.replaceAll('_', ' ')),
          sayOr(t, `value.${asText(value)}`, asText(value)),
        ] as const,
    )
  if (before === undefined && after === undefined) return named
  const word = (value: unknown) =>
    value === undefined ? '–' : sayOr(t, `value.${asText(value)}`, asText(value))
  return [[t('change'), `${word(before)} → ${word(after)}`], ...named]
}

const FAULT = /^(audit_event|security_event|audit_seal) (\d+): (.+)$/

/** A fault of the verification: `audit_event 17: altered`. */
export function faultOf(t: Say, fault: string): string {
  const [, trail = '', id = '', what = ''] = FAULT.exec(fault) ?? []
  if (trail === '') return fault
  const kind = what.startsWith('reordered') ? 'reordered' : what
  return sayOr(t, `fault.${kind.replaceAll(' ', '_')}`, fault, {
    row: sayOr(t, `row.${trail}`, trail, { id }),
  })
}
