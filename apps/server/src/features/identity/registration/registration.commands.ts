import { randomInt } from 'node:crypto'
import {
  type Availability,
  emailInput,
  type Locale,
  type RegisterBody,
  type TokenPair,
  usernameInput,
} from '@aval/contract'
import { type Db, inTransaction, type Tx } from '@aval/db'
import { depositAddress } from '@aval/tron'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { findRoot, holdPlace, placeFirst, takePlace } from '../../genealogy/genealogy.commands.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { openSession } from '../sessions/sessions.commands.ts'
import { checkCaptcha, spendCaptcha } from './captcha.commands.ts'
import { fold, isReserved, REF_CODE_COUNT, readRefCode, refCodeOf } from './registration.rules.ts'
import {
  claimIdentifiers,
  insertMember,
  lockRoot,
  openAccounts,
  selectByRefCode,
  selectTaken,
  updateRefCode,
} from './registration.sql.ts'

/** Draws for a free ref code; at a million members each draw misses one time in nine. */
const DRAWS = 50

export interface NewMember {
  readonly username: string
  readonly email: string
  readonly passwordHash: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly phoneNumber?: string | undefined
  readonly locale: Locale
  readonly isFundator?: boolean
  readonly isOperator?: boolean
}

const drawRefCode = () => refCodeOf(randomInt(REF_CODE_COUNT))

/** Gives the member another code than the one that somebody else has. */
async function changeRefCode(tx: Tx, memberId: bigint): Promise<void> {
  for (let draw = 1; draw <= DRAWS; draw += 1) {
    const code = drawRefCode()
    const claimed = await claimIdentifiers(tx, memberId, [['ref_code', code]])
    if (claimed.length > 0) return updateRefCode(tx, memberId, code)
  }
  throw new Error(`no free ref code in ${DRAWS} draws`)
}

/** Everything a member is but their place in the trees. @throws Refusal `username_taken`, `email_taken` */
async function createMember(tx: Tx, member: NewMember, at: Date): Promise<bigint> {
  if (isReserved(member.username)) throw new Refusal('username_taken')
  const refCode = drawRefCode()
  const { id, xpub } = await insertMember(tx, {
    username: member.username,
    email: member.email,
    password_hash: member.passwordHash,
    ref_code: refCode,
    first_name: member.firstName ?? '',
    last_name: member.lastName ?? '',
    phone_number: member.phoneNumber ?? '',
    locale: member.locale,
    is_fundator: member.isFundator ?? false,
    is_operator: member.isOperator ?? false,
    terms_accepted_at: at,
    joined_at: at,
  })
  if (xpub === null) throw new Error('the installation is not pinned yet')
  const claimed = await claimIdentifiers(tx, id, [
    ['username', fold(member.username)],
    ['email', fold(member.email)],
    ['ref_code', refCode],
  ])
  if (!claimed.includes('username')) throw new Refusal('username_taken')
  if (!claimed.includes('email')) throw new Refusal('email_taken')
  if (!claimed.includes('ref_code')) await changeRefCode(tx, id)
  await openAccounts(tx, id, depositAddress(xpub, Number(id)))
  return id
}

/**
 * Makes a member under a sponsor: accounts, deposit address and a place in both trees, in one transaction. The number of
 * statements does not depend on the size or depth of the trees.
 * @param at business time
 * @throws Refusal `username_taken`, `email_taken`
 */
export async function registerMember(
  db: Db,
  member: NewMember & { readonly sponsorId: bigint },
  at: Date,
): Promise<bigint> {
  return inTransaction(db, async (tx) => {
    const place = await holdPlace(tx, member.sponsorId)
    const id = await createMember(tx, member, at)
    await takePlace(tx, id, place)
    return id
  })
}

/** Makes the first member, who has no sponsor. Where there is one already, it is that one. */
export async function createRoot(db: Db, member: NewMember, at: Date): Promise<bigint> {
  return inTransaction(db, async (tx) => {
    await lockRoot(tx)
    const existing = await findRoot(tx)
    if (existing !== null) return existing
    const id = await createMember(tx, member, at)
    await placeFirst(tx, id)
    return id
  })
}

/** The member behind a registration link. @throws Refusal `ref_code_unknown` */
async function sponsorOf(db: Db, text: string): Promise<bigint> {
  const code = readRefCode(text)
  const id =
    code === null ? null : code.kind === 'root' ? await findRoot(db) : await selectByRefCode(db, code.code)
  if (id === null) throw new Refusal('ref_code_unknown')
  return id
}

/** Refuses early what the transaction would refuse, before a password is hashed for it. */
async function refuseTaken(db: Db, username: string, email: string): Promise<void> {
  const taken = await selectTaken(db, fold(username), fold(email))
  if (taken.includes('username') || isReserved(username)) throw new Refusal('username_taken')
  if (taken.includes('email')) throw new Refusal('email_taken')
}

/**
 * Whether somebody could register with these. Whoever registers meanwhile is faster: only registering decides.
 * @returns null for what was not asked about
 */
export async function findAvailability(
  db: Db,
  asked: { readonly username?: string | undefined; readonly email?: string | undefined },
): Promise<Availability> {
  const username = usernameInput.safeParse(asked.username)
  const email = emailInput.safeParse(asked.email)
  const taken = await selectTaken(db, fold(username.data ?? ''), fold(email.data ?? ''))
  if (isReserved(username.data ?? '')) taken.push('username')
  const standing = (kind: 'username' | 'email', isValid: boolean) => {
    if (asked[kind] === undefined) return null
    if (!isValid) return 'invalid'
    return taken.includes(kind) ? 'taken' : 'free'
  }
  return { username: standing('username', username.success), email: standing('email', email.success) }
}

/**
 * Registers a visitor and signs them in. The solved captcha is spent together with the registration, so that one refused
 * for another reason (a taken username) can be sent again without solving a new one.
 * @param now the system's time, by which sessions live; the member joins at business time
 */
export async function register(
  context: Context,
  visitor: {
    readonly refCode: string
    readonly body: RegisterBody
    readonly locale: Locale
    readonly device: Device
  },
  now: Date,
): Promise<TokenPair> {
  const { body } = visitor
  const captcha = await checkCaptcha(context, body.captcha, now)
  const sponsorId = await sponsorOf(context.db, visitor.refCode)
  await refuseTaken(context.db, body.username, body.email)
  const passwordHash = await hashPassword(body.password)
  const at = await context.clock.now()
  return inTransaction(context.db, async (tx) => {
    if (captcha !== null) await spendCaptcha(tx, captcha)
    const memberId = await registerMember(
      tx,
      {
        username: body.username,
        email: body.email,
        passwordHash,
        firstName: body.first_name,
        lastName: body.last_name,
        phoneNumber: body.phone_number,
        locale: visitor.locale,
        sponsorId,
      },
      at,
    )
    return openSession(context, tx, { memberId, ...visitor.device }, now)
  })
}
