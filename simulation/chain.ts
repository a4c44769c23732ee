import { type Devnet, startDevnet } from '@aval/devnet'
import { devnetAddress } from '@aval/tron'
import { type Template, USDT } from './people.ts'

/**
 * The chain as every run finds it: each member has paid in, and the company, to its own address and to the hot wallet. The
 * same calls give the same chain, so that a database that has read it fits every one of them.
 */
export async function openChain(template: Template, now: () => number): Promise<Devnet> {
  const devnet = await startDevnet({ memory: true, nodes: 2, solidLag: 3, now })
  const { wallet } = devnet
  for (const [index, { deposits }] of template.investors.entries())
    await wallet.pay('demoWallet', deposits, BigInt(2_000 + 1_000 * index) * USDT)
  await wallet.pay('demoWallet', template.company, 2_000n * USDT)
  await wallet.pay('demoWallet', devnetAddress('hotWallet'), 4_000n * USDT)
  await devnet.mine(5)
  return devnet
}
