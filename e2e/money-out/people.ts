/** Those who take part: a member with a balance and a wallet, and an operator. They know the product by its wire alone. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { investmentPayment } from '@aval/contract'
import { addressFromPrivateKey, devnetAddress } from '@aval/tron'
import { z } from 'zod'
import { inherited } from '../config.ts'
import { PASSWORD, register, signIn, type WireMember } from '../member.ts'
import { freshCode } from '../one-time-code.ts'
import type { Product } from '../product.ts'
import type { Scene } from './scene.ts'
import { until } from './waiting.ts'

/** Access tokens live ten minutes. */
const SIGNED_IN_MS = 5 * 60_000
/** USDT. */
const HOT_WALLET = '40000'
const INVESTMENT = 500
const BALANCE = 2_000

export interface Person {
  readonly username: string
  readonly email: string
  /** Signed in. */
  wire(): Promise<WireMember>
}
export interface Member extends Person {
  readonly id: string
  readonly wallet: string
}
export interface Operator extends Person {
  /** A six-digit code that is good now. */
  code(): Promise<string>
}

function person(username: string, enter: () => Promise<WireMember>): Person {
  let signedIn: Promise<WireMember> | null = null
  let until = 0
  return {
    username,
    email: `${username}@example.com`,
    async wire() {
      if (signedIn === null || performance.now() > until) {
        signedIn = enter()
        until = performance.now() + SIGNED_IN_MS
        signedIn.catch(() => {
          signedIn = null
        })
      }
      return signedIn
    },
  }
}

const letters = z.array(z.object({ subject: z.string(), text: z.string() }))
export type Letter = z.output<typeof letters>[number]

/** A person's e-mail, newest first. */
export async function lettersTo(product: { readonly url: string }, email: string): Promise<Letter[]> {
  return letters.parse(await (await fetch(`${product.url}/dev/mail.json?to=${email}`)).json())
}

/** The seven digits of the newest message with this in its subject, as soon as there is one. */
export async function codeByMail(
  product: { readonly url: string },
  email: string,
  subject: string,
): Promise<string> {
  return until(`a code for ${email}`, async () => {
    const letter = (await lettersTo(product, email)).find((each) => each.subject.includes(subject))
    return /: (\d{7})$/m.exec(letter?.text ?? '')?.[1] ?? null
  })
}

/** Fills the hot wallet, so that whatever is approved can be paid. */
export async function fillHotWallet(scene: Scene): Promise<void> {
  // The company's wallets are known once a look finds the chain where the look before left it; this one is fast.
  await scene.dev('fault', { kind: 'stall', on: true })
  await until('the wallets to be known', async () => {
    const known = await scene.query('SELECT FROM custody_address')
    return known.length === 2
  })
  await scene.dev('fault', { kind: 'stall', on: false })
  await scene.dev('pay', { to: devnetAddress('hotWallet'), amount: HOT_WALLET })
  await until('the money in the hot wallet', async () => {
    const rows = await scene.query("SELECT FROM custody_balance WHERE account = 'custody:hot' AND amount > 0")
    return rows.length > 0
  })
}

/** A member who paid more than was invested, and has registered a wallet. */
export async function newMember(scene: Scene, username: string): Promise<Member> {
  const { product } = scene
  const wire = await register(product.url, '0', username)
  const asked = await wire.post('plans/create-investment-payment/', { amount: INVESTMENT })
  const { address, amount, txn_id: key } = asked.as(investmentPayment).result
  await scene.dev('pay', { to: address, amount: String(Number(amount) + BALANCE), key })
  const wallet = addressFromPrivateKey(createHash('sha256').update(username).digest())
  const who = person(username, () => signIn(product.url, username, PASSWORD))
  await wire.patch('auth/user/', { usdt_wallet: wallet })
  const code = await codeByMail(product, who.email, 'billetera')
  const changed = await wire.patch('auth/user/', { usdt_wallet: wallet, secret_code: code })
  if (changed.status !== 200) throw new Error(`registering a wallet: ${JSON.stringify(changed.body)}`)
  const id = await until('the balance', async () => {
    const [row] = await scene.query<{ id: string }>(
      'SELECT member_id AS id FROM member_balance JOIN member ON id = member_id WHERE usdt_wallet = $1 AND balance > 0',
      [wallet],
    )
    return row?.id ?? null
  })
  return { ...who, id, wallet }
}

/** Appointed as a company appoints one. */
export async function newOperator({ product }: Scene, username: string): Promise<Operator> {
  await register(product.url, '0', username)
  const told = await output(product, 'tools/operator.ts', username)
  const secret = /secret\s+([A-Z2-7 ]+)/.exec(told)?.[1]?.replaceAll(' ', '')
  if (secret === undefined) throw new Error(`no operator: ${told}`)
  const code = async () => (await freshCode(product.dataDir, username, secret)) ?? ''
  return { ...person(username, () => signIn(product.url, username, PASSWORD, code)), code }
}

async function output(product: Product, program: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...inherited(), DATA_DIR: product.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part))
  await once(child, 'close')
  return text
}
