/** Makes and shows key files, and signs on a machine without a network. Started by `npm run keys -- <command>`. */
import { parseArgs } from 'node:util'
import { describeError } from '../../core/log.ts'
import { readKeysEnvironment } from '../config.ts'
import { devnetKeys } from '../keys/devnet-keys.ts'
import { KeyFileRefusal, writeKeyFile } from '../keys/key-file.ts'
import { openTerminal } from '../terminal.ts'
import { type CommandContext, CommandRefusal, showKeyFile } from './command.ts'
import { createKeyFile } from './create.ts'
import { signOffline } from './sign-offline.ts'

const USAGE = `npm run keys -- create --network mainnet --out signer.json [--cold T…] [--restore]
npm run keys -- show [signer.json]
npm run keys -- devnet --out signer.json
npm run keys -- sign-offline export.json --out signed.json [--keys signer.json]`

const options = {
  network: { type: 'string' },
  out: { type: 'string' },
  cold: { type: 'string' },
  keys: { type: 'string' },
  restore: { type: 'boolean' },
} as const

async function run(context: CommandContext): Promise<void> {
  const { values, positionals } = parseCommand()
  const [command, file] = positionals
  const out = () => needed(values.out, '--out is missing: the file to write')
  const keyFile = values.keys ?? context.environment.keyFile
  switch (command) {
    case 'create':
      return createKeyFile(context, {
        network: needed(values.network, '--network is missing: nile, shasta or mainnet'),
        out: out(),
        cold: values.cold ?? null,
        restore: values.restore === true,
      })
    case 'show':
      return showKeyFile(context, needed(file ?? keyFile, 'which key file? Name it, or set SIGNER_KEYS'))
    case 'devnet':
      return writeKeyFile(out(), devnetKeys(), await context.passphrase('for a new key file'))
    case 'sign-offline':
      return signOffline(context, {
        exported: needed(file, 'which export? Name the file that the gateway wrote'),
        out: out(),
        keyFile: needed(keyFile, '--keys is missing: the key file, or SIGNER_KEYS'),
      })
    default:
      throw new CommandRefusal(USAGE)
  }
}

function parseCommand() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    throw new CommandRefusal(`${describeError(error)}\n${USAGE}`)
  }
}

function needed(value: string | null | undefined, problem: string): string {
  if (value === null || value === undefined) throw new CommandRefusal(problem)
  return value
}

const environment = readKeysEnvironment()
const terminal = openTerminal()
const passphrase = async (what: string): Promise<string> => {
  const answer = environment.passphrase ?? (await terminal.ask(`Passphrase ${what}: `, { hidden: true }))
  if (answer === null) throw new CommandRefusal('SIGNER_PASSPHRASE is missing')
  return answer
}
try {
  await run({ terminal, environment, passphrase, now: () => new Date() })
} catch (error) {
  const isExpected = error instanceof CommandRefusal || error instanceof KeyFileRefusal
  console.error(isExpected ? error.message : `it failed unexpectedly: ${describeError(error)}`)
  process.exitCode = 1
}
terminal.close()
