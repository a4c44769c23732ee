/** Members as operators see them: found, listed, and one by one. */
import { z } from 'zod'
import { amountText, instant, typedText } from './common.ts'
import { lockedPrincipal } from './investments.ts'

/** What GET operator/search/ can find. */
export const SEARCH_KINDS = [
  'member',
  'withdrawal',
  'investment',
  'deposit',
  'invoice',
  'transfer',
  'run',
] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** By which of their marks a member was found. */
export const FOUND_BY = [
  'id',
  'username',
  'name',
  'email',
  'phone',
  'ref_code',
  'wallet',
  'deposit_address',
] as const

/** GET operator/search/?q= : the beginning of a name, or all of anything else. */
export const searchQuery = z.object({
  q: typedText().min(1, 'field_required').max(254, 'input_invalid'),
})

export const searchHit = z.object({
  kind: z.enum(SEARCH_KINDS),
  /** Its number; of an invoice its txn_id, of a deposit or transfer its txid. */
  id: z.string(),
  /** Whose it is; null of what belongs to the company. */
  member: z.object({ id: z.int(), username: z.string() }).nullable(),
  /** Of a member. */
  found_by: z.enum(FOUND_BY).nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  amount: amountText.nullable(),
  date: instant.nullable(),
  /** Of a run: which kind, and its period. */
  run: z.object({ kind: z.string(), period: z.string() }).nullable(),
})
export type SearchHit = z.infer<typeof searchHit>
export const searchAnswer = z.object({ results: z.array(searchHit) })

const choice = z.enum(['true', 'false'], 'input_invalid').transform((text) => text === 'true')
const day = z.iso
  .date('dates_invalid')
  .refine((text) => text.startsWith('2'), 'dates_invalid')
  .optional()

/** Which members: all conditions hold. `joined_to` is included. */
export const membersFilter = z.object({
  /** Something is invested. */
  active: choice.optional(),
  fundator: choice.optional(),
  /** Something is in the balance. */
  has_balance: choice.optional(),
  /** A withdrawal waits or is under way. */
  open_withdrawal: choice.optional(),
  /** An operator froze the account. */
  frozen: choice.optional(),
  closed: choice.optional(),
  joined_from: day,
  joined_to: day,
  /** Their username. */
  sponsor: typedText().max(150).optional(),
  /** What GET operator/search/ finds members by. */
  q: typedText().min(1).max(254).optional(),
})
export type MembersFilter = z.output<typeof membersFilter>

/** Newest, oldest, most invested. By balance there is no order: every payment would have to move an index entry. */
export const MEMBER_ORDERS = ['-joined', 'joined', '-principal'] as const
export type MemberOrder = (typeof MEMBER_ORDERS)[number]
export const MEMBERS_A_PAGE = 25

export const membersQuery = membersFilter.extend({
  order: z.enum(MEMBER_ORDERS, 'input_invalid').optional(),
  /** The last member of the page before. */
  after: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'input_invalid')
    .optional(),
})

export const listedMember = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  joined_at: instant,
  closed_at: instant.nullable(),
  frozen: z.boolean(),
  is_fundator: z.boolean(),
  is_operator: z.boolean(),
  sponsor: z.object({ id: z.int(), username: z.string() }).nullable(),
  principal: amountText,
  balance: amountText,
  on_hold: amountText,
  open_withdrawals: z.int(),
})
export type ListedMember = z.infer<typeof listedMember>

/** GET operator/members/ */
export const membersPage = z.object({
  results: z.array(listedMember),
  /** What to ask for the next page with; null on the last one. */
  next: z.int().nullable(),
  /** How many the filter finds, up to 10,000; `more` where it finds more than that. */
  count: z.int(),
  more: z.boolean(),
})
export type MembersPage = z.infer<typeof membersPage>

/** GET operator/members/{id}/ : who somebody is and what they have, recorded as looked at. */
export const memberFile = listedMember.extend({
  wallet: z.string(),
  deposit_address: z.string(),
  ref_code: z.string(),
  locale: z.string(),
  time_zone: z.string().nullable(),
  email_proven: z.boolean(),
  two_factor: z.boolean(),
  passkeys: z.int(),
  is_master: z.boolean(),
  /** What can be withdrawn of the principal today; when the next part unlocks, or the last one did; and what is locked until when. */
  unlocked: amountText,
  unlocks_at: instant.nullable(),
  locked: lockedPrincipal,
  /** Came for investments that are not paid in full. */
  pending: amountText,
  /** Owed to the pools after reversals. */
  owed: amountText,
  earned: amountText,
  /** Until when no money of theirs leaves. */
  cools_until: instant.nullable(),
  direct: z.int(),
  team: z.int(),
})
export type MemberFile = z.infer<typeof memberFile>

/** Newest first, before a row: its journal and leg. */
export const movementsQuery = z.object({
  before: z
    .string()
    .regex(/^\d{1,18}-\d{1,9}$/, 'input_invalid')
    .optional(),
})

/** A row of GET operator/members/{id}/movements/. */
export const memberMovement = z.object({
  id: z.string(),
  date: instant,
  kind: z.string(),
  /** What it is called, and what there is to say of it besides, in the request's language. */
  what: z.string(),
  detail: z.string(),
  amount: amountText,
  to_balance: amountText,
  to_principal: amountText,
  /** After it. */
  balance: amountText,
  principal: amountText,
  /** What it came from; at most one of the first three. */
  run_id: z.int().nullable(),
  payment_id: z.int().nullable(),
  withdrawal_id: z.int().nullable(),
  investment_id: z.int().nullable(),
  txid: z.string().nullable(),
  explorer_url: z.string().nullable(),
})
export type MemberMovement = z.infer<typeof memberMovement>
export const movementsPage = z.object({ results: z.array(memberMovement), next: z.string().nullable() })

/** What happened to a transfer to a member's address: booked, or why it is not. */
export const memberDeposit = z.object({
  txid: z.string(),
  position: z.int(),
  date: instant,
  /** As the chain has it; of another token than USDT its smallest units. */
  value: z.string(),
  verdict: z.string(),
  /** Null until it is booked. */
  outcome: z.string().nullable(),
  credited_at: instant.nullable(),
  invoice: z.string().nullable(),
  explorer_url: z.string().nullable(),
})
export type MemberDeposit = z.infer<typeof memberDeposit>

/** A row of GET operator/members/{id}/invoices/. */
export const memberInvoice = z.object({
  txn_id: z.string(),
  amount: amountText,
  fee: amountText,
  received: amountText,
  state: z.string(),
  created_at: instant,
  expires_at: instant,
  closed_at: instant.nullable(),
})
export type MemberInvoice = z.infer<typeof memberInvoice>

/** GET operator/members/{id}/network/ */
export const memberNetwork = z.object({
  /** From the member's sponsor up; at most a hundred. */
  upline: z.array(z.object({ id: z.int(), username: z.string() })),
  upline_skipped: z.int(),
  parent: z.object({ id: z.int(), username: z.string() }).nullable(),
  leg: z.enum(['L', 'R']).nullable(),
  direct: z.int(),
  team: z.int(),
  team_volume: amountText,
  leg_volumes: z.object({ left: amountText, right: amountText }),
  points: z.object({ left: amountText, right: amountText, as_of: z.string().nullable() }),
})
export type MemberNetwork = z.infer<typeof memberNetwork>

/** A row of GET operator/members/{id}/mails/. */
export const memberMail = z.object({
  id: z.int(),
  subject: z.string(),
  to: z.string(),
  date: instant,
  state: z.enum(['queued', 'sent', 'given_up']),
  sent_at: instant.nullable(),
  attempts: z.int(),
})
export type MemberMail = z.infer<typeof memberMail>

export const LONGEST_NOTE = 2000
export const noteBody = z.object({
  text: z.string().trim().min(1, 'field_required').max(LONGEST_NOTE, 'support_text_too_long'),
})

/** A row of GET operator/members/{id}/notes/. */
export const memberNote = z.object({ id: z.int(), author: z.string(), date: instant, text: z.string() })

/** A row of GET operator/members/{id}/looks/ : an operator who opened the member's page, at most once an hour. */
export const memberLook = z.object({ operator: z.string(), date: instant })
export type MemberLook = z.infer<typeof memberLook>
