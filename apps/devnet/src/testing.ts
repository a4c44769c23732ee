/** What the tests share: a chain of their own, mined by call, on a clock that stands still. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addressFromHex,
  blockReference,
  createNodeClient,
  DEVNET,
  type DevnetRole,
  devnetAddress,
  devnetKey,
  encodeAddressWord,
  encodeRaw,
  type NodeClient,
  type RawTransaction,
  signTransaction,
  type TronAddress,
  transferCall,
  type View,
} from '@aval/tron'
import { afterAll, afterEach, onTestFinished } from 'vitest'
import { type Devnet, type DevnetNode, type DevnetOptions, startDevnet } from './start.ts'

/** 1 June 2030, 12:00 UTC: far from now, so that nothing passes by chance because it used the real clock. */
export const NOON = Date.UTC(2030, 5, 1, 12)

/** An address that is not ours. */
export const TO = addressFromHex('41a614f803b6fd780986a42c78ec9c7f77e6ded13c')

export interface TestDevnet extends Devnet {
  /** POSTs JSON to a path of the first node (or of another) and returns the parsed answer. */
  post(path: string, body?: unknown, node?: DevnetNode): Promise<Record<string, unknown>>
}

/** A new folder; removed when the test has finished. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aval-devnet-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a chain for a test, in memory; give `dataDir` to have it on disk and open it again. */
export async function testDevnet(
  options: Omit<DevnetOptions, 'dataDir' | 'memory'> & { readonly dataDir?: string } = {},
): Promise<TestDevnet> {
  const { dataDir, ...rest } = options
  const place = dataDir === undefined ? ({ memory: true } as const) : { dataDir }
  const devnet = await startDevnet({ now: () => NOON, solidLag: 3, ...rest, ...place })
  return { ...devnet, post: (path, body, node = devnet.nodes[0]) => postJson(node.url + path, body) }
}

/** Such a chain for all tests of a file. */
export async function suiteDevnet(options: Parameters<typeof testDevnet>[0] = {}): Promise<TestDevnet> {
  const devnet = await testDevnet(options)
  afterAll(() => devnet.close())
  return devnet
}

export async function postJson(url: string, body: unknown = {}): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Record<string, unknown>
}

export const clientOf = (node: Pick<DevnetNode, 'url'>): NodeClient =>
  createNodeClient({ url: node.url, timeoutMs: 60_000 })

/** What a function of the token answers about an address, or about itself: a number. */
export async function readToken(
  client: NodeClient,
  selector: string,
  address?: TronAddress,
  view: View = 'head',
): Promise<bigint> {
  const parameter = address === undefined ? '' : encodeAddressWord(address)
  const { result } = await client.constantCall(DEVNET.usdt, selector, parameter, { view })
  return BigInt(`0x${result}`)
}

/** The micro-USDT that a node shows for an address. */
export const usdtAt = (client: NodeClient, address: TronAddress, view: View): Promise<bigint> =>
  readToken(client, 'balanceOf(address)', address, view)

/** Two nodes of one chain for all tests of a file. The second gets the faults, which end with each test. */
export async function twoNodes() {
  const devnet = await suiteDevnet()
  const node = await devnet.addNode()
  afterEach(() => node.clear())
  return { devnet, node, correct: clientOf(devnet), faulty: clientOf(node) }
}

let payments = 0
/** A transfer of a millionth of a USDT from the demo wallet to {@link TO}, on top of the newest block. */
export function payment({ chain }: Devnet, overrides: Partial<RawTransaction> = {}): RawTransaction {
  payments += 1
  const head = chain.head()
  return {
    ...blockReference(head.id),
    expiration: head.timestamp + 60_000,
    timestamp: chain.now() + payments,
    feeLimit: 100_000_000n,
    memo: '',
    permissionId: 0,
    contract: transferCall(DEVNET.usdt, devnetAddress('demoWallet'), TO, 1n),
    ...overrides,
  }
}

export const signed = (transaction: RawTransaction, role: DevnetRole = 'demoWallet') =>
  signTransaction(encodeRaw(transaction), devnetKey(role))
