/** The process of the attackers. They send at an even rate and wait for nobody; what they hear of accounts they use at once. */
import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { solve } from '../apps/web/src/features/identity/sign-in/proofOfWork.ts'
import { clientAt, pacemaker, type Tally } from './hostile-client.ts'
import {
  type Account,
  accountsOf,
  type Crowd,
  hostileAddress,
  leakedPassword,
  VICTIMS,
} from './hostile-people.ts'
import { answerParent } from './processes.ts'

/** Calls of each kind in a hundred. */
const SHARES = {
  /** One password after the other at every account. */
  stuffing: 36,
  /** The same at names that nobody has. */
  unknown: 14,
  /** At the victims' names alone. */
  aimed: 8,
  /** The same, with a proof of work each. */
  proven: 1,
  /** Requests for new passwords. */
  resets: 3,
  /** Codes of a new password. */
  resetCodes: 3,
  /** Sign-ins with a password that is right, to guess the code of the second step. */
  codes: 1,
  /** Whether a name is free. */
  availability: 6,
  /** Reads of all scrapers together. */
  scraping: 28,
} as const
type Kind = keyof typeof SHARES

const request = z.discriminatedUnion('ask', [
  z.object({
    ask: z.literal('begin'),
    url: z.string(),
    /** How many in a second, of all kinds together. */
    calls: z.number(),
    crowd: z.object({
      accounts: z.int(),
      leaked: z.int(),
      guarded: z.int(),
      scrapers: z.int(),
      addresses: z.int(),
    }),
  }),
  z.object({ ask: z.literal('end') }),
])

const MOST_UNDER_WAY = 600
const CODES_A_TOKEN = 12
/** Of those whose code is guessed: more than the ten tries that all strangers have together. */
const SCRAPED = [
  'payments/statement/',
  'tree/get-binary-tree/',
  'tree/get-referrals/?limit=50&offset=0',
  'tree/search/?q=member',
  'payments/direct-payments/',
  'withdrawals/withdrawals/',
  'core/dashboard/',
]

const tally: Tally = new Map()
/** Numbers of accounts that a session was opened for. */
const opened = new Set<number>()
/** Those whose password turned out right, and then a code was asked for. */
const halfOpened = new Set<number>()
/** New passwords set by a guessed code. */
let codesGuessed = 0
let pace = pacemaker(MOST_UNDER_WAY)
let callsASecond = 0

/** Begins calls of one kind at their share of the rate. */
const attack = (kind: Kind, call: () => Promise<unknown>) =>
  pace.beat((callsASecond * SHARES[kind]) / 100, call)

type Send = ReturnType<typeof clientAt>

const anyOf = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item
const aPassword = () => `guessed-at-random-${randomInt(1_000_000)}`

/** Tries codes at a sign-in whose password was right. */
async function guessCodes(send: Send, account: Account, token: unknown, ip: string): Promise<void> {
  halfOpened.add(account.number)
  for (let guess = 0; guess < CODES_A_TOKEN; guess += 1) {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const answer = await send('second factor', { path: 'auth/otp/', body: { otp_token: token, code }, ip })
    if (answer.status === 200) opened.add(account.number)
    if (answer.status !== 401 && answer.status !== 422 && answer.status !== 403) return
  }
}

async function trySignIn(
  send: Send,
  kind: string,
  {
    account,
    login,
    password,
    proves,
  }: { account: Account; login: string; password: string; proves?: boolean },
  ip: string,
): Promise<void> {
  const body = { email: login, password }
  let answer = await send(kind, { path: 'auth/token/', body, ip })
  const asked = answer.body['proof']
  if (proves === true && answer.status === 429 && asked !== undefined) {
    const proof = solve(asked as Parameters<typeof solve>[0])
    answer = await send(kind, { path: 'auth/token/', body: { ...body, proof }, ip })
  }
  if (answer.status !== 200) return
  if (answer.body['otp_token'] === undefined) opened.add(account.number)
  else await guessCodes(send, account, answer.body['otp_token'], ip)
}

function signIns(send: Send, accounts: readonly Account[], anywhere: () => string): void {
  let tried = 0
  attack('stuffing', async () => {
    const account = accounts[tried % accounts.length] as Account
    const round = Math.floor(tried / accounts.length)
    tried += 1
    if (opened.has(account.number)) return
    const login = round % 2 === 0 ? account.email : account.username
    const password = leakedPassword(account.number, round)
    await trySignIn(send, 'stuffing', { account, login, password }, anywhere())
  })
  attack('unknown', () => {
    const body = { email: `nobody${randomInt(1_000_000)}@hostile.example`, password: aPassword() }
    return send('unknown names', { path: 'auth/token/', body, ip: anywhere() })
  })
  const victims = accounts.slice(0, VICTIMS.length)
  const aim = (kind: string, aimedAt: readonly Account[], proves: boolean) => {
    const account = anyOf(aimedAt)
    const login = anyOf([account.email, account.username])
    return trySignIn(send, kind, { account, login, password: aPassword(), proves }, anywhere())
  }
  attack('aimed', () => aim('aimed', victims, false))
  // Who knows no proof of work cannot sign in at a name that is guessed at with proofs: one victim shows each.
  const proved = victims.filter(({ victim }) => victim !== 'waits')
  attack('proven', () => aim('aimed, with proofs', proved, true))
  const guarded = accounts.filter(({ isGuarded }) => isGuarded)
  attack('codes', () => {
    const account = anyOf(guarded)
    const { email: login, password } = account
    return trySignIn(send, 'right password', { account, login, password, proves: true }, anywhere())
  })
}

function resets(send: Send, accounts: readonly Account[], anywhere: () => string): void {
  const [forgetful] = accounts.filter(({ victim }) => victim === 'reset')
  const wanted = () => (randomInt(2) === 0 && forgetful !== undefined ? forgetful : anyOf(accounts))
  attack('resets', () =>
    send('reset requests', {
      path: 'auth/reset-password/send/',
      body: { email: wanted().email },
      ip: anywhere(),
    }),
  )
  attack('resetCodes', async () => {
    const password = aPassword()
    const otp = String(randomInt(10_000_000)).padStart(7, '0')
    const body = { email: wanted().email, otp, password, password2: password }
    const { status } = await send('reset codes', { path: 'auth/reset-password/', body, ip: anywhere() })
    if (status === 200) codesGuessed += 1
  })
}

async function scrape(send: Send, accounts: readonly Account[], anywhere: () => string): Promise<void> {
  for (const { isScraper, email, password } of accounts) {
    if (!isScraper) continue
    const ip = anywhere()
    const { body } = await send('scrapers', { path: 'auth/token/', body: { email, password }, ip })
    const access = String(body['access'])
    let session = access
    attack('scraping', async () => {
      const { status } = await send('scraping', { path: anyOf(SCRAPED), ip, access: session })
      if (status !== 401 || session === '') return
      // Their access token has run out: they sign in again, as everybody may.
      session = ''
      const again = await send('scrapers', { path: 'auth/token/', body: { email, password }, ip })
      session = String(again.body['access'] ?? access)
    })
  }
}

async function begin(url: string, calls: number, crowd: Crowd): Promise<void> {
  const send = clientAt(url, tally)
  callsASecond = calls
  const accounts = accountsOf(crowd)
  const anywhere = () => hostileAddress(randomInt(crowd.addresses))
  pace = pacemaker(MOST_UNDER_WAY)
  await scrape(send, accounts, anywhere)
  signIns(send, accounts, anywhere)
  resets(send, accounts, anywhere)
  attack('availability', () => {
    const email = `somebody${randomInt(1_000_000)}@hostile.example`
    return send('availability', {
      path: 'auth/availability/',
      body: { username: `member${randomInt(9_999)}`, email },
      ip: anywhere(),
    })
  })
}

answerParent(async (message) => {
  const asked = request.parse(message)
  if (asked.ask === 'begin') return begin(asked.url, asked.calls, asked.crowd)
  pace.stop()
  return { tally, skipped: pace.skipped(), opened: [...opened], halfOpened: [...halfOpened], codesGuessed }
})
