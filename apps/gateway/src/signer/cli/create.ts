/** A key file for a real installation, from new words or from words that were written down. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  accountPrivateKey,
  DEVNET,
  depositAccountKey,
  newMnemonic,
  parseAddress,
  type TronAddress,
  USDT_CONTRACTS,
} from '@aval/tron'
import { writeKeyFile } from '../keys/key-file.ts'
import { createKeyRing, type Keys } from '../keys/key-ring.ts'
import { newPolicy } from '../policy.rules.ts'
import { type CommandContext, CommandRefusal, showAddresses } from './command.ts'

const SHORTEST_PASSPHRASE = 12
/** The hot wallet is m/44'/195'/1'/0/0 of the words; deposit addresses lie under m/44'/195'/0'. */
const HOT = { account: 1, index: 0 } as const
/** Wipes the terminal and what can be scrolled back to. */
const WIPE = '\u001b[2J\u001b[3J\u001b[H'

export interface CreateOptions {
  readonly network: string
  readonly out: string
  readonly cold: string | null
  /** From words that exist, instead of new ones. */
  readonly restore: boolean
}

export async function createKeyFile(context: CommandContext, options: CreateOptions): Promise<void> {
  const { network } = options
  const out = resolve(options.out)
  if (network !== 'nile' && network !== 'shasta' && network !== 'mainnet') {
    throw new CommandRefusal(`--network is nile, shasta or mainnet, not ${network}`)
  }
  // Checked before words are shown that would never be stored.
  if (existsSync(out)) throw new CommandRefusal(`${out} exists already: nothing was changed`)
  const cold = await askCold(context, options.cold)
  const passphrase = await choosePassphrase(context)
  const words = options.restore ? await askWords(context) : await newWords(context)
  const keys = keysOf(words, network, cold)
  await writeKeyFile(out, keys, passphrase)
  const ring = createKeyRing(keys)
  context.terminal.say(`${out} is written. It holds:`)
  showAddresses(context, ring)
  context.terminal.say('For the environment of the product, besides SIGNER_PASSPHRASE:')
  context.terminal.say(`TRON_NETWORK=${network}\nTRON_XPUB=${ring.xpub}`)
  context.terminal.say(`TRON_HOT_ADDRESS=${ring.hot}\nTRON_COLD_ADDRESS=${cold}\nSIGNER_KEYS=${out}`)
}

function keysOf(words: string, network: keyof typeof USDT_CONTRACTS, cold: TronAddress): Keys {
  const keys = {
    network,
    usdt: USDT_CONTRACTS[network],
    hotKey: accountPrivateKey(words, HOT.account, HOT.index),
    cold,
    depositKey: depositAccountKey(words),
    policy: newPolicy(network),
  }
  if (createKeyRing(keys).hot === cold) {
    throw new CommandRefusal(
      'the cold wallet is one whose key is elsewhere, not the hot wallet of these words',
    )
  }
  return keys
}

async function askCold({ terminal }: CommandContext, given: string | null): Promise<TronAddress> {
  const text = given ?? (await terminal.ask('Address of the cold wallet, whose key is kept elsewhere: '))
  const cold = parseAddress((text ?? '').trim())
  if (cold === null) throw new CommandRefusal('the cold wallet is no Tron address')
  return cold
}

async function choosePassphrase({ terminal, environment }: CommandContext): Promise<string> {
  const ask = (question: string) => terminal.ask(question, { hidden: true })
  const chosen = environment.passphrase ?? (await ask('A new passphrase for the key file: ')) ?? ''
  if (chosen.length < SHORTEST_PASSPHRASE) {
    throw new CommandRefusal(`a passphrase has ${SHORTEST_PASSPHRASE} characters or more`)
  }
  const again = environment.passphrase ?? (await ask('The same again: '))
  if (again !== chosen) throw new CommandRefusal('the two passphrases differ: nothing was written')
  return chosen
}

async function askWords({ terminal }: CommandContext): Promise<string> {
  const text = await terminal.ask('The words, in order, with a space between them: ', { hidden: true })
  const words = (text ?? '').trim().toLowerCase().split(/\s+/).join(' ')
  if (words === DEVNET.mnemonic) {
    throw new CommandRefusal('these words are the development chain’s, and are published')
  }
  try {
    depositAccountKey(words)
  } catch {
    throw new CommandRefusal('these are no valid words: nothing was written')
  }
  return words
}

async function newWords({ terminal }: CommandContext): Promise<string> {
  const words = newMnemonic()
  terminal.say(
    '\nWrite these words down, on paper, in this order. They control the money, and are shown only once.\n',
  )
  const numbered = words
    .split(' ')
    .map((word, index) => `${String(index + 1).padStart(4)} ${word.padEnd(10)}`)
  for (let row = 0; row < numbered.length; row += 4) terminal.say(numbered.slice(row, row + 4).join(''))
  const answer = await terminal.ask('\nIf they are written down, type "written": ')
  if (answer?.trim() !== 'written')
    throw new CommandRefusal('nothing was written, and these words are not used')
  if (terminal.isPerson) terminal.say(WIPE)
  return words
}
