/** An HTTP client for members and operators: it knows the server by its contract alone. */
import { signInAnswer, type TokenPair, tokenPair } from '@aval/contract'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { until } from './until.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
  /** The body as the contract promises it. @throws z.ZodError when it is something else. */
  as<Body>(schema: z.ZodType<Body>): Body
}

/** Signed in. */
export interface Client {
  readonly username: string
  readonly tokens: TokenPair
  get(path: string): Promise<Answer>
  /** @param key the same call under the same Idempotency-Key is done once */
  post(path: string, body: object, key?: string): Promise<Answer>
  patch(path: string, body: object): Promise<Answer>
}

export const PASSWORD = 'wire-password'
/** Access tokens live ten minutes. */
const SIGNED_IN_MS = 5 * 60_000
let members = 0

async function call(url: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${url}/api/${path}`, init)
  const text = await answer.text()
  const body: unknown = text === '' ? null : JSON.parse(text)
  return { status: answer.status, body, as: (schema) => schema.parse(body) }
}

function send(
  method: 'POST' | 'PATCH',
  url: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const json = { 'content-type': 'application/json', ...headers }
  return call(url, path, { method, headers: json, body: JSON.stringify(body) })
}

const post = (url: string, path: string, body: object) => send('POST', url, path, body)

async function solvedCaptcha(url: string): Promise<string> {
  const challenge = (await call(url, 'auth/captcha/')).body as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

/**
 * Registers and signs in. Can be repeated after a failure: a name that this member took before is theirs.
 *
 * @param refCode whose link it is; `0` is nobody's
 */
export async function register(url: string, refCode = '0', name?: string): Promise<Client> {
  members += 1
  const username = name ?? `wire${process.pid}x${members}`
  const captcha = await solvedCaptcha(url)
  const body = {
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
    password2: PASSWORD,
    captcha,
  }
  const registered = await post(url, `auth/register/${refCode}/`, body)
  if (registered.status !== 201 && registered.status !== 409)
    throw new Error(`registering: ${registered.status}`)
  return signIn(url, username, PASSWORD)
}

/** @param code what the authenticator app shows, where the member has one */
export async function signIn(
  url: string,
  username: string,
  password: string,
  code?: () => Promise<string>,
): Promise<Client> {
  const signed = await post(url, 'auth/token/', { email: username, password })
  if (signed.status !== 200) throw new Error(`signing in: ${signed.status}`)
  const answer = signed.as(signInAnswer)
  const tokens = 'access' in answer ? answer : await secondStep(url, answer.otp_token, code)
  const headers = { authorization: `Bearer ${tokens.access}` }
  return {
    username,
    tokens,
    get: (path) => call(url, path, { headers }),
    post: (path, payload, key) =>
      send('POST', url, path, payload, key === undefined ? headers : { ...headers, 'idempotency-key': key }),
    patch: (path, payload) => send('PATCH', url, path, payload, headers),
  }
}

/** Two journeys may sign in as the same operator in one half minute, and a code is good once: the later one takes another. */
const CODES = 3

async function secondStep(url: string, token: string, code?: () => Promise<string>): Promise<TokenPair> {
  if (code === undefined) throw new Error('signing in takes a code')
  for (let turn = 1; ; turn += 1) {
    const signed = await post(url, 'auth/otp/', { otp_token: token, code: await code() })
    if (signed.status === 200) return signed.as(tokenPair)
    if (signed.status !== 401 || turn === CODES) throw new Error(`the second step: ${signed.status}`)
  }
}

/** Signs in when it must, and keeps the session for a while. @param enter signs in */
export function keepSignedIn(enter: () => Promise<Client>): () => Promise<Client> {
  let session: Promise<Client> | null = null
  let until = 0
  return async () => {
    if (session === null || performance.now() > until) {
      session = enter()
      until = performance.now() + SIGNED_IN_MS
      session.catch(() => {
        session = null
      })
    }
    return session
  }
}

const messages = z.array(z.object({ subject: z.string(), text: z.string() }))

/** A person's e-mail, newest first. */
export async function mailTo(
  { url }: { readonly url: string },
  email: string,
): Promise<z.output<typeof messages>> {
  return messages.parse(await (await fetch(`${url}/dev/mail.json?to=${email}`)).json())
}

/** `1050.5` as mails in Spanish write it: `$1.050,50`. */
export const inMail = (amount: string | number): string =>
  `$${Number(amount).toLocaleString('es-CO', { minimumFractionDigits: 2, useGrouping: 'always' as never })}`

/** The seven digits of the newest message with this in its subject, as soon as there is one. */
export async function codeByMail(
  product: { readonly url: string },
  email: string,
  subject: string,
): Promise<string> {
  return until(`a code for ${email}`, async () => {
    const message = (await mailTo(product, email)).find((each) => each.subject.includes(subject))
    return /: (\d{7})$/m.exec(message?.text ?? '')?.[1] ?? null
  })
}
