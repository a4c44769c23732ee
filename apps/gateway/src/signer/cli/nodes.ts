/** The nodes that the signer itself asks what became of an earlier transfer, and how many of them must say the same. */
import { nodeSettings } from '../../core/custody-settings.ts'
import type { OwnChain } from '../policy.rules.ts'
import { type CommandContext, CommandRefusal } from './command.ts'

export interface GivenNodes {
  /** Addresses, separated by commas. */
  readonly nodes?: string | undefined
  readonly quorum?: string | undefined
}

/** Changes what is given, and shows all of it, but no API key. */
export async function changeNodes(context: CommandContext, file: string, given: GivenNodes): Promise<void> {
  const { terminal, policies } = context
  if (given.nodes === undefined && given.quorum !== undefined)
    throw new CommandRefusal('--quorum is of --nodes: name them together')
  const chain = given.nodes === undefined ? null : await chainOf(context, given.nodes, given.quorum)
  const policy =
    chain === null
      ? (await policies.read(file)).policy
      : await policies.change(file, (before) => ({ ...before, chain }))
  terminal.say(`version ${policy.version}`)
  if (policy.chain === undefined)
    return terminal.say('no nodes: no second transfer of a withdrawal is signed on a public network')
  const { nodes, quorum } = policy.chain
  for (const { url, headers } of nodes)
    terminal.say(`node         ${new URL(url).host}   ${Object.keys(headers).join(', ') || 'no API key'}`)
  terminal.say(`quorum       ${quorum} of ${nodes.length}`)
}

async function chainOf(context: CommandContext, text: string, quorum: string | undefined): Promise<OwnChain> {
  const urls = text.split(',').map((each) => each.trim())
  const wrong = urls.find((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  // Not repeated: a key may be part of an address.
  if (wrong !== undefined) throw new CommandRefusal('--nodes: one of them is not an http(s):// address')
  if (quorum !== undefined && !/^[1-9]$/.test(quorum))
    throw new CommandRefusal('--quorum is how many of the nodes must say the same: 1 to 9')
  const headers = headersOf(await askKeys(context))
  if (headers.length > urls.length) throw new CommandRefusal('there are more API keys than nodes')
  return {
    nodes: urls.map((url, place) => ({ url, headers: { ...headers[place] } })),
    quorum: quorum === undefined ? Math.floor(urls.length / 2) + 1 : Number.parseInt(quorum, 10),
  }
}

/** By the environment or typed without an echo: an argument is seen by everybody on the machine. */
async function askKeys({ environment, terminal }: CommandContext): Promise<string> {
  if (environment.apiKeys !== null || !terminal.isPerson) return environment.apiKeys ?? ''
  const question = 'API keys in the order of the nodes, with commas; nothing for none: '
  return (await terminal.ask(question, { hidden: true })) ?? ''
}

function headersOf(text: string): readonly Readonly<Record<string, string>>[] {
  if (text.trim() === '') return []
  const read = nodeSettings.TRON_API_KEYS.safeParse(text)
  if (!read.success) throw new CommandRefusal(`TRON_API_KEYS ${read.error.issues[0]?.message}`)
  return read.data ?? []
}
