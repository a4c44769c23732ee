/** A member with a balance and a wallet, and an operator. They know the product by its wire alone. */
import { createHash } from 'node:crypto'
import { investmentPayment } from '@aval/contract'
import { addressFromPrivateKey, devnetAddress } from '@aval/tron'
import { type Approver, pinApprover } from '../../tools/testing/approver.ts'
import {
  type Client,
  codeByMail,
  keepSignedIn,
  PASSWORD,
  register,
  signIn,
} from '../../tools/testing/client.ts'
import type { Product } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'

const HOT_WALLET_USDT = '40000'
const INVESTMENT = 500
const BALANCE = 2_000

export interface Member {
  readonly id: string
  readonly email: string
  readonly wallet: string
  client(): Promise<Client>
}
export type Operator = Approver

/** Fills the hot wallet, so that whatever is approved can be paid. */
export async function fillHotWallet(product: Product): Promise<void> {
  // The company's wallets are registered once a poll finds the chain where the poll before left it; this chain is fast.
  await product.dev('fault', { kind: 'stall', on: true })
  await until('the wallets to be registered', async () => {
    const known = await product.query('SELECT FROM custody_address')
    return known.length === 2
  })
  await product.dev('fault', { kind: 'stall', on: false })
  await product.dev('pay', { to: devnetAddress('hotWallet'), amount: HOT_WALLET_USDT })
  await until('the money in the hot wallet', async () => {
    const rows = await product.query(
      "SELECT FROM custody_balance WHERE account = 'custody:hot' AND amount > 0",
    )
    return rows.length > 0
  })
}

/** A member who paid more than was invested, and has registered a wallet. */
export async function newMember(product: Product, username: string): Promise<Member> {
  const client = await register(product.url, '0', username)
  const email = `${username}@example.com`
  const invoice = await client.post('plans/create-investment-payment/', { amount: INVESTMENT })
  const { address, amount, txn_id: key } = invoice.as(investmentPayment).result
  await product.dev('pay', { to: address, amount: String(Number(amount) + BALANCE), key })
  const wallet = addressFromPrivateKey(createHash('sha256').update(username).digest())
  await client.patch('auth/user/', { usdt_wallet: wallet })
  const code = await codeByMail(product, email, 'billetera')
  const changed = await client.patch('auth/user/', { usdt_wallet: wallet, secret_code: code })
  if (changed.status !== 200) throw new Error(`registering a wallet: ${JSON.stringify(changed.body)}`)
  const id = await until('the balance', async () => {
    const [row] = await product.query<{ id: string }>(
      'SELECT member_id AS id FROM member_balance JOIN member ON id = member_id WHERE usdt_wallet = $1 AND balance > 0',
      [wallet],
    )
    return row?.id ?? null
  })
  return { id, email, wallet, client: keepSignedIn(() => signIn(product.url, username, PASSWORD)) }
}

/** Appointed as a company appoints one, and pinned in the signer's key file. */
export async function newOperator(product: Product, username: string): Promise<Operator> {
  await register(product.url, '0', username)
  await product.tool('operator', username)
  const [member] = await product.query<{ id: string }>(
    'SELECT id FROM member WHERE username = $1 AND is_operator',
    [username],
  )
  if (member === undefined) throw new Error(`${username} is no operator`)
  return pinApprover(product.dataDir, BigInt(member.id), username)
}
