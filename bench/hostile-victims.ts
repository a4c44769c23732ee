/** The process of the victims, and of the mail server whose mailboxes they read. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type MailServer, startMailServer } from '../apps/server/src/features/mail/testing/mail-server.ts'
import { codeOf } from '../apps/server/src/testing/server.ts'
import { solve } from '../apps/web/src/features/identity/sign-in/proofOfWork.ts'
import { type Answer, clientAt, type Tally } from './hostile-client.ts'
import { type Account, accountsOf, VICTIMS, type Victim, victimAddress } from './hostile-people.ts'
import { msSince } from './measures.ts'
import { answerParent } from './processes.ts'

const crowd = z.object({
  accounts: z.int(),
  leaked: z.int(),
  guarded: z.int(),
  scrapers: z.int(),
  addresses: z.int(),
})
const request = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('mail') }),
  z.object({
    ask: z.literal('begin'),
    url: z.string(),
    crowd,
    totpSecret: z.string(),
    everyMs: z.number(),
    patienceMs: z.number(),
  }),
  z.object({ ask: z.literal('end') }),
])

/** What came of one time that a victim wanted in. */
export interface Outcome {
  readonly victim: Victim
  /** From the first call until it was in, with all waiting and reading of mail. Null: it gave up. */
  readonly ms: number | null
}

/** A mail is looked for this long before an older one is tried. */
const FRESH_MAIL_MS = 8_000
const LIVES_MS = 9 * 60_000
const LOOK_MS = 200
const MOST_WAIT_S = 600
const CODE_MS = 30_000

let mail: MailServer | null = null
const tally: Tally = new Map()
const outcomes: Outcome[] = []
/** What the devices hold that are used again. */
const devices = new Map<Victim, string>()
let isOver = false
let rounds: Promise<unknown>[] = []
let addresses = 0
function elsewhere(): string {
  addresses += 1
  return victimAddress(addresses)
}

type Send = ReturnType<typeof clientAt>

interface Scene {
  readonly send: Send
  readonly account: Account
  /** What the authenticator app of the one with a second factor shows. */
  readonly totp: () => string
  readonly deadline: number
}

/** Waits, but not beyond the end. */
async function rest(forMs: number): Promise<void> {
  const begun = performance.now()
  while (!isOver && msSince(begun) < forMs) await pause(LOOK_MS)
}

/** Signs in until it works: with a proof where one is asked for and this client knows it, else by waiting as it is told. */
async function enter(
  { send, account, totp, deadline }: Scene,
  { password, cookie, proves = true }: { password: string; cookie?: string; proves?: boolean },
): Promise<Answer | null> {
  const ip = elsewhere()
  const base = { ip, ...(cookie !== undefined && { cookie }) }
  const body = { email: account.email, password }
  while (performance.now() < deadline && !isOver) {
    let answer = await send('victims', { path: 'auth/token/', body, ...base })
    const asked = answer.body['proof']
    if (proves && answer.status === 429 && asked !== undefined) {
      const proof = solve(asked as Parameters<typeof solve>[0])
      answer = await send('victims', { path: 'auth/token/', body: { ...body, proof }, ...base })
    }
    if (answer.status === 200 && answer.body['otp_token'] !== undefined) {
      const second = { otp_token: answer.body['otp_token'], code: totp() }
      answer = await send('victims', { path: 'auth/otp/', body: second, ...base })
      // The code was used before: the app shows another soon.
      if (answer.status !== 200) await rest(CODE_MS - (Date.now() % CODE_MS))
    }
    if (answer.status === 200) return answer
    await rest(1000 * Math.min(MOST_WAIT_S, Math.max(1, answer.retryAfter)))
  }
  return null
}

/** What a mail for a new password says. */
function readReset(text: string): { code: string; token: string } | null {
  const code = /\b(\d{7})\b/.exec(text)?.[1]
  const token = /reset-password#([\w-]{43})/.exec(text.replaceAll('=\r\n', ''))?.[1]
  return code === undefined || token === undefined ? null : { code, token }
}

/** Mails that a victim has tried already, by their place in what the server took. */
const tried = new Set<string>()

/** The newest mail that was not tried yet: one that comes now, or else one of the last minutes. */
async function newestReset({ account, deadline }: Scene): Promise<{ code: string; token: string } | null> {
  const since = Date.now()
  while (performance.now() < deadline && !isOver) {
    const all = (mail?.received ?? [])
      .filter(({ envelope }) => envelope.to.includes(account.email))
      .flatMap(({ text = '', date }) => {
        const read = readReset(text)
        return read === null || tried.has(read.token) ? [] : [{ ...read, at: Date.parse(date ?? '') }]
      })
    const newest = all.filter(({ at }) => at > since - LIVES_MS).at(-1)
    const mayBeOld = Date.now() - since > FRESH_MAIL_MS
    if (newest !== undefined && (mayBeOld || newest.at >= since - 1000)) {
      tried.add(newest.token)
      return newest
    }
    await pause(LOOK_MS)
  }
  return null
}

/** Asks for a new password, sets it by code or link in turn, and by the link where the code is refused; then signs in with it. */
async function recover(scene: Scene, turn: number): Promise<Answer | null> {
  const { send, account, deadline } = scene
  const password = `chosen-by-victim-${randomBytes(6).toString('hex')}`
  const ip = elsewhere()
  const chosen = { password, password2: password }
  while (performance.now() < deadline && !isOver) {
    await send('victims', { path: 'auth/reset-password/send/', body: { email: account.email }, ip })
    const found = await newestReset(scene)
    if (found === null) return null
    const byCode = { email: account.email, otp: found.code, ...chosen }
    if (turn % 2 === 0) {
      const answer = await send('victims', { path: 'auth/reset-password/', body: byCode, ip })
      if (answer.status === 200) return enter(scene, { password })
    }
    const byLink = { token: found.token, ...chosen }
    const answer = await send('victims', { path: 'auth/reset-password/link/', body: byLink, ip })
    if (answer.status === 200) return enter(scene, { password })
  }
  return null
}

/** Each victim's own way in; what it remembers stays with it. */
function waysIn() {
  let turns = 0
  const onDevice = async (scene: Scene, victim: Victim) => {
    const cookie = devices.get(victim)
    const answer = await enter(scene, {
      password: scene.account.password,
      ...(cookie !== undefined && { cookie }),
    })
    if (answer?.cookie) devices.set(victim, answer.cookie)
    return answer
  }
  return {
    known: (scene) => onDevice(scene, 'known'),
    code: (scene) => onDevice(scene, 'code'),
    new: (scene) => enter(scene, { password: scene.account.password }),
    waits: (scene) => enter(scene, { password: scene.account.password, proves: false }),
    besieged: (scene) => enter(scene, { password: scene.account.password, proves: false }),
    reset: (scene) => {
      turns += 1
      return recover(scene, turns)
    },
  } satisfies Record<Victim, (scene: Scene) => Promise<Answer | null>>
}

type Begin = Extract<z.output<typeof request>, { ask: 'begin' }>
const ways = waysIn()

/** One victim, over and over: begun at an even pace, and never twice at once. */
async function goOn(
  send: Send,
  account: Account,
  victim: Victim,
  totp: () => string,
  asked: Begin,
): Promise<void> {
  const { everyMs, patienceMs } = asked
  const way = ways[victim]
  // A code of the second step is good once, and the app shows another every half minute.
  const every = victim === 'code' ? Math.max(31_000, everyMs) : everyMs
  while (!isOver) {
    const begun = performance.now()
    const answer = await way({ send, account, totp, deadline: begun + patienceMs })
    // One that was under way at the end has neither succeeded nor failed.
    if (answer !== null || !isOver) outcomes.push({ victim, ms: answer === null ? null : msSince(begun) })
    await rest(every - msSince(begun))
  }
}

function begin(asked: Begin): void {
  const send = clientAt(asked.url, tally)
  const accounts = accountsOf(asked.crowd)
  const totp = () => codeOf(asked.totpSecret, new Date())
  isOver = false
  rounds = VICTIMS.map((victim, number) => goOn(send, accounts[number] as Account, victim, totp, asked))
}

async function end() {
  isOver = true
  await Promise.all(rounds)
  const said = { outcomes: outcomes.splice(0), tally: new Map(tally) }
  tally.clear()
  return said
}

answerParent(async (message) => {
  const asked = request.parse(message)
  if (asked.ask === 'begin') return begin(asked)
  if (asked.ask === 'end') return end()
  mail = await startMailServer()
  return mail.server.port
})
