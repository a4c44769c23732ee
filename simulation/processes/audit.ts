/** What every scenario must leave behind, read from chain and database with queries of its own. */
import { TronWeb } from 'tronweb'
import { faultsOf, type Product } from '../../tools/testing/product.ts'
import { until } from '../../tools/testing/until.ts'

export interface TransferOnChain {
  readonly txid: string
  readonly from: string
  readonly to: string
  readonly value: string
}

const POLL_EVERY_MS = 250

interface TransactionInfo {
  readonly id: string
  readonly log?: readonly {
    readonly address: string
    readonly topics: readonly string[]
    readonly data: string
  }[]
}

/** Every solid Transfer of the token, as the chain reports its receipts block by block. What was read once stays read. */
function transfersOnChain({ chain, devnetUrl }: Product): () => Promise<readonly TransferOnChain[]> {
  const { fullNode, solidityNode } = new TronWeb({ fullHost: devnetUrl })
  const transferTopic = TronWeb.sha3('Transfer(address,address,uint256)', false)
  const addressOf = (word = '') => TronWeb.address.fromHex(`41${word.slice(-40)}`)
  const found: TransferOnChain[] = []
  let next = 1
  return async () => {
    const { usdt } = await chain()
    const solid = await solidityNode.request<{ block_header: { raw_data: { number: number } } }>(
      'walletsolidity/getnowblock',
    )
    for (; next <= solid.block_header.raw_data.number; next += 1) {
      const path = 'wallet/gettransactioninfobyblocknum'
      for (const { id: txid, log = [] } of await fullNode.request<TransactionInfo[]>(
        path,
        { num: next },
        'post',
      ))
        for (const { address, topics, data } of log)
          if (addressOf(address) === usdt && topics[0] === transferTopic)
            found.push({
              txid,
              from: addressOf(topics[1]),
              to: addressOf(topics[2]),
              value: String(BigInt(`0x${data}`)),
            })
    }
    return found
  }
}

/** Each answers a row where something happened twice, or otherwise than on the chain. */
const NEVER = {
  'a transfer was credited twice': 'SELECT FROM deposit_credit GROUP BY txid, position HAVING count(*) > 1',
  'an invoice bought two investments': 'SELECT FROM investment GROUP BY txn_id HAVING count(*) > 1',
  'an investment has two commission runs': `SELECT FROM investment i JOIN payout_run r ON r.kind = 'direct' AND r.state <> 'cancelled'
    AND i.id BETWEEN r.first_investment AND r.last_investment GROUP BY i.id HAVING count(*) > 1`,
  'two members have one name': 'SELECT FROM member GROUP BY lower(username) HAVING count(*) > 1',
  'a credit is not what arrived': `SELECT FROM deposit_credit c JOIN incoming_transfer t USING (txid, position)
    WHERE c.amount <> t.value OR c.member_id <> t.member_id`,
  'a credit went to the owner of another address': `SELECT FROM deposit_credit c JOIN incoming_transfer t USING (txid, position)
    JOIN deposit_address a ON a.address = t.to_address WHERE a.member_id <> c.member_id`,
  'one event was mailed twice': 'SELECT FROM mail_message GROUP BY member_id, event HAVING count(*) > 1',
} as const

/** What the books say is on the chain: a credit for each deposit, a settled transfer for each completed withdrawal. */
const BOOKED = `
  SELECT txid, t.to_address AS "to", c.amount::text AS value FROM deposit_credit c JOIN incoming_transfer t USING (txid, position)
  UNION ALL
  SELECT t.txid, t.to_address, t.amount::text FROM withdrawal w JOIN outgoing_transfer t
    ON t.purpose = 'withdrawal' AND t.member_id = w.member_id AND t.withdrawal_id = w.id AND t.state = 'settled'
  WHERE w.state = 'completed'`

const MEMBERS_ADDRESSES = `
  SELECT address FROM deposit_address UNION SELECT usdt_wallet FROM member WHERE usdt_wallet IS NOT NULL`

/** Every transfer of money to a member's deposit address or wallet stands in the books once, as it is on the chain. */
async function unmatched(product: Product, transfers: readonly TransferOnChain[]): Promise<string[]> {
  const members = await product.query<{ address: string }>(MEMBERS_ADDRESSES)
  const addresses = new Set(members.map(({ address }) => address))
  const lineOf = ({ txid, to, value }: Omit<TransferOnChain, 'from'>) => `${txid}, ${value} to ${to}`
  const onChain = transfers.filter(({ to, value }) => value !== '0' && addresses.has(to)).map(lineOf)
  const booked = await product.query<Omit<TransferOnChain, 'from'>>(BOOKED)
  const rest = booked.filter(({ to }) => addresses.has(to)).map(lineOf)
  const unbooked = onChain.filter((line) => {
    const at = rest.indexOf(line)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
  return [
    ...unbooked.map((line) => `on the chain and not booked: ${line}`),
    ...rest.map((line) => `booked and not on the chain: ${line}`),
  ]
}

/** The company's accounts hold what the chain says their addresses hold. */
async function reserveFaults(product: Product, transfers: readonly TransferOnChain[]): Promise<string[]> {
  const accounts = await product.query<{ account: string; amount: string; addresses: string[] }>(`
    SELECT account, amount::text, CASE account WHEN 'custody:deposits' THEN (SELECT array_agg(address) FROM deposit_address)
      ELSE (SELECT array_agg(address) FROM custody_address c WHERE account = 'custody:' || c.role) END AS addresses
    FROM custody_balance`)
  return accounts.flatMap(({ account, amount, addresses }) => {
    const sum = (side: 'from' | 'to') =>
      transfers
        .filter((transfer) => addresses?.includes(transfer[side]))
        .reduce((total, { value }) => total + BigInt(value), 0n)
    const held = sum('to') - sum('from')
    return held === BigInt(amount) ? [] : [`${account}: the chain has ${held}, the books ${amount}`]
  })
}

/**
 * Audits until nothing is wrong: what was sent takes a while to be solid, credited and paid on. What is still wrong when the
 * time is up are the faults.
 * @param own what this scenario expects besides
 */
export async function audit(
  product: Product,
  own: (transfers: readonly TransferOnChain[]) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  let faults: readonly string[] = []
  const read = transfersOnChain(product)
  const isClean = async () => {
    faults = ['the audit could not read chain or database']
    const transfers = await read()
    const found = [
      ...(await own(transfers)),
      ...(await unmatched(product, transfers)),
      ...(await reserveFaults(product, transfers)),
    ]
    for (const [fault, query] of Object.entries(NEVER))
      if ((await product.query(query)).length > 0) found.push(fault)
    faults = found
    return found.length === 0
  }
  await until('an audit without faults', isClean, POLL_EVERY_MS).catch(() => undefined)
  const found = faultsOf(await product.tool('ledger-check'))
  return found === null ? faults : [...faults, found]
}
