/** Makes and shows key files, and signs on a machine without a network. Started by `npm run keys -- <command>`. */
import { parseArgs } from 'node:util'
import { describeError } from '../../core/log.ts'
import { journalOf, readKeysEnvironment } from '../config.ts'
import { devnetKeys } from '../keys/devnet-keys.ts'
import { KeyFileRefusal, writeKeyFile } from '../keys/key-file.ts'
import { openTerminal } from '../terminal.ts'
import { addPasskey, listApprovers, makeCode, moveOrigin, pinDevnet, removeApprover } from './approvers.ts'
import { type CommandContext, CommandRefusal, policyFiles, showKeyFile } from './command.ts'
import { createKeyFile } from './create.ts'
import { exportAddresses } from './export-addresses.ts'
import { acknowledgeJournal } from './journal.ts'
import { changeLimits } from './limits.ts'
import { changeMembers } from './members.ts'
import { changeNodes } from './nodes.ts'
import { signOffline } from './sign-offline.ts'

const USAGE = `npm run keys -- create --network mainnet --out signer.json [--cold T…] [--restore]
npm run keys -- show [signer.json]
npm run keys -- devnet --out signer.json
npm run keys -- sign-offline export.json --out signed.json [--keys signer.json]
npm run keys -- addresses --from 0 --count 10000 --out addresses.json [--keys signer.json]
npm run keys -- approver add signer.json --key avalkey1.…
npm run keys -- approver list signer.json
npm run keys -- approver remove signer.json --member 12 [--fingerprint "0123 …"]
npm run keys -- approver code signer.json --member 12 --name "Ana"
npm run keys -- approver origin signer.json --origin https://approve.example
npm run keys -- approver devnet --out signer.json --members 2,3 --origin http://localhost:3000
npm run keys -- members signer.json [--origin https://app.example] [--cooling-hours 72]
npm run keys -- limits signer.json [--per-day 20000] [--per-hour …] [--per-member …] [--new-wallet …]
    [--needed 0:1,1000:2] [--codes-each …] [--codes-day …]      whole USDT
    [--decisions run:1,plan:2,member_key:2] [--codes-decide no]
npm run keys -- nodes signer.json [--nodes https://…,https://…] [--quorum 2]      API keys: TRON_API_KEYS, or typed
npm run keys -- journal acknowledge signer.json.journal`

const options = {
  network: { type: 'string' },
  out: { type: 'string' },
  cold: { type: 'string' },
  keys: { type: 'string' },
  restore: { type: 'boolean' },
  from: { type: 'string' },
  count: { type: 'string' },
  key: { type: 'string' },
  member: { type: 'string' },
  members: { type: 'string' },
  name: { type: 'string' },
  fingerprint: { type: 'string' },
  origin: { type: 'string' },
  needed: { type: 'string' },
  'cooling-hours': { type: 'string' },
  'per-day': { type: 'string' },
  'per-hour': { type: 'string' },
  'per-member': { type: 'string' },
  'new-wallet': { type: 'string' },
  'codes-each': { type: 'string' },
  'codes-day': { type: 'string' },
  decisions: { type: 'string' },
  'codes-decide': { type: 'string' },
  nodes: { type: 'string' },
  quorum: { type: 'string' },
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
      return showKeyFile(context, needed(file ?? keyFile, WHICH))
    case 'devnet':
      return writeKeyFile(out(), devnetKeys(), await context.passphrase('for a new key file'))
    case 'sign-offline':
      return signOffline(context, {
        exported: needed(file, 'which export? Name the file that the gateway wrote'),
        out: out(),
        keyFile: needed(keyFile, '--keys is missing: the key file, or SIGNER_KEYS'),
      })
    case 'addresses':
      return exportAddresses(context, {
        from: needed(values.from, '--from is missing: the index of the first address'),
        count: needed(values.count, '--count is missing: how many addresses'),
        out: out(),
        keyFile: needed(keyFile, '--keys is missing: the key file, or SIGNER_KEYS'),
      })
    case 'approver':
      return runApprover(context, values, file, positionals[2])
    case 'limits':
      return changeLimits(context, needed(file ?? keyFile, WHICH), {
        perDay: values['per-day'],
        perHour: values['per-hour'],
        perMember: values['per-member'],
        newWallet: values['new-wallet'],
        codesEach: values['codes-each'],
        codesDay: values['codes-day'],
        needed: values.needed,
        decisions: values.decisions,
        codesDecide: values['codes-decide'],
      })
    case 'members':
      return changeMembers(context, needed(file ?? keyFile, WHICH), {
        origin: values.origin,
        coolingHours: values['cooling-hours'],
      })
    case 'nodes':
      return changeNodes(context, needed(file ?? keyFile, WHICH), values)
    case 'journal':
      if (file !== 'acknowledge') throw new CommandRefusal(USAGE)
      return acknowledgeJournal(context, journalFile(context, positionals[2]))
    default:
      throw new CommandRefusal(USAGE)
  }
}

const WHICH = 'which key file? Name it, or set SIGNER_KEYS'

function journalFile({ environment }: CommandContext, named: string | undefined): string {
  const { journal, keyFile } = environment
  const own = keyFile === null ? null : journalOf(keyFile)
  return needed(named ?? journal ?? own, 'which journal? Name it, or set SIGNER_JOURNAL or SIGNER_KEYS')
}

type Values = ReturnType<typeof parseCommand>['values']

function runApprover(
  context: CommandContext,
  values: Values,
  command: string | undefined,
  named: string | undefined,
): Promise<void> {
  const file = () => needed(named ?? context.environment.keyFile, WHICH)
  const member = () => needed(values.member, '--member is missing: the operator’s number')
  switch (command) {
    case 'add':
      return addPasskey(context, file(), needed(values.key, '--key is missing: the line that the page shows'))
    case 'list':
      return listApprovers(context, file())
    case 'remove':
      return removeApprover(context, file(), member(), values.fingerprint ?? null)
    case 'code':
      return makeCode(context, file(), member(), needed(values.name, '--name is missing: whose code it is'))
    case 'origin':
      return moveOrigin(
        context,
        file(),
        needed(values.origin, '--origin is missing: the address of the page'),
      )
    case 'devnet':
      return pinDevnet(
        context,
        needed(values.out, '--out is missing: the key file'),
        needed(values.members, '--members is missing: numbers of operators, with commas'),
        needed(values.origin, '--origin is missing: the address of the members’ app'),
      )
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
  const policies = policyFiles((file) => passphrase(`of ${file}`))
  await run({ terminal, environment, passphrase, policies, now: () => new Date() })
} catch (error) {
  const isExpected = error instanceof CommandRefusal || error instanceof KeyFileRefusal
  console.error(isExpected ? error.message : `it failed unexpectedly: ${describeError(error)}`)
  process.exitCode = 1
}
terminal.close()
