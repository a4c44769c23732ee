/** `tools/start.ts` with stand-ins for the apps. */
import { join } from 'node:path'
import { runUntilSignal } from '../signals.ts'

const file = (name: string) => join(import.meta.dirname, `${name}.ts`)
await runUntilSignal({
  devnet: file('fake-devnet'),
  server: file('fake-server'),
  pictures: file('fake-pictures'),
  gateway: file('fake-gateway'),
  signer: file('fake-signer'),
  approvals: file('fake-approvals'),
  auditor: file('fake-auditor'),
  keys: file('fake-keys'),
  seedDemo: file('fake-seeder'),
  web: null,
  approvalsPage: null,
  orders: ['orders.json'],
})
